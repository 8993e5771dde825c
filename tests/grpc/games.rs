//! Whole games over the wire: history in both its forms, replays, imports, and their limits.

use crate::server::Server;
use crate::service::{Client, exceeds, game, reason_of, text};
use draughts_rules::api::limits;
use draughts_rules::api::proto as pb;
use draughts_rules::rules::Variant;
use pb::import_games_response::Outcome;
use tonic::Code;

/// Two kings that go to and fro, as a cycle of four plies.
const CYCLE: [&str; 4] = ["47-36", "4-15", "36-47", "15-4"];
/// Many kings, so that only repetition and lack of progress count.
const KINGS: &str = "W:WK46,K47,K48:BK5,K4,K3";

fn result(answer: pb::ApplyMoveResponse) -> pb::Result {
    answer.result.expect("a result")
}

fn clause(result: &pb::Result, id: &str) -> pb::DrawClauseReport {
    let found = result.clauses.iter().find(|clause| clause.id == id);
    found.unwrap_or_else(|| panic!("no clause {id} in {result:?}")).clone()
}

async fn apply(client: &mut Client, game: pb::Game, movement: &str) -> pb::ApplyMoveResponse {
    let request = pb::ApplyMoveRequest { game: Some(game), r#move: text(movement), ..Default::default() };
    client.apply_move(request).await.unwrap_or_else(|error| panic!("{movement}: {error:?}")).into_inner()
}

/// A backend without any rules: it sends back what it was given, ply by ply.
#[tokio::test]
async fn a_game_is_carried_on_by_position_and_draw_state_alone() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let beginning = pb::Game { begins_at_position: true, ..game(11, Some(KINGS)).expect("a game") };
    let mut carried = beginning.clone();
    let mut replayed = beginning;
    for ply in 1..=8 {
        let movement = CYCLE[(ply - 1) % 4];
        let answer = apply(&mut client, carried.clone(), movement).await;
        let by_moves = apply(&mut client, replayed.clone(), movement).await;
        let (carried_result, replayed_result) = (result(answer.clone()), result(by_moves.clone()));
        assert_eq!(carried_result.clauses, replayed_result.clauses, "ply {ply}");
        assert_eq!(
            (carried_result.status(), &carried_result.decided_by),
            (replayed_result.status(), &replayed_result.decided_by)
        );
        assert_eq!(answer.draw_state, by_moves.draw_state, "ply {ply}");
        let coverage =
            if ply == 1 { pb::HistoryCoverage::Moves } else { pb::HistoryCoverage::DrawStateAndMoves };
        assert_eq!(carried_result.history_coverage(), coverage);
        assert_eq!(replayed_result.history_coverage(), pb::HistoryCoverage::Moves);
        // FMJD 6.1: the position at ply 0 has come back at 4 and 8.
        let repeated = clause(&carried_result, "F1");
        if ply == 8 {
            assert_eq!(
                (carried_result.status(), carried_result.reason()),
                (pb::ResultStatus::Drawn, pb::ResultReason::Repetition)
            );
            assert_eq!(carried_result.decided_by, "F1");
            assert_eq!(
                (repeated.state(), repeated.count, repeated.article.as_str()),
                (pb::DrawClauseState::Drawn, Some(3), "FMJD 6.1")
            );
        } else {
            assert_eq!(
                (carried_result.status(), repeated.count),
                (pb::ResultStatus::Ongoing, Some(1 + ply as u32 / 4))
            );
        }
        assert_eq!(clause(&carried_result, "F2").count, Some(ply as u32));
        carried = pb::Game {
            rules: carried.rules,
            position: answer.position.expect("a position").position,
            draw_state: answer.draw_state,
            ..Default::default()
        };
        replayed.moves.push(text(movement).expect("a move"));
    }
    // A draw never changes what is legal.
    let request = pb::GenerateLegalMovesRequest { game: Some(carried.clone()), ..Default::default() };
    assert!(!client.generate_legal_moves(request).await.expect("moves").into_inner().moves.is_empty());
    let after = result(apply(&mut client, carried, "47-36").await);
    assert_eq!(after.status(), pb::ResultStatus::Drawn, "this position, too, has occurred three times");
}

