//! Rows of any query, for interfaces that show them as they are.

use rusqlite::types::ValueRef;
use rusqlite::{Params, Statement};
use serde::Serialize;
use serde_json::{Value, json};

/// What a query answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rows {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Value>>,
    /// Whether there were more rows than asked for.
    pub truncated: bool,
}

impl Rows {
    /// Runs `statement` and keeps the first `limit` rows.
    pub(crate) fn read(
        statement: &mut Statement<'_>,
        params: impl Params,
        limit: usize,
    ) -> rusqlite::Result<Self> {
        let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let mut rows = Vec::new();
        let mut found = statement.query(params)?;
        while let Some(row) = found.next()? {
            if rows.len() == limit {
                return Ok(Self { columns, rows, truncated: true });
            }
            let values = (0..columns.len()).map(|index| Ok(to_json(row.get_ref(index)?)));
            rows.push(values.collect::<rusqlite::Result<_>>()?);
        }
        Ok(Self { columns, rows, truncated: false })
    }
}

/// The value as JSON. Blobs (vectors) are shown by their size, because the bytes mean nothing to a reader; JSON
/// knows no infinity, `null` is what other tools write.
pub(crate) fn to_json(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(text) => String::from_utf8_lossy(text).into(),
        ValueRef::Blob(bytes) => json!({ "blob_bytes": bytes.len() }),
    }
}
