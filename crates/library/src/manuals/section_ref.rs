//! A section as clients name it: `manual/path/file.md#L12`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

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
        let bad = || Refusal::InvalidParameter.because(format!("no place in a manual: {text}"));
        let (file, line) = match text.rsplit_once("#L") {
            Some((file, line)) => (file, Some(line.parse().map_err(|_| bad())?)),
            None => (text, None),
        };
        let (manual, path) = file.split_once('/').ok_or_else(bad)?;
        check_path(manual)?;
        check_path(path)?;
        Ok(Self { manual: manual.to_owned(), path: path.to_owned(), line })
    }
}

/// Refuses paths that are not plainly below the folder they are relative to.
pub(crate) fn check_path(path: &str) -> Result<(), LibraryError> {
    let plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    let odd = |c: char| c.is_control() || matches!(c, '\\' | ':');
    if path.split('/').all(plain) && !path.contains(odd) {
        return Ok(());
    }
    Err(Refusal::InvalidPath.because(format!("not a relative path below the manuals: {path}")))
}

impl Serialize for SectionRef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SectionRef {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_is_written() {
        for text in ["hr/rules.md#L12", "hr/a/b c/規程.md", "it/x#y.json#L1"] {
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
            "hr/a\\b.md",
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
