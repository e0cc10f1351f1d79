//! `vault_ls`: which files there are.

use serde::{Deserialize, Serialize};

use super::files::{files, size};
use super::{Vault, fitting};
use crate::paths::SafePath;
use crate::{Refusal, Result};

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

/// There were more files than are listed.
pub(crate) const CUT_FILES: &str = "max_files";

impl Vault {
    /// Lists the files, a page at a time.
    pub fn ls(&self, request: &LsRequest) -> Result<LsAnswer> {
        let limit = self.page(request.limit)?;
        let folder = SafePath::folder(&request.folder, &self.options.paths)?;
        self.with_root(|root| {
            // An empty vault may not be there yet.
            let Some(root) = root else {
                return match folder.as_str() {
                    "" => Ok(LsAnswer::empty()),
                    _ => Err(Refusal::NotFound.because(format!("{folder} is not in the vault"))),
                };
            };
            let all = files(root, &folder, self.options.files)?;
            let mut listed = Vec::new();
            for path in all.paths.iter().skip(request.offset).take(limit) {
                // A file that has gone since is one without bytes: the next page begins where this one ends.
                let bytes = size(root, path)?.unwrap_or(0);
                listed.push(Listed { path: path.clone(), bytes });
            }
            let listed = fitting(listed, self.options.page_tokens);
            let next = request.offset.saturating_add(listed.len());
            Ok(LsAnswer {
                total: all.paths.len(),
                files: listed,
                next_offset: (next < all.paths.len()).then_some(next),
                cutoff_reason: all.cut.then_some(CUT_FILES),
            })
        })
    }

    /// Every file, as far as files are listed.
    pub(crate) fn all_files(&self) -> Result<Vec<SafePath>> {
        let everything = SafePath::folder("", &self.options.paths)?;
        self.with_root(|root| match root {
            Some(root) => Ok(files(root, &everything, self.options.files)?.paths),
            None => Ok(Vec::new()),
        })
    }

    /// How many rows a page has.
    pub(crate) fn page(&self, asked: Option<usize>) -> Result<usize> {
        let most = self.options.page_most;
        match asked.unwrap_or(self.options.page) {
            limit if (1..=most).contains(&limit) => Ok(limit),
            limit => Err(Refusal::InvalidParameter
                .because(format!("limit {limit} is not between 1 and {most}"))),
        }
    }
}

impl LsAnswer {
    fn empty() -> Self {
        Self { total: 0, files: Vec::new(), next_offset: None, cutoff_reason: None }
    }
}
