//! Whole games: played from a request's moves or from its PDN, one at a time or text by text.

use super::answer::fitting;
use super::decode::replay::{Options, options, refuse_pdn_options, setting, tags, text};
use super::decode::{self, Judge, RulesOfGame};
use super::encode::replay as encode;
use super::fault::{Fault, FieldFault};
use super::limits::MAX_STEPS;
use super::proto as pb;
use crate::pdn::parse::{self, Mark, PdnError};
use crate::pdn::score::{self, Score};
use crate::pdn::text::Decoded;
use crate::pdn::write::{Record, write};
use crate::pdn::{GameText, ItemKind, Tag, play};
use crate::rules::draws::DrawClause;
use crate::rules::notation::move_text;
use crate::rules::{Beginning, Budget, History, Outcome, Position, Variant, Verdict};

/// The game of a request.
pub(super) fn one_game(request: &pb::ReplayGameRequest, budget: &mut Budget) -> Result<pb::Replay, Fault> {
    let mut faults = Vec::new();
    let options = options(request.options.as_ref(), &mut faults)?;
    let tags = tags(&request.tags, &mut faults)?;
    match &request.source {
        Some(pb::replay_game_request::Source::Game(game)) => {
            refuse_pdn_options(request.options.as_ref(), &mut faults);
            of_moves(game, tags, options, faults, budget)
        }
        Some(pb::replay_game_request::Source::Pdn(pdn)) => {
            if !tags.is_empty() {
                let description = "tags belong to a game that is sent as moves".to_owned();
                faults.push(FieldFault { field: "tags".to_owned(), reason: "MISMATCH", description });
            }
            let decoded = text(Some(pdn), &mut faults);
            let decoded = decoded.filter(|_| faults.is_empty()).ok_or(Fault::InvalidFields(faults))?;
            let replay =
                only_game(&decoded.text).and_then(|game| of_text(&game, &decoded.text, options, budget));
            replay.map_err(|fault| in_bytes(fault, &decoded))
        }
        None => {
            faults.push(FieldFault::required("source"));
            Err(Fault::InvalidFields(faults))
        }
    }
}

/// A fault whose offset counts the bytes that were sent.
fn in_bytes(mut fault: Fault, decoded: &Decoded) -> Fault {
    if let Fault::MalformedPdn { error, .. } = &mut fault {
        error.offset = decoded.byte_offset(error.offset);
    }
    fault
}

/// The game of a text that has exactly one.
fn only_game(text: &str) -> Result<GameText, Fault> {
    let fault = |error| Fault::MalformedPdn { field: "pdn".to_owned(), error };
    let mut games = parse::games(text);
    let at_end = |expected: &'static str, games: parse::Games<'_>| fault(games.refused(expected));
    match (games.next(), games.next()) {
        (Some(Ok(game)), None) => Ok(game),
        (Some(Err(error)), _) => Err(fault(error)),
        (None, _) => Err(at_end("a game", games)),
        (Some(Ok(_)), Some(Ok(second))) => {
            let found = text[second.start..].chars().next();
            let expected = "the end: ImportGames takes several games";
            let (start, place) = (second.start, second.place);
            Err(fault(PdnError {
                game_start: start,
                game_place: place,
                offset: start,
                place,
                expected,
                found,
            }))
        }
        (Some(Ok(_)), Some(Err(error))) => Err(fault(error)),
    }
}

/// A game that is sent as moves.
fn of_moves(
    game: &pb::Game,
    tags: Vec<Tag>,
    options: Options,
    faults: Vec<FieldFault>,
    budget: &mut Budget,
) -> Result<pb::Replay, Fault> {
    let rules = RulesOfGame::of(Some(game))?;
    let mut so_far = decode::beginning(&rules, game, faults, Judge::Draws)?;
    let start = so_far.position();
    let variant = match (options.with_pdn, start.ruleset().variant()) {
        (false, _) => None,
        (true, Some(variant)) => Some(variant),
        // PDN has no way to say which rules of one's own were played.
        (true, None) => return Err(Fault::NotImplemented { field: "options.with_pdn".to_owned() }),
    };
    let mut plies = Vec::new();
    let mut items = Vec::new();
    let played = so_far.play_all(&game.moves, budget, |before, chosen, after| {
        if !options.without_plies {
            plies.push(encode::ply(before, chosen, after.history(), after.coverage(), options));
        }
        if variant.is_some() {
            let text = move_text::write(before.ruleset(), chosen.get(), chosen.legal_moves());
            items.push(ItemKind::Move(text));
        }
    });
    let illegal_move = match played {
        Ok(()) => None,
        Err(Fault::IllegalMove { illegal, .. } | Fault::AmbiguousMove { illegal, .. }) => Some(*illegal),
        Err(fault) => return Err(fault),
    };
    let (history, coverage) = (so_far.history(), so_far.coverage());
    let mut replay = encode::replay(game.rules.clone(), &start, history, coverage, game.draw_policy());
    if let Some(variant) = variant {
        let score = score_of(so_far.history());
        replay.pdn = write(&Record { variant, start: &start, tags: &tags, items: &items, score });
    }
    Ok(pb::Replay { plies, illegal_move, tags: encode::tags(&tags), ..replay })
}

