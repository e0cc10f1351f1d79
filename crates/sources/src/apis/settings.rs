//! The settings of the public APIs.

use settings::{Secret, settings};

settings! {
    /// Official public APIs (laws, minutes, statistics, companies). A file NAME.toml in the folder `sources`
    /// beside this one adds an API or replaces the shipped one. `lyra sources list` shows them, and which
    /// need a key.
    #[derive(Eq)]
    pub struct ApiSettings {
        /// Keys, such as ["estat_app_id=...", "gbizinfo_token=...", "unpaywall_email=..."]; `lyra engines list` names them.
        keys: Vec<Secret> = Vec::new();
        /// APIs that are never asked, such as ["dbpedia"].
        disabled: Vec<String> = Vec::new();
    }
    expert {
        /// Results if a search does not say how many.
        default_results: usize = 20, in 1..=100;
        /// The most results one API may be asked for.
        max_results: usize = 100, in 1..=1_000;
        /// Requests one search may need at one API.
        max_pages: usize = 5, in 1..=50;
        /// Characters of a snippet.
        snippet_chars: usize = 500, in 50..=5_000;
        /// Characters of a title or another field.
        field_chars: usize = 300, in 20..=5_000;
    }
    internal {
        /// Characters of a text that comes with an answer and is read in place of a page.
        text_chars: usize = 200_000;
        /// Authors of a work.
        max_authors: usize = 200;
        /// Works about which an API that knows them by DOI is asked in one search.
        max_by_doi: usize = 10;
        /// Remarks on one search.
        max_notes: usize = 20;
        /// Depth of an answer in XML.
        max_xml_depth: usize = 64;
        /// Elements of an answer in XML.
        max_xml_elements: usize = 200_000;
    }
    removed {
        "max_notes": "it is a fixed bound now";
        "max_xml_depth": "it is a fixed bound now";
        "max_xml_elements": "it is a fixed bound now";
    }
}

impl ApiSettings {
    /// The key of that name, if one is set.
    pub fn key(&self, name: &str) -> Option<&str> {
        let mut pairs = self.keys.iter().filter_map(|pair| pair.split_once('='));
        let key = pairs.find(|(given, _)| given.trim() == name).map(|(_, key)| key.trim());
        key.filter(|key| !key.is_empty())
    }
}
