//! Positions, and why pieces make none.

use super::{numbers, role_name};
use crate::api::proto as pb;
use crate::rules::notation::fen;
use crate::rules::{Color, Position, Role, Ruleset, Setup, Violation, ViolationKind};

pub(in crate::api) fn position_info(position: &Position) -> pb::PositionInfo {
    let placement = pb::position::Form::Placement(placement(position));
    pb::PositionInfo {
        position: Some(pb::Position { form: Some(placement) }),
        fen: fen::write(position),
        key: position.key(),
    }
}

fn placement(position: &Position) -> pb::Placement {
    let mut groups = Vec::with_capacity(4);
    for color in Color::ALL {
        for role in Role::ALL {
            let squares = position.squares(color, role);
            if !squares.is_empty() {
                let squares = numbers(squares.iter());
                groups.push(pb::Pieces {
                    color: super::color(color) as i32,
                    role: super::role(role) as i32,
                    squares,
                });
            }
        }
    }
    pb::Placement { turn: super::color(position.turn()) as i32, pieces: groups }
}

pub(in crate::api) fn violation(
    ruleset: &Ruleset,
    setup: &Setup,
    violation: Violation,
    field: String,
) -> pb::PositionViolation {
    use pb::PositionViolationKind as Kind;
    let claim = violation.claim.and_then(|index| setup.claims.get(index));
    let place = claim.map(|claim| claim.place.to_string()).unwrap_or_default();
    let (kind, explanation) = match violation.kind {
        ViolationKind::NoSuchSquare => (Kind::NoSuchSquare, format!("the board has no square {place}")),
        ViolationKind::SquareTaken => (Kind::SquareTaken, format!("two pieces stand on {place}")),
        ViolationKind::NoSuchRole => {
            let role = claim.map_or("", |claim| role_name(claim.role));
            (Kind::NoSuchRole, format!("{place}: the variant has no {role}"))
        }
        ViolationKind::UnpromotedMan => {
            (Kind::UnpromotedMan, format!("the man on {place} would have been promoted there"))
        }
        ViolationKind::OffHome => {
            (Kind::OffHome, format!("the parachutist on {place} can only stand on its home squares"))
        }
        ViolationKind::NoPieces => (Kind::NoPieces, "there is no piece".to_owned()),
        ViolationKind::WrongTurn => {
            (Kind::WrongTurn, "the number of holes shows that the other side is to move".to_owned())
        }
        ViolationKind::HoleNotRemovable => {
            (Kind::HoleNotRemovable, "the only hole is not where the first piece is removed".to_owned())
        }
    };
    let square = claim.and_then(|claim| claim.place.on(ruleset.board()));
    pb::PositionViolation {
        kind: kind as i32,
        field,
        explanation,
        square: square.map(|square| u32::from(square.number())),
    }
}
