//! The second engine: slow, two-dimensional, obvious.
//!
//! It exists to disagree. It was written from the rules text alone, so that an error of the fast
//! engine and an error here are unlikely to be the same error. Where the two differ, the rules
//! decide, and never the wish to make a test pass. "rules.md 2.4" in a comment names a section of
//! that text.
//!
//! The way of a question through the modules:
//!
//! - `board`: colors, roles, squares, directions, and which squares neighbor each other
//! - `params`: one plain struct that holds every fact in which two rule sets may differ
//! - `variants`: that struct filled by hand for each named variant
//! - `position`: pieces on a board, and whose turn it is
//! - `valid`: which positions count as positions at all
//! - `moves`: the legal moves: removals, else captures, else steps
//! - `capture`: every way to play a capture to its end
//! - `precedence`: which of those captures must be chosen
//! - `play`: applying a move, the result, counting nodes
//! - `random`: seeded positions for comparison
//!
//! No function knows the name of a variant, so every combination of parameters can be played.

#![allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "every test binary includes the whole engine and uses a part of it"
)]

mod board;
mod capture;
mod moves;
mod params;
mod play;
mod position;
mod precedence;
mod random;
mod valid;
mod variants;

pub use self::board::{Board, Color, Dir, Lines, Piece, Playing, Role, Sides, Square};
pub use self::board::{square, square_name};
pub use self::moves::{Kind, Move, legal_moves};
pub use self::params::{King, Landing, Man, NoMove, Params, Precedence, Third};
pub use self::params::{PromotionInCapture, Range, Removal};
pub use self::play::{apply, perft, result};
pub use self::position::Position;
pub use self::random::{SplitMix64, random_play, random_setup};
pub use self::valid::valid;
pub use self::variants::{NAMES, international_on, params};
