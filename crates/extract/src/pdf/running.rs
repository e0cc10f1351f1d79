//! Running heads and feet: lines that come back at the top or bottom of many pages, like titles and page
//! numbers. They would cut the sentences that run over the end of a page.

use std::collections::{HashMap, HashSet};

use super::columns::Line;
use super::paragraphs::{PageLines, body, halves, is_heading_size, key, lines};

/// Pages a line must come back on, at the same edge.
const MIN_REPEATS: usize = 4;
/// Longer lines are text.
const MAX_CHARS: usize = 200;

/// A line at the edge of a page, with its numbers made equal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Edge {
    is_top: bool,
    is_large: bool,
    pattern: String,
}

/// Removes running lines. A headline stays: one in larger letters than the text, which several slides in a row may
/// have, and one that `outline` names but that occurs nowhere else, where it comes first.
pub(crate) fn drop_lines(pages: &mut [PageLines], outline: &[(u8, String)]) {
    let body = body(pages).0;
    let mut counts: HashMap<Edge, usize> = HashMap::new();
    for page in pages.iter() {
        let extent = extent(page);
        for edge in
            page.regions.iter().flat_map(|it| &it.lines).flat_map(|it| edges(it, extent, body))
        {
            *counts.entry(edge).or_default() += 1;
        }
    }
    let running: HashSet<Edge> = counts
        .into_iter()
        .filter(|(edge, count)| {
            let needed =
                if edge.is_large { (pages.len() * 3).div_ceil(4) } else { pages.len() / 4 };
            *count >= needed.max(MIN_REPEATS)
        })
        .map(|it| it.0)
        .collect();
    if running.is_empty() {
        return;
    }
    let is_running = |line: &Line, extent: (f32, f32)| {
        edges(line, extent, body).iter().any(|it| running.contains(it))
    };
    let extents: Vec<(f32, f32)> = pages.iter().map(extent).collect();
    let mut missing: HashSet<String> = outline.iter().map(|it| key(&it.1)).collect();
    for (page, extent) in pages.iter().zip(&extents) {
        for line in lines(std::slice::from_ref(page)).filter(|it| !is_running(it, *extent)) {
            missing.remove(&key(&line.text));
        }
    }
    for (page, extent) in pages.iter_mut().zip(&extents) {
        for region in &mut page.regions {
            region
                .lines
                .retain(|line| !is_running(line, *extent) || missing.remove(&key(&line.text)));
        }
    }
}

fn extent(page: &PageLines) -> (f32, f32) {
    let heights = page.regions.iter().flat_map(|it| &it.lines).map(|it| it.y);
    heights
        .fold((f32::NEG_INFINITY, f32::INFINITY), |(top, bottom), it| (top.max(it), bottom.min(it)))
}

/// The edges of its page that a line is at: none, one, or both if it is the only line.
fn edges(line: &Line, (top, bottom): (f32, f32), body: i32) -> Vec<Edge> {
    if line.text.len() > MAX_CHARS {
        return Vec::new();
    }
    [(true, top), (false, bottom)]
        .into_iter()
        .filter(|(_, edge)| (line.y - edge).abs() < 0.1)
        .map(|(is_top, _)| Edge {
            is_top,
            is_large: is_heading_size(halves(line.size), body),
            pattern: pattern(&line.text),
        })
        .collect()
}

fn pattern(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            digit if digit.is_numeric() => {
                if !out.ends_with('#') {
                    out.push('#');
                }
            }
            other => out.push(other),
        }
    }
    out
}
