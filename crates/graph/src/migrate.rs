//! Numbered migrations, applied in order, never edited once released.
//!
//! `user_version` holds the number of the last one; `application_id` says the file is ours.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use crate::{Error, Result, voices};

const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001_evidence_graph.sql"),
    include_str!("../migrations/0002_full_text.sql"),
    include_str!("../migrations/0003_fetching.sql"),
    include_str!("../migrations/0004_sent_bytes.sql"),
    include_str!("../migrations/0005_research.sql"),
    include_str!("../migrations/0006_reasons.sql"),
    include_str!("../migrations/0007_voices.sql"),
    include_str!("../migrations/0008_calibration_of_a_judge.sql"),
    include_str!("../migrations/0009_deletion.sql"),
    include_str!("../migrations/0010_quote.sql"),
    include_str!("../migrations/0011_rendered_pages.sql"),
    include_str!("../migrations/0012_sessions.sql"),
    include_str!("../migrations/0013_disappeared.sql"),
];

/// The schema this build writes.
pub const SCHEMA_VERSION: i64 = MIGRATIONS.len() as i64;

/// The schema that says who is heard.
const VOICES: i64 = 7;

/// "LYRA" in ASCII.
pub(crate) const APPLICATION_ID: i64 = 0x4c59_5241;

/// Compares the file's version with this build's, before anything is changed in it.
pub(crate) enum State {
    Empty,
    Older(i64),
    Current,
}

pub(crate) fn inspect(connection: &Connection, path: &Path) -> Result<State> {
    let read = |pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let application = read("application_id")?;
    let version = read("user_version")?;
    let objects: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
    match (application, version) {
        (0, 0) if objects == 0 => Ok(State::Empty),
        (APPLICATION_ID, SCHEMA_VERSION) => Ok(State::Current),
        (APPLICATION_ID, found) if found > SCHEMA_VERSION => {
            Err(Error::Newer { path: path.to_owned(), found, known: SCHEMA_VERSION })
        }
        (APPLICATION_ID, found) => Ok(State::Older(found)),
        _ => Err(Error::Foreign { path: path.to_owned() }),
    }
}

/// Brings the file to [`SCHEMA_VERSION`]; all of it or nothing.
pub(crate) fn migrate(connection: &mut Connection, from: i64) -> Result<()> {
    migrate_to(connection, from, SCHEMA_VERSION)
}

fn migrate_to(connection: &mut Connection, from: i64, to: i64) -> Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for (number, sql) in (1..=to).zip(MIGRATIONS) {
        if number > from {
            transaction.execute_batch(sql)?;
        }
    }
    if from < VOICES && VOICES <= to {
        voices::count_all_again(&transaction)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", to)?;
    transaction.commit()?;
    Ok(())
}
