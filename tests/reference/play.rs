//! Applying moves, the result, and counting nodes.

use super::board::{Color, Piece};
use super::moves::{Move, can_move, legal_moves};
use super::params::{NoMove, Params};
use super::position::Position;

/// The position after a legal move.
pub fn apply(position: &Position, mv: &Move) -> Position {
    let mut after = position.clone();
    after.put(mv.from, None);
    for &square in &mv.captured {
        after.put(square, None);
    }
    if let Some(to) = mv.to {
        let piece = Piece { color: position.turn, role: mv.role_after };
        after.put(to, Some(piece));
    }
    after.turn = position.turn.other();
    after
}

/// The winner, or None while the game goes on. Only the side to move is looked at (rules.md 2.7);
/// draws are not part of the core (rules.md 2.5).
pub fn result(params: &Params, position: &Position) -> Option<Color> {
    if can_move(params, position) {
        return None;
    }
    Some(match params.no_move {
        NoMove::Loses => position.turn.other(),
        NoMove::Wins => position.turn,
    })
}

/// The number of move sequences of the given length. A game that ends earlier counts 0.
pub fn perft(params: &Params, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = legal_moves(params, position, usize::MAX).expect("no cap");
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|mv| perft(params, &apply(position, mv), depth - 1)).sum()
}
