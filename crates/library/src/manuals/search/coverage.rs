//! How much of a request a section covers.
//!
//! Each concept weighs ln(1 + N/(1+n)), N sections in all and n that have it: a word that is everywhere says little.
//! A section covers a concept by a whole word, or in part by the parts of a compound; what is in the headings
//! above counts as well. The score is the covered share of the weights of all concepts that are anywhere: it decides
//! which sections belong to the answer. Their order is decided by how much they are about it ([`Focus`]): a rule of three
//! lines under the right heading comes before a page that has the words somewhere.

use std::collections::BTreeMap;

use super::candidates::{Signal, Source};
use super::gather::{Hit, Hits};
use super::senses::{Meaning, Senses};
use crate::manuals::titles::NodeId;
use crate::normal_form::Way;

/// What the parts of a compound are worth where they are not together.
const PART_CREDIT: f64 = 0.9;

/// A section with at least one word of the request.
#[derive(Debug)]
pub(super) struct Match {
    pub(super) hits: Hits,
    pub(super) score: f64,
    /// How much it is about the request, between 0 and 1; the score is only whether it has the words.
    pub(super) relevance: f64,
    /// The strongest way in which it was found; `None` where it has only unwanted words.
    pub(super) source: Option<Source>,
    pub(super) signals: Vec<Signal>,
    /// Whether it has a required word.
    pub(super) must: bool,
    /// Whether an unwanted word is in its heading, or in those above.
    pub(super) unwanted: bool,
    /// Whether it has words in its own lines or in headings below the title of the file.
    pub(super) is_near: bool,
}

pub(super) fn weigh(
    gathered: BTreeMap<NodeId, Hits>,
    senses: &Senses,
    sections: usize,
    length: impl Fn(NodeId) -> usize,
    found: &mut Vec<bool>,
) -> BTreeMap<NodeId, Match> {
    let states: BTreeMap<NodeId, Vec<State>> =
        gathered.iter().map(|(id, hits)| (*id, states(hits, senses))).collect();
    let weights = Weights::new(senses, &states, sections);
    found.clone_from(&weights.known);
    let focus = Focus::new(senses, &weights, gathered.keys().map(|id| length(*id)));
    let judge = |(id, hits): (NodeId, Hits)| {
        let score = weights.score(&states[&id]);
        let relevance = focus.relevance(&hits, length(id));
        (id, Match { score, relevance, ..matched(hits, senses) })
    };
    gathered.into_iter().map(judge).collect()
}

/// What a section has of one concept.
#[derive(Debug, Clone, Default)]
struct State {
    whole: bool,
    parts: Vec<bool>,
}

impl State {
    fn is_covered(&self) -> bool {
        self.whole || (!self.parts.is_empty() && self.parts.iter().all(|it| *it))
    }
}

fn states(hits: &Hits, senses: &Senses) -> Vec<State> {
    let mut states: Vec<State> = senses
        .parts
        .iter()
        .map(|parts| State { whole: false, parts: vec![false; *parts] })
        .collect();
    for hit in hits.own.iter().chain(&hits.above) {
        match senses.meanings[hit.sense] {
            Meaning::Concept { concept, part: None, .. } => states[concept].whole = true,
            Meaning::Concept { concept, part: Some(part), .. } => {
                states[concept].parts[part] = true
            }
            Meaning::Negative => {}
        }
    }
    states
}

struct Weights {
    concepts: Vec<f64>,
    /// Whether any section has each concept.
    known: Vec<bool>,
    parts: Vec<Vec<f64>>,
}

impl Weights {
    fn new(senses: &Senses, states: &BTreeMap<NodeId, Vec<State>>, sections: usize) -> Self {
        let rarity = |having: usize| {
            if having == 0 { 0.0 } else { (1.0 + sections as f64 / (1.0 + having as f64)).ln() }
        };
        let mut all = Self { concepts: Vec::new(), known: Vec::new(), parts: Vec::new() };
        for (concept, parts) in senses.parts.iter().enumerate() {
            let having = |part: usize| states.values().filter(|it| it[concept].parts[part]).count();
            let parts: Vec<f64> = (0..*parts).map(|it| rarity(having(it))).collect();
            let covered = states.values().filter(|it| it[concept].is_covered()).count();
            // A compound that no section has is known by its parts.
            let by_parts = parts.iter().copied().fold(0.0, f64::max);
            all.concepts.push(if covered > 0 { rarity(covered) } else { by_parts });
            all.parts.push(parts);
        }
        all.known = all.concepts.iter().map(|it| *it > 0.0).collect();
        // A required word makes a candidate by itself; a rare code must not outweigh all other words.
        if all.concepts[senses.must..].iter().any(|it| *it > 0.0) {
            all.concepts[..senses.must].fill(0.0);
        }
        all
    }

    fn score(&self, states: &[State]) -> f64 {
        let total: f64 = self.concepts.iter().sum();
        if total <= 0.0 {
            return 0.0;
        }
        let covered: f64 =
            (0..states.len()).map(|it| self.concepts[it] * self.share(it, &states[it])).sum();
        covered / total
    }

