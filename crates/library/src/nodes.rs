//! Markdown cut into heading nodes: what a reader would call a section, with its lines.
//!
//! A node's text includes that of its descendants, so a node is a range of lines and the text is kept once. Text
//! before the first heading, and a file without any, is a node without a title.

use std::ops::Range;

use crate::sections::LineStarts;
use crate::spans::Span;

/// One heading and what is under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    /// 1 to 6 as in Markdown; 0 for text without a heading.
    pub(crate) level: u8,
    pub(crate) title: String,
    /// The first line, counted from 1, to the line after the last descendant.
    pub(crate) lines: Range<u32>,
    /// The line after the node's own text, where its first child begins.
    pub(crate) own_end: u32,
    /// The node it is under.
    pub(crate) parent: Option<u32>,
}

impl Node {
    /// The lines of the node without those of its children.
    pub(crate) fn own_lines(&self) -> Range<u32> {
        self.lines.start..self.own_end
    }

    /// The lines of the node with its descendants.
    pub(crate) fn span(&self) -> Span {
        Span::new(self.lines.start, self.lines.end - 1)
    }

    /// A file that is one node, such as JSON.
    pub(crate) fn whole(lines: u32) -> Self {
        Self {
            level: 0,
            title: String::new(),
            lines: 1..lines + 1,
            own_end: lines + 1,
            parent: None,
        }
    }
}

/// Cuts a text at its headings. An empty text has one empty node.
pub(crate) fn cut(text: &str) -> Vec<Node> {
    let starts = LineStarts::of(text);
    let headings = extract::markdown_headings(text).into_iter().map(|heading| Heading {
        level: heading.level,
        title: heading.text.trim().to_owned(),
        line: starts.line_at(heading.start),
    });
    outline(headings.collect(), 1..starts.count() + 1)
}

/// Nests headings by their levels; `all` is where the text begins and ends, in lines or whatever headings are placed by.
pub(crate) fn outline(headings: Vec<Heading>, all: Range<u32>) -> Vec<Node> {
    let untitled =
        Node { level: 0, title: String::new(), lines: all.clone(), own_end: all.end, parent: None };
    let mut nodes: Vec<Node> = Vec::new();
    if headings.first().is_none_or(|it| it.line > all.start) {
        nodes.push(untitled);
    }
    for heading in headings {
        let open = |node: &Node| node.level > 0 && node.level < heading.level;
        // Those that have ended are skipped by going up from the last one.
        let mut above = nodes.len().checked_sub(1);
        while let Some(it) = above.filter(|it| !open(&nodes[*it])) {
            above = nodes[it].parent.map(|it| it as usize);
        }
        let parent = above.map(|it| u32::try_from(it).expect("fewer headings than lines"));
        nodes.push(Node {
            level: heading.level,
            title: heading.title,
            lines: heading.line..0,
            own_end: 0,
            parent,
        });
    }
    close(&mut nodes, all.end);
    nodes
}

fn close(nodes: &mut [Node], end: u32) {
    for at in 0..nodes.len() {
        let next = nodes.get(at + 1).map_or(end, |it| it.lines.start);
        let level = nodes[at].level;
        let after = nodes[at + 1..].iter().find(|it| level == 0 || it.level <= level);
        let after = after.map_or(end, |it| it.lines.start);
        nodes[at].own_end = next;
        nodes[at].lines.end = after;
    }
}

/// A heading and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Heading {
    pub(crate) level: u8,
    pub(crate) title: String,
    pub(crate) line: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal_form::lines;
    use proptest::prelude::*;

    /// One node per line: level, lines (own text in brackets), title, parent.
    fn shown(text: &str) -> String {
        let nodes = cut(text);
        let line = |it: &Node| {
            let parent =
                it.parent.map_or_else(String::new, |it| format!(" < {}", nodes[it as usize].title));
            let last = |end: u32| end - 1;
            format!(
                "{} {}-{} ({}) {}{parent}",
                it.level,
                it.lines.start,
                last(it.lines.end),
                last(it.own_end),
                it.title
            )
        };
        nodes.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn nodes_include_their_descendants() {
        insta::assert_snapshot!(
            shown("# 規程\n前文\n## 第1章\n本文\n### 第1条\n条文\n## 第2章\n本文\n# 付則\n終わり\n"),
            @r"
        1 1-8 (2) 規程
        2 3-6 (4) 第1章 < 規程
        3 5-6 (6) 第1条 < 第1章
        2 7-8 (8) 第2章 < 規程
        1 9-10 (10) 付則
        "
        );
    }

    #[test]
    fn levels_may_be_skipped() {
        insta::assert_snapshot!(shown("#### a\n## b\n#### c\n### d\n"), @r"
        4 1-1 (1) a
        2 2-4 (2) b
        4 3-3 (3) c < b
        3 4-4 (4) d < b
        ");
    }

    #[test]
    fn text_before_the_first_heading_is_a_node_of_its_own() {
        insta::assert_snapshot!(shown("前書き\n\n# 本編\n"), @r"
        0 1-2 (2) 
        1 3-3 (3) 本編
        ");
        insta::assert_snapshot!(shown("見出しなし\n二行目"), @"0 1-2 (2)");
        insta::assert_snapshot!(shown(""), @"0 1-0 (0)");
    }

    #[test]
    fn code_comments_and_front_matter_open_no_headings() {
        insta::assert_snapshot!(
            shown("---\ntitle: x\n---\n# a\n```sh\n# no\n~~~\n```\n<!--\n# no\n-->\n    # no\n#no\n## b"),
            @r"
        0 1-3 (3) 
        1 4-14 (13) a
        2 14-14 (14) b < a
        "
        );
    }

    #[test]
    fn underlined_lines_are_headings() {
        insta::assert_snapshot!(
            shown("Title\n=====\ntext\n\nPart\n---\n- item\n---\none\ntwo\n---\n| a |\n---\n"),
            @r"
        1 1-13 (4) Title
        2 5-8 (8) Part < Title
        2 9-11 (11) one two < Title
        2 12-13 (13) | a | < Title
        "
        );
    }

    #[test]
    fn closing_marks_are_no_part_of_a_title() {
        let title = |line: &str| cut(line)[0].title.clone();
        assert_eq!(title("## a ##"), "a");
        assert_eq!(title("# C#"), "C#");
        assert_eq!(title("#"), "");
        assert_eq!(title("\u{feff}# a"), "a");
    }

    proptest! {
        #[test]
        fn own_lines_cover_every_line_once(text in "(#{1,4} t\n|x\n|\n|```\n|---\n){0,20}") {
            let nodes = cut(&text);
            let mut next = 1;
            for node in &nodes {
                prop_assert_eq!(node.lines.start, next);
                prop_assert!(node.own_end <= node.lines.end);
                next = node.own_end;
            }
            prop_assert_eq!(next as usize, lines(&text).count() + 1);
        }
    }
}