#[tokio::test]
async fn every_answer_says_what_it_rests_on() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let mut determine = async |game: pb::Game| {
        let request = pb::DetermineResultRequest { game: Some(game) };
        client.determine_result(request).await.expect("a result").into_inner()
    };
    let alone = game(11, Some(KINGS)).expect("a game");
    let answer = determine(alone.clone()).await;
    let judged = answer.result.expect("a result");
    assert_eq!(judged.history_coverage(), pb::HistoryCoverage::None);
    assert_eq!(clause(&judged, "F1").state(), pb::DrawClauseState::NotJudged);
    assert_eq!(clause(&judged, "F2").state(), pb::DrawClauseState::NotJudged);
    assert_eq!(clause(&judged, "F3").state(), pb::DrawClauseState::Idle, "three kings each");
    assert_eq!(answer.position.expect("a position").fen, "W:WK46,K47,K48:BK3,K4,K5");

    let mut coverage =
        async |game: pb::Game| determine(game).await.result.expect("a result").history_coverage();
    let state = answer.draw_state.clone();
    assert_eq!(
        coverage(pb::Game { begins_at_position: true, ..alone.clone() }).await,
        pb::HistoryCoverage::Moves
    );
    assert_eq!(coverage(game(11, None).expect("a game")).await, pb::HistoryCoverage::Moves);
    assert_eq!(
        coverage(pb::Game { draw_state: state.clone(), ..alone.clone() }).await,
        pb::HistoryCoverage::DrawState
    );
    let partial = state.clone().map(|state| pb::DrawState { is_partial: true, ..state });
    assert_eq!(
        coverage(pb::Game { draw_state: partial, ..alone.clone() }).await,
        pb::HistoryCoverage::Partial
    );
    let none = pb::DrawPolicy::None as i32;
    assert_eq!(
        coverage(pb::Game { draw_policy: none, ..alone.clone() }).await,
        pb::HistoryCoverage::NotJudged
    );
    assert_eq!(
        coverage(game(10, None).expect("Hawaiian has no draws")).await,
        pb::HistoryCoverage::NotJudged
    );

    let request = pb::DetermineResultRequest { game: Some(pb::Game { draw_policy: none, ..alone }) };
    let answer = client.determine_result(request).await.expect("a result").into_inner();
    assert_eq!((answer.draw_state, answer.result.expect("a result").clauses), (None, vec![]));
}

#[tokio::test]
async fn claims_are_offered_and_never_made() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let mut claimed =
        pb::Game { begins_at_position: true, ..game(1, Some("B:WK32,K31:BK1,K2")).expect("a game") };
    for movement in ["1-5", "32-28", "5-1", "28-32", "1-5", "32-28", "5-1"] {
        claimed.moves.push(text(movement).expect("a move"));
    }
    // WCDF 1.32.1: a player may claim with the move that completes the repetition. The service is asked about that move.
    let answer = result(apply(&mut client, claimed, "28-32").await);
    assert_eq!((answer.status(), answer.can_claim_draw), (pb::ResultStatus::Ongoing, true));
    let repeated = clause(&answer, "E1");
    assert_eq!(
        (repeated.state(), repeated.effect()),
        (pb::DrawClauseState::Claimable, pb::DrawEffect::ClaimBeforeMove)
    );
}

#[tokio::test]
async fn clauses_are_described_with_their_sources_and_doubts() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let mut certainties = std::collections::BTreeSet::new();
    for &variant in Variant::ALL {
        let request = pb::GetVariantRequest { variant: variant.about().number.into(), rule_set: None };
        let rules = client
            .get_variant(request)
            .await
            .expect("a variant")
            .into_inner()
            .info
            .and_then(|info| info.rules);
        let clauses = rules.expect("rules").draw_clauses;
        assert_eq!(clauses.is_empty(), variant == Variant::Hawaiian, "{variant:?}");
        for clause in &clauses {
            certainties.insert(clause.certainty);
            assert!(clause.summary.ends_with('.') && !clause.article.is_empty(), "{clause:?}");
            let is_repetition = clause.kind() == pb::DrawKind::Repetition;
            assert_eq!(is_repetition, clause.restart() == pb::DrawRestart::Unspecified, "{clause:?}");
            assert!(clause.yields_to.is_empty() || clauses.iter().any(|other| other.id == clause.yields_to));
        }
    }
    assert_eq!(certainties.into_iter().collect::<Vec<_>>(), [1, 2, 3]);
}

