//! Every RPC, every limit below, at and above it, and the life of the process.

use crate::invalid::illegal_move_of;
use crate::server::Server;
use draughts_rules::api::limits;
use draughts_rules::api::proto as pb;
use draughts_rules::rules::Variant;
use pb::rules_service_client::RulesServiceClient;
use std::process::Command;
use tonic::transport::Channel;
use tonic::{Code, Status};
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};
use tonic_reflection::pb::{v1, v1alpha};
use tonic_types::StatusExt;

pub(crate) type Client = RulesServiceClient<Channel>;

/// Found by climbing: 450,000 steps, more than a request may use.
pub(crate) const HOSTILE: &str = "W:WK1,K2,K5,K6,K7,K66,K67,K72:BK11,K12,K13,K14,K15,K16,K25,K27,K28,K29,K37,K38,K39,K40,K41,K49,\
                       K50,K51,K52,K53,K61,K62,K63,K64,K65";

pub(crate) fn game(variant: i32, fen: Option<&str>) -> Option<pb::Game> {
    let position = fen.map(|fen| pb::Position { form: Some(pb::position::Form::Fen(fen.to_owned())) });
    Some(pb::Game { rules: Some(pb::game::Rules::Variant(variant)), position, ..Default::default() })
}

pub(crate) fn text(text: &str) -> Option<pb::MoveInput> {
    Some(pb::MoveInput { form: Some(pb::move_input::Form::Text(text.to_owned())) })
}

async fn moves(
    client: &mut Client,
    request: pb::GenerateLegalMovesRequest,
) -> pb::GenerateLegalMovesResponse {
    client.generate_legal_moves(request).await.expect("legal moves").into_inner()
}

/// The reason and metadata of an error.
pub(crate) fn reason_of(status: &Status) -> (Code, String, Vec<(String, String)>) {
    let details = status.get_error_details();
    let info = details.error_info().unwrap_or_else(|| panic!("no ErrorInfo in {status:?}"));
    let mut metadata = info.metadata.clone().into_iter().collect::<Vec<_>>();
    metadata.sort();
    (status.code(), info.reason.clone(), metadata)
}

pub(crate) fn exceeds(status: &Status, limit: &str, maximum: usize) {
    let (code, reason, metadata) = reason_of(status);
    assert_eq!((code, reason.as_str()), (Code::ResourceExhausted, "LIMIT_EXCEEDED"), "{status:?}");
    assert!(metadata.contains(&("limit".to_owned(), limit.to_owned())), "{metadata:?}");
    assert!(metadata.contains(&("maximum".to_owned(), maximum.to_string())), "{metadata:?}");
}

#[tokio::test]
async fn the_limits_in_force_are_told() {
    let arguments = "--max-calls 7 --heavy-calls 6 --imports 5 --perft true --perft-calls 2 --max-connections 4 --max-streams 3 --max-deadline-seconds 2.5 \
         --max-idle-seconds 0 --max-age-seconds 60 --grace-seconds 0.25";
    let server = Server::start(&arguments.split_whitespace().collect::<Vec<_>>());
    let told = server.client().await.get_server_info(pb::GetServerInfoRequest {}).await.expect("an answer");
    let time = |seconds, nanos| Some(prost_types::Duration { seconds, nanos });
    let expected = pb::ServingLimits {
        max_calls: 7,
        max_heavy_calls: 6,
        max_imports: 5,
        max_connections: 4,
        max_concurrent_streams: 3,
        max_header_bytes: 16_384,
        max_deadline: time(2, 500_000_000),
        max_connection_idle: None,
        max_connection_age: time(60, 0),
        connection_grace: time(0, 250_000_000),
        max_perft_calls: 2,
    };
    assert_eq!(told.into_inner().serving_limits, Some(expected));
}

