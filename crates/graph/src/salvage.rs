//! Saves what can still be read of a damaged database into a new one.
//!
//! The damaged file is only copied, never opened. Rows come out table by table ([`reading`]), then
//! the new graph is made sound again ([`mending`]): a row that is invalid without something that
//! was lost is left out, and every loss is counted.

mod mending;
mod reading;
mod spoiled;

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};
use serde::Serialize;

use crate::header::{self, beside};
use crate::store::timestamp;
use crate::{Access, Error, Graph, Options, Result, Stop, voices};

/// What was saved and what was not, table by table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SalvageReport {
    pub tables: Vec<SalvagedTable>,
    /// Entries of the causal log that were lost but are named by rows that were not. Each is
    /// replaced by one of kind `lost`, so that what it caused can be kept.
    pub stand_in_events: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SalvagedTable {
    pub name: String,
    /// Rows that could be read.
    pub read: u64,
    /// Of these, rows that are not in the new graph: spoiled, or without the row they rest on.
    pub left_out: u64,
    /// References to lost rows that were cleared because the row is valid without them.
    pub cleared: u64,
    /// Rows that could not be read; unknown when no intact index tells how many there were.
    pub lost: Option<u64>,
}

impl SalvageReport {
    /// Whether the new graph holds everything the damaged one held.
    pub fn is_complete(&self) -> bool {
        self.stand_in_events == 0
            && self
                .tables
                .iter()
                .all(|it| it.left_out == 0 && it.cleared == 0 && it.lost == Some(0))
    }
}

/// Copies every readable row of `damaged` into a fresh graph at `new`.
///
/// `new` must not exist; `damaged` stays as it is. Needs room for a second copy of `damaged` while it
/// runs. A file whose schema itself cannot be read is beyond help: [`Error::Damaged`]. When `stop` is
/// requested, nothing of `new` is left.
pub fn salvage(damaged: &Path, new: &Path, options: Options, stop: &Stop) -> Result<SalvageReport> {
    for taken in [new.to_owned(), beside(new, "-wal")] {
        if taken.try_exists().map_err(|source| Error::File { path: taken.clone(), source })? {
            return Err(Error::File { path: taken, source: ErrorKind::AlreadyExists.into() });
        }
    }
    let copy = WorkingCopy::take(damaged, beside(new, ".damaged-copy"))?;
    let mut source = copy.open()?;
    stop.end_statements_of(&mut source)?;
    let report =
        Graph::open(new, Access::Write, options).and_then(|graph| fill(&graph, &source, stop));
    if report.is_err() {
        // Half a graph would look like a whole one.
        for suffix in ["", "-wal", "-shm", ".lock"] {
            fs::remove_file(beside(new, suffix)).ok();
        }
    }
    report
}

fn fill(graph: &Graph, source: &Connection, stop: &Stop) -> Result<SalvageReport> {
    let mut target = graph.connection();
    stop.end_statements_of(&mut target)?;
    // Rows arrive in the order of tables, not of their references; these are checked at the end.
    target.pragma_update(None, "foreign_keys", false)?;
    let transaction = target.transaction()?;
    let logs = mending::unseal_logs(&transaction)?;
    let mut tables = Vec::new();
    for layout in reading::layouts(&transaction)? {
        tables.push(reading::copy_table(source, &transaction, &layout)?);
    }
    let stand_in_events =
        mending::restore_causes(source, &transaction, &mut tables, &timestamp(graph.now()))?;
    mending::drop_what_hangs_in_the_air(&transaction, &mut tables)?;
    // Who was heard may be lost.
    voices::count_all_again(&transaction)?;
    logs.seal(&transaction)?;
    transaction.commit()?;
    target.pragma_update(None, "foreign_keys", true)?;
    Ok(SalvageReport { tables, stand_in_events })
}

/// A copy that may be opened and changed, removed when it is no longer needed.
struct WorkingCopy(PathBuf);

impl Drop for WorkingCopy {
    fn drop(&mut self) {
        for suffix in ["", "-wal", "-shm"] {
            fs::remove_file(beside(&self.0, suffix)).ok();
        }
    }
}

impl WorkingCopy {
    fn take(damaged: &Path, path: PathBuf) -> Result<Self> {
        let failed = |source| Error::File { path: damaged.to_owned(), source };
        header::check_damaged(damaged)?;
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        let copy = Self(path);
        fs::copy(damaged, &copy.0).map_err(failed)?;
        match fs::copy(beside(damaged, "-wal"), beside(&copy.0, "-wal")) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
        mend_header(&copy.0).map_err(|source| Error::File { path: copy.0.clone(), source })?;
        Ok(copy)
    }

    fn open(&self) -> Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        crate::guarded::allowance::install();
        let connection = Connection::open_with_flags(&self.0, flags)?;
        // `writable_schema` lets SQLite open a file that is shorter than it should be;
        // `cell_size_check` makes it stumble over spoiled pages instead of reading sense into them.
        connection.execute_batch("PRAGMA writable_schema = ON; PRAGMA cell_size_check = ON;")?;
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
        Ok(connection)
    }
}

/// Writes the parts of the header that are the same in all our files.
fn mend_header(path: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let mut header = [0; header::HEADER_BYTES];
    file.read_exact(&mut header)?;
    header::mend(&mut header);
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header)
}
