//! The query's content in the other language, as keywords.

use crate::dictionary::{self, Mirror};
use crate::english::{self, key};
use crate::expansion::{Change, Expansion, ExpansionKind, Relation};
use crate::plain::same;
use crate::query::{Piece, PieceKind, Query, Side};
use crate::settings::ExpandSettings;

/// A second-best word must be this usual, in hundredths, to be worth a request.
const LEAST_SECOND: u8 = 15;

/// With more nouns than this a query is clear without its verbs, which have many mirrors each.
const FEW_NOUNS: usize = 3;

/// A word that is left for its many meanings weighs as much as so many others.
const LEFT_WEIGHT: usize = 2;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Mirrors of a query: one of best words, then one of second-best words for each further request.
pub(crate) fn mirrors(query: &Query, settings: &ExpandSettings) -> Vec<Expansion> {
    let (mut found, mut all) = (0, 0);
    for piece in &query.pieces {
        let is_found = is_found(query, piece);
        // An English word that means too many things is often what the question is about.
        let is_left = !is_found
            && query.side == Side::English
            && matches!(piece.kind, PieceKind::Term { .. });
        all += if is_left { LEFT_WEIGHT * piece.weight } else { piece.weight };
        found += if is_found { piece.weight } else { 0 };
    }
    if found == 0 || (found as f64) < settings.min_mirrored_share * all as f64 {
        return Vec::new();
    }
    (0..settings.mirrors).map_while(|rank| mirror(query, rank, settings.max_words)).collect()
}

fn is_found(query: &Query, piece: &Piece) -> bool {
    match &piece.kind {
        PieceKind::Term { word, inflected } => !mirrors_of(query, word, *inflected).is_empty(),
        PieceKind::Carried | PieceKind::Month(_) => true,
        PieceKind::Missed | PieceKind::Rest => false,
    }
}

/// The mirrors of a term. A phrase was seen in aligned text as it is; a single word must be sure of its meaning.
fn mirrors_of(query: &Query, word: &str, inflected: bool) -> Vec<Mirror> {
    match query.side {
        Side::Japanese => {
            dictionary::unambiguous(dictionary::of_japanese(word), dictionary::JAPANESE_WORD)
        }
        Side::English if word.contains(' ') => dictionary::of_english(word),
        Side::English => {
            let sureness =
                if inflected { dictionary::ENGLISH_FORM } else { dictionary::ENGLISH_WORD };
            dictionary::unambiguous(dictionary::of_english(word), sureness)
        }
    }
}

fn is_noun(piece: &Piece) -> bool {
    matches!(piece.kind, PieceKind::Term { inflected: false, .. } | PieceKind::Missed)
}

fn is_verb(piece: &Piece) -> bool {
    matches!(piece.kind, PieceKind::Term { inflected: true, .. })
}

/// The mirror made of the words of one rank; `None` where no word has that many.
fn mirror(query: &Query, rank: usize, max_words: usize) -> Option<Expansion> {
    let mut words: Vec<String> = Vec::new();
    let mut changes = Vec::new();
    let mut of_this_rank = false;
    let verbs = query.pieces.iter().filter(|it| is_noun(it)).count() <= FEW_NOUNS;
    for piece in &query.pieces {
        if words.len() == max_words {
            break;
        }
        if !verbs && is_verb(piece) {
            continue;
        }
        let from = query.slice(piece);
        let to = match &piece.kind {
            PieceKind::Term { word, inflected } => {
                let mirrors = mirrors_of(query, word, *inflected);
                let usual = |it: &&Mirror| rank == 0 || it.share >= LEAST_SECOND;
                let chosen = mirrors.get(rank).filter(usual);
                of_this_rank |= chosen.is_some();
                let Some(chosen) = chosen.or(mirrors.first()) else { continue };
                chosen.text
            }
            PieceKind::Month(month) => MONTHS[month - 1],
            PieceKind::Carried => from,
            PieceKind::Missed | PieceKind::Rest => continue,
        };
        if words.iter().any(|it| says(it, to)) {
            continue;
        }
        words.push(to.to_owned());
        if piece.kind != PieceKind::Carried {
            let (from, to) = (from.to_owned(), to.to_owned());
            changes.push(Change { from, to, relation: Relation::Translation });
        }
    }
    // A query that already says everything in both languages gains nothing.
    let text = query.text().to_lowercase();
    let is_new = |it: &Change| !text.contains(&it.to.to_lowercase());
    let says_something = words.iter().any(|it| !english::is_stop_word(&it.to_lowercase()));
    (of_this_rank && says_something && changes.iter().any(is_new)).then(|| Expansion {
        text: words.join(" "),
        kind: ExpansionKind::Mirror,
        changes,
        new_terms: true,
    })
}

/// Whether the words of a mirror already say this one: `air mass` after `polar air mass`.
fn says(known: &str, word: &str) -> bool {
    let (known, word) = (key(known), key(word));
    same(&known, &word) || format!(" {known} ").contains(&format!(" {word} "))
}
