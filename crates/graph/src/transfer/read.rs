//! Importing an untrusted file: checked line by line, taken whole or not at all.

use std::collections::HashMap;
use std::io::BufRead;

use evidence::{TaskId, text_hash};
use jiff::Timestamp;
use rusqlite::types::Value as SqlValue;
use rusqlite::{OptionalExtension, params_from_iter};
use serde_json::{Map, Value, json};

use super::scope::stored_columns;
use super::{BYTES, FORMAT, Header, ImportError, Line, TABLES, Table, Transferred, VECTOR};
use crate::{Cause, Graph, SCHEMA_VERSION, Writer};

impl Graph {
    /// Adds the task of an export to this graph. What is already here is recognised and kept.
    pub fn import_task(&self, export: impl BufRead) -> Result<(TaskId, Transferred), ImportError> {
        let mut lines = export.lines().enumerate().map(|(index, line)| (index + 1, line));
        let task = header(lines.next().map(|(_, line)| line).transpose()?)?;
        let mut outcome = None;
        let written = self.write(Cause::new("import"), |writer| {
            let result = rows(writer, task, &mut lines);
            let failed = result.is_err();
            outcome = Some(result);
            // The transaction must not be kept when a line was refused; its own error says why.
            if failed { Err(crate::Error::Interrupted) } else { Ok(()) }
        });
        match (outcome, written) {
            (Some(Err(refused)), _) => Err(refused),
            (_, Err(error)) if is_broken_reference(&error) => Err(ImportError::Incomplete),
            (_, Err(error)) => Err(error.into()),
            (Some(Ok(transferred)), Ok(())) => Ok((task, transferred)),
            (None, Ok(())) => unreachable!("a write that succeeded ran its closure"),
        }
    }
}

fn header(first: Option<String>) -> Result<TaskId, ImportError> {
    let not_ours = |problem: String| ImportError::NotAnExport { problem };
    let first = first.ok_or_else(|| not_ours("the file is empty".to_owned()))?;
    // Only the two numbers are read before the rest is trusted to be in a form we know.
    let value: Value = serde_json::from_str(&first).map_err(|error| not_ours(error.to_string()))?;
    let number = |key: &str| value.get(key).and_then(Value::as_i64);
    let (Some(format), Some(schema)) = (number("lyra_export"), number("schema")) else {
        return Err(not_ours("the first line has no format".to_owned()));
    };
    let format = u32::try_from(format).unwrap_or(u32::MAX);
    if format > FORMAT || schema > SCHEMA_VERSION {
        return Err(ImportError::Newer { format, schema });
    }
    let header: Header =
        serde_json::from_value(value).map_err(|error| not_ours(error.to_string()))?;
    Ok(header.task_id)
}

fn rows(
    writer: &Writer<'_>,
    task: TaskId,
    lines: &mut dyn Iterator<Item = (usize, std::io::Result<String>)>,
) -> Result<Transferred, ImportError> {
    // A row may come before the one it refers to (an identifier before its work): checked at the end.
    writer.connection.pragma_update(None, "defer_foreign_keys", true)?;
    let mut import = Import {
        writer,
        task,
        columns: HashMap::new(),
        same_as: HashMap::new(),
        transferred: Transferred::default(),
    };
    for (number, line) in lines {
        let text = line?;
        let line: Line = serde_json::from_str(&text)
            .map_err(|error| ImportError::Line { line: number, problem: error.to_string() })?;
        import.row(line).map_err(|refused| match refused {
            Refused::Problem(problem) => ImportError::Line { line: number, problem },
            Refused::Graph(error) => ImportError::Graph(error),
        })?;
    }
    if import.transferred.total() > 0 {
        writer.recount_claims_of_task(task)?;
        // About the task, not in it: the copy exports to the same bytes as the original.
        let detail = json!({ "rows": import.transferred.rows });
        writer.record_event(Cause::new("import").about("task", task).with(detail))?;
    }
    Ok(import.transferred)
}

struct Import<'a> {
    writer: &'a Writer<'a>,
    task: TaskId,
    columns: HashMap<&'static str, Vec<String>>,
    /// Ids of the export whose rows the graph already has under another id.
    same_as: HashMap<String, String>,
    transferred: Transferred,
}

enum Refused {
    Problem(String),
    Graph(crate::Error),
}

impl From<rusqlite::Error> for Refused {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{ConstraintViolation, TypeMismatch};
        match (error.sqlite_error_code(), &error) {
            (
                Some(ConstraintViolation | TypeMismatch),
                rusqlite::Error::SqliteFailure(_, Some(message)),
            ) => Self::Problem(format!("the row is not allowed: {message}")),
            _ => Self::Graph(error.into()),
        }
    }
}

