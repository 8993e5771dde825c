//! Why a move is illegal.
//!
//! The engine plays any row, so it can say by itself which rule a move breaks: rules are relaxed one after the other, in
//! the order of [`RELAXATIONS`], until the move becomes legal. The last one relaxed is the reason.

use super::claim::{MoveClaim, Way};
use super::engine::Tally;
use super::moves::{self, Budget, Move, MoveKind, MoveList};
use super::position::Position;
use super::row::{
    Landing, Mobility, Obligation, Precedence, Prey, PromotionInCapture, Range, Removal, Rules, Steps,
    Stopping, Turning, Zone,
};
use super::ruleset::Ruleset;
use super::square::{Direction, Directions, Role, Square};

/// Why a move is illegal, and what would be legal.
#[derive(Clone, Debug)]
pub struct IllegalMove {
    /// The square where it was to start.
    pub from: Square,
    /// The rule that it breaks.
    pub reason: IllegalReason,
    /// The number that a legal move has, where the reason is about numbers.
    pub required: Option<u32>,
    /// The number that this move has, where the reason is about numbers.
    pub offered: Option<u32>,
    /// The squares that the reason is about.
    pub squares: Vec<Square>,
    /// All legal moves.
    pub legal_moves: MoveList,
}

/// A rule that a move can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IllegalReason {
    /// The side to move has no legal move.
    GameOver,
    /// No piece stands on the first square.
    EmptySquare,
    /// The piece on the first square belongs to the other side.
    NotYourPiece,
    /// A capture is possible.
    MustCapture,
    /// Another capture takes more pieces.
    MustCaptureMore,
    /// A king must capture.
    MustCaptureWithKing,
    /// Another capture takes more kings.
    MustCaptureMoreKings,
    /// Another capture meets a king earlier.
    MustCaptureKingEarlier,
    /// The capture can go on from its last square.
    MustContinue,
    /// The piece must land where the capture goes on.
    MustLandWhereCaptureContinues,
    /// The piece must land directly behind the captured one.
    MustLandDirectlyBehind,
    /// The capture may not turn in this way.
    MayNotTurn,
    /// The man is promoted on the way, which ends the move.
    PromotionEndsMove,
    /// The man is not promoted on the way and goes on as a man.
    StaysMan,
    /// This piece may not capture a king.
    MayNotCaptureKing,
    /// A captured piece stays until the move ends and is in the way.
    CapturedPieceBlocks,
    /// A man makes no step from its square.
    NoStepFromHere,
    /// Another piece must be removed now.
    NotRemovable,
    /// The move names one square only, and no piece is removed now.
    NoEndSquare,
    /// The last square is occupied.
    Occupied,
    /// The piece does not move or capture in this direction.
    WrongDirection,
    /// The piece moves or jumps one step at a time.
    TooFar,
    /// Only an unbroken line of own men moves together.
    LineBroken,
    /// Moves between these squares capture other pieces.
    CapturesOtherPieces,
    /// Moves between these squares go another way.
    OtherPath,
    /// The piece cannot get there in any way.
    Unreachable,
}

/// How many engine steps one relaxation may take, whatever the caller's budget: the reason must not depend on it.
/// Relaxed rules can make a harmless position expensive; what is not found in time goes unexplained, not unrefused.
const STEPS_PER_RELAXATION: u64 = 2_000;

/// Relaxes one rule; says whether that changes anything, and for which reason a move is illegal that needs it.
type Relaxation = fn(&mut Rules) -> Option<IllegalReason>;

