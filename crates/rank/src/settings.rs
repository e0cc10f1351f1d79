//! The settings of the ranking.

use settings::settings;
use text::language::Language;

settings! {
    /// Which passages deserve attention.
    pub struct RankSettings {}
    expert {
        /// The weight of words; only its ratio to embedding_weight counts.
        bm25_weight: f64 = 0.3, in 0.0..=1.0;
        /// The weight of meaning.
        embedding_weight: f64 = 0.7, in 0.0..=1.0;
        /// The weight of words for queries in Japanese, where pairs of characters find more than words do.
        bm25_weight_ja: f64 = 0.5, in 0.0..=1.0;
        /// The weight of meaning for queries in Japanese.
        embedding_weight_ja: f64 = 0.5, in 0.0..=1.0;
        /// Passages that the search by words passes on.
        bm25_top_k: usize = 150, in 1..=10_000;
        /// How soon the repetition of a word stops counting: the smaller, the sooner.
        k1: f64 = 1.2, in 0.0..=10.0;
        /// How much a long passage pays for its length: 0.0 nothing, 1.0 all of it.
        b: f64 = 0.75, in 0.0..=1.0;
        /// How many times a word of the heading counts as one of the text.
        heading_weight: f64 = 2.0, in 0.0..=100.0;
        /// The share of its score that the worst page loses.
        max_quality_penalty: f64 = 0.8, in 0.0..=1.0;
    }
    parts {
        knee: KneeSettings;
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

settings! {
    /// Where a list of falling scores is cut.
    pub struct KneeSettings {}
    expert {
        /// Steps of an even fall that scores must lose after a bend for the list to be cut there.
        sensitivity as "knee_sensitivity": f64 = 1.0, in 0.0..=100.0;
        /// Passages that are kept even if the bend comes earlier.
        min as "knee_min": usize = 3, in 0..=1_000;
        /// The most passages that are kept.
        max as "knee_max": usize = 50, in 0..=1_000;
    }
}
