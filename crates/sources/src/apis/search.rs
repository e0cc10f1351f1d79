//! Asking the APIs, each within its limits, all at the same time.

use std::path::Path;
use std::sync::Arc;

use fetch::Fetcher;
use serde::Serialize;
use tokio::task::JoinSet;

use crate::asking::{self, AskedBy};
use crate::outcome::{Failure, Notes, SourceOutcome};
use crate::period::Period;
use crate::query::{Category, Query};

use super::answer::ApiRecord;
use super::declaration::Api;
use super::settings::ApiSettings;
use super::shipped::{self, ApiProblem};

/// What one API answered.
#[derive(Debug, Clone, Serialize)]
pub struct ApiAnswer {
    pub records: Vec<ApiRecord>,
    pub outcome: SourceOutcome,
}

/// The APIs there are.
#[derive(Debug)]
pub struct Apis {
    apis: Vec<Arc<Api>>,
    problems: Vec<ApiProblem>,
    settings: Arc<ApiSettings>,
}

impl Apis {
    /// The shipped APIs, and those of the user's folder in their place or beside them.
    pub fn load(folder: Option<&Path>, settings: ApiSettings) -> Self {
        let (apis, problems) = shipped::load(folder);
        let apis = apis.into_iter().map(Arc::new).collect();
        Self { apis, problems, settings: Arc::new(settings) }
    }

    pub fn all(&self) -> impl Iterator<Item = &Api> {
        self.apis.iter().map(AsRef::as_ref)
    }

    pub fn get(&self, name: &str) -> Option<&Api> {
        self.all().find(|it| it.name == name)
    }

    /// Files of the user's folder that declare no API.
    pub fn problems(&self) -> &[ApiProblem] {
        &self.problems
    }

    pub fn settings(&self) -> &ApiSettings {
        &self.settings
    }

    /// The APIs of a field; all of them for a general query.
    pub fn names_for(&self, category: Option<Category>) -> Vec<String> {
        let suits = |api: &&Api| match category {
            None | Some(Category::General) => true,
            Some(category) => api.categories.contains(&category),
        };
        self.all().filter(suits).map(|it| it.name.clone()).collect()
    }

    /// Asks these APIs at the same time. The answers come in the order of the names.
    pub async fn search(
        &self,
        fetcher: &Fetcher,
        names: &[String],
        query: &Query,
        asked_by: AskedBy,
    ) -> Vec<ApiAnswer> {
        let mut answers: Vec<Option<ApiAnswer>> = Vec::new();
        let mut asked = JoinSet::new();
        for (index, name) in names.iter().enumerate() {
            match self.apis.iter().find(|it| it.name == *name) {
                None => {
                    let problem = format!("there is no API named `{name}`");
                    answers.push(Some(unasked(name, Failure::Unsuited { problem })));
                }
                Some(_) if self.settings.disabled.contains(name) => {
                    answers.push(Some(unasked(name, Failure::Off)));
                }
                Some(api) => {
                    answers.push(None);
                    let (api, fetcher, query) = (Arc::clone(api), fetcher.clone(), query.clone());
                    let settings = Arc::clone(&self.settings);
                    asked.spawn(async move {
                        (index, search(&api, &fetcher, &query, &settings, asked_by).await)
                    });
                }
            }
        }
        while let Some(done) = asked.join_next().await {
            if let Ok((index, answer)) = done {
                answers[index] = Some(answer);
            }
        }
        let broken = |name: &String| {
            unasked(name, Failure::Unreadable { problem: "reading it failed".to_owned() })
        };
        answers
            .into_iter()
            .zip(names)
            .map(|(answer, name)| answer.unwrap_or_else(|| broken(name)))
            .collect()
    }
}

fn unasked(name: &str, failure: Failure) -> ApiAnswer {
    let outcome = SourceOutcome { failure: Some(failure), ..SourceOutcome::new(name) };
    ApiAnswer { records: Vec::new(), outcome }
}

async fn search(
    api: &Api,
    fetcher: &Fetcher,
    query: &Query,
    settings: &ApiSettings,
    asked_by: AskedBy,
) -> ApiAnswer {
    let mut outcome = SourceOutcome::new(&api.name);
    let mut records: Vec<ApiRecord> = Vec::new();
    let wanted = if query.limit == 0 { settings.default_results } else { query.limit };
    let wanted = wanted.clamp(1, settings.max_results.max(1));
    let mut notes = Notes::up_to(settings.max_notes);
    let (period, problems) = Period::of(query);
    let (positions, limits) = api.first_positions(period, api.today(fetcher.now()));
    problems.into_iter().chain(limits).for_each(|it| notes.add(it));
    // A list of days is as long as the declaration allows; other lists are followed for `max_pages`.
    let pages = positions.len().max(settings.max_pages.max(1));
    let mut waiting: std::collections::VecDeque<_> = positions.into();
    for _ in 0..pages {
        let Some(position) = waiting.pop_front() else { break };
        let page = async {
            let request = api.fetch_request(query, &position, wanted, settings)?;
            outcome.requests += 1;
            let body = asking::ask(fetcher, request, asked_by).await?.body;
            api.read(&body, query, &position, wanted, records.len() + 1, settings)
        };
        match page.await {
            Ok(page) => {
                outcome.total = page.total.or(outcome.total);
                page.notes.into_iter().for_each(|it| notes.add(it));
                records.extend(page.records);
                waiting.extend(page.next);
            }
            Err(failure) => {
                outcome.failure = Some(failure);
                break;
            }
        }
        if records.len() >= wanted {
            break;
        }
    }
    records.truncate(wanted);
    outcome.found = records.len();
    outcome.notes = notes.into_lines();
    ApiAnswer { records, outcome }
}
