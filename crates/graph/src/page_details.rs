//! What reading a page showed, beyond its address: kept beside the row that names it.

use evidence::{DomainCategory, FragmentId, PageId, TaskId, WorkId};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, params};
use serde_json::Value;

use crate::pages::NewFragment;
use crate::row::RowExt;
use crate::works::WorkDetails;
use crate::{Error, Reader, Result, Writer};

/// What a page turned out to be when it was read.
#[derive(Debug, Clone, Default)]
pub struct PageDetails {
    pub final_url: Option<String>,
    pub page_type: Option<String>,
    pub title: Option<String>,
    pub author: Option<String>,
    pub site_name: Option<String>,
    pub language: Option<String>,
    pub published_at: Option<String>,
    pub modified_at: Option<String>,
    pub year: Option<i32>,
    pub http_status: Option<u16>,
    pub content_hash: Option<String>,
    /// Where its bytes are: `{"record_id": ..}` or `{"file": .., "sha256": ..}`.
    pub archive_ref: Option<Value>,
    pub quality_score: Option<f64>,
    /// Places that speak to machines.
    pub flags: Option<Value>,
    pub sketch: Option<Vec<u8>>,
    /// The scholarly work it shows.
    pub work_id: Option<WorkId>,
}

/// Where a passage is on its page.
#[derive(Debug, Clone, Default)]
pub struct FragmentPlace {
    /// The headings above it, outermost first.
    pub headings: Vec<String>,
    pub deep_link: Option<String>,
}

/// A page as a search works with it.
#[derive(Debug, Clone, PartialEq)]
pub struct PageForAssessment {
    pub id: PageId,
    pub url: String,
    pub domain: String,
    pub domain_category: DomainCategory,
    pub title: Option<String>,
    pub author: Option<String>,
    pub site_name: Option<String>,
    pub language: Option<String>,
    pub year: Option<i32>,
    pub published_at: Option<String>,
    pub work_id: Option<WorkId>,
    pub quality_score: Option<f64>,
    pub flags: Option<Value>,
    pub sketch: Option<Vec<u8>>,
    pub narrative_cluster: Option<String>,
    pub fetched_at: Option<Timestamp>,
}

/// A passage as a search works with it.
#[derive(Debug, Clone, PartialEq)]
pub struct PassageForAssessment {
    pub id: FragmentId,
    pub page_id: PageId,
    pub text: String,
    pub headings: Vec<String>,
    /// Characters of the page's text.
    pub chars: Option<(usize, usize)>,
    pub language: Option<String>,
    /// Grows in the order passages were read.
    pub seq: i64,
}

/// What a page is compared by with the other pages of its task.
#[derive(Debug, Clone, PartialEq)]
pub struct PageSketch {
    pub page: PageId,
    /// Grows in the order the task met its pages.
    pub first_met: String,
    pub sketch: Vec<u8>,
}