#[tokio::test]
async fn variants_are_listed_and_described_alike() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let listed =
        client.list_variants(pb::ListVariantsRequest {}).await.expect("a list").into_inner().variants;
    let info = client.get_server_info(pb::GetServerInfoRequest {}).await.expect("an answer").into_inner();
    assert_eq!(listed.iter().map(|variant| variant.variant).collect::<Vec<_>>(), info.variants);
    assert!(info.variants.is_sorted() && info.variants.len() == Variant::ALL.len());
    for variant in listed {
        let request = pb::GetVariantRequest { variant: variant.variant, rule_set: None };
        let described = client.get_variant(request).await.expect("a description").into_inner();
        let board = described.board.expect("a board");
        assert!((1u32..).zip(&board.squares).all(|(number, square)| number == square.number));
        let starting = described.start.expect("a start");
        let request = pb::GenerateLegalMovesRequest {
            game: game(variant.variant, Some(&starting.fen)),
            ..Default::default()
        };
        let from_fen = moves(&mut client, request).await;
        let request =
            pb::GenerateLegalMovesRequest { game: game(variant.variant, None), ..Default::default() };
        assert_eq!(from_fen, moves(&mut client, request).await);
        assert_eq!(described.info, Some(variant));
    }
    let request = pb::GetVariantRequest { variant: 0, rule_set: None };
    assert_eq!(reason_of(&client.get_variant(request).await.expect_err("none")).1, "INVALID_FIELD");
}

#[tokio::test]
async fn listed_moves_have_the_parts_that_are_asked_for_in_the_promised_order() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let mut request = pb::GenerateLegalMovesRequest { game: game(11, None), ..Default::default() };
    let plain = moves(&mut client, request.clone()).await;
    let ends = plain
        .moves
        .iter()
        .map(|listed| (listed.from_square, listed.to_square.unwrap_or(0)))
        .collect::<Vec<_>>();
    let promised = [(31, 26), (31, 27), (32, 27), (32, 28), (33, 28), (33, 29), (34, 29), (34, 30), (35, 30)];
    assert_eq!(ends, promised);
    assert_eq!(plain.next_squares, [31, 32, 33, 34, 35]);
    assert!(plain.moves.iter().all(|m| m.notation.is_empty() && m.landings.is_empty() && m.paths.is_empty()));
    assert!(plain.moves.iter().all(|m| m.position_after.is_none() && m.role_after() == pb::Role::Man));

    use pb::MovePart::{Landings, Notation, Paths, PositionAfter};
    request.parts = [Notation, Landings, Paths, PositionAfter].map(|part| part as i32).to_vec();
    let full = moves(&mut client, request).await.moves;
    assert_eq!((full[0].notation.as_str(), full[0].landings.as_slice()), ("31-26", &[26][..]));
    assert_eq!(full[0].paths, [pb::SquarePath { squares: vec![31, 26] }]);
    let after = full[0].position_after.as_ref().expect("asked for");
    assert!(after.fen.starts_with("B:W26,32,33"), "{}", after.fen);
}

/// Russian `W: Kg1 | B: e3 e5`: rules.md 2.2, the landing duty.
#[tokio::test]
async fn a_path_is_clicked_square_by_square() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let mut clicked = async |path_prefix: &[u32]| {
        let game = game(12, Some("W:WKg1:Be3,e5"));
        let request =
            pb::GenerateLegalMovesRequest { game, path_prefix: path_prefix.to_vec(), parts: Vec::new() };
        let answer = moves(&mut client, request).await;
        (answer.moves.len(), answer.next_squares, answer.prefix_completes)
    };
    let (g1, d4, f6, g7, h8) = (32, 18, 11, 8, 4);
    assert_eq!(clicked(&[]).await, (3, vec![g1], false));
    assert_eq!(clicked(&[g1]).await, (3, vec![d4], false));
    assert_eq!(clicked(&[g1, d4]).await, (3, vec![h8, g7, f6], false));
    assert_eq!(clicked(&[g1, d4, f6]).await, (1, vec![], true));
    assert_eq!(clicked(&[d4]).await, (0, vec![], false));
}

