//! `bridge_copy`: a section or a file of a manual goes into the vault without passing through the client.
//!
//! Each copy carries a note of where it comes from, so that an audit can tell later what was taken and whether
//! the manual has changed since. In Markdown the note is a comment above the text; JSON has no comments, so the
//! vault keeps the note beside the file.

mod note;

use serde::{Deserialize, Serialize};

pub use self::note::Origin;
pub(crate) use self::note::{NOTE, origins};
use crate::manuals::{ManualText, Manuals, Moment, SectionRef};
use crate::paths::SafePath;
use crate::sections::{SectionName, bytes_of, find_section, line_count};
use crate::spans::Span;
use crate::vault::{Landing, Vault, hash_of};
use crate::{Refusal, Result};

/// What `bridge_copy` is asked.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CopyRequest {
    pub manual_id: String,
    /// Below the folder of the manual.
    pub path: String,
    /// With its descendants; the whole file without it.
    #[serde(default)]
    pub section: Option<SectionName>,
    /// A file of the vault.
    pub target: String,
    #[serde(default)]
    pub mode: CopyMode,
    /// The `manual_find` that led here, whose record of what was used grows by this copy.
    #[serde(default)]
    pub trace_id: Option<String>,
}

/// What happens to a target that is there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CopyMode {
    /// It is refused.
    #[default]
    Create,
    /// It grows.
    Append,
}

/// What was copied; the text itself is not in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CopyAnswer {
    pub target: SafePath,
    pub origin: Origin,
    /// Lines and bytes of the whole target, and its version.
    pub lines: usize,
    pub bytes: usize,
    pub hash: String,
}

impl Manuals {
    /// Copies from a manual into the vault, and notes for the find that led here that it was of use.
    pub fn copy_to(
        &self,
        vault: &Vault,
        request: &CopyRequest,
        moment: &Moment<'_>,
    ) -> Result<CopyAnswer> {
        // An unknown find is refused before anything is written.
        let trace = request.trace_id.as_ref().map(|it| self.trace(it, moment)).transpose()?;
        let target = SafePath::file(&request.target)?;
        let source = ManualText::read(self, &request.manual_id, &request.path)?;
        let (origin, text) = cut_out(&source, request.section.as_ref())?;
        let landing = landing(&source, &origin, text, &target, request.mode)?;
        let written = match request.mode {
            CopyMode::Create => vault.land_new(&target, &landing)?,
            CopyMode::Append => vault.land_at_end(&target, &landing)?,
        };
        if let Some(trace) = trace {
            let line = request.section.as_ref().map(|_| origin.span.start_line);
            let (manual, path) = (origin.manual_id.clone(), origin.path.clone());
            let mut used = vec![SectionRef { manual, path, line }];
            if line.is_none() {
                // A file is used for the sections of it that were found.
                let candidates = trace.candidates.iter().map(|candidate| &candidate.place);
                let in_file = |place: &&SectionRef| {
                    (&place.manual, &place.path) == (&origin.manual_id, &origin.path)
                };
                let found: Vec<SectionRef> = candidates.filter(in_file).cloned().collect();
                used = if found.is_empty() { used } else { found };
            }
            self.note_use(&trace.trace_id, &used, moment)?;
        }
        Ok(CopyAnswer {
            target: written.path,
            origin,
            lines: written.lines,
            bytes: written.bytes,
            hash: written.hash,
        })
    }
}

fn cut_out<'a>(source: &'a ManualText, section: Option<&SectionName>) -> Result<(Origin, &'a str)> {
    let total = line_count(&source.text);
    if total == 0 {
        return Err(Refusal::InvalidScope.because(format!("{} is empty", source.path)));
    }
    let span = match section {
        Some(section) => find_section(&source.path, &source.text, section)?,
        None => Span::new(1, total),
    };
    let text = &source.text[bytes_of(&source.text, span)];
    let origin = Origin {
        manual_id: source.manual_id.clone(),
        path: source.path.to_string(),
        span,
        hash: hash_of(text),
    };
    Ok((origin, text))
}

/// The text as the vault gets it, with its note.
fn landing(
    source: &ManualText,
    origin: &Origin,
    text: &str,
    target: &SafePath,
    mode: CopyMode,
) -> Result<Landing> {
    let is_json = |it: &SafePath| it.name().ends_with(".json");
    let noted = |text: String| Landing { text, kept_origin: None };
    Ok(match (is_json(&source.path), is_json(target), mode) {
        (true, true, CopyMode::Create) => {
            Landing { text: text.to_owned(), kept_origin: Some(origin.clone()) }
        }
        (_, true, _) => {
            let problem = "only a whole JSON file can become a new JSON file";
            return Err(Refusal::InvalidParameter.because(problem.to_owned()));
        }
        (true, false, _) => {
            noted(format!("{}\n```json\n{}\n```\n", origin.note(), text.trim_end()))
        }
        (false, false, CopyMode::Create) => noted(below_front_matter(&origin.note(), text)),
        (false, false, CopyMode::Append) => noted(format!("{}\n{}", origin.note(), ended(text))),
    })
}

/// The text with the note on top, or below the data on top of it, which must come first.
fn below_front_matter(note: &str, text: &str) -> String {
    let (matter, body) = text.split_at(extract::markdown_body(text));
    format!("{matter}{note}\n{}", ended(body))
}

fn ended(text: &str) -> String {
    let ending = if text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{ending}")
}
