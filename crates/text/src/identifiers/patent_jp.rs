//! Japanese patents: 特許第1234567号, 特開2020-123456, 特開平10-123456, and the same in Latin letters.

use super::patent::{Setting, kind_code};
use super::{IdentifierKind, IdentifierMatch, after, digits_end};

/// What a series is called, and the kind its documents have.
const SERIES: [(&str, &str); 10] = [
    ("特許公開", "A"),
    ("特許出願", ""),
    ("特許公報", "B"),
    ("特許番号", "B"),
    ("特開", "A"),
    ("特表", "A"),
    ("特公", "B"),
    ("特願", ""),
    ("再表", "A1"),
    ("実開", "U"),
];

pub(super) fn at(text: &str, start: usize, _: usize) -> Option<IdentifierMatch> {
    let written = &text[start..];
    let series =
        SERIES.iter().find_map(|(name, kind)| Some((written.strip_prefix(name)?, *name, *kind)));
    let (value, rest) = match series {
        Some((rest, "特許番号", _)) => granted(rest)?,
        Some((rest, name, kind)) => yearly(rest, name, kind)?,
        None => granted(written.strip_prefix("特許")?)?,
    };
    let end = text.len() - rest.len();
    Some(IdentifierMatch { kind: IdentifierKind::Patent, value, start, end })
}

/// What follows `JP`: `2020-123456A`, `2020123456A`, `6123456B2`, `H10-123456A`.
pub(super) fn latin(text: &str, setting: Setting) -> Option<(String, usize)> {
    let era = text.bytes().next().filter(|it| matches!(it, b'H' | b'S' | b'h' | b's'));
    let start = usize::from(era.is_some());
    let first = digits_end(text, start);
    let hyphen = text[first..].starts_with('-') && digits_end(text, first + 1) > first + 1;
    let end = if hyphen { digits_end(text, first + 1) } else { first };
    let (kind, kind_end) = kind_code(text, end);
    let sure = setting.named || setting.glued || hyphen || !kind.is_empty();
    let year_digits = if era.is_some() { 2 } else { 4 };
    let (year, serial) = if hyphen {
        (&text[start..first], &text[first + 1..end])
    } else if end - start == year_digits + 6 {
        text[start..end].split_at(year_digits)
    } else if era.is_none() && end - start == 7 && sure {
        let kind = if kind.is_empty() || kind.starts_with('B') { "B" } else { &kind };
        return Some((format!("JP{}{kind}", &text[..end]), kind_end));
    } else {
        return None;
    };
    let era = match era.map(|it| it.to_ascii_uppercase()) {
        None => "",
        Some(b'H') => "H",
        Some(_) => "S",
    };
    // Without a kind code English texts mean the published application.
    let kind = match kind.as_str() {
        "" => "A",
        it if it.starts_with('B') => "B",
        it => it,
    };
    sure.then(|| numbered(era, year, serial, kind)).flatten().map(|it| (it, kind_end))
}

/// 第1234567号, 1234567, 第1,234,567号.
fn granted(text: &str) -> Option<(String, &str)> {
    let rest = text.trim_start_matches([':', ' ']);
    let ordinal = rest.strip_prefix('第');
    let rest = ordinal.unwrap_or(rest);
    let length = rest.bytes().take(10).take_while(|it| it.is_ascii_digit() || *it == b',').count();
    let digits = rest[..length].replace(',', "");
    let rest = &rest[length..];
    let whole = !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-');
    let named = ordinal.is_some() && (6..=7).contains(&digits.len()) || digits.len() == 7;
    (whole && named).then(|| (format!("JP{digits}B"), rest.strip_prefix('号').unwrap_or(rest)))
}

fn yearly<'a>(text: &'a str, series: &str, kind: &str) -> Option<(String, &'a str)> {
    let (era, rest) = match text.strip_prefix('平') {
        Some(rest) => ("H", rest),
        None => text.strip_prefix('昭').map_or(("", text), |rest| ("S", rest)),
    };
    let rest = rest.strip_prefix(['成', '和']).unwrap_or(rest).strip_prefix('第').unwrap_or(rest);
    let (year, rest) = rest.split_at(digits_end(rest, 0));
    let rest = rest.strip_prefix('年').unwrap_or(rest);
    // The long vowel sign is what a hurried typist takes for a hyphen.
    let rest = rest.strip_prefix(['-', '/', 'ー']).or_else(|| after(rest, "第"))?;
    let (serial, rest) = rest.split_at(digits_end(rest, 0));
    let whole = !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-');
    let value = match series {
        "再表" => {
            let international = era.is_empty() && year.len() == 4 && serial.len() == 6;
            international.then(|| format!("JPWO{year}{serial}{kind}"))
        }
        _ => numbered(era, year, serial, kind),
    };
    value.filter(|_| whole).map(|it| (it, rest.strip_prefix('号').unwrap_or(rest)))
}

/// Years are counted by era until 1999, by the common calendar since.
fn numbered(era: &str, year: &str, serial: &str, kind: &str) -> Option<String> {
    let counted: u32 = year.parse().ok().filter(|_| year.len() <= 4)?;
    let real = match era {
        "S" => (1..=64).contains(&counted),
        "H" => (1..=12).contains(&counted),
        _ => (2000..2100).contains(&counted),
    };
    (real && (1..=6).contains(&serial.len()))
        .then(|| format!("JP{era}{counted:0>2}{serial:0>6}{kind}"))
}