#[tokio::test]
async fn a_move_is_played_in_every_form_and_answered_in_full() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let position = Some("W:Wf6:Bb6,e7,h8"); // Russian, rules.md 3.12: f6xd8xa5, a king on the way
    let listed = pb::Move { from_square: 11, to_square: Some(13), ..Default::default() };
    let exact = pb::Move { captured: vec![9, 7], landings: vec![2, 13], ..listed.clone() };
    let path = pb::SquarePath { squares: vec![11, 2, 13] };
    use pb::move_input::Form;
    let forms = [Form::Move(listed), Form::Move(exact), Form::Path(path), Form::Text("f6:a5".to_owned())]
        .into_iter()
        .chain(["f6:d8:a5", "f6xd8xa5", "f6-a5", "11x13", "11-2-13"].map(|text| Form::Text(text.to_owned())));
    for form in forms {
        let request = pb::ApplyMoveRequest {
            game: game(12, position),
            r#move: Some(pb::MoveInput { form: Some(form.clone()) }),
            with_next_moves: true,
            next_move_parts: vec![pb::MovePart::Notation as i32],
        };
        let answer =
            client.apply_move(request).await.unwrap_or_else(|e| panic!("{form:?}: {e:?}")).into_inner();
        let played = answer.r#move.expect("the move");
        assert_eq!((played.landings, played.captured), (vec![2, 13], vec![7, 9]));
        assert_eq!((played.notation.as_str(), played.role_after), ("f6:a5", pb::Role::King as i32));
        assert_eq!(answer.position.expect("the position").fen, "B:WKa5:Bh8");
        assert_eq!(answer.result.expect("the result").status(), pb::ResultStatus::Ongoing);
        assert_eq!(answer.next_moves[0].notation, "h8-g7");
    }
}

#[tokio::test]
async fn results_say_who_won_and_why() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    for (variant, fen, status, winner, reason) in [
        (1, "W:Wh2:Bg3,f4", pb::ResultStatus::Won, pb::Color::Black, pb::ResultReason::NoLegalMove), // rules.md 3.1
        (11, "W:W:B31", pb::ResultStatus::Won, pb::Color::Black, pb::ResultReason::NoPieces),
        (11, "W:W8:B", pb::ResultStatus::Ongoing, pb::Color::Unspecified, pb::ResultReason::Unspecified), // 4.1, 3.5
    ] {
        let request = pb::DetermineResultRequest { game: game(variant, Some(fen)) };
        let result =
            client.determine_result(request).await.expect("a result").into_inner().result.expect("set");
        assert_eq!((result.status(), result.winner(), result.reason()), (status, winner, reason), "{fen}");
        assert_eq!(result.history_coverage(), pb::HistoryCoverage::None);
        assert!(result.explanation.ends_with('.'));
    }
}

#[tokio::test]
async fn positions_are_validated_with_all_violations_at_once() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let mut validate = async |fen: &str| {
        let request = pb::ValidatePositionRequest { game: game(12, Some(fen)) };
        client.validate_position(request).await.expect("an answer").into_inner()
    };
    let good = validate("W:BKb8,a7.:Wg1".trim_end_matches(":Wg1")).await;
    assert!(good.valid && good.violations.is_empty());
    let position = good.position.expect("valid");
    assert_eq!(position.fen, "W:W:BKb8,a7");
    assert!(good.picture.starts_with(" B . . .\nb . . .\n"), "{}", good.picture);
    let bad = validate("W:Wb8,z9:Bc3,c3").await;
    let kinds = bad.violations.iter().map(pb::PositionViolation::kind).collect::<Vec<_>>();
    use pb::PositionViolationKind::{NoSuchSquare, SquareTaken, UnpromotedMan};
    assert_eq!(kinds, [UnpromotedMan, NoSuchSquare, SquareTaken]);
    assert_eq!((good.violation_count, bad.violation_count), (0, 3));
    assert!(!bad.valid && bad.position.is_none() && bad.picture.is_empty());
}