    fn share(&self, concept: usize, state: &State) -> f64 {
        if state.whole {
            return 1.0;
        }
        let parts = &self.parts[concept];
        let total: f64 = parts.iter().sum();
        if total <= 0.0 {
            return 0.0;
        }
        let had: f64 =
            parts.iter().zip(&state.parts).filter(|(_, has)| **has).map(|(it, _)| it).sum();
        PART_CREDIT * had / total
    }
}

/// How much a section is about each concept: how often it has it, in its headings above all, for its length.
struct Focus<'a> {
    senses: &'a Senses,
    weights: &'a Weights,
    mean_length: f64,
}

/// What one place of a word is worth.
const IN_HEADING: f64 = 3.0;
const ABOVE: f64 = 1.5;
/// A word of the dictionary says the same less surely.
const SYNONYM: f64 = 0.6;
const LOOSE: f64 = 0.8;
/// From here on a word more often says little more.
const SATURATION: f64 = 1.2;
/// How much a length above the mean counts against a section.
const LENGTH: f64 = 0.75;

impl<'a> Focus<'a> {
    fn new(
        senses: &'a Senses,
        weights: &'a Weights,
        lengths: impl ExactSizeIterator<Item = usize>,
    ) -> Self {
        let count = lengths.len().max(1);
        let all: usize = lengths.sum();
        Self { senses, weights, mean_length: (all as f64 / count as f64).max(1.0) }
    }

    fn relevance(&self, hits: &Hits, length: usize) -> f64 {
        let total: f64 = self.weights.concepts.iter().sum();
        if total <= 0.0 {
            return 0.0;
        }
        let norm = 1.0 - LENGTH + LENGTH * length as f64 / self.mean_length;
        let mut wholes = vec![0.0; self.senses.parts.len()];
        let mut parts: Vec<Vec<f64>> =
            self.senses.parts.iter().map(|count| vec![0.0; *count]).collect();
        let all =
            hits.own.iter().map(|it| (it, true)).chain(hits.above.iter().map(|it| (it, false)));
        for (hit, own) in all {
            let Meaning::Concept { concept, part, synonym } = self.senses.meanings[hit.sense]
            else {
                continue;
            };
            let place = match (own, hit.heading) {
                (true, true) => IN_HEADING,
                (true, false) => 1.0 / norm,
                (false, _) => ABOVE,
            };
            let sure = if synonym { SYNONYM } else { 1.0 };
            let sure = if hit.way == Way::Loose { sure * LOOSE } else { sure };
            let worth = f64::from(hit.times) * place * sure;
            match part {
                None => wholes[concept] += worth,
                Some(part) => parts[concept][part] += worth,
            }
        }
        let strength = |worth: f64| worth / (worth + SATURATION);
        let of = |concept: usize| {
            let weights = &self.weights.parts[concept];
            let whole: f64 = weights.iter().sum();
            let in_parts = parts[concept].iter().zip(weights).map(|(it, w)| strength(*it) * w);
            let in_parts: f64 = in_parts.sum();
            let in_parts = if whole > 0.0 { PART_CREDIT * in_parts / whole } else { 0.0 };
            strength(wholes[concept]).max(in_parts)
        };
        let covered: f64 = (0..wholes.len()).map(|it| self.weights.concepts[it] * of(it)).sum();
        covered / total
    }
}

fn matched(hits: Hits, senses: &Senses) -> Match {
    let mut signals: Vec<Signal> = Vec::new();
    let mut source: Option<Source> = None;
    let (mut must, mut unwanted) = (false, false);
    let all =
        hits.own.iter().map(|hit| (hit, true)).chain(hits.above.iter().map(|hit| (hit, false)));
    for (hit, own) in all {
        let Some((here, signal)) = kind(hit, senses) else {
            unwanted |= hit.heading;
            continue;
        };
        must |= here == Source::Must;
        source = Some(source.map_or(here, |it| it.min(here)));
        signals.push(signal);
        signals.push(match (own, hit.heading) {
            (true, true) => Signal::Heading,
            (true, false) => signal,
            (false, _) => Signal::UnderHeading,
        });
    }
    signals.sort_unstable();
    signals.dedup();
    let own = hits.own.iter().any(|it| senses.meanings[it.sense] != Meaning::Negative);
    let is_near = own || hits.above_near;
    Match { score: 0.0, relevance: 0.0, source, signals, must, unwanted, is_near, hits }
}

/// The source and the signal of a word; `None` for one that is not wanted.
fn kind(hit: &Hit, senses: &Senses) -> Option<(Source, Signal)> {
    let Meaning::Concept { concept, synonym, .. } = senses.meanings[hit.sense] else { return None };
    Some(match (concept < senses.must, synonym, hit.way) {
        (true, false, _) => (Source::Must, Signal::Must),
        (_, false, Way::Normal) => (Source::Soft, Signal::Normalized),
        (_, true, Way::Normal) => (Source::Synonym, Signal::Synonym),
        (_, false, Way::Loose) => (Source::SoftLoose, Signal::Loose),
        (_, true, Way::Loose) => (Source::SynonymLoose, Signal::SynonymLoose),
    })
}
