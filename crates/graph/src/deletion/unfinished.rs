//! What is left to do to files after rows went: the graph remembers it, so a killed process costs nothing.
//!
//! The graph knows no archive: who has one asks which records a file is to keep (`kept_in`), writes them anew, says where they
//! are now ([`Graph::moved`]) and removes the old file ([`Graph::removed`]). At every moment rows name whole records.

use rusqlite::params;
use serde::Serialize;

use crate::{Cause, Graph, Reader, Result};

/// What is to be done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unfinished {
    /// Archive files with records that no row names any more.
    pub rewrite: Vec<String>,
    /// Archive files whose records are elsewhere now.
    pub remove: Vec<String>,
    /// Whether the database still holds what rows left behind.
    pub compact: bool,
}

impl Unfinished {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What rows say about a file of the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveFile {
    pub file: String,
    /// Bytes of the records that rows name.
    pub bytes: u64,
    /// Where the last of them ends.
    pub end: u64,
}

/// Where a record is in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub record_id: String,
    pub byte_start: u64,
    pub byte_length: u64,
}

/// What making the database small again came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Compacted {
    pub bytes_before: u64,
    pub bytes_after: u64,
    /// Whether the journal could be emptied; a process that reads at this moment still needs it.
    pub journal_emptied: bool,
}

impl Reader<'_> {
    /// What is left to do.
    pub fn unfinished(&self) -> Result<Unfinished> {
        let mut found = Unfinished::default();
        let mut statement = self
            .connection
            .prepare_cached("SELECT what, file FROM unfinished ORDER BY what, file")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (what, file): (String, String) = (row.get("what")?, row.get("file")?);
            match &*what {
                "rewrite" => found.rewrite.push(file),
                "remove" => found.remove.push(file),
                _ => found.compact = true,
            }
        }
        Ok(found)
    }

    /// The archive files that rows name.
    pub fn archive_files(&self) -> Result<Vec<ArchiveFile>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT file, sum(byte_length) AS bytes, max(byte_start + byte_length) AS end FROM archive_records
             GROUP BY file ORDER BY file",
        )?;
        let files = statement.query_map([], |row| {
            Ok(ArchiveFile {
                file: row.get("file")?,
                bytes: row.get("bytes")?,
                end: row.get("end")?,
            })
        })?;
        Ok(files.collect::<rusqlite::Result<_>>()?)
    }

    /// The records that rows name in a file, in their order.
    pub fn kept_in(&self, file: &str) -> Result<Vec<Place>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT record_id, byte_start, byte_length FROM archive_records WHERE file = ?1 ORDER BY byte_start",
        )?;
        let places = statement.query_map([file], |row| {
            Ok(Place {
                record_id: row.get("record_id")?,
                byte_start: row.get("byte_start")?,
                byte_length: row.get("byte_length")?,
            })
        })?;
        Ok(places.collect::<rusqlite::Result<_>>()?)
    }
}

impl Graph {
    /// Notes files of the archive that hold bytes which no row names: records whose rows a killed process did not write.
    pub fn to_rewrite(&self, files: &[String]) -> Result<()> {
        self.write(Cause::new("tidy"), |writer| {
            for file in files {
                writer
                    .connection
                    .execute("INSERT OR IGNORE INTO unfinished VALUES ('rewrite', ?1)", [file])?;
            }
            Ok(())
        })
    }

    /// Notes that the database is to be written anew.
    pub fn to_compact(&self) -> Result<()> {
        self.write(Cause::new("tidy"), |writer| {
            writer
                .connection
                .execute("INSERT OR IGNORE INTO unfinished VALUES ('compact', '')", [])?;
            Ok(())
        })
    }

    /// Notes that the records of `file` are in `new` now, at these places; none where nothing was to be kept.
    pub fn moved(&self, file: &str, new: Option<(&str, &[Place])>) -> Result<()> {
        self.write(Cause::new("tidy"), |writer| {
            let (new, places) = new.unwrap_or((file, &[]));
            let mut statement = writer.connection.prepare_cached(
                "UPDATE archive_records SET file = ?1, byte_start = ?2, byte_length = ?3 WHERE record_id = ?4",
            )?;
            for place in places {
                statement.execute(params![new, place.byte_start, place.byte_length, place.record_id])?;
            }
            writer.connection.execute("DELETE FROM unfinished WHERE what = 'rewrite' AND file = ?1", [file])?;
            writer.connection.execute("INSERT OR IGNORE INTO unfinished VALUES ('remove', ?1)", [file])?;
            Ok(())
        })
    }

    /// Notes that a file is not there any more, or needs nothing.
    pub fn removed(&self, file: &str) -> Result<()> {
        self.write(Cause::new("tidy"), |writer| {
            writer
                .connection
                .execute("DELETE FROM unfinished WHERE file = ?1 AND what <> 'compact'", [file])?;
            Ok(())
        })
    }

    /// Writes the database anew without what left it: free pages, and words that only the full-text index still knows.
    pub fn compact(&self) -> Result<Compacted> {
        let connection = self.connection();
        let size = || -> Result<u64> {
            let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
            let bytes: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
            Ok((pages * bytes).unsigned_abs())
        };
        let bytes_before = size()?;
        connection.execute_batch(
            "INSERT INTO fragments_fts(fragments_fts) VALUES ('optimize');
             INSERT INTO claims_fts(claims_fts) VALUES ('optimize');
             VACUUM;",
        )?;
        let bytes_after = size()?;
        let empty = || -> Result<bool> {
            let busy: i64 =
                connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
            Ok(busy == 0)
        };
        let journal_emptied = empty()?;
        if journal_emptied {
            connection.execute("DELETE FROM unfinished WHERE what = 'compact'", [])?;
        }
        Ok(Compacted { bytes_before, bytes_after, journal_emptied })
    }
}
