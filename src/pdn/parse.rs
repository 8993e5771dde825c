//! The grammar of PDN: from text to the parts of its games.
//!
//! Read beyond the standard: tags in any case and with quotes inside their values, `;` comments, leading zeros, a star
//! right behind a move as the mark of a forced one, spaces in a result, results within variations (which are left out),
//! and games that end without a result. Lines end with LF, CR LF or CR. One game at fault does not spoil the next that has
//! tags: reading goes on where the next section of tags begins.
//! Variations nest without recursion, and every step goes forward, so that time grows with the length of the text only.

use super::score::RESULTS;
use super::text::{LINE_ENDS, LineColumn};
use super::{GameText, Item, ItemKind, Tag};
use std::fmt;
use winnow::Parser;
use winnow::ascii::{digit1, multispace0, space0};
use winnow::combinator::{alt, delimited, fail, opt, preceded, repeat};
use winnow::error::{ContextError, StrContext, StrContextValue};
use winnow::token::{any, none_of, one_of, take_till, take_while};

/// How deep variations may nest.
pub const MAX_DEPTH: usize = 64;

/// Text that is no PDN: where, and what would have been read there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PdnError {
    /// Where the game begins, in bytes.
    pub game_start: usize,
    /// The same for people.
    pub game_place: LineColumn,
    /// The place, in bytes.
    pub offset: usize,
    /// The same for people.
    pub place: LineColumn,
    /// What was expected there.
    pub expected: &'static str,
    /// What stands there; none at the end.
    pub found: Option<char>,
}

impl fmt::Display for PdnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LineColumn { line, column } = self.place;
        write!(f, "expected {} at line {line}, column {column}, found ", self.expected)?;
        match self.found {
            Some(character) => write!(f, "{character:?}"),
            None => f.write_str("the end"),
        }
    }
}

impl std::error::Error for PdnError {}

/// The games of a text in their order, each read or refused.
pub fn games(text: &str) -> Games<'_> {
    games_from(text, Mark::start(text))
}

/// The games of a text from a mark on.
pub fn games_from(text: &str, mark: Mark) -> Games<'_> {
    Games { text, rest: text.get(mark.offset..).unwrap_or_default(), mark }
}

/// How far a text has been read, so that reading may go on later without going through it again.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    offset: usize,
    place: LineColumn,
    /// Behind the last closing brace no comment can end.
    last_brace: usize,
}

impl Mark {
    /// The beginning of a text.
    #[must_use]
    pub fn start(text: &str) -> Mark {
        Mark { offset: 0, place: LineColumn::START, last_brace: text.rfind('}').unwrap_or(0) }
    }
}

/// Reads one game after the other.
pub struct Games<'t> {
    text: &'t str,
    rest: &'t str,
    /// Where the game begins that is being read.
    mark: Mark,
}

impl Iterator for Games<'_> {
    type Item = Result<GameText, PdnError>;

    fn next(&mut self) -> Option<Result<GameText, PdnError>> {
        loop {
            skip_space(&mut self.rest);
            if self.rest.is_empty() {
                return None;
            }
            self.set_mark();
            let game = GameText { start: self.mark.offset, place: self.mark.place, ..GameText::default() };
            match (GameReader { games: self, game, levels: vec![HasMove(false)] }).read() {
                // A result or a remark alone belongs to a game that has its result already.
                Ok(game) if game.tags.is_empty() && !game.has_moves() => {}
                Ok(game) => return Some(Ok(game)),
                Err(error) => {
                    self.skip_game();
                    return Some(Err(error));
                }
            }
        }
    }
}

