//! Whole games as requests have them: what to answer about them, and their texts.

use super::super::limits::{MAX_PLIES, MAX_TAGS, MAX_TEXT_BYTES};
use super::position::{Fields, refused};
use super::{implemented, variant_number, within};
use crate::api::encode::replay::place_in;
use crate::api::fault::{Fault, FieldFault};
use crate::api::proto as pb;
use crate::pdn::parse::PdnError;
use crate::pdn::play::{self, Setting, SettingError};
use crate::pdn::text::{Decoded, decode};
use crate::pdn::{GameText, ItemKind, Tag};
use crate::rules::{Budget, Variant};

/// What to answer about a game.
#[derive(Clone, Copy, Default)]
pub(in crate::api) struct Options {
    pub(in crate::api) variant: Option<Variant>,
    pub(in crate::api) draw_policy: pb::DrawPolicy,
    pub(in crate::api) with_pdn: bool,
    pub(in crate::api) with_positions: bool,
    pub(in crate::api) with_clauses: bool,
    pub(in crate::api) without_plies: bool,
}

/// The options of a request.
pub(in crate::api) fn options(
    options: Option<&pb::ReplayOptions>,
    faults: &mut Vec<FieldFault>,
) -> Result<Options, Fault> {
    let Some(options) = options else { return Ok(Options::default()) };
    let variant = match options.variant {
        0 => None,
        number => variant_number(number, "options.variant", faults),
    };
    let variant = variant.map(|variant| implemented(Some(variant), "options.variant")).transpose()?;
    if pb::DrawPolicy::try_from(options.draw_policy).is_err() {
        faults.push(FieldFault::unknown("options.draw_policy", options.draw_policy));
    }
    Ok(Options {
        variant,
        draw_policy: options.draw_policy(),
        with_pdn: options.with_pdn,
        with_positions: options.with_positions,
        with_clauses: options.with_clauses,
        without_plies: options.without_plies,
    })
}

/// Notes the options that a game sent as moves says itself.
pub(in crate::api) fn refuse_pdn_options(options: Option<&pb::ReplayOptions>, faults: &mut Vec<FieldFault>) {
    let Some(options) = options else { return };
    for (name, value) in [("variant", options.variant), ("draw_policy", options.draw_policy)] {
        if value != 0 {
            let field = format!("options.{name}");
            let description = format!("{field} belongs to a PDN text: game has its own {name}");
            faults.push(FieldFault { field, reason: "MISMATCH", description });
        }
    }
}

/// The text of a request.
pub(in crate::api) fn text(pdn: Option<&pb::PdnText>, faults: &mut Vec<FieldFault>) -> Option<Decoded> {
    match pdn.and_then(|pdn| pdn.form.as_ref()) {
        Some(pb::pdn_text::Form::Text(text)) => Some(decode(text.as_bytes())),
        Some(pb::pdn_text::Form::Bytes(bytes)) => Some(decode(bytes)),
        None => {
            faults.push(FieldFault::required("pdn"));
            None
        }
    }
}

/// The tags of a request.
pub(in crate::api) fn tags(tags: &[pb::Tag], faults: &mut Vec<FieldFault>) -> Result<Vec<Tag>, Fault> {
    within("max_tags", MAX_TAGS, tags.len())?;
    for (index, tag) in tags.iter().enumerate() {
        within("max_text_bytes", MAX_TEXT_BYTES, tag.name.len().max(tag.value.len()))?;
        let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let field = format!("tags[{index}].name");
        if tag.name.is_empty() {
            faults.push(FieldFault::required(field));
        } else if !is_name(&tag.name) {
            let description = format!("{field} has other characters than letters, digits and underscores");
            faults.push(FieldFault { field, reason: "MALFORMED", description });
        }
    }
    Ok(tags.iter().map(|tag| Tag { name: tag.name.clone(), value: tag.value.clone(), start: 0 }).collect())
}

/// The setting of a game, if it is within the limits.
pub(in crate::api) fn setting(
    game: &GameText,
    text: &str,
    wanted: Option<Variant>,
    budget: &mut Budget,
) -> Result<Setting, Fault> {
    within("max_tags", MAX_TAGS, game.tags.len())?;
    for tag in &game.tags {
        within("max_text_bytes", MAX_TEXT_BYTES, tag.name.len().max(tag.value.len()))?;
    }
    let moves = game.items.iter().filter(|item| matches!(item.kind, ItemKind::Move(_))).count();
    within("max_plies", MAX_PLIES, moves)?;
    let field = || "pdn".to_owned();
    play::setting(game, wanted, budget).map_err(|error| match error {
        SettingError::NoVariant => {
            let description =
                "options.variant must be set: the game has neither the tag GameType nor Variant".to_owned();
            let field = "options.variant".to_owned();
            Fault::InvalidFields(vec![FieldFault { field, reason: "REQUIRED", description }])
        }
        SettingError::OtherGame(tag) => {
            Fault::OtherGame { field: field(), tag: tag.name.clone(), value: shown(&tag.value) }
        }
        SettingError::MalformedGameType(tag) => malformed_tag(game, text, &tag, 0, GAME_TYPE),
        SettingError::MalformedFen { tag, error } => {
            malformed_tag(game, text, &tag, error.offset, error.expected)
        }
        SettingError::NoPosition { variant, setup, error } => {
            refused(variant.ruleset(), &setup, &error, &Fields::Text("pdn".to_owned()))
        }
    })
}

/// What a GameType tag should have.
const GAME_TYPE: &str = "the number of a game in the GameType tag, with or without its details";

/// The value of a tag cannot be read at this offset.
fn malformed_tag(game: &GameText, text: &str, tag: &Tag, offset: usize, expected: &'static str) -> Fault {
    let quote = text.get(tag.start..).and_then(|rest| rest.find('"')).unwrap_or_default();
    let offset = tag.start + quote + 1 + offset;
    let error = PdnError {
        game_start: game.start,
        game_place: game.place,
        offset,
        place: place_in(game, text, offset),
        expected,
        found: text.get(offset..).and_then(|rest| rest.chars().next()),
    };
    Fault::MalformedPdn { field: "pdn".to_owned(), error }
}

/// As much of a text as an error message should have.
pub(in crate::api) fn shown(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}