/// From the rules that people break knowingly to those of the board itself. Each is relaxed in addition to all before.
const RELAXATIONS: [Relaxation; 12] = [
    |rules| replace(&mut rules.obligation, Obligation::MayCapture, IllegalReason::MustCapture),
    // The criterion that decides is found by comparison: MustCaptureMore stands for all of them here.
    |rules| replace(&mut rules.precedence, [None; 4], IllegalReason::MustCaptureMore),
    |rules| match rules.landing {
        Landing::Any => None,
        Landing::WhereItGoesOn => {
            replace(&mut rules.landing, Landing::Any, IllegalReason::MustLandWhereCaptureContinues)
        }
        Landing::DirectlyBehind => {
            replace(&mut rules.landing, Landing::Any, IllegalReason::MustLandDirectlyBehind)
        }
    },
    |rules| replace(&mut rules.stopping, Stopping::AtWill, IllegalReason::MustContinue),
    |rules| replace(&mut rules.turning, Turning::Free, IllegalReason::MayNotTurn),
    |rules| {
        let reason = match rules.promotion_in_capture {
            PromotionInCapture::Stop => IllegalReason::PromotionEndsMove,
            PromotionInCapture::Pass | PromotionInCapture::GoOnAsKing => IllegalReason::StaysMan,
        };
        replace(&mut rules.promotion_in_capture, PromotionInCapture::GoOnAsKing, reason)
    },
    |rules| replace(&mut rules.man.prey, Prey::Any, IllegalReason::MayNotCaptureKing),
    |rules| replace(&mut rules.removal, Removal::AtOnce, IllegalReason::CapturedPieceBlocks),
    |rules| replace(&mut rules.no_step_from, Zone::Nowhere, IllegalReason::NoStepFromHere),
    |rules| {
        for_each_mobility(rules, |mobility| {
            if !mobility.first_jumps.is_empty() {
                mobility.first_jumps = every_direction_like(mobility.first_jumps);
                mobility.later_jumps = mobility.first_jumps;
            }
            mobility.steps = every_direction_like(mobility.steps);
        });
        Some(IllegalReason::WrongDirection)
    },
    |rules| {
        rules.steps = Steps::Single;
        for_each_mobility(rules, |mobility| mobility.range = Range::Flying);
        Some(IllegalReason::TooFar)
    },
    |rules| {
        for_each_mobility(rules, |mobility| {
            mobility.steps = Directions::EIGHT;
            mobility.first_jumps = Directions::EIGHT;
            mobility.later_jumps = Directions::EIGHT;
        });
        Some(IllegalReason::WrongDirection)
    },
];

fn replace<T: PartialEq>(field: &mut T, relaxed: T, reason: IllegalReason) -> Option<IllegalReason> {
    let changes = *field != relaxed;
    *field = relaxed;
    changes.then_some(reason)
}

fn for_each_mobility(rules: &mut Rules, mut change: impl FnMut(&mut Mobility)) {
    change(&mut rules.man);
    rules.king.iter_mut().for_each(&mut change);
    if let Some(parachutist) = &mut rules.parachutist {
        change(&mut parachutist.mobility);
    }
}

/// All directions of the kinds, diagonal or orthogonal, of which some are given.
fn every_direction_like(some: Directions) -> Directions {
    let is_like = |direction: &Direction| some.iter().any(|known| (known as u8 ^ *direction as u8) & 1 == 0);
    Directions::of(&Direction::ALL.into_iter().filter(is_like).collect::<Vec<_>>())
}

/// Finds the reason why no legal move fits a claim.
pub(super) fn explain(position: &Position, claim: &MoveClaim, legal_moves: MoveList) -> IllegalMove {
    let fault = plain_fault(position, claim, &legal_moves)
        .or_else(|| broken_rule(position, claim, &legal_moves))
        .unwrap_or_else(|| Fault::new(near_miss(claim, &legal_moves)));
    let Fault { reason, numbers, squares } = fault;
    let (required, offered) = numbers.unzip();
    IllegalMove { from: claim.from, reason, required, offered, squares, legal_moves }
}

/// A reason with what goes with it.
struct Fault {
    reason: IllegalReason,
    /// Required and offered.
    numbers: Option<(u32, u32)>,
    squares: Vec<Square>,
}

impl Fault {
    fn new(reason: IllegalReason) -> Fault {
        Fault { reason, numbers: None, squares: Vec::new() }
    }

    fn at(reason: IllegalReason, squares: impl IntoIterator<Item = Square>) -> Fault {
        Fault { reason, numbers: None, squares: squares.into_iter().collect() }
    }
}

