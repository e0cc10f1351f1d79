//! The fixed stages of a search. Which words are looked for is the request's; how they are looked for is not.
//!
//! Stages 0 and 1 gather what matches ([`gather`], [`coverage`]), stage 2 adds exceptions, stage 3 follows
//! references, stage 3.5 judges what there is ([`judgement`]). A stage that fails leaves a warning and the others run.

mod candidates;
mod conflicts;
mod coverage;
mod exceptions;
mod gather;
mod judgement;
mod references;
mod senses;

use std::ops::Range;
use std::time::Duration;

use super::dictionary::Dictionaries;
use super::index::Snapshot;
use super::query::Plan;
use super::section_ref::SectionRef;
use super::titles::{NodeId, Titles};
use crate::LibrarySettings;

pub(crate) use candidates::Candidate;
pub use candidates::{Signal, Source, Spot};
pub use conflicts::ConflictKind;
pub(crate) use conflicts::{Conflict, Side};
pub(crate) use judgement::Judgement;
pub use judgement::{Gap, Thresholds};
pub(crate) use senses::{Meaning, Senses};

/// Scores sections by meaning: places with a score, the best first. Only adds candidates, after all others.
pub type Semantic<'a> = &'a dyn Fn(&str) -> Vec<(SectionRef, f64)>;

/// How many of the matching sections become candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Breadth {
    /// Those that cover enough of the request.
    #[default]
    Normal,
    /// Every section with any word of the request.
    All,
}

/// What one search needs; nothing of it changes while it runs.
pub(crate) struct Search<'a> {
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) titles: &'a Titles,
    pub(crate) dictionaries: &'a Dictionaries,
    pub(crate) settings: &'a LibrarySettings,
    pub(crate) query: &'a str,
    pub(crate) plan: &'a Plan,
    pub(crate) breadth: Breadth,
    /// How long the call has been running.
    pub(crate) elapsed: &'a dyn Fn() -> Duration,
    pub(crate) semantic: Option<Semantic<'a>>,
}

/// A file to look at, or some lines of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) file: usize,
    pub(crate) lines: Option<Vec<Range<u32>>>,
}

/// Why a search did not look at everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cutoff {
    MaxNodes,
    MaxBytes,
    MaxCandidates,
    Deadline,
}

/// Lines that were not looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unscanned {
    pub(crate) file: usize,
    pub(crate) lines: Range<u32>,
    pub(crate) sections: usize,
}

/// What the stages found.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// In the fixed order of their sources.
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) unscanned: Vec<Unscanned>,
    pub(crate) cutoff: Option<Cutoff>,
    /// Stages that failed, with the reason.
    pub(crate) warnings: Vec<String>,
    /// Sections with a word of the request that cover too little of it.
    pub(crate) weak: usize,
    /// Those of them that have own words of it and cover some of it, the best first.
    pub(crate) near: Vec<NodeId>,
    /// Sections left out for a word that is not wanted.
    pub(crate) excluded: usize,
    pub(crate) scanned: usize,
    /// For each concept of the plan, must before soft: whether any section has it.
    pub(crate) found: Vec<bool>,
}

impl Search<'_> {
    /// Stages 0 to 3 over some files.
    pub(crate) fn run(&self, parts: &[Part]) -> Outcome {
        let mut outcome = Outcome::default();
        if let Err(reason) = &self.dictionaries.synonyms {
            outcome.warnings.push(format!("stage 1 without synonyms: {reason}"));
        }
        let senses = Senses::new(self.plan);
        let gathered = gather::gather(self, parts, &senses, &mut outcome);
        let matches = {
            let length = |id: NodeId| self.own_text(id).len();
            coverage::weigh(gathered, &senses, outcome.scanned, length, &mut outcome.found)
        };
        let mut chosen = candidates::Chosen::new(self, parts, &matches, &mut outcome);
        match &self.dictionaries.exceptions {
            Ok(words) => exceptions::add(self, words, parts, &matches, &mut chosen),
            Err(reason) => outcome.warnings.push(format!("stage 2 did not run: {reason}")),
        }
        match &self.dictionaries.references {
            Ok(words) => {
                references::add_pointing(self, words, &matches, &mut chosen);
                references::add(self, words, parts, &mut chosen);
            }
            Err(reason) => outcome.warnings.push(format!("stage 3 did not run: {reason}")),
        }
        if let Some(semantic) = self.semantic {
            chosen.add_semantic(self, parts, semantic);
        }
        chosen.finish(self, &mut outcome);
        outcome
    }

    pub(crate) fn is_late(&self) -> bool {
        (self.elapsed)() >= self.settings.deadline()
    }

    /// The normalised text of a node without its children.
    pub(crate) fn own_text(&self, id: NodeId) -> &str {
        let file = &self.snapshot.files[id.0 as usize];
        file.text.lines(file.nodes[id.1 as usize].own_lines())
    }
}
