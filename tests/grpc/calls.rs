//! What happens to every call whatever its RPC: deadlines, identities, places, and requests that are no calls.

use crate::server::Server;
use crate::service::reason_of;
use crate::wire::Wire;
use draughts_rules::api::proto as pb;
use draughts_rules::rules::RULES_VERSION;
use std::time::Duration;
use tonic::{Code, Request};
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};

/// Ten thousand games, each of which takes a millisecond or more.
fn long_import() -> pb::ImportGamesRequest {
    let text = "[GameType \"20\"]\n\n1. 32-28 19-23 2. 28x19 14x23 *\n\n".repeat(5_000);
    pb::ImportGamesRequest {
        pdn: Some(pb::PdnText { form: Some(pb::pdn_text::Form::Text(text)) }),
        options: Some(pb::ReplayOptions { with_positions: true, with_pdn: true, ..Default::default() }),
    }
}

#[tokio::test]
async fn a_stream_ends_when_its_time_is_up() {
    for (arguments, timeout) in [(&["--max-deadline-seconds", "0.2"][..], None), (&[], Some(200))] {
        let server = Server::start(arguments);
        let mut request = Request::new(long_import());
        if let Some(timeout) = timeout {
            // The header alone: a client that also keeps the time would be the first to give up.
            request.metadata_mut().insert("grpc-timeout", format!("{timeout}m").parse().expect("a header"));
        }
        let mut stream = server.client().await.import_games(request).await.expect("a stream").into_inner();
        let mut games = 0;
        let status = loop {
            match stream.message().await {
                Ok(Some(_)) => games += 1,
                Ok(None) => panic!("all {games} games in 200 ms"),
                Err(status) => break status,
            }
        };
        let metadata = vec![("deadline_ms".to_owned(), "200".to_owned())];
        assert_eq!(reason_of(&status), (Code::DeadlineExceeded, "DEADLINE_EXCEEDED".to_owned(), metadata));
        assert!(status.metadata().contains_key("x-request-id"));
    }
}

#[test]
fn a_call_without_its_message_ends_when_its_time_is_up() {
    let server = Server::start(&["--max-deadline-seconds", "0.2"]);
    let mut wire = Wire::open(&server.address);
    wire.begin_call(1);
    wire.answer(1); // the error: no data, and the end
}

#[tokio::test]
async fn a_deadline_that_is_none_is_refused() {
    let server = Server::start(&[]);
    let mut request = Request::new(pb::GetServerInfoRequest {});
    request.metadata_mut().insert("grpc-timeout", "soon".parse().expect("a header"));
    let status = server.client().await.get_server_info(request).await.expect_err("refused");
    assert_eq!(reason_of(&status).1, "INVALID_FIELD");
    assert!(status.message().contains("grpc-timeout"), "{}", status.message());
}

#[tokio::test]
async fn answers_and_errors_say_who_asked_and_by_which_rules() {
    const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let named = |number: i32| {
        let mut request = Request::new(pb::GetVariantRequest { variant: number, rule_set: None });
        request.metadata_mut().insert("x-request-id", "a-7".parse().expect("a header"));
        request.metadata_mut().insert("traceparent", PARENT.parse().expect("a header"));
        request
    };
    let check = |metadata: &tonic::metadata::MetadataMap| {
        let text =
            |name| metadata.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
        assert_eq!(
            (text("x-request-id"), text("rules-version")),
            ("a-7".to_owned(), RULES_VERSION.to_string())
        );
        assert_eq!((&text("traceparent")[..36], text("traceparent") == PARENT), (&PARENT[..36], false));
    };
    check(client.get_variant(named(99)).await.expect_err("no variant").metadata());
    // Trailers of an answer are merged into its metadata.
    check(client.get_variant(named(11)).await.expect("a variant").metadata());
    let request = pb::GetVariantRequest { variant: 11, rule_set: None };
    let unnamed = client.get_variant(request).await.expect("a variant");
    assert!(
        unnamed.metadata().contains_key("x-request-id") && !unnamed.metadata().contains_key("traceparent")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_above_the_limit_are_refused_before_their_messages_are_read() {
    let server = Server::start(&["--max-calls", "2"]);
    let mut wire = Wire::open(&server.address);
    wire.begin_call(1);
    wire.begin_call(3);
    wire.begin_call(5);
    wire.answer(5); // without a message, and while the others wait for theirs
    let mut client = server.client().await;
    let status = client.get_server_info(pb::GetServerInfoRequest {}).await.expect_err("full");
    let metadata = vec![("resource".to_owned(), "calls".to_owned())];
    assert_eq!(reason_of(&status), (Code::Unavailable, "OVERLOADED".to_owned(), metadata));
    assert!(status.metadata().contains_key("grpc-retry-pushback-ms"));
    let mut health = tonic_health::pb::health_client::HealthClient::new(server.channel().await);
    assert!(
        health.check(tonic_health::pb::HealthCheckRequest::default()).await.is_ok(),
        "health has room at any load"
    );
    wire.end_call(1);
    assert!(wire.answer(1) > 0);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(client.get_server_info(pb::GetServerInfoRequest {}).await.is_ok());
}

#[tokio::test]
async fn who_does_not_speak_grpc_is_told_so() {
    use hyper_util::rt::{TokioExecutor, TokioIo};
    let server = Server::start(&[]);
    let socket = tokio::net::TcpStream::connect(&server.address).await.expect("the server listens");
    let http2 = hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(socket));
    let (mut client, connection) = http2.await.expect("HTTP/2");
    tokio::spawn(connection);
    for (method, kind, status) in [
        ("GET", "", 405),
        ("POST", "", 415),
        ("POST", "application/json", 415),
        ("POST", "application/grpcx", 415),
        ("POST", "application/grpc+proto", 200),
        ("POST", "application/grpc;charset=utf-8", 200),
    ] {
        let request = http::Request::builder().method(method).uri(format!("http://{}/", server.address));
        let request = if kind.is_empty() { request } else { request.header("content-type", kind) };
        let request = request.body(tonic::body::Body::empty()).expect("a request");
        let response = client.send_request(request).await.expect("an answer");
        assert_eq!(response.status().as_u16(), status, "{method} {kind}");
        assert!(response.headers().contains_key("x-request-id") || status == 200, "{method} {kind}");
    }
}

/// Health is told at any load, so that it must not cost memory.
#[tokio::test]
async fn health_takes_short_names_only_and_keeps_its_time() {
    let server = Server::start(&["--max-deadline-seconds", "0.2"]);
    let mut health = HealthClient::new(server.channel().await);
    let mut check = async |length| {
        let request = HealthCheckRequest { service: "x".repeat(length) };
        health.check(request).await.expect_err("no such service")
    };
    assert_eq!(check(1_000).await.code(), Code::NotFound);
    let status = check(1_100).await;
    assert_eq!(status.code(), Code::ResourceExhausted, "{status}");
    assert!(status.message().contains("1024"), "{status}");
    for method in ["Check", "Watch"] {
        let mut wire = Wire::open(&server.address);
        wire.begin_call_with(1, &format!("/grpc.health.v1.Health/{method}"), &[]);
        assert_eq!(wire.answer(1), 0, "{method} whose message never comes is over at the deadline");
    }
}
