//! What happens to every call before and after its RPC, outermost first: its identity, whether it is gRPC at all, whether
//! there is room for it, how long it may take, a panic as an answer, and our reasons in place of bare refusals.

use super::config::Config;
use super::connection::UnderWay;
use super::deadline;
use super::explain::explain;
use super::held::Held;
use super::identity::Identity;
use super::logs::Rate;
use super::messages::{Followed, Messages};
use super::methods::Methods;
use super::metrics::{Metrics, OneMore, Shed};
use crate::api::fault::{Fault, FieldFault};
use crate::rules::RULES_VERSION;
use futures_util::FutureExt;
use http::header::{ALLOW, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::BodyExt;
use hyper::body::{Body as HttpBody, Bytes, Frame, SizeHint};
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep_until, timeout_at};
use tonic::body::Body;
use tonic::service::Routes;
use tonic::{Code, Status};
use tower::{BoxError, Service};
use tracing::{Span, error, error_span, warn};

const VERSION: HeaderName = HeaderName::from_static("rules-version");
/// Health is told at any load.
const HEALTH: &str = "/grpc.health.v1.Health/";
/// Whoever watches it does so for as long as the connection lives.
const WATCH: &str = "/grpc.health.v1.Health/Watch";

/// What the content-type of a call begins with.
const GRPC: &[u8] = b"application/grpc";

/// What all calls share.
#[derive(Clone)]
pub(super) struct Calls {
    routes: Routes,
    shared: Arc<Shared>,
}

struct Shared {
    places: Arc<Semaphore>,
    max_deadline: Duration,
    methods: Methods,
    metrics: Arc<Metrics>,
    slow: Duration,
    /// Lines about our faults, which slow calls must not crowd out.
    fault_lines: Rate,
    slow_lines: Rate,
}

impl Calls {
    pub(super) fn new(routes: Routes, config: &Config, methods: Methods, metrics: Arc<Metrics>) -> Calls {
        let shared = Shared {
            places: Arc::new(Semaphore::new(config.max_calls)),
            max_deadline: config.max_deadline_seconds,
            methods,
            metrics,
            slow: config.slow_seconds,
            fault_lines: Rate::default(),
            slow_lines: Rate::default(),
        };
        Calls { routes, shared: Arc::new(shared) }
    }

    pub(super) fn metrics(&self) -> &Metrics {
        &self.shared.metrics
    }

    /// Answers a call.
    pub(super) async fn answer<B>(self, request: Request<B>, under_way: UnderWay) -> Response<Answer>
    where
        B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Send + Unpin + 'static,
    {
        let call = Call::begin(&self.shared, &request, under_way);
        if let Some(refused) = refuse_others(&request) {
            return Answer::whole(refused, call, None);
        }
        let (place, deadline) = match (self.place(&request), self.deadline(&request)) {
            (Ok(place), Ok(deadline)) => (place, deadline),
            (Err(fault), _) | (_, Err(fault)) => {
                return Answer::whole(Status::from(fault).into_http(), call, None);
            }
        };
        let response = self.run(request, deadline, &call).await;
        let mut answer = Answer::whole(response, call, place);
        answer.body_mut().deadline = deadline;
        answer
    }

    /// Room for a call, before anything of its body is read.
    fn place<B>(&self, request: &Request<B>) -> Result<Option<OwnedSemaphorePermit>, Fault> {
        if request.uri().path().starts_with(HEALTH) {
            return Ok(None);
        }
        let place = Arc::clone(&self.shared.places).try_acquire_owned();
        place.map(Some).map_err(|_| {
            self.shared.metrics.shed(Shed::Calls);
            Fault::Overloaded { resource: Shed::Calls.name() }
        })
    }

