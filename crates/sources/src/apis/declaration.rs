//! What a file in `sources/` says about an API.

use std::collections::BTreeMap;

use serde::Deserialize;
use url::Url;

use crate::asking::ApiLimits;
use crate::query::Category;

use super::path::{Expression, Path};

/// An API as its file declares it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Api {
    /// Short, for settings and the ledger: `egov_law`.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// Where its documentation is.
    pub documentation: String,
    #[serde(default)]
    pub categories: Vec<Category>,
    pub(super) request: Request,
    #[serde(default)]
    pub(super) key: Option<Key>,
    #[serde(default)]
    pub(super) paging: Paging,
    #[serde(default)]
    pub(super) limits: ApiLimits,
    pub(super) answer: Answer,
    pub(super) fields: Fields,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    pub(super) url: Url,
    #[serde(default)]
    pub(super) format: Format,
    #[serde(default)]
    pub(super) headers: BTreeMap<String, String>,
    /// A parameter whose template lacks a value is left out.
    #[serde(default)]
    pub(super) parameters: toml::Table,
    /// How `{from}`, `{until}` and `{day}` are written.
    #[serde(default = "iso_day")]
    pub(super) date_format: String,
    /// What `{language}` is where the query names none.
    #[serde(default)]
    pub(super) language: Option<String>,
    /// The largest `{limit}` the API allows.
    #[serde(default = "ten")]
    pub(super) max_limit: usize,
}

fn iso_day() -> String {
    "%Y-%m-%d".to_owned()
}

fn ten() -> usize {
    10
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Format {
    #[default]
    Json,
    Xml,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Key {
    /// Its name in the settings.
    pub(super) name: String,
    #[serde(default)]
    pub(super) parameter: Option<String>,
    #[serde(default)]
    pub(super) header: Option<String>,
    #[serde(default)]
    pub(super) required: bool,
    /// Where a person gets one.
    pub(super) get_it: String,
}

/// How to get the next page of results.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", deny_unknown_fields)]
pub(super) enum Paging {
    #[default]
    None,
    /// `{page}` counts pages.
    Page {
        #[serde(default = "one")]
        first: u64,
    },
    /// `{position}` is the place of the first record; the answer says the next one at `next`, or it is counted.
    Position {
        #[serde(default)]
        first: u64,
        #[serde(default)]
        next: Option<Path>,
    },
    /// `{cursor}` is a word the answer gives.
    Cursor {
        #[serde(default)]
        first: Option<String>,
        next: Path,
    },
    /// `{day}`: the API knows only days; they are asked one by one, the newest first.
    Days {
        /// Days that are asked where the query names none.
        default_days: u32,
        max_days: u32,
        utc_offset_hours: i8,
    },
}

fn one() -> u64 {
    1
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Answer {
    pub(super) records: Path,
    #[serde(default)]
    pub(super) total: Option<Path>,
    /// Errors inside answers with status 200.
    #[serde(default)]
    pub(super) errors: Vec<ErrorSign>,
    /// The API cannot search: a record must have every word of the query in one of these.
    #[serde(default)]
    pub(super) words_in: Vec<Path>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ErrorSign {
    pub(super) at: Path,
    /// Values that mean no error. Without any, the field itself is the error.
    #[serde(default)]
    pub(super) fine: Vec<String>,
    #[serde(default)]
    pub(super) message: Option<Path>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fields {
    pub(super) title: Expression,
    /// An address, or a template of one.
    pub(super) url: Expression,
    #[serde(default)]
    pub(super) snippet: Option<Expression>,
    #[serde(default)]
    pub(super) date: Option<Expression>,
    /// How dates are written; ISO where nothing is said.
    #[serde(default)]
    pub(super) date_formats: Vec<String>,
    #[serde(default)]
    pub(super) identifiers: BTreeMap<String, Expression>,
    #[serde(default)]
    pub(super) extra: BTreeMap<String, Expression>,
}

/// Why a file declares no API.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ApiDeclarationError {
    #[error("{0}")]
    Toml(String),
    #[error("{field}: {problem}")]
    Field { field: &'static str, problem: String },
}

impl Api {
    pub fn parse(text: &str) -> Result<Self, ApiDeclarationError> {
        let api: Self = toml::from_str(text)
            .map_err(|error| ApiDeclarationError::Toml(error.message().to_owned()))?;
        api.check()?;
        Ok(api)
    }

    /// The name of the key it takes, and whether it cannot be asked without.
    pub fn key(&self) -> Option<(&str, bool)> {
        self.key.as_ref().map(|it| (it.name.as_str(), it.required))
    }

    fn check(&self) -> Result<(), ApiDeclarationError> {
        let wrong = |field, problem: String| Err(ApiDeclarationError::Field { field, problem });
        let named = |name: &str| {
            !name.is_empty()
                && name
                    .bytes()
                    .all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_')
        };
        if !named(&self.name) {
            return wrong(
                "name",
                format!("`{}` is not of small letters, digits and `_`", self.name),
            );
        }
        if !matches!(self.request.url.scheme(), "http" | "https") {
            return wrong("request.url", format!("`{}` is not on the web", self.request.url));
        }
        if self.request.max_limit == 0 {
            return wrong("request.max_limit", "0 results cannot be asked for".to_owned());
        }
        for (name, value) in &self.request.parameters {
            let Some(template) = value.as_str() else {
                return wrong("request.parameters", format!("`{name}` is no text"));
            };
            let unknown = placeholders(template).find(|it| !PLACEHOLDERS.contains(it));
            if let Some(unknown) = unknown {
                let known = PLACEHOLDERS.join(", ");
                return wrong(
                    "request.parameters",
                    format!("`{{{unknown}}}` in `{name}` is none of {known}"),
                );
            }
        }
        if let Some(key) = &self.key
            && key.parameter.is_some() == key.header.is_some()
        {
            return wrong("key", "it is sent either as a parameter or in a header".to_owned());
        }
        if let Paging::Days { default_days, max_days, .. } = self.paging
            && !(1..=max_days).contains(&default_days)
        {
            return wrong(
                "paging.default_days",
                format!("{default_days} is not from 1 to {max_days}"),
            );
        }
        let limits = &self.limits;
        if !(limits.per_second > 0.0 && limits.per_second <= 10.0) || limits.concurrent == 0 {
            return wrong(
                "limits",
                "from just above 0 to 10 requests a second, at least 1 at a time".to_owned(),
            );
        }
        Ok(())
    }
}

/// What a parameter can be made of.
pub(super) const PLACEHOLDERS: [&str; 9] =
    ["text", "from", "until", "language", "limit", "page", "position", "cursor", "day"];

/// The names in the braces of a template.
pub(super) fn placeholders(template: &str) -> impl Iterator<Item = &str> {
    template.split('{').skip(1).filter_map(|it| it.split_once('}')).map(|it| it.0)
}