#[tokio::test]
async fn history_is_replayed_and_its_limit_is_named() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    // Two kings that walk to and fro: as many plies as one likes.
    let cycle = ["46-41", "45-50", "41-46", "50-45"];
    let mut replay = async |plies: usize| {
        let mut game = game(11, Some("W:WK46:BK45")).expect("a game");
        game.moves = cycle.into_iter().cycle().take(plies).filter_map(text).collect();
        client.determine_result(pb::DetermineResultRequest { game: Some(game) }).await
    };
    for plies in [0, limits::INLINE_PLIES, limits::INLINE_PLIES + 1, limits::MAX_PLIES] {
        let answer = replay(plies).await;
        assert!(answer.is_ok(), "{plies}: {answer:?}");
    }
    let refused = replay(limits::MAX_PLIES + 1).await.expect_err("too long");
    exceeds(&refused, "max_plies", limits::MAX_PLIES);
}

#[tokio::test]
async fn every_limit_of_a_request_is_named_when_it_is_exceeded() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let mut apply = async |fen: Option<&str>, form: Option<pb::MoveInput>| {
        let request = pb::ApplyMoveRequest { game: game(11, fen), r#move: form, ..Default::default() };
        client.apply_move(request).await.expect_err("refused")
    };
    let long = |bytes: usize| format!("W:W{}", "1".repeat(bytes - 3));
    assert_eq!(reason_of(&apply(Some(&long(limits::MAX_TEXT_BYTES)), None).await).1, "MALFORMED_FEN");
    exceeds(
        &apply(Some(&long(limits::MAX_TEXT_BYTES + 1)), None).await,
        "max_text_bytes",
        limits::MAX_TEXT_BYTES,
    );
    exceeds(
        &apply(None, text(&long(limits::MAX_TEXT_BYTES + 1))).await,
        "max_text_bytes",
        limits::MAX_TEXT_BYTES,
    );
    let path = |squares: usize| {
        let squares = [32].repeat(squares);
        Some(pb::MoveInput { form: Some(pb::move_input::Form::Path(pb::SquarePath { squares })) })
    };
    assert_eq!(reason_of(&apply(None, path(limits::MAX_PATH_SQUARES)).await).1, "ILLEGAL_MOVE");
    let refused = apply(None, path(limits::MAX_PATH_SQUARES + 1)).await;
    exceeds(&refused, "max_path_squares", limits::MAX_PATH_SQUARES);
    let request = |parts: usize| pb::GenerateLegalMovesRequest {
        game: game(11, None),
        path_prefix: Vec::new(),
        parts: [pb::MovePart::Notation as i32].repeat(parts),
    };
    let refused = apply(None, text(&["32"; limits::MAX_PATH_SQUARES + 1].join("-"))).await;
    exceeds(&refused, "max_path_squares", limits::MAX_PATH_SQUARES);
    assert!(client.generate_legal_moves(request(limits::MAX_PARTS)).await.is_ok());
    let refused = client.generate_legal_moves(request(limits::MAX_PARTS + 1)).await.expect_err("refused");
    exceeds(&refused, "max_parts", limits::MAX_PARTS);
}

#[tokio::test]
async fn a_placement_and_a_message_have_their_limits() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let mut with_squares = async |count: usize| {
        let pieces = vec![pb::Pieces { color: 1, role: 1, squares: [31].repeat(count) }];
        let form = Some(pb::position::Form::Placement(pb::Placement { turn: 1, pieces }));
        let mut game = game(11, None).expect("a game");
        game.position = Some(pb::Position { form });
        client.determine_result(pb::DetermineResultRequest { game: Some(game) }).await.expect_err("refused")
    };
    let status = with_squares(limits::MAX_PIECES).await;
    assert_eq!(reason_of(&status).1, "INVALID_POSITION");
    assert!(status.details().len() < 4096, "details break clients above that");
    exceeds(&with_squares(limits::MAX_PIECES + 1).await, "max_pieces", limits::MAX_PIECES);
    exceeds(&with_squares(limits::MAX_REQUEST_BYTES).await, "max_request_bytes", limits::MAX_REQUEST_BYTES);
}

