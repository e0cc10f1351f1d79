//! An engine as its file declares it, checked and ready for use.
//!
//! Everything that differs between engines is data: where and how to ask, what a result looks like, what a block looks
//! like, what it understands, how often it may be asked.

mod parts;

use std::sync::Arc;
use std::time::Duration;

use fetch::Limits;
use serde::{Deserialize, Serialize};

use crate::Category;
use crate::operators::Operators;

pub(crate) use self::parts::{Blocked, Redirect, Request, Results, Signs, Time, Way};
use self::parts::{BlockedFile, LimitsFile, ResultsFile, SignsFile};

/// The most requests a second an engine may declare.
pub const MAX_PER_SECOND: f64 = 0.25;

/// A web search engine.
#[derive(Debug, Clone)]
pub struct Engine {
    pub name: String,
    pub title: String,
    /// How much it is worth before anything is learned about it.
    pub weight: f64,
    /// Whether its layout was ever held against a page that it really sent.
    pub checked: Checked,
    pub categories: Vec<Category>,
    /// The languages it is good for; empty: all.
    pub languages: Vec<String>,
    /// Asked only when the others gave too little.
    pub last_mile: bool,
    pub limits: Limits,
    pub operators: Operators,
    pub(crate) request: Request,
    pub(crate) results: Results,
    pub(crate) redirects: Vec<Redirect>,
    pub(crate) no_results: Signs,
    pub(crate) blocked: Blocked,
    /// Its file as it was read, for a process that reads its pages.
    pub(crate) declaration: Arc<str>,
}

/// What the declared layout of an engine was held against.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Checked {
    /// A page that it sent.
    Page,
    /// A page that it sent before its layout changed.
    Earlier,
    /// A page of its own in another form, such as the one that scripts build.
    Relative,
    /// Nothing: the layout is written after what is known of it.
    #[default]
    Never,
}

/// Why a file declares no engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeclarationError {
    #[error("line {line}: {problem}")]
    Form { line: usize, problem: String },
    #[error("`{selector}` in {field} is not a selector that is understood: {problem}")]
    Selector { field: &'static str, selector: String, problem: String },
    #[error("{field} = {value} {problem}")]
    Value { field: &'static str, value: String, problem: &'static str },
}

impl DeclarationError {
    fn form(text: &str, error: &toml::de::Error) -> Self {
        let before = error.span().and_then(|it| text.get(..it.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        Self::Form { line, problem: error.message().to_owned() }
    }
}

impl Engine {
    /// Reads a declaration; `name` is the name of its file.
    pub fn parse(name: &str, text: &str) -> Result<Self, DeclarationError> {
        let file: File = toml::from_str(text).map_err(|it| DeclarationError::form(text, &it))?;
        file.check(name)?;
        let limits = Limits {
            concurrent: 1,
            spacing: (
                seconds(file.limits.spacing_seconds[0]),
                seconds(file.limits.spacing_seconds[1]),
            ),
            per_second: file.limits.per_second,
            per_day: Some(file.limits.per_day),
        };
        Ok(Self {
            name: name.to_owned(),
            title: file.title,
            weight: file.weight,
            checked: file.checked,
            categories: file.categories,
            languages: file.languages,
            last_mile: file.last_mile,
            limits,
            operators: file.operators,
            request: file.request,
            results: file.results.compile()?,
            redirects: file.redirect,
            no_results: Signs::compile(
                "no_results",
                file.no_results.selectors,
                file.no_results.texts,
                Vec::new(),
            )?,
            blocked: file.blocked.compile()?,
            declaration: text.into(),
        })
    }

    /// Whether it is good for a language; `None` is any.
    pub fn speaks(&self, language: Option<&str>) -> bool {
        let Some(language) = language else { return true };
        self.languages.is_empty() || self.languages.iter().any(|it| it == language)
    }
}

fn seconds(seconds: f64) -> Duration {
    Duration::from_millis((seconds * 1000.0) as u64)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: String,
    weight: f64,
    #[serde(default)]
    checked: Checked,
    categories: Vec<Category>,
    #[serde(default)]
    languages: Vec<String>,
    #[serde(default)]
    last_mile: bool,
    request: Request,
    results: ResultsFile,
    #[serde(default)]
    redirect: Vec<Redirect>,
    #[serde(default)]
    no_results: SignsFile,
    #[serde(default)]
    blocked: BlockedFile,
    operators: Operators,
    limits: LimitsFile,
}

impl File {
    fn check(&self, name: &str) -> Result<(), DeclarationError> {
        let wrong =
            |field, value: String, problem| Err(DeclarationError::Value { field, value, problem });
        let usable = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_';
        if name.is_empty() || !name.chars().all(usable) {
            return wrong("name", format!("\"{name}\""), "has letters other than a-z, 0-9 and _");
        }
        if !(self.weight > 0.0 && self.weight <= 1.0) {
            return wrong("weight", self.weight.to_string(), "is not above 0 and up to 1");
        }
        if !(self.limits.per_second > 0.0 && self.limits.per_second <= MAX_PER_SECOND) {
            return wrong(
                "limits.per_second",
                self.limits.per_second.to_string(),
                "is not above 0 and up to 0.25",
            );
        }
        let [from, to] = self.limits.spacing_seconds;
        if !(from >= 0.0 && from <= to && to <= 3600.0) {
            return wrong(
                "limits.spacing_seconds",
                format!("[{from}, {to}]"),
                "is not a span of up to 3600 seconds",
            );
        }
        let address =
            self.request.address(None).filter(|it| matches!(it.scheme(), "http" | "https"));
        if address.is_none() {
            return wrong(
                "request.url",
                format!("\"{}\"", self.request.url),
                "is not an address on the web, or has no value for `other` languages",
            );
        }
        if !self.request.parameters.values().any(|it| it.contains("{query}")) {
            return wrong("request.parameters", "{..}".to_owned(), "has no place for the {query}");
        }
        Ok(())
    }
}
