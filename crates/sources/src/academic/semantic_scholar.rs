//! Semantic Scholar's graph API: what is asked, and how its answers are read.
//!
//! Requests are plain values ([`Request`]); answers are read without trusting any field. `isInfluential` is left
//! out on purpose: the other index has nothing like it.

use std::cell::RefCell;

use fetch::{FetchRequest, Method};
use serde_json::{Value, json};
use url::Url;

use crate::asking::json_of;
use crate::candidate::{Candidate, Paper};
use crate::outcome::{Failure, Notes};

use super::fields::Fields;
use super::record::{Listed, Record};
use super::settings::AcademicSettings;
use super::work_name::{Scheme, WorkName};

pub const NAME: &str = "semantic_scholar";
pub(super) const BASE: &str = "https://api.semanticscholar.org/graph/v1/paper";
const FIELDS: &str = "title,abstract,year,venue,journal,publicationDate,publicationTypes,authors,externalIds,url,\
                      citationCount,referenceCount,isOpenAccess,openAccessPdf";
/// What the API allows in one answer of a search, of references and citations, and in one batch.
const SEARCH_PAGE: usize = 100;
const LIST_PAGE: usize = 1_000;
const BATCH: usize = 500;
/// A search shows no more than its first thousand.
const SEARCH_DEPTH: u64 = 1_000;

/// Something to ask Semantic Scholar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    Search {
        text: String,
        dates: Option<String>,
        offset: u64,
        limit: usize,
    },
    Work(WorkName),
    /// What the work cites.
    References {
        of: WorkName,
        offset: u64,
        limit: usize,
    },
    /// What cites the work.
    Citations {
        of: WorkName,
        offset: u64,
        limit: usize,
    },
    Batch(Vec<WorkName>),
}

impl Request {
    pub fn fetch_request(&self, settings: &AcademicSettings) -> FetchRequest {
        let own = &settings.semantic_scholar;
        let mut fetch_request = own.limits().fetch_request(NAME, self.url());
        fetch_request.headers.push(("accept".to_owned(), "application/json".to_owned()));
        if !own.key.is_empty() {
            fetch_request.secret_headers.push(("x-api-key".to_owned(), own.key.to_string()));
        }
        if let Self::Batch(names) = self {
            let ids: Vec<String> = names.iter().take(BATCH).map(id).collect();
            fetch_request.method = Method::Post {
                content_type: "application/json".to_owned(),
                body: json!({ "ids": ids }).to_string().into_bytes(),
            };
        }
        fetch_request
    }

    fn url(&self) -> Url {
        let mut url = Url::parse(BASE).expect("a constant that is an address");
        match self {
            Self::Search { .. } => push(&mut url, ["search"]),
            Self::Batch(_) => push(&mut url, ["batch"]),
            Self::Work(name) => push(&mut url, id(name).split('/')),
            Self::References { of, .. } => push(&mut url, id(of).split('/').chain(["references"])),
            Self::Citations { of, .. } => push(&mut url, id(of).split('/').chain(["citations"])),
        }
        let mut query = url.query_pairs_mut();
        if let Self::Search { text, dates, .. } = self {
            // "Hyphenated query terms yield no matches" (the API's documentation).
            query.append_pair("query", &text.replace('-', " "));
            if let Some(dates) = dates {
                query.append_pair("publicationDateOrYear", dates);
            }
        }
        query.append_pair("fields", FIELDS);
        if let Some((offset, limit)) = self.paging() {
            query.append_pair("offset", &offset.to_string());
            query.append_pair("limit", &limit.to_string());
        }
        drop(query);
        url
    }

    fn paging(&self) -> Option<(u64, usize)> {
        match self {
            Self::Search { offset, limit, .. } => Some((*offset, (*limit).clamp(1, SEARCH_PAGE))),
            Self::References { offset, limit, .. } | Self::Citations { offset, limit, .. } => {
                Some((*offset, (*limit).clamp(1, LIST_PAGE)))
            }
            Self::Work(_) | Self::Batch(_) => None,
        }
    }

    /// The request for what follows an answer, for `limit` more records.
    pub fn next(&self, listed: &Listed, limit: usize) -> Option<Self> {
        // An index that says the same place again would be asked for ever.
        let next = listed.next.filter(|next| self.paging().is_some_and(|it| *next > it.0))?;
        match self {
            Self::Search { text, dates, .. } => (next < SEARCH_DEPTH).then(|| Self::Search {
                text: text.clone(),
                dates: dates.clone(),
                offset: next,
                limit: limit.min((SEARCH_DEPTH - next) as usize),
            }),
            Self::References { of, .. } => {
                Some(Self::References { of: of.clone(), offset: next, limit })
            }
            Self::Citations { of, .. } => {
                Some(Self::Citations { of: of.clone(), offset: next, limit })
            }
            Self::Work(_) | Self::Batch(_) => None,
        }
    }
}

fn push<'a>(url: &mut Url, segments: impl IntoIterator<Item = &'a str>) {
    url.path_segments_mut().expect("an address with a host").extend(segments);
}

