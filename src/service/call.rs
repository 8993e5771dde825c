//! What happens to every call before and after its RPC, outermost first: its identity, whether it is gRPC at all, whether
//! there is room for it, how long it may take, a panic as an answer, and our reasons in place of bare refusals.

use super::connection::UnderWay;
use super::deadline;
use super::explain::explain;
use super::identity::Identity;
use crate::api::fault::{Fault, FieldFault};
use crate::rules::RULES_VERSION;
use futures_util::FutureExt;
use http::header::{ALLOW, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use hyper::body::{Frame, Incoming, SizeHint};
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep_until, timeout_at};
use tonic::Status;
use tonic::body::Body;
use tonic::service::Routes;
use tower::Service;
use tracing::error;

const VERSION: HeaderName = HeaderName::from_static("rules-version");
/// Whoever watches health does so for as long as the connection lives, and health is told at any load.
const HEALTH: &str = "/grpc.health.v1.Health/";

/// What the content-type of a call begins with.
const GRPC: &[u8] = b"application/grpc";

/// What all calls share.
#[derive(Clone)]
pub(super) struct Calls {
    routes: Routes,
    places: Arc<Semaphore>,
    max_deadline: Duration,
}

impl Calls {
    pub(super) fn new(routes: Routes, most: usize, max_deadline: Duration) -> Calls {
        Calls { routes, places: Arc::new(Semaphore::new(most)), max_deadline }
    }

    /// Answers a call.
    pub(super) async fn answer(self, request: Request<Incoming>, under_way: UnderWay) -> Response<Answer> {
        let identity = Identity::of(request.headers());
        if let Some(refused) = refuse_others(&request) {
            return Answer::whole(refused, identity, None, under_way);
        }
        let is_health = request.uri().path().starts_with(HEALTH);
        let (place, deadline) = match (self.place(is_health), self.deadline(&request, is_health)) {
            (Ok(place), Ok(deadline)) => (place, deadline),
            (Err(fault), _) | (_, Err(fault)) => {
                return Answer::whole(Status::from(fault).into_http(), identity, None, under_way);
            }
        };
        let response = self.run(request, deadline, &identity).await;
        let mut answer = Answer::whole(response, identity, place, under_way);
        answer.body_mut().deadline = deadline;
        answer
    }

    /// Room for a call, before anything of its body is read.
    fn place(&self, is_health: bool) -> Result<Option<OwnedSemaphorePermit>, Fault> {
        if is_health {
            return Ok(None);
        }
        let place = Arc::clone(&self.places).try_acquire_owned();
        place.map(Some).map_err(|_| Fault::Overloaded { resource: "calls" })
    }

    fn deadline(&self, request: &Request<Incoming>, is_health: bool) -> Result<Option<Deadline>, Fault> {
        let wanted = deadline::of(request.headers()).map_err(|deadline::Malformed| {
            let field = deadline::GRPC_TIMEOUT.to_string();
            let description = format!("{field} is not at most eight digits and a unit of time");
            Fault::InvalidFields(vec![FieldFault { field, reason: "MALFORMED", description }])
        })?;
        let after = match wanted {
            None if is_health => return Ok(None),
            None => self.max_deadline,
            Some(wanted) if is_health => wanted.min(FOR_EVER),
            Some(wanted) => wanted.min(self.max_deadline),
        };
        Ok(Some(Deadline { at: Instant::now() + after, after }))
    }

    /// Asks the RPC, for as long as there is time.
    async fn run(
        mut self,
        request: Request<Incoming>,
        deadline: Option<Deadline>,
        identity: &Identity,
    ) -> Response<Body> {
        let uri = request.uri().clone();
        let called = AssertUnwindSafe(self.routes.call(request.map(Body::new))).catch_unwind();
        let outcome = match deadline {
            None => called.await,
            Some(deadline) => match timeout_at(deadline.at, called).await {
                Ok(outcome) => outcome,
                Err(_) => return Status::from(deadline.exceeded()).into_http(),
            },
        };
        match outcome {
            Ok(Ok(response)) => explain(&uri, response),
            Ok(Err(never)) => match never {},
            Err(_) => {
                error!(
                    method = uri.path(),
                    request_id = identity.request_id(),
                    trace_id = identity.trace_id(),
                    "a panic"
                );
                Status::from(Fault::Internal).into_http()
            }
        }
    }
}

