//! The graph as the fetcher sees it: where it writes what it does, and reads what it did.

use std::sync::Arc;

use evidence::domain::{DomainDecision, site_of};
use evidence::{AuthId, AuthPriority};
use jiff::Timestamp;
use ledger::{
    ArchiveRecord, AuthRequest, CachedFetch, CachedRobots, DomainRoute, Entry, Ledger, LedgerError,
    Pace, SealedSession,
};

use crate::auth_queue::NewAuth;
use crate::{Cause, Error, Graph, PolicyFile, Reader, Result, Writer};

/// A graph and the domain policy that its user may change while it is open.
#[derive(Debug, Clone)]
pub struct GraphLedger {
    graph: Arc<Graph>,
    policy: Arc<PolicyFile>,
}

impl GraphLedger {
    /// Under the shipped policy.
    pub fn new(graph: Arc<Graph>) -> Self {
        Self::under(graph, Arc::new(PolicyFile::open(None)))
    }

    pub fn under(graph: Arc<Graph>, policy: Arc<PolicyFile>) -> Self {
        Self { graph, policy }
    }

    fn read<T>(&self, ask: impl FnOnce(&Reader<'_>) -> Result<T>) -> Result<T, LedgerError> {
        self.graph.read(ask).map_err(LedgerError::new)
    }
}

impl Ledger for GraphLedger {
    fn now(&self) -> Timestamp {
        self.graph.now()
    }

    fn record(
        &self,
        cause: &'static str,
        entries: &[Entry],
    ) -> Result<Vec<Option<i64>>, LedgerError> {
        let written = self.graph.write(Cause::new(cause), |writer| {
            entries.iter().map(|entry| writer.record_entry(entry)).collect()
        });
        written.map_err(LedgerError::new)
    }

    fn decide(&self, host: &str) -> Result<DomainDecision, LedgerError> {
        self.read(|r| r.decide(host, &self.policy.current()))
    }

    fn pace(&self, scope: &str) -> Result<Option<Pace>, LedgerError> {
        self.read(|r| r.pace(scope))
    }

    fn cached_fetch(&self, url: &str) -> Result<Option<CachedFetch>, LedgerError> {
        self.read(|r| r.cached_fetch(url))
    }

    fn cached_robots(&self, origin: &str) -> Result<Option<CachedRobots>, LedgerError> {
        self.read(|r| r.cached_robots(origin))
    }

    fn archive_record(&self, record_id: &str) -> Result<Option<ArchiveRecord>, LedgerError> {
        self.read(|r| r.archive_record(record_id))
    }

    fn archive_of(&self, url: &str) -> Result<Vec<ArchiveRecord>, LedgerError> {
        self.read(|r| r.archive_of(url))
    }

    fn made_of(&self, record_id: &str) -> Result<Vec<ArchiveRecord>, LedgerError> {
        self.read(|r| r.made_of(record_id))
    }

    fn domain_route(&self, domain: &str) -> Result<Option<DomainRoute>, LedgerError> {
        self.read(|r| r.domain_route(domain))
    }

    fn session(&self, domain: &str) -> Result<Option<SealedSession>, LedgerError> {
        self.read(|r| r.session(domain))
    }

    fn keep_session(&self, session: &SealedSession) -> Result<(), LedgerError> {
        let cause = Cause::new("session_kept").about("domain", &session.domain);
        let kept = self.graph.write(cause, |writer| writer.keep_session(session));
        kept.map_err(LedgerError::new)
    }

    fn forget_session(&self, domain: &str, why: &str) -> Result<bool, LedgerError> {
        let cause = Cause::new("session_over").about("domain", domain);
        let cause = cause.with(serde_json::json!({ "why": why }));
        self.graph.write(cause, |writer| writer.forget_session(domain)).map_err(LedgerError::new)
    }

    fn queue_auth(&self, page: &AuthRequest) -> Result<AuthId, LedgerError> {
        let mut cause = Cause::new("auth_queue").about("url", &page.url);
        if let Some(task) = page.task {
            cause = cause.in_task(task);
        }
        if let Some(parent) = page.cause {
            cause = cause.after(parent);
        }
        let queued = self.graph.write(cause, |writer| {
            let category = writer.decide(&page.host, &self.policy.current())?.category;
            writer.queue_auth(&NewAuth {
                task_id: page.task,
                url: page.url.clone(),
                domain: site_of(&page.host),
                auth_type: page.auth_type.clone(),
                priority: AuthPriority::of(category),
            })
        });
        queued.map_err(LedgerError::new)
    }
}

impl Writer<'_> {
    /// The number of a request, nothing for other entries.
    fn record_entry(&self, entry: &Entry) -> Result<Option<i64>> {
        match entry {
            Entry::Request { request, cause, paces } => {
                for pace in paces {
                    self.keep_pace(pace)?;
                }
                let seq = match cause {
                    Some(cause) => self.record_egress_after(request, *cause)?,
                    None => self.record_egress(request)?,
                };
                return Ok(Some(seq));
            }
            Entry::Answer { seq, answer, archived, cached } => {
                self.answer_egress(*seq, answer)?;
                for record in archived {
                    self.record_archived(record)?;
                }
                for fetch in cached {
                    self.cache_fetch(fetch)?;
                }
            }
            Entry::Made(records) => {
                for record in records {
                    self.record_archived(record)?;
                }
            }
            Entry::Rendered { domain, needed } => self.record_rendered(domain, *needed)?,
            Entry::Paces(paces) => {
                for pace in paces {
                    self.keep_pace(pace)?;
                }
            }
            Entry::Robots(robots) => self.cache_robots(robots)?,
        }
        Ok(None)
    }
}

impl From<LedgerError> for Error {
    /// Where the ledger is a graph, its errors are those of the graph.
    fn from(error: LedgerError) -> Self {
        error.downcast().unwrap_or_else(|other| Self::invalid("the ledger", other.to_string()))
    }
}
