//! What a task has kept so far, held in memory.
//!
//! An assessment compares what is new with everything the task has. Loading all of it each time would make a task's
//! work grow with the square of its pages, so each assessment adds its own part here. The memory says what was
//! committed: it is taken for an assessment and given back when that has been recorded; after a failure it is empty
//! and loaded again.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use evidence::{ClaimId, FragmentId, PageId, TaskId};
use graph::{PassageForAssessment, Writer};
use judge::novelty::{NoveltySettings, SeenNgrams};
use judge::{Content, Topic, cosine};
use text::tokenize::{TokenizeFor, tokenize};

use crate::engine::Inner;
use crate::error::Result;
use crate::settings::SearchSettings;

use super::documents::{Document, Surroundings};
use super::passages::is_worth_ranking;
use super::vectors::Vectors;

/// Everything earlier assessments of a task left that later ones need.
#[derive(Debug, Default)]
pub(crate) struct TaskMemory {
    /// In the order they were kept; nothing until they were loaded.
    kept: Option<Vec<KeptPassage>>,
    places: HashMap<FragmentId, usize>,
    /// The pages of kept passages that have a vector, in the order of their first one.
    pages: Vec<PageMeaning>,
    page_places: HashMap<PageId, usize>,
    /// The n-grams of the first `counted` passages.
    ngrams: SeenNgrams,
    counted: usize,
    pub(super) claims: Vec<KnownClaim>,
    last_claim: i64,
}

/// A passage of the task that claims can be held against.
#[derive(Debug, Clone)]
pub(super) struct KeptPassage {
    pub(super) id: FragmentId,
    pub(super) page: PageId,
    /// The page as text, as `judge` names documents.
    pub(super) document: String,
    pub(super) text: String,
    pub(super) terms: BTreeSet<String>,
    pub(super) surroundings: Arc<Surroundings>,
    pub(super) vector: Option<Vec<f32>>,
    seq: i64,
}

/// A claim the task has.
#[derive(Debug, Clone)]
pub(super) struct KnownClaim {
    pub(super) id: ClaimId,
    pub(super) text: String,
    pub(super) terms: BTreeSet<String>,
    pub(super) topic: Topic,
    pub(super) is_hypothesis: bool,
    /// The page it was taken from.
    pub(super) page: Option<PageId>,
    pub(super) vector: Option<Vec<f32>>,
    /// It taken apart, as new claims are compared with it.
    pub(super) content: Content,
}

/// What the kept passages of a page mean together.
#[derive(Debug)]
struct PageMeaning {
    page: PageId,
    sum: Vec<f32>,
    passages: usize,
    /// The place of the first page before it that means the same.
    like: Option<usize>,
}

impl KeptPassage {
    pub(super) fn new(
        passage: &PassageForAssessment,
        surroundings: Arc<Surroundings>,
        vector: Option<Vec<f32>>,
    ) -> Self {
        Self {
            id: passage.id,
            page: passage.page_id,
            document: passage.page_id.to_string(),
            text: passage.text.clone(),
            terms: terms_of(&passage.text),
            surroundings,
            vector,
            seq: passage.seq,
        }
    }
}

impl TaskMemory {
    /// The passages earlier assessments kept, in the order they were kept.
    pub(super) fn kept(&self) -> &[KeptPassage] {
        self.kept.as_deref().unwrap_or_default()
    }

    /// The place of a passage among the kept ones.
    pub(super) fn place(&self, passage: FragmentId) -> Option<usize> {
        self.places.get(&passage).copied()
    }

    /// The share of n-grams in the last passages, these included, that no earlier one had.
    pub(super) fn unique_ngrams(
        &mut self,
        useful: &[&str],
        settings: &NoveltySettings,
    ) -> Option<f64> {
        let kept = self.kept.as_deref().unwrap_or_default();
        // Passages before the window stay before it, however many follow.
        let settled = kept.len().saturating_sub(settings.window);
        for passage in kept.iter().take(settled).skip(self.counted) {
            self.ngrams.add(&passage.text, settings);
        }
        self.counted = self.counted.max(settled);
        let open = kept[self.counted..].iter().map(|passage| passage.text.as_str());
        let texts: Vec<&str> = open.chain(useful.iter().copied()).collect();
        self.ngrams.unique(&texts, settings)
    }

