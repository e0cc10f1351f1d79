//! Paths that a client may name: relative, the same on every system, and never a way out of their folder.
//!
//! Only the spelling is judged here; links are followed and judged where a file is opened (`place`). The
//! rules are those of the strictest system, so that a vault can be carried from one to another.

mod lookalikes;

use std::fmt;

use serde::Serialize;
use unicode_normalization::UnicodeNormalization as _;

use self::lookalikes::{dot, invisible, letter, separator};
use crate::{LibraryError, Refusal, Result};

/// The only kinds of files there are.
const ENDINGS: [&str; 2] = [".md", ".json"];

/// The folder in a vault that belongs to the program.
pub(crate) const SYSTEM: &str = ".system";

/// The longest name; file systems allow 255 bytes.
const NAME_BYTES: usize = 240;
const PATH_BYTES: usize = 1_000;
/// The most names in a path.
pub(crate) const DEPTH: usize = 16;

/// A relative path whose spelling is safe on every system.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct SafePath(String);

impl SafePath {
    /// Judges the path of a `.md` or `.json` file.
    pub fn file(text: &str) -> Result<Self> {
        let path = Self::spelled(text)?;
        match ENDINGS.iter().any(|it| path.name().ends_with(it)) {
            true => Ok(path),
            false => Err(refused(text, "a file ends in .md or .json")),
        }
    }

    pub(crate) const fn root() -> Self {
        Self(String::new())
    }

    /// Judges the path of a folder; the empty one is the root.
    pub fn folder(text: &str) -> Result<Self> {
        match text {
            "" => Ok(Self::root()),
            text => Self::spelled(text),
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last part.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or_default()
    }

    pub fn names(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/').filter(|it| !it.is_empty())
    }

    fn spelled(text: &str) -> Result<Self> {
        if text.len() > PATH_BYTES {
            let start: String = text.chars().take(40).collect();
            return Err(refused(&format!("{start}…"), "it is too long"));
        }
        if text.split(['/', '\\']).any(is_system) {
            return Err(Refusal::Forbidden.because(format!("{SYSTEM} belongs to the program")));
        }
        if let Some(odd) = text.chars().find(|it| separator(*it) || dot(*it)) {
            return Err(refused(text, &format!("U+{:04X} looks like . / or \\", u32::from(odd))));
        }
        if let Some(odd) = text.chars().find(|it| it.is_control() || invisible(*it)) {
            return Err(refused(text, &format!("U+{:04X} cannot be seen", u32::from(odd))));
        }
        if text.starts_with('/') {
            return Err(refused(text, "only relative paths"));
        }
        let names: Vec<&str> = text.split('/').collect();
        if names.len() > DEPTH {
            return Err(refused(text, "too many folders in each other"));
        }
        for name in names {
            check_name(name).map_err(|problem| refused(text, problem))?;
            if name.starts_with('.') {
                let reason = format!("{name}: names that begin with a dot belong to programs");
                return Err(Refusal::Forbidden.because(reason));
            }
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for SafePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Two names that fold to the same are one file on some systems.
pub(crate) fn fold(name: &str) -> String {
    let lower: String = name.nfkc().flat_map(char::to_lowercase).collect();
    // Lower case can leave a letter and its mark apart again.
    lower.nfkc().collect()
}

fn refused(path: &str, problem: &str) -> LibraryError {
    // Invisible characters would garble the message.
    let shown: String = path.chars().flat_map(shown).collect();
    Refusal::InvalidPath.because(format!("{shown}: {problem}"))
}

/// Says what is wrong with a name that cannot be shown as it is: a reader could not tell it from another.
pub(crate) fn check_visible(name: &str) -> std::result::Result<(), &'static str> {
    if name.chars().any(char::is_control) {
        return Err("a control character in the name");
    }
    match name.chars().any(invisible) {
        true => Err("an invisible character in the name"),
        false => Ok(()),
    }
}

/// A character of a name, or its number where it cannot be seen.
pub(crate) fn shown(c: char) -> Vec<char> {
    match c.is_control() || invisible(c) {
        true => c.escape_unicode().collect(),
        false => vec![c],
    }
}

fn check_name(name: &str) -> std::result::Result<(), &'static str> {
    if name.is_empty() {
        return Err("a name in it is empty");
    }
    if name == "." || name == ".." {
        return Err("no . or .. in a path");
    }
    if name.len() > NAME_BYTES {
        return Err("a name in it is too long");
    }
    // Besides drives (`C:`) and servers (`\\host`), a colon names a second stream of a file.
    if name.contains(['\\', ':', '<', '>', '"', '|', '?', '*']) {
        return Err("one of \\ : < > \" | ? * in a name");
    }
    if name.starts_with(char::is_whitespace) || name.ends_with(char::is_whitespace) {
        return Err("a space at the edge of a name");
    }
    if name.ends_with('.') {
        return Err("a dot at the end of a name");
    }
    if name.starts_with('~') {
        return Err("a name begins with ~");
    }
    let folded = fold(name);
    // A later program may decode it.
    if ["%2e", "%2f", "%5c", "%00"].iter().any(|it| folded.contains(it)) {
        return Err("an escaped character in a name");
    }
    let stem = folded.split('.').next().unwrap_or_default().trim_end();
    if is_device(stem) {
        return Err("a name that Windows keeps for a device");
    }
    // `SYSTEM~1` is another name of `.system` on a file system that still makes short ones.
    if stem.len() <= 8
        && let Some((_, number)) = stem.rsplit_once('~')
        && !number.is_empty()
        && number.bytes().all(|it| it.is_ascii_digit())
    {
        return Err("a short name of Windows");
    }
    Ok(())
}

/// Takes the folded part before the first dot.
fn is_device(stem: &str) -> bool {
    let numbered = |kind: &str| {
        stem.strip_prefix(kind)
            .is_some_and(|number| number.len() == 1 && number.bytes().all(|b| b.is_ascii_digit()))
    };
    matches!(stem, "con" | "prn" | "aux" | "nul" | "conin$" | "conout$")
        || numbered("com")
        || numbered("lpt")
}

/// Whether a name is, or could be taken for, the program's own folder.
pub(crate) fn is_system(name: &str) -> bool {
    let plain = |it: char| match it {
        it if dot(it) => Some('.'),
        it if invisible(it) || it.is_control() => None,
        it => Some(it),
    };
    let seen: String = name.chars().filter_map(plain).collect();
    let seen: String = fold(&seen).chars().map(letter).collect();
    let first = seen.split(':').next().unwrap_or_default();
    first.trim_end_matches(['.', ' ']).trim_start() == SYSTEM
}
