//! From the engine's values to the answer's, within its limits.

use rusqlite::Statement;
use rusqlite::types::ValueRef;

use super::error::Stopped;
use super::{QueryError, QuerySettings};
use crate::rows::{Rows, to_json};

/// What a value without text of its own weighs in an answer.
const PLAIN_VALUE_BYTES: usize = 8;

pub(super) fn collect(
    statement: &mut Statement<'_>,
    limits: &QuerySettings,
) -> Result<Rows, Stopped> {
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let stopped = |source| Stopped::Engine { source, running: true };
    let mut table = Rows { columns, rows: Vec::new(), truncated: false };
    let mut bytes = table.columns.iter().map(String::len).sum::<usize>();
    let mut found = statement.raw_query();
    loop {
        let full = table.rows.len() == limits.rows;
        let row = match found.next() {
            Ok(Some(row)) => row,
            Ok(None) => return Ok(table),
            // All that was asked for is here; only whether there is more stays open.
            Err(_) if full => {
                table.truncated = true;
                return Ok(table);
            }
            Err(source) => return Err(stopped(source)),
        };
        if full {
            table.truncated = true;
            return Ok(table);
        }
        let mut values = Vec::with_capacity(table.columns.len());
        for index in 0..table.columns.len() {
            let value = row.get_ref(index).map_err(stopped)?;
            bytes += weight(value);
            values.push(to_json(value));
        }
        if bytes > limits.bytes {
            if table.rows.is_empty() {
                let error = QueryError::TooLarge { what: "the first row", bytes: limits.bytes };
                return Err(error.into());
            }
            table.truncated = true;
            return Ok(table);
        }
        table.rows.push(values);
    }
}

fn weight(value: ValueRef<'_>) -> usize {
    match value {
        ValueRef::Text(text) => text.len(),
        _ => PLAIN_VALUE_BYTES,
    }
}