/// A year: no call on health takes longer.
const FOR_EVER: Duration = Duration::from_secs(365 * 24 * 3_600);

/// When a call must be over, and how long that was after its beginning.
#[derive(Clone, Copy)]
struct Deadline {
    at: Instant,
    after: Duration,
}

impl Deadline {
    fn exceeded(self) -> Fault {
        Fault::DeadlineExceeded { after: self.after }
    }
}

/// Plain HTTP to those who do not speak gRPC. Source: "gRPC over HTTP2", `Content-Type`.
fn refuse_others<B>(request: &Request<B>) -> Option<Response<Body>> {
    let refuse = |status, words: &'static str| {
        let mut response = Response::new(Body::new(http_body_util::Full::from(words)));
        *response.status_mut() = status;
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
        response
    };
    if request.method() != Method::POST {
        let mut response =
            refuse(StatusCode::METHOD_NOT_ALLOWED, "This is a gRPC service: calls are made by POST.\n");
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
        return Some(response);
    }
    let kind = request.headers().get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    let rest = kind.strip_prefix(GRPC);
    let is_grpc = rest.is_some_and(|rest| rest.is_empty() || matches!(rest[0], b'+' | b';'));
    let words = "This is a gRPC service: the content-type of calls is application/grpc.\n";
    (!is_grpc).then(|| refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, words))
}

/// The body of an answer: its call is under way, and takes its place, until it has been sent or its time is up.
pub(super) struct Answer {
    body: Body,
    identity: Identity,
    deadline: Option<Deadline>,
    time: Option<Pin<Box<Sleep>>>,
    is_over: bool,
    _place: Option<OwnedSemaphorePermit>,
    _under_way: UnderWay,
}

impl Answer {
    fn whole(
        response: Response<Body>,
        identity: Identity,
        place: Option<OwnedSemaphorePermit>,
        under_way: UnderWay,
    ) -> Response<Answer> {
        let (mut head, body) = response.into_parts();
        let kind = head.headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
        if !kind.starts_with(GRPC) || head.headers.contains_key("grpc-status") {
            tell(&identity, &mut head.headers); // there will be no trailers
        }
        let (deadline, time, is_over) = (None, None, false);
        let answer = Answer { body, identity, deadline, time, is_over, _place: place, _under_way: under_way };
        Response::from_parts(head, answer)
    }

    /// The deadline, if it has passed. The clock is only set if the body is not there at once.
    fn is_late(&mut self, context: &mut Context<'_>) -> Option<Deadline> {
        let deadline = self.deadline?;
        let time = self.time.get_or_insert_with(|| Box::pin(sleep_until(deadline.at)));
        time.as_mut().poll(context).is_ready().then_some(deadline)
    }
}

fn tell(identity: &Identity, headers: &mut HeaderMap) {
    identity.tell(headers);
    headers.insert(VERSION, HeaderValue::from(RULES_VERSION));
}

impl hyper::body::Body for Answer {
    type Data = <Body as hyper::body::Body>::Data;
    type Error = <Body as hyper::body::Body>::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if (polled.is_pending() || self.time.is_some())
            && let Some(deadline) = self.is_late(context)
        {
            self.is_over = true;
            self.body = Body::empty(); // whoever makes it is told to stop
            let mut trailers = HeaderMap::new();
            // Only text that is no header fails, and there is none in it.
            let _ = Status::from(deadline.exceeded()).add_header(&mut trailers);
            tell(&self.identity, &mut trailers);
            return Poll::Ready(Some(Ok(Frame::trailers(trailers))));
        }
        let frame = ready!(polled).map(|frame| {
            frame.map(|mut frame| {
                if let Some(trailers) = frame.trailers_mut() {
                    tell(&self.identity, trailers);
                }
                frame
            })
        });
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.is_over || self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
