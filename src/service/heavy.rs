//! The bounded pool for work that would hold up other calls of its thread.

use super::held::Held;
use super::metrics::{Metrics, Shed};
use crate::api::fault::Fault;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// Runs a few heavy calls at a time, lets some more wait, and refuses the rest.
#[derive(Clone)]
pub(super) struct Heavy {
    /// For those that run, wait, or have an answer to send: answers of heavy work may be large, so that their number bounds
    /// memory.
    places: Arc<Semaphore>,
    /// For those that run.
    threads: Arc<Semaphore>,
    jobs: mpsc::Sender<Job>,
    /// Why the rest is refused.
    full: Shed,
    metrics: Arc<Metrics>,
}

/// A piece of work that says itself what has become of it, and does not panic.
type Job = Box<dyn FnOnce() + Send>;

impl Heavy {
    /// Starts the threads, so that no thread has to be had when there may be none.
    ///
    /// # Errors
    /// If the system refuses one.
    pub(super) fn new(full: Shed, places: usize, threads: usize, metrics: Arc<Metrics>) -> io::Result<Heavy> {
        let (jobs, receiver) = mpsc::channel::<Job>();
        let receiver = Arc::new(Mutex::new(receiver));
        for index in 0..threads {
            let receiver = Arc::clone(&receiver);
            let next = move || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let work = move || std::iter::from_fn(|| next().ok()).for_each(|job| job());
            thread::Builder::new().name(format!("{}-{index}", full.name())).spawn(work)?;
        }
        let (places, threads) = (Semaphore::new(places), Semaphore::new(threads));
        Ok(Heavy { places: Arc::new(places), threads: Arc::new(threads), jobs, full, metrics })
    }

    /// A place for a call; it is free again when the place is dropped.
    pub(super) fn enter(&self) -> Result<Place, Fault> {
        let place = Arc::clone(&self.places).try_acquire_owned();
        place.map(|place| self.at(place)).map_err(|_| {
            self.metrics.shed(self.full);
            Fault::Overloaded { resource: self.full.name() }
        })
    }

    /// A place for the next piece of a call that has begun: it waits instead of being refused.
    pub(super) async fn enter_again(&self) -> Result<Place, Fault> {
        let place = Arc::clone(&self.places).acquire_owned().await;
        place.map(|place| self.at(place)).map_err(|_| Fault::Internal)
    }

    fn at(&self, place: OwnedSemaphorePermit) -> Place {
        let (threads, jobs, metrics) =
            (Arc::clone(&self.threads), self.jobs.clone(), Arc::clone(&self.metrics));
        Place { held: Held::new((place, self.metrics.heavy())), threads, jobs, metrics }
    }

    /// Work that is all that a call needs. It is stopped when the caller leaves.
    pub(super) async fn run<A: Send + 'static>(
        &self,
        work: impl FnOnce(Stop) -> Result<A, Fault> + Send + 'static,
    ) -> Result<(A, Held), Fault> {
        let (outcome, held) = self.enter()?.run(work).await?;
        outcome.map(|answer| (answer, held))
    }
}

/// The place of one call in the pool.
pub(super) struct Place {
    held: Held,
    threads: Arc<Semaphore>,
    jobs: mpsc::Sender<Job>,
    metrics: Arc<Metrics>,
}

impl Place {
    /// What an answer keeps for as long as it takes the place.
    pub(super) fn held(&self) -> Held {
        self.held.clone()
    }

    /// Does a piece of work when a thread is free for it. If the caller leaves, the work is told to stop.
    pub(super) async fn run<A: Send + 'static>(
        self,
        work: impl FnOnce(Stop) -> A + Send + 'static,
    ) -> Result<(A, Held), Fault> {
        // Whoever leaves while waiting gives up the place.
        let Ok(thread) = self.threads.acquire_owned().await else { return Err(Fault::Internal) };
        let stop = Stop::default();
        let _on_leaving = StopOnDrop(Arc::clone(&stop));
        let (done, outcome) = oneshot::channel();
        let job = Box::new(move || {
            let _thread = thread; // until the work ends, even if the caller leaves before
            let answer = catch_unwind(AssertUnwindSafe(|| work(stop)));
            let _ = done.send((answer, self.held));
        });
        let _ = self.jobs.send(job); // were there no thread, the outcome would not come
        match outcome.await {
            Ok((Ok(answer), held)) => Ok((answer, held)),
            Ok((Err(_), _)) | Err(_) => {
                self.metrics.panics.inc();
                Err(Fault::Internal)
            }
        }
    }
}

/// Set when nobody waits for the work any more.
pub(super) type Stop = Arc<AtomicBool>;

struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::super::methods::Methods;
    use super::*;
    use crate::rules::{Budget, Position, Variant, perft};
    use std::sync::mpsc;
    use std::time::Duration;
    use tokio_test::{assert_pending, task::spawn};

    fn one_place() -> Heavy {
        let metrics = Arc::new(Metrics::new(&Methods::new()));
        Heavy::new(Shed::HeavyCalls, 1, 1, metrics).expect("a thread")
    }

    #[tokio::test]
    async fn a_full_pool_refuses_and_an_empty_one_answers() {
        let heavy = one_place();
        let (release, wait) = mpsc::channel::<()>();
        let first = heavy.run(move |_| {
            wait.recv().ok();
            Ok(1)
        });
        let mut first = spawn(async { first.await.map(|(answer, _)| answer) });
        assert_pending!(first.poll());
        assert!(matches!(heavy.run(|_| Ok(2)).await, Err(Fault::Overloaded { resource: "heavy_calls" })));
        drop(release);
        assert!(matches!(first.await, Ok(1)));
        assert!(matches!(heavy.run(|_| Ok(3)).await, Ok((3, _))));
    }

    /// Work for centuries: all games of 30 plies.
    #[tokio::test]
    async fn work_stops_when_the_caller_leaves() {
        let heavy = one_place();
        let endless = heavy.run(|stop| {
            let start = Position::start(Variant::International.ruleset());
            Ok(perft(&start, 30, &mut Budget::until(u64::MAX, stop))?)
        });
        assert!(tokio::time::timeout(Duration::from_millis(50), endless).await.is_err());
        let next = heavy.enter_again().await;
        assert!(next.is_ok(), "its place is free again");
    }

    #[tokio::test]
    async fn a_panic_is_an_internal_fault() {
        let heavy = one_place();
        let outcome = heavy.run(|_| -> Result<(), Fault> { panic!("a test of panics") }).await;
        assert!(matches!(outcome, Err(Fault::Internal)));
        assert!(heavy.run(|_| Ok(())).await.is_ok(), "the place is free again");
    }

    #[tokio::test]
    async fn an_answer_holds_the_place_of_its_work() {
        let heavy = one_place();
        let sent_slowly = heavy.run(|_| Ok(())).await;
        assert!(matches!(heavy.enter(), Err(Fault::Overloaded { .. })));
        drop(sent_slowly);
        assert!(heavy.enter().is_ok());
    }
}
