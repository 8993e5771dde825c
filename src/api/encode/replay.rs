//! Games that were played to their end, or to their first illegal move.

use super::illegal;
use super::moves::one_move;
use super::position::position_info;
use super::result::{draw_state, result};
use crate::api::decode::replay::{Options, shown};
use crate::api::limits::MAX_STEPS;
use crate::api::proto as pb;
use crate::pdn::clock;
use crate::pdn::move_token::MoveFault;
use crate::pdn::play::{Played, PlayedPly, Stop, Warning, WarningKind};
use crate::pdn::text::LineColumn;
use crate::pdn::{GameText, Tag};
use crate::rules::{Budget, ChooseError, Chosen, Color, History, Position};

/// A move that was just played.
pub(in crate::api) fn ply(
    before: &Position,
    chosen: &Chosen,
    after: &History,
    coverage: pb::HistoryCoverage,
    options: Options,
) -> pb::Ply {
    let position = after.position();
    let mut result = result(after, coverage);
    if !options.with_clauses {
        result.clauses.clear();
    }
    pb::Ply {
        r#move: Some(one_move(before, chosen.get(), chosen.legal_moves())),
        key: position.key(),
        result: Some(result),
        position: options.with_positions.then(|| position_info(&position)),
        ..Default::default()
    }
}

/// What a game's text says about a move besides the move.
pub(in crate::api) fn annotated(played: PlayedPly<(pb::Ply, Color)>) -> pb::Ply {
    let (ply, mover) = played.value;
    let clock = played.comments.iter().find_map(|comment| clock::read(comment, mover));
    pb::Ply {
        nags: played.nags.into_iter().map(u32::from).collect(),
        comments: played.comments,
        clock: clock.map(|clock| pb::Clock { white_seconds: clock.white, black_seconds: clock.black }),
        ..ply
    }
}

/// What is common to all games: where they began and where they are now.
pub(in crate::api) fn replay(
    rules: Option<pb::game::Rules>,
    start: &Position,
    history: &History,
    coverage: pb::HistoryCoverage,
    draw_policy: pb::DrawPolicy,
) -> pb::Replay {
    let position = position_info(&history.position());
    let variant = match rules {
        Some(pb::game::Rules::Variant(number)) => number,
        Some(pb::game::Rules::RuleSet(_)) | None => 0,
    };
    let game = pb::Game {
        rules,
        position: position.position.clone(),
        draw_state: draw_state(history),
        draw_policy: draw_policy as i32,
        ..Default::default()
    };
    pb::Replay {
        variant,
        start: Some(position_info(start)),
        position: Some(position),
        result: Some(result(history, coverage)),
        game: Some(game),
        ..Default::default()
    }
}

/// The first move of a text that could not be played.
pub(in crate::api) fn stopped(stop: &Stop, position: &Position, place: LineColumn) -> pb::IllegalMove {
    let illegal = match &stop.fault {
        MoveFault::Refused(ChooseError::Illegal(found)) => illegal::illegal(position, found),
        MoveFault::Refused(ChooseError::Ambiguous { candidates, legal_moves }) => {
            illegal::ambiguous(position, candidates, legal_moves)
        }
        MoveFault::Refused(ChooseError::TooComplex(_)) | MoveFault::NotAMove => {
            let legal_moves = position.legal_moves(&mut Budget::new(MAX_STEPS)).unwrap_or_default();
            pb::IllegalMove {
                reason: pb::IllegalMoveReason::NotAMove as i32,
                explanation: format!("{:?} names no move of this board", shown(&stop.text)),
                ..illegal::near(position, &legal_moves, None)
            }
        }
    };
    pb::IllegalMove { text: shown(&stop.text), line: place.line, column: place.column, ..illegal }
}

/// What a text has besides the moves.
pub(in crate::api) fn remarks<T>(replay: &mut pb::Replay, game: &GameText, played: &Played<T>, text: &str) {
    replay.tags = tags(&game.tags);
    replay.stated_result = played.result.clone().unwrap_or_default();
    replay.comments.clone_from(&played.comments);
    let warning = |found| warning(found, place_in(game, text, found.start));
    replay.warnings = played.warnings.iter().map(warning).collect();
    replay.warning_count = played.warning_count;
}

/// Where a place in the text of a game is, for people.
pub(in crate::api) fn place_in(game: &GameText, text: &str, offset: usize) -> LineColumn {
    game.place.after(text.get(game.start..offset).unwrap_or_default())
}

pub(in crate::api) fn tags(tags: &[Tag]) -> Vec<pb::Tag> {
    tags.iter().map(|tag| pb::Tag { name: tag.name.clone(), value: tag.value.clone() }).collect()
}

fn warning(warning: &Warning, place: LineColumn) -> pb::ReplayWarning {
    use pb::ReplayWarningKind as Kind;
    let text = shown(&warning.text);
    let (kind, explanation) = match warning.kind {
        WarningKind::ResultTagDiffers => {
            (Kind::ResultTagDiffers, format!("the Result tag says {text}, the end of the moves does not"))
        }
        WarningKind::ResultContradictsBoard => {
            (Kind::ResultContradictsBoard, format!("the text says {text}, the board does not"))
        }
        WarningKind::GameTypeOverruled => {
            (Kind::GameTypeOverruled, format!("the GameType {text} is not that of the game that was read"))
        }
        WarningKind::VariantOverruled => {
            (Kind::VariantOverruled, format!("the Variant {text} is not the game that was read"))
        }
        WarningKind::VariationIllegal => (
            Kind::VariationIllegal,
            format!("{text} is illegal, so the rest of the variation is kept as a comment"),
        ),
        WarningKind::MoveNumberUnexpected => {
            (Kind::MoveNumberUnexpected, format!("{text} is not the number of this move"))
        }
        WarningKind::DuplicateTag => (Kind::DuplicateTag, format!("the tag {text} is there twice")),
    };
    pb::ReplayWarning { kind: kind as i32, line: place.line, column: place.column, explanation }
}