/// The limit of positions in a draw state, below, at and above it; and what is left out is not judged.
#[tokio::test]
async fn draw_states_have_a_limit() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let alone = game(11, Some(KINGS)).expect("a game");
    let request = pb::DetermineResultRequest { game: Some(alone.clone()) };
    let state =
        client.determine_result(request).await.expect("a result").into_inner().draw_state.expect("a state");
    for length in [
        limits::MAX_DRAW_STATE_POSITIONS - 1,
        limits::MAX_DRAW_STATE_POSITIONS,
        limits::MAX_DRAW_STATE_POSITIONS + 1,
    ] {
        let mut state = state.clone();
        state.positions.extend((1..length as u64).map(|key| pb::PositionCount { key, count: 1 }));
        let game = pb::Game {
            draw_state: Some(state),
            moves: vec![text("47-36").expect("a move")],
            ..alone.clone()
        };
        match client.determine_result(pb::DetermineResultRequest { game: Some(game) }).await {
            Ok(answer) => {
                assert!(length <= limits::MAX_DRAW_STATE_POSITIONS);
                let answer = answer.into_inner();
                // One position more than there was: at the limit the oldest one goes.
                let state = answer.draw_state.expect("a state");
                assert_eq!(state.positions.len(), limits::MAX_DRAW_STATE_POSITIONS);
                assert_eq!(state.is_partial, length == limits::MAX_DRAW_STATE_POSITIONS);
            }
            Err(status) => exceeds(&status, "max_draw_state_positions", limits::MAX_DRAW_STATE_POSITIONS),
        }
    }
}

fn pdn(text: &str) -> Option<pb::PdnText> {
    Some(pb::PdnText { form: Some(pb::pdn_text::Form::Text(text.to_owned())) })
}

async fn replay(client: &mut Client, request: pb::ReplayGameRequest) -> pb::Replay {
    client.replay_game(request).await.expect("a replay").into_inner().replay.expect("a replay")
}

#[tokio::test]
async fn a_game_is_replayed_up_to_its_first_illegal_move() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let moves = ["32-28", "19-23", "28x19", "14x23", "37-32", "10-14", "41-37"]
        .map(|movement| text(movement).expect("a move"));
    let mut played = game(11, None).expect("a game");
    played.moves = moves.to_vec();
    played.moves.push(text("17-21").expect("a move"));
    played.moves.push(text("31-27").expect("a move"));
    let source = |game| Some(pb::replay_game_request::Source::Game(game));
    let options =
        pb::ReplayOptions { with_pdn: true, with_positions: true, with_clauses: true, ..Default::default() };
    let tags = vec![pb::Tag { name: "White".to_owned(), value: "White, A.".to_owned() }];
    let request = pb::ReplayGameRequest { source: source(played.clone()), options: Some(options), tags };
    let whole = replay(&mut client, request).await;
    assert_eq!((whole.plies.len(), whole.illegal_move.clone()), (9, None));
    let last = whole.plies.last().expect("a ply");
    assert_eq!(last.position, whole.position);
    assert_eq!(Some(last.key), whole.position.as_ref().map(|position| position.key));
    assert!(!last.result.as_ref().expect("a result").clauses.is_empty());
    assert!(
        whole.pdn.contains("[White \"White, A.\"]") && whole.pdn.contains("1. 32-28 19-23 2. 28x19 14x23"),
        "{}",
        whole.pdn
    );

    // The game it hands back is the next request's, without the moves.
    let carried = whole.game.clone().expect("a game");
    assert!(carried.moves.is_empty() && carried.draw_state.is_some());
    let one = apply(&mut client, carried, "21-26").await;
    let other = apply(&mut client, played.clone(), "21-26").await;
    assert_eq!((one.position, one.draw_state), (other.position, other.draw_state));

    played.moves[3] = text("13-19").expect("a move");
    let request = pb::ReplayGameRequest { source: source(played), ..Default::default() };
    let stopped = replay(&mut client, request).await;
    let illegal = stopped.illegal_move.expect("an illegal move");
    assert_eq!(
        (stopped.plies.len(), illegal.ply, illegal.reason()),
        (3, Some(4), pb::IllegalMoveReason::Occupied)
    );
    assert!(!illegal.candidates.is_empty() && stopped.pdn.is_empty());
    assert!(
        stopped.plies.iter().all(|ply| ply.position.is_none()
            && ply.result.as_ref().is_some_and(|result| result.clauses.is_empty()))
    );
}

