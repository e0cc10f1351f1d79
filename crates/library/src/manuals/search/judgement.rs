//! Stage 3.5: is what was found enough, does it disagree, what is missing.
//!
//! For the [`Sufficiency`] of a search, agreement is 1/(1 + conflicts), and facets are 1 where none is asked.

use serde::{Deserialize, Serialize};

use super::conflicts::{Conflict, conflicts};
use super::{Outcome, Search, Signal};
use crate::manuals::query::Intent;
use crate::sufficiency::{FileBias, Sufficiency};

/// Something asked for that no candidate answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// `term` or `facet`.
    pub kind: String,
    pub name: String,
}

/// What stage 3.5 says about the candidates.
#[derive(Debug)]
pub(crate) struct Judgement {
    pub(crate) conflicts: Vec<Conflict>,
    pub(crate) gaps: Vec<Gap>,
    pub(crate) sufficiency: f64,
    pub(crate) file_bias: FileBias<u32>,
    /// Why the scope should be widened, in the fixed order.
    pub(crate) reasons: Vec<String>,
}

/// When few is too few.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Thresholds {
    pub candidate_low: u32,
    pub file_bias: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { candidate_low: 3, file_bias: 0.80 }
    }
}

impl Search<'_> {
    pub(crate) fn judge(&self, outcome: &Outcome, thresholds: Thresholds) -> Judgement {
        let conflicts = conflicts(self, &outcome.candidates, &outcome.near);
        let (gaps, facets) = self.gaps(outcome);
        let found = outcome.found.iter().filter(|found| **found).count();
        let left: usize = outcome.unscanned.iter().map(|it| it.sections).sum();
        let sufficiency = Sufficiency {
            candidates: outcome.candidates.len(),
            few_below: thresholds.candidate_low as usize,
            concepts: found as f64 / outcome.found.len().max(1) as f64,
            facets,
            searched: outcome.scanned as f64 / (outcome.scanned + left).max(1) as f64,
            agreement: 1.0 / (1.0 + conflicts.len() as f64),
        };
        let file_bias = FileBias::of(outcome.candidates.iter().map(|it| it.id.0));
        let sufficiency = sufficiency.score();
        let mut all = Judgement { conflicts, gaps, sufficiency, file_bias, reasons: Vec::new() };
        all.reasons = self.reasons(outcome, &all, thresholds);
        all
    }

    /// Whether the first four reasons, which alone widen the scope, include any.
    pub(crate) fn widens(reasons: &[String]) -> bool {
        reasons.iter().any(|it| !matches!(it.as_str(), "conflicts" | "gaps"))
    }

    fn gaps(&self, outcome: &Outcome) -> (Vec<Gap>, f64) {
        let concepts = self.plan.must.iter().chain(&self.plan.soft).zip(&outcome.found);
        let mut gaps: Vec<Gap> = concepts
            .filter(|(_, found)| !**found)
            .map(|(it, _)| Gap { kind: "term".to_owned(), name: it.text.clone() })
            .collect();
        let Ok(words) = &self.dictionaries.query else { return (gaps, 1.0) };
        let mut answered = 0;
        for name in &self.plan.facets {
            let facet = words.facet.iter().find(|it| it.name == *name);
            let answers = facet.is_some_and(|facet| {
                let has =
                    |text: &str| facet.answered_by.iter().any(|it| text.contains(it.as_str()));
                outcome.candidates.iter().any(|it| has(self.own_text(it.id)))
            });
            if answers {
                answered += 1;
            } else {
                gaps.push(Gap { kind: "facet".to_owned(), name: name.clone() });
            }
        }
        let asked = self.plan.facets.len();
        (gaps, if asked == 0 { 1.0 } else { f64::from(answered) / asked as f64 })
    }

    fn reasons(&self, outcome: &Outcome, all: &Judgement, thresholds: Thresholds) -> Vec<String> {
        let count = outcome.candidates.len();
        let has_exception =
            outcome.candidates.iter().any(|it| it.signals.contains(&Signal::Exception));
        let checks = [
            (count == 0, "no_candidates"),
            (count > 0 && count < thresholds.candidate_low as usize, "few_candidates"),
            (all.file_bias.is_high(thresholds.file_bias), "one_file_bias"),
            (self.plan.intent == Intent::Exceptions && !has_exception, "no_exception_hit"),
            (!all.conflicts.is_empty(), "conflicts"),
            (!all.gaps.is_empty(), "gaps"),
        ];
        let holding = checks.iter().filter(|(holds, _)| *holds);
        holding.map(|(_, reason)| (*reason).to_owned()).collect()
    }
}