impl Games<'_> {
    /// The refusal of what stands where reading has come to.
    #[must_use]
    pub fn refused(&self, expected: &'static str) -> PdnError {
        PdnError {
            game_start: self.mark.offset,
            game_place: self.mark.place,
            offset: self.offset(),
            place: self.place_of(self.offset()),
            expected,
            found: self.rest.chars().next(),
        }
    }

    /// How far the text has been read.
    #[must_use]
    pub fn mark(mut self) -> Mark {
        self.set_mark();
        self.mark
    }

    fn offset(&self) -> usize {
        self.text.len() - self.rest.len()
    }

    fn set_mark(&mut self) {
        let offset = self.offset();
        let place = self.place_of(offset);
        self.mark = Mark { offset, place, ..self.mark };
    }

    /// Where a place in bytes behind the mark is.
    fn place_of(&self, offset: usize) -> LineColumn {
        self.mark.place.after(&self.text[self.mark.offset..offset])
    }

    /// Goes on to the next section of tags behind this line; if this is a line of tags, behind its section.
    fn skip_game(&mut self) {
        let line_start = self.text[..self.offset()].rfind(LINE_ENDS).map_or(0, |end| end + 1);
        let mut was_tag = begins_tag(&self.text[line_start..]);
        while self.skip_line(was_tag) {
            let line = self.rest.trim_start_matches([' ', '\t']);
            let is_tag = begins_tag(line);
            if is_tag && !was_tag {
                return;
            }
            let is_blank = line.starts_with(LINE_ENDS);
            was_tag = is_tag || (was_tag && is_blank);
        }
    }

    /// Goes behind the end of this line, comments included unless it is a tag; false at the end of the text.
    fn skip_line(&mut self, is_tag: bool) -> bool {
        let ends = |next: char| LINE_ENDS.contains(&next) || !is_tag && "{;".contains(next);
        while let Some(at) = self.rest.find(ends) {
            let rest = &self.rest[at..];
            let end = match rest.as_bytes().first() {
                Some(b'{') => rest.find('}').map(|end| end + 1),
                Some(b';') => rest.find(LINE_ENDS),
                _ => {
                    self.rest = &rest[1..];
                    return true;
                }
            };
            self.rest = &rest[end.unwrap_or(rest.len())..];
        }
        self.rest = "";
        false
    }
}

fn begins_tag(line: &str) -> bool {
    let name = line
        .trim_start_matches([' ', '\t'])
        .strip_prefix('[')
        .map(|rest| rest.trim_start_matches([' ', '\t']));
    name.is_some_and(|name| name.starts_with(|first: char| first.is_ascii_alphabetic()))
}

/// Reads the parts of one game.
struct GameReader<'g, 't> {
    games: &'g mut Games<'t>,
    game: GameText,
    /// The game, and the variations that are still open.
    levels: Vec<HasMove>,
}

/// Whether a game or a variation has a move, so that there is something to vary.
#[derive(Clone, Copy, PartialEq, Eq)]
struct HasMove(bool);

type Parsed<T> = Result<T, ContextError>;

