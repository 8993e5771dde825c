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
