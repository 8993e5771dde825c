//! Everything that can go wrong, and what the wire says then: one total match each for code, reason and metadata.

use super::limits::{MAX_BATCH_STEPS, MAX_DETAIL_BYTES, MAX_DETAILS, MAX_STEPS};
use super::proto as pb;
use crate::pdn::parse::PdnError;
use crate::rules::notation::ParseError;
use prost::Message;
use std::collections::HashMap;
use std::time::Duration;
use tonic::{Code, Status};
use tonic_types::pb as rpc;

/// The domain of every `ErrorInfo`.
pub const DOMAIN: &str = "draughts-rules";
/// When a client may try again after an overload.
const RETRY_AFTER: Duration = Duration::from_millis(100);

/// Why a request has no answer.
#[derive(Clone, Debug)]
pub enum Fault {
    /// Fields are missing or out of their range.
    InvalidFields(Vec<FieldFault>),
    /// A FEN cannot be read.
    MalformedFen {
        /// Path of the field.
        field: String,
        /// Where and why.
        error: ParseError,
    },
    /// Pieces do not make a position.
    InvalidPosition {
        /// The first reasons why.
        violations: Vec<pb::PositionViolation>,
        /// The number of all reasons.
        count: usize,
    },
    /// The bytes are no request message.
    MalformedMessage {
        /// What the decoder says.
        error: String,
    },
    /// A move's text cannot be read.
    MalformedMove {
        /// Path of the field.
        field: String,
        /// Where and why.
        error: ParseError,
    },
    /// A move names a square that the board does not have.
    NoSuchSquare {
        /// Path of the field.
        field: String,
        /// The square as it was named.
        square: String,
    },
    /// A move is against the rules.
    IllegalMove {
        /// Path of the field.
        field: String,
        /// Why.
        illegal: Box<pb::IllegalMove>,
    },
    /// Several moves fit.
    AmbiguousMove {
        /// Path of the field.
        field: String,
        /// How many fit.
        matches: usize,
        /// Those that fit.
        illegal: Box<pb::IllegalMove>,
    },
    /// A text is no PDN.
    MalformedPdn {
        /// Path of the field.
        field: String,
        /// Where and why.
        error: PdnError,
    },
    /// A text is of a game that is not played here.
    OtherGame {
        /// Path of the field.
        field: String,
        /// The name of its tag.
        tag: String,
        /// What that says.
        value: String,
    },
    /// The API has a name for it and this server does not do it.
    NotImplemented {
        /// Path of the field.
        field: String,
    },
    /// The operator has not turned a method on.
    SwitchedOff {
        /// Its name.
        method: &'static str,
        /// The option that would.
        option: &'static str,
    },
    /// The request exceeds a limit.
    LimitExceeded {
        /// The limit's name in `Limits`.
        limit: &'static str,
        /// Its value.
        maximum: usize,
        /// What the request has.
        actual: usize,
    },
    /// The search exceeds [`MAX_STEPS`].
    TooComplex,
    /// Earlier requests of a batch have used up [`MAX_BATCH_STEPS`].
    BatchTooComplex,
    /// The answer exceeds the limit.
    ResponseTooLarge {
        /// The limit.
        maximum: usize,
        /// What the answer has, at least.
        actual: usize,
    },
    /// Too much is going on.
    Overloaded {
        /// What there is too much of.
        resource: &'static str,
    },
    /// The time of a call is up.
    DeadlineExceeded {
        /// How much it had.
        after: Duration,
    },
    /// No such method.
    UnknownMethod {
        /// The path of the request.
        method: String,
    },
    /// Our own fault.
    Internal,
}

/// What is wrong with one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldFault {
    /// Its path, for example `game.position.placement.turn`.
    pub field: String,
    /// `REQUIRED`, `UNKNOWN_VALUE`, `MISMATCH`, `DUPLICATE` or `MALFORMED`.
    pub reason: &'static str,
    /// A sentence.
    pub description: String,
}

impl FieldFault {
    /// A field that must be set.
    #[must_use]
    pub fn required(field: impl Into<String>) -> FieldFault {
        let field = field.into();
        let description = format!("{field} must be set");
        FieldFault { field, reason: "REQUIRED", description }
    }

    /// A field whose value stands in the list already.
    #[must_use]
    pub fn duplicate(field: impl Into<String>) -> FieldFault {
        let field = field.into();
        let description = format!("{field} is there twice");
        FieldFault { field, reason: "DUPLICATE", description }
    }

