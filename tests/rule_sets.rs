//! Rule sets of clients: every variant can be said as changes to another one, relatives of the variants meet their published
//! node counts, and what contradicts itself is refused with its fields.

#![cfg(feature = "server")]
#![allow(clippy::panic)] // it says what it found

mod support;

use draughts_rules::api::answer::{apply_move, generate_legal_moves, get_variant};
use draughts_rules::api::fault::Fault;
use draughts_rules::api::proto as pb;
use draughts_rules::api::rule_set;
use draughts_rules::rules::{Budget, Position, Variant, perft};
use pb::rule_set::{King, Parachutist};
use support::Chance;

fn budget() -> Budget {
    Budget::new(10_000_000_000)
}

fn described(variant: Variant) -> pb::GetVariantResponse {
    let number = i32::from(variant.about().number);
    get_variant(&pb::GetVariantRequest { variant: number, rule_set: None }).expect("a variant")
}

/// A variant as changes to another one, read off what GetVariant says of it: every field is stated.
fn restated(variant: Variant, base: Variant) -> pb::RuleSet {
    let described = described(variant);
    let (board, start) = (described.board.expect("a board"), described.start.expect("a start"));
    let rules = described.info.and_then(|info| info.rules).expect("rules");
    let movement = |role: pb::Role| {
        let found = rules.roles.iter().find(|rules| rules.role() == role)?;
        let white = found.white.clone()?; // White's men head up everywhere
        let directions = |directions| Some(pb::Directions { directions });
        Some(pb::Movement {
            steps: directions(white.steps),
            first_jumps: directions(white.first_jumps),
            later_jumps: directions(white.later_jumps),
            range: found.range,
            prey: found.prey,
        })
    };
    let zone = |colors: fn(&pb::Square) -> &Vec<i32>| {
        let of = |color: pb::Color| {
            let has_color = |square: &&pb::Square| colors(square).contains(&color.into());
            board.squares.iter().filter(has_color).map(|square| square.number).collect::<Vec<_>>()
        };
        let (white_squares, black_squares) = (of(pb::Color::White), of(pb::Color::Black));
        Some(pb::Zone { kind: pb::ZoneKind::Squares.into(), white_squares, black_squares })
    };
    let opening =
        pb::OpeningRule { opening: rules.opening, first_removal_squares: rules.first_removal_squares };
    let headings = if board.turned_for_black { pb::Headings::Apart } else { pb::Headings::BothUp };
    pb::RuleSet {
        base: base.about().number.into(),
        vocabulary: 1,
        board: Some(shape(&board)),
        start_fen: start.fen,
        first_mover: rules.first_mover,
        headings: headings.into(),
        man: movement(pb::Role::Man),
        king: Some(movement(pb::Role::King).map_or(King::NoKings(true), King::Kings)),
        parachutist: Some(
            movement(pb::Role::Parachutist)
                .map_or(Parachutist::NoParachutists(true), Parachutist::Parachutists),
        ),
        parachutist_home: zone(|square| &square.home_of_parachutists),
        obligation: rules.obligation,
        precedence: Some(pb::Precedences { criteria: rules.precedence }),
        removal: rules.removal,
        landing: rules.landing,
        turning: rules.turning,
        stopping: rules.stopping,
        promotion: zone(|square| &square.promotes),
        promotion_in_capture: rules.promotion_in_capture,
        no_step_from: zone(|square| &square.no_step_for),
        steps: rules.steps,
        opening: Some(opening),
        no_move: rules.no_move,
        draws: Some(pb::DrawRules { as_in: variant.about().number.into() }),
        square_text: rules.square_text,
        capture_sign: rules.capture_sign,
    }
}

