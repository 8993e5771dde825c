//! Node counts of tests/data/perft, up to a limit of nodes for each position.
#![allow(clippy::panic, clippy::print_stdout)] // it says what it found

mod support;

use draughts_rules::rules::{Budget, Position, Variant, perft};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use support::data_file;

/// Counts above this take too long. Below it are depth 10 of Czech and Russian, which needs the landing duty (rules.md
/// 4.2), and depth 7 of Turkish, where merged moves first differ from paths.
const NODE_LIMIT: u64 = 25_000_000;
/// The suite as a whole counts at least so many, or data went missing.
const LEAST_NODES: u64 = 300_000_000;

#[test]
fn published_counts_come_out() {
    let next = AtomicUsize::new(0);
    let total = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(&variant) = Variant::ALL.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let counted = count_file(variant, &data_file("perft", variant, "perft"));
                    assert!(counted > 0, "{variant:?} has no count under the limit");
                    total.fetch_add(counted, Ordering::Relaxed);
                }
            });
        }
    });
    println!("{total:?} nodes");
    assert!(total.into_inner() >= LEAST_NODES);
}

fn count_file(variant: Variant, text: &str) -> u64 {
    let (mut id, mut position, mut counted) = ("", None, 0);
    for line in text.lines() {
        match line.split_once(' ') {
            Some(("id", value)) => id = value,
            Some(("fen", value)) => {
                position = Some(support::position(variant, id, value));
            }
            Some(("perft", value)) => {
                let (depth, nodes) = value.split_once(' ').expect("a depth and a count");
                let (depth, nodes) = (depth.parse().expect("a depth"), nodes.parse().expect("a count"));
                if nodes > NODE_LIMIT {
                    continue;
                }
                let position = position.as_ref().expect("fen comes before perft");
                let found = perft(position, depth, &mut Budget::new(u64::MAX));
                assert_eq!(found, Ok(nodes), "{id} at depth {depth}\n{position}");
                counted += nodes;
            }
            _ => assert!(
                line.is_empty()
                    || line.starts_with("# ")
                    || line.starts_with("source ")
                    || line == "policy merged",
                "{id}: {line}"
            ),
        }
    }
    counted
}

/// The row as a constant and the row looked up are the same rules: both engines count alike.
#[test]
fn the_engine_counts_alike_with_a_row_made_at_run_time() {
    for &variant in Variant::ALL {
        let made = draughts_rules::rules::Ruleset::new(*variant.ruleset().rules());
        let (fixed, looked) = (Position::start(variant.ruleset()), Position::start(&made));
        for depth in 1..=5 {
            let count = |position| perft(position, depth, &mut Budget::new(u64::MAX));
            assert_eq!(count(&fixed), count(&looked), "{variant:?} at depth {depth}");
        }
    }
}
