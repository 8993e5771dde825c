//! A row with everything that follows from it: what the engine reads.

use super::board::Board;
use super::row::{Heading, Rules, Zone};
use super::square::{Color, Directions, Role, SquareSet};
use super::variant::Variant;

/// Rules, their board, and the squares that they name, ready for play.
#[derive(Clone, Debug)]
pub struct Ruleset {
    /// The variant, if it is a built-in one played by its own rules.
    pub(super) variant: Option<Variant>,
    pub(super) rules: Rules,
    pub(super) board: Board,
    /// By color.
    pub(super) promotion: [u128; 2],
    /// By color.
    pub(super) no_step: [u128; 2],
}

impl Ruleset {
    /// Derives what follows from a row.
    ///
    /// # Panics
    /// If the board does not fit; see [`Board::new`].
    #[must_use]
    pub const fn new(rules: Rules) -> Ruleset {
        let board = Board::new(rules.board);
        let promotion = zone_bits(&board, &rules, rules.promotion);
        let no_step = zone_bits(&board, &rules, rules.no_step_from);
        Ruleset { variant: None, rules, board, promotion, no_step }
    }

    pub(super) const fn built_in(variant: Variant, rules: Rules) -> Ruleset {
        let mut ruleset = Ruleset::new(rules);
        ruleset.variant = Some(variant);
        ruleset
    }

    /// The row.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The board.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The built-in variant, if it is one.
    #[must_use]
    pub const fn variant(&self) -> Option<Variant> {
        self.variant
    }

    /// The squares of a zone for one side.
    #[must_use]
    pub const fn zone(&self, zone: Zone, color: Color) -> SquareSet {
        zone.squares(&self.board, self.rules.heading, color)
    }

    /// Directions of a side that heads up, as this side has them.
    #[must_use]
    pub const fn facing(&self, directions: Directions, color: Color) -> Directions {
        match self.rules.heading.of(color) {
            Heading::Up => directions,
            Heading::Down => directions.upside_down(),
        }
    }

    /// The roles that exist.
    pub fn roles(&self) -> impl Iterator<Item = Role> {
        Role::ALL.into_iter().filter(|&role| self.rules.mobility(role).is_some())
    }
}

const fn zone_bits(board: &Board, rules: &Rules, zone: Zone) -> [u128; 2] {
    let mut bits = [0; 2];
    let mut color = 0;
    while color < 2 {
        bits[color] = board.to_bits(zone.squares(board, rules.heading, Color::ALL[color]));
        color += 1;
    }
    bits
}
