//! tonic refuses some calls before they reach an RPC, with a bare status. Clients get our reasons for these too.

use crate::api::fault::Fault;
use crate::api::limits::MAX_REQUEST_BYTES;
use http::{Response, Uri};
use tonic::body::Body;
use tonic::{Code, Status};

/// Puts our reason into an answer that has none of its own.
pub(super) fn explain(method: &Uri, response: Response<Body>) -> Response<Body> {
    let Some(status) = Status::from_header_map(response.headers()) else { return response };
    if !status.details().is_empty() {
        return response;
    }
    let Some(fault) = fault_of(method, &status) else { return response };
    let mut explained = Status::from(fault).into_http::<Body>();
    for (name, value) in response.headers() {
        // What goes with a refusal stays, the encodings that are accepted for example.
        explained.headers_mut().entry(name).or_insert_with(|| value.clone());
    }
    explained
}

/// What tonic means by a status without details. It says so in words only. Tests pin those for messages that are too
/// large or broken and for unknown methods; those about compression were checked by hand.
fn fault_of(method: &Uri, status: &Status) -> Option<Fault> {
    let (code, message) = (status.code(), status.message());
    if code == Code::OutOfRange || code == Code::ResourceExhausted && message.contains("decompress") {
        // The status table of gRPC has RESOURCE_EXHAUSTED for a message that is too large.
        Some(too_large(message))
    } else if code == Code::Internal && NO_MESSAGE.iter().any(|words| message.contains(words)) {
        Some(Fault::MalformedMessage { error: shortened(message) })
    } else if code == Code::Unimplemented && message.is_empty() {
        Some(Fault::UnknownMethod { method: shortened(method.path()) })
    } else if code == Code::Unimplemented {
        Some(Fault::NotImplemented { field: "grpc-encoding".to_owned() })
    } else {
        None
    }
}

/// What tonic says of bytes that are no message.
const NO_MESSAGE: [&str; 3] = ["Protobuf", "Missing request message", "protocol error"];

fn too_large(message: &str) -> Fault {
    // Of a compressed message only the usual limit is known; of others tonic names the size, then the limit.
    let sized = if message.contains("decompress") { "" } else { message };
    let mut numbers = sized.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok());
    let (actual, maximum) = (numbers.next(), numbers.next().unwrap_or(MAX_REQUEST_BYTES));
    Fault::LimitExceeded { limit: "max_request_bytes", maximum, actual: actual.unwrap_or(maximum + 1) }
}

/// As much of a stranger's text as an error may repeat.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 128;
    text.chars().take(SHOWN).collect()
}
