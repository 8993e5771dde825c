//! From the rules to messages, and to the sentences that people read.

use super::limits::MAX_DETAILS;
use super::proto as pb;
use crate::rules::notation::{fen, move_text};
use crate::rules::row::{
    Headings, Landing, NoMove, Obligation, Opening, Precedence, Prey, PromotionInCapture, Range, Removal,
    SquareText, Steps, Stopping, Turning, Zone,
};
use crate::rules::{
    Color, Direction, Directions, IllegalMove, IllegalReason, Lines, Move, MoveKind, MoveList, Outcome,
    Position, Role, Ruleset, Setup, Square, SquareSet, Variant, Violation, ViolationKind,
};

fn numbers(squares: impl IntoIterator<Item = Square>) -> Vec<u32> {
    squares.into_iter().map(|square| u32::from(square.number())).collect()
}

/// The numbers of squares, ascending, each once.
pub(super) fn distinct(squares: impl IntoIterator<Item = Square>) -> Vec<u32> {
    numbers(squares.into_iter().collect::<SquareSet>().iter())
}

// Positions.

pub(super) fn position_info(position: &Position) -> pb::PositionInfo {
    let placement = pb::position::Form::Placement(placement(position));
    pb::PositionInfo {
        position: Some(pb::Position { form: Some(placement) }),
        fen: fen::write(position),
        key: position.key(),
    }
}

fn placement(position: &Position) -> pb::Placement {
    let mut groups = Vec::with_capacity(4);
    for color in Color::ALL {
        for role in Role::ALL {
            let squares = position.squares(color, role);
            if !squares.is_empty() {
                let squares = numbers(squares.iter());
                groups.push(pb::Pieces {
                    color: self::color(color) as i32,
                    role: self::role(role) as i32,
                    squares,
                });
            }
        }
    }
    pb::Placement { turn: color(position.turn()) as i32, pieces: groups }
}

pub(super) fn violation(
    ruleset: &Ruleset,
    setup: &Setup,
    violation: Violation,
    field: String,
) -> pb::PositionViolation {
    use pb::PositionViolationKind as Kind;
    let claim = violation.claim.and_then(|index| setup.claims.get(index));
    let place = claim.map(|claim| claim.place.to_string()).unwrap_or_default();
    let (kind, explanation) = match violation.kind {
        ViolationKind::NoSuchSquare => (Kind::NoSuchSquare, format!("the board has no square {place}")),
        ViolationKind::SquareTaken => (Kind::SquareTaken, format!("two pieces stand on {place}")),
        ViolationKind::NoSuchRole => {
            let role = claim.map_or("", |claim| role_name(claim.role));
            (Kind::NoSuchRole, format!("{place}: the variant has no {role}"))
        }
        ViolationKind::UnpromotedMan => {
            (Kind::UnpromotedMan, format!("the man on {place} would have been promoted there"))
        }
        ViolationKind::OffHome => {
            (Kind::OffHome, format!("the parachutist on {place} can only stand on its home squares"))
        }
        ViolationKind::NoPieces => (Kind::NoPieces, "there is no piece".to_owned()),
        ViolationKind::WrongTurn => {
            (Kind::WrongTurn, "the number of holes shows that the other side is to move".to_owned())
        }
        ViolationKind::HoleNotRemovable => {
            (Kind::HoleNotRemovable, "the only hole is not where the first piece is removed".to_owned())
        }
    };
    let square = claim.and_then(|claim| claim.place.on(ruleset.board()));
    pb::PositionViolation {
        kind: kind as i32,
        field,
        explanation,
        square: square.map(|square| u32::from(square.number())),
    }
}

// Moves and results.

/// Which parts of listed moves are wanted.
#[derive(Clone, Copy, Default)]
pub(super) struct Parts {
    pub(super) notation: bool,
    pub(super) landings: bool,
    pub(super) paths: bool,
    pub(super) position_after: bool,
}

