//! Who has won, and why.

use super::square::Color;

/// What the moves that are left say about the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move has a legal move.
    Ongoing,
    /// The side to move has no piece left.
    NoPieces {
        /// Who wins by that.
        winner: Color,
    },
    /// The side to move has pieces and no legal move.
    NoLegalMove {
        /// Who wins by that.
        winner: Color,
    },
}

impl Outcome {
    /// Who has won, if the game is over.
    #[must_use]
    pub fn winner(self) -> Option<Color> {
        match self {
            Outcome::Ongoing => None,
            Outcome::NoPieces { winner } | Outcome::NoLegalMove { winner } => Some(winner),
        }
    }
}
