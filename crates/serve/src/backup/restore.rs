//! Bringing a backup back.
//!
//! Everything is made ready in a folder of its own and checked there. Then a note says what is to be exchanged, and names are
//! changed one after the other: what is there goes into a folder that keeps it, what is ready takes its place. Whoever finds the
//! note, because this was cut short, goes on where it ended; before the note nothing has changed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use graph::{Access, CheckupOptions, Graph, Held, Stop};
use serde::{Deserialize, Serialize};

use super::source::Keep;
use super::write::{private_folder, sync_folder};
use super::{
    ARCHIVE, BEFORE, DATABASE, Entry, FOLDERS, Manifest, READYING, damaged, source, unusable,
};
use crate::config::Places;
use crate::failure::{Failure, Kind};
use crate::session::Session;

/// The note about an exchange that has begun.
const NOTE: &str = "restore.json";

/// What a restore would take the place of.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Replaced {
    /// Names in the data folder.
    pub(crate) names: Vec<String>,
    pub(crate) bytes: u64,
    /// Unknown where the database there cannot be read.
    pub(crate) tasks: Option<u64>,
}

/// What a restore did.
#[derive(Debug, Serialize)]
pub(crate) struct Restored {
    pub(crate) manifest: Manifest,
    pub(crate) replaced: Replaced,
    /// Where the data from before is kept.
    pub(crate) kept_in: Option<PathBuf>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Note {
    ready: String,
    before: String,
    names: Vec<String>,
}

/// Checks a backup and says what restoring it would replace; changes nothing.
pub(crate) fn look(session: &Session, source: &Path) -> Result<(Manifest, Replaced), Failure> {
    let folder = tempfile::tempdir().map_err(|it| unusable(&std::env::temp_dir(), it))?;
    let manifest = source::read(source, Keep::Database(folder.path()))?;
    sound(session, folder.path())?;
    let replaced = replaced_by(session, &manifest, tasks_now(session));
    Ok((manifest, replaced))
}

/// Puts a backup in the place of the data.
pub(crate) fn restore(session: &Session, source: &Path) -> Result<Restored, Failure> {
    let places = &session.places;
    let tasks = tasks_now(session);
    let held = hold(session)?;
    super::clear(places, &super::left_behind(places)?)?;
    let stamp = session.now().strftime("%Y%m%dT%H%M%S").to_string();
    let ready = format!("{}{stamp}{}", READYING.0, READYING.1);
    let folder = places.data_dir.join(&ready);
    private_folder(&folder).map_err(|it| unusable(&folder, it))?;
    let readied = source::read(source, Keep::All(&folder))
        .and_then(|it| sound(session, &folder).map(|()| it));
    let manifest = match readied {
        Ok(manifest) => manifest,
        Err(failure) => {
            // Nothing was exchanged; `gc` removes what cannot be removed now.
            fs::remove_dir_all(&folder).ok();
            return Err(failure);
        }
    };
    let replaced = replaced_by(session, &manifest, tasks);
    let mut before = format!("{BEFORE}{stamp}");
    let mut number = 2;
    while places.data_dir.join(&before).exists() {
        before = format!("{BEFORE}{stamp}-{number}");
        number += 1;
    }
    let note = Note { ready, before: before.clone(), names: names_of(&manifest) };
    sync_all_folders(&folder)?;
    note.write(&places.data_dir)?;
    note.exchange(&places.data_dir)?;
    drop(held);
    let kept = places.data_dir.join(before);
    Ok(Restored { manifest, replaced, kept_in: Some(kept).filter(|it| it.exists()) })
}

/// Ends a restore that was cut short in the middle of the exchange.
pub(crate) fn go_on(places: &Places, patience: Duration) -> Result<(), Failure> {
    let path = places.data_dir.join(NOTE);
    if !path.exists() {
        return Ok(());
    }
    let _held: Held = graph::hold(&places.database(), patience)?;
    let text = match fs::read(&path) {
        Ok(text) => text,
        // Who held the database has ended it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(unusable(&path, error)),
    };
    let note: Note = serde_json::from_slice(&text).map_err(|error| {
        Failure::new(Kind::Data, format!("cannot read {}: {error}", path.display()))
    })?;
    let plain = |name: &str| !name.is_empty() && !name.contains(['/', '\\']) && name != "..";
    let known =
        |name: &String| name == DATABASE || name == ARCHIVE || FOLDERS.contains(&name.as_str());
    if !plain(&note.ready) || !plain(&note.before) || !note.names.iter().all(known) {
        return Err(Failure::new(Kind::Data, format!("{} is not a note of Lyra", path.display())));
    }
    tracing::warn!("a restore that was cut short is ended");
    note.exchange(&places.data_dir)
}

fn hold(session: &Session) -> Result<Held, Failure> {
    let patience = Duration::from_millis(session.settings.storage.lock_wait_ms);
    Ok(graph::hold(&session.places.database(), patience)?)
}

/// What is exchanged: a folder that the backup does not have stays as it is, but the archive goes with its database.
fn names_of(manifest: &Manifest) -> Vec<String> {
    let has = |name: &str| {
        manifest.files.iter().any(|Entry { path, .. }| path.split('/').next() == Some(name))
    };
    let folders = FOLDERS.into_iter().filter(|it| has(it));
    [DATABASE, ARCHIVE].into_iter().chain(folders).map(str::to_owned).collect()
}

/// The tasks of the database that is there, if it can be read. It is closed again: its file may be moved.
fn tasks_now(session: &Session) -> Option<u64> {
    let path = session.places.database();
    let graph = path.exists().then(|| Graph::open(&path, Access::Read, session.options()))?.ok()?;
    graph.read(|r| r.tasks()).ok().map(|it| it.len() as u64)
}

fn replaced_by(session: &Session, manifest: &Manifest, tasks: Option<u64>) -> Replaced {
    let data = &session.places.data_dir;
    let mut replaced = Replaced::default();
    for name in names_of(manifest) {
        let path = data.join(&name);
        if path.exists() {
            replaced.bytes += bytes_in(&path);
            replaced.names.push(name);
        }
    }
    Replaced { tasks, ..replaced }
}

fn bytes_in(path: &Path) -> u64 {
    match fs::symlink_metadata(path) {
        Ok(about) if about.is_dir() => {
            let entries = fs::read_dir(path).into_iter().flatten().flatten();
            entries.map(|it| bytes_in(&it.path())).sum()
        }
        Ok(about) => about.len(),
        Err(_) => 0,
    }
}

/// Whether the database in a folder is one that can be worked with, and names only files of its own archive: what it names is
/// rewritten and removed one day.
fn sound(session: &Session, folder: &Path) -> Result<(), Failure> {
    let path = folder.join(DATABASE);
    let checked = graph::check_up(&path, &CheckupOptions::default(), &Stop::default(), |_| {})?;
    let named = Graph::open(&path, Access::Read, session.options())
        .and_then(|it| it.read(|r| Ok((r.archive_files()?, r.unfinished()?))));
    // A database of an older schema is brought up to date when it is next opened; names are looked at then as well.
    if let Ok((files, unfinished)) = named {
        let files = files.into_iter().map(|it| it.file);
        for file in files.chain(unfinished.rewrite).chain(unfinished.remove) {
            archive::place(folder, &file).map_err(|it| damaged(it.to_string()))?;
        }
    }
    for suffix in ["-wal", "-shm"] {
        fs::remove_file(folder.join(format!("{DATABASE}{suffix}"))).ok();
    }
    match checked {
        Some(it) if it.is_sound() => Ok(()),
        Some(_) => Err(damaged("its database is damaged")),
        None => Err(damaged("its database is empty")),
    }
}

/// The names of new files are on the disk before anything refers to them.
fn sync_all_folders(folder: &Path) -> Result<(), Failure> {
    for entry in fs::read_dir(folder).map_err(|it| unusable(folder, it))?.flatten() {
        if entry.path().is_dir() {
            sync_all_folders(&entry.path())?;
        }
    }
    sync_folder(folder)
}

impl Note {
    fn write(&self, data: &Path) -> Result<(), Failure> {
        let path = data.join(NOTE);
        let written = || -> io::Result<()> {
            let mut file = tempfile::NamedTempFile::new_in(data)?;
            file.write_all(&serde_json::to_vec(self)?)?;
            file.as_file().sync_all()?;
            let _: File = file.persist(&path).map_err(|it| it.error)?;
            Ok(())
        };
        written().map_err(|it| unusable(&path, it))?;
        sync_folder(data)
    }

