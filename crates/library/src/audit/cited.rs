//! Which files of the manuals a document names, so that each can be audited.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;

use super::references;
use crate::Result;
use crate::bridge::origins;
use crate::normal_form::lines;
use crate::paths::SafePath;
use crate::source::manual_files;
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
    pub fn cited_files(&self, manuals: &Path, document: &str) -> Result<Vec<CitedFile>> {
        let (document, text) = self.load(&self.file_path(document)?)?;
        let written = origins(&text).into_iter().map(|(_, it)| it);
        let copied: BTreeSet<(String, String)> = written
            .chain(self.kept_origins(&document)?)
            .map(|it| (it.manual_id, it.path))
            .collect();
        let options = self.options();
        let mut cited = Vec::new();
        for (manual_id, path) in manual_files(manuals, &options.paths, options.files)? {
            let referred = || {
                lines(&text)
                    .any(|it| !references::spans(it.text, &manual_id, path.as_str()).is_empty())
            };
            if copied.contains(&(manual_id.clone(), path.to_string())) || referred() {
                cited.push(CitedFile { manual_id, path });
            }
        }
        Ok(cited)
    }
}
