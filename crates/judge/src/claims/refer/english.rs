//! Words that point in English: it, they, this drug, the study, its.

use std::sync::LazyLock;

use serde::Deserialize;
use text::word_list::{self, WordList, WordSet};
use text::words::{latin_words, stem};

use super::{Reference, Topics};
use crate::claims::vocabulary::{EN, VERB_STEMS, is_one_of};

/// The file says what each list is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    ties: WordList,
    bare_ties: WordList,
    kinds: WordSet,
    attributes: WordSet,
    works: WordSet,
    aspects: WordSet,
    joins: WordSet,
    pointers: WordSet,
    finders: WordSet,
    finder_words: WordSet,
    unclear_starts: WordSet,
    finite_verbs: WordSet,
    plurals: WordSet,
    pub(super) generic_headings: WordSet,
}

pub(super) static WORDS: LazyLock<Words> =
    LazyLock::new(|| word_list::read(include_str!("../../../data/en/references.toml")));

pub(super) fn resolve(text: &str, topics: &Topics) -> Reference {
    let stripped = without_tie(text);
    let found = without_finder(&stripped).or_else(|| without_place(&stripped));
    if let Some(found) = found {
        // "We found that this effect was small" points as much as its second half does.
        return resolve(&found, topics);
    }
    let words: Vec<&str> = stripped.split(' ').collect();
    let lower = |at: usize| {
        words.get(at).map_or(String::new(), |it| it.trim_matches([',', '.']).to_lowercase())
    };
    let (first, second, third) = (lower(0), lower(1), lower(2));
    let rest = |from: usize| words[from.min(words.len())..].join(" ");
    match first.as_str() {
        // Who writes so talks to the reader, and what is pointed at stays open.
        "it's" | "it’s" | "that's" | "that’s" | "he's" | "he’s" | "she's" | "she’s" | "they're"
        | "they’re" => Reference::Open,
        "it" if is_empty_it(&words) => Reference::Whole(stripped),
        "it" => named(topics, is_one, |it| format!("{it} {}", rest(1))),
        "they" => named(topics, is_many, |it| format!("{it} {}", rest(1))),
        "he" | "she" => named(topics, is_person, |it| format!("{it} {}", rest(1))),
        "its" => named(topics, is_one, |it| format!("{} {}", owner(it), rest(1))),
        "their" => named(topics, is_many, |it| format!("{} {}", owner(it), rest(1))),
        "his" | "her" => named(topics, is_person, |it| format!("{} {}", owner(it), rest(1))),
        "this" | "these" | "that" | "those" | "such" => {
            if WORDS.kinds.contains(&second) && is_finite(&third) {
                let fits = if first == "these" || first == "those" { is_many } else { is_one };
                named(topics, fits, |it| format!("{it} {}", rest(2)))
            } else {
                Reference::Open
            }
        }
        "the" if WORDS.kinds.contains(&second) && is_finite(&third) => {
            let fits = if looks_plural(&second) { is_many } else { is_one };
            named(topics, fits, |it| format!("{it} {}", rest(2)))
        }
        // "The study showed a reduction in falls" says what was found; "The patients had one" does not say where.
        "the" | "our"
            if WORDS.works.contains(&second)
                && !is_one_of(&third, "of|by|from|published|in|with|on|who|that")
                && !(WORDS.finders.contains(&second) && EN.reports.contains(&third)) =>
        {
            Reference::Open
        }
        "the"
            if is_one_of(
                &second,
                "former|latter|same|other|others|first|second|remaining|above|following",
            ) =>
        {
            Reference::Open
        }
        "of" | "among" | "in" | "with" | "for" | "from"
            if is_one_of(&second, "these|them|this|those|which|that|both|all|each|our") =>
        {
            Reference::Open
        }
        "we" if EN.reports.contains(&second) => Reference::Whole(stripped),
        "both" if words.contains(&"and") => Reference::Whole(stripped),
        "we" | "our" | "both" | "neither" | "another" | "others" | "here" | "one"
            if !is_one_of(&second, "of|in|person|study|hundred|million") =>
        {
            Reference::Open
        }
        _ => Reference::Whole(stripped),
    }
}

/// Puts in what fits.
fn named(
    topics: &Topics,
    fits: impl Fn(&str) -> bool,
    write: impl Fn(&str) -> String,
) -> Reference {
    match topics.find(false, fits) {
        Some(subject) => Reference::Named(capitalised(&write(subject))),
        None => Reference::Open,
    }
}

