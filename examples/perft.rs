//! Counts lines of play: `perft VARIANT DEPTH [FEN]`.
#![allow(clippy::print_stdout)]
use draughts_rules::rules::{Budget, Position, Variant, notation::fen, perft};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = std::env::args().skip(1).collect::<Vec<_>>();
    let [name, depth, rest @ ..] = &arguments[..] else {
        return Err("usage: perft VARIANT DEPTH [FEN]".into());
    };
    let ruleset = Variant::from_name(name).ok_or("no such variant")?.ruleset();
    let position = match rest {
        [text, ..] => Position::new(ruleset, &fen::parse(text)?)?,
        [] => Position::start(ruleset),
    };
    for depth in 1..=depth.parse::<u32>()? {
        let begin = std::time::Instant::now();
        let nodes = perft(&position, depth, &mut Budget::new(u64::MAX))?;
        println!(
            "{depth:3} {nodes:14} {:8.1} million a second",
            nodes as f64 / begin.elapsed().as_secs_f64() / 1e6
        );
    }
    Ok(())
}
