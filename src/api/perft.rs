//! Perft, counted in pieces, so that clients hear how far it is.

use super::decode::{self, Judge, RulesOfGame, within};
use super::encode::moves::one_move;
use super::fault::Fault;
use super::limits::{MAX_PERFT_DEPTH, MAX_STEPS};
use super::proto as pb;
use crate::rules::{Budget, Position, perft};

/// The plies that are counted at once: some milliseconds where there are a hundred moves, and enough for the plies above,
/// which are played one by one, not to matter.
const PIECE: u32 = 4;

/// Somebody who hears how a count goes on.
pub trait Listener {
    /// So many more lines are counted.
    fn counted(&mut self, nodes: u64);
    /// A move of the position is counted, and was to be told.
    fn division(&mut self, division: pb::PerftDivision);
}

/// Counts what a request asks for. The budget is one without a limit of its own: what ends a long count is its being stopped.
///
/// # Errors
/// [`Fault`] if the request does not make sense or asks for too much, and [`Fault::TooComplex`] if the count is stopped.
pub fn count(
    request: &pb::RunPerftRequest,
    budget: &mut Budget,
    listener: &mut impl Listener,
) -> Result<(), Fault> {
    within("max_perft_depth", MAX_PERFT_DEPTH as usize, request.depth as usize)?;
    let rules = RulesOfGame::of(request.game.as_ref())?;
    let unlimited = budget.left();
    budget.renew(MAX_STEPS);
    let game = decode::game(&rules, request.game.as_ref(), Vec::new(), Judge::MovesOnly, budget)?;
    budget.renew(unlimited);
    let position = game.position();
    let Some(behind) = request.depth.checked_sub(1) else {
        listener.counted(1);
        return Ok(());
    };
    let moves = position.legal_moves(budget)?;
    for played in moves.iter() {
        let nodes = lines(&position.play(played), behind, budget, listener)?;
        if request.divide {
            let told = one_move(&position, played, &moves);
            listener.division(pb::PerftDivision { r#move: Some(told), nodes });
        }
    }
    Ok(())
}

/// Counts the lines of so many plies from a position.
fn lines(
    position: &Position,
    depth: u32,
    budget: &mut Budget,
    listener: &mut impl Listener,
) -> Result<u64, Fault> {
    if budget.is_stopped() {
        return Err(Fault::TooComplex); // nobody hears it; plies without captures take no steps, and so no look
    }
    if depth <= PIECE {
        let nodes = perft(position, depth, budget)?;
        listener.counted(nodes);
        return Ok(nodes);
    }
    let moves = position.legal_moves(budget)?;
    moves
        .iter()
        .try_fold(0, |nodes, played| Ok(nodes + lines(&position.play(played), depth - 1, budget, listener)?))
}
