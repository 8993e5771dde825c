//! One connection: how long it may live, and how it ends.
//!
//! A peer must speak HTTP/2 soon, or it is cut off. One that is idle for long, or old, is told to go (GOAWAY): calls that are
//! under way finish, new ones go to another connection, perhaps to another replica. Whoever does not go in time is cut off.

use super::call;
use super::config::Config;
use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::graceful::GracefulConnection;
use std::convert::Infallible;
use std::fmt::Display;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};
use tracing::debug;

/// The bytes with which a client begins to speak HTTP/2.
const PREFACE_BYTES: u64 = 24;

/// How long connections live.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// How long a peer may take to begin.
    preface: Duration,
    /// How long it may have no call under way.
    idle: Option<Duration>,
    /// How old it may become.
    age: Option<Duration>,
    /// How long it may take to go after it has been told to.
    grace: Duration,
    /// How old a call may become whose answer its client does not take, before the connection is told to go. It is noticed
    /// within as long again.
    pub(super) call: Duration,
}

impl Limits {
    pub(super) fn new(config: &Config) -> Limits {
        let unless_zero = |limit: Duration| (!limit.is_zero()).then_some(limit);
        Limits {
            preface: config.preface_seconds,
            idle: unless_zero(config.max_idle_seconds),
            age: unless_zero(config.max_age_seconds),
            grace: config.grace_seconds,
            // Not shorter than a second: every period wakes the connection once.
            call: (config.max_deadline_seconds + config.grace_seconds).max(Duration::from_secs(1)),
        }
    }

    /// Those of operators, whose connections are few and friendly.
    pub(super) fn of_operators() -> Limits {
        let minutes = |count: u64| Duration::from_secs(60 * count);
        let (preface, grace) = (Duration::from_secs(10), Duration::from_secs(10));
        Limits { preface, idle: Some(minutes(5)), age: Some(minutes(60)), grace, call: minutes(1) }
    }

    /// The limits of one connection: its age is up to a tenth more or less than that of others, so that connections which
    /// began together do not all come back together.
    pub(super) fn jittered(self) -> Limits {
        const STEPS: u64 = 1_000;
        let step = RandomState::new().hash_one(0) % (STEPS + 1);
        let factor = 0.9 + 0.2 * step as f64 / STEPS as f64;
        Limits { age: self.age.map(|age| age.mul_f64(factor)), ..self }
    }
}

/// Serves one connection to its end.
pub(super) async fn serve(
    http2: http2::Builder<TokioExecutor>,
    socket: TcpStream,
    answers: call::Calls,
    limits: Limits,
    draining: watch::Receiver<bool>,
) {
    let calls = Arc::new(Calls::new(limits.call));
    let service = {
        let calls = Arc::clone(&calls);
        service_fn(move |request| {
            let under_way = Arc::clone(&calls).begin(call::is_endless(&request));
            let answer = answers.clone().answer(request, under_way);
            async { Ok::<_, Infallible>(answer.await) }
        })
    };
    let (socket, heard) = Heard::new(socket);
    let connection = http2.serve_connection(TokioIo::new(socket), service);
    live(connection, heard, calls, limits, draining).await;
}

/// Lets a connection live within its limits.
pub(super) async fn live<C: GracefulConnection<Error: Display>>(
    connection: C,
    heard: Arc<AtomicU64>,
    calls: Arc<Calls>,
    limits: Limits,
    mut draining: watch::Receiver<bool>,
) {
    let mut connection = std::pin::pin!(connection);
    let mut life = Life::new(limits, calls.born);
    loop {
        let order = tokio::select! {
            ended = connection.as_mut() => {
                if let Err(error) = ended {
                    debug!(%error, "a connection broke");
                }
                return;
            }
            () = sleep_until(life.next_check(&calls)) => life.check(Instant::now(), heard.load(Ordering::Relaxed), &calls),
            () = begins(&mut draining), if !life.is_draining => life.drain(heard.load(Ordering::Relaxed)),
        };
        match order {
            Order::GoOn => {}
            Order::Leave => connection.as_mut().graceful_shutdown(),
            Order::Cut(why) => return debug!("a connection was cut: {why}"),
        }
    }
}