/// What a sentence is about: the words before its verb, if they are few and clear.
pub(in crate::claims) fn subject(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split(' ').collect();
    let is_verb = |at: &usize| {
        is_finite(&plain(words[*at])) && !EN.before_nouns.contains(&plain(words[at - 1]))
    };
    let verb = (1..words.len().min(9)).find(is_verb)?;
    let adverb = |it: &&&str| {
        plain(it).ends_with("ly") || is_one_of(&plain(it), "also|now|still|often|even|then")
    };
    let adverbs = words[..verb].iter().rev().take_while(adverb).count();
    let phrase = words[..verb - adverbs].join(" ");
    // "Aspirin's use" is about aspirin.
    let phrase = match phrase.split_once("'s ").or_else(|| phrase.split_once("s' ")) {
        Some((owner, _)) => owner.to_owned(),
        None => phrase,
    };
    is_clear(&phrase).then_some(phrase)
}

/// What a title is about, where that is clear.
pub(super) fn subject_of_title(title: &str) -> Option<String> {
    let title = title.split([':', '：']).next().unwrap_or(title).trim();
    let named = ["What is ", "What are ", "About ", "All about ", "Understanding "]
        .iter()
        .find_map(|it| title.strip_prefix(it));
    let title = named.unwrap_or(title);
    let words: Vec<&str> = title.split(' ').collect();
    let after_the = usize::from(words.first().is_some_and(|it| plain(it) == "the"));
    let aspect = words.get(after_the).is_some_and(|it| WORDS.aspects.contains(&plain(it)));
    if aspect && words.get(after_the + 1) == Some(&"of") {
        let rest = &words[after_the + 2..];
        let end = rest
            .iter()
            .position(|it| is_one_of(&plain(it), "on|in|for|and|among|during|to"))
            .unwrap_or(rest.len());
        let phrase = rest[..end].join(" ");
        let joined = rest.get(end).is_some_and(|it| *it == "and");
        return (is_clear(&phrase) && !joined).then_some(phrase);
    }
    if let Some(subject) = subject(title) {
        return Some(subject);
    }
    let short = words.len() <= 4 && !words.iter().any(|it| WORDS.joins.contains(&plain(it)));
    (short
        && is_clear(title)
        && (named.is_some() || title.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())))
    .then(|| title.to_owned())
}

fn is_clear(phrase: &str) -> bool {
    let words: Vec<String> = phrase.split(' ').map(plain).collect();
    !phrase.is_empty()
        && words.len() <= 6
        && !phrase.contains([',', ';', '(', ')', '"'])
        && !words.first().is_some_and(|it| WORDS.unclear_starts.contains(it))
        && !words
            .iter()
            .any(|it| WORDS.works.contains(it) || is_one_of(it, "and|or|that|which|who|we|to"))
        && !words.iter().any(|it| EN.auxiliaries.contains(it))
        && !WORDS.attributes.contains(&plain(head(phrase)))
}

fn plain(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric() && c != '&').to_lowercase()
}

/// A verb in a form that follows a subject.
fn is_finite(lower: &str) -> bool {
    if EN.auxiliaries.contains(lower) {
        return true;
    }
    let known = VERB_STEMS.contains(&stem(lower));
    let inflected = lower.ends_with("ed") || (lower.ends_with('s') && !lower.ends_with("ss"));
    WORDS.finite_verbs.contains(lower) || (known && inflected)
}

/// "It is estimated that ...", "It takes ...": no thing is meant.
fn is_empty_it(words: &[&str]) -> bool {
    let lower: Vec<String> = words.iter().take(8).map(|it| plain(it)).collect();
    let verb = lower.get(1).map_or("", String::as_str);
    if is_one_of(verb, "takes|took|rained|snowed|turns|turned|follows") {
        return true;
    }
    let is_being = is_one_of(
        verb,
        "is|was|has|seems|appears|remains|became|would|could|may|might|can|should|will",
    );
    is_being && lower.iter().skip(2).any(|it| matches!(it.as_str(), "that" | "whether"))
}

/// "We found that X", "The results of this study show that X" say X; who found it is not known here.
fn without_finder(text: &str) -> Option<String> {
    let that = text.find(" that ")?;
    let before: Vec<String> = latin_words(&text[..that]).map(str::to_lowercase).collect();
    let unnamed = |word: &String| {
        WORDS.finders.contains(word)
            || WORDS.finder_words.contains(word)
            || word.ends_with("ly")
            || EN.reports.contains(word)
    };
    let reports = before.iter().any(|it| EN.reports.contains(it) || it == "evidence");
    let finder = before.iter().any(|it| WORDS.finders.contains(it)) || is_passive_report(&before);
    let finds = finder && reports && before.iter().all(unnamed);
    let found = text[that + " that ".len()..].trim();
    let points = found.split(' ').next().is_some_and(|it| WORDS.pointers.contains(&plain(it)));
    (finds && before.len() <= 12 && !points).then(|| capitalised(found))
}

/// "It was concluded that", "It is estimated that" aside: what is only estimated is not found.
fn is_passive_report(words: &[String]) -> bool {
    let [it, verb, rest @ ..] = words else { return false };
    it == "it"
        && is_one_of(verb, "is|was|has|can")
        && rest.iter().any(|it| is_one_of(it, "concluded|shown|found|demonstrated|confirmed"))
}

