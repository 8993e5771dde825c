//! The small words of the board: colors, roles, squares, directions, and sets of them.

/// A side. White is drawn below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// The side drawn below.
    White,
    /// The side drawn above.
    Black,
}

impl Color {
    /// Both sides, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// The other side.
    #[must_use]
    pub const fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// An ordinary piece.
    Man,
    /// A promoted man.
    King,
    /// A piece that waits on the far row for its one jump (Parachute).
    Parachutist,
}

impl Role {
    /// All roles, in the order of their numbers in keys and messages.
    pub const ALL: [Role; 3] = [Role::Man, Role::King, Role::Parachutist];
}

/// A playing square, by its number on the board: 1 to [`Board::square_count`](super::Board::square_count).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(pub(super) u8);

impl Square {
    /// The number of the square, from 1.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// A set of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct SquareSet(pub(super) u128);

impl SquareSet {
    /// No square.
    pub const EMPTY: SquareSet = SquareSet(0);

    /// Whether no square is in it.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many squares are in it.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether this square is in it.
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> (square.0 - 1) & 1 == 1
    }

    /// The set with this square.
    #[must_use]
    pub const fn with(self, square: Square) -> SquareSet {
        SquareSet(self.0 | 1 << (square.0 - 1))
    }

    /// The squares that are in one of the sets.
    #[must_use]
    pub const fn or(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 | other.0)
    }

    /// The squares that are in both sets.
    #[must_use]
    pub const fn only(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 & other.0)
    }

    /// The squares, ascending.
    pub fn iter(self) -> impl Iterator<Item = Square> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let number = (rest != 0).then(|| rest.trailing_zeros() as u8 + 1)?;
            rest &= rest - 1;
            Some(Square(number))
        })
    }

    /// Compares two sets as ascending lists of numbers.
    #[must_use]
    pub fn compare_as_lists(self, other: SquareSet) -> std::cmp::Ordering {
        use std::cmp::Ordering::{Equal, Greater, Less};
        let difference = self.0 ^ other.0;
        if difference == 0 {
            return Equal;
        }
        // At the first difference one list has this number, the other a higher one or nothing more.
        let first = difference & difference.wrapping_neg();
        let (ours, rest) = if self.0 & first != 0 { (true, other.0) } else { (false, self.0) };
        let rest_goes_on = rest & !(first | (first - 1)) != 0;
        if ours == rest_goes_on { Less } else { Greater }
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> SquareSet {
        squares.into_iter().fold(SquareSet::EMPTY, SquareSet::with)
    }
}

/// A direction as White sees the board, clockwise from north.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// One rank up.
    North,
    /// One rank up, one file right.
    NorthEast,
    /// One file right.
    East,
    /// One rank down, one file right.
    SouthEast,
    /// One rank down.
    South,
    /// One rank down, one file left.
    SouthWest,
    /// One file left.
    West,
    /// One rank up, one file left.
    NorthWest,
}

impl Direction {
    /// All eight, clockwise from north.
    pub const ALL: [Direction; 8] = {
        use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};
        [North, NorthEast, East, SouthEast, South, SouthWest, West, NorthWest]
    };

    /// What one step adds to the column and the row.
    #[must_use]
    pub const fn offset(self) -> (i8, i8) {
        match self {
            Direction::North => (0, 1),
            Direction::NorthEast => (1, 1),
            Direction::East => (1, 0),
            Direction::SouthEast => (1, -1),
            Direction::South => (0, -1),
            Direction::SouthWest => (-1, -1),
            Direction::West => (-1, 0),
            Direction::NorthWest => (-1, 1),
        }
    }

    /// Straight back.
    #[must_use]
    pub const fn opposite(self) -> Direction {
        Direction::ALL[(self as usize + 4) % 8]
    }

    /// The direction in a board turned upside down: north for south.
    #[must_use]
    pub const fn upside_down(self) -> Direction {
        Direction::ALL[(12 - self as usize) % 8]
    }
}

