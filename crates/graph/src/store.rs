//! Opening, reading and writing the file.

use std::fmt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use evidence::{EventId, Id};
use jiff::Timestamp;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::clock::IdMint;
use crate::events::LazyCause;
use crate::guarded::{Guarded, Source, allowance};
use crate::header::{self, FileState};
use crate::lock::WriteLock;
use crate::migrate::{self, State};
use crate::vectors::Vectors;
use crate::voices::Recount;
use crate::{
    Cause, Clock, Error, EvidenceSettings, InterruptHandle, Result, StorageSettings, SystemClock,
    VectorSettings, ViewOptions, ViewProblem, full_text, private, views,
};

/// What the caller is going to do. Readers never create or change a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
}

/// How to open a graph. `Options::default()` is what the product uses.
#[derive(Debug, Clone)]
pub struct Options {
    pub clock: Arc<dyn Clock>,
    /// Makes ids repeatable; `None` draws them from the system's randomness.
    pub id_seed: Option<u64>,
    /// How long to wait for another process before saying who it is.
    pub lock_wait: Duration,
    /// When domains are blocked and calibration is fitted.
    pub rules: EvidenceSettings,
    pub views: ViewOptions,
    /// The limits of vector search.
    pub vectors: VectorSettings,
    /// Who works with the graph, as its log names them: `cli`, `mcp`.
    pub caller: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            clock: Arc::new(SystemClock),
            id_seed: None,
            lock_wait: Duration::from_millis(StorageSettings::default().lock_wait_ms),
            rules: EvidenceSettings::default(),
            views: ViewOptions::default(),
            vectors: VectorSettings::default(),
            caller: None,
        }
    }
}

/// An open evidence graph, as one caller sees it. Shared between threads by reference; one statement runs at a time.
pub struct Graph {
    store: Arc<Store>,
    caller: Option<Arc<str>>,
}

/// What all callers share.
struct Store {
    path: Option<PathBuf>,
    access: Access,
    // Closed before the main connection, so that the last to close is the one that may write.
    guarded: Guarded,
    // Dropped before the connection: its builds read through connections of their own.
    vectors: Vectors,
    connection: Mutex<Connection>,
    ids: Mutex<IdMint>,
    options: Options,
    view_problems: Vec<ViewProblem>,
    // Released last, after the connection has folded its journal back.
    _lock: Option<WriteLock>,
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph")
            .field("path", &self.path())
            .field("access", &self.access())
            .field("caller", &self.caller)
            .finish()
    }
}

impl Graph {
    /// Opens the graph stored in `path`.
    ///
    /// A writer creates a missing file and migrates an older one, and holds the write lock until it
    /// is dropped. A reader of a missing or empty file sees an empty graph; of an older file, it
    /// migrates it first (under the lock), because every query is written against the current
    /// schema. A file of another program is refused and left as it is.
    pub fn open(path: &Path, access: Access, options: Options) -> Result<Self> {
        match (access, header::look(path)?) {
            (Access::Write, _) => Self::open_writer(path, options),
            (Access::Read, FileState::Missing) => Self::nothing_to_read(options),
            (Access::Read, FileState::Present) => Self::open_reader(path, options),
        }
    }

    /// Opens a file only to look at its rows, and leaves it as it is: views are not renewed and an older file is not
    /// migrated. Nothing where there is no file that can be read like this.
    pub fn peek(path: &Path) -> Result<Option<Self>> {
        if matches!(header::look(path)?, FileState::Missing) {
            return Ok(None);
        }
        let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        if !matches!(migrate::inspect(&connection, path)?, State::Current) {
            return Ok(None);
        }
        let source = Source::File(path.to_owned());
        let options = Options::default();
        Ok(Some(Self::new(source, Access::Read, connection, options, None, Vec::new())))
    }

    fn nothing_to_read(options: Options) -> Result<Self> {
        Self::memory(Access::Read, options)
    }

    /// A graph that lives as long as the value: for demos and tests.
    pub fn in_memory(options: Options) -> Result<Self> {
        Self::memory(Access::Write, options)
    }

