//! Plays the game of a text by the rules, variations included.

use super::game_type::{self, GameType, Spelling};
use super::move_token::{MoveFault, resolve};
use super::score::{self, Score};
use super::{GameText, ItemKind, Tag};
use crate::rules::notation::{ParseError, fen, move_text};
use crate::rules::{
    Budget, ChooseError, Chosen, Claim, History, Outcome, Place, Position, Setup, SetupError, TooComplex,
    Variant, Verdict,
};

/// Most warnings about one game.
pub const MAX_WARNINGS: usize = 20;

/// What is known of a game before its first move.
#[derive(Clone, Debug)]
pub struct Setting {
    /// What is played.
    pub variant: Variant,
    /// How squares are written.
    pub spelling: Spelling,
    /// Where it begins.
    pub start: Position<'static>,
    /// Whether the GameType tag was not taken at its word.
    pub is_overruled: bool,
    /// Whether the Variant tag names another game.
    pub is_renamed: bool,
}

/// Why a game has no setting.
#[derive(Clone, Debug)]
pub enum SettingError {
    /// No tag says what is played.
    NoVariant,
    /// The GameType or Variant tag names a game that is not played here.
    OtherGame(Tag),
    /// The GameType tag cannot be read.
    MalformedGameType(Tag),
    /// The FEN tag cannot be read.
    MalformedFen {
        /// The tag.
        tag: Tag,
        /// Where in its value, and why.
        error: ParseError,
    },
    /// The FEN tag is no position.
    NoPosition {
        /// What is played.
        variant: Variant,
        /// What the tag claims.
        setup: Setup,
        /// Why not.
        error: SetupError,
    },
}

/// The setting of a game: of the wanted variant, or else of the one that its tags and first move fit.
///
/// # Errors
/// [`SettingError`] if there is none.
pub fn setting(
    game: &GameText,
    wanted: Option<Variant>,
    budget: &mut Budget,
) -> Result<Setting, SettingError> {
    let tag = game.tag("GameType").filter(|tag| !is_blank(tag));
    let game_type = tag.and_then(|tag| game_type::parse(&tag.value));
    if let Some(variant) = wanted {
        let is_named = |game_type: GameType| {
            game_type
                .candidates()
                .iter()
                .any(|candidate| candidate.variant == variant && candidate.is_standard)
        };
        let is_overruled = tag.is_some() && !game_type.is_some_and(is_named);
        let spelled_by = game_type.filter(|&game_type| !is_overruled || fits_board(game_type, variant));
        return with_variant(game, variant, spelled_by, is_overruled);
    }
    if let (Some(tag), Some(game_type)) = (tag, game_type) {
        return by_game_type(game, tag, game_type, budget);
    }
    let name = game.tag("Variant").filter(|tag| !is_blank(tag));
    match (tag, name, name.and_then(|name| Variant::from_name(&name.value))) {
        (_, _, Some(variant)) => with_variant(game, variant, None, tag.is_some()),
        (Some(illegible), _, None) => Err(SettingError::MalformedGameType(illegible.clone())),
        (None, Some(name), None) => Err(SettingError::OtherGame(name.clone())),
        (None, None, None) => Err(SettingError::NoVariant),
    }
}

/// Whether a tag says nothing, as some programs write one for what goes without saying.
fn is_blank(tag: &Tag) -> bool {
    tag.value.trim().is_empty()
}

fn fits_board(game_type: GameType, variant: Variant) -> bool {
    let board = variant.ruleset().board().facts();
    game_type.details.is_some_and(|details| (details.width, details.height) == (board.width, board.height))
}

/// The first variant of the number, and the first spelling, that the game fits; if it fits none, the likeliest.
fn by_game_type(
    game: &GameText,
    tag: &Tag,
    game_type: GameType,
    budget: &mut Budget,
) -> Result<Setting, SettingError> {
    let mut likeliest = None;
    for (index, candidate) in game_type.candidates().into_iter().enumerate() {
        let is_own_number = index == 0 && candidate.is_standard;
        // A game under the number of another is numbered as its own; so are files whose tag was copied from another game.
        let spellings = if is_own_number { &[Some(game_type), None][..] } else { &[None][..] };
        for (place, &spelled_by) in spellings.iter().enumerate() {
            let is_overruled = !is_own_number || place > 0;
            let setting = with_variant(game, candidate.variant, spelled_by, is_overruled);
            if setting.as_ref().is_ok_and(|setting| begins_legally(game, setting, budget)) {
                return setting;
            }
            likeliest.get_or_insert(setting);
        }
    }
    likeliest.unwrap_or_else(|| Err(SettingError::OtherGame(tag.clone())))
}

