//! Moves, lists of them, and what finding them may cost.

use super::dispatch::{Job, dispatch};
use super::engine::{self, Play, Row, Sink, Word};
use super::position::Position;
use super::ruleset::Ruleset;
use super::square::{Role, Square, SquareSet};
use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{self, AtomicBool};

/// What kind of move it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveKind {
    /// Moves without capturing.
    Step,
    /// Captures at least one piece.
    Capture,
    /// Takes one's own piece off the board in the opening.
    Removal,
}

/// A whole move of a [`MoveList`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Move<'l> {
    entry: &'l Entry,
    path: &'l [Square],
}

impl<'l> Move<'l> {
    /// Where the piece starts; for a removal, the square that is emptied.
    #[must_use]
    pub fn from(self) -> Square {
        self.entry.from
    }

    /// Where the piece ends; none for a removal.
    #[must_use]
    pub fn to(self) -> Option<Square> {
        self.entry.to
    }

    /// The kind of move.
    #[must_use]
    pub fn kind(self) -> MoveKind {
        self.entry.kind
    }

    /// What the piece was before the move.
    #[must_use]
    pub fn role_before(self) -> Role {
        self.entry.role_before
    }

    /// What the piece is after the move.
    #[must_use]
    pub fn role_after(self) -> Role {
        self.entry.role_after
    }

    /// The captured squares as a set.
    #[must_use]
    pub fn captured_set(self) -> SquareSet {
        self.entry.captured
    }

    /// The landing squares in order, the last one being [`to`](Move::to); empty for a removal.
    #[must_use]
    pub fn landings(self) -> &'l [Square] {
        if self.path.is_empty() { self.entry.to.as_slice() } else { &self.path[..self.entry.jumps as usize] }
    }

    /// The captured squares in the order of the landings.
    #[must_use]
    pub fn captured(self) -> &'l [Square] {
        if self.path.is_empty() { &[] } else { &self.path[self.entry.jumps as usize..] }
    }

    /// Whether both are one move, perhaps made in different ways: same from, to, captured set and role after.
    #[must_use]
    pub fn is_same_move(self, other: Move<'_>) -> bool {
        self.entry.compare(other.entry) == Ordering::Equal
    }
}

impl fmt::Debug for Move<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}", self.entry.kind, self.entry.from.number())?;
        for landing in self.landings() {
            write!(f, "-{}", landing.number())?;
        }
        let captured = self.captured().iter().map(|square| square.number()).collect::<Vec<_>>();
        if captured.is_empty() { Ok(()) } else { write!(f, " {captured:?}") }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Entry {
    from: Square,
    to: Option<Square>,
    captured: SquareSet,
    kind: MoveKind,
    role_before: Role,
    role_after: Role,
    jumps: u8,
    path_start: usize,
}

impl Entry {
    /// The order that lists promise: by from, to, then captured as ascending lists.
    fn compare(&self, other: &Entry) -> Ordering {
        (self.from, self.to)
            .cmp(&(other.from, other.to))
            .then_with(|| self.captured.compare_as_lists(other.captured))
            .then_with(|| self.role_after.cmp(&other.role_after))
    }
}

/// Legal moves in their promised order: by from, then to, then captured squares as ascending lists.
///
/// The path of a move, its landings and the captured squares in their order, is one of the ways to make it. Where a
/// capture goes straight on, it lands directly behind the piece; among the ways that do so, it is the first by the
/// numbers of its landings.
#[derive(Clone, Default)]
pub struct MoveList {
    entries: Vec<Entry>,
    paths: Vec<Square>,
}

