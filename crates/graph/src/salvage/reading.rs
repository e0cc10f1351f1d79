//! Reading past damage: the rows before, between and after damaged pages.

use std::collections::HashSet;

use rusqlite::types::Value;
use rusqlite::{Connection, ErrorCode, OptionalExtension, ToSql, params_from_iter};

use super::SalvagedTable;
use super::spoiled::is_spoiled;
use crate::Result;

/// A gap is crossed in steps of this part of its length so far; what a step jumps over is looked
/// for row by row once the other side is reached.
const STEP_PART: i64 = 64;
const LONGEST_LOOK_BACK: i64 = 10_000;

/// A table of the new schema.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) name: String,
    without_rowid: bool,
}

pub(super) fn layouts(target: &Connection) -> Result<Vec<Layout>> {
    let mut statement = target.prepare(
        "SELECT name, wr FROM pragma_table_list
         WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )?;
    let layouts = statement
        .query_map([], |row| Ok(Layout { name: row.get(0)?, without_rowid: row.get(1)? }))?;
    Ok(layouts.collect::<rusqlite::Result<_>>()?)
}

/// Copies the rows of one table that can be read.
pub(super) fn copy_table(
    source: &Connection,
    target: &Connection,
    layout: &Layout,
) -> Result<SalvagedTable> {
    let name = &layout.name;
    target.execute(&format!("DELETE FROM {name}"), [])?;
    let columns = shared_columns(source, target, name)?;
    let mut copy = Copy {
        table: SalvagedTable {
            name: name.clone(),
            read: 0,
            left_out: 0,
            cleared: 0,
            lost: Some(0),
        },
        source,
        target,
        insert: insert_sql(name, &columns),
        columns: &columns,
        list: columns.join(", "),
    };
    // An older schema may not have the table yet.
    if !columns.is_empty() {
        let complete = match layout.without_rowid {
            true => copy.inward_from_both_ends()?,
            false => copy.across_gaps()?,
        };
        if !complete {
            copy.table.lost =
                rows_by_index(source, name)?.map(|all| all.saturating_sub(copy.table.read));
        }
    }
    Ok(copy.table)
}

struct Copy<'a> {
    table: SalvagedTable,
    source: &'a Connection,
    target: &'a Connection,
    columns: &'a [String],
    list: String,
    insert: String,
}

/// How far a scan came.
struct Scan {
    last: Option<i64>,
    complete: bool,
}