/// Waits for the drain.
async fn begins(draining: &mut watch::Receiver<bool>) {
    // An error means that the acceptor is gone, which begins the drain too.
    let _ = draining.wait_for(|&draining| draining).await.is_ok();
}

/// What becomes of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    GoOn,
    /// The peer is told to go.
    Leave,
    Cut(&'static str),
}

/// The stages of a connection.
struct Life {
    limits: Limits,
    born: Instant,
    has_spoken: bool,
    is_draining: bool,
    /// Since when the peer has been told to go.
    told: Option<Instant>,
}

impl Life {
    fn new(limits: Limits, born: Instant) -> Life {
        Life { limits, born, has_spoken: false, is_draining: false, told: None }
    }

    /// When to look at it again.
    fn next_check(&self, calls: &Calls) -> Instant {
        if let Some(told) = self.told {
            // In a drain the process decides when it is over.
            return if self.is_draining { far_away(self.born) } else { told + self.limits.grace };
        }
        let overdue = Some(calls.next_period(Instant::now()));
        let preface = (!self.has_spoken).then(|| self.born + self.limits.preface);
        let age = self.limits.age.map(|age| self.born + age);
        let idle = self.limits.idle.map(|idle| calls.idle_since().unwrap_or_else(Instant::now) + idle);
        [overdue, preface, age, idle].into_iter().flatten().min().unwrap_or_else(|| far_away(self.born))
    }

    fn check(&mut self, now: Instant, heard: u64, calls: &Calls) -> Order {
        self.has_spoken |= heard >= PREFACE_BYTES;
        if !self.has_spoken {
            let time = self.limits.preface.min(self.limits.age.unwrap_or(Duration::MAX));
            let is_late = now >= self.born + time;
            return if is_late { Order::Cut("the peer did not begin") } else { Order::GoOn };
        }
        if self.told.is_some_and(|told| now >= told + self.limits.grace) {
            return Order::Cut("the peer did not go in time");
        }
        if self.told.is_some() {
            return Order::GoOn;
        }
        let is_old = self.limits.age.is_some_and(|age| now >= self.born + age);
        let is_idle =
            self.limits.idle.is_some_and(|idle| calls.idle_since().is_some_and(|since| now >= since + idle));
        if !is_old && !is_idle && !calls.are_overdue(now) {
            return Order::GoOn;
        }
        self.told = Some(now);
        Order::Leave
    }

    fn drain(&mut self, heard: u64) -> Order {
        self.is_draining = true;
        self.told = Some(Instant::now());
        if heard < PREFACE_BYTES { Order::Cut("the server drains") } else { Order::Leave }
    }
}

/// A time that no connection sees.
fn far_away(born: Instant) -> Instant {
    born + Duration::from_secs(30 * 365 * 24 * 3_600)
}

/// The calls of a connection.
pub(super) struct Calls {
    born: Instant,
    under_way: AtomicUsize,
    /// When the last one ended, in milliseconds after birth.
    last_end: AtomicU64,
    /// How long a period is.
    period: Duration,
    /// Those under way that began in this period or in one of the two before, at the period's number modulo three. (A list of
    /// them all would cost every call a lock.)
    begun: [AtomicUsize; 3],
}

impl Calls {
    /// Those of a connection that begins. `period` is how old a call may become.
    pub(super) fn new(period: Duration) -> Calls {
        let (under_way, last_end) = (AtomicUsize::new(0), AtomicU64::new(0));
        Calls { born: Instant::now(), under_way, last_end, period, begun: Default::default() }
    }

