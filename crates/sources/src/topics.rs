//! What a question is about, and which of its words to ask a source with.
//!
//! Laws are asked of those who know laws: a source names its topics, and the words of a question say which of them it
//! touches (`data/topics.toml`). Most official APIs want every word of a query in a record, so a whole question finds
//! nothing there; they are asked with the few words that say the most. Pure.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use text::script::{is_kanji, is_katakana};
use text::word_list::{self, WordList, WordSet};
use text::words::{folded, is_stop_word, latin_words};

/// What a source knows about, and a question may be about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Topic {
    Law,
    Parliament,
    Statistics,
    Company,
    Medicine,
    /// What is studied: causes, effects, trials.
    Research,
    /// Physics, mathematics, computing, materials.
    ExactScience,
    /// What something or somebody is.
    Thing,
    Book,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    ja: WordList,
    en: WordList,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EmptyWords {
    ja: WordSet,
    en: WordSet,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    law: Words,
    parliament: Words,
    statistics: Words,
    company: Words,
    medicine: Words,
    research: Words,
    exact_science: Words,
    thing: Words,
    book: Words,
    empty: EmptyWords,
}

static WORDS: LazyLock<File> =
    LazyLock::new(|| word_list::read(include_str!("../data/topics.toml")));

/// What a question is about; nothing where no word says it.
pub(crate) fn of(question: &str) -> Vec<Topic> {
    let text = folded(question).to_lowercase();
    // Between spaces, so that `act` is not found in `fact`.
    let words = format!(" {} ", latin_words(&text).collect::<Vec<_>>().join(" "));
    let file = &*WORDS;
    let lists = [
        (Topic::Law, &file.law),
        (Topic::Parliament, &file.parliament),
        (Topic::Statistics, &file.statistics),
        (Topic::Company, &file.company),
        (Topic::Medicine, &file.medicine),
        (Topic::Research, &file.research),
        (Topic::ExactScience, &file.exact_science),
        (Topic::Thing, &file.thing),
        (Topic::Book, &file.book),
    ];
    let says = |list: &Words| {
        list.ja.any_in(&text) || list.en.iter().any(|it| words.contains(&format!(" {it} ")))
    };
    lists.into_iter().filter(|it| says(it.1)).map(|it| it.0).collect()
}

/// At most `most` words of a question, those that say the most, in their order.
///
/// Japanese is cut where hiragana binds its words. The longest say the most: `個人情報保護法` more than `会社`.
pub(crate) fn words_of(question: &str, most: usize) -> String {
    let folded = folded(question);
    let mut words: Vec<&str> = Vec::new();
    for word in folded.split(|it: char| !(it.is_alphanumeric() || "-'’".contains(it))) {
        words.extend(if word.is_ascii() { vec![word] } else { unbound(word) });
    }
    let mut seen = Vec::new();
    words.retain(|it| {
        let word = it.to_lowercase();
        let fresh = says_something(&word) && !seen.contains(&word);
        seen.push(word);
        fresh
    });
    let mut ranked: Vec<(usize, &str)> = words.iter().copied().enumerate().collect();
    ranked.sort_by_key(|(place, word)| (std::cmp::Reverse(weight(word)), *place));
    ranked.truncate(most.max(1));
    ranked.sort_by_key(|it| it.0);
    ranked.into_iter().map(|it| it.1).collect::<Vec<_>>().join(" ")
}

/// Runs of kanji, katakana and other letters between hiragana.
fn unbound(word: &str) -> Vec<&str> {
    let is_part =
        |it: char| is_kanji(it) || is_katakana(it) || (it.is_alphanumeric() && it.is_ascii());
    word.split(|it: char| !is_part(it)).filter(|it| !it.is_empty()).collect()
}

fn says_something(word: &str) -> bool {
    let empty = &WORDS.empty;
    let is_long_enough = match word.is_ascii() {
        true => word.len() > 1 || word.starts_with(|it: char| it.is_ascii_digit()),
        false => word.chars().count() > 1,
    };
    is_long_enough && !is_stop_word(word) && !empty.en.contains(word) && !empty.ja.contains(word)
}

/// How much a word says: a letter of Chinese is worth about two of the alphabet, and names are written large.
fn weight(word: &str) -> usize {
    let letters: usize = word.chars().map(|it| if it.is_ascii() { 1 } else { 2 }).sum();
    let is_name = word.starts_with(|it: char| it.is_ascii_uppercase());
    letters + if is_name { 4 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_question_say_what_it_is_about() {
        for (question, topics) in [
            ("敷金の返還は法律で定められているか", vec![Topic::Law]),
            ("Does aspirin reduce the risk of stroke?", vec![Topic::Medicine, Topic::Research]),
            ("国会で電子投票は審議されたか", vec![Topic::Parliament]),
            ("日本の出生率は上がったか", vec![Topic::Statistics]),
            ("例示製作所株式会社の売上高は増えたか", vec![Topic::Company]),
            ("Is the facts library older than react?", vec![]),
            ("Who is the founder of the company?", vec![Topic::Thing]),
            ("Does quantum error correction scale?", vec![Topic::ExactScience]),
        ] {
            assert_eq!(of(question), topics, "{question}");
        }
    }

    #[test]
    fn a_question_is_cut_to_the_words_that_say_the_most() {
        for (question, most, words) in [
            ("個人情報保護法は中小企業の負担を増やしたか", 1, "個人情報保護法"),
            ("個人情報保護法は中小企業の負担を増やしたか", 2, "個人情報保護法 中小企業"),
            ("夜勤の睡眠と血糖には関係があるか", 3, "夜勤 睡眠 血糖"),
            ("Does aspirin really reduce the risk of stroke?", 3, "aspirin stroke"),
            ("Is the Platform Records Act in force?", 2, "Platform Records"),
            ("COVID-19 ワクチンの副反応", 9, "COVID-19 ワクチン 副反応"),
            ("？", 3, ""),
        ] {
            assert_eq!(words_of(question, most), words, "{question}");
        }
    }
}
