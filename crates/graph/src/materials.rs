//! Everything a report on one task is written from, read in one go.
//!
//! Rows as they are, in an order that is always the same; what they add up to and how they are shown
//! is the report's business. JSON that the schema does not check is read as far as it can be.

use evidence::{
    Adoption, ClaimId, DomainCategory, DraftId, EdgeId, FragmentId, NodeType, PageId, Relation,
    SearchId, SearchStatus, StatementKind, StopReason, Task, TaskId, Uncounted, Verification,
    WorkId,
};
use jiff::Timestamp;
use rusqlite::{Row, ToSql, params};
use serde_json::Value;

use crate::edges::source_of_edge;
use crate::row::RowExt;
use crate::{EgressFilter, EgressTotals, Reader, Result, Writer};

/// What a task gathered.
#[derive(Debug, Clone)]
pub struct TaskMaterials {
    pub task: Task,
    pub seconds_used: f64,
    pub llm_seconds: f64,
    /// Pages that were asked for: what counts against the budget.
    pub pages_begun: u32,
    /// Entries of the causal log that belong to the task.
    pub event_count: u64,
    pub egress: EgressTotals,
    /// In the order they were recorded, the hypothesis and those not adopted included.
    pub claims: Vec<ClaimMaterial>,
    /// Judgements about these claims, oldest first.
    pub evidence: Vec<EvidenceMaterial>,
    /// Pages the task met, and pages that citations lead to from them.
    pub pages: Vec<PageMaterial>,
    pub citations: Vec<CitationMaterial>,
    pub claim_events: Vec<ClaimEventMaterial>,
    pub searches: Vec<SearchMaterial>,
    pub engines: Vec<EngineMaterial>,
    pub models: Vec<ModelMaterial>,
    pub missed: Vec<MissedMaterial>,
    /// Candidates that were listed and not read, the best placed first.
    pub unread: Vec<UnreadMaterial>,
    /// The newest draft.
    pub draft: Option<DraftMaterial>,
}

/// The part of the materials that belongs to one claim.
#[derive(Debug, Clone)]
pub struct ClaimMaterials {
    /// Oldest first.
    pub evidence: Vec<EvidenceMaterial>,
    pub pages: Vec<PageMaterial>,
}

#[derive(Debug, Clone)]
pub struct ClaimMaterial {
    pub id: ClaimId,
    pub text: String,
    pub extraction_method: Option<String>,
    pub origin_fragment_id: Option<FragmentId>,
    /// Characters of that passage the claim rests on.
    pub origin_chars: Option<(usize, usize)>,
    pub adoption: Adoption,
    pub rejection_reason: Option<String>,
    pub security_rejected: bool,
    pub verification: Verification,
    pub verification_reason: Option<String>,
    pub created_at: Timestamp,
}

/// One judgement. A claim that was taken from no passage has neither passage nor page.
#[derive(Debug, Clone)]
pub struct EvidenceMaterial {
    pub edge_id: EdgeId,
    pub claim_id: ClaimId,
    pub relation: Relation,
    pub source_type: NodeType,
    pub nli_confidence: f64,
    pub nli_model: Option<String>,
    /// What the passage is in its document, where that was told.
    pub statement_kind: Option<StatementKind>,
    /// Why it counts for nothing; absent where it counts.
    pub uncounted: Option<Uncounted>,
    pub human_corrected: bool,
    /// As it was when the passage was judged.
    pub source_category: DomainCategory,
    pub fragment_id: Option<FragmentId>,
    pub page_id: Option<PageId>,
    pub text: Option<String>,
    pub headings: Vec<String>,
    pub deep_link: Option<String>,
    /// Characters of the page's text.
    pub chars: Option<(usize, usize)>,
    pub found_at: Option<Timestamp>,
}

