//! Pages and the fragments read from them.

use evidence::{
    DomainCategory, Fragment, FragmentId, FragmentType, Page, PageId, WorkId, text_hash,
};
use rusqlite::{OptionalExtension, Row, params};

use crate::row::RowExt;
use crate::{Error, Reader, Result, Writer};

/// A page as it was found. `url` is canonical: it is what the page is recognised by.
#[derive(Debug, Clone)]
pub struct NewPage {
    pub url: String,
    pub domain: String,
    pub domain_category: DomainCategory,
    pub title: Option<String>,
    pub language: Option<String>,
    pub year: Option<i32>,
    pub work_id: Option<WorkId>,
}

/// A passage as it was read.
#[derive(Debug, Clone)]
pub struct NewFragment {
    pub page_id: PageId,
    pub fragment_type: FragmentType,
    pub text: String,
    pub heading_context: Option<String>,
    pub element_index: Option<u32>,
    /// Character offsets into the archived text.
    pub chars: Option<std::ops::Range<u32>>,
    pub language: Option<String>,
}

impl Writer<'_> {
    /// Records a page; one that is known by URL, or by the work it shows, is not recorded again.
    pub fn record_page(&self, new: &NewPage) -> Result<PageId> {
        if new.url.trim().is_empty() {
            return Err(Error::invalid("the page's URL", "is empty"));
        }
        let work = new.work_id.map(|it| it.to_string());
        let known = self
            .connection
            .prepare_cached(
                "SELECT id FROM pages WHERE url = ?1
                 UNION ALL SELECT id FROM pages WHERE work_id = ?2 LIMIT 1",
            )?
            .query_row(params![new.url, work], |row| row.parse("id"))
            .optional()?;
        if let Some(id) = known {
            return Ok(id);
        }
        let id: PageId = self.mint();
        self.connection
            .prepare_cached(
                "INSERT INTO pages (id, url, domain, domain_category, title, language, year, work_id, created_at, cause_id)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?
            .execute(params![
                id.to_string(),
                new.url,
                new.domain,
                new.domain_category.as_str(),
                new.title,
                new.language,
                new.year,
                work,
                self.now(),
                self.cause()?.to_string(),
            ])?;
        Ok(id)
    }

    /// Records a passage; the same text on the same page is the same passage.
    pub fn record_fragment(&self, new: &NewFragment) -> Result<FragmentId> {
        if new.text.trim().is_empty() {
            return Err(Error::invalid("the fragment's text", "is empty"));
        }
        self.page(new.page_id)?;
        let (page, hash) = (new.page_id.to_string(), text_hash(&new.text));
        let known = self
            .connection
            .prepare_cached("SELECT id FROM fragments WHERE page_id = ?1 AND text_hash = ?2")?
            .query_row(params![page, hash], |row| row.parse("id"))
            .optional()?;
        if let Some(id) = known {
            return Ok(id);
        }
        let id: FragmentId = self.mint();
        self.connection
            .prepare_cached(
                "INSERT INTO fragments (id, page_id, fragment_type, text_content, text_hash, heading_context,
                                        element_index, char_start, char_end, language, created_at, cause_id)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
            )?
            .execute(params![
                id.to_string(),
                page,
                new.fragment_type.as_str(),
                new.text,
                hash,
                new.heading_context,
                new.element_index,
                new.chars.as_ref().map(|it| it.start),
                new.chars.as_ref().map(|it| it.end),
                new.language,
                self.now(),
                self.cause()?.to_string(),
            ])?;
        Ok(id)
    }
}

impl Reader<'_> {
    pub fn page(&self, id: PageId) -> Result<Page> {
        self.connection
            .prepare_cached("SELECT * FROM pages WHERE id = ?1")?
            .query_row([id.to_string()], page_from_row)
            .optional()?
            .ok_or_else(|| Error::unknown("page", id))
    }

    pub fn fragment(&self, id: FragmentId) -> Result<Fragment> {
        self.connection
            .prepare_cached("SELECT * FROM fragments WHERE id = ?1")?
            .query_row([id.to_string()], fragment_from_row)
            .optional()?
            .ok_or_else(|| Error::unknown("fragment", id))
    }

    /// The passages of a page in the order they were read.
    pub fn fragments_of(&self, page: PageId) -> Result<Vec<Fragment>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT * FROM fragments WHERE page_id = ?1 ORDER BY seq")?;
        let fragments = statement.query_map([page.to_string()], fragment_from_row)?;
        Ok(fragments.collect::<rusqlite::Result<_>>()?)
    }
}

fn page_from_row(row: &Row<'_>) -> rusqlite::Result<Page> {
    Ok(Page {
        id: row.parse("id")?,
        url: row.get("url")?,
        domain: row.get("domain")?,
        domain_category: row.parse("domain_category")?,
        title: row.get("title")?,
        language: row.get("language")?,
        year: row.get("year")?,
        work_id: row.parse_opt("work_id")?,
        fetched_at: row.parse_opt("fetched_at")?,
        created_at: row.parse("created_at")?,
        cause_id: row.parse("cause_id")?,
    })
}

fn fragment_from_row(row: &Row<'_>) -> rusqlite::Result<Fragment> {
    Ok(Fragment {
        id: row.parse("id")?,
        page_id: row.parse("page_id")?,
        fragment_type: row.parse("fragment_type")?,
        text_content: row.get("text_content")?,
        heading_context: row.get("heading_context")?,
        language: row.get("language")?,
        created_at: row.parse("created_at")?,
        cause_id: row.parse("cause_id")?,
    })
}
