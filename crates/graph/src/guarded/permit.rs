//! What a query may touch. Everything that is not named here is refused, also what future versions
//! of SQLite or of our schema bring.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::{Connection, Statement};

use super::{QueryError, Schema, SchemaTable, closest};
use crate::Result;

/// Tables that any query may read. Not here, on purpose: `sessions` (secrets), `lyra_meta`, the caches (`robots`
/// among them), `library_traces` (other people's searches), what deletions leave (`deleted_tasks`, `leaving`, `unfinished`),
/// and all of SQLite's own tables.
const TABLES: &[&str] = &[
    "archive_records",
    "auth_queue",
    "calibration_evaluations",
    "calibration_versions",
    "claim_events",
    "claims",
    "claims_fts",
    "domain_override_events",
    "domain_override_rules",
    "domain_routes",
    "domains",
    "edges",
    "egress",
    "embeddings",
    "engine_health",
    "entities",
    "entity_links",
    "events",
    "fragments",
    "fragments_fts",
    "jobs",
    "library_stats",
    "nli_corrections",
    "pace",
    "pages",
    "queries",
    "report_drafts",
    "selected_fragments",
    "serp_items",
    "tasks",
    "work_identifiers",
    "works",
];

/// Where full text keeps its index: FTS5 reads them to answer MATCH.
const FULL_TEXT: &[&str] = &["claims_fts", "fragments_fts"];
const FULL_TEXT_PARTS: &[&str] = &["config", "data", "docsize", "idx"];

/// Functions that answer with a table and look at nothing but their arguments.
const TABLE_FUNCTIONS: &[&str] = &["json_each", "json_tree", "jsonb_each", "jsonb_tree"];

/// Functions that reach beyond their arguments.
const REFUSED_FUNCTIONS: &[&str] = &[
    "fts3_tokenizer",
    "fts5",
    "load_extension",
    "optimize",
    "rtreecheck",
    "sqlite_compileoption_get",
    "sqlite_compileoption_used",
    "sqlite_log",
];

/// Functions that compare each member of one argument with each of the other, in one instruction.
const ENDLESS_FUNCTIONS: &[&str] = &["json_patch", "jsonb_patch"];

/// Keywords a statement may begin with. The authorizer decides; this closes the two gaps it has:
/// `VACUUM`, about which SQLite does not ask it, and `PRAGMA data_version`, which FTS5 needs.
const QUERIES: &[&str] = &["SELECT", "WITH", "VALUES"];

/// The names a query may read now, kept until the schema changes.
#[derive(Debug, Default)]
pub(super) struct Public {
    version: Option<i64>,
    names: Arc<Names>,
    schema: Vec<SchemaTable>,
}

/// Names in lower case: SQLite hands some over as the query spells them.
#[derive(Debug, Default)]
struct Names {
    readable: HashSet<String>,
    /// What else a name in a query can mean, so that the names it makes up itself are known as such.
    kept_back: HashSet<String>,
}

impl Names {
    fn allow(&self, table: &str, column: &str) -> bool {
        let name = table.to_ascii_lowercase();
        if self.readable.contains(&name) {
            return true;
        }
        // A table of which no column is read is announced with an empty column, and so are the
        // common table expressions of the query: `WITH n AS (...) SELECT count(*) FROM n`.
        let made_up = !self.kept_back.contains(&name)
            && !["sqlite_", "pragma_"].iter().any(|prefix| name.starts_with(prefix));
        column.is_empty() && made_up
    }
}

impl Public {
    pub(super) fn schema(&self) -> Schema {
        Schema { tables: self.schema.clone() }
    }

    /// The names a mistyped one in `sql` may have meant, as far as `message` says which it is.
    pub(super) fn closest(&self, message: &str, sql: &str) -> Vec<String> {
        closest::closest(message, sql, &self.schema)
    }

