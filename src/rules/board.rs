//! Geometry: which squares a board has, their numbers and names, and where each direction leads.
//!
//! A board is a set of bits in which each of the eight directions is one shift and one mask. Where all squares play,
//! bits run row by row without padding. Where half of them play, each pair of rows takes one bit more than its squares,
//! placed so that the diagonal shifts are the same from even and odd rows:
//!
//! ```text
//! a1 plays, 8×8        32  33  34  35      next pair of rows: 9 bits up
//!                    27  28  29  30  31    NE +5, NW +4, from every row
//! ```

use super::square::{Direction, Square, SquareSet};

/// Which squares play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Playing {
    /// All.
    All,
    /// Those of the color of a1.
    LikeA1,
    /// Those of the other color.
    UnlikeA1,
}

/// Along which lines neighboring squares are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// All eight, as far as the neighbor plays.
    Eight,
    /// Ranks and files everywhere, diagonals only through the squares of the color of a1.
    DiagonalsLikeA1,
}

/// Where number 1 is. Numbers run along the row, then to the next row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// Upper left, as White sees the board, and to the right.
    FromUpperLeft,
    /// Lower right, and to the left.
    FromLowerRight,
}

/// The facts from which a [`Board`] follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardFacts {
    /// Number of files, at most 14; even where half the squares play.
    pub width: u8,
    /// Number of ranks, at most 14.
    pub height: u8,
    /// Which squares play.
    pub playing: Playing,
    /// Along which lines they are joined.
    pub lines: Lines,
    /// Where number 1 is.
    pub numbering: Numbering,
}

impl BoardFacts {
    /// Whether half of the squares play in rows of odd width, which no board has.
    pub(super) const fn has_odd_rows(self) -> bool {
        match self.playing {
            Playing::All => false,
            Playing::LikeA1 | Playing::UnlikeA1 => !self.width.is_multiple_of(2),
        }
    }
}

/// The longest side of a board.
pub const MAX_SIDE: u8 = 14;
/// The most bits that a board may take.
pub const MAX_BITS: usize = 128;
const NO_SQUARE: u8 = 0;

/// The geometry of a board.
#[derive(Clone, Debug)]
pub struct Board {
    facts: BoardFacts,
    count: u8,
    bits: usize,
    bit_of: [u8; MAX_BITS + 1],
    number_at: [u8; MAX_BITS],
    place_of: [(u8, u8); MAX_BITS + 1],
    /// What one step adds to the bit index, by direction.
    pub(super) shift: [i8; 8],
    /// The squares from which one step leads to a square, by direction.
    pub(super) from: [u128; 8],
    /// All playing squares.
    pub(super) squares: u128,
}

impl Board {
    /// Derives the geometry.
    ///
    /// # Panics
    /// If a side is longer than 14, half-playing rows have odd width, or the board takes more than 128 bits. In
    /// constants this is a compile error; [`Board::fits`] asks first.
    #[must_use]
    pub const fn new(facts: BoardFacts) -> Board {
        assert!(Board::fits(facts));
        let mut board = Board {
            facts,
            count: 0,
            bits: 0,
            bit_of: [0; MAX_BITS + 1],
            number_at: [NO_SQUARE; MAX_BITS],
            place_of: [(0, 0); MAX_BITS + 1],
            shift: shifts(facts),
            from: [0; 8],
            squares: 0,
        };
        board.number_squares();
        board.join_neighbors();
        board
    }

    /// Whether [`Board::new`] accepts these facts.
    #[must_use]
    pub const fn fits(facts: BoardFacts) -> bool {
        let sides_fit =
            1 < facts.width && facts.width <= MAX_SIDE && 1 < facts.height && facts.height <= MAX_SIDE;
        match facts.playing {
            Playing::All => sides_fit && facts.width as usize * facts.height as usize <= MAX_BITS,
            Playing::LikeA1 | Playing::UnlikeA1 => {
                let pairs = (facts.height as usize).div_ceil(2);
                sides_fit && facts.width.is_multiple_of(2) && pairs * (facts.width as usize + 1) <= MAX_BITS
            }
        }
    }

    const fn number_squares(&mut self) {
        let (width, height) = (self.facts.width, self.facts.height);
        let mut i = 0;
        while i < width as u16 * height as u16 {
            let (along, up) = ((i % width as u16) as u8, (i / width as u16) as u8);
            let (column, row) = match self.facts.numbering {
                Numbering::FromUpperLeft => (along, height - 1 - up),
                Numbering::FromLowerRight => (width - 1 - along, up),
            };
            if plays(self.facts, column, row) {
                let bit = bit_index(self.facts, column, row);
                self.count += 1;
                self.bit_of[self.count as usize] = bit as u8;
                self.number_at[bit] = self.count;
                self.place_of[self.count as usize] = (column, row);
                self.squares |= 1 << bit;
                if bit >= self.bits {
                    self.bits = bit + 1;
                }
            }
            i += 1;
        }
    }

