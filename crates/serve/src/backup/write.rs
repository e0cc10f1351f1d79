//! Writing a backup.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use graph::{Access, Graph, Reader};
use serde::Serialize;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::{ARCHIVE, DATABASE, Entry, FOLDERS, FORMAT, MANIFEST, Manifest, hexadecimal, unusable};
use crate::failure::{Failure, Kind};
use crate::interrupt;
use crate::session::{Session, ask};
use crate::words::say;

/// How often a file of the archive may have been removed by another process before this gives up.
const ATTEMPTS: u32 = 3;

/// What was written.
#[derive(Debug, Serialize)]
pub(crate) struct Written {
    pub(crate) written_to: PathBuf,
    pub(crate) bytes: u64,
    pub(crate) manifest: Manifest,
    /// What was left out: links, and what is no file.
    pub(crate) left_out: Vec<String>,
}

/// Writes a backup to a file (`.tar.gz`, `.tgz`) or a folder, neither of which may be there.
pub(crate) fn write(session: &Session, target: &Path) -> Result<Written, Failure> {
    let target = std::path::absolute(target).map_err(|it| unusable(target, it))?;
    if fs::symlink_metadata(&target).is_ok() {
        let message = format!("{} exists already", target.display());
        return Err(Failure::bad_input(message).hint(|w| &w.hint.other_name));
    }
    let form = Form::of(&target)?;
    if !session.places.database().exists() {
        let message = format!("there is no database in {}", session.places.data_dir.display());
        return Err(Failure::new(Kind::NotFound, message).hint(|w| &w.hint.name_data_dir));
    }
    let beside = target.parent().unwrap_or(Path::new("."));
    // Beside the target: there is room for the copy, or there is none for the backup either.
    let ready = tempfile::Builder::new()
        .prefix(".lyra-backup-")
        .tempdir_in(beside)
        .map_err(|it| unusable(beside, it))?;
    let part = ready.path().join("backup");
    let mut attempt = 1;
    let (manifest, left_out) = loop {
        match attempt_at(session, &ready, &part, form) {
            Err(Attempt::Moved) if attempt < ATTEMPTS => attempt += 1,
            Err(Attempt::Moved) => {
                let message = "the archive changed again and again while it was copied";
                return Err(Failure::new(Kind::InUse, message).hint(|w| &w.hint.busy));
            }
            Err(Attempt::Failed(failure)) => return Err(*failure),
            Ok(done) => break done,
        }
    };
    fs::rename(&part, &target).map_err(|it| unusable(&target, it))?;
    sync_folder(beside)?;
    let bytes = match form {
        Form::Packed => fs::metadata(&target).map_or(0, |it| it.len()),
        Form::Folder => manifest.bytes(),
    };
    Ok(Written { written_to: target, bytes, manifest, left_out })
}

/// How a backup is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Packed,
    Folder,
}

impl Form {
    fn of(target: &Path) -> Result<Self, Failure> {
        let name = target.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if name.ends_with(".tar.gz") || name.ends_with(".tgz") {
            return Ok(Self::Packed);
        }
        let other = ["zip", "tar", "gz", "bz2", "xz", "zst", "7z", "rar", "db"];
        match name.rsplit_once('.') {
            Some((_, ending)) if other.contains(&ending) => {
                let message = format!("a backup is a .tar.gz file or a folder, not .{ending}");
                Err(Failure::bad_input(message).hint(|w| &w.hint.backup_ending))
            }
            _ => Ok(Self::Folder),
        }
    }
}

/// Why one attempt came to nothing.
enum Attempt {
    /// Another process removed a file of the archive that the copy of the database still names.
    Moved,
    Failed(Box<Failure>),
}

impl<T: Into<Failure>> From<T> for Attempt {
    fn from(failure: T) -> Self {
        Self::Failed(Box::new(failure.into()))
    }
}

fn attempt_at(
    session: &Session,
    ready: &TempDir,
    part: &Path,
    form: Form,
) -> Result<(Manifest, Vec<String>), Attempt> {
    let words = &session.ui.words().backup;
    let copy = ready.path().join(DATABASE);
    for path in [&copy, part] {
        let gone = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        gone.or_else(|it| (it.kind() == io::ErrorKind::NotFound).then_some(()).ok_or(it))
            .map_err(|it| unusable(path, it))?;
    }
    session.ui.note(words.copying_database.as_str());
    session.reader()?.snapshot(&copy)?;
    let (archived, tasks) = {
        let graph = Graph::open(&copy, Access::Read, session.options())?;
        ask(&graph, |r: &Reader<'_>| Ok((r.archive_files()?, r.tasks()?.len() as u64)))?
    };
    let mut sink = Sink::open(part, form).map_err(|it| unusable(part, it))?;
    let mut files = Vec::new();
    let mut left_out = Vec::new();
    files.push(sink.add(DATABASE, &copy, None).map_err(|it| unusable(&copy, it))?);
    for (number, it) in (1..).zip(&archived) {
        interrupt::check()?;
        let (name, total) = (&it.file, archived.len());
        session.ui.note(&say!(words.copying, name = name, number = number, total = total));
        let path = archive::place(&session.places.archive(), &it.file)?;
        match sink.add(&format!("{ARCHIVE}/{}", it.file), &path, Some(it.end)) {
            Ok(entry) => files.push(entry),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Attempt::Moved),
            Err(error) => return Err(unusable(&path, error).into()),
        }
    }
    for folder in FOLDERS {
        let mut found = Vec::new();
        collect(&session.places.data_dir.join(folder), folder, &mut found, &mut left_out)?;
        for (name, path) in found {
            interrupt::check()?;
            match sink.add(&name, &path, None) {
                Ok(entry) => files.push(entry),
                // A trace or a question that is over.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(unusable(&path, error).into()),
            }
        }
    }
    let manifest = Manifest {
        lyra_backup: FORMAT,
        schema: graph::SCHEMA_VERSION,
        lyra: env!("CARGO_PKG_VERSION").to_owned(),
        created_at: session.now(),
        tasks,
        files,
    };
    sink.finish(&manifest).map_err(|it| unusable(part, it))?;
    Ok((manifest, left_out))
}

