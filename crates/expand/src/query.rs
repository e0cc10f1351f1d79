//! A query, read: its language, and the pieces it is made of.

use std::ops::Range;

use text::language::{Languages, detect};

use crate::english::{self, Word};
use crate::plain::plain;
use crate::settings::ExpandSettings;
use crate::{dictionary, groups, japanese, script};

/// The longest English term of the dictionaries, in words.
const LONGEST_TERM: usize = 5;

/// An unknown word of at least this many letters is likely the subject of the query, and counts as more than one.
const LONG_WORD: usize = 8;
const LONG_WEIGHT: usize = 2;
/// How much of a few Latin words must be known for them to be taken as English.
const LEAST_KNOWN: f64 = 0.5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Japanese,
    English,
}

/// A part of the query and what is known about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Where it stands in [`Query::text`].
    pub(crate) bytes: Range<usize>,
    pub(crate) kind: PieceKind,
    /// How much of the query's content it is: characters in Japanese, words in English.
    pub(crate) weight: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PieceKind {
    /// A word of the dictionaries: as it is listed in Japanese, its key in English.
    Term { word: String, inflected: bool },
    /// Letters and digits that mean the same in both languages.
    Carried,
    /// 3月, which is March and not a word.
    Month(usize),
    /// Content that no dictionary has.
    Missed,
    /// A word that asks or joins.
    Rest,
}

#[derive(Debug)]
pub(crate) struct Query {
    written: String,
    text: String,
    pub(crate) side: Side,
    pub(crate) pieces: Vec<Piece>,
}

impl Query {
    /// Reads a query; `None` if there is nothing to expand.
    pub(crate) fn read(written: &str, settings: &ExpandSettings) -> Option<Self> {
        if written.chars().nth(settings.max_query_chars).is_some() {
            return None;
        }
        let text = plain(written);
        let language = detect(&text);
        let side = if Languages::new(["ja"]).admit(&language) {
            Side::Japanese
        } else if Languages::new(["en"]).admit(&language) {
            Side::English
        } else {
            return None;
        };
        let pieces = match side {
            Side::Japanese => japanese::pieces(&script::modern(&text)),
            Side::English => english_pieces(&text),
        };
        let query = Self { written: written.to_owned(), text, side, pieces };
        // A few Latin letters may be any language; an English query has English words.
        let english = side == Side::Japanese || language.name().is_some();
        (english || query.known_share() >= LEAST_KNOWN).then_some(query)
    }

    /// How many of the words that say something are known, from 0 to 1.
    fn known_share(&self) -> f64 {
        let count =
            |is: fn(&PieceKind) -> bool| self.pieces.iter().filter(|it| is(&it.kind)).count();
        let missed = count(|it| matches!(it, PieceKind::Missed));
        let all = count(|it| !matches!(it, PieceKind::Rest));
        if all == 0 { 0.0 } else { (all - missed) as f64 / all as f64 }
    }

    /// The query as it came in.
    pub(crate) fn written(&self) -> &str {
        &self.written
    }

    /// The query in the form all pieces refer to.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn slice(&self, piece: &Piece) -> &str {
        &self.text[piece.bytes.clone()]
    }

    /// The query with other words in some places, given in order.
    pub(crate) fn with(&self, replaced: &[(Range<usize>, String)]) -> String {
        let (mut out, mut at) = (String::new(), 0);
        for (bytes, text) in replaced {
            out.push_str(&self.text[at..bytes.start]);
            out.push_str(text);
            at = bytes.end;
        }
        out.push_str(&self.text[at..]);
        out
    }
}

fn english_pieces(text: &str) -> Vec<Piece> {
    let words = english::words(text);
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let (length, kind) = term_at(text, &words[at..])
            .unwrap_or_else(|| (1, english_kind(&text[words[at].bytes.clone()], &words[at])));
        let own = &words[at..at + length];
        at += length;
        let bytes = own[0].bytes.start..own[length - 1].bytes.end;
        let content = own.iter().filter(|it| !it.stop).count().max(1);
        let weight = match kind {
            PieceKind::Rest => 0,
            PieceKind::Missed if bytes.len() >= LONG_WORD => LONG_WEIGHT,
            _ => content,
        };
        if kind == PieceKind::Carried && is_glued(text, pieces.last(), bytes.start) {
            // G-CSF is one name.
            let last: &mut Piece = pieces.last_mut().expect("just looked at");
            last.bytes.end = bytes.end;
            continue;
        }
        pieces.push(Piece { bytes, kind, weight });
    }
    pieces
}

/// Whether a name continues here after a hyphen or a slash.
fn is_glued(text: &str, last: Option<&Piece>, start: usize) -> bool {
    last.is_some_and(|it| {
        it.kind == PieceKind::Carried && matches!(&text[it.bytes.end..start], "-" | "/")
    })
}

/// The longest term that begins with the first of these words.
fn term_at(text: &str, words: &[Word]) -> Option<(usize, PieceKind)> {
    let joined =
        words.iter().enumerate().take_while(|(i, it)| !it.japanese && (*i == 0 || it.joined));
    let longest = joined.count().min(LONGEST_TERM);
    for length in (1..=longest).rev() {
        let (first, last) = (&words[0], &words[length - 1]);
        // `in vitro fertilization` begins with one, but no term is one.
        if length == 1 && first.stop {
            continue;
        }
        let word = english::key(&text[first.bytes.start..last.bytes.end]);
        if is_known(&word) {
            return Some((length, PieceKind::Term { word, inflected: false }));
        }
    }
    let first = words.first().filter(|it| !it.japanese && !it.stop)?;
    let lower = text[first.bytes.clone()].to_lowercase();
    let base = english::base_forms(&lower).into_iter().find(|it| is_known(it))?;
    Some((1, PieceKind::Term { word: base, inflected: true }))
}

fn is_known(key: &str) -> bool {
    dictionary::knows_english(key)
        || groups::of(key).next().is_some()
        || !groups::short_forms(key).is_empty()
}

fn english_kind(written: &str, word: &Word) -> PieceKind {
    if word.japanese {
        PieceKind::Carried
    } else if word.stop {
        // A lone digit counts; a lone letter does not.
        let digit = written.chars().all(|c| c.is_ascii_digit());
        if digit { PieceKind::Carried } else { PieceKind::Rest }
    } else if english::is_code(written) {
        PieceKind::Carried
    } else {
        PieceKind::Missed
    }
}
