//! Reading a backup: every file is held against the manifest.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::str;

use flate2::read::MultiGzDecoder;
use serde::Deserialize;

use super::write::{digest_of, private_file, private_folder};
use super::{
    DATABASE, Entry, FORMAT, MANIFEST, MAX_MANIFEST_BYTES, Manifest, damaged, is_expected, unusable,
};
use crate::failure::{Failure, Kind};
use crate::interrupt;

/// A packed backup becomes at most so many times as large, and [`ANY_SIZE`] in any case: texts and what is packed already come to
/// less than ten, a bomb to a thousand.
const MAX_GROWTH: u64 = 100;
const ANY_SIZE: u64 = 64 * 1024 * 1024;
/// The longest name of a file.
const MAX_NAME_BYTES: u64 = 4096;
/// The most files.
const MAX_FILES: usize = 1_000_000;

/// What is written of a backup that is read, and where.
#[derive(Clone, Copy)]
pub(super) enum Keep<'a> {
    All(&'a Path),
    Database(&'a Path),
}

/// Reads all of a backup and checks it.
pub(super) fn read(source: &Path, keep: Keep<'_>) -> Result<Manifest, Failure> {
    let about = fs::metadata(source).map_err(|error| {
        Failure::bad_input(format!("cannot open {}: {error}", source.display()))
            .hint(|w| &w.hint.another_backup)
    })?;
    let mut found = Found { keep, files: BTreeMap::new(), manifest: None };
    match about.is_dir() {
        true => found.walk(source, "")?,
        false => found.unpack(source)?,
    }
    found.checked()
}

/// What says whether the rest can be understood.
#[derive(Deserialize)]
struct Head {
    lyra_backup: Option<i64>,
    schema: Option<i64>,
}

/// The name of the next file, where it is too long for a header.
fn name_in(entry: impl Read) -> Result<Vec<u8>, Failure> {
    let mut name = Vec::new();
    // One byte ends the name, and one more would be too much.
    entry.take(MAX_NAME_BYTES + 2).read_to_end(&mut name).map_err(|it| damaged(it.to_string()))?;
    if name.last() == Some(&0) {
        name.pop();
    }
    match name.len() as u64 {
        0..=MAX_NAME_BYTES => Ok(name),
        _ => Err(damaged(format!("it has a name of more than {MAX_NAME_BYTES} bytes"))),
    }
}

/// Ends with an error where more comes than expected.
struct Bounded<R> {
    from: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(buffer)?;
        match self.left.checked_sub(read as u64) {
            Some(left) => self.left = left,
            None => {
                let message = "it unpacks to far more than a backup does";
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
        }
        Ok(read)
    }
}

struct Found<'a> {
    keep: Keep<'a>,
    files: BTreeMap<String, (u64, String)>,
    manifest: Option<Manifest>,
}

