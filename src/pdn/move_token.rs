//! Moves as game texts write them, and the legal moves that they mean.
//!
//! Read: `32-28`, `26x37x48`, `c3:e5`, with any of the signs and leading zeros; names without a sign, `c3d4`; the short
//! form of Russian players, the file of the start and the end, `ab4` or `c:e5`; one square alone for a removal. Squares
//! may be left out between the ends while one legal move fits, and may always be there.

use super::game_type::Spelling;
use crate::rules::{
    Budget, ChooseError, Chosen, Move, MoveClaim, MoveList, Place, Position, Square, Way, choose,
};
use winnow::Parser;
use winnow::combinator::{alt, eof, not, opt, repeat, terminated};
use winnow::error::ContextError;
use winnow::token::{one_of, take_while};

/// A move as text says it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct MoveToken {
    /// The file of the start, where only that is said.
    file: Option<u8>,
    places: Vec<Place>,
    is_capture: bool,
}

/// Why a text is no legal move.
#[derive(Clone, Debug)]
pub enum MoveFault {
    /// It cannot be read, or names squares that the board does not have.
    NotAMove,
    /// It is against the rules, could be several moves, or takes too long to judge.
    Refused(ChooseError),
}

/// The legal move that a text means.
///
/// # Errors
/// [`MoveFault`] if it means none, or several.
pub fn resolve(
    position: &Position,
    spelling: &Spelling,
    text: &str,
    budget: &mut Budget,
) -> Result<Chosen, MoveFault> {
    let token = parse(text).ok_or(MoveFault::NotAMove)?;
    let squares = token.places.iter().map(|&place| spelling.square(place)).collect::<Option<Vec<_>>>();
    let squares = squares.ok_or(MoveFault::NotAMove)?;
    let claim = match token.file {
        None => MoveClaim {
            is_capture: token.is_capture,
            ..MoveClaim::along(&squares).ok_or(MoveFault::NotAMove)?
        },
        Some(file) => {
            let column = spelling.column(file).ok_or(MoveFault::NotAMove)?;
            from_file(position, column, &squares, token.is_capture, budget)?
        }
    };
    choose(position, &claim, budget).map_err(MoveFault::Refused)
}

/// What a move says of which only the file of the start is known.
fn from_file(
    position: &Position,
    column: u8,
    squares: &[Square],
    is_capture: bool,
    budget: &mut Budget,
) -> Result<MoveClaim, MoveFault> {
    let board = position.ruleset().board();
    let Some((&to, between)) = squares.split_last() else { return Err(MoveFault::NotAMove) };
    let claim = |from| MoveClaim {
        from,
        to: Some(to),
        way: Way::Through(between.to_vec()),
        captured: None,
        is_capture,
    };
    let legal_moves = position.legal_moves(budget).map_err(|error| MoveFault::Refused(error.into()))?;
    let starts = fitting(&legal_moves, |legal| {
        board.column(legal.from()) == column
            && legal.to() == Some(to)
            && claim(legal.from()).has_ends_of(legal)
    });
    match starts[..] {
        [from] => Ok(claim(from)),
        // No piece of this file goes there: ask about the one that stands nearest to it, to hear why.
        [] => Ok(claim(likeliest_start(position, column, to))),
        [..] => {
            let is_meant =
                legal_moves.iter().map(|legal| starts.contains(&legal.from()) && legal.to() == Some(to));
            let candidates = legal_moves.filter(is_meant);
            Err(MoveFault::Refused(ChooseError::Ambiguous { candidates, legal_moves }))
        }
    }
}

