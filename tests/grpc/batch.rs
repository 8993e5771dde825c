//! Many requests in one call: each is answered as it would be alone, in order, within limits of its own and of the batch.

use crate::invalid::illegal_move_of;
use crate::server::Server;
use crate::service::{Client, HOSTILE, exceeds, game, reason_of, text};
use crate::support::Chance;
use draughts_rules::api::limits;
use draughts_rules::api::proto as pb;
use draughts_rules::rules::notation::fen;
use draughts_rules::rules::{Budget, Move, Position, Variant};
use prost::Message;
use tonic::{Code, Status};
use tonic_types::pb as rpc;

/// A capture, so that it needs a few engine steps.
const CAPTURE: &str = "W:W28:B23,12";

fn to_list(game: Option<pb::Game>) -> pb::GenerateLegalMovesRequest {
    pb::GenerateLegalMovesRequest { game, ..Default::default() }
}

fn to_play(game: Option<pb::Game>, movement: &str) -> pb::ApplyMoveRequest {
    pb::ApplyMoveRequest { game, r#move: text(movement), ..Default::default() }
}

/// What became of one request: the same type for both batches and for calls of their own.
type Outcome<A> = Result<A, Status>;

/// An error of a batch as a call of its own would have it.
fn status(error: rpc::Status) -> Status {
    Status::with_details(Code::from_i32(error.code), error.message.clone(), error.encode_to_vec().into())
}

async fn listed(
    client: &mut Client,
    requests: Vec<pb::GenerateLegalMovesRequest>,
) -> Outcome<Vec<Outcome<pb::GenerateLegalMovesResponse>>> {
    use pb::generate_legal_moves_outcome::Outcome::{Error, Response};
    let request = pb::BatchGenerateLegalMovesRequest { requests };
    let answer = client.batch_generate_legal_moves(request).await?.into_inner();
    let outcomes = answer.outcomes.into_iter().map(|one| match one.outcome.expect("an outcome") {
        Response(response) => Ok(response),
        Error(error) => Err(status(error)),
    });
    Ok(outcomes.collect())
}

async fn played(
    client: &mut Client,
    requests: Vec<pb::ApplyMoveRequest>,
) -> Outcome<Vec<Outcome<pb::ApplyMoveResponse>>> {
    use pb::apply_move_outcome::Outcome::{Error, Response};
    let request = pb::BatchApplyMoveRequest { requests };
    let answer = client.batch_apply_move(request).await?.into_inner();
    let outcomes = answer.outcomes.into_iter().map(|one| match one.outcome.expect("an outcome") {
        Response(response) => Ok(response),
        Error(error) => Err(status(error)),
    });
    Ok(outcomes.collect())
}

/// Fails unless both are the same answer, or the same error with the same details.
fn assert_same<A: PartialEq + std::fmt::Debug>(in_batch: &Outcome<A>, alone: &Outcome<A>, what: &str) {
    match (in_batch, alone) {
        (Ok(in_batch), Ok(alone)) => assert_eq!(in_batch, alone, "{what}"),
        (Err(in_batch), Err(alone)) => {
            assert_eq!(in_batch.message(), alone.message(), "{what}");
            assert_eq!(reason_of(in_batch), reason_of(alone), "{what}");
            assert_eq!(illegal_move_of(in_batch), illegal_move_of(alone), "{what}");
        }
        (in_batch, alone) => panic!("{what}: {in_batch:?} in a batch, {alone:?} alone"),
    }
}

/// The positions of a random game as text, each with a legal move.
fn random_game(variant: Variant, chance: &mut Chance) -> Vec<(String, pb::Move)> {
    let mut position = Position::start(variant.ruleset());
    let mut seen = Vec::new();
    for _ in 0..60 {
        let moves = position.legal_moves(&mut Budget::new(u64::MAX)).expect("no limit");
        if moves.is_empty() {
            break;
        }
        let chosen = moves.get(chance.below(moves.len())).expect("below the length");
        seen.push((fen::write(&position), named(chosen)));
        position = position.play(chosen);
    }
    seen
}

fn named(chosen: Move<'_>) -> pb::Move {
    let number = |square: draughts_rules::rules::Square| u32::from(square.number());
    pb::Move {
        from_square: number(chosen.from()),
        to_square: chosen.to().map(number),
        captured: chosen.captured().iter().copied().map(number).collect(),
        ..Default::default()
    }
}

/// What is wrong in many ways, by itself.
fn bad_games() -> Vec<Option<pb::Game>> {
    vec![
        None,
        Some(pb::Game::default()),
        game(99, None),
        game(11, Some("nonsense")),
        game(11, Some("W:W1,51:B50")),
        game(11, None).map(|game| pb::Game { moves: vec![text("32-27x").expect("a text")], ..game }),
        game(11, None).map(|game| pb::Game { moves: vec![text("34-25").expect("a text")], ..game }),
    ]
}

#[tokio::test]
async fn every_request_is_answered_as_it_would_be_alone() {
    use Variant::{Dameo, Hawaiian, International, Italian, Russian, Turkish};
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let mut chance = Chance::new(11);
    for variant in [International, Russian, Italian, Turkish, Hawaiian, Dameo] {
        let number = i32::from(variant.about().number);
        let (mut to_list, mut to_play) = (Vec::new(), Vec::new());
        let mut bad = bad_games().into_iter();
        for (ply, (fen, chosen)) in random_game(variant, &mut chance).into_iter().enumerate() {
            // A bad one in between, while there are any: the others are answered all the same.
            let bad = (ply % 3 == 2).then(|| bad.next()).flatten();
            let game = bad.unwrap_or_else(|| game(number, Some(&fen)));
            let path_prefix = if ply % 4 == 3 { vec![chosen.from_square] } else { Vec::new() };
            let parts = (1..=ply as i32 % 5).collect::<Vec<_>>();
            // Every fifth move goes to a square where it does not belong.
            let to_square = if ply % 5 == 4 { Some(1) } else { chosen.to_square };
            let form = pb::move_input::Form::Move(pb::Move { to_square, ..chosen });
            to_list.push(pb::GenerateLegalMovesRequest {
                game: game.clone(),
                path_prefix,
                parts: parts.clone(),
            });
            to_play.push(pb::ApplyMoveRequest {
                game,
                r#move: Some(pb::MoveInput { form: Some(form) }),
                with_next_moves: ply % 2 == 0,
                next_move_parts: parts,
            });
        }
        let outcomes = listed(&mut client, to_list.clone()).await.expect("a batch");
        assert_eq!(outcomes.len(), to_list.len());
        for (outcome, request) in outcomes.iter().zip(to_list) {
            let what = format!("{variant:?} {request:?}");
            let alone = client.generate_legal_moves(request).await.map(tonic::Response::into_inner);
            assert_same(outcome, &alone, &what);
        }
        let outcomes = played(&mut client, to_play.clone()).await.expect("a batch");
        assert_eq!(outcomes.len(), to_play.len());
        assert!(outcomes.iter().any(Result::is_ok) && outcomes.iter().any(Result::is_err));
        for (outcome, request) in outcomes.iter().zip(to_play) {
            let what = format!("{variant:?} {request:?}");
            let alone = client.apply_move(request).await.map(tonic::Response::into_inner);
            assert_same(outcome, &alone, &what);
        }
    }
}

#[tokio::test]
async fn a_batch_has_at_most_so_many_requests() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    for count in [0, 1, limits::MAX_BATCH - 1, limits::MAX_BATCH] {
        let outcomes = listed(&mut client, vec![to_list(game(11, None)); count]).await.expect("a batch");
        assert_eq!((outcomes.len(), outcomes.iter().all(Result::is_ok)), (count, true));
        let outcomes = played(&mut client, vec![to_play(game(11, None), "32-28"); count]).await;
        let outcomes = outcomes.expect("a batch");
        assert_eq!((outcomes.len(), outcomes.iter().all(Result::is_ok)), (count, true));
    }
    let count = limits::MAX_BATCH + 1;
    let refused = listed(&mut client, vec![to_list(game(11, None)); count]).await.expect_err("too many");
    exceeds(&refused, "max_batch", limits::MAX_BATCH);
    let refused = played(&mut client, vec![to_play(game(11, None), "32-28"); count]).await;
    exceeds(&refused.expect_err("too many"), "max_batch", limits::MAX_BATCH);
}

