//! tonic refuses some calls before they reach an RPC, with a bare status. Clients get our reasons for these too.

use crate::api::fault::Fault;
use crate::api::limits::MAX_REQUEST_BYTES;
use http::{Response, Uri};
use tonic::body::Body;
use tonic::{Code, Status};

/// Puts our reason into an answer that has none of its own.
pub(in crate::service) fn explain(method: &Uri, response: Response<Body>) -> Response<Body> {
    let Some(status) = Status::from_header_map(response.headers()) else { return response };
    if !status.details().is_empty() {
        return response;
    }
    if status.code() == Code::OutOfRange {
        // The status table of gRPC has RESOURCE_EXHAUSTED for a message that is too large.
        let size =
            status.message().split(|c: char| !c.is_ascii_digit()).find_map(|digits| digits.parse().ok());
        let (maximum, actual) = (MAX_REQUEST_BYTES, size.unwrap_or(MAX_REQUEST_BYTES + 1));
        return Status::from(Fault::LimitExceeded { limit: "max_request_bytes", maximum, actual })
            .into_http();
    }
    if status.code() == Code::Unimplemented && status.message().is_empty() {
        const SHOWN: usize = 128;
        let method = method.path().chars().take(SHOWN).collect();
        return Status::from(Fault::UnknownMethod { method }).into_http();
    }
    response
}
