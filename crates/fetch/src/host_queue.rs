//! Queues: requests to a domain, an engine or an API wait here for a turn.
//!
//! One queue for each scope, in order of arrival. A queue's memory is loaded from the graph at first use and
//! written back with every request, so a restart keeps pauses and rests; idle queues are let go.

mod pauses;
mod ticket;

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ledger::{LedgerError, Pace};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use crate::pace::PaceRules;
use crate::reads::Reads;
use crate::time::Time;

pub use pauses::HostPause;
use pauses::Pauses;
pub(crate) use ticket::{Ended, Patience, Turn, Wait, Wanted};

/// For each request under way, this many may have their row in the ledger written ahead.
const PREPARED_PER_SLOT: usize = 4;
/// Idle queues that are kept.
const MAX_IDLE: usize = 4_096;
/// A queue is idle after this long: by then what it remembers is in the graph.
const IDLE_AFTER: Duration = Duration::from_secs(60);

/// All queues, and the number of requests at the same time.
#[derive(Debug)]
pub(crate) struct HostQueues {
    reads: Arc<Reads>,
    pub(crate) time: Arc<Time>,
    by_scope: Mutex<HashMap<String, Kept>>,
    /// Requests that may leave soon: they are written into the ledger together.
    prepared: Arc<Semaphore>,
    /// Requests that are under way.
    slots: Arc<Semaphore>,
    pub(crate) pauses: Pauses,
}

#[derive(Debug)]
struct Kept {
    queue: Arc<HostQueue>,
    used: Instant,
}

/// One queue.
#[derive(Debug)]
pub(crate) struct HostQueue {
    /// Given out in order of arrival.
    turns: Arc<Semaphore>,
    waiting: AtomicUsize,
    state: Mutex<HostQueueState>,
}

#[derive(Debug)]
struct HostQueueState {
    pace: Pace,
    /// The pause drawn for the next request.
    gap: Duration,
    /// Failures before the last success: a page that turns out to be a challenge was none.
    failures_before: u32,
}

impl HostQueues {
    pub(crate) fn new(reads: Arc<Reads>, time: Arc<Time>, max_concurrent: usize) -> Self {
        let slots = max_concurrent.clamp(1, Semaphore::MAX_PERMITS / PREPARED_PER_SLOT);
        Self {
            reads,
            time,
            by_scope: Mutex::default(),
            prepared: Arc::new(Semaphore::new(slots * PREPARED_PER_SLOT)),
            slots: Arc::new(Semaphore::new(slots)),
            pauses: Pauses::default(),
        }
    }

    /// The queue of a scope, with what the ledger remembers of it.
    async fn queue(&self, scope: &str, rules: &PaceRules) -> Result<Arc<HostQueue>, LedgerError> {
        if let Some(queue) = self.kept(scope) {
            return Ok(queue);
        }
        let name = scope.to_owned();
        let pace = self.reads.read(move |it| it.pace(&name)).await?;
        let queue = Arc::new(HostQueue {
            turns: Arc::new(Semaphore::new(rules.concurrent)),
            waiting: AtomicUsize::new(0),
            state: Mutex::new(HostQueueState {
                pace: pace.unwrap_or_else(|| Pace::new(scope)),
                gap: rules.gap(fastrand::f64()),
                failures_before: 0,
            }),
        });
        let mut queues = self.queues();
        let_go_of_idle(&mut queues);
        // Another request may have been faster.
        let kept =
            queues.entry(scope.to_owned()).or_insert_with(|| Kept { queue, used: Instant::now() });
        kept.used = Instant::now();
        Ok(Arc::clone(&kept.queue))
    }

    fn kept(&self, scope: &str) -> Option<Arc<HostQueue>> {
        let mut queues = self.queues();
        let kept = queues.get_mut(scope)?;
        kept.used = Instant::now();
        Some(Arc::clone(&kept.queue))
    }

    fn queues(&self) -> MutexGuard<'_, HashMap<String, Kept>> {
        // Every change is a single insertion or removal.
        self.by_scope.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The failures of a scope in a row.
    pub(crate) async fn failures(&self, wanted: &Wanted) -> Result<u32, LedgerError> {
        let queue = self.queue(&wanted.scope, &wanted.rules).await?;
        let failures = queue.state().pace.failures;
        Ok(failures)
    }

    /// Ends the rest of a scope, and forgets its failures; gives back the queue whose pace is to be kept.
    pub(crate) async fn rested(&self, wanted: &Wanted) -> Result<Arc<HostQueue>, LedgerError> {
        let queue = self.queue(&wanted.scope, &wanted.rules).await?;
        {
            let mut state = queue.state();
            state.failures_before = 0;
            state.pace.failures = 0;
            state.pace.resting_until = None;
            state.pace.resting_because = None;
        }
        Ok(queue)
    }

    /// Counts a failure that only reading showed; gives back the queue whose pace is to be kept.
    pub(crate) async fn failed_after_all(
        &self,
        wanted: &Wanted,
        because: &str,
    ) -> Result<Arc<HostQueue>, LedgerError> {
        let queue = self.queue(&wanted.scope, &wanted.rules).await?;
        {
            let mut state = queue.state();
            state.pace.failures = state.pace.failures.max(state.failures_before);
            wanted.rules.fail(&mut state.pace, self.time.now(), because, None);
        }
        Ok(queue)
    }
}

impl HostQueue {
    /// The pace as it is now.
    pub(crate) fn pace(&self) -> Pace {
        self.state().pace.clone()
    }

    fn state(&self) -> MutexGuard<'_, HostQueueState> {
        // The rules change plain numbers, none of which makes another wrong.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }
}

fn let_go_of_idle(queues: &mut HashMap<String, Kept>) {
    if queues.len() < MAX_IDLE {
        return;
    }
    queues.retain(|_, it| Arc::strong_count(&it.queue) > 1 || it.used.elapsed() < IDLE_AFTER);
}
