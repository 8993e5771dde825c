//! The listener for operators: metrics over HTTP, health over gRPC and for those who do not speak it over HTTP, on a thread of
//! its own, so that probes are answered however busy the others are.

use super::call;
use super::connection::{self, Calls, Heard, Limits};
use super::connections::{PAUSE_AFTER_REFUSAL, runtime};
use super::health::{Probe, Reporter};
use super::metrics::{CONTENT_TYPE, Metrics};
use http::header::{self, HeaderValue};
use http::{Method, Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::sleep;
use tonic::body::Body;
use tonic::service::Routes;
use tower::Service;
use tracing::warn;

/// Connections at a time: a few probes and collectors.
const MOST_CONNECTIONS: usize = 64;
/// How often to ask a quiet peer whether it is still there.
const KEEPALIVE: Duration = Duration::from_secs(30);

/// What operators may ask for.
#[derive(Clone)]
struct Answers {
    metrics: Arc<Metrics>,
    probe: Probe,
    /// Health over gRPC.
    routes: Routes,
}

/// Listens, and answers for as long as the process lives.
///
/// # Errors
/// If the address cannot be listened on, or the system refuses a thread.
pub(super) fn start(address: SocketAddr, metrics: Arc<Metrics>, health: &Reporter) -> io::Result<SocketAddr> {
    let runtime = runtime()?;
    let refused = |error: io::Error| {
        io::Error::new(error.kind(), format!("operators cannot be answered on {address}: {error}"))
    };
    let listener = std::net::TcpListener::bind(address).map_err(refused)?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let listener = {
        let _context = runtime.enter();
        TcpListener::from_std(listener)?
    };
    // The process ends these connections, not the drain: probes ask until the end.
    let (never, draining) = watch::channel(false);
    let routes = Routes::new(health.server(draining.clone())).prepare();
    let answers = Answers { metrics, probe: health.probe(), routes };
    thread::Builder::new().name("admin".to_owned()).spawn(move || {
        let _never = never;
        runtime.block_on(accept(listener, answers, draining));
    })?;
    Ok(address)
}

async fn accept(listener: TcpListener, answers: Answers, draining: watch::Receiver<bool>) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        match listener.accept().await {
            Ok((socket, _)) => {
                let life = serve(socket, answers.clone(), draining.clone());
                tokio::spawn(async move {
                    let _place = place;
                    life.await;
                });
            }
            Err(error) => {
                warn!(%error, "cannot accept a connection of an operator");
                sleep(PAUSE_AFTER_REFUSAL).await;
            }
        }
    }
}

async fn serve(socket: TcpStream, answers: Answers, draining: watch::Receiver<bool>) {
    let limits = Limits::of_operators();
    let calls = Arc::new(Calls::new(limits.call));
    let service = service_fn({
        let calls = Arc::clone(&calls);
        move |request| {
            let under_way = Arc::clone(&calls).begin(call::is_endless(&request));
            let answers = answers.clone();
            async move {
                let _under_way = under_way;
                answers.answer(request).await
            }
        }
    });
    let (socket, heard) = Heard::new(socket);
    let mut http = auto::Builder::new(TokioExecutor::new());
    http.http1().timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(5));
    http.http2().timer(TokioTimer::new()).max_concurrent_streams(16).keep_alive_interval(KEEPALIVE);
    let connection = http.serve_connection(TokioIo::new(socket), service);
    connection::live(connection, heard, calls, limits, draining).await;
}

impl Answers {
    async fn answer(mut self, request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
        if call::is_grpc(request.headers()) {
            return self.routes.call(request.map(Body::new)).await;
        }
        let is_head = request.method() == Method::HEAD;
        let (status, text) = match request.uri().path() {
            _ if !is_head && request.method() != Method::GET => {
                (StatusCode::METHOD_NOT_ALLOWED, "Only GET and HEAD, and gRPC for health.\n".to_owned())
            }
            "/metrics" => (StatusCode::OK, self.metrics.text()),
            "/health" if self.probe.is_serving() => (StatusCode::OK, "SERVING\n".to_owned()),
            "/health" => (StatusCode::SERVICE_UNAVAILABLE, "NOT_SERVING\n".to_owned()),
            _ => (StatusCode::NOT_FOUND, "Metrics are at /metrics, health is at /health.\n".to_owned()),
        };
        // Over HTTP/1 hyper leaves it out by itself.
        let body = if is_head { Body::empty() } else { Body::new(http_body_util::Full::from(text)) };
        let mut response = Response::new(body);
        *response.status_mut() = status;
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(CONTENT_TYPE));
        if status == StatusCode::METHOD_NOT_ALLOWED {
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        }
        Ok(response)
    }
}