/// The shape of a board, read off its squares.
fn shape(board: &pb::Board) -> pb::BoardShape {
    let all = board.squares.len() == (board.width * board.height) as usize;
    let has_a1 = board.squares.iter().any(|square| square.name == "a1");
    let playing = match (all, has_a1) {
        (true, _) => pb::Playing::All,
        (false, true) => pb::Playing::LikeA1,
        (false, false) => pb::Playing::UnlikeA1,
    };
    let lines = if board.is_line_board { pb::Lines::DiagonalsLikeA1 } else { pb::Lines::Eight };
    let is_up = board.squares.first().is_some_and(|first| first.row > 0);
    let numbering = if is_up { pb::Numbering::FromUpperLeft } else { pb::Numbering::FromLowerRight };
    pb::BoardShape {
        width: board.width,
        height: board.height,
        playing: playing.into(),
        lines: lines.into(),
        numbering: numbering.into(),
    }
}

fn game_of(rules: pb::game::Rules, position: Option<pb::Position>) -> Option<pb::Game> {
    Some(pb::Game { rules: Some(rules), position, ..Default::default() })
}

#[test]
fn every_variant_is_a_rule_set_on_every_other_base() {
    for &variant in Variant::ALL {
        let expected = described(variant);
        for &base in Variant::ALL {
            let request = pb::GetVariantRequest { variant: 0, rule_set: Some(restated(variant, base)) };
            let found =
                get_variant(&request).unwrap_or_else(|fault| panic!("{variant:?} on {base:?}: {fault:?}"));
            let named = expected.info.as_ref().and_then(|info| info.rules.clone());
            assert_eq!(found.info.and_then(|info| info.rules), named, "{variant:?} on {base:?}");
            assert_eq!((found.board, found.start), (expected.board.clone(), expected.start.clone()));
        }
    }
}

/// Random games: at each ply the same list with all its parts, and the same answer to the same move.
#[test]
fn a_restated_variant_plays_identically() {
    const PARTS: [i32; 4] = [1, 2, 3, 4];
    for (index, &variant) in Variant::ALL.iter().enumerate() {
        let base = Variant::ALL[(index + 7) % Variant::ALL.len()];
        let both = [
            pb::game::Rules::Variant(variant.about().number.into()),
            pb::game::Rules::RuleSet(restated(variant, base)),
        ];
        let mut chance = Chance::new(index as u64);
        for _ in 0..4 {
            let mut position = None;
            for _ in 0..80 {
                let lists = both.clone().map(|rules| {
                    let game = game_of(rules, position.clone());
                    let request =
                        pb::GenerateLegalMovesRequest { game, parts: PARTS.to_vec(), ..Default::default() };
                    generate_legal_moves(&request, &mut budget()).expect("a list")
                });
                assert_eq!(lists[0], lists[1], "{variant:?} on {base:?}");
                if lists[0].moves.is_empty() {
                    break;
                }
                let chosen = lists[0].moves[chance.below(lists[0].moves.len())].clone();
                let answers = both.clone().map(|rules| {
                    let request = pb::ApplyMoveRequest {
                        game: game_of(rules, position.clone()),
                        r#move: Some(pb::MoveInput {
                            form: Some(pb::move_input::Form::Move(chosen.clone())),
                        }),
                        ..Default::default()
                    };
                    apply_move(&request, &mut budget()).expect("a legal move")
                });
                assert_eq!(answers[0], answers[1], "{variant:?} on {base:?}");
                position = answers[0].position.clone().and_then(|info| info.position);
            }
        }
    }
}

fn board(width: u32, height: u32, playing: pb::Playing) -> Option<pb::BoardShape> {
    Some(pb::BoardShape {
        width,
        height,
        playing: playing.into(),
        lines: pb::Lines::Eight.into(),
        numbering: pb::Numbering::FromUpperLeft.into(),
    })
}

fn on(base: pb::Variant, board: Option<pb::BoardShape>, start_fen: &str) -> pb::RuleSet {
    pb::RuleSet { base: base.into(), board, start_fen: start_fen.to_owned(), ..Default::default() }
}

