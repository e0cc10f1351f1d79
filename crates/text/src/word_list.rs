//! Lists of words, kept in data files that are compiled in.
//!
//! A file is TOML; its lists become fields of a struct, so a list that is missing or misspelt does not
//! load. Every file is loaded by a test. [`read`] goes into a `LazyLock`: a file is parsed when its
//! words are first asked for.

use std::collections::HashSet;

use aho_corasick::AhoCorasick;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use unicode_normalization::is_nfc;

/// Reads a data file that is part of the program.
///
/// # Panics
///
/// Where the file does not fit its type or a list has a word twice. No input of users comes here.
pub fn read<T: DeserializeOwned>(file: &'static str) -> T {
    toml::from_str(file).unwrap_or_else(|error| panic!("a word list does not load: {error}"))
}

/// Words in the order of their file.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub struct WordList(Vec<String>);

impl WordList {
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Whether one of the words is somewhere in the text.
    pub fn any_in(&self, text: &str) -> bool {
        self.iter().any(|word| text.contains(word))
    }

    /// Whether the text starts with one of the words.
    pub fn any_starts(&self, text: &str) -> bool {
        self.iter().any(|word| text.starts_with(word))
    }

    /// Whether the text ends with one of the words.
    pub fn any_ends(&self, text: &str) -> bool {
        self.iter().any(|word| text.ends_with(word))
    }
}

impl TryFrom<Vec<String>> for WordList {
    type Error = String;

    fn try_from(words: Vec<String>) -> Result<Self, String> {
        checked(words).map(Self)
    }
}

/// Words that are looked up as a whole.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub struct WordSet(HashSet<String>);

impl WordSet {
    pub fn contains(&self, word: &str) -> bool {
        self.0.contains(word)
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

impl TryFrom<Vec<String>> for WordSet {
    type Error = String;

    fn try_from(words: Vec<String>) -> Result<Self, String> {
        checked(words).map(|it| Self(it.into_iter().collect()))
    }
}

/// Phrases that are looked for anywhere in a text, all in one pass: trying each in turn took most of
/// the time of reading a page.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub struct Phrases(AhoCorasick);

impl Phrases {
    /// Whether one of the phrases is in the text.
    pub fn any_in(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

impl TryFrom<Vec<String>> for Phrases {
    type Error = String;

    fn try_from(phrases: Vec<String>) -> Result<Self, String> {
        AhoCorasick::new(checked(phrases)?).map(Self).map_err(|error| error.to_string())
    }
}

/// Every word of a data file, for tests of the form that words must have.
pub fn words_in(file: &str) -> Result<Vec<String>, toml::de::Error> {
    let mut words = Vec::new();
    let mut open = vec![toml::Value::Table(toml::from_str(file)?)];
    while let Some(value) = open.pop() {
        match value {
            toml::Value::String(word) => words.push(word),
            toml::Value::Array(values) => open.extend(values),
            toml::Value::Table(table) => open.extend(table.into_iter().map(|it| it.1)),
            _ => {}
        }
    }
    Ok(words)
}

fn checked(words: Vec<String>) -> Result<Vec<String>, String> {
    let mut seen = HashSet::new();
    for word in &words {
        if word.trim().is_empty() {
            return Err("an empty word".to_owned());
        }
        if !is_nfc(word) {
            return Err(format!("“{word}” is not in normal form (NFC)"));
        }
        if !seen.insert(word) {
            return Err(format!("“{word}” is there twice"));
        }
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Lists {
        list: WordList,
        set: WordSet,
        phrases: Phrases,
    }

    fn parsed(list: &str) -> Result<Lists, String> {
        let file = format!("list = {list}\nset = ['one']\nphrases = ['a b', '漢字']");
        toml::from_str(&file).map_err(|error| error.message().to_owned())
    }

    #[test]
    fn lists_answer_what_they_are_asked() {
        let lists = parsed("['re', 'un']").unwrap();
        assert_eq!(lists.list.iter().collect::<Vec<_>>(), ["re", "un"]);
        let asked = |text: &str| {
            (lists.list.any_in(text), lists.list.any_starts(text), lists.list.any_ends(text))
        };
        assert_eq!(asked("redo"), (true, true, false));
        assert_eq!(asked("more"), (true, false, true));
        assert_eq!(asked("do"), (false, false, false));
        assert_eq!((lists.set.contains("one"), lists.set.contains("on")), (true, false));
        assert_eq!((lists.phrases.any_in("xa bx"), lists.phrases.any_in("ab")), (true, false));
        assert!(lists.phrases.any_in("この漢字は"));
    }

    #[test]
    fn a_list_with_a_slip_does_not_load() {
        let error = |list: &str| parsed(list).unwrap_err();
        assert_eq!(error("['a', 'b', 'a']"), "“a” is there twice");
        assert_eq!(error("['a', ' ']"), "an empty word");
        assert_eq!(error("[\"か\\u3099\"]"), "“か\u{3099}” is not in normal form (NFC)");
        assert!(error("[]\nother = ['x']").starts_with("unknown field `other`"));
    }

    #[test]
    fn all_words_of_a_file_are_listed() {
        let mut words = words_in("a = ['x', 'y']\n[b]\nc = ['z']\nd = 3").unwrap();
        words.sort();
        assert_eq!(words, ["x", "y", "z"]);
    }
}
