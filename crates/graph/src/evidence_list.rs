//! The evidence of a claim, one entry for each edge: facts to judge by, years and categories as
//! they are. What they mean together is left to the reader.

use evidence::calibration::CalibrationSource;
use evidence::{
    ClaimId, Confidence, DomainCategory, EdgeId, NodeType, PageId, Relation, StatementKind,
    Uncounted,
};
use rusqlite::Row;
use serde::Serialize;

use crate::edges::source_of_edge;
use crate::row::RowExt;
use crate::{Reader, Result};

/// A claim's evidence and what it adds up to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClaimEvidence {
    #[serde(flatten)]
    pub confidence: Confidence,
    /// Absent for a claim that a person wrote.
    pub extraction: Option<Extraction>,
    /// Independent sources that are heard for it and against it.
    pub supporting_sources: u32,
    pub refuting_sources: u32,
    /// Supporting, then refuting, then neutral; within each what counts before what does not, the surest first.
    pub evidence: Vec<EvidenceItem>,
    /// Of what counts.
    pub evidence_years: EvidenceYears,
}

/// How a claim was taken out of its passage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Extraction {
    /// `extractive`, or the name of a language model.
    pub method: Option<String>,
    /// How sure the extraction is, as the calibration in force corrects it. It says nothing about the claim being true.
    pub confidence: f64,
    /// The same as the extraction stated it.
    pub confidence_raw: f64,
}

/// One passage, or one other claim, that was judged against the claim.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EvidenceItem {
    pub edge_id: EdgeId,
    pub relation: Relation,
    pub source_type: NodeType,
    /// The passage or the claim that takes the stance.
    pub source_id: String,
    /// Its page. A claim that was taken from no passage has none.
    pub page_id: Option<PageId>,
    pub url: Option<String>,
    pub title: Option<String>,
    /// Year of the work, else of the page; unknown stays unknown.
    pub year: Option<i32>,
    pub nli_confidence: f64,
    /// As it was when the passage was judged.
    pub source_domain_category: DomainCategory,
    pub doi: Option<String>,
    pub venue: Option<String>,
    /// The words of the passage, or of the claim.
    pub quote: String,
    pub edge_human_corrected: bool,
    /// What the passage is in its document, where that was told.
    pub statement_kind: Option<StatementKind>,
    /// Why it counts for nothing; absent where it counts.
    pub uncounted: Option<Uncounted>,
}

/// The years the evidence spans, as far as they are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct EvidenceYears {
    pub oldest: Option<i32>,
    pub newest: Option<i32>,
}

impl Reader<'_> {
    /// What was judged against a claim, with sources, and what it adds up to now.
    pub fn evidence_of(&self, claim: ClaimId) -> Result<ClaimEvidence> {
        self.claim(claim)?;
        let mut statement = self.counted()?.prepare_cached(concat!(
            "SELECT e.id AS edge_id, e.relation, e.source_type, e.source_id, e.nli_confidence,
                    e.source_domain_category, e.edge_human_corrected, e.statement_kind, e.uncounted,
                    p.id AS page_id, p.url, coalesce(w.title, p.title) AS title,
                    coalesce(w.year, p.year) AS year, w.venue,
                    -- A work may have several; the first in order, so that it is always the same.
                    (SELECT min(value) FROM work_identifiers i WHERE i.work_id = w.id AND i.scheme = 'doi') AS doi,
                    CASE e.source_type WHEN 'fragment' THEN f.text_content ELSE s.claim_text END AS quote
             FROM edges e ",
            source_of_edge!(),
            "WHERE e.target_id = ?1
             ORDER BY CASE e.relation WHEN 'supports' THEN 0 WHEN 'refutes' THEN 1 ELSE 2 END,
                      e.uncounted IS NOT NULL, e.nli_confidence DESC, e.id",
        ))?;
        let evidence: Vec<EvidenceItem> =
            statement.query_map([claim.to_string()], from_row)?.collect::<rusqlite::Result<_>>()?;
        let counted = || evidence.iter().filter(|it| it.uncounted.is_none());
        let voices = |side| counted().filter(|it| it.relation == side).count() as u32;
        let years = || counted().filter_map(|it| it.year);
        Ok(ClaimEvidence {
            confidence: Confidence::from_edges(
                counted().map(|it| (it.relation, it.nli_confidence)),
            ),
            extraction: self.extraction_of(claim)?,
            supporting_sources: voices(Relation::Supports),
            refuting_sources: voices(Relation::Refutes),
            evidence_years: EvidenceYears { oldest: years().min(), newest: years().max() },
            evidence,
        })
    }

    fn extraction_of(&self, claim: ClaimId) -> Result<Option<Extraction>> {
        let (method, stated): (Option<String>, Option<f64>) = self
            .connection
            .prepare_cached(
                "SELECT claim_extraction_method, claim_extraction_confidence FROM claims WHERE id = ?1",
            )?
            .query_row([claim.to_string()], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let Some(confidence_raw) = stated else { return Ok(None) };
        let confidence = self.calibrated(CalibrationSource::LlmExtract, "", confidence_raw)?;
        Ok(Some(Extraction { method, confidence, confidence_raw }))
    }
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<EvidenceItem> {
    Ok(EvidenceItem {
        edge_id: row.parse("edge_id")?,
        relation: row.parse("relation")?,
        source_type: row.parse("source_type")?,
        source_id: row.get("source_id")?,
        page_id: row.parse_opt("page_id")?,
        url: row.get("url")?,
        title: row.get("title")?,
        year: row.get("year")?,
        nli_confidence: row.get("nli_confidence")?,
        source_domain_category: row.parse("source_domain_category")?,
        doi: row.get("doi")?,
        venue: row.get("venue")?,
        quote: row.get("quote")?,
        edge_human_corrected: row.get("edge_human_corrected")?,
        statement_kind: row.parse_opt("statement_kind")?,
        uncounted: row.parse_opt("uncounted")?,
    })
}
