//! Patents as offices write them in Latin letters: US, EP, WO and JP numbers with their kind codes.
//!
//! Two letters and a number are easily something else ("US 2020"). A number counts when it is
//! written in one word, when a kind code follows, or when the word "patent" precedes it.

use super::{
    IdentifierKind, IdentifierMatch, after, digits_end, ends_word, patent_jp, starts_word,
};

/// What may separate the country from the number.
const WORDS: [&str; 8] =
    ["patent", "pat.", "application", "publication", "numbers", "number", "nos.", "no."];

/// How a number is set off: glued to the country, or named a patent by the words around it.
#[derive(Clone, Copy)]
pub(super) struct Setting {
    pub(super) glued: bool,
    pub(super) named: bool,
}

pub(super) fn at(text: &str, start: usize, end: usize) -> Option<IdentifierMatch> {
    let (left, written) = (&text[..start], &text[start..end]);
    // Lower case is a word ("us") unless an address says that a patent follows.
    let in_address = ["/patent/", "/publication/", "docId="].iter().any(|it| left.ends_with(it));
    let upper = written.bytes().all(|it| !it.is_ascii_lowercase());
    if !starts_word(text, start) || !(upper || in_address) {
        return None;
    }
    let mut rest = &text[end..];
    let mut named = in_address || left.trim_end_matches(' ').ends_with("patent");
    while let Some(tail) = WORDS.iter().find_map(|it| after(rest.trim_start_matches(' '), it)) {
        named = true;
        rest = tail;
    }
    let setting = Setting { glued: rest.starts_with(|c: char| c.is_ascii_alphanumeric()), named };
    let rest = rest.strip_prefix(['-', ' ']).unwrap_or(rest);
    let (value, length) = match written.as_bytes()[0].to_ascii_uppercase() {
        b'U' => us(rest, setting),
        b'E' => ep(rest, setting),
        b'W' => wo(rest),
        _ => patent_jp::latin(rest, setting),
    }?;
    let end = text.len() - rest.len() + length;
    ends_word(text, end).then_some(IdentifierMatch {
        kind: IdentifierKind::Patent,
        value,
        start,
        end,
    })
}

pub(super) fn normalise(raw: &str) -> Option<String> {
    super::found_in(raw).into_iter().find(|it| it.kind == IdentifierKind::Patent).map(|it| it.value)
}

/// Grants have seven or eight digits; applications are published under a year and seven more.
fn us(text: &str, setting: Setting) -> Option<(String, usize)> {
    let number = grouped(text, ", /")?;
    let (kind, end) = kind_code(text, number.end);
    let sure = setting.named || !kind.is_empty() || setting.glued && number.groups.len() == 1;
    let digits = match number.groups[..] {
        [year, serial] if text[number.end - serial.len() - 1..].starts_with('/') => {
            published_year(year).filter(|_| (6..=7).contains(&serial.len()))?;
            format!("{year}{serial:0>7}")
        }
        [one] if one.len() == 11 => published_year(&one[..4]).map(|_| one.to_owned())?,
        [first, ref more @ ..] => {
            let thousands = more.iter().all(|it| it.len() == 3);
            let digits = number.groups.concat();
            let slashed = text[..number.end].contains('/');
            let fits = (7..=8).contains(&digits.len()) && !first.starts_with('0');
            (fits && thousands && !slashed).then_some(digits)?
        }
        [] => return None,
    };
    sure.then(|| (format!("US{digits}{kind}"), end))
}

/// Seven digits, often in groups: `EP 1 234 567 B1`.
fn ep(text: &str, setting: Setting) -> Option<(String, usize)> {
    let number = grouped(text, ", .")?;
    let (kind, end) = kind_code(text, number.end);
    let sure = setting.named || !kind.is_empty() || setting.glued && number.groups.len() == 1;
    let digits = number.groups.concat();
    (sure && digits.len() == 7).then(|| (format!("EP{digits}{kind}"), end))
}

/// `WO 2020/123456`, `WO2020123456`, and `WO 99/12345` of the years before 2004. The shape is its own.
fn wo(text: &str) -> Option<(String, usize)> {
    let number = grouped(text, "/")?;
    let (kind, end) = kind_code(text, number.end);
    let (year, serial) = match number.groups[..] {
        [year, serial] => (year, serial),
        [one] if one.len() == 10 => one.split_at(4),
        [one] if one.len() == 7 && !kind.is_empty() => one.split_at(2),
        _ => return None,
    };
    let year = match (year.len(), serial.len()) {
        (4, 6) => year.to_owned(),
        (2, 5) if year >= "78" => format!("19{year}"),
        (2, 5) if year <= "03" => format!("20{year}"),
        _ => return None,
    };
    let real = ("1978".."2100").contains(&year.as_str());
    real.then(|| (format!("WO{year}{serial:0>6}{kind}"), end))
}

fn published_year(year: &str) -> Option<&str> {
    (year.len() == 4 && ("2001".."2100").contains(&year)).then_some(year)
}

/// Groups of digits with one separator between each two.
struct Grouped<'a> {
    groups: Vec<&'a str>,
    end: usize,
}

fn grouped<'a>(text: &'a str, separators: &str) -> Option<Grouped<'a>> {
    const MOST: usize = 5;
    let mut groups = Vec::new();
    let mut start = 0;
    let mut end = 0;
    while groups.len() < MOST && digits_end(text, start) > start {
        end = digits_end(text, start);
        groups.push(&text[start..end]);
        if !text[end..].starts_with(|c| separators.contains(c)) {
            break;
        }
        start = end + 1;
    }
    (!groups.is_empty()).then_some(Grouped { groups, end })
}

/// `B2`, ` A1`, `-B2`; a letter alone only where it is glued to the number ("A" is also a word).
pub(super) fn kind_code(text: &str, at: usize) -> (String, usize) {
    let glued = text[at..].starts_with(|c: char| c.is_ascii_alphabetic());
    let start = if glued { at } else { at + 1 };
    let none = (String::new(), at);
    let (Some(gap), Some(code)) = (text.get(at..start), text.get(start..)) else { return none };
    let letter = code.bytes().next().map(|it| it.to_ascii_uppercase());
    let length = 1 + code.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    let known = letter.is_some_and(|it| b"ABCEPSTUY".contains(&it));
    let bare = length == 1 && !(glued || gap == "-");
    if !matches!(gap, "" | " " | "-") || !known || length > 2 || bare || !ends_word(code, length) {
        return none;
    }
    (code[..length].to_ascii_uppercase(), start + length)
}