    const fn join_neighbors(&mut self) {
        let mut number = 1;
        while number <= self.count as usize {
            let (column, row) = self.place_of[number];
            let mut d = 0;
            while d < 8 {
                let direction = Direction::ALL[d];
                if let Some((to_column, to_row)) = step(self.facts, column, row, direction)
                    && joined(self.facts, column, row, direction)
                    && plays(self.facts, to_column, to_row)
                {
                    let (here, there) = (self.bit_of[number], bit_index(self.facts, to_column, to_row));
                    assert!(here as isize + self.shift[d] as isize == there as isize);
                    self.from[d] |= 1 << here;
                }
                d += 1;
            }
            number += 1;
        }
    }

    /// The facts from which it was derived.
    #[must_use]
    pub const fn facts(&self) -> BoardFacts {
        self.facts
    }

    /// How many playing squares there are.
    #[must_use]
    pub const fn square_count(&self) -> u8 {
        self.count
    }

    /// How many bits a word needs to hold any set of squares.
    pub(super) const fn bits(&self) -> usize {
        self.bits
    }

    /// The square with this number, if there is one.
    #[must_use]
    pub const fn square(&self, number: u32) -> Option<Square> {
        if 1 <= number && number <= self.count as u32 { Some(Square(number as u8)) } else { None }
    }

    /// The playing square in this column and row, both counted from 0 at White's lower left, if there is one.
    #[must_use]
    pub const fn square_at(&self, column: u8, row: u8) -> Option<Square> {
        let on_board = column < self.facts.width && row < self.facts.height;
        if on_board && plays(self.facts, column, row) {
            Some(Square(self.number_at[bit_index(self.facts, column, row)]))
        } else {
            None
        }
    }

    /// The square with this name, such as `c3`, if there is one.
    #[must_use]
    pub fn square_named(&self, name: &str) -> Option<Square> {
        let (file, rank) = name.split_at_checked(1)?;
        let column = file.bytes().next()?.checked_sub(b'a')?;
        if rank.starts_with(['0', '+']) {
            return None;
        }
        self.square_at(column, rank.parse::<u8>().ok()?.checked_sub(1)?)
    }

    /// All squares, ascending by number.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        (1..=self.count).map(Square)
    }

    /// The column of a square, from 0 at White's left.
    #[must_use]
    pub const fn column(&self, square: Square) -> u8 {
        self.place_of[square.0 as usize].0
    }

    /// The row of a square, from 0 at White's side.
    #[must_use]
    pub const fn row(&self, square: Square) -> u8 {
        self.place_of[square.0 as usize].1
    }

    /// The name of a square: file letter and rank.
    #[must_use]
    pub fn name(&self, square: Square) -> String {
        let (column, row) = self.place_of[square.0 as usize];
        format!("{}{}", char::from(b'a' + column), row + 1)
    }

    /// The neighbor of a square along a line of the board, if there is one.
    #[must_use]
    pub const fn neighbor(&self, square: Square, direction: Direction) -> Option<Square> {
        let bit = self.bit_of[square.0 as usize];
        if self.from[direction as usize] >> bit & 1 == 0 {
            return None;
        }
        let there = bit as isize + self.shift[direction as usize] as isize;
        Some(Square(self.number_at[there as usize]))
    }

    /// The squares of one row.
    pub(super) const fn row_set(&self, row: u8) -> SquareSet {
        let mut set = SquareSet::EMPTY;
        let mut number = 1;
        while number <= self.count as usize {
            if self.place_of[number].1 == row {
                set = set.with(Square(number as u8));
            }
            number += 1;
        }
        set
    }

    /// The squares of the main road: the diagonal from a1, or where a1 does not play, from the last square of the first
    /// row.
    #[must_use]
    pub fn main_road(&self) -> SquareSet {
        let last = self.facts.width - 1;
        let diagonal = |column: u8| if self.square_at(0, 0).is_some() { column } else { last - column };
        (0..=last).filter_map(|column| self.square_at(column, diagonal(column))).collect()
    }

    pub(super) const fn bit(&self, square: Square) -> u128 {
        1 << self.bit_of[square.0 as usize]
    }

    pub(super) const fn square_of_bit(&self, index: u32) -> Square {
        Square(self.number_at[index as usize])
    }

    /// The bits of a set of squares.
    pub(super) const fn to_bits(&self, set: SquareSet) -> u128 {
        let (mut rest, mut bits) = (set.0, 0);
        while rest != 0 {
            bits |= self.bit(Square(rest.trailing_zeros() as u8 + 1));
            rest &= rest - 1;
        }
        bits
    }

    /// The set of squares of some bits.
    pub(super) const fn to_set(&self, bits: u128) -> SquareSet {
        let (mut rest, mut set) = (bits, SquareSet::EMPTY);
        while rest != 0 {
            set = set.with(self.square_of_bit(rest.trailing_zeros()));
            rest &= rest - 1;
        }
        set
    }
}

