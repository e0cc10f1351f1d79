//! One section of a file, by its heading or by a line in it.

use std::ops::Range;

use serde::Deserialize;

use crate::nodes::{Node, cut};
use crate::normal_form::{lines, normalised};
use crate::paths::SafePath;
use crate::spans::Span;
use crate::{Refusal, Result};

/// How a client names a section.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum SectionName {
    /// A line in it; the innermost section is meant.
    Line(u32),
    /// Its heading, however it is spelled.
    Heading(String),
}

/// The nodes of a file: Markdown by its headings, JSON as one.
pub(crate) fn nodes_of(path: &SafePath, text: &str) -> Vec<Node> {
    match path.name().ends_with(".md") {
        true => cut(text),
        false => vec![Node::whole(line_count(text))],
    }
}

pub(crate) fn line_count(text: &str) -> u32 {
    lines(text).last().map_or(0, |it| it.number)
}

/// The lines of a section with its descendants, the heading among them.
pub(crate) fn find_section(path: &SafePath, text: &str, name: &SectionName) -> Result<Span> {
    let nodes = nodes_of(path, text);
    match name {
        SectionName::Line(line) => nodes
            .iter()
            .find(|it| it.own_lines().contains(line))
            .map(Node::span)
            .ok_or_else(|| Refusal::InvalidScope.because(format!("{path} has no line {line}"))),
        SectionName::Heading(heading) => {
            let asked = normalised(heading);
            let asked = asked.trim().trim_start_matches('#').trim_start();
            let named = |it: &&Node| it.level > 0 && normalised(&it.title).trim() == asked;
            let found: Vec<&Node> = nodes.iter().filter(named).collect();
            match found[..] {
                [one] => Ok(one.span()),
                [] => Err(Refusal::NotFound.because(format!("{path} has no section {heading}"))),
                _ => {
                    let lines: Vec<String> =
                        found.iter().take(5).map(|it| it.lines.start.to_string()).collect();
                    Err(Refusal::InvalidScope.because(format!(
                        "{path} has {} sections {heading}: name one by its line ({})",
                        found.len(),
                        lines.join(", ")
                    )))
                }
            }
        }
    }
}

/// The bytes of some lines, with the ending of the last one.
pub(crate) fn bytes_of(text: &str, span: Span) -> Range<usize> {
    LineStarts::of(text).bytes(span)
}

/// Where each line begins, for many questions about one text.
#[derive(Debug)]
pub(crate) struct LineStarts(Vec<usize>);

impl LineStarts {
    pub(crate) fn of(text: &str) -> Self {
        Self(lines(text).map(|it| it.bytes.start).chain([text.len()]).collect())
    }

    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.0.len() - 1).unwrap_or(u32::MAX)
    }

    /// The line of a byte.
    pub(crate) fn line_at(&self, byte: usize) -> u32 {
        let before = self.0.partition_point(|start| *start <= byte);
        u32::try_from(before).unwrap_or(u32::MAX).clamp(1, self.count().max(1))
    }

    /// With the ending of the last line; lines after the last one have no bytes.
    pub(crate) fn bytes(&self, span: Span) -> Range<usize> {
        let end = self.0.len() - 1;
        let start = (span.start_line.max(1) as usize - 1).min(end);
        self.0[start]..self.0[(span.end_line as usize).clamp(start, end)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# 規程\n\n## 第３条\n本文\n### 例外\nなし\n## 第4条\n### 例外\nあり\n";

    fn find(name: SectionName) -> std::result::Result<&'static str, String> {
        let path = SafePath::file("a.md").unwrap();
        let span = find_section(&path, TEXT, &name).map_err(|it| it.to_string())?;
        Ok(&TEXT[bytes_of(TEXT, span)])
    }

    #[test]
    fn a_section_is_found_by_its_heading_however_it_is_spelled() {
        for heading in ["第３条", "第3条", "第三条", "## 第3条"] {
            let found = find(SectionName::Heading(heading.to_owned()));
            assert_eq!(found.unwrap(), "## 第３条\n本文\n### 例外\nなし\n", "{heading}");
        }
    }

    #[test]
    fn a_line_means_the_innermost_section_around_it() {
        assert_eq!(find(SectionName::Line(6)).unwrap(), "### 例外\nなし\n");
        assert_eq!(find(SectionName::Line(2)).unwrap(), TEXT);
        assert_eq!(find(SectionName::Line(10)).unwrap_err(), "a.md has no line 10");
    }

    #[test]
    fn a_heading_that_is_there_twice_is_asked_for_by_line() {
        let error = find(SectionName::Heading("例外".to_owned())).unwrap_err();
        assert_eq!(error, "a.md has 2 sections 例外: name one by its line (5, 8)");
        let error = find(SectionName::Heading("第9条".to_owned())).unwrap_err();
        assert_eq!(error, "a.md has no section 第9条");
    }
}