fn begins_legally(game: &GameText, setting: &Setting, budget: &mut Budget) -> bool {
    let first = game.items.iter().find_map(|item| match &item.kind {
        ItemKind::Move(text) => Some(text),
        ItemKind::Number { .. }
        | ItemKind::Nag(_)
        | ItemKind::Comment(_)
        | ItemKind::Open
        | ItemKind::Close => None,
    });
    first.is_none_or(|text| resolve(&setting.start, &setting.spelling, text, budget).is_ok())
}

fn with_variant(
    game: &GameText,
    variant: Variant,
    game_type: Option<GameType>,
    is_overruled: bool,
) -> Result<Setting, SettingError> {
    let spelling = Spelling::new(variant, game_type);
    let start = match game.tag("FEN").filter(|tag| !is_blank(tag)) {
        None => Position::start(variant.ruleset()),
        Some(tag) => set_up(variant, &spelling, tag)?,
    };
    let name = game.value("Variant").filter(|name| !name.trim().is_empty());
    let is_renamed = name.is_some_and(|name| Variant::from_name(name) != Some(variant));
    Ok(Setting { variant, spelling, start, is_overruled, is_renamed })
}

/// The position of a FEN tag. Spaces are left out; a question mark for the turn stands for the first mover.
fn set_up(variant: Variant, spelling: &Spelling, tag: &Tag) -> Result<Position<'static>, SettingError> {
    let solid = || tag.value.char_indices().filter(|(_, next)| !next.is_whitespace());
    let mut text = solid().map(|(_, next)| next).collect::<String>();
    if let Some(rest) = text.strip_prefix('?') {
        let first_mover = fen::letter(variant.ruleset().rules().first_mover);
        text = format!("{first_mover}{rest}");
    }
    let mut setup = fen::parse(&text).map_err(|error| {
        let read = text.get(..error.offset).map_or(0, |read| read.chars().count());
        let offset = solid().nth(read).map_or(tag.value.len(), |(offset, _)| offset);
        SettingError::MalformedFen { tag: tag.clone(), error: ParseError { offset, ..error } }
    })?;
    for Claim { place, .. } in &mut setup.claims {
        // What the tag's board does not have must not be taken for a square of ours.
        match spelling.square(*place) {
            Some(square) => *place = Place::Number(square.number().into()),
            None if place.on(variant.ruleset().board()).is_some() => *place = Place::Number(0),
            None => {}
        }
    }
    Position::new(variant.ruleset(), &setup).map_err(|error| SettingError::NoPosition {
        variant,
        setup,
        error,
    })
}

/// A game that was played as far as its text is legal.
#[derive(Clone, Debug)]
pub struct Played<T> {
    /// Its moves, each with what the caller made of it.
    pub plies: Vec<PlayedPly<T>>,
    /// Its text in the notation of this library, up to the end or the first illegal move.
    pub items: Vec<ItemKind>,
    /// Remarks before the first move.
    pub comments: Vec<String>,
    /// The first illegal move.
    pub stop: Option<Stop>,
    /// What is odd about the text; at most [`MAX_WARNINGS`].
    pub warnings: Vec<Warning>,
    /// How many things are odd.
    pub warning_count: u32,
    /// The result that the text states.
    pub result: Option<String>,
}

/// A move that was played.
#[derive(Clone, Debug)]
pub struct PlayedPly<T> {
    /// What the caller made of it.
    pub value: T,
    /// Its numeric annotations.
    pub nags: Vec<u16>,
    /// The remarks behind it.
    pub comments: Vec<String>,
}

/// A move that could not be played.
#[derive(Clone, Debug)]
pub struct Stop {
    /// Where it stands in the text, in bytes.
    pub start: usize,
    /// How it is written there.
    pub text: String,
    /// Why.
    pub fault: MoveFault,
}

/// Something odd that does not keep the game from being read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What.
    pub kind: WarningKind,
    /// Where, in bytes.
    pub start: usize,
    /// The part of the text that it is about.
    pub text: String,
}