    fn memory(access: Access, options: Options) -> Result<Self> {
        // A name of its own in SQLite's memory file system, so that guarded SQL can open it as well.
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("lyra-{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut connection = connect_memory(&name, flags)?;
        migrate::migrate(&mut connection, 0)?;
        let views = views::Sources::read(&options.views)?.install(&mut connection)?;
        let source = Source::Memory(name);
        Ok(Self::new(source, access, connection, options, None, views.problems))
    }

    fn open_writer(path: &Path, options: Options) -> Result<Self> {
        if let Some(parent) = path.parent() {
            files::make_private_folder(parent)
                .map_err(|source| Error::File { path: parent.to_owned(), source })?;
        }
        let lock = WriteLock::acquire(path, options.lock_wait)?;
        // SQLite gives its journals the rights of the file.
        private::make_file(path).map_err(|source| Error::File { path: path.to_owned(), source })?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        let mut connection = connect(path, flags)?;
        // Until the file is known to be ours, closing it must not tidy up its journal.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        let state = migrate::inspect(&connection, path)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
        match state {
            State::Current => {}
            State::Empty => {
                connection.pragma_update(None, "journal_mode", "wal")?;
                migrate::migrate(&mut connection, 0)?;
            }
            State::Older(from) => migrate::migrate(&mut connection, from)?,
        }
        let views = views::Sources::read(&options.views)?.install(&mut connection)?;
        let source = Source::File(path.to_owned());
        Ok(Self::new(source, Access::Write, connection, options, Some(lock), views.problems))
    }

    fn open_reader(path: &Path, options: Options) -> Result<Self> {
        let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        match migrate::inspect(&connection, path)? {
            State::Current => {}
            State::Empty => return Self::nothing_to_read(options),
            State::Older(_) => {
                drop(connection);
                Self::open_writer(path, options.clone())?;
                connection = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
            }
        }
        let (connection, problems) = with_current_views(connection, path, &options)?;
        let source = Source::File(path.to_owned());
        Ok(Self::new(source, Access::Read, connection, options, None, problems))
    }

    fn new(
        source: Source,
        access: Access,
        connection: Connection,
        options: Options,
        lock: Option<WriteLock>,
        view_problems: Vec<ViewProblem>,
    ) -> Self {
        let ids = Mutex::new(IdMint::new(options.id_seed));
        let path = match &source {
            Source::File(path) => Some(path.clone()),
            Source::Memory(_) => None,
        };
        let caller = options.caller.as_deref().map(Arc::from);
        let store = Store {
            path,
            access,
            guarded: Guarded::new(source),
            vectors: Vectors::default(),
            connection: Mutex::new(connection),
            ids,
            options,
            view_problems,
            _lock: lock,
        };
        Self { store: Arc::new(store), caller }
    }

    /// The same graph for another caller: what is written through it names them in the log.
    #[must_use]
    pub fn called_by(&self, caller: &str) -> Self {
        Self { store: Arc::clone(&self.store), caller: Some(Arc::from(caller)) }
    }

    /// Who is named in the log for what is written through this.
    pub fn caller(&self) -> Option<&str> {
        self.caller.as_deref()
    }

    /// The file behind this graph, if there is one.
    pub fn path(&self) -> Option<&Path> {
        self.store.path.as_deref()
    }

    pub fn access(&self) -> Access {
        self.store.access
    }

    /// The user's views that are not in force, and why. The shipped ones stand in for them.
    pub fn view_problems(&self) -> &[ViewProblem] {
        &self.store.view_problems
    }

    pub fn now(&self) -> Timestamp {
        self.store.options.clock.now()
    }

    pub fn rules(&self) -> &EvidenceSettings {
        &self.store.options.rules
    }

    /// Runs `ask` on one consistent state of the graph.
    pub fn read<T>(&self, ask: impl FnOnce(&Reader<'_>) -> Result<T>) -> Result<T> {
        let mut connection = self.connection();
        let transaction = connection.transaction()?;
        ask(&Reader { connection: &transaction, recount: Rc::default() })
    }

    /// Runs `record` as one transaction: all of it is stored, or nothing.
    ///
    /// `cause` becomes an event as soon as the first row needs it, so that a call that finds
    /// everything already recorded leaves no trace.
    pub fn write<T>(
        &self,
        cause: Cause,
        record: impl FnOnce(&Writer<'_>) -> Result<T>,
    ) -> Result<T> {
        self.write_on(&mut self.connection(), cause, record)
    }

    /// The same on a connection that the caller holds, for one that was prepared for what is to be written.
    pub(crate) fn write_on<T>(
        &self,
        connection: &mut Connection,
        cause: Cause,
        record: impl FnOnce(&Writer<'_>) -> Result<T>,
    ) -> Result<T> {
        if self.access() == Access::Read {
            return Err(Error::ReadOnly);
        }
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let writer = Writer {
            reader: Reader { connection: &transaction, recount: Rc::default() },
            graph: self,
            cause: LazyCause::new(cause),
        };
        let value = record(&writer)?;
        writer.counted()?;
        drop(writer);
        transaction.commit()?;
        Ok(value)
    }

    /// Stops the statement that is running now, from another thread (Ctrl-C).
    pub fn interrupt_handle(&self) -> InterruptHandle {
        InterruptHandle::new(self.connection().get_interrupt_handle(), self.guarded().stop())
    }

    pub(crate) fn connection(&self) -> MutexGuard<'_, Connection> {
        // A panic while the lock was held rolled its transaction back; the connection is sound.
        self.store.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn guarded(&self) -> &Guarded {
        &self.store.guarded
    }

    pub(crate) fn vectors(&self) -> &Vectors {
        &self.store.vectors
    }

    pub(crate) fn vector_options(&self) -> &VectorSettings {
        &self.store.options.vectors
    }

    fn mint<T: Id>(&self) -> T {
        let now = self.now();
        self.store.ids.lock().unwrap_or_else(PoisonError::into_inner).mint(now)
    }
}

/// Questions to one consistent state of the graph. See the modules for what can be asked.
#[derive(Debug)]
pub struct Reader<'a> {
    pub(crate) connection: &'a Connection,
    /// What the transaction changed that bears on who is heard; a mere reader changes nothing.
    pub(crate) recount: Rc<Recount>,
}

/// Records inside one transaction; also answers everything a [`Reader`] does.
#[derive(Debug)]
pub struct Writer<'a> {
    reader: Reader<'a>,
    graph: &'a Graph,
    cause: LazyCause,
}

impl<'a> std::ops::Deref for Writer<'a> {
    type Target = Reader<'a>;

    fn deref(&self) -> &Reader<'a> {
        &self.reader
    }
}

impl Writer<'_> {
    pub(crate) fn mint<T: Id>(&self) -> T {
        self.graph.mint()
    }

