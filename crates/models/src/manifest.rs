//! What a model says about itself in `lyra.json`, beside its weights; every field may be left out.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use text::language::Languages;

use crate::files::MANIFEST;
use crate::stance::Thresholds;
use crate::{ModelError, Result};

/// The contents of `lyra.json`.
///
/// ```json
/// { "id": "lyra-stance-1", "kind": "stance", "languages": ["en"], "max_tokens": 512,
///   "order": "claim_first", "temperature": 1.7, "sharpen": 0.02,
///   "thresholds": { "supports": 0.5, "refutes": 0.8 } }
/// ```
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelManifest {
    /// What rows computed by this model are stored under; the folder's name when left out.
    pub id: Option<String>,
    /// What the model is for; when left out, a model with the three stance labels is for stance.
    pub kind: Option<Kind>,
    /// What it can read. When left out: everything for XLM-RoBERTa, which is trained on a hundred
    /// languages, and English for the others. `["*"]` admits every language.
    pub languages: Option<Languages>,
    /// The longest input, special tokens included; never more than the network has positions for.
    pub max_tokens: Option<usize>,
    /// Which layers of the weights make up the network, in order, so that two models can share a file.
    /// When left out, as many as `config.json` says, from the first on.
    pub layers: Option<Vec<usize>>,
    /// Embeddings: how the vectors of the tokens become one. When left out,
    /// `1_Pooling/config.json` says it; without that, the mean.
    pub pooling: Option<Pooling>,
    /// Embeddings: put before every text ("query: " for multilingual-e5).
    pub prefix: Option<String>,
    /// Stance: what the outputs mean, in order ("supports", "refutes", "neutral" or their names in
    /// NLI). When left out, `id2label` of `config.json` says it.
    pub labels: Option<Vec<String>>,
    /// Stance: which text comes first. When left out, the passage, as in public NLI models.
    pub order: Option<Order>,
    /// Stance: logits are divided by it before they become probabilities; 1 when left out.
    pub temperature: Option<f32>,
    /// Stance: logits are also multiplied by 1 + sharpen × (largest - second)²; 0 when left out.
    pub sharpen: Option<f32>,
    /// Stance: below these probabilities a judgement counts as neutral.
    pub thresholds: Option<Thresholds>,
    /// Stance: the last three for pairs in one language, by its tag, and for pairs in two, under
    /// `across`; what is left out there is as above.
    pub calibrated: BTreeMap<String, Calibration>,
}

/// What pairs whose claim and passage are in different languages are calibrated under.
pub(crate) const ACROSS: &str = "across";

/// How a stance model's outputs become probabilities, and the thresholds from which they count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    pub temperature: Option<f32>,
    pub sharpen: Option<f32>,
    pub thresholds: Option<Thresholds>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Stance,
    Embedding,
}

/// How the vectors of a text's tokens become the vector of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pooling {
    Mean,
    /// The vector of the first token.
    Cls,
}

/// Which of the two texts of a judgement the model reads first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    ClaimFirst,
    PassageFirst,
}

impl Kind {
    /// What such a model is for, in a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stance => "stance",
            Self::Embedding => "embeddings",
        }
    }
}

impl ModelManifest {
    pub(crate) fn parse(model: &str, bytes: Option<&[u8]>) -> Result<Self> {
        let Some(bytes) = bytes else { return Ok(Self::default()) };
        let manifest: Self = serde_json::from_slice(bytes).map_err(|source| {
            ModelError::BadJson { model: model.to_owned(), file: MANIFEST, source }
        })?;
        let calibrations = || manifest.calibrated.values().copied().chain([manifest.base()]);
        let problem = if let Some(problem) = calibrations().find_map(Calibration::problem) {
            problem
        } else if manifest.layers.as_ref().is_some_and(Vec::is_empty) {
            "layers must name at least one"
        } else if manifest.layers.as_deref().is_some_and(names_one_twice) {
            "layers must name none twice"
        } else if manifest.id.as_ref().is_some_and(|it| it.trim().is_empty()) {
            "id must not be empty"
        } else if manifest.languages.as_ref().is_some_and(Languages::is_empty) {
            "languages must name at least one"
        } else {
            return Ok(manifest);
        };
        Err(ModelError::BadConfig {
            model: model.to_owned(),
            file: MANIFEST,
            problem: problem.to_owned(),
        })
    }

    fn base(&self) -> Calibration {
        let Self { temperature, sharpen, thresholds, .. } = *self;
        Calibration { temperature, sharpen, thresholds }
    }

    /// The calibration for pairs of one language, or of two ([`ACROSS`]).
    pub(crate) fn calibration(&self, languages: &str) -> Calibration {
        let (base, own) =
            (self.base(), self.calibrated.get(languages).copied().unwrap_or_default());
        Calibration {
            temperature: own.temperature.or(base.temperature),
            sharpen: own.sharpen.or(base.sharpen),
            thresholds: own.thresholds.or(base.thresholds),
        }
    }
}

impl Calibration {
    fn problem(self) -> Option<&'static str> {
        if self.temperature.is_some_and(|it| !(it.is_finite() && it > 0.0)) {
            Some("temperature must be a number above 0")
        } else if self.sharpen.is_some_and(|it| !(it.is_finite() && it >= 0.0)) {
            Some("sharpen must be a number not below 0")
        } else if self.thresholds.is_some_and(|it| !it.are_probabilities()) {
            Some("thresholds must lie between 0 and 1")
        } else {
            None
        }
    }
}

fn names_one_twice(layers: &[usize]) -> bool {
    let distinct: BTreeSet<usize> = layers.iter().copied().collect();
    distinct.len() < layers.len()
}
