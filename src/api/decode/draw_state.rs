//! The history of a position as a client sends it back.

use super::super::limits::{MAX_DRAW_STATE_POSITIONS, MAX_PARTS};
use super::within;
use crate::api::fault::{Fault, FieldFault};
use crate::api::proto as pb;
use crate::rules::draws::DrawClause;
use crate::rules::{Count, DrawState, KEY_VERSION};
use std::collections::HashSet;

/// What a draw state tells of these clauses.
pub(super) fn told(
    state: &pb::DrawState,
    clauses: &[DrawClause],
    faults: &mut Vec<FieldFault>,
) -> Result<DrawState, Fault> {
    within("max_draw_state_positions", MAX_DRAW_STATE_POSITIONS, state.positions.len())?;
    within("max_parts", MAX_PARTS, state.counts.len())?;
    match state.key_version {
        0 => faults.push(FieldFault::required("game.draw_state.key_version")),
        KEY_VERSION => {}
        other => faults.push(FieldFault::unknown("game.draw_state.key_version", other)),
    }
    let mut keys = HashSet::new();
    for (index, position) in state.positions.iter().enumerate() {
        let field = |name: &str| format!("game.draw_state.positions[{index}].{name}");
        if position.count == 0 {
            faults.push(FieldFault::required(field("count")));
        }
        if !keys.insert(position.key) {
            faults.push(FieldFault::duplicate(field("key")));
        }
    }
    Ok(DrawState {
        positions: state.positions.iter().map(|position| (position.key, position.count)).collect(),
        is_partial: state.is_partial,
        counts: counts(state, clauses, faults),
    })
}

fn counts(
    state: &pb::DrawState,
    clauses: &[DrawClause],
    faults: &mut Vec<FieldFault>,
) -> Vec<(&'static str, Count)> {
    let mut counts: Vec<(&'static str, Count)> = Vec::new();
    for (index, told) in state.counts.iter().enumerate() {
        let field = || format!("game.draw_state.counts[{index}].id");
        match clauses.iter().find(|clause| clause.id == told.id) {
            None => {} // of a server with other clauses
            Some(clause) if counts.iter().any(|(id, _)| *id == clause.id) => {
                faults.push(FieldFault::duplicate(field()));
            }
            Some(clause) => counts.push((clause.id, Count { count: told.count, is_exact: told.is_exact })),
        }
    }
    counts
}
