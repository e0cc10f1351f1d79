//! Conflicts: two sections that say different things about the same subject.
//!
//! Sentences about the same are compared: one forbids what the other demands or allows, or they measure the same thing
//! and none of the values agree. What a sentence measures ([`quantities`]) says much about what it is about, so two
//! deadlines need fewer words in common than two numbers.

mod subject;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Search;
use super::candidates::{Candidate, Source, Spot};
use crate::manuals::dictionary::Modality;
use crate::manuals::quantities::{Measure, Quantity, quantities};
use crate::manuals::titles::NodeId;
use subject::{Subject, Words};

/// What two sections disagree about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConflictKind {
    Modality,
    Number,
}

/// Two sentences that cannot both be followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Conflict {
    pub(crate) kind: ConflictKind,
    pub(crate) first: Side,
    pub(crate) second: Side,
    /// What is measured, or the unit of the numbers.
    pub(crate) measure: Option<String>,
}

/// One of two sentences: its section and the value in it, or all of the sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) node: NodeId,
    pub(crate) spot: Spot,
}

/// The share of all words of both sentences that they must have in common.
const SHARED: f64 = 0.3;
/// Where one forbids and the other does not, the rest of the sentence must be nearly the same.
const SHARED_MODALITY: f64 = 0.45;
const SHARED_WORDS: usize = 2;
/// The share of the shorter sentence's words, where both measure something telling.
const SHARED_OF_SHORTER: f64 = 0.5;
/// Each sentence is compared with all others.
const MAX_SENTENCES: usize = 400;

struct Sentence {
    node: NodeId,
    /// Whether its section is a candidate.
    found: bool,
    spot: Spot,
    subject: Subject,
    /// The words of the headings further up.
    context: Subject,
    quantities: Vec<(Measure, Vec<Quantity>)>,
    forbids: bool,
    lets: bool,
}

/// `others` cover too little of the request to be candidates; one of them may still contradict a candidate: the other
/// manual need not use the word that was asked with.
pub(super) fn conflicts(
    search: &Search<'_>,
    candidates: &[Candidate],
    others: &[NodeId],
) -> Vec<Conflict> {
    let Ok(words) = &search.dictionaries.query else { return Vec::new() };
    let synonyms = search.dictionaries.synonyms.as_deref().ok();
    let reader = Reader {
        search,
        modality: &words.modality,
        words: Words { words, synonyms: synonyms.filter(|_| search.settings.synonyms) },
    };
    let sentences = reader.sentences(candidates, others);
    // Two sections disagree once about one thing.
    let mut told = BTreeSet::new();
    let mut found = Vec::new();
    for (at, a) in sentences.iter().enumerate() {
        for b in &sentences[at + 1..] {
            let may = a.node != b.node && (a.found || b.found);
            let conflict = may.then(|| compare(a, b)).flatten();
            found.extend(conflict.filter(|it| {
                let (first, second) = (it.first.node, it.second.node);
                told.insert((first.min(second), first.max(second), it.measure.clone()))
            }));
        }
    }
    found
}

fn compare(a: &Sentence, b: &Sentence) -> Option<Conflict> {
    let opposed = (a.forbids && b.lets) || (a.lets && b.forbids);
    let measured = || {
        a.quantities.iter().filter_map(|(measure, of_a)| {
            let (_, of_b) = b.quantities.iter().find(|(it, _)| it == measure)?;
            let agree = of_a.iter().any(|x| of_b.iter().any(|y| x.value.agrees(&y.value)));
            (!agree).then_some((measure, &of_a[0], &of_b[0]))
        })
    };
    if !opposed && measured().next().is_none() || a.subject.is_another_kind(&b.subject) {
        return None;
    }
    let shared = a.subject.shared(&b.subject);
    let share = shared as f64 / a.subject.of_both(&b.subject).max(1) as f64;
    let is_same = shared >= SHARED_WORDS && share >= SHARED;
    let is_near = || is_same || shares_most(a, b);
    let side = |of: &Sentence, quantity: &Quantity| {
        let bytes = &quantity.bytes;
        let place = |byte: usize| u32::try_from(byte).unwrap_or(0);
        let column = of.spot.column + place(bytes.start);
        Side { node: of.node, spot: Spot { column, length: place(bytes.len()), ..of.spot } }
    };
    for (measure, of_a, of_b) in measured() {
        let is_about_the_same = if measure.is_telling() { is_near() } else { is_same };
        if is_about_the_same {
            return Some(Conflict {
                kind: ConflictKind::Number,
                first: side(a, of_a),
                second: side(b, of_b),
                measure: Some(measure.name().to_owned()),
            });
        }
    }
    (opposed && shared >= SHARED_WORDS && share >= SHARED_MODALITY).then_some(Conflict {
        kind: ConflictKind::Modality,
        first: Side { node: a.node, spot: a.spot },
        second: Side { node: b.node, spot: b.spot },
        measure: None,
    })
}

