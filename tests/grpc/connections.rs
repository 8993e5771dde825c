//! How connections begin, live and end, whatever the peer does. The rows are those where servers over tonic's own
//! transport lose calls, or never end.

use crate::server::Server;
use crate::wire::{DATA, END_STREAM, GOAWAY, PING, PREFACE, SETTINGS, Wire};
use draughts_rules::api::proto as pb;
use prost::Message;
use std::time::{Duration, Instant};
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};

#[test]
fn peers_that_do_not_begin_are_cut() {
    let server = Server::start(&["--preface-seconds", "0.3"]);
    let mut silent = (0..50).map(|_| Wire::silent(&server.address)).collect::<Vec<_>>();
    let mut half = Wire::silent(&server.address);
    half.say(&PREFACE[..PREFACE.len() / 2]);
    let mut speaking = Wire::open(&server.address);
    assert!(silent.iter_mut().chain([&mut half]).all(|wire| !wire.rest().contains(&GOAWAY)));
    speaking.begin_call(1);
    speaking.end_call(1);
    assert!(speaking.answer(1) > 0, "who has begun stays");
}

#[test]
fn a_peer_that_does_not_answer_pings_is_cut() {
    let server = Server::start(&["--keepalive-seconds", "0.2", "--keepalive-timeout-seconds", "0.2"]);
    let mut polite = Wire::open(&server.address);
    for _ in 0..3 {
        polite.until(|frame| frame.kind == PING);
    }
    let mut rude = Wire::open(&server.address);
    rude.is_polite = false;
    rude.rest();
}

#[test]
fn an_idle_peer_is_told_to_go() {
    let server = Server::start(&["--max-idle-seconds", "0.3", "--preface-seconds", "0.1"]);
    let mut wire = Wire::open(&server.address);
    wire.begin_call(1);
    std::thread::sleep(Duration::from_millis(600)); // a call is under way: that is not idle
    wire.end_call(1);
    assert!(wire.answer(1) > 0);
    assert!(wire.rest().contains(&GOAWAY));
}

#[test]
fn an_old_connection_finishes_its_call_within_the_grace() {
    let server =
        Server::start(&["--max-age-seconds", "0.3", "--preface-seconds", "0.1", "--grace-seconds", "15"]);
    let mut wire = Wire::open(&server.address);
    wire.begin_call(1);
    wire.until(|frame| frame.kind == GOAWAY);
    wire.end_call(1);
    assert!(wire.answer(1) > 0);
    wire.rest();
}

#[test]
fn an_old_connection_is_cut_after_the_grace() {
    let server =
        Server::start(&["--max-age-seconds", "0.2", "--preface-seconds", "0.1", "--grace-seconds", "0.3"]);
    let mut wire = Wire::open(&server.address);
    wire.begin_call(1);
    let kinds = wire.rest();
    assert!(kinds.contains(&GOAWAY) && !kinds.contains(&DATA), "{kinds:?}");
}

/// It answers pings, so keepalive does not notice.
#[test]
fn a_peer_that_does_not_take_its_answers_holds_its_places_and_is_cut() {
    const INITIAL_WINDOW_SIZE: [u8; 6] = [0, 4, 0, 0, 0, 0]; // of 0 bytes
    let game = pb::Game { rules: Some(pb::game::Rules::Variant(11)), ..Default::default() };
    let replay = pb::replay_game_request::Source::Game(game);
    let replay = pb::ReplayGameRequest { source: Some(replay), ..Default::default() };
    let text =
        pb::PdnText { form: Some(pb::pdn_text::Form::Text("[GameType \"20\"] 1. 32-28 *".to_owned())) };
    let import = pb::ImportGamesRequest { pdn: Some(text), ..Default::default() };
    let time = ["--max-deadline-seconds", "0.6", "--grace-seconds", "0.4"];
    for (option, method, request) in [
        ("--max-calls", "ReplayGame", replay.encode_to_vec()),
        ("--heavy-calls", "ReplayGame", replay.encode_to_vec()),
        ("--imports", "ImportGames", import.encode_to_vec()),
    ] {
        let server = Server::start(&[&[option, "1"], &time[..]].concat());
        let ask = |wire: &mut Wire| {
            wire.begin_call_with(1, &format!("/draughts.v1.RulesService/{method}"), &[]);
            wire.end_call_with(1, &request);
        };
        let mut deaf = Wire::silent(&server.address);
        deaf.say(PREFACE);
        deaf.send(SETTINGS, 0, 0, &INITIAL_WINDOW_SIZE);
        ask(&mut deaf);
        deaf.until(|frame| frame.stream == 1); // the head of the answer
        let mut other = Wire::open(&server.address);
        ask(&mut other);
        assert_eq!(other.answer(1), 0, "{option}: refused, for the first answer holds the only place");
        let kinds = deaf.rest();
        assert!(!kinds.contains(&DATA), "{kinds:?}");
        let mut third = Wire::open(&server.address);
        ask(&mut third);
        assert!(third.answer(1) > 0, "{option}: the place is free again");
    }
}