    /// Adds passages that are kept from now on. Gives the places of the pages that mean something else since.
    fn keep(&mut self, mut fresh: Vec<KeptPassage>) -> BTreeSet<usize> {
        // One assessment keeps passages in the order they were read.
        fresh.sort_by_key(|passage| passage.seq);
        let mut changed = BTreeSet::new();
        let kept = self.kept.get_or_insert_default();
        for passage in fresh {
            if let Some(vector) = &passage.vector {
                let place = *self.page_places.entry(passage.page).or_insert(self.pages.len());
                changed.insert(place);
                match self.pages.get_mut(place) {
                    Some(page) => {
                        page.sum.iter_mut().zip(vector).for_each(|(sum, number)| *sum += number);
                        page.passages += 1;
                    }
                    None => self.pages.push(PageMeaning {
                        page: passage.page,
                        sum: vector.clone(),
                        passages: 1,
                        like: None,
                    }),
                }
            }
            self.places.insert(passage.id, kept.len());
            kept.push(passage);
        }
        changed
    }

    /// Keeps passages and joins the clusters of pages whose kept passages mean the same as a whole.
    pub(super) fn keep_and_merge(
        &mut self,
        w: &Writer<'_>,
        fresh: Vec<KeptPassage>,
        settings: &SearchSettings,
    ) -> graph::Result<()> {
        let changed = self.keep(fresh);
        for (later, earlier) in self.newly_alike(&changed, settings) {
            w.join_clusters(later, earlier)?;
        }
        Ok(())
    }

    /// Each page with the first earlier one it is like, where that is another than before. Only pairs with a page that
    /// changed are compared.
    fn newly_alike(
        &mut self,
        changed: &BTreeSet<usize>,
        settings: &SearchSettings,
    ) -> Vec<(PageId, PageId)> {
        let mut found = Vec::new();
        let first_changed = changed.first().copied().unwrap_or(self.pages.len());
        for later in first_changed..self.pages.len() {
            let before = self.pages[later].like;
            let is_open =
                changed.contains(&later) || before.is_some_and(|it| changed.contains(&it));
            let alike = |earlier: &usize| self.are_alike(later, *earlier, settings);
            let like = match is_open {
                true => (0..later).find(alike),
                false => {
                    let end = before.unwrap_or(later);
                    changed.range(..end).copied().find(alike).or(before)
                }
            };
            if like != before {
                found.extend(like.map(|it| (self.pages[later].page, self.pages[it].page)));
                self.pages[later].like = like;
            }
        }
        found
    }

    fn are_alike(&self, one: usize, two: usize, settings: &SearchSettings) -> bool {
        let (one, two) = (&self.pages[one], &self.pages[two]);
        // One sentence and its opposite are near in meaning; only many passages that run in parallel are a retelling.
        one.passages.min(two.passages) >= settings.narrative_min_passages
            && cosine(&one.sum, &two.sum).is_some_and(|it| it >= settings.narrative_similarity)
    }
}

impl Inner {
    /// Loads what the memory of a task lacks: everything the first time, later the claims that are new. Vectors that
    /// are not stored are computed, and stored with the assessment.
    pub(super) fn refresh_memory(
        &self,
        task: TaskId,
        memory: &mut TaskMemory,
        vectors: &mut Vectors,
    ) -> Result<()> {
        if memory.kept.is_none() {
            let passages = self.graph.read(|r| r.selected_of(task))?;
            self.embed_fragments(passages.iter().map(|it| (it.id, it.text.as_str())), vectors)?;
            let mut changed = BTreeSet::new();
            let mut surroundings = self.stored_surroundings(&passages)?;
            // One by one, because they were kept by many assessments.
            for passage in &passages {
                let vector = vectors.fragments.get(&passage.id).cloned();
                let around = surroundings.remove(&passage.id).unwrap_or_default();
                changed.extend(memory.keep(vec![KeptPassage::new(passage, around, vector)]));
            }
            memory.kept.get_or_insert_default();
            // Their clusters are stored as joined.
            memory.newly_alike(&changed, &self.parts.settings.search);
        }
        let model = self.parts.embedder.id();
        let claims = self.graph.read(|r| r.claims_after(task, memory.last_claim, model))?;
        let unknown = claims.iter().filter(|claim| claim.vector.is_none());
        let texts: Vec<&str> = unknown.map(|claim| claim.text.as_str()).collect();
        let mut computed = self.embed_texts(&texts)?.into_iter();
        let mut computed_of: BTreeMap<ClaimId, Vec<f32>> = BTreeMap::new();
        for claim in claims.iter().filter(|claim| claim.vector.is_none()) {
            if let Some(vector) = computed.next().flatten() {
                computed_of.insert(claim.id, vector);
            }
        }
        vectors.claims.extend(computed_of.iter().map(|(id, vector)| (*id, vector.clone())));
        for claim in claims {
            memory.last_claim = claim.seq;
            // The first one is the task's; another may have come with an import.
            let is_hypothesis =
                claim.is_hypothesis && !memory.claims.iter().any(|known| known.is_hypothesis);
            memory.claims.push(KnownClaim {
                id: claim.id,
                terms: terms_of(&claim.text),
                topic: Topic::of(&claim.text),
                content: Content::of(&claim.text),
                text: claim.text,
                is_hypothesis,
                page: claim.page,
                vector: claim.vector.or_else(|| computed_of.remove(&claim.id)),
            });
        }
        Ok(())
    }
}

