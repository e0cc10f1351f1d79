//! `vault_replace`: one text in a file for another.

use serde::Deserialize;

use super::write::refuse_daily;
use super::{Vault, Written};
use crate::{LibraryError, Result};

/// What `vault_replace` is asked.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplaceRequest {
    pub path: String,
    /// Found letter by letter.
    pub old: String,
    pub new: String,
    /// How often the old text must be there.
    #[serde(default = "once")]
    pub expected_count: usize,
    /// The file is written only if it still is this version.
    #[serde(default)]
    pub expected_hash: Option<String>,
}

fn once() -> usize {
    1
}

impl Vault {
    /// Replaces a text that must be there as often as it is expected.
    pub fn replace(&self, request: &ReplaceRequest) -> Result<Written> {
        let path = self.file_path(&request.path)?;
        if request.old.is_empty() || request.expected_count == 0 {
            let problem = "the old text and how often it is there cannot be nothing";
            return Err(LibraryError::InvalidParameter(problem.to_owned()));
        }
        self.change(&path, request.expected_hash.as_deref(), |place, text| {
            refuse_daily(place)?;
            let found = text.matches(&request.old).count();
            match found == request.expected_count {
                true => Ok(text.replace(&request.old, &request.new)),
                false => Err(LibraryError::Conflict(format!(
                    "{path} has the old text {found} times, not {}",
                    request.expected_count
                ))),
            }
        })
    }
}