    fn deadline<B>(&self, request: &Request<B>) -> Result<Option<Deadline>, Fault> {
        let wanted = deadline::of(request.headers()).map_err(|deadline::Malformed| {
            let field = deadline::GRPC_TIMEOUT.to_string();
            let description = format!("{field} is not at most eight digits and a unit of time");
            Fault::InvalidFields(vec![FieldFault { field, reason: "MALFORMED", description }])
        })?;
        let after = match wanted {
            None if is_endless(request) => return Ok(None),
            None => self.shared.max_deadline,
            Some(wanted) if is_endless(request) => wanted.min(FOR_EVER),
            Some(wanted) => wanted.min(self.shared.max_deadline),
        };
        Ok(Some(Deadline::after(after)))
    }

    /// Asks the RPC, for as long as there is time.
    async fn run<B>(mut self, request: Request<B>, deadline: Option<Deadline>, call: &Call) -> Response<Body>
    where
        B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Send + Unpin + 'static,
    {
        let uri = request.uri().clone();
        let received = self.shared.metrics.of(call.method).received.clone();
        let broken = Arc::new(AtomicBool::new(false));
        let followed = request.map(|body| Body::new(Followed::new(body, received, Arc::clone(&broken))));
        let called = AssertUnwindSafe(self.routes.call(followed)).catch_unwind();
        // An endless call must at least begin in time.
        let deadline = deadline.unwrap_or_else(|| Deadline::after(self.shared.max_deadline));
        let Ok(outcome) = timeout_at(deadline.at, called).await else {
            return Status::from(deadline.exceeded()).into_http();
        };
        match outcome {
            // Nobody hears this. Without it, those who leave would be counted as errors of an unknown kind.
            Ok(Ok(_)) if broken.load(Ordering::Relaxed) => {
                Status::cancelled("the request broke off").into_http()
            }
            Ok(Ok(response)) => explain(&uri, response),
            Ok(Err(never)) => match never {},
            Err(_) => {
                self.shared.metrics.panics.inc();
                Status::from(Fault::Internal).into_http()
            }
        }
    }
}

/// Whether a call lasts as long as its client likes.
pub(super) fn is_endless<B>(request: &Request<B>) -> bool {
    request.uri().path() == WATCH
}

/// A year: no watch takes longer.
const FOR_EVER: Duration = Duration::from_secs(365 * 24 * 3_600);

/// When a call must be over, and how long that was after its beginning.
#[derive(Clone, Copy)]
struct Deadline {
    at: Instant,
    after: Duration,
}

impl Deadline {
    fn after(after: Duration) -> Deadline {
        Deadline { at: Instant::now() + after, after }
    }

    fn exceeded(self) -> Fault {
        Fault::DeadlineExceeded { after: self.after }
    }
}

/// Whether a request is a call by its content-type. Source: "gRPC over HTTP2", `Content-Type`.
pub(super) fn is_grpc(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    kind.strip_prefix(GRPC).is_some_and(|rest| rest.is_empty() || matches!(rest[0], b'+' | b';'))
}

/// Plain HTTP to those who do not speak gRPC.
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
    let words = "This is a gRPC service: the content-type of calls is application/grpc.\n";
    (!is_grpc(request.headers())).then(|| refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, words))
}

/// A call from its head to the end of its answer: counted, and told to the log if it is our fault or slow.
struct Call {
    shared: Arc<Shared>,
    identity: Identity,
    method: usize,
    began: Instant,
    /// How it ended; a call without an end was left by its client.
    code: Code,
    _under_way: (UnderWay, OneMore),
}

impl Call {
    fn begin<B>(shared: &Arc<Shared>, request: &Request<B>, under_way: UnderWay) -> Call {
        let method = shared.methods.index(request.uri().path());
        shared.metrics.of(method).started.inc();
        Call {
            shared: Arc::clone(shared),
            identity: Identity::of(request.headers()),
            method,
            began: Instant::now(),
            code: Code::Cancelled,
            _under_way: (under_way, shared.metrics.in_flight()),
        }
    }

    fn log_fault(&self, took: Duration) {
        let Some(left_out) = self.shared.fault_lines.permit() else { return };
        let _call = self.span(took).entered();
        error!(left_out, "a call failed by our fault");
    }

    fn log_slow(&self, took: Duration) {
        let Some(left_out) = self.shared.slow_lines.permit() else { return };
        let _call = self.span(took).entered();
        warn!(left_out, "a call was slow");
    }

