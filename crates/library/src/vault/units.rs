//! What is found in a vault: sections, or parts of long ones.

use super::files::VaultFile;
use crate::manuals::{Meaning, Senses};
use crate::normal_form::Way;
use crate::search_text::SearchText;
use crate::spans::Span;

/// A part of a file that is found as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) span: Span,
    /// For each thing that is asked for: how often as written, how often with other separators or in parts.
    pub(crate) counts: Vec<(usize, usize)>,
    /// It has a word that is not wanted.
    pub(crate) unwanted: bool,
    /// Something that is asked for is in its heading.
    pub(crate) heading: bool,
}

impl Unit {
    /// How many of the things that are asked for are in it.
    pub(crate) fn concepts(&self) -> usize {
        self.counts.iter().filter(|it| **it != (0, 0)).count()
    }

    pub(crate) fn total(&self) -> usize {
        self.counts.iter().map(|it| it.0 + it.1).sum()
    }

    pub(crate) fn normal(&self) -> usize {
        self.counts.iter().map(|it| it.0).sum()
    }
}

/// A longer section is cut into several candidates.
const CANDIDATE_LINES: u32 = 60;

/// Cuts a file into its sections without their children, long ones at an empty line if there is one, and searches each.
pub(crate) fn units(file: &VaultFile, senses: &Senses) -> Vec<Unit> {
    let text = &file.text;
    let mut spans: Vec<(Span, bool)> = Vec::new();
    for node in &file.nodes {
        let own = node.own_lines();
        let mut start = own.start;
        while start < own.end {
            let end = cut_at(text, start, own.end);
            spans.push((Span::new(start, end - 1), start == own.start && node.level > 0));
            start = end;
        }
    }
    let mut whole = vec![Tally::new(senses); spans.len()];
    let mut headings = whole.clone();
    senses.finder.each(text, |found| {
        let line = text.line_at(found.bytes.start);
        let Some(at) = spans.partition_point(|it| it.0.start_line <= line).checked_sub(1) else {
            return;
        };
        let meaning = senses.meanings[found.term];
        whole[at].add(meaning, found.way);
        if spans[at].1 && line == spans[at].0.start_line {
            headings[at].add(meaning, found.way);
        }
    });
    let unit = |((span, _), (whole, heading)): ((Span, bool), (Tally, Tally))| Unit {
        span,
        counts: whole.counts(),
        unwanted: whole.unwanted,
        heading: heading.counts().iter().any(|it| *it != (0, 0)),
    };
    spans.into_iter().zip(whole.into_iter().zip(headings)).map(unit).collect()
}

/// What was found in some lines, while they are looked at.
#[derive(Debug, Clone)]
struct Tally {
    /// For each thing that is asked for: how often as written, how often with other separators.
    wholes: Vec<(usize, usize)>,
    /// Which parts of a compound are there: 利用停止 also is where 利用 and 停止 both are.
    parts: Vec<Vec<bool>>,
    unwanted: bool,
}

impl Tally {
    fn new(senses: &Senses) -> Self {
        let parts = senses.parts.iter().map(|it| vec![false; *it]).collect();
        Self { wholes: vec![(0, 0); senses.parts.len()], parts, unwanted: false }
    }

    fn add(&mut self, meaning: Meaning, way: Way) {
        match (meaning, way) {
            (Meaning::Negative, _) => self.unwanted = true,
            (Meaning::Concept { concept, part: Some(part), .. }, _) => {
                self.parts[concept][part] = true;
            }
            (Meaning::Concept { concept, .. }, Way::Normal) => self.wholes[concept].0 += 1,
            (Meaning::Concept { concept, .. }, Way::Loose) => self.wholes[concept].1 += 1,
        }
    }

    fn counts(&self) -> Vec<(usize, usize)> {
        let count = |(whole, parts): (&(usize, usize), &Vec<bool>)| match whole {
            (0, 0) => (0, usize::from(!parts.is_empty() && parts.iter().all(|it| *it))),
            whole => *whole,
        };
        self.wholes.iter().zip(&self.parts).map(count).collect()
    }
}

/// The line after the part that begins at `start`.
fn cut_at(text: &SearchText, start: u32, end: u32) -> u32 {
    if end - start <= CANDIDATE_LINES {
        return end;
    }
    let limit = start + CANDIDATE_LINES;
    // Nearer to the limit than to the start, so that parts do not become many.
    let mut lines = (start + CANDIDATE_LINES / 2..limit).rev();
    let empty = lines.find(|line| text.lines(*line..line + 1).trim().is_empty());
    empty.map_or(limit, |line| line + 1)
}
