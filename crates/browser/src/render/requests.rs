//! The requests of one page: each is held by the browser until it is answered here or refused.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use url::Url;

use super::network::{Brought, Wanted};
use super::refusals::refusal;
use super::{Opening, Part, PartOutcome};
use crate::Problem;
use crate::connection::Connection;

/// Headers that the fetcher sets, or that describe a connection.
const OURS: [&str; 9] = [
    "accept-encoding",
    "accept-language",
    "connection",
    "content-length",
    "content-type",
    "cookie",
    "host",
    "referer",
    "user-agent",
];
/// Headers of an answer that speak of bytes that are unpacked by now, or make the browser report or load ahead.
const NOT_PASSED_ON: [&str; 9] = [
    "alt-svc",
    "content-encoding",
    "content-length",
    "keep-alive",
    "link",
    "nel",
    "report-to",
    "strict-transport-security",
    "transfer-encoding",
];

/// A request that the browser holds.
#[derive(Debug, Clone)]
pub(super) struct Held {
    pub(super) session: Option<String>,
    pub(super) id: String,
}

/// What is to happen with a held request.
#[derive(Debug)]
pub(super) enum Decision {
    /// It was answered or refused.
    Done,
    /// It is to be brought.
    Bring(Wanted),
    /// The page has to be given up.
    GiveUp(Problem),
}

/// What a page asked for, and what there was for it.
#[derive(Debug)]
pub(super) struct Requests {
    main_frame: String,
    /// What came, by address: within one page nothing is asked for twice.
    known: HashMap<Url, Result<Brought, String>>,
    waiting: HashMap<Url, Vec<Held>>,
    pub(super) parts: Vec<Part>,
    pub(super) page: Url,
    asked: usize,
    navigations: usize,
    max_requests: usize,
    max_navigations: usize,
}

impl Requests {
    pub(super) fn new(
        main_frame: String,
        opening: Opening,
        max_requests: usize,
        max_navigations: usize,
    ) -> Self {
        let Opening { url, status, headers, body, record_id } = opening;
        let page = without_fragment(&url);
        let brought = Brought { url: page.clone(), status, headers, body, record_id };
        Self {
            main_frame,
            known: HashMap::from([(page.clone(), Ok(brought))]),
            waiting: HashMap::new(),
            parts: Vec::new(),
            page,
            asked: 0,
            navigations: 0,
            max_requests,
            max_navigations,
        }
    }

    /// Whether something is under way.
    pub(super) fn any_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Refuses what is still waited for.
    pub(super) fn give_up(&mut self, connection: &Connection) {
        for (url, all) in std::mem::take(&mut self.waiting) {
            for held in all {
                self.refuse(connection, &held, url.as_str(), "not there in time");
            }
        }
    }

    /// Decides about a request that the browser holds.
    pub(super) fn held(
        &mut self,
        connection: &Connection,
        session: Option<String>,
        event: &Value,
    ) -> Decision {
        let Some(id) = event["requestId"].as_str() else { return Decision::Done };
        let held = Held { session, id: id.to_owned() };
        let request = &event["request"];
        let method = request["method"].as_str().unwrap_or_default();
        let given = request["url"].as_str().unwrap_or_default();
        let Ok(url) = Url::parse(given).map(|it| without_fragment(&it)) else {
            self.refuse(connection, &held, given, "no address");
            return Decision::Done;
        };
        let kind = event["resourceType"].as_str().unwrap_or_default();
        let is_page =
            kind == "Document" && event["frameId"].as_str() == Some(self.main_frame.as_str());
        if is_page {
            // The first one is the page that was asked for.
            if self.navigations > self.max_navigations {
                self.refuse(connection, &held, given, "sent elsewhere too often");
                return Decision::GiveUp(Problem::Navigations(self.max_navigations));
            }
            self.navigations += 1;
        }
        if let Some(why) = refusal(kind, &url, &self.page, is_page, method)
            && method != "OPTIONS"
        {
            self.refuse(connection, &held, given, why);
            return match is_page {
                true => Decision::GiveUp(Problem::Left(place(&url))),
                false => Decision::Done,
            };
        }
        if method == "OPTIONS" {
            allow(connection, &held, request);
            return Decision::Done;
        }
        let post = (method == "POST").then(|| {
            let kind = header_of(request, "content-type").unwrap_or_default();
            (kind, body_of(request))
        });
        if post.is_none() {
            if let Some(known) = self.known.get(&url).cloned() {
                return self.give(connection, &held, &url, is_page, known);
            }
            if let Some(others) = self.waiting.get_mut(&url) {
                others.push(held);
                return Decision::Done;
            }
        }
        if self.asked >= self.max_requests {
            self.refuse(connection, &held, given, "the page asked for too much");
            return Decision::Done;
        }
        self.asked += 1;
        // Two posts to one address are two; each is told apart by a fragment, which is never sent.
        let mut key = url.clone();
        if post.is_some() {
            key.set_fragment(Some(&self.asked.to_string()));
        }
        self.waiting.insert(key.clone(), vec![held]);
        let wanted = Wanted {
            url: key,
            page: self.page.clone(),
            is_navigation: is_page,
            post,
            headers: headers_of(request),
        };
        Decision::Bring(wanted)
    }

