//! Prints a board and its legal moves: `moves VARIANT [FEN]`.
#![allow(clippy::print_stdout)]

use draughts_rules::rules::notation::{fen, move_text};
use draughts_rules::rules::{Budget, Position, Variant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = std::env::args().skip(1).collect::<Vec<_>>();
    let [name, rest @ ..] = &arguments[..] else { return Err("usage: moves VARIANT [FEN]".into()) };
    let ruleset = Variant::from_name(name).ok_or("no such variant")?.ruleset();
    let position = match rest {
        [text, ..] => Position::new(ruleset, &fen::parse(text)?)?,
        [] => Position::start(ruleset),
    };
    println!("{}\n{position}", fen::write(&position));
    let mut budget = Budget::new(10_000_000);
    let moves = position.legal_moves(&mut budget)?;
    let ways = position.legal_paths(&mut budget)?;
    for (legal, ways) in moves.with_ways(&ways) {
        let squares = |list: &[_]| {
            list.iter().map(|&square| move_text::square(ruleset, square)).collect::<Vec<_>>().join(" ")
        };
        println!("{:12} captures {}", move_text::write(ruleset, legal, &moves), squares(legal.captured()));
        for way in ways {
            println!("{:12} by {}", "", squares(way.landings()));
        }
    }
    println!("{} moves, {} steps", moves.len(), 10_000_000 - budget.left());
    Ok(())
}
