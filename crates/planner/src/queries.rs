//! What can be asked without thinking: words of the question, and refutations. Pure.

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
}
