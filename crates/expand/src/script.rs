//! The same words in another spelling: width, katakana, kana and kanji, old characters, British and
//! American English.
//!
//! Only listed spellings: those that both occur in our texts (`spellings.tsv`) and those written
//! by hand (`variants.tsv`). All words of a query change at once, so one request finds the other half.
//! Full and half width are the same to Lyra's own index and to the large engines, but not to every
//! catalogue: a query that differs in width alone is given, and marked ([`Expansion::new_terms`]).

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use crate::english;
use crate::expansion::{Change, Expansion, ExpansionKind, Relation};
use crate::plain::same;
use crate::query::{PieceKind, Query, Side};
use crate::settings::ExpandSettings;
use crate::word_lists::JA;
use text::script::{is_half_width_katakana, is_katakana};

static VARIANTS: &str = include_str!("../data/variants.tsv");
static SPELLINGS: LazyLock<HashMap<String, Vec<&'static str>>> = LazyLock::new(|| {
    let mut all: HashMap<String, Vec<&'static str>> = HashMap::new();
    let lists = [VARIANTS, include_str!("../data/spellings.tsv")];
    let lines = lists.iter().flat_map(|it| it.lines());
    for line in lines.filter(|it| !it.starts_with('#') && !it.is_empty()) {
        let words: Vec<&'static str> = line.split(['\t', '|']).collect();
        for word in &words {
            let own = if word.is_ascii() { english::singular(word) } else { (*word).to_owned() };
            let known = all.entry(own).or_default();
            for other in words.iter().filter(|it| *it != word) {
                if !known.contains(other) {
                    known.push(other);
                }
            }
        }
    }
    all
});

/// British words and the American ones the dictionaries are keyed by.
static AMERICAN: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let lines = VARIANTS.lines().filter(|it| it.is_ascii() && !it.starts_with('#'));
    let both = lines.flat_map(|line| {
        let mut words = line.split('|');
        let american = words.next().unwrap_or_default();
        words.map(move |british| (british, american))
    });
    both.collect()
});

static MODERN: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    let characters: Vec<char> = JA.old_kanji.iter().flat_map(str::chars).collect();
    characters.chunks_exact(2).map(|it| (it[0], it[1])).collect()
});

/// The American spelling of a British word.
pub(crate) fn american(word: &str) -> Option<&'static str> {
    AMERICAN.get(word).copied()
}

/// Other spellings of a Japanese word or an English one in the singular, the most usual first.
pub(crate) fn spellings_of(word: &str) -> &'static [&'static str] {
    SPELLINGS.get(word).map_or(&[], Vec::as_slice)
}

/// The text in today's characters; every character keeps its place and its length.
pub(crate) fn modern(text: &str) -> String {
    text.chars().map(|it| MODERN.get(&it).copied().unwrap_or(it)).collect()
}

/// Other spellings of a query: the first alternative of every word, then the second ones.
pub(crate) fn scripts(query: &Query, settings: &ExpandSettings) -> Vec<Expansion> {
    let respellings = respellings(query);
    let mut all = Vec::new();
    for rank in 0..settings.scripts {
        let mut changes = Vec::new();
        let mut replaced = Vec::new();
        let mut of_this_rank = false;
        for respelling in &respellings {
            of_this_rank |= respelling.options.len() > rank;
            let Some(to) = respelling.options.get(rank).or(respelling.options.first()) else {
                continue;
            };
            let from = query.text()[respelling.bytes.clone()].to_owned();
            changes.push(Change { from, to: to.clone(), relation: respelling.relation });
            replaced.push((respelling.bytes.clone(), to.clone()));
        }
        if rank == 0 && is_wide(query) {
            let (from, to) = (query.written().trim().to_owned(), query.text().to_owned());
            changes.insert(0, Change { from, to, relation: Relation::Width });
        } else if !of_this_rank {
            break;
        }
        let text = query.with(&replaced);
        let new_terms = !same(&text, query.written());
        all.push(Expansion { text, kind: ExpansionKind::Script, changes, new_terms });
    }
    all
}

/// Whether letters, digits or katakana of the query are written in the width that is not usual. Signs
/// do not count: no search looks for them.
fn is_wide(query: &Query) -> bool {
    query.written().chars().any(|c| {
        is_half_width_katakana(c)
            || matches!(c, '\u{ff10}'..='\u{ff19}' | '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}')
    })
}

/// A part of the query that can be written otherwise.
struct Respelling {
    bytes: Range<usize>,
    options: Vec<String>,
    relation: Relation,
}

fn respellings(query: &Query) -> Vec<Respelling> {
    let mut respellings = match query.side {
        Side::Japanese => japanese_respellings(query),
        Side::English => english_respellings(query.text()),
    };
    respellings.retain(|it| !it.options.is_empty());
    respellings
}

fn japanese_respellings(query: &Query) -> Vec<Respelling> {
    let mut respellings = Vec::new();
    for piece in &query.pieces {
        let written = query.slice(piece);
        let today = modern(written);
        let (options, relation) = match &piece.kind {
            _ if today != written => (vec![today], Relation::OldKanji),
            PieceKind::Term { word, inflected: false } if !spellings_of(word).is_empty() => {
                (spellings_of(word).iter().map(|it| (*it).to_owned()).collect(), Relation::Spelling)
            }
            _ if written.contains('ヴ') && written.chars().all(is_katakana) => {
                (vec![without_vu(written)], Relation::Spelling)
            }
            _ => continue,
        };
        respellings.push(Respelling { bytes: piece.bytes.clone(), options, relation });
    }
    respellings
}

/// ヴァイオリン as バイオリン.
fn without_vu(word: &str) -> String {
    [("ヴァ", "バ"), ("ヴィ", "ビ"), ("ヴェ", "ベ"), ("ヴォ", "ボ"), ("ヴ", "ブ")]
        .iter()
        .fold(word.to_owned(), |word, (old, new)| word.replace(old, new))
}

fn english_respellings(text: &str) -> Vec<Respelling> {
    let mut respellings = Vec::new();
    for word in english::words(text) {
        let written = &text[word.bytes.clone()];
        let lower = written.to_lowercase();
        let one = english::singular(&lower);
        let plural = one != lower;
        let mut options = Vec::new();
        for other in spellings_of(&one) {
            let mut other = (*other).to_owned();
            if plural && !other.ends_with('s') {
                other.push('s');
            }
            if written.chars().next().is_some_and(char::is_uppercase) {
                other = capitalised(&other);
            }
            options.push(other);
        }
        respellings.push(Respelling { bytes: word.bytes, options, relation: Relation::Spelling });
    }
    respellings
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |it| it.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use text::script::is_kanji;

    #[test]
    fn the_table_of_old_characters_is_made_of_pairs() {
        let characters: Vec<char> = JA.old_kanji.iter().flat_map(str::chars).collect();
        assert_eq!(characters.len() % 2, 0);
        for pair in characters.chunks_exact(2) {
            assert!(is_kanji(pair[0]) && is_kanji(pair[1]), "{pair:?}");
            assert_eq!(pair[0].len_utf8(), pair[1].len_utf8(), "{pair:?}");
            assert!(!MODERN.contains_key(&pair[1]) || MODERN[&pair[1]] == pair[1], "{pair:?}");
        }
    }
}
