//! Reading a backup: every file is held against the manifest.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::write::{digest_of, private_file, private_folder};
use super::{
    Entry, FORMAT, MANIFEST, MAX_MANIFEST_BYTES, Manifest, damaged, is_expected, unusable,
};
use crate::failure::{Failure, Kind};
use crate::interrupt;

/// Reads all of a backup and checks it; with a folder, its files are written there.
pub(super) fn read(source: &Path, into: Option<&Path>) -> Result<Manifest, Failure> {
    let about = fs::metadata(source).map_err(|error| {
        Failure::bad_input(format!("cannot open {}: {error}", source.display()))
            .hint(|w| &w.hint.another_backup)
    })?;
    let mut found = Found { into, files: BTreeMap::new(), manifest: None };
    match about.is_dir() {
        true => found.walk(source, "")?,
        false => found.unpack(source)?,
    }
    found.checked()
}

struct Found<'a> {
    into: Option<&'a Path>,
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
        let mut tar = tar::Archive::new(MultiGzDecoder::new(BufReader::new(file)));
        let entries = tar.entries().map_err(|it| damaged(it.to_string()))?;
        for entry in entries {
            let entry = entry.map_err(|it| damaged(it.to_string()))?;
            if !entry.header().entry_type().is_file() {
                return Err(damaged("it has something that is no file"));
            }
            let path = entry.path().map_err(|it| damaged(it.to_string()))?;
            let path = path.to_str().ok_or_else(|| damaged("it has a name that is not UTF-8"))?;
            let path = path.to_owned();
            self.take(&path, entry)?;
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
        if !is_expected(path) {
            return Err(damaged(format!("`{}` does not belong in one", crate::ui::clean(path))));
        }
        let copied = match self.into {
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
        let value: serde_json::Value =
            serde_json::from_slice(&text).map_err(|it| damaged(format!("{MANIFEST}: {it}")))?;
        let number = |name: &str| value[name].as_i64();
        let (format, schema) = (number("lyra_backup"), number("schema"));
        let (Some(format), Some(schema)) = (format, schema) else {
            return Err(damaged(format!("{MANIFEST} does not say what it is")));
        };
        if format > i64::from(FORMAT) || schema > graph::SCHEMA_VERSION {
            let message = format!(
                "the backup was written by a newer Lyra (format {format}, schema {schema})"
            );
            return Err(Failure::new(Kind::BadInput, message).hint(|w| &w.hint.import_newer));
        }
        let manifest =
            serde_json::from_value(value).map_err(|it| damaged(format!("{MANIFEST}: {it}")))?;
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
