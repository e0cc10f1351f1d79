//! Candidates in their order: what must be there, what was found by its words, exceptions, references, meaning.
//!
//! Within each of the first two, the section comes first that is most about the request, whichever of its words were
//! found how; the other three follow the order in which they were found. The same request gives the same order.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::coverage::Match;
use super::{Breadth, Cutoff, Outcome, Part, Search, Semantic, Unscanned};
use crate::manuals::titles::NodeId;

/// Where a candidate came from first, in the order in which the stages add.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    Must,
    Soft,
    Synonym,
    SoftLoose,
    SynonymLoose,
    Exception,
    Reference,
    Semantic,
}

/// Everything that speaks for a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Signal {
    Must,
    Normalized,
    Synonym,
    Loose,
    SynonymLoose,
    Heading,
    UnderHeading,
    Exception,
    Reference,
    Semantic,
}

/// A place in the normalised text: the line, and the bytes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spot {
    pub line: u32,
    pub column: u32,
    pub length: u32,
}

/// A section that belongs to the answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) id: NodeId,
    pub(crate) source: Source,
    pub(crate) signals: BTreeSet<Signal>,
    pub(crate) hit_count: u32,
    pub(crate) score: f64,
    /// How much it is about the request.
    pub(crate) relevance: f64,
    pub(crate) spots: Vec<Spot>,
    /// Which section points at it.
    pub(crate) from: Option<NodeId>,
}

/// The share of what the best section covers from which another may contradict it.
const MIN_NEAR: f64 = 0.25;
/// A section that the request names comes first.
const NAMED: f64 = 1.0;

/// The candidates while the stages add to them.
#[derive(Debug)]
pub(super) struct Chosen {
    by_id: BTreeMap<NodeId, Candidate>,
    /// In the order in which later stages added them.
    added: Vec<NodeId>,
}

impl Chosen {
    /// Sources 1 to 5.
    pub(super) fn new(
        search: &Search<'_>,
        parts: &[Part],
        matches: &BTreeMap<NodeId, Match>,
        outcome: &mut Outcome,
    ) -> Self {
        let settings = search.settings;
        // Where nothing covers the request fully, less is enough.
        let best = matches.values().filter(|it| it.is_near).map(|it| it.score).fold(0.0, f64::max);
        let is_full = |it: &Match| it.is_near && it.score >= settings.full_coverage * best;
        let full = matches.iter().filter(|(_, it)| is_full(it));
        let full: BTreeSet<NodeId> = full.map(|(id, _)| *id).collect();
        let reach = settings.near_sections;
        let beside = |id: &NodeId| {
            let from = (id.0, id.1.saturating_sub(reach));
            full.range(from..=(id.0, id.1.saturating_add(reach))).next().is_some()
        };
        let mut by_id = BTreeMap::new();
        let mut near = Vec::new();
        for (id, it) in matches {
            let Some(source) = it.source else { continue };
            let enough = it.must
                || match search.breadth {
                    Breadth::Normal if beside(id) => {
                        it.is_near && it.score >= settings.min_coverage_near * best
                    }
                    Breadth::Normal => it.is_near && it.score >= settings.min_coverage * best,
                    Breadth::All => it.is_near,
                };
            if !enough {
                outcome.weak += 1;
                if it.is_near && !it.unwanted && it.score >= MIN_NEAR * best {
                    near.push((Reverse((it.relevance * 1e6) as u64), *id));
                }
            } else if it.unwanted {
                outcome.excluded += 1;
            } else {
                let candidate = Candidate {
                    id: *id,
                    source,
                    signals: it.signals.iter().copied().collect(),
                    hit_count: it.hits.count,
                    score: it.score,
                    relevance: it.relevance,
                    spots: it.hits.spots.clone(),
                    from: None,
                };
                by_id.insert(*id, candidate);
            }
        }
        near.sort_unstable();
        outcome.near = near.into_iter().map(|(_, id)| id).collect();
        let mut chosen = Self { by_id, added: Vec::new() };
        chosen.add_labels(search, parts);
        chosen
    }

