//! Questions to the ledger, away from the threads that serve all requests.

use std::sync::Arc;

use ledger::{Ledger, LedgerError};
use tokio::sync::Semaphore;

/// Threads that ask at the same time: the ledger answers one after another, so more would only wait there.
const AT_ONCE: usize = 4;

/// The way to the ledger and to the files beside it.
#[derive(Debug)]
pub(crate) struct Reads {
    ledger: Arc<dyn Ledger>,
    turns: Semaphore,
}

impl Reads {
    pub(crate) fn new(ledger: Arc<dyn Ledger>) -> Self {
        Self { ledger, turns: Semaphore::new(AT_ONCE) }
    }

    pub(crate) async fn read<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&dyn Ledger) -> Result<T, LedgerError> + Send + 'static,
    ) -> Result<T, LedgerError> {
        let _turn = self.turns.acquire().await.expect("the semaphore is never closed");
        let ledger = Arc::clone(&self.ledger);
        let found = tokio::task::spawn_blocking(move || ask(ledger.as_ref())).await;
        found.expect("reading the ledger does not panic")
    }
}