#[tokio::test]
async fn too_many_ways_to_capture_are_refused_in_bounded_time() {
    let server = Server::start(&["--heavy-calls", "1"]);
    let mut client = server.client().await;
    let request = pb::GenerateLegalMovesRequest { game: game(13, Some(HOSTILE)), ..Default::default() };
    let status = client.generate_legal_moves(request.clone()).await.expect_err("too complex");
    let wanted = vec![
        ("limit".to_owned(), "max_engine_steps".to_owned()),
        ("maximum".to_owned(), limits::MAX_STEPS.to_string()),
    ];
    assert_eq!(reason_of(&status), (Code::ResourceExhausted, "TOO_COMPLEX".to_owned(), wanted));

    // One such call at a time: of many at once, some are told to come back, and light calls are answered.
    let calls = (0..16).map(|_| {
        let (mut client, request) = (client.clone(), request.clone());
        tokio::spawn(async move { client.generate_legal_moves(request).await.expect_err("never answered") })
    });
    let mut overloaded = 0;
    for call in calls.collect::<Vec<_>>() {
        let status = call.await.expect("no panic");
        if status.code() == Code::Unavailable {
            overloaded += 1;
            assert_eq!(reason_of(&status).1, "OVERLOADED");
            assert!(status.get_error_details().retry_info().is_some());
            assert!(status.metadata().contains_key("grpc-retry-pushback-ms"));
        }
    }
    assert!(overloaded > 0);
    let light = pb::GenerateLegalMovesRequest { game: game(13, None), ..Default::default() };
    assert_eq!(moves(&mut client, light).await.moves.len(), 11);
}

