//! FEN for draughts, as PDN defines it: `W:W31-50:B1-20`.
//!
//! Read: the side to move, then each side's pieces after its letter, in either order, the second side perhaps missing
//! or empty; squares by number or by name, but not both; `K` before a king, `P` before a parachutist; ranges of numbers,
//! all kings after a `K`; a dot at the end; the suffix `:H<n>:F<n>` of public servers, which is ignored.
//!
//! Written: White first, ascending by square number, no ranges, no dot, no spaces, in the variant's own spelling.

use super::{OneSpelling, ParseError, Reader, place};
use crate::rules::row::SquareText;
use crate::rules::setup::MAX_CLAIMS;
use crate::rules::{Board, Claim, Color, Place, Position, Role, Setup, Square};
use std::fmt::Write;

/// Reads a FEN. What it claims is not checked against any board.
///
/// # Errors
/// [`ParseError`] where the text stops being a FEN.
pub fn parse(text: &str) -> Result<Setup, ParseError> {
    let mut reader = Reader::new(text);
    let mut spelling = OneSpelling::default();
    let turn = color(&mut reader, "W or B, the side to move")?;
    let mut setup = Setup { turn, claims: Vec::new() };
    let mut seen: Option<Color> = None;
    while reader.take(|next| next == ':').is_some() {
        if seen.is_some() && reader.peek() == Some('H') {
            suffix(&mut reader)?;
            break;
        }
        let at = reader.expected("the pieces of the other side");
        let side = color(&mut reader, "W or B, whose pieces follow")?;
        if seen == Some(side) {
            return Err(at);
        }
        pieces(&mut reader, side, &mut spelling, &mut setup)?;
        if seen.replace(side).is_some() {
            if reader.take(|next| next == ':').is_some() {
                suffix(&mut reader)?;
            }
            break;
        }
    }
    if seen.is_none() {
        return Err(reader.expected("a colon and the pieces of a side"));
    }
    reader.take(|next| next == '.');
    reader.end()?;
    Ok(setup)
}

fn color(reader: &mut Reader<'_>, expected: &'static str) -> Result<Color, ParseError> {
    if reader.take(|next| next == 'W').is_some() {
        Ok(Color::White)
    } else if reader.take(|next| next == 'B').is_some() {
        Ok(Color::Black)
    } else {
        Err(reader.expected(expected))
    }
}

/// `H0:F1`, the counters of public servers.
fn suffix(reader: &mut Reader<'_>) -> Result<(), ParseError> {
    for (letter, expected) in [('H', "H, the half-move counter"), ('F', "F, the move number")] {
        if letter == 'F' && reader.take(|next| next == ':').is_none() {
            return Err(reader.expected("a colon and F, the move number"));
        }
        if reader.take(|next| next == letter).is_none() {
            return Err(reader.expected(expected));
        }
        let mut digits = 0;
        while reader.take(|next| next.is_ascii_digit()).is_some() {
            digits += 1;
        }
        if digits == 0 {
            return Err(reader.expected("a number"));
        }
    }
    Ok(())
}

/// The pieces of one side, separated by commas; none is allowed.
fn pieces(
    reader: &mut Reader<'_>,
    color: Color,
    spelling: &mut OneSpelling,
    setup: &mut Setup,
) -> Result<(), ParseError> {
    if matches!(reader.peek(), None | Some(':' | '.')) {
        return Ok(());
    }
    loop {
        let role = match reader.take(|next| next == 'K' || next == 'P') {
            Some('K') => Role::King,
            Some(_) => Role::Parachutist,
            None => Role::Man,
        };
        let first = place(reader, spelling)?;
        let at = reader.expected("no more than 256 pieces");
        for place in range(reader, first)? {
            setup.claims.push(Claim { color, role, place });
            if setup.claims.len() > MAX_CLAIMS {
                return Err(at);
            }
        }
        if reader.take(|next| next == ',').is_none() {
            return match reader.peek() {
                None | Some(':' | '.') => Ok(()),
                Some(_) => Err(reader.expected("a comma, a colon or the end")),
            };
        }
    }
}

/// One square, or the squares of a range of numbers.
fn range(reader: &mut Reader<'_>, first: Place) -> Result<impl Iterator<Item = Place> + use<>, ParseError> {
    let mut places = (first, 0..=0);
    if let Place::Number(from) = first {
        places.1 = from..=from;
        if reader.take(|next| next == '-').is_some() {
            let at = reader.expected("a number that is not below the first of its range");
            let to = reader.number("the last number of a range")?;
            if to < from {
                return Err(at);
            }
            places.1 = from..=to;
        }
    }
    let (first, numbers) = places;
    Ok(numbers.map(move |number| match first {
        Place::Number(_) => Place::Number(number),
        Place::Name(..) => first,
    }))
}

