//! Whether a hypothesis is something sources can support or refute: one statement, in a language that is read.
//!
//! What is not gets a reason instead of a number that looks like one.

use std::sync::LazyLock;

use serde::Deserialize;
use text::language::{Language, Languages, detect};
use text::script::is_hiragana;
use text::word_list::{self, WordList, WordSet};
use text::words::{folded, is_japanese, latin_words};

use crate::claims::english;

/// Why nothing can be said for or against a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotJudgeable {
    /// There are no words in it.
    Empty,
    /// It asks and does not state.
    Question,
    /// It names several things, or makes several statements one under the other.
    List,
    /// It is in a language that no rules and no built-in model read.
    Language(Language),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct English {
    asking: WordSet,
    verbs: WordSet,
    open: WordSet,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Japanese {
    asking: WordList,
    first: WordList,
    harmless: WordList,
}

static EN: LazyLock<English> =
    LazyLock::new(|| word_list::read(include_str!("../data/en/hypothesis.toml")));
static JA: LazyLock<Japanese> =
    LazyLock::new(|| word_list::read(include_str!("../data/ja/hypothesis.toml")));

/// What items of a list begin with, a number with a mark behind it aside.
const BULLETS: [char; 9] = ['-', '*', '•', '‣', '–', '・', '●', '○', '■'];
/// As many things beside each other are a list; two may be "A, B" for "A and B".
const LEAST_ITEMS: usize = 3;
/// The longest thing in an English list, in words.
const LONGEST_ITEM: usize = 3;

/// Says whether a text is a statement that can be judged.
pub fn judgeable(text: &str) -> Result<(), NotJudgeable> {
    let language = detect(text);
    if language == Language::NONE {
        return Err(NotJudgeable::Empty);
    }
    if !Languages::new(["en", "ja"]).admit(&language) {
        return Err(NotJudgeable::Language(language));
    }
    if is_lines(text) {
        return Err(NotJudgeable::List);
    }
    let plain = folded(text);
    let plain = plain.trim();
    let (asks, lists) = match is_japanese(plain) {
        true => (asks_ja(plain), lists_ja(plain)),
        false => (asks_en(plain), lists_en(plain)),
    };
    match (asks, lists) {
        (true, _) => Err(NotJudgeable::Question),
        (false, true) => Err(NotJudgeable::List),
        (false, false) => Ok(()),
    }
}

/// Several lines that are items, or more of them than a wrapped sentence has.
fn is_lines(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
    let is_item = |line: &&&str| {
        let numbered = line.trim_start_matches(|it: char| it.is_ascii_digit());
        line.starts_with(BULLETS)
            || (numbered.len() < line.len() && numbered.starts_with(['.', ')', '．', '）', ':']))
    };
    lines.len() > 1 && lines.iter().filter(is_item).count() > 1
}

fn asks_en(plain: &str) -> bool {
    let words: Vec<String> = latin_words(plain).map(str::to_lowercase).collect();
    let first = words.first().map_or("", String::as_str);
    plain.trim_end_matches(['"', ')', '\'', ' ', '.']).ends_with('?')
        || EN.asking.contains(first)
        || EN.verbs.contains(first)
        // "If taken daily, aspirin prevents strokes" goes on behind its clause.
        || (EN.open.contains(first) && !plain.contains(','))
}

fn asks_ja(plain: &str) -> bool {
    let body = plain.trim_end_matches(['。', '」', ')', '.', ' ', '｡']);
    body.ends_with('?')
        || JA.first.any_starts(body)
        || (JA.asking.any_ends(body) && !JA.harmless.any_ends(body))
}

/// Things beside each other: all of them short, and no verb behind the last, where that of a sentence would be.
fn lists_en(plain: &str) -> bool {
    let items: Vec<usize> =
        plain.split([',', ';']).map(|it| latin_words(it).count()).filter(|it| *it > 0).collect();
    let last = plain.rsplit([',', ';']).next().unwrap_or_default();
    let states = items.last().is_some_and(|it| *it > 1) && english::has_verb(last);
    items.len() >= LEAST_ITEMS && items.iter().all(|it| *it <= LONGEST_ITEM) && !states
}

/// Things beside each other without a predicate, which would end in hiragana.
fn lists_ja(plain: &str) -> bool {
    let items = plain.split(['、', '・', ',', ';', '/']).filter(|it| !it.trim().is_empty()).count();
    let body = plain.trim_end_matches(['。', '.', ' ']);
    let ends = body.ends_with("など") || !body.ends_with(is_hiragana);
    items >= LEAST_ITEMS && ends && !body.contains('は')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_can_be_judged() {
        for text in [
            "Aspirin reduces fever.",
            "Plate clearing increases the risk of obesity",
            "Vitamin D, calcium and exercise reduce falls in older people.",
            "If taken daily, aspirin prevents strokes.",
            "No evidence links vaccines to autism.",
            "The levels of IL-2, IL-4, TNFalpha, and IL-6 reflect the inflammation of the pancreas.",
            "Tea, coffee, cocoa help.",
            "在宅勤務は生産性を下げる。",
            "在宅勤務は生産性を下げない",
            "喫煙、飲酒、肥満は心疾患の危険因子である。",
            "効果は軽症例にしかない。",
        ] {
            assert_eq!(judgeable(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn what_asks_is_a_question() {
        for text in [
            "Does aspirin reduce fever?",
            "does aspirin reduce fever",
            "Which factors cause obesity",
            "Aspirin reduces fever?",
            "Whether aspirin reduces fever",
            "在宅勤務は生産性を下げるか",
            "在宅勤務は生産性を下げますか。",
            "在宅勤務は生産性を下げるのでしょうか？",
            "なぜ生産性は下がったのか",
            "どのような要因が肥満を招く",
        ] {
            assert_eq!(judgeable(text), Err(NotJudgeable::Question), "{text}");
        }
    }

    #[test]
    fn things_beside_or_below_each_other_are_a_list() {
        for text in [
            "smoking, alcohol, obesity",
            "productivity, costs, resignations",
            "blood pressure; body weight; and sleep",
            "- Aspirin reduces fever.\n- Aspirin thins the blood.",
            "1. Aspirin reduces fever\n2. Aspirin thins the blood",
            "喫煙、飲酒、肥満",
            "・在宅勤務は生産性を下げる\n・在宅勤務は離職を減らす",
        ] {
            assert_eq!(judgeable(text), Err(NotJudgeable::List), "{text}");
        }
    }

    #[test]
    fn nothing_and_other_languages_are_named() {
        for text in ["", "  ", "…?!", "12 %"] {
            assert_eq!(judgeable(text), Err(NotJudgeable::Empty), "{text}");
        }
        let tag = |text: &str| match judgeable(text) {
            Err(NotJudgeable::Language(language)) => language.tag(),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(tag("Аспирин снижает температуру у взрослых пациентов."), "und-Cyrl");
        assert_eq!(tag("阿司匹林可以降低成年人的发烧温度并且减少疼痛和炎症的发生率"), "zh");
        assert_eq!(
            tag(
                "Die tägliche Einnahme von Aspirin senkt das Fieber und verhindert nicht den Herzinfarkt."
            ),
            "de"
        );
    }
}