/// RFC 6585, section 5. The limit is 16 KiB, counted as RFC 9113, section 6.5.2 says: each field has 32 bytes more than its
/// text.
#[test]
fn a_head_that_is_too_large_is_refused() {
    /// `:status` as a literal with a name of the static table, its value in Huffman's code (RFC 7541, appendix B).
    const STATUS_431: [u8; 5] = [0x48, 0x83, 0x69, 0x90, 0xff];
    let server = Server::start(&[]);
    let text = "x".repeat(120);
    for (fields, is_refused) in [(100, false), (108, true)] {
        let fields = vec![("x", text.as_str()); fields];
        let mut wire = Wire::open(&server.address);
        wire.begin_call_with(1, "/draughts.v1.RulesService/GetServerInfo", &fields);
        wire.end_call(1);
        let head = wire.until(|frame| frame.stream == 1);
        assert_eq!(head.payload.starts_with(&STATUS_431), is_refused, "{} fields", fields.len());
        assert_eq!(head.flags & END_STREAM != 0, is_refused, "{} fields", fields.len());
    }
}

#[test]
fn the_drain_ends_whatever_peers_do() {
    type Peer = fn(&str) -> Wire;
    let silent: Peer = Wire::silent;
    let half: Peer = |address| {
        let mut wire = Wire::silent(address);
        wire.say(&PREFACE[..12]);
        wire
    };
    let deaf: Peer = |address| {
        let mut wire = Wire::open(address);
        wire.is_polite = false;
        wire
    };
    let unfinished: Peer = |address| {
        let mut wire = Wire::open(address);
        wire.begin_call(1);
        wire
    };
    for (name, peer, waits) in [
        ("silent", silent, false),
        ("half", half, false),
        ("deaf", deaf, true),
        ("unfinished", unfinished, true),
    ] {
        let server = Server::start(&["--drain-seconds", "1"]);
        let mut wire = peer(&server.address);
        std::thread::sleep(Duration::from_millis(200)); // until it has been accepted
        server.signal("TERM");
        let kinds = wire.rest();
        assert_eq!(kinds.contains(&GOAWAY), waits, "{name}");
        assert_eq!(server.wait(), Some(0), "{name}");
    }
}

#[test]
fn a_second_signal_does_not_wait_for_calls() {
    let server = Server::start(&["--drain-seconds", "3600"]);
    let mut wire = Wire::open(&server.address);
    wire.begin_call(1);
    std::thread::sleep(Duration::from_millis(200));
    server.signal("TERM");
    wire.until(|frame| frame.kind == GOAWAY);
    server.signal("INT");
    assert_eq!(server.wait(), Some(0));
}

