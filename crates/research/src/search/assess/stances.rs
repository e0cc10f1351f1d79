//! Who is held against whom, and what the judge says.
//!
//! A new claim is held against the best passages of other documents that the task has kept so far; a new passage
//! against the claims it is nearest to; the hypothesis against every passage that ranks high. A pair is judged once.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use evidence::{FragmentId, Stance};
use judge::{Nearby, choose, judge, judge_by_rules, unit_cosine};
use models::Pair;

use crate::engine::Inner;
use crate::error::Result;

use super::claims::{ClaimRef, Claims};
use super::memory::{KeptPassage, TaskMemory, terms_of};

/// Pairs given to the model at a time.
const BATCH: usize = 64;
/// What judgements by rules are stored under.
pub(super) const RULES: &str = "rules";

/// One judgement.
#[derive(Debug, Clone)]
pub(super) struct Verdict {
    pub(super) claim: ClaimRef,
    pub(super) fragment: FragmentId,
    pub(super) stance: Stance,
    pub(super) confidence: f64,
    /// Who judged.
    pub(super) model: String,
}

#[derive(Debug, Default)]
pub(super) struct Verdicts {
    pub(super) given: Vec<Verdict>,
    pub(super) abstained: Vec<Abstained>,
}

/// A pair that no model judged.
#[derive(Debug, Clone, Copy)]
pub(super) struct Abstained {
    pub(super) claim: ClaimRef,
    pub(super) fragment: FragmentId,
    /// What no model reads: `zxx` where a text has no words.
    pub(super) language: &'static str,
}

impl Inner {
    /// Judges the claims against what the task keeps: what the memory holds and, at the places `useful` gives, `fresh`.
    pub(super) fn judge_cycle(
        &self,
        claims: &Claims,
        memory: &TaskMemory,
        fresh: &[KeptPassage],
        useful: &[usize],
    ) -> Result<Verdicts> {
        let held: Vec<&KeptPassage> = memory.kept().iter().chain(fresh).collect();
        let pairs = self.pairs(claims, &held, useful)?;
        self.judge_pairs(claims, &held, &pairs)
    }

    /// The pairs to be judged, each once, in a fixed order.
    fn pairs(
        &self,
        claims: &Claims,
        held: &[&KeptPassage],
        useful: &[usize],
    ) -> Result<Vec<(ClaimRef, usize)>> {
        let settings = &self.parts.settings;
        let mut wanted: BTreeSet<(ClaimRef, usize)> = BTreeSet::new();
        // What the task has is walked once and meets the few new ones, which stay in the cache.
        let new_terms: Vec<BTreeSet<String>> =
            claims.new.iter().map(|new| terms_of(&new.found.claim.text)).collect();
        let mut nearby: Vec<Vec<Nearby<'_>>> =
            vec![Vec::with_capacity(held.len()); new_terms.len()];
        for passage in held {
            for ((new, terms), nearby) in claims.new.iter().zip(&new_terms).zip(&mut nearby) {
                let similarity = likeness(new.vector.as_deref(), terms, passage);
                nearby.push(Nearby { document: &passage.document, similarity });
            }
        }
        for (nth, (new, nearby)) in claims.new.iter().zip(&nearby).enumerate() {
            let own = &held[useful[new.found.useful]];
            let chosen = choose(Some(&own.document), nearby, &settings.stance);
            wanted.extend(chosen.into_iter().map(|place| (ClaimRef::New(nth), place)));
        }
        let mut near: Vec<Vec<(usize, f64)>> = vec![Vec::new(); useful.len()];
        for (nth, known) in claims.known.iter().enumerate() {
            if known.is_hypothesis {
                let first = useful.iter().take(settings.search.hypothesis_passages);
                wanted.extend(first.map(|place| (ClaimRef::Known(nth), *place)));
                continue;
            }
            for (place, near) in useful.iter().zip(&mut near) {
                let passage = held[*place];
                let likeness = likeness(known.vector.as_deref(), &known.terms, passage);
                if known.page != Some(passage.page) && likeness >= settings.stance.min_similarity {
                    near.push((nth, likeness));
                }
            }
        }
        for (place, mut near) in useful.iter().zip(near) {
            near.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            near.truncate(settings.search.claims_per_new_passage);
            wanted.extend(near.into_iter().map(|(nth, _)| (ClaimRef::Known(nth), *place)));
        }
        // A passage from which a claim was found again says something about it, wherever it ranks.
        for (claim, nth) in &claims.said_in {
            let own = match claim {
                ClaimRef::Known(it) => claims.known[*it].page,
                ClaimRef::New(it) => Some(held[useful[claims.new[*it].found.useful]].page),
            };
            if own != Some(held[useful[*nth]].page) {
                wanted.insert((*claim, useful[*nth]));
            }
        }
        let mut judged: BTreeMap<usize, HashSet<FragmentId>> = BTreeMap::new();
        let mut pairs = Vec::new();
        for (claim, place) in wanted {
            if let ClaimRef::Known(nth) = claim {
                let known = match judged.entry(nth) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(empty) => {
                        let id = claims.known[nth].id;
                        let known = self.graph.read(|r| r.judged_against(id))?;
                        empty.insert(known.into_iter().collect())
                    }
                };
                if known.contains(&held[place].id) {
                    continue;
                }
            }
            pairs.push((claim, place));
        }
        Ok(pairs)
    }

    fn judge_pairs(
        &self,
        claims: &Claims,
        held: &[&KeptPassage],
        pairs: &[(ClaimRef, usize)],
    ) -> Result<Verdicts> {
        let model = self.parts.stance.as_ref();
        let mut verdicts = Verdicts::default();
        for batch in pairs.chunks(BATCH) {
            let texts: Vec<Pair<'_>> = batch
                .iter()
                .map(|(claim, place)| Pair {
                    passage: &held[*place].text,
                    claim: claims.text(*claim),
                })
                .collect();
            let judged = judge(model, &texts, &self.parts.thresholds)?;
            for (((claim, place), pair), by_model) in batch.iter().zip(&texts).zip(judged) {
                let (claim, fragment) = (*claim, held[*place].id);
                let unread = by_model.language;
                let judged = match unread {
                    None => by_model,
                    Some(_) => judge_by_rules(pair, &self.parts.settings.stance),
                };
                // Rules that see the very opposite were wrong more often than right where it was measured
                // (Japanese reviews): they may agree, not refute.
                let is_doubtful = judged.by.is_none() && judged.stance == Some(Stance::Refutes);
                match judged.stance.filter(|_| !is_doubtful) {
                    Some(stance) => verdicts.given.push(Verdict {
                        claim,
                        fragment,
                        stance,
                        confidence: judged.confidence,
                        model: judged.by.as_deref().unwrap_or(RULES).to_owned(),
                    }),
                    None => verdicts.abstained.push(Abstained {
                        claim,
                        fragment,
                        language: unread.map_or("und", |it| it.tag()),
                    }),
                }
            }
        }
        Ok(verdicts)
    }
}

/// How near a passage is to a claim: by meaning where both have a vector, else by the share of its words.
fn likeness(vector: Option<&[f32]>, words: &BTreeSet<String>, passage: &KeptPassage) -> f64 {
    if let (Some(vector), Some(other)) = (vector, &passage.vector) {
        return unit_cosine(vector, other).unwrap_or(0.0);
    }
    match words.len() {
        0 => 0.0,
        all => words.intersection(&passage.terms).count() as f64 / all as f64,
    }
}
