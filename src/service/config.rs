//! Options, by flag or environment. Their comments are the help text.

use clap::{Parser, Subcommand, ValueEnum};
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::time::Duration;

/// The rules of draughts as a gRPC service: legal moves, positions after a move, and results.
#[derive(Clone, Debug, Parser)]
#[command(version, about, long_about = None)]
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
        value_name = "ADDRESS"
    )]
    pub listen: SocketAddr,
    /// Threads that serve connections; by default as many as there are processors.
    #[arg(long, global = true, env = "DRAUGHTS_THREADS", value_parser = range(1, 256), value_name = "N")]
    pub threads: Option<usize>,
    /// Calls with heavy work that run or wait; more are refused with UNAVAILABLE.
    #[arg(long, global = true, env = "DRAUGHTS_HEAVY_CALLS", default_value = "256", value_parser = range(1, 65_536), value_name = "N")]
    pub heavy_calls: usize,
    /// Connections at a time; more wait to be accepted.
    #[arg(long, global = true, env = "DRAUGHTS_MAX_CONNECTIONS", default_value = "4096", value_parser = range(1, 1_048_576), value_name = "N")]
    pub max_connections: usize,
    /// Calls at a time on one connection.
    #[arg(long, global = true, env = "DRAUGHTS_MAX_STREAMS", default_value = "256", value_parser = range(1, 65_536), value_name = "N")]
    pub max_streams: usize,
    /// How long calls may take to finish after SIGTERM.
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

/// Reads a number within bounds.
fn range(least: usize, most: usize) -> impl Fn(&str) -> Result<usize, String> + Clone {
    move |text| match text.parse::<usize>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        Ok(_) | Err(_) => Err(format!("a number from {least} to {most} is needed")),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<u64>() {
        Ok(seconds) if seconds <= 3_600 => Ok(Duration::from_secs(seconds)),
        Ok(_) | Err(_) => Err("a number of seconds from 0 to 3600 is needed".to_owned()),
    }
}
