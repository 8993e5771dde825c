//! The GameType tag: which variant is played, and how its squares are written.
//!
//! `number,first mover,width,height,notation,invert`, of which the number may stand alone. The notation is a letter, `A`
//! for names or `N` for numbers, and a digit that says in which corner the first square lies, as the player who begins
//! sees the board: 0 lower left, 1 lower right, 2 upper left, 3 upper right. With `invert` 1 the lower left square does
//! not play. Source: the PDN standard; the rules note, section 1.3.

use crate::rules::{Board, Color, Place, Ruleset, Square, Variant};
use winnow::Parser;
use winnow::ascii::{dec_uint, space0};
use winnow::combinator::{alt, delimited, eof, opt, preceded};
use winnow::error::ContextError;

/// A GameType tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameType {
    /// The number of the game.
    pub number: u16,
    /// What else it says.
    pub details: Option<Details>,
}

/// What a GameType tag says besides the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Details {
    /// Who begins.
    pub first_mover: Color,
    /// The number of files.
    pub width: u8,
    /// The number of ranks.
    pub height: u8,
    /// Whether squares are written by name or by number.
    pub written: Written,
    /// The corner of the first square.
    pub corner: Corner,
    /// Whether the lower left square does not play; none: as on the board of the variant.
    pub is_inverted: Option<bool>,
}

/// How squares are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// By name.
    Names,
    /// By number.
    Numbers,
}

/// A corner of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corner {
    is_right: bool,
    is_upper: bool,
}

impl Corner {
    const LOWER_LEFT: Corner = Corner { is_right: false, is_upper: false };

    /// The same corner, seen from the other side.
    const fn turned(self) -> Corner {
        Corner { is_right: !self.is_right, is_upper: !self.is_upper }
    }
}

/// A variant that a number may stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The variant.
    pub variant: Variant,
    /// Whether the standard says so.
    pub is_standard: bool,
}

/// What public servers and files write besides the standard: 24 is the Spanish game, which is the Portuguese; one
/// server has 31 for Portuguese and 32 for English, one program 43 for Turkish. Source: the rules note, section 1.3.
const OTHER_NUMBERS: [(u16, Candidate); 4] = [
    (24, Candidate { variant: Variant::Portuguese, is_standard: true }),
    (31, Candidate { variant: Variant::Portuguese, is_standard: false }),
    (32, Candidate { variant: Variant::Checkers, is_standard: false }),
    (43, Candidate { variant: Variant::Turkish, is_standard: false }),
];

/// Reads the value of a GameType tag.
#[must_use]
pub fn parse(value: &str) -> Option<GameType> {
    fn comma(input: &mut &str) -> winnow::Result<(), ContextError> {
        (space0, ',', space0).void().parse_next(input)
    }
    let color = || alt(('W'.value(Color::White), 'B'.value(Color::Black)));
    let corner = alt((
        '0'.value(Corner::LOWER_LEFT),
        '1'.value(Corner { is_right: true, is_upper: false }),
        '2'.value(Corner { is_right: false, is_upper: true }),
        '3'.value(Corner { is_right: true, is_upper: true }),
    ));
    let is_inverted = alt(('0'.value(false), '1'.value(true)));
    let details = (
        preceded(comma, color()),
        preceded(comma, dec_uint),
        preceded(comma, dec_uint),
        preceded(comma, alt(('A'.value(Written::Names), 'N'.value(Written::Numbers)))),
        corner,
        opt(preceded(comma, is_inverted)),
    )
        .map(|(first_mover, width, height, written, corner, is_inverted)| Details {
            first_mover,
            width,
            height,
            written,
            corner,
            is_inverted,
        });
    let game_type = (dec_uint, opt(details)).map(|(number, details)| GameType { number, details });
    let mut whole = delimited(space0::<_, ContextError>, game_type, (space0, eof));
    whole.parse(value).ok()
}

impl GameType {
    /// The type that the standard has for a variant.
    #[must_use]
    pub fn of(variant: Variant) -> Option<GameType> {
        variant.about().pdn_game_type.and_then(parse)
    }

