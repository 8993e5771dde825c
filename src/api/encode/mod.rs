//! From the rules to messages, and to the sentences that people read: one noun a file.

pub(super) mod illegal;
pub(super) mod moves;
pub(super) mod position;
pub(super) mod replay;
pub(super) mod result;
pub(super) mod variant;

use super::proto as pb;
use crate::rules::{Color, Role, Square, SquareSet};

pub(super) fn numbers(squares: impl IntoIterator<Item = Square>) -> Vec<u32> {
    squares.into_iter().map(|square| u32::from(square.number())).collect()
}

/// The numbers of squares, ascending, each once.
pub(super) fn distinct(squares: impl IntoIterator<Item = Square>) -> Vec<u32> {
    numbers(squares.into_iter().collect::<SquareSet>().iter())
}

pub(super) fn color(color: Color) -> pb::Color {
    match color {
        Color::White => pb::Color::White,
        Color::Black => pb::Color::Black,
    }
}

fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn role(role: Role) -> pb::Role {
    match role {
        Role::Man => pb::Role::Man,
        Role::King => pb::Role::King,
        Role::Parachutist => pb::Role::Parachutist,
    }
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Man => "man",
        Role::King => "king",
        Role::Parachutist => "parachutist",
    }
}
