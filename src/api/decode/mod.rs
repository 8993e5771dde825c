//! From messages to the rules. Everything is checked here, once.

mod draw_state;
mod game;
mod moves;
mod position;
pub(super) mod replay;
mod rule_set;
mod vocabulary;

use super::encode::moves::Parts;
use super::fault::{Fault, FieldFault};
use super::limits::MAX_PARTS;
use super::proto as pb;
use crate::rules::Variant;

pub(super) use game::{Judge, beginning, game};
pub(super) use moves::{chosen, require_move, squares};
pub(super) use rule_set::RulesOfGame;
pub use rule_set::rule_set;

/// A limit of `Limits` that a request keeps.
pub(super) fn within(limit: &'static str, maximum: usize, actual: usize) -> Result<(), Fault> {
    if actual <= maximum { Ok(()) } else { Err(Fault::LimitExceeded { limit, maximum, actual }) }
}

/// The variant of a request that names nothing else.
pub(super) fn variant(number: i32) -> Result<Variant, Fault> {
    let mut faults = Vec::new();
    let variant = variant_number(number, "variant", &mut faults);
    if faults.is_empty() { implemented(variant, "variant") } else { Err(Fault::InvalidFields(faults)) }
}

fn variant_number(number: i32, field: &str, faults: &mut Vec<FieldFault>) -> Option<pb::Variant> {
    match pb::Variant::try_from(number) {
        Ok(pb::Variant::Unspecified) => faults.push(FieldFault::required(field)),
        Ok(variant) => return Some(variant),
        Err(_) => faults.push(FieldFault::unknown(field, number)),
    }
    None
}

fn implemented(variant: Option<pb::Variant>, field: &str) -> Result<Variant, Fault> {
    let known = variant.and_then(|variant| Variant::from_number(variant as i32));
    known.ok_or_else(|| Fault::NotImplemented { field: field.to_owned() })
}

/// The parts that a request names.
pub(super) fn parts(numbers: &[i32], field: &str, faults: &mut Vec<FieldFault>) -> Result<Parts, Fault> {
    within("max_parts", MAX_PARTS, numbers.len())?;
    let mut parts = Parts::default();
    for (index, &number) in numbers.iter().enumerate() {
        match pb::MovePart::try_from(number) {
            Ok(pb::MovePart::Notation) => parts.notation = true,
            Ok(pb::MovePart::Landings) => parts.landings = true,
            Ok(pb::MovePart::Paths) => parts.paths = true,
            Ok(pb::MovePart::PositionAfter) => parts.position_after = true,
            Ok(pb::MovePart::Unspecified) | Err(_) => {
                faults.push(FieldFault::unknown(format!("{field}[{index}]"), number));
            }
        }
    }
    Ok(parts)
}
