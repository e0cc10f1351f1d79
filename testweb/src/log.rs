//! What reached the server: the proof of politeness.
//!
//! Every request is counted per registrable domain, and kept as a [`Hit`] unless only the counts are wanted. A request
//! is open from its arrival until just before its last bytes leave: a client that waits for the end of an answer can
//! never be seen with two.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// One request that reached the server.
#[derive(Debug, Clone)]
pub struct Hit {
    /// Time since the server started.
    pub when: Duration,
    pub host: String,
    pub method: String,
    /// With the query.
    pub path: String,
    /// Names in lower case, in the order they came.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// 0: no answer was sent.
    pub status: u16,
    /// Bytes of the answer's body that were sent.
    pub bytes: u64,
    /// Connections are numbered from 1 in the order they were accepted.
    pub connection: u64,
    pub protocol: Protocol,
    pub secure: bool,
    pub via: Via,
    /// Requests to the same registrable domain that were open when this one came, with this one.
    pub open: usize,
}

impl Hit {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|it| it.0 == name).map(|it| it.1.as_str())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    Http1,
    Http2,
}

/// How a client came to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    Direct,
    /// It used the server as an HTTP proxy.
    HttpProxy,
    Socks5,
}

/// The part of a host name that one owner holds, as far as the small internet needs to know.
pub fn registrable_domain(host: &str) -> &str {
    const TWO_LABELS: [&str; 5] = ["go.jp", "co.jp", "or.jp", "ac.jp", "co.uk"];
    let host = host.strip_suffix('.').unwrap_or(host);
    if host.parse::<std::net::IpAddr>().is_ok() {
        return host;
    }
    let long =
        TWO_LABELS.iter().any(|it| host.strip_suffix(it).is_some_and(|rest| rest.ends_with('.')));
    let labels = if long { 3 } else { 2 };
    let start = host.rmatch_indices('.').nth(labels - 1).map_or(0, |it| it.0 + 1);
    &host[start..]
}

/// Shared by all connections.
#[derive(Debug, Clone)]
pub(crate) struct Log {
    started: Instant,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug, Default)]
struct Inner {
    hits: Vec<Hit>,
    counts_only: bool,
    /// Raised by clearing, so that a request of before cannot write into a hit of after.
    epoch: u64,
    domains: HashMap<String, Domain>,
    visits: HashMap<String, (u64, Instant)>,
}

#[derive(Debug, Default)]
struct Domain {
    requests: u64,
    open: usize,
    most_open: usize,
    last: Option<Instant>,
    closest: Option<Duration>,
}

impl Log {
    pub(crate) fn new() -> Self {
        Self { started: Instant::now(), inner: Arc::default() }
    }

    /// Notes the arrival of a request; `hit` becomes complete as the answer is sent.
    pub(crate) fn begin(&self, mut hit: Hit) -> Open {
        let now = Instant::now();
        hit.when = now - self.started;
        let name = registrable_domain(&hit.host).to_owned();
        let mut inner = self.lock();
        let domain = inner.domains.entry(name.clone()).or_default();
        domain.requests += 1;
        domain.open += 1;
        domain.most_open = domain.most_open.max(domain.open);
        if let Some(last) = domain.last.replace(now) {
            let gap = now - last;
            domain.closest = Some(domain.closest.map_or(gap, |it| it.min(gap)));
        }
        hit.open = domain.open;
        let place = (!inner.counts_only).then_some(inner.hits.len());
        if place.is_some() {
            inner.hits.push(hit);
        }
        let epoch = inner.epoch;
        drop(inner);
        Open { log: self.clone(), domain: name, place, epoch, open: true }
    }

    /// How often a host was asked before, and how long ago; counts this time.
    pub(crate) fn visit(&self, host: &str) -> (u64, Option<Duration>) {
        let now = Instant::now();
        let mut inner = self.lock();
        match inner.visits.get_mut(host) {
            Some((count, last)) => {
                let before = (*count, Some(now - *last));
                *count += 1;
                *last = now;
                before
            }
            None => {
                inner.visits.insert(host.to_owned(), (1, now));
                (0, None)
            }
        }
    }

    pub(crate) fn hits(&self) -> Vec<Hit> {
        self.lock().hits.clone()
    }

    pub(crate) fn hits_of(&self, host: &str) -> Vec<Hit> {
        self.lock().hits.iter().filter(|it| it.host == host).cloned().collect()
    }

    /// Forgets hits, counts and how often hosts were asked. Requests that are open stay open.
    pub(crate) fn clear(&self) {
        let mut inner = self.lock();
        inner.hits.clear();
        inner.visits.clear();
        inner.epoch += 1;
        inner.domains.retain(|_, it| it.open > 0);
        for domain in inner.domains.values_mut() {
            *domain = Domain { open: domain.open, most_open: domain.open, ..Domain::default() };
        }
    }

    pub(crate) fn keep_counts_only(&self) {
        self.lock().counts_only = true;
    }

    pub(crate) fn requests(&self, domain: &str) -> u64 {
        self.lock().domains.get(domain).map_or(0, |it| it.requests)
    }

    pub(crate) fn total(&self) -> u64 {
        self.lock().domains.values().map(|it| it.requests).sum()
    }

    pub(crate) fn most_open(&self, domain: &str) -> usize {
        self.lock().domains.get(domain).map_or(0, |it| it.most_open)
    }

    pub(crate) fn closest_gap(&self, domain: &str) -> Option<Duration> {
        self.lock().domains.get(domain).and_then(|it| it.closest)
    }

    pub(crate) fn domains(&self) -> Vec<String> {
        let mut names: Vec<String> = self.lock().domains.keys().cloned().collect();
        names.sort();
        names
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().expect("no code panics while it holds the log")
    }
}

/// A request that has not been answered to its end. Dropping it closes it.
#[derive(Debug)]
pub(crate) struct Open {
    log: Log,
    domain: String,
    place: Option<usize>,
    epoch: u64,
    open: bool,
}

impl Open {
    pub(crate) fn answered(&self, status: u16) {
        self.change(|hit| hit.status = status);
    }

    pub(crate) fn sent(&self, bytes: usize) {
        self.change(|hit| hit.bytes += bytes as u64);
    }

    /// To be called before the last bytes are sent.
    pub(crate) fn close(&mut self) {
        if std::mem::take(&mut self.open) {
            let mut inner = self.log.lock();
            let domain = inner.domains.get_mut(&self.domain);
            domain.expect("domains with open requests are kept").open -= 1;
        }
    }

    fn change(&self, change: impl FnOnce(&mut Hit)) {
        let mut inner = self.log.lock();
        if inner.epoch == self.epoch
            && let Some(hit) = self.place.and_then(|it| inner.hits.get_mut(it))
        {
            change(hit);
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.close();
    }
}

#[cfg(test)]
mod tests {
    use super::registrable_domain;

    #[test]
    fn a_domain_is_what_one_owner_holds() {
        let domains = [
            "news-1.test",
            "www.news-1.test",
            "a.b.news-1.test.",
            "localhost",
            "127.0.0.1",
            "kokkai.ndl.go.jp",
            "html.duckduckgo.com",
            "go.jp",
        ]
        .map(registrable_domain);
        insta::assert_snapshot!(
            domains.join(" "),
            @"news-1.test news-1.test news-1.test localhost 127.0.0.1 ndl.go.jp duckduckgo.com go.jp"
        );
    }
}