#[tokio::test]
async fn a_text_is_replayed_with_its_remarks() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let written = "[GameType \"20\"]\n[Result \"2-0\"]\n\n{Before} 1. 32-28! {[%clock W0:12:33 B1:02:03]} (1. 31-27 19-23) 19-23 $132 2. 28x19 2-0";
    let source = Some(pb::replay_game_request::Source::Pdn(pdn(written).expect("a text")));
    let options = Some(pb::ReplayOptions { with_pdn: true, ..Default::default() });
    let played = replay(&mut client, pb::ReplayGameRequest { source, options, tags: vec![] }).await;
    assert_eq!(
        (played.variant, played.stated_result.as_str(), &played.comments[..]),
        (11, "2-0", &["Before".to_owned()][..])
    );
    assert_eq!(played.plies[0].nags, [1]);
    let clock = played.plies[0].clock.expect("a clock");
    assert_eq!((clock.white_seconds, clock.black_seconds), (Some(753), Some(3723)));
    assert_eq!(played.plies[1].nags, [132]);
    let moves =
        "{Before} 1. 32-28 $1 {[%clock W0:12:33 B1:02:03]} (1. 31-27 19-23) 1... 19-23\n$132 2. 28x19 2-0";
    assert!(played.pdn.contains(moves), "{}", played.pdn);
    assert_eq!(
        played.result.expect("a result").status(),
        pb::ResultStatus::Ongoing,
        "White won by something else"
    );
}

#[tokio::test]
async fn games_are_imported_one_answer_a_game() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let file = "[GameType \"20\"]\n\n1. 32-28 *\n\n[GameType \"20\"]\n\n1. 32-27 20x20 *\n\n[GameType \"20\"]\n\n1. 32-28 ~\n\n\
                [GameType \"40\"]\n\n*\n\n[GameType \"25\"]\n\n1. ab4 {no end of the game}";
    let request = pb::ImportGamesRequest { pdn: pdn(file), ..Default::default() };
    let mut stream = client.import_games(request).await.expect("a stream").into_inner();
    let mut answers = Vec::new();
    while let Some(answer) = stream.message().await.expect("an answer") {
        answers.push(answer);
    }
    let outcomes = answers.iter().map(|answer| match answer.outcome.as_ref().expect("an outcome") {
        Outcome::Replay(replay) => format!(
            "{} plies, illegal {:?}",
            replay.plies.len(),
            replay.illegal_move.as_ref().and_then(|illegal| illegal.ply)
        ),
        Outcome::Error(error) => error.message.clone(),
    });
    assert_eq!(
        outcomes.collect::<Vec<_>>(),
        [
            "1 plies, illegal None",
            "1 plies, illegal Some(2)",
            "pdn is no PDN: expected a move, a comment or a result at line 11, column 10, found '~'",
            "pdn is a game that is not played here: its GameType is 40",
            "1 plies, illegal None",
        ]
    );
    assert_eq!(answers.iter().map(|answer| answer.index).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    let Some(Outcome::Replay(replay)) = &answers[1].outcome else { panic!("{answers:?}") };
    let illegal = replay.illegal_move.as_ref().expect("an illegal move");
    assert_eq!((illegal.text.as_str(), illegal.line, illegal.column), ("20x20", 7, 10));
    assert_eq!(answers.iter().map(|answer| answer.line).collect::<Vec<_>>(), [1, 5, 9, 13, 17]);
    assert_eq!(
        answers.iter().map(|answer| answer.is_terminated).collect::<Vec<_>>(),
        [true, true, false, true, false]
    );
    for answer in &answers {
        assert!(file[answer.offset as usize..].starts_with("[GameType"));
    }
    let none = client.import_games(pb::ImportGamesRequest::default()).await.expect_err("no text");
    assert_eq!(reason_of(&none).1, "INVALID_FIELD");
}

/// A file that is too large is sent in pieces: each begins where the last answer of the piece before did.
#[tokio::test]
async fn a_large_file_is_imported_in_pieces() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let games = (0..40).map(|round| {
        format!("[Round \"{round}\"]\n[White \"J\u{e4}rvi\"]\n[GameType \"20\"]\n\n1. 32-28 19-23 *\n\n")
    });
    let file = games.collect::<String>();
    let mut rounds = Vec::new();
    let mut start = 0;
    while start < file.len() {
        let end = file.len().min(start + 500); // in the midst of anything, letters included
        let form = Some(pb::pdn_text::Form::Bytes(file.as_bytes()[start..end].to_vec()));
        let request = pb::ImportGamesRequest { pdn: Some(pb::PdnText { form }), ..Default::default() };
        let mut stream = client.import_games(request).await.expect("a stream").into_inner();
        let mut answers = Vec::new();
        while let Some(answer) = stream.message().await.expect("an answer") {
            answers.push(answer);
        }
        let is_last = end == file.len();
        let next = answers.last().expect("an answer").offset as usize;
        let taken = if is_last { answers.len() } else { answers.len() - 1 };
        for answer in answers.into_iter().take(taken) {
            let Some(Outcome::Replay(replay)) = answer.outcome else { panic!("{:?}", answer.outcome) };
            assert_eq!(replay.plies.len(), 2);
            rounds.push(replay.tags[0].value.clone());
        }
        start = if is_last { file.len() } else { start + next };
    }
    assert_eq!(rounds, (0..40).map(|round| round.to_string()).collect::<Vec<_>>());
}

