//! Claims in a text without a language model: sentences worth checking, made to stand alone.
//!
//! A sentence is taken when it states something that could be right or wrong and says it precisely
//! enough: with numbers, comparisons, causes, definitions, reports or names. Questions, orders, aims, methods,
//! chatter, captions, lists of references and wishes for more research are left, and labels in front of
//! sentences ("Results:") are taken off. What a sentence points at ("it", 同剤は) is named from the
//! sentence before, the heading or the title; one that cannot be resolved is left. Neither is ever put in front.
//! English and Japanese; other languages give no claims.

pub(crate) mod english;
mod japanese;
pub(crate) mod labels;
pub(crate) mod noise;
mod refer;
mod vocabulary;

use std::ops::Range;

use serde::{Deserialize, Serialize};
use settings::settings;

pub(crate) use refer::capitalised;
use refer::{Reference, Topics};
use text::words::{folded, is_denied, is_japanese};

use crate::statements::{Standing, Statement, statements};

/// Verbs of English statements, in their plain form.
pub(crate) fn english_verbs() -> impl Iterator<Item = &'static str> {
    vocabulary::EN.verbs.iter()
}

/// A passage claims are taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimSource<'a> {
    pub title: Option<&'a str>,
    /// Outermost first.
    pub headings: &'a [String],
    pub text: &'a str,
    /// What the page says its language is. The letters of the text know better.
    pub language: Option<&'a str>,
}

/// A statement taken from a passage.
#[derive(Debug, Clone, PartialEq)]
pub struct ExtractedClaim {
    /// The statement, readable without the passage.
    pub text: String,
    /// The characters of [`ClaimSource::text`] it rests on.
    pub chars: Range<usize>,
    pub granularity: Granularity,
    pub polarity: Polarity,
    /// How likely the sentence is worth checking, 0 to 1.
    pub confidence: f64,
}

/// Whether a claim says one thing or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Granularity {
    Atomic,
    Compound,
}

/// Whether a claim says that something is so, or that it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Polarity {
    Affirms,
    Denies,
}

settings! {
    /// Sentences that become claims.
    pub struct ClaimSettings {}
    expert {
        /// The least likelihood that a sentence is worth checking.
        min_confidence: f64 = 0.5, in 0.0..=1.0;
        /// The most claims of one passage.
        max_claims: usize = 12, in 1..=1_000;
        /// The fewest words of an English claim.
        min_words: usize = 3, in 1..=1_000;
        /// The most words of an English claim.
        max_words: usize = 70, in 1..=1_000;
        /// The fewest characters of a Japanese claim.
        min_characters: usize = 10, in 1..=10_000;
        /// The most characters of a Japanese claim.
        max_characters: usize = 220, in 1..=10_000;
    }
}

/// Takes the claims out of a passage, in order of position.
pub fn extract_claims(source: &ClaimSource<'_>, settings: &ClaimSettings) -> Vec<ExtractedClaim> {
    let readable = is_readable(source);
    if !readable || source.headings.last().is_some_and(|it| noise::is_unclaimed_section(it)) {
        return Vec::new();
    }
    // What speaks to machines must not come back as a statement of the page.
    let spoken: Vec<Range<usize>> = text::sanitise::flags(source.text, false)
        .into_iter()
        .map(|it| it.char_start..it.char_end)
        .collect();
    let mut topics = Topics::new(source);
    let mut claims = Vec::new();
    let (mut bytes, mut chars) = (0, 0);
    let mut position = |at: usize| {
        chars += source.text[bytes..at].chars().count();
        bytes = at;
        chars
    };
    let standing =
        Standing { title: source.title, headings: source.headings, ..Standing::default() };
    let sentences = text::sentences(source.text).into_iter();
    for (place, Statement { bytes, kind }) in sentences.zip(statements(source.text, &standing)) {
        let body = &source.text[bytes.clone()];
        let is_labelled = body.len() < noise::without_marker(&source.text[place]).len();
        let chars = position(bytes.start)..position(bytes.end);
        if spoken.iter().any(|it| it.start < chars.end && chars.start < it.end) {
            topics.forget();
            continue;
        }
        let claim = claim_of(body, is_labelled, chars, &mut topics, settings);
        claims.extend(claim.filter(|_| kind.is_evidence()));
    }
    keep_best(claims, settings.max_claims)
}

fn claim_of(
    body: &str,
    is_labelled: bool,
    chars: Range<usize>,
    topics: &mut Topics,
    settings: &ClaimSettings,
) -> Option<ExtractedClaim> {
    let text = noise::tidied(body);
    // "Results: falls rose": the sentence begins behind its label.
    let text = if is_labelled { refer::capitalised(&text) } else { text };
    let plain = folded(&text);
    let japanese = is_japanese(&plain);
    let resolved = topics.resolve(&text, japanese);
    if noise::is_noise(&plain) {
        return None;
    }
    let judged = |it: &str| {
        if japanese { japanese::worth(it, settings) } else { english::worth(it, settings) }
    };
    let said = judged(&plain)?;
    let (text, worth, loss) = match resolved {
        Reference::Whole(text) => (text.clone(), judged(&folded(&text)), 0.0),
        Reference::Named(text) => (text.clone(), judged(&folded(&text)), vocabulary::NAMED_LOSS),
        Reference::Open => return None,
    };
    // A name in the place of "it" makes a sentence more worth checking; "We found that" did so too.
    let worth = said.max(worth?);
    let confidence = ((worth - loss).clamp(0.0, 1.0) * 1000.0).round() / 1000.0;
    (confidence >= settings.min_confidence).then_some(ExtractedClaim {
        granularity: granularity_of(&text),
        polarity: polarity_of(&text),
        text,
        chars,
        confidence,
    })
}

pub fn polarity_of(text: &str) -> Polarity {
    if is_denied(&folded(text)) { Polarity::Denies } else { Polarity::Affirms }
}

pub fn granularity_of(text: &str) -> Granularity {
    let plain = folded(text);
    let compound = if is_japanese(&plain) {
        japanese::is_compound(&plain)
    } else {
        english::is_compound(&plain)
    };
    if compound { Granularity::Compound } else { Granularity::Atomic }
}

/// Whether the text is in a language there are rules for.
fn is_readable(source: &ClaimSource<'_>) -> bool {
    let declared = source.language.and_then(|it| it.split(['-', '_']).next());
    match text::language::detect(source.text).tag() {
        "en" | "ja" => true,
        // Too short to tell, or between two languages: the page may know.
        "und-Latn" | "und" => {
            declared.is_none_or(|it| it.eq_ignore_ascii_case("en") || it.eq_ignore_ascii_case("ja"))
        }
        "und-Hani" => declared.is_none_or(|it| it.eq_ignore_ascii_case("ja")),
        _ => false,
    }
}

/// The most confident claims, the earlier of equals, in order of position.
fn keep_best(mut claims: Vec<ExtractedClaim>, most: usize) -> Vec<ExtractedClaim> {
    if claims.len() > most {
        claims.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        claims.truncate(most);
        claims.sort_by_key(|it| it.chars.start);
    }
    claims
}
