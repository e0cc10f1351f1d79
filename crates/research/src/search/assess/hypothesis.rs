//! The hypothesis meets the documents that speak of it: their conclusions first, wherever these rank.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use evidence::{PageId, StatementKind};
use judge::{Aboutness, Topic, judgeable, statements, unit_cosine};
use rank::Ranked;

use crate::engine::Inner;
use crate::error::Result;
use crate::search::Context;

use super::documents::Surroundings;
use super::passages::{Cycle, KeptFor, RankedCycle, Useful};
use super::vectors::Vectors;

/// A passage that speaks of the hypothesis.
#[derive(Debug, Clone, Copy)]
struct Speaking {
    place: usize,
    concludes: bool,
    aboutness: Aboutness,
}

impl Inner {
    /// Keeps what documents about the hypothesis say of it, although it ranks behind the knee.
    pub(super) fn keep_about_hypothesis(
        &self,
        context: &Context,
        cycle: &Cycle,
        surroundings: &[Arc<Surroundings>],
        ranked: &mut RankedCycle,
        vectors: &mut Vectors,
    ) -> Result<()> {
        let Some(hypothesis) = &context.task.hypothesis else { return Ok(()) };
        if judgeable(hypothesis).is_err() {
            return Ok(());
        }
        let settings = &self.parts.settings;
        let topic = Topic::of(hypothesis);
        let meaning = self.embed_texts(&[hypothesis])?.pop().flatten();
        let mut of_page: BTreeMap<PageId, Vec<usize>> = BTreeMap::new();
        for (place, passage) in cycle.passages.iter().enumerate() {
            of_page.entry(passage.page_id).or_default().push(place);
        }
        let mut useful: BTreeSet<usize> = ranked.useful.iter().map(|it| it.passage).collect();
        for places in of_page.into_values() {
            let mut speaking = Vec::new();
            for place in places {
                let around = &surroundings[place];
                let likeness = match (&meaning, vectors.fragments.get(&cycle.passages[place].id)) {
                    (Some(own), Some(other)) => unit_cosine(own, other),
                    _ => None,
                };
                let aboutness =
                    topic.aboutness(&around.own, &around.around, likeness, &settings.stance);
                if !aboutness.is_about {
                    continue;
                }
                let found = statements(&cycle.passages[place].text, &around.standing());
                let concludes = found.iter().any(|it| it.kind == StatementKind::Conclusion);
                if found.iter().any(|it| it.kind.is_evidence()) {
                    speaking.push(Speaking { place, concludes, aboutness });
                }
            }
            speaking.sort_by(|a, b| {
                let own = b.aboutness.own.total_cmp(&a.aboutness.own);
                b.concludes.cmp(&a.concludes).then(own).then(a.place.cmp(&b.place))
            });
            for it in speaking.iter().take(settings.search.hypothesis_passages_per_document) {
                if useful.insert(it.place) {
                    ranked.keep(it.place);
                }
            }
        }
        Ok(())
    }
}

impl Inner {
    /// The pages of which a useful passage is about what was asked: the hypothesis, or the question of the task where it has
    /// none, or this search's own query.
    pub(super) fn pages_about(
        &self,
        context: &Context,
        cycle: &Cycle,
        useful: &[Useful],
        surroundings: &[Arc<Surroundings>],
        vectors: &Vectors,
    ) -> Result<Vec<PageId>> {
        let query = context.query();
        let asked = context.task.hypothesis.as_deref().unwrap_or(&context.task.query);
        let texts = if asked == query { vec![query] } else { vec![asked, query] };
        let meanings = self.embed_texts(&texts)?;
        let topics: Vec<(Topic, Option<Vec<f32>>)> =
            texts.into_iter().map(Topic::of).zip(meanings).collect();
        let mut about = BTreeSet::new();
        for it in useful {
            let passage = &cycle.passages[it.passage];
            let around = &surroundings[it.passage];
            let is_about = topics.iter().any(|(topic, meaning)| {
                let likeness = match (meaning, vectors.fragments.get(&passage.id)) {
                    (Some(own), Some(other)) => unit_cosine(own, other),
                    _ => None,
                };
                let stance = &self.parts.settings.stance;
                topic.aboutness(&around.own, &around.around, likeness, stance).is_about
            });
            if is_about {
                about.insert(passage.page_id);
            }
        }
        Ok(about.into_iter().collect())
    }
}

impl RankedCycle {
    /// Keeps a passage for the hypothesis.
    fn keep(&mut self, passage: usize) {
        let behind = self.behind.iter().position(|it| it.index == passage);
        let ranked = match behind {
            Some(at) => {
                self.not_kept.behind_knee -= 1;
                self.behind.remove(at)
            }
            // It shares no word with the query.
            None => {
                self.not_kept.words = self.not_kept.words.saturating_sub(1);
                Ranked { index: passage, score: 0.0, bm25: 0.0, similarity: None }
            }
        };
        self.useful.push(Useful { passage, ranked, reason: KeptFor::Hypothesis });
    }
}
