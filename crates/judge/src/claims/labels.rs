//! Labels that precede a sentence and belong to no claim: "Results:", "METHODS", 【目的】.

use crate::sections::{Section, section};

/// What a label says about the sentence behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    /// What was known, found or concluded.
    Finding,
    /// What was wanted or done: about the work, not about the world.
    Work,
}

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

impl From<Section> for Label {
    fn from(section: Section) -> Self {
        match section {
            Section::Aim | Section::Method => Self::Work,
            Section::Background | Section::Result | Section::Conclusion => Self::Finding,
        }
    }
}

/// A sentence without the label in front of it, and what the label was.
pub(super) fn without_label(sentence: &str) -> (Option<Label>, &str) {
    let (section, rest) = labelled(sentence);
    (section.map(Label::from), rest)
}

/// A sentence without the label in front of it, and the part of a study that the label names.
pub(crate) fn labelled(sentence: &str) -> (Option<Section>, &str) {
    let (name, rest) = match bracketed(sentence).or_else(|| marked(sentence)) {
        Some(parts) => parts,
        None => return in_capitals(sentence),
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

/// `RESULTS Vitamin D reduced falls`: only in capitals, or the label is a word of the sentence.
fn in_capitals(sentence: &str) -> (Option<Section>, &str) {
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
            return (Some(section), rest);
        }
    }
    (None, sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_taken_off_and_words_of_the_sentence_stay() {
        use Label::{Finding, Work};
        for (sentence, kind, rest) in [
            ("Results: Vitamin D reduced falls.", Finding, "Vitamin D reduced falls."),
            ("RESULTS: Falls fell.", Finding, "Falls fell."),
            ("Results—Falls fell.", Finding, "Falls fell."),
            ("RESULTS Vitamin D reduced falls.", Finding, "Vitamin D reduced falls."),
            ("MATERIALS AND METHODS Women took it.", Work, "Women took it."),
            ("Conclusions and relevance: Falls fell.", Finding, "Falls fell."),
            ("Objective: To test it.", Work, "To test it."),
            ("結果：転倒が減った。", Finding, "転倒が減った。"),
            ("【結果】転倒が減った。", Finding, "転倒が減った。"),
            ("[Results] Falls fell.", Finding, "Falls fell."),
            ("結果　転倒が減った。", Finding, "転倒が減った。"),
            ("目的：効果を調べる。", Work, "効果を調べる。"),
            ("【対象と方法】女性が飲んだ。", Work, "女性が飲んだ。"),
        ] {
            assert_eq!(without_label(sentence), (Some(kind), rest), "{sentence}");
        }
        for sentence in [
            "Results of the trial: falls fell.",
            "Results were mixed.",
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
            assert_eq!(without_label(sentence), (None, sentence), "{sentence}");
        }
    }
}
