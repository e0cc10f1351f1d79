//! What edges say, beside what their passages say; and how much better certainty becomes once people said which is right.

use std::collections::BTreeMap;

use evidence::calibration::{CalibrationMethod, CalibrationSource};
use evidence::{EdgeId, Stance};
use graph::{Cause, Graph};
use testweb::{Fact, Language, Topic};

use super::findings::{Finding, states};
use crate::criteria::{Criteria, Phase, Target};

/// How much lower the Brier score must be with a fitted version, in per cent.
const IMPROVEMENT: f64 = 20.0;

/// An edge to a claim that states a fact, and what its passage really says of the fact.
struct Judged {
    edge: EdgeId,
    relation: String,
    truth: Stance,
}

pub(super) fn measure<'a>(
    graph: &Graph,
    studied: impl Iterator<Item = (&'a Topic, &'a [Finding])>,
    criteria: &mut Criteria,
) {
    let mut judged = Vec::new();
    for (topic, claims) in studied {
        for fact in &topic.facts {
            let sentence = fact.sentence(Language::English, testweb::Stance::Agrees);
            for claim in claims.iter().filter(|it| states(&it.text, &sentence)) {
                judged.extend(claim.edges.iter().map(|edge| Judged {
                    edge: edge.id,
                    relation: edge.relation.clone(),
                    truth: said_of(fact, &edge.text),
                }));
            }
        }
    }
    count(&judged, criteria);
    calibrate(graph, &judged, criteria);
}

/// How often an edge says what its passage says; no target, but good to know.
fn count(judged: &[Judged], criteria: &mut Criteria) {
    let mut right: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for it in judged.iter().filter(|it| it.relation != "neutral") {
        let (good, all) = right.entry(&it.relation).or_default();
        *good += usize::from(it.relation == it.truth.as_str());
        *all += 1;
    }
    for (relation, (good, all)) in right {
        criteria.note(format!(
            "{good} of {all} edges `{relation}` to main claims are what the passage says"
        ));
    }
}

/// Confirms or corrects every judgement, as a person who knows the truth would, and fits a version to that. Its score is
/// that of samples the fit has not seen.
fn calibrate(graph: &Graph, judged: &[Judged], criteria: &mut Criteria) {
    let fitted = graph.write(Cause::new("acceptance"), |w| {
        for it in judged {
            w.edge_correct(it.edge, it.truth, None)?;
        }
        w.fit_calibration(CalibrationSource::NliJudge, CalibrationMethod::Platt)
    });
    let improvement = match &fitted {
        Ok(version) => 100.0 * (1.0 - version.brier_after / version.brier_before),
        Err(error) => {
            criteria.note(format!("no calibration could be fitted: {error}"));
            f64::NAN
        }
    };
    if let Ok(version) = &fitted {
        // Where a judge is never wrong, a version only has to be surer.
        let right = judged.iter().filter(|it| it.relation == it.truth.as_str()).count();
        criteria.note(format!(
            "{right} of {} stances were right; Brier score {:.4} as stated, {:.4} as corrected",
            version.samples, version.brier_before, version.brier_after
        ));
    }
    let goal = Target::AtLeast(IMPROVEMENT).due_in(Phase::Second);
    criteria.number("calibration: how much lower the Brier score is", improvement, " %", goal);
}

/// What a passage says of a fact, in whichever language.
fn said_of(fact: &Fact, passage: &str) -> Stance {
    let says = |stance| {
        [Language::English, Language::Japanese].into_iter().any(|language| {
            let sentence = fact.sentence(language, stance);
            passage.contains(sentence.trim_end_matches(['.', '。']))
        })
    };
    let denials = [testweb::Stance::Differs, testweb::Stance::Denies, testweb::Stance::Outdated];
    if says(testweb::Stance::Agrees) {
        Stance::Supports
    } else if denials.into_iter().any(says) {
        Stance::Refutes
    } else {
        Stance::Neutral
    }
}
