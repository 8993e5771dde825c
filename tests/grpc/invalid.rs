//! Bad input: each line of tests/data/invalid.jsonl is refused by a real server with its code, reason, metadata, fields
//! and rule.

use crate::server::Server;
use draughts_rules::api::proto as pb;
use prost::Message;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// One line: a request of ApplyMove, or with pdn or tags of ReplayGame, and how it is refused.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
struct Line {
    id: String,
    variant: Option<i32>,
    formless: bool,
    fen: Option<String>,
    placement: Option<Placement>,
    moves: Vec<String>,
    draw_state: Option<DrawState>,
    begins_at_position: bool,
    draw_policy: i32,
    parts: Vec<i32>,
    text: Option<String>,
    path: Option<Vec<u32>>,
    pdn: Option<String>,
    tags: Vec<(String, String)>,
    options: Option<(i32, i32)>,
    listed: Option<Listed>,
    reason: String,
    metadata: BTreeMap<String, String>,
    violations: BTreeMap<String, String>,
    /// How many violations are listed, where they are too many to be stated.
    listed_violations: Option<usize>,
    illegal: Option<String>,
    required: Option<u32>,
    offered: Option<u32>,
    squares: Option<Vec<u32>>,
    ply: Option<u32>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Placement {
    turn: i32,
    /// Color, role, squares.
    pieces: Vec<(i32, i32, Vec<u32>)>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Listed {
    from: u32,
    to: Option<u32>,
    captured: Vec<u32>,
    landings: Vec<u32>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct DrawState {
    key_version: u32,
    /// Key, count.
    positions: Vec<(u64, u32)>,
    /// Id, count.
    counts: Vec<(String, u32)>,
}

impl DrawState {
    fn message(&self) -> pb::DrawState {
        let positions = self.positions.iter().map(|&(key, count)| pb::PositionCount { key, count });
        let counts = self.counts.iter().map(|(id, count)| pb::DrawClauseCount {
            id: id.clone(),
            count: Some(*count),
            is_exact: true,
        });
        pb::DrawState {
            key_version: self.key_version,
            positions: positions.collect(),
            is_partial: false,
            counts: counts.collect(),
        }
    }
}

impl Line {
    fn request(&self) -> pb::ApplyMoveRequest {
        let form = match (&self.fen, &self.placement) {
            (Some(fen), _) => Some(pb::position::Form::Fen(fen.clone())),
            (None, Some(placement)) => {
                let pieces = placement.pieces.iter().cloned();
                let pieces =
                    pieces.map(|(color, role, squares)| pb::Pieces { color, role, squares }).collect();
                Some(pb::position::Form::Placement(pb::Placement { turn: placement.turn, pieces }))
            }
            (None, None) => None,
        };
        let position = (self.formless || form.is_some()).then_some(pb::Position { form });
        let game = pb::Game {
            rules: self.variant.map(pb::game::Rules::Variant),
            position,
            moves: self.moves.iter().map(|text| move_text(text)).collect(),
            draw_state: self.draw_state.as_ref().map(DrawState::message),
            draw_policy: self.draw_policy,
            begins_at_position: self.begins_at_position,
        };
        pb::ApplyMoveRequest {
            game: Some(game),
            r#move: self.chosen(),
            with_next_moves: false,
            next_move_parts: self.parts.clone(),
        }
    }

    /// The request of ReplayGame, if it is one.
    fn replay_request(&self) -> Option<pb::ReplayGameRequest> {
        if self.pdn.is_none() && self.tags.is_empty() && self.options.is_none() {
            return None;
        }
        let text = |text: &String| pb::PdnText { form: Some(pb::pdn_text::Form::Text(text.clone())) };
        let game = self.variant.and_then(|_| self.request().game).map(pb::replay_game_request::Source::Game);
        let tags = self.tags.iter().map(|(name, value)| pb::Tag { name: name.clone(), value: value.clone() });
        let options = self.options.map(|(variant, draw_policy)| pb::ReplayOptions {
            variant,
            draw_policy,
            ..Default::default()
        });
        let source = self.pdn.as_ref().map(|pdn| pb::replay_game_request::Source::Pdn(text(pdn))).or(game);
        Some(pb::ReplayGameRequest { source, options, tags: tags.collect() })
    }

    fn chosen(&self) -> Option<pb::MoveInput> {
        let path = self.path.clone().map(|squares| pb::move_input::Form::Path(pb::SquarePath { squares }));
        let listed = self.listed.as_ref().map(|listed| {
            pb::move_input::Form::Move(pb::Move {
                from_square: listed.from,
                to_square: listed.to,
                captured: listed.captured.clone(),
                landings: listed.landings.clone(),
                ..Default::default()
            })
        });
        let form = path.or(listed).or_else(|| self.text.clone().map(pb::move_input::Form::Text));
        form.map(|form| pb::MoveInput { form: Some(form) })
    }

    fn check(&self, status: &Status) {
        let id = &self.id;
        let details = status.get_error_details();
        let info = details.error_info().unwrap_or_else(|| panic!("{id}: no ErrorInfo in {status:?}"));
        assert_eq!(
            (info.reason.as_str(), info.domain.as_str()),
            (self.reason.as_str(), "draughts-rules"),
            "{id}"
        );
        let code = if self.reason == "NOT_IMPLEMENTED" { Code::Unimplemented } else { Code::InvalidArgument };
        assert_eq!(status.code(), code, "{id}");
        assert!(!status.message().is_empty(), "{id}");
        for (key, value) in &self.metadata {
            assert_eq!(info.metadata.get(key), Some(value), "{id}: {key}");
        }
        let violations = bad_request_of(status);
        match self.listed_violations {
            Some(count) => assert_eq!(violations.len(), count, "{id}"),
            None => assert!(violations.iter().eq(&sorted(&self.violations)), "{id}: {violations:?}"),
        }
        let illegal = illegal_move_of(status);
        assert_eq!(
            illegal.is_some(),
            matches!(self.reason.as_str(), "ILLEGAL_MOVE" | "AMBIGUOUS_MOVE"),
            "{id}"
        );
        if let Some(illegal) = illegal {
            self.check_illegal(&illegal);
        }
    }

    fn check_illegal(&self, illegal: &pb::IllegalMove) {
        let id = &self.id;
        let reason = illegal.reason().as_str_name().trim_start_matches("ILLEGAL_MOVE_REASON_");
        assert_eq!(Some(reason), self.illegal.as_deref(), "{id}: {illegal:?}");
        assert_eq!(
            (illegal.required, illegal.offered, illegal.ply),
            (self.required, self.offered, self.ply),
            "{id}"
        );
        if let Some(squares) = &self.squares {
            assert_eq!(&illegal.squares, squares, "{id}");
        }
        assert!(!illegal.explanation.is_empty(), "{id}");
        assert_eq!(illegal.candidates.is_empty(), illegal.legal_move_count == 0, "{id}");
        assert!(illegal.candidates.iter().all(|candidate| !candidate.notation.is_empty()), "{id}");
    }
}

fn sorted(violations: &BTreeMap<String, String>) -> Vec<(String, String)> {
    violations.clone().into_iter().collect()
}

fn move_text(text: &str) -> pb::MoveInput {
    pb::MoveInput { form: Some(pb::move_input::Form::Text(text.to_owned())) }
}

pub(crate) fn details_of(status: &Status) -> Vec<prost_types::Any> {
    tonic_types::pb::Status::decode(status.details()).expect("google.rpc.Status").details
}

/// Field and reason of each violation, sorted.
fn bad_request_of(status: &Status) -> Vec<(String, String)> {
    let details =
        details_of(status).into_iter().filter(|any| any.type_url.ends_with("google.rpc.BadRequest"));
    let violations = details.flat_map(|any| {
        tonic_types::pb::BadRequest::decode(&*any.value).expect("a BadRequest").field_violations
    });
    let mut violations = violations.map(|violation| (violation.field, violation.reason)).collect::<Vec<_>>();
    violations.sort();
    violations
}

pub(crate) fn illegal_move_of(status: &Status) -> Option<pb::IllegalMove> {
    let details = details_of(status);
    let any = details.iter().find(|any| any.type_url.ends_with("/draughts.v1.IllegalMove"))?;
    Some(pb::IllegalMove::decode(&*any.value).expect("an IllegalMove"))
}

#[tokio::test]
async fn every_line_is_refused_as_it_says() {
    let server = Server::start(&[]);
    let mut client = server.client().await;
    let mut reasons = BTreeSet::new();
    for line in lines() {
        let answered = match line.replay_request() {
            Some(request) => client.replay_game(request).await.map(|_| ()),
            None => client.apply_move(line.request()).await.map(|_| ()),
        };
        line.check(&answered.expect_err(&format!("{} is accepted", line.id)));
        reasons.insert(line.reason);
    }
    // The others need more than one bad request: service.rs provokes them.
    let by_data = [
        "INVALID_FIELD",
        "MALFORMED_FEN",
        "INVALID_POSITION",
        "MALFORMED_MOVE",
        "ILLEGAL_MOVE",
        "AMBIGUOUS_MOVE",
        "NOT_IMPLEMENTED",
        "MALFORMED_PDN",
    ];
    assert_eq!(reasons, by_data.map(str::to_owned).into());
    let elsewhere = [
        "LIMIT_EXCEEDED",
        "TOO_COMPLEX",
        "OVERLOADED",
        "DEADLINE_EXCEEDED",
        "UNKNOWN_METHOD",
        "MALFORMED_MESSAGE",
        "RESPONSE_TOO_LARGE", // a unit test of api::answer
        "INTERNAL",           // a unit test of service::heavy
    ];
    let known = (1..1_000).filter_map(|number| pb::ErrorReason::try_from(number).ok());
    let known =
        known.map(|reason| reason.as_str_name().trim_start_matches("ERROR_REASON_")).collect::<BTreeSet<_>>();
    assert_eq!(known, by_data.into_iter().chain(elsewhere).collect());
}

/// Every rule that a move or a position can break stands in the data at least once.
#[test]
fn every_broken_rule_has_a_line() {
    let lines = lines();
    let illegal = lines.iter().filter_map(|line| line.illegal.clone()).collect::<BTreeSet<_>>();
    let reasons = (1..1_000).filter_map(|number| pb::IllegalMoveReason::try_from(number).ok());
    // What only texts of games can be: tests/grpc/games.rs has it.
    let reasons = reasons.filter(|&reason| reason != pb::IllegalMoveReason::NotAMove);
    for reason in
        reasons.map(|reason| reason.as_str_name().trim_start_matches("ILLEGAL_MOVE_REASON_").to_owned())
    {
        assert!(illegal.contains(&reason), "{reason}");
    }
    let violations = lines.iter().flat_map(|line| line.violations.values().cloned()).collect::<BTreeSet<_>>();
    let kinds = (1..1_000).filter_map(|number| pb::PositionViolationKind::try_from(number).ok());
    for kind in kinds.map(|kind| kind.as_str_name().trim_start_matches("POSITION_VIOLATION_KIND_").to_owned())
    {
        assert!(violations.contains(&kind), "{kind}");
    }
}

fn lines() -> Vec<Line> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/invalid.jsonl");
    let text = std::fs::read_to_string(path).expect("the data file");
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}
