//! Which lines of a manual a document cites, and which it never touched.
//!
//! A line counts as touched when it was copied by `bridge_copy`, when a reference such as `hr/rules.md#L10-L20`
//! names it, or when one of its sentences stands in the document. Empty lines, headings and rules say nothing by
//! themselves and are not counted.

mod cited;
mod quotes;
mod references;

use std::collections::BTreeSet;
use std::path::Path;

use serde::{Deserialize, Serialize};

pub use self::cited::CitedFile;
use crate::bridge::{Origin, origins};
use crate::nodes::Node;
use crate::paths::SafePath;
use crate::sections::{LineStarts, SectionName, bytes_of, find_section, line_count, nodes_of};
use crate::source::ManualText;
use crate::spans::{Span, joined, without};
use crate::text::lines;
use crate::vault::{Vault, hash_of};
use crate::{LibraryError, Result};

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

/// When a sentence is long enough to be recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditLimits {
    /// Letters of a sentence; one of Chinese or Japanese script counts as two. Shorter ones stand in any text.
    pub quote_letters: usize,
}

impl Default for AuditLimits {
    fn default() -> Self {
        Self { quote_letters: 20 }
    }
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
    /// Sections of which no line was touched; what stands under them is not listed again.
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
    pub fn audit(&self, manuals: &Path, request: &AuditRequest) -> Result<AuditAnswer> {
        let source = self.manual_text(manuals, &request.manual_id, &request.path)?;
        let paths = match request.documents.is_empty() {
            true => self.all_files()?,
            false => {
                let paths = request.documents.iter().map(|it| self.file_path(it));
                paths.collect::<Result<Vec<_>>>()?
            }
        };
        let (mut documents, mut unread) = (Vec::new(), Vec::new());
        for path in paths {
            let (path, text) = match self.load(&path) {
                // Nobody asked for this one by name: the others still count.
                Err(LibraryError::InvalidParameter(problem)) if request.documents.is_empty() => {
                    unread.push(AuditWarning { document: path, line: None, problem });
                    continue;
                }
                loaded => loaded?,
            };
            let kept_origins = self.kept_origins(&path)?;
            documents.push(Document { path, text, kept_origins });
        }
        let limits = &self.options().audit;
        let mut answer = audit(&source, request.section.as_ref(), &documents, limits)?;
        answer.warnings.append(&mut unread);
        Ok(answer)
    }
}

