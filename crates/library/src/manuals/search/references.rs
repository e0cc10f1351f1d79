//! Stage 3: what the sections found point at, and what that points at, to a set depth.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::candidates::{Chosen, Signal, Source};
use super::coverage::Match;
use super::{Part, Search};
use crate::manuals::dictionary::References;
use crate::manuals::titles::NodeId;

/// A reference that could mean more sections says nothing.
pub(super) const MAX_TARGETS: usize = 8;

/// A section that points at one that was found belongs to it where it also has some word of the request.
pub(super) fn add_pointing(
    search: &Search<'_>,
    words: &Arc<References>,
    matches: &BTreeMap<NodeId, Match>,
    chosen: &mut Chosen,
) {
    let direct = chosen.ids();
    for (id, it) in matches {
        let fits = it.is_near && !it.unwanted && it.score >= search.settings.min_exception_coverage;
        if !fits || direct.binary_search(id).is_ok() {
            continue;
        }
        let target =
            targets(search, words, *id).into_iter().find(|it| direct.binary_search(it).is_ok());
        if target.is_some() {
            chosen.add(*id, Source::Reference, Signal::Reference, target, it.hits.spots.clone());
        }
    }
}

pub(super) fn add(
    search: &Search<'_>,
    words: &Arc<References>,
    parts: &[Part],
    chosen: &mut Chosen,
) {
    let mut open: Vec<NodeId> = chosen.ids();
    let in_scope = |id: &NodeId| parts.iter().any(|it| it.file == id.0 as usize);
    for _ in 0..search.settings.reference_depth {
        let mut next = Vec::new();
        for from in open {
            for target in targets(search, words, from).into_iter().filter(in_scope) {
                if chosen.add(target, Source::Reference, Signal::Reference, Some(from), Vec::new())
                {
                    next.push(target);
                }
            }
        }
        open = next;
    }
}

/// The sections that a section's own lines point at.
fn targets(search: &Search<'_>, words: &Arc<References>, from: NodeId) -> Vec<NodeId> {
    let file = &search.snapshot.files[from.0 as usize];
    let own = file.nodes[from.1 as usize].own_lines();
    let pointers = file.pointers(words);
    let first = pointers.partition_point(|it| it.line < own.start);
    let mut found = Vec::new();
    for pointer in pointers[first..].iter().take_while(|it| it.line < own.end) {
        let targets =
            search.titles.resolve(search.snapshot, from.0 as usize, pointer.line, &pointer.target);
        if targets.len() <= MAX_TARGETS {
            found.extend(targets);
        }
    }
    found
}
