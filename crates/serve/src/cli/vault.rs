//! `lyra vault`: what you make of your manuals, kept in files that are whole at every moment.

mod write;

use clap::{Args, Subcommand};
use library::SectionName;
use library::vault::{CoverageRequest, FindRequest, LsRequest, ReadRequest, ScanRequest};

use super::ids::{LATEST, among};
use super::manual::{Folders, Paging, safe};
use crate::failure::Failure;
use crate::library::Library;
use crate::session::Session;
use crate::ui::{Column, Table};
use crate::words::say;

/// Keep results in the vault: list, find, read, write
///
/// The only folder that is written to. Files are Markdown or JSON; every write is whole or not there; files in daily/
/// can only grow; .system/ is Lyra's own.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra vault create notes/leave.md --vault ~/vault < draft.md
  lyra vault copy pharmacy/narcotics.md#L40 notes/narcotics.md
  lyra vault find '麻薬 廃棄'

Next: `lyra manual audit FILE` shows which lines of a manual a file rests on.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    folders: Folders,
}

#[derive(Debug, Subcommand)]
enum Command {
    Ls(Ls),
    Find(Find),
    Read(Read),
    Scan(Scan),
    Coverage(Coverage),
    Create(write::Create),
    Write(write::Write),
    Replace(write::Replace),
    Copy(write::Copy),
}

/// List the files
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  lyra vault ls notes")]
struct Ls {
    /// Only below this folder
    #[arg(default_value = "")]
    folder: String,
    #[command(flatten)]
    page: Paging,
}

/// Find passages by their words, and lines that may belong to them
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  lyra vault find 'parental leave' --exclude notes/old.md\n\nNext: `lyra vault read FILE --lines 10-20`, `lyra vault scan --trace TRACE` for the gaps."
)]
struct Find {
    /// The words
    text: String,
    /// Only below this folder
    #[arg(long, value_name = "FOLDER", default_value = "")]
    folder: String,
    /// Leave this file out; may be repeated
    #[arg(long, value_name = "FILE")]
    exclude: Vec<String>,
    /// Show at most N
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

/// Print a file, lines of it, or a section
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  lyra vault read notes/leave.md\n  lyra vault read notes/leave.md --section Exceptions\n  lyra vault read notes/leave.md --lines 10-20"
)]
struct Read {
    /// A path in the vault
    file: String,
    /// Only the section with this heading
    #[arg(long, value_name = "HEADING", conflicts_with = "lines")]
    section: Option<String>,
    /// Only these lines, such as 10-20
    #[arg(long, value_name = "FIRST-LAST", value_parser = lines)]
    lines: Option<(u32, u32)>,
    /// Characters at most [default: the setting library.read_chars]
    #[arg(long, value_name = "N")]
    max_chars: Option<usize>,
    /// The search that led here: latest, or its trace
    #[arg(long, value_name = "TRACE")]
    trace: Option<String>,
}

/// Print the lines between what a search found, or a file, in parts
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  lyra vault scan notes/leave.md")]
struct Scan {
    /// A path in the vault
    #[arg(required_unless_present = "trace")]
    file: Option<String>,
    /// The gaps of this search: latest, or its trace
    #[arg(long, value_name = "TRACE")]
    trace: Option<String>,
    /// Where the last part ended, as it was printed
    #[arg(long)]
    cursor: Option<String>,
    /// Characters at most [default: the setting library.read_chars]
    #[arg(long, value_name = "N")]
    max_chars: Option<usize>,
}

/// Show which lines of a search were read, and which are still open
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  lyra vault coverage")]
struct Coverage {
    /// The search: latest, or its trace, as `lyra vault find` named it
    #[arg(default_value = LATEST)]
    trace: String,
    /// Only this file
    #[arg(long, value_name = "FILE")]
    file: Option<String>,
    #[command(flatten)]
    page: Paging,
}

impl Arguments {
    pub(crate) fn name(&self) -> &'static str {
        match self.command {
            Command::Ls(_) => "vault ls",
            Command::Find(_) => "vault find",
            Command::Read(_) => "vault read",
            Command::Scan(_) => "vault scan",
            Command::Coverage(_) => "vault coverage",
            Command::Create(_) => "vault create",
            Command::Write(_) => "vault write",
            Command::Replace(_) => "vault replace",
            Command::Copy(_) => "vault copy",
        }
    }

    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let library = self.folders.library(session);
        match &self.command {
            Command::Ls(arguments) => arguments.run(session, &library),
            Command::Find(arguments) => arguments.run(session, &library),
            Command::Read(arguments) => arguments.run(session, &library),
            Command::Scan(arguments) => arguments.run(session, &library),
            Command::Coverage(arguments) => arguments.run(session, &library),
            Command::Create(arguments) => arguments.run(session, &library),
            Command::Write(arguments) => arguments.run(session, &library),
            Command::Replace(arguments) => arguments.run(session, &library),
            Command::Copy(arguments) => arguments.run(session, &library),
        }
    }
}

impl Ls {
    fn run(&self, session: &Session, library: &Library) -> Result<(), Failure> {
        let request = LsRequest {
            folder: self.folder.clone(),
            offset: self.page.offset,
            limit: self.page.limit,
        };
        let answer = library.vault.ls(&request)?;
        if session.ui.is_json() {
            return session.ui.document(&answer);
        }
        let column = &session.ui.words().column;
        let mut table = Table::new([Column::exact(&column.file), Column::number(&column.bytes)]);
        for file in &answer.files {
            table.row([file.path.to_string(), file.bytes.to_string()]);
        }
        session.ui.print(&table.render(session.ui.layout(1)))?;
        self.page.tell(session, answer.total, answer.next_offset);
        Ok(())
    }
}

