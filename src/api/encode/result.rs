//! Results, and the history on which they rest.

use super::{color, color_name};
use crate::api::proto as pb;
use crate::rules::draws::{Counts, DrawClause, Effect, Pattern};
use crate::rules::{ClauseReport, ClauseState, Color, History, KEY_VERSION, Outcome, Verdict};

/// The result of a game.
pub(in crate::api) fn result(history: &History, coverage: pb::HistoryCoverage) -> pb::Result {
    let verdict = history.verdict();
    let clauses = match verdict {
        Verdict::Moves(Outcome::Ongoing) | Verdict::Drawn(_) => history.reports().map(report).collect(),
        Verdict::Moves(Outcome::NoPieces { .. } | Outcome::NoLegalMove { .. }) => Vec::new(),
    };
    let (status, reason, explanation) = in_words(verdict, history.position().turn());
    let winner = match verdict {
        Verdict::Moves(outcome) => outcome.winner(),
        Verdict::Drawn(_) => None,
    };
    let can_claim_draw = status == pb::ResultStatus::Ongoing
        && history.reports().any(|report| report.state == ClauseState::Claimable);
    pb::Result {
        status: status as i32,
        winner: winner.map_or(pb::Color::Unspecified, color) as i32,
        reason: reason as i32,
        history_coverage: coverage as i32,
        explanation,
        clauses,
        decided_by: match verdict {
            Verdict::Moves(_) => String::new(),
            Verdict::Drawn(clause) => clause.id.to_owned(),
        },
        can_claim_draw,
    }
}

fn in_words(verdict: Verdict, turn: Color) -> (pb::ResultStatus, pb::ResultReason, String) {
    use pb::{ResultReason, ResultStatus};
    let turn = color_name(turn);
    match verdict {
        Verdict::Moves(Outcome::Ongoing) => (
            ResultStatus::Ongoing,
            ResultReason::Unspecified,
            format!("The game goes on; {turn} is to move."),
        ),
        Verdict::Moves(Outcome::NoPieces { winner }) => (
            ResultStatus::Won,
            ResultReason::NoPieces,
            format!("{turn} has no piece left; {} wins.", color_name(winner)),
        ),
        Verdict::Moves(Outcome::NoLegalMove { winner }) => (
            ResultStatus::Won,
            ResultReason::NoLegalMove,
            format!("{turn} has no legal move; {} wins.", color_name(winner)),
        ),
        Verdict::Drawn(clause) => {
            let reason = match draw_kind(clause) {
                pb::DrawKind::Repetition => ResultReason::Repetition,
                pb::DrawKind::NoProgress => ResultReason::NoProgress,
                pb::DrawKind::Material => ResultReason::Material,
                pb::DrawKind::Unspecified => ResultReason::Unspecified,
            };
            (ResultStatus::Drawn, reason, format!("Drawn by {}: {}", clause.article, clause.summary))
        }
    }
}

fn report(report: ClauseReport) -> pb::DrawClauseReport {
    pb::DrawClauseReport {
        id: report.clause.id.to_owned(),
        state: match report.state {
            ClauseState::Idle => pb::DrawClauseState::Idle,
            ClauseState::Counting => pb::DrawClauseState::Counting,
            ClauseState::NotJudged => pb::DrawClauseState::NotJudged,
            ClauseState::Claimable => pb::DrawClauseState::Claimable,
            ClauseState::Drawn => pb::DrawClauseState::Drawn,
        } as i32,
        count: report.count,
        limit: report.clause.limit.into(),
        effect: draw_effect(report.clause) as i32,
        article: report.clause.article.to_owned(),
    }
}

pub(super) fn draw_kind(clause: &DrawClause) -> pb::DrawKind {
    match &clause.counts {
        Counts::Occurrences => pb::DrawKind::Repetition,
        Counts::Plies(clock) if clock.pattern == Pattern::Anything => pb::DrawKind::NoProgress,
        Counts::Plies(_) => pb::DrawKind::Material,
    }
}

pub(super) fn draw_effect(clause: &DrawClause) -> pb::DrawEffect {
    match clause.effect {
        Effect::Automatic => pb::DrawEffect::Automatic,
        Effect::Claim => pb::DrawEffect::Claim,
        Effect::ClaimBeforeMove => pb::DrawEffect::ClaimBeforeMove,
    }
}

/// The history of a game in compact form, if any clause is judged.
pub(in crate::api) fn draw_state(history: &History) -> Option<pb::DrawState> {
    let state = history.state();
    if state.counts.is_empty() {
        return None;
    }
    let positions = state.positions.into_iter().map(|(key, count)| pb::PositionCount { key, count });
    let counts = state.counts.into_iter().map(|(id, count)| pb::DrawClauseCount {
        id: id.to_owned(),
        count: count.count,
        is_exact: count.is_exact,
    });
    Some(pb::DrawState {
        key_version: KEY_VERSION,
        positions: positions.collect(),
        is_partial: state.is_partial,
        counts: counts.collect(),
    })
}
