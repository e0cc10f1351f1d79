//! The causal log: why each row is there.

use std::cell::OnceCell;

use evidence::{EventId, TaskId};
use jiff::Timestamp;
use rusqlite::{Row, params};
use serde::Serialize;
use serde_json::Value;

use crate::row::RowExt;
use crate::{Reader, Result, Writer};

/// Why a transaction happens: the kind of act, the act that led to it, and what is worth knowing.
#[derive(Debug, Clone)]
pub struct Cause {
    kind: &'static str,
    parent: Option<EventId>,
    task: Option<TaskId>,
    subject: Option<(&'static str, String)>,
    detail: Value,
}

impl Cause {
    /// Starts from the act itself, such as `task_create` or `feedback`.
    pub fn new(kind: &'static str) -> Self {
        Self {
            kind,
            parent: None,
            task: None,
            subject: None,
            detail: Value::Object(Default::default()),
        }
    }

    pub fn after(mut self, parent: EventId) -> Self {
        self.parent = Some(parent);
        self
    }

    pub fn in_task(mut self, task: TaskId) -> Self {
        self.task = Some(task);
        self
    }

    pub fn about(mut self, subject_type: &'static str, id: impl ToString) -> Self {
        self.subject = Some((subject_type, id.to_string()));
        self
    }

    /// Facts a replay needs. Never prompts, secrets or page text.
    pub fn with(mut self, detail: Value) -> Self {
        self.detail = detail;
        self
    }
}

/// One entry of the causal log.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Event {
    pub id: EventId,
    pub kind: String,
    pub task_id: Option<TaskId>,
    pub subject_type: Option<String>,
    pub subject_id: Option<String>,
    pub detail: Value,
    pub created_at: Timestamp,
    pub cause_id: Option<EventId>,
}

impl Event {
    pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.parse("id")?,
            kind: row.get("kind")?,
            task_id: row.parse_opt("task_id")?,
            subject_type: row.get("subject_type")?,
            subject_id: row.get("subject_id")?,
            detail: row.parse("detail")?,
            created_at: row.parse("created_at")?,
            cause_id: row.parse_opt("cause_id")?,
        })
    }
}

/// The cause of a transaction, written when the first row asks for it.
#[derive(Debug)]
pub(crate) struct LazyCause {
    cause: Cause,
    id: OnceCell<EventId>,
}

impl LazyCause {
    pub(crate) fn new(cause: Cause) -> Self {
        Self { cause, id: OnceCell::new() }
    }

    pub(crate) fn id(&self, writer: &Writer<'_>) -> Result<EventId> {
        if let Some(id) = self.id.get() {
            return Ok(*id);
        }
        let id = writer.record_event(self.cause.clone())?;
        Ok(*self.id.get_or_init(|| id))
    }
}

impl Writer<'_> {
    /// Adds an entry to the log on its own: a decision, a refusal, something that left no row.
    ///
    /// One that no other led to says in its detail who called (`by`), so that every chain of causes ends with a name.
    pub fn record_event(&self, mut event: Cause) -> Result<EventId> {
        if let (None, Some(caller), Value::Object(detail)) =
            (event.parent, self.caller(), &mut event.detail)
        {
            detail.insert("by".to_owned(), caller.into());
        }
        let id: EventId = self.mint();
        let (subject_type, subject_id) = event.subject.unzip();
        self.connection
            .prepare_cached(
                "INSERT INTO events (id, kind, task_id, subject_type, subject_id, detail, created_at, cause_id)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?
            .execute(params![
                id.to_string(),
                event.kind,
                event.task.map(|it| it.to_string()),
                subject_type,
                subject_id,
                event.detail.to_string(),
                self.now(),
                event.parent.map(|it| it.to_string()),
            ])?;
        Ok(id)
    }
}

impl Reader<'_> {
    /// The newest entry of the log: where it is the same, nothing was recorded meanwhile.
    pub fn newest_event(&self) -> Result<Option<EventId>> {
        let newest: Option<String> = self
            .connection
            .prepare_cached("SELECT max(id) FROM events")?
            .query_row([], |row| row.get(0))?;
        Ok(newest.map(|it| it.parse()).transpose()?)
    }

    /// How a row came to be: its cause, the cause of that, up to the first.
    pub fn causes_of(&self, event: EventId) -> Result<Vec<Event>> {
        let mut statement = self.connection.prepare_cached(
            "WITH RECURSIVE chain(id, depth) AS (
               SELECT ?1, 0
               UNION ALL
               SELECT e.cause_id, depth + 1 FROM chain JOIN events e ON e.id = chain.id
               WHERE e.cause_id IS NOT NULL)
             SELECT events.* FROM chain JOIN events USING (id) ORDER BY depth",
        )?;
        let events = statement.query_map([event.to_string()], Event::from_row)?;
        Ok(events.collect::<rusqlite::Result<_>>()?)
    }
}
