//! Every fact in which two rule sets may differ, and nothing else.
//!
//! Directions are written for a side that moves up the board. A side with `forward` -1 has them
//! mirrored up and down, see [`Params::dirs`].

use super::board::{Board, Color, Dir, Role, Sides, Square};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    pub board: Board,
    pub start: Vec<(Color, Role, Square)>,
    pub first_mover: Color,
    /// +1: up the board, -1: down. Both sides may go the same way (rules.md 3.5).
    pub forward: Sides<i8>,
    pub man: Man,
    /// None: the variant has no kings (rules.md 3.9.4, 3.10.4).
    pub king: Option<King>,
    pub third: Option<Third>,
    /// Where a man of that side is crowned.
    pub promotion_squares: Sides<Vec<Square>>,
    pub promotion_in_capture: PromotionInCapture,
    /// Each criterion decides among the captures that the ones before it left equal.
    pub precedence: Vec<Precedence>,
    pub removal: Removal,
    /// May a capture turn by 180 degrees between two jumps? (rules.md 2.3)
    pub reversal_allowed: bool,
    /// All jumps of a capture go in the same direction (rules.md 3.10.5).
    pub straight_only: bool,
    /// A capture may stop although it could go on (rules.md 3.10.5).
    pub voluntary_stop: bool,
    /// Where the first mover may take off a piece of its own to open the game; the other side
    /// then takes off one next to that hole (rules.md 3.10.2). Empty: no such opening.
    pub first_removals: Vec<Square>,
    pub no_move: NoMove,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Man {
    pub step_dirs: Vec<Dir>,
    /// Where an unbroken line of own men may move along itself (rules.md 3.18.3).
    pub line_dirs: Vec<Dir>,
    pub first_jump_dirs: Vec<Dir>,
    pub later_jump_dirs: Vec<Dir>,
    pub may_take_king: bool,
    /// From here a man of that side makes no step (rules.md 3.9.3).
    pub no_step_squares: Sides<Vec<Square>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct King {
    pub step_dirs: Vec<Dir>,
    pub step_range: Range,
    pub jump_dirs: Vec<Dir>,
    /// How far away the victim may stand.
    pub jump_range: Range,
    /// Where a flying king may land. A short king lands directly behind whatever this says.
    pub landing: Landing,
}

/// The parachutist's kind: it never steps, jumps once, and is something else afterwards
/// (rules.md 3.6). It takes any piece, kings too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Third {
    pub jump_dirs: Vec<Dir>,
    /// The only squares where it may stand.
    pub squares: Sides<Vec<Square>>,
    pub becomes: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    Short,
    Flying,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// Any free square behind the victim.
    Any,
    /// Only the square directly behind it.
    Behind,
    /// Any, but one from which the capture goes on if there is one (rules.md 2.2).
    Duty,
}

/// What happens to a man that lands on a promotion square in a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromotionInCapture {
    /// It is crowned and the capture is over.
    Stop,
    /// It goes on as a man if it can, and is crowned only where the capture ends.
    PassAsMan,
    /// It is crowned and goes on as a king if it can.
    BecomeKing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precedence {
    /// Most pieces taken.
    Most,
    /// With a king rather than with another piece.
    WithKing,
    /// Most kings taken.
    MostKings,
    /// The one that meets a king first (rules.md 3.17.5 d).
    KingEarliest,
}

/// When a captured piece leaves the board (rules.md 2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    AtEnd,
    AtOnce,
}

/// What it means for the side to move to have no legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMove {
    Loses,
    Wins,
}

impl Params {
    /// Directions as the given side sees them on the board.
    pub fn dirs(&self, color: Color, upward: &[Dir]) -> Vec<Dir> {
        let forward = *self.forward.of(color);
        upward.iter().map(|&(dcol, drow)| (dcol, drow * forward)).collect()
    }

    pub fn promotes(&self, color: Color, square: Square) -> bool {
        self.promotion_squares.of(color).contains(&square)
    }
}
