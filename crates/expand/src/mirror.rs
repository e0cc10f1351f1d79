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
    let weight = |known: bool| -> usize {
        let pieces = query.pieces.iter().filter(|it| !known || is_found(query, it));
        pieces.map(|it| it.weight).sum()
    };
    let (found, all) = (weight(true), weight(false));
    if found == 0 || (found as f64) < settings.min_mirrored_share * all as f64 {
        return Vec::new();
    }
    (0..settings.mirrors).map_while(|rank| mirror(query, rank, settings.max_words)).collect()
}

fn is_found(query: &Query, piece: &Piece) -> bool {
    match &piece.kind {
        PieceKind::Term { word, .. } => !mirrors_of(query, word).is_empty(),
        PieceKind::Carried | PieceKind::Month(_) => true,
        PieceKind::Missed | PieceKind::Rest => false,
    }
}

fn mirrors_of(query: &Query, word: &str) -> Vec<Mirror> {
    match query.side {
        Side::Japanese => dictionary::of_japanese(word),
        Side::English => dictionary::of_english(word),
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
            PieceKind::Term { word, .. } => {
                let mirrors = mirrors_of(query, word);
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
