//! The opening in which each side takes one of its own pieces off the full board.

use super::word::each_bit;
use super::{Play, Row, Sink, View, Word};
use crate::rules::moves::MoveKind;
use crate::rules::square::{Direction, Role, SquareSet};

/// Gives the removals to the sink if the board shows that they are due: no hole, or one.
pub(super) fn generate<R: Row, W: Word, S: Sink<W>>(
    view: &View<R, W>,
    first: SquareSet,
    sink: &mut S,
) -> bool {
    let allowed = match view.empty.len() {
        0 => W::narrow(view.row.ruleset().board.to_bits(first)),
        1 => orthogonal_neighbors(view, view.empty),
        _ => return false,
    };
    for (role, squares) in view.movers() {
        for from in each_bit(squares & allowed) {
            sink.take(removal(role, from), &[], &[]);
        }
    }
    true
}

fn orthogonal_neighbors<R: Row, W: Word>(view: &View<R, W>, hole: W) -> W {
    [Direction::North, Direction::East, Direction::South, Direction::West]
        .into_iter()
        .fold(W::EMPTY, |found, direction| found | view.step(hole, direction))
}

fn removal<W: Word>(role: Role, from: W) -> Play<W> {
    let kind = MoveKind::Removal;
    Play { from, to: W::EMPTY, captured: W::EMPTY, role_before: role, role_after: role, kind }
}
