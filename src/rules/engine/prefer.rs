//! Precedence: which of two captures must be made.

use crate::rules::row::{Precedence, Rules};
use std::cmp::Ordering;

/// What precedence looks at in a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(in crate::rules) struct Tally {
    pub(in crate::rules) pieces: u32,
    pub(in crate::rules) kings: u32,
    pub(in crate::rules) with_king: bool,
    /// The captured pieces in their order, first one in the highest bit: 1 for a king.
    pub(in crate::rules) order: u128,
}

impl Tally {
    /// With one more captured piece.
    pub(in crate::rules) fn and(self, king: bool) -> Tally {
        Tally {
            pieces: self.pieces + 1,
            kings: self.kings + u32::from(king),
            with_king: self.with_king,
            order: self.order | u128::from(king) << (127 - self.pieces),
        }
    }

    /// Compares by the precedence of the rules: greater is preferred. Gives the criterion that decided.
    pub(in crate::rules) fn compare(&self, other: &Tally, rules: &Rules) -> (Ordering, Option<Precedence>) {
        for criterion in rules.precedence.into_iter().flatten() {
            let ordering = match criterion {
                Precedence::MostPieces => self.pieces.cmp(&other.pieces),
                Precedence::WithKing => self.with_king.cmp(&other.with_king),
                Precedence::MostKings => self.kings.cmp(&other.kings),
                Precedence::KingEarliest => self.order.cmp(&other.order),
            };
            if ordering != Ordering::Equal {
                return (ordering, Some(criterion));
            }
        }
        (Ordering::Equal, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    /// Captures in ascending preference, each better than all before it (FID 6.6 to 6.9).
    #[test]
    fn italian_precedence_orders_captures() {
        let tally = |with_king: bool, kings: &[bool]| {
            kings.iter().fold(Tally { with_king, ..Tally::default() }, |tally, &king| tally.and(king))
        };
        let ascending = [
            tally(false, &[false]),
            tally(true, &[false]),
            tally(true, &[true]),
            tally(false, &[false, false]),
            tally(true, &[false, false]),
            tally(true, &[false, true]),
            tally(true, &[true, false]),
            tally(true, &[true, true]),
        ];
        let rules = Variant::Italian.ruleset().rules();
        for (i, a) in ascending.iter().enumerate() {
            for (j, b) in ascending.iter().enumerate() {
                assert_eq!(a.compare(b, rules).0, i.cmp(&j), "{a:?} {b:?}");
            }
        }
    }
}