/// Faults that one look at the board shows.
fn plain_fault(position: &Position, claim: &MoveClaim, legal_moves: &MoveList) -> Option<Fault> {
    if legal_moves.is_empty() {
        return Some(Fault::new(IllegalReason::GameOver));
    }
    let Some((color, _)) = position.piece_at(claim.from) else {
        return Some(Fault::at(IllegalReason::EmptySquare, [claim.from]));
    };
    if color != position.turn() {
        return Some(Fault::at(IllegalReason::NotYourPiece, [claim.from]));
    }
    let removals = legal_moves.iter().filter(|legal| legal.kind() == MoveKind::Removal).map(Move::from);
    let removals = removals.collect::<Vec<_>>();
    if !removals.is_empty() {
        return Some(Fault::at(IllegalReason::NotRemovable, removals));
    }
    if claim.to.is_none() {
        return Some(Fault::new(IllegalReason::NoEndSquare));
    }
    if let Some(to) = claim.to.filter(|&to| to != claim.from && position.piece_at(to).is_some()) {
        return Some(Fault::at(IllegalReason::Occupied, [to]));
    }
    let breaks_line = position.ruleset().rules().steps == Steps::Lines && breaks_a_line(position, claim);
    breaks_line.then(|| Fault::new(IllegalReason::LineBroken))
}

/// Whether a man steps over own pieces in a direction in which lines of men move.
fn breaks_a_line(position: &Position, claim: &MoveClaim) -> bool {
    let steps = position.ruleset().facing(position.ruleset().rules().man.steps, position.turn());
    let is_man = position.piece_at(claim.from).is_some_and(|(_, role)| role == Role::Man);
    let goes_over_own = |direction| {
        let next = |&square: &Square| position.ruleset().board().neighbor(square, direction);
        let line = std::iter::successors(Some(claim.from), next).skip(1).collect::<Vec<_>>();
        let end = line.iter().position(|&square| Some(square) == claim.to);
        let own =
            |&square: &Square| position.piece_at(square).is_some_and(|(color, _)| color == position.turn());
        let enemy =
            |&square: &Square| position.piece_at(square).is_some_and(|(color, _)| color != position.turn());
        end.is_some_and(|end| line[..end].iter().any(own) && !line[..end].iter().any(enemy))
    };
    is_man && steps.iter().any(goes_over_own)
}

/// Relaxes rule after rule until the move is legal.
fn broken_rule(position: &Position, claim: &MoveClaim, legal_moves: &MoveList) -> Option<Fault> {
    let mut rules = *position.ruleset().rules();
    for relax in RELAXATIONS {
        let Some(reason) = relax(&mut rules) else { continue };
        let relaxed = Ruleset::new(rules);
        let ways = ways_of(&position.under(&relaxed), claim.from);
        if let Some(way) = ways.iter().find(|&way| claim.fits(way)) {
            return Some(fault_of(position, claim, reason, way, legal_moves));
        }
    }
    None
}

/// The ways to move one piece; none if there are too many.
fn ways_of(position: &Position, from: Square) -> MoveList {
    moves::legal_paths(position, Some(from), &mut Budget::new(STEPS_PER_RELAXATION)).unwrap_or_default()
}

/// Fills in what goes with a reason, now that it is known how the move would be made.
fn fault_of(
    position: &Position,
    claim: &MoveClaim,
    reason: IllegalReason,
    way: Move<'_>,
    legal_moves: &MoveList,
) -> Fault {
    // A step while there are captures lacks the capture, a capture among others lacks precedence: one piece's own moves
    // cannot tell, since both relaxations free it from what the other pieces must do.
    let is_step = way.kind() == MoveKind::Step;
    match reason {
        IllegalReason::MustCapture | IllegalReason::MustCaptureMore if is_step => {
            Fault::at(IllegalReason::MustCapture, starts(legal_moves))
        }
        IllegalReason::MustCapture | IllegalReason::MustCaptureMore => {
            precedence_fault(position, way, legal_moves)
        }
        IllegalReason::MustContinue => Fault::at(reason, continuations(position, claim, way)),
        IllegalReason::MustLandWhereCaptureContinues | IllegalReason::MustLandDirectlyBehind => {
            let allowed = legal_moves.iter().filter(|legal| legal.from() == claim.from);
            let mut squares = allowed.flat_map(|legal| legal.landings().first().copied()).collect::<Vec<_>>();
            squares.sort_unstable();
            squares.dedup();
            Fault::at(reason, squares)
        }
        IllegalReason::MayNotCaptureKing => {
            let is_king =
                |square: &Square| position.piece_at(*square).is_some_and(|(_, role)| role == Role::King);
            Fault::at(reason, way.captured().iter().copied().filter(is_king))
        }
        IllegalReason::PromotionEndsMove => {
            let promotes = position.ruleset().zone(position.ruleset().rules().promotion, position.turn());
            Fault::at(
                reason,
                way.landings().iter().copied().filter(|&square| promotes.contains(square)).take(1),
            )
        }
        IllegalReason::GameOver
        | IllegalReason::EmptySquare
        | IllegalReason::NotYourPiece
        | IllegalReason::MustCaptureWithKing
        | IllegalReason::MustCaptureMoreKings
        | IllegalReason::MustCaptureKingEarlier
        | IllegalReason::MayNotTurn
        | IllegalReason::StaysMan
        | IllegalReason::CapturedPieceBlocks
        | IllegalReason::NoStepFromHere
        | IllegalReason::NotRemovable
        | IllegalReason::NoEndSquare
        | IllegalReason::Occupied
        | IllegalReason::WrongDirection
        | IllegalReason::TooFar
        | IllegalReason::LineBroken
        | IllegalReason::CapturesOtherPieces
        | IllegalReason::OtherPath
        | IllegalReason::Unreachable => Fault::new(reason),
    }
}

