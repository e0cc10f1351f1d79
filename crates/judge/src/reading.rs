//! What the judge reads of a passage: its evidence, in windows of a few sentences.
//!
//! A judge that reads a whole passage at once hears mostly what the claim is about; in a few sentences it hears what is
//! said of it, and what a sentence says alone is heard best of all.

use std::borrow::Cow;
use std::ops::Range;

use evidence::StatementKind;
use text::words::is_japanese;

use crate::statements::Statement;

/// Sentences of a window; neighbours share one.
const WINDOW: usize = 3;
/// The Japanese judge takes nearly everything that is longer for neutral.
const WINDOW_JA: usize = 2;

/// A few sentences that are judged together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window<'a> {
    pub text: Cow<'a, str>,
    /// The bytes of the passage from its first to its last sentence.
    pub bytes: Range<usize>,
    /// A conclusion where one of its sentences is.
    pub kind: StatementKind,
}

/// The windows of a passage: of its evidence only, so none where it has no evidence.
pub fn windows<'a>(passage: &'a str, statements: &[Statement]) -> Vec<Window<'a>> {
    let evidence: Vec<&Statement> = statements.iter().filter(|it| it.kind.is_evidence()).collect();
    let mut windows: Vec<Window<'a>> = Vec::new();
    let mut add = |sentences: &[&Statement]| {
        let window = joined(passage, sentences);
        if !windows.iter().any(|it| it.text == window.text) {
            windows.push(window);
        }
    };
    for sentence in &evidence {
        add(&[sentence]);
    }
    let most = if is_japanese(passage) { WINDOW_JA } else { WINDOW };
    // Conclusions are read with conclusions: what was found before them is another matter.
    for kind in [StatementKind::Conclusion, StatementKind::Statement] {
        let of_kind: Vec<&Statement> =
            evidence.iter().filter(|it| it.kind == kind).copied().collect();
        let mut start = 0;
        while start < of_kind.len() {
            let end = (start + most).min(of_kind.len());
            add(&of_kind[start..end]);
            if end == of_kind.len() {
                break;
            }
            start += most - 1;
        }
    }
    windows
}

fn joined<'a>(passage: &'a str, sentences: &[&Statement]) -> Window<'a> {
    let (Some(first), Some(last)) = (sentences.first(), sentences.last()) else {
        return Window { text: Cow::Borrowed(""), bytes: 0..0, kind: StatementKind::Statement };
    };
    let bytes = first.bytes.start..last.bytes.end;
    let is_whole = sentences
        .windows(2)
        .all(|it| passage[it[0].bytes.end..it[1].bytes.start].chars().all(char::is_whitespace));
    let text = match is_whole {
        true => Cow::Borrowed(&passage[bytes.clone()]),
        false => {
            let parts: Vec<&str> = sentences.iter().map(|it| &passage[it.bytes.clone()]).collect();
            Cow::Owned(parts.join(" "))
        }
    };
    let concludes = sentences.iter().any(|it| it.kind == StatementKind::Conclusion);
    let kind = if concludes { StatementKind::Conclusion } else { StatementKind::Statement };
    Window { text, bytes, kind }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statements::{Standing, statements};

    fn read(passage: &str) -> Vec<String> {
        let statements = statements(passage, &Standing { in_study: true, ..Standing::default() });
        windows(passage, &statements)
            .into_iter()
            .map(|it| format!("{} | {}", it.kind, it.text))
            .collect()
    }

    #[test]
    fn only_evidence_is_read_each_sentence_alone_and_with_its_neighbours() {
        let passage = "Aim: To test tea. Results: Sleep was shorter. Mood rose. Nothing else changed. Pain \
                       stayed. Conclusion: Tea shortens sleep. It lifts the mood.";
        assert_eq!(
            read(passage),
            [
                "statement | Sleep was shorter.",
                "statement | Mood rose.",
                "statement | Nothing else changed.",
                "statement | Pain stayed.",
                "conclusion | Tea shortens sleep.",
                "conclusion | It lifts the mood.",
                "conclusion | Tea shortens sleep. It lifts the mood.",
                "statement | Sleep was shorter. Mood rose. Nothing else changed.",
                "statement | Nothing else changed. Pain stayed.",
            ]
        );
    }

    #[test]
    fn japanese_sentences_are_read_two_at_a_time() {
        assert_eq!(
            read("睡眠は短くなった。気分は上がった。"),
            [
                "statement | 睡眠は短くなった。",
                "statement | 気分は上がった。",
                "statement | 睡眠は短くなった。気分は上がった。",
            ]
        );
    }

    #[test]
    fn a_passage_without_evidence_is_not_read() {
        assert_eq!(read("Does tea shorten sleep? The aim of this trial was to find out."), [""; 0]);
        assert_eq!(read(""), [""; 0]);
    }
}
