//! What sites see of us, counted since the fetcher was opened.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

/// How much one more request moves the moving averages.
const WEIGHT: f64 = 0.1;

/// Counts and moving averages of the requests of one fetcher.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Metrics {
    pub requests: u64,
    /// Requests that got a whole answer.
    pub answered: u64,
    /// Answers from the archive, without a request.
    pub from_archive: u64,
    pub not_modified: u64,
    pub forbidden: u64,
    pub too_many_requests: u64,
    pub challenges: u64,
    pub with_referer: u64,
    pub over_ipv6: u64,
    /// The share of answers that were 304, lately.
    pub not_modified_rate: f64,
    /// The share of answers that were 403 or 429, lately.
    pub block_rate: f64,
}

#[derive(Debug, Default)]
pub(crate) struct Counters {
    metrics: Mutex<Metrics>,
    from_archive: AtomicU64,
}

impl Counters {
    pub(crate) fn sent(&self, with_referer: bool) {
        self.change(|metrics| {
            metrics.requests += 1;
            metrics.with_referer += u64::from(with_referer);
        });
    }

    pub(crate) fn answered(&self, status: u16, over_ipv6: bool) {
        self.change(|metrics| {
            let first = metrics.answered == 0;
            metrics.answered += 1;
            metrics.over_ipv6 += u64::from(over_ipv6);
            metrics.not_modified += u64::from(status == 304);
            metrics.forbidden += u64::from(status == 403);
            metrics.too_many_requests += u64::from(status == 429);
            moved(&mut metrics.not_modified_rate, status == 304, first);
            moved(&mut metrics.block_rate, matches!(status, 403 | 429), first);
        });
    }

    pub(crate) fn challenge(&self) {
        self.change(|it| it.challenges += 1);
    }

    pub(crate) fn archive_answered(&self) {
        self.from_archive.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn snapshot(&self) -> Metrics {
        let metrics = *self.metrics.lock().unwrap_or_else(PoisonError::into_inner);
        Metrics { from_archive: self.from_archive.load(Ordering::Relaxed), ..metrics }
    }

    fn change(&self, change: impl FnOnce(&mut Metrics)) {
        // Counts stay counts whatever happened to another thread.
        change(&mut self.metrics.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

fn moved(rate: &mut f64, happened: bool, first: bool) {
    let now = f64::from(u8::from(happened));
    *rate = if first { now } else { *rate + WEIGHT * (now - *rate) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_move_with_each_answer() {
        let counters = Counters::default();
        for status in [304, 200, 403, 429, 200] {
            counters.sent(status == 200);
            counters.answered(status, status == 304);
        }
        counters.challenge();
        counters.archive_answered();
        let it = counters.snapshot();
        assert_eq!((it.requests, it.answered, it.with_referer, it.over_ipv6), (5, 5, 2, 1));
        assert_eq!((it.not_modified, it.forbidden, it.too_many_requests), (1, 1, 1));
        assert_eq!((it.challenges, it.from_archive), (1, 1));
        assert!((it.not_modified_rate - 0.9_f64.powi(4)).abs() < 1e-12);
        assert!((it.block_rate - 0.9 * (0.1 + 0.9 * 0.1)).abs() < 1e-12);
    }
}
