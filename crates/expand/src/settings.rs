//! The settings of the expansion.

use settings::settings;

settings! {
    /// Other ways to ask, from dictionaries in the program: no model, nothing sent. A library is asked in
    /// all of them, sources on the web only by `lyra research` (plan.expansions).
    pub struct ExpandSettings {}
    expert {
        /// Queries in the other language; a second one uses the second-best words.
        mirrors: usize = 1, in 0..=10;
        /// Queries in another spelling.
        scripts: usize = 1, in 0..=10;
        /// Queries with one word replaced by another of the same meaning.
        synonyms: usize = 2, in 0..=10;
        /// Queries with one word replaced by a broader or narrower one.
        related: usize = 1, in 0..=10;
        /// The share of a query that must be found in the dictionary before it is put into the other
        /// language: of Japanese characters, or of English words.
        min_mirrored_share: f64 = 0.6, in 0.0..=1.0;
        /// Characters of a query; a longer text is not expanded.
        max_query_chars: usize = 200, in 1..=10_000;
        /// Words of a query in the other language; engines drop what comes after.
        max_words: usize = 12, in 1..=100;
    }
}