    /// What its lines in the log say of it.
    fn span(&self, took: Duration) -> Span {
        let method = &self.shared.methods.all()[self.method];
        error_span!(
            "call",
            service = method.service,
            method = method.name,
            code = ?self.code,
            request_id = self.identity.request_id(),
            trace_id = self.identity.trace_id(),
            took_ms = took.as_millis() as u64,
        )
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let took = self.began.elapsed();
        self.shared.metrics.of(self.method).end(self.code, took);
        // Streams last as long as their clients like.
        let is_slow = took > self.shared.slow && self.shared.methods.all()[self.method].kind == "unary";
        if self.code == Code::Internal {
            self.log_fault(took);
        } else if is_slow {
            self.log_slow(took);
        }
    }
}

/// The body of an answer: its call is under way, and takes its place, until it has been sent or its time is up.
pub(super) struct Answer {
    body: Body,
    /// Its first frame, if it was made before it could be sent.
    first: Option<Result<Frame<Bytes>, Status>>,
    call: Call,
    messages: Messages,
    deadline: Option<Deadline>,
    time: Option<Pin<Box<Sleep>>>,
    is_over: bool,
    /// Among all calls, and among those of its kind: given back when the answer has been sent.
    _places: (Option<OwnedSemaphorePermit>, Option<Held>),
}

impl Answer {
    fn whole(
        response: Response<Body>,
        mut call: Call,
        place: Option<OwnedSemaphorePermit>,
    ) -> Response<Answer> {
        let (mut head, mut body) = response.into_parts();
        let kind = head.headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
        if !kind.starts_with(GRPC) || head.headers.contains_key("grpc-status") {
            tell(&mut call, &mut head.headers); // there will be no trailers
        }
        let held: Option<Held> = head.extensions.remove();
        // Of heavy work: as a message it may take twenty times as much as in bytes, and a client may be slow to take it.
        let first = held.as_ref().and_then(|_| body.frame().now_or_never()?);
        let places = (place, held);
        let (messages, deadline, time, is_over) = (Messages::default(), None, None, false);
        let answer = Answer { body, first, call, messages, deadline, time, is_over, _places: places };
        Response::from_parts(head, answer)
    }

    /// The deadline, if it has passed. The clock is only set if the body is not there at once.
    fn is_late(&mut self, context: &mut Context<'_>) -> Option<Deadline> {
        let deadline = self.deadline?;
        let time = self.time.get_or_insert_with(|| Box::pin(sleep_until(deadline.at)));
        time.as_mut().poll(context).is_ready().then_some(deadline)
    }
}

/// The end of a call: its code is noted, and its identity said.
fn tell(call: &mut Call, headers: &mut HeaderMap) {
    call.code = headers.get("grpc-status").map_or(Code::Unknown, |code| Code::from_bytes(code.as_bytes()));
    call.identity.tell(headers);
    headers.insert(VERSION, HeaderValue::from(RULES_VERSION));
}