#[derive(Debug, Clone)]
pub struct PageMaterial {
    pub id: PageId,
    pub url: String,
    pub domain: String,
    pub category: DomainCategory,
    pub page_type: Option<String>,
    /// Of the work, else of the page.
    pub title: Option<String>,
    pub author: Option<String>,
    pub published_at: Option<String>,
    pub modified_at: Option<String>,
    /// Of the work, else of the page.
    pub year: Option<i32>,
    pub venue: Option<String>,
    pub doi: Option<String>,
    /// The work it shows.
    pub work_id: Option<WorkId>,
    /// When the retraction of the work, or of the page itself, was noted.
    pub retracted_at: Option<Timestamp>,
    pub narrative_cluster: Option<String>,
    pub quality_score: Option<f64>,
    pub content_hash: Option<String>,
    /// As it is stored: a record of the archive, or a file and its digest.
    pub archive_ref: Option<Value>,
    /// The file of the archive and the digest of the bytes, where the record is known.
    pub archive_file: Option<String>,
    pub archive_digest: Option<String>,
    /// The picture of a page that a browser rendered.
    pub archive_picture: Option<String>,
    /// Places that speak to machines: `[{"name", "char_start", "char_end", "hidden"}]`.
    pub flags: Option<Value>,
    pub fetched_at: Option<Timestamp>,
    pub created_at: Timestamp,
    /// Whether the task met it; otherwise only a citation leads to it.
    pub met: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CitationMaterial {
    pub citing: PageId,
    pub cited: PageId,
}

#[derive(Debug, Clone)]
pub struct ClaimEventMaterial {
    pub claim_id: ClaimId,
    pub kind: String,
    pub reason: Option<String>,
    pub page_id: Option<PageId>,
    pub created_at: Timestamp,
}

#[derive(Debug, Clone)]
pub struct SearchMaterial {
    pub id: SearchId,
    pub query: String,
    pub options: Value,
    pub status: SearchStatus,
    pub pages_fetched: u32,
    pub useful_fragments: u32,
    pub harvest_rate: Option<f64>,
    pub satisfaction_score: Option<f64>,
    pub novelty_score: Option<f64>,
    pub independent_sources: Option<u32>,
    pub has_primary_source: Option<bool>,
    pub stop_reason: Option<StopReason>,
    pub created_at: Timestamp,
    pub finished_at: Option<Timestamp>,
}

/// An engine or source that was asked, and what it listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineMaterial {
    pub engine: String,
    pub results: u32,
    pub pages: u32,
    /// What became of it: `found`, `nothing_there`, `not_let_in`, `not_asked`; nothing in tasks of earlier versions.
    pub access: Option<String>,
    /// Why it listed nothing.
    pub problem: Option<String>,
}

/// A model or method that worked on the task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelMaterial {
    /// `stance`, `claims`, `embedding` or `draft`.
    pub role: String,
    pub model: String,
    pub count: u32,
}

/// A page that could not be brought in, or that waits for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissedMaterial {
    pub url: String,
    pub reason: String,
    pub detail: Option<String>,
    pub at: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadMaterial {
    pub url: String,
    pub title: Option<String>,
    pub engine: String,
    pub rank: u32,
    pub query: String,
}

#[derive(Debug, Clone)]
pub struct DraftMaterial {
    pub model: String,
    /// `[{"text", "fragments": [id], "entailed": true | false | null}]`.
    pub sentences: Value,
    pub created_at: Timestamp,
}

impl Writer<'_> {
    /// Records what a language model wrote from the graph of a task, in the form of [`DraftMaterial`].
    pub fn record_draft(&self, task: TaskId, model: &str, sentences: &Value) -> Result<DraftId> {
        self.task(task)?;
        let id: DraftId = self.mint();
        self.connection.execute(
            "INSERT INTO report_drafts (id, task_id, model, sentences, created_at, cause_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![
                id.to_string(),
                task.to_string(),
                model,
                sentences.to_string(),
                self.now(),
                self.cause()?.to_string(),
            ],
        )?;
        Ok(id)
    }
}

