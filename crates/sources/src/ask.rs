//! Asking sources: the one place that does, for searches and for `lyra sources search` alike.
//!
//! Everything that goes over the network is asked at the same time. What became of each source is said in one form,
//! [`SourceReport`]: a source that failed or turned us away never looks like one that knows nothing.

use std::sync::Arc;

use fetch::{FetchFailure, Fetcher, Reason};
use graph::Graph;
use serde::{Deserialize, Serialize};

use crate::academic::Academic;
use crate::apis::{ApiAnswer, Apis};
use crate::asking::AskedBy;
use crate::candidate::Candidate;
use crate::canonical::Canonical;
use crate::engines::{
    EngineAnswer, EngineOutcome, EngineSearch, EngineSettings, Engines, Searched,
};
use crate::outcome::{Failure, SourceOutcome};
use crate::query::Query;
use crate::serp::SerpKind;

/// The sources there are, and what they are asked through.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'a> {
    pub graph: &'a Arc<Graph>,
    pub fetcher: &'a Fetcher,
    pub engines: &'a Engines,
    pub engine_settings: &'a EngineSettings,
    pub academic: &'a Academic,
    pub apis: &'a Apis,
}

/// Which sources are asked.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    pub asked_by: AskedBy,
    /// Web engines.
    pub web: Option<EngineSearch>,
    /// The academic indexes.
    pub academic: bool,
    pub apis: WantedApis,
    /// Asks again for what works lack: abstracts, identifiers, free copies.
    pub complete: bool,
}

/// Which APIs are asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WantedApis {
    /// These, with the query as it is.
    Named(Vec<String>),
    /// Those that know what the question is about, each with the words of it that say the most.
    About { works: bool, records: bool },
}

impl Default for WantedApis {
    fn default() -> Self {
        Self::Named(Vec::new())
    }
}

/// What the sources gave, by kind, and what became of each.
#[derive(Debug, Default)]
pub struct Found {
    /// Web pages, the most promising first.
    pub pages: Vec<Candidate>,
    /// Everything each engine listed, for the record.
    pub listed: Vec<Candidate>,
    /// Scholarly works, as all sources together know them.
    pub works: Vec<Candidate>,
    /// Records of APIs: laws, speeches, statistics.
    pub records: Vec<Candidate>,
    pub reports: Vec<SourceReport>,
}

/// What became of a source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    Found,
    /// It answered, and knows nothing about the query.
    #[default]
    NothingThere,
    /// It turned us away, failed, or its answer could not be read: nobody knows what it has.
    NotLetIn,
    /// It was left out: switched off, resting, without its key, or it does not fit the query.
    NotAsked,
}

/// What became of one source that was asked, or was to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceReport {
    pub source: String,
    /// The query in the words of the source.
    pub query: String,
    pub found: usize,
    /// Rows of earlier versions do not say it; see [`SourceReport::access`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    access: Option<Access>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// It was not asked for want of a key.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lacks_key: bool,
}

impl Sources<'_> {
    /// Asks at the same time what is wanted. A source that fails leaves the others.
    pub async fn ask(&self, query: &Query, wanted: &Wanted) -> graph::Result<Found> {
        let by = wanted.asked_by;
        let (works_of, records_of) = match &wanted.apis {
            WantedApis::Named(names) => {
                let lists_works =
                    |it: &&String| self.apis.get(it).is_some_and(crate::apis::Api::lists_works);
                names.iter().cloned().partition(|it| lists_works(&it))
            }
            WantedApis::About { works, records } => {
                let about = |wanted: bool, lists_works| match wanted {
                    true => self.apis.about(query, lists_works),
                    false => Vec::new(),
                };
                (about(*works, true), about(*records, false))
            }
        };
        let (pages, works, records) = tokio::join!(
            async {
                let search = wanted.web.as_ref()?;
                let settings = self.engine_settings;
                Some(self.engines.search(self.graph, self.fetcher, query, search, settings).await)
            },
            self.works(query, wanted, &works_of, by),
            self.records(query, wanted, &records_of, by),
        );
        let mut found = Found::default();
        if let Some(pages) = pages {
            found.add_pages(query, pages?);
        }
        let (works, reports) = works;
        found.listed.extend(works.iter().map(|it| it.candidate.clone()));
        found.works.extend(works.into_iter().map(|it| it.candidate));
        found.reports.extend(reports);
        for (answer, asked) in records {
            found.reports.push(SourceReport::of_outcome(&answer.outcome, &asked));
            found.listed.extend(answer.records.iter().map(|it| it.candidate.clone()));
            found.records.extend(answer.records.into_iter().map(|it| it.candidate));
        }
        Ok(found)
    }

    /// The academic indexes and the APIs that list works, as one list of works.
    async fn works(
        &self,
        query: &Query,
        wanted: &Wanted,
        apis: &[String],
        by: AskedBy,
    ) -> (Vec<Canonical>, Vec<SourceReport>) {
        let (indexes, others) = tokio::join!(
            async {
                match wanted.academic {
                    true => Some(self.academic.search(self.fetcher, query, by).await),
                    false => None,
                }
            },
            self.records(query, wanted, apis, by),
        );
        let mut reports = Vec::new();
        let mut works = Vec::new();
        if let Some(answer) = indexes {
            reports
                .extend(answer.outcomes.iter().map(|it| SourceReport::of_outcome(it, &query.text)));
            works = answer.works;
        }
        let mut more = Vec::new();
        for (answer, asked) in others {
            reports.push(SourceReport::of_outcome(&answer.outcome, &asked));
            more.extend(answer.records.into_iter().map(|it| it.candidate));
        }
        if !more.is_empty() {
            works = self.academic.with_others(works, more);
        }
        if wanted.complete {
            let lacks = |it: &Canonical| {
                it.candidate.paper.as_ref().is_some_and(|it| it.abstract_text.is_none())
            };
            if wanted.academic && works.iter().any(lacks) {
                let completed = self.academic.complete(self.fetcher, works, by).await;
                let outcomes = completed.outcomes.iter();
                reports.extend(outcomes.map(|it| SourceReport::of_outcome(it, &query.text)));
                works = completed.works;
            }
            let outcomes = self.apis.complete(self.fetcher, &mut works, by).await;
            reports.extend(outcomes.iter().map(|it| SourceReport::of_outcome(it, &query.text)));
        }
        (works, reports)
    }

    /// Each API's answer, and the words it was asked with.
    async fn records(
        &self,
        query: &Query,
        wanted: &Wanted,
        names: &[String],
        by: AskedBy,
    ) -> Vec<(ApiAnswer, String)> {
        let is_question = matches!(wanted.apis, WantedApis::About { .. });
        let answers = match is_question {
            true => self.apis.search_question(self.fetcher, names, query, by).await,
            false => self.apis.search(self.fetcher, names, query, by).await,
        };
        let words = |name: &String| match is_question {
            true => self.apis.words_for(name, query),
            false => query.text.clone(),
        };
        answers.into_iter().zip(names.iter().map(words)).collect()
    }
}

