//! Every limit of the academic indexes, with the product's values in `Default`.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::asking::ApiLimits;

/// How Semantic Scholar and OpenAlex are asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AcademicSettings {
    pub semantic_scholar: SemanticScholarSettings,
    pub openalex: OpenAlexSettings,
    /// Results of a search where the query does not say how many.
    pub default_results: usize,
    /// Results of a search that one index may be asked for.
    pub max_results: usize,
    /// Requests one search may need at one index.
    pub max_pages: usize,
    /// Works that a work cites, from Semantic Scholar.
    pub max_references: usize,
    /// Works that cite a work, from each index.
    pub max_citations: usize,
    /// Works that are asked for by identifier after a list of identifiers came: OpenAlex gives references so, and
    /// completing works needs it.
    pub max_by_identifier: usize,
    /// Identifiers in one request.
    pub batch: usize,
    /// Words of an abstract.
    pub max_abstract_words: usize,
    /// Authors of a work.
    pub max_authors: usize,
    /// Places a work is published at that are read for identifiers.
    pub max_locations: usize,
    /// Characters of an abstract that stand for it in a list.
    pub snippet_chars: usize,
    /// Remarks on one answer.
    pub max_notes: usize,
}

impl Default for AcademicSettings {
    fn default() -> Self {
        Self {
            semantic_scholar: SemanticScholarSettings::default(),
            openalex: OpenAlexSettings::default(),
            default_results: 20,
            max_results: 200,
            max_pages: 4,
            max_references: 200,
            max_citations: 200,
            max_by_identifier: 20,
            batch: 50,
            max_abstract_words: 10_000,
            max_authors: 200,
            max_locations: 50,
            snippet_chars: 300,
            max_notes: 20,
        }
    }
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SemanticScholarSettings {
    pub enabled: bool,
    /// Optional: more requests a second. Free, from semanticscholar.org/product/api.
    pub key: String,
    pub limits: ApiLimits,
    /// Requests a second where there is a key.
    pub per_second_with_key: f64,
}

impl Default for SemanticScholarSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            key: String::new(),
            // 100 requests in five minutes, for everybody without a key.
            limits: ApiLimits {
                concurrent: 1,
                per_second: 0.33,
                spacing_min_ms: 1_000,
                spacing_max_ms: 1_500,
                per_day: 5_000,
            },
            per_second_with_key: 1.0,
        }
    }
}

#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OpenAlexSettings {
    pub enabled: bool,
    /// Optional. Free, from openalex.org/settings/api.
    pub key: String,
    /// Optional: an address where OpenAlex can reach you, for its faster pool.
    pub mailto: String,
    pub limits: ApiLimits,
}

impl Default for OpenAlexSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            key: String::new(),
            mailto: String::new(),
            limits: ApiLimits {
                concurrent: 2,
                per_second: 5.0,
                spacing_min_ms: 100,
                spacing_max_ms: 300,
                per_day: 10_000,
            },
        }
    }
}

// Settings are logged, keys are not.
impl fmt::Debug for SemanticScholarSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SemanticScholarSettings")
            .field("enabled", &self.enabled)
            .field("has_key", &!self.key.is_empty())
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for OpenAlexSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAlexSettings")
            .field("enabled", &self.enabled)
            .field("has_key", &!self.key.is_empty())
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
