//! What is found in a vault: sections, or parts of long ones.

use crate::manuals::{Meaning, Senses};
use crate::normal_form::{Way, lines};
use crate::paths::SafePath;
use crate::search_text::SearchText;
use crate::sections::nodes_of;
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

/// Cuts a file into its sections without their children, long ones at an empty line if there is one, and looks into
/// each. Nothing for a text that is too large to be searched.
pub(crate) fn units(
    path: &SafePath,
    text: &str,
    senses: &Senses,
    most_lines: u32,
) -> Option<Vec<Unit>> {
    let all_lines: Vec<&str> = lines(text).map(|it| it.text).collect();
    let mut spans: Vec<(Span, bool)> = Vec::new();
    for node in nodes_of(path, text) {
        let own = node.own_lines();
        let mut start = own.start;
        while start < own.end {
            let end = cut_at(&all_lines, start, own.end, most_lines);
            spans.push((Span::new(start, end - 1), start == own.start && node.level > 0));
            start = end;
        }
    }
    let all = SearchText::new(text)?;
    let mut whole = vec![Tally::new(senses); spans.len()];
    let mut headings = whole.clone();
    senses.finder.each(&all, |found| {
        let line = all.line_at(found.bytes.start);
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
    Some(spans.into_iter().zip(whole.into_iter().zip(headings)).map(unit).collect())
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
fn cut_at(lines: &[&str], start: u32, end: u32, most: u32) -> u32 {
    if end - start <= most {
        return end;
    }
    let empty = |it: &u32| lines.get(*it as usize - 1).is_some_and(|it| it.trim().is_empty());
    // Nearer to the limit than to the start, so that parts do not become many.
    let last = (start + most / 2..start + most).rev().find(empty);
    last.map_or(start + most, |it| it + 1)
}
