//! Signs of pages made to be found, to gather others' work, or by a language model left alone.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use evidence::FragmentType;
use serde::Deserialize;
use text::word_list::{self, WordList};

use crate::view::PageView;

/// What the signs of a page amount to.
#[derive(Debug, Default)]
pub(super) struct SignScore {
    /// 0 for none, 1 for more than enough.
    pub(super) strength: f64,
    pub(super) words: Vec<String>,
}

/// The content as one text, a line for each piece. Code and tables repeat themselves by nature.
pub(super) fn content(view: &PageView<'_>) -> String {
    let written = view
        .pieces
        .iter()
        .filter(|it| !matches!(it.kind, FragmentType::Code | FragmentType::Table));
    written.map(|it| it.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// A kind of sign: what it is called, and how often its phrases occur per thousand words in
/// ordinary pages at most, and where nothing else is needed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SignKind {
    name: String,
    ordinary: f64,
    full: f64,
    phrases: WordList,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SignKinds {
    kind: Vec<SignKind>,
}

struct Finder {
    kinds: Vec<SignKind>,
    automaton: AhoCorasick,
    /// The kind of each phrase of the automaton.
    kind_of: Vec<usize>,
}

static FINDER: LazyLock<Finder> = LazyLock::new(|| {
    let SignKinds { kind: kinds } = word_list::read(include_str!("../../data/quality_signs.toml"));
    let phrases = kinds.iter().enumerate();
    let phrases = phrases.flat_map(|(index, kind)| kind.phrases.iter().map(move |it| (it, index)));
    let (phrases, kind_of): (Vec<&str>, Vec<usize>) = phrases.unzip();
    let automaton = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(phrases)
        .expect("a fixed list of phrases makes an automaton");
    Finder { kinds, automaton, kind_of }
});

/// A page is judged as if it had at least this many words: one phrase in a note is no pattern.
const FEWEST_WORDS: f64 = 150.0;

/// Links out of the page for every hundred words of content: ordinary up to here, and full.
const OUTSIDE_ORDINARY: f64 = 4.0;
const OUTSIDE_FULL: f64 = 12.0;
/// Fewer links than this are no collection.
const OUTSIDE_FEWEST: usize = 8;

pub(super) fn find(view: &PageView<'_>, text: &str) -> SignScore {
    let words = f64::from(view.shape.content_words);
    let Finder { kinds, automaton, kind_of } = &*FINDER;
    let mut counts = vec![0_usize; kinds.len()];
    for hit in automaton.find_iter(&text.replace('’', "'")) {
        counts[kind_of[hit.pattern().as_usize()]] += 1;
    }
    let mut found = SignScore::default();
    for (kind, count) in kinds.iter().zip(counts) {
        let rate = count as f64 * 1000.0 / words.max(FEWEST_WORDS);
        let strength = over(rate, kind.ordinary, kind.full);
        // One phrase is a phrase; a pattern is two.
        if count > 1 && strength > 0.0 {
            found.strength += strength;
            found.words.push(format!("{} {count} times", kind.name));
        }
    }
    let outside = outside_links(view);
    let strength = over(outside as f64 * 100.0 / words.max(100.0), OUTSIDE_ORDINARY, OUTSIDE_FULL);
    if outside >= OUTSIDE_FEWEST && strength > 0.0 {
        found.strength += strength;
        found.words.push(format!("{outside} links to other sites among {words:.0} words"));
    }
    found.strength = found.strength.min(1.0);
    found
}

fn over(value: f64, ordinary: f64, full: f64) -> f64 {
    ((value - ordinary) / (full - ordinary)).clamp(0.0, 1.0)
}

/// Links of the content that leave the site.
fn outside_links(view: &PageView<'_>) -> usize {
    let host = view.url.and_then(|it| it.host_str()).unwrap_or_default();
    let own = host.strip_prefix("www.").unwrap_or(host);
    let leaves = |href: &str| {
        let rest = href.strip_prefix("https://").or_else(|| href.strip_prefix("http://"));
        rest.is_some_and(|address| {
            let host = address.split(['/', '?', '#', ':']).next().unwrap_or_default();
            own.is_empty() || !(host == own || host.ends_with(&format!(".{own}")))
        })
    };
    view.pieces.iter().flat_map(|it| &it.links).filter(|it| leaves(&it.href)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_in_lower_case_and_of_one_kind() {
        let kinds = &FINDER.kinds;
        let mut phrases: Vec<&str> = kinds.iter().flat_map(|it| it.phrases.iter()).collect();
        assert!(phrases.iter().all(|it| *it == it.to_lowercase()));
        let number = phrases.len();
        phrases.sort_unstable();
        phrases.dedup();
        assert_eq!(phrases.len(), number);
        assert!(kinds.iter().all(|it| it.ordinary < it.full));
    }
}