impl Found {
    fn add_pages(&mut self, query: &Query, searched: Searched) {
        // Engines that have no way to limit a period list everything.
        let hits = searched.hits.into_iter().map(|it| it.candidate);
        self.pages.extend(hits.filter(|it| query.admits(it.date.as_deref())));
        for answer in &searched.answers {
            self.listed.extend(answer.results.iter().cloned());
            self.reports.push(SourceReport::of_engine(answer));
        }
        self.reports.extend(searched.left_out.iter().map(|(engine, why)| {
            let why = format!("not asked: {why}");
            SourceReport::not_asked(engine, &query.text, &why)
        }));
    }
}

impl SourceReport {
    /// A source that was asked.
    pub fn new(source: &str, query: &str, found: usize, access: Access) -> Self {
        Self {
            source: source.to_owned(),
            query: query.to_owned(),
            found,
            access: Some(access),
            problem: None,
            notes: Vec::new(),
            lacks_key: false,
        }
    }

    /// A source that gave something or nothing, and why that may not be all.
    pub fn answered(source: &str, query: &str, found: usize, problem: Option<String>) -> Self {
        let access = if found > 0 { Access::Found } else { Access::NothingThere };
        Self { problem, ..Self::new(source, query, found, access) }
    }

    pub fn not_asked(source: &str, query: &str, why: &str) -> Self {
        let problem = Some(why.to_owned());
        Self { problem, ..Self::new(source, query, 0, Access::NotAsked) }
    }

    fn of_engine(answer: &EngineAnswer) -> Self {
        let found = answer.results.len();
        let (access, problem) = match &answer.outcome {
            EngineOutcome::Answered(SerpKind::Results) => (Access::Found, None),
            EngineOutcome::Answered(kind @ SerpKind::NoResults) => {
                (Access::NothingThere, Some(kind.to_string()))
            }
            EngineOutcome::Answered(kind @ SerpKind::Broken { .. }) if found > 0 => {
                (Access::Found, Some(kind.to_string()))
            }
            EngineOutcome::Answered(kind) => (Access::NotLetIn, Some(kind.to_string())),
            EngineOutcome::Missed(missed) => (missed_access(missed), Some(missed.detail.clone())),
            EngineOutcome::Unknown => {
                (Access::NotAsked, Some("there is no such engine".to_owned()))
            }
        };
        let dropped = answer.dropped.iter().map(|it| format!("it has no `{it}`: asked without it"));
        let cached = answer.from_cache.then(|| FROM_CACHE.to_owned());
        Self {
            problem,
            notes: dropped.chain(cached).collect(),
            ..Self::new(&answer.engine, &answer.text, found, access)
        }
    }

    pub fn of_outcome(outcome: &SourceOutcome, query: &str) -> Self {
        let access = match &outcome.failure {
            _ if outcome.found > 0 => Access::Found,
            None => Access::NothingThere,
            Some(Failure::Off | Failure::NoKey { .. } | Failure::Unsuited { .. }) => {
                Access::NotAsked
            }
            Some(Failure::Missed { missed }) => missed_access(missed),
            Some(Failure::Status { .. } | Failure::Refused { .. } | Failure::Unreadable { .. }) => {
                Access::NotLetIn
            }
        };
        Self {
            problem: outcome.failure.as_ref().map(ToString::to_string),
            notes: outcome.notes.clone(),
            lacks_key: matches!(outcome.failure, Some(Failure::NoKey { .. })),
            ..Self::new(&outcome.source, query, outcome.found, access)
        }
    }

    /// What became of it.
    pub fn access(&self) -> Access {
        self.access.unwrap_or(match (&self.problem, self.found) {
            (_, 1..) => Access::Found,
            (Some(problem), 0) if problem.starts_with("not asked") => Access::NotAsked,
            (Some(problem), 0) if problem != "nothing found" => Access::NotLetIn,
            _ => Access::NothingThere,
        })
    }
}

/// A request that was never sent is no closed door.
fn missed_access(missed: &FetchFailure) -> Access {
    match missed.reason {
        Reason::Offline | Reason::Resting | Reason::DailyBudget | Reason::BadAddress => {
            Access::NotAsked
        }
        _ => Access::NotLetIn,
    }
}

/// The note on an answer that was not asked for again.
pub const FROM_CACHE: &str = "from the cache";
