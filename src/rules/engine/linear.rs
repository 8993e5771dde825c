//! Steps of a line of men: the rear man goes to the empty square in front of the line.

use super::word::each_bit;
use super::{Row, Sink, View, Word, steps};
use crate::rules::square::{Direction, Role};

/// Gives the steps of every line, single men included, in one direction.
pub(super) fn generate<R: Row, W: Word, S: Sink<W>>(
    view: &View<R, W>,
    movers: W,
    direction: Direction,
    sink: &mut S,
) {
    let men = view.own[Role::Man as usize];
    for rear in each_bit(movers) {
        let mut front = view.step(rear, direction);
        while !(front & men).is_empty() {
            front = view.step(front, direction);
        }
        if !(front & view.empty).is_empty() {
            steps::emit(view, Role::Man, rear, front, sink);
        }
    }
}
