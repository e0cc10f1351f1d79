//! Whether the file is whole. Reads all of it, so it is asked by people and not on every start.
//! `checkup` asks the same of a file that cannot be opened as a graph.

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
        let mut problems = pages(&connection, MOST_PROBLEMS)?;
        problems.extend(references(&connection)?);
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

/// What is wrong with pages and indexes, the structure of full text included.
pub(crate) fn pages(connection: &Connection, most: u32) -> Result<Vec<String>> {
    let mut problems = problems(connection, &format!("PRAGMA integrity_check({most})"))?;
    problems.retain(|it| it != "ok");
    Ok(problems)
}

/// Which rows refer to rows that are not there.
pub(crate) fn references(connection: &Connection) -> Result<Vec<String>> {
    problems(connection, DANGLING)
}

fn problems(connection: &Connection, sql: &str) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    let damage = found(read_lines(connection, sql, &mut lines))?;
    // What was named before the check stumbled says more than that it stumbled.
    Ok(if lines.is_empty() { damage.into_iter().collect() } else { lines })
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
