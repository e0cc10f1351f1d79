//! arXiv: `2101.00001` since April 2007, `hep-th/9901001` before. Versions are left out.

use super::{IdentifierKind, IdentifierMatch, after, digits_end, ends_word, starts_word};

/// The archives that gave out numbers of the old kind.
const ARCHIVES: [&str; 33] = [
    "acc-phys", "adap-org", "alg-geom", "ao-sci", "astro-ph", "atom-ph", "bayes-an", "chao-dyn",
    "chem-ph", "cmp-lg", "comp-gas", "cond-mat", "cs", "dg-ga", "funct-an", "gr-qc", "hep-ex",
    "hep-lat", "hep-ph", "hep-th", "math", "math-ph", "mtrl-th", "nlin", "nucl-ex", "nucl-th",
    "patt-sol", "physics", "plasm-ph", "q-alg", "q-bio", "quant-ph", "solv-int",
];

/// Words between the name and the number: "arXiv preprint arXiv:2101.00001", "arXiv e-print no. ...".
const BETWEEN: [&str; 8] =
    ["preprint", "e-print", "eprint", "identifier", "id", "no.", "number", "paper"];

pub(super) fn at(text: &str, start: usize, end: usize) -> Option<IdentifierMatch> {
    starts_word(text, start).then_some(())?;
    let rest = &text[end..];
    let id = match after(rest, ".org/") {
        Some(path) => path.split_once('/').filter(|it| is_page(it.0)).map(|it| it.1)?,
        None => after_words(rest),
    };
    let start = text.len() - id.len();
    let (value, length) = number(id)?;
    Some(IdentifierMatch { kind: IdentifierKind::Arxiv, value, start, end: start + length })
}

pub(super) fn of_path(path: &str) -> Option<String> {
    let (page, id) = path.strip_prefix('/')?.split_once('/')?;
    is_page(page).then(|| number(id)).flatten().map(|it| it.0)
}

pub(super) fn normalise(raw: &str) -> Option<String> {
    if let Some((value, _)) = number(raw).filter(|it| it.1 == raw.len()) {
        return Some(value);
    }
    // arXiv's own DOIs carry the number.
    if let Some(id) = after(raw, "10.48550/arxiv.") {
        return number(id).map(|it| it.0);
    }
    let found = super::found_in(raw).into_iter();
    found.filter(|it| it.kind == IdentifierKind::Arxiv).map(|it| it.value).next()
}

fn is_page(name: &str) -> bool {
    matches!(name, "abs" | "pdf" | "html" | "format" | "ps" | "e-print" | "src" | "tb")
}

fn after_words(text: &str) -> &str {
    const MOST: usize = 4;
    let mut rest = text;
    for _ in 0..MOST {
        let marks = rest.bytes().take(4).take_while(|it| b" :.([#\t\n".contains(it)).count();
        rest = &rest[marks..];
        match BETWEEN.iter().find_map(|it| after(rest, it)) {
            Some(tail) => rest = tail,
            None => break,
        }
    }
    rest
}

/// The number at the beginning of a text without its version, and how long it is with it.
fn number(text: &str) -> Option<(String, usize)> {
    let (value, end) = new_number(text).or_else(|| old_number(text))?;
    let version = text[end..].strip_prefix(['v', 'V']).map(|_| digits_end(text, end + 1));
    let end = version.filter(|it| *it > end + 1).unwrap_or(end);
    ends_word(text, end).then_some((value, end))
}

fn new_number(text: &str) -> Option<(String, usize)> {
    let month = digits_end(text, 0);
    if month != 4 || !text[4..].starts_with('.') || !is_month(&text[..4]) {
        return None;
    }
    let end = digits_end(text, 5);
    // Five digits since January 2015.
    let length = match &text[..4] {
        it if ("0704".."1501").contains(&it) => 4,
        it if ("1501".."9101").contains(&it) => 5,
        _ => return None,
    };
    (end - 5 == length).then(|| (text[..end].to_owned(), end))
}

fn old_number(text: &str) -> Option<(String, usize)> {
    let name =
        text.bytes().take(24).take_while(|it| it.is_ascii_alphabetic() || b"-.".contains(it));
    let slash = name.count();
    let end = digits_end(text, (slash + 1).min(text.len()));
    if text.as_bytes().get(slash) != Some(&b'/') || end != slash + 8 {
        return None;
    }
    // The subject class (`math.GT`) is no part of the number.
    let archive = text[..slash].split('.').next().unwrap_or_default().to_ascii_lowercase();
    let digits = &text[slash + 1..end];
    let known = ARCHIVES.contains(&archive.as_str()) && is_month(&digits[..4]);
    known.then(|| (format!("{archive}/{digits}"), end))
}

fn is_month(digits: &str) -> bool {
    ("01"..="12").contains(&&digits[2..4])
}
