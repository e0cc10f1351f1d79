//! `lyra manual`: your manuals, searched so that nothing is missed.

mod audit;
mod find;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use library::{
    LsAnswer, LsKind, LsRequest, ReadRequest, ReadScope, ScanRequest, SectionRef, TocRequest,
};

use super::ids::among;
use crate::failure::{Failure, Kind};
use crate::library::Library;
use crate::session::Session;
use crate::ui::{Column, Table, clean, quoted};
use crate::words::say;

/// Find and read in your manuals
///
/// Manuals are folders of Markdown and JSON files, one folder for each manual. A search takes the same steps each time:
/// words in every spelling, synonyms, exceptions, references; it says what contradicts and what was not looked at.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra manual find 'Who may not take parental leave?' --manuals ~/manuals
  lyra manual find 麻薬の廃棄手順 --manual pharmacy
  lyra manual read pharmacy/narcotics.md#L40
  lyra manual audit notes/narcotics.md --vault ~/vault

Next: `lyra manual find REQUEST`, then `lyra manual read REF`.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    folders: Folders,
}

/// The folders of the library.
#[derive(Debug, Args)]
pub(super) struct Folders {
    /// The folder with one folder for each manual [default: the setting library.manuals]
    #[arg(long, global = true, value_name = "DIR")]
    manuals: Option<PathBuf>,
    /// The folder of the vault [default: the setting library.vault]
    #[arg(long, global = true, value_name = "DIR")]
    vault: Option<PathBuf>,
}

impl Folders {
    pub(super) fn library(&self, session: &Session) -> Library {
        for (name, folder) in [("--manuals", &self.manuals), ("--vault", &self.vault)] {
            if let Some(folder) = folder {
                session.ui.call().folder(name, folder);
            }
        }
        session.library(self.manuals.as_deref(), self.vault.as_deref())
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    Ls(Ls),
    Toc(Toc),
    Find(find::Find),
    Hits(find::Hits),
    Read(Read),
    Scan(Scan),
    Audit(audit::Audit),
}

/// List the manuals, the files of one, or what cannot be searched
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  lyra manual ls --skipped")]
struct Ls {
    /// List the files of this manual
    manual: Option<String>,
    /// List files that cannot be searched, and why
    #[arg(long)]
    skipped: bool,
    #[command(flatten)]
    page: Paging,
}

/// List the headings of a manual
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  lyra manual toc pharmacy --depth 2")]
struct Toc {
    manual: String,
    /// One file of it
    path: Option<String>,
    /// The deepest level of headings, 1 to 6
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=6))]
    depth: Option<u8>,
    #[command(flatten)]
    page: Paging,
}

/// Print sections with everything below them, or a file
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  lyra manual read pharmacy/narcotics.md#L40\n  lyra manual read pharmacy/narcotics.md --scope file"
)]
struct Read {
    /// Where, as other commands print it: MANUAL/PATH#L40
    #[arg(required = true, value_name = "REF")]
    places: Vec<SectionRef>,
    /// How much [default: section, or sections where several are named]
    #[arg(long, value_enum)]
    scope: Option<Scope>,
    /// Characters at most [default: the setting library.read_chars]
    #[arg(long, value_name = "N")]
    max_chars: Option<usize>,
    /// The search that led here: latest, or the beginning or end of its trace
    #[arg(long, value_name = "TRACE")]
    trace: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Scope {
    Section,
    Sections,
    File,
}

/// Print the next part of a long file
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  lyra manual scan pharmacy/narcotics.md --from-line 400")]
struct Scan {
    /// MANUAL/PATH, or MANUAL/PATH#L40 to begin there
    #[arg(value_name = "REF")]
    place: SectionRef,
    /// Where the last part ended, as it was printed
    #[arg(long)]
    cursor: Option<String>,
    /// Begin at this line
    #[arg(long, value_name = "N")]
    from_line: Option<u32>,
    /// Characters at most [default: the setting library.scan_chars]
    #[arg(long, value_name = "N")]
    max_chars: Option<usize>,
}

/// Which part of a list is shown.
#[derive(Debug, Clone, Copy, Args)]
pub(super) struct Paging {
    /// Skip the first N
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) offset: usize,
    /// Show at most N
    #[arg(long, value_name = "N")]
    pub(super) limit: Option<usize>,
}

impl Paging {
    /// Says how to see the rest.
    pub(super) fn tell(self, session: &Session, total: usize, next: Option<usize>) {
        if let Some(next) = next {
            let offset = &session.ui.words().rest.offset;
            session.ui.note(&say!(offset, next = next, total = total));
        }
    }
}

impl Arguments {
    pub(crate) fn name(&self) -> &'static str {
        match self.command {
            Command::Ls(_) => "manual ls",
            Command::Toc(_) => "manual toc",
            Command::Find(_) => "manual find",
            Command::Hits(_) => "manual hits",
            Command::Read(_) => "manual read",
            Command::Scan(_) => "manual scan",
            Command::Audit(_) => "manual audit",
        }
    }

    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let library = self.folders.library(session);
        if !library.manuals.root().is_dir() {
            let folder = library.manuals.root().display();
            return Err(Failure::new(Kind::NotFound, format!("there are no manuals at {folder}"))
                .hint(|w| &w.hint.make_manuals));
        }
        // A search of nothing would look like one that found nothing.
        if matches!(self.command, Command::Find(_)) && library.manuals.refresh()?.1 == 0 {
            let folder = library.manuals.root().display();
            let message = format!("no manual in {folder} has a file that can be searched");
            return Err(Failure::new(Kind::NotFound, message).hint(|w| &w.hint.skipped_manuals));
        }
        match &self.command {
            Command::Ls(arguments) => arguments.run(session, &library),
            Command::Toc(arguments) => arguments.run(session, &library),
            Command::Find(arguments) => arguments.run(session, &library),
            Command::Hits(arguments) => arguments.run(session, &library),
            Command::Read(arguments) => arguments.run(session, &library),
            Command::Scan(arguments) => arguments.run(session, &library),
            Command::Audit(arguments) => arguments.run(session, &library),
        }
    }
}