impl Inner {
    /// What is around passages whose pages were read before.
    fn stored_surroundings(
        &self,
        kept: &[PassageForAssessment],
    ) -> Result<HashMap<FragmentId, Arc<Surroundings>>> {
        let kept_ids: HashSet<FragmentId> = kept.iter().map(|it| it.id).collect();
        let pages: BTreeSet<PageId> = kept.iter().map(|it| it.page_id).collect();
        let settings = &self.parts.settings.search;
        let mut found = HashMap::new();
        for page in pages {
            let (title, passages) = self
                .graph
                .read(|r| Ok((r.page_for_assessment(page)?.title, r.passages_of(page)?)))?;
            let is_read = |it: &&PassageForAssessment| {
                kept_ids.contains(&it.id) || is_worth_ranking(it, settings)
            };
            let passages: Vec<&PassageForAssessment> = passages.iter().filter(is_read).collect();
            let document = Document::of(title.as_deref(), &passages);
            for (at, passage) in passages.iter().enumerate() {
                if kept_ids.contains(&passage.id) {
                    found.insert(passage.id, document.surroundings(at));
                }
            }
        }
        Ok(found)
    }
}

pub(super) fn terms_of(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    tokenize(text, TokenizeFor::Query, |term| {
        found.insert(term.text.to_owned());
        true
    });
    found
}

#[cfg(test)]
mod tests {
    use evidence::Id;

    use super::*;

    fn passage(number: u32, page: u32, vector: [f32; 2]) -> KeptPassage {
        KeptPassage {
            id: FragmentId::from_parts(1, u128::from(number)),
            page: PageId::from_parts(1, u128::from(page)),
            document: page.to_string(),
            text: format!("passage {number} of page {page}"),
            terms: BTreeSet::new(),
            surroundings: Arc::default(),
            vector: Some(vector.to_vec()),
            seq: i64::from(number),
        }
    }

    /// The clusters after a page joins that of another: as `Writer::join_clusters` does it.
    fn join(clusters: &mut BTreeMap<PageId, PageId>, page: PageId, into: PageId) {
        let from = *clusters.entry(page).or_insert(page);
        let to = *clusters.entry(into).or_insert(into);
        clusters.values_mut().filter(|it| **it == from).for_each(|it| *it = to);
    }

    #[test]
    fn comparing_what_changed_joins_the_pages_that_comparing_everything_joins() {
        let settings = SearchSettings {
            narrative_min_passages: 2,
            narrative_similarity: 0.97,
            ..SearchSettings::default()
        };
        let mut random = fastrand::Rng::with_seed(11);
        for _ in 0..200 {
            let mut memory = TaskMemory::default();
            let (mut by_change, mut by_all) = (BTreeMap::new(), BTreeMap::new());
            let mut number = 0;
            for _ in 0..random.usize(1..8) {
                let batch: Vec<KeptPassage> = (0..random.u32(0..9))
                    .map(|_| {
                        number += 1;
                        let angle = random.f32() * 1.5;
                        passage(number, random.u32(0..12), [angle.cos(), angle.sin()])
                    })
                    .collect();
                let changed = memory.keep(batch);
                for (page, into) in memory.newly_alike(&changed, &settings) {
                    join(&mut by_change, page, into);
                }
                for later in 0..memory.pages.len() {
                    let first = (0..later).find(|it| memory.are_alike(later, *it, &settings));
                    if let Some(first) = first {
                        join(&mut by_all, memory.pages[later].page, memory.pages[first].page);
                    }
                }
                let pages = memory.pages.iter().map(|it| it.page);
                let of = |clusters: &BTreeMap<PageId, PageId>| -> Vec<PageId> {
                    pages.clone().map(|it| clusters.get(&it).copied().unwrap_or(it)).collect()
                };
                assert_eq!(of(&by_change), of(&by_all));
            }
        }
    }

    #[test]
    fn ngrams_are_new_beside_all_that_was_kept_before() {
        let settings = NoveltySettings { window: 1, ..NoveltySettings::default() };
        let mut memory = TaskMemory::default();
        let texts = ["tea lowers blood pressure", "coffee lowers blood pressure", "tea is old"];
        let mut shares = Vec::new();
        for (number, text) in (0..).zip(texts) {
            shares.push(memory.unique_ngrams(&[text], &settings));
            let kept = passage(number, number, [1.0, 0.0]);
            memory.keep(vec![KeptPassage { text: text.to_owned(), ..kept }]);
        }
        assert_eq!(shares, [Some(1.0), Some(0.5), Some(1.0)]);
        assert_eq!(memory.unique_ngrams(&["tea lowers blood"], &settings), Some(0.0));
    }
}
