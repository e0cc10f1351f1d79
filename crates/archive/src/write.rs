//! Writing WARC 1.1: an exchange becomes a request record and a response record at the end of a file.
//!
//! Files only grow. A writer that is killed leaves at most one record cut off at the end of its file, and the
//! next one begins a new file, so no byte that was written is touched again. What is to leave is left out of a new file (`rewrite`).

mod conversion;
mod exchange;
mod member;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

pub use self::conversion::Conversion;
pub use self::exchange::{Appended, Exchange, Response, Stored};
use self::exchange::{Draft, End};
use self::member::{header_of, pack, uuid};
use crate::record::BLOCK_DIGEST;
use crate::{Error, digest};

/// How the files are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// A new file is begun once one has this many bytes.
    pub file_bytes: u64,
    /// The program, as the first record of each file names it.
    pub software: String,
}

impl Default for Options {
    fn default() -> Self {
        Self { file_bytes: 256 * 1024 * 1024, software: "lyra".to_owned() }
    }
}

/// Adds exchanges to the files of a folder.
#[derive(Debug)]
pub struct Writer {
    dir: PathBuf,
    options: Options,
    current: Option<Current>,
    /// Files that do not grow any more and may not be on the disk yet.
    closed: Vec<Current>,
    /// The number of the next file.
    next: u32,
}

/// The file that grows.
#[derive(Debug)]
struct Current {
    file: File,
    name: String,
    length: u64,
    warcinfo: String,
    bytes_on_disk: bool,
    name_on_disk: bool,
}

/// Five digits: names sort as the files were begun.
const LAST_NUMBER: u32 = 99_999;

impl Writer {
    /// Prepares to write into a folder, which is made if it is missing. A file is begun with the first exchange.
    pub fn open(dir: &Path, options: Options) -> Result<Self, Error> {
        if options.software.contains(['\r', '\n']) {
            return Err(Error::Unfit { field: "name of the program", problem: "it has lines" });
        }
        files::make_private_folder(dir)
            .map_err(|source| Error::File { path: dir.to_owned(), source })?;
        Ok(Self { dir: dir.to_owned(), options, current: None, closed: Vec::new(), next: 1 })
    }

    /// Adds the records of an exchange; they survive a power cut after [`Writer::sync`].
    ///
    /// On an error nothing of the exchange stays: what was half written is cut off, and the next exchange begins
    /// a new file.
    pub fn append(&mut self, exchange: &Exchange<'_>) -> Result<Appended, Error> {
        let draft = Draft::of(exchange)?;
        self.add(draft.date, |end| draft.render(end))
    }

    /// Adds what was made of another record, under the same promises.
    pub fn append_conversion(&mut self, conversion: &Conversion<'_>) -> Result<Stored, Error> {
        conversion.check()?;
        self.add(conversion.date(), |end| conversion.render(end))
    }

    fn add<T>(
        &mut self,
        date: Timestamp,
        render: impl FnOnce(End<'_>) -> (Vec<u8>, T),
    ) -> Result<T, Error> {
        let full = self.current.take_if(|it| it.length >= self.options.file_bytes);
        self.closed.extend(full);
        let mut current = match self.current.take() {
            Some(current) => current,
            None => self.begin_file(date)?,
        };
        let end = End { file: &current.name, length: current.length, warcinfo: &current.warcinfo };
        let (bytes, appended) = render(end);
        if let Err(source) = current.file.write_all(&bytes) {
            let path = self.dir.join(&current.name);
            // Where even this fails a reader finds a torn record, which no row names.
            let _ = current.file.set_len(current.length);
            self.closed.push(current);
            return Err(Error::File { path, source });
        }
        current.length += bytes.len() as u64;
        current.bytes_on_disk = false;
        self.current = Some(current);
        Ok(appended)
    }

    /// Returns once everything appended is on the disk; rows that point at it may be written then.
    ///
    /// After an error nothing that was appended since the last call may be relied on. The files that failed are
    /// given up, because a system that could not write bytes once may forget to say so the second time.
    pub fn sync(&mut self) -> Result<(), Error> {
        let mut result = Ok(());
        for mut closed in self.closed.drain(..) {
            result = result.and(closed.sync(&self.dir));
        }
        if let Some(current) = &mut self.current
            && let Err(error) = current.sync(&self.dir)
        {
            self.current = None;
            result = result.and(Err(error));
        }
        result
    }

    /// Begins a file with the record that says who wrote it.
    fn begin_file(&mut self, date: Timestamp) -> Result<Current, Error> {
        let (mut file, name) = create_file(&self.dir, date, &mut self.next)?;
        let path = self.dir.join(&name);
        let date = date.to_string();
        let warcinfo = uuid(&[name.as_bytes(), b"warcinfo", date.as_bytes()]);
        let block = format!(
            "software: {}\r\nformat: WARC File Format 1.1\r\n\
             conformsTo: https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n",
            self.options.software
        );
        let header = header_of(&[
            ("WARC-Type", "warcinfo".to_owned()),
            ("WARC-Record-ID", format!("<{warcinfo}>")),
            ("WARC-Date", date),
            ("WARC-Filename", name.clone()),
            (BLOCK_DIGEST, digest::sha256(&[block.as_bytes()])),
            ("Content-Type", "application/warc-fields".to_owned()),
            ("Content-Length", block.len().to_string()),
        ]);
        let bytes = pack(&[header.as_bytes(), block.as_bytes(), b"\r\n\r\n"]);
        if let Err(source) = file.write_all(&bytes) {
            // Nothing points at it yet.
            let _ = fs::remove_file(&path);
            return Err(Error::File { path, source });
        }
        let length = bytes.len() as u64;
        Ok(Current { file, name, length, warcinfo, bytes_on_disk: false, name_on_disk: false })
    }
}

/// Makes a file that was not there: never another writer's, never one that was cut off. `next` is the number to try
/// first, and then the one after that of the file.
pub(crate) fn create_file(
    dir: &Path,
    date: Timestamp,
    next: &mut u32,
) -> Result<(File, String), Error> {
    let digits = date.to_string().replace(|it: char| !it.is_ascii_digit(), "");
    loop {
        let name = format!("lyra-{}-{:05}.warc.gz", &digits[..14], *next);
        let mut options = OpenOptions::new();
        options.append(true).create_new(true);
        // Requests hold cookies.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let path = dir.join(&name);
        let opened = options.open(&path);
        let taken = opened.as_ref().is_err_and(|it| it.kind() == io::ErrorKind::AlreadyExists);
        if taken && *next < LAST_NUMBER {
            *next += 1;
            continue;
        }
        let file = opened.map_err(|source| Error::File { path, source })?;
        *next = *next % LAST_NUMBER + 1;
        return Ok((file, name));
    }
}

impl Current {
    fn sync(&mut self, dir: &Path) -> Result<(), Error> {
        let access = |source| Error::File { path: dir.join(&self.name), source };
        if !self.bytes_on_disk {
            self.file.sync_data().map_err(access)?;
            self.bytes_on_disk = true;
        }
        if !self.name_on_disk {
            sync_folder(dir).map_err(access)?;
            self.name_on_disk = true;
        }
        Ok(())
    }
}

#[cfg(unix)]
pub(crate) fn sync_folder(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}

/// Other systems cannot sync a folder, and write names through by themselves.
#[cfg(not(unix))]
pub(crate) fn sync_folder(_dir: &Path) -> io::Result<()> {
    Ok(())
}
