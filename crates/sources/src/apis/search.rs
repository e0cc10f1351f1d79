//! Asking the APIs, each within its limits, all at the same time.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use fetch::Fetcher;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use tokio::task::JoinSet;

use crate::asking::{self, AskedBy};
use crate::candidate::Paper;
use crate::canonical::Canonical;
use crate::choose::Standing;
use crate::outcome::{Failure, Notes, SourceOutcome};
use crate::period::Period;
use crate::query::{Category, Query};
use crate::topics;

use super::answer::ApiRecord;
use super::declaration::Api;
use super::request::Position;
use super::settings::ApiSettings;
use super::shipped::{self, ApiProblem};

/// What one API answered.
#[derive(Debug, Clone, Serialize)]
pub struct ApiAnswer {
    pub records: Vec<ApiRecord>,
    pub outcome: SourceOutcome,
}

/// The APIs there are; by default none. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Apis {
    apis: Arc<Vec<Arc<Api>>>,
    problems: Arc<Vec<ApiProblem>>,
    settings: Arc<ApiSettings>,
}

impl Apis {
    /// The shipped APIs, and those of the user's folder in their place or beside them.
    pub fn load(folder: Option<&Path>, settings: ApiSettings) -> Self {
        let (apis, problems) = shipped::load(folder);
        let apis = Arc::new(apis.into_iter().map(Arc::new).collect());
        Self { apis, problems: Arc::new(problems), settings: Arc::new(settings) }
    }

    pub fn all(&self) -> impl Iterator<Item = &Api> {
        self.apis.iter().map(AsRef::as_ref)
    }

    pub fn get(&self, name: &str) -> Option<&Api> {
        self.all().find(|it| it.name == name)
    }

    pub(super) fn find(&self, name: &str) -> Option<Arc<Api>> {
        self.apis.iter().find(|it| it.name == name).cloned()
    }

    /// Files of the user's folder that declare no API.
    pub fn problems(&self) -> &[ApiProblem] {
        &self.problems
    }

    pub fn settings(&self) -> &ApiSettings {
        &self.settings
    }

    /// How each API stands: its requests today, and until when the fetcher lets it rest.
    pub fn standings(
        &self,
        reader: &graph::Reader<'_>,
        now: Timestamp,
    ) -> graph::Result<HashMap<String, Standing>> {
        let today = now.to_zoned(TimeZone::UTC).date().to_string();
        let standing = |api: &Api| {
            let pace = reader.pace(&format!("api:{}", api.name))?;
            let resting_until =
                pace.as_ref().and_then(|it| it.resting_until).filter(|it| *it > now);
            let pace = pace.filter(|it| it.day.as_deref() == Some(today.as_str()));
            let requests_today = pace.map_or(0, |it| it.requests_today);
            Ok((api.name.clone(), Standing { health: None, requests_today, resting_until }))
        };
        self.all().map(standing).collect()
    }

    /// The APIs of a field; all of them for a general query.
    pub fn names_for(&self, category: Option<Category>) -> Vec<String> {
        let suits = |api: &&Api| match category {
            None | Some(Category::General) => true,
            Some(category) => api.categories.contains(&category),
        };
        let searches = self.all().filter(|it| !it.by_doi);
        searches.filter(suits).map(|it| it.name.clone()).collect()
    }

    /// What a search of this question asks: APIs that know about one of its topics and its language. Scholarly works come
    /// from those that list works.
    pub fn about(&self, query: &Query, lists_works: bool) -> Vec<String> {
        let topics = topics::of(&query.text);
        let fits = |api: &&Api| {
            !api.by_doi
                && api.lists_works() == lists_works
                && api.speaks(query.language.as_deref())
                && api.topics.iter().any(|it| topics.contains(it))
                && !self.settings.disabled.contains(&api.name)
        };
        self.all().filter(fits).map(|it| it.name.clone()).collect()
    }

    /// Asks these APIs at the same time. The answers come in the order of the names.
    pub async fn search(
        &self,
        fetcher: &Fetcher,
        names: &[String],
        query: &Query,
        asked_by: AskedBy,
    ) -> Vec<ApiAnswer> {
        self.ask_each(fetcher, names, |_| query.clone(), asked_by).await
    }

    /// Asks these APIs about a question: each with the words of it that it is best asked with.
    pub async fn search_question(
        &self,
        fetcher: &Fetcher,
        names: &[String],
        question: &Query,
        asked_by: AskedBy,
    ) -> Vec<ApiAnswer> {
        self.ask_each(fetcher, names, |api| api.query_for(question), asked_by).await
    }

