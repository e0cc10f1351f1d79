//! The text of a manual's file as it is on the disk now.

use std::fs;
use std::io::ErrorKind;
use std::sync::Arc;

use super::Manuals;
use super::file::ManualFile;
use crate::paths::SafePath;
use crate::reading::read_text;
use crate::{LibraryError, Refusal, Result};

/// The text of a manual's file, named so that a note or a reference can hold the name.
#[derive(Debug, Clone)]
pub(crate) struct ManualText {
    pub(crate) manual_id: String,
    /// Below the folder of the manual.
    pub(crate) path: SafePath,
    pub(crate) text: String,
}

impl ManualText {
    pub(crate) fn read(manuals: &Manuals, manual_id: &str, path: &str) -> Result<Self> {
        if SafePath::folder(manual_id)?.names().count() != 1 {
            let problem = format!("{manual_id}: a manual is one folder");
            return Err(Refusal::InvalidPath.because(problem));
        }
        let path = SafePath::file(path)?;
        let text = manuals.text_of(manual_id, path.as_str())?;
        Ok(Self { manual_id: manual_id.to_owned(), path, text })
    }
}

impl Manuals {
    /// The manual and the path of every file that other files can name.
    pub(crate) fn files(&self) -> Result<Vec<(String, SafePath)>> {
        let named =
            |file: &Arc<ManualFile>| Some((file.manual.clone(), SafePath::file(&file.path).ok()?));
        Ok(self.fresh()?.files.iter().filter_map(named).collect())
    }

    /// Reads a file. Links are judged each time: one may have been put there since the files were listed.
    pub(crate) fn text_of(&self, manual: &str, path: &str) -> Result<String> {
        let name = format!("{manual}/{path}");
        let failed = |source| LibraryError::Io { doing: "read", path: name.clone(), source };
        let missing = || Refusal::NotFound.because(format!("{manual} has no file {path}"));
        let real = fs::canonicalize(self.root.join(&name)).map_err(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => missing(),
            _ => failed(error),
        })?;
        if !real.starts_with(fs::canonicalize(&self.root).map_err(failed)?) {
            let problem = format!("{name}: a link in it leaves the folder");
            return Err(Refusal::InvalidPath.because(problem));
        }
        // Opening a pipe would wait for its writer.
        if !real.is_file() {
            return Err(missing());
        }
        read_text(files::open(&real).map_err(failed)?, &name, self.settings.max_file_bytes)
    }
}
