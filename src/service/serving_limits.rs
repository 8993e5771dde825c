//! The limits in force, as clients are told them.

use super::config::Config;
use super::connections::MAX_HEADER_BYTES;
use crate::api::proto as pb;
use std::time::Duration;

impl From<&Config> for pb::ServingLimits {
    fn from(config: &Config) -> Self {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let time = |time: Duration| time.try_into().ok();
        let unless_zero = |limit: Duration| time(limit).filter(|_| !limit.is_zero());
        Self {
            max_calls: count(config.max_calls),
            max_heavy_calls: count(config.heavy_calls),
            max_imports: count(config.imports),
            max_connections: count(config.max_connections),
            max_concurrent_streams: count(config.max_streams),
            max_header_bytes: MAX_HEADER_BYTES,
            max_deadline: time(config.max_deadline_seconds),
            max_connection_idle: unless_zero(config.max_idle_seconds),
            max_connection_age: unless_zero(config.max_age_seconds),
            connection_grace: time(config.grace_seconds),
            max_perft_calls: if config.perft { count(config.perft_calls) } else { 0 },
        }
    }
}