/// A name as this API wants it.
fn id(name: &WorkName) -> String {
    let value = &name.value;
    match name.scheme {
        Scheme::Doi => format!("DOI:{value}"),
        Scheme::Pmid => format!("PMID:{value}"),
        Scheme::Pmcid => format!("PMCID:{}", value.trim_start_matches("PMC")),
        Scheme::Arxiv => format!("ARXIV:{value}"),
        Scheme::SemanticScholar => value.clone(),
        // It knows nothing of OpenAlex's ids; asking anyway gives its honest 404.
        Scheme::OpenAlex => format!("OPENALEX:{value}"),
    }
}

/// Whether this index can be asked for a work by this name.
pub fn knows(scheme: Scheme) -> bool {
    scheme != Scheme::OpenAlex
}

/// Fields of which an answer that is one paper, or one reference, has at least one.
const OF_A_PAPER: [&str; 5] = ["paperId", "corpusId", "title", "citedPaper", "citingPaper"];

/// Reads any answer with papers: one paper, a list of them, a page of a search, of references, of citations or of
/// recommendations.
pub fn read(
    body: &[u8],
    first_rank: usize,
    settings: &AcademicSettings,
) -> Result<Listed, Failure> {
    let answer = json_of(body)?;
    let notes = RefCell::new(Notes::up_to(settings.max_notes));
    let mut listed = Listed::default();
    let records: &[Value] = match &answer {
        Value::Array(list) => list,
        Value::Object(map) => {
            let head = Fields::of(&answer, "the answer".to_owned(), &notes)
                .ok_or_else(|| Failure::Unreadable { problem: "no record".to_owned() })?;
            listed.total = head.total("total");
            listed.next = head.total("next");
            if map.contains_key("data") {
                head.list("data")
            } else if map.contains_key("recommendedPapers") {
                head.list("recommendedPapers")
            } else if OF_A_PAPER.iter().any(|it| map.contains_key(*it)) {
                std::slice::from_ref(&answer)
            } else if map.contains_key("total") || map.contains_key("offset") {
                // A search without results has no `data` at all.
                &[]
            } else {
                return Err(refusal(&head));
            }
        }
        _ => {
            return Err(Failure::Unreadable {
                problem: "it is neither a record nor a list".to_owned(),
            });
        }
    };
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

fn refusal(head: &Fields<'_>) -> Failure {
    match head.text("error").or_else(|| head.text("message")) {
        Some(message) => Failure::Refused { message },
        None => Failure::Unreadable { problem: "it has no papers and no error".to_owned() },
    }
}

fn candidate(fields: &Fields<'_>, rank: usize, settings: &AcademicSettings) -> Option<Candidate> {
    // References, citations and snippets wrap the paper.
    let wrapped = ["citedPaper", "citingPaper", "paper"]
        .into_iter()
        .find(|it| fields.map().contains_key(*it));
    let inner = match wrapped {
        Some(field) => &fields.object(field)?,
        None => fields,
    };
    let mut paper = Paper {
        authors: authors(inner, settings),
        year: inner.year("year"),
        venue: inner.text("venue").or_else(|| inner.object("journal")?.text("name")),
        abstract_text: inner.text("abstract"),
        citation_count: inner.count("citationCount"),
        reference_count: inner.count("referenceCount"),
        open_access_url: inner
            .object("openAccessPdf")
            .and_then(|it| it.text("url"))
            .filter(|it| super::record::web_address(it).is_some()),
        retracted: false,
        identifiers: Vec::new(),
    };
    if let Some(ids) = inner.object("externalIds") {
        Record::name(&mut paper, &ids, Scheme::Doi, ids.text("DOI"));
        Record::name(&mut paper, &ids, Scheme::Pmid, ids.text("PubMed"));
        Record::name(&mut paper, &ids, Scheme::Pmcid, ids.text("PubMedCentral"));
        Record::name(&mut paper, &ids, Scheme::Arxiv, ids.text("ArXiv"));
    }
    let own = inner.text("paperId");
    match own {
        Some(_) => Record::name(&mut paper, inner, Scheme::SemanticScholar, own),
        None => {
            let number = inner.text("corpusId").map(|it| format!("CorpusId:{it}"));
            Record::name(&mut paper, inner, Scheme::SemanticScholar, number);
        }
    }
    let record = Record {
        title: inner.text("title"),
        date: inner.date("publicationDate"),
        paper,
        address: inner.text("url"),
    };
    record.into_candidate(inner, NAME, rank, settings)
}

/// Authors are records with a name; snippets give only the names.
fn authors(fields: &Fields<'_>, settings: &AcademicSettings) -> Vec<String> {
    let list = fields.list("authors");
    if list.iter().all(Value::is_string) {
        let names = list.iter().take(settings.max_authors).filter_map(Value::as_str);
        return names.map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect();
    }
    let records = fields.objects("authors", settings.max_authors);
    records.iter().filter_map(|it| it.text("name")).collect()
}
