//! A model that a person brought is read and run for the first time in a child process that can do nothing else.
//!
//! What crashes the child, hangs it or takes all its memory never comes to this process. What the child survived may still
//! be no model; loading it here says why. The digest of what was read is kept beside the files, so that they are
//! read in a child again when they are others.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use sandbox::{Answer, Handler, Parts, Stopped, Work};
use serde::{Deserialize, Serialize};

use crate::device::Device;
use crate::load::{Model, Options, load};
use crate::stance::Pair;
use crate::{ModelError, ModelFiles, Result};

/// What a child does with a model.
pub const HANDLER: Handler = Handler { name: "model", run: Work::OnParts(run) };

/// The file beside a model that says what was read.
const NOTES: &str = "first-reading.json";
/// Notes are a few lines.
const MAX_NOTES: u64 = 1 << 16;
/// A model is held once as it is stored and once as it computes, with some room.
const MEMORY_FOR_WEIGHTS: u64 = 3;
/// Texts of all kinds, long enough to show rules that make a text grow or take ever longer.
const TEXTS: [&str; 3] =
    ["Water boils at 100 degrees.", "水は100度で沸騰する。", "\u{fdfa}e\u{301}\u{1f600}ﬃ"];
const REPEATED: usize = 400;

/// What was read, and what became of it.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Notes {
    files: Vec<Seen>,
    digest: String,
    /// Why the child was stopped, if it was.
    stopped: Option<String>,
}

/// A file as the system describes it: as long as this stays, its bytes are taken to be the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Seen {
    name: String,
    length: u64,
    /// Nanoseconds since 1970.
    modified: u64,
}

/// Has a child read the model in a folder, unless it has read these very files before. Nothing happens where the program
/// has no children.
pub fn first_reading(folder: &Path) -> Result<()> {
    if !sandbox::is_installed() {
        return Ok(());
    }
    let files = seen(folder)?;
    let notes = files::read(&folder.join(NOTES), MAX_NOTES).ok();
    let notes: Option<Notes> = notes.and_then(|it| serde_json::from_slice(&it).ok());
    if let Some(notes) = &notes
        && notes.files == files
    {
        return verdict(folder, notes.stopped.as_deref());
    }
    // What is no file, or too large to be one of a model, is refused before all of it is read.
    ModelFiles::from_folder(folder)?;
    let digest = digest_of(folder, &files)?;
    let stopped = match notes {
        Some(notes) if notes.digest == digest => notes.stopped,
        _ => in_child(folder, &files)?,
    };
    let notes = Notes { files, digest, stopped };
    note(folder, &notes)?;
    verdict(folder, notes.stopped.as_deref())
}

/// Has a child read the model in a folder that is not ours to write to; gives the digest of what was read.
pub fn first_reading_elsewhere(folder: &Path) -> Result<String> {
    let files = seen(folder)?;
    ModelFiles::from_folder(folder)?;
    let digest = digest_of(folder, &files)?;
    let stopped = if sandbox::is_installed() { in_child(folder, &files)? } else { None };
    verdict(folder, stopped.as_deref())?;
    Ok(digest)
}

/// The digest of the files of a model.
pub fn digest(folder: &Path) -> Result<String> {
    digest_of(folder, &seen(folder)?)
}

/// Keeps that the files of a folder were read, whatever they were called when a child read them.
pub fn note_first_reading(folder: &Path) -> Result<()> {
    if !sandbox::is_installed() {
        return Ok(());
    }
    let files = seen(folder)?;
    let digest = digest_of(folder, &files)?;
    note(folder, &Notes { files, digest, stopped: None })
}

fn verdict(folder: &Path, stopped: Option<&str>) -> Result<()> {
    match stopped {
        None => Ok(()),
        Some(reason) => {
            Err(ModelError::Stopped { model: name_of(folder), reason: reason.to_owned() })
        }
    }
}

