//! Two engines agree, or the build is red: the fast one and the slow one of tests/reference, which was written from the
//! rules alone, list the same moves with the same ways, lead to the same positions and name the same winner.

#![allow(clippy::panic, clippy::print_stdout)] // it says what it found

mod reference;

use draughts_rules::rules::{
    Board, Budget, Claim, Color, Move, MoveKind, Place, Position, Role, Setup, Square, Variant,
};
use std::collections::BTreeMap;

/// Positions of each variant from games, and as many again from random setups.
const POSITIONS: usize = 10_000;
/// Steps that the slow engine may take for one position; at most one position in a hundred may need more.
const CAP: usize = 20_000;

#[test]
fn positions_of_random_games() {
    for &variant in Variant::ALL {
        let params = params_of(variant);
        let mut compared = Compared::new(variant);
        for seed in 0.. {
            for position in reference::random_play(&params, seed, 150, CAP) {
                compared.position(&params, &position);
            }
            if compared.positions >= POSITIONS {
                break;
            }
        }
        compared.report("games");
    }
}

#[test]
fn random_setups_with_few_and_with_many_kings() {
    for &variant in Variant::ALL {
        let params = params_of(variant);
        let squares = params.board.squares().len();
        let mut compared = Compared::new(variant);
        for seed in 0..3 * POSITIONS as u64 {
            // From two pieces to half of the board, from no king to nothing but kings.
            let pieces = 2 + seed as usize % (squares / 2);
            let kings_percent = [0, 20, 50, 100][seed as usize % 4];
            if let Some(position) = reference::random_setup(&params, seed, pieces, kings_percent) {
                compared.position(&params, &position);
            }
            if compared.positions == POSITIONS {
                break;
            }
        }
        compared.report("setups");
    }
}

fn params_of(variant: Variant) -> reference::Params {
    let name = variant.about().name.to_lowercase().replace(' ', "_");
    reference::params(&name).unwrap_or_else(|| panic!("the second engine does not know {name}"))
}

struct Compared {
    variant: Variant,
    positions: usize,
    beyond_cap: usize,
    moves: usize,
}

impl Compared {
    fn new(variant: Variant) -> Compared {
        Compared { variant, positions: 0, beyond_cap: 0, moves: 0 }
    }

    fn position(&mut self, params: &reference::Params, slow: &reference::Position) {
        self.positions += 1;
        let Some(slow_moves) = reference::legal_moves(params, slow, CAP) else {
            self.beyond_cap += 1;
            return;
        };
        self.moves += slow_moves.len();
        let fast = fast_position(self.variant, slow);
        let expected = slow_moves.iter().map(|m| described_slow(fast.ruleset().board(), params, slow, m));
        let found = described_fast(&fast);
        assert_eq!(found, expected.collect::<BTreeMap<_, _>>(), "{:?}\n{fast:?}", self.variant);
        let winner = reference::result(params, slow).map(color);
        assert_eq!(fast.outcome().winner(), winner, "{:?}\n{fast:?}", self.variant);
    }

    fn report(&self, source: &str) {
        let Compared { variant, positions, beyond_cap, moves } = self;
        println!(
            "{variant:?}: {positions} positions from {source}, {moves} moves, {beyond_cap} beyond the cap"
        );
        assert!(*positions >= POSITIONS && 100 * beyond_cap <= *positions);
    }
}

/// What makes two moves one: from, to, captured squares, role after, kind.
type Identity = (Square, Option<Square>, Vec<Square>, Role, MoveKind);
/// All ways to make a move, and the position after it.
type Consequence = (Vec<Vec<Square>>, String);

fn described_fast(position: &Position) -> BTreeMap<Identity, Consequence> {
    let mut budget = Budget::new(10_000_000);
    let moves = position.legal_moves(&mut budget).expect("not too complex for the budget");
    let ways = position.legal_paths(&mut budget).expect("not too complex for the budget");
    let described = moves.with_ways(&ways).map(|(listed, ways)| {
        let mut captured = listed.captured().to_vec();
        captured.sort();
        let identity = (listed.from(), listed.to(), captured, listed.role_after(), listed.kind());
        let ways = ways.map(|way| way.landings().to_vec()).filter(|way| !way.is_empty()).collect();
        (identity, (ways, after_fast(position, listed)))
    });
    let described = described.collect::<BTreeMap<_, _>>();
    assert_eq!(described.len(), moves.len(), "no move is listed twice");
    described
}

fn after_fast(position: &Position, listed: Move<'_>) -> String {
    position.play(listed).to_string()
}

fn described_slow(
    board: &Board,
    params: &reference::Params,
    position: &reference::Position,
    slow: &reference::Move,
) -> (Identity, Consequence) {
    let place =
        |&(column, row): &reference::Square| board.square_at(column, row).expect("both know the board");
    let sorted = |squares: &[reference::Square]| {
        let mut squares = squares.iter().map(place).collect::<Vec<_>>();
        squares.sort();
        squares
    };
    let kind = match slow.kind {
        reference::Kind::Step => MoveKind::Step,
        reference::Kind::Capture => MoveKind::Capture,
        reference::Kind::Removal => MoveKind::Removal,
    };
    let mut ways =
        slow.paths.iter().map(|path| path.iter().map(place).collect::<Vec<_>>()).collect::<Vec<_>>();
    ways.sort();
    let to = slow.to.as_ref().map(place);
    let identity = (place(&slow.from), to, sorted(&slow.captured), role(slow.role_after), kind);
    let after = reference::apply(position, slow);
    (identity, (ways, picture(params, &after)))
}

/// The picture that `Position` prints, drawn from the other engine's board.
fn picture(params: &reference::Params, position: &reference::Position) -> String {
    let letter = |column: u8, row: u8| match position.at((column, row)) {
        Some(piece) => {
            let letters = match piece.role {
                reference::Role::Man => ['w', 'b'],
                reference::Role::King => ['W', 'B'],
                reference::Role::Third => ['p', 'q'],
            };
            letters[usize::from(piece.color == reference::Color::Black)]
        }
        None if params.board.plays((column, row)) => '.',
        None => ' ',
    };
    let line = |row| (0..params.board.cols).map(|column| letter(column, row)).collect::<String>();
    (0..params.board.rows).rev().map(|row| format!("{}\n", line(row).trim_end())).collect()
}

fn fast_position(variant: Variant, slow: &reference::Position) -> Position<'static> {
    let claims = slow.pieces().into_iter().map(|((column, row), piece)| Claim {
        color: color(piece.color),
        role: role(piece.role),
        place: Place::Name(column, row.into()),
    });
    let setup = Setup { turn: color(slow.turn), claims: claims.collect() };
    let fast = Position::new(variant.ruleset(), &setup);
    fast.unwrap_or_else(|error| panic!("{variant:?}: only one engine finds this valid: {error:?}\n{setup:?}"))
}

fn color(color: reference::Color) -> Color {
    match color {
        reference::Color::White => Color::White,
        reference::Color::Black => Color::Black,
    }
}

fn role(role: reference::Role) -> Role {
    match role {
        reference::Role::Man => Role::Man,
        reference::Role::King => Role::King,
        reference::Role::Third => Role::Parachutist,
    }
}
