//! The queue of pages that ask for a person: a login, a proof of being human, terms to accept.
//!
//! Work continues elsewhere. One visit of a person opens a domain, so entries can be settled for a whole
//! domain, in all tasks that wait for it.

use evidence::domain::site_of;
use evidence::{AuthId, AuthPriority, AuthStatus, TaskId};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

use crate::row::RowExt;
use crate::{Error, Reader, Result, Writer};

/// A page that asks for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAuth {
    /// The task that wants it; `None` for a page requested outside of any.
    pub task_id: Option<TaskId>,
    /// The address that was asked for, not that of the login it led to.
    pub url: String,
    /// The registrable domain of the address.
    pub domain: String,
    /// What a person is asked for: `login`, `consent`, `challenge`, or whose challenge it is, such as `cloudflare`.
    pub auth_type: String,
    pub priority: AuthPriority,
}

/// An entry of the queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuthEntry {
    pub id: AuthId,
    pub task_id: Option<TaskId>,
    pub url: String,
    pub domain: String,
    pub auth_type: String,
    pub priority: AuthPriority,
    pub status: AuthStatus,
    /// When it came to wait, the last time.
    pub created_at: Timestamp,
    pub resolved_at: Option<Timestamp>,
    pub cause_id: String,
}

impl AuthEntry {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.parse("id")?,
            task_id: row.parse_opt("task_id")?,
            url: row.get("url")?,
            domain: row.get("domain")?,
            auth_type: row.get("auth_type")?,
            priority: row.parse("priority")?,
            status: row.parse("status")?,
            created_at: row.parse("created_at")?,
            resolved_at: row.parse_opt("resolved_at")?,
            cause_id: row.get("cause_id")?,
        })
    }
}

/// Which entries to show.
#[derive(Debug, Clone, Default)]
pub struct AuthFilter {
    pub task: Option<TaskId>,
    /// `None`: any outcome.
    pub status: Option<AuthStatus>,
}

/// What waits for a person, in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct AuthWaiting {
    pub pending: u64,
    pub high_priority: u64,
    pub domains: u64,
    pub oldest: Option<Timestamp>,
}

/// What people were asked for on behalf of a task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Visits {
    pub visits: u64,
    pub seconds: u64,
}

/// The kind of event that a window for a person leaves: how long it was open, and what came of it.
pub const VISIT: &str = "auth_visit";

/// What a person saw to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthTarget {
    Entry(AuthId),
    /// Everything that waits for this domain, in all tasks.
    Domain(String),
}