/// Where the legal moves start, each square once.
fn starts(legal_moves: &MoveList) -> Vec<Square> {
    let mut starts = legal_moves.iter().map(Move::from).collect::<Vec<_>>();
    starts.dedup(); // they are ordered by start
    starts
}

/// Which criterion of precedence a capture fails.
fn precedence_fault(position: &Position, way: Move<'_>, legal_moves: &MoveList) -> Fault {
    let Some(legal) = legal_moves.get(0) else { return Fault::new(IllegalReason::GameOver) };
    let (best, offered) = (tally(position, legal), tally(position, way));
    match best.compare(&offered, position.ruleset().rules()).1 {
        Some(Precedence::MostPieces) | None => Fault {
            numbers: Some((best.pieces, offered.pieces)),
            ..Fault::new(IllegalReason::MustCaptureMore)
        },
        Some(Precedence::WithKing) => Fault::at(IllegalReason::MustCaptureWithKing, starts(legal_moves)),
        Some(Precedence::MostKings) => Fault {
            numbers: Some((best.kings, offered.kings)),
            ..Fault::new(IllegalReason::MustCaptureMoreKings)
        },
        Some(Precedence::KingEarliest) => Fault::new(IllegalReason::MustCaptureKingEarlier),
    }
}

fn tally(position: &Position, capture: Move<'_>) -> Tally {
    let is_king = |&square: &Square| position.piece_at(square).is_some_and(|(_, role)| role == Role::King);
    let with_king = capture.role_before() == Role::King;
    capture.captured().iter().map(is_king).fold(Tally { with_king, ..Tally::default() }, Tally::and)
}

/// Where a capture that stopped too early can go on to.
fn continuations(position: &Position, claim: &MoveClaim, way: Move<'_>) -> Vec<Square> {
    let so_far = way.landings();
    // What the piece should have gone on to may in turn lack precedence.
    let any_capture = Ruleset::new(Rules { precedence: [None; 4], ..*position.ruleset().rules() });
    let ways = ways_of(&position.under(&any_capture), claim.from);
    let goes_on = ways.iter().filter(|longer| longer.landings().starts_with(so_far));
    let mut squares =
        goes_on.filter_map(|longer| longer.landings().get(so_far.len()).copied()).collect::<Vec<_>>();
    squares.sort_unstable();
    squares.dedup();
    squares
}

/// No relaxation makes the move legal: how far is it from a legal one?
fn near_miss(claim: &MoveClaim, legal_moves: &MoveList) -> IllegalReason {
    let same_ends = |legal: &Move<'_>| (legal.from(), legal.to()) == (claim.from, claim.to);
    let mut near = legal_moves.iter().filter(same_ends);
    let says_way = match &claim.way {
        Way::Through(squares) => !squares.is_empty(),
        Way::Exactly(_) => true,
    };
    match near.next() {
        None => IllegalReason::Unreachable,
        Some(legal) if claim.captured.is_some_and(|said| said != legal.captured_set()) => {
            IllegalReason::CapturesOtherPieces
        }
        Some(_) if says_way => IllegalReason::OtherPath,
        Some(_) => IllegalReason::CapturesOtherPieces,
    }
}
