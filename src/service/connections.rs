//! Connections: one acceptor, and one current-thread runtime for each processor.
//!
//! The acceptor owns the listener, the limit of connections and the drain. It hands each connection to the runtime that
//! holds the fewest, which serves it with hyper over tonic's routes. A runtime of its own for each processor answers
//! 1.6 times as many calls as one shared by all: a finished call wakes its connection only after the whole batch.

use super::config::Config;
use super::health::{self, Reporter};
use super::{layers, routes};
use http::{Request, Response};
use hyper::body::Incoming;
use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use std::io;
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::{self, Runtime};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio::time::{sleep, timeout};
use tonic::body::Body;
use tonic::service::Routes;
use tower::Service;
use tracing::{debug, info, warn};

/// How long a peer may be silent after it has connected.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long to wait after the system refused a connection, when it is out of descriptors for example.
const PAUSE_AFTER_REFUSAL: Duration = Duration::from_millis(100);
/// Bytes of one call and of all calls of one connection that may wait to be read.
const WINDOW: u32 = 1 << 20;

/// A connection on its way to a runtime.
struct Accepted {
    socket: TcpStream,
    place: OwnedSemaphorePermit,
}

/// A runtime with its thread.
struct Worker {
    connections: Arc<AtomicUsize>,
    accepted: mpsc::UnboundedSender<Accepted>,
}

/// Serves until SIGTERM or SIGINT, then lets calls finish. `on_listening` is told the address.
///
/// # Errors
/// If the address cannot be listened on, or the system refuses threads.
pub fn serve(config: &Config, on_listening: impl FnOnce(SocketAddr)) -> io::Result<()> {
    runtime()?.block_on(async {
        let mut signals = Signals::new()?;
        let listener = TcpListener::bind(config.listen).await?;
        let (reporter, health) = Reporter::new().await;
        let (drain, draining) = watch::channel(false);
        let workers = start_workers(config, health, &draining)?;
        drop(draining); // what remains are the workers' copies: the channel closes when the last connection has
        reporter.set_serving().await;
        on_listening(listener.local_addr()?);

        accept(config, &listener, &workers, &mut signals).await;
        reporter.set_not_serving().await;
        drop((listener, workers));
        let _ = drain.send(true);
        tokio::select! {
            drained = timeout(config.drain_seconds, drain.closed()) => match drained {
                Ok(()) => info!("drained"),
                Err(_) => warn!("connections were still open at the end of the drain"),
            },
            () = signals.next() => warn!("second signal: not waiting for calls"),
        }
        Ok(())
    })
}

fn runtime() -> io::Result<Runtime> {
    runtime::Builder::new_current_thread().enable_all().build()
}

/// SIGTERM, which arrives at PID 1 only if it is handled, and SIGINT.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn new() -> io::Result<Signals> {
        Ok(Signals {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => info!("SIGTERM"),
            _ = self.interrupt.recv() => info!("SIGINT"),
        }
    }
}

/// Accepts until a signal comes.
async fn accept(config: &Config, listener: &TcpListener, workers: &[Worker], signals: &mut Signals) {
    let places = Arc::new(Semaphore::new(config.max_connections));
    let next = async || {
        let place = Arc::clone(&places).acquire_owned().await.map_err(io::Error::other)?;
        let (socket, _) = listener.accept().await?;
        socket.set_nodelay(true)?; // without it one call in a thousand waits 40 ms
        Ok::<_, io::Error>(Accepted { socket: socket.into_std()?, place })
    };
    loop {
        let accepted = tokio::select! {
            () = signals.next() => return,
            accepted = next() => accepted,
        };
        match accepted {
            Ok(accepted) => hand_over(workers, accepted),
            Err(error) => {
                warn!(%error, "cannot accept a connection");
                sleep(PAUSE_AFTER_REFUSAL).await;
            }
        }
    }
}

/// Gives a connection to the worker that has the fewest.
fn hand_over(workers: &[Worker], accepted: Accepted) {
    let fewest = workers.iter().min_by_key(|worker| worker.connections.load(Ordering::Relaxed));
    if let Some(worker) = fewest {
        worker.connections.fetch_add(1, Ordering::Relaxed);
        // A worker ends only after the acceptor.
        let _ = worker.accepted.send(accepted);
    }
}

fn start_workers(
    config: &Config,
    health: health::Server,
    draining: &watch::Receiver<bool>,
) -> io::Result<Vec<Worker>> {
    let routes = routes(config, health).map_err(io::Error::other)?;
    (0..config.thread_count().get()).map(|index| start_worker(index, config, &routes, draining)).collect()
}

fn start_worker(
    index: usize,
    config: &Config,
    routes: &Routes,
    draining: &watch::Receiver<bool>,
) -> io::Result<Worker> {
    let (sender, mut receiver) = mpsc::unbounded_channel::<Accepted>();
    let connections = Arc::new(AtomicUsize::new(0));
    let (count, routes, draining) = (Arc::clone(&connections), routes.clone(), draining.clone());
    let http2 = http2_settings(config);
    let runtime = runtime()?;
    let serve = async move {
        while let Some(accepted) = receiver.recv().await {
            let connection = connection(http2.clone(), accepted, routes.clone(), draining.clone());
            let count = Arc::clone(&count);
            tokio::spawn(async move {
                let _counted = Counted(count); // given back even if the connection panics
                connection.await;
            });
        }
        while count.load(Ordering::Relaxed) > 0 {
            sleep(Duration::from_millis(5)).await;
        }
    };
    thread::Builder::new().name(format!("worker-{index}")).spawn(move || runtime.block_on(serve))?;
    Ok(Worker { connections, accepted: sender })
}

/// One connection of a worker's count.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn http2_settings(config: &Config) -> http2::Builder<TokioExecutor> {
    let mut settings = http2::Builder::new(TokioExecutor::new());
    settings
        .timer(TokioTimer::new())
        .max_concurrent_streams(u32::try_from(config.max_streams).ok())
        .initial_stream_window_size(WINDOW)
        .initial_connection_window_size(WINDOW)
        .keep_alive_interval(Duration::from_secs(30))
        .keep_alive_timeout(Duration::from_secs(20));
    settings
}

/// Waits for the drain.
async fn begins(draining: &mut watch::Receiver<bool>) {
    // An error means that the acceptor is gone, which begins the drain too.
    let _ = draining.wait_for(|&draining| draining).await.is_ok();
}

/// Serves one connection to its end; in a drain, until the calls that are under way have finished.
async fn connection(
    http2: http2::Builder<TokioExecutor>,
    accepted: Accepted,
    routes: Routes,
    mut draining: watch::Receiver<bool>,
) {
    let Accepted { socket, place: _place } = accepted;
    let socket = match tokio::net::TcpStream::from_std(socket) {
        Ok(socket) => socket,
        Err(error) => return warn!(%error, "cannot serve a connection"),
    };
    let mut first = [0];
    tokio::select! {
        spoken = timeout(PATIENCE, socket.peek(&mut first)) => if spoken.is_err() {
            return debug!("a peer was silent");
        },
        () = begins(&mut draining) => return,
    }
    let service = service_fn(move |request| call(routes.clone(), request));
    let mut connection = std::pin::pin!(http2.serve_connection(TokioIo::new(socket), service));
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = begins(&mut draining) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        debug!(%error, "a connection broke");
    }
}

async fn call(
    mut routes: Routes,
    request: Request<Incoming>,
) -> Result<Response<Body>, std::convert::Infallible> {
    let method = request.uri().clone();
    let response = routes.call(request.map(Body::new)).await?;
    Ok(layers::explain(&method, response))
}
