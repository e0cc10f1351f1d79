//! A request to the network, as the caller states it.

use std::time::Duration;

use evidence::{EventId, TaskId};
use jiff::Timestamp;
use url::Url;

/// Something to be brought, and what the fetcher must know to be polite about it.
#[derive(Debug, Clone)]
pub struct FetchRequest {
    pub url: Url,
    pub kind: Kind,
    pub method: Method,
    /// Headers beyond those the fetcher sets itself, such as `accept`.
    pub headers: Vec<(String, String)>,
    /// Keys: sent, and kept out of the archive, the ledger and the logs.
    pub secret_headers: Vec<(String, String)>,
    /// Keys that an API wants in its address: added to the query that is sent, and kept out like those above.
    pub secret_query: Vec<(String, String)>,
    /// The page with the link that led here: becomes the referer and the `sec-fetch-*` headers.
    pub came_from: Option<Url>,
    pub task: Option<TaskId>,
    /// The event that led to this request.
    pub cause: Option<EventId>,
    pub freshness: Freshness,
    /// How long its requests may be under way, all of them together. Waiting for a turn does not count. `None`: each
    /// has the time of every request.
    pub answer_within: Option<Duration>,
    /// Nothing may be sent for it: only the archive answers.
    pub offline: bool,
}

impl FetchRequest {
    /// A page that is read.
    pub fn page(url: Url) -> Self {
        Self::new(url, Kind::Page)
    }

    pub fn new(url: Url, kind: Kind) -> Self {
        Self {
            url,
            kind,
            method: Method::Get,
            headers: Vec::new(),
            secret_headers: Vec::new(),
            secret_query: Vec::new(),
            came_from: None,
            task: None,
            cause: None,
            freshness: Freshness::Revalidate,
            answer_within: None,
            offline: false,
        }
    }
}

/// Whose rules a request follows.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A site: robots.txt, the limits per registrable domain, cookies, conditional requests; one try.
    Page,
    /// What a page that is rendered in a browser asks for: the rules of a site, with a pace of its own, as a browser's
    /// requests for one visit are. Not kept for the next visit beyond what its server allows.
    Part,
    /// A search engine's result page: its own limits beside those of its domain; no robots.txt (a person's query),
    /// one try.
    Engine { name: String, limits: Limits },
    /// An official API: its own limits, and another try with backoff after 429, 5xx and broken connections.
    Api { name: String, limits: Limits },
}

/// How often one engine or API may be asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Requests at the same time.
    pub concurrent: usize,
    /// The pause between two requests is drawn between these.
    pub spacing: (Duration, Duration),
    /// Requests a second, over time.
    pub per_second: f64,
    pub per_day: Option<u32>,
}

impl Limits {
    /// Of what a page asks for while it is rendered. The page itself kept the pace of its site; its parts come as they do
    /// to any browser, fewer at the same time.
    pub(crate) fn of_parts() -> Self {
        Self {
            concurrent: 4,
            spacing: (Duration::ZERO, Duration::ZERO),
            per_second: 10.0,
            per_day: Some(5_000),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Method {
    Get,
    Head,
    Post { content_type: String, body: Vec<u8> },
}

/// Whether what was fetched before will do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Freshness {
    /// What the server called fresh is taken from the archive; else it is asked whether the page changed.
    Revalidate,
    /// The whole page is asked for again.
    Again,
    /// The archived page, whatever its age; the network only if there is none.
    Archived,
    /// What came back since then to the same request, whatever it was; else as [`Freshness::Revalidate`]. For work that
    /// was cut off and is done again.
    Since(Timestamp),
}
