//! What a program says by itself: one file of messages per language, compiled in.
//!
//! A crate declares its messages as fields of a struct and loads each file with
//! [`word_list::read`](crate::word_list::read): the compiler finds a message that nothing uses, and a
//! file that lacks one or has one too many does not load. Names in braces are filled in;
//! [`placeholders`] lets a test compare them between languages.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

/// A message; in a language that tells one from many, it may have two forms.
#[derive(Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Message {
    Same(String),
    Plural { one: String, other: String },
}

impl Message {
    /// The form for a count.
    pub fn of(&self, count: u32) -> &str {
        self.form(count == 1)
    }

    /// The message with its braces filled in. The value `n` chooses between one and many.
    pub fn fill(&self, values: &[(&str, &str)]) -> String {
        fill(self.form(values.contains(&("n", "1"))), values)
    }

    /// The message of which there is one form only.
    pub fn as_str(&self) -> &str {
        self.form(false)
    }

    fn form(&self, is_one: bool) -> &str {
        match self {
            Self::Plural { one, .. } if is_one => one,
            Self::Plural { other, .. } | Self::Same(other) => other,
        }
    }
}

impl From<&Message> for String {
    fn from(message: &Message) -> Self {
        message.as_str().to_owned()
    }
}

/// A piece of a template: a text, or the name of what is filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'t> {
    Text(&'t str),
    Name(&'t str),
}

pub fn pieces(template: &str) -> impl Iterator<Item = Piece<'_>> {
    template.split('{').enumerate().flat_map(|(index, part)| match part.split_once('}') {
        Some((name, text)) if index > 0 => [Piece::Name(name), Piece::Text(text)],
        _ => [Piece::Text(part), Piece::Text("")],
    })
}

/// Puts values into the braces of a template. Braces in a value stay as they are.
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let value_of = |name| values.iter().find(|value| value.0 == name).map(|value| value.1);
    let filled = pieces(template).map(|piece| match piece {
        Piece::Text(text) => text,
        Piece::Name(name) => value_of(name).unwrap_or_else(|| missing(template, name)),
    });
    filled.collect()
}

/// A template asks for what its caller does not give: a mistake that tests find.
pub fn missing<T: Default>(template: &str, name: &str) -> T {
    debug_assert!(false, "{name} is not given to {template:?}");
    T::default()
}

/// The names in the braces of each message of a file, by its key, for tests that compare languages.
/// Of two forms the one for many counts; the other may leave names out, and must not add any.
///
/// # Panics
///
/// Where the file is not one of messages.
pub fn placeholders(file: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut found = BTreeMap::new();
    let table: toml::Table =
        file.parse().unwrap_or_else(|error| panic!("not a file of messages: {error}"));
    collect("", &toml::Value::Table(table), &mut found);
    found
}

fn collect(key: &str, value: &toml::Value, found: &mut BTreeMap<String, BTreeSet<String>>) {
    match value {
        toml::Value::String(template) => {
            found.insert(key.to_owned(), names(template));
        }
        toml::Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                collect(&format!("{key}.{index}"), value, found);
            }
        }
        toml::Value::Table(table) => match (table.get("one"), table.get("other")) {
            (Some(toml::Value::String(one)), Some(toml::Value::String(other))) => {
                let (one, other) = (names(one), names(other));
                assert!(one.is_subset(&other), "{key}: the form for one asks for more");
                found.insert(key.to_owned(), other);
            }
            _ => {
                for (inner, value) in table {
                    let key = if key.is_empty() { inner.clone() } else { format!("{key}.{inner}") };
                    collect(&key, value, found);
                }
            }
        },
        other => panic!("{key} is {other}"),
    }
}

fn names(template: &str) -> BTreeSet<String> {
    let names = pieces(template).filter_map(|piece| match piece {
        Piece::Name(name) => Some(name.to_owned()),
        Piece::Text(_) => None,
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_in_a_value_stay_as_they_are() {
        assert_eq!(fill("{a} and {b}", &[("a", "{b}"), ("b", "2")]), "{b} and 2");
        assert_eq!(fill("{b}{a}", &[("a", "1"), ("b", "}")]), "}1");
    }

    #[test]
    fn the_value_n_chooses_between_one_and_many() {
        #[derive(Deserialize)]
        struct File {
            pages: Message,
            done: Message,
        }
        let file: File = crate::word_list::read(
            "pages = { one = 'one page of {site}', other = '{n} pages of {site}' }\ndone = 'done'",
        );
        let said = |n: &str| file.pages.fill(&[("n", n), ("site", "a.org")]);
        assert_eq!((said("1"), said("2")), ("one page of a.org".into(), "2 pages of a.org".into()));
        assert_eq!(
            (file.pages.of(1), file.pages.of(0)),
            ("one page of {site}", "{n} pages of {site}")
        );
        assert_eq!(String::from(&file.done), "done");
    }

    #[test]
    fn placeholders_are_found_at_any_depth() {
        let found =
            placeholders("a = '{x} {y}'\n[b]\nc = { one = 'x', other = '{n}' }\nd = ['{p}', '']");
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
        let expected: BTreeMap<String, BTreeSet<String>> = [
            ("a".to_owned(), names(&["x", "y"])),
            ("b.c".to_owned(), names(&["n"])),
            ("b.d.0".to_owned(), names(&["p"])),
            ("b.d.1".to_owned(), names(&[])),
        ]
        .into();
        assert_eq!(found, expected);
    }

    #[test]
    #[should_panic(expected = "the form for one asks for more")]
    fn a_form_for_one_must_not_ask_for_more() {
        placeholders("a = { one = '{x}', other = '{n}' }");
    }
}
