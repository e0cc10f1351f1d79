//! A network that reads claim and passage together and says which of three labels fits.

use std::sync::Arc;

use text::language::{Language, Languages, detect};

use super::{Pair, StanceModel, Thresholds, Verdict};
use crate::config::{Activation, Pooler};
use crate::device::InUse;
use crate::encoder::{Encoder, Linear};
use crate::kernel::QuantizedRows;
use crate::load::Options;
use crate::manifest::{ACROSS, Calibration, ModelManifest, Order};
use crate::tokens::Tokens;
use crate::{ModelError, Result, windows, work};

#[derive(Debug)]
pub(crate) struct CrossEncoder {
    pub(crate) id: Arc<str>,
    pub(crate) encoder: Encoder,
    pub(crate) head: Head,
    pub(crate) tokens: Tokens,
    pub(crate) languages: Languages,
    pub(crate) max_tokens: usize,
    pub(crate) order: Order,
    pub(crate) manifest: ModelManifest,
    pub(crate) options: Options,
}

/// What logits are multiplied by before they become probabilities.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Scale {
    temperature: f32,
    /// How much more a judgement counts whose largest logit leads by far: training with smoothed
    /// labels squeezes the sure end, which one temperature alone cannot stretch again.
    sharpen: f32,
}

impl Scale {
    fn new(calibration: &Calibration) -> Self {
        Self {
            temperature: calibration.temperature.unwrap_or(1.0),
            sharpen: calibration.sharpen.unwrap_or(0.0),
        }
    }

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
        self.manifest.thresholds.unwrap_or_default()
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
        let mut calibrations = Vec::with_capacity(pairs.len());
        let mut sequences = Vec::new();
        // Pair, window and bytes read behind each sequence.
        let mut origins = Vec::new();
        for (owner, Pair { passage, claim }) in pairs.iter().enumerate() {
            let languages = [passage, claim].map(|it| detect(it));
            let foreign = languages.into_iter().find(|it| !self.languages.admit(it));
            verdicts.push(foreign.map(|language| Verdict::Abstained { language }));
            calibrations.push(self.calibration(languages));
            if foreign.is_some() {
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
        let outputs = work::run(&self.encoder, &sequences, &self.options, |states| {
            self.logits(&states[..hidden])
        });
        let mut strongest = vec![-1.0; pairs.len()];
        for ((owner, window, read), logits) in origins.into_iter().zip(outputs) {
            let calibration = &calibrations[owner];
            let found = self.probabilities(logits, Scale::new(calibration));
            let Probabilities { supports, refutes, neutral } = found;
            if !(supports + refutes + neutral).is_finite() {
                return Err(ModelError::NotANumber { model: self.id.to_string() });
            }
            if found.strength() > strongest[owner] {
                strongest[owner] = found.strength();
                verdicts[owner] = Some(Verdict::Judged {
                    supports,
                    refutes,
                    neutral,
                    window,
                    read,
                    by: Arc::clone(&self.id),
                    thresholds: calibration.thresholds.unwrap_or_default(),
                });
            }
        }
        Ok(verdicts
            .into_iter()
            .map(|it| it.expect("every pair has a window or is foreign"))
            .collect())
    }
}

impl CrossEncoder {
    /// How pairs in these languages are calibrated. A text whose script alone is known counts as the
    /// model's first language of that script.
    fn calibration(&self, languages: [Language; 2]) -> Calibration {
        let tags = self.languages.tags();
        let [passage, claim] = languages.map(|language| {
            let own = tags.iter().find(|it| Languages::new([it.as_str()]).admit(&language));
            own.filter(|it| *it != "*").map_or(language.tag(), String::as_str)
        });
        self.manifest.calibration(if passage == claim { claim } else { ACROSS })
    }

    fn logits(&self, first: &[f32]) -> Vec<f32> {
        let kernel = self.encoder.kernel();
        let Head { dense, pooler, classifier, .. } = &self.head;
        let mut pooled = vec![0.0; dense.outputs()];
        let mut quantized = QuantizedRows::default();
        dense.apply(kernel, first, &mut pooled, &mut quantized);
        match pooler {
            Pooler::Tanh => pooled.iter_mut().for_each(|it| *it = it.tanh()),
            Pooler::Activation(activation) => Activation::apply(*activation, kernel, &mut pooled),
        }
        let mut logits = vec![0.0; classifier.outputs()];
        classifier.apply(kernel, &pooled, &mut logits, &mut quantized);
        logits
    }

    fn probabilities(&self, mut logits: Vec<f32>, scale: Scale) -> Probabilities {
        let scale = scale.of(&logits);
        logits.iter_mut().for_each(|it| *it *= scale);
        let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        logits.iter_mut().for_each(|it| *it = (*it - largest).exp());
        let sum: f32 = logits.iter().sum();
        let of = |label: usize| logits[label] / sum;
        let Labels { supports, refutes, neutral } = self.head.labels;
        Probabilities { supports: of(supports), refutes: of(refutes), neutral: of(neutral) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
