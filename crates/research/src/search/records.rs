//! Candidates as rows: pages, works and the abstracts that came along with them.

use std::sync::Arc;

use evidence::domain::normal_host;
use evidence::{DomainCategory, FragmentType, PageId, WorkId};
use extract::{Document, Fragment};
use graph::{
    NewFragment, NewPage, NewWork, PageDetails, PageForAssessment, WorkDetails, WorkIdentifier,
    Writer,
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sources::academic::{Scheme, WorkName};
use sources::{Candidate, Paper};

use crate::engine::{Inner, language_of};

use super::select::{Screened, Selected, Why};
use super::steps::{FetchStep, FetchTarget, KnownStep, Step};

/// What a page is recognised by: its address without what only follows people around.
pub(super) fn address_of(candidate: &Candidate) -> String {
    let cleaned = extract::clean_address(candidate.url.as_str(), None);
    cleaned.unwrap_or_else(|| candidate.url.clone()).to_string()
}

/// The passages of a page, and the heading of those that have none.
pub(super) struct Passages<'a> {
    pub(super) heading: Option<&'a str>,
    pub(super) of: &'a [Fragment],
}

impl Inner {
    /// What the policy says about a candidate.
    pub(super) fn consider(
        &self,
        r: &graph::Reader<'_>,
        candidate: Candidate,
    ) -> graph::Result<Screened> {
        let address = address_of(&candidate);
        let host = candidate.url.host_str().map(normal_host).unwrap_or_default();
        let doi = candidate.paper.as_ref().and_then(|it| it.identifier("doi"));
        let work = match doi {
            Some(doi) => WorkName::of(Scheme::Doi, doi),
            None => WorkName::of_url(&candidate.url),
        };
        let told = candidate.text.as_ref().map(|it| {
            let plain = [("content-type".to_owned(), "text/plain; charset=utf-8".to_owned())];
            let (bytes, url) = (it.text.as_bytes(), Some(&candidate.url));
            let input = extract::Input { bytes, url, status: None, headers: &plain };
            Arc::new(extract::read(input, &self.parts.settings.read))
        });
        if host.is_empty() {
            let category = DomainCategory::Unverified;
            let blocked = None;
            return Ok(Screened { candidate, address, host, category, work, blocked, told });
        }
        let policy = self.parts.policy.current();
        let decision = r.decide(&host, &policy)?;
        let blocked = decision.blocked.map(|block| {
            let why = block.detail.unwrap_or_else(|| block.reason.to_string());
            format!("{host} is blocked: {why}")
        });
        // An index vouches that it is a paper, whatever host shows it.
        let category = match decision.category {
            DomainCategory::Unverified if candidate.paper.is_some() => DomainCategory::Academic,
            other => other,
        };
        Ok(Screened { candidate, address, host, category, work, blocked, told })
    }

    /// Records a page that is to be read, and says by which step.
    pub(super) fn record_chosen(&self, w: &Writer<'_>, chosen: &Selected) -> graph::Result<Step> {
        let screened = &chosen.screened;
        let candidate = &screened.candidate;
        let url = screened.address.clone();
        if candidate.url.scheme() == "file" {
            if let Some(known) = w.page_at(&url, None)?
                && known.fetched_at.is_some_and(|it| is_unchanged(candidate, it))
            {
                return Ok(Step::Known(KnownStep { page: known.id, url }));
            }
            // Its page is recorded when it is read: who published a document shows then.
            let target = FetchTarget::File {
                engine: candidate.engine.clone(),
                rank: candidate.rank,
                title: candidate.title.clone(),
            };
            return Ok(Step::Fetch(FetchStep { url, target }));
        }
        let page = self.record_candidate(w, screened)?;
        let known = w.page_for_assessment(page)?;
        let days = i64::from(self.parts.settings.search.reuse_days);
        let reuse = SignedDuration::from_hours(24 * days);
        let is_read =
            known.fetched_at.is_some_and(|it| self.graph.now().duration_since(it) < reuse);
        let from_index = screened.told.is_some()
            || candidate.paper.as_ref().is_some_and(|it| it.abstract_text.is_some());
        Ok(match is_read || from_index {
            true => Step::Known(KnownStep { page, url }),
            false => {
                let target = FetchTarget::Http {
                    page,
                    named: chosen.why == Why::Named,
                    open_access: self.open_access_copy(w, screened)?,
                    came_from: candidate.found_on.as_ref().map(ToString::to_string),
                };
                Step::Fetch(FetchStep { url, target })
            }
        })
    }