    /// Each step can be taken again: a name that is not in the folder that was made ready is in its place already.
    fn exchange(&self, data: &Path) -> Result<(), Failure> {
        let (ready, before) = (data.join(&self.ready), data.join(&self.before));
        for name in &self.names {
            let new = ready.join(name);
            if name == ARCHIVE && !new.exists() && ready.join(DATABASE).exists() {
                // A backup without archived pages: those that are there belong to the database that goes.
                self.keep(data, &before, ARCHIVE)?;
            }
        }
        // The database comes last: as long as it is not exchanged, its archive is not complete either.
        let last = self.names.iter().filter(|it| *it == DATABASE);
        for name in self.names.iter().filter(|it| *it != DATABASE).chain(last) {
            let new = ready.join(name);
            if !new.exists() {
                continue;
            }
            self.keep(data, &before, name)?;
            if name == DATABASE {
                for suffix in ["-wal", "-shm"] {
                    self.keep(data, &before, &format!("{DATABASE}{suffix}"))?;
                }
            }
            let place = data.join(name);
            fs::rename(&new, &place).map_err(|it| unusable(&place, it))?;
            sync_folder(data)?;
        }
        let gone = fs::remove_dir_all(&ready);
        gone.or_else(|it| (it.kind() == io::ErrorKind::NotFound).then_some(()).ok_or(it))
            .map_err(|it| unusable(&ready, it))?;
        let note = data.join(NOTE);
        fs::remove_file(&note).map_err(|it| unusable(&note, it))?;
        sync_folder(data)
    }

    /// Moves what has this name into the folder that keeps it, unless that was done.
    fn keep(&self, data: &Path, before: &Path, name: &str) -> Result<(), Failure> {
        let (old, kept) = (data.join(name), before.join(name));
        if !old.exists() || kept.exists() {
            return Ok(());
        }
        private_folder(before).map_err(|it| unusable(before, it))?;
        fs::rename(&old, &kept).map_err(|it| unusable(&old, it))?;
        sync_folder(before)?;
        sync_folder(data)
    }
}
