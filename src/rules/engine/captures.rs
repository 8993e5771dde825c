//! Captures: a depth-first walk over all ways to jump on.

use super::word::each_bit;
use super::{Play, Row, Sink, Tally, View, Word};
use crate::rules::board::MAX_BITS;
use crate::rules::moves::{Budget, MoveKind, TooComplex};
use crate::rules::row::{Landing, Mobility, Prey, PromotionInCapture, Range, Removal, Stopping, Turning};
use crate::rules::square::{Direction, Directions, Role};
use std::cmp::Ordering;

/// Gives every capture that no other takes precedence over to the sink, and says whether there is any.
pub(super) fn generate<R: Row, W: Word, S: Sink<W>>(
    view: &View<R, W>,
    budget: &mut Budget,
    sink: &mut S,
) -> Result<bool, TooComplex> {
    let mut walk = Walk::new(*view, budget, sink);
    for (role, squares) in view.movers() {
        let Some(mobility) = view.row.ruleset().rules.mobility(role) else { continue };
        let first = view.facing(mobility.first_jumps);
        for from in each_bit(jumpers(view, mobility, squares, first)) {
            walk.start(from, role, first)?;
        }
    }
    Ok(walk.best.is_some())
}

/// Whether there is any capture.
pub(super) fn exist<R: Row, W: Word>(view: &View<R, W>) -> bool {
    view.movers().any(|(role, squares)| {
        view.row.ruleset().rules.mobility(role).is_some_and(|mobility| {
            let first = view.facing(mobility.first_jumps);
            each_bit(jumpers(view, mobility, squares, first))
                .any(|from| first.iter().any(|direction| jump(view, from, mobility, direction).is_some()))
        })
    })
}

/// The pieces that may have a jump: for short ones exactly those that have.
fn jumpers<R: Row, W: Word>(view: &View<R, W>, mobility: &Mobility, squares: W, first: Directions) -> W {
    match mobility.range {
        Range::Flying => squares,
        Range::Short => {
            let mut found = W::EMPTY;
            first.each(|direction| {
                let over = view.step(squares, direction) & prey(view, mobility);
                let landing = view.step(over, direction) & view.empty;
                let back = direction.opposite();
                found |= view.step(view.step(landing, back), back);
            });
            found
        }
    }
}

fn prey<R: Row, W: Word>(view: &View<R, W>, mobility: &Mobility) -> W {
    match mobility.prey {
        Prey::Any => view.all_enemies(),
        Prey::NoKings => view.all_enemies() & !view.enemies[Role::King as usize],
    }
}

/// The piece that can be jumped in a direction, and the square directly behind it.
fn jump<R: Row, W: Word>(
    view: &View<R, W>,
    at: W,
    mobility: &Mobility,
    direction: Direction,
) -> Option<(W, W)> {
    let mut over = view.step(at, direction);
    if mobility.range == Range::Flying {
        while !(over & view.empty).is_empty() {
            over = view.step(over, direction);
        }
    }
    let over = over & prey(view, mobility);
    let landing = view.step(over, direction) & view.empty;
    (!landing.is_empty()).then_some((over, landing))
}

/// One capture in the making. In its view the square it left is empty, and captured pieces are no enemies any more.
struct Walk<'a, R, W, S> {
    view: View<R, W>,
    from: W,
    role_before: Role,
    captured: W,
    tally: Tally,
    /// Bit indices, as many as the tally has pieces.
    landings: [u8; MAX_BITS],
    /// Bit indices, as many as the tally has pieces.
    victims: [u8; MAX_BITS],
    best: Option<Tally>,
    budget: &'a mut Budget,
    sink: &'a mut S,
}

