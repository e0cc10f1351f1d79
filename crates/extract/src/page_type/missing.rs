//! Pages that say that there is nothing to read: errors, and errors that call themselves a success.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use serde::Deserialize;
use text::word_list::{self, WordList};

use super::{PageType, Typed};
use crate::view::PageView;

/// Lines of a page in which it says what happened.
const FIRST_LINES: usize = 40;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Phrases {
    not_found: WordList,
    failed: WordList,
}

struct Finder {
    automaton: AhoCorasick,
    /// What each phrase of the automaton makes of a page.
    phrases: Vec<(PageType, String)>,
}

static FINDER: LazyLock<Finder> = LazyLock::new(|| {
    let lists: Phrases = word_list::read(include_str!("../../data/missing_pages.toml"));
    let not_found = lists.not_found.iter().map(|it| (PageType::Soft404, it.to_owned()));
    let failed = lists.failed.iter().map(|it| (PageType::Error, it.to_owned()));
    let phrases: Vec<(PageType, String)> = not_found.chain(failed).collect();
    let automaton = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(phrases.iter().map(|it| &it.1))
        .expect("a fixed list of phrases makes an automaton");
    Finder { automaton, phrases }
});

pub(super) fn missing(view: &PageView<'_>) -> Option<Typed> {
    if let Some(status) = view.status.filter(|it| *it >= 400) {
        let reasons = vec![format!("the server answered {status}")];
        return Some(Typed { page_type: PageType::Error, reasons });
    }
    let shape = &view.shape;
    let little = shape.prose_words <= view.options.missing_max_prose_words as f32
        && shape.words - shape.link_words <= view.options.missing_max_words as f32;
    if !little {
        return None;
    }
    let title = view.title.trim();
    let (page_type, said, place) = if title == "404" {
        (PageType::Soft404, title, "title")
    } else if let Some((page_type, phrase)) = first_phrase(title) {
        (*page_type, phrase.as_str(), "title")
    } else {
        let first = view.visible.lines().take(FIRST_LINES).find_map(first_phrase);
        let (page_type, phrase) = first?;
        (*page_type, phrase.as_str(), "text")
    };
    let mut reasons = vec![
        format!("the {place} says “{said}”"),
        format!("it has only {:.0} words of sentences", shape.prose_words),
    ];
    if page_type == PageType::Soft404
        && let Some(status) = view.status
    {
        reasons.push(format!("the server answered {status} all the same"));
    }
    Some(Typed { page_type, reasons })
}

fn first_phrase(text: &str) -> Option<&'static (PageType, String)> {
    let Finder { automaton, phrases } = &*FINDER;
    automaton.find(&text.replace('’', "'")).map(|it| &phrases[it.pattern().as_usize()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_told_apart_by_what_happened() {
        let kind = |text: &str| first_phrase(text).map(|it| it.0);
        assert_eq!(kind("Sorry, the page isn’t available"), Some(PageType::Soft404));
        assert_eq!(kind("お探しのページはありません"), Some(PageType::Soft404));
        assert_eq!(kind("Bad Gateway"), Some(PageType::Error));
        assert_eq!(kind("現在メンテナンス中です"), Some(PageType::Error));
        assert_eq!(kind("A page about pages"), None);
        assert!(FINDER.phrases.iter().all(|(_, phrase)| *phrase == phrase.to_lowercase()));
    }
}
