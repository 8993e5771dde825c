//! A game so far: its position, and what the draw clauses have counted.

use super::draws::{CountStart, Counts, DrawClause, Effect, Persistence, PlyCount, Restart};
use super::moves::{Move, MoveKind};
use super::outcome::Outcome;
use super::position::Position;
use super::row::Heading;
use super::square::{Color, Role};
use std::collections::HashMap;

/// Most positions in a [`DrawState`].
pub const MAX_POSITIONS: usize = 512;

/// A game so far. Begin it, play its moves, ask for its verdict at any time.
#[derive(Clone, Debug)]
pub struct History<'r> {
    position: Position<'r>,
    clauses: &'static [DrawClause],
    /// By clause.
    counts: Vec<Count>,
    /// The positions since the last irreversible move that were on the board here.
    seen: HashMap<Position<'r>, Seen>,
    /// Those that a draw state tells of, and how often they occurred.
    told: Vec<(u64, u32)>,
    /// Whether the draw state left some out.
    is_partial: bool,
    /// Whether nothing came before the position that it begins with.
    knows_beginning: bool,
    plies: u32,
}

/// What a clause has counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The count; none while nothing is counted.
    pub count: Option<u32>,
    /// Whether nothing that is unknown could add to it.
    pub is_exact: bool,
}

impl Count {
    const NOTHING: Count = Count { count: None, is_exact: true };
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    times: u32,
    last_ply: u32,
}

/// What is known of the time before a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// Nothing came before: the game began there.
    Here,
    /// Something may have come before.
    Before,
}

/// A game so far in compact form, without the moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawState {
    /// Keys of the positions since the last irreversible move, and how often each has occurred; latest first, at most
    /// [`MAX_POSITIONS`].
    pub positions: Vec<(u64, u32)>,
    /// Whether some were left out.
    pub is_partial: bool,
    /// What each clause has counted, by its id.
    pub counts: Vec<(&'static str, Count)>,
}

/// Why a draw state does not belong to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateError {
    /// Its latest position is another one.
    OtherPosition,
    /// The clause of this name cannot have counted that with these pieces.
    OtherCount(&'static str),
}

/// What a clause says now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClauseState {
    /// It counts nothing: its condition is not on the board, or the clause to which it yields counts.
    Idle,
    /// It counts, and is below its limit.
    Counting,
    /// Its count is below the limit as far as is known, and what is not known may add to it.
    NotJudged,
    /// The limit is reached: a player may claim a draw.
    Claimable,
    /// The limit is reached: the game is a draw.
    Drawn,
}

/// A clause, what it has counted and what it says.
#[derive(Clone, Copy, Debug)]
pub struct ClauseReport {
    /// The clause.
    pub clause: &'static DrawClause,
    /// What it has counted.
    pub count: Option<u32>,
    /// What it says.
    pub state: ClauseState,
}

/// Whether a game is over, and by what.
#[derive(Clone, Copy, Debug)]
pub enum Verdict {
    /// What the moves that are left say.
    Moves(Outcome),
    /// Moves are left, and this clause has ended the game.
    Drawn(&'static DrawClause),
}

impl<'r> History<'r> {
    /// A game that is known from this position on, judged by these clauses of its rules, or by none.
    #[must_use]
    pub fn begin(
        position: Position<'r>,
        clauses: &'static [DrawClause],
        beginning: Beginning,
    ) -> History<'r> {
        // The start cannot come up again later: men have left it for good.
        let is_start = position == Position::start(position.ruleset());
        let knows_beginning = beginning == Beginning::Here || is_start;
        let seen = HashMap::from([(position, Seen { times: 1, last_ply: 0 })]);
        let counts = vec![Count::NOTHING; clauses.len()];
        let (told, is_partial, plies) = (Vec::new(), false, 0);
        let mut history =
            History { position, clauses, counts, seen, told, is_partial, knows_beginning, plies };
        history.recount(|clause, _| first_count(clause, &position, knows_beginning));
        history
    }

