//! How a site, an engine or an API was asked lately.

use jiff::Timestamp;
use ledger::Pace;
use rusqlite::{OptionalExtension, Row, params};

use crate::row::RowExt;
use crate::store::timestamp;
use crate::{Reader, Result, Writer};

fn from_row(row: &Row<'_>) -> rusqlite::Result<Pace> {
    Ok(Pace {
        scope: row.get("scope")?,
        last_request_at: row.parse_opt("last_request_at")?,
        level: row.get("level")?,
        failures: row.get("failures")?,
        resting_until: row.parse_opt("resting_until")?,
        resting_because: row.get("resting_because")?,
        day: row.get("day")?,
        requests_today: row.get("requests_today")?,
    })
}

impl Writer<'_> {
    /// Keeps the pace of a scope.
    pub fn keep_pace(&self, pace: &Pace) -> Result<()> {
        self.connection
            .prepare_cached(
                "INSERT INTO pace (scope, last_request_at, level, failures, resting_until, resting_because,
                                   day, requests_today, updated_at, cause_id)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
                 ON CONFLICT (scope) DO UPDATE SET last_request_at = ?2, level = ?3, failures = ?4,
                   resting_until = ?5, resting_because = ?6, day = ?7, requests_today = ?8,
                   updated_at = ?9, cause_id = ?10",
            )?
            .execute(params![
                pace.scope,
                pace.last_request_at.map(timestamp),
                pace.level,
                pace.failures,
                pace.resting_until.map(timestamp),
                pace.resting_because,
                pace.day,
                pace.requests_today,
                self.now(),
                self.cause()?.to_string(),
            ])?;
        Ok(())
    }
}

impl Reader<'_> {
    /// The pace kept for a scope.
    pub fn pace(&self, scope: &str) -> Result<Option<Pace>> {
        Ok(self
            .connection
            .prepare_cached("SELECT * FROM pace WHERE scope = ?1")?
            .query_row([scope], from_row)
            .optional()?)
    }

    /// The scopes that rest until after `now`.
    pub fn resting(&self, now: Timestamp) -> Result<Vec<Pace>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT * FROM pace WHERE resting_until > ?1 ORDER BY scope")?;
        let rows = statement.query_map([timestamp(now)], from_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}