    /// Reads the names again when the schema is not the one they were read from.
    pub(super) fn refresh(&mut self, connection: &Connection) -> Result<()> {
        let version = connection.pragma_query_value(None, "schema_version", |row| row.get(0))?;
        if self.version == Some(version) {
            return Ok(());
        }
        let mut list = connection.prepare(
            "SELECT name, type = 'view' FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name",
        )?;
        let objects: Vec<(String, bool)> = list
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<_>>()?;
        let mut names = Names::default();
        self.schema.clear();
        for (name, is_view) in objects {
            if !is_view && !TABLES.contains(&name.as_str()) {
                names.kept_back.insert(name.to_ascii_lowercase());
                continue;
            }
            names.readable.insert(name.to_ascii_lowercase());
            match columns(connection, &name) {
                Ok(columns) => self.schema.push(SchemaTable { name, columns }),
                // A view over something that is gone has no columns; asking it says so.
                Err(error) if is_view => tracing::warn!(view = name, %error, "unreadable view"),
                Err(error) => return Err(error.into()),
            }
        }
        // Modules such as `dbstat` are tables without a schema entry.
        let mut modules = connection.prepare("SELECT lower(name) FROM pragma_module_list")?;
        for module in modules.query_map([], |row| row.get(0))? {
            names.kept_back.insert(module?);
        }
        let parts = FULL_TEXT
            .iter()
            .flat_map(|table| FULL_TEXT_PARTS.iter().map(move |part| format!("{table}_{part}")));
        names.readable.extend(parts.chain(TABLE_FUNCTIONS.iter().map(|it| (*it).to_owned())));
        self.names = Arc::new(names);
        self.version = Some(version);
        Ok(())
    }
}

fn columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    // 1 marks the hidden columns of virtual tables; generated columns (2, 3) are as good as others.
    connection
        .prepare_cached("SELECT name FROM pragma_table_xinfo(?1) WHERE hidden <> 1 ORDER BY cid")?
        .query_map([table], |row| row.get(0))?
        .collect()
}

/// The decision about one statement, and the reason when it was refused.
#[derive(Debug)]
pub(super) struct Permit {
    names: Arc<Names>,
    keyword: String,
    refused: Arc<Mutex<Option<String>>>,
}

impl Permit {
    pub(super) fn new(public: &Public, sql: &str) -> Self {
        let keyword = deciding_keyword(sql).to_ascii_uppercase();
        Self { names: Arc::clone(&public.names), keyword, refused: Arc::default() }
    }

