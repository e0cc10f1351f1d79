//! The hypothesis meets the documents that speak of it: their conclusions first, wherever these rank.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use evidence::{PageId, StatementKind};
use judge::{Aboutness, Topic, judgeable, statements, unit_cosine};
use rank::Ranked;

use crate::engine::Inner;
use crate::error::Result;
use crate::search::Context;

use super::documents::Surroundings;
use super::passages::{Cycle, KeptFor, RankedCycle, Useful};
use super::stances::nearest;
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
        vectors: &Vectors,
    ) -> Result<()> {
        let Some(hypothesis) = &context.task.hypothesis else { return Ok(()) };
        if judgeable(hypothesis).is_err() {
            return Ok(());
        }
        let settings = &self.parts.settings;
        let topic = Topic::of(hypothesis).within(&cycle.words);
        let meaning = self.embed_texts(&[hypothesis])?.pop().flatten();
        let nearest = nearest_pages(cycle, meaning.as_deref(), vectors);
        let mut of_page: BTreeMap<PageId, Vec<usize>> = BTreeMap::new();
        for (place, passage) in cycle.passages.iter().enumerate() {
            of_page.entry(passage.page_id).or_default().push(place);
        }
        let mut useful: BTreeSet<usize> = ranked.useful.iter().map(|it| it.passage).collect();
        let gate = &settings.stance;
        let all: Vec<Aboutness> = cycle
            .passages
            .iter()
            .zip(surroundings)
            .map(|(passage, around)| {
                let likeness = nearest.get(&passage.page_id).copied();
                topic.aboutness(&around.own, &around.around, likeness, gate)
            })
            .collect();
        let most = Aboutness::nearest(all.iter().copied(), gate);
        for places in of_page.into_values() {
            let mut speaking = Vec::new();
            for place in places {
                let (around, aboutness) = (&surroundings[place], all[place]);
                if !aboutness.beside(most, gate) {
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
        let nearest = meanings.iter().map(|it| nearest_pages(cycle, it.as_deref(), vectors));
        let topics: Vec<(Topic, HashMap<PageId, f64>)> =
            texts.into_iter().map(|it| Topic::of(it).within(&cycle.words)).zip(nearest).collect();
        let mut about = BTreeSet::new();
        for it in useful {
            let passage = &cycle.passages[it.passage];
            let around = &surroundings[it.passage];
            let is_about = topics.iter().any(|(topic, nearest)| {
                let likeness = nearest.get(&passage.page_id).copied();
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

/// The likeness to a text of the nearest passage of each page, over those that have a vector.
fn nearest_pages(
    cycle: &Cycle,
    meaning: Option<&[f32]>,
    vectors: &Vectors,
) -> HashMap<PageId, f64> {
    nearest(cycle.passages.iter().map(|it| {
        let likeness = meaning.zip(vectors.fragments.get(&it.id));
        (it.page_id, likeness.and_then(|(one, other)| unit_cosine(one, other)))
    }))
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
