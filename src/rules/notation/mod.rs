//! Positions and moves as text.

pub mod fen;
pub mod move_text;

use std::fmt;

/// Text that cannot be read: where, and what would have been read there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The place, in bytes from the beginning.
    pub offset: usize,
    /// What was expected there.
    pub expected: &'static str,
    /// What stands there; none at the end.
    pub found: Option<char>,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} at offset {}, found ", self.expected, self.offset)?;
        match self.found {
            Some(character) => write!(f, "{character:?}"),
            None => f.write_str("the end"),
        }
    }
}

impl std::error::Error for ParseError {}

/// Reads a text from left to right.
struct Reader<'t> {
    text: &'t str,
    offset: usize,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Reader<'t> {
        Reader { text, offset: 0 }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.offset..].chars().next()
    }

    fn take(&mut self, wanted: impl FnOnce(char) -> bool) -> Option<char> {
        let next = self.peek().filter(|&next| wanted(next))?;
        self.offset += next.len_utf8();
        Some(next)
    }

    fn expected(&self, expected: &'static str) -> ParseError {
        ParseError { offset: self.offset, expected, found: self.peek() }
    }

    /// A number of at most three digits without a leading zero.
    fn number(&mut self, expected: &'static str) -> Result<u32, ParseError> {
        let refused = self.expected(expected);
        let mut number = 0;
        let mut digits = 0;
        while let Some(digit) = self.take(|next| next.is_ascii_digit()) {
            number = 10 * number + digit.to_digit(10).unwrap_or_default();
            digits += 1;
            if digits > 3 || number == 0 {
                return Err(refused);
            }
        }
        if digits == 0 { Err(refused) } else { Ok(number) }
    }

    fn end(&self) -> Result<(), ParseError> {
        if self.offset == self.text.len() { Ok(()) } else { Err(self.expected("the end")) }
    }
}

/// Squares by number and by name may not be mixed in one text.
#[derive(Default)]
struct OneSpelling {
    names: Option<bool>,
}

impl OneSpelling {
    fn check(&mut self, is_name: bool, at: ParseError) -> Result<(), ParseError> {
        if *self.names.get_or_insert(is_name) == is_name {
            return Ok(());
        }
        let expected = if is_name { "a square by number, as before" } else { "a square by name, as before" };
        Err(ParseError { expected, ..at })
    }
}

/// Reads a square by number or by name.
fn place(reader: &mut Reader<'_>, spelling: &mut OneSpelling) -> Result<super::Place, ParseError> {
    let at = reader.expected("a square");
    if let Some(file) = reader.take(|next| next.is_ascii_lowercase()) {
        spelling.check(true, at)?;
        let rank = reader.number("a rank")?;
        return Ok(super::Place::Name(file as u8 - b'a', rank - 1));
    }
    let number = reader.number("a square")?;
    spelling.check(false, at)?;
    Ok(super::Place::Number(number))
}
