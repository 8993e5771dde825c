//! The named variants, each filled in by hand from its page of rules.md, section 3.
//!
//! Like the rules text, a variant that "is as another one but for ..." is written that way.

use super::board::{Board, Color, Dir, Lines, Playing, Role, Sides, Square, square};
use super::params::{King, Landing, Man, NoMove, Params, Precedence, Third};
use super::params::{PromotionInCapture, Range, Removal};

/// The 18 variants, then those that exist for their published node counts.
pub const NAMES: [&str; 25] = [
    "checkers",
    "anti",
    "czech",
    "corner",
    "one_way",
    "parachute",
    "gothic",
    "turkish",
    "alquerque",
    "hawaiian",
    "international",
    "russian",
    "canadian",
    "thai",
    "brazilian",
    "portuguese",
    "italian",
    "dameo",
    "spanish",
    "pool",
    "thai_12",
    "international_6x6",
    "international_14x14",
    "international_10x8",
    "hawaiian_6x6",
];

pub fn params(name: &str) -> Option<Params> {
    Some(match name {
        "checkers" => checkers(),
        "anti" => anti(),
        "czech" => czech(),
        "corner" => corner(),
        "one_way" => one_way(),
        "parachute" => parachute(),
        "gothic" => gothic(),
        "turkish" => turkish(),
        "alquerque" => alquerque(),
        "hawaiian" => hawaiian(8, "a8 h1 d5 e4"),
        "international" => international_on(10, 10, 4),
        "russian" => russian(),
        "canadian" => international_on(12, 12, 5),
        "thai" => thai(),
        "brazilian" => international_on(8, 8, 3),
        "portuguese" | "spanish" => portuguese(),
        "italian" => italian(),
        "dameo" => dameo(),
        "pool" => pool(),
        "thai_12" => thai_12(),
        "international_6x6" => international_on(6, 6, 2),
        "international_14x14" => international_on(14, 14, 6),
        "international_10x8" => international_on(10, 8, 3),
        // White stands on a1, as on the large board.
        "hawaiian_6x6" => hawaiian(6, "a6 f1 c4 d3"),
        _ => return None,
    })
}

