//! What was taken from a page as evidence: asked when the page is looked at again.

use evidence::{ClaimId, FragmentId, PageId, Relation, TaskId};

use crate::row::RowExt;
use crate::{Reader, Result};

/// A passage of a page that speaks for or against a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct QuotedPassage {
    pub page_id: PageId,
    pub fragment_id: FragmentId,
    pub quote: String,
    pub claim_id: ClaimId,
    pub claim: String,
    pub relation: Relation,
    pub task_id: TaskId,
}

impl Reader<'_> {
    /// The passages of a page that speak for or against claims, in their order.
    pub fn quoted_from(&self, url: &str) -> Result<Vec<QuotedPassage>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT p.id AS page_id, f.id AS fragment_id, f.text_content, c.id AS claim_id, c.claim_text, e.relation,
                    c.task_id
             FROM pages p
             JOIN fragments f ON f.page_id = p.id
             JOIN edges e ON e.source_type = 'fragment' AND e.source_id = f.id
               AND e.relation IN ('supports', 'refutes')
             JOIN claims c ON c.id = e.target_id
             WHERE p.url = ?1 ORDER BY f.id, c.id",
        )?;
        let rows = statement.query_map([url], |row| {
            Ok(QuotedPassage {
                page_id: row.parse("page_id")?,
                fragment_id: row.parse("fragment_id")?,
                quote: row.get("text_content")?,
                claim_id: row.parse("claim_id")?,
                claim: row.get("claim_text")?,
                relation: row.parse("relation")?,
                task_id: row.parse("task_id")?,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}
