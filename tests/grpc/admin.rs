//! What operators see: metrics and health on a listener of its own, and the log.

use crate::server::Server;
use crate::wire::Wire;
use draughts_rules::api::proto as pb;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use tonic::transport::Channel;
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};

fn start(arguments: &[&str]) -> (Server, String) {
    let server = Server::start(&[&["--admin-listen", "127.0.0.1:0"], arguments].concat());
    let said = server.said("operators are answered on ");
    let address = said[0].rsplit_once(' ').expect("an address").1.to_owned();
    (server, address)
}

/// The answer to a GET of HTTP/1.1, head included.
fn get(address: &str, path: &str) -> String {
    ask(address, "GET", path)
}

fn ask(address: &str, method: &str, path: &str) -> String {
    let mut socket = TcpStream::connect(address).expect("the admin listener listens");
    let request = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).expect("it is open");
    let mut answer = String::new();
    socket.read_to_string(&mut answer).expect("text");
    answer
}

/// The value of a line of the metrics.
fn value(metrics: &str, line: &str) -> u64 {
    let found = metrics.lines().find_map(|found| found.strip_prefix(line)?.strip_prefix(' '));
    found.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no {line} in {metrics}"))
}

/// The metrics as soon as a line of them has this value.
fn when_it_is(admin: &str, line: &str, wanted: u64) -> String {
    let mut ten_seconds = (0..500).map(|_| {
        std::thread::sleep(Duration::from_millis(20));
        get(admin, "/metrics")
    });
    let found = ten_seconds.find(|metrics| value(metrics, line) == wanted);
    found.unwrap_or_else(|| panic!("{line} did not become {wanted}"))
}

fn of_call(name: &str, kind: &str, method: &str, code: &str) -> String {
    let service = if method == "other" { "other" } else { "draughts.v1.RulesService" };
    let code = if code.is_empty() { String::new() } else { format!(",grpc_code=\"{code}\"") };
    format!("{name}{{grpc_type=\"{kind}\",grpc_service=\"{service}\",grpc_method=\"{method}\"{code}}}")
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_messages_and_moves_are_counted() {
    let (server, admin) = start(&[]);
    let mut client = server.client().await;
    let start = pb::Game { rules: Some(pb::game::Rules::Variant(11)), ..Default::default() };
    let request = pb::GenerateLegalMovesRequest { game: Some(start), ..Default::default() };
    for _ in 0..3 {
        assert!(client.generate_legal_moves(request.clone()).await.is_ok());
    }
    // Two positions with nine moves each, and an error.
    let requests = vec![request.clone(), pb::GenerateLegalMovesRequest::default(), request];
    let request = pb::BatchGenerateLegalMovesRequest { requests };
    assert!(client.batch_generate_legal_moves(request).await.is_ok());
    assert!(client.get_variant(pb::GetVariantRequest { variant: 99, rule_set: None }).await.is_err());
    let mut wire = Wire::open(&server.address);
    wire.begin_call_with(1, "/a/stranger", &[]);
    wire.end_call(1);
    wire.answer(1);
    wire.begin_call(3);
    when_it_is(&admin, &of_call("grpc_server_started_total", "unary", "GetServerInfo", ""), 1);
    wire.reset(3);
    let metrics =
        when_it_is(&admin, &of_call("grpc_server_handled_total", "unary", "GetServerInfo", "Canceled"), 1);
    assert!(
        metrics.starts_with("HTTP/1.1 200") && metrics.contains("content-type: text/plain; version=0.0.4")
    );
    let counted = |name, method, code| value(&metrics, &of_call(name, "unary", method, code));
    assert_eq!(counted("grpc_server_started_total", "GenerateLegalMoves", ""), 3);
    assert_eq!(counted("grpc_server_handled_total", "GenerateLegalMoves", "OK"), 3);
    assert_eq!(counted("grpc_server_msg_received_total", "GenerateLegalMoves", ""), 3);
    assert_eq!(counted("grpc_server_msg_sent_total", "GenerateLegalMoves", ""), 3);
    assert_eq!(counted("grpc_server_handling_seconds_count", "GenerateLegalMoves", ""), 3);
    assert_eq!(counted("grpc_server_handled_total", "GetVariant", "InvalidArgument"), 1);
    assert_eq!(counted("grpc_server_handled_total", "other", "Unimplemented"), 1);
    assert!(!metrics.contains("stranger"), "paths of strangers fill no tables");
    assert_eq!(
        (value(&metrics, "draughts_positions_total"), value(&metrics, "draughts_moves_total")),
        (5, 45)
    );
    assert_eq!(value(&metrics, "draughts_connections_accepted_total"), 2);
    assert_eq!((value(&metrics, "draughts_connections"), value(&metrics, "draughts_draining")), (2, 0));
    assert_eq!(
        (value(&metrics, "draughts_calls_in_flight"), value(&metrics, "draughts_heavy_calls")),
        (0, 0)
    );
    assert!(metrics.contains(&format!("draughts_build_info{{version=\"{}\"", env!("CARGO_PKG_VERSION"))));
}

#[tokio::test(flavor = "multi_thread")]
async fn operators_are_answered_during_the_drain_and_by_whatever_they_speak() {
    let (server, admin) = start(&["--drain-wait-seconds", "2"]);
    assert!(get(&admin, "/").starts_with("HTTP/1.1 404"));
    assert!(get(&admin, "/health").starts_with("HTTP/1.1 200"));
    let refused = ask(&admin, "POST", "/health");
    assert!(refused.starts_with("HTTP/1.1 405") && refused.contains("allow: GET, HEAD"), "{refused}");
    let head = ask(&admin, "HEAD", "/health");
    assert!(head.starts_with("HTTP/1.1 200") && head.ends_with("\r\n\r\n"), "{head}");
    server.signal("TERM");
    let endpoint = Channel::from_shared(format!("http://{admin}")).expect("an address");
    let mut health = HealthClient::new(endpoint.connect().await.expect("HTTP/2 is spoken too"));
    let mut status = async || {
        let request = HealthCheckRequest { service: String::new() };
        health.check(request).await.expect("an answer").into_inner().status().as_str_name()
    };
    when_it_is(&admin, "draughts_draining", 1); // which is said after health
    assert_eq!(status().await, "NOT_SERVING");
    let health = get(&admin, "/health");
    assert!(health.starts_with("HTTP/1.1 503") && health.ends_with("NOT_SERVING\n"), "{health}");
    assert_eq!(tokio::task::spawn_blocking(|| server.wait()).await.expect("no panic"), Some(0));
}

#[test]
fn slow_calls_are_told_to_the_log_but_not_all_of_many() {
    let mut server = Server::start(&["--max-deadline-seconds", "0.05", "--slow-seconds", "0.01"]);
    let mut wire = Wire::open(&server.address);
    for stream in (1..=199).step_by(2) {
        wire.begin_call_with(
            stream,
            "/draughts.v1.RulesService/GetServerInfo",
            &[
                ("x-request-id", "slow-1"),
                ("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
            ],
        );
    }
    wire.answer(199);
    drop(wire);
    server.end();
    let said = server.said("a call was slow");
    assert!((1..=30).contains(&said.len()), "{} lines", said.len());
    for part in ["DeadlineExceeded", "slow-1", "0af7651916cd43dd8448eb211c80319c", "GetServerInfo"] {
        assert!(said[0].contains(part), "{}", said[0]);
    }
}
