//! The parts of a declaration: as they are written, and as they are used.

use std::collections::BTreeMap;

use extract::select::Selector;
use serde::Deserialize;

use super::DeclarationError;

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
pub(super) struct ResultsFile {
    pub(super) block: Vec<String>,
    #[serde(default)]
    pub(super) following: usize,
    pub(super) title: Vec<String>,
    #[serde(default)]
    pub(super) snippet: Vec<String>,
    #[serde(default)]
    pub(super) shown: Vec<String>,
    #[serde(default)]
    pub(super) date: Vec<String>,
    #[serde(default)]
    pub(super) date_after: Vec<String>,
    #[serde(default)]
    pub(super) advert: Vec<String>,
    #[serde(default)]
    pub(super) advert_links: Vec<String>,
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
    /// The date follows the last of these.
    pub(crate) date_after: Vec<String>,
    /// A block that is one of these, is inside one or holds one is an advert.
    pub(crate) advert: Vec<Selector>,
    pub(crate) advert_links: Vec<String>,
}

impl ResultsFile {
    pub(super) fn compile(self) -> Result<Results, DeclarationError> {
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
pub(super) struct SignsFile {
    pub(super) selectors: Vec<String>,
    pub(super) texts: Vec<String>,
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
    pub(super) fn compile(
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
pub(super) struct BlockedFile {
    pub(super) statuses: Vec<u16>,
    pub(super) selectors: Vec<String>,
    pub(super) texts: Vec<String>,
    pub(super) urls: Vec<String>,
    pub(super) busy_texts: Vec<String>,
    pub(super) script_selectors: Vec<String>,
    pub(super) script_texts: Vec<String>,
    pub(super) consent_selectors: Vec<String>,
    pub(super) consent_urls: Vec<String>,
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
    pub(super) fn compile(self) -> Result<Blocked, DeclarationError> {
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
pub(super) struct LimitsFile {
    pub(super) per_second: f64,
    pub(super) spacing_seconds: [f64; 2],
    pub(super) per_day: u32,
}

fn selectors(field: &'static str, texts: Vec<String>) -> Result<Vec<Selector>, DeclarationError> {
    let compile = |text: String| {
        Selector::parse(&text).map_err(|error| {
            let problem = error.to_string();
            DeclarationError::Selector { field, selector: text.clone(), problem }
        })
    };
    texts.into_iter().map(compile).collect()
}