impl Writer<'_> {
    /// Puts a page on the queue. One that waits already stays as it is, one that a person skipped stays skipped; one that
    /// was settled and asks again waits again.
    pub fn queue_auth(&self, new: &NewAuth) -> Result<AuthId> {
        if new.url.trim().is_empty() {
            return Err(Error::invalid("the address", "is empty"));
        }
        if let Some(task) = new.task_id {
            self.task(task)?;
        }
        let task = new.task_id.map(|it| it.to_string());
        let known: Option<(AuthId, AuthStatus)> = self
            .connection
            .prepare_cached("SELECT id, status FROM auth_queue WHERE task_id IS ?1 AND url = ?2")?
            .query_row(params![task, new.url], |row| Ok((row.parse("id")?, row.parse("status")?)))
            .optional()?;
        match known {
            Some((id, AuthStatus::Pending | AuthStatus::Skipped)) => Ok(id),
            Some((id, AuthStatus::Resolved | AuthStatus::Failed)) => {
                self.connection.execute(
                    "UPDATE auth_queue SET status = 'pending', auth_type = ?2, priority = ?3, created_at = ?4,
                            resolved_at = NULL, cause_id = ?5 WHERE id = ?1",
                    params![
                        id.to_string(),
                        new.auth_type,
                        new.priority.as_str(),
                        self.now(),
                        self.cause()?.to_string(),
                    ],
                )?;
                Ok(id)
            }
            None => {
                let id: AuthId = self.mint();
                self.connection.execute(
                    "INSERT INTO auth_queue (id, task_id, url, domain, auth_type, priority, created_at, cause_id)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                    params![
                        id.to_string(),
                        task,
                        new.url,
                        new.domain,
                        new.auth_type,
                        new.priority.as_str(),
                        self.now(),
                        self.cause()?.to_string(),
                    ],
                )?;
                Ok(id)
            }
        }
    }

    /// A person opened the page; returns how many entries waited for it.
    pub fn resolve_auth(&self, target: &AuthTarget) -> Result<usize> {
        self.settle_auth(target, AuthStatus::Resolved)
    }

    /// A person skipped the page; returns how many entries waited for it.
    pub fn skip_auth(&self, target: &AuthTarget) -> Result<usize> {
        self.settle_auth(target, AuthStatus::Skipped)
    }

    /// A person tried and failed; returns how many entries waited for it.
    pub fn fail_auth(&self, target: &AuthTarget) -> Result<usize> {
        self.settle_auth(target, AuthStatus::Failed)
    }

    /// Entries that are settled already stay as they are.
    fn settle_auth(&self, target: &AuthTarget, status: AuthStatus) -> Result<usize> {
        let (column, value) = match target {
            AuthTarget::Entry(id) => {
                self.auth_entry(*id)?;
                ("id", id.to_string())
            }
            AuthTarget::Domain(host) => ("domain", site_of(host)),
        };
        let changed = self.connection.execute(
            &format!(
                "UPDATE auth_queue SET status = ?2, resolved_at = ?3 WHERE {column} = ?1 AND status = 'pending'"
            ),
            params![value, status.as_str(), self.now()],
        )?;
        if changed > 0 {
            // The cause of the row stays the event that queued it; this one is in the log.
            self.cause()?;
        }
        Ok(changed)
    }
}

impl Reader<'_> {
    pub fn auth_entry(&self, id: AuthId) -> Result<AuthEntry> {
        self.connection
            .prepare_cached("SELECT * FROM auth_queue WHERE id = ?1")?
            .query_row([id.to_string()], AuthEntry::from_row)
            .optional()?
            .ok_or_else(|| Error::unknown("auth queue entry", id))
    }

    /// The queue, the most urgent first, then who waits longest.
    pub fn auth_queue(&self, filter: &AuthFilter, limit: usize) -> Result<Vec<AuthEntry>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT * FROM auth_queue
             WHERE (?1 IS NULL OR task_id = ?1) AND (?2 IS NULL OR status = ?2)
             ORDER BY CASE priority WHEN 'high' THEN 0 WHEN 'medium' THEN 1 ELSE 2 END, created_at, id
             LIMIT ?3",
        )?;
        let task = filter.task.map(|it| it.to_string());
        let status = filter.status.map(AuthStatus::as_str);
        let rows = statement.query_map(params![task, status, limit as i64], AuthEntry::from_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// How often, and for how long, windows were open for a task.
    pub fn visits_of(&self, task: TaskId) -> Result<Visits> {
        Ok(self.connection.query_row(
            "SELECT count(*) AS visits, ifnull(sum(detail ->> 'seconds'), 0) AS seconds
             FROM events WHERE task_id = ?1 AND kind = ?2",
            params![task.to_string(), VISIT],
            |row| Ok(Visits { visits: row.get("visits")?, seconds: row.get("seconds")? }),
        )?)
    }

    /// How much waits for a person, in a task or in all.
    pub fn auth_waiting(&self, task: Option<TaskId>) -> Result<AuthWaiting> {
        let task = task.map(|it| it.to_string());
        Ok(self.connection.query_row(
            "SELECT count(*) AS pending, ifnull(sum(priority = 'high'), 0) AS high,
                    count(DISTINCT domain) AS domains, min(created_at) AS oldest
             FROM auth_queue WHERE status = 'pending' AND (?1 IS NULL OR task_id = ?1)",
            params![task],
            |row| {
                Ok(AuthWaiting {
                    pending: row.get("pending")?,
                    high_priority: row.get("high")?,
                    domains: row.get("domains")?,
                    oldest: row.parse_opt("oldest")?,
                })
            },
        )?)
    }
}
