//! `lyra vault create`, `write`, `replace` and `copy`: what changes the vault.

use std::io::Read;

use clap::Args;
use library::vault::{CreateRequest, ReplaceRequest, WriteMode, WriteRequest, Written};
use library::{CopyMode, CopyRequest, SectionName, SectionRef};

use crate::cli::input::too_long;
use crate::cli::manual::trace;
use crate::failure::Failure;
use crate::library::Library;
use crate::session::Session;
use crate::ui;
use crate::words::say;

/// Make a new file from stdin; one that is there is refused
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  lyra vault create notes/leave.md < draft.md")]
pub(super) struct Create {
    /// A path in the vault, ending in .md or .json
    file: String,
}

/// Write a file that is there, from stdin
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  echo '- called the ward' | lyra vault write daily/2026-11-15.md --append\n  lyra vault write notes/leave.md < draft.md"
)]
pub(super) struct Write {
    /// A path in the vault
    file: String,
    /// Add to its end
    #[arg(long)]
    append: bool,
    /// Only if the file still is this version, as `--json` shows it
    #[arg(long, value_name = "HASH")]
    expect: Option<String>,
}

/// Replace a text, or a whole section by stdin
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  lyra vault replace notes/leave.md --old 'twelve weeks' --new '14 weeks'\n  lyra vault replace notes/leave.md --section Exceptions < section.md"
)]
pub(super) struct Replace {
    /// A path in the vault
    file: String,
    /// The text that is there now, letter by letter
    #[arg(long, value_name = "TEXT", required_unless_present = "section")]
    old: Option<String>,
    /// The text that takes its place [default: read from stdin]
    #[arg(long, value_name = "TEXT")]
    new: Option<String>,
    /// Only in the section with this heading; without --old, all of it
    #[arg(long, value_name = "HEADING")]
    section: Option<String>,
    /// How often the old text must be there
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: usize,
    /// Only if the file still is this version, as `--json` shows it
    #[arg(long, value_name = "HASH")]
    expect: Option<String>,
}

/// Copy a section or a file of a manual; the copy names where it comes from
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  lyra vault copy pharmacy/narcotics.md#L40 notes/narcotics.md\n  lyra vault copy pharmacy/narcotics.md notes/narcotics.md --append"
)]
pub(super) struct Copy {
    /// MANUAL/PATH, or MANUAL/PATH#L40 for the section at that line
    #[arg(value_name = "REF")]
    place: SectionRef,
    /// A path in the vault
    target: String,
    /// Add to a file that is there
    #[arg(long)]
    append: bool,
    /// The search in manuals that led here: latest, or the beginning or end of its trace
    #[arg(long, value_name = "TRACE")]
    trace: Option<String>,
}

impl Create {
    pub(super) fn run(&self, session: &Session, library: &Library) -> Result<(), Failure> {
        let request = CreateRequest { path: self.file.clone(), text: given(session)? };
        tell(session, &library.vault.create(&request)?)
    }
}

impl Write {
    pub(super) fn run(&self, session: &Session, library: &Library) -> Result<(), Failure> {
        let request = WriteRequest {
            path: self.file.clone(),
            text: given(session)?,
            mode: if self.append { WriteMode::Append } else { WriteMode::Overwrite },
            expected_hash: self.expect.clone(),
        };
        tell(session, &library.vault.write(&request)?)
    }
}

impl Replace {
    pub(super) fn run(&self, session: &Session, library: &Library) -> Result<(), Failure> {
        let new = match &self.new {
            Some(new) => new.clone(),
            None => given(session)?,
        };
        let request = ReplaceRequest {
            path: self.file.clone(),
            old: self.old.clone(),
            section: self.section.clone().map(SectionName::Heading),
            new,
            expected_count: self.old.is_some().then_some(self.count),
            expected_hash: self.expect.clone(),
        };
        tell(session, &library.vault.replace(&request)?)
    }
}

impl Copy {
    pub(super) fn run(&self, session: &Session, library: &Library) -> Result<(), Failure> {
        let request = CopyRequest {
            manual_id: self.place.manual.clone(),
            path: self.place.path.clone(),
            section: self.place.line.map(SectionName::Line),
            target: self.target.clone(),
            mode: if self.append { CopyMode::Append } else { CopyMode::Create },
            trace_id: self.trace.as_deref().map(|it| trace(session, library, it)).transpose()?,
        };
        let answer = library
            .at(session.now(), |it| library.manuals.copy_to(&library.vault, &request, it))?;
        if session.ui.is_json() {
            return session.ui.document(&answer);
        }
        let line_count = &session.ui.words().library.line_count;
        session.ui.print(&say!(line_count, file = answer.target, n = answer.lines))
    }
}

fn tell(session: &Session, written: &Written) -> Result<(), Failure> {
    if session.ui.is_json() {
        return session.ui.document(written);
    }
    let line_count = &session.ui.words().library.line_count;
    session.ui.print(&say!(line_count, file = written.path, n = written.lines))
}

/// The text on stdin, within what a file may hold.
fn given(session: &Session) -> Result<String, Failure> {
    let most = session.settings.library.vault_file_bytes;
    let mut bytes = Vec::new();
    let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    ui::stdin()
        .take(limit)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::bad_input(format!("stdin cannot be read: {error}")))?;
    if bytes.len() > most {
        let message = format!("the text on stdin is larger than {most} bytes");
        return Err(too_long(message, "library.vault_file_bytes"));
    }
    String::from_utf8(bytes).map_err(|_| Failure::bad_input("the text on stdin is not UTF-8"))
}