impl Parts {
    /// The parts that an answer about a single move always has.
    pub(super) const FULL: Parts =
        Parts { notation: true, landings: true, paths: false, position_after: false };
}

/// Some legal moves with the parts that are wanted; `ways` are all legal paths, if those are wanted.
pub(super) fn moves(
    position: &Position,
    wanted: &MoveList,
    legal_moves: &MoveList,
    ways: Option<&MoveList>,
    parts: Parts,
) -> Vec<pb::Move> {
    let mut encoded =
        wanted.iter().map(|listed| encoded(position, listed, legal_moves, parts)).collect::<Vec<_>>();
    if let Some(ways) = ways {
        // Both are parts of the same ordered list.
        let mut rest = encoded.iter_mut().zip(wanted.iter()).peekable();
        for (legal, ways) in legal_moves.with_ways(ways) {
            if let Some((encoded, _)) = rest.next_if(|(_, listed)| listed.is_same_move(legal)) {
                encoded.paths = ways.map(path).collect();
            }
        }
    }
    encoded
}

/// One legal move in full.
pub(super) fn one_move(position: &Position, chosen: Move<'_>, legal_moves: &MoveList) -> pb::Move {
    encoded(position, chosen, legal_moves, Parts::FULL)
}

fn encoded(position: &Position, listed: Move<'_>, legal_moves: &MoveList, parts: Parts) -> pb::Move {
    let kind = match listed.kind() {
        MoveKind::Step => pb::MoveKind::Step,
        MoveKind::Capture => pb::MoveKind::Capture,
        MoveKind::Removal => pb::MoveKind::Removal,
    };
    let role_after = listed.to().map_or(pb::Role::Unspecified, |_| role(listed.role_after()));
    let text = || move_text::write(position.ruleset(), listed, legal_moves);
    pb::Move {
        from_square: u32::from(listed.from().number()),
        to_square: listed.to().map(|to| u32::from(to.number())),
        captured: numbers(listed.captured().iter().copied()),
        kind: kind as i32,
        role_after: role_after as i32,
        landings: if parts.landings { numbers(listed.landings().iter().copied()) } else { Vec::new() },
        notation: if parts.notation { text() } else { String::new() },
        paths: Vec::new(),
        position_after: parts.position_after.then(|| position_info(&position.play(listed))),
    }
}

fn path(way: Move<'_>) -> pb::SquarePath {
    pb::SquarePath { squares: numbers(std::iter::once(way.from()).chain(way.landings().iter().copied())) }
}

pub(super) fn result(position: &Position) -> pb::Result {
    use pb::{ResultReason, ResultStatus};
    let outcome = position.outcome();
    let turn = color_name(position.turn());
    let (status, reason, explanation) = match outcome {
        Outcome::Ongoing => (
            ResultStatus::Ongoing,
            ResultReason::Unspecified,
            format!("The game goes on; {turn} is to move."),
        ),
        Outcome::NoPieces { winner } => (
            ResultStatus::Won,
            ResultReason::NoPieces,
            format!("{turn} has no piece left; {} wins.", color_name(winner)),
        ),
        Outcome::NoLegalMove { winner } => (
            ResultStatus::Won,
            ResultReason::NoLegalMove,
            format!("{turn} has no legal move; {} wins.", color_name(winner)),
        ),
    };
    pb::Result {
        status: status as i32,
        winner: outcome.winner().map_or(pb::Color::Unspecified, color) as i32,
        reason: reason as i32,
        history_coverage: pb::HistoryCoverage::NotJudged as i32,
        explanation,
    }
}

