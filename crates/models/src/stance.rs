//! Stance: does a passage support or refute a claim, or neither?

use std::fmt::Debug;
use std::ops::Range;

use evidence::Stance;
use evidence::language::{Language, Languages, detect};
use serde::Deserialize;

use crate::config::{Activation, Pooler};
use crate::device::InUse;
use crate::encoder::{Encoder, Linear};
use crate::load::Options;
use crate::settings::Order;
use crate::tokens::Tokens;
use crate::{ModelError, Result, windows, work};

/// A model that judges passages against claims.
pub trait StanceModel: Debug + Send + Sync {
    /// What judgements of this model are stored under.
    fn id(&self) -> &str;
    /// What it can read; in any other language it abstains.
    fn languages(&self) -> &Languages;
    /// The longest input that is read in one piece: claim, passage and special tokens.
    fn max_tokens(&self) -> usize;
    /// From which probabilities on a judgement of this model should count, as measured for it.
    fn thresholds(&self) -> Thresholds;
    /// Bytes held by the weights.
    fn memory(&self) -> usize;
    /// What computes at the moment: a graphics card that fails gives way to the CPU.
    fn device(&self) -> InUse {
        InUse::Cpu
    }

    /// One verdict per pair, in order.
    ///
    /// A claim that takes more than half of the room is cut at its end. A passage that does not fit
    /// beside the claim is cut into overlapping windows at the ends of sentences; the window with
    /// the highest probability of supports or refutes decides alone, the earlier one where two are
    /// equal. Past [`Options::max_windows`] windows the rest is not read.
    fn judge(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>>;
}

/// A passage and the claim it is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair<'a> {
    pub passage: &'a str,
    pub claim: &'a str,
}

/// What a stance model says about a pair.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Three probabilities that sum to 1.
    Judged {
        supports: f32,
        refutes: f32,
        neutral: f32,
        /// The bytes of the passage that decided.
        window: Range<usize>,
        /// How many bytes of the passage were read: all, unless it had too many windows.
        read: usize,
    },
    /// Passage or claim is in a language the model does not declare, or has no words at all.
    Abstained { language: Language },
}

/// The least probability a stance needs to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    pub supports: f32,
    pub refutes: f32,
}

impl Default for Thresholds {
    /// For models that bring none. A false "refutes" is the costliest mistake, so it needs more.
    fn default() -> Self {
        Self { supports: 0.5, refutes: 0.7 }
    }
}

impl Thresholds {
    /// The same, with no side below `least`.
    ///
    /// A model's own thresholds are measured on passages that people chose. Among those a search brings, most
    /// take no side, and a stance that is less likely than not is mostly wrong there.
    #[must_use]
    pub fn at_least(self, least: f32) -> Self {
        Self { supports: self.supports.max(least), refutes: self.refutes.max(least) }
    }

    pub(crate) fn are_probabilities(&self) -> bool {
        [self.supports, self.refutes].iter().all(|it| (0.0..=1.0).contains(it))
    }
}

impl Verdict {
    /// The stance and its probability, or neutral where the likelier side stays below its
    /// threshold; nothing where the model abstained.
    ///
    /// The side's probability must also be the highest of the three: a threshold below a half
    /// cannot turn a neutral passage into evidence.
    pub fn stance(&self, thresholds: &Thresholds) -> Option<(Stance, f32)> {
        let Self::Judged { supports, refutes, neutral, .. } = *self else { return None };
        let (stance, probability, threshold) = if refutes > supports {
            (Stance::Refutes, refutes, thresholds.refutes)
        } else {
            (Stance::Supports, supports, thresholds.supports)
        };
        let taken = probability >= threshold && probability > neutral;
        Some(if taken { (stance, probability) } else { (Stance::Neutral, neutral) })
    }
}

#[derive(Debug)]
pub(crate) struct CrossEncoder {
    pub(crate) id: String,
    pub(crate) encoder: Encoder,
    pub(crate) head: Head,
    pub(crate) tokens: Tokens,
    pub(crate) languages: Languages,
    pub(crate) max_tokens: usize,
    pub(crate) order: Order,
    pub(crate) scale: Scale,
    pub(crate) thresholds: Thresholds,
    pub(crate) options: Options,
}

/// What logits are multiplied by before they become probabilities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scale {
    pub(crate) temperature: f32,
    /// How much more a judgement counts whose largest logit leads by far: training with smoothed
    /// labels squeezes the sure end, which one temperature alone cannot stretch again.
    pub(crate) sharpen: f32,
}

