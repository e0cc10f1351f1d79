//! Where a copy comes from, as a line that both a reader and an audit understand.

use serde::{Deserialize, Serialize};

use crate::normal_form::lines;
use crate::spans::Span;

/// How the note of a copy begins.
pub(crate) const NOTE: &str = "<!-- lyra:copy ";
const END: &str = " -->";

/// Lines of a manual as they were when they were copied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    pub manual_id: String,
    pub path: String,
    #[serde(flatten)]
    pub span: Span,
    /// Of the lines.
    pub hash: String,
}

impl Origin {
    /// No part of it can end the comment: paths have neither `"` nor `>`.
    pub(crate) fn note(&self) -> String {
        let Self { manual_id, path, span, hash } = self;
        let (start, end) = (span.start_line, span.end_line);
        format!(
            "{NOTE}manual=\"{manual_id}\" path=\"{path}\" lines=\"{start}-{end}\" hash=\"{hash}\"{END}"
        )
    }

    fn read(line: &str) -> Option<Self> {
        let inside = line.trim().strip_prefix(NOTE)?.strip_suffix(END)?;
        let field = |name: &str| {
            let start = inside.find(&format!("{name}=\""))? + name.len() + 2;
            let length = inside[start..].find('"')?;
            Some(&inside[start..start + length])
        };
        let (start, end) = field("lines")?.split_once('-')?;
        let span = Span::new(start.parse().ok()?, end.parse().ok()?);
        (span.start_line >= 1 && span.start_line <= span.end_line).then_some(Self {
            manual_id: field("manual")?.to_owned(),
            path: field("path")?.to_owned(),
            span,
            hash: field("hash")?.to_owned(),
        })
    }
}

/// The notes of a document, each with its line.
pub(crate) fn origins(text: &str) -> Vec<(u32, Origin)> {
    lines(text).filter_map(|it| Some((it.number, Origin::read(it.text)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_read_as_it_is_written() {
        let origin = Origin {
            manual_id: "hr".to_owned(),
            path: "規程/第 3 章.md".to_owned(),
            span: Span::new(10, 20),
            hash: "0a1b".to_owned(),
        };
        let note = origin.note();
        assert_eq!(
            note,
            r#"<!-- lyra:copy manual="hr" path="規程/第 3 章.md" lines="10-20" hash="0a1b" -->"#
        );
        assert_eq!(origins(&format!("# a\n{note}\r\ntext")), [(2, origin)]);
    }

    #[test]
    fn a_note_that_somebody_broke_is_a_comment_like_others() {
        for line in [
            "<!-- lyra:copy -->",
            r#"<!-- lyra:copy manual="a" path="b.md" lines="0-3" hash="x" -->"#,
            r#"<!-- lyra:copy manual="a" path="b.md" lines="5-3" hash="x" -->"#,
            r#"<!-- lyra:copy manual="a" path="b.md" lines="x" hash="x" -->"#,
            r#"<!-- lyra:copy manual="a" path="b.md" lines="1-3" -->"#,
        ] {
            assert_eq!(origins(line), [], "{line}");
        }
    }
}
