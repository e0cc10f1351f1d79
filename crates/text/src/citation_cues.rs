//! Words that say "this is a source", in English and Japanese: read from `data/*/citation_cues.toml`.
//!
//! The name of a cue is the words themselves. They are features for what decides whether a link is a
//! citation.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::word_list::{self, WordList};

/// The name of a number in brackets, the mark of a footnote.
pub const FOOTNOTE: &str = "[1]";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cues {
    /// They name a source by themselves.
    naming: WordList,
    hinting: WordList,
    /// The cue each heading stands for.
    headings: BTreeMap<String, String>,
}

static LANGUAGES: LazyLock<[Cues; 2]> = LazyLock::new(|| {
    [
        word_list::read(include_str!("../data/en/citation_cues.toml")),
        word_list::read(include_str!("../data/ja/citation_cues.toml")),
    ]
});

/// Every cue but [`FOOTNOTE`], in lower case.
pub fn all() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().flat_map(|it| it.naming.iter().chain(it.hinting.iter()))
}

/// Whether a cue names a source by itself.
pub fn names_source(cue: &str) -> bool {
    cue == FOOTNOTE || LANGUAGES.iter().any(|it| it.naming.iter().any(|naming| naming == cue))
}

/// The cue that a heading is for every link below it.
pub fn of_heading(heading: &str) -> Option<&'static str> {
    let lower = heading.to_ascii_lowercase();
    LANGUAGES.iter().find_map(|it| it.headings.get(&lower)).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cue_is_there_once_in_lower_case() {
        let mut cues: Vec<&str> = all().collect();
        assert!(cues.iter().all(|it| *it == it.to_lowercase()));
        let number = cues.len();
        cues.sort_unstable();
        cues.dedup();
        assert_eq!(cues.len(), number);
    }

    #[test]
    fn every_heading_stands_for_a_cue() {
        for (heading, cue) in LANGUAGES.iter().flat_map(|it| &it.headings) {
            assert!(all().any(|it| it == cue), "{heading}");
        }
        assert_eq!(of_heading("Works Cited"), Some("references"));
        assert_eq!(of_heading("引用文献"), Some("参考文献"));
        assert_eq!(of_heading("Results"), None);
    }

    #[test]
    fn some_cues_are_enough_alone() {
        let enough =
            ["according to", "によると", "[1]", "study", "論文", "aspirin"].map(names_source);
        assert_eq!(enough, [true, true, true, false, false, false]);
    }
}