    /// The variants that it may stand for, the likeliest first.
    #[must_use]
    pub fn candidates(&self) -> Vec<Candidate> {
        let standard = Variant::ALL
            .iter()
            .copied()
            .filter(|&variant| GameType::of(variant).is_some_and(|standard| standard.number == self.number));
        let standard = standard.map(|variant| Candidate { variant, is_standard: true });
        let others = OTHER_NUMBERS.iter().filter(|other| other.0 == self.number).map(|other| other.1);
        let fits = |candidate: &Candidate| {
            let board = candidate.variant.ruleset().board().facts();
            self.details.is_none_or(|details| (details.width, details.height) == (board.width, board.height))
        };
        standard.chain(others).filter(fits).collect()
    }
}

/// How a text writes the squares of a board.
#[derive(Clone, Debug)]
pub struct Spelling {
    ruleset: &'static Ruleset,
    /// The squares by number, and how names are turned; none: as everywhere in this library.
    foreign: Option<Foreign>,
}

/// A spelling that is not ours. What the tag is about, names or numbers, begins in its corner; the other is as usual.
#[derive(Clone, Debug)]
struct Foreign {
    by_number: Vec<Square>,
    /// Where names begin.
    corner: Corner,
    /// The board is ours in a mirror.
    is_mirrored: bool,
}

impl Spelling {
    /// The spelling of a variant under its GameType tag, if it has one.
    #[must_use]
    pub fn new(variant: Variant, game_type: Option<GameType>) -> Spelling {
        let ruleset = variant.ruleset();
        let details = game_type.and_then(|game_type| game_type.details);
        // The squares of the standard's own type are ours, also where its letter says otherwise (Thai).
        let own = GameType::of(variant).and_then(|own| own.details);
        let is_own = |details: &Details| {
            own.is_some_and(|own| {
                Details { is_inverted: details.is_inverted.or(own.is_inverted), ..*details } == own
            })
        };
        let foreign = details.filter(|details| !is_own(details));
        Spelling { ruleset, foreign: foreign.map(|details| Foreign::new(ruleset.board(), details)) }
    }

    /// The square of a place, if the board has it.
    #[must_use]
    pub fn square(&self, place: Place) -> Option<Square> {
        let board = self.ruleset.board();
        match (&self.foreign, place) {
            (None, _) => place.on(board),
            (Some(foreign), Place::Number(number)) => {
                foreign.by_number.get(usize::try_from(number).ok()?.checked_sub(1)?).copied()
            }
            (Some(foreign), Place::Name(column, row)) => {
                let (column, row) = foreign.place(board, foreign.corner, column, u8::try_from(row).ok()?)?;
                board.square_at(column, row)
            }
        }
    }

    /// The column that a file letter means, `a` being 0.
    #[must_use]
    pub fn column(&self, file: u8) -> Option<u8> {
        let board = self.ruleset.board();
        match &self.foreign {
            None => (file < board.facts().width).then_some(file),
            Some(foreign) => foreign.place(board, foreign.corner, file, 0).map(|(column, _)| column),
        }
    }
}

impl Foreign {
    fn new(board: &Board, details: Details) -> Foreign {
        let corner = match details.first_mover {
            Color::White => details.corner,
            Color::Black => details.corner.turned(),
        };
        let all_play = board.square_at(0, 0).is_some() && board.square_at(1, 0).is_some();
        let is_mirrored = details
            .is_inverted
            .is_some_and(|is_inverted| !all_play && board.square_at(0, 0).is_none() != is_inverted);
        match details.written {
            Written::Names => Foreign { by_number: board.squares().collect(), corner, is_mirrored },
            Written::Numbers => {
                let unnumbered = Foreign { by_number: Vec::new(), corner: Corner::LOWER_LEFT, is_mirrored };
                Foreign { by_number: unnumbered.squares_from(board, corner), ..unnumbered }
            }
        }
    }

