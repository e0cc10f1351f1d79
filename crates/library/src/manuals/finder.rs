//! Many terms in one pass over a text.
//!
//! Only terms that contain no other term are searched for, so that the fast search for a few literals can be used;
//! the longer ones are looked at where a shorter one was found.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, Input, MatchKind};

use crate::normal_form::{Term, Way};
use crate::search_text::SearchText;

/// Looks for a set of terms.
#[derive(Debug)]
pub(crate) struct Finder {
    searcher: Option<AhoCorasick>,
    terms: Vec<Term>,
    /// For each pattern of the searcher, the terms that contain it and at which byte.
    around: Vec<Vec<(usize, usize)>>,
}

/// One place at which a term was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TermMatch {
    /// Which of the terms.
    pub(crate) term: usize,
    /// Where in the normalised text.
    pub(crate) bytes: Range<usize>,
    pub(crate) way: Way,
}

impl Finder {
    pub(crate) fn new(terms: Vec<Term>) -> Self {
        let mut shortest: Vec<&str> = terms.iter().map(|it| it.loose.as_str()).collect();
        shortest.sort_by_key(|it| (it.len(), *it));
        let mut patterns: Vec<&str> = Vec::new();
        for text in shortest {
            if !patterns.iter().any(|it| text.contains(it)) {
                patterns.push(text);
            }
        }
        let mut around = vec![Vec::new(); patterns.len()];
        for (number, term) in terms.iter().enumerate() {
            let inside =
                patterns.iter().enumerate().find_map(|(at, it)| Some((at, term.loose.find(it)?)));
            let (pattern, offset) = inside.expect("every term contains a pattern");
            around[pattern].push((number, offset));
        }
        // Few enough for the vector search; an automaton of states is chosen by its size otherwise.
        let searcher = (!patterns.is_empty()).then(|| {
            AhoCorasick::builder()
                .match_kind(MatchKind::LeftmostFirst)
                .kind((patterns.len() > 64).then_some(AhoCorasickKind::DFA))
                .build(&patterns)
                .expect("a few hundred short patterns fit")
        });
        Self { searcher, terms, around }
    }

    /// Hands over every match of a term, in the order of the text.
    pub(crate) fn each(&self, all: &SearchText, mut sink: impl FnMut(TermMatch)) {
        let Some(searcher) = &self.searcher else { return };
        let text = &*all.loose.text;
        let mut from = 0;
        while let Some(found) = searcher.find(Input::new(text).range(from..)) {
            for &(term, offset) in &self.around[found.pattern().as_usize()] {
                let wanted = &self.terms[term];
                let Some(at) = found.start().checked_sub(offset) else { continue };
                let here = text.as_bytes()[at..].starts_with(wanted.loose.as_bytes());
                if let Some((bytes, way)) =
                    here.then(|| all.loose.verify(&all.normal, wanted, at)).flatten()
                {
                    sink(TermMatch { term, bytes, way });
                }
            }
            // Terms may overlap, so the next one may begin at the next byte.
            from = found.start() + 1;
        }
    }
}
