//! Pages that need a person: the fetcher does not retry them but queues them.

use std::sync::Arc;

use evidence::{AuthId, EventId, TaskId};
use ledger::{AuthRequest, LedgerError};
use url::Url;

use crate::Fetcher;

/// A page that only a person can open.
#[derive(Debug, Clone)]
pub struct PersonNeeded {
    /// The address that was asked for, not that of the login it led to.
    pub url: Url,
    /// What a person is asked for: `login`, `consent`, `challenge`, or whose challenge it is, such as `cloudflare`.
    pub auth_type: String,
    pub task: Option<TaskId>,
    /// The event that led to the request.
    pub cause: Option<EventId>,
}

impl Fetcher {
    /// Puts a page on the queue; the category of its domain says how urgent it is. The same page of the same task
    /// waits there once.
    pub async fn queue_for_person(&self, needed: PersonNeeded) -> Result<AuthId, LedgerError> {
        let PersonNeeded { mut url, auth_type, task, cause } = needed;
        url.set_fragment(None);
        let host = url.host_str().unwrap_or_default().to_owned();
        let page = AuthRequest { task, cause, url: url.into(), host, auth_type };
        let ledger = Arc::clone(&self.inner.ledger);
        let queueing = tokio::task::spawn_blocking(move || ledger.queue_auth(&page));
        queueing.await.expect("writing the ledger does not panic")
    }
}