impl Writer<'_> {
    /// Replaces the places of a page that speak to machines.
    pub fn flag_page(&self, id: PageId, flags: &Value) -> Result<()> {
        self.connection.execute(
            "UPDATE pages SET flags = ?2 WHERE id = ?1",
            params![id.to_string(), flags.to_string()],
        )?;
        self.cause()?;
        Ok(())
    }

    /// Notes what reading a page showed. What is not said stays as it is known.
    pub fn describe_page(&self, id: PageId, details: &PageDetails) -> Result<()> {
        let changed = self
            .connection
            .prepare_cached(
                "UPDATE pages SET final_url = coalesce(?2, final_url), page_type = coalesce(?3, page_type),
                        title = coalesce(?4, title), author = coalesce(?5, author), site_name = coalesce(?6, site_name),
                        language = coalesce(?7, language), published_at = coalesce(?8, published_at),
                        modified_at = coalesce(?9, modified_at), year = coalesce(year, ?10),
                        http_status = coalesce(?11, http_status), content_hash = coalesce(?12, content_hash),
                        archive_ref = coalesce(?13, archive_ref), quality_score = coalesce(?14, quality_score),
                        flags = coalesce(?15, flags), sketch = coalesce(?16, sketch), fetched_at = ?17,
                        work_id = coalesce(work_id, ?18)
                 WHERE id = ?1",
            )?
            .execute(params![
                id.to_string(),
                details.final_url,
                details.page_type,
                details.title,
                details.author,
                details.site_name,
                details.language,
                details.published_at,
                details.modified_at,
                details.year,
                details.http_status,
                details.content_hash,
                details.archive_ref.as_ref().map(Value::to_string),
                details.quality_score,
                details.flags.as_ref().map(Value::to_string),
                details.sketch,
                self.now(),
                details.work_id.map(|it| it.to_string()),
            ])?;
        if changed == 0 {
            return Err(Error::unknown("page", id));
        }
        self.cause()?;
        if details.work_id.is_some() {
            self.recount_claims_of_page(id)?;
        }
        Ok(())
    }

    /// Notes that what a page shows was retracted: the work, where it is known, else what the page itself says.
    pub fn retract_page(&self, id: PageId) -> Result<()> {
        if let Some(work) = self.page(id)?.work_id {
            return self
                .describe_work(work, &WorkDetails { retracted: true, ..WorkDetails::default() });
        }
        let changed = self
            .connection
            .prepare_cached(
                "UPDATE pages SET retracted_at = ?2 WHERE id = ?1 AND retracted_at IS NULL",
            )?
            .execute(params![id.to_string(), self.now()])?;
        if changed > 0 {
            self.cause()?;
            self.recount_claims_of_page(id)?;
        }
        Ok(())
    }

    /// Notes what judges made of the quality of a page.
    pub fn set_page_quality(&self, id: PageId, score: f64) -> Result<()> {
        self.connection
            .prepare_cached(
                "UPDATE pages SET quality_score = ?2 WHERE id = ?1 AND quality_score IS NOT ?2",
            )?
            .execute(params![id.to_string(), score])?;
        Ok(())
    }

    /// Puts a page into a cluster of pages that tell the same story. A page stays where it was put first.
    pub fn cluster_page(&self, id: PageId, cluster: &str) -> Result<()> {
        let changed = self
            .connection
            .prepare_cached(
                "UPDATE pages SET narrative_cluster = ?2 WHERE id = ?1 AND narrative_cluster IS NULL",
            )?
            .execute(params![id.to_string(), cluster])?;
        if changed > 0 {
            self.recount_claims_of_page(id)?;
        }
        Ok(())
    }

    /// Makes the clusters of two pages one: that of the second.
    pub fn join_clusters(&self, page: PageId, into: PageId) -> Result<()> {
        let mut join = self.connection.prepare_cached(
            "WITH story(cluster) AS (SELECT narrative_cluster FROM pages WHERE id = ?2)
             UPDATE pages SET narrative_cluster = (SELECT cluster FROM story)
             WHERE narrative_cluster = (SELECT narrative_cluster FROM pages WHERE id = ?1)
               AND narrative_cluster <> (SELECT cluster FROM story)
             RETURNING id",
        )?;
        let moved =
            join.query_map(params![page.to_string(), into.to_string()], |row| row.parse("id"))?;
        for page in moved.collect::<rusqlite::Result<Vec<PageId>>>()? {
            self.recount_claims_of_page(page)?;
        }
        Ok(())
    }

    /// Records a passage and where it stands; the same text on the same page is the same passage.
    pub fn record_placed_fragment(
        &self,
        new: &NewFragment,
        place: &FragmentPlace,
    ) -> Result<FragmentId> {
        let id = self.record_fragment(new)?;
        let headings = serde_json::to_string(&place.headings).expect("text is always JSON");
        self.connection
            .prepare_cached(
                "UPDATE fragments SET heading_hierarchy = ?2, deep_link = ?3
                 WHERE id = ?1 AND heading_hierarchy = '[]' AND deep_link IS NULL",
            )?
            .execute(params![id.to_string(), headings, place.deep_link])?;
        Ok(id)
    }
}

