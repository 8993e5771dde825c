//! Connections: one acceptor, and one current-thread runtime for each processor.
//!
//! The acceptor owns the listener, the limit of connections and the drain. It hands each connection to the runtime that
//! holds the fewest, which serves it with hyper over tonic's routes. A runtime of its own for each processor answers
//! 1.6 times as many calls as one shared by all: a finished call wakes its connection only after the whole batch.

use super::admin;
use super::call::Calls;
use super::config::Config;
use super::connection::{self, Limits};
use super::descriptors;
use super::health::{self, Reporter};
use super::methods::Methods;
use super::metrics::Metrics;
use super::routes;
use crate::api::limits::MAX_REQUEST_BYTES;
use futures_util::FutureExt;
use hyper::server::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{self, Runtime};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, watch};
use tokio::time::{sleep, timeout};
use tracing::{info, warn};

/// How long to wait after the system refused a connection, when it is out of descriptors for example.
pub(super) const PAUSE_AFTER_REFUSAL: Duration = Duration::from_millis(100);
/// Bytes of one call, and of all calls of one connection, that may wait to be read: as many as the largest message has.
const WINDOW: u32 = MAX_REQUEST_BYTES as u32;
/// Bytes of a call's answer that may wait to be sent before more is asked of the call: as many as HTTP/2 puts into a frame.
const MAX_UNSENT_BYTES: usize = 16 * 1024;
/// Largest head of a request, in bytes: gRPC needs a few hundred, and proxies add some.
pub(super) const MAX_HEADER_BYTES: u32 = 16 * 1024;

/// A connection on its way to a runtime.
struct Accepted {
    socket: std::net::TcpStream,
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
    let (drain, draining) = watch::channel(false);
    let reporter = Reporter::new();
    let methods = Methods::new();
    let metrics = Arc::new(Metrics::new(&methods));
    let runtime = runtime()?;
    let (mut signals, listener) = runtime
        .block_on(async { io::Result::Ok((Signals::new()?, TcpListener::bind(config.listen).await?)) })?;
    if let Some(address) = config.admin_listen {
        let address = admin::start(address, Arc::clone(&metrics), &reporter)?;
        info!("operators are answered on {address}");
    }
    let health = reporter.server(draining.clone());
    let workers = start_workers(config, health, &draining, methods, &metrics)?;
    drop(draining); // what remains are the workers' copies: the channel closes when the last connection has
    let acceptor = Acceptor::new(config, listener, workers, Arc::clone(&metrics));
    runtime.block_on(async {
        reporter.set_serving();
        on_listening(acceptor.listener.local_addr()?);
        tokio::select! {
            () = signals.next() => {}
            never = acceptor.accept() => match never {},
        }
        reporter.set_draining();
        metrics.draining.set(1);
        tokio::select! {
            () = finish(config, acceptor, drain) => {}
            () = signals.next() => warn!("second signal: not waiting for calls"),
        }
        Ok(())
    })
}

/// Goes on serving until load balancers have noticed, then lets the calls that are under way finish.
async fn finish(config: &Config, acceptor: Acceptor, drain: watch::Sender<bool>) {
    if let Ok(never) = timeout(config.drain_wait_seconds, acceptor.accept()).await {
        match never {}
    }
    acceptor.accept_those_who_wait();
    drop(acceptor);
    let _ = drain.send(true);
    match timeout(config.drain_seconds, drain.closed()).await {
        Ok(()) => info!("drained"),
        Err(_) => warn!("connections were still open at the end of the drain"),
    }
}

pub(super) fn runtime() -> io::Result<Runtime> {
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

/// The listener, and the workers to which connections go.
struct Acceptor {
    listener: TcpListener,
    workers: Vec<Worker>,
    places: Arc<Semaphore>,
    metrics: Arc<Metrics>,
}

impl Acceptor {
    fn new(config: &Config, listener: TcpListener, workers: Vec<Worker>, metrics: Arc<Metrics>) -> Acceptor {
        let places = descriptors::connections(config.max_connections).min(Semaphore::MAX_PERMITS);
        Acceptor { listener, workers, places: Arc::new(Semaphore::new(places)), metrics }
    }

    /// Accepts for ever.
    async fn accept(&self) -> Infallible {
        loop {
            match self.next().await {
                Ok(accepted) => self.hand_over(accepted),
                Err(error) => {
                    self.metrics.refused.inc();
                    warn!(%error, "cannot accept a connection");
                    sleep(PAUSE_AFTER_REFUSAL).await;
                }
            }
        }
    }

    /// Accepts those whose connection the system has made already: they would be cut with the listener.
    fn accept_those_who_wait(&self) {
        const MOST: usize = 1_024; // as many as tokio has the system keep
        let waiting = std::iter::from_fn(|| self.next().now_or_never()?.ok());
        waiting.take(MOST).for_each(|accepted| self.hand_over(accepted));
    }

    async fn next(&self) -> io::Result<Accepted> {
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(io::Error::other)?;
        let (socket, _) = self.listener.accept().await?;
        socket.set_nodelay(true)?; // without it one call in a thousand waits 40 ms
        Ok(Accepted { socket: socket.into_std()?, place })
    }

    /// Gives a connection to the worker that has the fewest.
    fn hand_over(&self, accepted: Accepted) {
        let fewest = self.workers.iter().min_by_key(|worker| worker.connections.load(Ordering::Relaxed));
        if let Some(worker) = fewest {
            worker.connections.fetch_add(1, Ordering::Relaxed);
            self.metrics.accepted.inc();
            // A worker ends only after the acceptor.
            let _ = worker.accepted.send(accepted);
        }
    }
}

fn start_workers(
    config: &Config,
    health: health::Server,
    draining: &watch::Receiver<bool>,
    methods: Methods,
    metrics: &Arc<Metrics>,
) -> io::Result<Vec<Worker>> {
    let routes = routes(config, health, metrics).map_err(io::Error::other)?;
    let calls = Calls::new(routes, config, methods, Arc::clone(metrics));
    (0..config.thread_count().get()).map(|index| start_worker(index, config, &calls, draining)).collect()
}

fn start_worker(
    index: usize,
    config: &Config,
    calls: &Calls,
    draining: &watch::Receiver<bool>,
) -> io::Result<Worker> {
    let (sender, mut receiver) = mpsc::unbounded_channel::<Accepted>();
    let connections = Arc::new(AtomicUsize::new(0));
    let (count, calls, draining) = (Arc::clone(&connections), calls.clone(), draining.clone());
    let (http2, limits) = (http2_settings(config), Limits::new(config));
    let runtime = runtime()?;
    let serve = async move {
        while let Some(accepted) = receiver.recv().await {
            let Accepted { socket, place } = accepted;
            // Both are given back even if the connection panics.
            let held = (Counted(Arc::clone(&count)), place, calls.metrics().connections());
            let socket = match TcpStream::from_std(socket) {
                Ok(socket) => socket,
                Err(error) => {
                    warn!(%error, "cannot serve a connection");
                    continue;
                }
            };
            let life =
                connection::serve(http2.clone(), socket, calls.clone(), limits.jittered(), draining.clone());
            tokio::spawn(async move {
                let _held = held;
                life.await;
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
        .max_send_buf_size(MAX_UNSENT_BYTES)
        .max_header_list_size(MAX_HEADER_BYTES)
        .max_pending_accept_reset_streams(config.max_pending_resets)
        .keep_alive_interval(config.keepalive_seconds)
        .keep_alive_timeout(config.keepalive_timeout_seconds);
    settings
}
