//! English words of a query: their positions, which of them carry meaning, and the key under which
//! the dictionary knows them.

use std::ops::Range;

use crate::script;
use crate::word_lists::EN;
use text::script::is_japanese;

/// Whether a word carries no content of its own.
pub(crate) fn is_stop_word(lower: &str) -> bool {
    lower.len() < 2 || EN.stop_words.contains(lower)
}

/// One run of letters and digits, or of Japanese writing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) bytes: Range<usize>,
    /// Whether only a space, a hyphen or an apostrophe separates this word from the one before.
    pub(crate) joined: bool,
    pub(crate) japanese: bool,
    /// Whether it says nothing by itself.
    pub(crate) stop: bool,
}

/// The words of a text in order.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let mut words = cut(text);
    // In a text of capitals alone they say nothing.
    let shouted = !text.chars().any(|c| c.is_lowercase() || is_japanese(c));
    for word in words.iter_mut().filter(|it| !it.japanese) {
        let written = &text[word.bytes.clone()];
        let named = is_capitals(written) || is_letter(written);
        word.stop = is_stop_word(&written.to_lowercase()) && (shouted || !named);
    }
    words
}

fn cut(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut joined = false;
    for (at, c) in text.char_indices() {
        let japanese = is_japanese(c);
        if !japanese && !c.is_alphanumeric() {
            let touches = words.last().is_some_and(|it| it.bytes.end == at);
            joined = touches && matches!(c, ' ' | '-' | '\'' | '’');
            continue;
        }
        let end = at + c.len_utf8();
        match words.last_mut() {
            Some(last) if last.bytes.end == at && last.japanese == japanese => last.bytes.end = end,
            last => {
                let joined = joined && last.is_some();
                words.push(Word { bytes: at..end, joined, japanese, stop: false });
            }
        }
        joined = false;
    }
    words
}

/// The key of a term: lower case, hyphens as spaces, no possessive, American spelling, the
/// last word in the singular.
pub(crate) fn key(term: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut capitals = false;
    for word in cut(term) {
        let written = &term[word.bytes.clone()];
        let lower = written.to_lowercase();
        if lower == "s" && word.joined && term[..word.bytes.start].ends_with(['\'', '’']) {
            continue;
        }
        capitals = is_capitals(written);
        parts.push(lower);
    }
    // AIDS is not several of anything.
    if let Some(last) = parts.last_mut().filter(|_| !capitals) {
        *last = singular(last);
    }
    for part in &mut parts {
        if let Some(american) = script::american(part) {
            american.clone_into(part);
        }
    }
    parts.join(" ")
}

/// A key, not grammar: `series` becomes `sery` on both sides. The same rules as in
/// `training/encoder/terms.py`.
pub(crate) fn singular(word: &str) -> String {
    let ends = |endings: &[&str]| endings.iter().any(|it| word.ends_with(it));
    let length = word.chars().count();
    if length > 4 && ends(&["ies"]) {
        return format!("{}y", &word[..word.len() - 3]);
    }
    if length > 4 && ends(&["sses", "xes", "zes", "ches", "shes"]) {
        return word[..word.len() - 2].to_owned();
    }
    if length > 3 && ends(&["s"]) && !ends(&["ss", "us", "is", "news"]) {
        return word[..word.len() - 1].to_owned();
    }
    word.to_owned()
}

/// What a form in -ing or -ed may be a form of, the likeliest first.
pub(crate) fn base_forms(lower: &str) -> Vec<String> {
    let Some(stem) = ["ing", "ed"].iter().find_map(|it| lower.strip_suffix(it)) else {
        return Vec::new();
    };
    let letters: Vec<char> = stem.chars().collect();
    let mut forms = vec![format!("{stem}e"), stem.to_owned()];
    match letters[..] {
        [.., a, b] if a == b && letters.len() > 2 => {
            forms.push(stem[..stem.len() - b.len_utf8()].to_owned())
        }
        [.., 'i'] => forms.push(format!("{}y", &stem[..stem.len() - 1])),
        _ => {}
    }
    forms.retain(|it| it.chars().count() > 2);
    forms
}

/// Two or more letters, all of them capitals: WHO is not `who`.
pub(crate) fn is_capitals(word: &str) -> bool {
    word.chars().count() > 1 && word.chars().all(char::is_uppercase)
}

/// A letter that names something: vitamin D, hepatitis B.
fn is_letter(word: &str) -> bool {
    matches!(word.as_bytes(), [b'B'..=b'H' | b'J'..=b'Z'])
}

/// Whether a word is a name by its writing: `PostgreSQL`, `WHO`, `H5N1`. Such words are the same in Japanese text.
pub(crate) fn is_code(word: &str) -> bool {
    is_letter(word)
        || word.chars().any(|c| c.is_numeric())
        || word.chars().filter(|c| c.is_uppercase()).count() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_that_differ_in_number_hyphens_or_case_have_one_key() {
        for (term, expected) in [
            ("Heart attacks", "heart attack"),
            ("COVID-19", "covid 19"),
            ("Parkinson's disease", "parkinson disease"),
            ("Parkinson’s Diseases", "parkinson disease"),
            ("allergies", "allergy"),
            ("biases", "biase"),
            ("boxes", "box"),
            ("analysis", "analysis"),
            ("virus", "virus"),
            ("gas", "gas"),
            ("News", "news"),
            ("randomised trials", "randomized trial"),
            ("Tumours", "tumor"),
            ("AIDS", "aids"),
            ("aids", "aid"),
            ("", ""),
            ("--", ""),
        ] {
            assert_eq!(key(term), expected, "{term}");
        }
    }

    #[test]
    fn forms_of_verbs_lead_back_to_the_verb() {
        assert_eq!(base_forms("reducing"), ["reduce", "reduc"]);
        assert_eq!(base_forms("stopped"), ["stoppe", "stopp", "stop"]);
        assert_eq!(base_forms("studied"), ["studie", "studi", "study"]);
        assert_eq!(base_forms("sing"), [""; 0]);
        assert_eq!(base_forms("vaccine"), [""; 0]);
    }

    #[test]
    fn only_spaces_hyphens_and_apostrophes_join_words() {
        let joined: Vec<_> = words("type-2 diabetes, insulin (HbA1c) 東京 city")
            .into_iter()
            .map(|it| it.joined)
            .collect();
        assert_eq!(joined, [false, true, true, false, false, false, true]);
    }
}
