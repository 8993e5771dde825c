//! The rules core: positions, legal moves and results of every variant. It needs the standard library only and does no
//! I/O.
//!
//! ```
//! use draughts_rules::rules::{Budget, Outcome, Position, Variant};
//!
//! let mut budget = Budget::new(10_000);
//! let start = Position::start(Variant::International.ruleset());
//! let moves = start.legal_moves(&mut budget)?;
//! assert_eq!(moves.len(), 9);
//!
//! let next = start.play(moves.get(0).ok_or("a move")?);
//! assert_eq!(next.outcome(), Outcome::Ongoing);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod choose;
mod claim;
mod contradiction;
mod dispatch;
pub mod draws;
mod engine;
mod history;
mod illegal;
mod key;
mod moves;
pub mod notation;
mod outcome;
mod perft;
mod position;
mod profiles;
pub mod row;
mod ruleset;
mod setup;
mod square;
mod table;
mod variant;

pub use board::{Board, BoardFacts, Lines, MAX_BITS, MAX_SIDE, Numbering, Playing};
pub use choose::{ChooseError, Chosen, choose};
pub use claim::{MoveClaim, Way};
pub use contradiction::{Contradiction, contradictions};
pub use history::{
    Beginning, ClauseReport, ClauseState, Count, DrawState, History, MAX_POSITIONS, StateError, Verdict,
};
pub use illegal::{IllegalMove, IllegalReason};
pub use key::KEY_VERSION;
pub use moves::{Budget, Move, MoveKind, MoveList, TooComplex};
pub use outcome::Outcome;
pub use perft::perft;
pub use position::Position;
pub use row::Rules;
pub use ruleset::Ruleset;
pub use setup::{Claim, MAX_CLAIMS, Place, Setup, SetupError, Violation, ViolationKind};
pub use square::{Color, Direction, Directions, Role, Square, SquareSet};
pub use variant::{About, Variant};

/// Counts changes of any answer about legality or results. Equal versions answer equally.
pub const RULES_VERSION: u32 = 2;
