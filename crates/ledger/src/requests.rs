//! Requests: what is about to be sent, how it ended, and what only a person can open.

use evidence::{EventId, TaskId};

use crate::{ArchiveRecord, CachedFetch, CachedRobots, Pace};

/// A request about to leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEgress {
    pub task_id: Option<TaskId>,
    /// Why it is made: `page`, `robots`, `engine:mojeek`, `api:openalex`.
    pub purpose: String,
    pub route: &'static str,
    pub method: &'static str,
    pub scheme: String,
    pub host: String,
    pub port: u16,
    /// The path with its query: what the other side learns.
    pub path: String,
    /// Bytes of the request line, the headers and the body, before encryption and compression.
    pub request_bytes: u64,
}

/// How a request ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EgressAnswer {
    /// The address that was connected to, where there was a connection.
    pub address: Option<String>,
    pub status: Option<u16>,
    /// How much of the request left: nothing if no connection came about.
    pub sent_bytes: u64,
    pub response_bytes: u64,
    /// `answered`, or the reason why there was no answer.
    pub outcome: String,
}

/// Something to write down.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// A request before it leaves, and the paces that count it.
    Request {
        request: NewEgress,
        /// The event that led to it.
        cause: Option<EventId>,
        paces: Vec<Pace>,
    },
    /// How the request with this number ended, where the archive holds it, and what to remember of it.
    Answer {
        seq: i64,
        answer: EgressAnswer,
        archived: Vec<ArchiveRecord>,
        cached: Vec<CachedFetch>,
    },
    /// What was made of an answer.
    Made(Vec<ArchiveRecord>),
    /// What rendering a page of a site showed.
    Rendered {
        domain: String,
        needed: bool,
    },
    Paces(Vec<Pace>),
    Robots(CachedRobots),
}

/// A page that only a person can open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthRequest {
    /// The task that wants it; `None` for a page requested outside of any.
    pub task: Option<TaskId>,
    /// The event that led to the request.
    pub cause: Option<EventId>,
    /// The address that was asked for, not that of the login it led to.
    pub url: String,
    pub host: String,
    /// What a person is asked for: `login`, `consent`, `challenge`, or whose challenge it is, such as `cloudflare`.
    pub auth_type: String,
}
