//! Edges: who supports, refutes or cites whom, and how sure the judge was.

use evidence::calibration::CalibrationSource;
use evidence::{
    CitationSource, DomainCategory, Edge, EdgeId, Node, NodeType, Relation, Stance, StatementKind,
    Uncounted,
};
use rusqlite::{OptionalExtension, Row, params};

use crate::row::RowExt;
use crate::{Error, Reader, Result, Writer};

/// From an edge `e` that takes a stance to its passage `f`, its page `p` and the work `w`: of a passage its own, of a
/// claim `s` those it was taken from, of a claim taken from none nothing.
macro_rules! source_of_edge {
    () => {
        "LEFT JOIN claims s ON e.source_type = 'claim' AND s.id = e.source_id
         LEFT JOIN fragments f
           ON f.id = CASE e.source_type WHEN 'fragment' THEN e.source_id ELSE s.origin_fragment_id END
         LEFT JOIN pages p ON p.id = f.page_id
         LEFT JOIN works w ON w.id = p.work_id
         "
    };
}
pub(crate) use source_of_edge;

/// A relation to record. Both ends must exist; their domain categories are looked up.
#[derive(Debug, Clone)]
pub enum NewEdge {
    /// A passage or a claim takes a stance on a claim.
    Stance {
        source: Node,
        target: evidence::ClaimId,
        stance: Stance,
        /// The judge's certainty as the model gave it, between 0 and 1.
        confidence: f64,
        model: String,
        /// What the passage is in its document, where that was told.
        kind: Option<StatementKind>,
        /// Whether the passage is about the claim; one that is not is kept and counts for nothing.
        about: bool,
    },
    /// Something cites a page or a passage of it.
    Citation { source: Node, target: Node, seen_by: CitationSource, context: Option<String> },
}

impl Writer<'_> {
    /// Records an edge. A pair has one edge per relation: what is known is not recorded again. Where
    /// a person corrected the pair, their verdict is what is known, whatever the judge says now.
    /// A stance is stored as the judge gave it and as the calibration of that judge corrects it.
    pub fn add_edge(&self, new: &NewEdge) -> Result<EdgeId> {
        let (source, target, relation) = match new {
            NewEdge::Stance { source, target, stance, .. } => {
                (*source, Node::Claim(*target), Relation::from(*stance))
            }
            NewEdge::Citation { source, target, .. } => (*source, *target, Relation::Cites),
        };
        check(new, source, target)?;
        let known = self
            .connection
            .prepare_cached(
                "SELECT id FROM edges WHERE source_id = ?1 AND target_id = ?2
                   AND (relation = ?3 OR (edge_human_corrected = 1 AND ?3 <> 'cites'))
                 ORDER BY edge_human_corrected DESC LIMIT 1",
            )?
            .query_row(params![source.id(), target.id(), relation.as_str()], |row| row.parse("id"))
            .optional()?;
        if let Some(id) = known {
            return Ok(id);
        }
        let source_category = self.category_of(source)?;
        let target_category = self.category_of(target)?;
        let (label, raw, model, seen_by, context) = match new {
            NewEdge::Stance { stance, confidence, model, .. } => {
                (Some(stance.as_str()), Some(*confidence), Some(model), None, None)
            }
            NewEdge::Citation { seen_by, context, .. } => {
                (None, None, None, Some(seen_by.as_str()), context.as_ref())
            }
        };
        let (kind, uncounted) = match new {
            NewEdge::Stance { about: false, kind, .. } => (*kind, Some(Uncounted::NotAbout)),
            NewEdge::Stance { kind: Some(kind), .. } if !kind.is_evidence() => {
                (Some(*kind), Some(Uncounted::NoStatement))
            }
            NewEdge::Stance { kind, .. } => (*kind, None),
            NewEdge::Citation { .. } => (None, None),
        };
        let confidence = match (raw, model) {
            (Some(raw), Some(model)) => {
                Some(self.calibrated(CalibrationSource::NliJudge, model, raw)?)
            }
            _ => None,
        };
        let id: EdgeId = self.mint();
        self.connection
            .prepare_cached(
                "INSERT INTO edges (id, source_type, source_id, target_type, target_id, relation, nli_label,
                                    nli_confidence, nli_confidence_raw, nli_model, source_domain_category,
                                    target_domain_category, citation_source, citation_context, created_at, cause_id,
                                    statement_kind, uncounted)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
            )?
            .execute(params![
                id.to_string(),
                source.kind().as_str(),
                source.id(),
                target.kind().as_str(),
                target.id(),
                relation.as_str(),
                label,
                confidence,
                raw,
                model,
                source_category.unwrap_or(DomainCategory::Unverified).as_str(),
                target_category.map(DomainCategory::as_str),
                seen_by,
                context,
                self.now(),
                self.cause()?.to_string(),
                kind.map(StatementKind::as_str),
                uncounted.map(Uncounted::as_str),
            ])?;
        if let (Node::Claim(claim), Relation::Supports | Relation::Refutes) = (target, relation) {
            self.recount.name(claim);
        }
        Ok(id)
    }

    /// The category of the page behind a node. A claim has one when it was taken from a passage.
    fn category_of(&self, node: Node) -> Result<Option<DomainCategory>> {
        let (sql, kind) = match node {
            Node::Page(_) => ("SELECT domain_category FROM pages WHERE id = ?1", "page"),
            Node::Fragment(_) => (
                "SELECT p.domain_category FROM fragments f JOIN pages p ON p.id = f.page_id WHERE f.id = ?1",
                "fragment",
            ),
            Node::Claim(_) => (
                "SELECT p.domain_category FROM claims c
                 LEFT JOIN fragments f ON f.id = c.origin_fragment_id
                 LEFT JOIN pages p ON p.id = f.page_id WHERE c.id = ?1",
                "claim",
            ),
        };
        self.connection
            .prepare_cached(sql)?
            .query_row([node.id()], |row| row.parse_opt("domain_category"))
            .optional()?
            .ok_or_else(|| Error::unknown(kind, node.id()))
    }
}

