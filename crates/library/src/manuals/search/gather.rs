//! Stages 0 and 1: every word of the plan in every file, as written and loosely, within the budget.

use std::collections::BTreeMap;

use super::candidates::Spot;
use super::senses::{Meaning, Senses};
use super::{Cutoff, Outcome, Part, Search, Unscanned};
use crate::manuals::file::ManualFile;
use crate::manuals::titles::NodeId;
use crate::normal_form::Way;

/// How many places of a node are kept for its snippets.
const SPOTS: usize = 3;

/// The words found in a node's own lines, and those of the headings above it.
#[derive(Debug, Clone, Default)]
pub(super) struct Hits {
    pub(super) own: Vec<Hit>,
    pub(super) above: Vec<Hit>,
    /// Whether any of the headings above with a word is not the title of the file.
    pub(super) above_near: bool,
    pub(super) count: u32,
    pub(super) spots: Vec<Spot>,
}

/// A word of a node in one way, and how often it is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) sense: usize,
    pub(super) way: Way,
    pub(super) heading: bool,
    pub(super) times: u32,
}

impl Hit {
    fn is_like(&self, other: &Self) -> bool {
        (self.sense, self.way, self.heading) == (other.sense, other.way, other.heading)
    }
}

pub(super) fn gather(
    search: &Search<'_>,
    parts: &[Part],
    senses: &Senses,
    outcome: &mut Outcome,
) -> BTreeMap<NodeId, Hits> {
    let mut found = BTreeMap::new();
    let (mut nodes, mut bytes) = (0, 0);
    for (at, part) in parts.iter().enumerate() {
        let file = &search.snapshot.files[part.file];
        let cutoff = if nodes + file.nodes.len() > search.settings.max_nodes_scanned {
            Some(Cutoff::MaxNodes)
        } else if bytes + file.text.normal.len() > search.settings.max_bytes_scanned {
            Some(Cutoff::MaxBytes)
        } else if search.is_late() {
            Some(Cutoff::Deadline)
        } else {
            None
        };
        if let Some(cutoff) = cutoff {
            outcome.cutoff = Some(cutoff);
            outcome.unscanned.extend(parts[at..].iter().flat_map(|it| rest(search, it)));
            break;
        }
        nodes += file.nodes.len();
        bytes += file.text.normal.len();
        gather_file(file, part, senses, &mut found);
    }
    outcome.scanned = nodes;
    found
}

fn rest(search: &Search<'_>, part: &Part) -> Vec<Unscanned> {
    let file = &search.snapshot.files[part.file];
    let whole = 1..file.text.line_count() + 1;
    let lines = part.lines.clone().unwrap_or_else(|| vec![whole]);
    let sections = |lines: &std::ops::Range<u32>| {
        file.nodes.iter().filter(|it| lines.contains(&it.lines.start)).count()
    };
    lines
        .into_iter()
        .map(|it| Unscanned { file: part.file, sections: sections(&it), lines: it })
        .collect()
}

fn gather_file(
    file: &ManualFile,
    part: &Part,
    senses: &Senses,
    found: &mut BTreeMap<NodeId, Hits>,
) {
    let mut by_node: Vec<Option<Box<Hits>>> = vec![None; file.nodes.len()];
    let mut any = false;
    senses.finder.each(&file.text, |found| {
        let line = file.text.line_at(found.bytes.start);
        if part.lines.as_ref().is_some_and(|lines| !lines.iter().any(|range| range.contains(&line)))
        {
            return;
        }
        any = true;
        let node = file.node_at(line);
        let hits = by_node[node].get_or_insert_default();
        let heading = file.nodes[node].level > 0 && line == file.nodes[node].lines.start;
        let hit = Hit { sense: found.term, way: found.way, heading, times: 1 };
        match hits.own.iter_mut().find(|it| it.is_like(&hit)) {
            Some(known) => known.times += 1,
            None => hits.own.push(hit),
        }
        if senses.meanings[found.term] == Meaning::Negative {
            return;
        }
        hits.count += 1;
        let start = file.text.bytes(line..line + 1).start;
        if hits.spots.len() < SPOTS && hits.spots.last().is_none_or(|spot| spot.line != line) {
            let column = u32::try_from(found.bytes.start - start).unwrap_or(0);
            let length = u32::try_from(found.bytes.len()).unwrap_or(0);
            hits.spots.push(Spot { line, column, length });
        }
    });
    if !any {
        return;
    }
    let file_number = u32::try_from(part.file).expect("limited by the settings");
    for node in 0..file.nodes.len() {
        // Parents come first, so what is above them is already known.
        let Some(parent) = file.nodes[node].parent.map(|it| it as usize) else { continue };
        let Some(hits) = by_node[parent].as_deref() else { continue };
        let headings: Vec<Hit> = hits.own.iter().filter(|it| it.heading).copied().collect();
        let near = hits.above_near || (!headings.is_empty() && file.title_node() != Some(parent));
        let above: Vec<Hit> = headings.into_iter().chain(hits.above.iter().copied()).collect();
        if !above.is_empty() {
            let hits = by_node[node].get_or_insert_default();
            (hits.above, hits.above_near) = (above, near);
        }
    }
    let within = |node: usize| {
        let start = file.nodes[node].lines.start;
        part.lines.as_ref().is_none_or(|lines| lines.iter().any(|it| it.contains(&start)))
    };
    for (node, hits) in by_node.into_iter().enumerate() {
        if let Some(hits) = hits.filter(|_| within(node)) {
            let node = u32::try_from(node).expect("fewer nodes than lines");
            found.insert((file_number, node), *hits);
        }
    }
}
