//! Correcting what a passage says about a claim.
//!
//! A verdict is about the pair of passage and claim, and a person's settles it: afterwards the pair
//! has one stance, the corrected edge, and what other judges said of the same pair has moved into the
//! log whole. [`Writer::add_edge`](crate::Writer::add_edge) respects it: judging the pair again adds
//! nothing. So no query can weigh a verdict together with its opposite.

use evidence::calibration::CalibrationSource;
use evidence::{CorrectionId, Edge, EdgeId, Node, Relation, Stance};
use rusqlite::params;
use serde_json::{Map, Value, json};

use super::{FeedbackAction, FeedbackOutcome};
use crate::row::RowExt;
use crate::{Cause, Error, Reader, Result, Writer};

impl Writer<'_> {
    /// Records what the passage of an edge really says about its claim. Takes effect at once, with full
    /// certainty, and is stored as a sample each time, also when it confirms the judge.
    pub fn edge_correct(
        &self,
        id: EdgeId,
        truth: Stance,
        reason: Option<&str>,
    ) -> Result<FeedbackOutcome> {
        let reason = match reason.map(str::trim).filter(|it| !it.is_empty()) {
            Some(reason) => Some(self.reason(reason)?),
            None => None,
        };
        let edge = self.edge(id)?;
        if edge.relation == Relation::Cites {
            return Err(Error::invalid(
                "a citation",
                "is a fact, not a judgement, and cannot be corrected",
            ));
        }
        let correction_id = self.store_sample(&edge, truth, reason)?;
        let superseded_edges = self.supersede_others(&edge, truth)?;
        let changed = edge.relation != Relation::from(truth)
            || !edge.edge_human_corrected
            || !superseded_edges.is_empty();
        self.connection.execute(
            "UPDATE edges SET relation = ?2, nli_label = ?2, nli_confidence = 1.0, edge_human_corrected = 1,
                    edge_correction_reason = ?3, edge_corrected_at = ?4, uncounted = NULL
             WHERE id = ?1",
            params![id.to_string(), truth.as_str(), reason, self.now()],
        )?;
        if let Node::Claim(claim) = edge.target {
            self.recount.name(claim);
        }
        let model = self.judge_of(id)?;
        let fitted = self.refit_if_due(CalibrationSource::NliJudge, &model)?;
        Ok(FeedbackOutcome {
            changed,
            before: Some(edge.relation.as_str()),
            now: Some(truth.as_str()),
            correction_id: Some(correction_id),
            superseded_edges,
            fitted_version: fitted.map(|it| it.version),
            ..FeedbackOutcome::of(FeedbackAction::EdgeCorrect, id)
        })
    }

    /// Keeps the judge's own prediction with the texts it saw. After a first correction the edge
    /// shows the person's verdict, so later samples take the prediction from the first.
    fn store_sample(
        &self,
        edge: &Edge,
        truth: Stance,
        reason: Option<&str>,
    ) -> Result<CorrectionId> {
        let Node::Claim(claim) = edge.target else {
            return Err(Error::invalid("the edge", "does not point at a claim"));
        };
        let claim = self.claim(claim)?;
        let premise = match edge.source {
            Node::Fragment(fragment) => self.fragment(fragment)?.text_content,
            Node::Claim(source) => self.claim(source)?.claim_text,
            Node::Page(_) => return Err(Error::invalid("the edge", "starts at a whole page")),
        };
        let (label, confidence): (String, f64) = self
            .connection
            .prepare_cached(
                "SELECT coalesce(first.predicted_label, e.nli_label) AS label,
                        coalesce(first.predicted_confidence, e.nli_confidence_raw, e.nli_confidence) AS confidence
                 FROM edges e LEFT JOIN nli_corrections first ON first.edge_id = e.id
                 WHERE e.id = ?1 ORDER BY first.id LIMIT 1",
            )?
            .query_row([edge.id.to_string()], |row| Ok((row.get("label")?, row.get("confidence")?)))?;
        let id: CorrectionId = self.mint();
        self.connection.execute(
            "INSERT INTO nli_corrections (id, edge_id, task_id, premise, hypothesis, predicted_label,
                                          predicted_confidence, correct_label, reason, corrected_at, cause_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            params![
                id.to_string(),
                edge.id.to_string(),
                claim.task_id.to_string(),
                premise,
                claim.claim_text,
                label,
                confidence,
                truth.as_str(),
                reason,
                self.now(),
                self.cause()?.to_string(),
            ],
        )?;
        Ok(id)
    }

    /// Moves the other judgements of the pair into the log, each with its whole row.
    fn supersede_others(&self, edge: &Edge, truth: Stance) -> Result<Vec<EdgeId>> {
        let mut superseded = Vec::new();
        for (other, row) in self.other_judgements(edge)? {
            let referenced: bool = self
                .connection
                .prepare_cached(
                    "SELECT EXISTS (SELECT 1 FROM nli_corrections WHERE edge_id = ?1)
                         OR EXISTS (SELECT 1 FROM claim_events WHERE edge_id = ?1)",
                )?
                .query_row([other.to_string()], |row| row.get(0))?;
            if referenced {
                // Only a graph put together by other means has two corrected edges for one pair.
                if row["relation"] == truth.as_str() {
                    let problem = format!("of the same pair was corrected before; correct {other}");
                    return Err(Error::invalid("another edge", problem));
                }
                continue;
            }
            let event = Cause::new("edge_superseded").about("edge", other);
            let detail = json!({ "by": edge.id, "edge": row });
            self.record_event(event.with(detail).after(self.cause()?))?;
            self.connection.execute("DELETE FROM edges WHERE id = ?1", [other.to_string()])?;
            superseded.push(other);
        }
        Ok(superseded)
    }
}

impl Reader<'_> {
    /// The model behind an edge, by the name its calibration goes by.
    fn judge_of(&self, edge: EdgeId) -> Result<String> {
        Ok(self
            .connection
            .prepare_cached("SELECT coalesce(nli_model, '') FROM edges WHERE id = ?1")?
            .query_row([edge.to_string()], |row| row.get(0))?)
    }

    fn other_judgements(&self, edge: &Edge) -> Result<Vec<(EdgeId, Map<String, Value>)>> {
        let mut statement = self.counted()?.prepare_cached(
            "SELECT id, json_object('id', id, 'source_type', source_type, 'source_id', source_id,
                 'target_type', target_type, 'target_id', target_id, 'relation', relation,
                 'nli_label', nli_label, 'nli_confidence', nli_confidence,
                 'nli_confidence_raw', nli_confidence_raw, 'nli_model', nli_model,
                 'source_domain_category', source_domain_category,
                 'target_domain_category', target_domain_category,
                 'statement_kind', statement_kind, 'uncounted', uncounted,
                 'edge_human_corrected', edge_human_corrected,
                 'edge_correction_reason', edge_correction_reason, 'edge_corrected_at', edge_corrected_at,
                 'created_at', created_at, 'cause_id', cause_id) AS whole
             FROM edges WHERE source_id = ?1 AND target_id = ?2 AND relation <> 'cites' AND id <> ?3
             ORDER BY id",
        )?;
        let others = statement
            .query_map(params![edge.source.id(), edge.target.id(), edge.id.to_string()], |row| {
                let whole: Value = row.parse("whole")?;
                Ok((row.parse("id")?, whole.as_object().cloned().unwrap_or_default()))
            })?
            .collect::<rusqlite::Result<_>>()?;
        Ok(others)
    }
}
