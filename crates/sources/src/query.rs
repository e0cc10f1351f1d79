//! A query to a source.

use serde::{Deserialize, Serialize};

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
