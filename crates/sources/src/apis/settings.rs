//! Every limit of the public APIs, with the product's values in `Default`.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ApiSettings {
    /// Keys by the name a declaration gives them, such as `estat_app_id`.
    pub keys: BTreeMap<String, String>,
    /// APIs that are not asked.
    pub disabled: Vec<String>,
    /// Results where the query does not say how many.
    pub default_results: usize,
    /// Results one API may be asked for.
    pub max_results: usize,
    /// Requests one search may need at one API.
    pub max_pages: usize,
    /// Characters of a snippet.
    pub snippet_chars: usize,
    /// Characters of a title, an identifier or an extra field.
    pub field_chars: usize,
    /// Remarks on one search.
    pub max_notes: usize,
    /// Depth of an XML answer, and elements in it.
    pub max_xml_depth: usize,
    pub max_xml_elements: usize,
}

impl Default for ApiSettings {
    fn default() -> Self {
        Self {
            keys: BTreeMap::new(),
            disabled: Vec::new(),
            default_results: 20,
            max_results: 100,
            max_pages: 5,
            snippet_chars: 500,
            field_chars: 300,
            max_notes: 20,
            max_xml_depth: 64,
            max_xml_elements: 200_000,
        }
    }
}

impl fmt::Debug for ApiSettings {
    /// Without the keys: settings are logged.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApiSettings")
            .field("keys", &self.keys.keys().collect::<Vec<_>>())
            .field("disabled", &self.disabled)
            .field("default_results", &self.default_results)
            .field("max_results", &self.max_results)
            .field("max_pages", &self.max_pages)
            .finish_non_exhaustive()
    }
}