impl Reader<'_> {
    /// Reads everything a report on a task is written from.
    pub fn materials_of(&self, id: TaskId) -> Result<TaskMaterials> {
        let task = self.task(id)?;
        let key = id.to_string();
        let (seconds_used, llm_seconds, event_count) = self.connection.query_row(
            "SELECT seconds_used, llm_seconds, (SELECT count(*) FROM events WHERE task_id = ?1)
             FROM tasks WHERE id = ?1",
            [&key],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )?;
        let egress =
            self.egress_totals(&EgressFilter { task: Some(id), ..EgressFilter::default() })?;
        Ok(TaskMaterials {
            task,
            seconds_used,
            llm_seconds,
            pages_begun: self.begun_jobs(id, "fetch")?,
            event_count,
            egress,
            claims: self.rows(CLAIMS, &key, claim)?,
            evidence: self.rows(EVIDENCE, &key, evidence)?,
            pages: self.rows(PAGES, &key, page)?,
            citations: self.rows(CITATIONS, &key, |row| {
                Ok(CitationMaterial { citing: row.parse("citing")?, cited: row.parse("cited")? })
            })?,
            claim_events: self.rows(CLAIM_EVENTS, &key, claim_event)?,
            searches: self.rows(SEARCHES, &key, search)?,
            engines: self.rows(ENGINES, &key, |row| {
                Ok(EngineMaterial {
                    engine: row.get("engine")?,
                    results: row.get("results")?,
                    pages: row.get("pages")?,
                    access: row.get("access")?,
                    problem: row.get("problem")?,
                })
            })?,
            models: self.rows(MODELS, &key, |row| {
                Ok(ModelMaterial {
                    role: row.get("role")?,
                    model: row.get("model")?,
                    count: row.get("uses")?,
                })
            })?,
            missed: self.rows(MISSED, &key, missed)?,
            unread: self.rows(UNREAD, &key, |row| {
                Ok(UnreadMaterial {
                    url: row.get("url")?,
                    title: row.get("title")?,
                    engine: row.get("engine")?,
                    rank: row.get("rank")?,
                    query: row.get("query_text")?,
                })
            })?,
            draft: self.rows(DRAFT, &key, draft)?.into_iter().next(),
        })
    }

    /// What was judged against one claim, and the pages it stands on: all that a verdict is made of.
    pub fn materials_of_claim(&self, id: ClaimId) -> Result<ClaimMaterials> {
        let key = id.to_string();
        Ok(ClaimMaterials {
            evidence: self.rows(EVIDENCE_OF_CLAIM, &key, evidence)?,
            pages: self.rows(PAGES_OF_CLAIM, &key, page)?,
        })
    }

    fn rows<T>(
        &self,
        sql: &str,
        id: &dyn ToSql,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        let mut statement = self.counted()?.prepare_cached(sql)?;
        Ok(statement.query_map([id], read)?.collect::<rusqlite::Result<_>>()?)
    }
}

const CLAIMS: &str = "SELECT * FROM claims WHERE task_id = ?1 ORDER BY seq";

fn claim(row: &Row<'_>) -> rusqlite::Result<ClaimMaterial> {
    Ok(ClaimMaterial {
        id: row.parse("id")?,
        text: row.get("claim_text")?,
        extraction_method: row.get("claim_extraction_method")?,
        origin_fragment_id: row.parse_opt("origin_fragment_id")?,
        origin_chars: chars(row, "claim_char_start", "claim_char_end")?,
        adoption: row.parse("claim_adoption_status")?,
        rejection_reason: row.get("claim_rejection_reason")?,
        security_rejected: row.get("claim_security_rejected")?,
        verification: row.parse("source_verification_status")?,
        verification_reason: row.get("source_verification_reason")?,
        created_at: row.parse("created_at")?,
    })
}

