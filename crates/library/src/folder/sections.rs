//! A document cut into the sections that are found.
//!
//! A section is the largest heading with everything under it that has at most [`SECTION_CHARS`] characters, so that
//! what is read is long enough to be understood and short enough to be about one thing. A document that is no longer
//! than that is one section; of a longer heading, its own text before the next heading is one.

use std::ops::Range;

use evidence::FragmentType;
use extract::{Document, Format};

use super::document::Extent;
use crate::nodes::{Heading, Node, cut, outline};
use crate::sections::LineStarts;
use crate::spans::Span;

/// About a page of print.
const SECTION_CHARS: usize = 4_000;

/// A section with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) extent: Extent,
    /// From the outside in, its own last; empty for a whole document.
    pub(super) headings: Vec<String>,
    pub(super) text: String,
}

impl Section {
    /// The text without the line of its heading.
    pub(super) fn body(&self) -> &str {
        match self.headings.is_empty() {
            true => &self.text,
            false => self.text.split_once('\n').map_or("", |it| it.1),
        }
    }
}

/// Cuts a document; one without headings, or with data instead of text, is one section.
pub(super) fn cut_document(bytes: &[u8], document: &Document) -> Vec<Section> {
    let source = std::str::from_utf8(bytes).ok();
    let sections = match (document.format, source) {
        _ if !is_long(&document.text) => Vec::new(),
        (Format::Markdown, Some(source)) => of_markdown(source),
        (Format::Json | Format::Feed | Format::Sitemap, _) => Vec::new(),
        _ => of_passages(document),
    };
    match sections.len() {
        0 | 1 => {
            let text = document.text.clone();
            vec![Section { extent: Extent::Whole, headings: Vec::new(), text }]
        }
        _ => sections,
    }
}

fn is_long(text: &str) -> bool {
    text.chars().nth(SECTION_CHARS).is_some()
}

fn of_markdown(source: &str) -> Vec<Section> {
    let starts = LineStarts::of(source);
    let body = extract::markdown_body(source);
    let text = |lines: &Range<u32>| {
        let bytes = starts.bytes(Span::new(lines.start, lines.end - 1));
        &source[bytes.start.max(body.min(bytes.end))..bytes.end]
    };
    let extent = |lines: &Range<u32>| Extent::Lines { first: lines.start, last: lines.end - 1 };
    chosen(&cut(source), text, extent)
}

/// Other formats have no lines of their own: headings are where their first passage begins.
fn of_passages(document: &Document) -> Vec<Section> {
    let mut bytes: Vec<usize> = document.text.char_indices().map(|it| it.0).collect();
    bytes.push(document.text.len());
    let byte = |char: u32| bytes[(char as usize).min(bytes.len() - 1)];
    let text = |chars: &Range<u32>| &document.text[byte(chars.start)..byte(chars.end)];
    let extent = |chars: &Range<u32>| Extent::Chars { start: chars.start, end: chars.end };
    let Ok(end) = u32::try_from(bytes.len() - 1) else { return Vec::new() };
    chosen(&outline(headings_of(document), 0..end), text, extent)
}

fn headings_of(document: &Document) -> Vec<Heading> {
    let mut found: Vec<Heading> = Vec::new();
    let mut open: &[extract::Heading] = &[];
    // Headings without text of their own come as passages before the one they are above.
    let mut waiting: Vec<usize> = Vec::new();
    for passage in &document.fragments {
        if passage.fragment_type == FragmentType::Heading {
            waiting.push(passage.char_start);
            continue;
        }
        let above = &passage.heading_hierarchy[..];
        let same = above.iter().zip(open).take_while(|(a, b)| a == b).count();
        let fresh = &above[same..];
        let skipped = waiting.len().saturating_sub(fresh.len());
        let mut starts = waiting.drain(..).skip(skipped);
        for heading in fresh {
            let start = starts.next().unwrap_or(passage.char_start);
            let line = u32::try_from(start).unwrap_or(u32::MAX);
            found.push(Heading { level: heading.level, title: heading.text.clone(), line });
        }
        drop(starts);
        waiting.clear();
        open = above;
    }
    found
}

fn chosen<'a>(
    nodes: &[Node],
    text: impl Fn(&Range<u32>) -> &'a str,
    extent: impl Fn(&Range<u32>) -> Extent,
) -> Vec<Section> {
    let mut sections = Vec::new();
    let mut at = 0;
    while let Some(node) = nodes.get(at) {
        let fits = !is_long(text(&node.lines));
        let range = if fits { node.lines.clone() } else { node.own_lines() };
        let inside = |it: &Node| fits && it.lines.start < node.lines.end;
        let section = Section {
            extent: extent(&range),
            headings: headings(nodes, at),
            text: text(&range).to_owned(),
        };
        at += 1;
        while nodes.get(at).is_some_and(inside) {
            at += 1;
        }
        if !range.is_empty() && section.body().chars().any(char::is_alphanumeric) {
            sections.push(section);
        }
    }
    sections
}

fn headings(nodes: &[Node], at: usize) -> Vec<String> {
    let parent = |node: &usize| nodes[*node].parent.map(|above| above as usize);
    let path = std::iter::successors(Some(at), parent);
    let titles = path.map(|node| nodes[node].title.clone()).filter(|title| !title.is_empty());
    let mut titles: Vec<String> = titles.collect();
    titles.reverse();
    titles
}
