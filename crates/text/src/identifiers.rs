//! Names of works that hold everywhere: DOI, PMID, PMCID, arXiv, ISBN, patents.
//!
//! [`find`] reads running text, [`of_url`] an address, [`normalise`] a value that is said to be of a
//! kind. All three give the same normal form, so that equal works are equal strings. Numbers that
//! could be anything (PMID, ISBN) count only with a word before them or a shape that says so.

mod arxiv;
mod doi;
mod isbn;
mod patent;
mod patent_jp;
mod pubmed;

use std::borrow::Cow;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use serde::{Deserialize, Serialize};
use url::Url;

/// An identifier in its normal form, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identifier {
    pub kind: IdentifierKind,
    pub value: String,
    /// Characters of the document's text; none for one that was found in a link or in meta data.
    pub position: Option<(usize, usize)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IdentifierKind {
    /// Lower case, from `10.` on.
    Doi,
    /// Digits.
    Pmid,
    /// `PMC` and digits.
    Pmcid,
    /// Without the version: `2101.00001`, `hep-th/9901001`.
    Arxiv,
    /// Thirteen digits.
    Isbn,
    /// Country, number and, where it is known, kind: `US10123456B2`, `JP2020123456A`. Japanese
    /// grants end in `B`, because 特許第...号 does not tell B1 from B2; Japanese applications have
    /// no kind, because they are no documents.
    Patent,
}

/// One identifier inside a text, in bytes of the folded text.
struct IdentifierMatch {
    kind: IdentifierKind,
    value: String,
    start: usize,
    end: usize,
}

/// What an identifier begins with or follows, and the function that reads on from there.
type Reader = fn(&str, usize, usize) -> Option<IdentifierMatch>;

const TRIGGERS: [(&str, Reader); 20] = [
    ("10.", doi::at),
    ("pmid", pubmed::at_pmid),
    ("pubmed", pubmed::at_pubmed),
    ("pmc", pubmed::at_pmc),
    ("arxiv", arxiv::at),
    ("isbn", isbn::at_cue),
    ("978", isbn::at_prefix),
    ("979", isbn::at_prefix),
    ("us", patent::at),
    ("u.s.", patent::at),
    ("ep", patent::at),
    ("wo", patent::at),
    ("jp", patent::at),
    ("特許", patent_jp::at),
    ("特開", patent_jp::at),
    ("特表", patent_jp::at),
    ("特公", patent_jp::at),
    ("特願", patent_jp::at),
    ("再表", patent_jp::at),
    ("実開", patent_jp::at),
];

static FINDER: LazyLock<AhoCorasick> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(TRIGGERS.map(|(word, _)| word))
        .expect("twenty short words make an automaton")
});

/// Finds every identifier in a text, in order of position.
pub fn find(text: &str) -> Vec<Identifier> {
    let folded = fold(text);
    // Folding keeps the number of characters, so positions hold for the text as it came.
    let (mut bytes, mut chars) = (0, 0);
    let mut position = |at: usize| {
        chars += folded[bytes..at].chars().count();
        bytes = at;
        chars
    };
    let found = found_in(&folded).into_iter();
    found
        .map(|found| {
            let position = Some((position(found.start), position(found.end)));
            Identifier { kind: found.kind, value: found.value, position }
        })
        .collect()
}

/// The work an address names by itself: `doi.org/...`, a publisher's page with the DOI in its path,
/// PubMed, arXiv, a patent office.
pub fn of_url(url: &Url) -> Option<Identifier> {
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let host = url.host_str()?.trim_start_matches("www.");
    let within = |domain: &str| {
        host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    let whole = url.as_str();
    let first = |kind| found_in(whole).into_iter().find(|it| it.kind == kind).map(|it| it.value);
    let identifier = |kind, value| Identifier { kind, value, position: None };

    if within("arxiv.org") || within("ar5iv.org") {
        let value = arxiv::of_path(url.path())?;
        return Some(identifier(IdentifierKind::Arxiv, value));
    }
    if within("ncbi.nlm.nih.gov") || within("europepmc.org") {
        let (kind, value) = pubmed::of_path(host, url.path())?;
        return Some(identifier(kind, value));
    }
    if within("patents.google.com") || within("espacenet.com") || within("patentscope.wipo.int") {
        return first(IdentifierKind::Patent).map(|it| identifier(IdentifierKind::Patent, it));
    }
    if let Some(value) = first(IdentifierKind::Doi) {
        return Some(identifier(IdentifierKind::Doi, value));
    }
    isbn::of_path(url.path()).map(|it| identifier(IdentifierKind::Isbn, it))
}

/// The normal form of a value that is said to be of a kind; `None` where it cannot be one.
pub fn normalise(kind: IdentifierKind, raw: &str) -> Option<String> {
    let folded = fold(raw.trim());
    let folded = folded.trim();
    match kind {
        IdentifierKind::Doi => doi::normalise(folded),
        IdentifierKind::Pmid => pubmed::normalise_pmid(folded),
        IdentifierKind::Pmcid => pubmed::normalise_pmcid(folded),
        IdentifierKind::Arxiv => arxiv::normalise(folded),
        IdentifierKind::Isbn => isbn::normalise(folded),
        IdentifierKind::Patent => patent::normalise(folded),
    }
}

fn found_in(folded: &str) -> Vec<IdentifierMatch> {
    let mut found: Vec<IdentifierMatch> = Vec::new();
    for hit in FINDER.find_overlapping_iter(folded) {
        let free = found.last().map_or(0, |it| it.end);
        if hit.start() < free {
            continue;
        }
        let (_, read) = TRIGGERS[hit.pattern().as_usize()];
        if let Some(it) = read(folded, hit.start(), hit.end()).filter(|it| it.start >= free) {
            found.push(it);
        }
    }
    found
}

/// The replacement for a zero-width character: it may occur inside an identifier, and is left out.
const NO_WIDTH: char = '\u{200b}';

/// Writes full-width and other forms of ASCII as ASCII. Character for character.
fn fold(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| folded(c) == c) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(folded).collect())
}

fn folded(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe63}' => '-',
        '\u{2044}' | '\u{2215}' => '/',
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{3000}' => ' ',
        '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => NO_WIDTH,
        _ => c,
    }
}

/// Whether a word may begin at `at`: no ASCII letter or digit precedes it. Japanese letters
/// may, because there are no spaces between them.
fn starts_word(text: &str, at: usize) -> bool {
    !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric())
}

/// Whether a word may end at `at`.
fn ends_word(text: &str, at: usize) -> bool {
    !text[at..].starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// The end of the run of ASCII digits that begins at `at`.
fn digits_end(text: &str, at: usize) -> usize {
    at + text.as_bytes()[at..].iter().take_while(|it| it.is_ascii_digit()).count()
}

/// What follows `text` after a prefix in any case.
fn after<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| &text[prefix.len()..])
}

#[cfg(test)]
mod tests;
