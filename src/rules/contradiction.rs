//! Rules that contradict themselves: what a row made at run time is checked for, once.

use super::board::{Board, BoardFacts, MAX_SIDE};
use super::row::{Mobility, Opening, Precedence, Range, Rules, Steps, Zone};
use super::ruleset::Ruleset;
use super::square::{Color, Role, SquareSet};

/// The shortest side of a board.
const MIN_SIDE: u8 = 4;

/// A reason why rules cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Contradiction {
    /// A side is shorter than 4 or longer than 14.
    SideOutOfRange,
    /// Half of the squares play, and the width is odd.
    OddWidth,
    /// There are too many squares.
    TooManySquares,
    /// A side begins without pieces.
    StartWithout(Color),
    /// A role neither steps nor jumps.
    NeverMoves(Role),
    /// A role goes on capturing, but cannot begin.
    NeverBeginsToCapture(Role),
    /// Men are promoted, and there are no kings.
    PromotionWithoutKings,
    /// Captures are preferred by their kings, and there are none.
    PrecedenceWithoutKings(Precedence),
    /// A criterion of precedence stands twice.
    PrecedenceTwice(Precedence),
    /// Lines of men step, and a man flies.
    LinesOfFlyingMen,
    /// Parachutists have no place to wait, on one side at least.
    ParachutistsWithoutHome,
    /// The opening takes pieces off, and the start does not fill the board.
    OpeningOnBoardWithHoles,
    /// The opening names no square, or one on which the first mover has no piece.
    OpeningOffPieces,
}

/// All reasons why rules cannot be played; none for every row of the table. If the board is none, nothing else is looked at.
#[must_use]
pub fn contradictions(rules: &Rules) -> Vec<Contradiction> {
    let board = of_board(rules.board);
    if !board.is_empty() {
        return board;
    }
    let board = Board::new(rules.board);
    [
        of_start(rules),
        of_roles(rules),
        of_kings(rules, &board),
        of_precedence(rules),
        of_opening(rules, &board),
    ]
    .concat()
}

fn of_board(facts: BoardFacts) -> Vec<Contradiction> {
    let in_range = |side| (MIN_SIDE..=MAX_SIDE).contains(&side);
    if !in_range(facts.width) || !in_range(facts.height) {
        return vec![Contradiction::SideOutOfRange];
    }
    match (Board::fits(facts), facts.has_odd_rows()) {
        (true, _) => Vec::new(),
        (false, true) => vec![Contradiction::OddWidth],
        (false, false) => vec![Contradiction::TooManySquares],
    }
}

fn of_start(rules: &Rules) -> Vec<Contradiction> {
    let has_none = |&color: &Color| Role::ALL.iter().all(|&role| rules.start.squares(color, role).is_empty());
    Color::ALL.into_iter().filter(has_none).map(Contradiction::StartWithout).collect()
}

fn of_roles(rules: &Rules) -> Vec<Contradiction> {
    let wrong = |role| {
        let mobility: &Mobility = rules.mobility(role)?;
        match (mobility.first_jumps.is_empty(), mobility.steps.is_empty(), mobility.later_jumps.is_empty()) {
            (true, true, _) => Some(Contradiction::NeverMoves(role)),
            (true, false, false) => Some(Contradiction::NeverBeginsToCapture(role)),
            (false, _, _) | (true, false, true) => None,
        }
    };
    let lines = rules.steps == Steps::Lines && rules.man.range == Range::Flying;
    let lines = lines.then_some(Contradiction::LinesOfFlyingMen);
    Role::ALL.into_iter().filter_map(wrong).chain(lines).collect()
}

fn of_kings(rules: &Rules, board: &Board) -> Vec<Contradiction> {
    let is_empty = |zone: Zone, color: &Color| zone.squares(board, rules.heading, *color).is_empty();
    let promotes = Color::ALL.iter().any(|color| !is_empty(rules.promotion, color));
    let homeless = rules
        .parachutist
        .is_some_and(|parachutist| Color::ALL.iter().any(|color| is_empty(parachutist.home, color)));
    let promotion = (promotes && rules.king.is_none()).then_some(Contradiction::PromotionWithoutKings);
    promotion.into_iter().chain(homeless.then_some(Contradiction::ParachutistsWithoutHome)).collect()
}

fn of_precedence(rules: &Rules) -> Vec<Contradiction> {
    let mut found = Vec::new();
    let criteria = rules.precedence.into_iter().flatten().collect::<Vec<_>>();
    for (index, &criterion) in criteria.iter().enumerate() {
        if criteria[..index].contains(&criterion) {
            found.push(Contradiction::PrecedenceTwice(criterion));
        }
        let is_about_kings = match criterion {
            Precedence::MostPieces => false,
            Precedence::WithKing | Precedence::MostKings | Precedence::KingEarliest => true,
        };
        if is_about_kings && rules.king.is_none() {
            found.push(Contradiction::PrecedenceWithoutKings(criterion));
        }
    }
    found
}

fn of_opening(rules: &Rules, board: &Board) -> Vec<Contradiction> {
    let Opening::Removals(first) = rules.opening else { return Vec::new() };
    let of = |color| {
        Role::ALL.iter().fold(SquareSet::EMPTY, |all, &role| all.or(rules.start.squares(color, role)))
    };
    let (own, other) = (of(rules.first_mover), of(rules.first_mover.other()));
    let has_holes = board.squares().any(|square| !own.or(other).contains(square));
    let is_off = first.is_empty() || first.iter().any(|square| !own.contains(square));
    let holes = has_holes.then_some(Contradiction::OpeningOnBoardWithHoles);
    holes.into_iter().chain(is_off.then_some(Contradiction::OpeningOffPieces)).collect()
}

impl Ruleset {
    /// Rules of one's own, ready for play.
    ///
    /// # Errors
    /// Every [`Contradiction`] of the rules.
    pub fn of_rules(rules: Rules) -> Result<Ruleset, Vec<Contradiction>> {
        let found = contradictions(&rules);
        if found.is_empty() { Ok(Ruleset::new(rules)) } else { Err(found) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Variant;
    use super::super::board::{Lines, Numbering, Playing};
    use super::*;

    #[test]
    fn no_row_of_the_table_contradicts_itself() {
        for variant in Variant::ALL {
            assert_eq!(contradictions(variant.ruleset().rules()), [], "{variant:?}");
        }
    }

    #[test]
    fn every_board_that_fits_can_be_made_and_the_others_say_why() {
        for (width, height) in (3..=15).flat_map(|width| (3..=15).map(move |height| (width, height))) {
            for playing in [Playing::All, Playing::LikeA1, Playing::UnlikeA1] {
                let (lines, numbering) = (Lines::Eight, Numbering::FromUpperLeft);
                let facts = BoardFacts { width, height, playing, lines, numbering };
                let in_range = (4..=14).contains(&width) && (4..=14).contains(&height);
                let expected = match playing {
                    _ if !in_range => Some(Contradiction::SideOutOfRange),
                    Playing::All => (usize::from(width) * usize::from(height) > 128)
                        .then_some(Contradiction::TooManySquares),
                    Playing::LikeA1 | Playing::UnlikeA1 => {
                        (width % 2 == 1).then_some(Contradiction::OddWidth)
                    }
                };
                assert_eq!(of_board(facts).first().copied(), expected, "{facts:?}");
                if expected.is_none() {
                    assert!(Board::new(facts).square_count() >= 8);
                }
            }
        }
    }
}
