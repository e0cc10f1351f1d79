//! Which rows belong to a task.
//!
//! Pages are shared by all tasks, so an export takes those this task met and nothing another task
//! thought about them: of events that belong to other tasks only the bare fact is taken along.

use evidence::TaskId;
use rusqlite::Connection;

use crate::Result;

/// The tables of the scope, filled in the order of `COLLECT`; dropped with the value.
pub(super) struct Scope<'a> {
    connection: &'a Connection,
}

/// `in_scope(tab, id)` names every row that travels. Each step may use the ones before it.
const COLLECT: &[&str] = &[
    "INSERT INTO in_scope SELECT 'claims', id FROM claims WHERE task_id = ?1",
    "INSERT INTO in_scope SELECT 'queries', id FROM queries WHERE task_id = ?1",
    "INSERT INTO in_scope SELECT 'serp_items', s.id FROM serp_items s JOIN queries q ON q.id = s.query_id
     WHERE q.task_id = ?1",
    // Stances on its claims; a claim of another task stays where it is.
    "INSERT INTO in_scope SELECT 'edges', e.id FROM claims c JOIN edges e ON e.target_id = c.id
     WHERE c.task_id = ?1 AND (e.source_type <> 'claim'
       OR e.source_id IN (SELECT id FROM claims WHERE task_id = ?1))",
    "INSERT OR IGNORE INTO in_scope SELECT 'pages', p FROM (
       SELECT s.page_id AS p FROM serp_items s JOIN queries q ON q.id = s.query_id WHERE q.task_id = ?1
       UNION SELECT f.page_id FROM in_scope i JOIN edges e ON e.id = i.id JOIN fragments f ON f.id = e.source_id
         WHERE i.tab = 'edges'
       UNION SELECT f.page_id FROM claims c JOIN fragments f ON f.id = c.origin_fragment_id WHERE c.task_id = ?1
       UNION SELECT v.page_id FROM claim_events v JOIN claims c ON c.id = v.claim_id WHERE c.task_id = ?1)
     WHERE p IS NOT NULL",
    "INSERT INTO in_scope SELECT 'fragments', f.id FROM in_scope i JOIN fragments f ON f.page_id = i.id
     WHERE i.tab = 'pages'",
    // Citations that start from these pages, and the pages and passages they lead to.
    "INSERT INTO in_scope SELECT 'edges', e.id FROM in_scope i JOIN edges e ON e.source_id = i.id
     WHERE i.tab IN ('pages', 'fragments') AND e.relation = 'cites'",
    "INSERT OR IGNORE INTO in_scope SELECT 'pages', coalesce(f.page_id, e.target_id)
     FROM in_scope i JOIN edges e ON e.id = i.id LEFT JOIN fragments f ON f.id = e.target_id
     WHERE i.tab = 'edges' AND e.relation = 'cites'",
    "INSERT OR IGNORE INTO in_scope SELECT 'fragments', e.target_id FROM in_scope i JOIN edges e ON e.id = i.id
     WHERE i.tab = 'edges' AND e.target_type = 'fragment'",
    "INSERT OR IGNORE INTO in_scope SELECT 'works', p.work_id FROM in_scope i JOIN pages p ON p.id = i.id
     WHERE i.tab = 'pages' AND p.work_id IS NOT NULL",
    "INSERT INTO in_scope SELECT 'embeddings', m.id FROM in_scope i JOIN embeddings m
       ON m.target_type = CASE i.tab WHEN 'claims' THEN 'claim' ELSE 'fragment' END AND m.target_id = i.id
     WHERE i.tab IN ('claims', 'fragments')",
    "INSERT INTO in_scope SELECT 'claim_events', v.id FROM in_scope i JOIN claim_events v ON v.claim_id = i.id
     WHERE i.tab = 'claims'",
    "INSERT INTO in_scope SELECT 'nli_corrections', n.id FROM in_scope i JOIN nli_corrections n ON n.edge_id = i.id
     WHERE i.tab = 'edges'",
    "INSERT OR IGNORE INTO in_scope SELECT 'entities', l.entity_id FROM in_scope i JOIN entity_links l
       ON l.target_id = i.id WHERE i.tab IN ('claims', 'fragments', 'pages')",
    "INSERT OR IGNORE INTO in_scope SELECT 'events', id FROM events WHERE task_id = ?1",
    "INSERT OR IGNORE INTO in_scope SELECT 'events', cause FROM (
       SELECT cause_id AS cause FROM tasks WHERE id = ?1
       UNION SELECT x.cause_id FROM in_scope i JOIN claims x ON x.id = i.id WHERE i.tab = 'claims'
       UNION SELECT x.cause_id FROM in_scope i JOIN queries x ON x.id = i.id WHERE i.tab = 'queries'
       UNION SELECT x.cause_id FROM in_scope i JOIN serp_items x ON x.id = i.id WHERE i.tab = 'serp_items'
       UNION SELECT x.cause_id FROM in_scope i JOIN edges x ON x.id = i.id WHERE i.tab = 'edges'
       UNION SELECT x.cause_id FROM in_scope i JOIN pages x ON x.id = i.id WHERE i.tab = 'pages'
       UNION SELECT x.cause_id FROM in_scope i JOIN fragments x ON x.id = i.id WHERE i.tab = 'fragments'
       UNION SELECT x.cause_id FROM in_scope i JOIN works x ON x.id = i.id WHERE i.tab = 'works'
       UNION SELECT x.cause_id FROM in_scope i JOIN work_identifiers x ON x.work_id = i.id WHERE i.tab = 'works'
       UNION SELECT x.cause_id FROM in_scope i JOIN embeddings x ON x.id = i.id WHERE i.tab = 'embeddings'
       UNION SELECT x.cause_id FROM in_scope i JOIN claim_events x ON x.id = i.id WHERE i.tab = 'claim_events'
       UNION SELECT x.cause_id FROM in_scope i JOIN nli_corrections x ON x.id = i.id WHERE i.tab = 'nli_corrections'
       UNION SELECT x.cause_id FROM in_scope i JOIN entities x ON x.id = i.id WHERE i.tab = 'entities'
       UNION SELECT x.cause_id FROM in_scope i JOIN entity_links x ON x.entity_id = i.id WHERE i.tab = 'entities')",
    "INSERT OR IGNORE INTO in_scope
     WITH RECURSIVE up(id) AS (
       SELECT id FROM in_scope WHERE tab = 'events'
       UNION SELECT e.cause_id FROM up JOIN events e ON e.id = up.id WHERE e.cause_id IS NOT NULL)
     SELECT 'events', id FROM up",
];