macro_rules! judged_passages {
    ($which:literal) => {
        concat!(
            "SELECT e.id AS edge_id, c.id AS claim_id, e.relation, e.source_type, e.nli_confidence, e.nli_model,
           e.statement_kind, e.uncounted, e.edge_human_corrected, e.source_domain_category, f.id AS fragment_id, f.page_id,
           f.text_content, f.heading_hierarchy, f.heading_context, f.deep_link, f.char_start, f.char_end,
           f.created_at AS found_at
    FROM claims c
    CROSS JOIN edges e ON e.target_id = c.id AND e.relation <> 'cites' ",
            source_of_edge!(),
            "WHERE ",
            $which,
            " = ?1 ORDER BY c.seq, e.id"
        )
    };
}

const EVIDENCE: &str = judged_passages!("c.task_id");
const EVIDENCE_OF_CLAIM: &str = judged_passages!("c.id");

fn evidence(row: &Row<'_>) -> rusqlite::Result<EvidenceMaterial> {
    let hierarchy = json(row.get("heading_hierarchy")?);
    let mut headings: Vec<String> = hierarchy.as_ref().map(heading_texts).unwrap_or_default();
    if headings.is_empty() {
        headings.extend(row.get::<_, Option<String>>("heading_context")?);
    }
    Ok(EvidenceMaterial {
        edge_id: row.parse("edge_id")?,
        claim_id: row.parse("claim_id")?,
        relation: row.parse("relation")?,
        source_type: row.parse("source_type")?,
        nli_confidence: row.get("nli_confidence")?,
        nli_model: row.get("nli_model")?,
        statement_kind: row.parse_opt("statement_kind")?,
        uncounted: row.parse_opt("uncounted")?,
        human_corrected: row.get("edge_human_corrected")?,
        source_category: row.parse("source_domain_category")?,
        fragment_id: row.parse_opt("fragment_id")?,
        page_id: row.parse_opt("page_id")?,
        text: row.get("text_content")?,
        headings,
        deep_link: row.get("deep_link")?,
        chars: chars(row, "char_start", "char_end")?,
        found_at: row.parse_opt("found_at")?,
    })
}

/// Headings are words, or objects that have them as `text`.
fn heading_texts(hierarchy: &Value) -> Vec<String> {
    let levels = hierarchy.as_array().map(Vec::as_slice).unwrap_or_default();
    let texts = levels.iter().filter_map(|it| it.as_str().or_else(|| it.get("text")?.as_str()));
    texts.map(str::to_owned).collect()
}

/// The pages a task met, as by `task_pages` (a user's file may replace the view), and those their citations lead
/// to, which may be pages of other tasks.
macro_rules! reached_pages {
    () => {
        "WITH RECURSIVE met(id) AS (
      SELECT f.page_id FROM claims c
        CROSS JOIN edges e ON e.target_id = c.id AND e.source_type = 'fragment'
        CROSS JOIN fragments f ON f.id = e.source_id WHERE c.task_id = ?1
      UNION
      SELECT f.page_id FROM claims c CROSS JOIN fragments f ON f.id = c.origin_fragment_id
        WHERE c.task_id = ?1
      UNION
      SELECT s.page_id FROM queries q CROSS JOIN serp_items s ON s.query_id = q.id
        WHERE q.task_id = ?1 AND s.page_id IS NOT NULL
      UNION
      SELECT v.page_id FROM claims c CROSS JOIN claim_events v ON v.claim_id = c.id
        WHERE c.task_id = ?1 AND v.page_id IS NOT NULL),
    -- Three citations lead from an article to what it rests on; beyond that lies the whole literature.
    reached(id, steps) AS (
      SELECT id, 0 FROM met
      UNION
      SELECT coalesce(t.page_id, e.target_id), steps + 1 FROM reached
        CROSS JOIN edges e ON e.source_id = reached.id AND e.relation = 'cites'
        LEFT JOIN fragments t ON e.target_type = 'fragment' AND t.id = e.target_id
        WHERE steps < 3
      UNION
      SELECT coalesce(t.page_id, e.target_id), steps + 1 FROM reached
        CROSS JOIN fragments f ON f.page_id = reached.id
        CROSS JOIN edges e ON e.source_id = f.id AND e.relation = 'cites'
        LEFT JOIN fragments t ON e.target_type = 'fragment' AND t.id = e.target_id
        WHERE steps < 3),
    wanted(id) AS (SELECT DISTINCT id FROM reached)
    "
    };
}

