//! Headings and phrases that belong to a page and say nothing about the world: read from
//! `data/*/page_parts.toml`.

use std::sync::LazyLock;

use serde::Deserialize;
use text::word_list::{self, Phrases, WordList, WordSet};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PageParts {
    /// Headings over text about the document.
    pub(crate) unclaimed_sections: WordSet,
    /// Headings over lists of other works and pages.
    pub(crate) list_sections: WordSet,
    pub(crate) small_print: Phrases,
    /// How captions begin.
    pub(crate) captions: WordList,
    pub(crate) buttons: WordList,
    pub(crate) cookies: WordList,
    /// Whom a cookie note speaks to and about.
    pub(crate) visitors: WordList,
    /// How bylines begin.
    pub(crate) bylines: WordList,
}

/// English, then Japanese.
pub(crate) static PAGE_PARTS: LazyLock<[PageParts; 2]> = LazyLock::new(|| {
    [
        word_list::read(include_str!("../data/en/page_parts.toml")),
        word_list::read(include_str!("../data/ja/page_parts.toml")),
    ]
});

#[cfg(test)]
mod tests {
    use super::*;
    use text::words::folded;

    #[test]
    fn words_are_in_the_form_they_are_compared_in() {
        for file in
            [include_str!("../data/en/page_parts.toml"), include_str!("../data/ja/page_parts.toml")]
        {
            for word in word_list::words_in(file).unwrap() {
                assert_eq!(word, folded(&word).to_lowercase());
            }
        }
    }

    /// A button that is cut out before a longer one leaves the rest of that one behind.
    #[test]
    fn longer_buttons_come_before_those_they_begin_with() {
        for parts in PAGE_PARTS.iter() {
            let buttons: Vec<&str> = parts.buttons.iter().collect();
            for (index, button) in buttons.iter().enumerate() {
                let later = buttons[index + 1..].iter().find(|it| it.starts_with(button));
                assert_eq!(later, None, "{button}");
            }
        }
    }
}
