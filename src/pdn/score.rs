//! Results as PDN writes them.

use super::game_type::GameType;
use crate::rules::{Color, Variant};

/// What a result says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// This side won. 1-0 is White's win, whoever began.
    Won(Color),
    /// A draw.
    Drawn,
    /// Both lost, by an arbiter's decision.
    BothLost,
    /// Not known, or not over.
    Unknown,
}

/// All results that are read, those that begin others last.
pub const RESULTS: [(&str, Score); 8] = [
    ("1/2-1/2", Score::Drawn),
    ("1-0", Score::Won(Color::White)),
    ("0-1", Score::Won(Color::Black)),
    ("2-0", Score::Won(Color::White)),
    ("0-2", Score::Won(Color::Black)),
    ("1-1", Score::Drawn),
    ("0-0", Score::BothLost),
    ("*", Score::Unknown),
];

/// What a result says, if it is one.
#[must_use]
pub fn parse(text: &str) -> Option<Score> {
    RESULTS.iter().find(|result| result.0 == text.trim()).map(|result| result.1)
}

/// The numbers of the games in which a win counts two points. Source: the PDN standard.
const TWO_POINTS: [u16; 2] = [20, 27];

/// A result as the games of a variant write it.
#[must_use]
pub fn write(variant: Variant, score: Score) -> &'static str {
    let counts_to_two = GameType::of(variant).is_some_and(|own| TWO_POINTS.contains(&own.number));
    match (score, counts_to_two) {
        (Score::Won(Color::White), false) => "1-0",
        (Score::Won(Color::White), true) => "2-0",
        (Score::Won(Color::Black), false) => "0-1",
        (Score::Won(Color::Black), true) => "0-2",
        (Score::Drawn, false) => "1/2-1/2",
        (Score::Drawn, true) => "1-1",
        (Score::BothLost, _) => "0-0",
        (Score::Unknown, _) => "*",
    }
}