/// Forty pieces by number, and sixty on the largest board, as text and as lists.
#[tokio::test]
async fn as_many_positions_as_allowed_fit_in_a_message() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    for variant in [11, 13] {
        let request = pb::GetVariantRequest { variant, rule_set: None };
        let start = client.get_variant(request).await.expect("a variant").into_inner().start;
        let start = start.expect("a start");
        let placed = game(variant, None).map(|game| pb::Game { position: start.position, ..game });
        for game in [game(variant, Some(&start.fen)), placed] {
            let requests = vec![to_play(game, "1-1"); limits::MAX_BATCH];
            let bytes = pb::BatchApplyMoveRequest { requests: requests.clone() }.encoded_len();
            assert!(bytes < limits::MAX_REQUEST_BYTES, "{bytes} bytes in variant {variant}");
            let outcomes = played(&mut client, requests).await.expect("a batch");
            let is_illegal =
                |outcome: &Outcome<_>| outcome.as_ref().is_err_and(|error| illegal_move_of(error).is_some());
            assert!(outcomes.iter().all(is_illegal), "the move is read, and refused");
        }
    }
    let requests = vec![to_list(game(11, Some(&format!("W:W{}", "1,".repeat(128))))); limits::MAX_BATCH];
    let refused = listed(&mut client, requests).await.expect_err("too large");
    exceeds(&refused, "max_request_bytes", limits::MAX_REQUEST_BYTES);
}