pub(super) fn illegal(position: &Position, illegal: &IllegalMove) -> pb::IllegalMove {
    let (reason, sentence) = illegal_reason(illegal.reason);
    let from = illegal.from;
    let near = illegal.legal_moves.iter().filter(|legal| legal.from() == from);
    let far = illegal.legal_moves.iter().filter(|legal| legal.from() != from);
    let candidates = near.chain(far).take(MAX_DETAILS);
    let mut explanation = sentence.to_owned();
    if let (Some(required), Some(offered)) = (illegal.required, illegal.offered) {
        explanation += &format!(": {required} instead of {offered}");
    }
    if !illegal.squares.is_empty() {
        let name = |square: &Square| move_text::square(position.ruleset(), *square);
        let shown = illegal.squares.iter().take(MAX_DETAILS).map(name).collect::<Vec<_>>();
        explanation += &format!(" ({})", shown.join(", "));
    }
    pb::IllegalMove {
        reason: reason as i32,
        explanation,
        ply: None,
        required: illegal.required,
        offered: illegal.offered,
        squares: numbers(illegal.squares.iter().copied().take(MAX_DETAILS)),
        candidates: candidates.map(|legal| one_move(position, legal, &illegal.legal_moves)).collect(),
        legal_move_count: illegal.legal_moves.len() as u32,
    }
}

pub(super) fn ambiguous(
    position: &Position,
    candidates: &MoveList,
    legal_move_count: usize,
) -> pb::IllegalMove {
    let shown = candidates.iter().take(MAX_DETAILS);
    pb::IllegalMove {
        explanation: format!("{} legal moves fit", candidates.len()),
        candidates: shown.map(|fitting| one_move(position, fitting, candidates)).collect(),
        legal_move_count: legal_move_count as u32,
        ..Default::default()
    }
}

/// A reason on the wire and in words; the squares it is about follow in brackets.
fn illegal_reason(reason: IllegalReason) -> (pb::IllegalMoveReason, &'static str) {
    use IllegalReason as R;
    use pb::IllegalMoveReason as W;
    match reason {
        R::GameOver => (W::GameOver, "the side to move has no legal move"),
        R::EmptySquare => (W::EmptySquare, "no piece stands there"),
        R::NotYourPiece => (W::NotYourPiece, "the piece belongs to the other side"),
        R::MustCapture => (W::MustCapture, "a capture is possible, so one must be made"),
        R::MustCaptureMore => (W::MustCaptureMore, "the capture of the most pieces must be made"),
        R::MustCaptureWithKing => (W::MustCaptureWithKing, "a king must make the capture"),
        R::MustCaptureMoreKings => (W::MustCaptureMoreKings, "the capture of the most kings must be made"),
        R::MustCaptureKingEarlier => {
            (W::MustCaptureKingEarlier, "the capture that meets a king first must be made")
        }
        R::MustContinue => (W::MustContinue, "the capture must go on"),
        R::MustLandWhereCaptureContinues => {
            (W::MustLandWhereCaptureContinues, "the piece must land where the capture goes on")
        }
        R::MustLandDirectlyBehind => {
            (W::MustLandDirectlyBehind, "the piece must land directly behind the captured one")
        }
        R::MayNotTurn => (W::MayNotTurn, "the capture may not turn in this way"),
        R::PromotionEndsMove => (W::PromotionEndsMove, "the man is promoted on the way, which ends the move"),
        R::StaysMan => (W::StaysMan, "the man is not promoted on the way and goes on as a man"),
        R::MayNotCaptureKing => (W::MayNotCaptureKing, "a man may not capture a king"),
        R::CapturedPieceBlocks => {
            (W::CapturedPieceBlocks, "a captured piece stays until the move ends and is in the way")
        }
        R::NoStepFromHere => (W::NoStepFromHere, "a man makes no step from its square"),
        R::NotRemovable => (W::NotRemovable, "one of these pieces must be removed now"),
        R::NoEndSquare => (W::NoEndSquare, "the move names one square only, and no piece is removed now"),
        R::Occupied => (W::Occupied, "the square is occupied"),
        R::WrongDirection => (W::WrongDirection, "the piece does not move or capture in this direction"),
        R::TooFar => (W::TooFar, "the piece moves or jumps one step at a time"),
        R::LineBroken => (W::LineBroken, "only an unbroken line of own men moves together"),
        R::CapturesOtherPieces => {
            (W::CapturesOtherPieces, "the moves with these squares capture other pieces or none")
        }
        R::OtherPath => (W::OtherPath, "the moves between these squares go another way"),
        R::Unreachable => (W::Unreachable, "the piece cannot get there"),
    }
}

