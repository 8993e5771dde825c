//! File descriptors: one for each connection, and some to spare.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tracing::warn;

/// Those of operators, of runtimes, and of whatever the system wants.
const SPARE: usize = 128;

/// How many connections of those that are wanted there may be. The usual soft limit of a process is that of forty years ago,
/// so it is raised as far as allowed. Whoever runs out of descriptors would not answer probes either.
pub(super) fn connections(wanted: usize) -> usize {
    let needed = (wanted + SPARE) as u64;
    let before = getrlimit(Resource::Nofile);
    let enough = |limit: Option<u64>| limit.is_none_or(|limit| limit >= needed);
    if enough(before.current) {
        return wanted;
    }
    let raised = before.maximum.map_or(needed, |hard| hard.min(needed));
    let now = match setrlimit(Resource::Nofile, Rlimit { current: Some(raised), ..before }) {
        Ok(()) => Some(raised),
        Err(_) => before.current,
    };
    if enough(now) {
        return wanted;
    }
    let descriptors = now.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
    let most = descriptors.saturating_sub(SPARE).max(descriptors / 2).max(1);
    warn!(descriptors, wanted, "there are descriptors for {most} connections only");
    most
}
