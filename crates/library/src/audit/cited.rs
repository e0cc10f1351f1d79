//! Which files of the manuals a document names, so that each can be audited.

use std::collections::BTreeSet;

use serde::Serialize;

use super::references;
use crate::Result;
use crate::bridge::origins;
use crate::manuals::Manuals;
use crate::normal_form::lines;
use crate::paths::SafePath;
use crate::vault::Vault;

/// A file of a manual.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct CitedFile {
    pub manual_id: String,
    pub path: SafePath,
}

impl Vault {
    /// Lists the files of the manuals that a document was copied from or refers to with lines.
    ///
    /// A file that is only quoted is not found here: an audit of that file finds it.
    pub fn cited_files(&self, manuals: &Manuals, document: &str) -> Result<Vec<CitedFile>> {
        let (document, text) = self.load(&SafePath::file(document)?)?;
        let written = origins(&text).into_iter().map(|(_, origin)| origin);
        let copied: BTreeSet<(String, String)> = written
            .chain(self.kept_origins(&document)?)
            .map(|origin| (origin.manual_id, origin.path))
            .collect();
        let mut cited = Vec::new();
        for (manual_id, path) in manuals.files()? {
            let referred = || {
                lines(&text)
                    .any(|line| !references::spans(line.text, &manual_id, path.as_str()).is_empty())
            };
            if copied.contains(&(manual_id.clone(), path.to_string())) || referred() {
                cited.push(CitedFile { manual_id, path });
            }
        }
        Ok(cited)
    }
}
