//! Who is held against whom, and what the judge says.
//!
//! A new claim is held against the best passages of other documents that the task has kept so far; a new passage
//! against the claims it is nearest to; the hypothesis against what the documents say that are about it. A pair is
//! formed only where the passage is about the claim, and is judged once. Documents that are not about the hypothesis are
//! noted as such: they were read, and count for nothing.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use evidence::{FragmentId, PageId, Stance, StatementKind};
use judge::{
    Aboutness, Nearby, Reading, Statement, Topic, WordShares, choose, judge_by_rules,
    judge_readings, judgeable, statements, unit_cosine, windows,
};
use models::{InUse, Pair};

use crate::calls::Stage;
use crate::engine::Inner;
use crate::error::Result;
use crate::search::Context;

use super::claims::{ClaimRef, Claims};
use super::memory::{KeptPassage, KnownClaim, TaskMemory, terms_of};

/// Pairs given to the model at a time.
const BATCH: usize = 64;
/// There a batch takes as long as its pairs do, and who waits wants to see them go.
const BATCH_ON_CPU: usize = 16;
/// What judgements by rules are stored under.
pub(super) const RULES: &str = "rules";
/// What is stored under this was read and not judged: it is not about the claim, or states nothing.
pub(super) const GATE: &str = "gate";

/// One judgement.
#[derive(Debug, Clone)]
pub(super) struct Verdict {
    pub(super) claim: ClaimRef,
    pub(super) fragment: FragmentId,
    pub(super) stance: Stance,
    pub(super) confidence: f64,
    /// Who judged.
    pub(super) model: String,
    /// What the passage is where it speaks of the claim.
    pub(super) kind: Option<StatementKind>,
    /// Whether the passage is about the claim.
    pub(super) about: bool,
}

impl Verdict {
    /// Whether it says something of the claim.
    pub(super) fn counts(&self) -> bool {
        self.about && self.kind.is_none_or(StatementKind::is_evidence)
    }
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

/// What passages are held against, and which of them.
#[derive(Debug, Default)]
struct Pairs {
    /// Each once, in a fixed order.
    judged: Vec<(ClaimRef, usize)>,
    /// Documents that are not about the hypothesis, each by its best passage.
    not_about: Vec<(ClaimRef, usize, Aboutness)>,
}

impl Inner {
    /// Judges the claims against what the task keeps: what the memory holds and, at the places `useful` gives, `fresh`.
    pub(super) fn judge_cycle(
        &self,
        context: &Context,
        words: &WordShares,
        claims: &Claims,
        memory: &TaskMemory,
        fresh: &[KeptPassage],
        useful: &[usize],
    ) -> Result<Verdicts> {
        let held: Vec<&KeptPassage> = memory.kept().iter().chain(fresh).collect();
        let pairs = self.pairs(words, claims, &held, useful)?;
        let mut verdicts = self.judge_pairs(context, claims, &held, &pairs.judged)?;
        let not_about = pairs.not_about.into_iter().map(|(claim, place, aboutness)| Verdict {
            claim,
            fragment: held[place].id,
            stance: Stance::Neutral,
            confidence: 1.0 - aboutness.share,
            model: GATE.to_owned(),
            kind: None,
            about: false,
        });
        verdicts.given.extend(not_about);
        Ok(verdicts)
    }

