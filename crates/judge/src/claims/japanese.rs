//! Whether a Japanese sentence states something worth checking.
//!
//! The end of a sentence shows what it is: a predicate, a question, a request.

use super::vocabulary::{BASE, JA};
use super::{ClaimSettings, refer};
use text::script::{is_hiragana, is_katakana};
use text::word_list::WordList;
use text::words::{directed, is_denied, numbers};

/// What the rules make of a folded sentence; nothing if it is no statement.
pub(super) fn worth(plain: &str, settings: &ClaimSettings) -> Option<f64> {
    let count = plain.chars().count();
    let closing =
        |c: char| matches!(c, '。' | '」' | '』' | ')' | '）' | ']' | '.' | '．' | ' ' | '｡');
    let body = without_aside(plain.trim_end_matches(closing));
    let ended =
        plain.trim_end_matches(['」', '』', ')', ']', ' ']).ends_with(['。', '．', '.', '｡'])
            || body.len() < plain.trim_end_matches('。').len();
    if count < settings.min_characters || count > settings.max_characters {
        return None;
    }
    if !has_predicate(body) || is_no_statement(plain, body) {
        return None;
    }
    Some(BASE + features(plain, body, ended))
}

/// Whether a folded sentence says more than one thing.
pub(super) fn is_compound(plain: &str) -> bool {
    JA.joints.any_in(plain)
}

/// Without a bracket at the very end: 「減少した（図1）」 ends with 「した」.
fn without_aside(body: &str) -> &str {
    match body.rfind(['(', '（', '[']) {
        Some(open)
            if open > 0
                && !body[open..].contains(['。', '」'])
                && body[open..].chars().count() < 30
                && !body[..open].ends_with('、') =>
        {
            // The bracket was closed by what was trimmed, or the text continues behind it.
            let closed = body[open..].contains([')', '）', ']']);
            if closed { body } else { body[..open].trim_end() }
        }
        _ => body,
    }
}

/// A verb, an adjective or a copula at the end: they end in hiragana, and particles do not count.
fn has_predicate(body: &str) -> bool {
    let Some(last) = body.chars().next_back() else { return false };
    is_hiragana(last) && !JA.open_ends.any_ends(body)
}

fn is_no_statement(plain: &str, body: &str) -> bool {
    plain.contains(['?', '？'])
        || plain.ends_with(['!', '！'])
        || JA.questions.any_ends(body)
        || JA.orders.any_ends(body)
        || ["よ", "ね", "よね", "わ", "ぞ", "さ"].iter().any(|it| body.ends_with(it))
        || JA.speakers.any_in(plain)
        || is_about_the_work(body)
        || is_wish(body)
        || plain.contains("目的は")
        || plain.starts_with("対象は")
        // Dictionary forms after を at the end of a list item are orders of a manual.
        || body.chars().count() < 14 && body.contains('を') && !body.contains(['は', 'が'])
}

/// Aims, methods and what should be done, unless a result is stated with them.
fn is_about_the_work(body: &str) -> bool {
    let results = ["示された", "減少", "増加", "有意", "認められ", "明らかにな", "報告"];
    let at_end = |ending: &str| {
        let ending = ending.trim_end_matches('。');
        body.ends_with(ending)
            || body.ends_with(&format!("{ending}った"))
            || body.ends_with(&format!("{ending}っている"))
            || body.contains(ending) && ending.ends_with('行')
    };
    JA.aims.iter().any(at_end) && !results.iter().any(|it| body.contains(it))
}

/// What research should do next: さらなる研究が必要である, 他の集団で確認されるべきである.
fn is_wish(body: &str) -> bool {
    let after = |text: &str, list: &WordList| {
        list.iter().filter_map(|word| text.find(word).map(|at| at + word.len())).min()
    };
    JA.wishes.any_in(body)
        || after(body, &JA.more).is_some_and(|more| {
            let rest = &body[more..];
            after(rest, &JA.research).is_some_and(|it| JA.needs.any_in(&rest[it..]))
        })
}

fn features(plain: &str, body: &str, ended: bool) -> f64 {
    let numbers = numbers(plain);
    let (directions, _) = directed(plain);
    let katakana = longest_run(plain, is_katakana) >= 3;
    let latin = longest_run(plain, |c| c.is_ascii_uppercase()) >= 2;
    let topic = body.contains('は') || body.contains('が') || body.contains('も');
    let signs = [
        (!numbers.is_empty(), 0.2),
        (numbers.len() > 1, 0.03),
        (JA.causes.any_in(plain), 0.15),
        (directions.iter().any(|it| it.axis == "amount"), 0.12),
        (JA.comparisons.any_in(plain), 0.1),
        (topic && JA.definitions.any_in(body), 0.12),
        (JA.reports.any_in(plain), 0.13),
        (katakana || latin || JA.names.any_in(plain), 0.06),
        (is_denied(plain), 0.07),
        (refer::japanese_subject(plain).is_some(), 0.07),
        (JA.hedges.any_in(plain), -0.06),
        (JA.vague.any_in(plain), -0.2),
        (!topic, -0.08),
        (!ended, -0.1),
    ];
    let sum: f64 = signs.iter().filter(|it| it.0).map(|it| it.1).sum();
    sum.min(0.58)
}

fn longest_run(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if belongs(c) { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}
