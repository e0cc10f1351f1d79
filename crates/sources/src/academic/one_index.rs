//! One of the two indexes being asked, page by page, within bounds.

use fetch::{FetchRequest, Fetcher, Reason};

use crate::asking::{self, AskedBy};
use crate::candidate::{Candidate, Paper};
use crate::outcome::{Failure, SourceOutcome};

use super::record::Listed;
use super::settings::AcademicSettings;
use super::work_name::{Scheme, WorkName};
use super::{openalex, semantic_scholar};

/// One index being asked: what it has given so far.
pub(super) struct Asking<'a> {
    pub(super) settings: &'a AcademicSettings,
    pub(super) fetcher: &'a Fetcher,
    pub(super) asked_by: AskedBy,
    pub(super) enabled: bool,
    pub(super) outcome: SourceOutcome,
    pub(super) found: Vec<Candidate>,
}

impl Asking<'_> {
    pub(super) fn may_be_asked(&self, has_words: bool) -> Result<(), Failure> {
        if !self.enabled {
            return Err(Failure::Off);
        }
        if !has_words {
            return Err(Failure::Unsuited { problem: "the query has no words".to_owned() });
        }
        Ok(())
    }

    pub(super) fn ended(mut self, result: Result<(), Failure>) -> Self {
        self.outcome.failure = result.err();
        self.outcome.found = self.found.len();
        self
    }

    pub(super) async fn body(&mut self, fetch_request: FetchRequest) -> Result<Vec<u8>, Failure> {
        self.outcome.requests += 1;
        Ok(asking::ask(self.fetcher, fetch_request, self.asked_by).await?.body)
    }

    pub(super) async fn semantic_scholar(
        &mut self,
        request: semantic_scholar::Request,
        wanted: usize,
    ) -> Result<(), Failure> {
        let goal = self.found.len() + wanted;
        let mut next = Some(request);
        for _ in 0..self.settings.max_pages.max(1) {
            let Some(request) = next else { break };
            let body = self.body(request.fetch_request(self.settings)).await?;
            let listed = semantic_scholar::read(&body, self.found.len() + 1, self.settings)?;
            let missing = goal.saturating_sub(self.found.len() + listed.candidates.len());
            next = request.next(&listed, missing);
            self.take(listed, goal);
            if self.found.len() >= goal {
                break;
            }
        }
        Ok(())
    }

    pub(super) async fn openalex(
        &mut self,
        request: openalex::Request,
        wanted: usize,
    ) -> Result<(), Failure> {
        let goal = self.found.len() + wanted;
        let mut next = Some(request);
        for _ in 0..self.settings.max_pages.max(1) {
            let Some(request) = next else { break };
            let body = self.body(request.fetch_request(self.settings)).await?;
            let listed = openalex::read(&body, self.found.len() + 1, self.settings)?;
            next = request.next(&listed);
            self.take(listed, goal);
            if self.found.len() >= goal {
                break;
            }
        }
        Ok(())
    }

    pub(super) async fn openalex_batches(
        &mut self,
        scheme: Scheme,
        names: &[WorkName],
    ) -> Result<(), Failure> {
        // The number of answers to a batch is not the number of what there is.
        let total = self.outcome.total;
        for names in names.chunks(self.settings.batch.max(1)) {
            let values: Vec<String> = names.iter().map(|it| it.value.clone()).collect();
            let request = openalex::Request::Batch { scheme, values };
            let body = self.body(request.fetch_request(self.settings)).await?;
            let listed = openalex::read(&body, self.found.len() + 1, self.settings)?;
            self.take(listed, usize::MAX);
            self.outcome.total = total;
        }
        Ok(())
    }

    pub(super) async fn semantic_scholar_by_name(
        &mut self,
        name: &WorkName,
    ) -> Result<(), Failure> {
        self.may_be_asked(true)?;
        if !semantic_scholar::knows(name.scheme) {
            return Err(unknown_name(name.scheme));
        }
        self.semantic_scholar(semantic_scholar::Request::Work(name.clone()), 1).await
    }

    pub(super) async fn openalex_by_name(&mut self, name: &WorkName) -> Result<(), Failure> {
        self.may_be_asked(true)?;
        if !openalex::knows(name.scheme) {
            return Err(unknown_name(name.scheme));
        }
        self.openalex(openalex::Request::Work(name.clone()), 1).await
    }

    /// The id by which OpenAlex lists what cites a paper.
    pub(super) async fn openalex_id(&mut self, paper: &Paper) -> Result<WorkName, Failure> {
        let name = name_for(paper, BY_OPENALEX)?;
        if name.scheme == Scheme::OpenAlex {
            return Ok(name);
        }
        let body = self.body(openalex::Request::Work(name).fetch_request(self.settings)).await?;
        let listed = openalex::read(&body, 1, self.settings)?;
        let paper = listed.candidates.first().and_then(|it| it.paper.as_ref());
        let own = paper.and_then(|it| it.identifier(Scheme::OpenAlex.as_str()));
        own.and_then(|it| WorkName::of(Scheme::OpenAlex, it)).ok_or_else(|| Failure::Unreadable {
            problem: "the work has no OpenAlex id".to_owned(),
        })
    }

    fn take(&mut self, listed: Listed, goal: usize) {
        self.outcome.total = listed.total.or(self.outcome.total);
        let room = self.settings.max_notes.saturating_sub(self.outcome.notes.len());
        self.outcome.notes.extend(listed.notes.into_iter().take(room));
        let room = goal.saturating_sub(self.found.len());
        self.found.extend(listed.candidates.into_iter().take(room));
        self.outcome.found = self.found.len();
    }
}

/// The names each index is best asked by, its own first.
pub(super) const BY_SEMANTIC_SCHOLAR: [Scheme; 5] =
    [Scheme::SemanticScholar, Scheme::Doi, Scheme::Arxiv, Scheme::Pmid, Scheme::Pmcid];
pub(super) const BY_OPENALEX: [Scheme; 5] =
    [Scheme::OpenAlex, Scheme::Doi, Scheme::Pmid, Scheme::Pmcid, Scheme::Arxiv];

pub(super) fn name_for(paper: &Paper, order: [Scheme; 5]) -> Result<WorkName, Failure> {
    let named = |scheme: Scheme| {
        let own = paper.identifiers.iter().filter(|it| it.0 == scheme.as_str());
        own.filter_map(|it| WorkName::of(scheme, &it.1)).next()
    };
    order.into_iter().find_map(named).ok_or_else(|| Failure::Unsuited {
        problem: "the work has no name this index knows".to_owned(),
    })
}

/// A name that one index gave, for asking the other one that did not find the work by the first name.
pub(super) fn other_name(
    found: &Asking<'_>,
    missing: &Asking<'_>,
    asked: &WorkName,
    order: [Scheme; 5],
) -> Option<WorkName> {
    let unfound = match missing.outcome.failure.as_ref()? {
        Failure::Status { reason, .. } => *reason == Reason::NotFound,
        Failure::Unsuited { .. } => true,
        _ => false,
    };
    let paper = found.found.first()?.paper.as_ref()?;
    let name = unfound.then(|| name_for(paper, order).ok()).flatten()?;
    (name != *asked).then_some(name)
}

fn unknown_name(scheme: Scheme) -> Failure {
    let problem = format!("this index knows no names of the kind {}", scheme.as_str());
    Failure::Unsuited { problem }
}
