//! What must hold in every position: checked along seeded random games of every variant.
#![allow(clippy::panic)] // a failed test says what it found

mod support;

use draughts_rules::rules::notation::{ParseError, fen, move_text};
use draughts_rules::rules::row::Headings;
use draughts_rules::rules::{
    Budget, Claim, Move, MoveClaim, MoveKind, MoveList, Outcome, Place, Position, Role, Setup, Square,
    TooComplex, Variant, choose,
};
use proptest::prelude::*;
use std::collections::HashMap;
use support::Chance;

const GAMES: u64 = 30;
const PLIES: usize = 120;

fn moves(position: &Position) -> MoveList {
    position.legal_moves(&mut Budget::new(1_000_000)).expect("random play is not too complex")
}

/// Runs a check in the positions of random games.
fn in_random_games(check: impl Fn(&Position, &MoveList)) {
    for &variant in Variant::ALL {
        for seed in 0..GAMES {
            let mut chance = Chance::new(seed);
            let mut position = Position::start(variant.ruleset());
            for _ in 0..PLIES {
                let moves = moves(&position);
                check(&position, &moves);
                if moves.is_empty() {
                    break;
                }
                position = position.play(moves.get(chance.below(moves.len())).expect("below the length"));
            }
        }
    }
}

#[test]
fn a_listed_move_is_accepted_by_its_text_and_by_each_of_its_ways() {
    in_random_games(|position, moves| {
        let budget = || Budget::new(1_000_000);
        let ways = position.legal_paths(&mut budget()).expect("random play is not too complex");
        let mut count = 0;
        for (listed, ways) in moves.with_ways(&ways) {
            count += 1;
            let text = move_text::write(position.ruleset(), listed, moves);
            let claim =
                move_text::parse(&text).expect("own text").on(position.ruleset()).expect("own squares");
            let chosen = choose(position, &claim, &mut budget()).unwrap_or_else(|e| panic!("{text}: {e:?}"));
            assert!(chosen.get().is_same_move(listed), "{text}\n{position:?}");
            for way in ways {
                let path =
                    std::iter::once(way.from()).chain(way.landings().iter().copied()).collect::<Vec<_>>();
                let claim = MoveClaim::along(&path).expect("a path");
                let chosen =
                    choose(position, &claim, &mut budget()).unwrap_or_else(|e| panic!("{way:?}: {e:?}"));
                assert!(chosen.get().is_same_move(listed), "{way:?}\n{position:?}");
            }
        }
        assert_eq!(count, moves.len());
    });
}

#[test]
fn what_is_accepted_was_listed() {
    in_random_games(|position, moves| {
        let squares = position.ruleset().board().squares();
        let mut chance = Chance::new(position.key());
        let all = squares.collect::<Vec<_>>();
        for _ in 0..20 {
            let ends = [all[chance.below(all.len())], all[chance.below(all.len())]];
            let listed = moves.between(ends[0], Some(ends[1])).len();
            let claim = MoveClaim::along(&ends).expect("a path");
            let accepted = choose(position, &claim, &mut Budget::new(1_000_000)).is_ok();
            assert_eq!(accepted, listed == 1, "{ends:?}\n{position:?}{moves:?}");
        }
    });
}

#[test]
fn lists_are_in_their_promised_order_without_doubles() {
    in_random_games(|position, moves| {
        let key = |listed: Move<'_>| {
            let captured = listed.captured_set().iter().map(Square::number).collect::<Vec<_>>();
            (listed.from(), listed.to(), captured)
        };
        assert!(
            moves.iter().zip(moves.iter().skip(1)).all(|(a, b)| key(a) < key(b)),
            "{position:?}{moves:?}"
        );
    });
}

#[test]
fn the_game_is_over_exactly_when_the_list_is_empty() {
    in_random_games(|position, moves| {
        assert_eq!(position.outcome() == Outcome::Ongoing, !moves.is_empty(), "{position:?}");
    });
}

#[test]
fn positions_survive_every_notation() {
    in_random_games(|position, _| {
        let ruleset = position.ruleset();
        let read = fen::parse(&fen::write(position)).expect("own FEN");
        assert_eq!(Position::new(ruleset, &read).as_ref(), Ok(position));
        assert_eq!(Position::new(ruleset, &position.to_setup()).as_ref(), Ok(position));
    });
}

