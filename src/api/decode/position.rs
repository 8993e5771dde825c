//! Positions as requests have them.

use super::super::limits::{MAX_DETAILS, MAX_PIECES, MAX_TEXT_BYTES};
use super::within;
use crate::api::encode::position;
use crate::api::fault::{Fault, FieldFault};
use crate::api::proto as pb;
use crate::rules::notation::fen;
use crate::rules::{Claim, Color, Place, Position, Role, Ruleset, Setup, SetupError};

/// Where in the request each claimed piece stands.
pub(super) enum Fields {
    /// All in one text.
    Text(String),
    /// For each claim the index of its group and its index there.
    Placement(Vec<(usize, usize)>),
}

impl Fields {
    fn path(&self, claim: Option<usize>) -> String {
        match (self, claim) {
            (Fields::Text(path), _) => path.clone(),
            (Fields::Placement(places), Some(claim)) => {
                let (group, index) = places.get(claim).copied().unwrap_or_default();
                format!("game.position.placement.pieces[{group}].squares[{index}]")
            }
            (Fields::Placement(_), None) => "game.position.placement".to_owned(),
        }
    }
}

pub(super) fn claimed(
    position: &pb::Position,
    faults: &mut Vec<FieldFault>,
) -> Result<Option<(Setup, Fields)>, Fault> {
    match &position.form {
        None => {
            faults.push(FieldFault::required("game.position"));
            Ok(None)
        }
        Some(pb::position::Form::Fen(text)) => {
            within("max_text_bytes", MAX_TEXT_BYTES, text.len())?;
            let field = "game.position.fen".to_owned();
            let setup = fen::parse(text).map_err(|error| Fault::MalformedFen { field, error })?;
            Ok(Some((setup, Fields::Text("game.position.fen".to_owned()))))
        }
        Some(pb::position::Form::Placement(placement)) => placed(placement, faults),
    }
}

fn placed(placement: &pb::Placement, faults: &mut Vec<FieldFault>) -> Result<Option<(Setup, Fields)>, Fault> {
    let path = "game.position.placement";
    within("max_pieces", MAX_PIECES, placement.pieces.len())?;
    within("max_pieces", MAX_PIECES, placement.pieces.iter().map(|pieces| pieces.squares.len()).sum())?;
    let turn = color(placement.turn, || format!("{path}.turn"), faults);
    let mut claims = Vec::new();
    let mut fields = Vec::new();
    for (group, pieces) in placement.pieces.iter().enumerate() {
        let color = color(pieces.color, || format!("{path}.pieces[{group}].color"), faults);
        let role = role(pieces.role, || format!("{path}.pieces[{group}].role"), faults);
        let (Some(color), Some(role)) = (color, role) else { continue };
        for (index, &number) in pieces.squares.iter().enumerate() {
            claims.push(Claim { color, role, place: Place::Number(number) });
            fields.push((group, index));
        }
    }
    Ok(turn.map(|turn| (Setup { turn, claims }, Fields::Placement(fields))))
}

fn color(number: i32, field: impl FnOnce() -> String, faults: &mut Vec<FieldFault>) -> Option<Color> {
    match pb::Color::try_from(number) {
        Ok(pb::Color::White) => return Some(Color::White),
        Ok(pb::Color::Black) => return Some(Color::Black),
        Ok(pb::Color::Unspecified) => faults.push(FieldFault::required(field())),
        Err(_) => faults.push(FieldFault::unknown(field(), number)),
    }
    None
}

fn role(number: i32, field: impl FnOnce() -> String, faults: &mut Vec<FieldFault>) -> Option<Role> {
    match pb::Role::try_from(number) {
        Ok(pb::Role::Man) => return Some(Role::Man),
        Ok(pb::Role::King) => return Some(Role::King),
        Ok(pb::Role::Parachutist) => return Some(Role::Parachutist),
        Ok(pb::Role::Unspecified) => faults.push(FieldFault::required(field())),
        Err(_) => faults.push(FieldFault::unknown(field(), number)),
    }
    None
}

pub(super) fn valid<'r>(ruleset: &'r Ruleset, setup: &Setup, fields: &Fields) -> Result<Position<'r>, Fault> {
    Position::new(ruleset, setup).map_err(|error| refused(ruleset, setup, &error, fields))
}

/// Why a setup is no position.
pub(super) fn refused(ruleset: &Ruleset, setup: &Setup, error: &SetupError, fields: &Fields) -> Fault {
    let violations = error.violations.iter().take(MAX_DETAILS);
    let encoded = violations
        .map(|violation| position::violation(ruleset, setup, *violation, fields.path(violation.claim)));
    Fault::InvalidPosition { violations: encoded.collect(), count: error.violations.len() }
}