    /// A game that went on to this position as a draw state tells. Clauses of which it does not tell begin anew.
    ///
    /// # Errors
    /// [`StateError`] if it cannot be the state of this position.
    pub fn resume(
        position: Position<'r>,
        clauses: &'static [DrawClause],
        state: &DrawState,
    ) -> Result<History<'r>, StateError> {
        let mut history = History::begin(position, clauses, Beginning::Before);
        let key = position.key();
        let latest = state.positions.split_first().filter(|(latest, _)| latest.0 == key);
        let (here, before) = latest.ok_or(StateError::OtherPosition)?;
        history.seen.insert(position, Seen { times: here.1, last_ply: 0 });
        history.told = before.to_vec();
        history.is_partial = state.is_partial;
        history.knows_beginning = false;
        let mut misfit = None;
        history.recount(|clause, begun| {
            let told = state.counts.iter().find(|told| told.0 == clause.id).map_or(begun, |told| told.1);
            match &clause.counts {
                Counts::Occurrences => return Count { count: Some(here.1), ..told },
                Counts::Plies(rule) if can_have_counted(rule, told, &position) => {}
                Counts::Plies(_) => misfit = Some(StateError::OtherCount(clause.id)),
            }
            told
        });
        misfit.map_or(Ok(history), Err)
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> Position<'r> {
        self.position
    }

    /// Plays a move of the list of legal moves.
    pub fn play(&mut self, chosen: Move<'_>) {
        let event = Event::of(&self.position, chosen);
        self.position = self.position.play(chosen);
        self.plies += 1;
        if self.clauses.is_empty() {
            return;
        }
        if event.is_irreversible {
            self.seen.clear();
            self.told.clear();
            self.is_partial = false;
        }
        let (times, position) = (self.see(), self.position);
        self.recount(|clause, before| match &clause.counts {
            Counts::Occurrences => {
                Count { count: Some(times), is_exact: before.is_exact || event.is_irreversible }
            }
            Counts::Plies(rule) => next_count(rule, before, &position, event),
        });
    }

    /// Counts anew for each clause, given what it has counted before, unless it yields to one that counts.
    fn recount(&mut self, mut count: impl FnMut(&DrawClause, Count) -> Count) {
        for (index, clause) in self.clauses.iter().enumerate() {
            let yields_to = match &clause.counts {
                Counts::Occurrences => None,
                Counts::Plies(rule) => rule.yields_to,
            };
            let mut earlier = self.clauses.iter().zip(&self.counts).take(index);
            let yields = earlier.any(|(earlier, now)| Some(earlier.id) == yields_to && now.count.is_some());
            self.counts[index] = if yields { Count::NOTHING } else { count(clause, self.counts[index]) };
        }
    }

    /// Notes that the position is on the board, and says how often it has been.
    fn see(&mut self) -> u32 {
        let (position, told) = (self.position, &self.told);
        let times_told = || {
            let key = if told.is_empty() { None } else { Some(position.key()) };
            told.iter().find(|told| Some(told.0) == key).map_or(0, |told| told.1)
        };
        let seen =
            self.seen.entry(position).or_insert_with(|| Seen { times: times_told(), last_ply: self.plies });
        *seen = Seen { times: seen.times.saturating_add(1), last_ply: self.plies };
        seen.times
    }

    /// What each clause says now.
    pub fn reports(&self) -> impl Iterator<Item = ClauseReport> {
        self.clauses.iter().zip(&self.counts).map(|(clause, count)| ClauseReport {
            clause,
            count: count.count,
            state: state_of(clause, *count),
        })
    }

    /// Whether the game is over: by the moves that are left, or else by the first clause that says so.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let outcome = self.position.outcome();
        if outcome != Outcome::Ongoing {
            return Verdict::Moves(outcome);
        }
        let mut drawn = self.reports().filter(|report| report.state == ClauseState::Drawn);
        drawn.next().map_or(Verdict::Moves(outcome), |report| Verdict::Drawn(report.clause))
    }

    /// The game so far in compact form.
    #[must_use]
    pub fn state(&self) -> DrawState {
        let mut seen = self.seen.iter().collect::<Vec<_>>();
        seen.sort_unstable_by_key(|(_, seen)| std::cmp::Reverse(seen.last_ply));
        let mut positions = seen.iter().map(|(seen, times)| (seen.key(), times.times)).collect::<Vec<_>>();
        let older = self.told.iter().filter(|told| positions.iter().all(|newer| newer.0 != told.0));
        let older = older.copied().collect::<Vec<_>>();
        positions.extend(older);
        let is_partial = self.is_partial || positions.len() > MAX_POSITIONS;
        positions.truncate(MAX_POSITIONS);
        let counts = self.clauses.iter().zip(&self.counts).map(|(clause, &count)| match clause.counts {
            Counts::Occurrences => (clause.id, Count { is_exact: count.is_exact && !is_partial, ..count }),
            Counts::Plies(_) => (clause.id, count),
        });
        DrawState { counts: counts.collect(), positions, is_partial }
    }

    /// Whether any clause is judged.
    #[must_use]
    pub fn is_judged(&self) -> bool {
        !self.clauses.is_empty()
    }

    /// Whether nothing came before the position with which it began.
    #[must_use]
    pub fn knows_beginning(&self) -> bool {
        self.knows_beginning
    }

    /// Whether the draw state that it was resumed from left positions out that still matter.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.is_partial
    }
}

