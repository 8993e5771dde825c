//! Moves, alone and in lists.

use super::position::position_info;
use super::{numbers, role};
use crate::api::proto as pb;
use crate::rules::notation::move_text;
use crate::rules::{Move, MoveKind, MoveList, Position};

/// Which parts of listed moves are wanted.
#[derive(Clone, Copy, Default)]
pub(in crate::api) struct Parts {
    pub(in crate::api) notation: bool,
    pub(in crate::api) landings: bool,
    pub(in crate::api) paths: bool,
    pub(in crate::api) position_after: bool,
}

impl Parts {
    /// The parts that an answer about a single move always has.
    pub(in crate::api) const FULL: Parts =
        Parts { notation: true, landings: true, paths: false, position_after: false };
}

/// Some legal moves with the parts that are wanted; `ways` are all legal paths, if those are wanted.
pub(in crate::api) fn moves(
    position: &Position,
    wanted: &MoveList,
    legal_moves: &MoveList,
    ways: Option<&MoveList>,
    parts: Parts,
) -> Vec<pb::Move> {
    let mut encoded =
        wanted.iter().map(|listed| encoded(position, listed, legal_moves, parts)).collect::<Vec<_>>();
    if let Some(ways) = ways {
        // Both are parts of the same ordered list.
        let mut rest = encoded.iter_mut().zip(wanted.iter()).peekable();
        for (legal, ways) in legal_moves.with_ways(ways) {
            if let Some((encoded, _)) = rest.next_if(|(_, listed)| listed.is_same_move(legal)) {
                encoded.paths = ways.map(path).collect();
            }
        }
    }
    encoded
}

/// One legal move in full.
pub(in crate::api) fn one_move(position: &Position, chosen: Move<'_>, legal_moves: &MoveList) -> pb::Move {
    encoded(position, chosen, legal_moves, Parts::FULL)
}

fn encoded(position: &Position, listed: Move<'_>, legal_moves: &MoveList, parts: Parts) -> pb::Move {
    let kind = match listed.kind() {
        MoveKind::Step => pb::MoveKind::Step,
        MoveKind::Capture => pb::MoveKind::Capture,
        MoveKind::Removal => pb::MoveKind::Removal,
    };
    let role_after = listed.to().map_or(pb::Role::Unspecified, |_| role(listed.role_after()));
    let text = || move_text::write(position.ruleset(), listed, legal_moves);
    pb::Move {
        from_square: u32::from(listed.from().number()),
        to_square: listed.to().map(|to| u32::from(to.number())),
        captured: numbers(listed.captured().iter().copied()),
        kind: kind as i32,
        role_after: role_after as i32,
        landings: if parts.landings { numbers(listed.landings().iter().copied()) } else { Vec::new() },
        notation: if parts.notation { text() } else { String::new() },
        paths: Vec::new(),
        position_after: parts.position_after.then(|| position_info(&position.play(listed))),
    }
}

fn path(way: Move<'_>) -> pb::SquarePath {
    pb::SquarePath { squares: numbers(std::iter::once(way.from()).chain(way.landings().iter().copied())) }
}
