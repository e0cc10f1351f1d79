//! How the pages of a site are read: what rendering them was worth.

use jiff::Timestamp;
use ledger::DomainRoute;
use rusqlite::{OptionalExtension, params};

use crate::row::RowExt;
use crate::{Reader, Result, Writer};

/// What one page weighs against those before it.
const WEIGHT: f64 = 0.3;

impl Writer<'_> {
    /// Notes whether a page of a site needed its scripts.
    pub fn record_rendered(&self, domain: &str, needed: bool) -> Result<()> {
        let seen = if needed { 1.0 } else { 0.0 };
        let known = self.domain_route(domain)?;
        let share = known.map_or(seen, |it| it.needs_scripts + WEIGHT * (seen - it.needs_scripts));
        let pages = known.map_or(1, |it| it.pages.saturating_add(1));
        self.connection
            .prepare_cached(
                "INSERT INTO domain_routes (domain, needs_scripts, pages, updated_at, cause_id)
                 VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (domain) DO UPDATE SET needs_scripts = excluded.needs_scripts,
                   pages = excluded.pages, updated_at = excluded.updated_at, cause_id = excluded.cause_id",
            )?
            .execute(params![domain, share, pages, self.now(), self.cause()?.to_string()])?;
        Ok(())
    }
}

impl Reader<'_> {
    /// What rendering pages of a site was worth.
    pub fn domain_route(&self, domain: &str) -> Result<Option<DomainRoute>> {
        let route = self
            .connection
            .prepare_cached("SELECT * FROM domain_routes WHERE domain = ?1")?
            .query_row([domain], |row| {
                Ok(DomainRoute {
                    needs_scripts: row.get("needs_scripts")?,
                    pages: row.get("pages")?,
                    updated_at: row.parse::<Timestamp>("updated_at")?,
                })
            })
            .optional()?;
        Ok(route)
    }
}
