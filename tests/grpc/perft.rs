//! Perft over the wire: published counts, the count behind each move, progress, limits, and what else goes on meanwhile.

use crate::server::Server;
use crate::service::{HOSTILE, exceeds, game, reason_of};
use crate::support::data_file;
use draughts_rules::api::limits;
use draughts_rules::api::proto as pb;
use draughts_rules::rules::Variant;
use pb::run_perft_response::Event;
use std::time::{Duration, Instant};
use tonic::{Code, Request, Status, Streaming};

const ON: &[&str] = &["--perft", "true"];
/// Counts above this are left to tests/perft.rs.
const NODE_LIMIT: u64 = 300_000;
/// All lines so long are never counted.
const ENDLESS: u32 = limits::MAX_PERFT_DEPTH;

fn to_count(game: Option<pb::Game>, depth: u32, divide: bool) -> pb::RunPerftRequest {
    pb::RunPerftRequest { game, depth, divide }
}

/// A whole count: what is behind each move, and the total.
struct Counted {
    divisions: Vec<pb::PerftDivision>,
    total: pb::PerftTotal,
}

async fn event(stream: &mut Streaming<pb::RunPerftResponse>) -> Result<Option<Event>, Status> {
    let message = stream.message().await?;
    Ok(message.map(|message| message.event.expect("an event")))
}

/// What a stream says in place of a count.
async fn refused(server: &Server, request: pb::RunPerftRequest) -> Status {
    let mut stream = server.client().await.run_perft(request).await.expect("a stream").into_inner();
    event(&mut stream).await.expect_err("a refusal")
}

async fn count(server: &Server, request: pb::RunPerftRequest) -> Counted {
    let mut stream = server.client().await.run_perft(request).await.expect("a stream").into_inner();
    let mut divisions = Vec::new();
    let total = loop {
        match event(&mut stream).await.expect("no error").expect("a total before the end") {
            Event::Progress(_) => {}
            Event::Division(division) => divisions.push(division),
            Event::Total(total) => break total,
        }
    };
    assert!(matches!(event(&mut stream).await, Ok(None)), "the total is the last");
    Counted { divisions, total }
}

/// Id, position and depth with their count, from a file of tests/data/perft.
fn published(text: &str) -> Vec<(&str, &str, u32, u64)> {
    let (mut id, mut fen, mut counts) = ("", "", Vec::new());
    for line in text.lines() {
        match line.split_once(' ') {
            Some(("id", value)) => id = value,
            Some(("fen", value)) => fen = value,
            Some(("perft", value)) => {
                let (depth, nodes) = value.split_once(' ').expect("a depth and a count");
                let (depth, nodes) = (depth.parse().expect("a depth"), nodes.parse().expect("a count"));
                counts.push((id, fen, depth, nodes));
            }
            _ => {}
        }
    }
    counts.retain(|&(.., nodes)| nodes <= NODE_LIMIT);
    counts
}

#[tokio::test]
async fn published_counts_come_out_and_divisions_add_up_to_them() {
    let server = Server::start(ON);
    for &variant in Variant::ALL {
        let text = data_file("perft", variant, "perft");
        let published = published(&text);
        assert!(!published.is_empty(), "{variant:?}");
        for (id, fen, depth, nodes) in published {
            let game = game(i32::from(variant.about().number), Some(fen));
            let counted = count(&server, to_count(game, depth, true)).await;
            assert_eq!(counted.total.nodes, nodes, "{id} at depth {depth}");
            let divided = counted.divisions.iter().map(|division| division.nodes).sum::<u64>();
            assert_eq!(divided, nodes, "{id} at depth {depth}");
        }
    }
}

