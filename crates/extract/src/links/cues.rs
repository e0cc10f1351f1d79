//! The cues of citations in the text around a link.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};
use text::citation_cues::{self, FOOTNOTE};

struct Finder {
    automaton: AhoCorasick,
    cues: Vec<&'static str>,
}

static FINDER: LazyLock<Finder> = LazyLock::new(|| {
    let cues: Vec<&'static str> = citation_cues::all().collect();
    let automaton = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .build(&cues)
        .expect("a few dozen short words make an automaton");
    Finder { automaton, cues }
});

/// The cues in a text, in order.
pub(super) fn in_text(text: &str) -> Vec<&'static str> {
    let mut names: Vec<&str> = FINDER
        .automaton
        .find_iter(text)
        .filter(|hit| is_word(text, hit.start(), hit.end()))
        .map(|hit| FINDER.cues[hit.pattern().as_usize()])
        .collect();
    if has_number_in_brackets(text) {
        names.push(FOOTNOTE);
    }
    names
}

/// The cue a heading stands for over everything below it.
pub(super) fn of_heading(text: &str) -> Option<&'static str> {
    let numbered = |c: char| c.is_ascii_digit() || matches!(c, '.' | ' ' | '[' | '　');
    let plain = text.trim().trim_start_matches(numbered).trim_end_matches([':', '：', ' ']);
    citation_cues::of_heading(plain)
}

/// Latin words must stand alone ("study", not "sturdy" or "studying").
fn is_word(text: &str, start: usize, end: usize) -> bool {
    let latin = |c: Option<char>| c.is_some_and(|it| it.is_ascii_alphanumeric());
    let (before, hit, after) = (&text[..start], &text[start..end], &text[end..]);
    let begins_inside = latin(before.chars().next_back()) && latin(hit.chars().next());
    let ends_inside = latin(hit.chars().next_back()) && latin(after.chars().next());
    !begins_inside && !ends_inside
}

fn has_number_in_brackets(text: &str) -> bool {
    text.split('[').skip(1).any(|rest| {
        let digits = rest.bytes().take(4).take_while(u8::is_ascii_digit).count();
        (1..=3).contains(&digits) && rest.as_bytes().get(digits) == Some(&b']')
    })
}