impl From<crate::Error> for Refused {
    fn from(error: crate::Error) -> Self {
        Self::Graph(error)
    }
}

impl Import<'_> {
    fn row(&mut self, line: Line) -> Result<(), Refused> {
        let problem = |text: String| Err(Refused::Problem(text));
        let Some(table) = TABLES.iter().find(|it| it.name == line.table) else {
            return problem(format!("`{}` is not a table of an export", line.table));
        };
        let mut row = line.row;
        self.check(table, &row)?;
        for column in table.references {
            if let Some(Value::String(id)) = row.get_mut(*column)
                && let Some(known) = self.same_as.get(id)
            {
                id.clone_from(known);
            }
        }
        let id = row.get("id").and_then(Value::as_str).map(str::to_owned);
        if let Some(id) = &id
            && (self.same_as.contains_key(id) || self.is_stored(table, id)?)
        {
            self.transferred.known += 1;
            return Ok(());
        }
        if let Some(known) = self.same_thing(table, &row)? {
            match id {
                Some(id) => drop(self.same_as.insert(id, known)),
                None if table.name == "work_identifiers" => self.same_work(&row, known)?,
                None => {}
            }
            self.transferred.known += 1;
            return Ok(());
        }
        self.insert(table, &row)?;
        self.transferred.count(table.name);
        Ok(())
    }

    /// Refuses what the database would take but the rest of the product could not read.
    fn check(&mut self, table: &Table, row: &Map<String, Value>) -> Result<(), Refused> {
        let problem = |text: String| Err(Refused::Problem(text));
        let columns = match self.columns.get(table.name) {
            Some(columns) => columns,
            None => {
                let columns = stored_columns(self.writer.connection, table.name)?;
                self.columns.entry(table.name).or_insert(columns)
            }
        };
        if let Some(unknown) = row.keys().find(|key| !columns.contains(key)) {
            return problem(format!("{} has no column `{unknown}`", table.name));
        }
        if let Some(check) = table.check_id {
            let Some(id) = row.get("id").and_then(Value::as_str) else {
                return problem("the row has no id".to_owned());
            };
            if let Err(error) = check(id) {
                return problem(error.to_string());
            }
        }
        for (column, value) in row {
            let time = value.as_str().filter(|_| column.ends_with("_at"));
            let said_by_a_page = column == "published_at";
            let is_known =
                |it: &str| it.parse::<Timestamp>().is_ok() || (said_by_a_page && is_date(it));
            if time.is_some_and(|it| !is_known(it)) {
                return problem(format!("`{column}` is not a time"));
            }
        }
        let own = |column: &str| {
            row.get(column).is_none_or(|it| it.as_str() == Some(self.task.to_string().as_str()))
        };
        let belongs = match table.name {
            "tasks" => own("id"),
            "queries" | "claims" | "nli_corrections" => own("task_id"),
            _ => true,
        };
        if !belongs {
            return problem("the row belongs to another task".to_owned());
        }
        let is_vector = |value: &Value| {
            value
                .as_array()
                .is_some_and(|all| all.iter().all(|x| x.as_f64().is_some_and(f64::is_finite)))
        };
        if row.get(VECTOR).is_some_and(|it| !is_vector(it)) {
            return problem(format!("`{VECTOR}` is not a list of numbers"));
        }
        let is_bytes = |value: &Value| {
            // Exports of older programs have numbers here that say nothing, or null.
            value.is_null()
                || value.is_array()
                || value.as_str().is_some_and(|it| bytes(it).is_some())
        };
        if row.get(BYTES).is_some_and(|it| !is_bytes(it)) {
            return problem(format!("`{BYTES}` is not bytes in hexadecimal digits"));
        }
        if let Some((text, hash)) = table.hashed {
            let text_of =
                |column: &str| row.get(column).and_then(Value::as_str).unwrap_or_default();
            if text_hash(text_of(text)) != text_of(hash) {
                return problem(format!("`{hash}` is not the hash of `{text}`"));
            }
        }
        Ok(())
    }

    fn is_stored(&self, table: &Table, id: &str) -> Result<bool, Refused> {
        let sql = format!("SELECT 1 FROM {} WHERE id = ?1", table.name);
        let mut statement = self.writer.connection.prepare_cached(&sql)?;
        Ok(statement.query_row([id], |_| Ok(())).optional()?.is_some())
    }

    /// The id of a stored row that is the same thing by one of the table's natural keys.
    fn same_thing(
        &self,
        table: &Table,
        row: &Map<String, Value>,
    ) -> Result<Option<String>, Refused> {
        let id_column = if table.check_id.is_some() { "id" } else { table.references[0] };
        for key in table.natural_keys {
            let conditions: Vec<_> = key
                .iter()
                .enumerate()
                .map(|(index, column)| format!("{column} = ?{}", index + 1))
                .collect();
            let conditions = conditions.join(" AND ");
            let sql = format!("SELECT {id_column} FROM {} WHERE {conditions}", table.name);
            let values = key.iter().map(|column| to_sql(row.get(*column)));
            let mut statement = self.writer.connection.prepare_cached(&sql)?;
            let known =
                statement.query_row(params_from_iter(values), |row| row.get(0)).optional()?;
            if known.is_some() {
                return Ok(known);
            }
        }
        Ok(None)
    }

    /// One shared identifier makes two works one; identifiers added before that was known move over.
    fn same_work(&mut self, row: &Map<String, Value>, known: String) -> Result<(), Refused> {
        let Some(work) = row.get("work_id").and_then(Value::as_str) else {
            return Ok(());
        };
        if work != known {
            self.writer.connection.execute(
                "UPDATE work_identifiers SET work_id = ?2 WHERE work_id = ?1",
                [work, &known],
            )?;
            self.same_as.insert(work.to_owned(), known);
        }
        Ok(())
    }

    fn insert(&self, table: &Table, row: &Map<String, Value>) -> Result<(), Refused> {
        let columns: Vec<_> = row.keys().map(String::as_str).collect();
        let places: Vec<_> = (1..=columns.len()).map(|index| format!("?{index}")).collect();
        let sql = format!(
            "INSERT INTO {} ({}) VALUES ({})",
            table.name,
            columns.join(", "),
            places.join(", ")
        );
        let values = row.iter().map(|(column, value)| match (column.as_str(), value) {
            (VECTOR, Value::Array(numbers)) => SqlValue::Blob(
                numbers
                    .iter()
                    .flat_map(|it| (it.as_f64().unwrap_or(f64::NAN) as f32).to_le_bytes())
                    .collect(),
            ),
            (BYTES, Value::String(digits)) => bytes(digits).map_or(SqlValue::Null, SqlValue::Blob),
            (BYTES, _) => SqlValue::Null,
            _ => to_sql(Some(value)),
        });
        self.writer.connection.prepare_cached(&sql)?.execute(params_from_iter(values))?;
        Ok(())
    }
}