impl HttpBody for Answer {
    type Data = <Body as HttpBody>::Data;
    type Error = <Body as HttpBody>::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        let polled = match self.first.take() {
            Some(first) => Poll::Ready(Some(first)),
            None => Pin::new(&mut self.body).poll_frame(context),
        };
        if (polled.is_pending() || self.time.is_some())
            && let Some(deadline) = self.is_late(context)
        {
            self.is_over = true;
            self.body = Body::empty(); // whoever makes it is told to stop
            let mut trailers = HeaderMap::new();
            // Only text that is no header fails, and there is none in it.
            let _ = Status::from(deadline.exceeded()).add_header(&mut trailers);
            tell(&mut self.call, &mut trailers);
            return Poll::Ready(Some(Ok(Frame::trailers(trailers))));
        }
        let mut frame = ready!(polled);
        if let Some(Ok(frame)) = &mut frame {
            let Answer { call, messages, .. } = &mut *self;
            if let Some(data) = frame.data_ref() {
                messages.follow(data, &call.shared.metrics.of(call.method).sent);
            } else if let Some(trailers) = frame.trailers_mut() {
                tell(call, trailers);
            }
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.is_over || self.first.is_none() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        if self.first.is_some() { SizeHint::default() } else { self.body.size_hint() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::config::Options;
    use super::super::connection;
    use super::*;
    use clap::Parser;
    use futures_util::future::BoxFuture;
    use std::convert::Infallible;
    use tokio::task::yield_now;
    use tonic::server::NamedService;

    /// An RPC that panics at once, one that panics later, and others that do not.
    #[derive(Clone)]
    struct Faulty;

    impl NamedService for Faulty {
        const NAME: &str = "draughts.v1.RulesService";
    }

    impl Service<Request<Body>> for Faulty {
        type Response = Response<Body>;
        type Error = Infallible;
        type Future = BoxFuture<'static, Result<Response<Body>, Infallible>>;

        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
            Poll::Ready(Ok(()))
        }

        fn call(&mut self, request: Request<Body>) -> Self::Future {
            let panics = |method: &str| request.uri().path().ends_with(method);
            assert!(!panics("ApplyMove"), "a secret");
            let panics_later = panics("ReplayGame");
            Box::pin(async move {
                yield_now().await;
                assert!(!panics_later, "a secret");
                Ok(Status::new(Code::Ok, "").into_http())
            })
        }
    }

    fn under_way() -> UnderWay {
        Arc::new(connection::Calls::new(Duration::from_secs(60))).begin(false)
    }

    fn calls(arguments: &[&str]) -> Calls {
        let config = Options::try_parse_from(arguments).expect("options").config;
        let methods = Methods::new();
        let metrics = Arc::new(Metrics::new(&methods));
        Calls::new(Routes::new(Faulty), &config, methods, metrics)
    }

    fn any_call() -> Call {
        Call::begin(&calls(&["draughts-rules"]).shared, &Request::new(()), under_way())
    }

    /// The code and the message of the answer to a call.
    async fn call(calls: &Calls, method: &str) -> (Code, String) {
        let request =
            Request::post(format!("/{}/{method}", Faulty::NAME)).header(CONTENT_TYPE, "application/grpc");
        let answer = calls.clone().answer(request.body(Body::empty()).expect("a request"), under_way()).await;
        let status = Status::from_header_map(answer.headers()).expect("a status");
        (status.code(), status.message().to_owned())
    }

    /// A client that takes nothing makes the server hold bytes, not a message.
    #[tokio::test]
    async fn the_answer_of_heavy_work_is_encoded_at_once() {
        for is_heavy in [true, false] {
            let is_encoded = Arc::new(AtomicBool::new(false));
            let encoding = Arc::clone(&is_encoded);
            let message = futures_util::stream::once(async move {
                encoding.store(true, Ordering::Relaxed);
                Ok::<_, Status>(Frame::data(Bytes::from_static(&[0; 5])))
            });
            let mut response = Response::new(Body::new(http_body_util::StreamBody::new(Box::pin(message))));
            response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
            if is_heavy {
                response.extensions_mut().insert(Held::new(()));
            }
            let answer = Answer::whole(response, any_call(), None);
            assert_eq!(is_encoded.load(Ordering::Relaxed), is_heavy);
            assert!(!answer.body().is_end_stream());
            let sent = answer.into_body().collect().await.expect("a body").to_bytes();
            assert_eq!(sent, [0; 5][..]);
        }
    }

    #[tokio::test]
    async fn a_panic_is_an_answer_that_tells_nothing_and_other_calls_go_on() {
        let calls = calls(&["draughts-rules", "--max-calls", "3"]);
        let internal = (Code::Internal, "a fault of the server".to_owned());
        // Again, because a place that a panic kept would be missing then.
        for round in 1..=2 {
            let (sound, now, later) = tokio::join!(
                call(&calls, "GetVariant"),
                call(&calls, "ApplyMove"),
                call(&calls, "ReplayGame")
            );
            assert_eq!((sound.0, &now, &later), (Code::Ok, &internal, &internal), "in round {round}");
            assert_eq!(calls.metrics().panics.get(), 2 * round);
        }
    }
}