#[tokio::test]
async fn hard_requests_use_up_the_steps_of_the_batch_and_say_so() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let (easy, hard) = (to_list(game(11, Some(CAPTURE))), to_list(game(13, Some(HOSTILE))));
    let hard_ones = (limits::MAX_BATCH_STEPS / limits::MAX_STEPS) as usize;
    let mut requests = vec![hard; hard_ones + 2];
    requests[0] = easy.clone();
    requests[hard_ones + 1] = easy;
    let outcomes = listed(&mut client, requests).await.expect("a batch");
    assert!(outcomes[0].is_ok());
    for (index, outcome) in outcomes.iter().enumerate().skip(1) {
        let (code, reason, metadata) = reason_of(outcome.as_ref().expect_err("too complex"));
        assert_eq!((code, reason.as_str()), (Code::ResourceExhausted, "TOO_COMPLEX"));
        let (limit, maximum) = if index < hard_ones {
            ("max_engine_steps", limits::MAX_STEPS)
        } else {
            ("max_batch_engine_steps", limits::MAX_BATCH_STEPS)
        };
        let expected = [("limit", limit.to_owned()), ("maximum", maximum.to_string())];
        assert_eq!(metadata, expected.map(|(key, value)| (key.to_owned(), value)), "at {index}");
    }
}

#[tokio::test]
async fn an_answer_that_is_too_large_is_refused_with_what_to_do() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let kings = game(11, Some("W:WK46,K47,K48,K49,K50:B1,2,3"));
    let parts = (1..=4).collect::<Vec<_>>();
    let request = pb::GenerateLegalMovesRequest { game: kings, parts, ..Default::default() };
    let refused = listed(&mut client, vec![request.clone(); limits::MAX_BATCH]).await.expect_err("too large");
    let (code, reason, metadata) = reason_of(&refused);
    assert_eq!((code, reason.as_str()), (Code::ResourceExhausted, "RESPONSE_TOO_LARGE"));
    assert!(metadata.contains(&("limit".to_owned(), "max_response_bytes".to_owned())), "{metadata:?}");
    assert!(refused.message().ends_with("ask for less at a time"), "{}", refused.message());
    assert!(listed(&mut client, vec![request; 64]).await.is_ok());
}

#[tokio::test]
async fn a_batch_keeps_its_deadline_and_its_place_is_free_again() {
    let arguments = ["--heavy-calls", "1", "--threads", "1", "--max-deadline-seconds", "0.01"];
    let server = Server::start(&arguments);
    let mut client = server.client().await;
    let hard = vec![to_list(game(13, Some(HOSTILE))); 4];
    let late = listed(&mut client, hard).await.expect_err("four hard ones in 10 ms");
    assert_eq!(reason_of(&late).1, "DEADLINE_EXCEEDED");
    // It waits no longer than the work takes to notice; on a loaded machine even an easy one may be late.
    while let Err(busy) = listed(&mut client, vec![to_list(game(11, None))]).await {
        assert!(["OVERLOADED", "DEADLINE_EXCEEDED"].contains(&reason_of(&busy).1.as_str()), "{busy:?}");
    }
}
