//! OpenAlex: what is asked, and how its answers are read.

mod inverted;

use std::cell::RefCell;

use fetch::FetchRequest;
use serde_json::Value;
use url::Url;

use crate::asking::json_of;
use crate::candidate::{Candidate, Paper};
use crate::outcome::{Failure, Notes};

use super::fields::Fields;
use super::record::{Listed, Record, web_address};
use super::settings::AcademicSettings;
use super::work_name::{Scheme, WorkName};

pub const NAME: &str = "openalex";
pub(super) const BASE: &str = "https://api.openalex.org/works";
const SELECT: &str = "id,doi,title,display_name,publication_year,publication_date,ids,primary_location,\
                      best_oa_location,locations,open_access,authorships,cited_by_count,is_retracted,\
                      abstract_inverted_index,referenced_works,referenced_works_count";
/// What the API allows in one answer.
const PAGE: usize = 200;
/// Paging by number goes no further.
const DEPTH: usize = 10_000;

/// Something to ask OpenAlex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// `filters` are in the API's own form, such as `from_publication_date:2024-01-01`.
    Search {
        text: String,
        filters: Vec<String>,
        page: usize,
        limit: usize,
    },
    Work(WorkName),
    /// What cites the work, which must be named by its OpenAlex id.
    Citations {
        of: WorkName,
        page: usize,
        limit: usize,
    },
    /// Works by their ids, all of one scheme.
    Batch {
        scheme: Scheme,
        values: Vec<String>,
    },
}

impl Request {
    pub fn fetch_request(&self, settings: &AcademicSettings) -> FetchRequest {
        let own = &settings.openalex;
        let mut fetch_request = own.limits().fetch_request(NAME, self.url(settings));
        fetch_request.headers.push(("accept".to_owned(), "application/json".to_owned()));
        if !own.key.is_empty() {
            fetch_request.secret_query.push(("api_key".to_owned(), own.key.to_string()));
        }
        fetch_request
    }

    fn url(&self, settings: &AcademicSettings) -> Url {
        let mut url = Url::parse(BASE).expect("a constant that is an address");
        if let Self::Work(name) = self {
            let mut segments = url.path_segments_mut().expect("an address with a host");
            segments.extend(id(name).split('/'));
        }
        let mut query = url.query_pairs_mut();
        match self {
            Self::Search { text, filters, page, limit } => {
                if !text.is_empty() {
                    query.append_pair("search", text);
                }
                if !filters.is_empty() {
                    query.append_pair("filter", &filters.join(","));
                }
                query.append_pair("per-page", &(*limit).clamp(1, PAGE).to_string());
                query.append_pair("page", &page.to_string());
            }
            Self::Citations { of, page, limit } => {
                query.append_pair("filter", &format!("cites:{}", of.value));
                query.append_pair("per-page", &(*limit).clamp(1, PAGE).to_string());
                query.append_pair("page", &page.to_string());
            }
            Self::Batch { scheme, values } => {
                let field = if *scheme == Scheme::OpenAlex { "openalex" } else { scheme.as_str() };
                let values: Vec<&str> =
                    values.iter().map(String::as_str).filter(|it| can_be_listed(it)).collect();
                query.append_pair("filter", &format!("{field}:{}", values.join("|")));
                query.append_pair("per-page", &values.len().clamp(1, PAGE).to_string());
            }
            Self::Work(_) => {}
        }
        query.append_pair("select", SELECT);
        if !settings.openalex.mailto.is_empty() {
            query.append_pair("mailto", &settings.openalex.mailto);
        }
        drop(query);
        url
    }

    /// The request for the page after an answer. Pages of one list must all be of one size.
    pub fn next(&self, listed: &Listed) -> Option<Self> {
        let (page, limit) = match self {
            Self::Search { page, limit, .. } | Self::Citations { page, limit, .. } => {
                (*page, (*limit).clamp(1, PAGE))
            }
            Self::Work(_) | Self::Batch { .. } => return None,
        };
        let seen = page.checked_mul(limit)?;
        let more = listed.records >= limit && listed.total.is_none_or(|it| it > seen as u64);
        if !more || seen.saturating_add(limit) > DEPTH {
            return None;
        }
        let mut next = self.clone();
        match &mut next {
            Self::Search { page, .. } | Self::Citations { page, .. } => *page += 1,
            Self::Work(_) | Self::Batch { .. } => {}
        }
        Some(next)
    }
}

/// A name as this API wants it in a path.
fn id(name: &WorkName) -> String {
    match name.scheme {
        Scheme::Doi => format!("doi:{}", name.value),
        Scheme::Pmid => format!("pmid:{}", name.value),
        Scheme::Pmcid => format!("pmcid:{}", name.value.trim_start_matches("PMC")),
        // It has no arXiv ids, but it has the DOIs that arXiv gives.
        Scheme::Arxiv => format!("doi:{}", WorkName::doi_of_arxiv(&name.value)),
        Scheme::OpenAlex | Scheme::SemanticScholar => name.value.clone(),
    }
}

/// Whether this index can be asked for a work by this name.
pub fn knows(scheme: Scheme) -> bool {
    scheme != Scheme::SemanticScholar
}

