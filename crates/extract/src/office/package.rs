//! The parts of a ZIP file, unpacked within bounds.

use std::collections::HashMap;
use std::io::{Cursor, Read};

use zip::ZipArchive;

use crate::document::Problem;

use super::xml::{self, Node};

/// Bytes of one part once it is unpacked.
const MAX_PART: u64 = 32 << 20;
/// Bytes of all parts together.
const MAX_ALL: u64 = 64 << 20;
/// Files in one document.
const MAX_FILES: usize = 20_000;

/// An open file, and how much may still be unpacked of it.
pub(super) struct Package<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    left: u64,
    problems: Vec<Problem>,
}

impl<'a> Package<'a> {
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, String> {
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
        if zip.len() > MAX_FILES {
            return Err(format!("it has {} parts", zip.len()));
        }
        Ok(Self { zip, left: MAX_ALL, problems: Vec::new() })
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(name).is_some()
    }

    /// A part as text; nothing where there is none or it cannot be unpacked. One that is too large is cut off, and said to be.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        let most = self.left.min(MAX_PART);
        let mut bytes = Vec::new();
        let read = match self.zip.by_name(name) {
            Ok(file) => file.take(most + 1).read_to_end(&mut bytes).map_err(|it| it.to_string()),
            Err(zip::result::ZipError::FileNotFound) => return None,
            Err(error) => Err(error.to_string()),
        };
        if bytes.len() as u64 > most {
            bytes.truncate(most as usize);
            let limit = most as usize;
            self.problems.push(Problem::TooMuchText { limit });
        }
        self.left -= bytes.len() as u64;
        if let Err(why) = read {
            self.problems.push(Problem::Damaged { reason: format!("{name}: {why}") });
        }
        let text = match bytes.strip_prefix(b"\xef\xbb\xbf") {
            Some(rest) => String::from_utf8_lossy(rest).into_owned(),
            None if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") => {
                let (encoding, _) = encoding_rs::Encoding::for_bom(&bytes)?;
                encoding.decode(&bytes).0.into_owned()
            }
            None => String::from_utf8_lossy(&bytes).into_owned(),
        };
        Some(text)
    }

    /// What a part refers to: the paths of other parts by their ids.
    pub(super) fn relations(&mut self, part: &str) -> HashMap<String, Relation> {
        let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
        let mut relations = HashMap::new();
        let Some(text) = self.text(&format!("{folder}/_rels/{name}.rels")) else {
            return relations;
        };
        xml::walk(&text, |node| {
            if let Node::Start { name: "Relationship", attributes } = node
                && let (Some(id), Some(target)) = (attributes.get("Id"), attributes.get("Target"))
            {
                let kind = attributes.get("Type").unwrap_or_default();
                let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
                relations.insert(id, Relation { kind, path: joined(folder, &target) });
            }
        });
        relations
    }

    pub(super) fn note(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    pub(super) fn into_problems(self) -> Vec<Problem> {
        self.problems
    }
}

/// Another part, as one refers to it.
pub(super) struct Relation {
    /// The last word of its type: `slide`, `notesSlide`, `worksheet`.
    pub(super) kind: String,
    pub(super) path: String,
}

/// The path of a part that is named from within a folder.
pub(super) fn joined(folder: &str, target: &str) -> String {
    if let Some(absolute) = target.strip_prefix('/') {
        return absolute.to_owned();
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|it| !it.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}
