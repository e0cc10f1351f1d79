//! What need not be asked again: pages, result pages, robots.txt.

use jiff::Timestamp;
use ledger::{CachedFetch, CachedRobots};
use rusqlite::{OptionalExtension, params};
use serde_json::Value;

use crate::row::RowExt;
use crate::store::timestamp;
use crate::{Reader, Result, Writer};

impl Writer<'_> {
    pub fn cache_fetch(&self, fetch: &CachedFetch) -> Result<()> {
        self.connection
            .prepare_cached(
                "INSERT INTO cache_fetch (url, final_url, status, etag, last_modified, content_hash, fresh_until,
                                          record_id, created_at, checked_at, cause_id)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10)
                 ON CONFLICT (url) DO UPDATE SET final_url = ?2, status = ?3, etag = ?4, last_modified = ?5,
                   content_hash = ?6, fresh_until = ?7, record_id = ?8, checked_at = ?9, cause_id = ?10",
            )?
            .execute(params![
                fetch.url,
                fetch.final_url,
                fetch.status,
                fetch.etag,
                fetch.last_modified,
                fetch.content_hash,
                fetch.fresh_until.map(timestamp),
                fetch.record_id,
                timestamp(fetch.checked_at),
                self.cause()?.to_string(),
            ])?;
        Ok(())
    }

    pub fn cache_robots(&self, robots: &CachedRobots) -> Result<()> {
        self.connection.execute(
            "INSERT INTO robots (origin, status, body, fetched_at, expires_at, cause_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (origin) DO UPDATE SET status = ?2, body = ?3, fetched_at = ?4, expires_at = ?5,
               cause_id = ?6",
            params![
                robots.origin,
                robots.status,
                robots.body,
                timestamp(robots.fetched_at),
                timestamp(robots.expires_at),
                self.cause()?.to_string(),
            ],
        )?;
        Ok(())
    }

    /// Keeps an engine's answer until `expires_at`, and deletes expired ones.
    pub fn cache_serp(&self, key: &str, payload: &Value, expires_at: Timestamp) -> Result<()> {
        let now = self.now();
        self.connection.execute("DELETE FROM cache_serp WHERE expires_at <= ?1", [&now])?;
        self.connection.execute(
            "INSERT INTO cache_serp (cache_key, payload, created_at, expires_at, cause_id)
             VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (cache_key) DO UPDATE SET payload = ?2, created_at = ?3, expires_at = ?4, cause_id = ?5",
            params![key, payload.to_string(), now, timestamp(expires_at), self.cause()?.to_string()],
        )?;
        Ok(())
    }
}

impl Reader<'_> {
    pub fn cached_fetch(&self, url: &str) -> Result<Option<CachedFetch>> {
        Ok(self
            .connection
            .prepare_cached("SELECT * FROM cache_fetch WHERE url = ?1")?
            .query_row([url], |row| {
                Ok(CachedFetch {
                    url: row.get("url")?,
                    final_url: row.get("final_url")?,
                    status: row.get("status")?,
                    etag: row.get("etag")?,
                    last_modified: row.get("last_modified")?,
                    content_hash: row.get("content_hash")?,
                    fresh_until: row.parse_opt("fresh_until")?,
                    record_id: row.get("record_id")?,
                    checked_at: row.parse("checked_at")?,
                })
            })
            .optional()?)
    }

    pub fn cached_robots(&self, origin: &str) -> Result<Option<CachedRobots>> {
        Ok(self
            .connection
            .prepare_cached("SELECT * FROM robots WHERE origin = ?1")?
            .query_row([origin], |row| {
                Ok(CachedRobots {
                    origin: row.get("origin")?,
                    status: row.get("status")?,
                    body: row.get("body")?,
                    fetched_at: row.parse("fetched_at")?,
                    expires_at: row.parse("expires_at")?,
                })
            })
            .optional()?)
    }

    /// An engine's answer that is still good at `now`.
    pub fn cached_serp(&self, key: &str, now: Timestamp) -> Result<Option<Value>> {
        Ok(self
            .connection
            .prepare_cached(
                "SELECT payload FROM cache_serp WHERE cache_key = ?1 AND expires_at > ?2",
            )?
            .query_row(params![key, timestamp(now)], |row| row.parse("payload"))
            .optional()?)
    }
}
