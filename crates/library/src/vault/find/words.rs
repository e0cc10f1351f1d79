//! What a find looks for: the words of the request, read by the rules of the manuals but without synonyms.

use crate::manuals::{Concept, QueryWords, parse};
use crate::normal_form::{Loose, Term, Way, normalised};

/// A request, ready to be looked for in many texts.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    concepts: Vec<Words>,
    unwanted: Vec<Term>,
}

/// One thing that is asked for.
#[derive(Debug, Clone)]
struct Words {
    /// Spellings of it.
    wholes: Vec<Term>,
    /// The parts of a compound, each in its spellings: 利用停止 also is where 利用 and 停止 both are.
    parts: Vec<Vec<Term>>,
}

/// What of a request is in a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Hits {
    /// For each thing that is asked for: how often as written, how often with other separators or in parts.
    pub(crate) concepts: Vec<(usize, usize)>,
    /// It has a word that is not wanted.
    pub(crate) unwanted: bool,
}

impl Wanted {
    pub(crate) fn read(query: &str, words: &QueryWords) -> Self {
        let plan = parse(query, words, None);
        let concepts = plan.must.iter().chain(&plan.soft).map(Words::of).collect();
        Self { concepts, unwanted: plan.negative }
    }

    pub(crate) fn len(&self) -> usize {
        self.concepts.len()
    }

    pub(crate) fn hits(&self, text: &str) -> Hits {
        let normal = normalised(text);
        let loose = Loose::new(&normal);
        let count = |term: &Term| {
            let mut hits = (0, 0);
            for (at, _) in loose.text.match_indices(term.loose.as_str()) {
                match loose.verify(&normal, term, at) {
                    Some((_, Way::Normal)) => hits.0 += 1,
                    Some((_, Way::Loose)) => hits.1 += 1,
                    None => {}
                }
            }
            hits
        };
        let is_there = |term: &Term| count(term) != (0, 0);
        let concept = |words: &Words| {
            let whole = words.wholes.iter().map(count).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
            let in_parts =
                !words.parts.is_empty() && words.parts.iter().all(|part| part.iter().any(is_there));
            match whole {
                (0, 0) => (0, usize::from(in_parts)),
                whole => whole,
            }
        };
        Hits {
            concepts: self.concepts.iter().map(concept).collect(),
            unwanted: self.unwanted.iter().any(is_there),
        }
    }
}

impl Words {
    fn of(concept: &Concept) -> Self {
        let terms = |senses: &[crate::manuals::Sense]| -> Vec<Term> {
            senses.iter().map(|it| it.term.clone()).collect()
        };
        Self {
            wholes: terms(&concept.wholes),
            parts: concept.parts.iter().map(|it| terms(it)).collect(),
        }
    }
}

impl Hits {
    pub(crate) fn any(&self) -> bool {
        self.concepts.iter().any(|it| *it != (0, 0))
    }
}
