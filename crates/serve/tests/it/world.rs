//! Small worlds for the commands that judge: pages, passages, claims and what was said about them.

use evidence::{
    Budget, CitationSource, ClaimId, DomainCategory, EdgeId, FragmentId, FragmentType, Node,
    Stance, TaskId,
};
use graph::{NewClaim, NewEdge, NewFragment, NewPage, NewTask, Result, Writer};
use serde_json::json;

pub(crate) fn task(w: &Writer<'_>, query: &str) -> Result<TaskId> {
    w.create_task(&NewTask {
        query: query.to_owned(),
        hypothesis: None,
        language: None,
        budget: Budget { max_pages: 120, max_seconds: 3600 },
        config: json!({}),
    })
}

/// A passage on a page of its own.
pub(crate) fn passage(w: &Writer<'_>, host: &str, text: &str) -> Result<FragmentId> {
    let page_id = w.record_page(&NewPage {
        url: format!("https://{host}/{text}"),
        domain: host.to_owned(),
        domain_category: DomainCategory::Unverified,
        title: None,
        language: None,
        year: None,
        work_id: None,
    })?;
    w.record_fragment(&NewFragment {
        page_id,
        fragment_type: FragmentType::Paragraph,
        text: text.to_owned(),
        heading_context: None,
        element_index: None,
        chars: None,
        language: None,
    })
}

/// A claim taken from a passage; `certainty` is that of whoever took it.
pub(crate) fn claim(
    w: &Writer<'_>,
    task_id: TaskId,
    text: &str,
    origin: Option<FragmentId>,
    certainty: Option<f64>,
) -> Result<ClaimId> {
    w.record_claim(&NewClaim {
        task_id,
        text: text.to_owned(),
        language: None,
        origin_fragment_id: origin,
        extraction_method: None,
        extraction_confidence: certainty,
    })
}

pub(crate) fn judge(
    w: &Writer<'_>,
    source: FragmentId,
    target: ClaimId,
    stance: Stance,
    confidence: f64,
) -> Result<EdgeId> {
    let source = Node::Fragment(source);
    w.add_edge(&NewEdge::Stance { source, target, stance, confidence, model: "test".to_owned() })
}

pub(crate) fn cite(w: &Writer<'_>, source: FragmentId, target: FragmentId) -> Result<EdgeId> {
    let (source, target) = (Node::Fragment(source), Node::Fragment(target));
    let seen_by = CitationSource::Extraction;
    w.add_edge(&NewEdge::Citation { source, target, seen_by, context: None })
}

/// `total` claims, each taken from a page of `host`.
pub(crate) fn claims_from(w: &Writer<'_>, host: &str, total: usize) -> Result<Vec<ClaimId>> {
    let task = task(w, host)?;
    (0..total)
        .map(|n| {
            let origin = passage(w, host, &format!("本文{n}"))?;
            claim(w, task, &format!("主張{n}"), Some(origin), Some(0.8))
        })
        .collect()
}

/// `total` passages that support one claim with this certainty, all by the same judge.
pub(crate) fn supports(
    w: &Writer<'_>,
    claim: ClaimId,
    name: &str,
    total: usize,
    certainty: f64,
) -> Result<Vec<EdgeId>> {
    (0..total)
        .map(|n| {
            let passage = passage(w, "a.example.com", &format!("{name}{n}"))?;
            judge(w, passage, claim, Stance::Supports, certainty)
        })
        .collect()
}

/// People look at edges that support: those for which `right` holds are confirmed, others refuted.
pub(crate) fn look_at(
    w: &Writer<'_>,
    edges: &[EdgeId],
    right: impl Fn(usize) -> bool,
) -> Result<()> {
    for (n, edge) in edges.iter().enumerate() {
        let truth = if right(n) { Stance::Supports } else { Stance::Refutes };
        w.edge_correct(*edge, truth, None)?;
    }
    Ok(())
}