    /// A call begins; one that is `endless` may become as old as it likes.
    pub(super) fn begin(self: Arc<Calls>, endless: bool) -> UnderWay {
        self.under_way.fetch_add(1, Ordering::Relaxed);
        let slot = (!endless).then(|| self.period_of(Instant::now()) as usize % self.begun.len());
        if let Some(slot) = slot {
            self.begun[slot].fetch_add(1, Ordering::Relaxed);
        }
        UnderWay { calls: self, slot }
    }

    /// Since when none has been under way; none if one is.
    fn idle_since(&self) -> Option<Instant> {
        let is_idle = self.under_way.load(Ordering::Relaxed) == 0;
        is_idle.then(|| self.born + Duration::from_millis(self.last_end.load(Ordering::Relaxed)))
    }

    fn period_of(&self, now: Instant) -> u32 {
        u32::try_from((now - self.born).as_nanos() / self.period.as_nanos().max(1)).unwrap_or(u32::MAX)
    }

    /// When the next period begins.
    fn next_period(&self, now: Instant) -> Instant {
        self.born + self.period * self.period_of(now).saturating_add(1)
    }

    /// Whether one is older than a period: it began before the last one.
    fn are_overdue(&self, now: Instant) -> bool {
        let period = self.period_of(now) as usize;
        // The period before the last has the number of the next one, modulo three.
        period >= 2 && self.begun[(period + 1) % self.begun.len()].load(Ordering::Relaxed) > 0
    }
}

/// A call, from its head to the end of its answer.
pub(super) struct UnderWay {
    calls: Arc<Calls>,
    /// Where it is counted, if it may become overdue.
    slot: Option<usize>,
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let age = u64::try_from(self.calls.born.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.calls.last_end.store(age, Ordering::Relaxed);
        self.calls.under_way.fetch_sub(1, Ordering::Relaxed);
        if let Some(slot) = self.slot {
            self.calls.begun[slot].fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// A socket that counts the bytes that were heard.
pub(super) struct Heard {
    socket: TcpStream,
    bytes: Arc<AtomicU64>,
}

impl Heard {
    /// A socket, and where its bytes are counted.
    pub(super) fn new(socket: TcpStream) -> (Heard, Arc<AtomicU64>) {
        let bytes = Arc::new(AtomicU64::new(0));
        (Heard { socket, bytes: Arc::clone(&bytes) }, bytes)
    }
}

impl AsyncRead for Heard {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.socket).poll_read(context, buffer);
        self.bytes.fetch_add((buffer.filled().len() - before) as u64, Ordering::Relaxed);
        polled
    }
}

impl AsyncWrite for Heard {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }

    // Without these, answers of many calls would not leave together.
    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }
}

#[cfg(test)]
mod tests {
    use super::super::config::Options;
    use super::*;
    use clap::Parser;

    const LIMITS: Limits = Limits {
        preface: Duration::from_secs(10),
        idle: Some(Duration::from_secs(300)),
        age: Some(Duration::from_secs(1_800)),
        grace: Duration::from_secs(30),
        call: Duration::from_secs(3_600),
    };

    fn after(start: Instant, seconds: u64) -> Instant {
        start + Duration::from_secs(seconds)
    }

    #[tokio::test(start_paused = true)]
    async fn a_silent_peer_is_cut_and_a_speaking_one_lives_to_its_age() {
        let calls = Arc::new(Calls::new(LIMITS.call));
        let start = calls.born;
        let mut life = Life::new(LIMITS, start);
        assert_eq!(life.next_check(&calls), after(start, 10));
        assert_eq!(life.check(after(start, 9), 23, &calls), Order::GoOn, "it has a second more");
        assert!(matches!(life.check(after(start, 10), 23, &calls), Order::Cut(_)), "half a preface");
        let call = Arc::clone(&calls).begin(false);
        assert_eq!(life.check(after(start, 10), 24, &calls), Order::GoOn);
        assert_eq!(life.check(after(start, 1_000), 99, &calls), Order::GoOn, "a call is under way");
        assert_eq!(life.check(after(start, 1_800), 99, &calls), Order::Leave, "it is old all the same");
        assert_eq!(life.next_check(&calls), after(start, 1_830));
        assert!(matches!(life.check(after(start, 1_830), 99, &calls), Order::Cut(_)));
        drop(call);
    }