// Variants.

pub(super) fn variant_info(variant: Variant) -> pb::VariantInfo {
    let about = variant.about();
    pb::VariantInfo {
        variant: i32::from(about.number),
        name: about.name.to_owned(),
        aliases: about.aliases.iter().map(|&alias| alias.to_owned()).collect(),
        summary: about.summary.to_owned(),
        rules: Some(rules(variant.ruleset())),
        pdn_game_type: about.pdn_game_type.unwrap_or_default().to_owned(),
    }
}

pub(super) fn board(ruleset: &Ruleset) -> pb::Board {
    let board = ruleset.board();
    let facts = board.facts();
    let home = ruleset.rules().parachutist.map_or(Zone::Nowhere, |parachutist| parachutist.home);
    let squares = board.squares().map(|square| pb::Square {
        number: u32::from(square.number()),
        name: board.name(square),
        column: u32::from(board.column(square)),
        row: u32::from(board.row(square)),
        promotes: colors_with(ruleset, ruleset.rules().promotion, square),
        no_step_for: colors_with(ruleset, ruleset.rules().no_step_from, square),
        home_of_parachutists: colors_with(ruleset, home, square),
    });
    let lines = board.squares().flat_map(|square| {
        let neighbors =
            Direction::ALL.into_iter().filter_map(move |direction| board.neighbor(square, direction));
        let mut higher = neighbors.filter(|&neighbor| neighbor > square).collect::<Vec<_>>();
        higher.sort_unstable();
        higher
            .into_iter()
            .map(move |to| pb::Line { lower: square.number().into(), higher: to.number().into() })
    });
    pb::Board {
        width: u32::from(facts.width),
        height: u32::from(facts.height),
        squares: squares.collect(),
        lines: lines.collect(),
        is_line_board: match facts.lines {
            Lines::Eight => false,
            Lines::DiagonalsLikeA1 => true,
        },
        turned_for_black: match ruleset.rules().heading {
            Headings::Apart => true,
            Headings::BothUp => false,
        },
    }
}

fn colors_with(ruleset: &Ruleset, zone: Zone, square: Square) -> Vec<i32> {
    let has_square = |&color: &Color| ruleset.zone(zone, color).contains(square);
    Color::ALL.into_iter().filter(has_square).map(|found| color(found) as i32).collect()
}