    /// The free copy of a paper, unless its site is blocked or it is the address of the work itself.
    fn open_access_copy(
        &self,
        r: &graph::Reader<'_>,
        screened: &Screened,
    ) -> graph::Result<Option<String>> {
        let paper = screened.candidate.paper.as_ref();
        let link = paper.and_then(|it| it.open_access_url.as_deref());
        let Some(url) = link.and_then(|it| extract::clean_address(it, None)) else {
            return Ok(None);
        };
        let host = url.host_str().map(normal_host).unwrap_or_default();
        let is_blocked = r.decide(&host, &self.parts.policy.current())?.blocked.is_some();
        let without_scheme = |it: &str| it.split_once("://").map(|it| it.1.to_owned());
        let is_itself = without_scheme(url.as_str()) == without_scheme(&screened.address);
        Ok((!is_blocked && !is_itself).then(|| url.to_string()))
    }

    /// Records a candidate as a page; a paper with its work, and with its abstract where one came along.
    pub(super) fn record_candidate(
        &self,
        w: &Writer<'_>,
        considered: &Screened,
    ) -> graph::Result<PageId> {
        let candidate = &considered.candidate;
        let work = match &candidate.paper {
            Some(paper) => record_work(w, candidate, paper)?,
            None => None,
        };
        let year = candidate.paper.as_ref().and_then(|it| it.year).or_else(|| {
            candidate.date.as_deref().and_then(|it| it.get(..4)).and_then(|it| it.parse().ok())
        });
        let page = w.record_page(&NewPage {
            url: considered.address.clone(),
            domain: considered.host.clone(),
            domain_category: considered.category,
            title: Some(candidate.title.clone()).filter(|it| !it.is_empty()),
            language: None,
            year,
            work_id: work,
        })?;
        let abstract_text = candidate.paper.as_ref().and_then(|it| it.abstract_text.as_deref());
        if let Some(text) = abstract_text.map(str::trim).filter(|it| !it.is_empty())
            && w.page_for_assessment(page)?.fetched_at.is_none()
        {
            self.record_abstract(w, page, candidate, text)?;
        }
        if let Some(told) = &considered.told
            && w.page_for_assessment(page)?.fetched_at.is_none()
        {
            self.record_told(w, page, candidate, told)?;
        }
        Ok(page)
    }

    /// What a source says of a record is the text of its page: such pages are not fetched.
    fn record_told(
        &self,
        w: &Writer<'_>,
        page: PageId,
        candidate: &Candidate,
        told: &Document,
    ) -> graph::Result<()> {
        let record = candidate.text.as_ref().and_then(|it| it.record_id.as_deref());
        w.describe_page(
            page,
            &PageDetails {
                page_type: Some("record".to_owned()),
                language: language_of(&told.text),
                published_at: candidate.date.clone(),
                content_hash: Some(evidence::text_hash(&told.text)),
                archive_ref: Some(json!({ "index": candidate.engine, "record_id": record })),
                flags: Some(stored_flags(&told.flags)),
                sketch: Some(extract::near_duplicate::sketch(&told.text).to_bytes()),
                ..PageDetails::default()
            },
        )?;
        let passages = Passages { heading: Some(&candidate.title), of: &told.fragments };
        self.record_passages(w, page, passages)?;
        Ok(())
    }

    /// The passages of a page, as many as one page may have. Returns how many there are.
    pub(super) fn record_passages(
        &self,
        w: &Writer<'_>,
        page: PageId,
        passages: Passages<'_>,
    ) -> graph::Result<usize> {
        let most = self.parts.settings.search.max_passages_per_page;
        let place = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        let mut recorded = 0;
        for fragment in passages.of.iter().take(most) {
            let is_heading = fragment.fragment_type == FragmentType::Heading;
            if is_heading || fragment.text.trim().is_empty() {
                continue;
            }
            let heading = fragment.heading_context.as_deref().or(passages.heading);
            let mut headings: Vec<String> =
                fragment.heading_hierarchy.iter().map(|it| it.text.clone()).collect();
            if headings.is_empty() {
                headings.extend(passages.heading.map(str::to_owned));
            }
            w.record_placed_fragment(
                &NewFragment {
                    page_id: page,
                    fragment_type: fragment.fragment_type,
                    text: fragment.text.clone(),
                    heading_context: heading.map(str::to_owned),
                    element_index: Some(place(fragment.element_index)),
                    chars: Some(place(fragment.char_start)..place(fragment.char_end)),
                    language: language_of(&fragment.text),
                },
                &graph::FragmentPlace { headings, deep_link: fragment.deep_link.clone() },
            )?;
            recorded += 1;
        }
        Ok(recorded)
    }

