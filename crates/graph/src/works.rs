//! Scholarly works and the identifiers they are recognised by.

use evidence::WorkId;
use rusqlite::{OptionalExtension, params};

use crate::row::RowExt;
use crate::{Error, Reader, Result, Writer};

/// One name of a work: `("doi", "10.1000/182")`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkIdentifier {
    pub scheme: String,
    pub value: String,
}

#[derive(Debug, Clone, Default)]
pub struct NewWork {
    pub title: String,
    pub year: Option<i32>,
    pub venue: Option<String>,
    pub citation_count: Option<u32>,
    pub source_api: Option<String>,
    pub identifiers: Vec<WorkIdentifier>,
}

/// What an index knows about a work beyond its names.
#[derive(Debug, Clone, Default)]
pub struct WorkDetails {
    pub abstract_text: Option<String>,
    pub authors: Vec<String>,
    /// An open-access copy.
    pub open_access_url: Option<String>,
    pub retracted: bool,
}

/// A work as earlier searches left it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownWork {
    pub title: String,
    pub authors: Vec<String>,
    pub year: Option<i32>,
    pub venue: Option<String>,
    pub abstract_text: Option<String>,
    pub retracted: bool,
    /// Scheme and value.
    pub identifiers: Vec<(String, String)>,
}

impl Reader<'_> {
    /// The work that has this name, if a search has met it.
    pub fn work_named(&self, scheme: &str, value: &str) -> Result<Option<KnownWork>> {
        let found = self
            .connection
            .prepare_cached(
                "SELECT w.id, w.title, w.authors, w.year, w.venue, w.abstract, w.retracted_at IS NOT NULL AS retracted
                 FROM works w JOIN work_identifiers i ON i.work_id = w.id
                 WHERE i.scheme = ?1 AND i.value = ?2",
            )?
            .query_row([scheme, value], |row| {
                let authors: String = row.get("authors")?;
                let work = KnownWork {
                    title: row.get("title")?,
                    authors: serde_json::from_str(&authors).unwrap_or_default(),
                    year: row.get("year")?,
                    venue: row.get("venue")?,
                    abstract_text: row.get("abstract")?,
                    retracted: row.get("retracted")?,
                    identifiers: Vec::new(),
                };
                Ok((row.get::<_, String>("id")?, work))
            })
            .optional()?;
        let Some((id, mut work)) = found else { return Ok(None) };
        let mut names = self
            .connection
            .prepare_cached("SELECT scheme, value FROM work_identifiers WHERE work_id = ?1")?;
        let rows = names.query_map([id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        work.identifiers = rows.collect::<rusqlite::Result<_>>()?;
        Ok(Some(work))
    }
}

impl Writer<'_> {
    /// Notes what an index says about a work. What is known stays; a retraction is noted once.
    pub fn describe_work(&self, id: WorkId, details: &WorkDetails) -> Result<()> {
        let authors = serde_json::to_string(&details.authors).expect("text is always JSON");
        let was_retracted = self.is_retracted(id)?;
        self.connection
            .prepare_cached(
                "UPDATE works SET abstract = coalesce(abstract, ?2),
                        authors = CASE authors WHEN '[]' THEN ?3 ELSE authors END,
                        oa_url = coalesce(oa_url, ?4), is_open_access = coalesce(is_open_access, ?5),
                        retracted_at = CASE WHEN ?6 THEN coalesce(retracted_at, ?7) ELSE retracted_at END
                 WHERE id = ?1",
            )?
            .execute(params![
                id.to_string(),
                details.abstract_text,
                authors,
                details.open_access_url,
                details.open_access_url.is_some().then_some(1),
                details.retracted,
                self.now(),
            ])?;
        if details.retracted && !was_retracted {
            self.recount_claims_of_work(id)?;
        }
        Ok(())
    }

    fn is_retracted(&self, id: WorkId) -> Result<bool> {
        let retracted = self
            .connection
            .prepare_cached("SELECT retracted_at IS NOT NULL FROM works WHERE id = ?1")?
            .query_row([id.to_string()], |row| row.get(0))
            .optional()?;
        Ok(retracted.unwrap_or(false))
    }

    /// Records a work under its identifiers. A work that shares one with a known work *is* that work:
    /// it learns the new identifiers and whatever was unknown, and keeps what was known.
    pub fn record_work(&self, new: &NewWork) -> Result<WorkId> {
        if new.identifiers.is_empty() {
            return Err(Error::invalid("the work", "has no identifier to recognise it by"));
        }
        let identifiers: Vec<_> =
            new.identifiers.iter().map(|it| (it.scheme.as_str(), normalized(it))).collect();
        let mut find = self.connection.prepare_cached(
            "SELECT work_id FROM work_identifiers WHERE scheme = ?1 AND value = ?2",
        )?;
        let mut known: Option<WorkId> = None;
        for (scheme, value) in &identifiers {
            known =
                find.query_row(params![scheme, value], |row| row.parse("work_id")).optional()?;
            if known.is_some() {
                break;
            }
        }
        let id = match known {
            Some(id) => {
                self.complete_work(id, new)?;
                id
            }
            None => self.insert_work(new)?,
        };
        for (scheme, value) in &identifiers {
            let fresh = find.query_row(params![scheme, value], |_| Ok(())).optional()?.is_none();
            if fresh {
                self.connection
                    .prepare_cached(
                        "INSERT INTO work_identifiers (scheme, value, work_id, created_at, cause_id)
                         VALUES (?1, ?2, ?3, ?4, ?5)",
                    )?
                    .execute(params![
                        scheme,
                        value,
                        id.to_string(),
                        self.now(),
                        self.cause()?.to_string()
                    ])?;
            }
        }
        Ok(id)
    }

    fn insert_work(&self, new: &NewWork) -> Result<WorkId> {
        let id: WorkId = self.mint();
        self.connection
            .prepare_cached(
                "INSERT INTO works (id, title, year, venue, citation_count, source_api, created_at, cause_id)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?
            .execute(params![
                id.to_string(),
                new.title,
                new.year,
                new.venue,
                new.citation_count,
                new.source_api,
                self.now(),
                self.cause()?.to_string(),
            ])?;
        Ok(id)
    }

    fn complete_work(&self, id: WorkId, new: &NewWork) -> Result<()> {
        self.connection
            .prepare_cached(
                "UPDATE works SET year = coalesce(year, ?2), venue = coalesce(venue, ?3),
                        citation_count = coalesce(citation_count, ?4)
                 WHERE id = ?1 AND ((year IS NULL AND ?2 IS NOT NULL) OR (venue IS NULL AND ?3 IS NOT NULL)
                        OR (citation_count IS NULL AND ?4 IS NOT NULL))",
            )?
            .execute(params![id.to_string(), new.year, new.venue, new.citation_count])?;
        Ok(())
    }
}

/// DOIs are case-insensitive by definition; the other schemes are kept as they are.
fn normalized(identifier: &WorkIdentifier) -> String {
    let value = identifier.value.trim();
    if identifier.scheme == "doi" { value.to_ascii_lowercase() } else { value.to_owned() }
}