/// What is odd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarningKind {
    /// The Result tag and the end of the text state different results.
    ResultTagDiffers,
    /// The text states another result than the board.
    ResultContradictsBoard,
    /// The game is of another variant than its GameType tag says.
    GameTypeOverruled,
    /// It is of another variant than its Variant tag says.
    VariantOverruled,
    /// A move of a variation is illegal; the rest of the variation is kept as a comment.
    VariationIllegal,
    /// A move has another number.
    MoveNumberUnexpected,
    /// A tag is there twice; the first one counts.
    DuplicateTag,
}

/// Plays a game. The caller makes something of each ply of the main line: of the position before it, the move, and the
/// history after it.
///
/// # Errors
/// [`TooComplex`] if that takes more steps than the budget has.
pub fn play<T>(
    game: &GameText,
    setting: &Setting,
    history: &mut History<'static>,
    budget: &mut Budget,
    on_ply: impl FnMut(&Position, &Chosen, &History) -> T,
) -> Result<Played<T>, TooComplex> {
    let played = Played {
        plies: Vec::new(),
        items: Vec::new(),
        comments: Vec::new(),
        stop: None,
        warnings: Vec::new(),
        warning_count: 0,
        result: stated_result(game),
    };
    let main = Line { before: setting.start, now: setting.start };
    let mut player = Player {
        setting,
        history,
        budget,
        on_ply,
        played,
        lines: vec![main],
        unchecked: None,
        first_number: None,
    };
    player.warn_about_tags(game);
    for item in &game.items {
        player.take(&item.kind, item.start)?;
        if player.played.stop.is_some() {
            break;
        }
    }
    player.warn_about_result(game);
    Ok(player.played)
}

/// The result at the end of the text, or else in its tag.
fn stated_result(game: &GameText) -> Option<String> {
    let tag = || game.value("Result").filter(|value| score::parse(value).is_some()).map(str::to_owned);
    match &game.terminator {
        Some(result) if result != "*" => Some(result.clone()),
        star => tag().or_else(|| star.clone()),
    }
}

/// The main line, or a variation.
struct Line {
    /// Before its last move, which a variation may replace.
    before: Position<'static>,
    now: Position<'static>,
}

/// What follows an illegal move of a variation. It may mean anything, so it is kept as a comment.
struct Unchecked {
    words: Vec<String>,
    /// The variations within it that are open.
    depth: usize,
}

struct Player<'p, T, F> {
    setting: &'p Setting,
    history: &'p mut History<'static>,
    budget: &'p mut Budget,
    on_ply: F,
    played: Played<T>,
    /// The main line and the variations that are open.
    lines: Vec<Line>,
    unchecked: Option<Unchecked>,
    /// What the move numbers began with.
    first_number: Option<u32>,
}

