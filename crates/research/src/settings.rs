//! The settings of tasks and searches.

use settings::settings;

settings! {
    /// A task, unless its client says otherwise.
    #[derive(Eq)]
    pub struct TaskSettings {
        /// Pages one task may fetch.
        max_pages: u32 = 120, in 1..=100_000;
        /// Seconds one task may take, at most a week.
        max_seconds: u32 = 3_600, in 1..=604_800;
    }
    expert {
        /// Characters of a question, a hypothesis or a reason.
        max_text_chars: usize = 4_000, in 1..=100_000;
    }
}

settings! {
    /// One search: what it reads, ranks and judges.
    pub struct SearchSettings {
        /// Pages one search may read, unless a client says otherwise.
        pages_per_search: u32 = 20, in 1..=1_000;
        /// Days a page that was read, and the answer of an index in the same task, is not asked for again;
        /// 0 always asks again.
        reuse_days: u32 = 7, in 0..=3_650;
        /// Cores that read and judge at the same time; 0 is all of them.
        cpu_slots: usize = 0, in 0..=256;
    }
    expert {
        /// Results wanted from each source.
        results_per_source: usize = 20, in 1..=200;
        /// Seconds a source has to answer; waiting for its turn does not count.
        source_timeout_seconds: u64 = 30, in 1..=600;
        /// What is added to an English query that looks for refutations.
        refute_suffixes: Vec<String> =
            ["limitations", "criticism", "no effect", "refuted", "errors"].map(str::to_owned).to_vec();
        /// What is added to a Japanese query that looks for refutations.
        refute_suffixes_ja: Vec<String> = ["課題", "批判", "問題点", "反論", "誤り"].map(str::to_owned).to_vec();
        /// How many of these are asked.
        refute_variants: usize = 3, in 0..=20;
        /// Pages after which passages are ranked and judged.
        cycle_pages: usize = 10, in 1..=1_000;
        /// Searches of one task that work at the same time; the most fruitful go first.
        cycles_at_once: usize = 2, in 1..=100;
        /// Shorter passages are not ranked, in characters; a Japanese one counts as three.
        min_passage_chars: usize = 40, in 1..=10_000;
        /// Passages of one page that are ranked.
        max_passages_per_page: usize = 200, in 1..=10_000;
        /// The best passage of a page is kept from this relevance on; 1 is the most relevant of a cycle.
        best_of_page_relevance: f64 = 0.5, in 0.0..=1.0;
        /// Claims taken from one passage.
        claims_per_passage: usize = 2, in 1..=100;
        /// Claims taken in one cycle.
        claims_per_cycle: usize = 30, in 1..=10_000;
        /// Claims of the task that a new passage is compared with.
        claims_per_new_passage: usize = 4, in 0..=1_000;
        /// Passages the hypothesis is compared with in one cycle.
        hypothesis_passages: usize = 40, in 0..=1_000;
        /// Passages of one document it is compared with, its conclusions first.
        hypothesis_passages_per_document: usize = 4, in 1..=1_000;
        /// The confidence that a passage supports what it says word for word.
        verbatim_confidence: f64 = 0.9, in 0.0..=1.0;
        /// How much a retraction speaks against what was retracted.
        retraction_confidence: f64 = 0.95, in 0.0..=1.0;
        /// How much a correction speaks against what it corrects.
        correction_confidence: f64 = 0.9, in 0.0..=1.0;
        /// The share of a claim's words that a correction must have to speak of it.
        correction_min_share: f64 = 0.6, in 0.0..=1.0;
        /// The likeness of their passages from which two pages tell the same story.
        narrative_similarity: f64 = 0.97, in 0.0..=1.0;
        /// Passages each of them must have.
        narrative_min_passages: usize = 3, in 1..=1_000;
        /// Works named in pages that are looked up.
        identifiers_per_search: usize = 10, in 0..=1_000;
        /// Sources a page links to that are recorded.
        cited_links_per_page: usize = 20, in 0..=1_000;
        /// Requests at the same time, of all searches.
        network_clients: usize = 4, in 1..=100;
        /// The share of a task's time a language model may take.
        llm_share: f64 = 0.3, in 0.0..=1.0;
        /// Passages of a cycle that a language model reads.
        llm_passages_per_cycle: usize = 12, in 0..=1_000;
        /// Links of a page that a language model is asked about if rules cannot tell whether they are citations.
        llm_links_per_page: usize = 4, in 0..=1_000;
        /// Rules cannot tell the quality of a page from here ...
        unsure_quality_from: f64 = 0.4, in 0.0..=1.0;
        /// ... to here; a language model is asked ...
        unsure_quality_to: f64 = 0.6, in 0.0..=1.0;
        /// ... and counts this much.
        llm_quality_weight: f64 = 0.6, in 0.0..=1.0;
    }
}
