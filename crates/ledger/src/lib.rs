//! What the fetcher writes down and what it remembers between two runs.
//!
//! `fetch` knows these rows and the [`Ledger`] it writes them to; `graph` stores them. Neither knows the other: the
//! fetcher can be read without SQL, and the graph without HTTP. `docs/adr/0021` has the reasons.

mod archive;
mod caches;
mod pace;
mod requests;
mod sessions;

use std::error::Error;
use std::fmt;

use evidence::AuthId;
use evidence::domain::DomainDecision;
use jiff::Timestamp;

pub use archive::{ArchiveKind, ArchiveRecord};
pub use caches::{CachedFetch, CachedRobots, DomainRoute};
pub use pace::Pace;
pub use requests::{AuthRequest, EgressAnswer, Entry, NewEgress};
pub use sessions::SealedSession;

/// Where the fetcher writes what it does, and reads what it did. Calls may wait for a disk.
pub trait Ledger: fmt::Debug + Send + Sync {
    fn now(&self) -> Timestamp;

    /// Writes all entries in one transaction, or none of them. Gives the number of each request, and nothing for other
    /// entries. `cause` names the kind of event that rows without a cause of their own lead back to.
    fn record(
        &self,
        cause: &'static str,
        entries: &[Entry],
    ) -> Result<Vec<Option<i64>>, LedgerError>;

    /// What the domain policy and the user say about a host.
    fn decide(&self, host: &str) -> Result<DomainDecision, LedgerError>;

    /// The pace that is kept for a scope.
    fn pace(&self, scope: &str) -> Result<Option<Pace>, LedgerError>;

    fn cached_fetch(&self, url: &str) -> Result<Option<CachedFetch>, LedgerError>;

    fn cached_robots(&self, origin: &str) -> Result<Option<CachedRobots>, LedgerError>;

    fn archive_record(&self, record_id: &str) -> Result<Option<ArchiveRecord>, LedgerError>;

    /// All records of an address, newest first.
    fn archive_of(&self, url: &str) -> Result<Vec<ArchiveRecord>, LedgerError>;

    /// What was made of an answer, newest first.
    fn made_of(&self, record_id: &str) -> Result<Vec<ArchiveRecord>, LedgerError>;

    /// What is known of how the pages of a site are read.
    fn domain_route(&self, domain: &str) -> Result<Option<DomainRoute>, LedgerError>;

    /// The session that a person has at a site, whether it is over or not.
    fn session(&self, domain: &str) -> Result<Option<SealedSession>, LedgerError>;

    /// Keeps a session, in place of the one before.
    fn keep_session(&self, session: &SealedSession) -> Result<(), LedgerError>;

    /// Forgets a session; says whether there was one.
    fn forget_session(&self, domain: &str, why: &str) -> Result<bool, LedgerError>;

    /// Puts a page that asks for a person on the queue. The same page of the same task waits there once.
    fn queue_auth(&self, page: &AuthRequest) -> Result<AuthId, LedgerError>;
}

/// Why the ledger could not be read or written, in the words of the storage behind it.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct LedgerError(Box<dyn Error + Send + Sync>);

impl LedgerError {
    pub fn new(source: impl Error + Send + Sync + 'static) -> Self {
        Self(Box::new(source))
    }

    /// The error of the storage, for callers that know which storage it is.
    pub fn downcast<E: Error + 'static>(self) -> Result<E, Self> {
        self.0.downcast().map(|source| *source).map_err(Self)
    }
}
