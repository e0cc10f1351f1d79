//! PubMed's numbers: PMID (needs a word that says so) and PMCID.

use super::{IdentifierKind, IdentifierMatch, after, digits_end, ends_word, starts_word};

const PMID_DIGITS: std::ops::RangeInclusive<usize> = 1..=8;
const PMCID_DIGITS: std::ops::RangeInclusive<usize> = 5..=9;

pub(super) fn at_pmid(text: &str, start: usize, end: usize) -> Option<IdentifierMatch> {
    starts_word(text, start).then_some(())?;
    pmid_at(text, skip_cue(text, end), PMID_DIGITS)
}

/// `PubMed ID: 1`, `pubmed/1`, `pubmed.ncbi.nlm.nih.gov/1`, `[PubMed: 12345]`. After the bare word
/// and a colon there can as well be the years of a search, so that form needs more digits.
pub(super) fn at_pubmed(text: &str, start: usize, end: usize) -> Option<IdentifierMatch> {
    starts_word(text, start).then_some(())?;
    let rest = &text[end..];
    let at = |tail: &str| text.len() - tail.len();
    if let Some(tail) = after(rest, ".ncbi.nlm.nih.gov/").or_else(|| after(rest, "/")) {
        return pmid_at(text, at(after(tail, "?term=").unwrap_or(tail)), PMID_DIGITS);
    }
    if let Some(tail) = after(rest.trim_start_matches(' '), "id") {
        return pmid_at(text, skip_cue(text, at(tail)), PMID_DIGITS);
    }
    let tail = after(rest, ":")?;
    pmid_at(text, skip_cue(text, at(tail)), 5..=8)
}

/// `PMC1234567`, and `PMCID: 1234567` with the word before it.
pub(super) fn at_pmc(text: &str, start: usize, end: usize) -> Option<IdentifierMatch> {
    starts_word(text, start).then_some(())?;
    let numbered = after(&text[end..], "id");
    let digits = match numbered {
        Some(tail) => {
            let at = skip_cue(text, text.len() - tail.len());
            after(&text[at..], "pmc").map_or(at, |tail| text.len() - tail.len())
        }
        None => end,
    };
    let prefix = digits - 3;
    let prefixed = text.get(prefix..digits).is_some_and(|it| it.eq_ignore_ascii_case("pmc"));
    let start = if prefixed { prefix } else { digits };
    let (value, end) = number(text, digits, PMCID_DIGITS)?;
    Some(IdentifierMatch { kind: IdentifierKind::Pmcid, value: format!("PMC{value}"), start, end })
}

pub(super) fn of_path(host: &str, path: &str) -> Option<(IdentifierKind, String)> {
    let parts: Vec<&str> = path.split('/').filter(|it| !it.is_empty()).collect();
    match parts.as_slice() {
        [number, ..] if host.starts_with("pubmed.") => {
            normalise_pmid(number).map(|it| (IdentifierKind::Pmid, it))
        }
        ["pubmed" | "m", number, ..] => normalise_pmid(number).map(|it| (IdentifierKind::Pmid, it)),
        ["article" | "abstract", "MED" | "med", number, ..] => {
            normalise_pmid(number).map(|it| (IdentifierKind::Pmid, it))
        }
        ["pmc", "articles", number, ..]
        | ["articles", number, ..]
        | ["article" | "abstract", "PMC" | "pmc", number, ..] => {
            normalise_pmcid(number).map(|it| (IdentifierKind::Pmcid, it))
        }
        _ => None,
    }
}

pub(super) fn normalise_pmid(raw: &str) -> Option<String> {
    let whole = |it: IdentifierMatch| it.value;
    let plain = |text: &str| number(text, 0, PMID_DIGITS).filter(|it| it.1 == text.len());
    if let Some((value, _)) = plain(raw) {
        return Some(value);
    }
    super::found_in(raw).into_iter().find(|it| it.kind == IdentifierKind::Pmid).map(whole)
}

pub(super) fn normalise_pmcid(raw: &str) -> Option<String> {
    if let Some((value, _)) = number(raw, 0, PMCID_DIGITS).filter(|it| it.1 == raw.len()) {
        return Some(format!("PMC{value}"));
    }
    let found = super::found_in(raw).into_iter().find(|it| it.kind == IdentifierKind::Pmcid);
    found.map(|it| it.value)
}

fn pmid_at(
    text: &str,
    start: usize,
    length: std::ops::RangeInclusive<usize>,
) -> Option<IdentifierMatch> {
    let (value, end) = number(text, start, length)?;
    Some(IdentifierMatch { kind: IdentifierKind::Pmid, value, start, end })
}

/// A whole number without leading zeros that is not the beginning of something longer.
fn number(
    text: &str,
    start: usize,
    length: std::ops::RangeInclusive<usize>,
) -> Option<(String, usize)> {
    let end = digits_end(text, start);
    let digits = &text[start..end];
    if !length.contains(&digits.len()) || digits.starts_with('0') || !ends_word(text, end) {
        return None;
    }
    let mut next = text[end..].chars();
    let goes_on =
        matches!(next.next(), Some('-' | '/')) && next.next().is_some_and(|it| it.is_ascii_digit());
    (!goes_on).then(|| (digits.to_owned(), end))
}

/// Past the colon, spaces and brackets between a word and its number.
fn skip_cue(text: &str, at: usize) -> usize {
    let plural = after(&text[at..], "s").map_or(at, |_| at + 1);
    let rest = text[plural..].bytes().take(4);
    plural + rest.take_while(|it| b" :#=([.\t".contains(it)).count()
}