    /// Takes what came for a request and answers those that wait for it.
    pub(super) fn came(
        &mut self,
        connection: &Connection,
        key: &Url,
        is_page: bool,
        outcome: Result<Brought, String>,
    ) -> Decision {
        let part = match &outcome {
            Ok(it) => PartOutcome::Brought { status: it.status, record_id: it.record_id.clone() },
            Err(why) => PartOutcome::Refused(why.clone()),
        };
        let url = without_fragment(key);
        self.parts.push(Part { url: url.to_string(), outcome: part });
        if key.fragment().is_none() {
            self.known.insert(url.clone(), outcome.clone());
        }
        let mut decision = Decision::Done;
        for held in self.waiting.remove(key).unwrap_or_default() {
            let given = self.give(connection, &held, &url, is_page, outcome.clone());
            if matches!(given, Decision::GiveUp(_)) {
                decision = given;
            }
        }
        decision
    }

    fn give(
        &mut self,
        connection: &Connection,
        held: &Held,
        url: &Url,
        is_page: bool,
        outcome: Result<Brought, String>,
    ) -> Decision {
        let brought = match outcome {
            Ok(brought) => brought,
            Err(why) => {
                fail(connection, held);
                let host = place(url);
                return match is_page {
                    true => Decision::GiveUp(Problem::NotOpened { host, why }),
                    false => Decision::Done,
                };
            }
        };
        if is_page {
            self.page = brought.url.clone();
        }
        let session = held.session.as_deref();
        // The browser has to know the address that relative ones are of.
        if brought.url != *url {
            let mut headers = allowing(&brought.headers);
            headers.push(json!({ "name": "location", "value": brought.url.as_str() }));
            self.known.entry(brought.url.clone()).or_insert_with(|| Ok(brought));
            let answer = json!({
                "requestId": held.id, "responseCode": 302, "responseHeaders": headers,
            });
            connection.tell(session, "Fetch.fulfillRequest", &answer);
            return Decision::Done;
        }
        let headers: Vec<Value> = brought
            .headers
            .iter()
            .filter(|(name, _)| !NOT_PASSED_ON.contains(&name.as_str()))
            .map(|(name, value)| json!({ "name": name, "value": value }))
            .collect();
        let answer = json!({
            "requestId": held.id,
            "responseCode": brought.status,
            "responseHeaders": headers,
            "body": STANDARD.encode(&brought.body),
        });
        connection.tell(session, "Fetch.fulfillRequest", &answer);
        Decision::Done
    }

    fn refuse(&mut self, connection: &Connection, held: &Held, url: &str, why: &str) {
        /// Addresses can hold whole pictures.
        const LONGEST: usize = 2_000;
        fail(connection, held);
        // What is refused costs nothing, so a page could go on forever.
        if self.parts.len() < self.max_requests.saturating_mul(10) {
            let url = url.chars().take(LONGEST).collect();
            self.parts.push(Part { url, outcome: PartOutcome::Refused(why.to_owned()) });
        }
    }
}

fn fail(connection: &Connection, held: &Held) {
    let params = json!({ "requestId": held.id, "errorReason": "BlockedByClient" });
    connection.tell(held.session.as_deref(), "Fetch.failRequest", &params);
}

/// Answers the question whether a script may ask another origin. The request itself is checked by the rules above, and
/// its answer by the browser, as always.
fn allow(connection: &Connection, held: &Held, request: &Value) {
    let origin = header_of(request, "origin").unwrap_or_else(|| "*".to_owned());
    let names = header_of(request, "access-control-request-headers").unwrap_or_default();
    let headers = json!([
        { "name": "access-control-allow-origin", "value": origin },
        { "name": "access-control-allow-credentials", "value": "true" },
        { "name": "access-control-allow-methods", "value": "GET, POST" },
        { "name": "access-control-allow-headers", "value": names },
    ]);
    let answer = json!({ "requestId": held.id, "responseCode": 204, "responseHeaders": headers });
    connection.tell(held.session.as_deref(), "Fetch.fulfillRequest", &answer);
}

fn allowing(headers: &[(String, String)]) -> Vec<Value> {
    let ours = headers.iter().filter(|(name, _)| name.starts_with("access-control-"));
    ours.map(|(name, value)| json!({ "name": name, "value": value })).collect()
}

fn header_of(request: &Value, name: &str) -> Option<String> {
    let headers = request["headers"].as_object()?;
    let (_, value) = headers.iter().find(|(it, _)| it.eq_ignore_ascii_case(name))?;
    value.as_str().map(str::to_owned)
}

fn headers_of(request: &Value) -> Vec<(String, String)> {
    let headers = request["headers"].as_object().into_iter().flatten();
    let named = headers
        .filter_map(|(name, value)| Some((name.to_ascii_lowercase(), value.as_str()?.to_owned())));
    named
        .filter(|(name, _)| !OURS.contains(&name.as_str()))
        .filter(|(name, _)| !name.starts_with("sec-") && !name.starts_with("proxy-"))
        .filter(|(name, _)| name != "upgrade-insecure-requests")
        .collect()
}

fn body_of(request: &Value) -> Vec<u8> {
    let entries = request["postDataEntries"].as_array().into_iter().flatten();
    let parts = entries.filter_map(|it| STANDARD.decode(it["bytes"].as_str()?).ok());
    parts.flatten().collect()
}

fn without_fragment(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_fragment(None);
    url
}

/// What is said of an address: its path may be the words of a question.
fn place(url: &Url) -> String {
    url.host_str().map_or_else(|| format!("{}:", url.scheme()), str::to_owned)
}
