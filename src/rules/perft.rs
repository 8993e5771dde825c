//! Perft: the number of lines of play of some length, the standard proof of a move generator.

use super::dispatch::{Job, dispatch};
use super::engine::{self, Play, Row, Sink, State, Word};
use super::moves::{Budget, TooComplex};
use super::position::Position;

/// Counts the lines of `depth` plies from a position. Moves are merged (same from, to and captured squares), a position
/// without a move counts 0 above depth 0, and draws are not looked for: the convention called "duplicates dropped".
///
/// # Errors
/// [`TooComplex`] if that takes more steps than the budget has; a step here is a capture search or a move played.
pub fn perft(position: &Position, depth: u32, budget: &mut Budget) -> Result<u64, TooComplex> {
    dispatch(position.ruleset, Perft(position, depth, budget))
}

struct Perft<'p, 'b>(&'p Position<'p>, u32, &'b mut Budget);

impl Job for Perft<'_, '_> {
    type Output = Result<u64, TooComplex>;

    fn run<R: Row, W: Word>(self, row: R) -> Self::Output {
        let Perft(position, depth, budget) = self;
        if depth == 0 {
            return Ok(1);
        }
        let mut buffers = vec![Buffer::default(); depth as usize];
        count(row, &position.state::<W>(), &mut buffers, budget)
    }
}

fn count<R: Row, W: Word>(
    row: R,
    state: &State<W>,
    buffers: &mut [Buffer<W>],
    budget: &mut Budget,
) -> Result<u64, TooComplex> {
    let Some((buffer, rest)) = buffers.split_first_mut() else { return Ok(1) };
    buffer.plays.clear();
    engine::generate(row, state, state.all(state.turn), budget, buffer)?;
    buffer.merge();
    if rest.is_empty() {
        return Ok(buffer.plays.len() as u64);
    }
    let mut nodes = 0;
    for play in &buffer.plays {
        budget.spend()?;
        nodes += count(row, &state.after(play), rest, budget)?;
    }
    Ok(nodes)
}

/// The moves of one ply; reused for all positions of that ply.
#[derive(Clone)]
struct Buffer<W> {
    plays: Vec<Play<W>>,
}

impl<W> Default for Buffer<W> {
    fn default() -> Self {
        Buffer { plays: Vec::new() }
    }
}

impl<W: Word> Buffer<W> {
    /// Keeps one of each move. Only captures of two pieces or more can come twice.
    fn merge(&mut self) {
        let long = |play: &Play<W>| play.captured.len() > 1;
        if self.plays.len() > 1 && self.plays.iter().filter(|play| long(play)).nth(1).is_some() {
            self.plays.sort_unstable();
            self.plays.dedup();
        }
    }
}

impl<W: Word> Sink<W> for Buffer<W> {
    const EVERY_LANDING: bool = false;

    fn drop_captures(&mut self) {
        self.plays.clear();
    }

    fn take(&mut self, play: Play<W>, _landings: &[u8], _victims: &[u8]) {
        self.plays.push(play);
    }
}
