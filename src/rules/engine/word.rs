//! Sets of squares as machine words: 64 bits where the board fits, 128 for the rest.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

/// A set of squares in one machine word. The width decides the speed: 128 bits cost 1.7 times the instructions.
pub(crate) trait Word:
    Copy
    + Eq
    + Ord
    + Debug
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    const EMPTY: Self;
    /// Drops what does not fit; the dispatch proves that nothing does.
    fn narrow(bits: u128) -> Self;

    fn index(self) -> u32;
    fn len(self) -> u32;
    fn without_lowest(self) -> Self;

    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }
}

impl Word for u64 {
    const EMPTY: u64 = 0;
    fn narrow(bits: u128) -> u64 {
        bits as u64
    }
    fn index(self) -> u32 {
        self.trailing_zeros()
    }
    fn len(self) -> u32 {
        self.count_ones()
    }
    fn without_lowest(self) -> u64 {
        self & self.wrapping_sub(1)
    }
}

impl Word for u128 {
    const EMPTY: u128 = 0;
    fn narrow(bits: u128) -> u128 {
        bits
    }
    fn index(self) -> u32 {
        self.trailing_zeros()
    }
    fn len(self) -> u32 {
        self.count_ones()
    }
    fn without_lowest(self) -> u128 {
        self & self.wrapping_sub(1)
    }
}

/// The bits of a word one by one, lowest first.
pub(super) fn each_bit<W: Word>(word: W) -> impl Iterator<Item = W> {
    let mut rest = word;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let lower = rest.without_lowest();
        let lowest = rest & !lower;
        rest = lower;
        Some(lowest)
    })
}