/// Commas and bars part the values of a filter and cannot be escaped.
pub fn can_be_listed(value: &str) -> bool {
    !value.is_empty() && !value.contains([',', '|'])
}

/// Reads any answer with works: one work, or a page of a list.
pub fn read(
    body: &[u8],
    first_rank: usize,
    settings: &AcademicSettings,
) -> Result<Listed, Failure> {
    let answer = json_of(body)?;
    let notes = RefCell::new(Notes::up_to(settings.max_notes));
    let mut listed = Listed::default();
    let records = records(&answer, &notes, &mut listed)?;
    listed.records = records.len();
    for (index, record) in records.iter().enumerate() {
        let place = format!("record {}", index + 1);
        if let Some(fields) = Fields::of(record, place, &notes) {
            listed.candidates.extend(candidate(&fields, first_rank + index, settings));
        }
    }
    listed.notes = notes.into_inner().into_lines();
    Ok(listed)
}

/// The OpenAlex ids of what a work cites, in its order, each once, up to `max`; and how many there are.
pub fn references(body: &[u8], max: usize) -> Result<(Vec<WorkName>, usize), Failure> {
    let answer = json_of(body)?;
    let list =
        answer.get("referenced_works").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut names: Vec<WorkName> = Vec::new();
    for name in
        list.iter().filter_map(Value::as_str).filter_map(|it| WorkName::of(Scheme::OpenAlex, it))
    {
        if names.len() >= max {
            break;
        }
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Ok((names, list.len()))
}

fn records<'a>(
    answer: &'a Value,
    notes: &'a RefCell<Notes>,
    listed: &mut Listed,
) -> Result<&'a [Value], Failure> {
    let Some(head) = Fields::of(answer, "the answer".to_owned(), notes) else {
        return Err(Failure::Unreadable { problem: "it is no record".to_owned() });
    };
    let map = head.map();
    if map.contains_key("results") {
        listed.total = head.object("meta").and_then(|it| it.total("count"));
        return Ok(head.list("results"));
    }
    if map.contains_key("error") {
        let message = head.text("message").or_else(|| head.text("error")).unwrap_or_default();
        return Err(Failure::Refused { message });
    }
    if ["id", "doi", "ids", "open_access", "title", "display_name"]
        .iter()
        .any(|it| map.contains_key(*it))
    {
        return Ok(std::slice::from_ref(answer));
    }
    Err(Failure::Unreadable { problem: "it has no works and no error".to_owned() })
}

fn candidate(fields: &Fields<'_>, rank: usize, settings: &AcademicSettings) -> Option<Candidate> {
    let primary = fields.object("primary_location");
    let open_access = fields.object("open_access");
    let free_copy = || {
        let best = fields.object("best_oa_location")?;
        best.text("pdf_url").or_else(|| best.text("landing_page_url"))
    };
    let authorships = fields.objects("authorships", settings.max_authors);
    let author = |authorship: &Fields<'_>| {
        authorship
            .object("author")
            .and_then(|it| it.text("display_name"))
            .or_else(|| authorship.text("raw_author_name"))
    };
    let mut paper = Paper {
        authors: authorships.iter().filter_map(author).collect(),
        year: fields.year("publication_year"),
        venue: primary
            .as_ref()
            .and_then(|it| it.object("source"))
            .and_then(|it| it.text("display_name")),
        abstract_text: fields
            .object("abstract_inverted_index")
            .and_then(|it| inverted::text(&it, settings.max_abstract_words)),
        citation_count: fields.count("cited_by_count"),
        reference_count: fields.count("referenced_works_count"),
        open_access_url: open_access
            .and_then(|it| it.text("oa_url"))
            .or_else(free_copy)
            .filter(|it| web_address(it).is_some()),
        retracted: fields.flag("is_retracted").unwrap_or(false),
        identifiers: Vec::new(),
    };
    Record::name(&mut paper, fields, Scheme::Doi, fields.text("doi"));
    Record::name(&mut paper, fields, Scheme::OpenAlex, fields.text("id"));
    if let Some(ids) = fields.object("ids") {
        Record::name(&mut paper, &ids, Scheme::Doi, ids.text("doi"));
        Record::name(&mut paper, &ids, Scheme::Pmid, ids.text("pmid"));
        Record::name(&mut paper, &ids, Scheme::Pmcid, ids.text("pmcid"));
        Record::name(&mut paper, &ids, Scheme::OpenAlex, ids.text("openalex"));
    }
    // A published work that also lies on arXiv says so only in its locations.
    for location in fields.objects("locations", settings.max_locations) {
        let address = location.text("landing_page_url").and_then(|it| web_address(&it));
        let name = address.and_then(|it| WorkName::of_url(&it));
        if let Some(name) = name.filter(|it| it.scheme == Scheme::Arxiv) {
            Record::name(&mut paper, &location, Scheme::Arxiv, Some(name.value));
        }
    }
    let record = Record {
        title: fields.text("title").or_else(|| fields.text("display_name")),
        date: fields.date("publication_date"),
        paper,
        address: primary.and_then(|it| it.text("landing_page_url")),
    };
    record.into_candidate(fields, NAME, rank, settings)
}