impl Ls {
    fn run(&self, session: &Session, library: &Library) -> Result<(), Failure> {
        let request = LsRequest {
            manual_id: self.manual.clone(),
            kind: self.skipped.then_some(LsKind::Skipped),
            offset: self.page.offset,
            limit: self.page.limit,
        };
        let answer: LsAnswer = library.at(session.now(), |it| library.manuals.ls(&request, it))?;
        if session.ui.is_json() {
            return session.ui.document(&answer);
        }
        let words = session.ui.words();
        if answer.total == 0 && self.manual.is_none() && !self.skipped {
            let folder = library.manuals.root().display();
            session.ui.note(&say!(words.library.no_manuals, folder = folder));
            return Ok(());
        }
        let column = &words.column;
        let mut table = match answer.kind {
            LsKind::Manuals => Table::new([
                Column::exact(&column.manual),
                Column::number(&column.files),
                Column::number(&column.sections),
            ]),
            LsKind::Files => Table::new([
                Column::exact(&column.file),
                Column::number(&column.line_count),
                Column::number(&column.sections),
            ]),
            LsKind::Skipped => Table::new([Column::exact(&column.file), Column::text(&column.why)]),
        };
        let number = |count: Option<usize>| count.map_or_else(String::new, |n| n.to_string());
        for item in &answer.items {
            let name = clean(&item.name);
            match answer.kind {
                LsKind::Manuals => table.row([name, number(item.files), number(item.sections)]),
                LsKind::Files => {
                    let lines = item.lines.map_or_else(String::new, |n| n.to_string());
                    table.row([name, lines, number(item.sections)]);
                }
                LsKind::Skipped => table.row([name, clean(item.reason.as_deref().unwrap_or(""))]),
            }
        }
        session.ui.print(&table.render(session.ui.layout(1)))?;
        self.page.tell(session, answer.total, answer.next_offset);
        Ok(())
    }
}

impl Toc {
    fn run(&self, session: &Session, library: &Library) -> Result<(), Failure> {
        let request = TocRequest {
            manual_id: self.manual.clone(),
            path: self.path.clone(),
            depth: self.depth,
            offset: self.page.offset,
            limit: self.page.limit,
        };
        let answer = library.at(session.now(), |it| library.manuals.toc(&request, it))?;
        if session.ui.is_json() {
            return session.ui.document(&answer);
        }
        let column = &session.ui.words().column;
        let mut table =
            Table::new([Column::exact(&column.reference), Column::text(&column.heading)]);
        for item in &answer.items {
            let indent = "  ".repeat(usize::from(item.level.saturating_sub(1)));
            table.row([item.place.to_string(), format!("{indent}{}", clean(&item.title))]);
        }
        session.ui.print(&table.render(session.ui.layout(1)))?;
        self.page.tell(session, answer.total, answer.next_offset);
        Ok(())
    }
}

impl Read {
    fn run(&self, session: &Session, library: &Library) -> Result<(), Failure> {
        let scope = self.scope.map(|scope| match scope {
            Scope::Section => ReadScope::Section,
            Scope::Sections => ReadScope::Sections,
            Scope::File => ReadScope::File,
        });
        let several = self.places.len() > 1;
        let request = ReadRequest {
            place: self.places.first().filter(|_| !several).cloned(),
            refs: if several { self.places.clone() } else { Vec::new() },
            scope: scope.or(several.then_some(ReadScope::Sections)),
            max_chars: self.max_chars,
            trace_id: self.trace.as_deref().map(|it| trace(session, library, it)).transpose()?,
        };
        let answer = library.at(session.now(), |it| library.manuals.read(&request, it))?;
        if session.ui.is_json() {
            return session.ui.document(&answer);
        }
        let words = &session.ui.words().library;
        for part in &answer.parts {
            session.ui.print(&safe(&part.text))?;
            if part.truncated {
                let (place, line) = (&part.place, part.end_line);
                let typed = quoted(&place.to_string());
                session.ui.note(&say!(words.goes_on, place = place, line = line, typed = typed));
            }
        }
        for left in &answer.left_out {
            session.ui.note(&say!(words.no_room, place = left));
        }
        Ok(())
    }
}

impl Scan {
    fn run(&self, session: &Session, library: &Library) -> Result<(), Failure> {
        let request = ScanRequest {
            place: self.place.clone(),
            cursor: self.cursor.clone(),
            start_line: self.from_line,
            max_chars: self.max_chars,
        };
        let answer = library.at(session.now(), |it| library.manuals.scan(&request, it))?;
        if session.ui.is_json() {
            return session.ui.document(&answer);
        }
        session.ui.print(&safe(&answer.text))?;
        let words = &session.ui.words().library;
        session.ui.note(&match &answer.cursor {
            Some(cursor) => {
                say!(words.scanned, from = answer.start_line, to = answer.end_line, cursor = cursor)
            }
            None => String::from(&words.end_of_file),
        });
        Ok(())
    }
}

/// The trace of the search that `given` names.
pub(super) fn trace(session: &Session, library: &Library, given: &str) -> Result<String, Failure> {
    let all = library.at(session.now(), |it| library.manuals.trace_ids(it));
    Ok(among("trace", given, &all, |id| (id, ""), |w| &w.hint.traces)?.clone())
}

/// A file's text as it is, without what would command the terminal.
pub(super) fn safe(text: &str) -> String {
    text.lines().map(clean).collect::<Vec<_>>().join("\n")
}
