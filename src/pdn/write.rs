//! Writes games as PDN that other programs read: the seven tags in their order, lines of at most 80 characters, one
//! spelling of everything.

use super::ItemKind;
use super::Tag;
use super::score::{self, Score};
use crate::rules::notation::fen;
use crate::rules::{Position, Variant};

/// Longest line of moves, in characters.
const LINE: usize = 80;
/// The tags that every game has, and what stands there when nothing is known.
const ROSTER: [(&str, &str); 6] =
    [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?"), ("White", "?"), ("Black", "?")];
/// The tags that follow from the game.
const DERIVED: [&str; 5] = ["Result", "GameType", "Variant", "SetUp", "FEN"];

/// A game to be written.
#[derive(Clone, Copy, Debug)]
pub struct Record<'r> {
    /// What is played.
    pub variant: Variant,
    /// Where it begins.
    pub start: &'r Position<'r>,
    /// Tags besides those that follow from the game, which are left out if they are here.
    pub tags: &'r [Tag],
    /// The moves in the variant's notation, and what stands between them. Move numbers are left out.
    pub items: &'r [ItemKind],
    /// How it ended.
    pub score: Score,
}

/// Writes a game, and an empty line behind it.
#[must_use]
pub fn write(record: &Record<'_>) -> String {
    let mut text = String::new();
    let result = score::write(record.variant, record.score);
    for (name, value) in tags(record, result) {
        push_tag(&mut text, &name, &value);
    }
    text.push('\n');
    let mut words = words(record);
    words.push(result.to_owned());
    let mut column = 0;
    for word in &words {
        let length = word.chars().count();
        if column > 0 {
            let fits = column + 1 + length <= LINE;
            text.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        text.push_str(word);
        column += length;
    }
    text.push_str("\n\n");
    text
}

fn tags(record: &Record<'_>, result: &str) -> Vec<(String, String)> {
    let given = |name: &str| record.tags.iter().find(|tag| tag.name.eq_ignore_ascii_case(name));
    let value = |name, unknown: &str| given(name).map_or(unknown.to_owned(), |tag| tag.value.clone());
    let mut tags = ROSTER.map(|(name, unknown)| (name.to_owned(), value(name, unknown))).to_vec();
    tags.push(("Result".to_owned(), result.to_owned()));
    let about = record.variant.about();
    tags.push(match about.pdn_game_type {
        Some(game_type) => ("GameType".to_owned(), game_type.to_owned()),
        None => ("Variant".to_owned(), about.name.to_owned()),
    });
    if *record.start != Position::start(record.variant.ruleset()) {
        tags.push(("SetUp".to_owned(), "1".to_owned()));
        tags.push(("FEN".to_owned(), fen::write(record.start)));
    }
    for tag in record.tags {
        let is_known = |name: &str| name.eq_ignore_ascii_case(&tag.name);
        let is_derived = DERIVED.iter().any(|&name| is_known(name));
        if !is_derived && !tags.iter().any(|(name, _)| is_known(name)) {
            tags.push((tag.name.clone(), tag.value.clone()));
        }
    }
    tags
}

fn push_tag(text: &mut String, name: &str, value: &str) {
    text.push('[');
    text.push_str(name);
    text.push_str(" \"");
    for character in value.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            control if control.is_control() => text.push(' '),
            other => text.push(other),
        }
    }
    text.push_str("\"]\n");
}

/// The words of the moves: pieces of text between which a line may end.
fn words(record: &Record<'_>) -> Vec<String> {
    let is_second = record.start.turn() != record.variant.ruleset().rules().first_mover;
    let mut writer =
        Writer { words: Vec::new(), plies: vec![usize::from(is_second)], numbers_next: true, opens: 0 };
    for item in record.items {
        writer.item(item);
    }
    writer.words
}

struct Writer {
    words: Vec<String>,
    /// The number of plies before the next move, of the main line and of each variation that is open.
    plies: Vec<usize>,
    /// Whether the next move needs its number even if the second player makes it.
    numbers_next: bool,
    /// Parentheses to be opened before the next word.
    opens: usize,
}

impl Writer {
    fn item(&mut self, item: &ItemKind) {
        match item {
            ItemKind::Move(text) => self.one_move(text),
            ItemKind::Number { .. } => {}
            ItemKind::Nag(nag) => self.push(format!("${nag}")),
            ItemKind::Comment(text) => self.comment(text),
            ItemKind::Open => {
                let ply = self.plies.last().map_or(0, |ply| ply.saturating_sub(1));
                self.plies.push(ply);
                self.opens += 1;
                self.numbers_next = true;
            }
            ItemKind::Close => {
                self.plies.pop();
                self.close();
                self.numbers_next = true;
            }
        }
    }

    fn one_move(&mut self, text: &str) {
        let Some(ply) = self.plies.last_mut() else { return };
        let (number, is_second) = (*ply / 2 + 1, *ply % 2 == 1);
        *ply += 1;
        if !is_second {
            self.push(format!("{number}."));
        } else if self.numbers_next {
            self.push(format!("{number}..."));
        }
        self.push(text.to_owned());
        self.numbers_next = false;
    }

    /// A comment, in which nothing may close it.
    fn comment(&mut self, text: &str) {
        let text = text.replace('}', ")");
        let words = text.split_whitespace().collect::<Vec<_>>();
        let Some(last) = words.len().checked_sub(1) else { return };
        for (index, word) in words.iter().enumerate() {
            let opening = if index == 0 { "{" } else { "" };
            let closing = if index == last { "}" } else { "" };
            self.push(format!("{opening}{word}{closing}"));
        }
        self.numbers_next = true;
    }

    fn push(&mut self, word: String) {
        let opening = "(".repeat(std::mem::take(&mut self.opens));
        self.words.push(opening + &word);
    }

    fn close(&mut self) {
        // An empty variation has no word to stand behind.
        if self.opens > 0 {
            self.opens -= 1;
        } else if let Some(last) = self.words.last_mut() {
            last.push(')');
        }
    }
}
