//! What the engine says of a hypothesis, and what it says it with.

use evidence::{Relation, Verdict};
use graph::{EvidenceMaterial, TaskMaterials};
use report::Report;

/// The verdict a report gives, and the confidence in the hypothesis; none where nothing that counts takes a side.
pub(super) fn verdict_of(report: &Report) -> (Verdict, Option<f64>) {
    let verdict = report.verdict.as_ref().map_or(Verdict::NotEnough, |it| it.verdict);
    let judged = report.hypothesis.as_ref().and_then(|it| it.judged.as_ref());
    let decided = judged.filter(|_| verdict != Verdict::NotEnough);
    (verdict, decided.map(|it| it.confidence.confidence))
}

/// Whether a judgement enters the confidence.
pub(super) fn counts(edge: &EvidenceMaterial) -> bool {
    let takes_side = matches!(edge.relation, Relation::Supports | Relation::Refutes);
    takes_side && edge.uncounted.is_none()
}

/// The judgements about the hypothesis.
pub(super) fn hypothesis_edges(
    materials: &TaskMaterials,
) -> impl Iterator<Item = &EvidenceMaterial> {
    let is_hypothesis = |method: &Option<String>| method.as_deref() == Some("hypothesis");
    let hypothesis = materials.claims.iter().find(|it| is_hypothesis(&it.extraction_method));
    let hypothesis = hypothesis.map(|it| it.id);
    materials.evidence.iter().filter(move |it| Some(it.claim_id) == hypothesis)
}
