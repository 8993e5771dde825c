//! From a variant to the engine compiled for it: the one macro of this crate.

use super::engine::{Looked, Row, Word};
use super::ruleset::Ruleset;

/// Work that the engine does for one row and one width of word.
pub(super) trait Job {
    type Output;
    fn run<R: Row, W: Word>(self, row: R) -> Self::Output;
}

/// Declares the enum of variants and how each reaches its own copy of the engine.
macro_rules! variants {
    ($($(#[$doc:meta])* $name:ident: $word:ty,)*) => {
        /// A built-in variant, in the order of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Variant {
            $($(#[$doc])* $name,)*
        }

        impl Variant {
            /// All of them, in the order of the table.
            pub const ALL: &'static [Variant] = &[$(Variant::$name),*];

            /// Runs a job on the engine compiled for this variant.
            pub(super) fn dispatch<J: $crate::rules::dispatch::Job>(self, job: J) -> J::Output {
                match self {
                    $(Variant::$name => {
                        const {
                            let word = 8 * size_of::<$word>();
                            assert!(RULESETS[Variant::$name as usize].board.bits() <= word);
                        }
                        job.run::<_, $word>($crate::rules::engine::Fixed::<{ Variant::$name as usize }>)
                    })*
                }
            }
        }
    };
}
pub(super) use variants;

/// Runs a job on the engine compiled for the variant, or on the one that looks every rule up.
pub(super) fn dispatch<J: Job>(ruleset: &Ruleset, job: J) -> J::Output {
    match ruleset.variant {
        Some(variant) => variant.dispatch(job),
        None if ruleset.board.bits() <= 64 => job.run::<_, u64>(Looked(ruleset)),
        None => job.run::<_, u128>(Looked(ruleset)),
    }
}
