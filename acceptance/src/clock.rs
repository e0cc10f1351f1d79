//! Clocks that avoid waiting: one that can be put forward, so that rests of half an hour pass at once, and
//! one that runs fast.

use std::sync::atomic::{AtomicI64, Ordering};

use graph::{Clock, SystemClock};
use jiff::{SignedDuration, Timestamp};

#[derive(Debug, Default)]
pub(crate) struct Jumping {
    ahead_ms: AtomicI64,
}

impl Jumping {
    pub(crate) fn jump(&self, by: SignedDuration) {
        let ms = i64::try_from(by.as_millis()).expect("jumps are of hours");
        self.ahead_ms.fetch_add(ms, Ordering::SeqCst);
    }
}

impl Clock for Jumping {
    fn now(&self) -> Timestamp {
        let ahead = SignedDuration::from_millis(self.ahead_ms.load(Ordering::SeqCst));
        SystemClock.now().checked_add(ahead).expect("jumps stay within the calendar")
    }
}

/// How fast [`Fast`] runs: what is to pass between two questions to an engine is over in some milliseconds.
const TIMES: i64 = 600;

/// A clock that runs fast, counted from a moment that processes can share: the one that resumes where another was
/// killed does not go back in time.
///
/// Waiting for a moment sleeps as long as the clock says now, in real time. Where many come at once, the clock
/// also moves with each look at it, so that a moment comes without waiting.
#[derive(Debug)]
pub(crate) struct Fast {
    began: Timestamp,
    each_look: SignedDuration,
    looks: AtomicI64,
}

impl Fast {
    pub(crate) fn since(began: Timestamp, each_look: SignedDuration) -> Self {
        Self { began, each_look, looks: AtomicI64::new(0) }
    }
}

impl Clock for Fast {
    fn now(&self) -> Timestamp {
        let looks = self.looks.fetch_add(1, Ordering::SeqCst);
        let passed = SystemClock.now().duration_since(self.began).as_millis();
        let looked = self.each_look.as_millis().saturating_mul(looks.into());
        let passed = passed.saturating_mul(TIMES.into()).saturating_add(looked);
        let passed = SignedDuration::from_millis(i64::try_from(passed).unwrap_or(i64::MAX));
        self.began.checked_add(passed).expect("a run takes hours, not centuries")
    }
}