impl Found<'_> {
    fn walk(&mut self, folder: &Path, name: &str) -> Result<(), Failure> {
        let entries = fs::read_dir(folder).map_err(|it| unusable(folder, it))?;
        for entry in entries {
            let entry = entry.map_err(|it| unusable(folder, it))?;
            let own = entry.file_name().to_string_lossy().into_owned();
            let path = if name.is_empty() { own } else { format!("{name}/{own}") };
            let kind = entry.file_type().map_err(|it| unusable(&entry.path(), it))?;
            if kind.is_dir() {
                self.walk(&entry.path(), &path)?;
            } else if kind.is_file() {
                let file = files::open(&entry.path()).map_err(|it| unusable(&entry.path(), it))?;
                self.take(&path, file)?;
            } else {
                return Err(damaged(format!("{path} is no file")));
            }
        }
        Ok(())
    }

    fn unpack(&mut self, source: &Path) -> Result<(), Failure> {
        let file = files::open(source).map_err(|it| unusable(source, it))?;
        let packed = file.metadata().map_err(|it| unusable(source, it))?.len();
        let most = packed.saturating_mul(MAX_GROWTH).max(ANY_SIZE);
        let unpacked = Bounded { from: MultiGzDecoder::new(BufReader::new(file)), left: most };
        let mut tar = tar::Archive::new(unpacked);
        // Raw: names and other additions of any length are not read into memory.
        let entries = tar.entries().map_err(|it| damaged(it.to_string()))?.raw(true);
        let mut long_name = None;
        for entry in entries {
            let entry = entry.map_err(|it| damaged(it.to_string()))?;
            let kind = entry.header().entry_type();
            if kind.is_gnu_longname() && long_name.is_none() {
                long_name = Some(name_in(entry)?);
                continue;
            }
            if !kind.is_file() {
                return Err(damaged("it has something that is no file"));
            }
            let own = entry.path_bytes().into_owned();
            let path = long_name.take().unwrap_or(own);
            let path =
                str::from_utf8(&path).map_err(|_| damaged("it has a name that is not UTF-8"))?;
            self.take(path, entry)?;
        }
        // What is packed ends with a sum over all of it.
        io::copy(&mut tar.into_inner(), &mut io::sink()).map_err(|it| damaged(it.to_string()))?;
        Ok(())
    }

    fn take(&mut self, path: &str, mut from: impl Read) -> Result<(), Failure> {
        interrupt::check()?;
        if path == MANIFEST {
            return self.take_manifest(from);
        }
        if self.files.len() == MAX_FILES {
            return Err(damaged(format!("it has more than {MAX_FILES} files")));
        }
        if !is_expected(path) {
            return Err(damaged(format!("`{}` does not belong in one", crate::ui::clean(path))));
        }
        let folder = match self.keep {
            Keep::All(folder) => Some(folder),
            Keep::Database(folder) => (path == DATABASE).then_some(folder),
        };
        let copied = match folder {
            None => digest_of(&mut from, io::sink()),
            Some(folder) => {
                let target = folder.join(path);
                let made = private_folder(target.parent().unwrap_or(folder))
                    .and_then(|()| private_file(&target));
                let mut out = made.map_err(|it| unusable(&target, it))?;
                digest_of(&mut from, &mut out).and_then(|copied| {
                    out.flush()?;
                    out.sync_all()?;
                    Ok(copied)
                })
            }
        };
        let copied = copied.map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof
            | io::ErrorKind::InvalidData
            | io::ErrorKind::InvalidInput => damaged(format!("{path}: {error}")),
            _ => unusable(Path::new(path), error),
        })?;
        match self.files.insert(path.to_owned(), copied) {
            None => Ok(()),
            Some(_) => Err(damaged(format!("{path} is in it twice"))),
        }
    }

    fn take_manifest(&mut self, from: impl Read) -> Result<(), Failure> {
        let mut text = Vec::new();
        from.take(MAX_MANIFEST_BYTES)
            .read_to_end(&mut text)
            .map_err(|it| damaged(format!("{MANIFEST}: {it}")))?;
        let unreadable = |it: serde_json::Error| damaged(format!("{MANIFEST}: {it}"));
        let head: Head = serde_json::from_slice(&text).map_err(unreadable)?;
        let (Some(format), Some(schema)) = (head.lyra_backup, head.schema) else {
            return Err(damaged(format!("{MANIFEST} does not say what it is")));
        };
        if format > i64::from(FORMAT) || schema > graph::SCHEMA_VERSION {
            let message = format!(
                "the backup was written by a newer Lyra (format {format}, schema {schema})"
            );
            return Err(Failure::new(Kind::BadInput, message).hint(|w| &w.hint.import_newer));
        }
        let manifest = serde_json::from_slice(&text).map_err(unreadable)?;
        self.manifest = Some(manifest);
        Ok(())
    }

    fn checked(mut self) -> Result<Manifest, Failure> {
        let manifest =
            self.manifest.take().ok_or_else(|| damaged("its end is missing (no manifest)"))?;
        for Entry { path, bytes, sha256 } in &manifest.files {
            match self.files.remove(path) {
                None => return Err(damaged(format!("{path} is missing"))),
                Some((found, _)) if found != *bytes => {
                    return Err(damaged(format!("{path} has {found} bytes instead of {bytes}")));
                }
                Some((_, found)) if found != *sha256 => {
                    return Err(damaged(format!("{path} is not as it was written")));
                }
                Some(_) => {}
            }
        }
        if let Some(path) = self.files.keys().next() {
            return Err(damaged(format!("{path} is not in its manifest")));
        }
        if !manifest.files.iter().any(|it| it.path == super::DATABASE) {
            return Err(damaged("it has no database"));
        }
        Ok(manifest)
    }
}
