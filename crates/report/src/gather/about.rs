//! Which claims are about the question: by the measure that decides what the hypothesis is compared with.

use std::collections::BTreeSet;

use evidence::{FragmentId, PageId, Relation, Uncounted};
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
    /// The pages of these passages.
    deciding: BTreeSet<PageId>,
    /// Pages that met the hypothesis and are not about it.
    elsewhere: BTreeSet<PageId>,
    gate: StanceSettings,
}

impl Subject {
    pub(super) fn of(materials: &TaskMaterials) -> Self {
        let task = &materials.task;
        let texts = || std::iter::once(&task.query).chain(&task.hypothesis);
        let hypothesis = materials.claims.iter().find(|it| is_hypothesis(it)).map(|it| it.id);
        let judged = || materials.evidence.iter().filter(|it| Some(it.claim_id) == hypothesis);
        let takes_side = |it: &&graph::EvidenceMaterial| {
            it.relation != Relation::Neutral
                && matches!(it.uncounted, None | Some(Uncounted::SameVoice))
        };
        let is_about = |it: &&graph::EvidenceMaterial| it.uncounted != Some(Uncounted::NotAbout);
        let about: BTreeSet<PageId> =
            judged().filter(is_about).filter_map(|it| it.page_id).collect();
        let met = judged().filter_map(|it| it.page_id);
        let usual = StanceSettings::default();
        let part = if task.hypothesis.is_none() { OPEN_PART } else { 1.0 };
        Self {
            topics: texts().map(|it| Topic::of(it)).collect(),
            languages: texts().map(|it| Language::of(it)).collect(),
            passages: judged().filter(takes_side).filter_map(|it| it.fragment_id).collect(),
            deciding: judged().filter(takes_side).filter_map(|it| it.page_id).collect(),
            elsewhere: met.filter(|it| !about.contains(it)).collect(),
            gate: StanceSettings { min_aboutness: part * usual.min_aboutness, ..usual },
        }
    }

    /// Whether a claim is about the question: its words are, in the light of its passage. A claim in another language
    /// has none of them; it is about the question where the passage it was taken from takes a side. What only documents
    /// say that are not about the hypothesis is not.
    pub(super) fn is_about(&self, claim: &Judged<'_>) -> bool {
        if pages(claim).all(|it| self.elsewhere.contains(&it)) {
            return false;
        }
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

    /// Whether a document says it that takes a side on the hypothesis: it answers with what else it says of it.
    pub(super) fn decides(&self, claim: &Judged<'_>) -> bool {
        pages(claim).any(|it| self.deciding.contains(&it))
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

/// The pages a claim stands on.
fn pages<'c>(claim: &'c Judged<'_>) -> impl Iterator<Item = PageId> + 'c {
    claim.supporting.iter().chain(&claim.refuting).map(|it| it.page.id)
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
