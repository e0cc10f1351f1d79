//! Settings, declared once, in the crate that reads them.
//!
//! [`settings!`] takes name, default, range and comment of each setting and makes a plain struct of
//! them, with serde and `Default`. The same declaration describes the section ([`Section::fields`]):
//! the default file ([`document()`]), the check of a given value ([`Field::admit`]) and the help all come
//! from it. [`sections!`] puts the sections of all crates together.

mod declare;
mod document;
mod field;
mod rule;
mod secret;

pub use document::{English, Wording, document};
pub use field::{Field, Removed, values};
pub use rule::{Number, Rule};
pub use secret::{Secret, without_password};

use std::ops::RangeInclusive;

use serde::Serialize;

/// A group of settings that one crate reads.
pub trait Section: Serialize + Default {
    /// What the section is about, line by line.
    const ABOUT: &'static [&'static str];

    /// Its settings: the common ones, then those for experts.
    fn fields() -> Vec<Field>;

    /// Names that once were settings of this section.
    fn removed() -> Vec<Removed>;

    /// The range of a whole number, for a flag that overrides the setting.
    ///
    /// # Panics
    ///
    /// If the section has no whole number of that name.
    fn range(name: &str) -> RangeInclusive<i64> {
        let field = Self::fields().into_iter().find(|field| field.name == name);
        match field.map(|field| field.rule) {
            Some(Rule::Whole(range)) => range,
            _ => panic!("`{name}` is not a whole number of this section"),
        }
    }

    /// Says which value lies outside its range, for callers that build a section in code.
    fn check(&self) -> Result<(), OutOfRange> {
        let values = values(self);
        for field in Self::fields() {
            let given = &values[field.name];
            if let Err(expected) = field.admit(given, false) {
                let given = if field.secret { Secret::MASK.to_owned() } else { given.to_string() };
                return Err(OutOfRange { name: field.name, expected, given });
            }
        }
        Ok(())
    }
}

/// A value that its declaration does not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutOfRange {
    pub name: &'static str,
    pub expected: String,
    pub given: String,
}

/// A section under its name in the configuration.
#[derive(Debug, Clone)]
pub struct NamedSection {
    pub name: &'static str,
    pub about: &'static [&'static str],
    pub fields: Vec<Field>,
    pub removed: Vec<Removed>,
}

impl NamedSection {
    pub fn of<S: Section>(name: &'static str) -> Self {
        Self { name, about: S::ABOUT, fields: S::fields(), removed: S::removed() }
    }
}