macro_rules! described_pages {
    () => {
        "SELECT p.id, p.url, p.domain, p.domain_category, p.page_type, coalesce(w.title, p.title) AS title,
           p.author, p.published_at, p.modified_at, coalesce(w.year, p.year) AS year, w.venue,
           -- A work may have several; the first in order, so that it is always the same.
           (SELECT min(value) FROM work_identifiers i WHERE i.work_id = w.id AND i.scheme = 'doi') AS doi,
           p.work_id, coalesce(w.retracted_at, p.retracted_at) AS retracted_at, p.narrative_cluster, p.quality_score, p.content_hash, p.archive_ref,
           r.file AS archive_file, r.payload_digest AS archive_digest,
           (SELECT max(m.record_id) FROM archive_records m WHERE m.made = 'picture'
              AND m.refers_to = json_extract(p.archive_ref, '$.made_of')) AS archive_picture, p.flags, p.fetched_at, p.created_at,
           EXISTS (SELECT 1 FROM met WHERE met.id = p.id) AS met
    FROM wanted JOIN pages p ON p.id = wanted.id
    LEFT JOIN works w ON w.id = p.work_id
    LEFT JOIN archive_records r ON r.record_id = json_extract(p.archive_ref, '$.record_id')
    ORDER BY p.id"
    };
}

const PAGES: &str = concat!(reached_pages!(), described_pages!());

const PAGES_OF_CLAIM: &str = concat!(
    "WITH met(id) AS (SELECT f.page_id FROM edges e ",
    source_of_edge!(),
    "WHERE e.target_id = ?1 AND e.relation <> 'cites'),
    wanted(id) AS (SELECT DISTINCT id FROM met)
    ",
    described_pages!()
);

fn page(row: &Row<'_>) -> rusqlite::Result<PageMaterial> {
    Ok(PageMaterial {
        id: row.parse("id")?,
        url: row.get("url")?,
        domain: row.get("domain")?,
        category: row.parse("domain_category")?,
        page_type: row.get("page_type")?,
        title: row.get("title")?,
        author: row.get("author")?,
        published_at: row.get("published_at")?,
        modified_at: row.get("modified_at")?,
        year: row.get("year")?,
        venue: row.get("venue")?,
        doi: row.get("doi")?,
        work_id: row.parse_opt("work_id")?,
        retracted_at: row.parse_opt("retracted_at")?,
        narrative_cluster: row.get("narrative_cluster")?,
        quality_score: row.get("quality_score")?,
        content_hash: row.get("content_hash")?,
        archive_ref: json(row.get("archive_ref")?),
        archive_file: row.get("archive_file")?,
        archive_digest: row.get("archive_digest")?,
        archive_picture: row.get("archive_picture")?,
        flags: json(row.get("flags")?),
        fetched_at: row.parse_opt("fetched_at")?,
        created_at: row.parse("created_at")?,
        met: row.get("met")?,
    })
}

const CITATIONS: &str = concat!(
    reached_pages!(),
    "SELECT DISTINCT citing, coalesce(t.page_id, target_id) AS cited FROM (
      SELECT w.id AS citing, e.target_id, e.target_type FROM wanted w
        CROSS JOIN edges e ON e.source_id = w.id AND e.relation = 'cites'
      UNION ALL
      SELECT w.id, e.target_id, e.target_type FROM wanted w
        CROSS JOIN fragments f ON f.page_id = w.id
        CROSS JOIN edges e ON e.source_id = f.id AND e.relation = 'cites')
    LEFT JOIN fragments t ON target_type = 'fragment' AND t.id = target_id
    WHERE citing <> coalesce(t.page_id, target_id)
    ORDER BY citing, cited"
);

