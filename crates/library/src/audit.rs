//! Which lines of a manual a document cites, and which it never touched.
//!
//! A line counts as touched when it was copied by `bridge_copy`, when a reference such as `hr/rules.md#L10-L20`
//! names it, or when one of its sentences is in the document. Empty lines, headings and rules say nothing by
//! themselves and are not counted.

mod cited;
mod lines;
mod quotes;
mod references;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

pub use self::cited::CitedFile;
use self::lines::Lines;
use self::quotes::Quotable;
use crate::bridge::{Origin, origins};
use crate::manuals::{ManualText, Manuals};
use crate::normal_form::lines;
use crate::paths::SafePath;
use crate::sections::{LineStarts, SectionName, find_section, line_count, nodes_of};
use crate::spans::{Span, joined, without};
use crate::vault::{Vault, hash_of};
use crate::{LibraryError, Refusal, Result};

/// What an audit is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AuditRequest {
    pub manual_id: String,
    pub path: String,
    /// Only this section.
    pub section: Option<SectionName>,
    /// Files of the vault; all of them if none is named.
    pub documents: Vec<String>,
}

/// How much of a manual some documents have touched.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AuditAnswer {
    pub manual_id: String,
    pub path: SafePath,
    /// What was audited.
    #[serde(flatten)]
    pub span: Span,
    pub documents: usize,
    /// Lines that say something.
    pub lines: usize,
    pub touched_lines: usize,
    pub touched_percent: f64,
    /// For each reason; a line can have several.
    pub lines_by_reason: LinesByReason,
    pub touched: Vec<Touched>,
    pub untouched: Vec<Span>,
    /// Sections of which no line was touched; what is under them is not listed again.
    pub untouched_sections: Vec<UntouchedSection>,
    pub warnings: Vec<AuditWarning>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct LinesByReason {
    pub copied: usize,
    pub referenced: usize,
    pub quoted: usize,
}

/// Lines that were touched in the same way by the same documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Touched {
    #[serde(flatten)]
    pub span: Span,
    pub reasons: BTreeSet<Reason>,
    pub documents: BTreeSet<SafePath>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    Copied,
    Referenced,
    Quoted,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UntouchedSection {
    pub heading: String,
    #[serde(flatten)]
    pub span: Span,
}

/// Something about a citation that a person should look at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct AuditWarning {
    pub document: SafePath,
    /// Of the document; none for a JSON file, whose origin is kept beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    pub problem: String,
}

/// A file of the vault with what is known about where it comes from.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    pub(crate) path: SafePath,
    pub(crate) text: String,
    /// Origins that are not written in the text.
    pub(crate) kept_origins: Vec<Origin>,
}

/// What one document cites: lines, and why.
pub(crate) struct Citations<'a> {
    source: &'a ManualText,
    found: Vec<(Span, Reason)>,
    warnings: Vec<AuditWarning>,
}

impl Vault {
    /// Says which lines of a manual's file the documents of the vault cite, and which they never touched.
    pub fn audit(&self, manuals: &Manuals, request: &AuditRequest) -> Result<AuditAnswer> {
        let source = ManualText::read(manuals, &request.manual_id, &request.path)?;
        let paths = match request.documents.is_empty() {
            true => self.all_files()?,
            false => {
                let paths = request.documents.iter().map(|path| SafePath::file(path));
                paths.collect::<Result<Vec<_>>>()?
            }
        };
        let (mut documents, mut unread) = (Vec::new(), Vec::new());
        for path in paths {
            let (path, text) = match self.load(&path) {
                // It was not asked for by name: the others still count.
                Err(LibraryError::Refused { refusal: Refusal::InvalidParameter, problem })
                    if request.documents.is_empty() =>
                {
                    unread.push(AuditWarning { document: path, line: None, problem });
                    continue;
                }
                loaded => loaded?,
            };
            let kept_origins = self.kept_origins(&path)?;
            documents.push(Document { path, text, kept_origins });
        }
        let mut answer = audit(&source, request.section.as_ref(), &documents)?;
        answer.warnings.append(&mut unread);
        Ok(answer)
    }
}

/// Holds a manual's file against documents.
fn audit(
    source: &ManualText,
    section: Option<&SectionName>,
    documents: &[Document],
) -> Result<AuditAnswer> {
    let whole = Span::new(1, line_count(&source.text));
    let span = section.map_or(Ok(whole), |it| find_section(&source.path, &source.text, it))?;
    if whole.end_line == 0 {
        return Err(Refusal::InvalidScope.because(format!("{} is empty", source.path)));
    }
    let nodes = nodes_of(&source.path, &source.text);
    let quotable = Quotable::new(source)?;
    let mut lines = Lines::of(&source.text, &nodes, span);
    let mut warnings = Vec::new();
    for document in documents {
        let mut cited = Citations { source, found: Vec::new(), warnings: Vec::new() };
        cited.by_copies(document);
        references::find(&mut cited, document, &nodes);
        cited.by_quotes(quotable.lines_in(&document.text));
        for (span, reason) in &cited.found {
            lines.touch(*span, *reason, &document.path);
        }
        warnings.append(&mut cited.warnings);
    }
    warnings.sort();
    warnings.dedup();
    Ok(lines.answer(source, documents.len(), &nodes, warnings))
}

