//! One claim against the library: the product's way, and what it is compared with.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::time::Instant;

use evidence::Stance;
use judge::{Nearby, StanceSettings, choose};
use models::{Embedder, Pair, StanceModel, Thresholds, Verdict};
use rank::{Passage, RankSettings, Ranking, rank};
use serde::{Deserialize, Serialize};
use text::language::detect;

use super::data::{Abstract, Claim};
use super::held_out::is_held_out;
use super::{PASSAGES, READINGS, SIMILARITIES};
use crate::process::cpu_seconds;
use crate::retrieval::collections::Document;
use crate::retrieval::words::WordIndex;
use crate::{Failure, model};

/// How many abstracts the baseline takes.
const BASELINE: usize = 3;

/// What of an abstract is shown to the stance model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Reading {
    Whole,
    /// The sentences that share most with the claim.
    Sentences(usize),
}

impl Reading {
    pub(super) fn name(self) -> String {
        match self {
            Self::Whole => "whole".to_owned(),
            Self::Sentences(most) => format!("{most} sentences"),
        }
    }

    fn passage(self, claim: &str, it: &Abstract) -> String {
        let Self::Sentences(most) = self else { return it.whole() };
        let sentences: Vec<Passage<'_>> =
            it.sentences.iter().map(|text| plain(text, None)).collect();
        let silent = |left: &[usize]| Ok::<_, Infallible>(vec![None; left.len()]);
        let Ok(ranking) = rank(claim, &sentences, silent, &RankSettings::default());
        let mut chosen: Vec<usize> = ranking.ranked.iter().take(most).map(|it| it.index).collect();
        chosen.sort_unstable();
        chosen.into_iter().map(|it| sentences[it].text).collect::<Vec<_>>().join(" ")
    }
}

/// Everything known about one claim once it has been looked up.
pub(super) struct Looked<'a> {
    pub(super) claim: &'a Claim,
    pub(super) ranking: Ranking,
    /// How similar each ranked abstract is to the claim, in their order; nothing where no model reads it.
    pub(super) similarities: Vec<Option<f32>>,
    pub(super) baseline: Vec<usize>,
    pub(super) verdicts: BTreeMap<(Reading, usize), Verdict>,
    /// What the product's own way took: the wall, and the processor where it is known.
    pub(super) seconds: (f64, Option<f64>),
}

pub(super) struct Library<'a> {
    abstracts: &'a [Abstract],
    passages: Vec<Passage<'a>>,
    vectors: Vec<Option<Vec<f32>>>,
    words: WordIndex,
    embedder: &'a dyn Embedder,
    stance: &'a dyn StanceModel,
    /// Seconds of processor time the vectors took.
    pub(super) embedded: Option<f64>,
}

impl<'a> Library<'a> {
    pub(super) fn new(
        abstracts: &'a [Abstract],
        embedder: &'a dyn Embedder,
        stance: &'a dyn StanceModel,
    ) -> Result<Self, Failure> {
        let whole: Vec<String> = abstracts.iter().map(Abstract::whole).collect();
        let before = cpu_seconds();
        let vectors = model::vectors(embedder, &whole)?;
        let embedded = cpu_seconds().zip(before).map(|(after, before)| after - before);
        let documents: Vec<Document> = abstracts
            .iter()
            .map(|it| Document {
                id: String::new(),
                title: it.title.clone(),
                text: it.text.clone(),
            })
            .collect();
        let passages = abstracts.iter().map(|it| plain(&it.text, Some(&it.title))).collect();
        let words = WordIndex::build(&documents)?;
        Ok(Self { abstracts, passages, vectors, words, embedder, stance, embedded })
    }