#[tokio::test]
async fn refused_moves_come_with_legal_ones() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let request = pb::ApplyMoveRequest { game: game(11, None), r#move: text("32-27x"), ..Default::default() };
    assert_eq!(reason_of(&client.apply_move(request).await.expect_err("no move")).1, "MALFORMED_MOVE");
    let request = pb::ApplyMoveRequest { game: game(11, None), r#move: text("34-25"), ..Default::default() };
    let illegal = illegal_move_of(&client.apply_move(request).await.expect_err("illegal")).expect("why");
    assert_eq!((illegal.legal_move_count, illegal.candidates.len()), (9, 9));
    assert_eq!(illegal.candidates[0].notation, "34-29", "those of the same piece come first");
    for candidate in illegal.candidates {
        let form = Some(pb::move_input::Form::Move(candidate));
        let request = pb::ApplyMoveRequest {
            game: game(11, None),
            r#move: Some(pb::MoveInput { form }),
            ..Default::default()
        };
        assert!(client.apply_move(request).await.is_ok());
    }
}

#[tokio::test]
async fn an_unknown_method_is_named() {
    let server = Server::start(&[]);
    let mut grpc = tonic::client::Grpc::new(server.channel().await);
    grpc.ready().await.expect("ready");
    let codec = tonic_prost::ProstCodec::<pb::GetServerInfoRequest, pb::GetServerInfoResponse>::default();
    let path = http::uri::PathAndQuery::from_static("/draughts.v1.RulesService/Castle");
    let request = tonic::Request::new(pb::GetServerInfoRequest {});
    let status = grpc.unary(request, path, codec).await.expect_err("unknown");
    let metadata = vec![("method".to_owned(), "/draughts.v1.RulesService/Castle".to_owned())];
    assert_eq!(reason_of(&status), (Code::Unimplemented, "UNKNOWN_METHOD".to_owned(), metadata));
}

/// A codec that sends any bytes as a message.
#[derive(Clone, Copy, Default)]
struct Raw;

impl tonic::codec::Codec for Raw {
    type Encode = &'static [u8];
    type Decode = Vec<u8>;
    type Encoder = Raw;
    type Decoder = Raw;
    fn encoder(&mut self) -> Raw {
        Raw
    }
    fn decoder(&mut self) -> Raw {
        Raw
    }
}

impl tonic::codec::Encoder for Raw {
    type Item = &'static [u8];
    type Error = Status;
    fn encode(
        &mut self,
        item: &'static [u8],
        buffer: &mut tonic::codec::EncodeBuf<'_>,
    ) -> Result<(), Status> {
        bytes::BufMut::put_slice(buffer, item);
        Ok(())
    }
}

impl tonic::codec::Decoder for Raw {
    type Item = Vec<u8>;
    type Error = Status;
    fn decode(&mut self, _: &mut tonic::codec::DecodeBuf<'_>) -> Result<Option<Vec<u8>>, Status> {
        Ok(None)
    }
}

#[tokio::test]
async fn bytes_that_are_no_message_are_the_callers_fault() {
    let server = Server::start(&[]);
    let mut grpc = tonic::client::Grpc::new(server.channel().await);
    // No tag, a string that is not UTF-8, a wrong wire type.
    for bytes in [&[0xff, 0xff, 0xff, 0xff][..], b"\x0a\x06\x1a\x04\x12\x02\xff\xff", b"\x0d\x00\x00\x00\x00"]
    {
        grpc.ready().await.expect("ready");
        let path = http::uri::PathAndQuery::from_static("/draughts.v1.RulesService/GenerateLegalMoves");
        let status = grpc.unary(tonic::Request::new(bytes), path, Raw).await.expect_err("no message");
        let (code, reason, _) = reason_of(&status);
        assert_eq!((code, reason.as_str()), (Code::InvalidArgument, "MALFORMED_MESSAGE"), "{status:?}");
    }
}

#[tokio::test]
async fn health_and_both_reflections_answer() {
    let server = Server::start(&[]);
    let mut health = HealthClient::new(server.channel().await);
    for service in ["", "draughts.v1.RulesService"] {
        let request = HealthCheckRequest { service: service.to_owned() };
        let status = health.check(request).await.expect("an answer").into_inner().status();
        assert_eq!(status.as_str_name(), "SERVING");
    }
    let ask = v1::server_reflection_request::MessageRequest::ListServices(String::new());
    let request = v1::ServerReflectionRequest { host: String::new(), message_request: Some(ask) };
    let mut client = v1::server_reflection_client::ServerReflectionClient::new(server.channel().await);
    let mut answers =
        client.server_reflection_info(tokio_stream::once(request)).await.expect("v1").into_inner();
    let text = format!("{:?}", answers.message().await.expect("an answer"));
    assert!(text.contains("draughts.v1.RulesService") && text.contains("grpc.health.v1.Health"), "{text}");

    let ask = v1alpha::server_reflection_request::MessageRequest::FileContainingSymbol(
        "draughts.v1.Game".to_owned(),
    );
    let request = v1alpha::ServerReflectionRequest { host: String::new(), message_request: Some(ask) };
    let mut client = v1alpha::server_reflection_client::ServerReflectionClient::new(server.channel().await);
    let mut answers =
        client.server_reflection_info(tokio_stream::once(request)).await.expect("v1alpha").into_inner();
    assert!(answers.message().await.expect("an answer").is_some());
}

#[tokio::test(flavor = "multi_thread")] // the client must go on to read what a draining server says
async fn signals_end_the_server_with_success() {
    for signal in ["TERM", "INT"] {
        let server = Server::start(&[]);
        let mut client = server.client().await;
        assert!(client.get_server_info(pb::GetServerInfoRequest {}).await.is_ok());
        server.signal(signal);
        assert_eq!(server.wait(), Some(0), "{signal}");
    }
}

#[tokio::test]
async fn healthcheck_exits_with_what_it_finds() {
    let server = Server::start(&[]);
    let check = |address: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_draughts-rules"));
        command.args(["healthcheck", "--listen", address]).output().expect("it runs").status.code()
    };
    assert_eq!(check(&server.address), Some(0));
    let address = server.address.clone();
    server.signal("TERM");
    server.wait();
    assert_eq!(check(&address), Some(1));
}
