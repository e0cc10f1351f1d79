//! Taking a task back: the one exception to "nothing is lost", and only a person asks for it.
//!
//! [`going`] finds the rows: those of the task, and what it shares with others if nobody needs it any more. Here they are
//! removed in one transaction, which leaves a tombstone and names the files that still hold their bytes; [`unfinished`] has what
//! is done to those. [`Graph::tidy`] removes in the same way what nothing needs, and touches no log.

mod going;
mod unfinished;

use std::collections::BTreeMap;

use evidence::TaskId;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;

use self::going::{Going, Whose};
use crate::row::RowExt;
use crate::store::timestamp;
use crate::{Cause, Error, Graph, Reader, Result, Writer, integrity};

pub use self::going::Unneeded;
pub use self::unfinished::{ArchiveFile, Compacted, Place, Unfinished};

/// What goes, or went.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Removal {
    /// Rows by table.
    pub rows: BTreeMap<String, u64>,
    /// Bytes of texts and vectors in these rows.
    pub text_bytes: u64,
    pub archive_records: u64,
    pub archive_bytes: u64,
    /// Rows of the ledger that lose their path and their cause.
    pub ledger_rows: u64,
    /// Pages of the task that stay, because others use them.
    pub shared_pages: u64,
}

impl Removal {
    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.archive_records == 0
    }

    pub fn rows_of(&self, table: &str) -> u64 {
        self.rows.get(table).copied().unwrap_or_default()
    }
}

/// What is left of a deleted task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tombstone {
    pub task_id: TaskId,
    pub deleted_at: Timestamp,
}

impl Reader<'_> {
    /// What deleting a task would take; changes nothing.
    pub fn deletion_of(&self, task: TaskId) -> Result<Removal> {
        self.task(task)?;
        Going::find(self.connection, &Whose::Task(task))?.counted()
    }

    /// What tidying would take; changes nothing.
    pub fn unneeded(&self, wish: &Unneeded, now: Timestamp) -> Result<Removal> {
        let whose = Whose::Nobody { wish, now: timestamp(now) };
        Going::find(self.connection, &whose)?.counted()
    }

    /// The tombstone of a task, if it was deleted.
    pub fn tombstone(&self, task: TaskId) -> Result<Option<Tombstone>> {
        let found = self
            .connection
            .prepare_cached("SELECT id, deleted_at FROM deleted_tasks WHERE id = ?1")?
            .query_row([task.to_string()], |row| {
                Ok(Tombstone { task_id: row.parse("id")?, deleted_at: row.parse("deleted_at")? })
            })
            .optional()?;
        Ok(found)
    }
}

impl Graph {
    /// Deletes a task: its rows, and what nobody else needs of what it shared. The bytes are gone from all files after what
    /// `Graph::unfinished` names is done, too.
    pub fn delete_task(&self, task: TaskId) -> Result<Removal> {
        let cause = Cause::new("task_delete").about("task", task);
        self.rewrite(cause, |writer| {
            writer.task(task)?;
            let going = Going::find(writer.connection, &Whose::Task(task))?;
            let removal = going.counted()?;
            let event = writer.cause()?.to_string();
            writer.connection.execute(
                "INSERT OR REPLACE INTO deleted_tasks (id, deleted_at, cause_id) VALUES (?1, ?2, ?3)",
                params![task.to_string(), writer.now(), event],
            )?;
            going.open_the_logs(task)?;
            going.remove()?;
            going.empty_the_ledger(&event)?;
            going.leave_the_log()?;
            writer.connection.execute("DELETE FROM leaving", [])?;
            Ok(removal)
        })
    }

    /// Removes what nothing needs.
    pub fn tidy(&self, wish: &Unneeded) -> Result<Removal> {
        self.rewrite(Cause::new("tidy"), |writer| {
            let whose = Whose::Nobody { wish, now: writer.now() };
            let going = Going::find(writer.connection, &whose)?;
            let removal = going.counted()?;
            if !removal.is_empty() {
                // No row names the event; it stands for itself.
                writer.cause()?;
                going.remove()?;
            }
            Ok(removal)
        })
    }

    /// One transaction in which rows may leave before those that name them. What it leaves is checked before it is committed,
    /// and what it removes is overwritten.
    fn rewrite(
        &self,
        cause: Cause,
        remove: impl FnOnce(&Writer<'_>) -> Result<Removal>,
    ) -> Result<Removal> {
        let mut connection = self.connection();
        let keep_references = |connection: &Connection, yes: bool| -> Result<()> {
            // Without an index on every cause, SQLite would look through the whole file for each event that goes.
            connection.pragma_update(None, "foreign_keys", yes)?;
            connection.query_row(
                if yes { "PRAGMA secure_delete = OFF" } else { "PRAGMA secure_delete = ON" },
                [],
                |_| Ok(()),
            )?;
            Ok(())
        };
        keep_references(&connection, false)?;
        let removed = self.write_on(&mut connection, cause, |writer| {
            let removal = remove(writer)?;
            let dangling = integrity::references(writer.connection)?;
            match dangling.first() {
                None => Ok(removal),
                Some(first) => {
                    Err(Error::invalid("what would be left", format!("is not whole: {first}")))
                }
            }
        });
        keep_references(&connection, true)?;
        removed
    }
}

/// Names of all tables with rows that say what caused them.
fn tables_with_causes(connection: &Connection) -> Result<Vec<String>> {
    let mut statement = connection.prepare(
        "SELECT t.name FROM pragma_table_list t JOIN pragma_table_info(t.name) c
         WHERE t.schema = 'main' AND t.type = 'table' AND c.name = 'cause_id' ORDER BY t.name",
    )?;
    let names = statement.query_map([], |row| row.get(0))?;
    Ok(names.collect::<rusqlite::Result<_>>()?)
}
