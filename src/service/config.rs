//! Options, by flag or environment. Their comments are the help text.

use clap::{Parser, Subcommand, ValueEnum};
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::time::Duration;

/// The rules of draughts as a gRPC service: legal moves, positions after a move, and results.
#[derive(Clone, Debug, Parser)]
// A number below 0 is refused as a value, with what is needed, and not as an unknown flag.
#[command(version, about, long_about = None, mut_args = |option| option.allow_negative_numbers(true))]
pub struct Options {
    /// What to do; without it: serve.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Settings of the server.
    #[command(flatten)]
    pub config: Config,
    /// How logs are written to standard error.
    #[arg(long, global = true, env = "DRAUGHTS_LOG_FORMAT", value_enum, default_value = "plain")]
    pub log_format: LogFormat,
    /// The least important logs that are written.
    #[arg(long, global = true, env = "DRAUGHTS_LOG", value_enum, default_value = "info")]
    pub log: LogLevel,
}

/// What to do.
#[derive(Clone, Copy, Debug, Subcommand)]
pub enum Command {
    /// Serve until SIGTERM or SIGINT.
    Serve,
    /// Ask the server at --listen for its health; exit 0 if it is serving. For images without a shell.
    Healthcheck,
}

/// How logs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Plain,
    /// One JSON object a line.
    Json,
}

/// How important a log is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogLevel {
    /// Our own faults.
    Error,
    /// What an operator should know.
    Warn,
    /// The life of the process.
    Info,
    /// Connections that break.
    Debug,
    /// Everything.
    Trace,
}

impl From<LogLevel> for tracing::level_filters::LevelFilter {
    fn from(level: LogLevel) -> Self {
        match level {
            LogLevel::Error => Self::ERROR,
            LogLevel::Warn => Self::WARN,
            LogLevel::Info => Self::INFO,
            LogLevel::Debug => Self::DEBUG,
            LogLevel::Trace => Self::TRACE,
        }
    }
}