impl<T, F: FnMut(&Position, &Chosen, &History) -> T> Player<'_, T, F> {
    fn take(&mut self, kind: &ItemKind, start: usize) -> Result<(), TooComplex> {
        if let Some(unchecked) = self.unchecked.take() {
            self.unchecked = self.keep(unchecked, kind);
            return Ok(());
        }
        match kind {
            ItemKind::Move(text) => self.play_move(text, start)?,
            ItemKind::Number { number, is_second } => self.check_number(*number, *is_second, start),
            ItemKind::Nag(_) | ItemKind::Comment(_) => self.annotate(kind),
            ItemKind::Open => {
                if let Some(&Line { before, .. }) = self.lines.last() {
                    self.lines.push(Line { before, now: before });
                    self.played.items.push(ItemKind::Open);
                }
            }
            ItemKind::Close => {
                self.lines.pop();
                self.played.items.push(ItemKind::Close);
            }
        }
        Ok(())
    }

    fn annotate(&mut self, kind: &ItemKind) {
        self.played.items.push(kind.clone());
        if self.lines.len() > 1 {
            return;
        }
        match (kind, self.played.plies.last_mut()) {
            (ItemKind::Nag(nag), Some(ply)) => ply.nags.push(*nag),
            (ItemKind::Comment(text), Some(ply)) => ply.comments.push(text.clone()),
            (ItemKind::Comment(text), None) => self.played.comments.push(text.clone()),
            _ => {}
        }
    }

    /// Adds a part of the text to what is not checked; that ends with its variation.
    fn keep(&mut self, mut unchecked: Unchecked, kind: &ItemKind) -> Option<Unchecked> {
        let word = match kind {
            ItemKind::Move(text) | ItemKind::Comment(text) => text.clone(),
            ItemKind::Number { number, is_second } => {
                format!("{number}{}", if *is_second { "..." } else { "." })
            }
            ItemKind::Nag(nag) => format!("${nag}"),
            ItemKind::Open => {
                unchecked.depth += 1;
                "(".to_owned()
            }
            ItemKind::Close if unchecked.depth == 0 => {
                self.played.items.push(ItemKind::Comment(unchecked.words.join(" ")));
                self.played.items.push(ItemKind::Close);
                self.lines.pop();
                return None;
            }
            ItemKind::Close => {
                unchecked.depth -= 1;
                ")".to_owned()
            }
        };
        unchecked.words.push(word);
        Some(unchecked)
    }

    fn play_move(&mut self, text: &str, start: usize) -> Result<(), TooComplex> {
        let is_main = self.lines.len() == 1;
        let Some(line) = self.lines.last_mut() else { return Ok(()) };
        let chosen = match resolve(&line.now, &self.setting.spelling, text, self.budget) {
            Ok(chosen) => chosen,
            Err(MoveFault::Refused(ChooseError::TooComplex(error))) => return Err(error),
            Err(fault) if is_main => {
                self.played.stop = Some(Stop { start, text: text.to_owned(), fault });
                return Ok(());
            }
            Err(_) => {
                self.unchecked = Some(Unchecked { words: vec![text.to_owned()], depth: 0 });
                self.warn(WarningKind::VariationIllegal, start, text);
                return Ok(());
            }
        };
        line.before = line.now;
        line.now = line.now.play(chosen.get());
        let written = move_text::write(line.before.ruleset(), chosen.get(), chosen.legal_moves());
        if is_main {
            let before = line.before;
            self.history.play(chosen.get());
            let value = (self.on_ply)(&before, &chosen, self.history);
            self.played.plies.push(PlayedPly { value, nags: Vec::new(), comments: Vec::new() });
        }
        self.played.items.push(ItemKind::Move(written));
        Ok(())
    }

    fn check_number(&mut self, number: u32, is_second: bool, start: usize) {
        if self.lines.len() > 1 {
            return;
        }
        let first_mover = self.setting.start.ruleset().rules().first_mover;
        let halves = self.played.plies.len() + usize::from(self.setting.start.turn() != first_mover);
        let moves = u32::try_from(halves / 2).unwrap_or(u32::MAX);
        let first = *self.first_number.get_or_insert(number.saturating_sub(moves));
        if first.saturating_add(moves) != number || (is_second && halves.is_multiple_of(2)) {
            self.warn(WarningKind::MoveNumberUnexpected, start, &number.to_string());
        }
    }

    fn warn_about_tags(&mut self, game: &GameText) {
        let end = game.terminator.as_deref().and_then(score::parse).filter(|&end| end != Score::Unknown);
        for (index, tag) in game.tags.iter().enumerate() {
            let is = |name| tag.name.eq_ignore_ascii_case(name);
            let kind = if game.tags[..index].iter().any(|earlier| is(&earlier.name)) {
                self.warn(WarningKind::DuplicateTag, tag.start, &tag.name);
                continue;
            } else if is("GameType") && self.setting.is_overruled {
                WarningKind::GameTypeOverruled
            } else if is("Variant") && self.setting.is_renamed {
                WarningKind::VariantOverruled
            } else if is("Result")
                && end.is_some()
                && score::parse(&tag.value).is_some_and(|tag| Some(tag) != end)
            {
                WarningKind::ResultTagDiffers
            } else {
                continue;
            };
            self.warn(kind, tag.start, &tag.value);
        }
    }

    fn warn_about_result(&mut self, game: &GameText) {
        let Some(stated) = self.played.result.clone() else { return };
        let on_board = match self.history.verdict() {
            Verdict::Moves(Outcome::Ongoing) => return,
            Verdict::Moves(outcome) => outcome.winner().map(Score::Won),
            Verdict::Drawn(_) => Some(Score::Drawn),
        };
        let stated_score = score::parse(&stated);
        if self.played.stop.is_none() && stated_score != Some(Score::Unknown) && stated_score != on_board {
            self.warn(WarningKind::ResultContradictsBoard, game.end, &stated);
        }
    }

    fn warn(&mut self, kind: WarningKind, start: usize, text: &str) {
        self.played.warning_count = self.played.warning_count.saturating_add(1);
        if self.played.warnings.len() < MAX_WARNINGS {
            self.played.warnings.push(Warning { kind, start, text: text.to_owned() });
        }
    }
}