/// A set of directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Directions(u8);

impl Directions {
    /// None.
    pub const NONE: Directions = Directions(0);
    /// All eight.
    pub const EIGHT: Directions = Directions(0xff);

    /// The set of these.
    #[must_use]
    pub const fn of(list: &[Direction]) -> Directions {
        let mut bits = 0;
        let mut i = 0;
        while i < list.len() {
            bits |= 1 << list[i] as u8;
            i += 1;
        }
        Directions(bits)
    }

    /// Both sets together.
    #[must_use]
    pub const fn and(self, other: Directions) -> Directions {
        Directions(self.0 | other.0)
    }

    /// Those also in the other set.
    #[must_use]
    pub const fn only(self, other: Directions) -> Directions {
        Directions(self.0 & other.0)
    }

    /// All but this one.
    #[must_use]
    pub const fn without(self, direction: Direction) -> Directions {
        Directions(self.0 & !(1 << direction as u8))
    }

    /// Whether this one is in it.
    #[must_use]
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 >> direction as u8 & 1 == 1
    }

    /// Whether none is in it.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Each direction turned upside down.
    #[must_use]
    pub const fn upside_down(self) -> Directions {
        // Bit i becomes bit 4 - i, modulo 8.
        Directions(self.0.reverse_bits().rotate_left(5))
    }

    /// Does something for each direction, clockwise from north, until it fails. Written out, since the compiler then
    /// knows each direction as a constant: a step becomes one shift and one mask, and what a row never has is dropped.
    #[inline(always)]
    pub(super) fn try_each<E>(self, mut work: impl FnMut(Direction) -> Result<(), E>) -> Result<(), E> {
        let mut one = |direction| if self.contains(direction) { work(direction) } else { Ok(()) };
        one(Direction::North)?;
        one(Direction::NorthEast)?;
        one(Direction::East)?;
        one(Direction::SouthEast)?;
        one(Direction::South)?;
        one(Direction::SouthWest)?;
        one(Direction::West)?;
        one(Direction::NorthWest)
    }

    /// Does something for each direction, clockwise from north.
    #[inline(always)]
    pub(super) fn each(self, mut work: impl FnMut(Direction)) {
        let done: Result<(), std::convert::Infallible> = self.try_each(|direction| {
            work(direction);
            Ok(())
        });
        let Ok(()) = done;
    }

    /// The directions, clockwise from north.
    pub fn iter(self) -> impl Iterator<Item = Direction> {
        Direction::ALL.into_iter().filter(move |&direction| self.contains(direction))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Ordering;

    fn set(numbers: &[u8]) -> SquareSet {
        numbers.iter().map(|&number| Square(number)).collect()
    }

    #[test]
    fn sets_compare_as_ascending_lists() {
        let lists: [&[u8]; 7] = [&[], &[1], &[1, 2], &[1, 2, 3], &[1, 3], &[2], &[128]];
        for (i, a) in lists.iter().enumerate() {
            for (j, b) in lists.iter().enumerate() {
                assert_eq!(set(a).compare_as_lists(set(b)), i.cmp(&j), "{a:?} {b:?}");
                assert_eq!(a.cmp(b), i.cmp(&j), "the list of this test is itself ascending");
            }
        }
        assert_eq!(set(&[5, 1]).compare_as_lists(set(&[1, 5])), Ordering::Equal);
    }

    #[test]
    fn upside_down_keeps_the_column_and_opposite_keeps_nothing() {
        for direction in Direction::ALL {
            let (column, row) = direction.offset();
            assert_eq!(direction.upside_down().offset(), (column, -row));
            assert_eq!(direction.opposite().offset(), (-column, -row));
            let alone = Directions::of(&[direction]);
            assert_eq!(alone.upside_down(), Directions::of(&[direction.upside_down()]));
        }
    }
}