impl<'a, R: Row, W: Word, S: Sink<W>> Walk<'a, R, W, S> {
    fn new(view: View<R, W>, budget: &'a mut Budget, sink: &'a mut S) -> Walk<'a, R, W, S> {
        Walk {
            view,
            from: W::EMPTY,
            role_before: Role::Man,
            captured: W::EMPTY,
            tally: Tally::default(),
            landings: [0; MAX_BITS],
            victims: [0; MAX_BITS],
            best: None,
            budget,
            sink,
        }
    }

    /// Walks all captures of one piece.
    fn start(&mut self, from: W, role: Role, first: Directions) -> Result<(), TooComplex> {
        self.from = from;
        self.role_before = role;
        self.tally = Tally { with_king: role == Role::King, ..Tally::default() };
        self.view.empty |= from;
        self.go_on(from, role, first)?;
        self.view.empty &= !from;
        Ok(())
    }

    /// Tries every jump from a square; says whether there was one.
    fn go_on(&mut self, at: W, role: Role, directions: Directions) -> Result<bool, TooComplex> {
        self.budget.spend()?;
        let Some(&mobility) = self.view.row.ruleset().rules.mobility(role) else { return Ok(false) };
        let mut found = false;
        directions.try_each(|direction| {
            let Some((over, landing)) = jump(&self.view, at, &mobility, direction) else { return Ok(()) };
            found = true;
            self.take(over, landing, role, &mobility, direction)
        })?;
        Ok(found)
    }

    /// Jumps over a piece, goes on from each landing square, and puts the piece back.
    fn take(
        &mut self,
        over: W,
        first_landing: W,
        role: Role,
        mobility: &Mobility,
        direction: Direction,
    ) -> Result<(), TooComplex> {
        let before = (self.captured, self.tally, self.view.empty, self.view.enemies);
        self.victims[self.tally.pieces as usize] = over.index() as u8;
        self.captured |= over;
        self.tally = self.tally.and(!(over & self.view.enemies[Role::King as usize]).is_empty());
        for enemies in &mut self.view.enemies {
            *enemies &= !over;
        }
        if self.view.row.ruleset().rules.removal == Removal::AtOnce {
            self.view.empty |= over;
        }
        match mobility.range {
            Range::Short => self.land(first_landing, role, direction),
            Range::Flying => self.land_along(first_landing, role, mobility, direction),
        }?;
        (self.captured, self.tally, self.view.empty, self.view.enemies) = before;
        Ok(())
    }

    /// Lands on the one square where the piece can land.
    fn land(&mut self, at: W, role: Role, direction: Direction) -> Result<(), TooComplex> {
        let went_on = self.go_on_from(at, role, direction, false)?;
        if !went_on || self.view.row.ruleset().rules.stopping == Stopping::AtWill {
            self.finish(at, role)?;
        }
        Ok(())
    }

    /// Lands on each square along the line where a flying piece may land.
    fn land_along(
        &mut self,
        first: W,
        role: Role,
        mobility: &Mobility,
        direction: Direction,
    ) -> Result<(), TooComplex> {
        let row = self.view.row;
        let rules = &row.ruleset().rules;
        if rules.landing == Landing::DirectlyBehind {
            return self.land(first, role, direction);
        }
        // What lies straight ahead is reached alike from every landing square: walk it from the first one only.
        let merges_straight = !S::EVERY_LANDING
            && self.view.facing(mobility.later_jumps).contains(direction)
            && jump(&self.view, first, mobility, direction).is_some();
        let mut landings = W::EMPTY;
        let mut going_on = W::EMPTY;
        let mut at = first;
        while !at.is_empty() {
            let skip_straight = merges_straight && at != first;
            let went_on = self.go_on_from(at, role, direction, skip_straight)? || skip_straight;
            let may_end = !went_on || rules.stopping == Stopping::AtWill;
            if may_end && rules.landing == Landing::Any {
                self.finish(at, role)?;
            }
            landings |= at;
            if went_on {
                going_on |= at;
            }
            at = self.view.step(at, direction) & self.view.empty;
        }
        if rules.landing == Landing::WhereItGoesOn {
            let ends = match rules.stopping {
                _ if going_on.is_empty() => landings,
                Stopping::AtWill => going_on,
                Stopping::NotWhileItGoesOn => W::EMPTY,
            };
            for at in each_bit(ends) {
                self.finish(at, role)?;
            }
        }
        Ok(())
    }

    /// Goes on from a landing square, if the rules let this piece; says whether it could.
    fn go_on_from(
        &mut self,
        at: W,
        role: Role,
        direction: Direction,
        skip_straight: bool,
    ) -> Result<bool, TooComplex> {
        self.landings[self.tally.pieces as usize - 1] = at.index() as u8;
        let rules = &self.view.row.ruleset().rules;
        let mut role = role;
        if role == Role::Man && !(at & self.view.promotion()).is_empty() {
            match rules.promotion_in_capture {
                PromotionInCapture::Stop => return Ok(false),
                PromotionInCapture::Pass => {}
                PromotionInCapture::GoOnAsKing => role = Role::King,
            }
        }
        let Some(mobility) = rules.mobility(role) else { return Ok(false) };
        let later = self.view.facing(mobility.later_jumps);
        let mut directions = match rules.turning {
            Turning::Free => later,
            Turning::NotBack => later.without(direction.opposite()),
            Turning::Never => later.only(Directions::of(&[direction])),
        };
        if skip_straight {
            directions = directions.without(direction);
        }
        self.go_on(at, role, directions)
    }

    /// Ends the capture here, unless another takes precedence.
    fn finish(&mut self, at: W, role: Role) -> Result<(), TooComplex> {
        self.budget.spend()?;
        let best = self.best.unwrap_or(self.tally);
        match self.tally.compare(&best, &self.view.row.ruleset().rules).0 {
            Ordering::Less => return Ok(()),
            Ordering::Equal => {}
            Ordering::Greater => self.sink.drop_captures(),
        }
        self.best = Some(self.tally);
        let jumps = self.tally.pieces as usize;
        self.landings[jumps - 1] = at.index() as u8;
        let play = Play {
            from: self.from,
            to: at,
            captured: self.captured,
            role_before: self.role_before,
            role_after: self.view.role_at_end(role, at),
            kind: MoveKind::Capture,
        };
        self.sink.take(play, &self.landings[..jumps], &self.victims[..jumps]);
        Ok(())
    }
}
