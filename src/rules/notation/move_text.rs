//! Single moves as text: `32-28`, `26x37x48`, `c3:e5`, and `d5` for a removal.

use super::fen::push_square;
use super::{OneSpelling, ParseError, Reader, place};
use crate::rules::row::SquareText;
use crate::rules::{Move, MoveClaim, MoveKind, MoveList, Place, Ruleset, Square};

/// A move as text says it. The squares are not checked against any board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveText {
    /// Its squares: start, perhaps landings, end; one alone is a removal.
    pub places: Vec<Place>,
    /// Whether its sign is one that only captures have.
    pub is_capture: bool,
}

/// Reads a move: squares by number or by name, but not both, joined by one of the signs `-`, `x`, `:`. A dash does not
/// say whether it is a capture; the other two do.
///
/// # Errors
/// [`ParseError`] where the text stops being a move.
pub fn parse(text: &str) -> Result<MoveText, ParseError> {
    let mut reader = Reader::new(text);
    let mut spelling = OneSpelling::default();
    let mut places = vec![place(&mut reader, &mut spelling)?];
    let sign = reader.peek().filter(|next| matches!(next, '-' | 'x' | ':'));
    if let Some(sign) = sign {
        while reader.take(|next| next == sign).is_some() {
            places.push(place(&mut reader, &mut spelling)?);
        }
    }
    if reader.peek().is_some() {
        return Err(reader.expected(if sign.is_some() { "the same sign or the end" } else { "-, x or :" }));
    }
    Ok(MoveText { places, is_capture: matches!(sign, Some('x' | ':')) })
}

impl MoveText {
    /// What the text says on a board.
    ///
    /// # Errors
    /// The first place that is no square of the board.
    pub fn on(&self, ruleset: &Ruleset) -> Result<MoveClaim, Place> {
        let on_board = |&place: &Place| place.on(ruleset.board()).ok_or(place);
        let squares = self.places.iter().map(on_board).collect::<Result<Vec<_>, _>>()?;
        // A parsed text has at least one place.
        let claim = MoveClaim::along(&squares).ok_or(Place::Number(0))?;
        Ok(MoveClaim { is_capture: self.is_capture, ..claim })
    }
}

/// Writes a move of a list in the spelling of its variant: start and end, or every landing square where another legal
/// move has the same ends.
#[must_use]
pub fn write(ruleset: &Ruleset, written: Move<'_>, legal_moves: &MoveList) -> String {
    let prints = ruleset.rules().prints;
    let sign = if written.kind() == MoveKind::Capture { prints.capture_sign } else { '-' };
    let is_ambiguous = legal_moves.between(written.from(), written.to()).len() > 1;
    let landings = written.landings();
    let skipped = if is_ambiguous { 0 } else { landings.len().saturating_sub(1) };
    squares(ruleset, prints.squares, sign, written.from(), &landings[skipped..])
}

/// Writes a square in the spelling of its variant.
#[must_use]
pub fn square(ruleset: &Ruleset, written: Square) -> String {
    let mut text = String::with_capacity(4);
    push_square(&mut text, ruleset.board(), ruleset.rules().prints.squares, written);
    text
}

fn squares<'s>(
    ruleset: &Ruleset,
    spelling: SquareText,
    sign: char,
    from: Square,
    rest: impl IntoIterator<Item = &'s Square>,
) -> String {
    let mut text = String::with_capacity(16);
    push_square(&mut text, ruleset.board(), spelling, from);
    for &square in rest {
        text.push(sign);
        push_square(&mut text, ruleset.board(), spelling, square);
    }
    text
}
