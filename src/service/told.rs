//! How much an answer tells, for the metrics.

use crate::api::proto as pb;
use pb::import_games_response::Outcome;

/// An answer about positions and moves.
pub(super) trait Told {
    /// How many positions it tells of.
    fn positions(&self) -> usize;
    /// How many moves it lists or has played.
    fn moves(&self) -> usize;
}

impl Told for pb::GenerateLegalMovesResponse {
    fn positions(&self) -> usize {
        1
    }

    fn moves(&self) -> usize {
        self.moves.len()
    }
}

impl Told for pb::ApplyMoveResponse {
    fn positions(&self) -> usize {
        1
    }

    fn moves(&self) -> usize {
        1 + self.next_moves.len()
    }
}

impl Told for pb::BatchGenerateLegalMovesResponse {
    fn positions(&self) -> usize {
        self.answers().map(Told::positions).sum()
    }

    fn moves(&self) -> usize {
        self.answers().map(Told::moves).sum()
    }
}

impl pb::BatchGenerateLegalMovesResponse {
    /// Those that are no errors.
    fn answers(&self) -> impl Iterator<Item = &pb::GenerateLegalMovesResponse> {
        use pb::generate_legal_moves_outcome::Outcome::{Error, Response};
        self.outcomes.iter().filter_map(|item| match item.outcome.as_ref()? {
            Response(response) => Some(response),
            Error(_) => None,
        })
    }
}

impl Told for pb::BatchApplyMoveResponse {
    fn positions(&self) -> usize {
        self.answers().map(Told::positions).sum()
    }

    fn moves(&self) -> usize {
        self.answers().map(Told::moves).sum()
    }
}

impl pb::BatchApplyMoveResponse {
    /// Those that are no errors.
    fn answers(&self) -> impl Iterator<Item = &pb::ApplyMoveResponse> {
        use pb::apply_move_outcome::Outcome::{Error, Response};
        self.outcomes.iter().filter_map(|item| match item.outcome.as_ref()? {
            Response(response) => Some(response),
            Error(_) => None,
        })
    }
}

impl Told for pb::DetermineResultResponse {
    fn positions(&self) -> usize {
        1
    }

    fn moves(&self) -> usize {
        0
    }
}

impl Told for pb::ValidatePositionResponse {
    fn positions(&self) -> usize {
        1
    }

    fn moves(&self) -> usize {
        0
    }
}

impl Told for pb::Replay {
    fn positions(&self) -> usize {
        1 + self.plies.len()
    }

    fn moves(&self) -> usize {
        self.plies.len()
    }
}

impl Told for pb::ReplayGameResponse {
    fn positions(&self) -> usize {
        self.replay.as_ref().map_or(0, Told::positions)
    }

    fn moves(&self) -> usize {
        self.replay.as_ref().map_or(0, Told::moves)
    }
}

impl Told for pb::ImportGamesResponse {
    fn positions(&self) -> usize {
        let Some(Outcome::Replay(replay)) = &self.outcome else { return 0 };
        replay.positions()
    }

    fn moves(&self) -> usize {
        let Some(Outcome::Replay(replay)) = &self.outcome else { return 0 };
        replay.moves()
    }
}