impl Reader<'_> {
    /// The page under a URL, or the page of a work.
    pub fn page_at(&self, url: &str, work: Option<WorkId>) -> Result<Option<PageForAssessment>> {
        let by_url = self
            .connection
            .prepare_cached("SELECT * FROM pages WHERE url = ?1")?
            .query_row([url], page_from_row)
            .optional()?;
        let (None, Some(work)) = (&by_url, work) else { return Ok(by_url) };
        Ok(self
            .connection
            .prepare_cached("SELECT * FROM pages WHERE work_id = ?1 LIMIT 1")?
            .query_row([work.to_string()], page_from_row)
            .optional()?)
    }

    pub fn page_for_assessment(&self, id: PageId) -> Result<PageForAssessment> {
        self.connection
            .prepare_cached("SELECT * FROM pages WHERE id = ?1")?
            .query_row([id.to_string()], page_from_row)
            .optional()?
            .ok_or_else(|| Error::unknown("page", id))
    }

    /// The passages of a page in the order they were read.
    pub fn passages_of(&self, page: PageId) -> Result<Vec<PassageForAssessment>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT * FROM fragments WHERE page_id = ?1 ORDER BY seq")?;
        let passages = statement.query_map([page.to_string()], passage_from_row)?;
        Ok(passages.collect::<rusqlite::Result<_>>()?)
    }

    pub fn passage(&self, id: FragmentId) -> Result<PassageForAssessment> {
        self.connection
            .prepare_cached("SELECT * FROM fragments WHERE id = ?1")?
            .query_row([id.to_string()], passage_from_row)
            .optional()?
            .ok_or_else(|| Error::unknown("fragment", id))
    }

    /// The sketches of the pages of a task that are in a cluster, in the order the pages were first met.
    pub fn sketches_of(&self, task: TaskId) -> Result<Vec<PageSketch>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT p.id, met.first, p.sketch FROM pages p JOIN (
               SELECT s.page_id AS id, min(s.id) AS first FROM serp_items s JOIN queries q ON q.id = s.query_id
               WHERE q.task_id = ?1 AND s.page_id IS NOT NULL GROUP BY s.page_id) met ON met.id = p.id
             WHERE p.fetched_at IS NOT NULL AND p.sketch IS NOT NULL AND p.narrative_cluster IS NOT NULL
             ORDER BY met.first",
        )?;
        let sketches = statement.query_map([task.to_string()], |row| {
            Ok(PageSketch {
                page: row.parse("id")?,
                first_met: row.get("first")?,
                sketch: row.get("sketch")?,
            })
        })?;
        Ok(sketches.collect::<rusqlite::Result<_>>()?)
    }

    /// The cluster a page was put into; nothing for a page that is in none, or that is not known.
    pub fn cluster_of(&self, page: PageId) -> Result<Option<String>> {
        let cluster: Option<Option<String>> = self
            .connection
            .prepare_cached("SELECT narrative_cluster FROM pages WHERE id = ?1")?
            .query_row([page.to_string()], |row| row.get(0))
            .optional()?;
        Ok(cluster.flatten())
    }

    /// When a task first met a page, as [`PageSketch::first_met`] says it.
    pub fn first_met(&self, task: TaskId, page: PageId) -> Result<Option<String>> {
        Ok(self
            .connection
            .prepare_cached(
                "SELECT min(s.id) FROM serp_items s JOIN queries q ON q.id = s.query_id
                 WHERE s.page_id = ?2 AND q.task_id = ?1",
            )?
            .query_row(params![task.to_string(), page.to_string()], |row| row.get(0))?)
    }

    /// The pages of a task whose work was retracted, by an index or a notice.
    pub fn retracted_pages_of(&self, task: TaskId) -> Result<Vec<PageForAssessment>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT p.*, (SELECT min(s.id) FROM serp_items s JOIN queries q ON q.id = s.query_id
                          WHERE s.page_id = p.id AND q.task_id = ?1) AS first
             FROM works w JOIN pages p ON p.work_id = w.id
             WHERE w.retracted_at IS NOT NULL AND p.fetched_at IS NOT NULL AND first IS NOT NULL ORDER BY first",
        )?;
        let pages = statement.query_map([task.to_string()], page_from_row)?;
        Ok(pages.collect::<rusqlite::Result<_>>()?)
    }

    /// The pages of a task that were read, in the order they were first met.
    pub fn read_pages_of(&self, task: TaskId) -> Result<Vec<PageForAssessment>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT p.* FROM pages p JOIN (
               SELECT s.page_id AS id, min(s.id) AS first FROM serp_items s JOIN queries q ON q.id = s.query_id
               WHERE q.task_id = ?1 AND s.page_id IS NOT NULL GROUP BY s.page_id) met ON met.id = p.id
             WHERE p.fetched_at IS NOT NULL ORDER BY met.first",
        )?;
        let pages = statement.query_map([task.to_string()], page_from_row)?;
        Ok(pages.collect::<rusqlite::Result<_>>()?)
    }
}

fn page_from_row(row: &Row<'_>) -> rusqlite::Result<PageForAssessment> {
    Ok(PageForAssessment {
        id: row.parse("id")?,
        url: row.get("url")?,
        domain: row.get("domain")?,
        domain_category: row.parse("domain_category")?,
        title: row.get("title")?,
        author: row.get("author")?,
        site_name: row.get("site_name")?,
        language: row.get("language")?,
        year: row.get("year")?,
        published_at: row.get("published_at")?,
        work_id: row.parse_opt("work_id")?,
        quality_score: row.get("quality_score")?,
        flags: row.parse_opt("flags")?,
        sketch: row.get("sketch")?,
        narrative_cluster: row.get("narrative_cluster")?,
        fetched_at: row.parse_opt("fetched_at")?,
    })
}

pub(crate) fn passage_from_row(row: &Row<'_>) -> rusqlite::Result<PassageForAssessment> {
    let headings: String = row.get("heading_hierarchy")?;
    let (start, end): (Option<usize>, Option<usize>) =
        (row.get("char_start")?, row.get("char_end")?);
    Ok(PassageForAssessment {
        id: row.parse("id")?,
        page_id: row.parse("page_id")?,
        text: row.get("text_content")?,
        // An import may hold another form; a passage without headings is still a passage.
        headings: serde_json::from_str(&headings).unwrap_or_default(),
        chars: start.zip(end),
        language: row.get("language")?,
        seq: row.get("seq")?,
    })
}
