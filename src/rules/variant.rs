//! The built-in variants: identity, names, and the rules of each.

use super::dispatch::variants;
use super::ruleset::Ruleset;
use super::table::{RULESETS, TABLE};

// One line a variant: its name, and the word that holds its board.
variants! {
    /// American checkers, English draughts.
    Checkers: u64,
    /// Checkers in which the side without a move wins.
    Anti: u64,
    /// Czech draughts.
    Czech: u64,
    /// Czech draughts from one corner to the other.
    Corner: u64,
    /// Czech draughts in which both sides go up the board.
    OneWay: u64,
    /// Czech draughts with parachutists.
    Parachute: u64,
    /// All squares, five directions.
    Gothic: u64,
    /// Turkish draughts.
    Turkish: u64,
    /// The line board of 25 points.
    Alquerque: u64,
    /// Konane.
    Hawaiian: u64,
    /// International draughts.
    International: u64,
    /// Russian draughts.
    Russian: u64,
    /// Canadian draughts.
    Canadian: u128,
    /// Thai draughts.
    Thai: u64,
    /// Brazilian draughts.
    Brazilian: u64,
    /// Portuguese draughts.
    Portuguese: u64,
    /// Italian draughts.
    Italian: u64,
    /// Dameo.
    Dameo: u64,
}

/// What there is to say about a variant besides its rules.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The number of the variant in `draughts.v1.Variant`.
    pub number: u8,
    /// The usual English name.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// One line for a menu.
    pub summary: &'static str,
    /// The value of PDN's GameType tag, where the standard has one.
    pub pdn_game_type: Option<&'static str>,
}

impl Variant {
    /// What there is to say about it.
    #[must_use]
    pub const fn about(self) -> &'static About {
        &TABLE[self as usize].about
    }

    /// Its rules and everything derived from them.
    #[must_use]
    pub const fn ruleset(self) -> &'static Ruleset {
        &RULESETS[self as usize]
    }

    /// The variant with this number in `draughts.v1.Variant`.
    #[must_use]
    pub fn from_number(number: i32) -> Option<Variant> {
        Variant::ALL.iter().copied().find(|variant| i32::from(variant.about().number) == number)
    }

    /// The variant with this name or alias, whatever the case of its letters.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Variant> {
        let name = name.to_lowercase();
        let called = |variant: &&Variant| {
            let about = variant.about();
            let mut names = std::iter::once(&about.name).chain(about.aliases);
            names.any(|known| known.to_lowercase() == name)
        };
        Variant::ALL.iter().find(called).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn numbers_and_names_are_unique() {
        let mut numbers = HashSet::new();
        let mut names = HashSet::new();
        for &variant in Variant::ALL {
            let about = variant.about();
            assert!(numbers.insert(about.number));
            assert_eq!(Variant::from_number(i32::from(about.number)), Some(variant));
            for name in std::iter::once(&about.name).chain(about.aliases) {
                assert!(names.insert(name.to_lowercase()), "{name}");
                assert_eq!(Variant::from_name(&name.to_uppercase()), Some(variant));
            }
        }
        assert_eq!(Variant::from_name("Go"), None);
    }
}