/// "In this study, X": X was found there, and where is known from its passage.
fn without_place(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split(' ').collect();
    let [preposition, pointer, rest @ ..] = &words[..] else { return None };
    let places = is_one_of(&plain(preposition), "in|from|within")
        && is_one_of(&plain(pointer), "this|our|the|these");
    // "In this small prospective study": at most three words describe it.
    let noun = rest.iter().take(4).position(|it| WORDS.finders.contains(&plain(it)))?;
    let found = rest[noun + 1..].join(" ");
    let goes_on = rest[noun].ends_with(',') || plain(pointer) != "the" && !starts_inside(&found);
    (places && goes_on && !found.is_empty()).then(|| capitalised(&found))
}

/// "In this study of women ..." is not over behind its noun.
fn starts_inside(text: &str) -> bool {
    let first = plain(text.split(' ').next().unwrap_or_default());
    EN.before_nouns.contains(&first) && !is_one_of(&first, "the|a|an|no|more|fewer|its|their")
        || is_one_of(&first, "who|which|that|population|was|were|is|we|group|groups")
}

fn without_tie(text: &str) -> String {
    let lower = text.to_lowercase();
    let comma = WORDS
        .ties
        .iter()
        .find_map(|it| lower.strip_prefix(it)?.starts_with(", ").then_some(it.len() + 2));
    let bare = || {
        WORDS
            .bare_ties
            .iter()
            .find_map(|it| lower.strip_prefix(it)?.starts_with(' ').then_some(it.len() + 1))
    };
    match comma.or_else(bare) {
        // Lower case can change the length of letters, never of these ASCII words.
        Some(length) => capitalised(text.get(length..).unwrap_or(text)),
        None => text.to_owned(),
    }
}

/// With a capital at the start, unless the first word is written its own way (`mRNA`, `pH`).
pub(crate) fn capitalised(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or_default();
    if first.chars().skip(1).any(char::is_uppercase) {
        return text.to_owned();
    }
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

fn owner(name: &str) -> String {
    if name.ends_with('s') { format!("{name}'") } else { format!("{name}'s") }
}

fn looks_plural(word: &str) -> bool {
    let lower = word.to_lowercase();
    WORDS.plurals.contains(&lower)
        || (lower.len() > 3
            && lower.ends_with('s')
            && !["ss", "us", "is", "os", "as", "itis"].iter().any(|it| lower.ends_with(it)))
}

/// The last word before any "of" or "in" says the number.
fn head(phrase: &str) -> &str {
    let end = [" of ", " in ", " for ", " with ", " from ", " against "]
        .iter()
        .filter_map(|it| phrase.find(it))
        .min();
    phrase[..end.unwrap_or(phrase.len())].split(' ').next_back().unwrap_or_default()
}

fn is_one(phrase: &str) -> bool {
    !looks_plural(head(phrase)) && !is_many(phrase)
}

fn is_many(phrase: &str) -> bool {
    looks_plural(head(phrase))
}

/// Two or more capitalised words, or a title before a name.
fn is_person(phrase: &str) -> bool {
    let words: Vec<&str> = phrase.split(' ').collect();
    (2..=4).contains(&words.len())
        && words.iter().all(|it| it.starts_with(char::is_uppercase))
        && !looks_plural(phrase)
        && !words
            .iter()
            .any(|it| it.chars().filter(|c| c.is_uppercase()).count() > 1 && it.len() > 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_name_what_they_are_about_where_it_is_clear() {
        let table = [
            ("Aspirin", Some("Aspirin")),
            ("Vitamin D", Some("Vitamin D")),
            ("Effects of vitamin D on falls in older adults", Some("vitamin D")),
            ("The history of the Golden Gate Bridge", Some("the Golden Gate Bridge")),
            ("Vitamin D does not prevent falls", Some("Vitamin D")),
            ("What is malaria", Some("malaria")),
            ("Vitamin D and falls", None),
            ("Trends in obesity among children", None),
            ("How to sleep better", None),
            ("", None),
        ];
        for (title, expected) in table {
            assert_eq!(subject_of_title(title).as_deref(), expected, "{title}");
        }
    }

    #[test]
    fn subjects_are_the_words_before_the_verb() {
        let table = [
            ("Aspirin inhibits COX-1.", Some("Aspirin")),
            ("The Golden Gate Bridge was opened in 1937.", Some("The Golden Gate Bridge")),
            ("Statins also reduce mortality.", Some("Statins")),
            ("In 2010, falls rose.", None),
            ("The study found an effect.", None),
            ("It was opened.", None),
        ];
        for (text, expected) in table {
            assert_eq!(subject(text).as_deref(), expected, "{text}");
        }
    }
}