/// Holds a manual's file against documents.
fn audit(
    source: &ManualText,
    section: Option<&SectionName>,
    documents: &[Document],
    limits: &AuditLimits,
) -> Result<AuditAnswer> {
    let whole = Span::new(1, line_count(&source.text));
    let span = section.map_or(Ok(whole), |it| find_section(&source.path, &source.text, it))?;
    if whole.end_line == 0 {
        return Err(LibraryError::InvalidScope(format!("{} is empty", source.path)));
    }
    let nodes = nodes_of(&source.path, &source.text);
    let sentences = quotes::sentences(source, limits);
    let mut lines = Lines::of(&source.text, &nodes, span);
    let mut warnings = Vec::new();
    for document in documents {
        let mut cited = Citations { source, found: Vec::new(), warnings: Vec::new() };
        cited.by_copies(document);
        references::find(&mut cited, document, &nodes);
        cited.by_quotes(quotes::find(source, &sentences, &document.text, limits));
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
        let copied = self.found.iter().filter(|it| it.1 == Reason::Copied).map(|it| it.0);
        let copied = joined(copied.collect());
        let others = quoted.into_iter().flat_map(|it| without(it, &copied));
        self.found.extend(others.map(|it| (it, Reason::Quoted)));
    }

    /// Copies are known by the note that `bridge_copy` left; it holds as long as the manual has the same text.
    fn by_copies(&mut self, document: &Document) {
        let written = origins(&document.text).into_iter().map(|(line, it)| (Some(line), it));
        let kept = document.kept_origins.iter().map(|it| (None, it.clone()));
        for (line, origin) in written.chain(kept) {
            let ManualText { manual_id, path, text } = self.source;
            if origin.manual_id != *manual_id || origin.path != path.as_str() {
                continue;
            }
            let Span { start_line, end_line } = origin.span;
            match place_of(text, &origin) {
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

/// Where the text that was copied stands now: in its place, or where lines before it moved it to.
fn place_of(text: &str, origin: &Origin) -> Option<Span> {
    let same = |span: Span| hash_of(&text[bytes_of(text, span)]) == origin.hash;
    let total = line_count(text);
    if origin.span.end_line <= total && same(origin.span) {
        return Some(origin.span);
    }
    let length = origin.span.count().max(1);
    let starts = LineStarts::of(text);
    (1..=(total + 1).saturating_sub(length))
        .map(|start| Span::new(start, start + length - 1))
        .find(|it| hash_of(&text[starts.bytes(*it)]) == origin.hash)
}

/// The lines under audit, each with what touched it.
struct Lines {
    span: Span,
    /// `None` for lines that say nothing by themselves.
    touched: Vec<Option<(BTreeSet<Reason>, BTreeSet<SafePath>)>>,
}

impl Lines {
    fn of(text: &str, nodes: &[Node], span: Span) -> Self {
        let headings: BTreeSet<u32> =
            nodes.iter().filter(|it| it.level > 0).map(|it| it.lines.start).collect();
        let says_something = |number: u32, line: &str| {
            line.chars().any(char::is_alphanumeric) && !headings.contains(&number)
        };
        let touched = lines(text)
            .filter(|it| span.lines().contains(&it.number))
            .map(|it| says_something(it.number, it.text).then(Default::default))
            .collect();
        Self { span, touched }
    }

    fn touch(&mut self, span: Span, reason: Reason, document: &SafePath) {
        let Some(span) = span.overlap(self.span) else { return };
        for line in span.lines() {
            let at = (line - self.span.start_line) as usize;
            if let Some(Some((reasons, documents))) = self.touched.get_mut(at) {
                reasons.insert(reason);
                documents.insert(document.clone());
            }
        }
    }

    fn answer(
        self,
        source: &ManualText,
        documents: usize,
        nodes: &[Node],
        warnings: Vec<AuditWarning>,
    ) -> AuditAnswer {
        let (mut touched, mut untouched): (Vec<Touched>, Vec<Span>) = (Vec::new(), Vec::new());
        let mut by_reason = LinesByReason::default();
        let (mut counted, mut touched_lines) = (0, 0);
        // Lines that say nothing do not part those around them.
        let mut last_touched = None;
        for (line, (reasons, documents)) in
            self.span.lines().zip(&self.touched).filter_map(|(a, b)| Some((a, b.as_ref()?)))
        {
            counted += 1;
            let is_touched = !reasons.is_empty();
            let goes_on = last_touched == Some(is_touched);
            last_touched = Some(is_touched);
            if !is_touched {
                match untouched.last_mut().filter(|_| goes_on) {
                    Some(last) => last.end_line = line,
                    None => untouched.push(Span::new(line, line)),
                }
                continue;
            }
            touched_lines += 1;
            by_reason.copied += usize::from(reasons.contains(&Reason::Copied));
            by_reason.referenced += usize::from(reasons.contains(&Reason::Referenced));
            by_reason.quoted += usize::from(reasons.contains(&Reason::Quoted));
            match touched
                .last_mut()
                .filter(|it| goes_on && it.reasons == *reasons && it.documents == *documents)
            {
                Some(last) => last.span.end_line = line,
                None => touched.push(Touched {
                    span: Span::new(line, line),
                    reasons: reasons.clone(),
                    documents: documents.clone(),
                }),
            }
        }
        AuditAnswer {
            manual_id: source.manual_id.clone(),
            path: source.path.clone(),
            documents,
            lines: counted,
            touched_lines,
            touched_percent: percent(touched_lines, counted),
            lines_by_reason: by_reason,
            touched,
            untouched,
            untouched_sections: self.untouched_sections(nodes),
            warnings,
            span: self.span,
        }
    }

    fn untouched_sections(&self, nodes: &[Node]) -> Vec<UntouchedSection> {
        let mut sections: Vec<UntouchedSection> = Vec::new();
        for node in nodes.iter().filter(|it| it.level > 0) {
            let span = Span::new(node.lines.start, node.lines.end - 1);
            let listed = sections.last().is_some_and(|it| it.span.overlap(span).is_some());
            if listed || span.overlap(self.span) != Some(span) {
                continue;
            }
            let start = (span.start_line - self.span.start_line) as usize;
            let inside: Vec<_> =
                self.touched[start..start + span.count() as usize].iter().flatten().collect();
            if !inside.is_empty() && inside.iter().all(|it| it.0.is_empty()) {
                sections.push(UntouchedSection { heading: node.title.clone(), span });
            }
        }
        sections
    }
}

fn percent(part: usize, whole: usize) -> f64 {
    match whole {
        0 => 0.0,
        whole => (part as f64 * 1_000.0 / whole as f64).round() / 10.0,
    }
}