#[tokio::test]
async fn the_count_behind_each_move_comes_in_the_order_of_the_list() {
    let server = Server::start(ON);
    let parts = vec![pb::MovePart::Notation as i32, pb::MovePart::Landings as i32];
    let request = pb::GenerateLegalMovesRequest { game: game(11, None), parts, ..Default::default() };
    let listed = server.client().await.generate_legal_moves(request).await.expect("moves").into_inner().moves;
    for depth in 1..=6 {
        let counted = count(&server, to_count(game(11, None), depth, true)).await;
        let moves = counted.divisions.iter().filter_map(|division| division.r#move.clone());
        assert_eq!(moves.collect::<Vec<_>>(), listed, "at depth {depth}");
        // dctl, as in tests/data/perft: from the start position.
        let expected = [9, 81, 658, 4_265, 27_117, 167_140][depth as usize - 1];
        assert_eq!(counted.total.nodes, expected);
        assert!(counted.total.elapsed.is_some());
        let undivided = count(&server, to_count(game(11, None), depth, false)).await;
        assert_eq!((undivided.divisions.len(), undivided.total.nodes), (0, expected));
    }
    let at_once = count(&server, to_count(game(11, None), 0, true)).await;
    assert_eq!((at_once.divisions.len(), at_once.total.nodes), (0, 1));
    // A side without a move has no lines (the convention of tests/data/perft).
    let over = count(&server, to_count(game(11, Some("W:W:B1")), 6, true)).await;
    assert_eq!((over.divisions.len(), over.total.nodes), (0, 0));
}

#[tokio::test]
async fn a_rule_set_is_counted() {
    // Thai draughts with twelve men, as published: see tests/rule_sets.rs.
    let rule_set = pb::RuleSet {
        base: pb::Variant::Thai.into(),
        start_fen: "W:W21-32:B1-12".to_owned(),
        ..Default::default()
    };
    let rules = Some(pb::game::Rules::RuleSet(rule_set));
    let game = Some(pb::Game { rules, ..Default::default() });
    let server = Server::start(ON);
    assert_eq!(count(&server, to_count(game, 7, false)).await.total.nodes, 179_740);
}

/// Progress, again and again, with the count and the time both growing.
async fn progress(stream: &mut Streaming<pb::RunPerftResponse>, times: usize) {
    let mut last = (0, Duration::ZERO);
    for _ in 0..times {
        let Ok(Some(Event::Progress(progress))) = event(stream).await else { panic!("no progress") };
        let elapsed =
            Duration::try_from(progress.elapsed.expect("a time")).expect("not before the beginning");
        assert!(progress.nodes > last.0 && elapsed > last.1, "{progress:?} after {last:?}");
        assert!(elapsed - last.1 < Duration::from_secs(1), "{progress:?} after {last:?}");
        last = (progress.nodes, elapsed);
    }
}

#[tokio::test]
async fn progress_is_told_and_a_count_ends_when_its_client_leaves() {
    let server = Server::start(ON);
    let mut client = server.client().await;
    let request = to_count(game(11, None), ENDLESS, false);
    let mut stream = client.run_perft(request.clone()).await.expect("a stream").into_inner();
    progress(&mut stream, 3).await;

    let full = client.run_perft(request.clone()).await.expect_err("one at a time");
    let metadata = vec![("resource".to_owned(), "perft".to_owned())];
    assert_eq!(reason_of(&full), (Code::Unavailable, "OVERLOADED".to_owned(), metadata));
    assert!(full.metadata().contains_key("grpc-retry-pushback-ms"));

    drop(stream);
    let left = Instant::now();
    let next = loop {
        match client.run_perft(request.clone()).await {
            Ok(next) => break next,
            Err(busy) => assert_eq!(reason_of(&busy).1, "OVERLOADED"),
        }
    };
    assert!(left.elapsed() < Duration::from_secs(1), "the place is free after {:?}", left.elapsed());
    progress(&mut next.into_inner(), 1).await; // and so is the thread
}

#[tokio::test]
async fn a_count_ends_when_its_time_is_up() {
    for (arguments, timeout) in
        [(&["--perft", "true", "--max-deadline-seconds", "0.2"][..], None), (ON, Some(200))]
    {
        let server = Server::start(arguments);
        let mut request = Request::new(to_count(game(11, None), ENDLESS, false));
        if let Some(timeout) = timeout {
            // The header alone: a client that also keeps the time would be the first to give up.
            request.metadata_mut().insert("grpc-timeout", format!("{timeout}m").parse().expect("a header"));
        }
        let mut stream = server.client().await.run_perft(request).await.expect("a stream").into_inner();
        let late = event(&mut stream).await.expect_err("no end in 200 ms");
        let metadata = vec![("deadline_ms".to_owned(), "200".to_owned())];
        assert_eq!(reason_of(&late), (Code::DeadlineExceeded, "DEADLINE_EXCEEDED".to_owned(), metadata));
    }
}

/// Four that count: all of them come on, and nobody else fails.
#[tokio::test]
async fn other_calls_go_on_while_perft_is_counted() {
    let server =
        Server::start(&["--perft", "true", "--perft-calls", "4", "--threads", "2", "--heavy-calls", "1"]);
    let mut client = server.client().await;
    let mut streams = Vec::new();
    for _ in 0..4 {
        let request = to_count(game(11, None), ENDLESS, false);
        streams.push(client.run_perft(request).await.expect("a stream").into_inner());
    }
    let list = |fen: &str| pb::GenerateLegalMovesRequest { game: game(13, Some(fen)), ..Default::default() };
    let easy = list("W:W31:B20");
    for _ in 0..500 {
        assert!(client.generate_legal_moves(easy.clone()).await.is_ok());
    }
    for _ in 0..5 {
        let hard = client.generate_legal_moves(list(HOSTILE)).await.expect_err("too complex");
        assert_eq!(reason_of(&hard).1, "TOO_COMPLEX", "it had a thread of the pool");
    }
    for stream in &mut streams {
        progress(stream, 1).await;
    }
}

#[tokio::test]
async fn a_server_that_does_no_perft_says_so() {
    let server = Server::start(&["--perft-calls", "7"]);
    let mut client = server.client().await;
    let off = client.run_perft(to_count(game(11, None), 1, false)).await.expect_err("off by default");
    let metadata = [("method", "RunPerft"), ("option", "--perft")];
    let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec();
    assert_eq!(reason_of(&off), (Code::Unimplemented, "NOT_IMPLEMENTED".to_owned(), metadata));
    assert!(off.message().contains("--perft true"), "{}", off.message());
    let told = async |server: &Server| {
        let told = server.client().await.get_server_info(pb::GetServerInfoRequest {}).await;
        let told = told.expect("an answer").into_inner();
        (told.runs_perft, told.serving_limits.expect("limits").max_perft_calls)
    };
    assert_eq!(told(&server).await, (false, 0));
    assert_eq!(told(&Server::start(ON)).await, (true, 1));
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_and_takes_no_place() {
    let server = Server::start(ON);
    for depth in [limits::MAX_PERFT_DEPTH + 1, u32::MAX] {
        let refused = refused(&server, to_count(game(11, None), depth, false)).await;
        exceeds(&refused, "max_perft_depth", limits::MAX_PERFT_DEPTH as usize);
    }
    for (wrong, reason) in [(None, "INVALID_FIELD"), (game(11, Some("nonsense")), "MALFORMED_FEN")] {
        let refused = refused(&server, to_count(wrong, 1, false)).await;
        assert_eq!(reason_of(&refused).1, reason);
    }
    assert_eq!(count(&server, to_count(game(11, None), 1, false)).await.total.nodes, 9);
}
