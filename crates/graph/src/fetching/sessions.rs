//! Sessions that people have at sites. Their cookies are sealed before they come here.

use ledger::SealedSession;
use rusqlite::{OptionalExtension, Row, params};

use crate::row::RowExt;
use crate::store::timestamp;
use crate::{Reader, Result, Writer};

fn from_row(row: &Row<'_>) -> rusqlite::Result<SealedSession> {
    Ok(SealedSession {
        domain: row.get("domain")?,
        sealed: row.get("cookies")?,
        route: row.get("route")?,
        created_at: row.parse("created_at")?,
        expires_at: row.parse("expires_at")?,
    })
}

impl Writer<'_> {
    /// Keeps a session, in place of the one before.
    pub fn keep_session(&self, session: &SealedSession) -> Result<()> {
        self.connection.execute(
            "INSERT INTO sessions (domain, cookies, route, created_at, expires_at, cause_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (domain) DO UPDATE SET cookies = ?2, route = ?3, created_at = ?4, expires_at = ?5,
               cause_id = ?6",
            params![
                session.domain,
                session.sealed,
                session.route,
                timestamp(session.created_at),
                timestamp(session.expires_at),
                self.cause()?.to_string(),
            ],
        )?;
        Ok(())
    }

    /// Forgets a session; says whether there was one.
    pub fn forget_session(&self, domain: &str) -> Result<bool> {
        // What is deleted is overwritten as well.
        self.connection.pragma_update(None, "secure_delete", true)?;
        let deleted =
            self.connection.execute("DELETE FROM sessions WHERE domain = ?1", [domain])?;
        if deleted > 0 {
            self.cause()?;
        }
        Ok(deleted > 0)
    }

    /// A page that a person has opened looks different now: it is asked for as a whole the next time.
    pub fn forget_cached(&self, url: &str) -> Result<()> {
        self.connection.execute(
            "UPDATE cache_fetch SET etag = NULL, last_modified = NULL, fresh_until = NULL WHERE url = ?1",
            [url],
        )?;
        Ok(())
    }
}

impl Reader<'_> {
    /// The session at a site, whether it is over or not.
    pub fn session(&self, domain: &str) -> Result<Option<SealedSession>> {
        Ok(self
            .connection
            .prepare_cached("SELECT * FROM sessions WHERE domain = ?1 AND expires_at IS NOT NULL")?
            .query_row([domain], from_row)
            .optional()?)
    }

    /// All sessions, by the name of their site.
    pub fn sessions(&self) -> Result<Vec<SealedSession>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT * FROM sessions WHERE expires_at IS NOT NULL ORDER BY domain",
        )?;
        let rows = statement.query_map([], from_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}