    pub(super) fn look_up<'c>(
        &self,
        claim: &'c Claim,
        product: &StanceSettings,
    ) -> Result<Looked<'c>, Failure> {
        let (start, cpu) = (Instant::now(), cpu_seconds());
        let (ranking, similarities) = self.rank(&claim.text)?;
        let mut verdicts = BTreeMap::new();
        let chosen: Vec<usize> = chosen(&ranking, &similarities, product).collect();
        self.judge(&claim.text, Reading::Whole, &chosen, &mut verdicts)?;
        let cpu = cpu_seconds().zip(cpu).map(|(after, before)| after - before);
        let seconds = (start.elapsed().as_secs_f64(), cpu);

        let first: Vec<usize> = first_ranked(&ranking).collect();
        self.judge(&claim.text, Reading::Whole, &first, &mut verdicts)?;
        let found = self.words.find(&claim.text, BASELINE)?;
        let baseline: Vec<usize> = found.into_iter().map(|it| it.0).collect();
        let deepest = PASSAGES.into_iter().max().unwrap_or(0);
        let widest = StanceSettings {
            passages_per_claim: deepest,
            min_similarity: SIMILARITIES.into_iter().fold(1.0, f64::min),
            ..StanceSettings::default()
        };
        let nearest: Vec<usize> = self::chosen(&ranking, &similarities, &widest).collect();
        let compared: Vec<usize> = nearest.into_iter().chain(claim.truth.keys().copied()).collect();
        for reading in READINGS {
            self.judge(&claim.text, reading, &compared, &mut verdicts)?;
        }
        self.judge(&claim.text, Reading::Whole, &baseline, &mut verdicts)?;
        Ok(Looked { claim, ranking, similarities, baseline, verdicts, seconds })
    }

    /// The abstracts in order, and how similar each is.
    fn rank(&self, claim: &str) -> Result<(Ranking, Vec<Option<f32>>), Failure> {
        let mut known: BTreeMap<usize, f32> = BTreeMap::new();
        let cosines = |left: &[usize]| -> Result<Vec<Option<f32>>, Failure> {
            if !self.embedder.languages().admit(&detect(claim)) {
                return Ok(vec![None; left.len()]);
            }
            let query = self.embedder.embed(&[claim])?.remove(0);
            let cosine = |it: &Vec<f32>| model::cosine(&query, it) as f32;
            let cosines: Vec<Option<f32>> =
                left.iter().map(|it| self.vectors[*it].as_ref().map(cosine)).collect();
            known.extend(
                left.iter().zip(&cosines).filter_map(|(it, cosine)| Some((*it, (*cosine)?))),
            );
            Ok(cosines)
        };
        let ranking = rank(claim, &self.passages, cosines, &RankSettings::default())?;
        let similarities = ranking.ranked.iter().map(|it| known.get(&it.index).copied()).collect();
        Ok((ranking, similarities))
    }

    /// Adds the verdicts that are not there yet.
    fn judge(
        &self,
        claim: &str,
        reading: Reading,
        places: &[usize],
        verdicts: &mut BTreeMap<(Reading, usize), Verdict>,
    ) -> Result<(), Failure> {
        let mut new: Vec<usize> =
            places.iter().copied().filter(|it| !verdicts.contains_key(&(reading, *it))).collect();
        new.sort_unstable();
        new.dedup();
        let texts: Vec<String> =
            new.iter().map(|it| reading.passage(claim, &self.abstracts[*it])).collect();
        let pairs: Vec<Pair<'_>> = texts.iter().map(|passage| Pair { passage, claim }).collect();
        for (place, verdict) in new.into_iter().zip(self.stance.judge(&pairs)?) {
            verdicts.insert((reading, place), verdict);
        }
        Ok(())
    }
}

impl Looked<'_> {
    /// The stance of each abstract.
    pub(super) fn said(
        &self,
        reading: Reading,
        places: impl Iterator<Item = usize>,
        thresholds: Thresholds,
    ) -> BTreeMap<usize, Stance> {
        let stance = |it: usize| self.verdicts.get(&(reading, it))?.stance(&thresholds);
        places.filter_map(|it| Some((it, stance(it)?.0))).collect()
    }

    pub(super) fn chosen(&self, settings: &StanceSettings) -> impl Iterator<Item = usize> {
        chosen(&self.ranking, &self.similarities, settings)
    }

    pub(super) fn first_ranked(&self) -> impl Iterator<Item = usize> {
        first_ranked(&self.ranking)
    }

    /// The likelier of supports and refutes.
    pub(super) fn likelier(&self, reading: Reading, place: usize) -> Option<Stance> {
        match self.verdicts.get(&(reading, place))? {
            Verdict::Judged { supports, refutes, .. } if refutes > supports => {
                Some(Stance::Refutes)
            }
            Verdict::Judged { .. } => Some(Stance::Supports),
            Verdict::Abstained { .. } => None,
        }
    }

    pub(super) fn is_held_out(&self) -> bool {
        is_held_out(self.claim.id)
    }
}

/// The abstracts before the knee that the product holds a claim against.
fn chosen(
    ranking: &Ranking,
    similarities: &[Option<f32>],
    settings: &StanceSettings,
) -> impl Iterator<Item = usize> {
    let kept: Vec<usize> =
        ranking.ranked.iter().take(ranking.kept).map(|ranked| ranked.index).collect();
    let documents: Vec<String> = kept.iter().map(ToString::to_string).collect();
    let nearby: Vec<Nearby<'_>> = documents
        .iter()
        .zip(similarities)
        .map(|(document, similarity)| Nearby {
            document,
            similarity: similarity.map_or(0.0, f64::from),
        })
        .collect();
    choose(None, &nearby, |_| true, settings).into_iter().map(move |place| kept[place])
}

/// The abstracts before the knee that the product holds a hypothesis against.
fn first_ranked(ranking: &Ranking) -> impl Iterator<Item = usize> {
    let most = ranking.kept.min(research::SearchSettings::default().hypothesis_passages);
    ranking.ranked.iter().take(most).map(|ranked| ranked.index)
}

/// A passage that nothing speaks for or against.
fn plain<'a>(text: &'a str, heading: Option<&'a str>) -> Passage<'a> {
    Passage { text, heading, category_weight: 1.0, quality_penalty: 0.0, foreign: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentences_that_share_most_with_a_claim_are_read_in_the_order_of_the_text() {
        let it = Abstract {
            title: "A trial".to_owned(),
            sentences: [
                "We slept.",
                "Fever fell with aspirin.",
                "Nobody knows.",
                "Aspirin is old.",
            ]
            .map(str::to_owned)
            .to_vec(),
            text: "all of it".to_owned(),
        };
        let claim = "Aspirin lowers fever";
        assert_eq!(Reading::Whole.passage(claim, &it), "A trial all of it");
        let read = |most| Reading::Sentences(most).passage(claim, &it);
        assert_eq!(read(1), "Fever fell with aspirin.");
        assert_eq!(read(5), "Fever fell with aspirin. Aspirin is old.");
    }
}