const DIAGONAL_FORWARD: [Dir; 2] = [(-1, 1), (1, 1)];
const DIAGONAL: [Dir; 4] = [(-1, 1), (1, 1), (-1, -1), (1, -1)];
const ORTHOGONAL: [Dir; 4] = [(-1, 0), (1, 0), (0, 1), (0, -1)];
const ORTHOGONAL_NOT_BACK: [Dir; 3] = [(-1, 0), (1, 0), (0, 1)];
const FORWARD: [Dir; 3] = [(-1, 1), (0, 1), (1, 1)];
const NOT_BACK: [Dir; 5] = [(-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
const ALL_EIGHT: [Dir; 8] = [(-1, 0), (1, 0), (0, 1), (0, -1), (-1, 1), (1, 1), (-1, -1), (1, -1)];

/// rules.md 3.1
fn checkers() -> Params {
    let board = board(8, 8, Playing::A1Parity);
    Params {
        board,
        start: rows_of_men(board, 0..3),
        first_mover: Color::Black, // decided in 2.6
        forward: Sides { white: 1, black: -1 },
        man: man(&DIAGONAL_FORWARD, &DIAGONAL_FORWARD),
        king: Some(short_king(&DIAGONAL)),
        third: None,
        promotion_squares: last_rows(board),
        promotion_in_capture: PromotionInCapture::Stop,
        precedence: Vec::new(),
        removal: Removal::AtEnd, // cannot matter (2.3)
        reversal_allowed: true,  // cannot matter (2.3)
        straight_only: false,
        voluntary_stop: false,
        first_removals: Vec::new(),
        no_move: NoMove::Loses,
    }
}

/// rules.md 3.2; a blocked side wins, too (5, point 14).
fn anti() -> Params {
    Params { no_move: NoMove::Wins, ..checkers() }
}

/// rules.md 3.3; removal at the end (5, point 1), landing duty (5, point 7).
fn czech() -> Params {
    Params {
        first_mover: Color::White,
        king: Some(flying_king(&DIAGONAL, Landing::Duty)),
        precedence: vec![Precedence::WithKing],
        ..checkers()
    }
}

/// rules.md 3.4; men on the rest of the last row stay men (5, point 9), and a capture that
/// crowns is over (5, point 10).
fn corner() -> Params {
    Params {
        start: men("c1 e1 g1 d2 f2 h2 e3 g3 f4 h4 g5 h6", "b8 d8 f8 a7 c7 e7 b6 d6 a5 c5 b4 a3"),
        promotion_squares: Sides { white: squares("a7 b8"), black: squares("g1 h2") },
        ..czech()
    }
}

/// rules.md 3.5; White stands on the left (5, point 2).
fn one_way() -> Params {
    let czech = czech();
    Params {
        start: men("a1 c1 b2 d2 a3 c3 b4 d4 a5 c5 b6 d6", "e1 g1 f2 h2 e3 g3 f4 h4 e5 g5 f6 h6"),
        forward: Sides { white: 1, black: 1 },
        promotion_squares: Sides { white: czech.board.row(7), black: czech.board.row(7) },
        ..czech
    }
}

/// rules.md 3.6; the fresh man does not jump on (5, point 3).
fn parachute() -> Params {
    let mut start = men("b2 d2 f2 h2 a3 c3 e3 g3", "b6 d6 f6 h6 a7 c7 e7 g7");
    start.extend(pieces(Color::White, Role::Third, "b8 d8 f8 h8"));
    start.extend(pieces(Color::Black, Role::Third, "a1 c1 e1 g1"));
    let czech = czech();
    Params {
        start,
        third: Some(Third {
            jump_dirs: vec![(-1, -1), (1, -1)],
            squares: last_rows(czech.board),
            becomes: Role::Man,
        }),
        ..czech
    }
}

/// rules.md 3.7; men move and jump in five directions (5, point 12).
fn gothic() -> Params {
    let board = board(8, 8, Playing::All);
    Params {
        board,
        start: rows_of_men(board, 0..2),
        first_mover: Color::White,
        man: man(&NOT_BACK, &NOT_BACK),
        king: Some(short_king(&ALL_EIGHT)),
        promotion_squares: last_rows(board),
        ..checkers()
    }
}

/// rules.md 3.8; a man in a capture passes the last row (5, point 4).
fn turkish() -> Params {
    let board = board(8, 8, Playing::All);
    Params {
        board,
        start: rows_of_men(board, 1..3),
        first_mover: Color::White,
        man: man(&ORTHOGONAL_NOT_BACK, &ORTHOGONAL_NOT_BACK),
        king: Some(flying_king(&ORTHOGONAL, Landing::Any)),
        promotion_squares: last_rows(board),
        promotion_in_capture: PromotionInCapture::PassAsMan,
        precedence: vec![Precedence::Most],
        removal: Removal::AtOnce,
        reversal_allowed: false,
        ..checkers()
    }
}

/// rules.md 3.9; the start and the sideways first jump from the last row are 5, point 11.
fn alquerque() -> Params {
    let board = Board { lines: Lines::Alquerque, ..board(5, 5, Playing::All) };
    Params {
        board,
        start: men("a1 b1 c1 d1 e1 a2 b2 c2 d2 e2 d3 e3", "a5 b5 c5 d5 e5 a4 b4 c4 d4 e4 a3 b3"),
        first_mover: Color::White,
        man: Man {
            later_jump_dirs: ALL_EIGHT.to_vec(),
            no_step_squares: last_rows(board),
            ..man(&NOT_BACK, &NOT_BACK)
        },
        king: None,
        promotion_squares: nowhere(),
        ..checkers()
    }
}

/// rules.md 3.10
fn hawaiian(size: u8, first_removals: &str) -> Params {
    let board = board(size, size, Playing::All);
    let owner = |(col, row): Square| match (col + row) % 2 {
        0 => Color::White,
        _ => Color::Black,
    };
    let piece_on = |square| (owner(square), Role::Man, square);
    Params {
        board,
        start: board.squares().into_iter().map(piece_on).collect(),
        first_mover: Color::Black,
        man: man(&[], &ORTHOGONAL),
        king: None,
        promotion_squares: nowhere(),
        straight_only: true,
        voluntary_stop: true,
        first_removals: squares(first_removals),
        ..checkers()
    }
}

/// rules.md 3.11; the same rules on another board are Canadian (3.13) and Brazilian (3.15).
pub fn international_on(cols: u8, rows: u8, rows_each: u8) -> Params {
    let board = board(cols, rows, Playing::A1Parity);
    Params {
        board,
        start: rows_of_men(board, 0..rows_each),
        first_mover: Color::White,
        man: man(&DIAGONAL_FORWARD, &DIAGONAL),
        king: Some(flying_king(&DIAGONAL, Landing::Any)),
        promotion_squares: last_rows(board),
        promotion_in_capture: PromotionInCapture::PassAsMan,
        precedence: vec![Precedence::Most],
        ..checkers()
    }
}

/// rules.md 3.12; the rule and not BrainKing's bug (5, point 8).
fn russian() -> Params {
    Params {
        king: Some(flying_king(&DIAGONAL, Landing::Duty)),
        promotion_in_capture: PromotionInCapture::BecomeKing,
        precedence: Vec::new(),
        ..international_on(8, 8, 3)
    }
}

/// American pool checkers: Russian, but a man that can jump on from the last row stays a man.
/// Not in rules.md; this reading gives the published node counts.
fn pool() -> Params {
    Params { promotion_in_capture: PromotionInCapture::PassAsMan, ..russian() }
}

/// rules.md 3.14; removal at once, reversal allowed (5, point 5).
fn thai() -> Params {
    let checkers = checkers();
    Params {
        start: rows_of_men(checkers.board, 0..2),
        king: Some(flying_king(&DIAGONAL, Landing::Behind)),
        removal: Removal::AtOnce,
        ..checkers
    }
}

/// Not a game that is played: the start of the published counts (rules.md 4.2).
fn thai_12() -> Params {
    let thai = thai();
    Params { start: rows_of_men(thai.board, 0..3), first_mover: Color::White, ..thai }
}

/// rules.md 3.16; Spanish is the same game under another number (3.16.9).
fn portuguese() -> Params {
    let board = board(8, 8, Playing::OtherParity);
    Params {
        board,
        start: rows_of_men(board, 0..3),
        first_mover: Color::White,
        king: Some(flying_king(&DIAGONAL, Landing::Any)),
        promotion_squares: last_rows(board),
        precedence: vec![Precedence::Most, Precedence::MostKings],
        ..checkers()
    }
}

/// rules.md 3.17
fn italian() -> Params {
    let board = board(8, 8, Playing::OtherParity);
    Params {
        board,
        start: rows_of_men(board, 0..3),
        first_mover: Color::White,
        man: Man { may_take_king: false, ..man(&DIAGONAL_FORWARD, &DIAGONAL_FORWARD) },
        promotion_squares: last_rows(board),
        precedence: vec![
            Precedence::Most,
            Precedence::WithKing,
            Precedence::MostKings,
            Precedence::KingEarliest,
        ],
        ..checkers()
    }
}

/// rules.md 3.18
fn dameo() -> Params {
    let board = board(8, 8, Playing::All);
    Params {
        board,
        start: men(
            "a1 b1 c1 d1 e1 f1 g1 h1 b2 c2 d2 e2 f2 g2 c3 d3 e3 f3",
            "a8 b8 c8 d8 e8 f8 g8 h8 b7 c7 d7 e7 f7 g7 c6 d6 e6 f6",
        ),
        first_mover: Color::White,
        man: Man { line_dirs: FORWARD.to_vec(), ..man(&FORWARD, &ORTHOGONAL) },
        king: Some(King { step_dirs: ALL_EIGHT.to_vec(), ..flying_king(&ORTHOGONAL, Landing::Any) }),
        promotion_squares: last_rows(board),
        promotion_in_capture: PromotionInCapture::PassAsMan,
        precedence: vec![Precedence::Most],
        ..checkers()
    }
}

fn board(cols: u8, rows: u8, playing: Playing) -> Board {
    Board { cols, rows, playing, lines: Lines::Free }
}

fn man(step_dirs: &[Dir], jump_dirs: &[Dir]) -> Man {
    Man {
        step_dirs: step_dirs.to_vec(),
        line_dirs: Vec::new(),
        first_jump_dirs: jump_dirs.to_vec(),
        later_jump_dirs: jump_dirs.to_vec(),
        may_take_king: true,
        no_step_squares: nowhere(),
    }
}

fn short_king(dirs: &[Dir]) -> King {
    King {
        step_dirs: dirs.to_vec(),
        step_range: Range::Short,
        jump_dirs: dirs.to_vec(),
        jump_range: Range::Short,
        landing: Landing::Behind,
    }
}

fn flying_king(dirs: &[Dir], landing: Landing) -> King {
    King { step_range: Range::Flying, jump_range: Range::Flying, landing, ..short_king(dirs) }
}

fn nowhere() -> Sides<Vec<Square>> {
    Sides { white: Vec::new(), black: Vec::new() }
}

fn last_rows(board: Board) -> Sides<Vec<Square>> {
    Sides { white: board.row(board.rows - 1), black: board.row(0) }
}

/// White men on the given rows, Black men on the same rows counted from the other side.
fn rows_of_men(board: Board, rows: std::ops::Range<u8>) -> Vec<(Color, Role, Square)> {
    let mut start = Vec::new();
    for row in rows {
        let far_row = board.rows - 1 - row;
        start.extend(board.row(row).into_iter().map(|at| (Color::White, Role::Man, at)));
        start.extend(board.row(far_row).into_iter().map(|at| (Color::Black, Role::Man, at)));
    }
    start
}

fn men(white: &str, black: &str) -> Vec<(Color, Role, Square)> {
    let mut start = pieces(Color::White, Role::Man, white);
    start.extend(pieces(Color::Black, Role::Man, black));
    start
}

fn pieces(color: Color, role: Role, names: &str) -> Vec<(Color, Role, Square)> {
    let on_square = |square| (color, role, square);
    squares(names).into_iter().map(on_square).collect()
}

fn squares(names: &str) -> Vec<Square> {
    let named = |name| square(name).unwrap_or_else(|| panic!("no square is called {name}"));
    names.split_whitespace().map(named).collect()
}