    /// A field whose value means nothing.
    #[must_use]
    pub fn unknown(field: impl Into<String>, value: impl std::fmt::Display) -> FieldFault {
        let field = field.into();
        let description = format!("{field}: {value} is not a known value");
        FieldFault { field, reason: "UNKNOWN_VALUE", description }
    }
}

impl Fault {
    /// The status code.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Fault::InvalidFields(_)
            | Fault::MalformedFen { .. }
            | Fault::InvalidPosition { .. }
            | Fault::MalformedMessage { .. }
            | Fault::MalformedMove { .. }
            | Fault::MalformedPdn { .. }
            | Fault::NoSuchSquare { .. }
            | Fault::IllegalMove { .. }
            | Fault::AmbiguousMove { .. } => Code::InvalidArgument,
            Fault::NotImplemented { .. }
            | Fault::OtherGame { .. }
            | Fault::SwitchedOff { .. }
            | Fault::UnknownMethod { .. } => Code::Unimplemented,
            Fault::LimitExceeded { .. }
            | Fault::TooComplex
            | Fault::BatchTooComplex
            | Fault::ResponseTooLarge { .. } => Code::ResourceExhausted,
            Fault::Overloaded { .. } => Code::Unavailable,
            Fault::DeadlineExceeded { .. } => Code::DeadlineExceeded,
            Fault::Internal => Code::Internal,
        }
    }

    /// The reason of the `ErrorInfo`.
    #[must_use]
    pub fn reason(&self) -> pb::ErrorReason {
        match self {
            Fault::InvalidFields(_) => pb::ErrorReason::InvalidField,
            Fault::MalformedFen { .. } => pb::ErrorReason::MalformedFen,
            Fault::InvalidPosition { .. } => pb::ErrorReason::InvalidPosition,
            Fault::MalformedMessage { .. } => pb::ErrorReason::MalformedMessage,
            Fault::MalformedMove { .. } | Fault::NoSuchSquare { .. } => pb::ErrorReason::MalformedMove,
            Fault::IllegalMove { .. } => pb::ErrorReason::IllegalMove,
            Fault::AmbiguousMove { .. } => pb::ErrorReason::AmbiguousMove,
            Fault::MalformedPdn { .. } => pb::ErrorReason::MalformedPdn,
            Fault::NotImplemented { .. } | Fault::OtherGame { .. } | Fault::SwitchedOff { .. } => {
                pb::ErrorReason::NotImplemented
            }
            Fault::LimitExceeded { .. } => pb::ErrorReason::LimitExceeded,
            Fault::TooComplex | Fault::BatchTooComplex => pb::ErrorReason::TooComplex,
            Fault::ResponseTooLarge { .. } => pb::ErrorReason::ResponseTooLarge,
            Fault::Overloaded { .. } => pb::ErrorReason::Overloaded,
            Fault::DeadlineExceeded { .. } => pb::ErrorReason::DeadlineExceeded,
            Fault::UnknownMethod { .. } => pb::ErrorReason::UnknownMethod,
            Fault::Internal => pb::ErrorReason::Internal,
        }
    }

    /// The metadata of the `ErrorInfo`.
    fn metadata(&self) -> Vec<(&'static str, String)> {
        match self {
            Fault::InvalidFields(faults) => vec![("violations", faults.len().to_string())],
            Fault::InvalidPosition { count, .. } => vec![("violations", count.to_string())],
            Fault::MalformedMessage { error } => vec![("error", error.clone())],
            Fault::MalformedFen { field, error } | Fault::MalformedMove { field, error } => vec![
                ("field", field.clone()),
                ("offset", error.offset.to_string()),
                ("expected", error.expected.to_owned()),
            ],
            Fault::NoSuchSquare { field, square } => {
                vec![("field", field.clone()), ("square", square.clone())]
            }
            Fault::IllegalMove { field, illegal } => {
                let reason = illegal.reason().as_str_name().trim_start_matches("ILLEGAL_MOVE_REASON_");
                vec![("field", field.clone()), ("illegal_move_reason", reason.to_owned())]
            }
            Fault::AmbiguousMove { field, matches, .. } => {
                vec![("field", field.clone()), ("matches", matches.to_string())]
            }
            Fault::MalformedPdn { field, error } => vec![
                ("field", field.clone()),
                ("line", error.place.line.to_string()),
                ("column", error.place.column.to_string()),
                ("offset", error.offset.to_string()),
                ("expected", error.expected.to_owned()),
            ],
            Fault::OtherGame { field, tag, value } => {
                vec![("field", field.clone()), ("tag", tag.clone()), ("value", value.clone())]
            }
            Fault::NotImplemented { field } => vec![("field", field.clone())],
            Fault::SwitchedOff { method, option } => {
                vec![("method", (*method).to_owned()), ("option", (*option).to_owned())]
            }
            Fault::LimitExceeded { limit, maximum, actual } => vec![
                ("limit", (*limit).to_owned()),
                ("maximum", maximum.to_string()),
                ("actual", actual.to_string()),
            ],
            Fault::TooComplex => {
                vec![("limit", "max_engine_steps".to_owned()), ("maximum", MAX_STEPS.to_string())]
            }
            Fault::BatchTooComplex => {
                vec![("limit", "max_batch_engine_steps".to_owned()), ("maximum", MAX_BATCH_STEPS.to_string())]
            }
            Fault::ResponseTooLarge { maximum, actual } => vec![
                ("limit", "max_response_bytes".to_owned()),
                ("maximum", maximum.to_string()),
                ("actual", actual.to_string()),
            ],
            Fault::Overloaded { resource } => vec![("resource", (*resource).to_owned())],
            Fault::DeadlineExceeded { after } => vec![("deadline_ms", after.as_millis().to_string())],
            Fault::UnknownMethod { method } => vec![("method", method.clone())],
            Fault::Internal => Vec::new(),
        }
    }

    /// One English sentence.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Fault::InvalidFields(faults) => {
                sentences(faults.iter().map(|fault| fault.description.as_str()), faults.len())
            }

            Fault::InvalidPosition { violations, count } => {
                sentences(violations.iter().map(|violation| violation.explanation.as_str()), *count)
            }
            Fault::MalformedMessage { error } => format!("the bytes are no request message: {error}"),
            Fault::MalformedFen { field, error } => format!("{field} is no FEN: {error}"),
            Fault::MalformedMove { field, error } => format!("{field} is no move: {error}"),
            Fault::NoSuchSquare { field, square } => format!("{field}: the board has no square {square}"),
            Fault::IllegalMove { field, illegal } => format!("{field} is illegal: {}", illegal.explanation),
            Fault::AmbiguousMove { field, matches, .. } => format!("{field} fits {matches} legal moves"),
            Fault::MalformedPdn { field, error } => format!("{field} is no PDN: {error}"),
            Fault::OtherGame { field, tag, value } => {
                format!("{field} is a game that is not played here: its {tag} is {value}")
            }
            Fault::NotImplemented { field } => format!("this server does not support {field}"),
            Fault::SwitchedOff { method, option } => {
                format!("this server does no {method}: it was started without {option} true")
            }
            Fault::LimitExceeded { limit, maximum, actual } => {
                format!("the request exceeds {limit}: it has {actual}, and at most {maximum} are allowed")
            }
            Fault::TooComplex => {
                format!(
                    "the position has too many ways to capture: max_engine_steps allows {MAX_STEPS} engine steps"
                )
            }
            Fault::BatchTooComplex => {
                format!(
                    "the requests before have used up max_batch_engine_steps ({MAX_BATCH_STEPS}): send this one in a smaller batch"
                )
            }
            Fault::ResponseTooLarge { maximum, actual } => {
                format!(
                    "the answer has {actual} bytes or more where max_response_bytes allows {maximum}: ask for less at a time"
                )
            }
            Fault::Overloaded { resource } => format!("the server is busy, try again in 100 ms ({resource})"),
            Fault::DeadlineExceeded { after } => {
                format!("the call took longer than {} ms", after.as_millis())
            }
            Fault::UnknownMethod { method } => format!("there is no method {method}"),
            Fault::Internal => "a fault of the server".to_owned(),
        }
    }

    fn bad_request(&self) -> Option<rpc::BadRequest> {
        let violations: Vec<(&str, &str, &str)> = match self {
            Fault::InvalidFields(faults) => {
                faults.iter().map(|f| (f.field.as_str(), f.reason, f.description.as_str())).collect()
            }
            Fault::InvalidPosition { violations, .. } => violations.iter().map(position_violation).collect(),
            Fault::MalformedFen { field, error } | Fault::MalformedMove { field, error } => {
                vec![(field, "MALFORMED", error.expected)]
            }
            Fault::MalformedPdn { field, error } => vec![(field, "MALFORMED", error.expected)],
            Fault::NoSuchSquare { field, .. } => vec![(field, "NO_SUCH_SQUARE", "no such square")],
            Fault::MalformedMessage { .. }
            | Fault::IllegalMove { .. }
            | Fault::AmbiguousMove { .. }
            | Fault::NotImplemented { .. }
            | Fault::OtherGame { .. }
            | Fault::SwitchedOff { .. }
            | Fault::LimitExceeded { .. }
            | Fault::TooComplex
            | Fault::BatchTooComplex
            | Fault::ResponseTooLarge { .. }
            | Fault::Overloaded { .. }
            | Fault::DeadlineExceeded { .. }
            | Fault::UnknownMethod { .. }
            | Fault::Internal => return None,
        };
        let field_violations =
            violations.into_iter().take(MAX_DETAILS).map(|(field, reason, description)| {
                rpc::bad_request::FieldViolation {
                    field: field.to_owned(),
                    reason: reason.to_owned(),
                    description: description.to_owned(),
                    localized_message: None,
                }
            });
        Some(rpc::BadRequest { field_violations: field_violations.collect() })
    }

    fn details(&self) -> Vec<prost_types::Any> {
        let metadata = self.metadata().into_iter().map(|(key, value)| (key.to_owned(), value));
        let info = rpc::ErrorInfo {
            reason: self.reason().as_str_name().trim_start_matches("ERROR_REASON_").to_owned(),
            domain: DOMAIN.to_owned(),
            metadata: metadata.collect::<HashMap<_, _>>(),
        };
        let mut details = vec![any("type.googleapis.com/google.rpc.ErrorInfo", &info)];
        if let Some(mut bad_request) = self.bad_request() {
            shorten(&mut bad_request, |request| request.field_violations.pop().is_some());
            details.push(any("type.googleapis.com/google.rpc.BadRequest", &bad_request));
        }
        if let Fault::IllegalMove { illegal, .. } | Fault::AmbiguousMove { illegal, .. } = self {
            let mut illegal = illegal.clone();
            shorten(&mut *illegal, |illegal| illegal.candidates.pop().is_some());
            details.push(any("type.googleapis.com/draughts.v1.IllegalMove", &*illegal));
        }
        if let Fault::Overloaded { .. } = self {
            let retry_delay = prost_types::Duration::try_from(RETRY_AFTER).ok();
            details.push(any("type.googleapis.com/google.rpc.RetryInfo", &rpc::RetryInfo { retry_delay }));
        }
        details
    }
}