/// Whether one sentence is mostly about what the other is about, be it by the headings above that.
fn shares_most(a: &Sentence, b: &Sentence) -> bool {
    covers(a, b) || covers(b, a)
}

fn covers(a: &Sentence, b: &Sentence) -> bool {
    // Headings above both say nothing about either.
    let has_context = a.node.0 != b.node.0;
    let has = |it: &&String| {
        a.subject.words.contains(*it) || (has_context && a.context.words.contains(*it))
    };
    let shared = b.subject.words.iter().filter(has).count();
    let all = b.subject.words.len();
    shared >= SHARED_WORDS && shared as f64 >= SHARED_OF_SHORTER * all as f64
        || shared > 0 && shared == all && are_alike_in_all(a, b)
}

/// A single word in common is enough where the headings agree as well.
fn are_alike_in_all(a: &Sentence, b: &Sentence) -> bool {
    let whole = |it: &Sentence| {
        let mut all = it.subject.clone();
        all.join(it.context.clone());
        all
    };
    let (a, b) = (whole(a), whole(b));
    let smaller = a.words.len().min(b.words.len());
    a.shared(&b) as f64 >= SHARED_OF_SHORTER * smaller as f64
}

struct Reader<'a> {
    search: &'a Search<'a>,
    modality: &'a Modality,
    words: Words<'a>,
}

impl Reader<'_> {
    /// The sentences of what was found by its words, the best first.
    fn sentences(&self, candidates: &[Candidate], others: &[NodeId]) -> Vec<Sentence> {
        let mut sentences = Vec::new();
        let found = candidates.iter().filter(|it| it.source <= Source::Exception);
        let found = found.map(|it| (it.id, true));
        for (id, found) in found.chain(others.iter().map(|it| (*it, false))) {
            let file = &self.search.snapshot.files[id.0 as usize];
            let title = &file.titles[id.1 as usize];
            let mut context = Subject::default();
            for above in file.above(id.1 as usize) {
                context.join(self.words.subject(&file.titles[above]));
            }
            let own = file.nodes[id.1 as usize].own_lines();
            for line in own {
                let text = file.text.lines(line..line + 1);
                for part in split(text) {
                    if sentences.len() >= MAX_SENTENCES {
                        return sentences;
                    }
                    let column = part.as_ptr().addr() - text.as_ptr().addr();
                    let place = |it: usize| u32::try_from(it).unwrap_or(0);
                    let spot = Spot { line, column: place(column), length: place(part.len()) };
                    let read = self.read(part, id, spot, title, &context);
                    sentences.extend(read.map(|it| Sentence { found, ..it }));
                }
            }
        }
        sentences
    }

    /// A sentence that measures something or has a word of duty; others cannot disagree.
    fn read(
        &self,
        text: &str,
        node: NodeId,
        spot: Spot,
        title: &str,
        context: &Subject,
    ) -> Option<Sentence> {
        let has = |words: &[String]| words.iter().any(|it| text.contains(it.as_str()));
        let forbids = has(&self.modality.must_not);
        let lets = !forbids && (has(&self.modality.must) || has(&self.modality.may));
        let due = DUE_IN_TITLE.iter().any(|it| title.contains(it));
        let measured = quantities(text, due);
        if measured.is_empty() && !forbids && !lets {
            return None;
        }
        let mut rest = text.to_owned();
        for it in &measured {
            rest.replace_range(it.bytes.clone(), &"\n".repeat(it.bytes.len()));
        }
        let mut subject = self.words.subject(&rest);
        subject.join(self.words.subject(title));
        let mut quantities: Vec<(Measure, Vec<Quantity>)> = Vec::new();
        for it in measured {
            match quantities.iter_mut().find(|(measure, _)| *measure == it.measure) {
                Some((_, all)) => all.push(it),
                None => quantities.push((it.measure.clone(), vec![it])),
            }
        }
        let found = false;
        Some(Sentence {
            node,
            found,
            spot,
            subject,
            context: context.clone(),
            quantities,
            forbids,
            lets,
        })
    }
}

/// Under such a heading a day is one by which something is due.
const DUE_IN_TITLE: [&str; 7] =
    ["期限", "期日", "締切", "締め切り", "〆切", "deadline", "due date"];

fn split(line: &str) -> impl Iterator<Item = &str> {
    line.split_inclusive(['。', '\n', ';'])
        .flat_map(|it| it.split(". "))
        .filter(|it| !it.trim().is_empty())
}
