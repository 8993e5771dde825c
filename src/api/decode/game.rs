//! Games as requests have them: a position, its history, and the moves played from it.

use super::super::limits::MAX_PLIES;
use super::draw_state::told;
use super::position::{claimed, valid};
use super::rule_set::RulesOfGame;
use super::{chosen, within};
use crate::api::fault::{Fault, FieldFault};
use crate::api::proto as pb;
use crate::rules::draws::DrawClause;
use crate::rules::{Beginning, Budget, Chosen, DrawState, History, Move, Position, StateError};

/// Whether draw clauses are judged. Where they are not, their history costs nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::api) enum Judge {
    Draws,
    MovesOnly,
}

/// A game up to now, and what is known of it.
pub(in crate::api) struct GameSoFar<'r> {
    history: History<'r>,
    has_draw_state: bool,
    has_moves: bool,
}

impl<'r> GameSoFar<'r> {
    pub(in crate::api) fn history(&self) -> &History<'r> {
        &self.history
    }

    pub(in crate::api) fn position(&self) -> Position<'r> {
        self.history.position()
    }

    pub(in crate::api) fn play(&mut self, chosen: Move<'_>) {
        self.history.play(chosen);
        self.has_moves = true;
    }

    /// Plays the moves of a request and shows each to the caller: the position before it, the move, and the game after
    /// it.
    pub(in crate::api) fn play_all(
        &mut self,
        moves: &[pb::MoveInput],
        budget: &mut Budget,
        mut on_ply: impl FnMut(&Position, &Chosen, &GameSoFar<'_>),
    ) -> Result<(), Fault> {
        for (index, input) in moves.iter().enumerate() {
            let before = self.position();
            let chosen = chosen(&before, Some(input), &format!("game.moves[{index}]"), budget)
                .map_err(|fault| with_ply(fault, index))?;
            self.play(chosen.get());
            on_ply(&before, &chosen, self);
        }
        Ok(())
    }

    /// What the judgement of draws rests on.
    pub(in crate::api) fn coverage(&self) -> pb::HistoryCoverage {
        use pb::HistoryCoverage;
        match (self.history.is_judged(), self.has_draw_state, self.has_moves) {
            (false, _, _) => HistoryCoverage::NotJudged,
            (true, true, _) if self.history.is_partial() => HistoryCoverage::Partial,
            (true, true, false) => HistoryCoverage::DrawState,
            (true, true, true) => HistoryCoverage::DrawStateAndMoves,
            (true, false, false) if !self.history.knows_beginning() => HistoryCoverage::None,
            (true, false, _) => HistoryCoverage::Moves,
        }
    }
}

/// The game that a request is about, after all of its moves. What is wrong with other fields of the request is told
/// together with what is wrong here.
pub(in crate::api) fn game<'r>(
    rules: &'r RulesOfGame,
    game: Option<&pb::Game>,
    mut faults: Vec<FieldFault>,
    judge: Judge,
    budget: &mut Budget,
) -> Result<GameSoFar<'r>, Fault> {
    let Some(game) = game else {
        faults.push(FieldFault::required("game"));
        return Err(Fault::InvalidFields(faults));
    };
    let mut so_far = beginning(rules, game, faults, judge)?;
    so_far.play_all(&game.moves, budget, |_, _, _| ())?;
    Ok(so_far)
}

/// The game of a request before its moves.
pub(in crate::api) fn beginning<'r>(
    rules: &'r RulesOfGame,
    game: &pb::Game,
    faults: Vec<FieldFault>,
    judge: Judge,
) -> Result<GameSoFar<'r>, Fault> {
    let (position, state) = before_moves(rules, game, faults)?;
    within("max_plies", MAX_PLIES, game.moves.len())?;
    let clauses: &[DrawClause] = match (judge, game.draw_policy()) {
        (Judge::Draws, pb::DrawPolicy::Unspecified) => position.ruleset().rules().draws,
        (Judge::Draws, pb::DrawPolicy::None) | (Judge::MovesOnly, _) => &[],
    };
    let history = match state {
        None if game.begins_at_position => History::begin(position, clauses, Beginning::Here),
        None => History::begin(position, clauses, Beginning::Before),
        Some(state) => History::resume(position, clauses, &state).map_err(|error| misfit(game, error))?,
    };
    Ok(GameSoFar { history, has_draw_state: game.draw_state.is_some(), has_moves: false })
}

/// A draw state that is not that of the position.
fn misfit(game: &pb::Game, error: StateError) -> Fault {
    let (field, description) = match error {
        StateError::OtherPosition => (
            "game.draw_state.positions".to_owned(),
            "game.draw_state.positions does not begin with game.position: it is the state of another position".to_owned(),
        ),
        StateError::OtherCount(id) => {
            let counts = game.draw_state.iter().flat_map(|state| &state.counts);
            let index = counts.take_while(|count| count.id != id).count();
            let field = format!("game.draw_state.counts[{index}].count");
            let description = format!("{field} cannot be what the clause {id} has counted with these pieces");
            (field, description)
        }
    };
    Fault::InvalidFields(vec![FieldFault { field, reason: "MISMATCH", description }])
}

/// An illegal move within a game says which one it is.
fn with_ply(mut fault: Fault, index: usize) -> Fault {
    if let Fault::IllegalMove { illegal, .. } | Fault::AmbiguousMove { illegal, .. } = &mut fault {
        illegal.ply = u32::try_from(index + 1).ok();
    }
    fault
}

/// The position that the moves of a game begin from, and what is told of the time before it.
fn before_moves<'r>(
    rules: &'r RulesOfGame,
    game: &pb::Game,
    mut faults: Vec<FieldFault>,
) -> Result<(Position<'r>, Option<DrawState>), Fault> {
    let ruleset = match rules {
        RulesOfGame::BuiltIn(ruleset) => Some(*ruleset),
        RulesOfGame::Own(ruleset) => Some(&**ruleset),
        RulesOfGame::Unreadable(fault) => {
            faults.insert(0, fault.clone());
            None
        }
    };
    if pb::DrawPolicy::try_from(game.draw_policy).is_err() {
        faults.push(FieldFault::unknown("game.draw_policy", game.draw_policy));
    }
    let setup = match &game.position {
        None => None,
        Some(position) => claimed(position, &mut faults)?,
    };
    let state = match &game.draw_state {
        None => None,
        Some(state) => {
            let clauses = ruleset.map_or(&[][..], |ruleset| ruleset.rules().draws);
            Some(told(state, clauses, &mut faults)?)
        }
    };
    if state.is_some() && game.begins_at_position {
        let description = "game.begins_at_position and game.draw_state exclude each other".to_owned();
        faults.push(FieldFault {
            field: "game.begins_at_position".to_owned(),
            reason: "MISMATCH",
            description,
        });
    }
    let Some(ruleset) = ruleset.filter(|_| faults.is_empty()) else {
        return Err(Fault::InvalidFields(faults));
    };
    let position = match setup {
        None => Position::start(ruleset),
        Some((setup, fields)) => valid(ruleset, &setup, &fields)?,
    };
    Ok((position, state))
}
