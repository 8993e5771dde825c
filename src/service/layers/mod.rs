//! What happens to every call before and after its RPC.

mod size;

pub(super) use size::name_the_size_limit;

use crate::api::fault::Fault;
use tonic::Status;
use tonic::body::Body;

/// Answers a call of a method that does not exist.
pub(super) async fn unknown_method(uri: http::Uri) -> http::Response<Body> {
    let method = uri.path().chars().take(128).collect();
    std::future::ready(Status::from(Fault::UnknownMethod { method }).into_http()).await
}