    /// The squares in the order of their numbers.
    fn squares_from(&self, board: &Board, corner: Corner) -> Vec<Square> {
        let (width, height) = (board.facts().width, board.facts().height);
        let places = (0..height).flat_map(|up| (0..width).map(move |along| (along, up)));
        let squares = places.filter_map(|(along, up)| {
            let (column, row) = self.place(board, corner, along, up)?;
            board.square_at(column, row)
        });
        squares.collect()
    }

    /// The place on our board that is so many columns and rows away from a corner.
    fn place(&self, board: &Board, corner: Corner, along: u8, up: u8) -> Option<(u8, u8)> {
        let (width, height) = (board.facts().width, board.facts().height);
        if along >= width || up >= height {
            return None;
        }
        let column = if corner.is_right != self.is_mirrored { width - 1 - along } else { along };
        let row = if corner.is_upper { height - 1 - up } else { up };
        Some((column, row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_of_first(variant: Variant, game_type: &str) -> Vec<String> {
        let spelling = Spelling::new(variant, parse(game_type));
        let board = variant.ruleset().board();
        let named =
            [1, 2, 5].map(|number| spelling.square(Place::Number(number)).map(|square| board.name(square)));
        named.into_iter().flatten().collect()
    }

    /// The rules note, section 1.3: the standard's types number as the variants do.
    #[test]
    fn squares_are_numbered_from_the_corner_of_the_player_who_begins() {
        assert_eq!(name_of_first(Variant::Checkers, "21,B,8,8,N1,0"), ["b8", "d8", "a7"]);
        assert_eq!(name_of_first(Variant::International, "20,W,10,10,N2,0"), ["b10", "d10", "j10"]);
        assert_eq!(name_of_first(Variant::Italian, "22,W,8,8,N2,1"), ["a8", "c8", "b7"]);
        assert_eq!(name_of_first(Variant::Portuguese, "28,W,8,8,N1,1"), ["h1", "f1", "g2"]);
        assert_eq!(name_of_first(Variant::Thai, "31,B,8,8,N2,0"), ["b8", "d8", "a7"], "decided in the note");
        assert_eq!(name_of_first(Variant::Russian, "25,W,8,8,N0,0"), ["a1", "c1", "b2"]);
        assert_eq!(name_of_first(Variant::Russian, "25,W,8,8,N1,0"), ["g1", "e1", "h2"]);
        assert_eq!(name_of_first(Variant::Russian, "25,W,8,8,N2,0"), ["b8", "d8", "a7"]);
        assert_eq!(name_of_first(Variant::Russian, "25,W,8,8,N3,0"), ["h8", "f8", "g7"]);
        // A mirrored board: its b1 is our g1.
        assert_eq!(name_of_first(Variant::Russian, "25,W,8,8,N0,1"), ["g1", "e1", "h2"]);
    }

    /// The computed numbering agrees with that of the board wherever the standard's own type is used.
    #[test]
    fn own_types_number_as_the_board_does() {
        for variant in [
            Variant::Checkers,
            Variant::International,
            Variant::Italian,
            Variant::Portuguese,
            Variant::Canadian,
        ] {
            let details = GameType::of(variant).and_then(|own| own.details).expect("a full type");
            let board = variant.ruleset().board();
            assert!(Foreign::new(board, details).by_number.into_iter().eq(board.squares()), "{variant:?}");
        }
    }

    #[test]
    fn numbers_stand_for_variants_that_fit_the_size() {
        let first = |value| parse(value).expect("a type").candidates().first().map(|first| first.variant);
        assert_eq!(first("20"), Some(Variant::International));
        assert_eq!(first("27,W,12,12,N2,0"), Some(Variant::Canadian));
        assert_eq!(first("27,W,8,8,N2,0"), None);
        assert_eq!(first("24"), Some(Variant::Portuguese));
        assert_eq!(first("40,W,10,10,N2,0"), None);
        for malformed in
            ["", "x", "20,", "20,W", "20,W,10,10", "20,W,10,10,N4,0", "20,W,10,10,N2,0,1", "-1", "99999"]
        {
            assert_eq!(parse(malformed), None, "{malformed}");
        }
    }
}
