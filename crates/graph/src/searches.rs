//! Searches of a task (rows of `queries`) and the results engines gave them.

use evidence::{PageId, Search, SearchId, SearchStatus, SerpItemId, TaskId};
use rusqlite::{OptionalExtension, Row, params};
use serde_json::Value;

use crate::row::RowExt;
use crate::{Error, Reader, Result, Writer};

/// A query asked for a task.
#[derive(Debug, Clone)]
pub struct NewSearch {
    pub task_id: TaskId,
    pub query: String,
    pub options: Value,
}

/// One result an engine listed for a search.
#[derive(Debug, Clone)]
pub struct NewSerpItem {
    pub search_id: SearchId,
    pub engine: String,
    pub rank: u32,
    pub url: String,
    pub title: Option<String>,
    pub snippet: Option<String>,
    /// As exact as the source said it.
    pub published_at: Option<String>,
    /// What kind of source it was: `web`, `academic`, `api`, `library`, `exact`, `citation`.
    pub source_tag: Option<String>,
    /// The page it became, once it is one.
    pub page_id: Option<PageId>,
}

impl Writer<'_> {
    /// Records a search; the same query with the same options in a task is the same search.
    pub fn record_search(&self, new: &NewSearch) -> Result<SearchId> {
        if new.query.trim().is_empty() {
            return Err(Error::invalid("the query", "is empty"));
        }
        self.task(new.task_id)?;
        let (task, query, options) =
            (new.task_id.to_string(), new.query.trim(), new.options.to_string());
        let known = self
            .connection
            .prepare_cached(
                "SELECT id FROM queries WHERE task_id = ?1 AND query_text = ?2 AND options = ?3",
            )?
            .query_row(params![task, query, options], |row| row.parse("id"))
            .optional()?;
        if let Some(id) = known {
            return Ok(id);
        }
        let id: SearchId = self.mint();
        self.connection.execute(
            "INSERT INTO queries (id, task_id, query_text, options, created_at, cause_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![id.to_string(), task, query, options, self.now(), self.cause()?.to_string()],
        )?;
        Ok(id)
    }

    /// Records how far a search got.
    pub fn finish_search(
        &self,
        id: SearchId,
        status: SearchStatus,
        pages_fetched: u32,
        useful_fragments: u32,
    ) -> Result<()> {
        let changed = self.connection.execute(
            "UPDATE queries SET status = ?2, pages_fetched = ?3, useful_fragments = ?4,
                    harvest_rate = CASE WHEN ?3 > 0 THEN ?4 * 1.0 / ?3 END, finished_at = ?5
             WHERE id = ?1",
            params![id.to_string(), status.as_str(), pages_fetched, useful_fragments, self.now()],
        )?;
        if changed == 0 {
            return Err(Error::unknown("search", id));
        }
        self.cause()?;
        Ok(())
    }

    /// Records a result; the same URL from the same engine for the same search is the same result,
    /// and learns its page when that is known later.
    pub fn record_serp_item(&self, new: &NewSerpItem) -> Result<SerpItemId> {
        let search = new.search_id.to_string();
        let page = new.page_id.map(|it| it.to_string());
        let known: Option<(SerpItemId, Option<String>)> = self
            .connection
            .prepare_cached(
                "SELECT id, page_id FROM serp_items WHERE query_id = ?1 AND engine = ?2 AND url = ?3",
            )?
            .query_row(params![search, new.engine, new.url], |row| {
                Ok((row.parse("id")?, row.get("page_id")?))
            })
            .optional()?;
        if let Some((id, known_page)) = known {
            if page.is_some() && known_page != page {
                self.connection.execute(
                    "UPDATE serp_items SET page_id = ?2 WHERE id = ?1",
                    params![id.to_string(), page],
                )?;
                self.cause()?;
            }
            return Ok(id);
        }
        let id: SerpItemId = self.mint();
        self.connection
            .prepare_cached(
                "INSERT INTO serp_items (id, query_id, engine, rank, url, title, snippet, page_id, created_at, cause_id,
                                         published_at, source_tag)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
            )?
            .execute(params![
                id.to_string(),
                search,
                new.engine,
                new.rank,
                new.url,
                new.title,
                new.snippet,
                page,
                self.now(),
                self.cause()?.to_string(),
                new.published_at,
                new.source_tag,
            ])?;
        Ok(id)
    }
}

impl Reader<'_> {
    /// The searches of a task, oldest first.
    pub fn searches_of(&self, task: TaskId) -> Result<Vec<Search>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT * FROM queries WHERE task_id = ?1 ORDER BY id")?;
        Ok(statement.query_map([task.to_string()], from_row)?.collect::<rusqlite::Result<_>>()?)
    }
}

pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Search> {
    Ok(Search {
        id: row.parse("id")?,
        task_id: row.parse("task_id")?,
        query: row.get("query_text")?,
        status: row.parse("status")?,
        pages_fetched: row.get("pages_fetched")?,
        useful_fragments: row.get("useful_fragments")?,
        created_at: row.parse("created_at")?,
        cause_id: row.parse("cause_id")?,
    })
}
