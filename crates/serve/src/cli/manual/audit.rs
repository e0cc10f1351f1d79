//! `lyra manual audit`: which lines of the manuals a document of the vault rests on, and which it never touched.

use clap::Args;
use library::{AuditAnswer, AuditRequest, Span};
use serde::Serialize;

use crate::failure::Failure;
use crate::library::Library;
use crate::session::Session;
use crate::ui::{Column, Table, clean};

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
            session.ui.note(
                "The document copies from no manual and refers to no lines of one; --of MANUAL/PATH looks for quotes.",
            );
            return Ok(());
        }
        for audit in &audits {
            show(session, audit)?;
        }
        Ok(())
    }
}

fn show(session: &Session, audit: &AuditAnswer) -> Result<(), Failure> {
    let ui = &session.ui;
    ui.print(&format!(
        "{}/{}: {} of {} lines touched ({:.1} %): {} copied, {} referred to, {} quoted",
        audit.manual_id,
        audit.path,
        audit.touched_lines,
        audit.lines,
        audit.touched_percent,
        audit.lines_by_reason.copied,
        audit.lines_by_reason.referenced,
        audit.lines_by_reason.quoted
    ))?;
    let mut table =
        Table::new([Column::exact("LINES"), Column::exact("TOUCHED"), Column::text("SECTION")]);
    for touched in &audit.touched {
        let reasons: Vec<String> =
            touched.reasons.iter().map(|it| format!("{it:?}").to_lowercase()).collect();
        table.row([lines(touched.span), reasons.join(", "), String::new()]);
    }
    for section in &audit.untouched_sections {
        table.row([lines(section.span), "no".to_owned(), clean(&section.heading)]);
    }
    // What is in sections that are listed whole is not listed again.
    let listed = |line| audit.untouched_sections.iter().any(|it| has(it.span, line));
    let named = |span: &&Span| !(span.start_line..=span.end_line).all(listed);
    for span in audit.untouched.iter().filter(named) {
        table.row([lines(*span), "no".to_owned(), String::new()]);
    }
    ui.print(&table.render(ui.layout(1)))?;
    for warning in &audit.warnings {
        let line = warning.line.map_or_else(String::new, |it| format!(" line {it}"));
        ui.warn(&format!("{}{line}: {}", warning.document, clean(&warning.problem)));
    }
    Ok(())
}

fn lines(span: Span) -> String {
    format!("{}-{}", span.start_line, span.end_line)
}

fn has(span: Span, line: u32) -> bool {
    (span.start_line..=span.end_line).contains(&line)
}