fn check(new: &NewEdge, source: Node, target: Node) -> Result<()> {
    if source == target {
        return Err(Error::invalid("the edge", "joins a node to itself"));
    }
    match new {
        NewEdge::Stance { confidence, .. } if !(0.0..=1.0).contains(confidence) => {
            Err(Error::invalid("the certainty of a stance", "is not between 0 and 1"))
        }
        NewEdge::Stance { .. } if source.kind() == NodeType::Page => {
            Err(Error::invalid("a stance", "needs the passage it rests on, not the whole page"))
        }
        NewEdge::Citation { .. } if target.kind() == NodeType::Claim => {
            Err(Error::invalid("a citation", "points at a page or a passage, not at a claim"))
        }
        _ => Ok(()),
    }
}

impl Reader<'_> {
    pub fn edge(&self, id: EdgeId) -> Result<Edge> {
        self.counted()?
            .prepare_cached("SELECT * FROM edges WHERE id = ?1")?
            .query_row([id.to_string()], from_row)
            .optional()?
            .ok_or_else(|| Error::unknown("edge", id))
    }
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<Edge> {
    Ok(Edge {
        id: row.parse("id")?,
        source: node(row, "source_type", "source_id")?,
        target: node(row, "target_type", "target_id")?,
        relation: row.parse("relation")?,
        nli_confidence: row.get("nli_confidence")?,
        source_domain_category: row.parse("source_domain_category")?,
        target_domain_category: row.parse_opt("target_domain_category")?,
        citation_source: row.parse_opt("citation_source")?,
        statement_kind: row.parse_opt("statement_kind")?,
        uncounted: row.parse_opt("uncounted")?,
        edge_human_corrected: row.get("edge_human_corrected")?,
        created_at: row.parse("created_at")?,
        cause_id: row.parse("cause_id")?,
    })
}

fn node(row: &Row<'_>, kind: &str, id: &str) -> rusqlite::Result<Node> {
    Ok(match row.parse(kind)? {
        NodeType::Claim => Node::Claim(row.parse(id)?),
        NodeType::Fragment => Node::Fragment(row.parse(id)?),
        NodeType::Page => Node::Page(row.parse(id)?),
    })
}
