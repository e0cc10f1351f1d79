//! The passages searches kept, how a search ended, and what a task has spent.

use evidence::{FragmentId, PageId, Search, SearchId, SearchStatus, StopReason, TaskId};
use rusqlite::{OptionalExtension, params};
use serde::Serialize;
use serde_json::Value;

use crate::page_details::{PassageForAssessment, passage_from_row};
use crate::row::RowExt;
use crate::{Error, Reader, Result, Writer};

/// A passage a search kept, and its scores.
#[derive(Debug, Clone, PartialEq)]
pub struct Selected {
    pub fragment_id: FragmentId,
    pub score: f64,
    pub bm25: f64,
    pub similarity: Option<f64>,
}

/// How a search ended, in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchEnd {
    pub status: SearchStatus,
    pub stop_reason: StopReason,
    pub pages_fetched: u32,
    pub useful_fragments: u32,
    pub satisfaction_score: f64,
    pub novelty_score: f64,
    pub independent_sources: u32,
    pub has_primary_source: bool,
}

/// A search with everything that is known of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchDetails {
    #[serde(flatten)]
    pub search: Search,
    pub options: Value,
    pub harvest_rate: Option<f64>,
    pub satisfaction_score: Option<f64>,
    pub novelty_score: Option<f64>,
    pub independent_sources: Option<u32>,
    pub has_primary_source: Option<bool>,
    pub stop_reason: Option<StopReason>,
}

/// Working time of a task, over all sittings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Spent {
    pub seconds: f64,
    pub llm_seconds: f64,
}

impl Writer<'_> {
    /// Records that a search kept a passage. Returns whether no other search of the task had kept it.
    pub fn select_fragment(&self, search: SearchId, selected: &Selected) -> Result<bool> {
        let fragment = selected.fragment_id.to_string();
        let fresh = self
            .connection
            .prepare_cached(
                "SELECT 1 FROM selected_fragments s JOIN queries q ON q.id = s.query_id
                 WHERE s.fragment_id = ?1 AND q.task_id = (SELECT task_id FROM queries WHERE id = ?2) LIMIT 1",
            )?
            .query_row(params![fragment, search.to_string()], |_| Ok(()))
            .optional()?
            .is_none();
        self.connection
            .prepare_cached(
                "INSERT INTO selected_fragments (query_id, fragment_id, score, bm25, similarity, created_at, cause_id)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING",
            )?
            .execute(params![
                search.to_string(),
                fragment,
                selected.score,
                selected.bm25,
                selected.similarity,
                self.now(),
                self.cause()?.to_string(),
            ])?;
        Ok(fresh)
    }

    /// Records how a search ended.
    pub fn end_search(&self, id: SearchId, end: &SearchEnd) -> Result<()> {
        self.finish_search(id, end.status, end.pages_fetched, end.useful_fragments)?;
        self.connection.execute(
            "UPDATE queries SET satisfaction_score = ?2, novelty_score = ?3, independent_sources = ?4,
                    has_primary_source = ?5, stop_reason = ?6 WHERE id = ?1",
            params![
                id.to_string(),
                end.satisfaction_score,
                end.novelty_score,
                end.independent_sources,
                end.has_primary_source,
                end.stop_reason.as_str(),
            ],
        )?;
        Ok(())
    }

    /// Adds to the working time of a task.
    pub fn spend(&self, task: TaskId, spent: Spent) -> Result<()> {
        self.connection
            .prepare_cached(
                "UPDATE tasks SET seconds_used = seconds_used + ?2, llm_seconds = llm_seconds + ?3 WHERE id = ?1",
            )?
            .execute(params![task.to_string(), spent.seconds, spent.llm_seconds])?;
        Ok(())
    }
}

impl Reader<'_> {
    pub fn search(&self, id: SearchId) -> Result<SearchDetails> {
        self.connection
            .prepare_cached("SELECT * FROM queries WHERE id = ?1")?
            .query_row([id.to_string()], details_from_row)
            .optional()?
            .ok_or_else(|| Error::unknown("search", id))
    }

    /// The searches of a task with their numbers, oldest first.
    pub fn search_details_of(&self, task: TaskId) -> Result<Vec<SearchDetails>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT * FROM queries WHERE task_id = ?1 ORDER BY id")?;
        let found = statement.query_map([task.to_string()], details_from_row)?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }

    /// The passages that searches of a task kept, each once, in the order they were first kept.
    pub fn selected_of(&self, task: TaskId) -> Result<Vec<PassageForAssessment>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT f.* FROM fragments f JOIN (
               SELECT s.fragment_id AS id, min(s.cause_id) AS first FROM selected_fragments s
               JOIN queries q ON q.id = s.query_id WHERE q.task_id = ?1 GROUP BY s.fragment_id) kept ON kept.id = f.id
             ORDER BY kept.first, f.seq",
        )?;
        let found = statement.query_map([task.to_string()], passage_from_row)?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }

    /// The pages of a search that gave passages it kept, in the order they were kept.
    pub fn useful_pages_of(&self, search: SearchId) -> Result<Vec<PageId>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT f.page_id, min(s.cause_id) AS first, min(f.seq) AS seq FROM selected_fragments s
             JOIN fragments f ON f.id = s.fragment_id WHERE s.query_id = ?1
             GROUP BY f.page_id ORDER BY first, seq",
        )?;
        let found = statement.query_map([search.to_string()], |row| row.parse("page_id"))?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }

    /// What a client set for a task beyond its budget.
    pub fn task_config(&self, task: TaskId) -> Result<Value> {
        self.connection
            .prepare_cached("SELECT config FROM tasks WHERE id = ?1")?
            .query_row([task.to_string()], |row| row.parse("config"))
            .optional()?
            .ok_or_else(|| Error::unknown("task", task))
    }

    pub fn spent(&self, task: TaskId) -> Result<Spent> {
        self.connection
            .prepare_cached("SELECT seconds_used, llm_seconds FROM tasks WHERE id = ?1")?
            .query_row([task.to_string()], |row| {
                Ok(Spent { seconds: row.get(0)?, llm_seconds: row.get(1)? })
            })
            .optional()?
            .ok_or_else(|| Error::unknown("task", task))
    }

    /// The vector a model gave a claim or a passage, if stored.
    pub fn vector_of(&self, node: evidence::Node, model: &str) -> Result<Option<Vec<f32>>> {
        Ok(self
            .connection
            .prepare_cached(
                "SELECT embedding_blob FROM embeddings WHERE target_type = ?1 AND target_id = ?2 AND model_id = ?3",
            )?
            .query_row(params![node.kind().as_str(), node.id(), model], |row| {
                Ok(crate::embeddings::numbers(row.get_ref(0)?.as_blob()?))
            })
            .optional()?)
    }
}

fn details_from_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<SearchDetails> {
    Ok(SearchDetails {
        search: crate::searches::from_row(row)?,
        options: row.parse("options")?,
        harvest_rate: row.get("harvest_rate")?,
        satisfaction_score: row.get("satisfaction_score")?,
        novelty_score: row.get("novelty_score")?,
        independent_sources: row.get("independent_sources")?,
        has_primary_source: row.get("has_primary_source")?,
        stop_reason: row.parse_opt("stop_reason")?,
    })
}
