//! Draw clauses: each line of tests/data/games/draws.jsonl is a game, and what a clause says at its end. The property at
//! the end: a history that is replayed and one that is carried on as a draw state say the same at every ply.

#![allow(clippy::panic)] // a failed test says what it found

use draughts_rules::rules::notation::{fen, move_text};
use draughts_rules::rules::{
    Beginning, Budget, ClauseState, History, Move, MoveList, Outcome, Position, Role, Variant, Verdict,
    choose,
};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use support::Chance;

mod support;

const GAMES: u64 = 100;
const PLIES: usize = 300;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    id: String,
    variant: i32,
    /// Where the game begins; absent: the start position.
    fen: Option<String>,
    /// The moves are lead, cycle as often as times says, and tail.
    #[serde(default)]
    lead: String,
    #[serde(default)]
    cycle: String,
    #[serde(default)]
    times: usize,
    #[serde(default)]
    tail: String,
    clause: String,
    /// A `ClauseState`, or WON: no clause is judged then.
    state: String,
    count: Option<u32>,
    status: String,
    /// The article.
    why: String,
}

impl Line {
    fn play(&self) -> History<'static> {
        let ruleset = Variant::from_number(self.variant).expect("a variant").ruleset();
        let start = match &self.fen {
            None => Position::start(ruleset),
            Some(text) => {
                let setup = fen::parse(text).unwrap_or_else(|error| panic!("{}: {error}", self.id));
                Position::new(ruleset, &setup).unwrap_or_else(|error| panic!("{}: {error:?}", self.id))
            }
        };
        let mut history = History::begin(start, ruleset.rules().draws, Beginning::Here);
        let cycle = std::iter::repeat_n(self.cycle.as_str(), self.times);
        let parts = std::iter::once(self.lead.as_str()).chain(cycle).chain([self.tail.as_str()]);
        for (index, text) in parts.flat_map(str::split_whitespace).enumerate() {
            play(&mut history, text)
                .unwrap_or_else(|error| panic!("{}: ply {}: {text}: {error}", self.id, index + 1));
        }
        history
    }
}

fn play(history: &mut History, text: &str) -> Result<(), String> {
    let position = history.position();
    let claim = move_text::parse(text).map_err(|error| error.to_string())?;
    let claim = claim.on(position.ruleset()).map_err(|place| place.to_string())?;
    let chosen = choose(&position, &claim, &mut Budget::new(100_000));
    let chosen = chosen.map_err(|error| format!("{error:?}\n{position}"))?;
    history.play(chosen.get());
    Ok(())
}

fn name(state: ClauseState) -> &'static str {
    match state {
        ClauseState::Idle => "IDLE",
        ClauseState::Counting => "COUNTING",
        ClauseState::NotJudged => "NOT_JUDGED",
        ClauseState::Claimable => "CLAIMABLE",
        ClauseState::Drawn => "DRAWN",
    }
}

