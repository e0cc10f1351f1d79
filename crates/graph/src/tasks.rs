//! Tasks: the questions under investigation.

use evidence::{Budget, Task, TaskId, TaskStatus};
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;
use serde_json::Value;

use crate::row::RowExt;
use crate::{Error, Reader, Result, Writer};

/// A question to investigate.
#[derive(Debug, Clone)]
pub struct NewTask {
    pub query: String,
    pub hypothesis: Option<String>,
    pub language: Option<String>,
    pub budget: Budget,
    /// Which sources to use, preferred domains: what a client set beyond the budget.
    pub config: Value,
}

/// How much a task has gathered. Pages and passages are shared between tasks; here they count for
/// every task that uses them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TaskCounts {
    pub searches: u32,
    /// Pages its searches led to, or that its evidence was read from.
    pub pages: u32,
    /// Passages its claims were taken from or judged by.
    pub fragments: u32,
    pub claims: u32,
    /// Judgements about its claims.
    pub edges: u32,
}

impl Writer<'_> {
    /// Changes what a client set for a task beyond its budget. The log says who did.
    pub fn set_task_config(&self, task: TaskId, config: &Value) -> Result<()> {
        // No row names the event; it stands for itself.
        self.cause()?;
        let changed = self.connection.execute(
            "UPDATE tasks SET config = ?2, updated_at = ?3 WHERE id = ?1",
            params![task.to_string(), config.to_string(), self.now()],
        )?;
        match changed {
            0 => Err(Error::unknown("task", task)),
            _ => Ok(()),
        }
    }

    /// Records a question. Asking the same question again is a new task: two people may.
    pub fn create_task(&self, new: &NewTask) -> Result<TaskId> {
        if new.query.trim().is_empty() {
            return Err(Error::invalid("the question", "is empty"));
        }
        let id: TaskId = self.mint();
        let now = self.now();
        self.connection.execute(
            "INSERT INTO tasks (id, query, hypothesis, language, config, budget_max_pages,
                                budget_max_seconds, created_at, updated_at, cause_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9)",
            params![
                id.to_string(),
                new.query.trim(),
                new.hypothesis,
                new.language,
                new.config.to_string(),
                new.budget.max_pages,
                new.budget.max_seconds,
                now,
                self.cause()?.to_string(),
            ],
        )?;
        Ok(id)
    }

    /// Moves a task to `status`. Ending one keeps its reason and time; moving on clears them.
    pub fn set_task_status(
        &self,
        id: TaskId,
        status: TaskStatus,
        reason: Option<&str>,
    ) -> Result<()> {
        let task = self.task(id)?;
        if task.status == status && task.stop_reason.as_deref() == reason {
            return Ok(());
        }
        let ended = matches!(status, TaskStatus::Completed | TaskStatus::Failed);
        let now = self.now();
        // The cause of the row stays the event that created it; this one is in the log.
        self.cause()?;
        self.connection.execute(
            "UPDATE tasks SET status = ?2, updated_at = ?3, stopped_at = ?4, stop_reason = ?5 WHERE id = ?1",
            params![id.to_string(), status.as_str(), now, ended.then_some(&now), reason],
        )?;
        Ok(())
    }
}

impl Reader<'_> {
    pub fn task(&self, id: TaskId) -> Result<Task> {
        self.connection
            .prepare_cached("SELECT * FROM tasks WHERE id = ?1")?
            .query_row([id.to_string()], from_row)
            .optional()?
            .ok_or_else(|| Error::unknown("task", id))
    }

    /// All tasks, newest first.
    pub fn tasks(&self) -> Result<Vec<Task>> {
        let mut statement =
            self.connection.prepare_cached("SELECT * FROM tasks ORDER BY id DESC")?;
        Ok(statement.query_map([], from_row)?.collect::<rusqlite::Result<_>>()?)
    }

    /// Counts what a task has gathered so far.
    pub fn task_counts(&self, id: TaskId) -> Result<TaskCounts> {
        self.task(id)?;
        let mut statement = self.connection.prepare_cached(
            "WITH used(fragment_id) AS (
               SELECT origin_fragment_id FROM claims
               WHERE task_id = ?1 AND origin_fragment_id IS NOT NULL
               UNION
               SELECT e.source_id FROM claims c JOIN edges e ON e.target_id = c.id
               WHERE c.task_id = ?1 AND e.source_type = 'fragment'),
             seen(page_id) AS (
               SELECT s.page_id FROM queries q JOIN serp_items s ON s.query_id = q.id
               WHERE q.task_id = ?1 AND s.page_id IS NOT NULL
               UNION
               SELECT f.page_id FROM used JOIN fragments f ON f.id = used.fragment_id)
             SELECT (SELECT count(*) FROM queries WHERE task_id = ?1) AS searches,
                    (SELECT count(*) FROM seen) AS pages,
                    (SELECT count(*) FROM used) AS fragments,
                    (SELECT count(*) FROM claims WHERE task_id = ?1) AS claims,
                    (SELECT count(*) FROM claims c JOIN edges e ON e.target_id = c.id
                     WHERE c.task_id = ?1) AS edges",
        )?;
        Ok(statement.query_row([id.to_string()], |row| {
            Ok(TaskCounts {
                searches: row.get("searches")?,
                pages: row.get("pages")?,
                fragments: row.get("fragments")?,
                claims: row.get("claims")?,
                edges: row.get("edges")?,
            })
        })?)
    }
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<Task> {
    Ok(Task {
        id: row.parse("id")?,
        query: row.get("query")?,
        hypothesis: row.get("hypothesis")?,
        language: row.get("language")?,
        status: row.parse("status")?,
        budget: Budget {
            max_pages: row.get("budget_max_pages")?,
            max_seconds: row.get("budget_max_seconds")?,
        },
        created_at: row.parse("created_at")?,
        updated_at: row.parse("updated_at")?,
        stopped_at: row.parse_opt("stopped_at")?,
        stop_reason: row.get("stop_reason")?,
        cause_id: row.parse("cause_id")?,
    })
}