#[tokio::test]
async fn a_draining_server_says_so_before_it_refuses_connections() {
    let server = Server::start(&["--drain-wait-seconds", "2"]);
    let mut health = HealthClient::new(server.channel().await);
    server.signal("TERM");
    let mut status = async || {
        let request = HealthCheckRequest { service: "draughts.v1.RulesService".to_owned() };
        health.check(request).await.expect("an answer").into_inner().status().as_str_name()
    };
    let begin = Instant::now();
    while status().await != "NOT_SERVING" {
        assert!(begin.elapsed() < Duration::from_secs(20));
    }
    let mut client = server.client().await; // a new connection
    assert!(client.get_server_info(pb::GetServerInfoRequest {}).await.is_ok());
    assert_eq!(tokio::task::spawn_blocking(|| server.wait()).await.expect("no panic"), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn health_can_be_watched_and_does_not_hold_up_the_drain() {
    let server = Server::start(&["--drain-wait-seconds", "0.5", "--drain-seconds", "3600"]);
    let mut health = HealthClient::new(server.channel().await);
    let mut watch = async |service: &str| {
        let request = HealthCheckRequest { service: service.to_owned() };
        health.watch(request).await.expect("a stream").into_inner()
    };
    let (mut known, mut unknown) = (watch("").await, watch("chess").await);
    let mut told = Vec::new();
    told.push(unknown.message().await.expect("an answer").map(|answer| answer.status().as_str_name()));
    told.push(known.message().await.expect("an answer").map(|answer| answer.status().as_str_name()));
    server.signal("TERM");
    told.push(known.message().await.expect("an answer").map(|answer| answer.status().as_str_name()));
    assert_eq!(told, [Some("SERVICE_UNKNOWN"), Some("SERVING"), Some("NOT_SERVING")]);
    assert_eq!(known.message().await.expect("the end"), None);
    assert_eq!(unknown.message().await.expect("the end"), None, "it was open until the drain");
    assert_eq!(tokio::task::spawn_blocking(|| server.wait()).await.expect("no panic"), Some(0));
}

#[tokio::test]
async fn an_unknown_service_has_no_health() {
    let server = Server::start(&[]);
    let request = HealthCheckRequest { service: "chess".to_owned() };
    let status = HealthClient::new(server.channel().await).check(request).await.expect_err("unknown");
    assert_eq!(status.code(), tonic::Code::NotFound);
}

#[test]
fn connections_above_the_limit_wait() {
    let server = Server::start(&["--max-connections", "2"]);
    let mut first = Wire::open(&server.address);
    first.setting(0);
    let mut second = Wire::open(&server.address);
    second.setting(0);
    let mut third = Wire::open(&server.address);
    third.begin_call(1);
    third.end_call(1);
    drop(first);
    assert!(third.answer(1) > 0);
}

/// So many peers that the system has no descriptor left must not keep operators from being answered.
#[test]
fn few_descriptors_make_connections_wait() {
    let server = Server::start_with_descriptors(60, &["--threads", "1", "--admin-listen", "127.0.0.1:0"]);
    assert_eq!(server.said("descriptors for 30 connections only").len(), 1);
    let _wires = (0..60).map(|_| Wire::silent(&server.address)).collect::<Vec<_>>();
    let said = server.said("operators are answered on ");
    let mut admin = Wire::open(said[0].rsplit_once(' ').expect("an address").1);
    admin.begin_call_with(1, "/grpc.health.v1.Health/Check", &[]);
    admin.end_call(1);
    assert!(admin.answer(1) > 0);
    assert!(server.said("cannot accept").is_empty());
}

#[test]
fn a_server_without_descriptors_pauses_and_recovers() {
    let server = Server::start(&["--threads", "1"]);
    server.take_descriptors(40);
    let begin = Instant::now();
    let wires = (0..60).map(|_| Wire::silent(&server.address)).collect::<Vec<_>>();
    while server.said("cannot accept").is_empty() {
        assert!(begin.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(20));
    }
    let (said, begin) = (server.said("cannot accept").len(), Instant::now());
    std::thread::sleep(Duration::from_millis(1_000));
    let tries = begin.elapsed().as_millis() / 100 + 1;
    let said = server.said("cannot accept").len() - said;
    assert!(said as u128 <= tries, "{said} refusals where {tries} tries fit");
    drop(wires);
    let mut wire = Wire::open(&server.address);
    wire.begin_call(1);
    wire.end_call(1);
    assert!(wire.answer(1) > 0);
}

#[test]
fn the_streams_of_a_connection_are_limited_and_the_limit_is_told() {
    const MAX_CONCURRENT_STREAMS: u16 = 3;
    let server = Server::start(&["--max-streams", "7"]);
    assert_eq!(Wire::open(&server.address).setting(MAX_CONCURRENT_STREAMS), Some(7));
    let server = Server::start(&[]);
    assert_eq!(Wire::open(&server.address).setting(MAX_CONCURRENT_STREAMS), Some(128));
}

#[test]
fn a_flood_of_resets_ends_the_connection() {
    const ENHANCE_YOUR_CALM: [u8; 4] = 11u32.to_be_bytes();
    let server = Server::start(&["--max-pending-resets", "5", "--threads", "1"]);
    let mut wire = Wire::open(&server.address);
    // So that the server reads many before it looks at one.
    wire.at_once(|wire| {
        for stream in (1..801).step_by(2) {
            wire.begin_call(stream);
            wire.reset(stream);
        }
    });
    let goaway = wire.until(|frame| frame.kind == GOAWAY);
    assert_eq!(goaway.payload[4..8], ENHANCE_YOUR_CALM, "{goaway:?}");
}
