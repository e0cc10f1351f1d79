//! Writing a task out as JSON Lines.

use std::io::{self, Write};

use evidence::TaskId;
use rusqlite::types::ValueRef;
use serde_json::{Map, Value, json};

use super::scope::Scope;
use super::{FORMAT, Header, Line, TABLES, Transferred, VECTOR};
use crate::{Error, Graph, Reader, Result, SCHEMA_VERSION};

/// Why a task could not be written out.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error("cannot write the export")]
    Unwritable(#[from] io::Error),
    #[error(transparent)]
    Graph(#[from] Error),
}

impl From<rusqlite::Error> for ExportError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Graph(error.into())
    }
}

impl Graph {
    /// Writes everything a task rests on. The same graph gives the same bytes.
    pub fn export_task(
        &self,
        task: TaskId,
        out: &mut dyn Write,
    ) -> Result<Transferred, ExportError> {
        self.read(|reader| reader.task(task))?;
        let header = Header { lyra_export: FORMAT, schema: SCHEMA_VERSION, task_id: task };
        serde_json::to_writer(&mut *out, &header).map_err(io::Error::from)?;
        out.write_all(b"\n")?;
        self.each_row(task, &mut |table, row| {
            serde_json::to_writer(&mut *out, &Line { table: table.to_owned(), row })
                .map_err(io::Error::from)?;
            out.write_all(b"\n")
        })
    }

    /// Hands over the rows of a task, table by table.
    pub(super) fn each_row(
        &self,
        task: TaskId,
        sink: &mut dyn FnMut(&'static str, Map<String, Value>) -> io::Result<()>,
    ) -> Result<Transferred, ExportError> {
        let mut outcome = None;
        self.read(|reader| {
            outcome = Some(rows(reader, task, sink));
            Ok(())
        })?;
        outcome.expect("the closure above ran to its end")
    }
}

fn rows(
    reader: &Reader<'_>,
    task: TaskId,
    sink: &mut dyn FnMut(&'static str, Map<String, Value>) -> io::Result<()>,
) -> Result<Transferred, ExportError> {
    let mut transferred = Transferred::default();
    let scope = Scope::collect(reader.connection, task)?;
    for table in TABLES {
        let (columns, sql) = scope.select(table.name, task)?;
        let mut statement = reader.connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let mut object = Map::new();
            for (index, column) in columns.iter().enumerate() {
                object.insert(column.clone(), to_json(column, row.get_ref(index)?));
            }
            sink(table.name, object)?;
            transferred.count(table.name);
        }
    }
    Ok(transferred)
}

/// A vector is written as its numbers, any other blob as hexadecimal digits.
fn to_json(column: &str, value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => json!(number),
        ValueRef::Real(number) => json!(number),
        ValueRef::Text(text) => json!(String::from_utf8_lossy(text)),
        ValueRef::Blob(bytes) if column == VECTOR => bytes
            .chunks_exact(4)
            .map(|it| json!(f64::from(f32::from_le_bytes([it[0], it[1], it[2], it[3]]))))
            .collect(),
        ValueRef::Blob(bytes) => {
            bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into()
        }
    }
}
