//! Other ways to ask the same question, without a model: in the other language, in another spelling,
//! with another word. Pure: the dictionaries are part of the program and read once.
//!
//! A question in Japanese also finds what was written in English, and the reverse, when its terms are
//! looked up in a dictionary made from aligned sentences (`data/README.md` says from which). What
//! the dictionaries do not know is not guessed: a query of which too little was found, or one in a third
//! language, has no expansion. Read [`expand()`] first, then [`Expansion`] and [`ExpandSettings`].
//!
//! Same query, same expansions, in the same order. An expansion is a query of its own, and every word that
//! is not the asker's says where it comes from ([`Change`]).

mod dictionary;
mod english;
mod expansion;
mod groups;
mod inflection;
mod japanese;
mod mirror;
mod plain;
mod query;
mod script;
mod settings;
mod synonym;
mod word_lists;

pub use expansion::{Change, Expansion, ExpansionKind, Relation};
pub use settings::ExpandSettings;

use query::Query;

/// Other ways to ask `query`: mirrors first, then spellings, synonyms, and broader or narrower words.
///
/// Empty for texts without words, in other languages than Japanese and English, or longer than a query
/// ([`ExpandSettings::max_query_chars`]). No expansion equals the query or another one.
pub fn expand(query: &str, settings: &ExpandSettings) -> Vec<Expansion> {
    let Some(query) = Query::read(query, settings) else { return Vec::new() };
    let mut all: Vec<Expansion> = Vec::new();
    let kinds = [
        (settings.mirrors, mirror::mirrors as fn(&Query, &ExpandSettings) -> Vec<Expansion>),
        (settings.scripts, script::scripts),
        (settings.synonyms, synonym::synonyms),
        (settings.related, synonym::related),
    ];
    for (limit, candidates) in kinds {
        let mut taken = 0;
        for candidate in candidates(&query, settings) {
            if taken == limit {
                break;
            }
            let known = |text: &str| {
                plain::same(text, query.written())
                    || all.iter().any(|it| plain::same(&it.text, text))
            };
            if candidate.kind != ExpansionKind::Script && known(&candidate.text)
                || candidate.text == query.written()
            {
                continue;
            }
            all.push(candidate);
            taken += 1;
        }
    }
    all
}