#[test]
fn keys_are_equal_exactly_for_equal_positions() {
    let seen = std::cell::RefCell::new(HashMap::new());
    in_random_games(|position, _| {
        // Equal placements of two variants have one key, but numbers differ between boards: compare within one.
        let key = (position.ruleset().variant(), position.key());
        let written = fen::write(position);
        assert_eq!(seen.borrow_mut().entry(key).or_insert_with(|| written.clone()), &written);
    });
    assert!(seen.borrow().len() > 10_000);
}

/// Turned half round with colors exchanged, a position has the same moves, turned half round.
#[test]
fn a_position_turned_round_has_its_moves_turned_round() {
    in_random_games(|position, listed| {
        let (ruleset, board) = (position.ruleset(), position.ruleset().board());
        // Both sides heading up, or removals that begin with one color, are not symmetrical.
        let is_removal = listed.iter().any(|listed| listed.kind() == MoveKind::Removal);
        if ruleset.rules().heading != Headings::Apart || is_removal {
            return;
        }
        let turn = |square: Square| {
            let facts = board.facts();
            let place = (facts.width - 1 - board.column(square), facts.height - 1 - board.row(square));
            board.square_at(place.0, place.1).expect("boards are symmetrical")
        };
        let claims = board.squares().filter_map(|square| {
            let (color, role) = position.piece_at(square)?;
            Some(Claim { color: color.other(), role, place: Place::Number(turn(square).number().into()) })
        });
        let setup = Setup { turn: position.turn().other(), claims: claims.collect() };
        let turned = Position::new(ruleset, &setup).expect("as valid as the other");
        let ends = |from: Square, to: Option<Square>, role: Role, captured: Vec<Square>| {
            let mut captured = captured;
            captured.sort();
            (from, to, role, captured)
        };
        let mut expected = listed
            .iter()
            .map(|m| {
                ends(
                    turn(m.from()),
                    m.to().map(turn),
                    m.role_after(),
                    m.captured().iter().copied().map(turn).collect(),
                )
            })
            .collect::<Vec<_>>();
        expected.sort();
        let found = moves(&turned);
        let mut found = found
            .iter()
            .map(|m| ends(m.from(), m.to(), m.role_after(), m.captured().to_vec()))
            .collect::<Vec<_>>();
        found.sort();
        assert_eq!(found, expected, "{position:?}");
    });
}

#[test]
fn a_budget_is_kept_and_an_exceeded_one_says_so() {
    in_random_games(|position, moves| {
        let mut budget = Budget::new(1_000_000);
        assert_eq!(position.legal_moves(&mut budget).map(|list| list.len()), Ok(moves.len()));
        let needed = 1_000_000 - budget.left();
        let mut exact = Budget::new(needed);
        assert_eq!(position.legal_moves(&mut exact).map(|list| list.len()), Ok(moves.len()));
        assert_eq!(exact.left(), 0);
        if needed > 0 {
            assert_eq!(
                position.legal_moves(&mut Budget::new(needed - 1)).map(|list| list.len()),
                Err(TooComplex)
            );
        }
    });
}

/// Computed by another program from the description at the head of `rules/key.rs`.
#[test]
fn keys_match_their_test_vectors() {
    for (variant, text, key) in [
        (Variant::International, "W:W31-50:B1-20", KEYS[0]),
        (Variant::Checkers, "B:W21-32:B1-12", KEYS[1]),
        (Variant::Italian, "W:W21-32:B1-12", KEYS[2]),
        (Variant::Russian, "W:WKa1:Bh8", KEYS[3]),
        (Variant::Parachute, "B:WPb8:BPa1", 0x6a0b_e987_0db7_cfb0),
    ] {
        let position = Position::new(variant.ruleset(), &fen::parse(text).expect("a FEN")).map(|p| p.key());
        assert_eq!(position, Ok(key), "{text}");
    }
}

const KEYS: [u64; 4] =
    [0x1b94_7e17_0c5e_1b5f, 0x638e_6e5f_695c_3ca4, 0x519a_cd46_13af_4acb, 0x15a9_d12e_5044_e01d];

proptest! {
    /// Any text is read or refused at a place within it.
    #[test]
    fn any_text_is_read_or_refused(text in "[WBKPH:F,.a-l0-9x -]{0,40}|\\PC{0,20}") {
        let within = |error: ParseError| text.is_char_boundary(error.offset);
        prop_assert!(fen::parse(&text).map_or_else(within, |_| true));
        prop_assert!(move_text::parse(&text).map_or_else(within, |_| true));
    }
}
