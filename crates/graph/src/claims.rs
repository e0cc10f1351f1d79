//! Claims and what their edges add up to.

use std::collections::HashMap;

use evidence::{Claim, ClaimId, Confidence, FragmentId, PageId, Relation, TaskId, text_hash};
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;

use crate::row::RowExt;
use crate::{Error, Reader, Result, Writer};

/// A statement to be judged.
#[derive(Debug, Clone)]
pub struct NewClaim {
    pub task_id: TaskId,
    pub text: String,
    pub language: Option<String>,
    /// The passage it was taken from, if there is one.
    pub origin_fragment_id: Option<FragmentId>,
    /// How it was found (`extractive`, a model's name) and how sure that was.
    pub extraction_method: Option<String>,
    pub extraction_confidence: Option<f64>,
}

/// A claim together with what its edges add up to now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TaskClaim {
    #[serde(flatten)]
    pub claim: Claim,
    #[serde(flatten)]
    pub confidence: Confidence,
    /// Independent sources that are heard for it.
    pub support_count: u32,
    /// Independent sources that are heard against it.
    pub refute_count: u32,
}

impl TaskClaim {
    fn new(claim: Claim, stances: Vec<(Relation, f64)>) -> Self {
        let count = |wanted| stances.iter().filter(|(it, _)| *it == wanted).count() as u32;
        Self {
            support_count: count(Relation::Supports),
            refute_count: count(Relation::Refutes),
            confidence: Confidence::from_edges(stances),
            claim,
        }
    }
}

/// A claim as new ones are compared with it.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimToCompare {
    /// Grows in the order claims were recorded.
    pub seq: i64,
    pub id: ClaimId,
    pub text: String,
    /// The page it was taken from.
    pub page: Option<PageId>,
    pub is_hypothesis: bool,
    pub vector: Option<Vec<f32>>,
}

impl Writer<'_> {
    /// Records a claim of a task; the same words in the same task are the same claim.
    pub fn record_claim(&self, new: &NewClaim) -> Result<ClaimId> {
        let text = new.text.trim();
        if text.is_empty() {
            return Err(Error::invalid("the claim", "is empty"));
        }
        if new.extraction_confidence.is_some_and(|it| !(0.0..=1.0).contains(&it)) {
            return Err(Error::invalid("the confidence of extraction", "is not between 0 and 1"));
        }
        self.task(new.task_id)?;
        if let Some(fragment) = new.origin_fragment_id {
            self.fragment(fragment)?;
        }
        let (task, hash) = (new.task_id.to_string(), text_hash(text));
        let known = self
            .connection
            .prepare_cached("SELECT id FROM claims WHERE task_id = ?1 AND claim_text_hash = ?2")?
            .query_row(params![task, hash], |row| row.parse("id"))
            .optional()?;
        if let Some(id) = known {
            return Ok(id);
        }
        let id: ClaimId = self.mint();
        self.connection
            .prepare_cached(
                "INSERT INTO claims (id, task_id, claim_text, claim_text_hash, language, origin_fragment_id,
                                     claim_extraction_method, claim_extraction_confidence, created_at, cause_id)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?
            .execute(params![
                id.to_string(),
                task,
                text,
                hash,
                new.language,
                new.origin_fragment_id.map(|it| it.to_string()),
                new.extraction_method,
                new.extraction_confidence,
                self.now(),
                self.cause()?.to_string(),
            ])?;
        Ok(id)
    }
}

