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
    #[arg(long, env = "DRAUGHTS_LOG_FORMAT", value_enum, default_value = "plain")]
    pub log_format: LogFormat,
    /// Which logs are written: error, warn, info, debug, trace, or a filter such as "info,draughts_rules=debug".
    #[arg(long, env = "DRAUGHTS_LOG", default_value = "info")]
    pub log: String,
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
    /// Threads that serve connections, 1 to 256; by default as many as there are processors.
    #[arg(long, env = "DRAUGHTS_THREADS", value_parser = threads, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Calls with heavy work at a time; more are refused with UNAVAILABLE.
    #[arg(long, env = "DRAUGHTS_HEAVY_CALLS", default_value = "8", value_name = "N")]
    pub heavy_calls: NonZeroUsize,
    /// Connections at a time; more wait to be accepted.
    #[arg(long, env = "DRAUGHTS_MAX_CONNECTIONS", default_value = "4096", value_name = "N")]
    pub max_connections: NonZeroUsize,
    /// Calls at a time on one connection.
    #[arg(long, env = "DRAUGHTS_MAX_STREAMS", default_value = "256", value_name = "N")]
    pub max_streams: u32,
    /// How long calls may take to finish after SIGTERM.
    #[arg(long, env = "DRAUGHTS_DRAIN_SECONDS", default_value = "10", value_parser = seconds, value_name = "SECONDS")]
    pub drain: Duration,
    /// Whether to answer gRPC reflection.
    #[arg(long, env = "DRAUGHTS_REFLECTION", default_value = "true", action = clap::ArgAction::Set, value_name = "BOOL")]
    pub reflection: bool,
}

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    match text.parse::<NonZeroUsize>() {
        Ok(threads) if threads.get() <= 256 => Ok(threads),
        Ok(_) | Err(_) => Err("a number from 1 to 256 is needed".to_owned()),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<u64>() {
        Ok(seconds) if seconds <= 3_600 => Ok(Duration::from_secs(seconds)),
        Ok(_) | Err(_) => Err("a number of seconds from 0 to 3600 is needed".to_owned()),
    }
}
