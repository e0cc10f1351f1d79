//! A copy of the data folder in one file or folder, and the way back.
//!
//! What belongs together is taken at one moment: the database is copied first ([`graph::Graph::snapshot`]), then of each archive
//! file as much as the copy has rows for; files only grow, so others may go on writing. The last entry is a manifest with the
//! digest of every file: a copy without it was cut off.

mod restore;
mod source;
mod write;

use std::fs;
use std::io;
use std::path::{Component, Path};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::config::Places;
use crate::failure::{Failure, Kind};

pub(crate) use restore::{Replaced, Restored, go_on, look, restore};
pub(crate) use write::write;

/// The format of a backup, raised when an older Lyra would misunderstand it.
const FORMAT: u32 = 1;
const MANIFEST: &str = "manifest.json";
const DATABASE: &str = "lyra.db";
const ARCHIVE: &str = "archive";
/// Folders of the data folder that are copied beside the database and the archive. Logs and models are not: the first tell nothing that
/// is needed again, the second are brought back with `lyra models add`.
const FOLDERS: [&str; 4] = ["library", "manuals", "questions", "vault"];
/// What the name of a folder with the data from before a restore begins with.
pub(crate) const BEFORE: &str = "before-restore-";
/// Beginning and end of the name of a folder that a restore is made ready in.
const READYING: (&str, &str) = ("restoring-", ".part");
/// The most a manifest may have: a million files.
const MAX_MANIFEST_BYTES: u64 = 256 * 1024 * 1024;

/// What a backup says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) lyra_backup: u32,
    pub(crate) schema: i64,
    pub(crate) lyra: String,
    pub(crate) created_at: Timestamp,
    pub(crate) tasks: u64,
    pub(crate) files: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// Below the data folder, with `/` between names.
    pub(crate) path: String,
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
}

impl Manifest {
    pub(crate) fn bytes(&self) -> u64 {
        self.files.iter().map(|it| it.bytes).sum()
    }
}

/// Whether a path is one that a backup may have.
fn is_expected(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    let plain = Path::new(path).components().all(|it| matches!(it, Component::Normal(_)));
    let first = parts.next().map(|it| it.as_os_str().to_string_lossy().into_owned());
    let alone = parts.next().is_none();
    plain
        && !path.contains('\\')
        && first.is_some_and(|first| match alone {
            true => first == DATABASE,
            false => first == ARCHIVE || FOLDERS.contains(&&*first),
        })
}

/// Folders that a restore which was cut short left behind, by their names.
pub(crate) fn left_behind(places: &Places) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    let entries = match fs::read_dir(&places.data_dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
        Err(error) => return Err(unusable(&places.data_dir, error)),
    };
    for entry in entries {
        let name = entry.map_err(|it| unusable(&places.data_dir, it))?.file_name();
        let name = name.to_string_lossy().into_owned();
        if name.starts_with(READYING.0) && name.ends_with(READYING.1) {
            found.push(name);
        }
    }
    found.sort();
    Ok(found)
}

/// Removes such folders. Who calls keeps other writers out.
pub(crate) fn clear(places: &Places, names: &[String]) -> Result<(), Failure> {
    for name in names {
        let path = places.data_dir.join(name);
        fs::remove_dir_all(&path).map_err(|error| unusable(&path, error))?;
    }
    Ok(())
}

/// A file or folder that cannot be worked with.
fn unusable(path: &Path, source: io::Error) -> Failure {
    Failure::from(graph::Error::File { path: path.to_owned(), source })
}

/// What is wrong with a backup.
fn damaged(message: impl Into<String>) -> Failure {
    let message: String = message.into();
    Failure::new(Kind::BadInput, format!("this is no whole backup: {message}"))
        .hint(|w| &w.hint.another_backup)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_backup_has_may_be_in_one() {
        for path in ["lyra.db", "archive/lyra-20260115120000-00001.warc.gz", "vault/a/b.md"] {
            assert!(is_expected(path), "{path}");
        }
        for path in [
            "",
            "/etc/passwd",
            "../lyra.db",
            "vault/../../x",
            "lyra.db/x",
            "logs/a",
            "vault",
            "archive",
            "config.toml",
            "vault\\..\\x",
            "./lyra.db",
            "models/a/weights",
        ] {
            assert!(!is_expected(path), "{path}");
        }
    }
}
