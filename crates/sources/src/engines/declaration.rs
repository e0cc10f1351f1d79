//! An engine as its file declares it, checked and ready for use.
//!
//! Everything that differs between engines is data: where and how to ask, what a result looks like, what a block looks
//! like, what it understands, how often it may be asked.

use std::collections::BTreeMap;
use std::time::Duration;

use fetch::Limits;
use scraper::Selector;
use serde::Deserialize;

use crate::Category;
use crate::operators::Operators;

/// The most requests a second an engine may declare.
pub const MAX_PER_SECOND: f64 = 0.25;

/// A web search engine.
#[derive(Debug, Clone)]
pub struct Engine {
    pub name: String,
    pub title: String,
    /// How much it is worth before anything is learned about it.
    pub weight: f64,
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
}

/// Why a file declares no engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeclarationError {
    #[error("line {line}: {problem}")]
    Form { line: usize, problem: String },
    #[error("`{selector}` in {field} is not a CSS selector: {problem}")]
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

/// How the engine is asked. Values are templates; see `engines/request.rs` for what they may contain.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Request {
    #[serde(default)]
    pub(crate) method: Way,
    pub(crate) url: String,
    pub(crate) parameters: BTreeMap<String, String>,
    pub(crate) paging: Option<Paging>,
    #[serde(default)]
    pub(crate) headers: BTreeMap<String, String>,
    /// By language, what the placeholders of that language become; `other` for those not named.
    #[serde(default)]
    pub(crate) languages: BTreeMap<String, BTreeMap<String, String>>,
    pub(crate) time: Option<Time>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Way {
    #[default]
    Get,
    Post,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Paging {
    pub(crate) parameter: String,
    pub(crate) first: u32,
    pub(crate) step: u32,
}

/// How a span of time is asked for.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum Time {
    /// From a day to a day.
    Range { range: String },
    /// Only "the last week" and the like: the smallest step that covers the span.
    Steps { steps: Vec<Step> },
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    pub(crate) days: i64,
    pub(crate) value: String,
}

/// A link of the engine's own that carries the address of the result.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Redirect {
    pub(crate) host: String,
    pub(crate) path: String,
    pub(crate) parameter: String,
    /// The address is in base64 (for URLs) behind these letters.
    pub(crate) base64_after: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ResultsFile {
    block: Vec<String>,
    #[serde(default)]
    following: usize,
    title: Vec<String>,
    #[serde(default)]
    snippet: Vec<String>,
    #[serde(default)]
    shown: Vec<String>,
    #[serde(default)]
    date: Vec<String>,
    #[serde(default)]
    date_after: Vec<String>,
    #[serde(default)]
    advert: Vec<String>,
    #[serde(default)]
    advert_links: Vec<String>,
}

/// What a result looks like. Each list is tried in order; the first that finds something counts.
#[derive(Debug, Clone)]
pub(crate) struct Results {
    pub(crate) block: Vec<Selector>,
    /// Elements after the block that still belong to its result.
    pub(crate) following: usize,
    pub(crate) title: Vec<Selector>,
    pub(crate) snippet: Vec<Selector>,
    /// The address as it is shown to people.
    pub(crate) shown: Vec<Selector>,
    pub(crate) date: Vec<Selector>,
    /// The date stands behind the last of these.
    pub(crate) date_after: Vec<String>,
    /// A block that is one, stands in one or has one is paid for.
    pub(crate) advert: Vec<Selector>,
    pub(crate) advert_links: Vec<String>,
}

impl ResultsFile {
    fn compile(self) -> Result<Results, DeclarationError> {
        if self.block.is_empty() {
            let problem = "names nothing";
            return Err(DeclarationError::Value {
                field: "results.block",
                value: "[]".to_owned(),
                problem,
            });
        }
        Ok(Results {
            block: selectors("results.block", self.block)?,
            following: self.following,
            title: selectors("results.title", self.title)?,
            snippet: selectors("results.snippet", self.snippet)?,
            shown: selectors("results.shown", self.shown)?,
            date: selectors("results.date", self.date)?,
            date_after: self.date_after,
            advert: selectors("results.advert", self.advert)?,
            advert_links: self.advert_links,
        })
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SignsFile {
    selectors: Vec<String>,
    texts: Vec<String>,
}

/// What gives a kind of page away.
#[derive(Debug, Clone)]
pub(crate) struct Signs {
    pub(crate) selectors: Vec<Selector>,
    /// In lower case.
    pub(crate) texts: Vec<String>,
    /// Parts of the page's address.
    pub(crate) urls: Vec<String>,
}

impl Signs {
    fn compile(
        field: &'static str,
        css: Vec<String>,
        texts: Vec<String>,
        urls: Vec<String>,
    ) -> Result<Self, DeclarationError> {
        let texts = texts.into_iter().map(|it| it.to_lowercase()).collect();
        Ok(Self { selectors: selectors(field, css)?, texts, urls })
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct BlockedFile {
    statuses: Vec<u16>,
    selectors: Vec<String>,
    texts: Vec<String>,
    urls: Vec<String>,
    busy_texts: Vec<String>,
    script_selectors: Vec<String>,
    script_texts: Vec<String>,
    consent_selectors: Vec<String>,
    consent_urls: Vec<String>,
}

/// How the engine turns programs away.
#[derive(Debug, Clone)]
pub(crate) struct Blocked {
    /// Statuses that mean a challenge beside those that say so themselves.
    pub(crate) statuses: Vec<u16>,
    pub(crate) challenge: Signs,
    /// Words that ask for a pause.
    pub(crate) busy: Vec<String>,
    pub(crate) script: Signs,
    pub(crate) consent: Signs,
}

impl BlockedFile {
    fn compile(self) -> Result<Blocked, DeclarationError> {
        Ok(Blocked {
            statuses: self.statuses,
            challenge: Signs::compile("blocked.selectors", self.selectors, self.texts, self.urls)?,
            busy: self.busy_texts.into_iter().map(|it| it.to_lowercase()).collect(),
            script: Signs::compile(
                "blocked.script_selectors",
                self.script_selectors,
                self.script_texts,
                Vec::new(),
            )?,
            consent: Signs::compile(
                "blocked.consent_selectors",
                self.consent_selectors,
                Vec::new(),
                self.consent_urls,
            )?,
        })
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LimitsFile {
    per_second: f64,
    spacing_seconds: [f64; 2],
    per_day: u32,
}

fn selectors(field: &'static str, texts: Vec<String>) -> Result<Vec<Selector>, DeclarationError> {
    let compile = |text: String| {
        Selector::parse(&text).map_err(|it| {
            let problem = it.to_string();
            DeclarationError::Selector { field, selector: text.clone(), problem }
        })
    };
    texts.into_iter().map(compile).collect()
}