impl Scale {
    fn of(self, logits: &[f32]) -> f32 {
        let mut descending = logits.to_vec();
        descending.sort_unstable_by(|a, b| b.total_cmp(a));
        let lead = match descending[..] {
            [first, second, ..] => first - second,
            _ => 0.0,
        };
        (1.0 + self.sharpen * lead * lead) / self.temperature
    }
}

/// From the first token's vector to three logits.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) dense: Linear,
    pub(crate) pooler: Pooler,
    pub(crate) classifier: Linear,
    pub(crate) labels: Labels,
}

/// Which logit means what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Labels {
    pub(crate) supports: usize,
    pub(crate) refutes: usize,
    pub(crate) neutral: usize,
}

impl Labels {
    /// Finds the three labels under the names models give them, in any order and case.
    pub(crate) fn find(labels: &[String]) -> Option<Self> {
        let [_, _, _] = labels else { return None };
        let place = |names: &[&str]| {
            labels.iter().position(|it| names.contains(&it.trim().to_lowercase().as_str()))
        };
        Some(Self {
            supports: place(&[
                "entailment",
                "entail",
                "entails",
                "supports",
                "support",
                "supported",
            ])?,
            refutes: place(&[
                "contradiction",
                "contradict",
                "contradicts",
                "refutes",
                "refute",
                "refuted",
            ])?,
            neutral: place(&["neutral", "not enough info", "not_enough_info", "nei"])?,
        })
    }
}

struct Probabilities {
    supports: f32,
    refutes: f32,
    neutral: f32,
}

impl Probabilities {
    fn strength(&self) -> f32 {
        self.supports.max(self.refutes)
    }
}

impl StanceModel for CrossEncoder {
    fn id(&self) -> &str {
        &self.id
    }

    fn languages(&self) -> &Languages {
        &self.languages
    }

    fn max_tokens(&self) -> usize {
        self.max_tokens
    }

    fn thresholds(&self) -> Thresholds {
        self.thresholds
    }

    fn device(&self) -> InUse {
        self.encoder.device()
    }

    fn memory(&self) -> usize {
        self.encoder.bytes() + self.head.dense.bytes() + self.head.classifier.bytes()
    }