impl Citations<'_> {
    pub(crate) fn warn(&mut self, document: &Document, line: Option<u32>, problem: String) {
        self.warnings.push(AuditWarning { document: document.path.clone(), line, problem });
    }

    /// A copy is not at the same time a quotation of itself.
    fn by_quotes(&mut self, quoted: Vec<Span>) {
        let copied = self
            .found
            .iter()
            .filter(|(_, reason)| *reason == Reason::Copied)
            .map(|(span, _)| *span);
        let copied = joined(copied.collect());
        let others = quoted.into_iter().flat_map(|it| without(it, &copied));
        self.found.extend(others.map(|span| (span, Reason::Quoted)));
    }

    /// Copies are known by the note that `bridge_copy` left; it holds as long as the manual has the same text.
    fn by_copies(&mut self, document: &Document) {
        let below = |line: u32| lines(&document.text).nth(line as usize).map(|it| it.text);
        let written = origins(&document.text).into_iter();
        let written = written.map(|(line, it)| (Some(line), below(line), it));
        let kept = document.kept_origins.iter().map(|it| (None, None, it.clone()));
        for (line, first, origin) in written.chain(kept) {
            let ManualText { manual_id, path, text } = self.source;
            if origin.manual_id != *manual_id || origin.path != path.as_str() {
                continue;
            }
            let Span { start_line, end_line } = origin.span;
            match place_of(text, &origin, first) {
                Some(span) if span == origin.span => self.found.push((span, Reason::Copied)),
                Some(span) => {
                    self.found.push((span, Reason::Copied));
                    self.warn(
                        document,
                        line,
                        format!(
                            "the lines {start_line}-{end_line} that were copied are now {}-{}",
                            span.start_line, span.end_line
                        ),
                    );
                }
                None => self.warn(
                    document,
                    line,
                    format!(
                        "the manual has changed since its lines {start_line}-{end_line} were copied"
                    ),
                ),
            }
        }
    }
}

/// Where the copied text is now: in its place, or where lines before it moved it to.
///
/// Its first line, which is below the note, says where to look.
fn place_of(text: &str, origin: &Origin, first: Option<&str>) -> Option<Span> {
    let starts = LineStarts::of(text);
    let total = line_count(text);
    let same = |it: &Span| it.end_line <= total && hash_of(&text[starts.bytes(*it)]) == origin.hash;
    let length = origin.span.count();
    let moved = lines(text)
        .filter(|it| Some(it.text) == first)
        .map(|it| Span::new(it.number, it.number.saturating_add(length - 1)));
    std::iter::once(origin.span).chain(moved).find(same)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn path(text: &str) -> SafePath {
        SafePath::file(text).unwrap()
    }

    /// Text made of what audits look at, in any order.
    fn any_text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("# 見出し\n".to_owned()),
            Just("精算は支出の日から30日以内に行わなければならない。".to_owned()),
            Just("Employees keep every original receipt for seven years. ".to_owned()),
            Just(
                "<!-- lyra:copy manual=\"m\" path=\"a.md\" lines=\"1-4294967295\" hash=\"x\" -->\n"
                    .to_owned()
            ),
            Just("m/a.md#L1-L4294967295 ".to_owned()),
            "(m/a.md#L|a.md:)[0-9]{1,2}(-[0-9]{1,2})?[ \n]",
            "[「」\"“”> \n。|-]{1,4}",
            "\\PC{0,8}",
        ];
        proptest::collection::vec(piece, 0..12).prop_map(|it| it.concat())
    }

    proptest! {
        #[test]
        fn every_line_that_says_something_is_touched_or_not(manual in any_text(), text in any_text()) {
            let source = ManualText { manual_id: "m".to_owned(), path: path("a.md"), text: manual };
            let document = Document { path: path("b.md"), text, kept_origins: Vec::new() };
            let answer = audit(&source, None, &[document]);
            prop_assume!(answer.is_ok());
            let answer = answer.unwrap();
            let spans = answer.touched.iter().map(|it| it.span).chain(answer.untouched.clone());
            let mut spans: Vec<Span> = spans.collect();
            spans.sort();
            for pair in spans.windows(2) {
                prop_assert!(pair[0].end_line < pair[1].start_line);
            }
            prop_assert!(spans.iter().all(|it| it.overlap(answer.span) == Some(*it)));
            prop_assert!(answer.touched_lines <= answer.lines);
            prop_assert_eq!(answer.touched.is_empty(), answer.touched_lines == 0);
            prop_assert_eq!(answer.untouched.is_empty(), answer.touched_lines == answer.lines);
        }
    }
}
