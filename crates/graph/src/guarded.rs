//! Guarded SQL: a client may ask the graph anything, and nothing it writes can change it, read its
//! secrets or keep it busy.
//!
//! Five walls, each enough against most attacks: a read-only connection of its own, an authorizer
//! that refuses what it does not know ([`permit`]), a budget of time and steps ([`budget`]), limits on
//! sizes that the engine checks itself, and an allowance of memory ([`allowance`]). [`functions`] replaces
//! what would not look at the clock. The text of the query is never searched for
//! forbidden words: `SELECT replace('update', 'a', 'b')` is a fine question.

pub(crate) mod allowance;
mod answer;
mod budget;
mod closest;
mod error;
mod functions;
mod pattern;
mod permit;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::fallible_iterator::FallibleIterator;
use rusqlite::hooks::{AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::{Batch, Connection, OpenFlags};
use serde::Serialize;
use settings::settings;

pub use self::error::{Position, QueryError};

use self::allowance::Allowance;
use self::budget::Budget;
use self::permit::{Permit, Public};
use crate::store::{connect, connect_memory};
use crate::{Graph, Result, Rows, Stop};

settings! {
    /// What one `lyra sql` may cost; flags of the command raise some of these for one run.
    #[derive(Eq)]
    pub struct QuerySettings {
        /// Rows of the answer.
        rows: usize = 50, in 1..=1_000_000;
    }
    expert {
        /// Milliseconds it may run.
        timeout_ms: u64 = 300, in 1..=600_000;
        /// Steps of SQLite's virtual machine it may take.
        vm_steps: u64 = 500_000, in 1_000..=1_000_000_000_000;
        /// Bytes of the answer.
        bytes: usize = 1 << 20, in 1_024..=1_000_000_000;
        /// Bytes of the largest value it may read or make on its way.
        value_bytes: usize = 1 << 20, in 1_024..=1_000_000_000;
        /// Bytes of the query itself.
        sql_bytes: usize = 1 << 16, in 1..=1_000_000;
    }
    internal {
        include_schema: bool = false;
    }
}

/// The most that a client may ask for.
impl QuerySettings {
    pub const MAX_ROWS: usize = 200;
    pub const MAX_TIMEOUT_MS: u64 = 2_000;
    pub const MAX_VM_STEPS: u64 = 5_000_000;

    fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms)
    }
}

/// What a query brought.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QueryAnswer {
    #[serde(flatten)]
    pub table: Rows,
    pub row_count: usize,
    pub elapsed_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Schema>,
}

/// The tables and views a query may read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Schema {
    pub tables: Vec<SchemaTable>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SchemaTable {
    pub name: String,
    pub columns: Vec<String>,
}

impl Graph {
    /// Answers one untrusted read-only statement.
    ///
    /// It sees the last committed state through a connection of its own, so it neither waits for a
    /// writer nor holds one up, and works the same for a graph in memory.
    pub fn query(&self, sql: &str, limits: &QuerySettings) -> Result<QueryAnswer, QueryError> {
        self.guarded().query(sql, limits)
    }

    /// The tables and views that [`Graph::query`] may read.
    pub fn query_schema(&self) -> Result<Schema> {
        self.guarded().with_connection(|open| {
            open.public.refresh(&open.connection)?;
            Ok(open.public.schema())
        })
    }
}

/// Where the second connection finds the graph of the first.
#[derive(Debug)]
pub(crate) enum Source {
    File(PathBuf),
    Memory(String),
}

/// The connection for untrusted SQL, opened by the first query.
#[derive(Debug)]
pub(crate) struct Guarded {
    source: Source,
    open: Mutex<Option<Open>>,
    stop: Stop,
}

#[derive(Debug)]
struct Open {
    connection: Connection,
    public: Public,
}

impl Guarded {
    pub(crate) fn new(source: Source) -> Self {
        Self { source, open: Mutex::new(None), stop: Stop::default() }
    }

    /// Ends the query that runs now.
    pub(crate) fn stop(&self) -> Stop {
        self.stop.clone()
    }

    fn query(&self, sql: &str, limits: &QuerySettings) -> Result<QueryAnswer, QueryError> {
        permit::check_text(sql, limits.sql_bytes)?;
        let started = Instant::now();
        self.with_connection(|open| {
            self.stop.reset();
            open.query(sql, limits, started, &self.stop)
        })
    }

