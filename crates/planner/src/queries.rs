//! What can be asked without thinking: words of the question, and refutations. Pure.

use std::collections::BTreeSet;

use text::script::{is_kanji, is_katakana};
use text::words::{folded, latin_words, stem};

/// Words that say nothing about what is looked for.
const SMALL_WORDS: &[&str] = &[
    "a", "about", "an", "and", "any", "are", "as", "at", "be", "been", "by", "can", "could", "did",
    "do", "does", "for", "from", "had", "has", "have", "how", "if", "in", "into", "is", "it",
    "its", "may", "might", "much", "of", "on", "or", "really", "should", "than", "that", "the",
    "their", "there", "these", "they", "this", "to", "was", "were", "what", "when", "where",
    "which", "who", "why", "will", "with", "would", "you", "your",
];

/// What ends a Japanese question and says nothing about what is looked for.
const ENDINGS: &[&str] = &[
    "でしょうか",
    "でしょう",
    "のですか",
    "のだろうか",
    "だろうか",
    "ますか",
    "ですか",
    "のか",
    "か",
    "について教えて",
    "を教えて",
    "とは何",
    "とは",
    "について",
];

/// The words of a question that carry it; nothing if that is the question itself.
pub(crate) fn keywords(question: &str) -> Option<String> {
    let trimmed = question.trim().trim_end_matches(['?', '？', '.', '。', '!', '！']).trim();
    let shortened = match trimmed.is_ascii() {
        true => {
            let words = trimmed.split_whitespace();
            let kept = words.filter(|it| !SMALL_WORDS.contains(&plain(it).as_str()));
            kept.map(plain).collect::<Vec<_>>().join(" ")
        }
        false => {
            let ending = ENDINGS.iter().find(|it| trimmed.ends_with(**it));
            let rest = ending.map_or(trimmed, |it| &trimmed[..trimmed.len() - it.len()]);
            rest.trim().to_owned()
        }
    };
    let is_new =
        !shortened.is_empty() && shortened.to_lowercase() != question.trim().to_lowercase();
    is_new.then_some(shortened)
}

/// Whether a hypothesis has words to search for that the question has not.
pub(crate) fn asks_more(hypothesis: &str, question: &str) -> bool {
    let asked = content(question);
    content(hypothesis).iter().any(|it| !asked.contains(it))
}

/// The words that carry a text: Latin ones by their stems, Japanese ones without hiragana, which bind them.
fn content(text: &str) -> BTreeSet<String> {
    let folded = folded(text);
    let latin = latin_words(&folded).map(str::to_lowercase);
    let latin = latin.filter(|it| !SMALL_WORDS.contains(&it.as_str())).map(|it| stem(&it));
    let unspaced = folded.split(|c: char| !(is_kanji(c) || is_katakana(c)));
    latin.chain(unspaced.filter(|it| !it.is_empty()).map(str::to_owned)).collect()
}

fn plain(word: &str) -> String {
    word.trim_matches(|it: char| !it.is_alphanumeric() && it != '-').to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_words_and_question_marks_are_left_out() {
        let cases = [
            ("Does working from home raise productivity?", Some("working home raise productivity")),
            ("vitamin D", None),
            ("What is the effect of COVID-19 on sleep?", Some("effect covid-19 sleep")),
            ("在宅勤務は生産性を上げるのでしょうか？", Some("在宅勤務は生産性を上げるの")),
            ("在宅勤務は生産性を上げるか", Some("在宅勤務は生産性を上げる")),
            ("食料安全保障とは", Some("食料安全保障")),
            ("?", None),
            ("the", None),
        ];
        for (question, wanted) in cases {
            assert_eq!(keywords(question).as_deref(), wanted, "{question}");
        }
    }

    #[test]
    fn a_hypothesis_that_repeats_the_question_asks_nothing_more() {
        for (question, hypothesis, more) in [
            ("Does green tea lower blood pressure?", "Green tea lowers blood pressure.", false),
            ("Does green tea lower blood pressure?", "Catechins lower blood pressure.", true),
            ("在宅勤務は生産性を下げるか", "在宅勤務は生産性を下げる。", false),
            ("在宅勤務は生産性を下げるか", "在宅勤務は離職を減らす。", true),
            ("Does working from home raise productivity?", "在宅勤務は生産性を上げる。", true),
        ] {
            assert_eq!(asks_more(hypothesis, question), more, "{hypothesis}");
        }
    }
}
