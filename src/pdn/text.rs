//! From bytes to text, and from places in bytes to lines and columns.

use std::str;

/// What ends a line, alone or together.
pub(super) const LINE_ENDS: [char; 2] = ['\r', '\n'];

/// A place in a text, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// The line, from 1.
    pub line: u32,
    /// The column, in characters, from 1.
    pub column: u32,
}

/// The text of some bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text.
    pub text: String,
    /// Whether a byte-order mark came before it.
    has_mark: bool,
    is_latin_1: bool,
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The text of some bytes: UTF-8 with or without a byte-order mark, or else Latin-1, in which any bytes are text. A last
/// character that is cut in two is left out.
#[must_use]
pub fn decode(bytes: &[u8]) -> Decoded {
    let has_mark = bytes.starts_with(BYTE_ORDER_MARK);
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let is_cut = |error: &str::Utf8Error| error.error_len().is_none();
    let whole = match str::from_utf8(bytes) {
        Err(error) if is_cut(&error) => &bytes[..error.valid_up_to()],
        Ok(_) | Err(_) => bytes,
    };
    match str::from_utf8(whole) {
        Ok(text) => Decoded { text: text.to_owned(), has_mark, is_latin_1: false },
        Err(_) => {
            Decoded { text: bytes.iter().map(|&byte| char::from(byte)).collect(), has_mark, is_latin_1: true }
        }
    }
}

impl Decoded {
    /// Where in the bytes a place in the text is.
    #[must_use]
    pub fn byte_offset(&self, offset: usize) -> usize {
        let in_bytes = if self.is_latin_1 {
            self.text.get(..offset).map_or(offset, |before| before.chars().count())
        } else {
            offset
        };
        in_bytes + if self.has_mark { BYTE_ORDER_MARK.len() } else { 0 }
    }
}

impl Default for LineColumn {
    fn default() -> LineColumn {
        LineColumn::START
    }
}

impl LineColumn {
    /// Where a text begins.
    pub const START: LineColumn = LineColumn { line: 1, column: 1 };

    /// Where this text ends that begins here. It must not end between a CR and an LF.
    #[must_use]
    pub fn after(self, text: &str) -> LineColumn {
        let mut bytes = text.bytes().peekable();
        let mut newlines = 0;
        while let Some(byte) = bytes.next() {
            // A CR before an LF is not an end of its own.
            newlines += usize::from(byte == b'\n' || byte == b'\r' && bytes.peek() != Some(&b'\n'));
        }
        let last_line = text.rfind(LINE_ENDS).map_or(text, |end| &text[end + 1..]);
        let columns = last_line.chars().count();
        let add = |to: u32, count: usize| to.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        let first_column = if newlines == 0 { self.column } else { 1 };
        LineColumn { line: add(self.line, newlines), column: add(first_column, columns) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_are_text() {
        let text = |bytes: &[u8]| decode(bytes).text;
        assert_eq!(text(b"\xef\xbb\xbf1. 32-28"), "1. 32-28");
        assert_eq!(text("J\u{e4}rvi".as_bytes()), "J\u{e4}rvi");
        assert_eq!(text(b"J\xe4rvi"), "J\u{e4}rvi");
        assert_eq!(text(&[0xff, 0xfe]), "\u{ff}\u{fe}");
        assert_eq!(text(b"J\xc3"), "J", "the rest of this letter is in the next piece of the file");
    }

    #[test]
    fn places_in_the_text_are_places_in_the_bytes() {
        assert_eq!(decode(b"\xef\xbb\xbfabc").byte_offset(1), 4);
        assert_eq!(decode(b"\xe4bc").byte_offset(2), 1, "two bytes of UTF-8 are one of Latin-1");
        assert_eq!(decode("\u{e4}bc".as_bytes()).byte_offset(2), 2);
    }

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let place = |text| {
            let place = LineColumn::START.after(text);
            (place.line, place.column)
        };
        assert_eq!(
            ["", "a", "a\r\n", "a\r\nb\u{e4}", "\n\n", "a\rb\r\rc", "a\r\r\nb"].map(place),
            [(1, 1), (1, 2), (2, 1), (2, 3), (3, 1), (4, 2), (3, 2)]
        );
        let later = LineColumn { line: 3, column: 5 };
        assert_eq!(later.after("ab"), LineColumn { line: 3, column: 7 });
        assert_eq!(later.after("ab\nc"), LineColumn { line: 4, column: 2 });
    }
}
