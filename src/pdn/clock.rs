//! Clock remarks in comments: `[%clock W0:12:33 B1:02:03]` and `[%clk 0:01:02]`.

use crate::rules::Color;
use winnow::Parser;
use winnow::ascii::{digit1, space0, space1};
use winnow::combinator::{alt, opt, preceded, repeat, separated};
use winnow::error::ContextError;

/// The time that was left on the clocks after a move, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// White's.
    pub white: Option<u32>,
    /// Black's.
    pub black: Option<u32>,
}

/// What a comment says of the clocks; a clock without a color is that of the side that has moved.
#[must_use]
pub fn read(comment: &str, mover: Color) -> Option<Clock> {
    let start = comment.find("[%cl")?;
    let mut rest = &comment[start..];
    let clocks: Vec<(Color, u32)> = preceded(
        (alt(("[%clock", "[%clk")), space1::<_, ContextError>),
        repeat(
            1..=2,
            (opt(alt((side(Color::White, ['W', 'w']), side(Color::Black, ['B', 'b'])))), time, space0)
                .map(|(color, seconds, _)| (color.unwrap_or(mover), seconds)),
        ),
    )
    .parse_next(&mut rest)
    .ok()?;
    let of = |wanted| clocks.iter().find(|clock| clock.0 == wanted).map(|clock| clock.1);
    rest.starts_with(']').then(|| Clock { white: of(Color::White), black: of(Color::Black) })
}

fn side<'t>(color: Color, letters: [char; 2]) -> impl Parser<&'t str, Color, ContextError> {
    winnow::token::one_of(letters).value(color)
}

/// `1:02:03`, `02:03` or `3`, perhaps with parts of a second, in seconds.
fn time(input: &mut &str) -> winnow::Result<u32, ContextError> {
    let part = digit1::<_, ContextError>.parse_to::<u32>();
    let parts: Vec<u32> = separated(1..=3, part, ':').parse_next(input)?;
    opt(('.', digit1)).parse_next(input)?;
    Ok(parts.into_iter().fold(0, |seconds: u32, part| seconds.saturating_mul(60).saturating_add(part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_remarks_are_read() {
        for (comment, wanted) in [
            ("[%clock W0:12:33 B1:02:03]", Some((Some(753), Some(3723)))),
            ("good [%clock w0:12:33 B1:02:03] move", Some((Some(753), Some(3723)))),
            ("[%clk 0:01:02]", Some((None, Some(62)))),
            ("[%clk 01:02.5]", Some((None, Some(62)))),
            ("[%clock B9]", Some((None, Some(9)))),
            ("[%clk]", None),
            ("[%clk x]", None),
            ("[%clk 0:01:02", None),
            ("[%clk 99999999999]", None),
            ("no clock", None),
        ] {
            let read = read(comment, Color::Black).map(|clock| (clock.white, clock.black));
            assert_eq!(read, wanted, "{comment}");
        }
    }
}
