//! Perft as a stream: counted by a thread that gives way to all others, with progress in between.

use super::Answers;
use super::heavy::{Place, Stop};
use crate::api::fault::Fault;
use crate::api::perft::{Listener, count};
use crate::api::proto as pb;
use crate::rules::Budget;
use pb::run_perft_response::Event;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::time::{MissedTickBehavior, interval_at};

/// How often progress is told: twice as often as is promised.
const PROGRESS: Duration = Duration::from_millis(500);
/// How far a thread that counts gives way to others: as far as can be.
const NICENESS: i32 = 19;

/// Counts to the end, for as long as the client listens.
pub(super) async fn send(
    request: pb::RunPerftRequest,
    place: Place,
    began: Instant,
    answers: Answers<pb::RunPerftResponse>,
) {
    let nodes = Arc::new(AtomicU64::new(0));
    let mut stage = Stage { nodes: Arc::clone(&nodes), answers: answers.clone() };
    let counted = place.run(move |stop| count_all(&request, stop, &mut stage));
    tokio::pin!(counted);
    let mut ticks = interval_at(tokio::time::Instant::now() + PROGRESS, PROGRESS);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let outcome = loop {
        tokio::select! {
            outcome = &mut counted => break outcome.and_then(|(outcome, _)| outcome),
            // Without room the client has the last one still to read.
            _ = ticks.tick() => drop(answers.try_send(Ok(progress(nodes.load(Ordering::Relaxed), began)))),
            () = answers.closed() => return, // the thread is told to stop
        }
    };
    let last = outcome.map(|()| total(nodes.load(Ordering::Relaxed), began)).map_err(Into::into);
    answers.send(last).await.ok();
}

fn count_all(request: &pb::RunPerftRequest, stop: Stop, stage: &mut Stage) -> Result<(), Fault> {
    // Where it is refused, the count is only less polite.
    rustix::process::setpriority_process(None, NICENESS).ok();
    count(request, &mut Budget::until(u64::MAX, stop), stage) // the deadline of the call is its limit
}

/// What a thread that counts says to its client.
struct Stage {
    nodes: Arc<AtomicU64>,
    answers: Answers<pb::RunPerftResponse>,
}

impl Listener for Stage {
    fn counted(&mut self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    fn division(&mut self, division: pb::PerftDivision) {
        // A client that has left is noticed by whoever waits for the count.
        self.answers.blocking_send(Ok(response(Event::Division(division)))).ok();
    }
}

fn progress(nodes: u64, began: Instant) -> pb::RunPerftResponse {
    response(Event::Progress(pb::PerftProgress { nodes, elapsed: began.elapsed().try_into().ok() }))
}

fn total(nodes: u64, began: Instant) -> pb::RunPerftResponse {
    let elapsed = began.elapsed();
    let nodes_per_second = (nodes as f64 / elapsed.as_secs_f64().max(f64::MIN_POSITIVE)) as u64;
    response(Event::Total(pb::PerftTotal { nodes, elapsed: elapsed.try_into().ok(), nodes_per_second }))
}

fn response(event: Event) -> pb::RunPerftResponse {
    pb::RunPerftResponse { event: Some(event) }
}
