//! Colors, roles, squares and directions; and the board, which knows what neighbors what.

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    White,
    Black,
}

impl Color {
    pub fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// `Third` is the role that only some variants have; so far the parachutist (rules.md 3.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    Man,
    King,
    Third,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece {
    pub color: Color,
    pub role: Role,
}

/// Column and row, both from 0: a1 is (0, 0), seen from White.
pub type Square = (u8, u8);

/// Step in columns and in rows.
pub type Dir = (i8, i8);

/// One value for each side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides<T> {
    pub white: T,
    pub black: T,
}

impl<T> Sides<T> {
    pub fn of(&self, color: Color) -> &T {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

/// Which squares of the rectangle are played on (rules.md 0, "Coordinates").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Playing {
    All,
    A1Parity,
    OtherParity,
}

/// Which neighbors are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// All eight.
    Free,
    /// Ranks and files everywhere, diagonals only through points with the parity of a1
    /// (rules.md 3.9.1).
    Alquerque,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    pub cols: u8,
    pub rows: u8,
    pub playing: Playing,
    pub lines: Lines,
}

impl Board {
    pub fn plays(&self, (col, row): Square) -> bool {
        let on_board = col < self.cols && row < self.rows;
        let parity_of_a1 = (col + row) % 2 == 0;
        on_board
            && match self.playing {
                Playing::All => true,
                Playing::A1Parity => parity_of_a1,
                Playing::OtherParity => !parity_of_a1,
            }
    }

    /// All playing squares: a1, a2, ... b1, b2, ...
    pub fn squares(&self) -> Vec<Square> {
        let every = (0..self.cols).flat_map(|col| (0..self.rows).map(move |row| (col, row)));
        every.filter(|&square| self.plays(square)).collect()
    }

    /// The playing squares of one row.
    pub fn row(&self, row: u8) -> Vec<Square> {
        (0..self.cols).map(|col| (col, row)).filter(|&square| self.plays(square)).collect()
    }

    /// The next playing square in a direction, if a line leads to it.
    pub fn next(&self, (col, row): Square, (dcol, drow): Dir) -> Option<Square> {
        let diagonal = dcol != 0 && drow != 0;
        if self.lines == Lines::Alquerque && diagonal && (col + row) % 2 == 1 {
            return None;
        }
        let next = (col.checked_add_signed(dcol)?, row.checked_add_signed(drow)?);
        self.plays(next).then_some(next)
    }
}

/// The square of a name such as "b8" or "k12".
pub fn square(name: &str) -> Option<Square> {
    let file = *name.as_bytes().first()?;
    let rank: u8 = name.get(1..)?.parse().ok()?;
    (file.is_ascii_lowercase() && rank > 0).then(|| (file - b'a', rank - 1))
}

pub fn square_name((col, row): Square) -> String {
    format!("{}{}", char::from(b'a' + col), row + 1)
}
