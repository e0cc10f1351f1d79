//! What the first bytes of a file say, read before SQLite touches it.
//!
//! Opening a file with SQLite can already leave traces beside it, so a file that is not ours is
//! recognised here and left exactly as it was. What this page cannot tell (a file whose content is
//! still in its journal) is left to `migrate::inspect`.

use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::migrate::APPLICATION_ID;
use crate::{Error, Result};

const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Length of the header; offsets are those of SQLite's file format.
pub(crate) const HEADER_BYTES: usize = 100;
const PAGE_SIZE_AT: usize = 16;
const APPLICATION_ID_AT: usize = 68;

/// Whether there is a file that may be opened. Errors say why one may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileState {
    Missing,
    Present,
}

pub(crate) fn look(path: &Path) -> Result<FileState> {
    let Some((header, length)) = read(path)? else {
        return Ok(FileState::Missing);
    };
    match judge(&header, length) {
        Verdict::Open => Ok(FileState::Present),
        Verdict::NotADatabase => Err(Error::NotADatabase { path: path.to_owned() }),
        Verdict::Foreign if has_journal(path)? => Ok(FileState::Present),
        Verdict::Foreign => Err(Error::Foreign { path: path.to_owned() }),
    }
}

/// Refuses what cannot be a damaged file of ours. Either of our two marks is enough.
pub(crate) fn check_damaged(path: &Path) -> Result<()> {
    let Some((header, _)) = read(path)? else {
        return Err(Error::File { path: path.to_owned(), source: ErrorKind::NotFound.into() });
    };
    match (header.starts_with(MAGIC), application_id(&header)) {
        (_, Some(APPLICATION_ID)) | (true, Some(0)) => Ok(()),
        (true, Some(_)) => Err(Error::Foreign { path: path.to_owned() }),
        _ => Err(Error::NotADatabase { path: path.to_owned() }),
    }
}

/// Puts back the parts of a header that are the same in all our files.
pub(crate) fn mend(header: &mut [u8; HEADER_BYTES]) {
    header[..MAGIC.len()].copy_from_slice(MAGIC);
    // 4096 bytes a page, write-ahead log, no reserved bytes, the payload fractions of the format.
    header[16..24].copy_from_slice(&[0x10, 0, 2, 2, 0, 64, 32, 32]);
    // Two different counters: the number of pages in the header is not to be trusted.
    header[24..28].fill(0);
    header[92..96].fill(0xff);
    // No free pages.
    header[32..40].fill(0);
    // Schema format 4, no vacuum, UTF-8.
    header[44..48].copy_from_slice(&4_u32.to_be_bytes());
    header[52..56].fill(0);
    header[56..60].copy_from_slice(&1_u32.to_be_bytes());
    header[64..68].fill(0);
}

/// The first bytes of a file and its length, or nothing if there is none.
fn read(path: &Path) -> Result<Option<(Vec<u8>, u64)>> {
    let failed = |source: io::Error| Error::File { path: path.to_owned(), source };
    let about = match fs::metadata(path) {
        Ok(about) => about,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
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
    let file = files::open(path).map_err(failed)?;
    file.take(HEADER_BYTES as u64).read_to_end(&mut header).map_err(failed)?;
    Ok(Some((header, about.len())))
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
    let Some(id) = application_id(header) else {
        // Empty, or broken off right at the start.
        return Verdict::Open;
    };
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

fn application_id(header: &[u8]) -> Option<i64> {
    let bytes = header.get(APPLICATION_ID_AT..APPLICATION_ID_AT + 4)?;
    Some(u32::from_be_bytes(bytes.try_into().ok()?).into())
}

/// Whether committed pages wait beside the file, its true first page perhaps among them.
fn has_journal(path: &Path) -> Result<bool> {
    let journal = beside(path, "-wal");
    match fs::metadata(&journal) {
        Ok(about) => Ok(about.len() > 0),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(source) => Err(Error::File { path: journal, source }),
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
