//! The same question with another word in one place.
//!
//! Precision first: hand-written groups, then short forms, then words that are each other's only
//! choice through the other language. Verbs stay as they are, since their endings would have to change.

use crate::dictionary;
use crate::english;
use crate::expansion::{Change, Expansion, ExpansionKind, Relation};
use crate::groups::{self, Role};
use crate::query::{Piece, PieceKind, Query, Side};
use crate::settings::ExpandSettings;
use crate::text::is_japanese;

/// How usual two words must be for one of the other language, in hundredths, and how usual that one is
/// for each of them, to count as the same.
const LEAST_BACK: u8 = 20;
const LEAST_SHARE: u8 = 60;

/// Queries with a synonym, the surest first.
pub(crate) fn synonyms(query: &Query, _: &ExpandSettings) -> Vec<Expansion> {
    let sources: [fn(&Query, &Piece, &str) -> Found; 3] = [by_group, by_short_form, by_mirror];
    let mut all = Vec::new();
    for source in sources {
        let lists: Vec<_> =
            terms(query).map(|(piece, word)| (piece, source(query, piece, word))).collect();
        all.extend(in_turns(query, &lists, ExpansionKind::Synonym));
    }
    all
}

/// Queries with a broader or narrower word, from the hand-written groups alone.
pub(crate) fn related(query: &Query, _: &ExpandSettings) -> Vec<Expansion> {
    let lists: Vec<_> = terms(query).map(|(piece, word)| (piece, by_level(query, word))).collect();
    in_turns(query, &lists, ExpansionKind::Related)
}

type Found = Vec<(String, Relation)>;

/// What can be replaced: whole words, and codes that may be short forms.
fn terms(query: &Query) -> impl Iterator<Item = (&Piece, &str)> {
    query.pieces.iter().filter_map(|piece| match &piece.kind {
        PieceKind::Term { word, inflected: false } => Some((piece, word.as_str())),
        PieceKind::Carried => Some((piece, query.slice(piece))),
        _ => None,
    })
}

/// The first word of every place, then the second ones.
fn in_turns(query: &Query, lists: &[(&Piece, Found)], kind: ExpansionKind) -> Vec<Expansion> {
    let longest = lists.iter().map(|it| it.1.len()).max().unwrap_or(0);
    let mut all = Vec::new();
    for turn in 0..longest {
        for (piece, found) in lists {
            let Some((to, relation)) = found.get(turn) else { continue };
            let text = query.with(&[(piece.bytes.clone(), to.clone())]);
            let from = query.slice(piece).to_owned();
            let changes = vec![Change { from, to: to.clone(), relation: *relation }];
            all.push(Expansion { text, kind, changes, new_terms: true });
        }
    }
    all
}

fn is_english(query: &Query) -> bool {
    query.side == Side::English
}

fn by_group(query: &Query, _: &Piece, word: &str) -> Found {
    members(query, word, |it| (it == Role::Same).then_some(Relation::Synonym))
}

fn by_level(query: &Query, word: &str) -> Found {
    members(query, word, |it| match it {
        Role::Same => None,
        Role::Broader => Some(Relation::Broader),
        Role::Narrower => Some(Relation::Narrower),
    })
}

fn members(query: &Query, word: &str, relation: impl Fn(Role) -> Option<Relation>) -> Found {
    let own = if is_english(query) { english::key(word) } else { word.to_owned() };
    let mut found: Found = Vec::new();
    for member in groups::of(&own).flat_map(|it| &it.members) {
        let itself = member.text == own || (member.english && english::key(member.text) == own);
        if itself
            || member.english != is_english(query)
            || found.iter().any(|it| it.0 == member.text)
        {
            continue;
        }
        found.extend(relation(member.role).map(|it| (member.text.to_owned(), it)));
    }
    found
}

fn by_short_form(query: &Query, piece: &Piece, word: &str) -> Found {
    let fits = |it: &&&str| !it.chars().any(is_japanese) == is_english(query);
    let long = groups::long_forms(query.slice(piece)).iter().filter(fits);
    let short = groups::short_forms(word).iter();
    long.chain(short).map(|it| ((*it).to_owned(), Relation::Abbreviation)).collect()
}

/// Words that share their mirror: both mostly mean it, and it is often either of them.
fn by_mirror(query: &Query, _: &Piece, word: &str) -> Found {
    let (there, back): (&[dictionary::Mirror], fn(&str) -> &'static [dictionary::Mirror]) =
        if is_english(query) {
            (dictionary::of_english(word), dictionary::of_japanese)
        } else {
            (dictionary::of_japanese(word), |it| dictionary::of_english(&english::key(it)))
        };
    let Some(pivot) = there.first() else { return Vec::new() };
    let strong = |it: &dictionary::Mirror| it.share >= LEAST_SHARE && it.back >= LEAST_BACK;
    if !strong(pivot) {
        return Vec::new();
    }
    let others = back(pivot.text).iter().filter(|it| {
        let own = if is_english(query) { english::key(it.text) } else { it.text.to_owned() };
        // Seen from the pivot: it is this word often enough, and this word is mostly the pivot.
        own != word && it.back >= LEAST_SHARE && it.share >= LEAST_BACK
    });
    others.map(|it| (it.text.to_owned(), Relation::SharedMirror)).collect()
}
