//! A copy of the graph as it is at one moment, while others go on writing; and keeping all writers out, for who moves the
//! file itself.

use std::path::Path;
use std::time::Duration;

use rusqlite::OpenFlags;

use crate::lock::WriteLock;
use crate::store::connect;
use crate::{Error, Graph, Result, private};

/// Nobody writes to a database as long as this is held.
#[derive(Debug)]
pub struct Held {
    _lock: WriteLock,
}

/// Keeps writers out of a database that may or may not be there; fails when one does not leave in time.
pub fn hold(database: &Path, patience: Duration) -> Result<Held> {
    if let Some(parent) = database.parent() {
        files::make_private_folder(parent)
            .map_err(|source| Error::File { path: parent.to_owned(), source })?;
    }
    Ok(Held { _lock: WriteLock::acquire(database, patience)? })
}

impl Graph {
    /// Writes what is committed now into a new file, whole and on the disk when it returns.
    pub fn snapshot(&self, new: &Path) -> Result<()> {
        let failed = |source| Error::File { path: new.to_owned(), source };
        let name = new.to_str().ok_or_else(|| Error::invalid("the path", "is not UTF-8"))?;
        // Made before, so that nobody else may read it.
        private::make_file(new).map_err(failed)?;
        self.connection().execute("VACUUM INTO ?1", [name])?;
        let copy = connect(new, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        // A copy goes to other places: what people are signed in to stays here.
        copy.pragma_update(None, "secure_delete", true)?;
        copy.execute("DELETE FROM sessions", [])?;
        copy.pragma_update(None, "journal_mode", "wal")?;
        copy.close().map_err(|(_, source)| source)?;
        files::open(new).and_then(|it| it.sync_all()).map_err(failed)
    }
}
