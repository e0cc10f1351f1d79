//! Views: questions prepared in SQL, so that exploring starts with `SELECT * FROM v_contradictions`.
//!
//! Each is a template (`views/*.sql.j2`) installed as a real view of the file, where any SQLite tool
//! finds it. This module lists and queries what is installed; `install` puts it there.

mod install;
mod settings;
mod shipped;

use std::path::PathBuf;

use evidence::TaskId;
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, params_from_iter};
use serde::Serialize;

use crate::rows::Rows;
use crate::{Error, Reader, Result};

pub use install::ViewProblem;
pub(crate) use install::{Sources, installed};
pub use settings::{ViewOptions, ViewSettings};
pub use shipped::{SHIPPED_VIEWS, ShippedView};

/// A view that can be selected from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ViewInfo {
    pub name: String,
    /// The question it answers, from the first line of its header.
    pub answers: String,
    pub columns: Vec<ViewColumn>,
    pub origin: ViewOrigin,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ViewColumn {
    pub name: String,
    /// What the header says of it; a user's view may say nothing.
    pub meaning: Option<String>,
}

/// Whose version of a view is in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ViewOrigin {
    Shipped,
    User(PathBuf),
}

impl Reader<'_> {
    /// The views in force, by name.
    pub fn views(&self) -> Result<Vec<ViewInfo>> {
        let origins = self.view_origins()?;
        origins.into_iter().map(|(name, origin)| self.describe(name, origin)).collect()
    }

    /// One view in force. `name` may leave out the `v_`.
    pub fn view(&self, name: &str) -> Result<ViewInfo> {
        let name = self.view_name(name)?;
        let mut origins = self.view_origins()?;
        origins.retain(|(it, _)| *it == name);
        let (name, origin) = origins.pop().expect("the name was found among these");
        self.describe(name, origin)
    }

    /// The SELECT behind a view, ready for a `WITH x AS (...)`. With `task` only its rows.
    ///
    /// `name` may leave out the `v_`.
    pub fn render_view(&self, name: &str, task: Option<TaskId>) -> Result<String> {
        let name = self.view_name(name)?;
        let sql = self.view_sql(&name)?;
        let body: String = sql
            .lines()
            .skip_while(|line| line.starts_with("--") || line.trim().is_empty())
            .flat_map(|line| [line, "\n"])
            .collect();
        Ok(match task {
            // An id of ours is letters, digits and `_`: nothing in it can end the literal.
            Some(task) => format!("SELECT * FROM (\n{body})\nWHERE task_id = '{task}'\n"),
            None => body,
        })
    }

    /// Rows of a view, at most `limit`; with `task` only its rows. `name` may leave out the `v_`.
    pub fn query_view(&self, name: &str, task: Option<TaskId>, limit: usize) -> Result<Rows> {
        let name = self.view_name(name)?;
        let filter = match task {
            Some(task) => {
                self.task(task)?;
                "WHERE task_id = ?1"
            }
            None => "",
        };
        let mut statement =
            self.counted()?.prepare_cached(&format!("SELECT * FROM \"{name}\" {filter}"))?;
        Ok(Rows::read(&mut statement, params_from_iter(task.map(|it| it.to_string())), limit)?)
    }

    fn describe(&self, name: String, origin: ViewOrigin) -> Result<ViewInfo> {
        let sql = self.view_sql(&name)?;
        let header = Header::of(&sql);
        let columns = columns_of(self.connection, &name)?
            .into_iter()
            .map(|column| ViewColumn { meaning: header.meaning(&column), name: column })
            .collect();
        Ok(ViewInfo { answers: header.answers(), columns, name, origin })
    }

    /// Every `v_*` we installed. Views made by others in the same file are not ours to describe.
    fn view_origins(&self) -> Result<Vec<(String, ViewOrigin)>> {
        let origins = installed(self.connection)?.map(|it| it.origins).unwrap_or_default();
        let ours = origins.into_iter().filter(|(name, _)| name.starts_with("v_"));
        let whose = |path: Option<PathBuf>| path.map_or(ViewOrigin::Shipped, ViewOrigin::User);
        Ok(ours.map(|(name, path)| (name, whose(path))).collect())
    }

    fn view_name(&self, given: &str) -> Result<String> {
        let names: Vec<_> = self.view_origins()?.into_iter().map(|(name, _)| name).collect();
        let prefixed = format!("v_{given}");
        if let Some(name) = names.iter().find(|it| *it == given || **it == prefixed) {
            return Ok(name.clone());
        }
        Err(Error::UnknownView { name: given.to_owned(), closest: closest(given, names) })
    }

    /// The text of an installed view, as it was given to SQLite.
    fn view_sql(&self, name: &str) -> Result<String> {
        let sql: String = self
            .connection
            .prepare_cached("SELECT sql FROM sqlite_schema WHERE type = 'view' AND name = ?1")?
            .query_row([name], |row| row.get(0))?;
        Ok(sql.strip_prefix(&create_statement(name, "")).map(str::to_owned).unwrap_or(sql))
    }
}

/// `sqrt` for builds of SQLite that leave the mathematical functions out, as the bundled one does;
/// command line tools have it. Innocuous, because a view is schema and the schema is not trusted.
pub(crate) fn register_functions(connection: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("sqrt", 1, flags, |context| {
        let number: Option<f64> = context.get(0)?;
        Ok(number.filter(|it| *it >= 0.0).map(f64::sqrt))
    })?;
    Ok(())
}

fn create_statement(name: &str, sql: &str) -> String {
    format!("CREATE VIEW \"{name}\" AS\n{sql}")
}

fn columns_of(connection: &Connection, view: &str) -> rusqlite::Result<Vec<String>> {
    let statement = connection.prepare(&format!("SELECT * FROM \"{view}\" LIMIT 0"))?;
    Ok(statement.column_names().map(str::to_owned).collect())
}

/// At most three names, nearest first, none of them too far to be a slip.
pub(crate) fn closest(given: &str, names: Vec<String>) -> Vec<String> {
    let bare = |name: &str| name.strip_prefix("v_").unwrap_or(name).to_owned();
    let mut near: Vec<_> = names
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&bare(given), &bare(&name)), name))
        .filter(|(similarity, _)| *similarity > 0.85)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    // What is much less like it than the best was not meant.
    let best = near.first().map_or(0.0, |it| it.0);
    near.retain(|(similarity, _)| *similarity > best - 0.05);
    near.into_iter().take(3).map(|(_, name)| name).collect()
}

/// The comment a view begins with: what it answers, then its columns.
struct Header<'a>(Vec<&'a str>);

impl<'a> Header<'a> {
    fn of(sql: &'a str) -> Self {
        Self(sql.lines().map_while(|line| line.strip_prefix("--")).collect())
    }

    fn answers(&self) -> String {
        self.0.first().map(|it| it.trim().to_owned()).unwrap_or_default()
    }

    /// Reads `--   column  meaning`, and the deeper indented lines that continue it.
    fn meaning(&self, column: &str) -> Option<String> {
        let mut lines = self.0.iter().skip_while(|line| named(line) != Some(column));
        let first = lines.next()?.trim().strip_prefix(column)?.trim();
        let rest = lines.take_while(|line| line.starts_with("    ")).map(|line| line.trim());
        Some(std::iter::once(first).chain(rest).collect::<Vec<_>>().join(" "))
    }
}

/// The column a header line is about: three spaces, then its name.
fn named(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("   ")?;
    rest.split(' ').next().filter(|it| !it.is_empty())
}
