//! The log: where it goes, and how many lines it may have, since a caller must not be able to fill it.

use super::config::{LogFormat, LogLevel};
use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

/// Begins to write logs to standard error.
pub fn start(format: LogFormat, level: LogLevel) {
    let layer =
        tracing_subscriber::fmt::layer().with_writer(io::stderr).with_ansi(io::stderr().is_terminal());
    let filtered = tracing_subscriber::registry().with(filter(level));
    match format {
        LogFormat::Plain => filtered.with(layer).init(),
        LogFormat::Json => filtered.with(layer.json().with_span_list(false)).init(),
    }
}

/// What we say of ourselves. Others tell of every frame: they are heard when everything is asked for, or something is wrong.
fn filter(level: LogLevel) -> Targets {
    let others = if level == LogLevel::Trace { LevelFilter::TRACE } else { LevelFilter::WARN };
    Targets::new().with_target("draughts_rules", level).with_default(others.min(level.into()))
}

/// Lines of one kind in a second.
const LINES: u32 = 10;
const SECOND: Duration = Duration::from_secs(1);

/// Lets through a few lines in each second, and counts what is left out.
#[derive(Debug, Default)]
pub(super) struct Rate(Mutex<Window>);

#[derive(Debug, Default)]
struct Window {
    began: Option<Instant>,
    lines: u32,
    left_out: u64,
}

impl Rate {
    /// If a line may be written now: how many have been left out since the last one.
    pub(super) fn permit(&self) -> Option<u64> {
        self.permit_at(Instant::now())
    }

    fn permit_at(&self, now: Instant) -> Option<u64> {
        let mut window = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if window.began.is_none_or(|began| now.duration_since(began) >= SECOND) {
            window.began = Some(now);
            window.lines = 0;
        }
        if window.lines == LINES {
            window.left_out += 1;
            return None;
        }
        window.lines += 1;
        Some(std::mem::take(&mut window.left_out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_cut_and_counted() {
        let (rate, start) = (Rate::default(), Instant::now());
        assert!((0..LINES).all(|_| rate.permit_at(start) == Some(0)));
        assert!((0..500).all(|_| rate.permit_at(start).is_none()));
        assert_eq!(rate.permit_at(start + SECOND), Some(500));
        assert_eq!(rate.permit_at(start + SECOND), Some(0));
    }
}
