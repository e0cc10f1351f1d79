//! Conflicts: two sections that say different things about the same subject.
//!
//! Sentences that share enough words are compared: one forbids what the other demands or allows, or both give numbers
//! of the same unit and not one of them is the same.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::Search;
use super::candidates::{Candidate, Source};
use crate::manuals::dictionary::Modality;
use crate::manuals::query::pieces;
use crate::manuals::titles::NodeId;
use crate::normal_form::NUMBER_WORDS;

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
    pub(crate) first: (NodeId, u32),
    pub(crate) second: (NodeId, u32),
    /// The unit of the numbers.
    pub(crate) unit: Option<String>,
}

/// The share of all words of both sentences that they must have in common.
const SHARED: f64 = 0.3;
/// Where one forbids and the other does not, the rest of the sentence must be nearly the same.
const SHARED_MODALITY: f64 = 0.45;
const SHARED_WORDS: usize = 2;
/// Each sentence is compared with all others.
const MAX_SENTENCES: usize = 200;

struct Sentence {
    node: NodeId,
    line: u32,
    words: BTreeSet<String>,
    numbers: BTreeMap<String, BTreeSet<String>>,
    forbids: bool,
    lets: bool,
}

pub(super) fn conflicts(search: &Search<'_>, candidates: &[Candidate]) -> Vec<Conflict> {
    let Ok(words) = &search.dictionaries.query else { return Vec::new() };
    let mut sentences: Vec<Sentence> = Vec::new();
    let mut ids: Vec<NodeId> =
        candidates.iter().filter(|it| it.source <= Source::Exception).map(|it| it.id).collect();
    ids.sort_unstable();
    for id in ids {
        let file = &search.snapshot.files[id.0 as usize];
        let own = file.nodes[id.1 as usize].own_lines();
        for line in own.start..own.end {
            for text in split(file.text.lines(line..line + 1)) {
                if sentences.len() >= MAX_SENTENCES {
                    break;
                }
                sentences.extend(read(
                    text,
                    id,
                    line,
                    &file.titles[id.1 as usize],
                    &words.modality,
                ));
            }
        }
    }
    let mut found = Vec::new();
    for (at, a) in sentences.iter().enumerate() {
        for b in &sentences[at + 1..] {
            if a.node != b.node {
                found.extend(compare(a, b));
            }
        }
    }
    found
}

fn compare(a: &Sentence, b: &Sentence) -> Option<Conflict> {
    let shared = a.words.intersection(&b.words).count();
    let all = a.words.union(&b.words).count();
    let share = shared as f64 / all.max(1) as f64;
    if shared < SHARED_WORDS || share < SHARED {
        return None;
    }
    let of =
        |kind, unit| Conflict { kind, first: (a.node, a.line), second: (b.node, b.line), unit };
    let unit = a.numbers.iter().find(|(unit, values)| {
        b.numbers.get(*unit).is_some_and(|others| values.is_disjoint(others))
    });
    if let Some((unit, _)) = unit {
        return Some(of(ConflictKind::Number, Some(unit.clone())));
    }
    let opposed = (a.forbids && b.lets) || (a.lets && b.forbids);
    (opposed && share >= SHARED_MODALITY).then(|| of(ConflictKind::Modality, None))
}

fn split(line: &str) -> impl Iterator<Item = &str> {
    line.split_inclusive(['。', '\n', ';'])
        .flat_map(|it| it.split(". "))
        .filter(|it| !it.trim().is_empty())
}

/// A sentence with a number or a word of duty; others cannot disagree.
fn read(text: &str, node: NodeId, line: u32, title: &str, modality: &Modality) -> Option<Sentence> {
    let has = |words: &[String]| words.iter().any(|it| text.contains(it.as_str()));
    let forbids = has(&modality.must_not);
    let lets = !forbids && (has(&modality.must) || has(&modality.may));
    let numbers = numbers(text);
    if numbers.is_empty() && !forbids && !lets {
        return None;
    }
    let words = pieces::pieces(text, &[]).into_iter().chain(pieces::pieces(title, &[]));
    let content =
        |it: &String| it.chars().count() > 1 && !it.contains(|c: char| c.is_ascii_digit());
    let words: BTreeSet<String> = words.filter(content).collect();
    Some(Sentence { node, line, words, numbers, forbids, lets })
}

fn numbers(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let length =
            bytes[at..].iter().take_while(|it| it.is_ascii_digit() || **it == b'.').count();
        let value = text[at..at + length].trim_end_matches('.');
        let named = text[..at].ends_with(['第', '-', '.']);
        let rest = text[at + value.len()..].trim_start_matches([' ', '-']);
        let unit = NUMBER_WORDS
            .units
            .iter()
            .filter(|unit| rest.starts_with(*unit))
            .max_by_key(|unit| unit.len());
        if let Some(unit) = unit.filter(|_| !named) {
            let unit = unit.strip_suffix('s').unwrap_or(unit);
            found.entry(unit.to_owned()).or_default().insert(value.to_owned());
        }
        at += length;
    }
    found
}