fn rules(ruleset: &Ruleset) -> pb::Rules {
    let rules = ruleset.rules();
    let first_removals = match rules.opening {
        Opening::None => SquareSet::EMPTY,
        Opening::Removals(squares) => squares,
    };
    pb::Rules {
        width: rules.board.width.into(),
        height: rules.board.height.into(),
        first_mover: color(rules.first_mover) as i32,
        roles: ruleset.roles().filter_map(|role| role_rules(ruleset, role)).collect(),
        obligation: match rules.obligation {
            Obligation::MustCapture => pb::Obligation::MustCapture,
            Obligation::MayCapture => pb::Obligation::MayCapture,
        } as i32,
        precedence: rules
            .precedence
            .into_iter()
            .flatten()
            .map(|criterion| precedence(criterion) as i32)
            .collect(),
        removal: match rules.removal {
            Removal::AtEnd => pb::Removal::AtEnd,
            Removal::AtOnce => pb::Removal::AtOnce,
        } as i32,
        landing: match rules.landing {
            Landing::Any => pb::Landing::Any,
            Landing::WhereItGoesOn => pb::Landing::WhereItGoesOn,
            Landing::DirectlyBehind => pb::Landing::DirectlyBehind,
        } as i32,
        turning: match rules.turning {
            Turning::Free => pb::Turning::Free,
            Turning::NotBack => pb::Turning::NotBack,
            Turning::Never => pb::Turning::Never,
        } as i32,
        stopping: match rules.stopping {
            Stopping::NotWhileItGoesOn => pb::Stopping::NotWhileItGoesOn,
            Stopping::AtWill => pb::Stopping::AtWill,
        } as i32,
        promotion_in_capture: match rules.promotion_in_capture {
            PromotionInCapture::Stop => pb::PromotionInCapture::Stop,
            PromotionInCapture::Pass => pb::PromotionInCapture::Pass,
            PromotionInCapture::GoOnAsKing => pb::PromotionInCapture::GoOnAsKing,
        } as i32,
        steps: match rules.steps {
            Steps::Single => pb::Steps::Single,
            Steps::Lines => pb::Steps::Lines,
        } as i32,
        opening: match rules.opening {
            Opening::None => pb::Opening::None,
            Opening::Removals(_) => pb::Opening::Removals,
        } as i32,
        first_removal_squares: numbers(first_removals.iter()),
        no_move: match rules.no_move {
            NoMove::Loses => pb::NoMove::Loses,
            NoMove::Wins => pb::NoMove::Wins,
        } as i32,
        square_text: match rules.prints.squares {
            SquareText::Numbers => pb::SquareText::Numbers,
            SquareText::Names => pb::SquareText::Names,
        } as i32,
        capture_sign: rules.prints.capture_sign.to_string(),
    }
}

fn role_rules(ruleset: &Ruleset, described: Role) -> Option<pb::RoleRules> {
    let mobility = ruleset.rules().mobility(described)?;
    let of = |directions: Directions, color| {
        ruleset.facing(directions, color).iter().map(|facing| direction(facing) as i32).collect()
    };
    let goes = |color| pb::Mobility {
        steps: of(mobility.steps, color),
        first_jumps: of(mobility.first_jumps, color),
        later_jumps: of(mobility.later_jumps, color),
    };
    Some(pb::RoleRules {
        role: role(described) as i32,
        name: role_name(described).to_owned(),
        fen_letter: fen::role_letter(described).to_owned(),
        range: match mobility.range {
            Range::Short => pb::Range::Short,
            Range::Flying => pb::Range::Flying,
        } as i32,
        prey: match mobility.prey {
            Prey::Any => pb::Prey::Any,
            Prey::NoKings => pb::Prey::NoKings,
        } as i32,
        white: Some(goes(Color::White)),
        black: Some(goes(Color::Black)),
    })
}

// Words.

pub(super) fn color(color: Color) -> pb::Color {
    match color {
        Color::White => pb::Color::White,
        Color::Black => pb::Color::Black,
    }
}

fn color_name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn role(role: Role) -> pb::Role {
    match role {
        Role::Man => pb::Role::Man,
        Role::King => pb::Role::King,
        Role::Parachutist => pb::Role::Parachutist,
    }
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Man => "man",
        Role::King => "king",
        Role::Parachutist => "parachutist",
    }
}

fn precedence(criterion: Precedence) -> pb::Precedence {
    match criterion {
        Precedence::MostPieces => pb::Precedence::MostPieces,
        Precedence::WithKing => pb::Precedence::WithKing,
        Precedence::MostKings => pb::Precedence::MostKings,
        Precedence::KingEarliest => pb::Precedence::KingEarliest,
    }
}

fn direction(direction: Direction) -> pb::Direction {
    match direction {
        Direction::North => pb::Direction::North,
        Direction::NorthEast => pb::Direction::NorthEast,
        Direction::East => pb::Direction::East,
        Direction::SouthEast => pb::Direction::SouthEast,
        Direction::South => pb::Direction::South,
        Direction::SouthWest => pb::Direction::SouthWest,
        Direction::West => pb::Direction::West,
        Direction::NorthWest => pb::Direction::NorthWest,
    }
}