/// Bytes from hexadecimal digits, two for each.
fn bytes(digits: &str) -> Option<Vec<u8>> {
    let is_whole =
        digits.len().is_multiple_of(2) && digits.bytes().all(|it| it.is_ascii_hexdigit());
    let pairs = digits.as_bytes().chunks(2);
    if !is_whole {
        return None;
    }
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

fn to_sql(value: Option<&Value>) -> SqlValue {
    match value {
        None | Some(Value::Null) => SqlValue::Null,
        Some(Value::Bool(flag)) => SqlValue::Integer((*flag).into()),
        Some(Value::Number(number)) => match number.as_i64() {
            Some(whole) => SqlValue::Integer(whole),
            None => SqlValue::Real(number.as_f64().unwrap_or(f64::NAN)),
        },
        Some(Value::String(text)) => SqlValue::Text(text.clone()),
        Some(other) => SqlValue::Text(other.to_string()),
    }
}

/// At the end of the transaction a row still refers to nothing.
fn is_broken_reference(error: &crate::Error) -> bool {
    let crate::Error::Sql { source } = error else { return false };
    source
        .sqlite_error()
        .is_some_and(|it| it.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_FOREIGNKEY)
}

/// A day, a month or a year, as pages say it of themselves, with or without a time of day.
fn is_date(text: &str) -> bool {
    let day = text.split(['T', ' ']).next().unwrap_or_default();
    let parts: Vec<&str> = day.split('-').collect();
    let digits =
        |it: &str, count: usize| it.len() == count && it.bytes().all(|c| c.is_ascii_digit());
    match parts.as_slice() {
        [year] => digits(year, 4),
        [year, month] => digits(year, 4) && digits(month, 2),
        [_, _, _] => day.parse::<jiff::civil::Date>().is_ok(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_say_a_day_a_month_or_a_year() {
        for date in ["2024-01-22", "2024-01", "2024", "2024-01-22T10:00:00"] {
            assert!(is_date(date), "{date}");
        }
        for other in ["", "soon", "2024-13-01", "24-1-1", "2024-01-22-01"] {
            assert!(!is_date(other), "{other}");
        }
    }
}
