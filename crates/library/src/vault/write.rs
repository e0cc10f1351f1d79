//! `vault_write`: a file that is there gets a new text, or more of it.

use serde::Deserialize;

use super::atomic::{self, Step};
use super::lock::WriteLock;
use super::resolve::{ResolvedFile, Root, failed};
use super::rules::{check_text, is_daily};
use super::{Vault, Written, hash_of, not_found};
use crate::paths::SafePath;
use crate::{Refusal, Result};

/// What `vault_write` is asked.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriteRequest {
    pub path: String,
    pub text: String,
    pub mode: WriteMode,
    /// The file is written only if it still is this version.
    #[serde(default)]
    pub expected_hash: Option<String>,
}

/// What happens to the text that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WriteMode {
    Overwrite,
    /// The text is added on a line of its own.
    Append,
}

impl Vault {
    /// Writes to a file that is there.
    pub fn write(&self, request: &WriteRequest) -> Result<Written> {
        let path = SafePath::file(&request.path)?;
        let expected = request.expected_hash.as_deref();
        self.change(&path, expected, |file, old| match request.mode {
            WriteMode::Overwrite => {
                refuse_daily(file)?;
                Ok(request.text.clone())
            }
            WriteMode::Append => Ok(joined(old, &request.text)),
        })
    }

    /// Gives a file the text that is made from its old one, while no other writer can.
    pub(crate) fn change(
        &self,
        path: &SafePath,
        expected_hash: Option<&str>,
        make: impl FnOnce(&ResolvedFile, &str) -> Result<String>,
    ) -> Result<Written> {
        self.with_root(|root| {
            let root = root.ok_or_else(|| not_found(path))?;
            // A file that is missing is refused before the lock makes a folder for itself.
            let file = root.resolve(path)?;
            is_daily(&file.path)?;
            if !file.exists {
                return Err(not_found(path));
            }
            self.change_locked(root, &self.lock(root)?, path, expected_hash, make)
        })
    }

    pub(crate) fn change_locked(
        &self,
        root: &Root<'_>,
        lock: &WriteLock,
        path: &SafePath,
        expected_hash: Option<&str>,
        make: impl FnOnce(&ResolvedFile, &str) -> Result<String>,
    ) -> Result<Written> {
        let file = root.resolve(path)?;
        is_daily(&file.path)?;
        let old = self.text_of(&file, path)?;
        refuse_read_only(&file)?;
        let found = hash_of(&old);
        if expected_hash.is_some_and(|it| it != found) {
            return Err(
                Refusal::Conflict.because(format!("{path} has changed: its hash is {found}"))
            );
        }
        let text = make(&file, &old)?;
        check_text(&file.path, &text, self.settings.vault_file_bytes)?;
        atomic::write(lock, file.target(), &text, Step::Replace)?;
        Ok(Written::of(&file, &text))
    }
}

/// The old text and, on a new line, the one that is added.
pub(crate) fn joined(old: &str, added: &str) -> String {
    let between = if old.is_empty() || old.ends_with('\n') { "" } else { "\n" };
    format!("{old}{between}{added}")
}

/// Refuses what would change the lines of a daily note that are there.
pub(crate) fn refuse_daily(file: &ResolvedFile) -> Result<()> {
    match is_daily(&file.path)? {
        false => Ok(()),
        true => Err(Refusal::Forbidden.because(format!("{}: daily notes only grow", file.path))),
    }
}

/// A new version would take the name of a file that its owner has locked.
fn refuse_read_only(file: &ResolvedFile) -> Result<()> {
    let about = file.folder.file(&file.name).and_then(|it| it.metadata());
    match about.map_err(|it| failed("look at", &file.path, it))?.permissions().readonly() {
        false => Ok(()),
        true => Err(Refusal::Forbidden.because(format!("{} is read-only", file.path))),
    }
}
