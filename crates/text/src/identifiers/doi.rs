//! DOI: `10.` and a registrant, a slash, and nearly any characters. Where it ends is the question.

use crate::script::is_east_asian;

use super::{IdentifierKind, IdentifierMatch, NO_WIDTH, digits_end, fold};

/// Longer ones do not exist; text that never ends is not a DOI.
const MAX_SUFFIX: usize = 500;
/// How far back the beginning of an address is looked for.
const MAX_ADDRESS: usize = 300;

/// What publishers put behind the DOI in the addresses of their pages.
const TAILS: [&str; 14] = [
    "/full",
    "/abstract",
    "/pdf",
    "/epdf",
    "/epub",
    "/fulltext",
    "/html",
    "/meta",
    "/summary",
    "/full-text",
    ".full",
    ".pdf",
    ".html",
    ".abstract",
];

pub(super) fn at(text: &str, start: usize, after_ten: usize) -> Option<IdentifierMatch> {
    let left = &text[..start];
    let address = in_address(left);
    let ends = |tail: &str| {
        left.len() >= tail.len()
            && left.as_bytes()[left.len() - tail.len()..].eq_ignore_ascii_case(tail.as_bytes())
    };
    let glued = left.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '.');
    let escaped = ends("%2f") || ends("%3a") || ends("%3d");
    if glued && !ends("doi") && !escaped {
        return None;
    }
    let first = digits_end(text, after_ten);
    if !(4..=9).contains(&(first - after_ten)) || text.as_bytes()[after_ten] == b'0' {
        return None;
    }
    let mut registrant = first;
    while text[registrant..].starts_with('.') && digits_end(text, registrant + 1) > registrant + 1 {
        registrant = digits_end(text, registrant + 1);
    }
    let rest = &text[registrant..];
    let (slash, escaped) = match rest.as_bytes() {
        [b'/', ..] => (1, escaped),
        [b'%', b'2', b'f' | b'F', ..] => (3, true),
        _ => return None,
    };
    let written = suffix(&rest[slash..], address || escaped);
    let mut name = if address || escaped { decoded(written) } else { written.to_owned() };
    name.retain(|c| c != NO_WIDTH);
    if address {
        name.truncate(without_tails(&name, &text[start..registrant]).len());
    }
    if name.is_empty() {
        return None;
    }
    let value = format!("{}/{}", &text[start..registrant], name.to_ascii_lowercase());
    let end = registrant + slash + written.len();
    Some(IdentifierMatch { kind: IdentifierKind::Doi, value, start, end })
}

pub(super) fn normalise(raw: &str) -> Option<String> {
    raw.match_indices("10.")
        .find_map(|(start, it)| at(raw, start, start + it.len()))
        .map(|it| it.value)
}

/// Whether the text just before belongs to an address.
fn in_address(left: &str) -> bool {
    let bytes = left.as_bytes();
    let near = &bytes[bytes.len().saturating_sub(MAX_ADDRESS)..];
    let word = near.iter().rposition(|it| it.is_ascii_whitespace() || b"\"<>".contains(it));
    let word = &near[word.map_or(0, |it| it + 1)..];
    word.windows(3).any(|it| it == b"://") || word.windows(8).any(|it| it == b"doi.org/")
}

/// The part of a text that can be the suffix of a DOI.
fn suffix(text: &str, address: bool) -> &str {
    // Serial Item and Contribution Identifiers are the one kind with angle brackets:
    // `10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O`.
    let sici = super::after(text, "(sici)").is_some();
    let mut end = text.len();
    for (count, (index, c)) in text.char_indices().enumerate() {
        let stops = match c {
            '<' | '>' => !sici,
            '"' | '|' | '\\' | '^' | '`' | '“' | '”' | '‘' | '’' | '«' | '»' | '„' | '…' => {
                true
            }
            '#' => address,
            '?' | '&' => address || begins_parameter(&text[index + 1..]),
            NO_WIDTH => false,
            _ => c.is_whitespace() || c.is_control() || ends_doi(c) || count >= MAX_SUFFIX,
        };
        if stops {
            end = index;
            break;
        }
    }
    trimmed(&text[..end])
}

/// `utm_source=` and the like: the DOI is in an address that was cut off.
fn begins_parameter(text: &str) -> bool {
    let name =
        text.bytes().take(40).take_while(|it| it.is_ascii_alphanumeric() || *it == b'_').count();
    name > 0 && text.as_bytes().get(name) == Some(&b'=')
}

/// East Asian text ends a DOI. Full-width ASCII is the DOI itself in another width.
fn ends_doi(c: char) -> bool {
    is_east_asian(c) && !('\u{ff01}'..='\u{ff5e}').contains(&c)
}

/// Without the punctuation of the sentence around it; brackets stay where both halves are inside.
fn trimmed(mut text: &str) -> &str {
    while let Some(last) = text.chars().next_back() {
        let closes = |open, close| text.matches(close).count() > text.matches(open).count();
        let drop = match last {
            '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '*' | '(' | '[' | '{' | '/' | NO_WIDTH => {
                true
            }
            ')' => closes('(', ')'),
            ']' => closes('[', ']'),
            '}' => closes('{', '}'),
            '>' => closes('<', '>'),
            _ => false,
        };
        if !drop {
            break;
        }
        text = &text[..text.len() - last.len_utf8()];
    }
    text
}

/// Reads `%2F` and the like; what is no UTF-8 stays as it is.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let code = (first == b'%').then(|| tail.get(..2)).flatten();
        let code = code.and_then(|it| std::str::from_utf8(it).ok());
        match code.and_then(|it| u8::from_str_radix(it, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    let decoded = String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned());
    let decoded = fold(&decoded);
    // What was escaped can hold what ends a DOI.
    let end = decoded.find(|c: char| c.is_whitespace() || c.is_control() || c == '"');
    trimmed(&decoded[..end.unwrap_or(decoded.len())]).to_owned()
}

fn without_tails<'a>(mut name: &'a str, registrant: &str) -> &'a str {
    while let Some(shorter) = TAILS.iter().find_map(|it| name.strip_suffix(it)) {
        name = shorter;
    }
    // The preprint servers of Cold Spring Harbor write the version into the address only.
    if registrant == "10.1101" {
        let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
        if bare.len() < name.len() && bare.ends_with(['v', 'V']) {
            name = &bare[..bare.len() - 1];
        }
    }
    name
}
