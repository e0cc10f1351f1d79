//! Writing a file again without some of its records: the only way anything ever leaves the archive.
//!
//! Records are copied byte for byte into a new file, so their ids, digests and dates stay; the old file is not touched. Who
//! calls has rows name the new places, and removes the old file afterwards: at every moment each row names a whole record.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use jiff::Timestamp;

use crate::write::{create_file, sync_folder};
use crate::{Error, place, records};

/// Part of a file: a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub byte_start: u64,
    pub byte_length: u64,
}

/// The file that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewritten {
    pub file: String,
    /// Where the records are now, in the order in which they were asked for.
    pub spans: Vec<Span>,
}

/// Copies these records into a new file of the folder, behind the records that say who wrote the old one. On the disk when it
/// returns; on an error nothing is left of it.
///
/// A record that the old file has only in part is as damaged in the new one.
pub fn rewrite(dir: &Path, file: &str, keep: &[Span], now: Timestamp) -> Result<Rewritten, Error> {
    let path = place(dir, file)?;
    let access = |source| Error::File { path: path.clone(), source };
    let mut old = files::open(&path).map_err(access)?;
    let head = preamble(&path)?;
    let (new, name) = create_file(dir, now, &mut 1)?;
    let place = dir.join(&name);
    let copied = copy(&mut old, new, head, keep)
        .and_then(|spans| sync_folder(dir).map(|()| spans))
        .map_err(|source| Error::File { path: place.clone(), source });
    match copied {
        Ok(spans) => Ok(Rewritten { file: name, spans }),
        Err(error) => {
            // Nothing points at it yet.
            let _ = fs::remove_file(&place);
            Err(error)
        }
    }
}

/// The length of the records at the beginning of a file that say who wrote it; nothing where there is none.
pub fn preamble(path: &Path) -> Result<u64, Error> {
    let mut length = 0;
    for record in records(path)? {
        match record {
            Ok(it) if it.record.type_name().eq_ignore_ascii_case("warcinfo") => {
                length = it.byte_start + it.byte_length;
            }
            Ok(_) | Err(Error::Torn { .. } | Error::Damaged { .. } | Error::TooLarge { .. }) => {
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

/// Removes a file of the archive, for good.
pub fn remove(dir: &Path, file: &str) -> Result<(), Error> {
    let path = place(dir, file)?;
    match fs::remove_file(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed.and_then(|()| sync_folder(dir)),
    }
    .map_err(|source| Error::File { path, source })
}

/// Whether this writer could have made a file of this name; files of others are left alone.
pub fn is_ours(name: &str) -> bool {
    let digits =
        |text: &str, count| text.len() == count && text.bytes().all(|it| it.is_ascii_digit());
    name.strip_prefix("lyra-")
        .and_then(|it| it.strip_suffix(".warc.gz"))
        .and_then(|it| it.split_once('-'))
        .is_some_and(|(time, number)| digits(time, 14) && digits(number, 5))
}

fn copy(old: &mut File, new: File, head: u64, keep: &[Span]) -> io::Result<Vec<Span>> {
    let mut out = BufWriter::with_capacity(256 * 1024, new);
    let mut at = copy_span(old, &mut out, Span { byte_start: 0, byte_length: head })?;
    let mut spans = Vec::with_capacity(keep.len());
    for span in keep {
        let byte_length = copy_span(old, &mut out, *span)?;
        spans.push(Span { byte_start: at, byte_length });
        at += byte_length;
    }
    out.flush()?;
    out.get_ref().sync_all()?;
    Ok(spans)
}

fn copy_span(old: &mut File, out: &mut impl Write, span: Span) -> io::Result<u64> {
    old.seek(SeekFrom::Start(span.byte_start))?;
    io::copy(&mut old.take(span.byte_length), out)
}
