//! `vault_ls`: which files there are.

use serde::{Deserialize, Serialize};

use super::files::Listing;
use super::{PAGE_TOKENS, Vault, not_found};
use crate::Result;
use crate::answer::{fitting, next_offset};
use crate::paths::SafePath;

/// What `vault_ls` is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LsRequest {
    /// Only files below it.
    pub folder: String,
    pub offset: usize,
    pub limit: Option<usize>,
}

/// A page of files, sorted by path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LsAnswer {
    pub total: usize,
    pub files: Vec<Listed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    /// Why `total` is not all there is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cutoff_reason: Option<&'static str>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Listed {
    pub path: SafePath,
    pub bytes: u64,
}

impl Vault {
    /// Lists the files, a page at a time.
    pub fn ls(&self, request: &LsRequest) -> Result<LsAnswer> {
        let limit = self.page_rows(request.limit)?;
        let folder = SafePath::folder(&request.folder)?;
        self.with_root(|root| {
            let listing = match root {
                Some(root) => self.list(root, &folder)?,
                // An empty vault may not be there yet.
                None if folder.as_str().is_empty() => Listing::default(),
                None => return Err(not_found(&folder)),
            };
            let total = listing.files.len();
            let page = listing.files.into_iter().skip(request.offset).take(limit);
            let rows = page.map(|(path, stamp)| Listed { path, bytes: stamp.size() });
            let files = fitting(rows, PAGE_TOKENS);
            Ok(LsAnswer {
                total,
                next_offset: next_offset(request.offset, files.len(), total),
                files,
                cutoff_reason: listing.cutoff_reason,
            })
        })
    }
}
