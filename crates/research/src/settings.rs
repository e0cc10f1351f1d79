//! Every number of a search; the defaults are those of the product.

use serde::{Deserialize, Serialize};

/// How far a search goes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchSettings {
    /// Pages one search may read where the client does not say.
    pub pages_per_search: u32,
    /// Results wanted from each source.
    pub results_per_source: usize,
    /// Seconds a source has to answer a question. Waiting for its turn does not count.
    pub source_timeout_seconds: u64,
    /// Days a page that was read, and what an index said in the same task, is taken as it is.
    pub reuse_days: u32,
    /// What is added to a query that looks for refutations, and how many of these are asked.
    pub refute_suffixes: Vec<String>,
    pub refute_suffixes_ja: Vec<String>,
    pub refute_variants: usize,
    /// Pages after which passages are ranked and judged.
    pub cycle_pages: usize,
    /// Searches of one task that work at the same time; the most fruitful go first.
    pub cycles_at_once: usize,
    /// Shorter passages are not ranked; a Japanese character counts as three.
    pub min_passage_chars: usize,
    /// Passages of one page that are ranked.
    pub max_passages_per_page: usize,
    /// The best passage of a page is kept from this relevance on (1 is the most relevant passage of a cycle).
    pub best_of_page_relevance: f64,
    /// Claims taken from one passage and in one cycle.
    pub claims_per_passage: usize,
    pub claims_per_cycle: usize,
    /// Claims of the task that a new passage is held against.
    pub claims_per_new_passage: usize,
    /// Passages the hypothesis is held against in one cycle.
    pub hypothesis_passages: usize,
    /// How sure it is that a passage supports what it says word for word.
    pub verbatim_confidence: f64,
    /// How much a retraction speaks against what was retracted.
    pub retraction_confidence: f64,
    /// From which likeness of their kept passages on two pages tell the same story, and how many passages each must have.
    pub narrative_similarity: f64,
    pub narrative_min_passages: usize,
    /// Works named in pages that are looked up.
    pub identifiers_per_search: usize,
    /// Sources a page links to that are noted.
    pub cited_links_per_page: usize,
    /// Requests at the same time, of all searches.
    pub network_clients: usize,
    /// Cores that read and judge at the same time; 0 is all of them.
    pub cpu_slots: usize,
    /// The share of a task's time a language model may take.
    pub llm_share: f64,
    /// Passages of a cycle that a language model reads.
    pub llm_passages_per_cycle: usize,
    /// Links of a page that a language model is asked about, where rules cannot tell whether they are citations.
    pub llm_links_per_page: usize,
    /// Between these the rules cannot tell the quality of a page; a language model is asked, and counts this much.
    pub unsure_quality_from: f64,
    pub unsure_quality_to: f64,
    pub llm_quality_weight: f64,
}

impl Default for SearchSettings {
    fn default() -> Self {
        let list = |words: &[&str]| words.iter().map(|it| (*it).to_owned()).collect();
        Self {
            pages_per_search: 20,
            results_per_source: 20,
            source_timeout_seconds: 30,
            reuse_days: 7,
            refute_suffixes: list(&["limitations", "criticism", "no effect", "refuted", "errors"]),
            refute_suffixes_ja: list(&["課題", "批判", "問題点", "反論", "誤り"]),
            refute_variants: 3,
            cycle_pages: 10,
            cycles_at_once: 2,
            min_passage_chars: 40,
            max_passages_per_page: 200,
            best_of_page_relevance: 0.5,
            claims_per_passage: 2,
            claims_per_cycle: 30,
            claims_per_new_passage: 4,
            hypothesis_passages: 20,
            verbatim_confidence: 0.9,
            retraction_confidence: 0.95,
            narrative_similarity: 0.97,
            narrative_min_passages: 3,
            identifiers_per_search: 10,
            cited_links_per_page: 20,
            network_clients: 4,
            cpu_slots: 0,
            llm_share: 0.3,
            llm_passages_per_cycle: 12,
            llm_links_per_page: 4,
            unsure_quality_from: 0.4,
            unsure_quality_to: 0.6,
            llm_quality_weight: 0.6,
        }
    }
}
