//! Which rows go. They are named in temporary tables, so the same questions serve a look and the deed.
//!
//! Pages are shared: one goes when no task that stays used it, caused it, or has a page that cites it. An archive record goes
//! when its request was no task's that stays (nor a person's own), and no page that stays has its address or names it.

use evidence::TaskId;
use rusqlite::{Connection, params};

use super::{Removal, tables_with_causes};
use crate::Result;

/// What is looked for.
#[derive(Debug)]
pub(super) enum Whose<'a> {
    /// A task, and what only it needed.
    Task(TaskId),
    /// What nothing needs.
    Nobody { wish: &'a Unneeded, now: String },
}

/// What counts as unneeded beside what no task uses.
#[derive(Debug, Clone, Default)]
pub struct Unneeded {
    /// The models whose vectors are used; vectors of others go. Empty: all stay.
    pub vector_models: Vec<String>,
}

/// The tables whose rows are named one by one, and the column they are named by.
const KEYS: &[(&str, &str)] = &[
    ("tasks", "id"),
    ("queries", "id"),
    ("serp_items", "id"),
    ("jobs", "id"),
    ("claims", "id"),
    ("edges", "id"),
    ("claim_events", "id"),
    ("nli_corrections", "id"),
    ("report_drafts", "id"),
    ("auth_queue", "id"),
    ("pages", "id"),
    ("fragments", "id"),
    ("embeddings", "id"),
    ("works", "id"),
    ("entities", "id"),
    ("archive_records", "record_id"),
    ("cache_fetch", "url"),
    ("cache_serp", "cache_key"),
];

/// The tables whose rows go with a row they belong to.
const PARTS: &[(&str, &str)] = &[
    (
        "selected_fragments",
        "query_id IN (SELECT id FROM going WHERE tab = 'queries')
       OR fragment_id IN (SELECT id FROM going WHERE tab = 'fragments')",
    ),
    ("work_identifiers", "work_id IN (SELECT id FROM going WHERE tab = 'works')"),
    (
        "entity_links",
        "target_id IN (SELECT id FROM going WHERE tab IN ('claims', 'fragments', 'pages'))
       OR entity_id IN (SELECT id FROM going WHERE tab = 'entities')
       OR target_id IN (SELECT id FROM going WHERE tab = 'entities')",
    ),
];