/// Settings of the server.
#[derive(Clone, Debug, clap::Args)]
pub struct Config {
    /// Address to listen on; port 0 takes any free one.
    #[arg(
        long,
        global = true,
        env = "DRAUGHTS_LISTEN",
        default_value = "127.0.0.1:50051",
        value_parser = address,
        value_name = "ADDRESS"
    )]
    pub listen: SocketAddr,
    /// Address for operators, with metrics (/metrics) and health (/health) over HTTP, and health over gRPC; without it there
    /// is none.
    #[arg(long, global = true, env = "DRAUGHTS_ADMIN_LISTEN", value_parser = address, value_name = "ADDRESS")]
    pub admin_listen: Option<SocketAddr>,
    /// How long a call may take before the log says so.
    #[arg(long, global = true, env = "DRAUGHTS_SLOW_SECONDS", default_value = "5", value_parser = seconds, value_name = "SECONDS")]
    pub slow_seconds: Duration,
    /// Threads that serve connections; by default as many as there are processors.
    #[arg(long, global = true, env = "DRAUGHTS_THREADS", value_parser = range(1, 256), value_name = "N")]
    pub threads: Option<usize>,
    /// Calls at a time; more are refused with UNAVAILABLE before their messages are read.
    #[arg(long, global = true, env = "DRAUGHTS_MAX_CALLS", default_value = "4096", value_parser = range(1, 1_048_576), value_name = "N")]
    pub max_calls: usize,
    /// How long a call may take that sets no deadline, or a later one.
    #[arg(long, global = true, env = "DRAUGHTS_MAX_DEADLINE_SECONDS", default_value = "30", value_parser = some_seconds, value_name = "SECONDS")]
    pub max_deadline_seconds: Duration,
    /// Calls with heavy work that run, wait, or have an answer to send; more are refused with UNAVAILABLE.
    #[arg(long, global = true, env = "DRAUGHTS_HEAVY_CALLS", default_value = "256", value_parser = range(1, 65_536), value_name = "N")]
    pub heavy_calls: usize,
    /// Imports at a time; more are refused with UNAVAILABLE. Each may hold 20 MB for as long as its client reads slowly.
    #[arg(long, global = true, env = "DRAUGHTS_IMPORTS", default_value = "32", value_parser = range(1, 65_536), value_name = "N")]
    pub imports: usize,
    /// Whether to answer RunPerft, which keeps a processor busy for as long as a call may take.
    #[arg(long, global = true, env = "DRAUGHTS_PERFT", default_value = "false", action = clap::ArgAction::Set, value_name = "BOOL")]
    pub perft: bool,
    /// RunPerft at a time; more are refused with UNAVAILABLE. Each has a thread that gives way to all others.
    #[arg(long, global = true, env = "DRAUGHTS_PERFT_CALLS", default_value = "1", value_parser = range(1, 256), value_name = "N")]
    pub perft_calls: usize,
    /// Connections at a time; more wait to be accepted.
    #[arg(long, global = true, env = "DRAUGHTS_MAX_CONNECTIONS", default_value = "1024", value_parser = range(1, 1_048_576), value_name = "N")]
    pub max_connections: usize,
    /// Calls at a time on one connection.
    #[arg(long, global = true, env = "DRAUGHTS_MAX_STREAMS", default_value = "128", value_parser = range(1, 65_536), value_name = "N")]
    pub max_streams: usize,
    /// How long a peer may take to begin to speak HTTP/2 after it has connected.
    #[arg(long, global = true, env = "DRAUGHTS_PREFACE_SECONDS", default_value = "10", value_parser = some_seconds, value_name = "SECONDS")]
    pub preface_seconds: Duration,
    /// How long a connection may have no call under way before it is told to go; 0 for ever.
    #[arg(long, global = true, env = "DRAUGHTS_MAX_IDLE_SECONDS", default_value = "300", value_parser = seconds, value_name = "SECONDS")]
    pub max_idle_seconds: Duration,
    /// How old a connection may become, give or take a tenth, before it is told to go, so that clients spread over
    /// replicas that came later; 0 for ever.
    #[arg(long, global = true, env = "DRAUGHTS_MAX_AGE_SECONDS", default_value = "1800", value_parser = seconds, value_name = "SECONDS")]
    pub max_age_seconds: Duration,
    /// How long a connection that has been told to go may take to finish its calls.
    #[arg(long, global = true, env = "DRAUGHTS_GRACE_SECONDS", default_value = "30", value_parser = seconds, value_name = "SECONDS")]
    pub grace_seconds: Duration,
    /// How often to ask a quiet peer whether it is still there.
    #[arg(long, global = true, env = "DRAUGHTS_KEEPALIVE_SECONDS", default_value = "30", value_parser = some_seconds, value_name = "SECONDS")]
    pub keepalive_seconds: Duration,
    /// How long it may take to say so.
    #[arg(long, global = true, env = "DRAUGHTS_KEEPALIVE_TIMEOUT_SECONDS", default_value = "20", value_parser = some_seconds, value_name = "SECONDS")]
    pub keepalive_timeout_seconds: Duration,
    /// Calls of one connection that may be cancelled before the server has seen them; more look like an attack (rapid
    /// reset) and end the connection.
    #[arg(long, global = true, env = "DRAUGHTS_MAX_PENDING_RESETS", default_value = "128", value_parser = range(1, 65_536), value_name = "N")]
    pub max_pending_resets: usize,
    /// How long to go on serving after SIGTERM, while health says NOT_SERVING already: longer than a load balancer takes to
    /// notice.
    #[arg(long, global = true, env = "DRAUGHTS_DRAIN_WAIT_SECONDS", default_value = "0", value_parser = seconds, value_name = "SECONDS")]
    pub drain_wait_seconds: Duration,
    /// How long calls may take to finish after that.
    #[arg(long, global = true, env = "DRAUGHTS_DRAIN_SECONDS", default_value = "10", value_parser = seconds, value_name = "SECONDS")]
    pub drain_seconds: Duration,
    /// Whether to answer gRPC reflection.
    #[arg(long, global = true, env = "DRAUGHTS_REFLECTION", default_value = "true", action = clap::ArgAction::Set, value_name = "BOOL")]
    pub reflection: bool,
}

impl Config {
    /// How many threads serve connections.
    #[must_use]
    pub fn thread_count(&self) -> NonZeroUsize {
        let chosen = self.threads.and_then(NonZeroUsize::new);
        chosen.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
    }
}

/// Reads an address; names are not looked up.
fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "an IP address and a port are needed, for example 127.0.0.1:50051".to_owned())
}

/// Reads a number within bounds.
fn range(least: usize, most: usize) -> impl Fn(&str) -> Result<usize, String> + Clone {
    move |text| match text.parse::<usize>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        Ok(_) | Err(_) => Err(format!("a number from {least} to {most} is needed")),
    }
}

/// Longest time of an option, in seconds: a day.
const MOST_SECONDS: f64 = 86_400.0;

/// Reads a time; parts of a second are allowed.
fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=MOST_SECONDS).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        Ok(_) | Err(_) => Err("a number of seconds from 0 to 86400 is needed".to_owned()),
    }
}

/// Reads a time that is not 0.
fn some_seconds(text: &str) -> Result<Duration, String> {
    let refused = || "a number of seconds above 0, up to 86400, is needed".to_owned();
    seconds(text).ok().filter(|time| !time.is_zero()).ok_or_else(refused)
}
