//! What is found in a vault: sections, or parts of long ones.

use super::find::{Hits, Wanted};
use crate::paths::SafePath;
use crate::sections::{LineStarts, nodes_of};
use crate::spans::Span;

/// A part of a file that is found as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(crate) span: Span,
    pub(crate) hits: Hits,
    /// Something that is asked for is in its heading.
    pub(crate) heading: bool,
}

impl Unit {
    /// How many of the things that are asked for are in it.
    pub(crate) fn concepts(&self) -> usize {
        self.hits.concepts.iter().filter(|it| **it != (0, 0)).count()
    }

    pub(crate) fn total(&self) -> usize {
        self.hits.concepts.iter().map(|it| it.0 + it.1).sum()
    }

    pub(crate) fn normal(&self) -> usize {
        self.hits.concepts.iter().map(|it| it.0).sum()
    }
}

/// Cuts a file into its sections without their children, long ones at an empty line if there is one, and
/// looks into each.
pub(crate) fn units(path: &SafePath, text: &str, wanted: &Wanted, most_lines: u32) -> Vec<Unit> {
    let lines: Vec<&str> = crate::normal_form::lines(text).map(|it| it.text).collect();
    let starts = LineStarts::of(text);
    let mut units = Vec::new();
    for node in nodes_of(path, text) {
        let own = node.own_lines();
        let in_title = wanted.hits(&node.title).any();
        let mut start = own.start;
        while start < own.end {
            let end = cut_at(&lines, start, own.end, most_lines);
            let span = Span::new(start, end - 1);
            let hits = wanted.hits(&text[starts.bytes(span)]);
            units.push(Unit { span, hits, heading: start == own.start && in_title });
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
