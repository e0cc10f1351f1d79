//! What a sentence points at, put into words: "It reduced falls" under "Vitamin D" becomes "Vitamin D
//! reduced falls".
//!
//! A word that points is replaced only where what it points at is clear: the subject of the sentence
//! just before, or of the title, and of the right number. Any other sentence that points stays open: a
//! title in front of it would not say what is meant.

mod english;
mod japanese;

pub(crate) use english::capitalised;
pub(super) use english::subject as english_subject;
pub(super) use japanese::subject as japanese_subject;

use super::ClaimSource;
use text::words::is_japanese;

/// A sentence and what it took to make it stand alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reference {
    /// It stands alone as it is.
    Whole(String),
    /// A word that points was replaced by what it points at.
    Named(String),
    /// It refers to something unknown, or to something that no word is known for.
    Open,
}

/// What sentences of a passage can point at.
#[derive(Debug)]
pub(super) struct Topics {
    /// Subjects of title and headings, the title first.
    subjects: Vec<String>,
    /// The subject of the sentence just before, and its language.
    previous: Option<(String, bool)>,
}

impl Topics {
    pub(super) fn new(source: &ClaimSource<'_>) -> Self {
        let title = source.title.map(name_of_page).filter(|it| !it.is_empty());
        let headings = source.headings.iter().rev().map(|it| name_of_page(it));
        let headings: Vec<&str> = headings.filter(|it| !it.is_empty() && !is_generic(it)).collect();
        let subjects = title.into_iter().chain(headings).filter_map(|title| {
            if is_japanese(title) {
                japanese::subject_of_title(title)
            } else {
                english::subject_of_title(title)
            }
        });
        Self { subjects: subjects.collect(), previous: None }
    }

    /// Makes a sentence stand alone and remembers what it was about.
    pub(super) fn resolve(&mut self, text: &str, japanese: bool) -> Reference {
        let resolved =
            if japanese { japanese::resolve(text, self) } else { english::resolve(text, self) };
        let about = match &resolved {
            Reference::Whole(text) | Reference::Named(text) => {
                if japanese {
                    japanese::subject(text)
                } else {
                    english::subject(text)
                }
            }
            Reference::Open => None,
        };
        self.previous = about.map(|it| (it, japanese));
        resolved
    }

    /// A sentence that must not be pointed at.
    pub(super) fn forget(&mut self) {
        self.previous = None;
    }

    /// The nearest subject that fits.
    fn find(&self, japanese: bool, fits: impl Fn(&str) -> bool) -> Option<&str> {
        let previous = self.previous.iter().filter(|it| it.1 == japanese).map(|it| it.0.as_str());
        let mut subjects = previous.chain(
            self.subjects.iter().map(String::as_str).filter(|it| is_japanese(it) == japanese),
        );
        subjects.find(|it| fits(it))
    }
}

/// A title without the name of the site behind it.
fn name_of_page(title: &str) -> &str {
    let marks = [" | ", " - ", " – ", " — ", "｜", " :: ", "｜ ", "|"];
    let end = marks.iter().filter_map(|it| title.find(it)).filter(|it| *it > 0).min();
    title[..end.unwrap_or(title.len())].trim().trim_end_matches(['.', '。', '?', '？', '!', '！'])
}

/// Headings that name a part of a document and not what it is about.
fn is_generic(heading: &str) -> bool {
    let plain = heading.to_lowercase();
    let plain = plain.trim_start_matches(|c: char| {
        c.is_ascii_digit() || matches!(c, '.' | ' ' | ')' | '第' | '章' | '節')
    });
    let plain = plain.trim_end_matches([':', '：']);
    english::WORDS.generic_headings.contains(plain)
        || japanese::WORDS.generic_headings.contains(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use text::word_list::words_in;
    use text::words::folded;

    #[test]
    fn words_are_in_the_form_they_are_compared_in() {
        for file in [
            include_str!("../../data/en/references.toml"),
            include_str!("../../data/ja/references.toml"),
        ] {
            for word in words_in(file).unwrap() {
                assert_eq!(word, folded(&word).to_lowercase());
            }
        }
    }

    #[test]
    fn parts_of_documents_are_generic_headings() {
        assert!(is_generic("2. Results:") && is_generic("第3章 考察"));
        assert!(!is_generic("Vitamin D") && !is_generic("ビタミンD"));
    }
}
