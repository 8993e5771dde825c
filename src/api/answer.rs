//! The answers: one function for each RPC that decodes, computes and encodes.

use super::decode;
use super::decode::{Judge, RulesOfGame};
use super::encode;
use super::encode::moves::{Parts, one_move};
use super::encode::position::position_info;
use super::encode::result::{draw_state, result};
use super::encode::variant::{board, rules, variant_info};
use super::fault::{Fault, FieldFault};
use super::limits;
use super::proto as pb;
use crate::rules::{Budget, KEY_VERSION, Move, MoveList, Position, RULES_VERSION, Ruleset, Square, Variant};
use prost::Message;

/// The variants that this server plays.
#[must_use]
pub fn list_variants() -> pb::ListVariantsResponse {
    pb::ListVariantsResponse { variants: Variant::ALL.iter().map(|&variant| variant_info(variant)).collect() }
}

/// Everything about one variant, or about a rule set as if it were one.
///
/// # Errors
/// [`Fault`] if there is no such variant, or the rule set does not make sense.
pub fn get_variant(request: &pb::GetVariantRequest) -> Result<pb::GetVariantResponse, Fault> {
    let Some(told) = &request.rule_set else {
        let variant = decode::variant(request.variant)?;
        return Ok(described(variant_info(variant), variant.ruleset()));
    };
    if request.variant != 0 {
        let (field, description) =
            ("variant".to_owned(), "variant and rule_set exclude each other".to_owned());
        return Err(Fault::InvalidFields(vec![FieldFault { field, reason: "MISMATCH", description }]));
    }
    let ruleset = decode::rule_set(told, "rule_set")?;
    Ok(described(pb::VariantInfo { rules: Some(rules(&ruleset)), ..Default::default() }, &ruleset))
}

fn described(info: pb::VariantInfo, ruleset: &Ruleset) -> pb::GetVariantResponse {
    pb::GetVariantResponse {
        info: Some(info),
        board: Some(board(ruleset)),
        start: Some(position_info(&Position::start(ruleset))),
    }
}

/// The legal moves, or those that begin with a path.
///
/// # Errors
/// [`Fault`] if the request does not make sense or asks for too much.
pub fn generate_legal_moves(
    request: &pb::GenerateLegalMovesRequest,
    budget: &mut Budget,
) -> Result<pb::GenerateLegalMovesResponse, Fault> {
    let mut faults = Vec::new();
    let parts = decode::parts(&request.parts, "parts", &mut faults)?;
    let rules = RulesOfGame::of(request.game.as_ref())?;
    let position = decode::game(&rules, request.game.as_ref(), faults, Judge::MovesOnly, budget)?.position();
    let prefix = decode::squares(position.ruleset(), &request.path_prefix, "path_prefix")?;
    let response = if prefix.is_empty() {
        let moves = position.legal_moves(budget)?;
        pb::GenerateLegalMovesResponse {
            next_squares: encode::distinct(moves.iter().map(Move::from)),
            moves: list(&position, &moves, parts, budget)?,
            prefix_completes: false,
        }
    } else {
        beginning_with(&position, &prefix, parts, budget)?
    };
    fitting(response)
}

/// The moves that have a way beginning with these squares, and the squares that may come next.
fn beginning_with(
    position: &Position,
    prefix: &[Square],
    parts: Parts,
    budget: &mut Budget,
) -> Result<pb::GenerateLegalMovesResponse, Fault> {
    let legal_moves = position.legal_moves(budget)?;
    let ways = position.legal_paths(budget)?;
    let begins = |way: &Move<'_>| {
        prefix
            .split_first()
            .is_some_and(|(&from, rest)| way.from() == from && way.landings().starts_with(rest))
    };
    let next = |way: Move<'_>| way.landings().get(prefix.len() - 1).copied();
    let keeps = legal_moves.with_ways(&ways).map(|(_, mut ways)| ways.any(|way| begins(&way)));
    let kept = legal_moves.filter(keeps);
    Ok(pb::GenerateLegalMovesResponse {
        next_squares: encode::distinct(ways.iter().filter(begins).filter_map(next)),
        prefix_completes: ways.iter().filter(begins).any(|way| next(way).is_none()),
        moves: encode::moves::moves(position, &kept, &legal_moves, parts.paths.then_some(&ways), parts),
    })
}

fn list(
    position: &Position,
    moves: &MoveList,
    parts: Parts,
    budget: &mut Budget,
) -> Result<Vec<pb::Move>, Fault> {
    let ways = if parts.paths { Some(position.legal_paths(budget)?) } else { None };
    Ok(encode::moves::moves(position, moves, moves, ways.as_ref(), parts))
}