/// The sentences of a few faults; more than that stand in the details.
fn sentences<'s>(all: impl Iterator<Item = &'s str>, count: usize) -> String {
    const SHOWN: usize = 3;
    let more = count.saturating_sub(SHOWN);
    let shown = all.take(SHOWN).collect::<Vec<_>>().join("; ");
    if more == 0 { shown } else { format!("{shown}; and {more} more") }
}

fn position_violation(violation: &pb::PositionViolation) -> (&str, &str, &str) {
    let kind = violation.kind().as_str_name().trim_start_matches("POSITION_VIOLATION_KIND_");
    (&violation.field, kind, &violation.explanation)
}

/// Takes items off a detail until it is small enough for a trailer.
fn shorten<M: Message>(detail: &mut M, mut drop_one: impl FnMut(&mut M) -> bool) {
    while detail.encoded_len() > MAX_DETAIL_BYTES * 3 / 4 && drop_one(detail) {}
}

fn any(type_url: &str, message: &impl Message) -> prost_types::Any {
    prost_types::Any { type_url: type_url.to_owned(), value: message.encode_to_vec() }
}

impl From<&Fault> for rpc::Status {
    fn from(fault: &Fault) -> rpc::Status {
        rpc::Status { code: fault.code() as i32, message: fault.message(), details: fault.details() }
    }
}

impl From<Fault> for Status {
    fn from(fault: Fault) -> Status {
        let (code, message) = (fault.code(), fault.message());
        let status = rpc::Status::from(&fault);
        let mut metadata = tonic::metadata::MetadataMap::new();
        if let Fault::Overloaded { .. } = fault {
            metadata.insert("grpc-retry-pushback-ms", (RETRY_AFTER.as_millis() as u64).into());
        }
        Status::with_details_and_metadata(code, message, status.encode_to_vec().into(), metadata)
    }
}

impl From<crate::rules::TooComplex> for Fault {
    fn from(_: crate::rules::TooComplex) -> Fault {
        Fault::TooComplex
    }
}
