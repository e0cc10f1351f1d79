//! A section as clients name it: `manual/path/file.md#L12`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::paths::{check_visible, shown};
use crate::{LibraryError, Refusal};

/// A file of a manual, or the section of it that begins at a line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SectionRef {
    pub manual: String,
    /// Relative to the folder of the manual, with `/` between folders.
    pub path: String,
    /// The first line of the section, counted from 1; `None` is the whole file.
    pub line: Option<u32>,
}

impl fmt::Display for SectionRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.manual, self.path)?;
        self.line.map_or(Ok(()), |line| write!(f, "#L{line}"))
    }
}

impl FromStr for SectionRef {
    type Err = LibraryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let place = Self::split(text)?;
        place.check()?;
        Ok(place)
    }
}

impl SectionRef {
    /// Takes a reference apart without judging where it leads.
    fn split(text: &str) -> Result<Self, LibraryError> {
        let (file, line) = match text.rsplit_once("#L") {
            // A file may have such a mark in its name.
            Some((_, rest)) if rest.contains('.') => (text, None),
            Some((file, line)) => (file, Some(line.parse().map_err(|_| no_place(text))?)),
            None => (text, None),
        };
        let (manual, path) = file.split_once('/').unwrap_or((file, ""));
        Ok(Self { manual: manual.to_owned(), path: path.to_owned(), line })
    }

    /// Refuses what does not name a file plainly below the folder of a manual.
    pub(crate) fn check(&self) -> Result<(), LibraryError> {
        if !self.manual.is_empty() || !self.path.is_empty() {
            check_path(&self.manual)?;
        }
        if self.path.is_empty() {
            return Err(no_place(&self.manual));
        }
        check_path(&self.path)
    }
}

fn no_place(text: &str) -> LibraryError {
    Refusal::InvalidParameter.because(format!("no place in a manual: {text}"))
}

/// Refuses paths that are not plainly below the folder they are relative to. Files with a colon or a backslash in
/// their names can be read where a system allows such names; a path that leads somewhere else on another is refused.
pub(crate) fn check_path(path: &str) -> Result<(), LibraryError> {
    let plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    let drive = path.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
        && path
            .get(1..)
            .is_some_and(|it| it == ":" || it.starts_with(":/") || it.starts_with(":\\"));
    let leads_on = path.starts_with('\\') || path.split(['/', '\\']).any(|it| it == "..");
    if path.split('/').all(plain) && !drive && !leads_on && check_visible(path).is_ok() {
        return Ok(());
    }
    let shown: String = path.chars().flat_map(shown).collect();
    Err(Refusal::InvalidPath.because(format!("not a relative path below the manuals: {shown}")))
}

impl Serialize for SectionRef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SectionRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Where it leads is judged when it is followed, so that the answer has the code of the refusal, and a name
        // that an older version took does not spoil a whole trace.
        Self::split(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_is_written() {
        for text in [
            "hr/rules.md#L12",
            "hr/a/b c/規程.md",
            "it/x#y.json#L1",
            "it/x#L5.md",
            "it/x#L5.md#L7",
            "hr/Policy: leave.md#L1",
            "hr/a\\b.md",
        ] {
            assert_eq!(text.parse::<SectionRef>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn places_outside_the_manuals_are_refused() {
        for text in [
            "hr/../x.md",
            "../x.md",
            "/etc/passwd",
            "hr//x.md",
            "..",
            "hr/a\\..\\b.md",
            "hr/\\\\host/b.md",
            "hr/a\nb.md",
            "hr/./x.md",
            "c:/x.md",
        ] {
            assert_eq!(
                text.parse::<SectionRef>().unwrap_err().code(),
                Some("invalid_path"),
                "{text}"
            );
        }
        for text in ["hr", "", "hr/x.md#L", "hr/x.md#Lx", "hr/x.md#L-1"] {
            assert_eq!(
                text.parse::<SectionRef>().unwrap_err().code(),
                Some("invalid_parameter"),
                "{text}"
            );
        }
    }
}
