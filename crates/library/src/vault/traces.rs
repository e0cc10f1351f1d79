//! What a find found and what was read since: lines and paths, never text.
//!
//! Kept in the vault's own folder, because a command line is a new process for every call.

use std::io::{ErrorKind, Read as _};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::Vault;
use super::atomic::{self, Step, Target};
use super::folder::Folder;
use super::lock::{WriteLock, system_folder};
use crate::paths::SafePath;
use crate::spans::{Span, joined};
use crate::{LibraryError, LibrarySettings, Refusal, Result};

const FOLDER: &str = "traces";
const PREFIX: &str = "vt_";
const SUFFIX: &str = ".json";

/// One find.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Trace {
    pub(crate) files: Vec<TracedFile>,
}

/// A file with something in it that the find points at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TracedFile {
    pub(crate) path: String,
    /// Of the version that was searched; `None` where the search did not come to it.
    pub(crate) hash: Option<String>,
    pub(crate) candidates: Vec<Span>,
    /// Lines that were not searched, or that are between two candidates.
    pub(crate) gaps: Vec<Span>,
    /// Lines that have been read since.
    pub(crate) returned: Vec<Span>,
}

impl Vault {
    /// Keeps a new trace and forgets old ones; answers with its name.
    pub(crate) fn keep_trace(&self, trace: &Trace) -> Result<String> {
        self.with_made_root(|root| {
            let lock = self.lock(root)?;
            let folder = traces_folder(&root.folder)?;
            let numbers = numbers(&folder)?;
            // The newest is never forgotten, so no number comes twice.
            let number = numbers.last().map_or(1, |it| it + 1);
            save(&lock, &folder, number, trace, Step::Publish)?;
            forget(&folder, &numbers, number, &self.settings)?;
            Ok(format!("{PREFIX}{number}"))
        })
    }

    /// The ids of the traces that are still known, oldest first.
    pub fn trace_ids(&self) -> Result<Vec<String>> {
        self.with_root(|root| {
            let Some(root) = root else { return Ok(Vec::new()) };
            let numbers = numbers(&traces_folder(&root.folder)?)?;
            Ok(numbers.into_iter().map(|it| format!("{PREFIX}{it}")).collect())
        })
    }

    pub(crate) fn trace(&self, id: &str) -> Result<Trace> {
        self.with_root(|root| {
            let root = root.ok_or_else(|| unknown(id))?;
            load(&traces_folder(&root.folder)?, id)
        })
    }

    /// Remembers which lines were read for a find; lines of other files are none of it.
    pub(crate) fn note_returned(&self, id: &str, read: &[(SafePath, Span)]) -> Result<()> {
        self.with_root(|root| {
            let root = root.ok_or_else(|| unknown(id))?;
            let lock = self.lock(root)?;
            let folder = traces_folder(&root.folder)?;
            let mut trace = load(&folder, id)?;
            let before = trace.clone();
            for (path, span) in read {
                if let Some(file) = trace.files.iter_mut().find(|it| it.path == path.as_str()) {
                    file.returned.push(*span);
                    file.returned = joined(std::mem::take(&mut file.returned));
                }
            }
            match trace == before {
                true => Ok(()),
                false => save(&lock, &folder, number_of(id)?, &trace, Step::Replace),
            }
        })
    }
}

fn traces_folder(root: &Folder) -> Result<Folder> {
    let system = system_folder(root)?;
    match system.make_folder(FOLDER) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            return Err(failed("make", error));
        }
        _ => {}
    }
    system.folder(FOLDER).map_err(|it| failed("open", it))
}

fn numbers(folder: &Folder) -> Result<Vec<u64>> {
    let names = folder.names().map_err(|it| failed("list", it))?;
    let number = |name: &String| number_of(name.strip_suffix(SUFFIX)?).ok();
    let mut numbers: Vec<u64> = names.iter().filter_map(number).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

fn number_of(id: &str) -> Result<u64> {
    let digits =
        id.strip_prefix(PREFIX).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()));
    digits.and_then(|it| it.parse().ok()).ok_or_else(|| unknown(id))
}

fn load(folder: &Folder, id: &str) -> Result<Trace> {
    let name = file_name(number_of(id)?);
    let mut text = String::new();
    match folder.file(&name).and_then(|mut it| it.read_to_string(&mut text)) {
        Ok(_) => serde_json::from_str(&text).map_err(|_| unknown(id)),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(unknown(id)),
        Err(error) => Err(failed("read", error)),
    }
}

fn save(lock: &WriteLock, folder: &Folder, number: u64, trace: &Trace, step: Step) -> Result<()> {
    let text = serde_json::to_string(trace).expect("lines and paths can be written");
    let name = file_name(number);
    atomic::write(lock, Target { folder, name: &name, path: FOLDER }, &text, step)
}

fn forget(folder: &Folder, older: &[u64], newest: u64, settings: &LibrarySettings) -> Result<()> {
    let modified = |number: u64| -> Result<SystemTime> {
        let about = folder.file(&file_name(number)).and_then(|it| it.metadata()?.modified());
        about.map_err(|it| failed("look at", it))
    };
    // Written a moment ago: its time is now.
    let now = modified(newest)?;
    let keep_from = (older.len() + 1).saturating_sub(settings.trace_keep);
    for (at, number) in older.iter().enumerate() {
        let age = now.duration_since(modified(*number)?).unwrap_or_default();
        if at < keep_from || age > settings.trace_age() {
            folder.remove(&file_name(*number)).map_err(|it| failed("remove", it))?;
        }
    }
    Ok(())
}

fn file_name(number: u64) -> String {
    format!("{PREFIX}{number}{SUFFIX}")
}

fn unknown(id: &str) -> LibraryError {
    Refusal::NotFound.because(format!("no find {id}: it is too old or never was"))
}

fn failed(doing: &'static str, source: std::io::Error) -> LibraryError {
    LibraryError::Io { doing, path: format!("{}/{FOLDER}", crate::paths::SYSTEM), source }
}
