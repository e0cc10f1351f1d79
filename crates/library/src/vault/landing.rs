//! Text that comes into the vault with a note of where it is from.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read as _};

use super::atomic::{self, Step, Target};
use super::folder::{Entry, Folder};
use super::lock::system_folder;
use super::write::joined;
use super::{Vault, Written};
use crate::bridge::Origin;
use crate::paths::{SYSTEM, SafePath};
use crate::{LibraryError, Result};

const NAME: &str = "origins.json";

/// What is to be written.
#[derive(Debug, Clone)]
pub(crate) struct Landing {
    pub(crate) text: String,
    /// Kept beside the file, for texts that have no room for a note.
    pub(crate) kept_origin: Option<Origin>,
}

type Origins = BTreeMap<String, Vec<Origin>>;

impl Vault {
    pub(crate) fn land_new(&self, path: &SafePath, landing: &Landing) -> Result<Written> {
        self.with_made_root(|root| {
            let lock = self.lock(root)?;
            let written = self.create_locked(root, &lock, path, &landing.text)?;
            if let Some(origin) = &landing.kept_origin {
                let folder = system_folder(&root.folder)?;
                let (mut all, step) = load(&folder)?;
                all.insert(written.path.to_string(), vec![origin.clone()]);
                let text = serde_json::to_string(&all).expect("paths and lines can be written");
                let target = Target { folder: &folder, name: NAME, path: SYSTEM };
                atomic::write(&lock, target, &text, step)?;
            }
            Ok(written)
        })
    }

    pub(crate) fn land_at_end(&self, path: &SafePath, landing: &Landing) -> Result<Written> {
        self.change(path, None, |_, old| {
            // A comment right below a sentence would be a part of it.
            let apart = if old.is_empty() || old.ends_with("\n\n") { "" } else { "\n" };
            Ok(joined(old, &format!("{apart}{}", landing.text)))
        })
    }

    /// The origins of a file that are not written in it.
    pub(crate) fn kept_origins(&self, path: &SafePath) -> Result<Vec<Origin>> {
        self.with_root(|root| {
            let Some(root) = root else { return Ok(Vec::new()) };
            // Asking makes no folder.
            if root.folder.entry(SYSTEM).map_err(failed)? != Entry::Folder {
                return Ok(Vec::new());
            }
            let mut all = load(&system_folder(&root.folder)?)?.0;
            Ok(all.remove(path.as_str()).unwrap_or_default())
        })
    }
}

fn load(folder: &Folder) -> Result<(Origins, Step)> {
    let mut text = String::new();
    match folder.file(NAME).and_then(|mut it| it.read_to_string(&mut text)) {
        // A broken file loses what it said, not what the files say.
        Ok(_) => Ok((serde_json::from_str(&text).unwrap_or_default(), Step::Replace)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok((Origins::new(), Step::Publish)),
        Err(error) => Err(failed(error)),
    }
}

fn failed(source: std::io::Error) -> LibraryError {
    LibraryError::Io { doing: "read", path: format!("{SYSTEM}/{NAME}"), source }
}
