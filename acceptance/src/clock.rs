//! A clock that can be put forward: rests of half an hour pass at once.

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
