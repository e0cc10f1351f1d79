//! Stage 2: sections that take something out of a rule, where they belong to the subject.
//!
//! A section belongs when it has some word of the request, when it points at a section that was found, or when it speaks
//! of everything before it in a chapter where something was found. All others would be noise: most sections of most
//! manuals have a ただし somewhere.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::candidates::{Chosen, Signal, Source, Spot};
use super::coverage::Match;
use super::references::MAX_TARGETS;
use super::{Part, Search};
use crate::manuals::dictionary::Exceptions;
use crate::manuals::titles::NodeId;

pub(super) fn add(
    search: &Search<'_>,
    words: &Arc<Exceptions>,
    parts: &[Part],
    matches: &BTreeMap<NodeId, Match>,
    chosen: &mut Chosen,
) {
    // What the earlier stages found; sections added here bring no further ones.
    let direct = chosen.ids();
    let is_direct = |id: &NodeId| direct.binary_search(id).is_ok();
    for part in parts {
        let file = &search.snapshot.files[part.file];
        if file_has_none(part.file, &direct, matches) {
            continue;
        }
        for line in &*file.exception_lines(words) {
            if part.lines.as_ref().is_some_and(|lines| !lines.iter().any(|it| it.contains(line))) {
                continue;
            }
            let node = file.node_at(*line);
            let id = (part.file as u32, node as u32);
            let covers = || {
                matches.get(&id).is_some_and(|matched| {
                    matched.source.is_some()
                        && !matched.unwanted
                        && matched.is_near
                        && matched.score >= search.settings.min_exception_coverage
                })
            };
            if chosen.has(id) || covers() || points_at(search, part.file, node, &is_direct) {
                let spot = Spot { line: *line, column: 0, length: 0 };
                chosen.add(id, Source::Exception, Signal::Exception, None, vec![spot]);
            }
        }
    }
}

fn file_has_none(file: usize, direct: &[NodeId], matches: &BTreeMap<NodeId, Match>) -> bool {
    let whole = (file as u32, 0)..(file as u32 + 1, 0);
    let first = direct.partition_point(|it| *it < whole.start);
    direct.get(first).is_none_or(|it| *it >= whole.end) && matches.range(whole).next().is_none()
}

/// Whether a section names one of those that were found.
fn points_at(
    search: &Search<'_>,
    file: usize,
    node: usize,
    is_direct: &dyn Fn(&NodeId) -> bool,
) -> bool {
    let Ok(words) = &search.dictionaries.references else { return false };
    let from = &search.snapshot.files[file];
    let pointers = from.pointers(words);
    let own = from.nodes[node].own_lines();
    let first = pointers.partition_point(|it| it.line < own.start);
    let here = pointers[first..].iter().take_while(|it| it.line < own.end);
    here.filter(|pointer| pointer.target.is_certain()).any(|pointer| {
        let targets = search.titles.resolve(search.snapshot, file, pointer.line, &pointer.target);
        targets.len() <= MAX_TARGETS && targets.iter().any(is_direct)
    })
}
