//! What a file in `sources/` says about an API.

use std::collections::BTreeMap;

use serde::Deserialize;
use url::Url;

use crate::academic::Scheme;
use crate::asking::ApiLimits;
use crate::query::Category;
use crate::topics::Topic;

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
    /// What it knows about: a search asks it when its question is about one of these.
    #[serde(default)]
    pub topics: Vec<Topic>,
    /// The languages of questions it is good for; empty: all.
    #[serde(default)]
    pub languages: Vec<String>,
    /// It tells about one work by its DOI, and cannot search.
    #[serde(default)]
    pub(super) by_doi: bool,
    /// It is the register of DOIs: asked whether one exists, and never for copies of papers.
    #[serde(default)]
    pub(super) registers_dois: bool,
    /// How works are asked for by their names or their titles.
    #[serde(default)]
    pub(super) lookup: Option<Lookup>,
    pub(super) request: Request,
    #[serde(default)]
    pub(super) words: QueryWords,
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

/// Works by what they are called, many in one request.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lookup {
    /// The parameter that takes the names.
    pub(super) parameter: String,
    /// How one name is written, by its scheme; `{value}` is the name.
    pub(super) names: BTreeMap<Scheme, String>,
    pub(super) between: String,
    /// Names of one request.
    #[serde(default = "ten")]
    pub(super) most: usize,
    /// Names with one of these letters cannot be asked for.
    #[serde(default)]
    pub(super) unless: String,
    /// How a work is asked for by what a reference says of it.
    #[serde(default)]
    pub(super) title: Option<TitleLookup>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TitleLookup {
    pub(super) parameter: String,
    /// `{title}` is the title without what is syntax somewhere.
    pub(super) written: String,
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

/// How the words of a query are written, for an API that wants all of them in a record or has a syntax of its own.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct QueryWords {
    /// Words of a question that are asked for when a search chooses the API; 0: the question as it is.
    pub(super) most: usize,
    /// One word; `{word}` is the word.
    pub(super) each: String,
    pub(super) between: String,
}

impl Default for QueryWords {
    fn default() -> Self {
        Self { most: 0, each: "{word}".to_owned(), between: " ".to_owned() }
    }
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
    /// What says that there is nothing, where that is no empty list.
    #[serde(default)]
    pub(super) nothing: Vec<NothingSign>,
    /// Statuses that say the same.
    #[serde(default)]
    pub(super) nothing_statuses: Vec<u16>,
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
pub(super) struct NothingSign {
    pub(super) at: Path,
    pub(super) values: Vec<String>,
}

/// What makes a record a scholarly work.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PaperFields {
    /// Identifiers by their scheme: `doi`, `pmid`, `pmcid`, `arxiv`. Values that are none are passed over.
    pub(super) names: BTreeMap<Scheme, Path>,
    /// The list of authors, and the name of one.
    #[serde(default)]
    pub(super) authors: Option<Path>,
    #[serde(default)]
    pub(super) author: Option<Expression>,
    #[serde(default)]
    pub(super) venue: Option<Expression>,
    #[serde(default, rename = "abstract")]
    pub(super) abstract_text: Option<Expression>,
    #[serde(default)]
    pub(super) citations: Option<Path>,
    #[serde(default)]
    pub(super) references: Option<Path>,
    /// A copy that anybody may read.
    #[serde(default)]
    pub(super) open_access: Option<Expression>,
    /// Values that say the work was retracted.
    #[serde(default)]
    pub(super) retracted: Vec<NothingSign>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fields {
    pub(super) title: Expression,
    /// An address, or a template of one.
    pub(super) url: Expression,
    #[serde(default)]
    pub(super) snippet: Option<Expression>,
    /// What the API says of it whole, where that is what one would read on its page: it is read instead.
    #[serde(default)]
    pub(super) text: Option<Expression>,
    #[serde(default)]
    pub(super) paper: Option<PaperFields>,
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

    /// Where its key is to be had.
    pub fn key_hint(&self) -> Option<&str> {
        self.key.as_ref().map(|it| it.get_it.as_str())
    }

    /// Whether its records are scholarly works.
    pub fn lists_works(&self) -> bool {
        self.fields.paper.is_some()
    }

    /// Whether it tells about works by their DOI, and cannot search.
    pub fn is_by_doi(&self) -> bool {
        self.by_doi
    }

    /// Whether it says of any DOI if there is one.
    pub fn is_register_of_dois(&self) -> bool {
        self.registers_dois
    }

    /// Whether it can be asked for works by names of a scheme.
    pub fn looks_up(&self, scheme: Scheme) -> bool {
        self.lookup.as_ref().is_some_and(|it| it.names.contains_key(&scheme))
    }

    /// Whether it can be asked for a work by its title.
    pub fn looks_up_titles(&self) -> bool {
        self.lookup.as_ref().is_some_and(|it| it.title.is_some())
    }

    /// Its requests a day; `None`: no limit.
    pub fn requests_a_day(&self) -> Option<u32> {
        Some(self.limits.per_day).filter(|it| *it > 0)
    }

    /// Where it is asked.
    pub fn address(&self) -> &Url {
        &self.request.url
    }

    /// Whether it is good for a question in a language; `None` is any.
    pub fn speaks(&self, language: Option<&str>) -> bool {
        let Some(language) = language else { return true };
        self.languages.is_empty() || self.languages.iter().any(|it| it == language)
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
        if !self.words.each.contains("{word}") {
            return wrong("words.each", format!("`{}` has no {{word}}", self.words.each));
        }
        if self.by_doi != self.request.url.path().contains(DOI_IN_PATH) {
            let problem = "`by_doi` goes with `{doi}` in the path of the address".to_owned();
            return wrong("request.url", problem);
        }
        if self.registers_dois && !self.by_doi {
            return wrong("registers_dois", "it goes with `by_doi`".to_owned());
        }
        if let Some(lookup) = &self.lookup {
            if lookup.most == 0 || lookup.most > self.request.max_limit {
                let problem = format!("it is not from 1 to {}", self.request.max_limit);
                return wrong("lookup.most", problem);
            }
            if let Some(bad) = lookup.names.values().find(|it| !it.contains("{value}")) {
                return wrong("lookup.names", format!("`{bad}` has no {{value}}"));
            }
            let title = lookup.title.as_ref().map(|it| &it.written);
            if let Some(bad) = title.filter(|it| !it.contains("{title}")) {
                return wrong("lookup.title", format!("`{bad}` has no {{title}}"));
            }
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

/// `{doi}` in the path of an address, as addresses write it.
pub(super) const DOI_IN_PATH: &str = "%7Bdoi%7D";

/// What a parameter can be made of; ` | ` stands between alternatives, of which the first with all its values counts.
pub(super) const PLACEHOLDERS: [&str; 9] =
    ["text", "from", "until", "language", "limit", "page", "position", "cursor", "day"];

/// The names in the braces of a template.
pub(super) fn placeholders(template: &str) -> impl Iterator<Item = &str> {
    template.split('{').skip(1).filter_map(|it| it.split_once('}')).map(|it| it.0)
}