impl Reader<'_> {
    pub fn claim(&self, id: ClaimId) -> Result<Claim> {
        self.connection
            .prepare_cached("SELECT * FROM claims WHERE id = ?1")?
            .query_row([id.to_string()], from_row)
            .optional()?
            .ok_or_else(|| Error::unknown("claim", id))
    }

    /// The claims of a task with their confidence, those not adopted included, oldest first.
    pub fn claims_of(&self, task: TaskId) -> Result<Vec<TaskClaim>> {
        self.task(task)?;
        let mut statement = self
            .connection
            .prepare_cached("SELECT * FROM claims WHERE task_id = ?1 ORDER BY seq")?;
        let claims: Vec<Claim> =
            statement.query_map([task.to_string()], from_row)?.collect::<rusqlite::Result<_>>()?;
        let mut stances = self.stances_in(task)?;
        let with_stances = claims.into_iter().map(|claim| {
            let stances = stances.remove(&claim.id).unwrap_or_default();
            TaskClaim::new(claim, stances)
        });
        Ok(with_stances.collect())
    }

    /// The claims of a task that were recorded last, the newest first.
    pub fn newest_claims_of(&self, task: TaskId, most: u32) -> Result<Vec<TaskClaim>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT * FROM claims WHERE task_id = ?1 ORDER BY seq DESC LIMIT ?2")?;
        let claims = statement.query_map(params![task.to_string(), most], from_row)?;
        let claims: Vec<Claim> = claims.collect::<rusqlite::Result<_>>()?;
        let with_stances = claims.into_iter().map(|claim| {
            let stances = self.stances_of(claim.id)?;
            Ok(TaskClaim::new(claim, stances))
        });
        with_stances.collect()
    }

    /// A claim with its confidence.
    pub fn task_claim(&self, id: ClaimId) -> Result<TaskClaim> {
        Ok(TaskClaim::new(self.claim(id)?, self.stances_of(id)?))
    }

    /// The claims of a task that were recorded after one of them, oldest first, with the vectors of a model.
    pub fn claims_after(
        &self,
        task: TaskId,
        seq: i64,
        model_id: &str,
    ) -> Result<Vec<ClaimToCompare>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT c.seq, c.id, c.claim_text, f.page_id, m.embedding_blob,
                    c.claim_extraction_method IS 'hypothesis' AS is_hypothesis
             FROM claims c LEFT JOIN fragments f ON f.id = c.origin_fragment_id
             LEFT JOIN embeddings m
               ON m.target_type = 'claim' AND m.target_id = c.id AND m.model_id = ?3
             WHERE c.task_id = ?1 AND c.seq > ?2 ORDER BY c.seq",
        )?;
        let claims = statement.query_map(params![task.to_string(), seq, model_id], |row| {
            Ok(ClaimToCompare {
                seq: row.get("seq")?,
                id: row.parse("id")?,
                text: row.get("claim_text")?,
                page: row.parse_opt("page_id")?,
                is_hypothesis: row.get("is_hypothesis")?,
                vector: row
                    .get_ref("embedding_blob")?
                    .as_blob_or_null()?
                    .map(crate::embeddings::numbers),
            })
        })?;
        Ok(claims.collect::<rusqlite::Result<_>>()?)
    }

    /// What the edges of a claim add up to, computed from them now.
    pub fn confidence_of(&self, claim: ClaimId) -> Result<Confidence> {
        Ok(Confidence::from_edges(self.stances_of(claim)?))
    }

    /// The stances that count on each claim of a task.
    fn stances_in(&self, task: TaskId) -> Result<HashMap<ClaimId, Vec<(Relation, f64)>>> {
        let mut statement = self.counted()?.prepare_cached(
            "SELECT c.id, e.relation, e.nli_confidence FROM claims c JOIN edges e ON e.target_id = c.id
             WHERE c.task_id = ?1 AND e.relation IN ('supports', 'refutes', 'neutral') AND e.uncounted IS NULL
             ORDER BY c.seq, e.rowid",
        )?;
        let mut rows = statement.query([task.to_string()])?;
        let mut stances: HashMap<ClaimId, Vec<(Relation, f64)>> = HashMap::new();
        while let Some(row) = rows.next()? {
            let stance = (row.parse("relation")?, row.get("nli_confidence")?);
            stances.entry(row.parse("id")?).or_default().push(stance);
        }
        Ok(stances)
    }

    fn stances_of(&self, claim: ClaimId) -> Result<Vec<(Relation, f64)>> {
        let mut statement = self.counted()?.prepare_cached(
            "SELECT relation, nli_confidence FROM edges
             WHERE target_id = ?1 AND relation IN ('supports', 'refutes', 'neutral') AND uncounted IS NULL",
        )?;
        let stances = statement.query_map([claim.to_string()], |row| {
            Ok((row.parse("relation")?, row.get("nli_confidence")?))
        })?;
        Ok(stances.collect::<rusqlite::Result<_>>()?)
    }
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<Claim> {
    Ok(Claim {
        id: row.parse("id")?,
        task_id: row.parse("task_id")?,
        claim_text: row.get("claim_text")?,
        language: row.get("language")?,
        origin_fragment_id: row.parse_opt("origin_fragment_id")?,
        claim_adoption_status: row.parse("claim_adoption_status")?,
        claim_rejection_reason: row.get("claim_rejection_reason")?,
        claim_rejected_at: row.parse_opt("claim_rejected_at")?,
        source_verification_status: row.parse("source_verification_status")?,
        created_at: row.parse("created_at")?,
        cause_id: row.parse("cause_id")?,
    })
}
