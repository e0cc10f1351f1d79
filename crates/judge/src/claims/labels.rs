//! Labels that precede a sentence and belong to no claim: "Results:", "METHODS", 【目的】.

use crate::sections::{Section, section};

/// The longest label, in characters.
const LONGEST: usize = 40;

/// The brackets around a label.
const BRACKETS: [(char, char); 7] = [
    ('【', '】'),
    ('〔', '〕'),
    ('［', '］'),
    ('[', ']'),
    ('〈', '〉'),
    ('＜', '＞'),
    ('《', '》'),
];

/// A sentence without the label in front of it, and the part of a study that the label names.
pub(crate) fn labelled(sentence: &str) -> (Option<Section>, &str) {
    let (name, rest) = match bracketed(sentence).or_else(|| marked(sentence)) {
        Some(parts) => parts,
        None => {
            return in_capitals(sentence).or_else(|| glued(sentence)).unwrap_or((None, sentence));
        }
    };
    let rest = rest.trim_start_matches([':', '：', ' ', '　', '\n', '\t']);
    match section(name.trim()).filter(|_| !rest.is_empty()) {
        Some(section) => (Some(section), rest),
        None => (None, sentence),
    }
}

/// `【結果】` and what follows.
fn bracketed(sentence: &str) -> Option<(&str, &str)> {
    let first = sentence.chars().next()?;
    let (open, close) = BRACKETS.into_iter().find(|it| it.0 == first)?;
    sentence[open.len_utf8()..].split_once(close)
}

/// `Results:`, `Results—`, `結果　` and what follows.
fn marked(sentence: &str) -> Option<(&str, &str)> {
    let (at, mark) = sentence
        .char_indices()
        .take(LONGEST)
        .find(|(_, it)| matches!(it, ':' | '：' | '—' | '　' | '．' | '。' | '.'))?;
    // A label with a full stop is a sentence of its own, and there is nothing to take it off from.
    (!matches!(mark, '．' | '。' | '.'))
        .then(|| (&sentence[..at], &sentence[at + mark.len_utf8()..]))
}

/// `RESULTS Vitamin D reduced falls`: in capitals the label is no word of the sentence.
fn in_capitals(sentence: &str) -> Option<(Option<Section>, &str)> {
    let loud = |it: &str| !it.chars().any(char::is_lowercase) && it.chars().count() > 2;
    let mut end = 0;
    for word in sentence.split(' ').take(4) {
        if !loud(word) {
            break;
        }
        end += word.len() + 1;
        let Some(rest) = sentence.get(end..).filter(|it| !it.is_empty()) else { break };
        let goes_on = rest.starts_with(|it: char| it.is_uppercase() || it.is_ascii_digit());
        let next = rest.split(' ').next().unwrap_or_default();
        if let Some(section) = section(&sentence[..end]).filter(|_| goes_on && !loud(next)) {
            return Some((Some(section), rest));
        }
    }
    None
}

/// `Results Vitamin D reduced falls`: a heading that lost its line. The sentence begins again behind it, with a capital
/// and small letters after that, which a name ("Discussion Groups") has not.
fn glued(sentence: &str) -> Option<(Option<Section>, &str)> {
    let (label, rest) = sentence.split_once(' ')?;
    let heads = label.starts_with(char::is_uppercase)
        && (label.ends_with('s') || matches!(label, "Conclusion" | "Interpretation" | "Objective"));
    let mut words = rest.split(' ').filter(|it| it.chars().nth(1).is_some());
    let begins = words.next()?.starts_with(|it: char| it.is_ascii_uppercase());
    let goes_on = words.next()?.starts_with(char::is_lowercase);
    let section = section(label).filter(|_| heads && begins && goes_on)?;
    Some((Some(section), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_taken_off_and_words_of_the_sentence_stay() {
        use Section::{Aim, Conclusion, Method, Result};
        for (sentence, kind, rest) in [
            ("Results: Vitamin D reduced falls.", Result, "Vitamin D reduced falls."),
            ("RESULTS: Falls fell.", Result, "Falls fell."),
            ("Results—Falls fell.", Result, "Falls fell."),
            ("RESULTS Vitamin D reduced falls.", Result, "Vitamin D reduced falls."),
            ("Results Vitamin D reduced falls.", Result, "Vitamin D reduced falls."),
            ("Conclusion Aspirin helps.", Conclusion, "Aspirin helps."),
            ("Measurements and results: Falls fell.", Result, "Falls fell."),
            ("MATERIALS AND METHODS Women took it.", Method, "Women took it."),
            ("Conclusions and relevance: Falls fell.", Conclusion, "Falls fell."),
            ("Objective: To test it.", Aim, "To test it."),
            ("結果：転倒が減った。", Result, "転倒が減った。"),
            ("【結果】転倒が減った。", Result, "転倒が減った。"),
            ("[Results] Falls fell.", Result, "Falls fell."),
            ("結果　転倒が減った。", Result, "転倒が減った。"),
            ("目的：効果を調べる。", Aim, "効果を調べる。"),
            ("【対象と方法】女性が飲んだ。", Method, "女性が飲んだ。"),
        ] {
            assert_eq!(labelled(sentence), (Some(kind), rest), "{sentence}");
        }
        for sentence in [
            "Results of the trial: falls fell.",
            "Results were mixed.",
            "Results From 12 Trials",
            "Discussion Groups are held weekly.",
            "Patients and doctors: Falls fell.",
            "Methods that work: three of them.",
            "RESULTS",
            "Results:",
            "DNA Methods are new.",
            "結果は明らかである。",
            "結果。",
            "東京：人口は1400万人である。",
            "【速報】転倒が減った。",
            "",
        ] {
            assert_eq!(labelled(sentence), (None, sentence), "{sentence}");
        }
    }
}
