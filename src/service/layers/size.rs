//! tonic answers a request message that is too large with `OUT_OF_RANGE`. Our clients are told which limit it was, with
//! the code that the status table of gRPC names for it.

use crate::api::fault::Fault;
use crate::api::limits::MAX_REQUEST_BYTES;
use http::Response;
use tonic::body::Body;
use tonic::{Code, Status};

/// Puts the name of the limit into an answer about a request that was too large.
pub(in crate::service) fn name_the_size_limit(response: Response<Body>) -> Response<Body> {
    let Some(status) = Status::from_header_map(response.headers()) else { return response };
    if status.code() != Code::OutOfRange {
        return response;
    }
    let size = status.message().split(|c: char| !c.is_ascii_digit()).find_map(|digits| digits.parse().ok());
    let fault = Fault::LimitExceeded {
        limit: "max_request_bytes",
        maximum: MAX_REQUEST_BYTES,
        actual: size.unwrap_or(MAX_REQUEST_BYTES + 1),
    };
    Status::from(fault).into_http()
}