const TABLES: &str = "
    CREATE TEMP TABLE doomed (id TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TEMP TABLE live (id TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TEMP TABLE met (id TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TEMP TABLE needed (id TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TEMP TABLE kept_records (id TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TEMP TABLE happened (id TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TEMP TABLE sent (seq INTEGER PRIMARY KEY);
    CREATE TEMP TABLE going (tab TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (tab, id)) WITHOUT ROWID;";

const NO_TABLES: &str = "
    DROP TABLE IF EXISTS temp.doomed; DROP TABLE IF EXISTS temp.live; DROP TABLE IF EXISTS temp.met;
    DROP TABLE IF EXISTS temp.needed; DROP TABLE IF EXISTS temp.kept_records; DROP TABLE IF EXISTS temp.happened;
    DROP TABLE IF EXISTS temp.sent; DROP TABLE IF EXISTS temp.going;";

/// Pages that the tasks of `{tasks}` met, put into `{pages}`: results, passages, and what these pages cite, as an export
/// takes them along.
const MEET: &[&str] = &[
    "INSERT OR IGNORE INTO {pages} SELECT s.page_id FROM {tasks} t JOIN queries q ON q.task_id = t.id
     JOIN serp_items s ON s.query_id = q.id WHERE s.page_id IS NOT NULL",
    "INSERT OR IGNORE INTO {pages} SELECT f.page_id FROM {tasks} t JOIN queries q ON q.task_id = t.id
     JOIN selected_fragments k ON k.query_id = q.id JOIN fragments f ON f.id = k.fragment_id",
    "INSERT OR IGNORE INTO {pages} SELECT f.page_id FROM {tasks} t JOIN claims c ON c.task_id = t.id
     JOIN edges e ON e.target_id = c.id JOIN fragments f ON f.id = e.source_id",
    "INSERT OR IGNORE INTO {pages} SELECT f.page_id FROM {tasks} t JOIN claims c ON c.task_id = t.id
     JOIN fragments f ON f.id = c.origin_fragment_id",
    "INSERT OR IGNORE INTO {pages} SELECT v.page_id FROM {tasks} t JOIN claims c ON c.task_id = t.id
     JOIN claim_events v ON v.claim_id = c.id WHERE v.page_id IS NOT NULL",
    "INSERT OR IGNORE INTO {pages} SELECT p.id FROM pages p JOIN events e ON e.id = p.cause_id
     JOIN {tasks} t ON t.id = e.task_id",
    "INSERT OR IGNORE INTO {pages}
     SELECT coalesce(there.page_id, e.target_id) FROM edges e
     LEFT JOIN fragments here ON here.id = e.source_id LEFT JOIN fragments there ON there.id = e.target_id
     WHERE e.relation = 'cites' AND coalesce(here.page_id, e.source_id) IN (SELECT id FROM {pages})",
];

/// The rows of the tasks themselves.
const OWN: &[&str] = &[
    "INSERT INTO going SELECT 'tasks', id FROM doomed",
    "INSERT INTO going SELECT 'queries', q.id FROM doomed d JOIN queries q ON q.task_id = d.id",
    "INSERT INTO going SELECT 'serp_items', s.id FROM going g JOIN serp_items s ON s.query_id = g.id WHERE g.tab = 'queries'",
    "INSERT INTO going SELECT 'claims', c.id FROM doomed d JOIN claims c ON c.task_id = d.id",
    "INSERT INTO going SELECT 'jobs', j.id FROM jobs j
     WHERE j.task_id IN (SELECT id FROM doomed) OR j.search_id IN (SELECT id FROM going WHERE tab = 'queries')",
    "INSERT INTO going SELECT 'report_drafts', r.id FROM doomed d JOIN report_drafts r ON r.task_id = d.id",
    "INSERT INTO going SELECT 'auth_queue', a.id FROM auth_queue a WHERE a.task_id IN (SELECT id FROM doomed)",
    "INSERT INTO going SELECT 'pages', id FROM met WHERE id NOT IN (SELECT id FROM needed)",
];

/// What no task met that stays, and none of them brought in.
const UNMET: &[&str] =
    &["INSERT INTO going SELECT 'pages', id FROM pages WHERE id NOT IN (SELECT id FROM needed)"];

/// What hangs on rows that go.
const HANGING: &[&str] = &[
    "INSERT INTO going SELECT 'fragments', f.id FROM going g JOIN fragments f ON f.page_id = g.id WHERE g.tab = 'pages'",
    "INSERT OR IGNORE INTO going SELECT 'edges', e.id FROM going g JOIN edges e ON e.source_id = g.id
     WHERE g.tab IN ('claims', 'fragments', 'pages')",
    "INSERT OR IGNORE INTO going SELECT 'edges', e.id FROM going g JOIN edges e ON e.target_id = g.id
     WHERE g.tab IN ('claims', 'fragments', 'pages')",
    "INSERT INTO going SELECT 'claim_events', v.id FROM going g JOIN claim_events v ON v.claim_id = g.id
     WHERE g.tab = 'claims'",
    "INSERT INTO going SELECT 'nli_corrections', n.id FROM nli_corrections n WHERE n.task_id IN (SELECT id FROM doomed)
       OR n.edge_id IN (SELECT id FROM going WHERE tab = 'edges')",
    "INSERT OR IGNORE INTO going SELECT 'embeddings', m.id FROM going g JOIN embeddings m
       ON m.target_type = CASE g.tab WHEN 'claims' THEN 'claim' ELSE 'fragment' END AND m.target_id = g.id
     WHERE g.tab IN ('claims', 'fragments')",
    "INSERT INTO going SELECT 'works', w.id FROM works w
     WHERE NOT EXISTS (SELECT 1 FROM pages p WHERE p.work_id = w.id
                       AND p.id NOT IN (SELECT id FROM going WHERE tab = 'pages'))
       AND NOT EXISTS (SELECT 1 FROM events e JOIN live l ON l.id = e.task_id WHERE e.id = w.cause_id)
       AND ({all} OR w.cause_id IN (SELECT id FROM happened)
            OR EXISTS (SELECT 1 FROM pages p JOIN going g ON g.tab = 'pages' AND g.id = p.id WHERE p.work_id = w.id))",
    "INSERT INTO going SELECT 'entities', n.id FROM entities n
     WHERE NOT EXISTS (SELECT 1 FROM entity_links l WHERE l.entity_id = n.id AND l.target_id NOT IN
                         (SELECT id FROM going WHERE tab IN ('claims', 'fragments', 'pages')))
       AND ({all} OR n.cause_id IN (SELECT id FROM happened)
            OR EXISTS (SELECT 1 FROM entity_links l WHERE l.entity_id = n.id))",
];

/// What the log says of the tasks: their own events, those about their rows, and what these led to, unless it is about what
/// outlives a task (a domain, an engine, the policy, a calibration).
const HAPPENED: &[&str] = &[
    "INSERT INTO happened SELECT e.id FROM doomed d JOIN events e ON e.task_id = d.id",
    "INSERT OR IGNORE INTO happened SELECT t.cause_id FROM doomed d JOIN tasks t USING (id)
     JOIN events e ON e.id = t.cause_id WHERE e.task_id IS NULL",
    "INSERT OR IGNORE INTO happened SELECT e.id FROM going g JOIN events e ON e.subject_id = g.id
     WHERE g.tab IN ('tasks', 'queries', 'claims', 'edges') AND e.task_id IS NULL",
    "INSERT OR IGNORE INTO happened
     WITH RECURSIVE down(id) AS (
       SELECT id FROM happened
       UNION SELECT e.id FROM down JOIN events e ON e.cause_id = down.id
       WHERE e.task_id IS NULL AND coalesce(e.subject_type, '') NOT IN ('domain', 'engine', 'policy', 'calibration'))
     SELECT id FROM down",
];

const SENT: &[&str] = &[
    "INSERT INTO sent SELECT g.seq FROM doomed d JOIN egress g ON g.task_id = d.id",
    "INSERT OR IGNORE INTO sent SELECT seq FROM egress WHERE task_id IS NULL AND cause_id IN (SELECT id FROM happened)",
];

/// The request of a kept answer and the answer of a kept request.
const SAME_EXCHANGE: &str =
    "INSERT OR IGNORE INTO kept_records SELECT record_id FROM archive_records WHERE egress_seq IN
       (SELECT r.egress_seq FROM kept_records k JOIN archive_records r ON r.record_id = k.id)";
const REFERRED: &str = "INSERT OR IGNORE INTO kept_records SELECT r.refers_to FROM kept_records k
     JOIN archive_records r ON r.record_id = k.id WHERE r.refers_to IS NOT NULL";

const ARCHIVE: &[&str] = &[
    "INSERT INTO kept_records SELECT r.record_id FROM archive_records r LEFT JOIN egress g ON g.seq = r.egress_seq
     WHERE g.seq IS NULL OR g.task_id IN (SELECT id FROM live)
        OR (g.task_id IS NULL AND g.path <> '' AND g.seq NOT IN (SELECT seq FROM sent))",
    "INSERT OR IGNORE INTO kept_records SELECT r.record_id FROM pages p JOIN archive_records r ON r.url IN (p.url, p.final_url)
     WHERE p.id NOT IN (SELECT id FROM going WHERE tab = 'pages')",
    "INSERT OR IGNORE INTO kept_records SELECT r.record_id FROM pages p
     JOIN archive_records r ON r.record_id = json_extract(p.archive_ref, '$.record_id')
     WHERE p.id NOT IN (SELECT id FROM going WHERE tab = 'pages')",
    SAME_EXCHANGE,
    REFERRED,
    SAME_EXCHANGE,
    "INSERT INTO going SELECT 'archive_records', record_id FROM archive_records
     WHERE record_id NOT IN (SELECT id FROM kept_records)",
    "INSERT INTO going SELECT 'cache_fetch', url FROM cache_fetch
     WHERE record_id IN (SELECT id FROM going WHERE tab = 'archive_records')
        OR url IN (SELECT p.url FROM going g JOIN pages p ON p.id = g.id WHERE g.tab = 'pages')
        OR cause_id IN (SELECT id FROM happened)",
    "INSERT INTO going SELECT 'cache_serp', cache_key FROM cache_serp WHERE cause_id IN (SELECT id FROM happened)",
];

/// The named rows; the temporary tables are dropped with the value.
pub(super) struct Going<'a> {
    connection: &'a Connection,
}

impl<'a> Going<'a> {
    pub(super) fn find(connection: &'a Connection, whose: &Whose<'_>) -> Result<Self> {
        connection.execute_batch(NO_TABLES)?;
        connection.execute_batch(TABLES)?;
        let going = Self { connection };
        let (task, all) = match whose {
            Whose::Task(task) => (task.to_string(), "0"),
            Whose::Nobody { .. } => (String::new(), "1"),
        };
        connection.execute("INSERT INTO doomed SELECT id FROM tasks WHERE id = ?1", [&task])?;
        connection.execute("INSERT INTO live SELECT id FROM tasks WHERE id <> ?1", [&task])?;
        going.meet("live", "needed")?;
        going.meet("doomed", "met")?;
        let pages = if all == "1" { [OWN, UNMET].concat() } else { OWN.to_vec() };
        // Works and edges are found before and after the log: what happened to an edge needs the edge.
        let parts = [&pages[..], &HANGING[..6], HAPPENED, &HANGING[6..], SENT, ARCHIVE];
        for sql in parts.concat() {
            connection.execute(&sql.replace("{all}", all), [])?;
        }
        if let Whose::Nobody { wish, now } = whose {
            going.unneeded(wish, now)?;
        }
        Ok(going)
    }

    fn meet(&self, tasks: &str, pages: &str) -> Result<()> {
        for sql in MEET {
            let sql = sql.replace("{tasks}", tasks).replace("{pages}", pages);
            self.connection.execute(&sql, [])?;
        }
        Ok(())
    }

    /// What is over, and vectors that nothing compares.
    fn unneeded(&self, wish: &Unneeded, now: &str) -> Result<()> {
        self.connection.execute(
            "INSERT OR IGNORE INTO going SELECT 'cache_serp', cache_key FROM cache_serp WHERE expires_at <= ?1",
            [now],
        )?;
        if !wish.vector_models.is_empty() {
            let models = serde_json::Value::from(wish.vector_models.clone()).to_string();
            self.connection.execute(
                "INSERT OR IGNORE INTO going SELECT 'embeddings', id FROM embeddings
                 WHERE model_id NOT IN (SELECT value FROM json_each(?1))",
                [models],
            )?;
        }
        Ok(())
    }

    /// How much goes.
    pub(super) fn counted(&self) -> Result<Removal> {
        let number = |sql: &str| -> Result<u64> {
            Ok(self.connection.query_row(sql, [], |row| row.get::<_, i64>(0))?.unsigned_abs())
        };
        let mut removal = Removal::default();
        for (table, _) in KEYS {
            let sql = format!("SELECT count(*) FROM going WHERE tab = '{table}'");
            removal.rows.insert((*table).to_owned(), number(&sql)?);
        }
        for (table, which) in PARTS {
            let rows = number(&format!("SELECT count(*) FROM {table} WHERE {which}"))?;
            removal.rows.insert((*table).to_owned(), rows);
        }
        removal.rows.insert("events".to_owned(), number("SELECT count(*) FROM happened")?);
        removal.archive_records = removal.rows.remove("archive_records").unwrap_or_default();
        removal.rows.retain(|_, rows| *rows > 0);
        removal.archive_bytes = number(
            "SELECT ifnull(sum(r.byte_length), 0) FROM going g JOIN archive_records r ON r.record_id = g.id
             WHERE g.tab = 'archive_records'",
        )?;
        removal.text_bytes = number(
            "SELECT ifnull((SELECT sum(octet_length(f.text_content)) FROM going g JOIN fragments f ON f.id = g.id
                            WHERE g.tab = 'fragments'), 0)
                  + ifnull((SELECT sum(octet_length(c.claim_text)) FROM going g JOIN claims c ON c.id = g.id
                            WHERE g.tab = 'claims'), 0)
                  + ifnull((SELECT sum(octet_length(m.embedding_blob)) FROM going g JOIN embeddings m ON m.id = g.id
                            WHERE g.tab = 'embeddings'), 0)",
        )?;
        removal.ledger_rows = number("SELECT count(*) FROM sent")?;
        removal.shared_pages =
            number("SELECT count(*) FROM met WHERE id IN (SELECT id FROM needed)")?;
        Ok(removal)
    }

    /// Names the rows of logs that may leave with the task.
    pub(super) fn open_the_logs(&self, task: TaskId) -> Result<()> {
        for sql in [
            "INSERT INTO leaving SELECT 'events', id, ?1 FROM happened",
            "INSERT INTO leaving SELECT tab, id, ?1 FROM going WHERE tab IN ('claim_events', 'nli_corrections')",
            "INSERT INTO leaving SELECT 'egress', CAST(seq AS TEXT), ?1 FROM sent",
        ] {
            self.connection.execute(sql, [task.to_string()])?;
        }
        Ok(())
    }

    /// Removes the rows, and names the files that still hold their bytes.
    pub(super) fn remove(&self) -> Result<()> {
        for sql in [
            "INSERT OR IGNORE INTO unfinished SELECT DISTINCT 'rewrite', r.file FROM going g
             JOIN archive_records r ON r.record_id = g.id WHERE g.tab = 'archive_records'",
            "INSERT OR IGNORE INTO unfinished VALUES ('compact', '')",
            "UPDATE engine_health SET broken_sample = NULL
             WHERE broken_sample IN (SELECT id FROM going WHERE tab = 'archive_records')",
        ] {
            self.connection.execute(sql, [])?;
        }
        for (table, which) in PARTS {
            self.connection.execute(&format!("DELETE FROM {table} WHERE {which}"), [])?;
        }
        for (table, key) in KEYS {
            let named = format!("SELECT id FROM going WHERE tab = '{table}'");
            self.connection
                .execute(&format!("DELETE FROM {table} WHERE {key} IN ({named})"), [])?;
        }
        self.name_stories_again()
    }

    /// A story is named after one of its pages: where that one went, another of them gives the name.
    fn name_stories_again(&self) -> Result<()> {
        self.connection.execute_batch(
            "CREATE TEMP TABLE renamed AS SELECT narrative_cluster AS old, min(id) AS new FROM pages
               WHERE narrative_cluster IN (SELECT id FROM going WHERE tab = 'pages') GROUP BY narrative_cluster;
             UPDATE pages SET narrative_cluster = (SELECT new FROM renamed WHERE old = narrative_cluster)
               WHERE narrative_cluster IN (SELECT old FROM renamed);
             DROP TABLE renamed;",
        )?;
        Ok(())
    }

    /// Takes path and cause from the rows of the ledger.
    pub(super) fn empty_the_ledger(&self, event: &str) -> Result<()> {
        self.connection.execute(
            "UPDATE egress SET path = '', task_id = NULL, cause_id = ?1 WHERE seq IN (SELECT seq FROM sent)",
            params![event],
        )?;
        Ok(())
    }

    /// Removes the events of the task; what rows that stay still name keeps its id, its kind and its time.
    pub(super) fn leave_the_log(&self) -> Result<()> {
        self.connection
            .execute_batch("CREATE TEMP TABLE named (id TEXT PRIMARY KEY) WITHOUT ROWID")?;
        for table in tables_with_causes(self.connection)? {
            let but_them =
                if table == "events" { "AND id NOT IN (SELECT id FROM happened)" } else { "" };
            let sql = format!(
                "INSERT OR IGNORE INTO named SELECT cause_id FROM {table}
                 WHERE cause_id IN (SELECT id FROM happened) {but_them}"
            );
            self.connection.execute(&sql, [])?;
        }
        self.connection.execute_batch(
            "UPDATE events SET detail = '{}', subject_type = NULL, subject_id = NULL, cause_id = NULL
               WHERE id IN (SELECT id FROM named);
             DELETE FROM events WHERE id IN (SELECT id FROM happened WHERE id NOT IN (SELECT id FROM named));
             DROP TABLE named;",
        )?;
        Ok(())
    }
}

impl Drop for Going<'_> {
    fn drop(&mut self) {
        // They live in the connection's own temporary space; losing them there is harmless.
        if let Err(error) = self.connection.execute_batch(NO_TABLES) {
            tracing::warn!(%error, "the tables of a deletion were left behind");
        }
    }
}
