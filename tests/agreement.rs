//! Two engines agree, or the build is red: the fast one and the slow one of tests/reference, which was written from the
//! rules alone, list the same moves with the same ways, lead to the same positions and name the same winner.

#![allow(clippy::panic, clippy::print_stdout)] // it says what it found

mod reference;

use draughts_rules::rules::row::{
    Headings, Landing, Mobility, NoMove, Obligation, Opening, Parachutist, Precedence, Prey, Prints,
    PromotionInCapture, Range, Removal, SquareText, Start, Steps, Stopping, Turning, Zone,
};
use draughts_rules::rules::{
    Board, BoardFacts, Budget, Claim, Color, Direction, Directions, Lines, Move, MoveKind, Numbering, Place,
    Playing, Position, Role, Rules, Ruleset, Setup, Square, SquareSet, Variant,
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
        let mut compared = Compared::new(format!("{variant:?}"), variant.ruleset());
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
        let mut compared = Compared::new(format!("{variant:?}"), variant.ruleset());
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

/// Rules that nobody has played: what one variant says of a thing, and another of the next.
#[test]
fn random_rule_sets() {
    const RULE_SETS: u64 = 1_000;
    let (mut positions, mut moves, mut beyond_cap) = (0, 0, 0);
    for seed in 0..RULE_SETS {
        let params = mixed(seed);
        let ruleset = Ruleset::of_rules(rules_of(&params))
            .unwrap_or_else(|found| panic!("rule set {seed} contradicts itself: {found:?}\n{params:?}"));
        let mut compared = Compared::new(format!("rule set {seed}: {params:?}"), &ruleset);
        for position in reference::random_play(&params, seed, 60, CAP) {
            compared.position(&params, &position);
        }
        let squares = params.board.squares().len();
        for setup in 0..60 {
            let (pieces, kings_percent) = (2 + setup % (squares / 2), [0, 20, 50, 100][setup % 4]);
            if let Some(position) =
                reference::random_setup(&params, seed * 60 + setup as u64, pieces, kings_percent)
            {
                compared.position(&params, &position);
            }
        }
        positions += compared.positions;
        moves += compared.moves;
        beyond_cap += compared.beyond_cap;
    }
    println!("{RULE_SETS} rule sets: {positions} positions, {moves} moves, {beyond_cap} beyond the cap");
    assert!(positions > 80 * RULE_SETS as usize && 100 * beyond_cap <= 3 * positions);
}

/// A variant's board and start, and every other rule from a variant drawn by lot.
fn mixed(seed: u64) -> reference::Params {
    let mut random = reference::SplitMix64::new(seed);
    let mut any = || {
        let name = reference::NAMES[random.below(reference::NAMES.len())];
        reference::params(name).expect("a known name")
    };
    let (base, king, man, jumps) = (any(), any().king, any().man, any().man);
    let can_step = !man.step_dirs.is_empty();
    let mixed = reference::Params {
        first_mover: if can_step { any().first_mover } else { base.first_mover },
        king: base.king.clone().map(|own| king.unwrap_or(own)),
        man: reference::Man {
            line_dirs: man.line_dirs.into_iter().filter(|dir| man.step_dirs.contains(dir)).collect(),
            step_dirs: man.step_dirs,
            may_take_king: any().man.may_take_king,
            no_step_squares: base.man.no_step_squares.clone(),
            first_jump_dirs: jumps.first_jump_dirs,
            later_jump_dirs: jumps.later_jump_dirs,
        },
        promotion_in_capture: any().promotion_in_capture,
        precedence: any().precedence,
        removal: any().removal,
        reversal_allowed: any().reversal_allowed,
        straight_only: any().straight_only,
        voluntary_stop: any().voluntary_stop,
        no_move: any().no_move,
        first_removals: if can_step { Vec::new() } else { base.first_removals.clone() },
        ..base
    };
    let has_kings = mixed.king.is_some();
    reference::Params {
        precedence: mixed
            .precedence
            .into_iter()
            .filter(|criterion| has_kings || *criterion == reference::Precedence::Most)
            .collect(),
        ..mixed
    }
}

/// The row that says the same as the parameters of the second engine.
fn rules_of(params: &reference::Params) -> Rules {
    let facts = facts_of(&params.board);
    let board = Board::new(facts);
    let set = |squares: &[reference::Square]| {
        squares.iter().filter_map(|&(column, row)| board.square_at(column, row)).collect::<SquareSet>()
    };
    let zone = |sides: &reference::Sides<Vec<reference::Square>>| {
        Zone::Squares(set(&sides.white), set(&sides.black))
    };
    let range = |range| match range {
        reference::Range::Short => Range::Short,
        reference::Range::Flying => Range::Flying,
    };
    let man = &params.man;
    let start = params.start.iter().filter_map(|&(of, piece, (column, row))| {
        Some((color(of), role(piece), board.square_at(column, row)?))
    });
    Rules {
        board: facts,
        start: Start::of(start),
        first_mover: color(params.first_mover),
        heading: if params.forward.black > 0 { Headings::BothUp } else { Headings::Apart },
        man: Mobility {
            steps: directions(&man.step_dirs),
            first_jumps: directions(&man.first_jump_dirs),
            later_jumps: directions(&man.later_jump_dirs),
            range: Range::Short,
            prey: if man.may_take_king { Prey::Any } else { Prey::NoKings },
        },
        king: params.king.as_ref().map(|king| {
            assert_eq!(king.step_range, king.jump_range, "a row has one range");
            let (steps, jumps) = (directions(&king.step_dirs), directions(&king.jump_dirs));
            Mobility {
                steps,
                first_jumps: jumps,
                later_jumps: jumps,
                range: range(king.jump_range),
                prey: Prey::Any,
            }
        }),
        parachutist: params.third.as_ref().map(|third| Parachutist {
            mobility: Mobility {
                steps: Directions::NONE,
                first_jumps: directions(&third.jump_dirs),
                later_jumps: Directions::NONE,
                range: Range::Short,
                prey: Prey::Any,
            },
            home: zone(&third.squares),
        }),
        obligation: Obligation::MustCapture,
        precedence: std::array::from_fn(|index| {
            params.precedence.get(index).map(|criterion| match criterion {
                reference::Precedence::Most => Precedence::MostPieces,
                reference::Precedence::WithKing => Precedence::WithKing,
                reference::Precedence::MostKings => Precedence::MostKings,
                reference::Precedence::KingEarliest => Precedence::KingEarliest,
            })
        }),
        removal: match params.removal {
            reference::Removal::AtEnd => Removal::AtEnd,
            reference::Removal::AtOnce => Removal::AtOnce,
        },
        landing: params.king.as_ref().map_or(Landing::DirectlyBehind, |king| match king.landing {
            reference::Landing::Any => Landing::Any,
            reference::Landing::Behind => Landing::DirectlyBehind,
            reference::Landing::Duty => Landing::WhereItGoesOn,
        }),
        turning: match (params.straight_only, params.reversal_allowed) {
            (true, _) => Turning::Never,
            (false, true) => Turning::Free,
            (false, false) => Turning::NotBack,
        },
        stopping: if params.voluntary_stop { Stopping::AtWill } else { Stopping::NotWhileItGoesOn },
        promotion: zone(&params.promotion_squares),
        promotion_in_capture: match params.promotion_in_capture {
            reference::PromotionInCapture::Stop => PromotionInCapture::Stop,
            reference::PromotionInCapture::PassAsMan => PromotionInCapture::Pass,
            reference::PromotionInCapture::BecomeKing => PromotionInCapture::GoOnAsKing,
        },
        no_step_from: zone(&man.no_step_squares),
        steps: if man.line_dirs.is_empty() { Steps::Single } else { Steps::Lines },
        opening: match &params.first_removals[..] {
            [] => Opening::None,
            squares => Opening::Removals(set(squares)),
        },
        no_move: match params.no_move {
            reference::NoMove::Loses => NoMove::Loses,
            reference::NoMove::Wins => NoMove::Wins,
        },
        draws: &[],
        prints: Prints { squares: SquareText::Names, capture_sign: 'x' },
    }
}

fn facts_of(board: &reference::Board) -> BoardFacts {
    BoardFacts {
        width: board.cols,
        height: board.rows,
        playing: match board.playing {
            reference::Playing::All => Playing::All,
            reference::Playing::A1Parity => Playing::LikeA1,
            reference::Playing::OtherParity => Playing::UnlikeA1,
        },
        lines: match board.lines {
            reference::Lines::Free => Lines::Eight,
            reference::Lines::Alquerque => Lines::DiagonalsLikeA1,
        },
        numbering: Numbering::FromUpperLeft,
    }
}

fn directions(dirs: &[reference::Dir]) -> Directions {
    let is_one = |direction: &Direction| dirs.contains(&direction.offset());
    Directions::of(&Direction::ALL.into_iter().filter(is_one).collect::<Vec<_>>())
}

fn params_of(variant: Variant) -> reference::Params {
    let name = variant.about().name.to_lowercase().replace(' ', "_");
    reference::params(&name).unwrap_or_else(|| panic!("the second engine does not know {name}"))
}

struct Compared<'r> {
    name: String,
    ruleset: &'r Ruleset,
    positions: usize,
    beyond_cap: usize,
    moves: usize,
}