    #[tokio::test(start_paused = true)]
    async fn the_shortest_times_wake_no_connection_more_than_once_a_second() {
        let arguments = ["draughts-rules", "--max-deadline-seconds", "0.000000001", "--grace-seconds", "0"];
        let options = Options::parse_from(arguments);
        let calls = Calls::new(Limits::new(&options.config).call);
        tokio::time::advance(Duration::from_millis(5_500)).await;
        assert_eq!(calls.next_period(Instant::now()), after(calls.born, 6));
    }

    #[tokio::test(start_paused = true)]
    async fn an_age_below_the_time_to_begin_is_kept() {
        let calls = Calls::new(LIMITS.call);
        let start = calls.born;
        let mut life = Life::new(Limits { age: Some(Duration::from_secs(2)), ..LIMITS }, start);
        assert_eq!(life.next_check(&calls), after(start, 2));
        assert_eq!(life.check(after(start, 2), 24, &calls), Order::Leave);
    }

    #[tokio::test(start_paused = true)]
    async fn an_idle_peer_is_told_to_go() {
        let calls = Arc::new(Calls::new(LIMITS.call));
        let start = calls.born;
        let mut life = Life::new(LIMITS, start);
        life.check(after(start, 10), 24, &calls);
        tokio::time::advance(Duration::from_secs(50)).await;
        drop(Arc::clone(&calls).begin(false));
        assert_eq!(life.next_check(&calls), after(start, 350), "50 seconds after birth the last call ended");
        assert_eq!(life.check(after(start, 349), 99, &calls), Order::GoOn);
        assert_eq!(life.check(after(start, 350), 99, &calls), Order::Leave);
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_does_not_take_its_answers_is_cut() {
        let calls = Arc::new(Calls::new(Duration::from_secs(60)));
        let start = calls.born;
        let mut life = Life::new(LIMITS, start);
        life.check(after(start, 10), 24, &calls);
        let _watch = Arc::clone(&calls).begin(true);
        let taken = Arc::clone(&calls).begin(false);
        tokio::time::advance(Duration::from_secs(119)).await;
        assert_eq!(life.next_check(&calls), after(start, 120));
        let untaken = Arc::clone(&calls).begin(false);
        assert_eq!(
            life.check(after(start, 119), 99, &calls),
            Order::GoOn,
            "it may still be younger than a period"
        );
        drop(taken);
        assert_eq!(life.check(after(start, 120), 99, &calls), Order::GoOn);
        assert_eq!(life.check(after(start, 179), 99, &calls), Order::GoOn);
        assert_eq!(
            life.check(after(start, 180), 99, &calls),
            Order::Leave,
            "other calls of the connection may finish"
        );
        assert!(matches!(life.check(after(start, 210), 99, &calls), Order::Cut(_)));
        drop(untaken);
    }

    #[tokio::test(start_paused = true)]
    async fn a_drain_cuts_who_has_not_begun_and_lets_others_finish() {
        let calls = Arc::new(Calls::new(LIMITS.call));
        assert!(matches!(Life::new(LIMITS, calls.born).drain(0), Order::Cut(_)));
        let mut life = Life::new(LIMITS, calls.born);
        life.check(after(calls.born, 10), 24, &calls);
        assert_eq!(life.drain(24), Order::Leave);
        assert!(life.next_check(&calls) > after(calls.born, 1_000_000), "the process ends the drain");
    }

    #[test]
    fn ages_differ_by_a_tenth_at_most() {
        let ages = (0..200).filter_map(|_| LIMITS.jittered().age).collect::<Vec<_>>();
        assert!(ages.iter().all(|age| (1_620.0..=1_980.0).contains(&age.as_secs_f64())));
        assert!(ages.iter().any(|age| *age != ages[0]));
    }
}