impl<'t> GameReader<'_, 't> {
    fn offset(&self) -> usize {
        self.games.offset()
    }

    fn read(mut self) -> Result<GameText, PdnError> {
        loop {
            skip_space(&mut self.games.rest);
            let start = self.offset();
            match self.games.rest.chars().next() {
                Some('[') if self.has_begun(start) => break,
                Some('[') => {
                    let tag = self.token(tag)?;
                    self.game.tags.push(Tag { start, ..tag });
                }
                None => break,
                Some(next) => self.item(start, next)?,
            }
            self.game.end = self.offset();
            if self.game.terminator.is_some() {
                break;
            }
        }
        if self.levels.len() > 1 { Err(self.error("a closing parenthesis")) } else { Ok(self.game) }
    }

    /// Whether the tags before this place are over. Comments may stand among them, without an empty line.
    fn has_begun(&self, start: usize) -> bool {
        let is_remark = |item: &Item| matches!(item.kind, ItemKind::Comment(_));
        let lines = || LineColumn::START.after(&self.games.text[self.game.end..start]).line;
        let is_among_tags =
            !self.game.tags.is_empty() && self.game.items.iter().all(is_remark) && lines() <= 2;
        !self.game.items.is_empty() && !is_among_tags
    }

    fn item(&mut self, start: usize, next: char) -> Result<(), PdnError> {
        let kind = match next {
            '{' if start > self.games.mark.last_brace => {
                let error = self.error("a closing brace after the comment");
                self.games.rest = ""; // all of it is the comment
                return Err(error);
            }
            '{' | ';' => match self.token(comment)? {
                empty if empty.is_empty() => return Ok(()),
                text => ItemKind::Comment(text),
            },
            '$' => ItemKind::Nag(self.token(nag)?),
            '!' | '?' => ItemKind::Nag(self.token(strength)?),
            '(' => match self.maybe(delimited('(', strength, ')')) {
                Some(nag) => ItemKind::Nag(nag),
                None => self.open()?,
            },
            ')' => match self.close()? {
                Some(close) => close,
                None => return Ok(()),
            },
            '.' => {
                self.token(dots)?;
                return Ok(());
            }
            _ => match self.maybe(result) {
                Some("*") if self.levels.len() == 1 && self.marks_forced_move(start) => ItemKind::Nag(7),
                Some(_) if self.levels.len() > 1 => return Ok(()),
                Some(result) => {
                    self.game.terminator = Some(result.to_owned());
                    return Ok(());
                }
                None => self.number_or_move()?,
            },
        };
        self.game.items.push(Item { kind, start });
        Ok(())
    }

    fn open(&mut self) -> Result<ItemKind, PdnError> {
        if self.levels.len() > MAX_DEPTH {
            return Err(self.error("variations that nest less deep"));
        }
        if self.levels.last() != Some(&HasMove(true)) {
            return Err(self.error("a move before its variation"));
        }
        self.levels.push(HasMove(false));
        self.skip_one();
        Ok(ItemKind::Open)
    }

    /// Ends a variation; one without anything in it is left out.
    fn close(&mut self) -> Result<Option<ItemKind>, PdnError> {
        if self.levels.len() == 1 {
            return Err(self.error("a move, a comment or a result"));
        }
        self.levels.pop();
        self.skip_one();
        let is_empty = self.game.items.pop_if(|last| last.kind == ItemKind::Open).is_some();
        Ok((!is_empty).then_some(ItemKind::Close))
    }

    fn skip_one(&mut self) {
        let mut rest = self.games.rest.chars();
        rest.next();
        self.games.rest = rest.as_str();
    }

    /// A star right behind a move is a mark of that move, unless the game ends there.
    fn marks_forced_move(&self, start: usize) -> bool {
        let is_behind_move = self.games.text[..start]
            .trim_end_matches(['!', '?'])
            .ends_with(|last: char| last.is_ascii_alphanumeric());
        let follows = self.games.rest.trim_start();
        is_behind_move && !follows.is_empty() && !follows.starts_with('[')
    }

    fn number_or_move(&mut self) -> Result<ItemKind, PdnError> {
        if let Some((number, dots)) = self.maybe((digit1.parse_to::<u32>(), dots)) {
            return Ok(ItemKind::Number { number, is_second: dots > 1 });
        }
        let text = self.token(move_text)?;
        if let Some(level) = self.levels.last_mut() {
            *level = HasMove(true);
        }
        Ok(ItemKind::Move(text))
    }

    fn token<T>(&mut self, mut parser: impl Parser<&'t str, T, ContextError>) -> Result<T, PdnError> {
        parser.parse_next(&mut self.games.rest).map_err(|error| self.error(expected_by(&error)))
    }

    fn maybe<T>(&mut self, parser: impl Parser<&'t str, T, ContextError>) -> Option<T> {
        opt(parser).parse_next(&mut self.games.rest).ok().flatten()
    }

    fn error(&self, expected: &'static str) -> PdnError {
        self.games.refused(expected)
    }
}

fn expected(what: &'static str) -> StrContext {
    StrContext::Expected(StrContextValue::Description(what))
}

fn expected_by(error: &ContextError) -> &'static str {
    for context in error.context() {
        if let StrContext::Expected(StrContextValue::Description(what)) = context {
            return what;
        }
    }
    "a move, a comment or a result"
}

/// A byte-order mark in the middle, where files were joined, and the end of a file of DOS.
const BLANKS: [char; 2] = ['\u{feff}', '\u{1a}'];

/// Spaces, line ends, and lines that a percent sign hides.
fn skip_space(rest: &mut &str) {
    loop {
        let length = rest.len();
        let _: Parsed<&str> =
            take_while(0.., |next: char| next.is_whitespace() || BLANKS.contains(&next)).parse_next(rest);
        if rest.starts_with('%') {
            let _: Parsed<&str> = take_till(0.., LINE_ENDS).parse_next(rest);
        }
        if rest.len() == length {
            return;
        }
    }
}