/// The squares from which some of the moves start.
fn fitting(moves: &MoveList, fits: impl Fn(Move<'_>) -> bool) -> Vec<Square> {
    let mut starts = moves.iter().filter(|&legal| fits(legal)).map(Move::from).collect::<Vec<_>>();
    starts.dedup();
    starts
}

fn likeliest_start(position: &Position, column: u8, to: Square) -> Square {
    let board = position.ruleset().board();
    let is_own =
        |square: Square| position.piece_at(square).is_some_and(|(color, _)| color == position.turn());
    let distance = |square: Square| board.row(square).abs_diff(board.row(to));
    let in_file = board.squares().filter(|&square| board.column(square) == column && square != to);
    in_file.min_by_key(|&square| (!is_own(square), distance(square))).unwrap_or(to)
}

/// Longest text of a move, in bytes: more squares than a capture can visit.
const MAX_BYTES: usize = 512;

fn parse(text: &str) -> Option<MoveToken> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let text = text.to_ascii_lowercase();
    let file = terminated(letter, not(one_of('0'..='9')));
    let sign = || one_of(['-', 'x', ':', '\u{d7}']);
    let hop = (opt(sign()), place).map(|(sign, place)| Hop { sign, place });
    let hops = repeat::<_, Hop, Vec<Hop>, _, _>(0.., hop);
    let whole = (opt((file, opt(sign()))), place, hops);
    let (start, first, hops) = terminated(whole, eof::<_, ContextError>).parse(text.as_str()).ok()?;
    let signs = start.iter().map(|start| start.1).chain(hops.iter().map(|hop| hop.sign)).collect::<Vec<_>>();
    let places = std::iter::once(first).chain(hops.iter().map(|hop| hop.place)).collect::<Vec<_>>();
    let are_names = places.iter().filter(|place| matches!(place, Place::Name(..))).count();
    let is_mixed = are_names != 0 && are_names != places.len();
    let is_short_number = start.is_some() && are_names == 0;
    let is_run_together = are_names == 0 && signs.contains(&None);
    if is_mixed || is_short_number || is_run_together {
        return None;
    }
    let is_capture = signs.iter().flatten().any(|&sign| sign != '-');
    Some(MoveToken { file: start.map(|start| start.0), places, is_capture })
}

/// A square, and the sign before it, if there is one.
struct Hop {
    sign: Option<char>,
    place: Place,
}

fn letter(input: &mut &str) -> winnow::Result<u8, ContextError> {
    one_of('a'..='w').map(|letter: char| letter as u8 - b'a').parse_next(input)
}

fn place(input: &mut &str) -> winnow::Result<Place, ContextError> {
    let digits = |most: usize| take_while(1..=most, '0'..='9').parse_to::<u32>().verify(|&number| number > 0);
    let name = (letter, digits(2)).map(|(file, rank)| Place::Name(file, rank - 1));
    let number = digits(3).map(Place::Number);
    alt((name, number)).parse_next(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let Some(token) = parse(text) else { return "none".to_owned() };
        let file = token.file.map(|file| format!("{}?", char::from(b'a' + file))).unwrap_or_default();
        let places = token.places.iter().map(Place::to_string).collect::<Vec<_>>().join(" ");
        format!("{file}{places}{}", if token.is_capture { "!" } else { "" })
    }

    #[test]
    fn every_form_of_a_move_is_read() {
        for (text, wanted) in [
            ("32-28", "32 28"),
            ("05x14", "5 14!"),
            ("26x37x48", "26 37 48!"),
            ("26-37x48", "26 37 48!"),
            ("c3:e5", "c3 e5!"),
            ("C3X\u{d7}", "none"),
            ("C3xE5", "c3 e5!"),
            ("c3\u{d7}e5", "c3 e5!"),
            ("c3d4", "c3 d4"),
            ("k11-l12", "k11 l12"),
            ("ab4", "a?b4"),
            ("a:c5:e7", "a?c5 e7!"),
            ("a-b4", "a?b4"),
            ("d5", "d5"),
            ("28", "28"),
            ("", "none"),
            ("32-", "none"),
            ("0-1", "none"),
            ("1118", "none"),
            ("a12b", "none"),
            ("c3-14", "none"),
            ("a14", "a14"),
        ] {
            assert_eq!(read(text), wanted, "{text}");
        }
    }
}
