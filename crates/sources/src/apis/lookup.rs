//! Works by what they are called: by their names, many in one request, or by a title.

use std::sync::Arc;

use fetch::Fetcher;

use crate::academic::Scheme;
use crate::asking::{self, AskedBy};
use crate::candidate::Candidate;
use crate::outcome::Failure;
use crate::query::Query;

use super::declaration::Api;
use super::request::Position;
use super::search::Apis;

/// What an API answered about names.
#[derive(Debug, Default)]
pub struct LookedUp {
    pub works: Vec<Candidate>,
    /// Names it was not asked for, or did not answer for.
    pub unanswered: Vec<String>,
    /// Why, where it did not answer.
    pub failure: Option<Failure>,
}

impl Apis {
    /// Asks an API for the works of these names. What it does not list is not in the answer.
    pub async fn works_by_name(
        &self,
        fetcher: &Fetcher,
        api: &str,
        scheme: Scheme,
        names: &[String],
        asked_by: AskedBy,
    ) -> LookedUp {
        let mut found = LookedUp::default();
        let unasked = |failure| LookedUp {
            unanswered: names.to_vec(),
            failure: Some(failure),
            works: Vec::new(),
        };
        let api = match self.asked(api) {
            Ok(api) => api,
            Err(failure) => return unasked(failure),
        };
        let most = api.lookup.as_ref().map_or(1, |it| it.most);
        let (requests, left_out) = match api.lookup_requests(scheme, names, self.settings()) {
            Ok(requests) => requests,
            Err(failure) => return unasked(failure),
        };
        let mut asked = names.iter().filter(|it| !left_out.contains(it));
        found.unanswered = left_out.clone();
        for request in requests {
            let of_request: Vec<&String> = asked.by_ref().take(most).collect();
            match self.candidates(&api, fetcher, request, most, asked_by).await {
                Ok(works) => found.works.extend(works),
                Err(failure) => {
                    found.unanswered.extend(of_request.into_iter().cloned());
                    found.failure = Some(failure);
                }
            }
        }
        found
    }

    /// The works an API lists for a title, its best first.
    pub async fn works_by_title(
        &self,
        fetcher: &Fetcher,
        api: &str,
        title: &str,
        limit: usize,
        asked_by: AskedBy,
    ) -> Result<Vec<Candidate>, Failure> {
        let api = self.asked(api)?;
        let request = api.title_request(title, limit, self.settings())?;
        self.candidates(&api, fetcher, request, limit, asked_by).await
    }

    /// What an API says of a DOI; `None` where there is no such DOI.
    pub async fn work_by_doi(
        &self,
        fetcher: &Fetcher,
        api: &str,
        doi: &str,
        asked_by: AskedBy,
    ) -> Result<Option<Candidate>, Failure> {
        let api = self.asked(api)?;
        let request = api.work_request(doi, self.settings())?;
        match self.candidates(&api, fetcher, request, 1, asked_by).await {
            Ok(works) => Ok(works.into_iter().next()),
            Err(failure) if api.says_nothing(&failure) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    fn asked(&self, name: &str) -> Result<Arc<Api>, Failure> {
        if self.settings().disabled.iter().any(|it| it == name) {
            return Err(Failure::Off);
        }
        self.find(name)
            .ok_or_else(|| Failure::Unsuited { problem: format!("there is no API named `{name}`") })
    }

    async fn candidates(
        &self,
        api: &Api,
        fetcher: &Fetcher,
        request: fetch::FetchRequest,
        limit: usize,
        asked_by: AskedBy,
    ) -> Result<Vec<Candidate>, Failure> {
        let body = asking::ask(fetcher, request, asked_by).await?.body;
        let (query, place) = (Query::default(), Position::default());
        let page = api.read(&body, &query, &place, limit, 1, self.settings())?;
        Ok(page.records.into_iter().map(|it| it.candidate).collect())
    }
}
