//! Whole games as requests have them: what to answer about them, and their texts.

use super::super::limits::{MAX_PLIES, MAX_TAGS, MAX_TEXT_BYTES};
use super::position::{Fields, refused};
use super::{implemented, variant_number, within};
use crate::api::fault::{Fault, FieldFault};
use crate::api::proto as pb;
use crate::pdn::play::{self, Setting, SettingError};
use crate::pdn::text::{Decoded, decode};
use crate::pdn::{GameText, ItemKind, Tag};
use crate::rules::{Budget, Variant};

/// What to answer about a game.
#[derive(Clone, Copy, Default)]
pub(in crate::api) struct Options {
    pub(in crate::api) variant: Option<Variant>,
    pub(in crate::api) judges_draws: bool,
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
    let Some(options) = options else { return Ok(Options { judges_draws: true, ..Options::default() }) };
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
        judges_draws: options.draw_policy() != pb::DrawPolicy::None,
        with_pdn: options.with_pdn,
        with_positions: options.with_positions,
        with_clauses: options.with_clauses,
        without_plies: options.without_plies,
    })
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
    Ok(tags.iter().map(|tag| Tag { name: tag.name.clone(), value: tag.value.clone() }).collect())
}

/// The setting of a game, if it is within the limits.
pub(in crate::api) fn setting(
    game: &GameText,
    wanted: Option<Variant>,
    budget: &mut Budget,
) -> Result<Setting, Fault> {
    within("max_tags", MAX_TAGS, game.tags.len())?;
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
        SettingError::OtherGame { value } => Fault::OtherGame { field: field(), game_type: shown(&value) },
        SettingError::MalformedFen(error) => Fault::MalformedFen { field: field(), error },
        SettingError::NoPosition { variant, setup, error } => {
            refused(variant.ruleset(), &setup, &error, &Fields::Text("pdn"))
        }
    })
}

/// As much of a text as an error message should have.
pub(in crate::api) fn shown(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}
