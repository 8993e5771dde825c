//! README.md says what the table says. `UPDATE_README=1 cargo test --test readme` writes it anew.
#![allow(clippy::panic)] // a failed test says what it found

use draughts_rules::rules::row::{
    Landing, Mobility, NoMove, Precedence, PromotionInCapture, Range, Removal, Steps, Stopping, Zone,
};
use draughts_rules::rules::{Color, Direction, Directions, Playing, Role, Rules, Variant};
use std::fmt::Write;

#[test]
fn the_matrix_of_variants_is_that_of_the_table() {
    check("matrix", &matrix());
}

/// Compares, or replaces, what stands between the two markers.
fn check(marker: &str, generated: &str) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = std::fs::read_to_string(path).expect("README.md");
    let (open, close) = (format!("<!-- {marker} -->\n"), format!("<!-- /{marker} -->"));
    let start = readme.find(&open).expect("the opening marker") + open.len();
    let end = readme.find(&close).expect("the closing marker");
    if std::env::var_os("UPDATE_README").is_some() {
        std::fs::write(path, format!("{}{generated}{}", &readme[..start], &readme[end..]))
            .expect("it is writable");
    } else {
        assert_eq!(&readme[start..end], generated, "run UPDATE_README=1 cargo test --test readme");
    }
}

fn matrix() -> String {
    let mut text = String::from(
        "| variant | board | pieces | first | men step | men capture | king | must take | removal | last row in a capture | no move |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for &variant in Variant::ALL {
        let rules = variant.ruleset().rules();
        let cells = [
            variant.about().name.to_owned(),
            board(rules),
            pieces(rules),
            format!("{:?}", rules.first_mover),
            man_steps(rules),
            man_captures(rules),
            rules.king.as_ref().map_or("none".to_owned(), |king| king_moves(rules, king)),
            must_take(rules),
            removal(rules),
            last_row(rules),
            match rules.no_move {
                NoMove::Loses => "loses",
                NoMove::Wins => "wins",
            }
            .to_owned(),
        ];
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

fn board(rules: &Rules) -> String {
    let playing = match rules.board.playing {
        Playing::All => "all squares",
        Playing::LikeA1 => "like a1",
        Playing::UnlikeA1 => "unlike a1",
    };
    format!("{}×{}, {playing}", rules.board.width, rules.board.height)
}

fn pieces(rules: &Rules) -> String {
    let count = |role| rules.start.squares(Color::White, role).len();
    match count(Role::Parachutist) {
        0 => count(Role::Man).to_string(),
        parachutists => format!("{} + {parachutists}", count(Role::Man)),
    }
}

/// F for forward, S for sideways, B for backward; diagonal or straight.
fn directions(set: Directions) -> String {
    let named = [
        (&[Direction::NorthEast, Direction::NorthWest][..], "diagonally forward"),
        (&[Direction::North], "forward"),
        (&[Direction::East, Direction::West], "sideways"),
        (&[Direction::SouthEast, Direction::SouthWest], "diagonally back"),
        (&[Direction::South], "back"),
    ];
    let has = |list: &[Direction]| list.iter().all(|&direction| set.contains(direction));
    let parts = named.iter().filter(|(list, _)| has(list)).map(|(_, name)| *name).collect::<Vec<_>>();
    match parts[..] {
        [] => "never".to_owned(),
        ["diagonally forward", "diagonally back"] => "diagonally".to_owned(),
        ["forward", "sideways", "back"] => "straight".to_owned(),
        _ if set == Directions::EIGHT => "all eight".to_owned(),
        _ => parts.join(", "),
    }
}

fn man_steps(rules: &Rules) -> String {
    let lines = if rules.steps == Steps::Lines { ", alone or in line" } else { "" };
    let rows = if rules.no_step_from == Zone::Nowhere { "" } else { ", not from the last row" };
    format!("{}{lines}{rows}", directions(rules.man.steps))
}

fn man_captures(rules: &Rules) -> String {
    let (first, later) = (directions(rules.man.first_jumps), directions(rules.man.later_jumps));
    let stop = if rules.stopping == Stopping::AtWill { ", in one line, as far as one likes" } else { "" };
    if first == later { format!("{first}{stop}") } else { format!("{first}; then {later}") }
}

fn king_moves(rules: &Rules, king: &Mobility) -> String {
    let range = match (king.range, rules.landing) {
        (Range::Short, _) => "short",
        (Range::Flying, Landing::DirectlyBehind) => "flying, lands directly behind",
        (Range::Flying, Landing::Any | Landing::WhereItGoesOn) => "flying",
    };
    let (steps, captures) = (directions(king.steps), directions(king.first_jumps));
    if steps == captures {
        format!("{range}, {steps}")
    } else {
        format!("{range}, {steps}, captures {captures}")
    }
}

fn must_take(rules: &Rules) -> String {
    let criteria = rules.precedence.iter().flatten().map(|criterion| match criterion {
        Precedence::MostPieces => "most pieces",
        Precedence::WithKing => "with a king",
        Precedence::MostKings => "most kings",
        Precedence::KingEarliest => "king earliest",
    });
    match criteria.collect::<Vec<_>>()[..] {
        [] => "any".to_owned(),
        ref criteria => criteria.join(", then "),
    }
}

/// It cannot matter where nothing flies (rules.md 2.3).
fn removal(rules: &Rules) -> String {
    match (rules.king.map(|king| king.range), rules.removal) {
        (Some(Range::Flying), Removal::AtEnd) => "at the end",
        (Some(Range::Flying), Removal::AtOnce) => "at once",
        (Some(Range::Short) | None, _) => "–",
    }
    .to_owned()
}

fn last_row(rules: &Rules) -> String {
    match (rules.promotion, rules.promotion_in_capture) {
        (Zone::Nowhere, _) => "nothing",
        (Zone::FarRow | Zone::Squares(..), PromotionInCapture::Stop) => "stops, king",
        (Zone::FarRow | Zone::Squares(..), PromotionInCapture::Pass) => "goes on as a man",
        (Zone::FarRow | Zone::Squares(..), PromotionInCapture::GoOnAsKing) => "goes on as a king",
    }
    .to_owned()
}