fn lines() -> Vec<Line> {
    let text = std::fs::read_to_string("tests/data/games/draws.jsonl").expect("the data file");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

#[test]
fn every_clause_says_what_its_articles_say() {
    let mut failures = Vec::new();
    for line in lines() {
        assert!(!line.why.is_empty(), "{}: the line cites no article", line.id);
        let history = line.play();
        let status = match history.verdict() {
            Verdict::Moves(Outcome::Ongoing) => "ONGOING",
            Verdict::Moves(Outcome::NoPieces { .. } | Outcome::NoLegalMove { .. }) => "WON",
            Verdict::Drawn(_) => "DRAWN",
        };
        let mut reports = history.reports().filter(|report| report.clause.id == line.clause);
        let report = reports.next().unwrap_or_else(|| panic!("{}: no such clause", line.id));
        let (state, count) =
            if line.state == "WON" { ("WON", line.count) } else { (name(report.state), report.count) };
        if (state, count, status) != (line.state.as_str(), line.count, line.status.as_str()) {
            failures.push(format!(
                "{}: {} is {state} {count:?}, game {status}; wanted {} {:?}, game {} ({})\n{:?}",
                line.id,
                line.clause,
                line.state,
                line.count,
                line.status,
                line.why,
                history.position()
            ));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Of each clause of each variant the data has the limit reached, and something below it.
#[test]
fn every_clause_has_its_lines() {
    let mut states: BTreeMap<(i32, String), BTreeSet<String>> = BTreeMap::new();
    for line in lines() {
        states.entry((line.variant, line.clause)).or_default().insert(line.state);
    }
    for &variant in Variant::ALL {
        for clause in variant.ruleset().rules().draws {
            let key = (i32::from(variant.about().number), clause.id.to_owned());
            let states = states.get(&key).unwrap_or_else(|| panic!("{variant:?} {}: no line", clause.id));
            let has_limit = states.contains("DRAWN") || states.contains("CLAIMABLE");
            let has_less = states.contains("COUNTING") || states.contains("IDLE");
            assert!(has_limit && has_less, "{variant:?} {}: {states:?}", clause.id);
        }
    }
}

/// What is not known is not judged: the same game without its beginning.
#[test]
fn a_position_alone_is_not_judged_where_its_past_may_count() {
    let ruleset = Variant::International.ruleset();
    let position =
        |text: &str| Position::new(ruleset, &fen::parse(text).expect("a FEN")).expect("a position");
    let states = |text: &str, moves: &[&str]| {
        let mut history = History::begin(position(text), ruleset.rules().draws, Beginning::Before);
        for text in moves {
            play(&mut history, text).expect("a legal move");
        }
        history.reports().map(|report| name(report.state)).collect::<Vec<_>>()
    };
    assert_eq!(states("W:WK46:BK5,K10,K15,K20,K45", &[]), ["NOT_JUDGED", "NOT_JUDGED", "IDLE", "IDLE"]);
    assert_eq!(states("W:WK46:BK5", &[]), ["NOT_JUDGED", "NOT_JUDGED", "NOT_JUDGED", "NOT_JUDGED"]);
    // An irreversible move makes an end of the past, but not of a clock that goes on for good.
    assert_eq!(states("W:WK46,31:BK5", &["31-27"]), ["COUNTING", "COUNTING", "NOT_JUDGED", "NOT_JUDGED"]);
    assert_eq!(states("W:WK46,31,32,33:BK5", &["31-27"]), ["COUNTING", "COUNTING", "IDLE", "IDLE"]);
}

/// A move that puts the own pieces back to where they were before the last own move, or else any: random play alone
/// repeats too little.
fn place_of_next(
    position: &Position,
    moves: &MoveList,
    own_last: Option<Position>,
    chance: &mut Chance,
) -> Option<usize> {
    let mover = position.turn();
    let goes_back = |chosen: Move| {
        let after = position.play(chosen);
        let is_same = |role, before: Position| after.squares(mover, role) == before.squares(mover, role);
        own_last.is_some_and(|before| Role::ALL.into_iter().all(|role| is_same(role, before)))
    };
    let back = moves.iter().position(goes_back).filter(|_| chance.below(3) > 0);
    back.or_else(|| (!moves.is_empty()).then(|| chance.below(moves.len())))
}

#[test]
fn both_forms_of_history_agree_at_every_ply() {
    let mut drawn = 0;
    // Hawaiian has no draws, and so nothing to carry.
    for &variant in Variant::ALL.iter().filter(|variant| !variant.ruleset().rules().draws.is_empty()) {
        for seed in 0..GAMES {
            drawn += compare(variant, &mut Chance::new(seed));
        }
    }
    assert!(drawn > 1_000, "random play must meet draws, or it proves nothing: {drawn}");
}

/// Plays a game with its moves and with draw states, and counts the plies at which it is drawn.
fn compare(variant: Variant, chance: &mut Chance) -> usize {
    let (ruleset, clauses) = (variant.ruleset(), variant.ruleset().rules().draws);
    let mut replayed = History::begin(Position::start(ruleset), clauses, Beginning::Here);
    let mut carried = replayed.clone();
    let mut positions = vec![replayed.position()];
    let mut drawn = 0;
    for ply in 0..PLIES {
        let position = replayed.position();
        let moves =
            position.legal_moves(&mut Budget::new(1_000_000)).expect("random play is not too complex");
        let own_last = positions.len().checked_sub(3).map(|index| positions[index]);
        let Some(place) = place_of_next(&position, &moves, own_last, chance) else { break };
        let chosen = moves.get(place).expect("a listed move");
        replayed.play(chosen);
        carried.play(chosen);
        positions.push(replayed.position());
        // Now and then several moves are played from one state: draw state and moves combine.
        if chance.below(3) > 0 {
            carried = History::resume(carried.position(), clauses, &carried.state()).expect("its own state");
        }
        assert_eq!(says(&replayed), says(&carried), "{variant:?}, ply {ply}\n{position:?}");
        assert_eq!(replayed.state(), carried.state(), "{variant:?}, ply {ply}\n{position:?}");
        assert!(replayed.reports().all(|report| report.state != ClauseState::NotJudged), "all is known");
        drawn += usize::from(matches!(replayed.verdict(), Verdict::Drawn(_)));
    }
    drawn
}

fn says(history: &History) -> String {
    let reports = history.reports().map(|report| (report.clause.id, report.count, report.state));
    format!("{:?} {:?}", history.verdict(), reports.collect::<Vec<_>>())
}
