//! Pieces on a board, and whose turn it is.

use super::board::{Color, Piece, Role, Square, square};
use super::params::Params;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// `cells[row][col]`; row 0 is rank 1, column 0 is file a.
    pub cells: Vec<Vec<Option<Piece>>>,
    pub turn: Color,
}

impl Position {
    pub fn empty(params: &Params, turn: Color) -> Position {
        let row = vec![None; usize::from(params.board.cols)];
        let cells = vec![row; usize::from(params.board.rows)];
        Position { cells, turn }
    }

    pub fn start(params: &Params) -> Position {
        let mut position = Position::empty(params, params.first_mover);
        for &(color, role, square) in &params.start {
            position.put(square, Some(Piece { color, role }));
        }
        position
    }

    /// The position with the named pieces.
    ///
    /// # Panics
    ///
    /// If a name is no square of the board: a slip of the test's author.
    pub fn with(params: &Params, turn: Color, pieces: &[(Color, Role, &str)]) -> Position {
        let mut position = Position::empty(params, turn);
        for &(color, role, name) in pieces {
            let square = square(name).unwrap_or_else(|| panic!("no square is called {name}"));
            position.put(square, Some(Piece { color, role }));
        }
        position
    }

    pub fn at(&self, (col, row): Square) -> Option<Piece> {
        self.cells[usize::from(row)][usize::from(col)]
    }

    pub fn put(&mut self, (col, row): Square, piece: Option<Piece>) {
        self.cells[usize::from(row)][usize::from(col)] = piece;
    }

    /// All pieces with their squares: a1, b1, ... a2, b2, ...
    pub fn pieces(&self) -> Vec<(Square, Piece)> {
        let mut pieces = Vec::new();
        for (row, cells) in (0..).zip(&self.cells) {
            for (col, cell) in (0..).zip(cells) {
                pieces.extend(cell.map(|piece| ((col, row), piece)));
            }
        }
        pieces
    }

    /// The pieces of the side to move.
    pub fn movers(&self) -> Vec<(Square, Piece)> {
        let mut pieces = self.pieces();
        pieces.retain(|(_, piece)| piece.color == self.turn);
        pieces
    }
}
