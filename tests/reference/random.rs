//! Positions to compare two engines on. All of it follows from a seed.

use super::board::{Color, Piece, Role, Square};
use super::moves::legal_moves;
use super::params::Params;
use super::play::apply;
use super::position::Position;
use super::valid::valid;

/// The generator of Steele, Lea and Flood: small, and the same on every machine.
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    pub fn new(seed: u64) -> SplitMix64 {
        SplitMix64 { state: seed }
    }

    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `bound`. Its tiny bias does not matter here.
    ///
    /// # Panics
    ///
    /// If `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next_u64() % bound as u64).expect("less than a usize")
    }

    /// True in about `percent` of 100 cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// The positions of a game of random legal moves: the start, and up to `plies` more. It ends
/// early when the game ends, or when listing the moves would take more than `cap` steps.
pub fn random_play(params: &Params, seed: u64, plies: usize, cap: usize) -> Vec<Position> {
    let mut random = SplitMix64::new(seed);
    let mut game = vec![Position::start(params)];
    for _ in 0..plies {
        let position = game.last().expect("the start is there");
        let Some(moves) = legal_moves(params, position, cap) else {
            break;
        };
        if moves.is_empty() {
            break;
        }
        let mv = &moves[random.below(moves.len())];
        game.push(apply(position, mv));
    }
    game
}

/// A valid position with about `pieces` pieces, of which about `kings_percent` in 100 are kings
/// where the variant has kings. None if twenty attempts gave no valid position.
pub fn random_setup(params: &Params, seed: u64, pieces: usize, kings_percent: usize) -> Option<Position> {
    let mut random = SplitMix64::new(seed);
    (0..20)
        .map(|_| scatter(params, &mut random, pieces, kings_percent))
        .find(|position| valid(params, position).is_ok())
}

fn scatter(params: &Params, random: &mut SplitMix64, pieces: usize, kings_percent: usize) -> Position {
    let turn = random_color(random);
    let mut position = Position::empty(params, turn);
    let mut free = params.board.squares();
    for _ in 0..pieces.min(free.len()) {
        let square = free.swap_remove(random.below(free.len()));
        let color = random_color(random);
        let role = random_role(params, random, color, square, kings_percent);
        position.put(square, role.map(|role| Piece { color, role }));
    }
    position
}

fn random_color(random: &mut SplitMix64) -> Color {
    if random.chance(50) { Color::White } else { Color::Black }
}

/// A role that may stand on the square; None if there is no such role.
fn random_role(
    params: &Params,
    random: &mut SplitMix64,
    color: Color,
    square: Square,
    kings_percent: usize,
) -> Option<Role> {
    let third_may = params.third.as_ref().is_some_and(|third| third.squares.of(color).contains(&square));
    let king_may = params.king.is_some();
    if third_may && random.chance(50) {
        Some(Role::Third)
    } else if king_may && random.chance(kings_percent) {
        Some(Role::King)
    } else if !params.promotes(color, square) {
        Some(Role::Man)
    } else {
        None
    }
}
