//! What the passages of a page were held against.

use evidence::{ClaimId, FragmentId, PageId, Relation, TaskId};

use crate::row::RowExt;
use crate::{Reader, Result};

/// A judgement about a passage of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct PageJudgement {
    pub fragment_id: FragmentId,
    pub claim_id: ClaimId,
    pub claim_text: String,
    pub task_id: TaskId,
    pub relation: Relation,
    pub nli_confidence: f64,
}

impl PageJudgement {
    /// Whether another claim of the same words is judged alike.
    pub fn says_the_same(&self, other: &Self) -> bool {
        self.claim_text == other.claim_text && self.relation == other.relation
    }
}

impl Reader<'_> {
    /// The claims of all tasks that passages of a page take a side on, in the order of the passages.
    pub fn judged_on(&self, page: PageId) -> Result<Vec<PageJudgement>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT f.id AS fragment_id, c.id AS claim_id, c.claim_text, c.task_id, e.relation,
                    e.nli_confidence
             FROM fragments f
             CROSS JOIN edges e ON e.source_id = f.id AND e.source_type = 'fragment'
             CROSS JOIN claims c ON c.id = e.target_id
             WHERE f.page_id = ?1 AND e.relation IN ('supports', 'refutes') AND NOT c.claim_security_rejected
             ORDER BY f.seq, e.relation DESC, c.seq",
        )?;
        let found = statement.query_map([page.to_string()], |row| {
            Ok(PageJudgement {
                fragment_id: row.parse("fragment_id")?,
                claim_id: row.parse("claim_id")?,
                claim_text: row.get("claim_text")?,
                task_id: row.parse("task_id")?,
                relation: row.parse("relation")?,
                nli_confidence: row.get("nli_confidence")?,
            })
        })?;
        Ok(found.collect::<rusqlite::Result<_>>()?)
    }
}