    pub(crate) fn rules(&self) -> &EvidenceSettings {
        self.graph.rules()
    }

    /// Who wants these rows to be written, as the log names them.
    pub(crate) fn caller(&self) -> Option<&str> {
        self.graph.caller()
    }

    /// Now, as it is written into rows.
    pub(crate) fn now(&self) -> String {
        timestamp(self.graph.now())
    }

    /// The event that brings in the rows of this transaction.
    pub fn cause(&self) -> Result<EventId> {
        self.cause.id(self)
    }

    /// The same transaction under a cause of its own, for one of several things that are committed together.
    pub fn under(&self, cause: Cause) -> Writer<'_> {
        Writer {
            reader: Reader {
                connection: self.reader.connection,
                recount: Rc::clone(&self.reader.recount),
            },
            graph: self.graph,
            cause: LazyCause::new(cause),
        }
    }
}

pub(crate) fn timestamp(time: Timestamp) -> String {
    format!("{time:.3}")
}

/// Renews the views of a file that a reader found to be made from other templates or settings.
///
/// Views are a convenience to a reader: when another process is writing, or the file may not be
/// changed, it continues at once with those that are there, and says so.
fn with_current_views(
    connection: Connection,
    path: &Path,
    options: &Options,
) -> Result<(Connection, Vec<ViewProblem>)> {
    let sources = views::Sources::read(&options.views)?;
    let installed = views::installed(&connection)?;
    if let Some(installed) = &installed
        && sources.made(installed)
    {
        return Ok((connection, installed.problems.clone()));
    }
    let at_once = Options { lock_wait: Duration::ZERO, ..options.clone() };
    match Graph::open_writer(path, at_once) {
        Ok(graph) => Ok((connection, graph.view_problems().to_vec())),
        Err(error) => {
            let mut problems = installed.map(|it| it.problems).unwrap_or_default();
            let problem = format!("not renewed, because {error}");
            problems.push(ViewProblem { view: "v_*".to_owned(), path: None, problem });
            Ok((connection, problems))
        }
    }
}