    /// Lends the connection, opened if need be, and makes sure that it is left without guards.
    fn with_connection<T, E: From<crate::Error>>(
        &self,
        work: impl FnOnce(&mut Open) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut slot = self.open.lock().unwrap_or_else(|poisoned| {
            self.open.clear_poison();
            // A panic may have left guards half installed: start afresh.
            let mut slot = PoisonError::into_inner(poisoned);
            *slot = None;
            slot
        });
        let mut open = match slot.take() {
            Some(open) => open,
            None => Open::new(&self.source)?,
        };
        let answer = work(&mut open);
        // A connection whose guards cannot be taken off and on again is not used a second time.
        if open.rest().is_ok() {
            *slot = Some(open);
        }
        answer
    }
}

impl Open {
    fn new(source: &Source) -> Result<Self> {
        let connection = match source {
            Source::File(path) => connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?,
            Source::Memory(name) => connect_memory(name, OpenFlags::SQLITE_OPEN_READ_ONLY)?,
        };
        connection.pragma_update(None, "query_only", true)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        for (limit, value) in [
            (Limit::SQLITE_LIMIT_COLUMN, 500),
            (Limit::SQLITE_LIMIT_EXPR_DEPTH, 200),
            (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 50),
            (Limit::SQLITE_LIMIT_VDBE_OP, 100_000),
            (Limit::SQLITE_LIMIT_ATTACHED, 0),
            // `json_set` and its like go through the whole value for each pair of arguments.
            (Limit::SQLITE_LIMIT_FUNCTION_ARG, 64),
            // FTS5 binds a handful in its own statements.
            (Limit::SQLITE_LIMIT_VARIABLE_NUMBER, 16),
            (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
        ] {
            connection.set_limit(limit, value)?;
        }
        Ok(Self { connection, public: Public::default() })
    }

    fn query(
        &mut self,
        sql: &str,
        limits: &QuerySettings,
        started: Instant,
        stop: &Stop,
    ) -> Result<QueryAnswer, QueryError> {
        let connection = &mut self.connection;
        connection.busy_timeout(limits.timeout()).map_err(crate::Error::from)?;
        // One state for the names and for the answer. The guards come after: they refuse BEGIN too.
        connection.execute_batch("BEGIN").map_err(crate::Error::from)?;
        self.public.refresh(connection)?;
        set_value_limit(connection, limits.value_bytes)?;
        functions::register(connection, limits.value_bytes).map_err(crate::Error::from)?;
        let permit = Permit::new(&self.public, sql);
        let budget = Budget::new(started, limits, stop);
        connection.authorizer(Some(permit.authorizer())).map_err(crate::Error::from)?;
        connection
            .progress_handler(budget::STRIDE, Some(budget.handler()))
            .map_err(crate::Error::from)?;

        let allowance = Allowance::until(started + limits.timeout());
        let outcome = run(connection, sql, &permit, limits)
            .map_err(|error| error.explain(&permit, &budget, limits));
        drop(allowance);
        let table = outcome.map_err(|error| match error {
            QueryError::Syntax { message, at, .. } => {
                let closest = self.public.closest(&message, sql);
                QueryError::Syntax { message, at, closest }
            }
            other => other,
        })?;
        Ok(QueryAnswer {
            row_count: table.rows.len(),
            table,
            elapsed_ms: started.elapsed().as_millis().try_into().unwrap_or(u64::MAX),
            schema: limits.include_schema.then(|| self.public.schema()),
        })
    }

    /// Takes the guards off and lets go of the state that was read.
    fn rest(&mut self) -> Result<()> {
        let connection = &mut self.connection;
        connection.progress_handler(0, None::<fn() -> bool>)?;
        connection.authorizer(None::<fn(AuthContext<'_>) -> Authorization>)?;
        if !connection.is_autocommit() {
            connection.execute_batch("ROLLBACK")?;
        }
        Ok(())
    }
}

fn run(
    connection: &Connection,
    sql: &str,
    permit: &Permit,
    limits: &QuerySettings,
) -> Result<Rows, error::Stopped> {
    let not_understood = |source| error::Stopped::Engine { source, running: false };
    let mut statements = Batch::new(connection, sql);
    let Some(mut statement) = statements.next().map_err(not_understood)? else {
        return Err(QueryError::Empty.into());
    };
    // Whatever follows, right or wrong, is more than one statement; comments alone are not.
    if !matches!(statements.next(), Ok(None)) {
        permit.forget();
        return Err(QueryError::SeveralStatements.into());
    }
    permit.check_statement(&statement)?;
    answer::collect(&mut statement, limits)
}

fn set_value_limit(connection: &Connection, bytes: usize) -> Result<()> {
    let bytes = i32::try_from(bytes).unwrap_or(i32::MAX);
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, bytes)?;
    Ok(())
}
