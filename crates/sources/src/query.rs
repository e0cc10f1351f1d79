//! A query to a source.

use serde::{Deserialize, Serialize};

use crate::period::{self, Period};

/// A search, free of any engine's syntax.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Query {
    pub text: String,
    /// Words that must appear in this order.
    pub phrases: Vec<String>,
    pub required: Vec<String>,
    pub excluded: Vec<String>,
    pub site: Option<String>,
    pub filetype: Option<String>,
    pub in_title: Option<String>,
    /// `2026-01-31`: published on that day or later.
    pub after: Option<String>,
    pub before: Option<String>,
    /// `ja`, `en`.
    pub language: Option<String>,
    pub category: Option<Category>,
    /// Results wanted from each source.
    pub limit: usize,
}

impl Query {
    /// Limited to a period; months and years mean all of their days, which few engines understand.
    #[must_use]
    pub fn within(self, after: Option<String>, before: Option<String>) -> Self {
        let [after, before] = period::whole_days(after, before);
        Self { after, before, ..self }
    }

    /// Whether what was published then is within the period. What has no date may be.
    pub fn admits(&self, date: Option<&str>) -> bool {
        Period::of(self).0.admits(date)
    }
}

/// What field a search belongs to; decides which engines are asked first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    General,
    News,
    Academic,
    Government,
    Technical,
}
