//! Variants: their names, rules and boards.

use super::result::{draw_effect, draw_kind};
use super::{color, numbers, role, role_name};
use crate::api::proto as pb;
use crate::rules::draws::{Certainty, CountStart, Counts, DrawClause, Persistence, PlyCount, Restart};
use crate::rules::notation::fen;
use crate::rules::row::{
    Headings, Landing, NoMove, Obligation, Opening, Precedence, Prey, PromotionInCapture, Range, Removal,
    SquareText, Steps, Stopping, Turning, Zone,
};
use crate::rules::{Color, Direction, Directions, Lines, Role, Ruleset, Square, SquareSet, Variant};

pub(in crate::api) fn variant_info(variant: Variant) -> pb::VariantInfo {
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

pub(in crate::api) fn board(ruleset: &Ruleset) -> pb::Board {
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

pub(in crate::api) fn rules(ruleset: &Ruleset) -> pb::Rules {
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
        draw_clauses: rules.draws.iter().map(draw_clause).collect(),
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

fn draw_clause(clause: &DrawClause) -> pb::DrawClause {
    let rule = match &clause.counts {
        Counts::Occurrences => None,
        Counts::Plies(rule) => Some(rule),
    };
    pb::DrawClause {
        id: clause.id.to_owned(),
        summary: clause.summary.to_owned(),
        kind: draw_kind(clause) as i32,
        limit: clause.limit.into(),
        effect: draw_effect(clause) as i32,
        restart: rule.map_or(pb::DrawRestart::Unspecified, draw_restart) as i32,
        goes_on_for_good: rule.is_some_and(|rule| rule.persistence == Persistence::ForGood),
        weaker_side_first: rule.is_some_and(|rule| rule.start == CountStart::WeakerSideFirst),
        yields_to: rule.and_then(|rule| rule.yields_to).unwrap_or_default().to_owned(),
        article: clause.article.to_owned(),
        certainty: match clause.certainty {
            Certainty::Sure => pb::Certainty::Sure,
            Certainty::Likely => pb::Certainty::Likely,
            Certainty::Uncertain => pb::Certainty::Uncertain,
        } as i32,
    }
}

fn draw_restart(rule: &PlyCount) -> pb::DrawRestart {
    match rule.restart {
        Restart::Never => pb::DrawRestart::Never,
        Restart::Capture => pb::DrawRestart::Capture,
        Restart::CaptureOrPromotion => pb::DrawRestart::CaptureOrPromotion,
        Restart::CaptureOrManMove => pb::DrawRestart::CaptureOrManMove,
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
