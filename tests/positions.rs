//! The examples and official positions of tests/data/moves, each with its exact list of legal moves.
#![allow(clippy::panic)] // a failed test says what it found

mod support;

use draughts_rules::rules::notation::move_text;
use draughts_rules::rules::{
    Budget, ChooseError, Color, Move, MoveList, Place, Position, Role, Square, SquareSet, Variant, choose,
};
use serde::Deserialize;
use support::{data_file, position};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    id: String,
    cite: String,
    fen: String,
    moves: Vec<String>,
    #[serde(default)]
    illegal: Vec<String>,
    #[serde(default)]
    result: Option<Winner>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Winner {
    White,
    Black,
}

#[test]
fn every_line_has_exactly_its_legal_moves() {
    let mut lines = 0;
    for &variant in Variant::ALL {
        let before = lines;
        for text in data_file("moves", variant, "jsonl").lines().filter(|line| !line.is_empty()) {
            let line: Line = serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            check(variant, &line);
            lines += 1;
        }
        assert!(lines > before, "{variant:?} has no positions");
    }
    assert!(lines >= 130, "{lines}");
}

fn check(variant: Variant, line: &Line) {
    let position = position(variant, &line.id, &line.fen);
    let budget = || Budget::new(1_000_000);
    let moves = position.legal_moves(&mut budget()).expect("no position of the rulebooks is too complex");
    let ways = position.legal_paths(&mut budget()).expect("no position of the rulebooks is too complex");
    let context = || format!("{} ({})\n{position:?}{moves:?}", line.id, line.cite);

    let mut left = moves.iter().collect::<Vec<_>>();
    for text in &line.moves {
        let expected = Expected::parse(&position, text);
        let place = left.iter().position(|&legal| expected.is(legal, &ways));
        left.remove(place.unwrap_or_else(|| panic!("{text} is not found among the rest\n{}", context())));
    }
    assert!(left.is_empty(), "not expected: {left:?}\n{}", context());
    for text in &line.illegal {
        let claim =
            move_text::parse(text).expect("a move").on(position.ruleset()).expect("squares of the board");
        let refused = choose(&position, &claim, &mut budget());
        assert!(matches!(refused, Err(ChooseError::Illegal(_))), "{text}: {refused:?}\n{}", context());
    }
    let winner = position.outcome().winner();
    assert_eq!(winner.is_some(), line.moves.is_empty(), "{}", context());
    if let Some(result) = line.result {
        let said = match result {
            Winner::White => Color::White,
            Winner::Black => Color::Black,
        };
        assert_eq!(winner, Some(said), "{}", context());
    }
}

/// A move as the data states it: squares, perhaps captured squares in braces, perhaps what the man becomes.
struct Expected {
    squares: Vec<Square>,
    captured: Option<SquareSet>,
    is_capture: bool,
    is_crowned: Option<bool>,
}

impl Expected {
    fn parse(position: &Position, text: &str) -> Expected {
        let (moved, rest) = text.split_once(' ').unwrap_or((text, ""));
        let board = position.ruleset().board();
        let square = |place: &Place| place.on(board).unwrap_or_else(|| panic!("{text}: {place}"));
        let parsed = move_text::parse(moved).unwrap_or_else(|error| panic!("{text}: {error}"));
        let braces = rest.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
        // Kings among the captured are marked in some sources.
        let captured = braces.map(|(list, _)| {
            let names = list.split(',').map(|name| name.trim().trim_start_matches('K'));
            names.map(|name| square(&move_text::parse(name).expect("a square").places[0])).collect()
        });
        Expected {
            squares: parsed.places.iter().map(square).collect(),
            captured,
            is_capture: moved.contains('x'),
            is_crowned: if rest.contains("=K") { Some(true) } else { rest.contains("=M").then_some(false) },
        }
    }

    fn is(&self, legal: Move<'_>, ways: &MoveList) -> bool {
        let last = self.squares.last().copied().filter(|_| self.squares.len() > 1);
        let between = self.squares.get(1..self.squares.len() - 1).unwrap_or_default();
        let goes = |way: Move<'_>| {
            let mut landings = way.landings().iter();
            way.is_same_move(legal) && between.iter().all(|square| landings.any(|landing| landing == square))
        };
        let crowned = (legal.role_before(), legal.role_after()) == (Role::Man, Role::King);
        legal.from() == self.squares[0]
            && legal.to() == last
            && self.is_capture != legal.captured().is_empty()
            && self.captured.is_none_or(|captured| captured == legal.captured_set())
            && self.is_crowned.is_none_or(|wanted| wanted == crowned)
            && ways.iter().any(goes)
    }
}
