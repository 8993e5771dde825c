//! From what a caller says of a move to the legal move that is meant, or to the reason why there is none.

use super::claim::MoveClaim;
use super::illegal::{self, IllegalMove};
use super::moves::{Budget, Move, MoveList, TooComplex};
use super::position::Position;

/// A legal move that was chosen.
#[derive(Clone, Debug)]
pub struct Chosen {
    moves: MoveList,
    place: usize,
}

impl Chosen {
    /// The move.
    #[must_use]
    pub fn get(&self) -> Move<'_> {
        self.moves.get(self.place).expect("the place was found in this list")
    }

    /// All legal moves of the position; the path of each is one of the ways to make it.
    #[must_use]
    pub fn legal_moves(&self) -> &MoveList {
        &self.moves
    }
}

/// Why no move was chosen.
#[derive(Clone, Debug)]
pub enum ChooseError {
    /// None fits.
    Illegal(Box<IllegalMove>),
    /// Several fit.
    Ambiguous {
        /// Those that fit.
        candidates: MoveList,
        /// All legal moves.
        legal_moves: MoveList,
    },
    /// Finding out takes too long.
    TooComplex(TooComplex),
}

impl From<TooComplex> for ChooseError {
    fn from(error: TooComplex) -> ChooseError {
        ChooseError::TooComplex(error)
    }
}

/// Finds the one legal move that a caller means. A way that is said in full wins over moves that merely pass there.
///
/// # Errors
/// [`ChooseError`]: no move fits, several do, or the search exceeds the budget.
pub fn choose(position: &Position, claim: &MoveClaim, budget: &mut Budget) -> Result<Chosen, ChooseError> {
    let moves = position.legal_moves(budget)?;
    let same_ends = moves.between(claim.from, claim.to);
    let mut fitting =
        same_ends.filter(|&place| moves.get(place).is_some_and(|listed| claim.has_ends_of(listed)));
    match (fitting.next(), fitting.next()) {
        (None, _) => Err(refuse(position, claim, moves)),
        // The usual case: one move with these ends, said to go the listed way or no particular way.
        (Some(place), None) if moves.get(place).is_some_and(|listed| claim.fits(listed)) => {
            Ok(Chosen { moves, place })
        }
        (Some(_), _) => choose_by_way(position, claim, moves, budget),
    }
}

/// Chooses among moves with the same ends by all ways to make them.
fn choose_by_way(
    position: &Position,
    claim: &MoveClaim,
    moves: MoveList,
    budget: &mut Budget,
) -> Result<Chosen, ChooseError> {
    let ways = position.legal_paths(budget)?;
    let places_where = |is_meant: &dyn Fn(Move<'_>) -> bool| {
        let with_ways = moves.with_ways(&ways).enumerate();
        let meant = with_ways.filter_map(|(place, (_, mut ways))| ways.any(is_meant).then_some(place));
        meant.collect::<Vec<_>>()
    };
    let mut places = places_where(&|way| claim.is_exactly(way));
    if places.is_empty() {
        places = places_where(&|way| claim.fits(way));
    }
    match places[..] {
        [] => Err(refuse(position, claim, moves)),
        [place] => Ok(Chosen { moves, place }),
        ref places => {
            let is_meant = (0..moves.len()).map(|place| places.binary_search(&place).is_ok());
            Err(ChooseError::Ambiguous { candidates: moves.filter(is_meant), legal_moves: moves })
        }
    }
}

fn refuse(position: &Position, claim: &MoveClaim, moves: MoveList) -> ChooseError {
    ChooseError::Illegal(Box::new(illegal::explain(position, claim, moves)))
}
