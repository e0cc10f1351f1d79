//! `vault_create`: a file that is not there yet.

use serde::Deserialize;

use super::atomic::{self, Step};
use super::lock::WriteLock;
use super::resolve::Root;
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
        let path = SafePath::file(&request.path)?;
        self.with_made_root(|root| {
            self.create_locked(root, &self.lock(root)?, &path, &request.text)
        })
    }

    pub(crate) fn create_locked(
        &self,
        root: &Root<'_>,
        lock: &WriteLock,
        path: &SafePath,
        text: &str,
    ) -> Result<Written> {
        let mut file = root.resolve(path)?;
        is_daily(&file.path)?;
        if file.exists {
            return Err(Refusal::Conflict.because(format!("{path} is there already")));
        }
        file.check_twins()?;
        check_text(&file.path, text, self.settings.vault_file_bytes)?;
        file.make_folders()?;
        atomic::write(lock, file.target(), text, Step::Publish)?;
        Ok(Written::of(&file, text))
    }
}
