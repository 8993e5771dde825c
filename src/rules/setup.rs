//! Setups: what a caller claims to be a position, and all reasons why it may be none.

use super::board::Board;
use super::position::Position;
use super::row::Opening;
use super::ruleset::Ruleset;
use super::square::{Color, Role, Square};
use std::fmt;

/// The most pieces that a setup may claim: more than any board has squares.
pub const MAX_CLAIMS: usize = 256;

/// Pieces that a caller claims to stand somewhere, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The side to move.
    pub turn: Color,
    /// The pieces.
    pub claims: Vec<Claim>,
}

/// One claimed piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Its side.
    pub color: Color,
    /// What it is.
    pub role: Role,
    /// Where it stands.
    pub place: Place,
}

/// A square as a caller names it; the board may have none such.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// By number, from 1.
    Number(u32),
    /// By name: column and row, from 0 at White's lower left.
    Name(u8, u32),
}

impl Place {
    /// The square of this board, if it has it.
    #[must_use]
    pub fn on(self, board: &Board) -> Option<Square> {
        match self {
            Place::Number(number) => board.square(number),
            Place::Name(column, row) => board.square_at(column, u8::try_from(row).ok()?),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Place::Number(number) => write!(f, "{number}"),
            Place::Name(column, row) => write!(f, "{}{}", char::from(b'a' + column), u64::from(row) + 1),
        }
    }
}

/// Why a setup is no position: every reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError {
    /// The reasons, those about single pieces first, in the order of the claims.
    pub violations: Vec<Violation>,
}

/// One reason why a setup is no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The rule that is broken.
    pub kind: ViolationKind,
    /// Which claim breaks it, if it is about one.
    pub claim: Option<usize>,
}

/// A rule about positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ViolationKind {
    /// The board has no such playing square.
    NoSuchSquare,
    /// Another piece stands there already.
    SquareTaken,
    /// The variant has no pieces of this role.
    NoSuchRole,
    /// A man stands where men of its side are promoted.
    UnpromotedMan,
    /// A piece that waits on its home squares stands elsewhere.
    OffHome,
    /// There is no piece at all.
    NoPieces,
    /// The board shows that the other side is to move.
    WrongTurn,
    /// The only hole is not where the opening makes one.
    HoleNotRemovable,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} reasons why this is no position", self.violations.len())
    }
}

impl std::error::Error for SetupError {}

/// Checks a setup against rules.md 2.7.
pub(super) fn validate<'r>(ruleset: &'r Ruleset, setup: &Setup) -> Result<Position<'r>, SetupError> {
    let mut violations = Vec::new();
    let mut position = Position { ruleset, turn: setup.turn, pieces: [[0; 3]; 2] };
    for (index, claim) in setup.claims.iter().enumerate() {
        match place(&position, claim) {
            Ok(bit) => position.pieces[claim.color as usize][claim.role as usize] |= bit,
            Err(kind) => violations.push(Violation { kind, claim: Some(index) }),
        }
    }
    if setup.claims.is_empty() {
        violations.push(Violation { kind: ViolationKind::NoPieces, claim: None });
    } else if violations.is_empty()
        && let Some(kind) = opening_violation(&position)
    {
        violations.push(Violation { kind, claim: None });
    }
    if violations.is_empty() { Ok(position) } else { Err(SetupError { violations }) }
}

/// The bit of the square where a piece may stand beside those that stand already.
fn place(position: &Position, claim: &Claim) -> Result<u128, ViolationKind> {
    let ruleset = position.ruleset;
    let square = claim.place.on(ruleset.board()).ok_or(ViolationKind::NoSuchSquare)?;
    if position.piece_at(square).is_some() {
        return Err(ViolationKind::SquareTaken);
    }
    if ruleset.rules().mobility(claim.role).is_none() {
        return Err(ViolationKind::NoSuchRole);
    }
    let bit = ruleset.board().bit(square);
    if claim.role == Role::Man && ruleset.promotion[claim.color as usize] & bit != 0 {
        return Err(ViolationKind::UnpromotedMan);
    }
    match ruleset.rules().parachutist {
        Some(parachutist)
            if claim.role == Role::Parachutist
                && !ruleset.zone(parachutist.home, claim.color).contains(square) =>
        {
            Err(ViolationKind::OffHome)
        }
        Some(_) | None => Ok(bit),
    }
}

/// With removals in the opening, the board shows whose turn it is until there are two holes.
fn opening_violation(position: &Position) -> Option<ViolationKind> {
    let rules = position.ruleset.rules();
    let board = position.ruleset.board();
    let Opening::Removals(first) = rules.opening else { return None };
    let holes =
        board.to_set(board.squares & !position.pieces.iter().flatten().fold(0, |all, bits| all | bits));
    let first_move = match holes.len() {
        0 => true,
        1 if holes.iter().all(|hole| first.contains(hole)) => false,
        1 => return Some(ViolationKind::HoleNotRemovable),
        _ => return None,
    };
    let due = if first_move { rules.first_mover } else { rules.first_mover.other() };
    (position.turn != due).then_some(ViolationKind::WrongTurn)
}

impl Position<'_> {
    /// The setup that claims exactly this position, in the order of square numbers.
    #[must_use]
    pub fn to_setup(&self) -> Setup {
        let claim = |square: Square| {
            let (color, role) = self.piece_at(square)?;
            Some(Claim { color, role, place: Place::Number(u32::from(square.number())) })
        };
        Setup { turn: self.turn, claims: self.ruleset.board().squares().filter_map(claim).collect() }
    }
}