impl Find {
    fn run(&self, session: &Session, library: &Library) -> Result<(), Failure> {
        let request = FindRequest {
            query: self.text.clone(),
            folder: self.folder.clone(),
            exclude: self.exclude.clone(),
            limit: self.limit,
        };
        let answer = library.vault.find(&request)?;
        if session.ui.is_json() {
            return session.ui.document(&answer);
        }
        let words = session.ui.words();
        let column = &words.column;
        let mut table = Table::new([
            Column::exact(&column.file),
            Column::exact(&column.lines),
            Column::number(&column.hits),
        ]);
        for it in &answer.candidates {
            let lines = format!("{}-{}", it.span.start_line, it.span.end_line);
            table.row([it.path.to_string(), lines, it.hit_count.to_string()]);
        }
        session.ui.print(&table.render(session.ui.layout(1)))?;
        let summary = &answer.summary;
        session.ui.note(&say!(
            words.library.vault_summary,
            passages = summary.candidates,
            files = summary.files_searched,
            gaps = summary.gap_ranges_count,
            score = format!("{:.2}", summary.sufficiency_score),
            trace = answer.trace_id,
        ));
        if let Some(reason) = summary.cutoff_reason {
            session.ui.warn(&say!(words.common.ended_early, reason = reason));
        }
        Ok(())
    }
}

impl Read {
    fn run(&self, session: &Session, library: &Library) -> Result<(), Failure> {
        let request = ReadRequest {
            path: self.file.clone(),
            section: self.section.clone().map(SectionName::Heading),
            start_line: self.lines.map(|it| it.0),
            end_line: self.lines.map(|it| it.1),
            max_chars: self.max_chars,
            trace_id: self.trace.as_deref().map(|it| trace(library, it)).transpose()?,
            ..ReadRequest::default()
        };
        let answer = library.vault.read(&request)?;
        if session.ui.is_json() {
            return session.ui.document(&answer);
        }
        session.ui.print(&safe(&answer.text))?;
        if let Some(next) = answer.next {
            let goes_on = &session.ui.words().library.vault_goes_on;
            session.ui.note(&say!(goes_on, line = next.start_line, lines = answer.total_lines));
        }
        Ok(())
    }
}

impl Scan {
    fn run(&self, session: &Session, library: &Library) -> Result<(), Failure> {
        let request = ScanRequest {
            trace_id: self.trace.as_deref().map(|it| trace(library, it)).transpose()?,
            path: self.file.clone(),
            cursor: self.cursor.clone(),
            max_chars: self.max_chars,
        };
        let answer = library.vault.scan(&request)?;
        if session.ui.is_json() {
            return session.ui.document(&answer);
        }
        let words = &session.ui.words().library;
        for part in &answer.parts {
            let (from, to) = (part.span.start_line, part.span.end_line);
            session.ui.note(&say!(words.part, file = part.path, from = from, to = to));
            session.ui.print(&safe(&part.text))?;
        }
        session.ui.note(&match &answer.next_cursor {
            Some(cursor) => say!(words.cursor, cursor = cursor),
            None => String::from(&words.that_is_all),
        });
        Ok(())
    }
}

/// The trace of the search that `given` names.
fn trace(library: &Library, given: &str) -> Result<String, Failure> {
    let all = library.vault.trace_ids()?;
    Ok(among("trace", given, &all, |id| (id, ""), |w| &w.hint.vault_traces)?.clone())
}

impl Coverage {
    fn run(&self, session: &Session, library: &Library) -> Result<(), Failure> {
        let request = CoverageRequest {
            trace_id: trace(library, &self.trace)?,
            path: self.file.clone(),
            offset: self.page.offset,
            limit: self.page.limit,
        };
        let answer = library.vault.coverage(&request)?;
        if session.ui.is_json() {
            return session.ui.document(&answer);
        }
        let words = session.ui.words();
        let column = &words.column;
        let mut table = Table::new([
            Column::exact(&column.file),
            Column::exact(&column.read_lines),
            Column::exact(&column.open),
        ]);
        let shown = |spans: &[library::Span]| {
            let spans: Vec<String> =
                spans.iter().map(|it| format!("{}-{}", it.start_line, it.end_line)).collect();
            spans.join(" ")
        };
        for file in &answer.files {
            let open = [shown(&file.open_candidates), shown(&file.open_gaps)].join(" ");
            table.row([file.path.to_string(), shown(&file.read), open.trim().to_owned()]);
        }
        session.ui.print(&table.render(session.ui.layout(1)))?;
        let summary = &answer.summary;
        let message = &words.library.lines_read;
        session.ui.note(&say!(message, read = summary.lines_read, lines = summary.lines));
        self.page.tell(session, answer.summary.files, answer.next_offset);
        Ok(())
    }
}

/// Reads `10-20`.
fn lines(text: &str) -> Result<(u32, u32), String> {
    let bad = || "two line numbers are expected, such as 10-20".to_owned();
    let (first, last) = text.split_once('-').ok_or_else(bad)?;
    Ok((first.parse().map_err(|_| bad())?, last.parse().map_err(|_| bad())?))
}
