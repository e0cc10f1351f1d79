//! Every number of the expansion; the defaults are those of the product.

use serde::{Deserialize, Serialize};

/// How many other ways to ask are looked for, and how sure they must be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExpandSettings {
    /// Queries in the other language; a second one uses the second-best words.
    pub mirrors: usize,
    /// The same words in another spelling.
    pub scripts: usize,
    /// One word replaced by another that means the same.
    pub synonyms: usize,
    /// One word replaced by a broader or narrower one.
    pub related: usize,
    /// How much of the query's content must have been found before it is put into the other language:
    /// of Japanese characters, or of English words.
    pub min_mirrored_share: f64,
    /// A longer text is not a query and is left alone.
    pub max_query_chars: usize,
    /// So many words a mirror has at most; engines drop what comes after.
    pub max_words: usize,
}

impl Default for ExpandSettings {
    fn default() -> Self {
        Self {
            mirrors: 1,
            scripts: 1,
            synonyms: 2,
            related: 1,
            min_mirrored_share: 0.6,
            max_query_chars: 200,
            max_words: 12,
        }
    }
}
