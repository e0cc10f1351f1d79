//! The life of a claim beyond its words: where exactly it was found, how far it was checked, what happened to it.

use evidence::{
    ClaimEventId, ClaimId, DomainCategory, EdgeId, FragmentId, PageId, Publisher, Relation, Stance,
    Verification,
};
use rusqlite::{OptionalExtension, params};

use crate::row::RowExt;
use crate::{Reader, Result, Writer};

/// How a claim was taken from its passage.
#[derive(Debug, Clone, Default)]
pub struct ClaimDetails {
    pub granularity: Option<&'static str>,
    pub polarity: Option<&'static str>,
    /// Characters of the passage it was taken from.
    pub chars: Option<std::ops::Range<u32>>,
}

/// The page of an independent source that is heard on a claim, and for which side.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimSourcePage {
    pub relation: Relation,
    pub page_id: PageId,
    pub domain: String,
    pub work_id: Option<evidence::WorkId>,
    pub cluster: Option<String>,
    pub category: DomainCategory,
}

/// The page a claim was taken from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimOrigin {
    pub page_id: PageId,
    pub url: String,
    pub category: DomainCategory,
    pub year: Option<i32>,
}

impl Writer<'_> {
    /// Records how a claim was taken from its passage, once.
    pub fn describe_claim(&self, id: ClaimId, details: &ClaimDetails) -> Result<()> {
        self.connection
            .prepare_cached(
                "UPDATE claims SET claim_granularity = ?2, claim_expected_polarity = ?3,
                        claim_char_start = ?4, claim_char_end = ?5
                 WHERE id = ?1 AND claim_granularity IS NULL",
            )?
            .execute(params![
                id.to_string(),
                details.granularity,
                details.polarity,
                details.chars.as_ref().map(|it| it.start),
                details.chars.as_ref().map(|it| it.end),
            ])?;
        Ok(())
    }

    /// Records how far the sources of a claim were checked, and by which fact. Returns whether that is new.
    pub fn verify_claim(
        &self,
        id: ClaimId,
        status: Verification,
        reason: Option<&str>,
    ) -> Result<bool> {
        let changed = self
            .connection
            .prepare_cached(
                "UPDATE claims SET source_verification_status = ?2, source_verification_reason = ?3
                 WHERE id = ?1 AND (source_verification_status <> ?2 OR source_verification_reason IS NOT ?3)",
            )?
            .execute(params![id.to_string(), status.as_str(), reason])?;
        if changed > 0 {
            self.cause()?;
        }
        Ok(changed > 0)
    }

    /// Adds to the life of a claim what a page showed. The same kind of thing on the same page is noted once.
    pub fn note_claim_event(
        &self,
        claim: ClaimId,
        kind: &str,
        reason: Option<&str>,
        page: Option<PageId>,
        edge: Option<EdgeId>,
    ) -> Result<()> {
        let known = self
            .connection
            .prepare_cached(
                "SELECT 1 FROM claim_events WHERE claim_id = ?1 AND kind = ?2 AND page_id IS ?3 LIMIT 1",
            )?
            .query_row(
                params![claim.to_string(), kind, page.map(|it| it.to_string())],
                |_| Ok(()),
            )
            .optional()?;
        match known {
            Some(()) => Ok(()),
            None => self.add_claim_event(claim, kind, reason, page, edge),
        }
    }

    /// Adds to the life of a claim.
    pub(crate) fn add_claim_event(
        &self,
        claim: ClaimId,
        kind: &str,
        reason: Option<&str>,
        page: Option<PageId>,
        edge: Option<EdgeId>,
    ) -> Result<()> {
        let id: ClaimEventId = self.mint();
        self.connection
            .prepare_cached(
                "INSERT INTO claim_events (id, claim_id, kind, reason, page_id, edge_id, created_at, cause_id)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?
            .execute(params![
                id.to_string(),
                claim.to_string(),
                kind,
                reason,
                page.map(|it| it.to_string()),
                edge.map(|it| it.to_string()),
                self.now(),
                self.cause()?.to_string(),
            ])?;
        Ok(())
    }
}