#[tokio::test]
async fn texts_have_limits() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let mut refused = async |text: String| {
        let source = Some(pb::replay_game_request::Source::Pdn(pdn(&text).expect("a text")));
        client.replay_game(pb::ReplayGameRequest { source, ..Default::default() }).await.err()
    };
    let tags = |count: usize| (1..count).map(|tag| format!("[T{tag} \"x\"]\n")).collect::<String>();
    let game = |tags: String, moves: &str| format!("{tags}[GameType \"20\"]\n\n{moves} *");
    for count in [limits::MAX_TAGS - 1, limits::MAX_TAGS] {
        assert!(refused(game(tags(count), "1. 32-28")).await.is_none());
    }
    exceeds(
        &refused(game(tags(limits::MAX_TAGS + 1), "1. 32-28")).await.expect("too many"),
        "max_tags",
        limits::MAX_TAGS,
    );
    let moves = |count: usize| format!("1. 32-28 {}", "(1. 31-27) ".repeat(count - 1));
    for count in [limits::MAX_PLIES - 1, limits::MAX_PLIES] {
        assert!(refused(game(String::new(), &moves(count))).await.is_none());
    }
    exceeds(
        &refused(game(String::new(), &moves(limits::MAX_PLIES + 1))).await.expect("too many"),
        "max_plies",
        limits::MAX_PLIES,
    );
    let deep = |depth: usize| format!("1. 32-28 {}{}", "(1. 31-27 ".repeat(depth), ")".repeat(depth));
    assert!(refused(game(String::new(), &deep(64))).await.is_none());
    let too_deep = refused(game(String::new(), &deep(65))).await.expect("too deep");
    assert_eq!((too_deep.code(), reason_of(&too_deep).1.as_str()), (Code::InvalidArgument, "MALFORMED_PDN"));
}

#[tokio::test]
async fn what_is_odd_about_a_text_is_told_with_its_place() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let text =
        "[GameType \"20\"]\n  [Variant \"Russian\"]\n[Variant \"Thai\"]\n\n1. 32-28 3. 19-23\n2. castles 2-0";
    let options = pb::ReplayOptions { without_plies: true, ..Default::default() };
    let source = Some(pb::replay_game_request::Source::Pdn(pdn(text).expect("a text")));
    let request = pb::ReplayGameRequest { source, options: Some(options), ..Default::default() };
    let replay = client.replay_game(request).await.expect("an answer").into_inner().replay.expect("a replay");
    assert_eq!(replay.plies, []);
    let places = replay.warnings.iter().map(|warning| (warning.kind(), warning.line, warning.column));
    use pb::ReplayWarningKind::{DuplicateTag, MoveNumberUnexpected, VariantOverruled};
    assert_eq!(
        places.collect::<Vec<_>>(),
        [(VariantOverruled, 2, 3), (DuplicateTag, 3, 1), (MoveNumberUnexpected, 5, 10)]
    );
    assert_eq!(replay.warning_count, 3);
    let illegal = replay.illegal_move.expect("a word is no move");
    assert_eq!(illegal.reason(), pb::IllegalMoveReason::NotAMove);
    assert_eq!(
        (illegal.ply, illegal.text.as_str(), illegal.line, illegal.column),
        (Some(3), "castles", 6, 4)
    );
}

#[tokio::test]
async fn an_import_that_is_read_slowly_keeps_its_place_and_no_more() {
    let server = Server::start(&["--imports", "1"]);
    let mut client = server.client().await;
    let request = pb::ImportGamesRequest {
        pdn: pdn(&"[GameType \"20\"]\n\n1. 32-28 *\n\n".repeat(100)),
        ..Default::default()
    };
    let slow = client.import_games(request.clone()).await.expect("a stream").into_inner();
    let refused = client.import_games(request.clone()).await.expect_err("full");
    let metadata = vec![("resource".to_owned(), "imports".to_owned())];
    assert_eq!(reason_of(&refused), (Code::Unavailable, "OVERLOADED".to_owned(), metadata));
    drop(slow);
    for _ in 0..200 {
        if let Ok(stream) = client.import_games(request.clone()).await {
            let mut stream = stream.into_inner();
            let mut games = 0;
            while stream.message().await.expect("an answer").is_some() {
                games += 1;
            }
            return assert_eq!(games, 100);
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("the place of a client that left is never free again");
}
