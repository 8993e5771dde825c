//! PDN, the notation in which games of draughts are stored: texts of games to and from the rules.
//!
//! Reading goes in three steps: [`text::decode`] makes text of bytes, [`parse::games`] cuts it into games and these into
//! their parts, [`play::play`] plays a game by the rules. [`write`](mod@write) goes the other way. What is read is
//! more than what is written: see each module.
//!
//! Source: the PDN standard and its grammars for reading and writing; the rules note, section 1.3.

pub mod clock;
pub mod game_type;
pub mod move_token;
pub mod parse;
pub mod play;
pub mod score;
pub mod text;
pub mod write;

use text::LineColumn;

/// A tag: `[Name "value"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Its name.
    pub name: String,
    /// Its value, without quotes.
    pub value: String,
    /// Where it stands, in bytes; 0 if it is of no text.
    pub start: usize,
}

/// A game as its text has it. Nothing is checked against any rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameText {
    /// Its tags in their order.
    pub tags: Vec<Tag>,
    /// What follows them, variations in place: a flat list, however deep they nest.
    pub items: Vec<Item>,
    /// How the text ends: one of the results of [`score`], if it does so.
    pub terminator: Option<String>,
    /// Where the game begins, in bytes.
    pub start: usize,
    /// Where it ends, in bytes.
    pub end: usize,
    /// Where it begins, for people.
    pub place: LineColumn,
}

/// A part of a game's text, and where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it is.
    pub kind: ItemKind,
    /// Where it begins, in bytes.
    pub start: usize,
}

/// A part of a game's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A move.
    Move(String),
    /// A move number, and whether dots say that the second player is to move.
    Number {
        /// The number.
        number: u32,
        /// Whether it has more than one dot.
        is_second: bool,
    },
    /// A numeric annotation: 1 for `!` and `$1`.
    Nag(u16),
    /// A remark.
    Comment(String),
    /// Moves that might have been played instead of the last one begin.
    Open,
    /// They end.
    Close,
}

impl GameText {
    /// Whether there is a move in it.
    #[must_use]
    pub fn has_moves(&self) -> bool {
        self.items.iter().any(|item| matches!(item.kind, ItemKind::Move(_)))
    }

    /// The value of the first tag of this name, whatever the case of its letters.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().find(|tag| tag.name.eq_ignore_ascii_case(name))
    }

    /// Its value.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        self.tag(name).map(|tag| tag.value.as_str())
    }
}