impl Reader<'_> {
    /// The passages that were judged against a claim, whatever was found.
    pub fn judged_against(&self, claim: ClaimId) -> Result<Vec<FragmentId>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT source_id FROM edges WHERE target_id = ?1 AND source_type = 'fragment' ORDER BY source_id",
        )?;
        let found = statement.query_map([claim.to_string()], |row| row.parse("source_id"))?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }

    /// The pages of the sources that are heard on a claim, one for each source, in the order they were judged.
    pub fn source_pages_of(&self, claim: ClaimId) -> Result<Vec<ClaimSourcePage>> {
        self.claim(claim)?;
        let mut statement = self.counted()?.prepare_cached(
            "SELECT e.relation, p.id, p.domain, p.work_id, p.narrative_cluster, p.domain_category
             FROM edges e JOIN fragments f ON f.id = e.source_id JOIN pages p ON p.id = f.page_id
             WHERE e.target_id = ?1 AND e.source_type = 'fragment' AND e.relation IN ('supports', 'refutes')
               AND e.uncounted IS NULL
             ORDER BY e.id",
        )?;
        let pages = statement.query_map([claim.to_string()], |row| {
            Ok(ClaimSourcePage {
                relation: row.parse("relation")?,
                page_id: row.parse("id")?,
                domain: row.get("domain")?,
                work_id: row.parse_opt("work_id")?,
                cluster: row.get("narrative_cluster")?,
                category: row.parse("domain_category")?,
            })
        })?;
        Ok(pages.collect::<rusqlite::Result<_>>()?)
    }

    /// The claims of a task that were taken from pages a search found useful, oldest first.
    pub fn claims_of_search(
        &self,
        task: evidence::TaskId,
        search: evidence::SearchId,
    ) -> Result<Vec<(ClaimId, ClaimOrigin)>> {
        // From the pages of the search to its claims: the claims of a task are many more.
        let mut statement = self.connection.prepare_cached(
            "SELECT c.id, p.id AS page_id, p.url, p.domain_category, p.year
             FROM (SELECT DISTINCT f.page_id FROM selected_fragments s
                   JOIN fragments f ON f.id = s.fragment_id WHERE s.query_id = ?2) useful
             CROSS JOIN pages p ON p.id = useful.page_id
             CROSS JOIN fragments f ON f.page_id = p.id
             CROSS JOIN claims c ON c.origin_fragment_id = f.id
             WHERE c.task_id = ?1 ORDER BY c.seq",
        )?;
        let origins =
            statement.query_map(params![task.to_string(), search.to_string()], |row| {
                let origin = ClaimOrigin {
                    page_id: row.parse("page_id")?,
                    url: row.get("url")?,
                    category: row.parse("domain_category")?,
                    year: row.get("year")?,
                };
                Ok((row.parse("id")?, origin))
            })?;
        Ok(origins.collect::<rusqlite::Result<_>>()?)
    }

    /// How many pages that a search found useful are heard against claims of its task; a page that refutes two counts
    /// twice.
    pub fn refutations_of(
        &self,
        task: evidence::TaskId,
        search: evidence::SearchId,
    ) -> Result<u32> {
        Ok(self
            .counted()?
            .prepare_cached(
                "SELECT count(*) FROM (
                   SELECT DISTINCT c.id, f.page_id FROM claims c JOIN edges e ON e.target_id = c.id
                   JOIN fragments f ON f.id = e.source_id
                   WHERE c.task_id = ?1 AND e.source_type = 'fragment' AND e.relation = 'refutes'
                     AND e.uncounted IS NULL AND f.page_id IN (
                       SELECT own.page_id FROM selected_fragments k JOIN fragments own ON own.id = k.fragment_id
                       WHERE k.query_id = ?2))",
            )?
            .query_row(params![task.to_string(), search.to_string()], |row| row.get(0))?)
    }

    /// The claims of a task on which a passage of a page takes this stance, whether it is heard or not.
    pub fn claims_judged_by(
        &self,
        task: evidence::TaskId,
        page: PageId,
        stance: Stance,
    ) -> Result<Vec<ClaimId>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT DISTINCT c.seq, c.id FROM fragments f
             CROSS JOIN edges e ON e.source_id = f.id AND e.relation = ?3
             CROSS JOIN claims c ON c.id = e.target_id
             WHERE f.page_id = ?2 AND c.task_id = ?1 ORDER BY c.seq",
        )?;
        let values = params![task.to_string(), page.to_string(), stance.as_str()];
        let claims = statement.query_map(values, |row| row.parse("id"))?;
        Ok(claims.collect::<rusqlite::Result<_>>()?)
    }

    /// The claims of a task that were taken from a page.
    pub fn claims_from(&self, task: evidence::TaskId, page: PageId) -> Result<Vec<ClaimId>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT c.id FROM claims c JOIN fragments f ON f.id = c.origin_fragment_id
             WHERE c.task_id = ?1 AND f.page_id = ?2 ORDER BY c.seq",
        )?;
        let claims = statement
            .query_map(params![task.to_string(), page.to_string()], |row| row.parse("id"))?;
        Ok(claims.collect::<rusqlite::Result<_>>()?)
    }

    /// The claims of all tasks that were taken from pages of the hosts that `covers` names.
    pub fn claims_taken_from(&self, covers: impl Fn(&str) -> bool) -> Result<Vec<ClaimId>> {
        let mut hosts = self.connection.prepare_cached("SELECT DISTINCT domain FROM pages")?;
        let hosts = hosts
            .query_map([], |row| row.get::<_, String>(0))?
            .collect::<rusqlite::Result<Vec<_>>>()?;
        let mut statement = self.connection.prepare_cached(
            "SELECT c.id FROM pages p JOIN fragments f ON f.page_id = p.id
             JOIN claims c ON c.origin_fragment_id = f.id WHERE p.domain = ?1 ORDER BY c.seq",
        )?;
        let mut claims = Vec::new();
        for host in hosts.iter().filter(|it| Publisher::is_host(it) && covers(it)) {
            for id in statement.query_map([host], |row| row.parse("id"))? {
                claims.push(id?);
            }
        }
        Ok(claims)
    }

    /// The claim that is a task's hypothesis.
    pub fn hypothesis_of(&self, task: evidence::TaskId) -> Result<Option<ClaimId>> {
        self.task(task)?;
        Ok(self
            .connection
            .prepare_cached(
                "SELECT id FROM claims WHERE task_id = ?1 AND claim_extraction_method = 'hypothesis'
                 ORDER BY seq LIMIT 1",
            )?
            .query_row([task.to_string()], |row| row.parse("id"))
            .optional()?)
    }
}