/// Every square of a 6×6 board is taken, a1 by White.
fn konane_6x6() -> pb::RuleSet {
    let of = |color: usize| {
        let squares = (0..36).filter(|square| (square % 6 + square / 6) % 2 == color);
        let name = |square| format!("{}{}", char::from(b'a' + (square % 6) as u8), square / 6 + 1);
        squares.map(name).collect::<Vec<_>>().join(",")
    };
    let start = format!("B:W{}:B{}", of(0), of(1));
    let opening = pb::OpeningRule {
        opening: pb::Opening::Removals.into(),
        first_removal_squares: vec![1, 15, 22, 36], // a6, c4, d3, f1
    };
    pb::RuleSet { opening: Some(opening), ..on(pb::Variant::Hawaiian, board(6, 6, pb::Playing::All), &start) }
}

fn spanish() -> pb::RuleSet {
    let forward = || {
        Some(pb::Directions {
            directions: vec![pb::Direction::NorthEast.into(), pb::Direction::NorthWest.into()],
        })
    };
    let man = pb::Movement { first_jumps: forward(), later_jumps: forward(), ..Default::default() };
    let criteria = vec![pb::Precedence::MostPieces.into(), pb::Precedence::MostKings.into()];
    pb::RuleSet {
        man: Some(man),
        precedence: Some(pb::Precedences { criteria }),
        promotion_in_capture: pb::PromotionInCapture::Stop.into(),
        ..on(pb::Variant::Brazilian, board(8, 8, pb::Playing::UnlikeA1), "W:W21-32:B1-12")
    }
}

/// Published node counts, "duplicates dropped": as tests/data/perft has them for the variants.
#[test]
fn relatives_of_the_variants_meet_their_published_counts() {
    use pb::Playing::LikeA1;
    let pool = pb::RuleSet {
        promotion_in_capture: pb::PromotionInCapture::Pass.into(),
        ..on(pb::Variant::Russian, None, "")
    };
    let anti = pb::RuleSet { no_move: pb::NoMove::Wins.into(), ..on(pb::Variant::International, None, "") };
    let rows: [(&str, pb::RuleSet, &[u64]); 10] = [
        ("Spanish", spanish(), &[7, 49, 302, 1469, 7361, 36473, 177532, 828783]),
        ("American Pool", pool, &[7, 49, 302, 1469, 7482, 37986, 190146, 929896]),
        (
            "Thai with 12 men",
            on(pb::Variant::Thai, None, "W:W21-32:B1-12"),
            &[7, 49, 302, 1469, 7361, 36768, 179740, 845931],
        ),
        (
            "International on 6×6",
            on(pb::Variant::International, board(6, 6, LikeA1), "W:W13-18:B1-6"),
            &[5, 25, 106, 369, 1301, 4214, 12912, 39526, 113614, 329982],
        ),
        (
            "English on 6×6",
            on(pb::Variant::Checkers, board(6, 6, LikeA1), "B:W13-18:B1-6"),
            &[5, 25, 106, 369, 1271, 4104, 12495, 37474],
        ),
        (
            "International on 14×14",
            on(pb::Variant::International, board(14, 14, LikeA1), "W:W57-98:B1-42"),
            &[13, 169, 2042, 20513, 195333, 1710812],
        ),
        (
            "International on 10×8",
            on(pb::Variant::International, board(10, 8, LikeA1), "W:W26-40:B1-15"),
            &[9, 81, 658, 4265, 27117, 167140, 1029319],
        ),
        (
            "International on 12×10",
            on(pb::Variant::Canadian, board(12, 10, LikeA1), "W:W37-60:B1-24"),
            &[11, 121, 1222, 10053, 79049, 584100],
        ),
        ("Konane on 6×6", konane_6x6(), &[4, 12, 28, 156, 668, 4192]),
        ("Antidraughts International", anti, &[9, 81, 658, 4265, 27117, 167140, 1049442]),
    ];
    for (name, told, counts) in rows {
        let ruleset = rule_set(&told, "rule_set").unwrap_or_else(|fault| panic!("{name}: {fault:?}"));
        for (depth, &count) in (1..).zip(counts) {
            let found = perft(&Position::start(&ruleset), depth, &mut budget());
            assert_eq!(found, Ok(count), "{name}, depth {depth}");
        }
    }
}