    fn judge(&self, pairs: &[Pair<'_>]) -> Result<Vec<Verdict>> {
        let room = self.max_tokens - self.tokens.around_two();
        let mut verdicts: Vec<Option<Verdict>> = Vec::with_capacity(pairs.len());
        let mut sequences = Vec::new();
        // Pair, window and bytes read behind each sequence.
        let mut origins = Vec::new();
        for (owner, Pair { passage, claim }) in pairs.iter().enumerate() {
            let foreign = [passage, claim]
                .map(|it| detect(it))
                .into_iter()
                .find(|it| !self.languages.admit(it));
            verdicts.push(foreign.map(|language| Verdict::Abstained { language }));
            if verdicts[owner].is_some() {
                continue;
            }
            let claim = self.tokens.read(claim, room.div_ceil(2))?.ids;
            let capacity = room - claim.len();
            let most = self.options.max_windows.max(1);
            let mut found = self.tokens.read(passage, capacity.saturating_mul(most))?;
            let mut cut = windows::cut(passage, &found.places, capacity);
            if cut.len() > most {
                cut.truncate(most);
                found.read = found.places[cut[most - 1].end - 1].end;
            }
            for window in cut {
                let ids = &found.ids[window.clone()];
                sequences.push(match self.order {
                    Order::ClaimFirst => self.tokens.pair(&claim, ids),
                    Order::PassageFirst => self.tokens.pair(ids, &claim),
                });
                origins.push((owner, windows::bytes(passage, &found.places, &window), found.read));
            }
        }
        let hidden = self.encoder.hidden();
        let judged = work::run(&self.encoder, &sequences, &self.options, |states| {
            self.probabilities(&states[..hidden])
        });
        let mut strongest = vec![-1.0; pairs.len()];
        for ((owner, window, read), found) in origins.into_iter().zip(judged) {
            let Probabilities { supports, refutes, neutral } = found;
            if !(supports + refutes + neutral).is_finite() {
                return Err(ModelError::NotANumber { model: self.id.clone() });
            }
            if found.strength() > strongest[owner] {
                strongest[owner] = found.strength();
                verdicts[owner] =
                    Some(Verdict::Judged { supports, refutes, neutral, window, read });
            }
        }
        Ok(verdicts
            .into_iter()
            .map(|it| it.expect("every pair has a window or is foreign"))
            .collect())
    }
}

impl CrossEncoder {
    fn probabilities(&self, first: &[f32]) -> Probabilities {
        let kernel = self.encoder.kernel();
        let Head { dense, pooler, classifier, labels } = &self.head;
        let mut pooled = vec![0.0; dense.outputs()];
        dense.apply(kernel, first, &mut pooled);
        match pooler {
            Pooler::Tanh => pooled.iter_mut().for_each(|it| *it = it.tanh()),
            Pooler::Activation(activation) => Activation::apply(*activation, kernel, &mut pooled),
        }
        let mut logits = vec![0.0; classifier.outputs()];
        classifier.apply(kernel, &pooled, &mut logits);
        let scale = self.scale.of(&logits);
        logits.iter_mut().for_each(|it| *it *= scale);
        let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        logits.iter_mut().for_each(|it| *it = (*it - largest).exp());
        let sum: f32 = logits.iter().sum();
        let of = |label: usize| logits[label] / sum;
        Probabilities {
            supports: of(labels.supports),
            refutes: of(labels.refutes),
            neutral: of(labels.neutral),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(supports: f32, refutes: f32) -> Verdict {
        Verdict::Judged {
            supports,
            refutes,
            neutral: 1.0 - supports - refutes,
            window: 0..1,
            read: 1,
        }
    }

    #[test]
    fn a_lead_sharpens_by_its_square_whatever_the_order_and_the_level() {
        let plain = Scale { temperature: 2.0, sharpen: 0.0 };
        let sharp = Scale { temperature: 4.0, sharpen: 0.5 };
        let cases = [
            ([1.0, 1.0, 1.0], 0.5, 0.25),
            ([3.0, 1.0, -1.0], 0.5, 0.75),
            ([-1.0, 1.0, 3.0], 0.5, 0.75),
            ([8.0, 12.0, 10.0], 0.5, 0.75),
            ([0.0, -2.0, 4.0], 0.5, 2.25),
        ];
        for (logits, wanted_plain, wanted_sharp) in cases {
            assert_eq!(plain.of(&logits), wanted_plain, "{logits:?}");
            assert_eq!(sharp.of(&logits), wanted_sharp, "{logits:?}");
        }
    }

    #[test]
    fn a_side_below_its_threshold_is_neutral() {
        let thresholds = Thresholds { supports: 0.5, refutes: 0.75 };
        let cases = [
            (judged(0.5, 0.25), Stance::Supports, 0.5),
            (judged(0.4375, 0.0625), Stance::Neutral, 0.5),
            (judged(0.125, 0.75), Stance::Refutes, 0.75),
            (judged(0.125, 0.6875), Stance::Neutral, 0.1875),
            (judged(0.5, 0.5), Stance::Supports, 0.5),
        ];
        for (verdict, stance, probability) in cases {
            assert_eq!(verdict.stance(&thresholds), Some((stance, probability)), "{verdict:?}");
        }
        let none = Verdict::Abstained { language: detect("日本語の文章です。") };
        assert_eq!(none.stance(&thresholds), None);
    }

    #[test]
    fn thresholds_are_raised_and_never_lowered() {
        let own = Thresholds { supports: 0.25, refutes: 0.75 };
        assert_eq!(own.at_least(0.5), Thresholds { supports: 0.5, refutes: 0.75 });
        assert_eq!(own.at_least(0.0), own);
    }

    #[test]
    fn a_low_threshold_does_not_beat_a_likelier_neutral() {
        let thresholds = Thresholds { supports: 0.1, refutes: 0.1 };
        assert_eq!(judged(0.25, 0.125).stance(&thresholds), Some((Stance::Neutral, 0.625)));
    }

    #[test]
    fn labels_are_found_in_any_order_and_spelling() {
        let find = |labels: [&str; 3]| Labels::find(&labels.map(str::to_owned));
        let expected = Labels { refutes: 0, supports: 1, neutral: 2 };
        assert_eq!(find(["contradiction", "entailment", "neutral"]), Some(expected));
        assert_eq!(find(["REFUTES", "SUPPORTS", "NOT ENOUGH INFO"]), Some(expected));
        assert_eq!(find(["LABEL_0", "LABEL_1", "LABEL_2"]), None);
        assert_eq!(find(["entailment", "entailment", "neutral"]), None);
        assert_eq!(Labels::find(&["entailment".to_owned(), "not_entailment".to_owned()]), None);
    }
}
