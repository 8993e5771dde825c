//! Positions: proofs that pieces stand as the rules allow.

use super::dispatch::{Job, dispatch};
use super::engine::{self, Row, State, Word};
use super::moves::{self, Budget, Move, MoveKind, MoveList, TooComplex};
use super::outcome::Outcome;
use super::row::NoMove;
use super::ruleset::Ruleset;
use super::setup::{Setup, SetupError};
use super::square::{Color, Role, Square, SquareSet};
use std::fmt;
use std::hash::{Hash, Hasher};

/// A valid position of a ruleset. There are two doors: [`Position::new`] checks a [`Setup`], and [`Position::play`]
/// leads from one position to the next. After that nothing is checked again.
///
/// # Equality
/// Two positions are equal if the same pieces stand on the same squares and the same side is to move: what the rules
/// of repetition mean. The rulesets are not compared.
#[derive(Clone, Copy)]
pub struct Position<'r> {
    pub(super) ruleset: &'r Ruleset,
    pub(super) turn: Color,
    /// Bits by color and role.
    pub(super) pieces: [[u128; 3]; 2],
}

impl<'r> Position<'r> {
    /// The position that a setup claims.
    ///
    /// # Errors
    /// [`SetupError`] with every reason why it is none.
    pub fn new(ruleset: &'r Ruleset, setup: &Setup) -> Result<Position<'r>, SetupError> {
        super::setup::validate(ruleset, setup)
    }

    /// Where games begin.
    #[must_use]
    pub fn start(ruleset: &'r Ruleset) -> Position<'r> {
        let start = &ruleset.rules().start;
        let bits = |color, role| ruleset.board().to_bits(start.squares(color, role));
        let pieces = Color::ALL.map(|color| Role::ALL.map(|role| bits(color, role)));
        Position { ruleset, turn: ruleset.rules().first_mover, pieces }
    }

    /// The ruleset of which it is a position.
    #[must_use]
    pub fn ruleset(&self) -> &'r Ruleset {
        self.ruleset
    }

    /// The side to move.
    #[must_use]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The squares of a side's pieces of one role.
    #[must_use]
    pub fn squares(&self, color: Color, role: Role) -> SquareSet {
        self.ruleset.board().to_set(self.pieces[color as usize][role as usize])
    }

    /// The piece on a square.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<(Color, Role)> {
        let bit = self.ruleset.board().bit(square);
        let all = Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| (color, role)));
        all.into_iter().find(|&(color, role)| self.pieces[color as usize][role as usize] & bit != 0)
    }

    /// The legal moves.
    ///
    /// # Errors
    /// [`TooComplex`] if that takes more steps than the budget has.
    pub fn legal_moves(&self, budget: &mut Budget) -> Result<MoveList, TooComplex> {
        moves::legal_moves(self, budget)
    }

    /// Every way to make each legal move: the same moves as [`legal_moves`](Position::legal_moves), but one entry for
    /// each sequence of landing squares. There can be many more.
    ///
    /// # Errors
    /// [`TooComplex`] if that takes more steps than the budget has.
    pub fn legal_paths(&self, budget: &mut Budget) -> Result<MoveList, TooComplex> {
        moves::legal_paths(self, None, budget)
    }

    /// The position after a move of this position's list. A move of another list gives nonsense.
    #[must_use]
    pub fn play(&self, chosen: Move<'_>) -> Position<'r> {
        let board = self.ruleset.board();
        let mut pieces = self.pieces;
        pieces[self.turn as usize][chosen.role_before() as usize] &= !board.bit(chosen.from());
        if let Some(to) = chosen.to() {
            pieces[self.turn as usize][chosen.role_after() as usize] |= board.bit(to);
        }
        if chosen.kind() == MoveKind::Capture {
            let captured = board.to_bits(chosen.captured_set());
            for enemies in &mut pieces[self.turn.other() as usize] {
                *enemies &= !captured;
            }
        }
        Position { ruleset: self.ruleset, turn: self.turn.other(), pieces }
    }

    /// Whether the game is over by the moves that are left. Draws are not judged here.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        if self.can_move() {
            return Outcome::Ongoing;
        }
        let winner = match self.ruleset.rules().no_move {
            NoMove::Loses => self.turn.other(),
            NoMove::Wins => self.turn,
        };
        let pieces = self.pieces[self.turn as usize];
        if pieces == [0; 3] { Outcome::NoPieces { winner } } else { Outcome::NoLegalMove { winner } }
    }

    fn can_move(&self) -> bool {
        struct CanMove<'p>(&'p Position<'p>);
        impl Job for CanMove<'_> {
            type Output = bool;
            fn run<R: Row, W: Word>(self, row: R) -> bool {
                engine::can_move(row, &self.0.state::<W>())
            }
        }
        dispatch(self.ruleset, CanMove(self))
    }

    /// Whether the side to move can capture.
    #[must_use]
    pub fn can_capture(&self) -> bool {
        struct CanCapture<'p>(&'p Position<'p>);
        impl Job for CanCapture<'_> {
            type Output = bool;
            fn run<R: Row, W: Word>(self, row: R) -> bool {
                engine::can_capture(row, &self.0.state::<W>())
            }
        }
        dispatch(self.ruleset, CanCapture(self))
    }

    pub(super) fn state<W: Word>(&self) -> State<W> {
        State { pieces: self.pieces.map(|roles| roles.map(W::narrow)), turn: self.turn }
    }

    /// The same pieces under other rules of the same board: to find out which rule forbids a move.
    pub(super) fn under<'o>(&self, ruleset: &'o Ruleset) -> Position<'o> {
        Position { ruleset, turn: self.turn, pieces: self.pieces }
    }
}

impl PartialEq for Position<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.turn, self.pieces) == (other.turn, other.pieces)
    }
}

impl Eq for Position<'_> {}

impl Hash for Position<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.turn, self.pieces).hash(state);
    }
}

/// The board as a picture, a line a rank from the highest: `w` and `b` men, `W` and `B` kings, `p` and `q` white and
/// black parachutists, `.` empty playing squares.
impl fmt::Display for Position<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.ruleset.board();
        for row in (0..board.facts().height).rev() {
            let line = (0..board.facts().width).map(|column| match board.square_at(column, row) {
                None => ' ',
                Some(square) => self.piece_at(square).map_or('.', picture_letter),
            });
            writeln!(f, "{}", line.collect::<String>().trim_end())?;
        }
        Ok(())
    }
}

fn picture_letter((color, role): (Color, Role)) -> char {
    match (color, role) {
        (Color::White, Role::Man) => 'w',
        (Color::White, Role::King) => 'W',
        (Color::White, Role::Parachutist) => 'p',
        (Color::Black, Role::Man) => 'b',
        (Color::Black, Role::King) => 'B',
        (Color::Black, Role::Parachutist) => 'q',
    }
}

impl fmt::Debug for Position<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} to move\n{self}", self.turn)
    }
}
