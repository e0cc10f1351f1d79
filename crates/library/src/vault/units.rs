//! What is found in a vault: sections, or parts of long ones, with the terms in them.

use crate::paths::SafePath;
use crate::sections::{LineStarts, nodes_of};
use crate::spans::Span;
use crate::text::{Loose, Term, Way, normalised};

/// A part of a file that is found as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) span: Span,
    /// For each term how often it is there as written, and how often with other separators.
    pub(crate) hits: Vec<(usize, usize)>,
    /// A term is in its heading.
    pub(crate) heading: bool,
}

impl Unit {
    pub(crate) fn terms(&self) -> usize {
        self.hits.iter().filter(|it| it.0 + it.1 > 0).count()
    }

    pub(crate) fn total(&self) -> usize {
        self.hits.iter().map(|it| it.0 + it.1).sum()
    }

    pub(crate) fn normal(&self) -> usize {
        self.hits.iter().map(|it| it.0).sum()
    }
}

/// Cuts a file into its sections without their children, long ones at an empty line if there is one, and
/// looks for the terms in each.
pub(crate) fn units(path: &SafePath, text: &str, terms: &[Term], most_lines: u32) -> Vec<Unit> {
    let lines: Vec<&str> = crate::text::lines(text).map(|it| it.text).collect();
    let starts = LineStarts::of(text);
    let mut units = Vec::new();
    for node in nodes_of(path, text) {
        let own = node.own_lines();
        let title = Found::in_text(&node.title, terms);
        let mut start = own.start;
        while start < own.end {
            let end = cut_at(&lines, start, own.end, most_lines);
            let span = Span::new(start, end - 1);
            let found = Found::in_text(&text[starts.bytes(span)], terms);
            let heading = start == own.start && title.any();
            units.push(Unit { span, hits: found.hits, heading });
            start = end;
        }
    }
    units
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

struct Found {
    hits: Vec<(usize, usize)>,
}

impl Found {
    fn in_text(text: &str, terms: &[Term]) -> Self {
        let normal = normalised(text);
        let loose = Loose::new(&normal);
        let hits = terms.iter().map(|term| {
            let mut hits = (0, 0);
            for (at, _) in loose.text.match_indices(term.loose.as_str()) {
                match loose.verify(&normal, term, at) {
                    Some((_, Way::Normal)) => hits.0 += 1,
                    Some((_, Way::Loose)) => hits.1 += 1,
                    None => {}
                }
            }
            hits
        });
        Self { hits: hits.collect() }
    }

    fn any(&self) -> bool {
        self.hits.iter().any(|it| it.0 + it.1 > 0)
    }
}