    /// The words of a question that an API is asked with.
    pub(crate) fn words_for(&self, name: &str, question: &Query) -> String {
        self.get(name).map_or_else(|| question.text.clone(), |it| it.query_for(question).text)
    }

    async fn ask_each(
        &self,
        fetcher: &Fetcher,
        names: &[String],
        query: impl Fn(&Api) -> Query,
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
                Some(api) if api.by_doi => {
                    let problem = "it tells about works by their DOI and cannot search".to_owned();
                    answers.push(Some(unasked(name, Failure::Unsuited { problem })));
                }
                Some(api) => {
                    answers.push(None);
                    let (api, fetcher, query) = (Arc::clone(api), fetcher.clone(), query(api));
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

impl Apis {
    /// Fills in free copies of works that have neither an abstract nor a copy, as APIs that know works by DOI tell them.
    pub async fn complete(
        &self,
        fetcher: &Fetcher,
        works: &mut [Canonical],
        asked_by: AskedBy,
    ) -> Vec<SourceOutcome> {
        let mut outcomes = Vec::new();
        for api in self.apis.iter().filter(|it| it.by_doi && !it.registers_dois) {
            if self.settings.disabled.contains(&api.name) {
                continue;
            }
            let mut outcome = SourceOutcome::new(&api.name);
            let papers = works.iter_mut().filter_map(|it| it.candidate.paper.as_mut());
            let lacking = papers.filter(|it| {
                it.abstract_text.is_none() && it.open_access_url.is_none() && !it.retracted
            });
            let mut asked = false;
            for paper in lacking.take(self.settings.max_by_doi) {
                let Some(doi) = paper.identifier("doi").map(str::to_owned) else { continue };
                asked = true;
                match self.work(api, fetcher, &doi, asked_by, &mut outcome).await {
                    Ok(Some(known)) => {
                        outcome.found += 1;
                        paper.open_access_url = known.open_access_url;
                        paper.abstract_text = known.abstract_text;
                    }
                    Ok(None) => {}
                    Err(failure) => {
                        outcome.failure = Some(failure);
                        break;
                    }
                }
            }
            if asked {
                outcomes.push(outcome);
            }
        }
        outcomes
    }

    /// What an API says about one work; `None` where it does not know it or knows nothing new.
    async fn work(
        &self,
        api: &Api,
        fetcher: &Fetcher,
        doi: &str,
        asked_by: AskedBy,
        outcome: &mut SourceOutcome,
    ) -> Result<Option<Paper>, Failure> {
        let request = api.work_request(doi, &self.settings)?;
        outcome.requests += 1;
        let body = match asking::ask(fetcher, request, asked_by).await {
            Ok(fetched) => fetched.body,
            Err(failure) if api.says_nothing(&failure) => return Ok(None),
            Err(failure) => return Err(failure),
        };
        let page =
            api.read(&body, &Query::default(), &Position::default(), 1, 1, &self.settings)?;
        let paper = page.records.into_iter().next().and_then(|it| it.candidate.paper);
        Ok(paper.filter(|it| it.open_access_url.is_some() || it.abstract_text.is_some()))
    }
}

fn unasked(name: &str, failure: Failure) -> ApiAnswer {
    let outcome = SourceOutcome { failure: Some(failure), ..SourceOutcome::new(name) };
    ApiAnswer { records: Vec::new(), outcome }
}

impl Api {
    /// Whether a failure is this API's way to say that there is nothing.
    pub(super) fn says_nothing(&self, failure: &Failure) -> bool {
        matches!(failure, Failure::Status { status, .. } if self.answer.nothing_statuses.contains(status))
    }
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
            let fetched = asking::ask(fetcher, request, asked_by).await?;
            let read =
                api.read(&fetched.body, query, &position, wanted, records.len() + 1, settings);
            read.map(|it| (it, fetched.record_id))
        };
        match page.await {
            Ok((mut page, record_id)) => {
                for record in &mut page.records {
                    if let Some(text) = &mut record.candidate.text {
                        text.record_id.clone_from(&record_id);
                    }
                }
                outcome.total = page.total.or(outcome.total);
                page.notes.into_iter().for_each(|it| notes.add(it));
                records.extend(page.records);
                waiting.extend(page.next);
            }
            Err(failure) if api.says_nothing(&failure) => {
                outcome.total = outcome.total.or(Some(0));
                break;
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