    /// The abstract is the text of a paper's page: such papers are not fetched.
    fn record_abstract(
        &self,
        w: &Writer<'_>,
        page: PageId,
        candidate: &Candidate,
        text: &str,
    ) -> graph::Result<()> {
        let flags = text::sanitise::flags(text, false);
        w.describe_page(
            page,
            &PageDetails {
                page_type: Some("paper".to_owned()),
                language: language_of(text),
                published_at: candidate.date.clone(),
                site_name: candidate.paper.as_ref().and_then(|it| it.venue.clone()),
                content_hash: Some(evidence::text_hash(text)),
                archive_ref: Some(json!({ "index": candidate.engine })),
                flags: Some(stored_flags(&flags)),
                sketch: Some(extract::near_duplicate::sketch(text).to_bytes()),
                ..PageDetails::default()
            },
        )?;
        let length = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        w.record_placed_fragment(
            &NewFragment {
                page_id: page,
                fragment_type: FragmentType::Paragraph,
                text: text.to_owned(),
                heading_context: Some(candidate.title.clone()),
                element_index: Some(0),
                chars: Some(0..length),
                language: language_of(text),
            },
            &graph::FragmentPlace { headings: vec![candidate.title.clone()], deep_link: None },
        )?;
        Ok(())
    }
}

fn record_work(
    w: &Writer<'_>,
    candidate: &Candidate,
    paper: &Paper,
) -> graph::Result<Option<WorkId>> {
    let identifiers: Vec<WorkIdentifier> = paper
        .identifiers
        .iter()
        .map(|(scheme, value)| WorkIdentifier { scheme: scheme.clone(), value: value.clone() })
        .collect();
    if identifiers.is_empty() {
        return Ok(None);
    }
    let work = w.record_work(&NewWork {
        title: candidate.title.clone(),
        year: paper.year,
        venue: paper.venue.clone(),
        citation_count: paper.citation_count,
        source_api: Some(candidate.engine.clone()),
        identifiers,
    })?;
    w.describe_work(
        work,
        &WorkDetails {
            abstract_text: paper.abstract_text.clone(),
            authors: paper.authors.clone(),
            open_access_url: paper.open_access_url.clone(),
            retracted: paper.retracted,
        },
    )?;
    Ok(Some(work))
}

/// Whether a file is as it was when it was read.
fn is_unchanged(candidate: &Candidate, read_at: Timestamp) -> bool {
    let path = candidate.url.to_file_path().ok();
    let changed = path.and_then(|it| it.metadata().ok()?.modified().ok());
    changed.and_then(|it| Timestamp::try_from(it).ok()).is_some_and(|it| it < read_at)
}

/// A flag as it is stored: what and where, never the words.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct StoredFlag {
    pub(crate) name: String,
    pub(crate) char_start: usize,
    pub(crate) char_end: usize,
    hidden: bool,
}

/// The name of a flag that the meaning of a passage earned.
pub(crate) const BY_MEANING: &str = "machine_talk";

impl StoredFlag {
    /// The flag of a passage that speaks to a machine by its meaning.
    pub(crate) fn by_meaning((char_start, char_end): (usize, usize)) -> Self {
        Self { name: BY_MEANING.to_owned(), char_start, char_end, hidden: false }
    }

    /// Whether nothing of its page is believed: a phrase is there or not, a meaning may be misread.
    pub(crate) fn spoils_page(&self) -> bool {
        self.name != BY_MEANING
    }
}

pub(super) fn stored_flags(flags: &[text::sanitise::Flag]) -> Value {
    let stored = |flag: &text::sanitise::Flag| StoredFlag {
        name: flag.name.clone(),
        char_start: flag.char_start,
        char_end: flag.char_end,
        hidden: flag.hidden,
    };
    flags.iter().map(stored).map(|it| json!(it)).collect()
}

/// What was found on a page that speaks to machines.
pub(crate) fn flags_of(page: &PageForAssessment) -> graph::Result<Vec<StoredFlag>> {
    let Some(flags) = &page.flags else { return Ok(Vec::new()) };
    Vec::deserialize(flags).map_err(|error| graph::Error::Invalid {
        what: "the flags",
        problem: format!("of {} cannot be read: {error}", page.id),
    })
}
