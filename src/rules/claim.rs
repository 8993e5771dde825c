//! What a caller says of a move, and which legal moves it fits.

use super::moves::{Move, MoveKind};
use super::square::{Square, SquareSet};

/// What a caller says of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveClaim {
    /// The square where it starts; for a removal, the one that is emptied.
    pub from: Square,
    /// The square where it ends; none for a removal.
    pub to: Option<Square>,
    /// Squares between the two, in order.
    pub way: Way,
    /// The captured squares, if they are said.
    pub captured: Option<SquareSet>,
    /// Whether it is said to be a capture.
    pub is_capture: bool,
}

/// What a caller says of the squares between start and end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// Some of the landing squares, perhaps none or all.
    Through(Vec<Square>),
    /// All of them.
    Exactly(Vec<Square>),
}

impl MoveClaim {
    /// A move said by the squares of its path: the first one, perhaps some between, the last one. `None` if there is
    /// no square.
    #[must_use]
    pub fn along(path: &[Square]) -> Option<MoveClaim> {
        let (&from, rest) = path.split_first()?;
        let (to, between) = match rest.split_last() {
            Some((&to, between)) => (Some(to), between),
            None => (None, rest),
        };
        Some(MoveClaim { from, to, way: Way::Through(between.to_vec()), captured: None, is_capture: false })
    }

    pub(super) fn between(&self) -> &[Square] {
        match &self.way {
            Way::Through(squares) | Way::Exactly(squares) => squares,
        }
    }

    /// Whether a move has these ends and this prey, whatever its way.
    #[must_use]
    pub fn has_ends_of(&self, candidate: Move<'_>) -> bool {
        candidate.from() == self.from
            && candidate.to() == self.to
            && self.captured.is_none_or(|captured| captured == candidate.captured_set())
            && (!self.is_capture || candidate.kind() == MoveKind::Capture)
    }

    /// Whether a way to make a move is the one that is said, square by square.
    pub(super) fn is_exactly(&self, way: Move<'_>) -> bool {
        let between = way.landings().split_last().map_or(&[][..], |(_, between)| between);
        self.has_ends_of(way) && between == self.between()
    }

    /// Whether a way to make a move fits what is said.
    pub(super) fn fits(&self, way: Move<'_>) -> bool {
        match &self.way {
            Way::Exactly(_) => self.is_exactly(way),
            Way::Through(squares) => {
                let between = way.landings().split_last().map_or(&[][..], |(_, between)| between);
                let mut landings = between.iter();
                self.has_ends_of(way)
                    && squares.iter().all(|square| landings.any(|landing| landing == square))
            }
        }
    }
}