    pub(super) fn authorizer(
        &self,
    ) -> impl FnMut(AuthContext<'_>) -> Authorization + Send + 'static {
        let (names, refused) = (Arc::clone(&self.names), Arc::clone(&self.refused));
        let keyword = self.keyword.clone();
        move |context| match judge(&names, &keyword, context.action) {
            Ok(()) => Authorization::Allow,
            Err(what) => {
                let mut refused = refused.lock().unwrap_or_else(PoisonError::into_inner);
                refused.get_or_insert(what);
                Authorization::Deny
            }
        }
    }

    /// What was refused first: the rest follows from it.
    pub(super) fn refused(&self) -> Option<String> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Drops a refusal that concerns text which is not going to run anyway.
    pub(super) fn forget(&self) {
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The backstop after the authorizer has agreed.
    pub(super) fn check_statement(&self, statement: &Statement<'_>) -> Result<(), QueryError> {
        if !QUERIES.contains(&self.keyword.as_str()) || !statement.readonly() {
            return Err(QueryError::NotAQuery { keyword: self.keyword.clone() });
        }
        if statement.parameter_count() > 0 {
            let message = "a parameter has no value here: write the value itself".to_owned();
            return Err(QueryError::Syntax { message, at: None, closest: Vec::new() });
        }
        Ok(())
    }
}

/// Says in the user's terms why an action is refused.
///
/// The view through which a table is read does not matter: a view over `sessions` would be no
/// excuse to show them.
fn judge(names: &Names, keyword: &str, action: AuthAction<'_>) -> Result<(), String> {
    match action {
        AuthAction::Select | AuthAction::Recursive => Ok(()),
        AuthAction::Read { table_name, column_name } => {
            let allowed = names.allow(table_name, column_name);
            allowed.then_some(()).ok_or_else(|| format!("reading {table_name}"))
        }
        AuthAction::Function { function_name } => {
            let refused = REFUSED_FUNCTIONS
                .iter()
                .chain(ENDLESS_FUNCTIONS)
                .any(|it| it.eq_ignore_ascii_case(function_name));
            (!refused).then_some(()).ok_or_else(|| format!("the function {function_name}"))
        }
        // FTS5 asks this before each MATCH to see whether its picture of the index is current.
        AuthAction::Pragma { pragma_name, pragma_value: None }
            if pragma_name.eq_ignore_ascii_case("data_version") =>
        {
            Ok(())
        }
        AuthAction::Pragma { pragma_name, .. } => Err(format!("PRAGMA {pragma_name}")),
        // CREATE, DROP and the like show as writes to the engine's own tables: name the statement.
        AuthAction::Insert { table_name }
        | AuthAction::Update { table_name, .. }
        | AuthAction::Delete { table_name }
            if !table_name.starts_with("sqlite_") =>
        {
            Err(format!("writing to {table_name}"))
        }
        _ => Err(keyword.to_owned()),
    }
}

/// Refuses text that SQLite would read only in part, or not at all.
pub(super) fn check_text(sql: &str, longest: usize) -> Result<(), QueryError> {
    if sql.len() > longest {
        return Err(QueryError::TooLarge { what: "the query", bytes: longest });
    }
    match sql.find('\0') {
        Some(at) => Err(QueryError::syntax("a NUL character", sql, Some(at))),
        None => Ok(()),
    }
}

/// The keyword that says what a statement does, past comments and past EXPLAIN.
fn deciding_keyword(sql: &str) -> &str {
    let (first, rest) = keyword(sql);
    if !first.eq_ignore_ascii_case("EXPLAIN") {
        return first;
    }
    let (second, rest) = keyword(rest);
    if !second.eq_ignore_ascii_case("QUERY") {
        return second;
    }
    match keyword(rest) {
        (plan, rest) if plan.eq_ignore_ascii_case("PLAN") => keyword(rest).0,
        _ => second,
    }
}

/// The first word of `sql` and what follows it.
fn keyword(sql: &str) -> (&str, &str) {
    let sql = skip_blank(sql);
    let end = sql.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(sql.len());
    sql.split_at(end)
}

fn skip_blank(mut sql: &str) -> &str {
    loop {
        sql = sql.trim_start_matches([' ', '\t', '\n', '\r', '\u{c}', '\u{feff}', ';']);
        sql = if let Some(comment) = sql.strip_prefix("--") {
            comment.find('\n').map_or("", |end| &comment[end..])
        } else if let Some(comment) = sql.strip_prefix("/*") {
            comment.find("*/").map_or("", |end| &comment[end + 2..])
        } else {
            return sql;
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deciding_keyword_stands_behind_comments_and_explain() {
        for (sql, expected) in [
            ("select 1", "select"),
            ("  ;; -- PRAGMA x\n /* DROP */ WITH a AS (SELECT 1)", "WITH"),
            ("EXPLAIN SELECT 1", "SELECT"),
            ("explain/**/query\nplan values(1)", "values"),
            ("EXPLAIN QUERY PLAN PRAGMA data_version", "PRAGMA"),
            ("EXPLAIN PRAGMA data_version", "PRAGMA"),
            ("/* never closed", ""),
            ("-- only a remark", ""),
            ("\u{feff}SELECT 1", "SELECT"),
            ("(SELECT 1)", ""),
            ("", ""),
        ] {
            assert_eq!(deciding_keyword(sql), expected, "{sql}");
        }
    }
}
