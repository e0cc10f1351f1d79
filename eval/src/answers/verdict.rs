//! What the engine says of a hypothesis, and what it says it with.

use evidence::{Confidence, Relation, Verdict};
use graph::{EvidenceMaterial, TaskMaterials};

/// The verdict on the hypothesis of a task, and the confidence in it; none where nothing that counts takes a side.
pub(super) fn verdict_of(materials: &TaskMaterials) -> (Verdict, Option<f64>) {
    let counted = hypothesis_edges(materials).filter(|it| it.uncounted.is_none());
    let sum = Confidence::from_edges(counted.map(|it| (it.relation, it.nli_confidence)));
    let verdict = Verdict::of(&sum);
    (verdict, (verdict != Verdict::NotEnough).then_some(sum.confidence))
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
