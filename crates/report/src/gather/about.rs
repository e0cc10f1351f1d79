//! Which claims are about the question: by the measure that decides what the hypothesis is compared with.

use std::collections::BTreeSet;

use evidence::{FragmentId, Relation, Uncounted};
use graph::TaskMaterials;
use judge::StanceSettings;
use judge::{Topic, Words};

use super::findings::{Judged, Passage};
use super::is_hypothesis;
use crate::Language;

/// The part of the gate's share of words that a claim must have where the question is open: what an answer names is not
/// in the question, and what stands for it there ("which factors") is not in an answer.
const OPEN_PART: f64 = 0.6;

/// What a task is about.
pub(super) struct Subject {
    /// The question and the hypothesis.
    topics: Vec<Topic>,
    languages: Vec<Language>,
    /// Passages that take a side on the hypothesis, in whatever language.
    passages: BTreeSet<FragmentId>,
    gate: StanceSettings,
}

impl Subject {
    pub(super) fn of(materials: &TaskMaterials) -> Self {
        let task = &materials.task;
        let texts = || std::iter::once(&task.query).chain(&task.hypothesis);
        let hypothesis = materials.claims.iter().find(|it| is_hypothesis(it)).map(|it| it.id);
        let takes_side = |it: &&graph::EvidenceMaterial| {
            Some(it.claim_id) == hypothesis
                && it.relation != Relation::Neutral
                && matches!(it.uncounted, None | Some(Uncounted::SameVoice))
        };
        let usual = StanceSettings::default();
        let part = if task.hypothesis.is_none() { OPEN_PART } else { 1.0 };
        Self {
            topics: texts().map(|it| Topic::of(it)).collect(),
            languages: texts().map(|it| Language::of(it)).collect(),
            passages: materials
                .evidence
                .iter()
                .filter(takes_side)
                .filter_map(|it| it.fragment_id)
                .collect(),
            gate: StanceSettings { min_aboutness: part * usual.min_aboutness, ..usual },
        }
    }

    /// Whether a claim is about the question: its words are, in the light of its passage. A claim in another language
    /// has none of them; it is about the question where the passage it was taken from takes a side.
    pub(super) fn is_about(&self, claim: &Judged<'_>) -> bool {
        if !self.languages.contains(&Language::of(&claim.claim.text)) {
            return claim.claim.origin_fragment_id.is_some_and(|it| self.passages.contains(&it));
        }
        let own = Words::of(&claim.claim.text);
        let mut around = own.clone();
        for passage in claim.supporting.iter().chain(&claim.refuting).take(1) {
            around.join(&surroundings(passage));
        }
        let mut topics = self.topics.iter();
        topics.any(|it| it.aboutness(&own, &around, None, &self.gate).is_about)
    }

    /// The share of the question that a text speaks of, from 0 to 1.
    pub(super) fn share(&self, text: &str) -> f64 {
        let words = Words::of(text);
        self.topics.iter().map(|it| it.covered(&words)).fold(0.0, f64::max)
    }

    /// Whether a text is in the language of the question.
    pub(super) fn speaks(&self, text: &str) -> bool {
        self.languages.first() == Some(&Language::of(text))
    }
}

/// What helps to understand a claim: the passage, the headings above it, the title of its page.
fn surroundings(passage: &Passage<'_>) -> Words {
    let mut words = Words::of(passage.judgement.text.as_deref().unwrap_or_default());
    words.add(passage.page.title.as_deref().unwrap_or_default());
    for heading in &passage.judgement.headings {
        words.add(heading);
    }
    words
}
