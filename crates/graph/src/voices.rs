//! One voice for each source: keeps `edges.uncounted` as [`evidence::voices`] says it.
//!
//! What changes who is heard on a claim (an edge, a correction, a retraction, the work or the story of a page) names
//! the claim to its [`Recount`]. All that were named are counted again before anything in the same transaction reads
//! what counts, and at the latest when it is committed: nobody has to ask for it.

use std::cell::RefCell;
use std::collections::BTreeSet;

use evidence::voices::{Statement, StatementOrigin, uncounted};
use evidence::{ClaimId, EdgeId, PageId, Publisher, TaskId, Uncounted, WorkId};
use rusqlite::{Connection, Params, Row, params};

use crate::edges::source_of_edge;
use crate::row::RowExt;
use crate::{Reader, Result, Writer};

/// What the judgement of a notice that withdraws a work is stored under.
pub const RETRACTION: &str = "retraction";
/// What the judgement of a notice that corrects a work is stored under.
pub const CORRECTION: &str = "correction";

/// The claims of a transaction on which somebody else may be heard now.
#[derive(Debug, Default)]
pub(crate) struct Recount(RefCell<BTreeSet<ClaimId>>);

impl Recount {
    pub(crate) fn name(&self, claim: ClaimId) {
        self.0.borrow_mut().insert(claim);
    }
}

impl<'a> Reader<'a> {
    /// The connection, once every claim that was named is counted again. Whatever reads `uncounted` goes through this.
    pub(crate) fn counted(&self) -> Result<&'a Connection> {
        for claim in self.recount.0.take() {
            count_again(self.connection, claim)?;
        }
        Ok(self.connection)
    }
}

impl Writer<'_> {
    /// Names the claims that the passages of a page were judged against, and those that claims taken from it were.
    pub(crate) fn recount_claims_of_page(&self, page: PageId) -> Result<()> {
        self.recount_claims(
            "SELECT e.target_id FROM fragments f
               CROSS JOIN edges e ON e.source_id = f.id AND e.target_type = 'claim' WHERE f.page_id = ?1
             UNION
             SELECT e.target_id FROM fragments f CROSS JOIN claims s ON s.origin_fragment_id = f.id
               CROSS JOIN edges e ON e.source_id = s.id AND e.target_type = 'claim' WHERE f.page_id = ?1",
            [page.to_string()],
        )
    }

    pub(crate) fn recount_claims_of_work(&self, work: WorkId) -> Result<()> {
        let mut statement =
            self.connection.prepare_cached("SELECT id FROM pages WHERE work_id = ?1")?;
        let pages = statement.query_map([work.to_string()], |row| row.parse("id"))?;
        for page in pages.collect::<rusqlite::Result<Vec<PageId>>>()? {
            self.recount_claims_of_page(page)?;
        }
        Ok(())
    }

    pub(crate) fn recount_claims_of_task(&self, task: TaskId) -> Result<()> {
        self.recount_claims(
            "SELECT id AS target_id FROM claims WHERE task_id = ?1",
            [task.to_string()],
        )
    }

    /// Names the claims that a statement gives as `target_id`.
    pub(crate) fn recount_claims(&self, sql: &str, values: impl Params) -> Result<()> {
        let mut statement = self.connection.prepare_cached(sql)?;
        for claim in statement.query_map(values, |row| row.parse("target_id"))? {
            self.recount.name(claim?);
        }
        Ok(())
    }
}

/// Counts every claim again: for files from before there were voices, and for those that lost rows.
pub(crate) fn count_all_again(connection: &Connection) -> Result<()> {
    let mut statement =
        connection.prepare("SELECT DISTINCT target_id FROM edges WHERE target_type = 'claim'")?;
    let claims = statement.query_map([], |row| row.parse("target_id"))?;
    for claim in claims.collect::<rusqlite::Result<Vec<ClaimId>>>()? {
        count_again(connection, claim)?;
    }
    Ok(())
}

/// What supports and refutes a claim, oldest first.
const STATEMENTS: &str = concat!(
    "SELECT e.id, e.uncounted, e.edge_human_corrected, e.statement_kind, e.nli_confidence, e.nli_model,
            p.domain, p.work_id, p.narrative_cluster, coalesce(w.retracted_at, p.retracted_at) IS NOT NULL AS retracted
     FROM edges e ",
    source_of_edge!(),
    "WHERE e.target_id = ?1 AND e.relation IN ('supports', 'refutes') ORDER BY e.id"
);

fn count_again(connection: &Connection, claim: ClaimId) -> Result<()> {
    // What takes no side has no voice, and none of the reasons that are about voices.
    connection
        .prepare_cached(
            "UPDATE edges SET uncounted = NULL
             WHERE target_id = ?1 AND relation = 'neutral' AND uncounted IN ('same_voice', 'retracted')",
        )?
        .execute([claim.to_string()])?;
    let mut before: Vec<(EdgeId, Option<Uncounted>)> = Vec::new();
    let mut statements = Vec::new();
    let mut select = connection.prepare_cached(STATEMENTS)?;
    let mut rows = select.query([claim.to_string()])?;
    while let Some(row) = rows.next()? {
        before.push((row.parse("id")?, row.parse_opt("uncounted")?));
        statements.push(statement(row)?);
    }
    let mut set = connection.prepare_cached("UPDATE edges SET uncounted = ?2 WHERE id = ?1")?;
    for ((edge, was), now) in before.into_iter().zip(uncounted(&statements)) {
        if was != now {
            set.execute(params![edge.to_string(), now.map(Uncounted::as_str)])?;
        }
    }
    Ok(())
}

fn statement(row: &Row<'_>) -> rusqlite::Result<Statement> {
    let domain: Option<String> = row.get("domain")?;
    let work = row.parse_opt("work_id")?;
    let cluster = row.get("narrative_cluster")?;
    let is_retracted = row.get("retracted")?;
    let origin = domain.map(|domain| StatementOrigin {
        publisher: Publisher::of_page(&domain, work),
        cluster,
        is_retracted,
    });
    let model: Option<String> = row.get("nli_model")?;
    let uncounted: Option<Uncounted> = row.parse_opt("uncounted")?;
    Ok(Statement {
        origin,
        is_corrected: row.get("edge_human_corrected")?,
        is_notice: matches!(model.as_deref(), Some(RETRACTION | CORRECTION)),
        is_about: uncounted != Some(Uncounted::NotAbout),
        kind: row.parse_opt("statement_kind")?,
        certainty: row.get("nli_confidence")?,
    })
}
