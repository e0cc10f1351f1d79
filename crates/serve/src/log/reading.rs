//! Reads logs back. A line that is none (cut off by a crash) is passed over.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::AUDIT;
use super::files::Files;

/// A series of logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    Program,
    Audit,
}

/// One line of a log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) time: Timestamp,
    pub(crate) level: String,
    pub(crate) target: String,
    pub(crate) message: String,
    pub(crate) fields: Map<String, Value>,
}

/// What a series says since a moment, newest first; compressed files included.
pub(crate) fn entries(
    folder: &Path,
    which: Which,
    since: Option<Timestamp>,
) -> io::Result<Vec<Entry>> {
    let name = if which == Which::Audit { AUDIT } else { super::PROGRAM };
    let mut found = Vec::new();
    for path in Files::new(folder.to_owned(), name, 0, 0).all()? {
        let file: Box<dyn Read> = match path.extension() {
            Some(it) if it == "gz" => Box::new(MultiGzDecoder::new(File::open(&path)?)),
            _ => Box::new(File::open(&path)?),
        };
        for line in BufReader::new(file).split(b'\n') {
            let Ok(entry) = serde_json::from_slice::<Entry>(&line?) else { continue };
            if since.is_none_or(|it| entry.time >= it) {
                found.push(entry);
            }
        }
    }
    found.sort_by_key(|it| std::cmp::Reverse(it.time));
    Ok(found)
}
