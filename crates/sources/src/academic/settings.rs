//! The settings of the academic indexes.

use settings::{Secret, settings};

use crate::asking::ApiLimits;
use crate::canonical::LikenessSettings;

settings! {
    /// Semantic Scholar and OpenAlex: papers, what they cite and who cites them. Both work without a key.
    pub struct AcademicSettings {}
    expert {
        /// Results if a search does not say how many.
        default_results: usize = 20, in 1..=200;
        /// The most results one index may be asked for.
        max_results: usize = 200, in 1..=1_000;
        /// Requests one search may need at one index.
        max_pages: usize = 4, in 1..=20;
        /// Works that a work cites.
        max_references: usize = 200, in 1..=1_000;
        /// Works that cite a work.
        max_citations: usize = 200, in 1..=1_000;
        /// Works asked for one by one after a list of identifiers came.
        max_by_identifier: usize = 20, in 0..=200;
        /// Words of an abstract.
        max_abstract_words: usize = 10_000, in 100..=100_000;
        /// Authors of a work.
        max_authors: usize = 200, in 1..=10_000;
        /// Characters of an abstract shown in a list.
        snippet_chars: usize = 300, in 50..=5_000;
    }
    parts {
        semantic_scholar: SemanticScholarSettings;
        openalex: OpenAlexSettings;
        /// When two records are taken for the same work.
        likeness: LikenessSettings;
    }
    internal {
        /// Identifiers in one request; the indexes take no more.
        batch: usize = 50;
        /// Places a work is published at that are read for identifiers.
        max_locations: usize = 50;
        /// Remarks on one answer.
        max_notes: usize = 20;
    }
    removed {
        "batch": "the indexes take no more than 50 identifiers at a time";
        "max_locations": "it is a fixed bound now";
        "max_notes": "it is a fixed bound now";
    }
}

settings! {
    /// Semantic Scholar.
    pub struct SemanticScholarSettings {
        /// Whether Semantic Scholar is asked.
        enabled as "semantic_scholar": bool = true;
        /// A key allows more requests; free at semanticscholar.org/product/api.
        key as "semantic_scholar_key": Secret = Secret::default();
    }
    expert {
        /// Requests a second without a key; all clients without one share 100 in five minutes.
        per_second as "semantic_scholar_per_second": f64 = 0.33, in 0.01..=10.0;
        /// Requests a second with a key.
        per_second_with_key as "semantic_scholar_per_second_with_key": f64 = 1.0, in 0.01..=10.0;
        /// Requests a day; 0 is no limit.
        per_day as "semantic_scholar_per_day": u32 = 5_000, in 0..=1_000_000;
    }
    internal {
        concurrent: usize = 1;
        /// The pause between two requests is drawn between these.
        spacing_min_ms: u64 = 1_000;
        spacing_max_ms: u64 = 1_500;
    }
}

settings! {
    /// OpenAlex.
    pub struct OpenAlexSettings {
        /// Whether OpenAlex is asked.
        enabled as "openalex": bool = true;
        /// A key; free at openalex.org/settings/api.
        key as "openalex_key": Secret = Secret::default();
        /// An address where OpenAlex can reach you; "" sends none.
        mailto as "openalex_mailto": String = String::new();
    }
    expert {
        /// Requests a second.
        per_second as "openalex_per_second": f64 = 5.0, in 0.01..=10.0;
        /// Requests a day; 0 is no limit.
        per_day as "openalex_per_day": u32 = 10_000, in 0..=1_000_000;
    }
    internal {
        concurrent: usize = 2;
        /// The pause between two requests is drawn between these.
        spacing_min_ms: u64 = 100;
        spacing_max_ms: u64 = 300;
    }
}

impl AcademicSettings {
    /// The defaults, with both indexes asked at this pace, with a key and without.
    #[must_use]
    pub fn with_limits(limits: &ApiLimits) -> Self {
        let ApiLimits { concurrent, per_second, spacing_min_ms, spacing_max_ms, per_day } = *limits;
        Self {
            semantic_scholar: SemanticScholarSettings {
                per_second,
                per_second_with_key: per_second,
                per_day,
                concurrent,
                spacing_min_ms,
                spacing_max_ms,
                ..SemanticScholarSettings::default()
            },
            openalex: OpenAlexSettings {
                per_second,
                per_day,
                concurrent,
                spacing_min_ms,
                spacing_max_ms,
                ..OpenAlexSettings::default()
            },
            ..Self::default()
        }
    }
}

impl SemanticScholarSettings {
    pub(super) fn limits(&self) -> ApiLimits {
        ApiLimits {
            concurrent: self.concurrent,
            per_second: if self.key.is_empty() {
                self.per_second
            } else {
                self.per_second_with_key
            },
            spacing_min_ms: self.spacing_min_ms,
            spacing_max_ms: self.spacing_max_ms,
            per_day: self.per_day,
        }
    }
}

impl OpenAlexSettings {
    pub(super) fn limits(&self) -> ApiLimits {
        ApiLimits {
            concurrent: self.concurrent,
            per_second: self.per_second,
            spacing_min_ms: self.spacing_min_ms,
            spacing_max_ms: self.spacing_max_ms,
            per_day: self.per_day,
        }
    }
}
