//! ISBN: ten or thirteen digits of which the last checks the others. The normal form has thirteen.

use super::{IdentifierKind, IdentifierMatch, after, ends_word, starts_word};

/// `ISBN 4-00-310101-4`, `ISBN-13: 978...`, `ISBN-10 0306406152`.
pub(super) fn at_cue(text: &str, _: usize, end: usize) -> Option<IdentifierMatch> {
    let rest = &text[end..];
    let plain = skip_marks(rest);
    // "10" and "13" can be the kind or the first digits: the check digit decides.
    let named = after(plain, "10").or_else(|| after(plain, "13")).map(skip_marks);
    [Some(plain), named].into_iter().flatten().find_map(|tail| {
        let start = text.len() - tail.len();
        let (value, length) = read(tail)?;
        Some(IdentifierMatch { kind: IdentifierKind::Isbn, value, start, end: start + length })
    })
}

/// `978-4-00-310101-8` without a word before it: only with all four hyphens.
pub(super) fn at_prefix(text: &str, start: usize, _: usize) -> Option<IdentifierMatch> {
    if !starts_word(text, start) || text[..start].ends_with(['-', '.', '/']) {
        return None;
    }
    let (value, length) = read(&text[start..])?;
    let hyphens = text[start..start + length].matches('-').count();
    let goes_on = text[start + length..].starts_with('-');
    let found = IdentifierMatch { kind: IdentifierKind::Isbn, value, start, end: start + length };
    (length == 17 && hyphens == 4 && !goes_on).then_some(found)
}

/// `/isbn/9784003101018` of libraries and `/dp/4003101014` of a book shop.
pub(super) fn of_path(path: &str) -> Option<String> {
    let mut parts = path.split('/');
    parts.find(|it| it.eq_ignore_ascii_case("isbn") || *it == "dp")?;
    normalise(parts.next()?)
}

pub(super) fn normalise(raw: &str) -> Option<String> {
    let whole = read(raw).filter(|it| it.1 == raw.len()).map(|it| it.0);
    whole.or_else(|| {
        let cue = raw.to_ascii_lowercase().find("isbn")?;
        at_cue(raw, cue, cue + 4).map(|it| it.value)
    })
}

fn skip_marks(text: &str) -> &str {
    let marks = text.bytes().take(4).take_while(|it| b" :-(.=\t".contains(it)).count();
    &text[marks..]
}

/// The ISBN at the beginning of a text in its normal form, and how long it is as written.
fn read(text: &str) -> Option<(String, usize)> {
    let mut digits: Vec<u8> = Vec::with_capacity(13);
    let mut ends: Vec<usize> = Vec::with_capacity(13);
    let mut separated = true;
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'0'..=b'9' => digits.push(byte - b'0'),
            b'x' | b'X' if digits.len() == 9 => digits.push(10),
            b'-' | b' ' if !separated => {
                separated = true;
                continue;
            }
            _ => break,
        }
        separated = false;
        ends.push(index + 1);
        if digits.len() == 13 {
            break;
        }
    }
    let long = ends.get(12).filter(|end| ends_word(text, **end) && is_thirteen(&digits));
    if let Some(end) = long {
        return Some((written(&digits), *end));
    }
    let end = *ends.get(9).filter(|end| ends_word(text, **end))?;
    let ten: [u8; 10] = digits[..10].try_into().ok()?;
    is_ten(&ten).then(|| (thirteen(&ten), end))
}

fn is_thirteen(digits: &[u8]) -> bool {
    // 979-0 is printed music, which has another name (ISMN).
    let book = digits.starts_with(&[9, 7, 8]) || digits.starts_with(&[9, 7, 9]) && digits[3] != 0;
    book && digits.iter().all(|it| *it < 10) && weighted(digits).is_multiple_of(10)
}

fn is_ten(digits: &[u8; 10]) -> bool {
    let sum: u32 =
        digits.iter().zip((1..=10).rev()).map(|(digit, weight)| u32::from(*digit) * weight).sum();
    sum.is_multiple_of(11) && digits.iter().any(|it| *it != 0)
}

fn thirteen(ten: &[u8; 10]) -> String {
    let mut digits = vec![9, 7, 8];
    digits.extend_from_slice(&ten[..9]);
    let check = (10 - weighted(&digits) % 10) % 10;
    digits.push(u8::try_from(check).expect("a digit is below 10"));
    written(&digits)
}

fn weighted(digits: &[u8]) -> u32 {
    let weights = [1, 3].into_iter().cycle();
    digits.iter().zip(weights).map(|(digit, weight)| u32::from(*digit) * weight).sum()
}

fn written(digits: &[u8]) -> String {
    digits.iter().map(|it| char::from(b'0' + it)).collect()
}
