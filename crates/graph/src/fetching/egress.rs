//! The ledger of everything that left the machine.

use evidence::{EventId, TaskId};
use jiff::Timestamp;
use ledger::{EgressAnswer, NewEgress};
use rusqlite::{Row, params};
use serde::Serialize;

use crate::row::RowExt;
use crate::{Error, Reader, Result, Writer};

/// One row of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EgressRow {
    pub seq: i64,
    pub requested_at: Timestamp,
    pub task_id: Option<TaskId>,
    pub purpose: String,
    pub route: String,
    pub method: String,
    pub scheme: String,
    pub host: String,
    pub port: u16,
    pub path: String,
    /// What was prepared.
    pub request_bytes: u64,
    /// What left of it. `None`: cut off before it was known.
    pub sent_bytes: Option<u64>,
    pub address: Option<String>,
    pub status: Option<u16>,
    pub response_bytes: Option<u64>,
    /// `None`: cut off before there was an answer.
    pub outcome: Option<String>,
    pub finished_at: Option<Timestamp>,
    pub cause_id: String,
}

impl EgressRow {
    /// Bytes that were sent, or may have been.
    pub fn left(&self) -> u64 {
        self.sent_bytes.unwrap_or(self.request_bytes)
    }

    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            seq: row.get("seq")?,
            requested_at: row.parse("requested_at")?,
            task_id: row.parse_opt("task_id")?,
            purpose: row.get("purpose")?,
            route: row.get("route")?,
            method: row.get("method")?,
            scheme: row.get("scheme")?,
            host: row.get("host")?,
            port: row.get("port")?,
            path: row.get("path")?,
            request_bytes: row.get("request_bytes")?,
            sent_bytes: row.get("sent_bytes")?,
            address: row.get("address")?,
            status: row.get("status")?,
            response_bytes: row.get("response_bytes")?,
            outcome: row.get("outcome")?,
            finished_at: row.parse_opt("finished_at")?,
            cause_id: row.get("cause_id")?,
        })
    }
}

/// Which rows of the ledger to show.
#[derive(Debug, Clone, Default)]
pub struct EgressFilter {
    pub task: Option<TaskId>,
    pub host: Option<String>,
    pub since: Option<Timestamp>,
}

/// What the rows of the ledger add up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct EgressTotals {
    pub requests: u64,
    pub hosts: u64,
    /// Bytes that were sent, or may have been.
    pub sent_bytes: u64,
    pub response_bytes: u64,
    pub unanswered: u64,
}

impl Writer<'_> {
    /// Records a request before it leaves; the number names it in [`Writer::answer_egress`].
    pub fn record_egress(&self, new: &NewEgress) -> Result<i64> {
        self.record_egress_after(new, self.cause()?)
    }

    /// Records a request with the event that led to it: one transaction records the requests of many.
    pub fn record_egress_after(&self, new: &NewEgress, cause: EventId) -> Result<i64> {
        self.connection
            .prepare_cached(
                "INSERT INTO egress (requested_at, task_id, purpose, route, method, scheme, host, port, path,
                                     request_bytes, cause_id)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            )?
            .execute(params![
                self.now(),
                new.task_id.map(|it| it.to_string()),
                new.purpose,
                new.route,
                new.method,
                new.scheme,
                new.host,
                new.port,
                new.path,
                new.request_bytes,
                cause.to_string(),
            ])?;
        Ok(self.connection.last_insert_rowid())
    }

    /// Records how a request ended; once.
    pub fn answer_egress(&self, seq: i64, answer: &EgressAnswer) -> Result<()> {
        let changed = self
            .connection
            .prepare_cached(
                "UPDATE egress SET address = ?2, status = ?3, sent_bytes = ?4, response_bytes = ?5, outcome = ?6,
                        finished_at = ?7 WHERE seq = ?1",
            )?
            .execute(params![
                seq,
                answer.address,
                answer.status,
                answer.sent_bytes,
                answer.response_bytes,
                answer.outcome,
                self.now(),
            ])?;
        if changed == 0 {
            return Err(Error::unknown("request", seq));
        }
        Ok(())
    }
}

const MATCHING: &str = "(?1 IS NULL OR task_id = ?1) AND (?2 IS NULL OR host = ?2)
     AND (?3 IS NULL OR requested_at >= ?3)";

impl Reader<'_> {
    /// The newest rows of the ledger, newest first.
    pub fn egress(&self, filter: &EgressFilter, limit: usize) -> Result<Vec<EgressRow>> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT * FROM egress WHERE {MATCHING} ORDER BY seq DESC LIMIT ?4"
        ))?;
        let (task, host, since) = filter.values();
        let rows =
            statement.query_map(params![task, host, since, limit as i64], EgressRow::from_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// What the rows of the ledger add up to.
    pub fn egress_totals(&self, filter: &EgressFilter) -> Result<EgressTotals> {
        let (task, host, since) = filter.values();
        Ok(self.connection.query_row(
            &format!(
                "SELECT count(*), count(DISTINCT host), ifnull(sum(ifnull(sent_bytes, request_bytes)), 0),
                        ifnull(sum(response_bytes), 0), ifnull(sum(finished_at IS NULL), 0)
                 FROM egress WHERE {MATCHING}"
            ),
            params![task, host, since],
            |row| {
                Ok(EgressTotals {
                    requests: row.get(0)?,
                    hosts: row.get(1)?,
                    sent_bytes: row.get(2)?,
                    response_bytes: row.get(3)?,
                    unanswered: row.get(4)?,
                })
            },
        )?)
    }
}

impl EgressFilter {
    fn values(&self) -> (Option<String>, Option<&str>, Option<String>) {
        (
            self.task.map(|it| it.to_string()),
            self.host.as_deref(),
            self.since.map(crate::store::timestamp),
        )
    }
}
