//! What the first bytes of a file say, read before SQLite touches it.
//!
//! Opening a file with SQLite can already leave traces beside it, so a file that is not ours is
//! recognised here and left exactly as it was. What this page cannot tell (a file whose content is
//! still in its journal) is left to `migrate::inspect`.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::migrate::APPLICATION_ID;
use crate::{Error, Result};

const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Length of the header; offsets are those of SQLite's file format.
const HEADER_BYTES: u64 = 100;
const PAGE_SIZE_AT: usize = 16;
const APPLICATION_ID_AT: usize = 68;

/// Whether there is a file that may be opened. Errors say why one may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    Nothing,
    File,
}

pub(crate) fn look(path: &Path) -> Result<Found> {
    let failed = |source: io::Error| Error::File { path: path.to_owned(), source };
    let about = match fs::metadata(path) {
        Ok(about) => about,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) => return Err(failed(error)),
    };
    if about.is_dir() {
        return Err(failed(ErrorKind::IsADirectory.into()));
    }
    if !about.is_file() {
        // Reading a pipe would wait for ever.
        return Err(failed(io::Error::other("not a regular file")));
    }
    let mut header = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(HEADER_BYTES).read_to_end(&mut header).map_err(failed)?;
    match judge(&header, about.len()) {
        Verdict::Open => Ok(Found::File),
        Verdict::NotADatabase => Err(Error::NotADatabase { path: path.to_owned() }),
        Verdict::Foreign if has_journal(path).map_err(failed)? => Ok(Found::File),
        Verdict::Foreign => Err(Error::Foreign { path: path.to_owned() }),
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Open,
    NotADatabase,
    Foreign,
}

fn judge(header: &[u8], length: u64) -> Verdict {
    let known = header.len().min(MAGIC.len());
    if header[..known] != MAGIC[..known] {
        return Verdict::NotADatabase;
    }
    let Some(id) = header.get(APPLICATION_ID_AT..APPLICATION_ID_AT + 4) else {
        // Empty, or broken off right at the start.
        return Verdict::Open;
    };
    let id = i64::from(u32::from_be_bytes([id[0], id[1], id[2], id[3]]));
    // One page is a database in which nothing was ever stored: a first start that was cut short.
    let page_size = match u16::from_be_bytes([header[PAGE_SIZE_AT], header[PAGE_SIZE_AT + 1]]) {
        1 => 1 << 16,
        bytes => u64::from(bytes),
    };
    match id {
        APPLICATION_ID => Verdict::Open,
        0 if length <= page_size => Verdict::Open,
        _ => Verdict::Foreign,
    }
}

/// Whether committed pages wait beside the file, its true first page perhaps among them.
fn has_journal(path: &Path) -> io::Result<bool> {
    match fs::metadata(beside(path, "-wal")) {
        Ok(about) => Ok(about.len() > 0),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// The file that belongs to `path`: `lyra.db` and `-wal` make `lyra.db-wal`.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(suffix);
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(application_id: u32) -> Vec<u8> {
        let mut header = vec![0; 100];
        header[..16].copy_from_slice(MAGIC);
        header[PAGE_SIZE_AT..PAGE_SIZE_AT + 2].copy_from_slice(&4096_u16.to_be_bytes());
        header[APPLICATION_ID_AT..APPLICATION_ID_AT + 4]
            .copy_from_slice(&application_id.to_be_bytes());
        header
    }

    #[test]
    fn a_header_tells_ours_from_others() {
        assert_eq!(judge(&header(0x4c59_5241), 90_000), Verdict::Open);
        assert_eq!(judge(&header(0x4750_4b47), 90_000), Verdict::Foreign);
        assert_eq!(judge(&header(0), 8192), Verdict::Foreign, "tables of somebody else");
        assert_eq!(judge(&header(0), 4096), Verdict::Open, "nothing stored yet");
        assert_eq!(judge(b"", 0), Verdict::Open);
        assert_eq!(judge(b"SQLite for", 10), Verdict::Open, "broken off");
        assert_eq!(judge(b"hello", 5), Verdict::NotADatabase);
        assert_eq!(judge(&[0; 100], 4096), Verdict::NotADatabase);
    }
}
