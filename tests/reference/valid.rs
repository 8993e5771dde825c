//! Which positions count as positions at all (rules.md 2.7).

use super::board::{Color, Piece, Role, Square, square_name};
use super::moves::holes;
use super::params::Params;
use super::position::Position;

/// Ok, or the first reason why this is no position.
pub fn valid(params: &Params, position: &Position) -> Result<(), String> {
    fits_board(params, position)?;
    let pieces = position.pieces();
    if pieces.is_empty() {
        return Err("there is no piece".to_string());
    }
    for (square, piece) in pieces {
        may_stand(params, square, piece)?;
    }
    opening_phase(params, position)
}

fn fits_board(params: &Params, position: &Position) -> Result<(), String> {
    let cols = usize::from(params.board.cols);
    let rows = usize::from(params.board.rows);
    if position.cells.len() == rows && position.cells.iter().all(|row| row.len() == cols) {
        Ok(())
    } else {
        Err(format!("the board does not have {cols} x {rows} cells"))
    }
}

fn may_stand(params: &Params, square: Square, piece: Piece) -> Result<(), String> {
    let name = square_name(square);
    if !params.board.plays(square) {
        return Err(format!("{name} is no playing square"));
    }
    match piece.role {
        Role::Man if params.promotes(piece.color, square) => {
            Err(format!("the man on {name} should have been crowned"))
        }
        Role::King if params.king.is_none() => Err(format!("{name}: there are no kings")),
        Role::Third => match &params.third {
            None => Err(format!("{name}: there is no third role")),
            Some(third) if third.squares.of(piece.color).contains(&square) => Ok(()),
            Some(_) => Err(format!("the third role never stands on {name}")),
        },
        Role::Man | Role::King => Ok(()),
    }
}

/// The phase of an opening with removals is read from the holes, so they must fit the turn.
fn opening_phase(params: &Params, position: &Position) -> Result<(), String> {
    if params.first_removals.is_empty() {
        return Ok(());
    }
    let expected_turn: Color = match holes(params, position).as_slice() {
        [] => params.first_mover,
        [hole] if params.first_removals.contains(hole) => params.first_mover.other(),
        [hole] => return Err(format!("the first hole is never {}", square_name(*hole))),
        _ => return Ok(()),
    };
    if position.turn == expected_turn {
        Ok(())
    } else {
        Err(format!("it is {expected_turn:?}'s turn to remove a piece"))
    }
}
