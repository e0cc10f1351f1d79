//! `vault_replace`: one text in a file for another, or a whole section for a new one.

use serde::Deserialize;

use super::write::refuse_daily;
use super::{Vault, Written};
use crate::paths::SafePath;
use crate::sections::{SectionName, bytes_of, find_section};
use crate::{Refusal, Result};

/// What `vault_replace` is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplaceRequest {
    pub path: String,
    /// Matched exactly; without it the whole section is replaced.
    #[serde(default)]
    pub old: Option<String>,
    /// Only in this section, its heading and its descendants.
    #[serde(default)]
    pub section: Option<SectionName>,
    pub new: String,
    /// How often the old text must be there; once, if nothing is said.
    #[serde(default)]
    pub expected_count: Option<usize>,
    /// The file is written only if it still is this version.
    #[serde(default)]
    pub expected_hash: Option<String>,
}

impl Vault {
    /// Replaces a text that must be there as often as it is expected.
    pub fn replace(&self, request: &ReplaceRequest) -> Result<Written> {
        let path = SafePath::file(&request.path)?;
        let expected = request.expected_count.unwrap_or(1);
        if request.old.as_deref() == Some("") || expected == 0 {
            let problem = "the old text and how often it is there cannot be nothing";
            return Err(Refusal::InvalidParameter.because(problem.to_owned()));
        }
        if request.old.is_none() && (request.section.is_none() || request.expected_count.is_some())
        {
            let problem = "name the old text, or a section without a count";
            return Err(Refusal::InvalidParameter.because(problem.to_owned()));
        }
        self.change(&path, request.expected_hash.as_deref(), |file, text| {
            refuse_daily(file)?;
            let bytes = match &request.section {
                None => 0..text.len(),
                Some(section) => bytes_of(text, find_section(&file.path, text, section)?),
            };
            let (before, after) = (&text[..bytes.start], &text[bytes.end..]);
            let changed = match &request.old {
                None => whole_lines(&request.new, after),
                Some(old) => {
                    let found = text[bytes.clone()].matches(old).count();
                    if found != expected {
                        return Err(Refusal::Conflict.because(format!(
                            "{path} has the old text {found} times, not {expected}"
                        )));
                    }
                    text[bytes].replace(old, &request.new)
                }
            };
            Ok(format!("{before}{changed}{after}"))
        })
    }
}

/// What follows a section must still begin on a line of its own.
fn whole_lines(new: &str, after: &str) -> String {
    let ending = if after.is_empty() || new.is_empty() || new.ends_with('\n') { "" } else { "\n" };
    format!("{new}{ending}")
}