#[test]
fn what_makes_no_sense_is_refused_with_its_field() {
    use pb::Playing::{All, LikeA1};
    use pb::Variant::{Alquerque, Checkers, Corner, Dameo, Hawaiian, International};
    let directions = |all: &[pb::Direction]| {
        Some(pb::Directions { directions: all.iter().map(|&one| one.into()).collect() })
    };
    let stiff = pb::Movement { steps: directions(&[]), first_jumps: directions(&[]), ..Default::default() };
    let late = pb::Movement { first_jumps: directions(&[]), ..Default::default() };
    let twice = pb::Movement {
        steps: directions(&[pb::Direction::North, pb::Direction::North]),
        ..Default::default()
    };
    let flying = pb::Movement { range: pb::Range::Flying.into(), ..Default::default() };
    let zone = |kind: pb::ZoneKind, white: &[u32]| {
        Some(pb::Zone { kind: kind.into(), white_squares: white.to_vec(), black_squares: Vec::new() })
    };
    let plain = |base| on(base, None, "");
    let fields = |faults: &[(&str, &str)]| {
        faults.iter().map(|(field, reason)| format!("rule_set.{field} {reason}")).collect::<Vec<_>>()
    };
    let rows = [
        (pb::RuleSet::default(), fields(&[("base", "REQUIRED")])),
        (pb::RuleSet { base: 99, ..Default::default() }, fields(&[("base", "UNKNOWN_VALUE")])),
        (on(International, board(10, 10, LikeA1), ""), fields(&[("start_fen", "REQUIRED")])),
        (on(International, board(3, 10, LikeA1), "W:W1:B2"), fields(&[("board", "CONTRADICTION")])),
        (on(International, board(9, 10, LikeA1), "W:W1:B2"), fields(&[("board.width", "CONTRADICTION")])),
        (on(International, board(14, 14, All), "W:W1:B2"), fields(&[("board", "CONTRADICTION")])),
        (on(International, board(4_000_000_000, 8, All), "W:W1:B2"), fields(&[("board", "CONTRADICTION")])),
        (
            on(International, Some(pb::BoardShape { width: 8, height: 8, ..Default::default() }), "W:W1:B2"),
            fields(&[
                ("board.playing", "REQUIRED"),
                ("board.lines", "REQUIRED"),
                ("board.numbering", "REQUIRED"),
            ]),
        ),
        (on(Corner, board(8, 8, LikeA1), "W:W32:B1"), fields(&[("promotion", "REQUIRED")])),
        (on(Hawaiian, board(6, 6, All), "W:W32:B1"), fields(&[("opening", "REQUIRED")])),
        (on(International, None, "W:W32:B"), fields(&[("start_fen", "CONTRADICTION")])),
        (
            pb::RuleSet { first_mover: 2, ..on(International, None, "W:W32:B1") },
            fields(&[("first_mover", "MISMATCH")]),
        ),
        (pb::RuleSet { first_mover: 3, ..plain(International) }, fields(&[("first_mover", "UNKNOWN_VALUE")])),
        (pb::RuleSet { man: Some(stiff), ..plain(International) }, fields(&[("man", "CONTRADICTION")])),
        (pb::RuleSet { man: Some(late), ..plain(International) }, fields(&[("man", "CONTRADICTION")])),
        (
            pb::RuleSet { man: Some(twice), ..plain(Dameo) },
            fields(&[("man.steps.directions[1]", "DUPLICATE")]),
        ),
        (pb::RuleSet { man: Some(flying.clone()), ..plain(Dameo) }, fields(&[("steps", "CONTRADICTION")])),
        (
            pb::RuleSet { king: Some(King::Kings(flying)), ..plain(Alquerque) },
            fields(&[
                ("kings.steps", "REQUIRED"),
                ("kings.first_jumps", "REQUIRED"),
                ("kings.later_jumps", "REQUIRED"),
                ("kings.prey", "REQUIRED"),
            ]),
        ),
        (
            pb::RuleSet { king: Some(King::NoKings(true)), ..plain(pb::Variant::Italian) },
            fields(&[
                ("promotion", "CONTRADICTION"),
                ("precedence", "CONTRADICTION"),
                ("precedence", "CONTRADICTION"),
                ("precedence", "CONTRADICTION"),
            ]),
        ),
        (
            pb::RuleSet { promotion: zone(pb::ZoneKind::FarRow, &[]), ..plain(Alquerque) },
            fields(&[("promotion", "CONTRADICTION")]),
        ),
        (
            pb::RuleSet { promotion: zone(pb::ZoneKind::FarRow, &[1]), ..plain(Checkers) },
            fields(&[("promotion", "MISMATCH")]),
        ),
        (
            pb::RuleSet { promotion: zone(pb::ZoneKind::Unspecified, &[]), ..plain(Checkers) },
            fields(&[("promotion.kind", "REQUIRED")]),
        ),
        (
            pb::RuleSet { promotion: zone(pb::ZoneKind::Squares, &[1, 33, 1]), ..plain(Checkers) },
            fields(&[
                ("promotion.white_squares[1]", "UNKNOWN_VALUE"),
                ("promotion.white_squares[2]", "DUPLICATE"),
            ]),
        ),
        (
            pb::RuleSet { precedence: Some(pb::Precedences { criteria: vec![1, 0, 1] }), ..plain(Checkers) },
            fields(&[("precedence.criteria[1]", "REQUIRED"), ("precedence.criteria[2]", "DUPLICATE")]),
        ),
        (
            pb::RuleSet {
                opening: Some(pb::OpeningRule { opening: 2, first_removal_squares: Vec::new() }),
                ..plain(Checkers)
            },
            fields(&[("start_fen", "CONTRADICTION"), ("opening.first_removal_squares", "CONTRADICTION")]),
        ),
        (
            pb::RuleSet { capture_sign: "+".to_owned(), ..plain(Checkers) },
            fields(&[("capture_sign", "MISMATCH")]),
        ),
        (
            pb::RuleSet { draws: Some(pb::DrawRules { as_in: 77 }), ..plain(Checkers) },
            fields(&[("draws.as_in", "UNKNOWN_VALUE")]),
        ),
        (
            pb::RuleSet { turning: 9, landing: -1, ..plain(Checkers) },
            fields(&[("landing", "UNKNOWN_VALUE"), ("turning", "UNKNOWN_VALUE")]),
        ),
    ];
    for (told, expected) in rows {
        let Err(Fault::InvalidFields(faults)) = rule_set(&told, "rule_set") else {
            panic!("{told:?} is taken")
        };
        let found =
            faults.iter().map(|fault| format!("{} {}", fault.field, fault.reason)).collect::<Vec<_>>();
        assert_eq!(found, expected, "{told:?}");
        assert!(faults.iter().all(|fault| fault.description.contains(&fault.field)), "{faults:?}");
    }
}

#[test]
fn the_start_of_a_rule_set_is_a_position_of_it() {
    let off_board = on(pb::Variant::International, None, "W:W30,51:B1");
    let promoted = on(pb::Variant::International, None, "W:W3:B20");
    for told in [off_board, promoted] {
        let Err(Fault::InvalidPosition { violations, .. }) = rule_set(&told, "rule_set") else {
            panic!("{told:?} is taken")
        };
        assert!(violations.iter().all(|violation| violation.field == "rule_set.start_fen"), "{violations:?}");
    }
    let unreadable = on(pb::Variant::International, None, "W:");
    assert!(
        matches!(rule_set(&unreadable, "rule_set"), Err(Fault::MalformedFen { field, .. }) if field == "rule_set.start_fen")
    );
}

#[test]
fn newer_words_are_not_guessed() {
    let newer = pb::RuleSet { vocabulary: 2, ..on(pb::Variant::Checkers, None, "") };
    assert!(
        matches!(rule_set(&newer, "rule_set"), Err(Fault::NotImplemented { field }) if field == "rule_set.vocabulary")
    );
}
