//! Where the terms of a question occur in a text, and the part of it worth showing.

use std::collections::HashMap;
use std::ops::Range;

use text::tokenize::{TokenizeFor, tokenize};

use super::query::Phrase;

/// Shows that text was left out.
const ELLIPSIS: char = '…';

/// The parts of `text` that match one of `phrases`: bytes, in order, apart from each other.
pub(super) fn find_marks(text: &str, phrases: &[Phrase]) -> Vec<Range<usize>> {
    // One entry per place; terms that share a place (a pair and its first character) share an entry.
    let mut places: Vec<Vec<(String, Range<usize>)>> = Vec::new();
    tokenize(text, TokenizeFor::Document, |term| {
        let entry = (term.text.to_owned(), term.bytes);
        match places.last_mut() {
            Some(place) if term.same_position => place.push(entry),
            _ => places.push(vec![entry]),
        }
        true
    });
    let (mut by_first, mut open): (HashMap<&str, Vec<&Phrase>>, Vec<&Phrase>) = Default::default();
    for phrase in phrases {
        match phrase.terms.as_slice() {
            [] => {}
            [_] if phrase.open => open.push(phrase),
            [first, ..] => by_first.entry(first).or_default().push(phrase),
        }
    }
    let mut marks: Vec<Range<usize>> = Vec::new();
    for at in 0..places.len() {
        let closed = places[at].iter().filter_map(|(term, _)| by_first.get(term.as_str()));
        for phrase in closed.flatten().chain(&open) {
            if let Some(mark) = phrase_at(&places[at..], phrase) {
                marks.push(mark);
            }
        }
    }
    marks.sort_by_key(|it| (it.start, it.end));
    marks.dedup_by(|next, kept| {
        let touches = next.start <= kept.end;
        if touches {
            kept.end = kept.end.max(next.end);
        }
        touches
    });
    marks
}

fn phrase_at(places: &[Vec<(String, Range<usize>)>], phrase: &Phrase) -> Option<Range<usize>> {
    let mut mark: Option<Range<usize>> = None;
    for (index, wanted) in phrase.terms.iter().enumerate() {
        let open = phrase.open && index + 1 == phrase.terms.len();
        let fits = |term: &str| term == wanted || (open && term.starts_with(wanted.as_str()));
        let (_, bytes) = places.get(index)?.iter().find(|(term, _)| fits(term))?;
        mark = Some(mark.map_or(bytes.start, |it| it.start)..bytes.end);
    }
    mark
}

/// At most `longest` characters of `text`, chosen so that they hold as much of the marks as
/// possible, and the marks in it as ranges of characters.
pub(super) fn snippet(
    text: &str,
    marks: &[Range<usize>],
    longest: usize,
) -> (String, Vec<Range<usize>>) {
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let to_chars = |byte: usize| starts.partition_point(|it| *it < byte);
    let marks: Vec<_> = marks.iter().map(|it| to_chars(it.start)..to_chars(it.end)).collect();
    let window = best_window(starts.len(), &marks, longest);
    let byte = |at: usize| starts.get(at).copied().unwrap_or(text.len());
    let mut shown = text[byte(window.start)..byte(window.end)].to_owned();
    if window.end < starts.len() {
        shown.push(ELLIPSIS);
    }
    let shift = usize::from(window.start > 0);
    if shift > 0 {
        shown.insert(0, ELLIPSIS);
    }
    let inside = marks.into_iter().filter_map(|mark| {
        let (start, end) = (mark.start.max(window.start), mark.end.min(window.end));
        (start < end).then(|| start - window.start + shift..end - window.start + shift)
    });
    (shown, inside.collect())
}

fn best_window(length: usize, marks: &[Range<usize>], longest: usize) -> Range<usize> {
    if length <= longest {
        return 0..length;
    }
    // Some words before the first mark help to read it.
    let lead = longest / 5;
    let mut best = (0, 0);
    for first in marks {
        let start = first.start.saturating_sub(lead).min(length - longest);
        let window = start..start + longest;
        let held: usize = marks
            .iter()
            .map(|it| it.end.min(window.end).saturating_sub(it.start.max(window.start)))
            .sum();
        if held > best.1 {
            best = (start, held);
        }
    }
    best.0..best.0 + longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::full_text::query::Wanted;
    use proptest::prelude::*;

    fn bracketed(text: &str, marks: &[Range<usize>]) -> String {
        let mut out = String::new();
        for (at, c) in text.chars().enumerate() {
            if marks.iter().any(|it| it.start == at) {
                out.push('[');
            }
            out.push(c);
            if marks.iter().any(|it| it.end == at + 1) {
                out.push(']');
            }
        }
        out
    }

    fn show(question: &str, text: &str, longest: usize) -> String {
        let phrases = Wanted::parse(question).unwrap().all().1;
        let (shown, marks) = snippet(text, &find_marks(text, &phrases), longest);
        bracketed(&shown, &marks)
    }

    #[test]
    fn words_are_marked_whatever_their_case_and_width() {
        assert_eq!(show("who ガン", "The WHO on ｶﾞﾝ, by who", 99), "The [WHO] on [ｶﾞﾝ], by [who]");
    }

    #[test]
    fn a_japanese_word_is_marked_as_a_whole_and_only_as_a_whole() {
        assert_eq!(show("糖尿病", "糖尿病と尿病と糖尿", 99), "[糖尿病]と尿病と糖尿");
        assert_eq!(show("癌", "肺癌と胃癌", 99), "肺[癌]と胃[癌]");
    }

    #[test]
    fn phrases_and_open_ends_are_marked() {
        assert_eq!(
            show(r#""heart attack""#, "heart, a heart attack", 99),
            "heart, a [heart attack]"
        );
        assert_eq!(show("neuro*", "Neurology and neurons", 99), "[Neurology] and [neurons]");
    }

    #[test]
    fn a_long_text_is_cut_to_where_the_marks_are() {
        let text = format!("{}needle and thread{}", "hay ".repeat(50), " hay".repeat(50));
        assert_eq!(show("needle thread", &text, 30), "…y hay [needle] and [thread] hay ha…");
        assert_eq!(show("needle", "needle in front of much hay", 10), "[needle] in …");
        assert_eq!(show("hay", "needle in front of much hay", 10), "…f much [hay]");
    }

    proptest! {
        #[test]
        fn marks_lie_in_the_snippet_and_the_snippet_in_the_text(
            text in "[a-c ぁ-う、ｶﾞ]{0,80}", question in "[a-cぁ-う]{1,3}", longest in 1usize..40
        ) {
            let phrases = Wanted::parse(&question).unwrap().any().1;
            let (shown, marks) = snippet(&text, &find_marks(&text, &phrases), longest);
            let length = shown.chars().count();
            prop_assert!(length <= longest + 2);
            prop_assert!(text.contains(shown.trim_matches(ELLIPSIS)));
            for pair in marks.windows(2) {
                prop_assert!(pair[0].end <= pair[1].start);
            }
            prop_assert!(marks.iter().all(|it| it.start < it.end && it.end <= length));
        }
    }
}
