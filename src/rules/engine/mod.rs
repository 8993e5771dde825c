//! The move generator: one algorithm for every row of the table.
//!
//! It is generic over how it gets its row and over the width of its words. With [`Fixed`] the row is a constant and the
//! compiler folds its questions away; with [`Looked`] the same code asks them of a row made at run time. It never names
//! a variant.

mod captures;
mod linear;
mod prefer;
mod removals;
mod steps;
mod word;

pub(super) use prefer::Tally;
pub(crate) use word::Word;

use super::moves::{Budget, MoveKind, TooComplex};
use super::row::{Obligation, Opening};
use super::ruleset::Ruleset;
use super::square::{Color, Direction, Directions, Role};
use super::table::RULESETS;

/// How the engine gets its row.
pub(crate) trait Row: Copy {
    fn ruleset(&self) -> &Ruleset;
}

/// The row at this place of the table: a constant.
#[derive(Clone, Copy)]
pub(crate) struct Fixed<const PLACE: usize>;

impl<const PLACE: usize> Row for Fixed<PLACE> {
    fn ruleset(&self) -> &Ruleset {
        &RULESETS[PLACE]
    }
}

/// A row made at run time.
#[derive(Clone, Copy)]
pub(crate) struct Looked<'r>(pub(super) &'r Ruleset);

impl Row for Looked<'_> {
    fn ruleset(&self) -> &Ruleset {
        self.0
    }
}

/// A position in words: pieces by color and role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State<W> {
    pub(super) pieces: [[W; 3]; 2],
    pub(super) turn: Color,
}

impl<W: Word> State<W> {
    pub(super) fn all(&self, color: Color) -> W {
        let [men, kings, third] = self.pieces[color as usize];
        men | kings | third
    }

    /// The state after a move.
    pub(super) fn after(&self, play: &Play<W>) -> State<W> {
        let mut pieces = self.pieces;
        let [ours, theirs] = if self.turn == Color::White { [0, 1] } else { [1, 0] };
        let role = play.role_before as usize;
        pieces[ours][role] &= !play.from;
        if play.kind != MoveKind::Removal {
            let role = play.role_after as usize;
            pieces[ours][role] |= play.to;
        }
        if play.kind == MoveKind::Capture {
            for enemies in &mut pieces[theirs] {
                *enemies &= !play.captured;
            }
        }
        State { pieces, turn: self.turn.other() }
    }
}

/// A move in words. `to` is empty for a removal, `captured` for a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Play<W> {
    pub(super) from: W,
    pub(super) to: W,
    pub(super) captured: W,
    pub(super) role_before: Role,
    pub(super) role_after: Role,
    pub(super) kind: MoveKind,
}

/// Where generated moves go. Each capture comes once for each way to make it.
pub(super) trait Sink<W> {
    /// Whether ways that differ only in where a flying piece lands before it goes straight on are all wanted.
    const EVERY_LANDING: bool;
    /// Forget all captures so far: one has come that takes precedence over them.
    fn drop_captures(&mut self);
    /// A move, with the bit indices of its landing squares and of the captured squares in their order.
    fn take(&mut self, play: Play<W>, landings: &[u8], victims: &[u8]);
}

/// Gives every legal move of a state to the sink, as far as it is made by one of the movers.
pub(super) fn generate<R: Row, W: Word, S: Sink<W>>(
    row: R,
    state: &State<W>,
    movers: W,
    budget: &mut Budget,
    sink: &mut S,
) -> Result<(), TooComplex> {
    let view = View::new(row, state, movers);
    if let Opening::Removals(first) = row.ruleset().rules.opening
        && removals::generate(&view, first, sink)
    {
        return Ok(());
    }
    let captured = captures::generate(&view, budget, sink)?;
    if !captured || row.ruleset().rules.obligation == Obligation::MayCapture {
        steps::generate(&view, sink);
    }
    Ok(())
}

/// Whether the side to move has a legal move. Never expensive: no capture is followed to its end.
pub(super) fn can_move<R: Row, W: Word>(row: R, state: &State<W>) -> bool {
    struct Any(bool);
    impl<W> Sink<W> for Any {
        const EVERY_LANDING: bool = false;
        fn drop_captures(&mut self) {}
        fn take(&mut self, _: Play<W>, _: &[u8], _: &[u8]) {
            self.0 = true;
        }
    }
    let view = View::new(row, state, state.all(state.turn));
    let mut any = Any(false);
    if let Opening::Removals(first) = row.ruleset().rules.opening
        && removals::generate(&view, first, &mut any)
    {
        return any.0;
    }
    if captures::exist(&view) {
        return true;
    }
    steps::generate(&view, &mut any);
    any.0
}

/// Whether the side to move can capture.
pub(super) fn can_capture<R: Row, W: Word>(row: R, state: &State<W>) -> bool {
    captures::exist(&View::new(row, state, state.all(state.turn)))
}

/// The questions that every part of the engine asks about one side of one state.
#[derive(Clone, Copy)]
struct View<R, W> {
    row: R,
    side: Color,
    own: [W; 3],
    movers: W,
    enemies: [W; 3],
    empty: W,
}

impl<R: Row, W: Word> View<R, W> {
    fn new(row: R, state: &State<W>, movers: W) -> View<R, W> {
        let occupied = state.all(Color::White) | state.all(Color::Black);
        View {
            row,
            side: state.turn,
            own: state.pieces[state.turn as usize],
            movers,
            enemies: state.pieces[state.turn.other() as usize],
            empty: W::narrow(row.ruleset().board.squares) & !occupied,
        }
    }

    fn all_enemies(&self) -> W {
        self.enemies[0] | self.enemies[1] | self.enemies[2]
    }

    /// Directions of a side that heads up, as this side has them.
    fn facing(&self, directions: Directions) -> Directions {
        self.row.ruleset().facing(directions, self.side)
    }

    /// All squares of a set moved one step; those at the edge fall off.
    fn step(&self, squares: W, direction: Direction) -> W {
        let board = &self.row.ruleset().board;
        let leaving = squares & W::narrow(board.from[direction as usize]);
        let shift = board.shift[direction as usize];
        if shift >= 0 {
            leaving << shift.unsigned_abs().into()
        } else {
            leaving >> shift.unsigned_abs().into()
        }
    }

    fn promotion(&self) -> W {
        W::narrow(self.row.ruleset().promotion[self.side as usize])
    }

    /// What a piece is that ends its move here.
    fn role_at_end(&self, role: Role, to: W) -> Role {
        match role {
            Role::Man | Role::Parachutist if !(to & self.promotion()).is_empty() => Role::King,
            Role::Man | Role::Parachutist => Role::Man,
            Role::King => Role::King,
        }
    }

    /// The squares from which this side's men make no step.
    fn no_step(&self) -> W {
        W::narrow(self.row.ruleset().no_step[self.side as usize])
    }

    /// The movers of each role that has any.
    fn movers(&self) -> impl Iterator<Item = (Role, W)> + use<R, W> {
        let (own, movers) = (self.own, self.movers);
        let by_role = Role::ALL.into_iter().map(move |role| (role, own[role as usize] & movers));
        by_role.filter(|(_, squares)| !squares.is_empty())
    }
}
