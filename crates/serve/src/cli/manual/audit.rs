//! `lyra manual audit`: which lines of the manuals a document of the vault rests on, and which it never touched.

use clap::Args;
use library::{AuditAnswer, AuditRequest, Reason, Span};
use serde::Serialize;

use crate::failure::Failure;
use crate::library::Library;
use crate::session::Session;
use crate::ui::{Column, Table, clean};
use crate::words::{Words, say};

/// List which lines of a manual a vault document cites, and which it never touched
///
/// Lines count as touched that were copied (`lyra vault copy`), referred to (MANUAL/PATH#L10-L20) or quoted word for
/// word. Without --of, every file the document copies from or refers to is audited.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra manual audit notes/narcotics.md
  lyra manual audit notes/narcotics.md --of pharmacy/narcotics.md

Next: `lyra manual read MANUAL/PATH#L40` prints what was never touched.")]
pub(super) struct Audit {
    /// The document, a path in the vault
    file: String,
    /// The file of a manual, as MANUAL/PATH
    #[arg(long, value_name = "MANUAL/PATH")]
    of: Option<library::SectionRef>,
}

impl Audit {
    pub(super) fn run(&self, session: &Session, library: &Library) -> Result<(), Failure> {
        let cited = match &self.of {
            Some(place) => vec![(place.manual.clone(), place.path.clone())],
            None => library
                .vault
                .cited_files(&library.manuals, &self.file)?
                .into_iter()
                .map(|it| (it.manual_id, it.path.to_string()))
                .collect(),
        };
        let mut audits: Vec<AuditAnswer> = Vec::new();
        for (manual_id, path) in cited {
            let request =
                AuditRequest { manual_id, path, section: None, documents: vec![self.file.clone()] };
            audits.push(library.vault.audit(&library.manuals, &request)?);
        }
        if session.ui.is_json() {
            #[derive(Serialize)]
            struct Answer {
                audits: Vec<AuditAnswer>,
            }
            return session.ui.document(&Answer { audits });
        }
        if audits.is_empty() {
            session.ui.note(session.ui.words().library.not_cited.as_str());
            return Ok(());
        }
        for audit in &audits {
            show(session, audit)?;
        }
        Ok(())
    }
}

fn show(session: &Session, audit: &AuditAnswer) -> Result<(), Failure> {
    let (ui, words) = (&session.ui, session.ui.words());
    let column = &words.column;
    ui.print(&say!(
        words.library.audited,
        file = format!("{}/{}", audit.manual_id, audit.path),
        touched = audit.touched_lines,
        lines = audit.lines,
        percent = format!("{:.1}", audit.touched_percent),
        copied = audit.lines_by_reason.copied,
        referenced = audit.lines_by_reason.referenced,
        quoted = audit.lines_by_reason.quoted,
    ))?;
    let mut table = Table::new([
        Column::exact(&column.lines),
        Column::exact(&column.touched),
        Column::text(&column.section),
    ]);
    for touched in &audit.touched {
        let reasons: Vec<&str> = touched.reasons.iter().map(|it| reason(words, *it)).collect();
        table.row([lines(touched.span), reasons.join(", "), String::new()]);
    }
    for section in &audit.untouched_sections {
        table.row([lines(section.span), String::from(&words.common.no), clean(&section.heading)]);
    }
    // Lines of a section that is listed whole are not listed again.
    let listed = |line| audit.untouched_sections.iter().any(|it| has(it.span, line));
    let named = |span: &&Span| !(span.start_line..=span.end_line).all(listed);
    for span in audit.untouched.iter().filter(named) {
        table.row([lines(*span), String::from(&words.common.no), String::new()]);
    }
    ui.print(&table.render(ui.layout(1)))?;
    for warning in &audit.warnings {
        let line = warning.line.map(|line| say!(words.library.warning_line, line = line));
        let place = [Some(warning.document.to_string()), line].into_iter().flatten();
        let place = place.collect::<Vec<_>>().join(" ");
        ui.warn(&format!("{place}: {}", clean(&warning.problem)));
    }
    Ok(())
}

fn reason(words: &'static Words, reason: Reason) -> &'static str {
    match reason {
        Reason::Copied => words.library.copied.as_str(),
        Reason::Referenced => words.library.referenced.as_str(),
        Reason::Quoted => words.library.quoted.as_str(),
    }
}

fn lines(span: Span) -> String {
    format!("{}-{}", span.start_line, span.end_line)
}

fn has(span: Span, line: u32) -> bool {
    (span.start_line..=span.end_line).contains(&line)
}
