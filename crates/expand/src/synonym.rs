//! The same question with another word in one place.
//!
//! Precision first: hand-written groups, then short forms. Words that merely share a mirror are not taken:
//! of those that the dictionary proposes a quarter are wrong (a policy is 政策 or ポリシー, but not both), so
//! they were read, and the good ones are in the groups. Verbs stay as they are, since their endings would
//! have to change.

use crate::expansion::{Change, Expansion, ExpansionKind, Relation};
use crate::groups::{self, Role};
use crate::query::{Piece, PieceKind, Query, Side};
use crate::script;
use crate::settings::ExpandSettings;
use text::script::is_japanese;

/// Queries with a synonym, the surest first.
pub(crate) fn synonyms(query: &Query, _: &ExpandSettings) -> Vec<Expansion> {
    let sources: [fn(&Query, &Piece, &str) -> Alternatives; 2] = [by_group, by_short_form];
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

type Alternatives = Vec<(String, Relation)>;

/// What can be replaced: whole words, and codes that may be short forms.
fn terms(query: &Query) -> impl Iterator<Item = (&Piece, &str)> {
    query.pieces.iter().filter_map(|piece| match &piece.kind {
        PieceKind::Term { word, inflected: false } => Some((piece, word.as_str())),
        PieceKind::Carried => Some((piece, query.slice(piece))),
        _ => None,
    })
}

/// The first other word of every term, then the second ones. A term that occurs twice changes twice.
fn in_turns(
    query: &Query,
    lists: &[(&Piece, Alternatives)],
    kind: ExpansionKind,
) -> Vec<Expansion> {
    let longest = lists.iter().map(|it| it.1.len()).max().unwrap_or(0);
    let mut all: Vec<Expansion> = Vec::new();
    for turn in 0..longest {
        for (piece, found) in lists {
            let Some((to, relation)) = found.get(turn) else { continue };
            let from = query.slice(piece);
            let places = lists.iter().filter(|it| query.slice(it.0) == from);
            let replaced: Vec<_> = places.map(|it| (it.0.bytes.clone(), to.clone())).collect();
            let text = query.with(&replaced);
            let changes =
                vec![Change { from: from.to_owned(), to: to.clone(), relation: *relation }];
            all.push(Expansion { text, kind, changes, new_terms: true });
        }
    }
    all
}

fn is_english(query: &Query) -> bool {
    query.side == Side::English
}

fn by_group(query: &Query, _: &Piece, word: &str) -> Alternatives {
    members(query, word, |it| (it == Role::Same).then_some(Relation::Synonym))
}

fn by_level(query: &Query, word: &str) -> Alternatives {
    members(query, word, |role| match role {
        Role::Same | Role::Written => None,
        Role::Broader => Some(Relation::Broader),
        Role::Narrower => Some(Relation::Narrower),
    })
}

fn members(query: &Query, word: &str, relation: impl Fn(Role) -> Option<Relation>) -> Alternatives {
    let mut found: Alternatives = Vec::new();
    for member in groups::of(word).filter(|it| it.telling).flat_map(|it| &it.members) {
        // Spellings are not another word.
        let spelling = script::spellings_of(word).contains(&member.text);
        let other = member.english == is_english(query) && member.key() != word && !spelling;
        if other && found.iter().all(|it| it.0 != member.text) {
            found.extend(relation(member.role).map(|it| (member.text.to_owned(), it)));
        }
    }
    found
}

fn by_short_form(query: &Query, piece: &Piece, word: &str) -> Alternatives {
    let fits = |it: &&&str| it.chars().any(is_japanese) != is_english(query);
    let long = groups::long_forms(query.slice(piece)).iter().filter(fits);
    let short = groups::short_forms(word).iter();
    long.chain(short).map(|it| ((*it).to_owned(), Relation::Abbreviation)).collect()
}
