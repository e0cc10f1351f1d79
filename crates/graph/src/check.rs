//! Whether the file is whole. Reads all of it, so it is asked by people and not on every start.

use rusqlite::Connection;

use crate::{Access, Error, Graph, Result};

/// Problems named in one answer; a file with more is damaged all the same.
const MOST_PROBLEMS: u32 = 100;

const DANGLING: &str =
    "SELECT \"table\" || ' refers to a row of ' || parent || ' that is not there, ' || count(*) || ' times'
     FROM pragma_foreign_key_check GROUP BY \"table\", parent";

impl Graph {
    /// What is wrong with the database, in the engine's words; nothing when it is whole.
    ///
    /// Looks at pages and indexes, at references between rows, and (for a writer, because FTS5 takes
    /// the question as a write) at whether full text matches the rows it was made from.
    pub fn check(&self) -> Result<Vec<String>> {
        let connection = self.connection();
        let pages = format!("PRAGMA integrity_check({MOST_PROBLEMS})");
        let mut problems = Vec::new();
        for sql in [pages.as_str(), DANGLING] {
            let mut lines = Vec::new();
            let damage = found(read_lines(&connection, sql, &mut lines))?;
            // What was named before the check stumbled says more than that it stumbled.
            problems.extend(if lines.is_empty() { damage.into_iter().collect() } else { lines });
        }
        problems.retain(|it| it != "ok");
        if self.access() == Access::Write {
            for index in ["fragments_fts", "claims_fts"] {
                let sql =
                    format!("INSERT INTO {index}({index}, rank) VALUES ('integrity-check', 1)");
                if found(connection.execute(&sql, []).map(drop))?.is_some() {
                    problems.push(format!("{index} does not match the rows it was made from"));
                }
            }
        }
        Ok(problems)
    }
}

fn read_lines(connection: &Connection, sql: &str, lines: &mut Vec<String>) -> rusqlite::Result<()> {
    for line in connection.prepare(sql)?.query_map([], |row| row.get(0))? {
        lines.push(line?);
    }
    Ok(())
}

/// Damage that stops a check is what the check was looking for.
fn found(checked: rusqlite::Result<()>) -> Result<Option<String>> {
    match checked.map_err(Error::from) {
        Ok(()) => Ok(None),
        Err(Error::Damaged { source }) => Ok(Some(source.to_string())),
        Err(other) => Err(other),
    }
}