/// What a move does to the counts.
#[derive(Clone, Copy)]
struct Event {
    is_capture: bool,
    is_promotion: bool,
    is_man_move: bool,
    /// No position from before it can come up again.
    is_irreversible: bool,
}

impl Event {
    fn of(before: &Position, chosen: Move<'_>) -> Event {
        let is_step = chosen.kind() == MoveKind::Step;
        let is_man_move = chosen.role_before() != Role::King;
        let changes_role = chosen.role_before() != chosen.role_after();
        Event {
            is_capture: chosen.kind() == MoveKind::Capture,
            is_promotion: changes_role && chosen.role_after() == Role::King,
            is_man_move,
            is_irreversible: !is_step || changes_role || (is_man_move && is_for_good(before, chosen)),
        }
    }

    fn restarts(self, restart: Restart) -> bool {
        match restart {
            Restart::Never => false,
            Restart::Capture => self.is_capture,
            Restart::CaptureOrPromotion => self.is_capture || self.is_promotion,
            Restart::CaptureOrManMove => self.is_capture || self.is_man_move,
        }
    }
}

/// Whether a man goes forward and none ever goes back.
fn is_for_good(before: &Position, chosen: Move<'_>) -> bool {
    let (ruleset, color) = (before.ruleset(), before.turn());
    let rises = |from: u8, to: u8| match ruleset.rules().heading.of(color) {
        Heading::Up => to > from,
        Heading::Down => to < from,
    };
    let steps = ruleset.rules().man.steps; // of a side that heads up
    let never_back = steps.iter().all(|direction| direction.offset().1 >= 0);
    let row = |square| ruleset.board().row(square);
    never_back && chosen.to().is_some_and(|to| rises(row(chosen.from()), row(to)))
}

fn first_count(clause: &DrawClause, position: &Position, knows_all: bool) -> Count {
    match &clause.counts {
        Counts::Occurrences => Count { count: Some(1), is_exact: knows_all },
        Counts::Plies(rule) => {
            let count = rule.pattern.stronger_side(position).map(|side| first_ply(rule, position, side));
            let could_be_more = match rule.persistence {
                Persistence::WhileItHolds => count.is_some(),
                Persistence::ForGood => rule.pattern.may_have_held_before(position),
            };
            Count { count, is_exact: knows_all || !could_be_more }
        }
    }
}

/// Whether these pieces, and fewer than came before, allow this count.
fn can_have_counted(rule: &PlyCount, told: Count, position: &Position) -> bool {
    let holds = rule.pattern.stronger_side(position).is_some();
    match (told.count, rule.persistence) {
        (None, _) => !holds,
        (Some(_), Persistence::WhileItHolds) => holds,
        (Some(_), Persistence::ForGood) => holds || rule.pattern.may_have_held_before(position),
    }
}

fn next_count(rule: &PlyCount, before: Count, position: &Position, event: Event) -> Count {
    let stronger = rule.pattern.stronger_side(position);
    let goes_on = match rule.persistence {
        Persistence::WhileItHolds => stronger.is_some() && !event.restarts(rule.restart),
        Persistence::ForGood => true,
    };
    let started = stronger.map(|side| first_ply(rule, position, side));
    match before.count {
        Some(count) if goes_on => Count { count: Some(count.saturating_add(1)), ..before },
        _ => Count {
            count: started,
            is_exact: match rule.persistence {
                Persistence::WhileItHolds => true,
                Persistence::ForGood => before.is_exact,
            },
        },
    }
}

fn first_ply(rule: &PlyCount, position: &Position, stronger: Color) -> u32 {
    match rule.start {
        CountStart::Zero => 0,
        CountStart::WeakerSideFirst => u32::from(position.turn() == stronger),
    }
}

fn state_of(clause: &DrawClause, count: Count) -> ClauseState {
    let reached = count.count.is_some_and(|count| count >= u32::from(clause.limit));
    match (reached, clause.effect) {
        (true, Effect::Automatic) => ClauseState::Drawn,
        (true, Effect::Claim | Effect::ClaimBeforeMove) => ClauseState::Claimable,
        (false, _) if !count.is_exact => ClauseState::NotJudged,
        (false, _) if count.count.is_none() => ClauseState::Idle,
        (false, _) => ClauseState::Counting,
    }
}