fn tag(input: &mut &str) -> Parsed<Tag> {
    let name = take_while(1.., |next: char| next.is_ascii_alphanumeric() || next == '_');
    let name = delimited(('[', multispace0), name, multispace0)
        .context(expected("the name of a tag"))
        .parse_next(input)?;
    let value = preceded('"'.context(expected("a value in quotes")), tag_value).parse_next(input)?;
    Ok(Tag { name: name.to_owned(), value, start: 0 })
}

/// A value up to the quote that closes the tag, on one line. Quotes inside are those that no bracket follows.
fn tag_value(input: &mut &str) -> Parsed<String> {
    let mut value = String::new();
    loop {
        let next =
            none_of(LINE_ENDS).context(expected("a closing quote on the same line")).parse_next(input)?;
        match next {
            '\\' if input.starts_with(['"', '\\']) => value.push(any.parse_next(input)?),
            '"' => match opt((multispace0, ']')).parse_next(input)? {
                Some(_) => return Ok(value),
                None if input.trim_start_matches([' ', '\t']).starts_with([
                    LINE_ENDS[0],
                    LINE_ENDS[1],
                    '[',
                ]) =>
                {
                    let _ = multispace0.parse_next(input)?;
                    fail_with(input, "a closing bracket")?;
                }
                None => value.push('"'),
            },
            other => value.push(other),
        }
    }
}

fn fail_with(input: &mut &str, what: &'static str) -> Parsed<()> {
    fail.context(expected(what)).parse_next(input)
}

fn comment(input: &mut &str) -> Parsed<String> {
    let braced = delimited('{', take_while(0.., |next| next != '}'), '}');
    let to_line_end = preceded(';', take_till(0.., LINE_ENDS));
    let text = alt((braced, to_line_end))
        .context(expected("a closing brace after the comment"))
        .parse_next(input)?;
    Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn nag(input: &mut &str) -> Parsed<u16> {
    preceded('$', digit1.parse_to())
        .context(expected("a number up to 65535 after the dollar sign"))
        .parse_next(input)
}

/// `!` to `??`, as the numbers that they stand for.
fn strength(input: &mut &str) -> Parsed<u16> {
    let marks: &str = take_while(1.., ['!', '?']).parse_next(input)?;
    let (praises, doubts) = (marks.contains('!'), marks.contains('?'));
    Ok(match (praises, doubts, marks.len()) {
        (true, false, 1) => 1,
        (false, _, 1) => 2,
        (true, false, _) => 3,
        (false, _, _) => 4,
        (true, true, _) if marks.starts_with('!') => 5,
        (true, true, _) => 6,
    })
}

fn dots(input: &mut &str) -> Parsed<usize> {
    take_while(1.., '.').map(str::len).parse_next(input)
}

/// A result, and nothing that could go on as a move.
fn result(input: &mut &str) -> Parsed<&'static str> {
    let before = *input;
    for (text, _) in RESULTS {
        let (first, second) = text.split_once('-').unwrap_or((text, ""));
        let dash = |input: &mut &str| -> Parsed<()> {
            if second.is_empty() { Ok(()) } else { (space0, '-', space0).void().parse_next(input) }
        };
        if opt((first, dash, second)).parse_next(input)?.is_some() {
            let goes_on =
                input.starts_with(|next: char| next.is_ascii_alphanumeric() || "-:/".contains(next));
            if text == "*" || !goes_on {
                return Ok(text);
            }
            *input = before;
        }
    }
    fail.parse_next(input)
}

/// The letters, digits and signs of a move, without the spaces that may stand around a sign.
fn move_text(input: &mut &str) -> Parsed<String> {
    let part = |input: &mut &str| -> Parsed<()> {
        take_while(1.., |next: char| next.is_ascii_alphanumeric()).void().parse_next(input)
    };
    let sign = |input: &mut &str| -> Parsed<()> {
        (space0, one_of(['-', ':', '\u{d7}', 'x', 'X']), space0).void().parse_next(input)
    };
    let whole = (part, repeat::<_, _, (), _, _>(0.., (sign, part)), take_while(0.., ['-', ':', '\u{d7}']));
    let text = whole.take().context(expected("a move, a comment or a result")).parse_next(input)?;
    Ok(text.split_whitespace().collect())
}