    fn pairs(
        &self,
        words: &WordShares,
        claims: &Claims,
        held: &[&KeptPassage],
        useful: &[usize],
    ) -> Result<Pairs> {
        let settings = &self.parts.settings;
        let mut wanted: BTreeSet<(ClaimRef, usize)> = BTreeSet::new();
        let mut not_about = Vec::new();
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
            let topic = Topic::of(&new.found.claim.text);
            let is_about = |place: usize| {
                let likeness = cosine_of(new.vector.as_deref(), held[place]);
                self.aboutness(&topic, likeness, held[place]).is_about
            };
            let chosen = choose(Some(&own.document), nearby, is_about, &settings.stance);
            wanted.extend(chosen.into_iter().map(|place| (ClaimRef::New(nth), place)));
        }
        let mut judged = JudgedBefore::default();
        let mut near: Vec<Vec<(usize, f64)>> = vec![Vec::new(); useful.len()];
        for (nth, known) in claims.known.iter().enumerate() {
            if known.is_hypothesis {
                if judgeable(&known.text).is_err() {
                    continue;
                }
                let before = judged.of(self, claims, nth)?;
                let topic = known.topic.clone().within(words);
                let (about, other) = self.hypothesis_pairs(known, &topic, held, useful, before);
                wanted.extend(about.into_iter().map(|place| (ClaimRef::Known(nth), place)));
                let other = other.into_iter();
                not_about.extend(other.map(|(place, it)| (ClaimRef::Known(nth), place, it)));
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
            let about = near.into_iter().map(|(nth, _)| nth).filter(|nth| {
                let known = &claims.known[*nth];
                let likeness = cosine_of(known.vector.as_deref(), held[*place]);
                self.aboutness(&known.topic, likeness, held[*place]).is_about
            });
            let about = about.take(settings.search.claims_per_new_passage);
            wanted.extend(about.map(|nth| (ClaimRef::Known(nth), *place)));
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
        let mut pairs = Vec::new();
        for (claim, place) in wanted {
            if let ClaimRef::Known(nth) = claim
                && judged.of(self, claims, nth)?.contains(&held[place].id)
            {
                continue;
            }
            pairs.push((claim, place));
        }
        Ok(Pairs { judged: pairs, not_about })
    }

    /// The useful passages that are about the hypothesis, at most so many of a document, conclusions first; and the
    /// best passage of each document that has none, unless the document met the hypothesis before.
    fn hypothesis_pairs(
        &self,
        hypothesis: &KnownClaim,
        topic: &Topic,
        held: &[&KeptPassage],
        useful: &[usize],
        before: &HashSet<FragmentId>,
    ) -> (Vec<usize>, Vec<(usize, Aboutness)>) {
        let (settings, gate) = (&self.parts.settings.search, &self.parts.settings.stance);
        let met: HashSet<PageId> =
            held.iter().filter(|it| before.contains(&it.id)).map(|it| it.page).collect();
        let vector = hypothesis.vector.as_deref();
        let nearest = nearest(held.iter().map(|it| (it.page, cosine_of(vector, it))));
        let mut about: BTreeMap<PageId, Vec<(bool, usize)>> = BTreeMap::new();
        let mut other: BTreeMap<PageId, (usize, usize, Aboutness)> = BTreeMap::new();
        let aboutness = |passage: &KeptPassage| {
            let likeness = nearest.get(&passage.page).copied();
            self.aboutness(topic, likeness, passage)
        };
        let most = Aboutness::nearest(held.iter().map(|it| aboutness(it)), gate);
        for (rank, place) in useful.iter().enumerate() {
            let passage = held[*place];
            let aboutness = aboutness(passage);
            if aboutness.beside(most, gate) {
                let concludes = read(passage).iter().any(|it| it.kind == StatementKind::Conclusion);
                about.entry(passage.page).or_default().push((!concludes, *place));
            } else {
                other.entry(passage.page).or_insert((rank, *place, aboutness));
            }
        }
        let mut places = Vec::new();
        for (page, mut speaking) in about {
            other.remove(&page);
            // Conclusions first, then in the order of their rank, which they came in.
            speaking.sort_by_key(|it| it.0);
            let most = settings.hypothesis_passages_per_document;
            places.extend(speaking.into_iter().take(most).map(|it| it.1));
        }
        let mut others: Vec<(usize, usize, Aboutness)> =
            other.into_iter().filter(|(page, _)| !met.contains(page)).map(|(_, it)| it).collect();
        others.sort_by_key(|it| it.0);
        others.truncate(settings.hypothesis_passages);
        places.truncate(settings.hypothesis_passages);
        (places, others.into_iter().map(|it| (it.1, it.2)).collect())
    }

    /// Whether a kept passage is about a claim.
    fn aboutness(&self, topic: &Topic, likeness: Option<f64>, passage: &KeptPassage) -> Aboutness {
        let around = &passage.surroundings;
        topic.aboutness(&around.own, &around.around, likeness, &self.parts.settings.stance)
    }

    fn judge_pairs(
        &self,
        context: &Context,
        claims: &Claims,
        held: &[&KeptPassage],
        pairs: &[(ClaimRef, usize)],
    ) -> Result<Verdicts> {
        let model = self.parts.stance.as_ref();
        let mut verdicts = Verdicts::default();
        let mut read_before: HashMap<usize, Vec<Statement>> = HashMap::new();
        for (_, place) in pairs {
            read_before.entry(*place).or_insert_with(|| read(held[*place]));
        }
        let mut readings = Vec::new();
        for (claim, place) in pairs {
            let found = &read_before[place];
            let windows = windows(&held[*place].text, found);
            if !windows.is_empty() {
                let reading = Reading { claim: claims.text(*claim), windows };
                readings.push(((*claim, *place), reading));
            } else if self.is_hypothesis(claims, *claim) {
                verdicts.given.push(Verdict {
                    claim: *claim,
                    fragment: held[*place].id,
                    stance: Stance::Neutral,
                    confidence: self.parts.settings.stance.rule_confidence,
                    model: GATE.to_owned(),
                    kind: mention(found),
                    about: true,
                });
            }
        }
        let at_once = if model.device() == InUse::Cpu { BATCH_ON_CPU } else { BATCH };
        for (nth, batch) in readings.chunks(at_once).enumerate() {
            self.at_work(context.id(), Stage::Judging, nth * at_once, readings.len());
            let texts: Vec<Reading<'_>> = batch.iter().map(|it| it.1.clone()).collect();
            let judged = judge_readings(model, &texts, &self.parts.thresholds)?;
            for (((claim, place), _), by_model) in batch.iter().zip(judged) {
                let (claim, fragment) = (*claim, held[*place].id);
                let unread = by_model.language;
                let judged = match unread {
                    None => by_model,
                    Some(_) => {
                        let pair = Pair { passage: &held[*place].text, claim: claims.text(claim) };
                        judge_by_rules(&pair, &self.parts.settings.stance)
                    }
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
                        kind: judged.kind,
                        about: true,
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

    fn is_hypothesis(&self, claims: &Claims, claim: ClaimRef) -> bool {
        matches!(claim, ClaimRef::Known(nth) if claims.known[nth].is_hypothesis)
    }
}

/// What a passage without evidence is: a title that stands before it says less than what follows.
fn mention(found: &[Statement]) -> Option<StatementKind> {
    let kinds = || found.iter().map(|it| it.kind);
    kinds().find(|it| *it != StatementKind::Title).or_else(|| kinds().next())
}

/// What claims were held against before, read when it is first asked for.
#[derive(Debug, Default)]
struct JudgedBefore(BTreeMap<usize, HashSet<FragmentId>>);

impl JudgedBefore {
    fn of(&mut self, inner: &Inner, claims: &Claims, nth: usize) -> Result<&HashSet<FragmentId>> {
        Ok(match self.0.entry(nth) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(empty) => {
                let id = claims.known[nth].id;
                let known = inner.graph.read(|r| r.judged_against(id))?;
                empty.insert(known.into_iter().collect())
            }
        })
    }
}

/// The sentences of a kept passage.
fn read(passage: &KeptPassage) -> Vec<Statement> {
    statements(&passage.text, &passage.surroundings.standing())
}

/// How near a passage is to a claim: by meaning where both have a vector, else by the share of its words.
fn likeness(vector: Option<&[f32]>, words: &BTreeSet<String>, passage: &KeptPassage) -> f64 {
    if let (Some(_), Some(_)) = (vector, &passage.vector) {
        return cosine_of(vector, passage).unwrap_or(0.0);
    }
    match words.len() {
        0 => 0.0,
        all => words.intersection(&passage.terms).count() as f64 / all as f64,
    }
}

fn cosine_of(vector: Option<&[f32]>, passage: &KeptPassage) -> Option<f64> {
    unit_cosine(vector?, passage.vector.as_deref()?)
}

/// The likeness of the nearest passage of each page.
pub(super) fn nearest(
    passages: impl Iterator<Item = (PageId, Option<f64>)>,
) -> HashMap<PageId, f64> {
    let mut nearest = HashMap::new();
    for (page, likeness) in passages {
        if let Some(likeness) = likeness {
            let best = nearest.entry(page).or_insert(likeness);
            *best = likeness.max(*best);
        }
    }
    nearest
}