/// Opens a connection that knows our tokenizer and keeps our rules.
pub(crate) fn connect(path: &Path, flags: OpenFlags) -> Result<Connection> {
    let cannot_open = |source: rusqlite::Error| match source.sqlite_error_code() {
        Some(
            rusqlite::ErrorCode::CannotOpen
            | rusqlite::ErrorCode::PermissionDenied
            | rusqlite::ErrorCode::SystemIoFailure,
        ) => Error::CannotOpen { path: path.to_owned(), source: Box::new(source) },
        _ => source.into(),
    };
    allowance::install();
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(cannot_open)?;
    prepare(&connection).map_err(|error| match error {
        Error::Sql { source } => cannot_open(source),
        other => other,
    })?;
    Ok(connection)
}

/// Opens the graph that lives in memory under `name`; gone with the last connection to it.
pub(crate) fn connect_memory(name: &str, flags: OpenFlags) -> Result<Connection> {
    allowance::install();
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(format!("file:/{name}?vfs=memdb"), flags)?;
    prepare(&connection)?;
    Ok(connection)
}

fn prepare(connection: &Connection) -> Result<()> {
    // Committed means committed, also when the power goes: this is evidence.
    connection.execute_batch(
        "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; PRAGMA cell_size_check = ON;
         PRAGMA trusted_schema = OFF; PRAGMA cache_size = -16384;",
    )?;
    connection.busy_timeout(Duration::from_secs(5))?;
    connection.set_prepared_statement_cache_capacity(64);
    views::register_functions(connection)?;
    full_text::register(connection)
}

#[cfg(test)]
mod tests {
    use evidence::{Budget, TaskId};

    use super::*;
    use crate::NewTask;

    fn record(graph: &Graph, query: &str) -> Result<TaskId> {
        graph.write(Cause::new("test"), |w| {
            w.create_task(&NewTask {
                query: query.to_owned(),
                hypothesis: Some("長い仮説 ".repeat(500)),
                language: None,
                budget: Budget { max_pages: 1, max_seconds: 1 },
                config: serde_json::json!({}),
            })
        })
    }

    /// SQLite answers a disk that takes no more pages the same way wherever the limit comes from, so it is
    /// set here, where it works on every machine and can be lifted again.
    #[test]
    fn a_full_disk_is_an_error_and_no_damage_and_when_there_is_room_again_writing_goes_on() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lyra.db");
        let graph = Graph::open(&path, Access::Write, Options::default()).unwrap();
        let room = |pages: i64| {
            graph.connection().pragma_update(None, "max_page_count", pages).unwrap();
        };
        let first = record(&graph, "before").unwrap();
        let used: i64 =
            graph.connection().pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
        room(used + 10);
        let mut kept = vec![first];
        let error = loop {
            match record(&graph, "filling up") {
                Ok(task) => kept.push(task),
                Err(error) => break error,
            }
        };
        assert!(matches!(error, Error::DiskFull { .. }), "{error:?}");
        assert_eq!(error.to_string(), "the disk is full");
        assert!(kept.len() > 1);
        let stored = || graph.read(|r| r.tasks()).unwrap().len();
        assert_eq!(stored(), kept.len(), "the one that did not fit left nothing behind");
        assert!(matches!(record(&graph, "still full"), Err(Error::DiskFull { .. })));
        assert_eq!(graph.check().unwrap(), Vec::<String>::new());

        room(used + 1000);
        kept.push(record(&graph, "after").unwrap());
        assert_eq!(stored(), kept.len());
        drop(graph);
        let graph = Graph::open(&path, Access::Write, Options::default()).unwrap();
        for task in kept {
            graph.read(|r| r.task(task)).unwrap();
        }
        assert_eq!(graph.check().unwrap(), Vec::<String>::new());
    }
}