/// The files below a folder, in order; links are left out, for they lead elsewhere.
fn collect(
    folder: &Path,
    name: &str,
    found: &mut Vec<(String, PathBuf)>,
    left_out: &mut Vec<String>,
) -> Result<(), Failure> {
    let mut entries = match fs::read_dir(folder) {
        Ok(entries) => {
            entries.collect::<io::Result<Vec<_>>>().map_err(|it| unusable(folder, it))?
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(()),
        Err(error) => return Err(unusable(folder, error)),
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let kind = entry.file_type().map_err(|it| unusable(&entry.path(), it))?;
        let own = entry.file_name();
        let path = format!("{name}/{}", own.to_string_lossy());
        match own.to_str().filter(|it| !it.contains('\\')) {
            Some(_) if kind.is_dir() => collect(&entry.path(), &path, found, left_out)?,
            Some(_) if kind.is_file() => found.push((path, entry.path())),
            _ => left_out.push(path),
        }
    }
    Ok(())
}

/// Where the files go.
enum Sink {
    Packed(Box<tar::Builder<GzEncoder<BufWriter<File>>>>),
    Folder(PathBuf),
}

impl Sink {
    fn open(part: &Path, form: Form) -> io::Result<Self> {
        match form {
            Form::Folder => {
                private_folder(part)?;
                Ok(Self::Folder(part.to_owned()))
            }
            Form::Packed => {
                let out = BufWriter::with_capacity(256 * 1024, private_file(part)?);
                let packed = GzEncoder::new(out, Compression::new(1));
                Ok(Self::Packed(Box::new(tar::Builder::new(packed))))
            }
        }
    }

    /// Adds a file, or the beginning of one.
    fn add(&mut self, name: &str, path: &Path, most: Option<u64>) -> io::Result<Entry> {
        let file = files::open(path)?;
        let length = file.metadata()?.len();
        // A file that grows meanwhile is taken as it was; one that is shorter than its rows say is taken as it is.
        let length = most.map_or(length, |most| length.min(most));
        self.put(name, length, file.take(length))
    }

    fn put(&mut self, name: &str, length: u64, from: impl Read) -> io::Result<Entry> {
        let mut hashed = Hashed { from, hash: Sha256::new(), bytes: 0 };
        match self {
            Self::Packed(tar) => {
                let mut header = tar::Header::new_gnu();
                header.set_size(length);
                header.set_mode(0o600);
                tar.append_data(&mut header, name, &mut hashed)?;
            }
            Self::Folder(folder) => {
                let path = folder.join(name);
                private_folder(path.parent().unwrap_or(folder))?;
                let mut out = private_file(&path)?;
                io::copy(&mut hashed, &mut out)?;
                out.sync_all()?;
            }
        }
        if hashed.bytes != length {
            return Err(io::Error::other(format!("{name} became shorter while it was read")));
        }
        let sha256 = hexadecimal(&hashed.hash.finalize());
        Ok(Entry { path: name.to_owned(), bytes: length, sha256 })
    }

    fn finish(mut self, manifest: &Manifest) -> io::Result<()> {
        let text = serde_json::to_vec_pretty(manifest)?;
        self.put(MANIFEST, text.len() as u64, &*text)?;
        match self {
            Self::Packed(tar) => {
                let out = tar.into_inner()?.finish()?;
                out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
            }
            Self::Folder(_) => Ok(()),
        }
    }
}

/// Reads and remembers the digest of what it read.
struct Hashed<R> {
    from: R,
    hash: Sha256,
    bytes: u64,
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(buffer)?;
        self.hash.update(&buffer[..read]);
        self.bytes += read as u64;
        Ok(read)
    }
}

pub(super) fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// A new file that nobody else may read: a question can be as private as its answer.
pub(super) fn private_file(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(unix)]
pub(super) fn sync_folder(folder: &Path) -> Result<(), Failure> {
    File::open(folder).and_then(|it| it.sync_all()).map_err(|it| unusable(folder, it))
}

#[cfg(not(unix))]
pub(super) fn sync_folder(_folder: &Path) -> Result<(), Failure> {
    Ok(())
}

/// Copies and remembers the digest.
pub(super) fn digest_of(from: impl Read, mut to: impl Write) -> io::Result<(u64, String)> {
    let mut hashed = Hashed { from, hash: Sha256::new(), bytes: 0 };
    io::copy(&mut hashed, &mut to)?;
    Ok((hashed.bytes, hexadecimal(&hashed.hash.finalize())))
}