impl MoveList {
    /// How many moves there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The move at this place, if the list is so long.
    #[must_use]
    pub fn get(&self, place: usize) -> Option<Move<'_>> {
        self.entries.get(place).map(|entry| self.with_path(entry))
    }

    /// The moves.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Move<'_>> + Clone {
        self.entries.iter().map(|entry| self.with_path(entry))
    }

    /// Each move with all ways to make it, from the list of legal paths of the same position.
    pub fn with_ways<'l>(
        &'l self,
        ways: &'l MoveList,
    ) -> impl Iterator<Item = (Move<'l>, impl Iterator<Item = Move<'l>>)> {
        let same = |a: &Entry, b: &Entry| a.compare(b) == Ordering::Equal;
        let groups = ways.entries.chunk_by(same);
        self.iter().zip(groups.map(|group| group.iter().map(|entry| ways.with_path(entry))))
    }

    /// The places of the moves with these ends: they stand together.
    #[must_use]
    pub fn between(&self, from: Square, to: Option<Square>) -> Range<usize> {
        let start = self.entries.partition_point(|entry| (entry.from, entry.to) < (from, to));
        let rest = &self.entries[start..];
        start..start + rest.iter().take_while(|entry| (entry.from, entry.to) == (from, to)).count()
    }

    /// The list of those moves of which the iterator says that they are kept, one by one.
    #[must_use]
    pub fn filter(&self, mut kept: impl Iterator<Item = bool>) -> MoveList {
        let mut list = self.clone();
        list.entries.retain(|_| kept.next() == Some(true));
        list
    }

    fn with_path<'l>(&'l self, entry: &'l Entry) -> Move<'l> {
        let start = entry.path_start;
        Move { entry, path: &self.paths[start..start + 2 * entry.jumps as usize] }
    }

    fn path(&self, entry: &Entry) -> &[Square] {
        let start = entry.path_start;
        &self.paths[start..start + entry.jumps as usize]
    }

    /// Puts the list in its order, ways of one move by their landings.
    fn sort(&mut self) {
        let mut entries = std::mem::take(&mut self.entries);
        entries.sort_unstable_by(|a, b| a.compare(b).then_with(|| self.path(a).cmp(self.path(b))));
        self.entries = entries;
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// How many engine steps a search may still use. A step is one square from which jumps are looked for, or one way to
/// capture that was found.
#[derive(Clone, Debug)]
pub struct Budget {
    left: u64,
    stop: Option<Arc<AtomicBool>>,
}

/// After how many steps a search looks whether it has been stopped.
const STEPS_BETWEEN_LOOKS: u64 = 256;

impl Budget {
    /// A budget of so many steps.
    #[must_use]
    pub const fn new(steps: u64) -> Budget {
        Budget { left: steps, stop: None }
    }

    /// A budget of so many steps that is used up as soon as somebody sets this.
    #[must_use]
    pub const fn until(steps: u64, stop: Arc<AtomicBool>) -> Budget {
        Budget { left: steps, stop: Some(stop) }
    }

    /// Gives it so many steps again.
    pub const fn renew(&mut self, steps: u64) {
        self.left = steps;
    }

    /// How many steps are left.
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.left
    }

    /// Whether somebody has set what stops it.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(atomic::Ordering::Relaxed))
    }

    pub(super) fn spend(&mut self) -> Result<(), TooComplex> {
        self.left = self.left.checked_sub(1).ok_or(TooComplex)?;
        if self.left.is_multiple_of(STEPS_BETWEEN_LOOKS) && self.is_stopped() {
            self.left = 0;
            return Err(TooComplex);
        }
        Ok(())
    }
}

/// The search used up its [`Budget`]. Nothing is known about the moves then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooComplex;

impl fmt::Display for TooComplex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the position has too many ways to capture")
    }
}

impl std::error::Error for TooComplex {}

/// Lists the legal moves, each once.
pub(super) fn legal_moves(position: &Position, budget: &mut Budget) -> Result<MoveList, TooComplex> {
    let mut moves = list::<false>(position, None, budget)?;
    moves.entries.dedup_by(|b, a| a.compare(b) == Ordering::Equal);
    Ok(moves)
}

/// Lists every way to make each legal move; of one piece, if given. In rules with precedence the moves of one piece are
/// compared with each other only.
pub(super) fn legal_paths(
    position: &Position,
    from: Option<Square>,
    budget: &mut Budget,
) -> Result<MoveList, TooComplex> {
    list::<true>(position, from, budget)
}

fn list<const EVERY_LANDING: bool>(
    position: &Position,
    from: Option<Square>,
    budget: &mut Budget,
) -> Result<MoveList, TooComplex> {
    struct List<'p, 'b, const EVERY_LANDING: bool>(&'p Position<'p>, Option<Square>, &'b mut Budget);

    impl<const EVERY_LANDING: bool> Job for List<'_, '_, EVERY_LANDING> {
        type Output = Result<MoveList, TooComplex>;

        fn run<R: Row, W: Word>(self, row: R) -> Self::Output {
            let List(position, from, budget) = self;
            let board = position.ruleset.board();
            let movers = from.map_or(board.squares, |square| board.bit(square));
            let list = MoveList::default();
            let mut collector = Collector::<EVERY_LANDING> { ruleset: position.ruleset, list };
            engine::generate(row, &position.state::<W>(), W::narrow(movers), budget, &mut collector)?;
            Ok(collector.list)
        }
    }

    let mut list = dispatch(position.ruleset, List::<EVERY_LANDING>(position, from, budget))?;
    list.sort();
    Ok(list)
}

/// Turns what the engine finds into a list.
struct Collector<'r, const EVERY_LANDING: bool> {
    ruleset: &'r Ruleset,
    list: MoveList,
}

impl<W: Word, const EVERY_LANDING: bool> Sink<W> for Collector<'_, EVERY_LANDING> {
    const EVERY_LANDING: bool = EVERY_LANDING;

    fn drop_captures(&mut self) {
        self.list.entries.clear();
        self.list.paths.clear();
    }

    fn take(&mut self, play: Play<W>, landings: &[u8], victims: &[u8]) {
        let board = self.ruleset.board();
        let square = |&index: &u8| board.square_of_bit(u32::from(index));
        self.list.entries.push(Entry {
            from: board.square_of_bit(play.from.index()),
            to: landings.last().map(square),
            captured: victims.iter().map(square).collect(),
            kind: play.kind,
            role_before: play.role_before,
            role_after: play.role_after,
            jumps: victims.len() as u8,
            path_start: self.list.paths.len(),
        });
        if !victims.is_empty() {
            self.list.paths.extend(landings.iter().chain(victims).map(square));
        }
    }
}
