//! Traces: what a search found, kept so that later calls, also of other processes, can page through it.
//!
//! A trace holds places and numbers and the words of the request; no text of a manual.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::query::{Intent, Note};
use super::search::{ConflictKind, Gap, Signal, Source, Spot};
use super::section_ref::SectionRef;
use super::state::{read_json, write_json};
use crate::{LibraryError, LibrarySettings, Refusal, Result};

/// One search, as later calls see it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    pub trace_id: String,
    pub created_ms: i64,
    pub manual_id: Option<String>,
    /// The request; empty in traces of older versions.
    #[serde(default)]
    pub query: String,
    pub intent: Intent,
    /// How the request was read.
    pub notes: Vec<Note>,
    pub candidates: Vec<TraceCandidate>,
    pub unscanned: Vec<TraceRange>,
    pub conflicts: Vec<TraceConflict>,
    pub gaps: Vec<Gap>,
    /// What later calls read.
    pub used: Vec<SectionRef>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TraceCandidate {
    #[serde(rename = "ref")]
    pub place: SectionRef,
    pub start_line: u32,
    pub end_line: u32,
    pub source: Source,
    pub signals: Vec<Signal>,
    pub hit_count: u32,
    /// How much of the request it covers.
    pub score: f64,
    /// How much it is about the request, by which candidates are ordered.
    #[serde(default)]
    pub relevance: f64,
    pub spots: Vec<Spot>,
    /// Which section points at it.
    pub from: Option<SectionRef>,
    /// Tells whether the file is still the one that was searched.
    pub stamp: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceRange {
    #[serde(rename = "ref")]
    pub place: SectionRef,
    pub start_line: u32,
    pub end_line: u32,
    pub sections: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceConflict {
    pub kind: ConflictKind,
    pub first: TraceSide,
    pub second: TraceSide,
    /// What is measured, or the unit of the numbers.
    pub measure: Option<String>,
}

/// One side of a conflict: a place, not its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceSide {
    #[serde(rename = "ref")]
    pub place: SectionRef,
    pub start_line: u32,
    pub spot: Spot,
    /// Tells whether the file is still the one that was searched.
    pub stamp: u64,
}

/// The folder of the traces.
#[derive(Debug)]
pub(crate) struct Traces {
    folder: PathBuf,
}

const PREFIX: &str = "tr_";
/// Hexadecimal digits of the time in an id: enough for ten thousand years.
const TIME_DIGITS: usize = 12;

impl Traces {
    pub(crate) fn new(state: &Path) -> Self {
        Self { folder: state.join("traces") }
    }

    /// Takes an id that no trace has: the time, so that ids are in its order, and a number.
    ///
    /// The empty file keeps other processes from taking the same one.
    pub(crate) fn new_id(&self, now_ms: i64) -> Result<String> {
        let failed = |source| LibraryError::Io {
            doing: "write",
            path: self.folder.display().to_string(),
            source,
        };
        files::make_private_folder(&self.folder).map_err(failed)?;
        let time = format!("{:0width$x}", now_ms.max(0), width = TIME_DIGITS);
        for number in 0..=0xffff_u32 {
            let id = format!("{PREFIX}{time}{number:04x}");
            match fs::File::create_new(self.path(&id)) {
                Ok(_) => return Ok(id),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(error)),
            }
        }
        Err(Refusal::Conflict.because("too many searches in one millisecond"))
    }

    /// The ids of all that are not too old, oldest first.
    pub(crate) fn ids(&self, now_ms: i64, settings: &LibrarySettings) -> Vec<String> {
        // Where nothing was searched yet there is no folder.
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let mut ids: Vec<String> = entries
            .flatten()
            .filter_map(|it| Some(it.file_name().to_str()?.strip_suffix(".json")?.to_owned()))
            .filter(|id| time_of(id).is_some_and(|time| !is_old(time, now_ms, settings)))
            .collect();
        // The time comes first in an id.
        ids.sort();
        ids
    }

    pub(crate) fn write(&self, trace: &Trace) -> Result<()> {
        write_json(&self.path(&trace.trace_id), trace)
    }

    /// A trace by its id, unless it was never there or is too old.
    pub(crate) fn read(&self, id: &str, now_ms: i64, settings: &LibrarySettings) -> Result<Trace> {
        let lost = || Refusal::NotFound.because(format!("no trace {id}: run manual_find again"));
        let time = time_of(id)
            .ok_or_else(|| Refusal::InvalidParameter.because(format!("no trace id: {id}")))?;
        if is_old(time, now_ms, settings) {
            return Err(lost());
        }
        read_json(&self.path(id)).ok_or_else(lost)
    }

    /// Forgets traces that are too old or too many, but never the newest, which others of the same millisecond may follow.
    pub(crate) fn clean(&self, newest: &str, now_ms: i64, settings: &LibrarySettings) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let mut known: Vec<(i64, PathBuf)> = entries
            .flatten()
            .filter_map(|it| {
                let name = it.file_name().into_string().ok()?;
                let id = name.strip_suffix(".json").filter(|id| *id != newest)?;
                Some((time_of(id)?, it.path()))
            })
            .collect();
        known.sort();
        let over = (known.len() + 1).saturating_sub(settings.trace_keep);
        for (at, (time, path)) in known.iter().enumerate() {
            if at < over || is_old(*time, now_ms, settings) {
                // Another process may have been faster.
                let _ = fs::remove_file(path);
            }
        }
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }
}

/// The time in an id; `None` for anything that is no id of ours, such as a path.
fn time_of(id: &str) -> Option<i64> {
    let digits = id.strip_prefix(PREFIX)?;
    let plain = digits.len() == TIME_DIGITS + 4 && digits.bytes().all(|it| it.is_ascii_hexdigit());
    i64::from_str_radix(plain.then(|| &digits[..TIME_DIGITS])?, 16).ok()
}

fn is_old(time_ms: i64, now_ms: i64, settings: &LibrarySettings) -> bool {
    let age = u128::try_from(now_ms.saturating_sub(time_ms)).unwrap_or(0);
    age > settings.trace_age().as_millis()
}