const CLAIM_EVENTS: &str = "
    SELECT v.* FROM claims c CROSS JOIN claim_events v ON v.claim_id = c.id
    WHERE c.task_id = ?1 ORDER BY v.id";

fn claim_event(row: &Row<'_>) -> rusqlite::Result<ClaimEventMaterial> {
    Ok(ClaimEventMaterial {
        claim_id: row.parse("claim_id")?,
        kind: row.get("kind")?,
        reason: row.get("reason")?,
        page_id: row.parse_opt("page_id")?,
        created_at: row.parse("created_at")?,
    })
}

const SEARCHES: &str = "SELECT * FROM queries WHERE task_id = ?1 ORDER BY id";

fn search(row: &Row<'_>) -> rusqlite::Result<SearchMaterial> {
    Ok(SearchMaterial {
        id: row.parse("id")?,
        query: row.get("query_text")?,
        options: json(row.get("options")?).unwrap_or_default(),
        status: row.parse("status")?,
        pages_fetched: row.get("pages_fetched")?,
        useful_fragments: row.get("useful_fragments")?,
        harvest_rate: row.get("harvest_rate")?,
        satisfaction_score: row.get("satisfaction_score")?,
        novelty_score: row.get("novelty_score")?,
        independent_sources: row.get("independent_sources")?,
        has_primary_source: row.get("has_primary_source")?,
        stop_reason: row.parse_opt("stop_reason")?,
        created_at: row.parse("created_at")?,
        finished_at: row.parse_opt("finished_at")?,
    })
}

/// What they listed, and those that were asked and listed nothing, which the plan of a search knows.
const ENGINES: &str = "
    SELECT engine, sum(results) AS results, sum(pages) AS pages,
           CASE WHEN sum(results) > 0 THEN 'found' WHEN max(access = 'not_let_in') THEN 'not_let_in'
                WHEN max(access = 'nothing_there') THEN 'nothing_there' ELSE max(access) END AS access,
           CASE WHEN sum(results) = 0 THEN
                coalesce(max(CASE WHEN access = 'not_let_in' THEN problem END), max(problem)) END AS problem
    FROM (
      SELECT s.engine, count(*) AS results, count(DISTINCT s.page_id) AS pages, NULL AS access, NULL AS problem
      FROM queries q CROSS JOIN serp_items s ON s.query_id = q.id
      WHERE q.task_id = ?1 GROUP BY s.engine
      UNION ALL
      SELECT a.value ->> 'source', 0, 0, a.value ->> 'access', a.value ->> 'problem'
      FROM jobs j, json_each(j.result, '$.sources') a
      WHERE j.task_id = ?1 AND j.kind = 'serp' AND a.type = 'object')
    WHERE engine IS NOT NULL GROUP BY engine ORDER BY engine";

/// A claim's vector, or one of a passage that was judged: the models whose numbers entered.
const MODELS: &str = "
    SELECT 'stance' AS role, e.nli_model AS model, count(*) AS uses
      FROM claims c CROSS JOIN edges e ON e.target_id = c.id
      WHERE c.task_id = ?1 AND e.nli_model IS NOT NULL GROUP BY e.nli_model
    UNION ALL
    SELECT 'claims', claim_extraction_method, count(*) FROM claims
      WHERE task_id = ?1 AND claim_extraction_method IS NOT NULL AND claim_extraction_method <> 'hypothesis'
      GROUP BY claim_extraction_method
    UNION ALL
    SELECT 'embedding', m.model_id, count(*)
      FROM claims c CROSS JOIN embeddings m ON m.target_type = 'claim' AND m.target_id = c.id
      WHERE c.task_id = ?1 GROUP BY m.model_id
    UNION ALL
    SELECT 'draft', model, count(*) FROM report_drafts WHERE task_id = ?1 GROUP BY model
    ORDER BY 1, 2";

