//! A client in Rust: lists the variants, then plays a random game of one of them.
//!
//! `cargo run --release --example client -- [ADDRESS] [VARIANT]`
#![allow(clippy::print_stdout)]

use draughts_rules::api::proto as pb;
use pb::rules_service_client::RulesServiceClient;
use std::hash::{BuildHasher, RandomState};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().unwrap_or_else(|| "http://127.0.0.1:50051".to_owned());
    let name = arguments.next().unwrap_or_else(|| "International".to_owned());
    let mut client = RulesServiceClient::connect(address).await?;

    let variants = client.list_variants(pb::ListVariantsRequest {}).await?.into_inner().variants;
    for variant in &variants {
        println!("{:14} {}", variant.name, variant.summary);
    }
    let variant = variants.iter().find(|variant| variant.name == name).ok_or("no such variant")?.variant;

    let mut game = pb::Game { rules: Some(pb::game::Rules::Variant(variant)), ..Default::default() };
    let request = pb::GenerateLegalMovesRequest { game: Some(game.clone()), ..Default::default() };
    let mut moves = client.generate_legal_moves(request).await?.into_inner().moves;
    println!("\n{name} begins with {} legal moves. A random game:", moves.len());
    for ply in 1..=300 {
        let chosen = moves.swap_remove(random_below(moves.len()));
        let request = pb::ApplyMoveRequest {
            game: Some(game.clone()),
            r#move: Some(pb::MoveInput { form: Some(pb::move_input::Form::Move(chosen)) }),
            with_next_moves: true,
            ..Default::default()
        };
        let answer = client.apply_move(request).await?.into_inner();
        let (played, after) = (answer.r#move.unwrap_or_default(), answer.position.unwrap_or_default());
        println!("{ply:3} {:12} {}", played.notation, after.fen);
        let result = answer.result.unwrap_or_default();
        if result.status() != pb::ResultStatus::Ongoing {
            println!("{}", result.explanation);
            break;
        }
        game.position = after.position;
        moves = answer.next_moves;
    }
    Ok(())
}

/// Good enough for a random game: the standard library's hasher is seeded anew each time.
fn random_below(count: usize) -> usize {
    (RandomState::new().hash_one(0) % count as u64) as usize
}