    /// Articles and sections that the request names are found by their headings, however these are written.
    fn add_labels(&mut self, search: &Search<'_>, parts: &[Part]) {
        for label in &search.plan.labels {
            let here = |id: &NodeId| parts.iter().any(|it| it.file == id.0 as usize);
            for id in search.titles.labelled(label).into_iter().filter(here) {
                self.add(id, Source::Must, Signal::Must, None, Vec::new());
                if let Some(it) = self.by_id.get_mut(&id) {
                    it.relevance = NAMED;
                }
            }
        }
    }

    pub(super) fn has(&self, id: NodeId) -> bool {
        self.by_id.contains_key(&id)
    }

    /// All of them in order of their place.
    pub(super) fn ids(&self) -> Vec<NodeId> {
        self.by_id.keys().copied().collect()
    }

    /// Adds a candidate, or another signal to the one that is there. Says whether it is new.
    pub(super) fn add(
        &mut self,
        id: NodeId,
        source: Source,
        signal: Signal,
        from: Option<NodeId>,
        spots: Vec<Spot>,
    ) -> bool {
        if let Some(known) = self.by_id.get_mut(&id) {
            known.signals.insert(signal);
            if known.source > source {
                known.source = source;
            }
            return false;
        }
        let signals = BTreeSet::from([signal]);
        let hit_count = u32::try_from(spots.len()).unwrap_or(0);
        let (score, relevance) = (0.0, 0.0);
        let candidate = Candidate { id, source, signals, hit_count, score, relevance, spots, from };
        self.by_id.insert(id, candidate);
        self.added.push(id);
        true
    }

    /// Source 8, which the caller brings: it adds at the end and moves nothing.
    pub(super) fn add_semantic(
        &mut self,
        search: &Search<'_>,
        parts: &[Part],
        semantic: Semantic<'_>,
    ) {
        let mut left = search.settings.max_semantic;
        for (place, score) in semantic(search.query) {
            let file = search.snapshot.file(&place.manual, &place.path);
            let file = file.filter(|it| parts.iter().any(|part| part.file == *it));
            let id = file.and_then(|file| {
                let node = search.snapshot.files[file].node_starting(place.line.unwrap_or(1))?;
                Some((u32::try_from(file).ok()?, u32::try_from(node).ok()?))
            });
            let Some(id) = id.filter(|_| left > 0) else { continue };
            if self.add(id, Source::Semantic, Signal::Semantic, None, Vec::new()) {
                left -= 1;
                if let Some(it) = self.by_id.get_mut(&id) {
                    it.score = score;
                }
            }
        }
    }

    /// Puts them in order and keeps as many as are allowed; the others are listed as not looked at.
    pub(super) fn finish(mut self, search: &Search<'_>, outcome: &mut Outcome) {
        let order: BTreeMap<NodeId, usize> =
            self.added.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        let mut all: Vec<Candidate> = std::mem::take(&mut self.by_id).into_values().collect();
        let place = |candidate: &Candidate| {
            let found = candidate.source <= Source::SynonymLoose;
            let about = if found { (candidate.relevance * 1e6) as u64 } else { 0 };
            let added = if found { 0 } else { order.get(&candidate.id).copied().unwrap_or(0) };
            // The words of the request in whatever form are one group.
            let group = match candidate.source {
                Source::Synonym | Source::SoftLoose | Source::SynonymLoose => Source::Soft,
                other => other,
            };
            (group, Reverse(about), added, candidate.source, candidate.id)
        };
        all.sort_by_key(place);
        if all.len() > search.settings.max_candidates {
            let over = all.split_off(search.settings.max_candidates);
            outcome.cutoff.get_or_insert(Cutoff::MaxCandidates);
            for it in over {
                let lines =
                    search.snapshot.files[it.id.0 as usize].nodes[it.id.1 as usize].own_lines();
                outcome.unscanned.push(Unscanned { file: it.id.0 as usize, lines, sections: 1 });
            }
        }
        outcome.candidates = all;
    }
}