/// Writes a position, in the spelling of its variant.
#[must_use]
pub fn write(position: &Position) -> String {
    let turn = letter(position.turn());
    let mut text = String::with_capacity(192);
    text.push(turn);
    for color in Color::ALL {
        text.push(':');
        text.push(letter(color));
        let mut separator = "";
        for square in position.ruleset().board().squares() {
            if let Some((_, role)) = position.piece_at(square).filter(|piece| piece.0 == color) {
                text.push_str(separator);
                text.push_str(role_letter(role));
                write_square(&mut text, position, square);
                separator = ",";
            }
        }
    }
    text
}

/// The letter of a side.
#[must_use]
pub fn letter(color: Color) -> char {
    match color {
        Color::White => 'W',
        Color::Black => 'B',
    }
}

/// The letter before the square of a piece.
#[must_use]
pub fn role_letter(role: Role) -> &'static str {
    match role {
        Role::Man => "",
        Role::King => "K",
        Role::Parachutist => "P",
    }
}

fn write_square(text: &mut String, position: &Position, square: Square) {
    push_square(text, position.ruleset().board(), position.ruleset().rules().prints.squares, square);
}

/// Appends a square by number or by name.
pub(super) fn push_square(text: &mut String, board: &Board, spelling: SquareText, square: Square) {
    // Writing to a String cannot fail.
    let _ = match spelling {
        SquareText::Numbers => write!(text, "{}", square.number()),
        SquareText::Names => {
            let file = char::from(b'a' + board.column(square));
            write!(text, "{file}{}", board.row(square) + 1)
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Variant;

    fn canonical(variant: Variant, text: &str) -> String {
        let setup = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        write(&Position::new(variant.ruleset(), &setup).unwrap_or_else(|error| panic!("{text}: {error:?}")))
    }

    #[test]
    fn every_allowed_form_is_read_and_written_in_one_form() {
        let wanted = "W:W31,K32:B1,2,3";
        for text in [
            "W:W31,K32:B1,2,3",
            "W:WK32,31:B3,2,1",
            "W:B1-3:W31,K32",
            "W:WK32-32,31:B1-2,3.",
            "W:W31,K32:B1,2,3:H0:F1",
            "W:W31,K32:B1,2,3:H12:F40.",
            "W:We3,Kg3:Bb10,d10,f10".replace("e3,Kg3", "b4,Kd4").as_str(),
        ] {
            assert_eq!(canonical(Variant::International, text), wanted, "{text}");
        }
        assert_eq!(canonical(Variant::International, "W:W8"), "W:W8:B");
        assert_eq!(canonical(Variant::International, "W:W8:H0:F1"), "W:W8:B");
        assert_eq!(canonical(Variant::International, "B:W:B8"), "B:W:B8");
        assert_eq!(canonical(Variant::Russian, "W:W32:BK1"), "W:Wg1:BKb8");
    }

    #[test]
    fn anything_else_is_refused_where_it_stops_making_sense() {
        for (text, offset) in [
            ("", 0),
            ("W", 1),
            ("w:W1:B2", 0),
            ("?:W1:B2", 0),
            ("garbage", 0),
            ("W:", 2),
            ("W:X1", 2),
            ("W:W1:W2", 5),
            ("W:W1:B2:B3", 8),
            ("W:W1,:B2", 5),
            ("W:W,1:B2", 3),
            ("W:W1 :B2", 4),
            ("W:W 1:B2", 3),
            ("W:W01:B2", 3),
            ("W:W0:B2", 3),
            ("W:W1000:B2", 3),
            ("W:Wk1:B2", 7),
            ("W:W1:Bb2", 6),
            ("W:W3-1:B9", 5),
            ("W:Wa1-c1:Bh8", 5),
            ("W:WA1:Bh8", 3),
            ("W:W1:B2..", 8),
            ("W:W1:B2:H0", 10),
            ("W:W1:B2:F0", 8),
            ("W:W1:B2:H:F1", 9),
            ("W:WKK1:B2", 4),
            ("W:W1-999:B2", 4),
            ("W:W1:B\u{e9}", 6),
        ] {
            assert_eq!(parse(text).map_err(|error| error.offset), Err(offset), "{text}");
        }
    }
}
