//! The words of a plan as one list to look for, each with its meaning.

use super::super::finder::Finder;
use super::super::query::{Plan, Sense};

/// What a word of the list means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A concept of the plan, must before soft, and which part of it.
    Concept { concept: usize, part: Option<usize>, synonym: bool },
    /// A word that is not wanted.
    Negative,
}

#[derive(Debug)]
pub(crate) struct Senses {
    pub(crate) meanings: Vec<Meaning>,
    pub(crate) finder: Finder,
    /// How many parts each concept has.
    pub(crate) parts: Vec<usize>,
    /// How many of the concepts are required; they come first.
    pub(crate) must: usize,
}

impl Senses {
    pub(crate) fn new(plan: &Plan) -> Self {
        let (mut meanings, mut terms) = (Vec::new(), Vec::new());
        let concepts = || plan.must.iter().chain(&plan.soft);
        for (concept, it) in concepts().enumerate() {
            let mut push = |sense: &Sense, part: Option<usize>| {
                meanings.push(Meaning::Concept { concept, part, synonym: sense.synonym });
                terms.push(sense.term.clone());
            };
            it.wholes.iter().for_each(|sense| push(sense, None));
            for (part, senses) in it.parts.iter().enumerate() {
                senses.iter().for_each(|sense| push(sense, Some(part)));
            }
        }
        for term in &plan.negative {
            meanings.push(Meaning::Negative);
            terms.push(term.clone());
        }
        let parts = concepts().map(|it| it.parts.len()).collect();
        Self { meanings, finder: Finder::new(terms), parts, must: plan.must.len() }
    }
}