/// A game of a text.
fn of_text(game: &GameText, text: &str, options: Options, budget: &mut Budget) -> Result<pb::Replay, Fault> {
    let setting = setting(game, text, options.variant, budget)?;
    let (variant, start) = (setting.variant, setting.start);
    let clauses: &[DrawClause] = match options.draw_policy {
        pb::DrawPolicy::Unspecified => variant.ruleset().rules().draws,
        pb::DrawPolicy::None => &[],
    };
    let coverage =
        if clauses.is_empty() { pb::HistoryCoverage::NotJudged } else { pb::HistoryCoverage::Moves };
    let mut history = History::begin(start, clauses, Beginning::Here);
    let mut played = play::play(game, &setting, &mut history, budget, |before, chosen, after| {
        let ply = (!options.without_plies).then(|| encode::ply(before, chosen, after, coverage, options));
        (ply.unwrap_or_default(), before.turn())
    })?;
    let number = i32::from(variant.about().number);
    let rules = Some(pb::game::Rules::Variant(number));
    let mut replay = encode::replay(rules, &start, &history, coverage, options.draw_policy);
    encode::remarks(&mut replay, game, &played, text);
    replay.illegal_move = played.stop.as_ref().map(|stop| pb::IllegalMove {
        ply: u32::try_from(played.plies.len() + 1).ok(),
        ..encode::stopped(stop, &history.position(), encode::place_in(game, text, stop.start))
    });
    if options.with_pdn {
        replay.pdn = rewritten(game, &played, variant, &history, &start);
    }
    if !options.without_plies {
        replay.plies = played.plies.drain(..).map(encode::annotated).collect();
    }
    Ok(replay)
}

/// A text as this library writes it: with the result that it states, or else the one on the board.
fn rewritten<T>(
    game: &GameText,
    played: &play::Played<T>,
    variant: Variant,
    history: &History,
    start: &Position<'static>,
) -> String {
    let stated = played.result.as_deref().and_then(score::parse).filter(|&stated| stated != Score::Unknown);
    let score = stated.unwrap_or_else(|| score_of(history));
    write(&Record { variant, start, tags: &game.tags, items: &played.items, score })
}

fn score_of(history: &History) -> Score {
    match history.verdict() {
        Verdict::Moves(Outcome::Ongoing) => Score::Unknown,
        Verdict::Moves(Outcome::NoPieces { winner } | Outcome::NoLegalMove { winner }) => Score::Won(winner),
        Verdict::Drawn(_) => Score::Drawn,
    }
}

/// The games of a text, answered one after the other. It owns the text, so that the work can go from thread to thread.
pub struct Import {
    decoded: Decoded,
    options: Options,
    mark: Mark,
    index: u32,
}

impl Import {
    /// What a request asks to import.
    ///
    /// # Errors
    /// [`Fault`] if the request does not make sense.
    pub fn new(request: &pb::ImportGamesRequest) -> Result<Import, Fault> {
        let mut faults = Vec::new();
        let options = options(request.options.as_ref(), &mut faults)?;
        let decoded = text(request.pdn.as_ref(), &mut faults);
        let decoded = decoded.filter(|_| faults.is_empty()).ok_or(Fault::InvalidFields(faults))?;
        let mark = Mark::start(&decoded.text);
        Ok(Import { decoded, options, mark, index: 0 })
    }

    /// The answer to the next game, and the rest. Each game has the whole budget of a request.
    #[must_use]
    pub fn next(mut self, budget: &mut Budget) -> Option<(pb::ImportGamesResponse, Import)> {
        let mut games = parse::games_from(&self.decoded.text, self.mark);
        let read = games.next()?;
        self.mark = games.mark();
        let (start, place, is_terminated) = match &read {
            Ok(game) => (game.start, game.place, game.terminator.is_some()),
            Err(error) => (error.game_start, error.game_place, false),
        };
        budget.renew(MAX_STEPS);
        let replay = read
            .map_err(|error| Fault::MalformedPdn { field: "pdn".to_owned(), error })
            .and_then(|game| of_text(&game, &self.decoded.text, self.options, budget));
        let response = |outcome| pb::ImportGamesResponse {
            index: self.index,
            offset: u32::try_from(self.decoded.byte_offset(start)).unwrap_or(u32::MAX),
            line: place.line,
            is_terminated,
            outcome: Some(outcome),
        };
        let error = |fault: Fault| pb::import_games_response::Outcome::Error((&fault).into());
        let answer = match replay {
            Ok(replay) => fitting(response(pb::import_games_response::Outcome::Replay(replay)))
                .unwrap_or_else(|fault| response(error(fault))),
            Err(fault) => response(error(in_bytes(fault, &self.decoded))),
        };
        self.index = self.index.saturating_add(1);
        Some((answer, self))
    }
}
