//! PDN: every file of tests/data/pdn is read as its line of games.jsonl says; what is written is read again; and any bytes
//! are read or refused.
#![allow(clippy::panic)] // a failed test says what it found

use draughts_rules::api::answer;
use draughts_rules::api::proto as pb;
use draughts_rules::api::replay::Import;
use draughts_rules::pdn::parse;
use draughts_rules::rules::{Budget, Position, Variant};
use pb::import_games_response::Outcome;
use proptest::prelude::*;
use prost::Message;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use support::Chance;

mod support;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    file: String,
    /// What the file is there for.
    shows: String,
    request_variant: Option<i32>,
    games: Vec<Expected>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    variant: Option<i32>,
    plies: Option<usize>,
    /// The position after the last legal ply.
    fen: Option<String>,
    result: Option<String>,
    #[serde(default)]
    warnings: Vec<String>,
    error: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    illegal_ply: Option<u32>,
}

fn lines() -> Vec<Line> {
    let text = std::fs::read_to_string("tests/data/pdn/games.jsonl").expect("the data file");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

/// The answers to a text, game by game.
fn import(bytes: &[u8], variant: i32, with_pdn: bool) -> Vec<pb::ImportGamesResponse> {
    let request = pb::ImportGamesRequest {
        pdn: Some(pb::PdnText { form: Some(pb::pdn_text::Form::Bytes(bytes.to_vec())) }),
        options: Some(pb::ReplayOptions { variant, with_pdn, ..Default::default() }),
    };
    let mut rest = Import::new(&request).ok();
    let budget = &mut Budget::new(0);
    let answers = std::iter::from_fn(|| {
        let (answer, import) = rest.take()?.next(budget)?;
        rest = Some(import);
        Some(answer)
    });
    answers.collect()
}

/// Reason, line and column of an error.
fn reason_of(error: &tonic_types::pb::Status) -> (String, Option<u32>, Option<u32>) {
    let any = error.details.first().expect("an ErrorInfo");
    let info = tonic_types::pb::ErrorInfo::decode(&*any.value).expect("an ErrorInfo");
    let number = |key| info.metadata.get(key).and_then(|value: &String| value.parse().ok());
    (info.reason.clone(), number("line"), number("column"))
}

fn warnings_of(replay: &pb::Replay) -> Vec<String> {
    let names = replay
        .warnings
        .iter()
        .map(|warning| warning.kind().as_str_name().trim_start_matches("REPLAY_WARNING_KIND_"));
    names.map(str::to_owned).collect::<BTreeSet<_>>().into_iter().collect()
}

fn check(expected: &Expected, answer: &pb::ImportGamesResponse) -> Result<(), String> {
    let differs = |what: &str, found: &dyn std::fmt::Debug, wanted: &dyn std::fmt::Debug| {
        if format!("{found:?}") == format!("{wanted:?}") {
            Ok(())
        } else {
            Err(format!("{what}: {found:?}, wanted {wanted:?}"))
        }
    };
    match answer.outcome.as_ref().ok_or("no outcome")? {
        Outcome::Error(error) => {
            let (reason, line, column) = reason_of(error);
            differs("error", &Some(reason), &expected.error)?;
            differs(
                "place",
                &(expected.line.and(line), expected.column.and(column)),
                &(expected.line, expected.column),
            )
        }
        Outcome::Replay(replay) => {
            differs("error", &None::<String>, &expected.error)?;
            differs("variant", &Some(replay.variant), &expected.variant)?;
            let illegal_ply = replay.illegal_move.as_ref().and_then(|illegal| illegal.ply);
            differs("illegal ply", &illegal_ply, &expected.illegal_ply)?;
            differs("plies", &Some(replay.plies.len()), &expected.plies)?;
            let fen = replay.position.as_ref().map(|position| position.fen.clone());
            differs("fen", &fen, &expected.fen)?;
            let stated = Some(replay.stated_result.clone()).filter(|result| !result.is_empty());
            differs("result", &stated, &expected.result)?;
            let mut wanted = expected.warnings.clone();
            wanted.sort();
            differs("warnings", &warnings_of(replay), &wanted)
        }
    }
}

#[test]
fn every_file_is_read_as_its_line_says() {
    let mut failures = Vec::new();
    let found = std::fs::read_dir("tests/data/pdn").expect("the folder").filter_map(|entry| {
        let name = entry.expect("an entry").file_name().into_string().expect("a plain name");
        (name != "games.jsonl").then_some(name)
    });
    assert_eq!(found.collect::<BTreeSet<_>>(), lines().into_iter().map(|line| line.file).collect());
    for line in lines() {
        let bytes = std::fs::read(format!("tests/data/pdn/{}", line.file))
            .unwrap_or_else(|error| panic!("{}: {error}", line.file));
        let answers = import(&bytes, line.request_variant.unwrap_or(0), false);
        if answers.len() != line.games.len() {
            failures.push(format!(
                "{} ({}): {} games, wanted {}",
                line.file,
                line.shows,
                answers.len(),
                line.games.len()
            ));
        }
        for (index, (expected, answer)) in line.games.iter().zip(&answers).enumerate() {
            if let Err(difference) = check(expected, answer) {
                failures.push(format!("{} game {} ({}): {difference}", line.file, index + 1, line.shows));
            }
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

/// Reads what was written, and says what was written of that.
fn rewritten(text: &str) -> String {
    let answers = import(text.as_bytes(), 0, true);
    let [answer] = &answers[..] else { panic!("{} games in what was written:\n{text}", answers.len()) };
    match answer.outcome.as_ref() {
        Some(Outcome::Replay(replay)) => {
            assert_eq!(replay.illegal_move, None, "{text}");
            replay.pdn.clone()
        }
        other => panic!("{other:?}\n{text}"),
    }
}

#[test]
fn what_is_written_of_a_file_is_read_and_written_again_alike() {
    let mut games = 0;
    for line in lines() {
        let bytes = std::fs::read(format!("tests/data/pdn/{}", line.file)).expect("a file");
        for answer in import(&bytes, line.request_variant.unwrap_or(0), true) {
            let Some(Outcome::Replay(replay)) = answer.outcome else { continue };
            assert_eq!(rewritten(&replay.pdn), replay.pdn, "{}", line.file);
            let longest =
                replay.pdn.lines().filter(|line| !line.starts_with('[')).map(|line| line.chars().count());
            let has_long_word = replay.pdn.split_whitespace().any(|word| word.chars().count() > 60);
            assert!(has_long_word || longest.max().unwrap_or(0) <= 80, "{}", replay.pdn);
            games += 1;
        }
    }
    assert!(games >= 40, "{games}");
}

/// A random game of a variant as the texts of its moves.
fn random_game(variant: Variant, plies: usize, chance: &mut Chance) -> Vec<String> {
    let mut position = Position::start(variant.ruleset());
    let mut texts = Vec::new();
    for _ in 0..plies {
        let moves =
            position.legal_moves(&mut Budget::new(1_000_000)).expect("random play is not too complex");
        if moves.is_empty() {
            break;
        }
        let chosen = moves.get(chance.below(moves.len())).expect("a listed move");
        texts.push(draughts_rules::rules::notation::move_text::write(variant.ruleset(), chosen, &moves));
        position = position.play(chosen);
    }
    texts
}

/// Every notation of every variant: what the service writes of a random game, it reads as the same game.
#[test]
fn games_of_every_variant_are_written_and_read_alike() {
    for &variant in Variant::ALL {
        for seed in 0..8 {
            let chance = &mut Chance::new(seed);
            let texts = random_game(variant, 120, chance);
            let moves = texts
                .iter()
                .map(|text| pb::MoveInput { form: Some(pb::move_input::Form::Text(text.clone())) });
            let game = pb::Game {
                rules: Some(pb::game::Rules::Variant(variant.about().number.into())),
                moves: moves.collect(),
                ..Default::default()
            };
            let tags = vec![pb::Tag { name: "White".to_owned(), value: "a \"quoted\" \\ name]".to_owned() }];
            let request = pb::ReplayGameRequest {
                source: Some(pb::replay_game_request::Source::Game(game)),
                options: Some(pb::ReplayOptions { with_pdn: true, ..Default::default() }),
                tags: tags.clone(),
            };
            let replay = answer::replay_game(&request, &mut Budget::new(1_000_000))
                .expect("legal moves")
                .replay
                .expect("a replay");
            assert_eq!(replay.plies.len(), texts.len());
            let answers = import(replay.pdn.as_bytes(), 0, true);
            let Some(Outcome::Replay(again)) = answers.into_iter().next().and_then(|answer| answer.outcome)
            else {
                panic!("{}", replay.pdn)
            };
            assert_eq!(
                (again.variant, &again.position),
                (replay.variant, &replay.position),
                "{}",
                replay.pdn
            );
            assert_eq!(again.plies, replay.plies, "{}", replay.pdn);
            assert_eq!(again.pdn, replay.pdn);
            assert!(again.tags.contains(&tags[0]), "{:?}", again.tags);
            assert_eq!(again.warnings, [], "{}", replay.pdn);
        }
    }
}

/// Text that looks like PDN: its tokens in any order.
fn tokens() -> impl Strategy<Value = String> {
    let token = prop::sample::select(vec![
        "[Event \"x\"]",
        "[GameType \"20\"]",
        "[GameType \"25,W,8,8,A0,0\"]",
        "[FEN \"W:W31:B1\"]",
        "[Result \"2-0\"]",
        "\n",
        "\n\n",
        " ",
        "1.",
        "2...",
        "32-28",
        "19-23",
        "28x19",
        "c3-d4",
        "cd4",
        "(",
        ")",
        "{",
        "}",
        "{a}",
        ";",
        "%",
        "$1",
        "!",
        "?!",
        "(!)",
        "1-0",
        "1/2-1/2",
        "*",
        "2-0",
        "\"",
        "[",
        "]",
        "\\",
        "...",
        "\u{e4}",
        "[%clk 1:00]",
        "x",
        "-",
        "/",
        "0",
        "\r\n",
    ]);
    prop::collection::vec(token, 0..60).prop_map(|tokens| tokens.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused_and_what_is_written_of_it_is_stable(text in tokens()) {
        for answer in import(text.as_bytes(), 0, true) {
            match answer.outcome.expect("an outcome") {
                Outcome::Replay(replay) => prop_assert_eq!(rewritten(&replay.pdn), replay.pdn),
                Outcome::Error(error) => {
                    let (reason, line, column) = reason_of(&error);
                    prop_assert!(reason != "INTERNAL");
                    if reason == "MALFORMED_PDN" {
                        prop_assert!(line >= Some(1) && column >= Some(1));
                    }
                }
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        for answer in import(&bytes, 11, true) {
            prop_assert!(answer.offset as usize <= bytes.len());
            if let Some(Outcome::Error(error)) = answer.outcome {
                prop_assert!(reason_of(&error).0 != "INTERNAL");
            }
        }
    }
}

/// Texts made to take long: a parser that looks at a part again and again would take minutes for these, where one that
/// goes through them once takes milliseconds.
#[test]
fn hostile_texts_are_read_once() {
    const SIZE: usize = 250_000;
    for unit in [
        "{",
        "(",
        "1. 32-28 (",
        "[",
        "[a \"",
        "\n\n[a\n{",
        "\n\n[a \"b\"]\n\n1.",
        "\"",
        "[a \"b\"]",
        "1-0 ",
        "* ",
        ";",
        "%\n",
        "32-28*",
        "\n\n[x\n(",
        "((((\n\n[a",
        "$",
        "! ",
    ] {
        let text = unit.repeat(SIZE / unit.len());
        let begin = Instant::now();
        let games = parse::games(&text).count();
        assert!(
            begin.elapsed() < Duration::from_secs(20),
            "{unit:?}: {games} games in {:?}",
            begin.elapsed()
        );
    }
}