const fn plays(facts: BoardFacts, column: u8, row: u8) -> bool {
    let like_a1 = (column + row).is_multiple_of(2);
    match facts.playing {
        Playing::All => true,
        Playing::LikeA1 => like_a1,
        Playing::UnlikeA1 => !like_a1,
    }
}

const fn joined(facts: BoardFacts, column: u8, row: u8, direction: Direction) -> bool {
    let (across, up) = direction.offset();
    match facts.lines {
        Lines::Eight => true,
        Lines::DiagonalsLikeA1 => across == 0 || up == 0 || (column + row).is_multiple_of(2),
    }
}

const fn step(facts: BoardFacts, column: u8, row: u8, direction: Direction) -> Option<(u8, u8)> {
    let (across, up) = direction.offset();
    let (to_column, to_row) = (column as i8 + across, row as i8 + up);
    let on_board =
        0 <= to_column && to_column < facts.width as i8 && 0 <= to_row && to_row < facts.height as i8;
    if on_board { Some((to_column as u8, to_row as u8)) } else { None }
}

const fn bit_index(facts: BoardFacts, column: u8, row: u8) -> usize {
    let (width, column, row) = (facts.width as usize, column as usize, row as usize);
    let upper_row = match facts.playing {
        Playing::All => return row * width + column,
        Playing::LikeA1 => width / 2 + 1,
        Playing::UnlikeA1 => width / 2,
    };
    row / 2 * (width + 1) + (row % 2) * upper_row + column / 2
}

const fn shifts(facts: BoardFacts) -> [i8; 8] {
    let mut shifts = [0; 8];
    let mut d = 0;
    while d < 8 {
        let (across, up) = Direction::ALL[d].offset();
        let width = facts.width as i8;
        shifts[d] = match facts.playing {
            Playing::All => up * width + across,
            // Only diagonals join playing squares: +w/2 up left, +w/2+1 up right.
            Playing::LikeA1 | Playing::UnlikeA1 => {
                if across == 0 || up == 0 {
                    0
                } else {
                    up * (width / 2) + if across == up { up } else { 0 }
                }
            }
        };
        d += 1;
    }
    shifts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_board() -> impl Iterator<Item = Board> {
        let sides = || 2..=MAX_SIDE;
        let facts =
            sides().flat_map(move |width| {
                sides().flat_map(move |height| {
                    [Playing::All, Playing::LikeA1, Playing::UnlikeA1].into_iter().flat_map(move |playing| {
                        [Numbering::FromUpperLeft, Numbering::FromLowerRight].map(move |numbering| {
                            BoardFacts { width, height, playing, lines: Lines::Eight, numbering }
                        })
                    })
                })
            });
        facts.filter(|&facts| Board::fits(facts)).map(Board::new)
    }

    #[test]
    fn every_direction_leads_where_its_offset_says_on_every_board() {
        let mut boards = 0;
        for board in every_board() {
            boards += 1;
            for square in board.squares() {
                for direction in Direction::ALL {
                    let place = step(board.facts, board.column(square), board.row(square), direction);
                    let expected = place.and_then(|(column, row)| board.square_at(column, row));
                    assert_eq!(board.neighbor(square, direction), expected, "{:?}", board.facts);
                }
            }
        }
        assert!(boards > 400, "{boards}");
    }

    #[test]
    fn numbers_and_names_name_one_square_each() {
        for board in every_board() {
            for square in board.squares() {
                assert_eq!(board.square(u32::from(square.number())), Some(square));
                assert_eq!(board.square_named(&board.name(square)), Some(square));
                assert_eq!(board.to_set(board.bit(square)).iter().collect::<Vec<_>>(), [square]);
            }
            assert_eq!(board.square(0), None);
            assert_eq!(board.square(u32::from(board.square_count()) + 1), None);
        }
    }

    #[test]
    fn names_that_are_no_squares_are_refused() {
        let board = every_board().last().expect("there are boards");
        for name in ["", "a", "1", "a0", "a01", "a+1", "A1", "a1 ", "é1", "a99999999999", "{1"] {
            assert_eq!(board.square_named(name), None, "{name}");
        }
    }
}
