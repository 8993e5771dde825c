//! The listener for operators: metrics over HTTP and health over gRPC, on a thread of its own, so that probes are answered
//! however busy the others are.

use super::connection::{self, Calls, Heard, Limits};
use super::connections::{PAUSE_AFTER_REFUSAL, runtime};
use super::health::Reporter;
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
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::sleep;
use tonic::body::Body;
use tonic::service::Routes;
use tower::Service;
use tracing::warn;

/// Connections at a time: a few probes and collectors.
const MOST_CONNECTIONS: usize = 64;

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
    thread::Builder::new().name("admin".to_owned()).spawn(move || {
        let _never = never;
        runtime.block_on(accept(listener, metrics, routes, draining));
    })?;
    Ok(address)
}

async fn accept(
    listener: TcpListener,
    metrics: Arc<Metrics>,
    routes: Routes,
    draining: watch::Receiver<bool>,
) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        match listener.accept().await {
            Ok((socket, _)) => {
                let life = serve(socket, Arc::clone(&metrics), routes.clone(), draining.clone());
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

async fn serve(socket: TcpStream, metrics: Arc<Metrics>, routes: Routes, draining: watch::Receiver<bool>) {
    let calls = Arc::new(Calls::new());
    let service = service_fn({
        let calls = Arc::clone(&calls);
        move |request| {
            let (metrics, routes, under_way) =
                (Arc::clone(&metrics), routes.clone(), Arc::clone(&calls).begin());
            async move {
                let _under_way = under_way;
                answer(request, &metrics, routes).await
            }
        }
    });
    let (socket, heard) = Heard::new(socket);
    let mut http = auto::Builder::new(TokioExecutor::new());
    http.http1().timer(TokioTimer::new());
    http.http2().timer(TokioTimer::new()).max_concurrent_streams(16);
    let connection = http.serve_connection(TokioIo::new(socket), service);
    connection::live(connection, heard, calls, Limits::of_operators(), draining).await;
}

async fn answer(
    request: Request<Incoming>,
    metrics: &Metrics,
    mut routes: Routes,
) -> Result<Response<Body>, Infallible> {
    if request.method() != Method::GET {
        return routes.call(request.map(Body::new)).await;
    }
    let text = |status, kind, text: String| {
        let mut response = Response::new(Body::new(http_body_util::Full::from(text)));
        *response.status_mut() = status;
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        response
    };
    Ok(match request.uri().path() {
        "/metrics" => text(StatusCode::OK, CONTENT_TYPE, metrics.text()),
        _ => text(StatusCode::NOT_FOUND, "text/plain", "Metrics are at /metrics.\n".to_owned()),
    })
}