/// What waits for a person is told once, by the queue, which knows what is asked for; what later searches left because
/// it had failed before, by that failure.
const MISSED: &str = "
    SELECT j.failure, j.payload, NULL AS url, NULL AS auth_type, coalesce(j.finished_at, j.created_at) AS at
      FROM jobs j WHERE j.task_id = ?1 AND j.kind = 'fetch' AND j.state = 'failed'
        AND NOT EXISTS (SELECT 1 FROM auth_queue a WHERE a.task_id = ?1 AND a.status <> 'resolved'
                        AND a.url = coalesce(CASE WHEN json_valid(j.failure) THEN j.failure ->> 'url' END, j.payload ->> 'url'))
    UNION ALL
    SELECT m.value, NULL, NULL, NULL, coalesce(j.finished_at, j.created_at)
      FROM jobs j, json_each(j.result, '$.missed') m
      WHERE j.task_id = ?1 AND j.kind = 'serp' AND m.type = 'object'
        AND NOT EXISTS (SELECT 1 FROM jobs f WHERE f.task_id = ?1 AND f.kind = 'fetch' AND f.state = 'failed'
                        AND f.payload ->> 'url' = m.value ->> 'url')
    UNION ALL
    SELECT NULL, NULL, a.url, a.auth_type, a.created_at FROM auth_queue a
      WHERE a.task_id = ?1 AND a.status <> 'resolved'
    ORDER BY at, 1, 3";

fn missed(row: &Row<'_>) -> rusqlite::Result<MissedMaterial> {
    let at = row.parse_opt("at")?;
    if let Some(url) = row.get("url")? {
        let reason = row.get("auth_type")?;
        return Ok(MissedMaterial { url, reason, detail: None, at });
    }
    let failure: Option<String> = row.get("failure")?;
    let told = json(failure.clone());
    let payload = json(row.get("payload")?);
    let word =
        |from: &Option<Value>, name: &str| Some(from.as_ref()?.get(name)?.as_str()?.to_owned());
    Ok(MissedMaterial {
        url: word(&told, "url").or_else(|| word(&payload, "url")).unwrap_or_default(),
        reason: word(&told, "reason").unwrap_or_else(|| "unknown".to_owned()),
        // Anything but an object is shown as it is.
        detail: match &told {
            Some(Value::Object(_)) => word(&told, "detail"),
            Some(Value::String(text)) => Some(text.clone()),
            _ => failure,
        },
        at,
    })
}

const UNREAD: &str = "
    SELECT s.url, s.title, s.engine, min(s.rank) AS rank, q.query_text
    FROM queries q CROSS JOIN serp_items s ON s.query_id = q.id
    LEFT JOIN pages p ON p.id = s.page_id
    WHERE q.task_id = ?1 AND p.fetched_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM fragments f WHERE f.page_id = s.page_id)
    GROUP BY s.url ORDER BY min(s.rank), s.url";

const DRAFT: &str = "SELECT * FROM report_drafts WHERE task_id = ?1 ORDER BY id DESC LIMIT 1";

fn draft(row: &Row<'_>) -> rusqlite::Result<DraftMaterial> {
    Ok(DraftMaterial {
        model: row.get("model")?,
        sentences: json(row.get("sentences")?).unwrap_or_default(),
        created_at: row.parse("created_at")?,
    })
}

fn json(text: Option<String>) -> Option<Value> {
    text.and_then(|it| serde_json::from_str(&it).ok())
}

fn chars(row: &Row<'_>, start: &str, end: &str) -> rusqlite::Result<Option<(usize, usize)>> {
    let (start, end): (Option<i64>, Option<i64>) = (row.get(start)?, row.get(end)?);
    let place = |it: i64| usize::try_from(it).ok();
    Ok(start.and_then(place).zip(end.and_then(place)).filter(|(start, end)| start <= end))
}
