//! What the engine says of a hypothesis, and what it says it with.

use evidence::Relation;
use graph::{EvidenceMaterial, TaskMaterials};
use report::Report;
use serde::Serialize;

/// How far from one half a confidence must be to take a side.
const EVEN: f64 = 0.05;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    Supported,
    Refuted,
    Mixed,
    NotEnough,
}

impl Verdict {
    pub(super) const ALL: [Self; 4] =
        [Self::Supported, Self::Refuted, Self::Mixed, Self::NotEnough];
}

/// The verdict on the hypothesis of a report, and the confidence in it; none where nothing takes a side.
///
/// This is the one place that reads it off. A report gives a confidence and no verdict in words: the side of one half
/// it is on is taken for one, which is kind to the engine, for a reader sees `disputed` in many of these cases.
pub(super) fn verdict_of(report: &Report) -> (Verdict, Option<f64>) {
    let Some(judged) = report.hypothesis.as_ref().and_then(|it| it.judged.as_ref()) else {
        return (Verdict::NotEnough, None);
    };
    let confidence = judged.confidence.confidence;
    let verdict = match confidence - 0.5 {
        distance if distance > EVEN => Verdict::Supported,
        distance if distance < -EVEN => Verdict::Refuted,
        _ => Verdict::Mixed,
    };
    (verdict, Some(confidence))
}

/// The judgements about the hypothesis, and whether each enters its confidence.
pub(super) fn hypothesis_edges(
    materials: &TaskMaterials,
) -> impl Iterator<Item = (&EvidenceMaterial, bool)> {
    let is_hypothesis = |method: &Option<String>| method.as_deref() == Some("hypothesis");
    let hypothesis = materials.claims.iter().find(|it| is_hypothesis(&it.extraction_method));
    let hypothesis = hypothesis.map(|it| it.id);
    let about = move |it: &&EvidenceMaterial| Some(it.claim_id) == hypothesis;
    let counts =
        |it: &EvidenceMaterial| matches!(it.relation, Relation::Supports | Relation::Refutes);
    materials.evidence.iter().filter(about).map(move |it| (it, counts(it)))
}