impl<'r> Compared<'r> {
    fn new(name: String, ruleset: &'r Ruleset) -> Compared<'r> {
        Compared { name, ruleset, positions: 0, beyond_cap: 0, moves: 0 }
    }

    fn position(&mut self, params: &reference::Params, slow: &reference::Position) {
        self.positions += 1;
        let Some(slow_moves) = reference::legal_moves(params, slow, CAP) else {
            self.beyond_cap += 1;
            return;
        };
        self.moves += slow_moves.len();
        let fast = fast_position(&self.name, self.ruleset, slow);
        let expected = slow_moves.iter().map(|m| described_slow(fast.ruleset().board(), params, slow, m));
        let found = described_fast(&fast);
        assert_eq!(found, expected.collect::<BTreeMap<_, _>>(), "{}\n{fast:?}", self.name);
        let winner = reference::result(params, slow).map(color);
        assert_eq!(fast.outcome().winner(), winner, "{}\n{fast:?}", self.name);
    }

    fn report(&self, source: &str) {
        let Compared { name, positions, beyond_cap, moves, .. } = self;
        println!("{name}: {positions} positions from {source}, {moves} moves, {beyond_cap} beyond the cap");
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

fn fast_position<'r>(name: &str, ruleset: &'r Ruleset, slow: &reference::Position) -> Position<'r> {
    let claims = slow.pieces().into_iter().map(|((column, row), piece)| Claim {
        color: color(piece.color),
        role: role(piece.role),
        place: Place::Name(column, row.into()),
    });
    let setup = Setup { turn: color(slow.turn), claims: claims.collect() };
    let fast = Position::new(ruleset, &setup);
    fast.unwrap_or_else(|error| panic!("{name}: only one engine finds this valid: {error:?}\n{setup:?}"))
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
