//! A look at the whole file: is every page readable, does every reference lead somewhere, does
//! full text know every row. Only looks; mending is left to `salvage`.

use std::path::Path;

use rusqlite::{Connection, ErrorCode, OpenFlags};
use serde::Serialize;

use crate::header::{self, FileState};
use crate::migrate::{self, State};
use crate::store::connect;
use crate::{Result, SCHEMA_VERSION, Stop, integrity};

/// Tables whose rows are counted: what people think of as the content.
const COUNTED: &[&str] = &["tasks", "pages", "fragments", "claims", "edges"];

/// Full-text indexes and the tables they are made from.
const FULL_TEXT: &[(&str, &str)] = &[("fragments_fts", "fragments"), ("claims_fts", "claims")];

#[derive(Debug, Clone)]
pub struct CheckupOptions {
    /// After how many findings about pages to stop looking for more.
    pub max_findings: u32,
}

impl Default for CheckupOptions {
    fn default() -> Self {
        Self { max_findings: 20 }
    }
}

/// What is being looked at. Each reads the whole file, or much of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckupStep {
    Pages,
    References,
    FullText,
}

/// What a look at the file found. All three lists are empty when it is sound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Checkup {
    /// The schema of the file, which may be older than [`SCHEMA_VERSION`].
    pub schema_version: i64,
    /// What SQLite says about pages and indexes that are not as they should be.
    pub damage: Vec<String>,
    /// Rows that refer to rows that are not there.
    pub dangling: Vec<String>,
    /// Full-text indexes that do not match their tables.
    pub full_text: Vec<String>,
    /// Rows of the main tables; unknown where they cannot be counted.
    pub rows: Vec<(String, Option<u64>)>,
}

impl Checkup {
    pub fn is_sound(&self) -> bool {
        self.damage.is_empty() && self.dangling.is_empty() && self.full_text.is_empty()
    }
}

/// Looks at the whole file and changes nothing; `None` when there is no file, or nothing in it.
///
/// A file that cannot be opened at all is an error that says why, as in [`crate::Graph::open`].
pub fn check_up(
    path: &Path,
    options: &CheckupOptions,
    stop: &Stop,
    mut progress: impl FnMut(CheckupStep),
) -> Result<Option<Checkup>> {
    if header::look(path)? == FileState::Missing {
        return Ok(None);
    }
    let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    stop.end_statements_of(&mut connection)?;
    let schema_version = match migrate::inspect(&connection, path)? {
        State::Empty => return Ok(None),
        State::Older(version) => version,
        State::Current => SCHEMA_VERSION,
    };
    // One snapshot for all questions, even if another process writes.
    connection.execute_batch("BEGIN")?;
    let look = Look { connection: &connection, limit: options.max_findings };
    progress(CheckupStep::Pages);
    let damage = look.damage()?;
    progress(CheckupStep::References);
    let dangling = integrity::references(&connection)?;
    progress(CheckupStep::FullText);
    let full_text = look.full_text()?;
    let rows = COUNTED
        .iter()
        .map(|table| Ok(((*table).to_owned(), look.count(table)?)))
        .collect::<Result<_>>()?;
    Ok(Some(Checkup { schema_version, damage, dangling, full_text, rows }))
}

struct Look<'a> {
    connection: &'a Connection,
    limit: u32,
}

impl Look<'_> {
    fn damage(&self) -> Result<Vec<String>> {
        let found = integrity::pages(self.connection, self.limit)?;
        // One finding may name many places, a line each, under a title that says nothing.
        let lines = found.iter().flat_map(|it| it.lines()).filter(|it| !it.starts_with("***"));
        Ok(lines.take(self.limit as usize).map(str::to_owned).collect())
    }

    /// The structure of an index is part of `damage`; here its rows are compared with the table's.
    fn full_text(&self) -> Result<Vec<String>> {
        let mut found = Vec::new();
        for (index, table) in FULL_TEXT {
            let indexed = self.count(&format!("{index}_docsize"))?;
            let rows = self.count(table)?;
            if let (Some(indexed), Some(rows)) = (indexed, rows)
                && indexed != rows
            {
                found.push(format!("{index} knows {indexed} rows of {rows}"));
            }
        }
        Ok(found)
    }

    /// The rows of a table; unknown when it is not there yet, or damaged.
    fn count(&self, table: &str) -> Result<Option<u64>> {
        let sql = format!("SELECT count(*) FROM {table} NOT INDEXED");
        let counted = self
            .connection
            .prepare(&sql)
            .and_then(|mut it| it.query_row([], |row| row.get::<_, i64>(0)).map(i64::unsigned_abs));
        match counted {
            Ok(rows) => Ok(Some(rows)),
            Err(error) => self.or_unknown(error),
        }
    }

    fn or_unknown<T>(&self, error: rusqlite::Error) -> Result<Option<T>> {
        match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => Err(error.into()),
            _ => Ok(None),
        }
    }
}

/// What the bundled SQLite is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SqliteInfo {
    pub version: String,
    /// Whether full text (FTS5) is compiled in; the graph needs it.
    pub full_text: bool,
    /// Whether `sin`, `ln` and the like are; of these the graph brings the `sqrt` that it uses.
    pub math_functions: bool,
}

pub fn sqlite_info() -> Result<SqliteInfo> {
    crate::guarded::allowance::install();
    let connection = Connection::open_in_memory()?;
    let used = |option: &str| {
        connection.query_row("SELECT sqlite_compileoption_used(?1)", [option], |row| row.get(0))
    };
    Ok(SqliteInfo {
        version: rusqlite::version().to_owned(),
        full_text: used("ENABLE_FTS5")?,
        math_functions: used("ENABLE_MATH_FUNCTIONS")?,
    })
}
