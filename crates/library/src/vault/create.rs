//! `vault_create`: a file that is not there yet.

use serde::Deserialize;

use super::atomic::{self, Step};
use super::lock::WriteLock;
use super::place::Root;
use super::rules::{check_text, is_daily};
use super::{Vault, Written};
use crate::paths::SafePath;
use crate::{Refusal, Result};

/// What `vault_create` is asked.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CreateRequest {
    /// Below the vault; folders on the way are made.
    pub path: String,
    pub text: String,
}

impl Vault {
    /// Makes a file, and refuses one that is there.
    pub fn create(&self, request: &CreateRequest) -> Result<Written> {
        let path = self.file_path(&request.path)?;
        self.with_made_root(|root| {
            let lock = WriteLock::acquire(&root.folder, self.options.lock_patience)?;
            self.create_locked(root, &lock, &path, &request.text)
        })
    }

    pub(crate) fn create_locked(
        &self,
        root: &Root<'_>,
        lock: &WriteLock,
        path: &SafePath,
        text: &str,
    ) -> Result<Written> {
        let mut place = root.place(path)?;
        is_daily(&place.path)?;
        if place.exists {
            return Err(Refusal::Conflict.because(format!("{path} is there already")));
        }
        place.check_twins()?;
        check_text(&place.path, text, self.options.file_bytes)?;
        place.make_folders()?;
        atomic::write(lock, place.target(), text, Step::Publish)?;
        Ok(Written::of(&place, text))
    }
}
