//! Keys: a 64-bit hash of a position that clients can compute too. Frozen.
//!
//! XOR over the pieces of `SplitMix64(1 + color + 2·role + 16·column + 256·row)`, XOR `SplitMix64(0)` if Black is to
//! move. Color is 0 for White and 1 for Black, role 0 for men, 1 for kings, 2 for parachutists, column and row count
//! from 0 at White's lower left corner. Independent of variant and board size.

use super::position::Position;
use super::square::{Color, Role};

/// Counts changes of how keys are computed.
pub const KEY_VERSION: u32 = 1;

impl Position<'_> {
    /// The key of the position. Equal positions have equal keys, in every variant.
    #[must_use]
    pub fn key(&self) -> u64 {
        let board = self.ruleset.board();
        let mut key = if self.turn == Color::Black { split_mix_64(0) } else { 0 };
        for color in Color::ALL {
            for role in Role::ALL {
                for square in self.squares(color, role).iter() {
                    let place = 16 * u64::from(board.column(square)) + 256 * u64::from(board.row(square));
                    key ^= split_mix_64(1 + color as u64 + 2 * role as u64 + place);
                }
            }
        }
        key
    }
}

/// The output of the generator SplitMix64 in this state: Steele, Lea and Flood, OOPSLA 2014.
const fn split_mix_64(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs of the reference implementation for seed 0 (each output adds the constant once more).
    #[test]
    fn split_mix_matches_its_reference_outputs() {
        assert_eq!(split_mix_64(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(split_mix_64(0x9e37_79b9_7f4a_7c15), 0x6e78_9e6a_a1b9_65f4);
    }
}
