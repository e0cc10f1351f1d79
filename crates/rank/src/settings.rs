//! Every number of the ranking; the defaults are those of the product.

use serde::{Deserialize, Serialize};
use text::language::Language;

/// How passages are ordered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RankSettings {
    /// What words and meaning weigh against each other; only their ratio counts. A weight below 0 is 0,
    /// and where both are 0 words decide.
    pub bm25_weight: f64,
    pub embedding_weight: f64,
    /// The same where the query is Japanese: pairs of characters find more than words do, so they count more.
    pub bm25_weight_ja: f64,
    pub embedding_weight_ja: f64,
    /// How many passages the search by words hands on.
    pub bm25_top_k: usize,
    /// How soon the repetition of a word stops to count: the smaller, the sooner.
    pub k1: f64,
    /// How much a long passage pays for its length: 0 nothing, 1 all of it.
    pub b: f64,
    /// How many times a word of the heading counts as one of the text.
    pub heading_weight: f64,
    /// What the worst page loses of its score.
    pub max_quality_penalty: f64,
    pub knee: KneeSettings,
}

impl Default for RankSettings {
    fn default() -> Self {
        Self {
            bm25_weight: 0.3,
            embedding_weight: 0.7,
            bm25_weight_ja: 0.5,
            embedding_weight_ja: 0.5,
            bm25_top_k: 150,
            k1: 1.2,
            b: 0.75,
            heading_weight: 2.0,
            max_quality_penalty: 0.8,
            knee: KneeSettings::default(),
        }
    }
}

impl RankSettings {
    /// The settings for a query in that language.
    #[must_use]
    pub fn for_query_in(&self, language: Language) -> Self {
        let mut own = self.clone();
        if language != Language::NONE && !language.differs_from("ja") {
            own.bm25_weight = self.bm25_weight_ja;
            own.embedding_weight = self.embedding_weight_ja;
        }
        own
    }
}

/// Where a list of falling scores is cut.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KneeSettings {
    /// How many steps of an even fall the curve must lose after a bend before it is the knee.
    pub sensitivity: f64,
    /// So many are kept even where the knee comes earlier.
    pub min: usize,
    /// So many are kept at most, and only so many are looked at.
    pub max: usize,
}

impl Default for KneeSettings {
    fn default() -> Self {
        Self { sensitivity: 1.0, min: 3, max: 50 }
    }
}
