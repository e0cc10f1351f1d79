//! Time and ids come from here, so that tests and replays can set both.

use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};

use evidence::Id;
use jiff::{SignedDuration, Timestamp};

/// Where the graph takes the time of its rows from.
pub trait Clock: Send + Sync + fmt::Debug {
    fn now(&self) -> Timestamp;
}

/// The time of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one place that asks the machine")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// A clock that stands still until it is moved: for tests, demos and replays.
#[derive(Debug)]
pub struct FixedClock(AtomicI64);

impl FixedClock {
    pub fn at(time: Timestamp) -> Self {
        Self(AtomicI64::new(time.as_millisecond()))
    }

    pub fn advance(&self, by: SignedDuration) {
        let millis = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        self.0.fetch_add(millis, Ordering::Relaxed);
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millisecond(self.0.load(Ordering::Relaxed)).unwrap_or(Timestamp::MAX)
    }
}

/// Mints ids that sort in the order they were made, also within one millisecond.
#[derive(Debug)]
pub(crate) struct IdMint {
    random: fastrand::Rng,
    last: (u64, u128),
}

impl IdMint {
    pub(crate) fn new(seed: Option<u64>) -> Self {
        let random = seed.map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed);
        Self { random, last: (0, 0) }
    }

    pub(crate) fn mint<T: Id>(&mut self, now: Timestamp) -> T {
        let millis = u64::try_from(now.as_millisecond()).unwrap_or(0).max(self.last.0);
        let random = if millis == self.last.0 {
            self.last.1 + 1
        } else {
            // One bit is left free, so that counting up inside a millisecond cannot overflow 80 bits.
            self.random.u128(..1 << 79)
        };
        self.last = (millis, random);
        T::from_parts(millis, random)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evidence::ClaimId;

    #[test]
    fn ids_of_one_millisecond_keep_their_order() {
        let mut mint = IdMint::new(Some(7));
        let now = Timestamp::from_second(1_700_000_000).unwrap();
        let ids: Vec<ClaimId> = (0..1000).map(|_| mint.mint(now)).collect();
        assert!(ids.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn a_clock_that_steps_back_does_not_bring_ids_out_of_order() {
        let mut mint = IdMint::new(Some(7));
        let first: ClaimId = mint.mint(Timestamp::from_second(100).unwrap());
        let second: ClaimId = mint.mint(Timestamp::from_second(50).unwrap());
        assert!(first < second);
    }
}
