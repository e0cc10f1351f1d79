//! Who cites whom among the pages of a task.

use std::collections::BTreeSet;

use evidence::{PageId, TaskId, WorkId};
use serde::Serialize;
use serde_json::Value;

use crate::events::Event;
use crate::row::RowExt;
use crate::{Reader, Result, WorkIdentifier};

/// One citation between two pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageCitation {
    pub citing: PageId,
    pub citing_domain: String,
    pub cited: PageId,
    pub cited_domain: String,
}

impl Reader<'_> {
    /// The citations that start from pages a task's searches found, in the order they were recorded.
    pub fn citations_of(&self, task: TaskId) -> Result<Vec<PageCitation>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT a.id AS citing, a.domain AS citing_domain, b.id AS cited, b.domain AS cited_domain
             FROM (SELECT DISTINCT s.page_id AS id FROM queries q JOIN serp_items s ON s.query_id = q.id
                   WHERE q.task_id = ?1 AND s.page_id IS NOT NULL) met
             JOIN edges e ON e.source_id = met.id AND e.relation = 'cites' AND e.target_type = 'page'
             JOIN pages a ON a.id = met.id JOIN pages b ON b.id = e.target_id ORDER BY e.id",
        )?;
        let found = statement.query_map([task.to_string()], |row| {
            Ok(PageCitation {
                citing: row.parse("citing")?,
                citing_domain: row.get("citing_domain")?,
                cited: row.parse("cited")?,
                cited_domain: row.get("cited_domain")?,
            })
        })?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }

    /// Whether a page cites another.
    pub fn cites_pages(&self, page: PageId) -> Result<bool> {
        Ok(self
            .connection
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM edges
                   WHERE source_id = ?1 AND relation = 'cites' AND target_type = 'page')",
            )?
            .query_row([page.to_string()], |row| row.get(0))?)
    }

    /// The names a work goes by, in a fixed order.
    pub fn identifiers_of(&self, work: WorkId) -> Result<Vec<WorkIdentifier>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT scheme, value FROM work_identifiers WHERE work_id = ?1 ORDER BY scheme, value",
        )?;
        let found = statement.query_map([work.to_string()], |row| {
            Ok(WorkIdentifier { scheme: row.get("scheme")?, value: row.get("value")? })
        })?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }

    /// Whether an index said that a work was retracted.
    pub fn is_retracted(&self, work: WorkId) -> Result<bool> {
        Ok(self
            .connection
            .prepare_cached("SELECT retracted_at IS NOT NULL FROM works WHERE id = ?1")?
            .query_row([work.to_string()], |row| row.get(0))?)
    }

    /// What happened in a task of one kind, oldest first.
    pub fn events_of_kind(&self, task: TaskId, kind: &str) -> Result<Vec<Event>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT * FROM events WHERE task_id = ?1 AND kind = ?2 ORDER BY id")?;
        let found = statement.query_map([&task.to_string(), kind], Event::from_row)?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }

    /// What pages and the language model of a task tried: `page_dangerous:RULE`, `llm_guard:RULE`. The rules, never the
    /// words.
    pub fn security_findings(&self, task: TaskId) -> Result<BTreeSet<String>> {
        let mut found = BTreeSet::new();
        for event in self.events_of_kind(task, "page_dangerous")? {
            let rules = event.detail["patterns"].as_array().cloned().unwrap_or_default();
            let rules = rules.iter().filter_map(Value::as_str);
            found.extend(rules.map(|it| format!("page_dangerous:{it}")));
        }
        for event in self.events_of_kind(task, "llm_guard")? {
            let rules = event.detail["warnings"].as_array().cloned().unwrap_or_default();
            let rules = rules.iter().filter_map(|it| it["pattern"].as_str());
            found.extend(rules.map(|it| format!("llm_guard:{it}")));
        }
        Ok(found)
    }
}
