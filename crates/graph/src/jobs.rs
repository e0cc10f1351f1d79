//! Work as rows: the steps of a search, in order, and how each ended.
//!
//! A step is done in the same transaction that records what it found. After a crash, the next process sees which steps
//! are done and continues with the next.

use evidence::{JobId, SearchId, TaskId};
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;
use serde_json::Value;

use crate::row::RowExt;
use crate::{Error, Reader, Result, Writer};

/// A step to be done.
#[derive(Debug, Clone)]
pub struct NewJob {
    pub task_id: TaskId,
    pub search_id: SearchId,
    pub kind: &'static str,
    /// What it needs while it runs.
    pub slot: &'static str,
    pub priority: u32,
    pub payload: Value,
}

/// A step of a search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Job {
    pub id: JobId,
    pub task_id: TaskId,
    pub search_id: SearchId,
    /// Its place among the steps of the search, from 0.
    pub position: u32,
    pub kind: String,
    pub slot: String,
    pub priority: u32,
    pub state: JobState,
    pub payload: Value,
    pub result: Option<Value>,
    /// Why it failed.
    pub failure: Option<Value>,
}

/// How far a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    Queued,
    Running,
    Done,
    Failed,
    Cancelled,
}

impl JobState {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether nothing more will come of it.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Cancelled)
    }
}

impl Writer<'_> {
    /// Adds a step at the end of its search.
    pub fn add_job(&self, new: &NewJob) -> Result<JobId> {
        let id: JobId = self.mint();
        self.connection
            .prepare_cached(
                "INSERT INTO jobs (id, task_id, search_id, position, kind, slot, priority, payload, created_at, cause_id)
                 VALUES (?1, ?2, ?3, (SELECT coalesce(max(position) + 1, 0) FROM jobs WHERE search_id = ?3),
                         ?4, ?5, ?6, ?7, ?8, ?9)",
            )?
            .execute(params![
                id.to_string(),
                new.task_id.to_string(),
                new.search_id.to_string(),
                new.kind,
                new.slot,
                new.priority,
                new.payload.to_string(),
                self.now(),
                self.cause()?.to_string(),
            ])?;
        Ok(id)
    }

    /// Says that a step has begun. One that was begun before and not ended was cut off; that is counted.
    pub fn begin_job(&self, id: JobId) -> Result<()> {
        let changed = self.connection.execute(
            "UPDATE jobs SET state = 'running', attempts = attempts + 1, started_at = ?2
             WHERE id = ?1 AND state IN ('queued', 'running')",
            params![id.to_string(), self.now()],
        )?;
        if changed == 0 { Err(Error::unknown("waiting job", id)) } else { Ok(()) }
    }

    /// Records how a step ended, and what it found.
    pub fn end_job(&self, id: JobId, end: &JobEnd) -> Result<()> {
        let (state, result, failure) = match end {
            JobEnd::Done(result) => (JobState::Done, Some(result.to_string()), None),
            JobEnd::Failed(failure) => (JobState::Failed, None, Some(failure.to_string())),
            JobEnd::Cancelled(reason) => (JobState::Cancelled, None, Some(reason.to_string())),
        };
        let changed = self.connection.execute(
            "UPDATE jobs SET state = ?2, result = ?3, failure = ?4, finished_at = ?5
             WHERE id = ?1 AND state IN ('queued', 'running')",
            params![id.to_string(), state.as_str(), result, failure, self.now()],
        )?;
        if changed == 0 { Err(Error::unknown("waiting job", id)) } else { Ok(()) }
    }
}

/// How a step ends. Each carries facts, never prompts or page text.
#[derive(Debug, Clone)]
pub enum JobEnd {
    Done(Value),
    Failed(Value),
    Cancelled(Value),
}

impl Reader<'_> {
    /// The steps of a search, in order.
    pub fn jobs_of(&self, search: SearchId) -> Result<Vec<Job>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT * FROM jobs WHERE search_id = ?1 ORDER BY position")?;
        let jobs = statement.query_map([search.to_string()], from_row)?;
        Ok(jobs.collect::<rusqlite::Result<_>>()?)
    }

    /// How many steps of a kind a task has begun, ended ones included.
    pub fn begun_jobs(&self, task: TaskId, kind: &str) -> Result<u32> {
        Ok(self
            .connection
            .prepare_cached(
                "SELECT count(*) FROM jobs WHERE task_id = ?1 AND kind = ?2
                   AND state IN ('running', 'done', 'failed')",
            )?
            .query_row(params![task.to_string(), kind], |row| row.get(0))?)
    }

    /// The steps of a kind that failed in a task, the oldest first.
    pub fn failed_jobs(&self, task: TaskId, kind: &str) -> Result<Vec<Job>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT * FROM jobs WHERE task_id = ?1 AND kind = ?2 AND state = 'failed' ORDER BY finished_at, id",
        )?;
        let jobs = statement.query_map([&task.to_string(), kind], from_row)?;
        Ok(jobs.collect::<rusqlite::Result<_>>()?)
    }

    /// The searches of a task that have steps left to do, oldest first.
    pub fn unfinished_searches(&self, task: TaskId) -> Result<Vec<SearchId>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT id FROM queries WHERE task_id = ?1 AND status = 'running' ORDER BY id",
        )?;
        let found = statement.query_map([task.to_string()], |row| row.parse("id"))?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }

    /// The job a step is, whatever its state.
    pub fn job(&self, id: JobId) -> Result<Job> {
        self.connection
            .prepare_cached("SELECT * FROM jobs WHERE id = ?1")?
            .query_row([id.to_string()], from_row)
            .optional()?
            .ok_or_else(|| Error::unknown("job", id))
    }
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<Job> {
    let state: String = row.get("state")?;
    Ok(Job {
        id: row.parse("id")?,
        task_id: row.parse("task_id")?,
        search_id: row.parse("search_id")?,
        position: row.get("position")?,
        kind: row.get("kind")?,
        slot: row.get("slot")?,
        priority: row.get("priority")?,
        state: match state.as_str() {
            "queued" => JobState::Queued,
            "running" => JobState::Running,
            "done" => JobState::Done,
            "failed" => JobState::Failed,
            _ => JobState::Cancelled,
        },
        payload: row.parse("payload")?,
        result: row.parse_opt("result")?,
        failure: row.parse_opt("failure")?,
    })
}