impl Copy<'_> {
    /// Reads a table by its row numbers, which SQLite can seek: it continues behind a gap.
    fn across_gaps(&mut self) -> Result<bool> {
        let (mut from, mut gap_start, mut skipped) = (1_i64, 1_i64, 0_i64);
        let mut complete = true;
        loop {
            let scan = self.scan_from(from)?;
            if skipped > 0 && (scan.last.is_some() || scan.complete) {
                self.look_back(from - skipped.min(LONGEST_LOOK_BACK), from)?;
            }
            if scan.complete {
                return Ok(complete);
            }
            complete = false;
            if let Some(last) = scan.last {
                (from, gap_start) = (last, last);
            }
            let step = 1 + (from - gap_start) / STEP_PART;
            match from.checked_add(step) {
                Some(next) => from = next,
                None => return Ok(false),
            }
            skipped = step - 1;
        }
    }

    fn scan_from(&mut self, from: i64) -> Result<Scan> {
        let sql = format!(
            "SELECT {}, rowid FROM {} NOT INDEXED WHERE rowid >= ?1 ORDER BY rowid",
            self.list, self.table.name
        );
        let seek = format!("SELECT 1 FROM {} NOT INDEXED WHERE rowid = ?1", self.table.name);
        let mut seek = self.source.prepare_cached(&seek)?;
        let mut last: Option<i64> = None;
        let complete = self.read(&sql, &[&from], |row| {
            let rowid = match row.pop() {
                Some(Value::Integer(rowid)) => rowid,
                _ => return false,
            };
            // Going backwards means that the pages lead in a circle.
            let forward = last.is_none_or(|last| rowid > last) && rowid >= from;
            // A number that leaves others out may be damaged: continuing behind it would lose all that are
            // between. One that is true leads back to its row.
            let next = rowid == last.map_or(from, |it| it.saturating_add(1));
            if forward && (next || seek.exists([rowid]).unwrap_or(false)) {
                last = Some(rowid);
            }
            forward
        })?;
        Ok(Scan { last, complete })
    }

    fn look_back(&mut self, from: i64, to: i64) -> Result<()> {
        let sql =
            format!("SELECT {} FROM {} NOT INDEXED WHERE rowid = ?1", self.list, self.table.name);
        for rowid in from..to {
            self.read(&sql, &[&rowid], |_| true)?;
        }
        Ok(())
    }

    /// Reads a table kept in the order of its text key from the front, and behind a gap from the back.
    fn inward_from_both_ends(&mut self) -> Result<bool> {
        let key = primary_key(self.source, &self.table.name)?;
        let places: Vec<usize> = key
            .iter()
            .filter_map(|it| self.columns.iter().position(|column| column == it))
            .collect();
        let key_of =
            |row: &[Value]| format!("{:?}", places.iter().map(|it| &row[*it]).collect::<Vec<_>>());
        let forwards = format!("SELECT {} FROM {} NOT INDEXED", self.list, self.table.name);
        let order: Vec<_> = key.iter().map(|it| format!("{it} DESC")).collect();
        let backwards = format!("{forwards} ORDER BY {}", order.join(", "));

        let mut seen = HashSet::new();
        if self.read(&forwards, &[], |row| seen.insert(key_of(row)))? {
            return Ok(true);
        }
        self.read(&backwards, &[], |row| seen.insert(key_of(row)))?;
        Ok(false)
    }

    /// Copies what `sql` finds while `accept` agrees; answers whether it came to the end.
    fn read(
        &mut self,
        sql: &str,
        params: &[&dyn ToSql],
        mut accept: impl FnMut(&mut Vec<Value>) -> bool,
    ) -> Result<bool> {
        let mut statement = self.source.prepare_cached(sql)?;
        let width = statement.column_count();
        let mut rows = statement.query(params)?;
        loop {
            let row = match rows.next() {
                Ok(Some(row)) => row,
                Ok(None) => return Ok(true),
                Err(error) if is_damage(&error) => return Ok(false),
                Err(error) => return Err(error.into()),
            };
            let values = (0..width).map(|index| row.get(index)).collect::<rusqlite::Result<_>>();
            let mut values: Vec<Value> = match values {
                Ok(values) => values,
                Err(error) if is_damage(&error) => {
                    self.table.read += 1;
                    self.table.left_out += 1;
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            if !accept(&mut values) {
                return Ok(false);
            }
            self.table.read += 1;
            let spoiled = is_spoiled(&self.table.name, self.columns, &values);
            if spoiled || !insert(self.target, &self.insert, values)? {
                self.table.left_out += 1;
            }
        }
    }
}

/// Copies one row by its key; answers whether it was there and fit.
pub(super) fn copy_event(source: &Connection, target: &Connection, id: &str) -> Result<bool> {
    let columns = shared_columns(source, target, "events")?;
    let sql = format!("SELECT {} FROM events WHERE id = ?1", columns.join(", "));
    let found: rusqlite::Result<Option<Vec<Value>>> = source
        .prepare_cached(&sql)?
        .query_row([id], |row| (0..columns.len()).map(|index| row.get(index)).collect())
        .optional();
    match found {
        Ok(Some(values)) if is_spoiled("events", &columns, &values) => Ok(false),
        Ok(Some(values)) => insert(target, &insert_sql("events", &columns), values),
        Ok(None) => Ok(false),
        Err(error) if is_damage(&error) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn insert_sql(table: &str, columns: &[String]) -> String {
    let marks = vec!["?"; columns.len()].join(", ");
    format!("INSERT OR IGNORE INTO {table} ({}) VALUES ({marks})", columns.join(", "))
}

/// A row that breaks the rules of its table is spoiled: it is not taken.
fn insert(target: &Connection, sql: &str, values: Vec<Value>) -> Result<bool> {
    match target.prepare_cached(sql)?.execute(params_from_iter(values)) {
        Ok(count) => Ok(count > 0),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}

/// Columns that both databases store; generated ones follow by themselves.
fn shared_columns(source: &Connection, target: &Connection, table: &str) -> Result<Vec<String>> {
    let columns = |connection: &Connection| -> rusqlite::Result<Vec<String>> {
        connection
            .prepare_cached(
                "SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0 ORDER BY cid",
            )?
            .query_map([table], |row| row.get(0))?
            .collect()
    };
    let theirs = columns(source)?;
    let mut ours = columns(target)?;
    ours.retain(|it| theirs.contains(it));
    Ok(ours)
}

fn primary_key(connection: &Connection, table: &str) -> Result<Vec<String>> {
    let mut statement = connection
        .prepare_cached("SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk")?;
    Ok(statement.query_map([table], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?)
}

/// How many rows a table had, as far as one of its indexes can be read to the end.
fn rows_by_index(source: &Connection, table: &str) -> Result<Option<u64>> {
    let mut statement = source.prepare_cached(
        "SELECT name FROM pragma_index_list(?1) WHERE partial = 0 AND NOT (origin = 'pk' AND
           (SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?1))",
    )?;
    let indexes: Vec<String> =
        statement.query_map([table], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let mut most = None;
    for index in indexes {
        let sql = format!("SELECT count(*) FROM {table} INDEXED BY {index}");
        match source.query_row(&sql, [], |row| row.get::<_, i64>(0)) {
            Ok(rows) => most = most.max(Some(rows.unsigned_abs())),
            Err(error) if is_damage(&error) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(most)
}

/// Whether an error comes from spoiled bytes: pages that lead nowhere, lengths that cannot be, text
/// that is not text any more.
fn is_damage(error: &rusqlite::Error) -> bool {
    let spoiled_page = matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::DatabaseCorrupt
                | ErrorCode::NotADatabase
                | ErrorCode::SystemIoFailure
                | ErrorCode::TooBig
                | ErrorCode::OutOfMemory
        )
    );
    spoiled_page || matches!(error, rusqlite::Error::Utf8Error(..))
}