fn seen(folder: &Path) -> Result<Vec<Seen>> {
    let names = ModelFiles::names(folder)?;
    let of = |name: String| {
        let about = fs::metadata(folder.join(&name)).map_err(|it| unreadable(folder, &name, it))?;
        let modified = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let modified = modified.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let modified = u64::try_from(modified).unwrap_or(u64::MAX);
        Ok(Seen { name, length: about.len(), modified })
    };
    names.into_iter().map(of).collect()
}

fn digest_of(folder: &Path, files: &[Seen]) -> Result<String> {
    let mut hasher = blake3::Hasher::new();
    for Seen { name, length, .. } in files {
        hasher.update(format!("{name}\n{length}\n").as_bytes());
        let file = files::open(&folder.join(name));
        let read = file.and_then(|it| hasher.update_reader(it.take(*length)).map(|_| ()));
        read.map_err(|it| unreadable(folder, name, it))?;
    }
    Ok(hasher.finalize().to_hex().to_string())
}

fn note(folder: &Path, notes: &Notes) -> Result<()> {
    let unwritable = |source| unreadable(folder, NOTES, source);
    let bytes = serde_json::to_vec(notes).map_err(|it| unwritable(it.into()))?;
    fs::write(folder.join(NOTES), bytes).map_err(unwritable)
}

fn unreadable(folder: &Path, file: &str, source: io::Error) -> ModelError {
    ModelError::File { model: name_of(folder), file: file.to_owned().into(), source }
}

fn name_of(folder: &Path) -> String {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    whole.file_name().unwrap_or(whole.as_os_str()).to_string_lossy().into_owned()
}

/// Why a child was stopped that read these files; nothing where it came to an end.
fn in_child(folder: &Path, seen: &[Seen]) -> Result<Option<String>> {
    let open = |it: &Seen| {
        files::open(&folder.join(&it.name)).map_err(|error| unreadable(folder, &it.name, error))
    };
    let mut files: Vec<File> = seen.iter().map(open).collect::<Result<_>>()?;
    let wanted = serde_json::to_vec(seen).map_err(|it| unreadable(folder, NOTES, it.into()))?;
    let weights = seen.iter().filter(|it| it.name.ends_with(".safetensors")).map(|it| it.length);
    let more_memory = weights.sum::<u64>().saturating_mul(MEMORY_FOR_WEIGHTS);
    let answer = sandbox::ask_on_files(HANDLER.name, &wanted, &mut files, more_memory);
    match answer.and_then(std::result::Result::err) {
        // Of the model this says nothing.
        Some(stopped @ (Stopped::NotStarted(_) | Stopped::NotConfined)) => {
            Err(ModelError::Stopped { model: name_of(folder), reason: stopped.to_string() })
        }
        stopped => Ok(stopped.map(|it| it.to_string())),
    }
}

/// The child's part. What it answers is of no interest: that it answers is.
fn run(wanted: &[u8], parts: Parts) -> Answer {
    let files: Vec<Seen> = serde_json::from_slice(wanted)?;
    let named = files.into_iter().enumerate().map(|(index, it)| {
        let file = parts.file(index, it.length);
        (it.name, it.length, file)
    });
    let works = ModelFiles::from_open_files(named).and_then(try_out).is_ok();
    serde_json::to_vec(&works)
}

fn try_out(files: ModelFiles) -> Result<()> {
    // Threads are system calls that a child may not make.
    let options = Options { threads: 1, device: Device::Cpu, max_windows: 2, ..Options::default() };
    let long = TEXTS.concat().repeat(REPEATED);
    let run_together: String = long.split_whitespace().collect();
    let texts = [TEXTS[0], long.as_str(), run_together.as_str()];
    match load(files, &options)? {
        Model::Embedder(model) => model.embed(&texts).map(drop),
        Model::Stance(model) => {
            let pairs = texts.map(|text| Pair { passage: text, claim: text });
            model.judge(&pairs).map(drop)
        }
    }
}
