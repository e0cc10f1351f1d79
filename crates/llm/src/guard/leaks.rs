//! What a model should not say: addresses, and its own instructions.

use std::collections::HashSet;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Range;

/// The replacement for masked text.
const MASK: &str = "[REDACTED]";
/// The fewest hexadecimal digits that make a tag of ours.
const TAG_DIGITS: usize = 8;

/// Addresses in a text: what they are, and their characters.
pub(super) fn addresses(text: &str) -> Vec<(&'static str, Range<usize>)> {
    let mut found = Vec::new();
    let mut start_chars = 0;
    for word in text.split_inclusive(|c: char| {
        c.is_whitespace() || matches!(c, '、' | '。' | '（' | '）' | '「' | '」')
    }) {
        let length = word.chars().count();
        let lead =
            word.chars().take_while(|c| !c.is_alphanumeric() && !matches!(c, ':' | '[')).count();
        let bare: String = word.chars().skip(lead).collect();
        let lower = bare.to_lowercase();
        let scheme = ["https://", "http://", "ftp://"].iter().filter_map(|it| lower.find(it)).min();
        let bare = bare.trim_end_matches(|c: char| {
            !c.is_alphanumeric() && !matches!(c, '/' | ':' | ']' | '=')
        });
        if let Some(at) = scheme {
            let before = lower[..at].chars().count();
            found.push((
                "url",
                start_chars + lead + before..start_chars + lead + bare.chars().count(),
            ));
        } else if let Some(kind) = ip(bare) {
            found.push((kind, start_chars + lead..start_chars + lead + bare.chars().count()));
        }
        start_chars += length;
    }
    found
}

fn ip(word: &str) -> Option<&'static str> {
    let host = word.trim_end_matches(':').split('/').next().unwrap_or(word);
    let without_port =
        host.rsplit_once(':').filter(|it| it.1.parse::<u16>().is_ok()).map_or(host, |it| it.0);
    if host.parse::<Ipv4Addr>().is_ok() || without_port.parse::<Ipv4Addr>().is_ok() {
        return Some("ipv4");
    }
    let six = host.trim_start_matches('[').split(']').next().unwrap_or(host);
    // Times and ratios have colons as well; an address has two in a row, or seven.
    let shaped = six.contains("::") && six.len() > 2 || six.matches(':').count() == 7;
    (shaped && six.parse::<Ipv6Addr>().is_ok()).then_some("ipv6")
}

/// A text without fragments of the instructions and without tags, and where they were.
pub(super) fn masked(
    text: &str,
    instructions: &str,
    least: usize,
) -> (String, Vec<(&'static str, Range<usize>)>) {
    let mut found = fragments(text, instructions, least);
    found.extend(tags(text));
    found.sort_by_key(|it| (it.1.start, it.1.end));
    // What overlaps is masked once.
    let mut apart: Vec<(&'static str, Range<usize>)> = Vec::new();
    for (name, chars) in found {
        match apart.last_mut() {
            Some(last) if chars.start < last.1.end => last.1.end = last.1.end.max(chars.end),
            _ => apart.push((name, chars)),
        }
    }
    let mut out = String::with_capacity(text.len());
    let mut next = apart.iter().peekable();
    for (at, c) in text.chars().enumerate() {
        while next.next_if(|it| it.1.end <= at).is_some() {}
        match next.peek() {
            Some(it) if it.1.start == at => out.push_str(MASK),
            Some(it) if it.1.start < at => {}
            _ => out.push(c),
        }
    }
    (out, apart)
}

/// The letters of a text without case and with single spaces, each with its place.
fn letters(text: &str) -> (Vec<char>, Vec<usize>) {
    let (mut letters, mut places) = (Vec::new(), Vec::new());
    for (at, c) in text.chars().enumerate() {
        let c = if c.is_whitespace() { ' ' } else { c };
        if c == ' ' && letters.last() == Some(&' ') {
            continue;
        }
        letters.push(c.to_lowercase().next().unwrap_or(c));
        places.push(at);
    }
    (letters, places)
}

fn fragments(text: &str, instructions: &str, least: usize) -> Vec<(&'static str, Range<usize>)> {
    let least = least.max(1);
    let (own, _) = letters(instructions);
    let known: HashSet<&[char]> = own.windows(least).collect();
    let (said, places) = letters(text);
    let mut spans: Vec<Range<usize>> = Vec::new();
    for (at, window) in said.windows(least).enumerate() {
        if !known.contains(window) {
            continue;
        }
        let (start, end) = (places[at], places[at + least - 1] + 1);
        match spans.last_mut() {
            Some(last) if start <= last.end => last.end = end,
            _ => spans.push(start..end),
        }
    }
    spans.into_iter().map(|it| ("prompt_fragment", it)).collect()
}

/// `LYRA-` and hexadecimal digits, in any case and with spaces put in.
fn tags(text: &str) -> Vec<(&'static str, Range<usize>)> {
    let chars: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        match tag_end(&chars, at) {
            Some(end) => {
                found.push(("instruction_tag", at..end));
                at = end;
            }
            None => at += 1,
        }
    }
    found
}

fn tag_end(chars: &[char], start: usize) -> Option<usize> {
    let mut at = start;
    for expected in "lyra-".chars() {
        while at > start && chars.get(at).is_some_and(|c| c.is_whitespace()) {
            at += 1;
        }
        let found = chars.get(at)?.to_ascii_lowercase();
        let dash = expected == '-' && matches!(found, '-' | '_' | '‐' | '–' | '—' | '−');
        if found != expected && !dash {
            return None;
        }
        at += 1;
    }
    let mut digits = 0;
    let mut end = at;
    while let Some(c) = chars.get(at) {
        if c.is_ascii_hexdigit() {
            digits += 1;
            end = at + 1;
        } else if !c.is_whitespace() {
            break;
        }
        at += 1;
    }
    (digits >= TAG_DIGITS).then_some(end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tags_are_seen_in_disguise() {
        let (text, found) = masked("x l y r a - 01 23 45 67 89 zend", "", 20);
        assert_eq!(text, "x [REDACTED] zend");
        assert_eq!(found.len(), 1);
        assert_eq!(masked("The lyra-ic ode", "", 20).0, "The lyra-ic ode");
    }

    #[test]
    fn a_fragment_of_nineteen_letters_is_none() {
        let own = "abcdefghijklmnopqrstuvwxyz";
        assert_eq!(masked("abcdefghijklmnopqrs!", own, 20).0, "abcdefghijklmnopqrs!");
        assert_eq!(masked("abcdefghijklmnopqrst!", own, 20).0, "[REDACTED]!");
        assert_eq!(masked("日本語", "日本語", 3).0, "[REDACTED]");
    }

    proptest! {
        #[test]
        fn nothing_of_the_instructions_is_left(
            before in "\\PC{0,10}", inside in "[a-z ]{20,60}", after in "\\PC{0,10}"
        ) {
            let inside = inside.split_whitespace().collect::<Vec<_>>().join(" ");
            prop_assume!(inside.chars().count() >= 20);
            let (text, _) = masked(&format!("{before}{inside}{after}"), &inside, 20);
            prop_assert!(!text.contains(&inside));
        }
    }
}
