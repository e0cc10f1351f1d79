//! Words that say "this is a source", in English and Japanese.
//!
//! The name of a cue is the words themselves. They are features for whoever decides whether a link
//! is a citation; none of them decides alone.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

const CUES: [&str; 64] = [
    "according to",
    "as reported",
    "reported by",
    "reported in",
    "reports that",
    "as described in",
    "as noted by",
    "as shown in",
    "as stated in",
    "source:",
    "sources:",
    "via:",
    "credit:",
    "cited by",
    "cited in",
    "cites",
    "citing",
    "citation",
    "quoted from",
    "quoted in",
    "excerpt from",
    "reference",
    "references",
    "bibliography",
    "further reading",
    "based on data",
    "data from",
    "figures from",
    "statistics from",
    "published by",
    "published in",
    "published on",
    "released by",
    "press release",
    "study",
    "studies",
    "survey",
    "paper",
    "preprint",
    "report",
    "research by",
    "researchers at",
    "findings",
    "found that",
    "et al.",
    "ibid.",
    "doi:",
    "see also",
    "出典",
    "参考文献",
    "参考資料",
    "引用",
    "によると",
    "によれば",
    "報告書",
    "論文",
    "調査結果",
    "研究結果",
    "公表資料",
    "情報源",
    "典拠",
    "原典",
    "文献",
    "を参照",
];

/// Headings under which every link is a source.
const HEADINGS: [(&str, &str); 16] = [
    ("references", "references"),
    ("reference", "references"),
    ("sources", "sources:"),
    ("source", "sources:"),
    ("bibliography", "bibliography"),
    ("works cited", "references"),
    ("citations", "references"),
    ("notes and references", "references"),
    ("further reading", "further reading"),
    ("出典", "出典"),
    ("参考文献", "参考文献"),
    ("参考資料", "参考資料"),
    ("引用文献", "参考文献"),
    ("参考", "参考資料"),
    ("脚注", "出典"),
    ("文献", "文献"),
];

/// The name of a number in brackets, the mark of a footnote.
const NUMBERED: &str = "[1]";

static FINDER: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::LeftmostLongest)
        .build(CUES)
        .expect("a few dozen short words make an automaton")
});

/// The cues in a text, in order.
pub(super) fn in_text(text: &str) -> Vec<&'static str> {
    let mut names: Vec<&str> = FINDER
        .find_iter(text)
        .filter(|hit| is_word(text, hit.start(), hit.end()))
        .map(|hit| CUES[hit.pattern().as_usize()])
        .collect();
    if has_number_in_brackets(text) {
        names.push(NUMBERED);
    }
    names
}

/// The cue a heading stands for over everything below it.
pub(super) fn of_heading(text: &str) -> Option<&'static str> {
    let numbered = |c: char| c.is_ascii_digit() || matches!(c, '.' | ' ' | '[' | '　');
    let plain = text.trim().trim_start_matches(numbered).trim_end_matches([':', '：', ' ']);
    HEADINGS.iter().find(|(heading, _)| plain.eq_ignore_ascii_case(heading)).map(|it| it.1)
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
    text.split('[').skip(1).any(|it| {
        let digits = it.bytes().take(4).take_while(u8::is_ascii_digit).count();
        (1..=3).contains(&digits) && it.as_bytes().get(digits) == Some(&b']')
    })
}