/// What becomes of a move.
///
/// # Errors
/// [`Fault`] if the move is illegal, or the request does not make sense or asks for too much.
pub fn apply_move(
    request: &pb::ApplyMoveRequest,
    budget: &mut Budget,
) -> Result<pb::ApplyMoveResponse, Fault> {
    let mut faults = Vec::new();
    let parts = decode::parts(&request.next_move_parts, "next_move_parts", &mut faults)?;
    decode::require_move(request.r#move.as_ref(), "move", &mut faults);
    let rules = RulesOfGame::of(request.game.as_ref())?;
    let mut game = decode::game(&rules, request.game.as_ref(), faults, Judge::Draws, budget)?;
    let position = game.position();
    let chosen = decode::chosen(&position, request.r#move.as_ref(), "move", budget)?;
    game.play(chosen.get());
    let after = game.position();
    let next_moves = if request.with_next_moves {
        list(&after, &after.legal_moves(budget)?, parts, budget)?
    } else {
        Vec::new()
    };
    fitting(pb::ApplyMoveResponse {
        r#move: Some(one_move(&position, chosen.get(), chosen.legal_moves())),
        position: Some(position_info(&after)),
        result: Some(result(game.history(), game.coverage())),
        next_moves,
        draw_state: draw_state(game.history()),
    })
}

/// Whether the game is over.
///
/// # Errors
/// [`Fault`] if the request does not make sense or asks for too much.
pub fn determine_result(
    request: &pb::DetermineResultRequest,
    budget: &mut Budget,
) -> Result<pb::DetermineResultResponse, Fault> {
    let rules = RulesOfGame::of(request.game.as_ref())?;
    let game = decode::game(&rules, request.game.as_ref(), Vec::new(), Judge::Draws, budget)?;
    Ok(pb::DetermineResultResponse {
        result: Some(result(game.history(), game.coverage())),
        position: Some(position_info(&game.position())),
        draw_state: draw_state(game.history()),
    })
}

/// Whether pieces make a position.
///
/// # Errors
/// [`Fault`] if the request cannot be read, or its moves cannot be played.
pub fn validate_position(
    request: &pb::ValidatePositionRequest,
    budget: &mut Budget,
) -> Result<pb::ValidatePositionResponse, Fault> {
    let rules = RulesOfGame::of(request.game.as_ref())?;
    match decode::game(&rules, request.game.as_ref(), Vec::new(), Judge::MovesOnly, budget) {
        Ok(game) => {
            let position = game.position();
            Ok(pb::ValidatePositionResponse {
                valid: true,
                violations: Vec::new(),
                position: Some(position_info(&position)),
                picture: position.to_string(),
                violation_count: 0,
            })
        }
        Err(Fault::InvalidPosition { violations, count }) => Ok(pb::ValidatePositionResponse {
            violations,
            violation_count: u32::try_from(count).unwrap_or(u32::MAX),
            ..Default::default()
        }),
        Err(fault) => Err(fault),
    }
}

/// Versions and limits. The serving limits are the caller's to know.
#[must_use]
pub fn get_server_info(serving_limits: pb::ServingLimits) -> pb::GetServerInfoResponse {
    pb::GetServerInfoResponse {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        rules_version: RULES_VERSION,
        key_version: KEY_VERSION,
        limits: Some(pb::Limits {
            max_request_bytes: limits::MAX_REQUEST_BYTES as u32,
            max_response_bytes: limits::MAX_RESPONSE_BYTES as u32,
            max_plies: limits::MAX_PLIES as u32,
            max_text_bytes: limits::MAX_TEXT_BYTES as u32,
            max_path_squares: limits::MAX_PATH_SQUARES as u32,
            max_pieces: limits::MAX_PIECES as u32,
            max_engine_steps: limits::MAX_STEPS,
            max_parts: limits::MAX_PARTS as u32,
            max_draw_state_positions: limits::MAX_DRAW_STATE_POSITIONS as u32,
            max_tags: limits::MAX_TAGS as u32,
            max_batch: limits::MAX_BATCH as u32,
            max_batch_engine_steps: limits::MAX_BATCH_STEPS,
            max_perft_depth: limits::MAX_PERFT_DEPTH,
        }),
        variants: Variant::ALL.iter().map(|variant| i32::from(variant.about().number)).collect(),
        judges_draws: true,
        runs_perft: serving_limits.max_perft_calls > 0,
        serving_limits: Some(serving_limits),
    }
}

/// A game, move by move.
///
/// # Errors
/// [`Fault`] if the request does not make sense or asks for too much. An illegal move is no error.
pub fn replay_game(
    request: &pb::ReplayGameRequest,
    budget: &mut Budget,
) -> Result<pb::ReplayGameResponse, Fault> {
    let replay = super::replay::one_game(request, budget)?;
    fitting(pb::ReplayGameResponse { replay: Some(replay) })
}

/// An answer, if clients will take one of this size.
pub(super) fn fitting<M: Message>(response: M) -> Result<M, Fault> {
    let (maximum, actual) = (limits::MAX_RESPONSE_BYTES, response.encoded_len());
    if actual <= maximum { Ok(response) } else { Err(Fault::ResponseTooLarge { maximum, actual }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_clients_would_refuse_is_refused_first() {
        // A packed field of one-byte numbers: as many bytes as numbers, and five of tag and length.
        let response = |bytes: usize| pb::GenerateLegalMovesResponse {
            next_squares: vec![1; bytes - 5],
            ..Default::default()
        };
        for bytes in [limits::MAX_RESPONSE_BYTES - 1, limits::MAX_RESPONSE_BYTES] {
            assert_eq!(fitting(response(bytes)).map(|fits| fits.encoded_len()).ok(), Some(bytes));
        }
        let refused = fitting(response(limits::MAX_RESPONSE_BYTES + 1));
        assert!(matches!(refused, Err(Fault::ResponseTooLarge { actual: 4_000_001, maximum: 4_000_000 })));
    }
}
