//! The time that pauses are measured in.

use std::sync::Arc;

use jiff::Timestamp;
use ledger::Ledger;
use tokio::time::Instant;

use crate::pace::later;

/// The ledger's clock, which never steps back here: a clock that is set back must not shorten a pause, and one
/// that stands still must not make a wait endless.
#[derive(Debug)]
pub(crate) struct Time {
    ledger: Arc<dyn Ledger>,
    begun_at: Timestamp,
    begun: Instant,
}

impl Time {
    pub(crate) fn new(ledger: Arc<dyn Ledger>) -> Self {
        let begun_at = ledger.now();
        Self { ledger, begun_at, begun: Instant::now() }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.ledger.now().max(later(self.begun_at, self.begun.elapsed()))
    }
}
