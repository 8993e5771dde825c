//! The legal moves of a position.

use super::board::{Dir, Role, Square};
use super::capture::{Capture, can_capture, captures};
use super::params::{Params, Range};
use super::position::Position;
use super::precedence::preferred;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Step,
    Capture,
    Removal,
}

/// Two moves with the same fields but for `paths` would be the same move (rules.md 2.4).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    pub from: Square,
    /// None for a removal: the piece leaves the board.
    pub to: Option<Square>,
    /// Sorted.
    pub captured: Vec<Square>,
    pub role_after: Role,
    pub kind: Kind,
    /// Every legal sequence of landing squares, `from` not included; sorted.
    pub paths: Vec<Vec<Square>>,
}

impl Move {
    fn step(from: Square, to: Square, role_after: Role) -> Move {
        Move { from, to: Some(to), captured: Vec::new(), role_after, kind: Kind::Step, paths: vec![vec![to]] }
    }

    fn capture(capture: Capture) -> Move {
        let to = capture.to();
        let mut captured = capture.victims;
        captured.sort_unstable();
        Move {
            from: capture.from,
            to: Some(to),
            captured,
            role_after: capture.role_after,
            kind: Kind::Capture,
            paths: vec![capture.landings],
        }
    }

    fn removal(from: Square, role: Role) -> Move {
        Move {
            from,
            to: None,
            captured: Vec::new(),
            role_after: role,
            kind: Kind::Removal,
            paths: Vec::new(),
        }
    }

    /// Paths aside (rules.md 2.4).
    fn is_same_as(&self, other: &Move) -> bool {
        let key = |mv: &Move| (mv.from, mv.to, mv.role_after, mv.kind);
        key(self) == key(other) && self.captured == other.captured
    }
}

/// All legal moves, sorted. None if the search for captures would take more than `cap` steps;
/// a step is one jump to one landing square.
pub fn legal_moves(params: &Params, position: &Position, cap: usize) -> Option<Vec<Move>> {
    if let Some(removals) = removals(params, position) {
        return Some(removals);
    }
    // Capturing is compulsory in every variant (rules.md 2.1).
    let captures = captures(params, position, cap)?;
    if captures.is_empty() {
        return Some(steps(params, position));
    }
    // Precedence compares paths, so it comes before they are merged (rules.md 2.4).
    Some(merged(preferred(&params.precedence, captures)))
}

/// Whether there is any legal move. Precedence never refuses all captures, so one jump settles it.
pub fn can_move(params: &Params, position: &Position) -> bool {
    match removals(params, position) {
        Some(removals) => !removals.is_empty(),
        None => can_capture(params, position) || !steps(params, position).is_empty(),
    }
}

/// One move for all paths with the same start, end, victims and role at the end.
fn merged(captures: Vec<Capture>) -> Vec<Move> {
    let mut moves: Vec<Move> = captures.into_iter().map(Move::capture).collect();
    moves.sort_unstable(); // by paths last, so those of one move come together in order
    moves.dedup_by(|later, kept| {
        let same = later.is_same_as(kept);
        if same {
            kept.paths.append(&mut later.paths);
        }
        same
    });
    moves
}

/// The empty playing squares.
pub fn holes(params: &Params, position: &Position) -> Vec<Square> {
    let mut squares = params.board.squares();
    squares.retain(|&square| position.at(square).is_none());
    squares
}

/// The removals that open the game; None once it is open, or if the variant has no such opening.
fn removals(params: &Params, position: &Position) -> Option<Vec<Move>> {
    if params.first_removals.is_empty() {
        return None;
    }
    let candidates: Vec<Square> = match holes(params, position).as_slice() {
        [] => params.first_removals.clone(),
        [hole] if params.first_removals.contains(hole) => {
            let orthogonal: [Dir; 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];
            let beside = orthogonal.map(|dir| params.board.next(*hole, dir));
            beside.into_iter().flatten().collect()
        }
        _ => return None,
    };
    let mut moves = Vec::new();
    for square in candidates {
        let piece = position.at(square);
        let own = piece.filter(|piece| piece.color == position.turn);
        moves.extend(own.map(|piece| Move::removal(square, piece.role)));
    }
    moves.sort_unstable();
    Some(moves)
}

fn steps(params: &Params, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    for (from, piece) in position.movers() {
        moves.extend(match piece.role {
            Role::Man => man_steps(params, position, from),
            Role::King => king_steps(params, position, from),
            Role::Third => Vec::new(),
        });
    }
    moves.sort_unstable();
    moves
}

fn man_steps(params: &Params, position: &Position, from: Square) -> Vec<Move> {
    let color = position.turn;
    if params.man.no_step_squares.of(color).contains(&from) {
        return Vec::new();
    }
    let single = params
        .dirs(color, &params.man.step_dirs)
        .into_iter()
        .filter_map(|dir| free_neighbor(params, position, from, dir));
    let linear = params
        .dirs(color, &params.man.line_dirs)
        .into_iter()
        .filter_map(|dir| front_of_line(params, position, from, dir));
    let to_move = |to| {
        let crowned = params.promotes(color, to);
        Move::step(from, to, if crowned { Role::King } else { Role::Man })
    };
    single.chain(linear).map(to_move).collect()
}

fn free_neighbor(params: &Params, position: &Position, at: Square, dir: Dir) -> Option<Square> {
    let next = params.board.next(at, dir)?;
    position.at(next).is_none().then_some(next)
}

/// The empty square in front of a line of two or more own men that begins with the man on `rear`.
/// A step of the line equals its rear man jumping there (rules.md 3.18.3); a line of one man is
/// an ordinary step.
fn front_of_line(params: &Params, position: &Position, rear: Square, dir: Dir) -> Option<Square> {
    let man = position.at(rear);
    let mut front = params.board.next(rear, dir)?;
    if position.at(front) != man {
        return None;
    }
    while position.at(front) == man {
        front = params.board.next(front, dir)?;
    }
    position.at(front).is_none().then_some(front)
}

fn king_steps(params: &Params, position: &Position, from: Square) -> Vec<Move> {
    let Some(king) = &params.king else {
        return Vec::new();
    };
    let mut moves = Vec::new();
    for dir in params.dirs(position.turn, &king.step_dirs) {
        let mut at = from;
        while let Some(next) = free_neighbor(params, position, at, dir) {
            moves.push(Move::step(from, next, Role::King));
            if king.step_range == Range::Short {
                break;
            }
            at = next;
        }
    }
    moves
}
