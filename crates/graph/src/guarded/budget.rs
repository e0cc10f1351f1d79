//! The budget of one query: SQLite asks now and then whether to continue.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::{QueryError, QuerySettings, allowance};
use crate::{Error, Stop};

/// How many instructions run between two questions: often enough to stop soon where each of them works on a
/// megabyte, rare enough not to be felt.
pub(super) const STRIDE: i32 = 50;

/// Time and steps left to a query. The engine holds one end, the caller the other.
#[derive(Debug)]
pub(super) struct Budget {
    deadline: Instant,
    limit: u64,
    used: Arc<AtomicU64>,
    stop: Stop,
}

impl Budget {
    pub(super) fn new(started: Instant, limits: &QuerySettings, stop: &Stop) -> Self {
        let (deadline, limit) = (started + limits.timeout(), limits.vm_steps);
        Self { deadline, limit, used: Arc::default(), stop: stop.clone() }
    }

    /// Answers `true` when the query has to stop.
    pub(super) fn handler(&self) -> impl FnMut() -> bool + Send + 'static {
        let stride = u64::from(STRIDE.unsigned_abs());
        let (deadline, limit, used) = (self.deadline, self.limit, Arc::clone(&self.used));
        let stop = self.stop.clone();
        move || {
            let steps = used.fetch_add(stride, Ordering::Relaxed) + stride;
            steps > limit
                || Instant::now() >= deadline
                || allowance::is_spent()
                || stop.is_requested()
        }
    }

    /// Which of the two ran out, or whether the query was cancelled, asked after the engine has stopped.
    pub(super) fn spent(&self, limits: &QuerySettings) -> QueryError {
        if self.stop.is_requested() {
            QueryError::Graph(Error::Interrupted)
        } else if self.used.load(Ordering::Relaxed) > self.limit {
            QueryError::TooManySteps { steps: self.limit }
        } else {
            QueryError::TimedOut { ms: limits.timeout_ms }
        }
    }
}
