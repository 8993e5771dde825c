//! README.md says what the table says. `UPDATE_README=1 cargo test --test readme` writes it anew.
#![allow(clippy::panic)] // a failed test says what it found

use draughts_rules::rules::draws::{Certainty, DrawClause, Effect};
use draughts_rules::rules::row::{
    Headings, Landing, Mobility, NoMove, Obligation, Precedence, PromotionInCapture, Range, Removal, Steps,
    Stopping, Turning, Zone,
};
use draughts_rules::rules::{Color, Direction, Directions, Playing, Role, Rules, Variant};
use std::fmt::Write;

#[test]
fn the_matrix_of_variants_is_that_of_the_table() {
    check("matrix", &matrix());
}

#[test]
fn the_contested_points_are_those_of_the_table() {
    check("contested", &contested());
}

#[test]
fn the_draw_clauses_are_those_of_the_table() {
    check("draws", &draws());
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

/// The clauses of each profile; variants with the same one share its lines.
fn draws() -> String {
    let mut text = String::from(
        "| variants | clause | drawn when | how | source | its certainty |\n\
         |---|---|---|---|---|---|\n",
    );
    let clauses = |variant: Variant| variant.ruleset().rules().draws;
    let mut profiles: Vec<(Vec<&str>, &[DrawClause])> = Vec::new();
    for &variant in Variant::ALL.iter().filter(|&&variant| !clauses(variant).is_empty()) {
        match profiles.iter_mut().find(|profile| profile.1 == clauses(variant)) {
            Some(profile) => profile.0.push(variant.about().name),
            None => profiles.push((vec![variant.about().name], clauses(variant))),
        }
    }
    for (variants, clauses) in profiles {
        let mut variants = variants.join(", ");
        for clause in clauses {
            let effect = match clause.effect {
                Effect::Automatic => "automatic",
                Effect::Claim => "claim",
                Effect::ClaimBeforeMove => "claim, before the move",
            };
            let certainty = match clause.certainty {
                Certainty::Sure => "sure",
                Certainty::Likely => "likely",
                Certainty::Uncertain => "uncertain",
            };
            let (id, summary, article) = (clause.id, clause.summary, clause.article);
            let _ = writeln!(text, "| {variants} | {id} | {summary} | {effect} | {article} | {certainty} |");
            variants.clear();
        }
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
        ["diagonally forward", "forward", "sideways"] => "forward in three ways, sideways".to_owned(),
        ["diagonally forward", "forward"] => "forward in three ways".to_owned(),
        _ if set == Directions::EIGHT => "all eight".to_owned(),
        _ => parts.join(", "),
    }
}

fn man_steps(rules: &Rules) -> String {
    let lines = if rules.steps == Steps::Lines { ", alone or in line" } else { "" };
    let rows = if rules.no_step_from == Zone::Nowhere { "" } else { ", not from the last row" };
    let both = match rules.heading {
        Headings::Apart => "",
        Headings::BothUp => ", up the board for both sides",
    };
    format!("{}{lines}{rows}{both}", directions(rules.man.steps))
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
    let only = if matches!(rules.promotion, Zone::Squares(..)) { ", in the corner only" } else { "" };
    let what = match (rules.promotion, rules.promotion_in_capture) {
        (Zone::Nowhere, _) => "nothing",
        (Zone::FarRow | Zone::Squares(..), PromotionInCapture::Stop) => "stops, king",
        (Zone::FarRow | Zone::Squares(..), PromotionInCapture::Pass) => "goes on as a man",
        (Zone::FarRow | Zone::Squares(..), PromotionInCapture::GoOnAsKing) => "goes on as a king",
    };
    format!("{what}{only}")
}

/// What the rows of several variants say alike.
fn same<T: PartialEq>(variants: &[Variant], fact: impl Fn(&Rules) -> T) -> T {
    let mut facts = variants.iter().map(|variant| fact(variant.ruleset().rules()));
    let first = facts.next().expect("variants are named");
    assert!(facts.all(|fact| fact == first), "{variants:?} differ");
    first
}

/// The open points of the rules note that the table decides: what contradicts what, what the row says, and why.
fn contested() -> String {
    use Variant::{Anti, Checkers, Corner, Czech, OneWay, Parachute, Russian, Thai};
    let rules = |variant: Variant| variant.ruleset().rules();
    let czech_family = [Czech, Corner, OneWay, Parachute];
    let removal = |variants: &[Variant]| match same(variants, |rules| rules.removal) {
        Removal::AtEnd => "at the end",
        Removal::AtOnce => "at once",
    };
    let first = format!("{:?}", same(&[Checkers, Anti, Thai], |rules| rules.first_mover));
    let must_capture = match same(&[Parachute], |rules| rules.obligation) {
        Obligation::MustCapture => "yes",
        Obligation::MayCapture => "no",
    };
    let white_left = rules(Variant::OneWay).start.squares(Color::White, Role::Man);
    let one_way = Variant::OneWay.ruleset().board();
    let left = if white_left.iter().all(|square| one_way.column(square) < 4) { "White" } else { "Black" };
    let parachutist =
        rules(Variant::Parachute).parachutist.map(|parachutist| parachutist.mobility.later_jumps);
    let goes_on = if parachutist.is_some_and(Directions::is_empty) { "no" } else { "yes" };
    let back = if rules(Variant::Thai).turning == Turning::Free { "allowed" } else { "not allowed" };
    let landing = same(&[Czech, Corner, OneWay, Parachute, Russian], |rules| rules.landing);
    let duty = if landing == Landing::WhereItGoesOn { "yes" } else { "no" };
    let corner = match rules(Variant::Corner).promotion {
        Zone::Squares(..) => "they stay men without a move",
        Zone::Nowhere | Zone::FarRow => "they are promoted",
    };
    let alquerque =
        if rules(Variant::Alquerque).man.first_jumps.contains(Direction::South) { "any" } else { "sideways" };
    let points: [(&str, &str, &str, &str); 13] = [
        (
            "Czech, Corner, One Way, Parachute",
            "when captured pieces leave",
            removal(&czech_family),
            "the federation's rule; a report that BrainKing removed them at once was called a bug",
        ),
        ("One Way", "which side stands left", left, "the other way the game opens with one forced exchange"),
        ("Parachute", "whether the new man goes on jumping", goes_on, "a crowned man does not either"),
        (
            "Parachute",
            "whether a parachutist must capture",
            must_capture,
            "only its priority is denied, and capturing is compulsory",
        ),
        (
            "Turkish",
            "a man on the last row in a capture",
            &last_row(rules(Variant::Turkish)),
            "the Turkish federation and most programs",
        ),
        (
            "Thai",
            "when captured pieces leave",
            removal(&[Thai]),
            "the published node counts fit nothing else",
        ),
        ("Thai", "turning straight back in a capture", back, "the published node counts fit nothing else"),
        ("Checkers, Anti, Thai", "who begins", &first, "the notation standard and the federation"),
        (
            "Czech, Corner, One Way, Parachute, Russian",
            "must land where the capture goes on",
            duty,
            "the published node counts fit nothing else",
        ),
        ("Corner", "men on the last row outside the corner", corner, "anything else has no source"),
        (
            "Alquerque",
            "a first jump from the last row",
            alquerque,
            "the letter of the rule: first jumps go where steps go",
        ),
        (
            "Gothic",
            "where men step",
            &man_steps(rules(Variant::Gothic)),
            "BrainKing; the historical game differs",
        ),
        (
            "Anti",
            "a side that is blocked",
            match rules(Variant::Anti).no_move {
                NoMove::Wins => "wins",
                NoMove::Loses => "loses",
            },
            "nearly all descriptions",
        ),
    ];
    let mut text = String::from("| variants | contested | played here | because |\n|---|---|---|---|\n");
    for (variants, contested, choice, reason) in points {
        let _ = writeln!(text, "| {variants} | {contested} | {choice} | {reason} |");
    }
    text
}
