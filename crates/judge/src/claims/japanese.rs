//! Whether a Japanese sentence states something worth checking.
//!
//! What a sentence is stands at its end: a predicate, a question, a request.

use super::vocabulary::{BASE, has_any, ja};
use super::{ClaimSettings, refer};
use text::script::{is_hiragana, is_katakana};
use text::words::{directed, is_denied, numbers};

/// What the rules make of a folded sentence; nothing where it is no statement.
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
    has_any(plain, "が、|し、|ており、|一方、|一方で|とともに|たが|ものの、|おり、|り、")
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
            // The bracket was closed by what was trimmed, or the text goes on behind it.
            let closed = body[open..].contains([')', '）', ']']);
            if closed { body } else { body[..open].trim_end() }
        }
        _ => body,
    }
}

/// A verb, an adjective or a copula at the end: they end in hiragana, and particles do not count.
fn has_predicate(body: &str) -> bool {
    const OPEN_ENDS: &str = "は|が|を|に|と|も|の|へ|や|より|から|まで|など|ため|ほか|こと|もの|ところ|とき|において|について|により|として|にて|での|では|には|とは";
    let Some(last) = body.chars().next_back() else { return false };
    is_hiragana(last) && !OPEN_ENDS.split('|').any(|it| body.ends_with(it))
}

fn is_no_statement(plain: &str, body: &str) -> bool {
    let ends = |list: &str| list.split('|').any(|it| body.ends_with(it));
    plain.contains(['?', '？'])
        || plain.ends_with(['!', '！'])
        || ends(ja::QUESTIONS)
        || ends(ja::ORDERS)
        || ["よ", "ね", "よね", "わ", "ぞ", "さ"].iter().any(|it| body.ends_with(it))
        || ja::SELF.are_in(plain)
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
    let at_end = |it: &str| {
        let it = it.trim_end_matches('。');
        body.ends_with(it)
            || body.ends_with(&format!("{it}った"))
            || body.ends_with(&format!("{it}っている"))
            || body.contains(it) && it.ends_with('行')
    };
    ja::AIMS.split('|').any(at_end) && !results.iter().any(|it| body.contains(it))
}

/// What research should do next: さらなる研究が必要である, 他の集団で確認されるべきである.
fn is_wish(body: &str) -> bool {
    let after = |text: &str, list: &str| {
        let found = list.split('|').filter_map(|it| text.find(it).map(|at| at + it.len()));
        found.min()
    };
    ja::WISHES.are_in(body)
        || after(body, ja::MORE).is_some_and(|more| {
            let rest = &body[more..];
            after(rest, ja::RESEARCH).is_some_and(|it| has_any(&rest[it..], ja::NEEDS))
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
        (ja::CAUSES.are_in(plain), 0.15),
        (directions.iter().any(|it| it.axis == "amount"), 0.12),
        (ja::COMPARISONS.are_in(plain), 0.1),
        (topic && ja::DEFINITIONS.are_in(body), 0.12),
        (ja::REPORTS.are_in(plain), 0.13),
        (katakana || latin || ja::NAMES.are_in(plain), 0.06),
        (is_denied(plain), 0.07),
        (refer::japanese_subject(plain).is_some(), 0.07),
        (ja::HEDGES.are_in(plain), -0.06),
        (ja::VAGUE.are_in(plain), -0.2),
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