impl<'a> Scope<'a> {
    pub(super) fn collect(connection: &'a Connection, task: TaskId) -> Result<Self> {
        connection.execute_batch(
            "CREATE TEMP TABLE in_scope (tab TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (tab, id)) WITHOUT ROWID",
        )?;
        let scope = Self { connection };
        for sql in COLLECT {
            let mut statement = connection.prepare(sql)?;
            match statement.parameter_count() {
                0 => statement.execute([])?,
                _ => statement.execute([task.to_string()])?,
            };
        }
        Ok(scope)
    }

    /// The rows of `table` that travel, as a query over all its stored columns, in a fixed order.
    pub(super) fn select(&self, table: &str, task: TaskId) -> Result<(Vec<String>, String)> {
        let columns = stored_columns(self.connection, table)?;
        let list = |prefix: &str| {
            columns.iter().map(|it| format!("{prefix}{it}")).collect::<Vec<_>>().join(", ")
        };
        let sql = match table {
            "tasks" => format!("SELECT {} FROM tasks WHERE id = '{task}'", list("")),
            "events" => {
                // What another task was about is not this export's to tell.
                let shown = columns.iter().map(|column| match column.as_str() {
                    "detail" => foreign(task, "'{}'", "t.detail"),
                    "task_id" | "subject_type" | "subject_id" => {
                        foreign(task, "NULL", &format!("t.{column}"))
                    }
                    _ => format!("t.{column}"),
                });
                let shown = shown.collect::<Vec<_>>().join(", ");
                format!("SELECT {shown} FROM in_scope i JOIN events t ON t.id = i.id WHERE i.tab = 'events' ORDER BY t.id")
            }
            "work_identifiers" => format!(
                "SELECT {} FROM in_scope i JOIN work_identifiers t ON t.work_id = i.id
                 WHERE i.tab = 'works' ORDER BY t.scheme, t.value",
                list("t.")
            ),
            "entity_links" => format!(
                "SELECT {} FROM in_scope i JOIN entity_links t ON t.entity_id = i.id
                 WHERE i.tab = 'entities' AND EXISTS (SELECT 1 FROM in_scope o WHERE o.id = t.target_id)
                 ORDER BY t.entity_id, t.target_id, t.role",
                list("t.")
            ),
            _ => format!(
                "SELECT {} FROM in_scope i JOIN {table} t ON t.id = i.id WHERE i.tab = '{table}' ORDER BY t.id",
                list("t.")
            ),
        };
        Ok((columns, sql))
    }
}

impl Drop for Scope<'_> {
    fn drop(&mut self) {
        // The table lives in the connection's own temporary space; losing it there is harmless.
        if let Err(error) = self.connection.execute_batch("DROP TABLE IF EXISTS temp.in_scope") {
            tracing::warn!(%error, "the scope of an export was left behind");
        }
    }
}

fn foreign(task: TaskId, then: &str, otherwise: &str) -> String {
    format!("CASE WHEN t.task_id <> '{task}' THEN {then} ELSE {otherwise} END")
}

/// The columns a row is made of: neither computed ones nor `seq`, which belongs to one file.
pub(super) fn stored_columns(connection: &Connection, table: &str) -> Result<Vec<String>> {
    let mut statement = connection.prepare_cached(
        "SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0 AND name <> 'seq' ORDER BY cid",
    )?;
    let columns = statement.query_map([table], |row| row.get(0))?;
    Ok(columns.collect::<rusqlite::Result<_>>()?)
}
