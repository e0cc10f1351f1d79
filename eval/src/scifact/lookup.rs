//! One claim against the library: the product's way, and what it is compared with.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::time::Instant;

use evidence::Stance;
use models::{Embedder, Pair, StanceModel, Thresholds, Verdict};
use rank::{ChoiceSettings, Passage, RankSettings, Ranking, choose, rank};
use serde::{Deserialize, Serialize};
use text::language::detect;

use super::data::{Abstract, Claim};
use super::held_out::is_held_out;
use super::{PASSAGES, READINGS};
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
        product: &ChoiceSettings,
    ) -> Result<Looked<'c>, Failure> {
        let (start, cpu) = (Instant::now(), cpu_seconds());
        let ranking = self.rank(&claim.text)?;
        let chosen: Vec<usize> = choose(&ranking, product).iter().map(|it| it.index).collect();
        let mut verdicts = BTreeMap::new();
        self.judge(&claim.text, Reading::Whole, &chosen, &mut verdicts)?;
        let cpu = cpu_seconds().zip(cpu).map(|(after, before)| after - before);
        let seconds = (start.elapsed().as_secs_f64(), cpu);

        let found = self.words.find(&claim.text, BASELINE)?;
        let baseline: Vec<usize> = found.into_iter().map(|it| it.0).collect();
        let deepest = PASSAGES.into_iter().max().unwrap_or(0);
        let ranked = ranking.ranked.iter().take(deepest).map(|it| it.index);
        let compared: Vec<usize> = ranked.chain(claim.truth.keys().copied()).collect();
        for reading in READINGS {
            self.judge(&claim.text, reading, &compared, &mut verdicts)?;
        }
        self.judge(&claim.text, Reading::Whole, &baseline, &mut verdicts)?;
        Ok(Looked { claim, ranking, baseline, verdicts, seconds })
    }

    fn rank(&self, claim: &str) -> Result<Ranking, Failure> {
        let cosines = |left: &[usize]| -> Result<Vec<Option<f32>>, Failure> {
            if !self.embedder.languages().admit(&detect(claim)) {
                return Ok(vec![None; left.len()]);
            }
            let query = self.embedder.embed(&[claim])?.remove(0);
            let cosine = |it: &Vec<f32>| model::cosine(&query, it) as f32;
            Ok(left.iter().map(|it| self.vectors[*it].as_ref().map(cosine)).collect())
        };
        rank(claim, &self.passages, cosines, &RankSettings::default())
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

    pub(super) fn chosen(&self, settings: &ChoiceSettings) -> impl Iterator<Item = usize> {
        choose(&self.ranking, settings).iter().map(|it| it.index)
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
