//! Moves without a capture.

use super::word::each_bit;
use super::{Play, Row, Sink, View, Word, linear};
use crate::rules::moves::MoveKind;
use crate::rules::row::{Range, Steps};
use crate::rules::square::{Direction, Role};

/// Gives every step to the sink.
pub(super) fn generate<R: Row, W: Word, S: Sink<W>>(view: &View<R, W>, sink: &mut S) {
    let rules = &view.row.ruleset().rules;
    for (role, squares) in view.movers() {
        let Some(mobility) = rules.mobility(role) else { continue };
        let movers = if role == Role::Man { squares & !view.no_step() } else { squares };
        view.facing(mobility.steps).each(|direction| match (mobility.range, role, rules.steps) {
            (Range::Flying, _, _) => fly(view, role, movers, direction, sink),
            (Range::Short, Role::Man, Steps::Lines) => linear::generate(view, movers, direction, sink),
            (Range::Short, Role::Man | Role::King | Role::Parachutist, Steps::Single)
            | (Range::Short, Role::King | Role::Parachutist, Steps::Lines) => {
                walk(view, role, movers, direction, sink);
            }
        });
    }
}

fn walk<R: Row, W: Word, S: Sink<W>>(
    view: &View<R, W>,
    role: Role,
    movers: W,
    direction: Direction,
    sink: &mut S,
) {
    let reached = view.step(movers, direction) & view.empty;
    for to in each_bit(reached) {
        emit(view, role, view.step(to, direction.opposite()), to, sink);
    }
}

fn fly<R: Row, W: Word, S: Sink<W>>(
    view: &View<R, W>,
    role: Role,
    movers: W,
    direction: Direction,
    sink: &mut S,
) {
    for from in each_bit(movers) {
        let mut to = view.step(from, direction) & view.empty;
        while !to.is_empty() {
            emit(view, role, from, to, sink);
            to = view.step(to, direction) & view.empty;
        }
    }
}

pub(super) fn emit<R: Row, W: Word, S: Sink<W>>(view: &View<R, W>, role: Role, from: W, to: W, sink: &mut S) {
    let role_after = view.role_at_end(role, to);
    let play = Play { from, to, captured: W::EMPTY, role_before: role, role_after, kind: MoveKind::Step };
    sink.take(play, &[to.index() as u8], &[]);
}
