//! The folder in which traces and statistics are kept, written so that a reader never sees half a file.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{LibraryError, Result};

/// Writes a value beside its place and moves it there.
pub(crate) fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<()> {
    let failed =
        |doing| move |source| LibraryError::Io { doing, path: path.display().to_string(), source };
    let folder = path.parent().unwrap_or(Path::new("."));
    files::make_private_folder(folder).map_err(failed("make the folder of"))?;
    let beside = beside(path);
    let text = serde_json::to_vec(value).map_err(std::io::Error::from).map_err(failed("write"))?;
    let mut file = create(&beside).map_err(failed("write"))?;
    file.write_all(&text).and_then(|()| file.sync_all()).map_err(failed("write"))?;
    drop(file);
    fs::rename(&beside, path).map_err(failed("write"))
}

/// A file for its owner alone: a request can be private.
fn create(path: &Path) -> std::io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Another process may write the same file at the same time: each has its own name for the unfinished one.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

/// More than any trace needs.
const MAX_BYTES: u64 = 64 << 20;

/// Reads a value; `None` where there is no such file or it is none of ours.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_slice(&files::read(path, MAX_BYTES).ok()?).ok()
}
