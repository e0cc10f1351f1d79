//! References to lines of a manual: `hr/rules.md#L10-L20`, `rules.md:10-20`, `hr/rules.md#L10`.

use super::{Citations, Document, Reason};
use crate::nodes::Node;
use crate::normal_form::lines;
use crate::sections::line_count;
use crate::spans::Span;

/// Finds the references of a document to the manual's file. A line that is a heading means its section,
/// because that is how finds name sections.
pub(super) fn find(cited: &mut Citations<'_>, document: &Document, nodes: &[Node]) {
    let total = line_count(&cited.source.text);
    for line in lines(&document.text) {
        // The note of a copy names its lines for itself.
        if line.text.trim_start().starts_with(crate::bridge::NOTE) {
            continue;
        }
        for span in spans(line.text, &cited.source.manual_id, cited.source.path.as_str()) {
            if span.start_line == 0 || span.end_line > total || span.start_line > span.end_line {
                let (start, end) = (span.start_line, span.end_line);
                let problem = format!("it names lines {start}-{end} of {total}");
                cited.warn(document, Some(line.number), problem);
                continue;
            }
            let section = nodes
                .iter()
                .find(|it| it.level > 0 && it.lines.start == span.start_line && span.count() == 1);
            let span = section.map_or(span, Node::span);
            cited.found.push((span, Reason::Referenced));
        }
    }
}

pub(super) fn spans(line: &str, manual_id: &str, path: &str) -> Vec<Span> {
    let before_ok = |before: &str| {
        let own = before.strip_suffix('/').and_then(|it| it.strip_suffix(manual_id));
        let before = own.unwrap_or(before);
        let joined = |it: char| it.is_alphanumeric() || matches!(it, '/' | '\\' | '_' | '-' | '.');
        !before.ends_with(joined)
    };
    line.match_indices(path)
        .filter(|(at, _)| before_ok(&line[..*at]))
        .filter_map(|(at, _)| lines_after(&line[at + path.len()..]))
        .collect()
}

/// `#L10-L20`, `#L10-20`, `#L10`, `:10-20`, `:10`.
fn lines_after(text: &str) -> Option<Span> {
    let rest = text.strip_prefix("#L").or_else(|| text.strip_prefix(':'))?;
    let (start, rest) = number(rest)?;
    let end = rest.strip_prefix(['-', '–']).map(|it| it.strip_prefix('L').unwrap_or(it));
    let end = end.and_then(number).map_or(start, |it| it.0);
    Some(Span::new(start, end))
}

fn number(text: &str) -> Option<(u32, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    Some((text[..digits].parse().ok()?, &text[digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> String {
        let spans = spans(line, "hr", "規程/rules.md");
        let span = |it: &Span| format!("{}-{}", it.start_line, it.end_line);
        spans.iter().map(span).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn lines_are_named_in_several_ways() {
        assert_eq!(shown("see hr/規程/rules.md#L10-L20 and 規程/rules.md:3-4."), "10-20 3-4");
        assert_eq!(
            shown("（規程/rules.md#L7）、規程/rules.md:9、hr/規程/rules.md#L1-2"),
            "7-7 9-9 1-2"
        );
    }

    #[test]
    fn other_files_and_files_without_lines_are_not_meant() {
        assert_eq!(shown("it/規程/rules.md#L1 x規程/rules.md:1 規程/rules.md 規程/rules.md:x"), "");
        assert_eq!(shown("規程/rules.md:99999999999"), "");
    }
}
