//! Whether a link in the body of a page is a citation: a source the text rests on, and not a way to
//! another page.

use std::sync::LazyLock;

use serde::Deserialize;
use text::citation_cues::names_source;
use text::word_list::{self, WordList, WordSet};

/// A link as the rules see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkView<'a> {
    pub url: &'a str,
    pub anchor: &'a str,
    pub sentence: &'a str,
    /// Words nearby that say "this is a source".
    pub cues: &'a [String],
    pub leaves_site: bool,
}

/// What the rules make of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    Citation,
    /// Navigation, adverts, related pages.
    Other,
    /// The rules cannot tell; a model may.
    Unsure,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkWords {
    /// Anchors that lead on and prove nothing.
    navigation: WordSet,
    /// Addresses for sharing, selling and counting.
    no_sources: WordList,
}

static WORDS: LazyLock<LinkWords> =
    LazyLock::new(|| word_list::read(include_str!("../../data/link_words.toml")));

/// Whether a link is a citation, by the words around it and where it leads.
pub fn link_kind(link: &LinkView<'_>) -> LinkKind {
    let anchor = link.anchor.trim().to_lowercase();
    let anchor = anchor.trim_end_matches(['.', '»', '>', '→', '…', ' ']);
    let is_navigation = anchor.is_empty() || WORDS.navigation.contains(anchor);
    if WORDS.no_sources.any_in(link.url) {
        return LinkKind::Other;
    }
    let strong = link.cues.iter().any(|it| names_source(it));
    let is_work = text::identifiers::find(link.url)
        .iter()
        .any(|it| it.kind != text::identifiers::IdentifierKind::Patent || link.leaves_site);
    match (link.leaves_site, strong, is_work) {
        (true, true, _) | (true, _, true) => LinkKind::Citation,
        (false, true, true) => LinkKind::Citation,
        _ if is_navigation => LinkKind::Other,
        // A site that points at itself under "source" may be citing, or only linking back.
        (false, true, false) => LinkKind::Unsure,
        (true, false, false) if !link.cues.is_empty() => LinkKind::Unsure,
        (true, false, false) if states_something(link) => LinkKind::Unsure,
        _ => LinkKind::Other,
    }
}

/// A sentence of some length with more in it than the link.
fn states_something(link: &LinkView<'_>) -> bool {
    let rest = link.sentence.chars().count().saturating_sub(link.anchor.chars().count());
    let ends = link.sentence.trim_end().ends_with(['.', '。', '．']);
    ends && rest >= 30
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(url: &str, anchor: &str, sentence: &str, cues: &[&str], leaves_site: bool) -> LinkKind {
        let cues: Vec<String> = cues.iter().map(|it| (*it).to_owned()).collect();
        link_kind(&LinkView { url, anchor, sentence, cues: &cues, leaves_site })
    }

    #[test]
    fn anchors_are_in_lower_case() {
        let anchors = WORDS.navigation.iter();
        assert_eq!(anchors.filter(|it| it.to_lowercase() != *it).count(), 0);
    }

    #[test]
    fn sources_are_told_from_ways_to_other_pages() {
        use LinkKind::{Citation, Other, Unsure};
        let away = "https://other.example/report";
        let table = [
            (
                kind(away, "WHO", "According to the WHO, measles rose.", &["according to"], true),
                Citation,
            ),
            (
                kind(away, "厚生労働省", "厚生労働省によると増加した。", &["によると"], true),
                Citation,
            ),
            (kind(away, "here", "Source: here", &["source:"], true), Citation),
            (
                kind("https://doi.org/10.1000/182", "this trial", "See this trial.", &[], true),
                Citation,
            ),
            (kind("https://own.example/a", "Read more", "Read more", &[], false), Other),
            (
                kind("https://own.example/a", "出典一覧", "出典一覧を見る。", &["出典"], false),
                Unsure,
            ),
            (kind(away, "続きを読む", "続きを読む", &[], true), Other),
            (
                kind(
                    "https://twitter.com/intent/tweet?x",
                    "according to us",
                    "according to us",
                    &["according to"],
                    true,
                ),
                Other,
            ),
            (
                kind(away, "a study", "A study of 200 people was less clear.", &["study"], true),
                Unsure,
            ),
            (
                kind(
                    away,
                    "the city",
                    "The council of the city decided to close the old bridge in May.",
                    &[],
                    true,
                ),
                Unsure,
            ),
            (kind(away, "Partner site", "Partner site", &[], true), Other),
            (kind("", "", "", &[], true), Other),
        ];
        for (index, (found, expected)) in table.into_iter().enumerate() {
            assert_eq!(found, expected, "row {index}");
        }
    }
}
