//! A request from its address to its answer: the archive first, then one request after another along the
//! redirects, each of them checked, allowed, paced and recorded like the first.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use evidence::domain::PolicyFields;
use ledger::CachedFetch;
use url::Url;

use crate::archived::{self, Archived};
use crate::exchange::{Call, Called, Known, call, transient_reason};
use crate::fetcher::Inner;
use crate::host_queue::Patience;
use crate::robots::Asked;
use crate::{
    FetchFailure, FetchRequest, FetchResponse, Freshness, Kind, Method, Origin, Reason, Route,
};

/// Runs a request to its end.
pub(crate) async fn run(
    inner: &Arc<Inner>,
    request: &FetchRequest,
) -> Result<FetchResponse, FetchFailure> {
    let mut at = request.url.clone();
    at.set_fragment(None);
    if let Some(fetched) = from_archive(inner, request, &at).await? {
        inner.counters.archive_answered();
        return Ok(fetched);
    }
    // What came back before may be on the way as well.
    if request.offline && !matches!(request.freshness, Freshness::Since(_)) {
        return Err(offline(&request.url));
    }
    let mut chain = RedirectChain {
        inner,
        request,
        method: request.method.clone(),
        way: Vec::new(),
        permanent: true,
        seen: HashSet::new(),
        patience: Patience::new(
            Duration::from_millis(inner.settings.max_wait_ms),
            request.answer_within,
        ),
        from_archive: false,
    };
    loop {
        let called = chain.stop(&at).await?;
        match called.redirect(&at) {
            None => return Ok(chain.fetched(at, called)),
            Some(_) if chain.way.len() >= inner.settings.max_redirects => {
                let (first, most) = (host(&request.url), inner.settings.max_redirects);
                return Err(lost(&at, format!("{first} redirects more than {most} times")));
            }
            Some(next) => chain.turn_to(&mut at, next, called.status),
        }
    }
}

/// The state of a redirect chain between its requests.
struct RedirectChain<'a> {
    inner: &'a Arc<Inner>,
    request: &'a FetchRequest,
    method: Method,
    way: Vec<Url>,
    permanent: bool,
    /// Addresses with the cookies they were asked with: the same again would be answered the same.
    seen: HashSet<(Url, Option<String>)>,
    patience: Patience,
    /// The last answer came out of the archive.
    from_archive: bool,
}

impl RedirectChain<'_> {
    /// Asks for one address, if it may be asked for.
    async fn stop(&mut self, at: &Url) -> Result<Called, FetchFailure> {
        let inner = self.inner;
        if let Some(refused) = inner.refuses(at) {
            return Err(refused);
        }
        if !self.seen.insert((at.clone(), inner.cookies.header(at))) {
            return Err(lost(at, format!("{} redirects in a circle", host(at))));
        }
        if let Some(called) = self.came_back(at).await? {
            return Ok(called);
        }
        if self.request.offline {
            return Err(offline(at));
        }
        let (mut fields, mut asked) = (PolicyFields::default(), Asked::default());
        if matches!(self.request.kind, Kind::Page | Kind::Part) {
            fields = inner.check_policy(at).await?;
            asked = inner.robots.check(inner, at, self.request, &mut self.patience).await?;
        }
        let known = match self.request.freshness {
            Freshness::Again => None,
            Freshness::Revalidate | Freshness::Archived | Freshness::Since(_) => {
                self.known(at).await?
            }
        };
        let attempts = match self.request.kind {
            Kind::Api { .. } => inner.settings.api_attempts.max(1),
            // A page or an engine is never asked twice the same way.
            Kind::Page | Kind::Part | Kind::Engine { .. } => 1,
        };
        let (method, permanent, way) = (self.method.clone(), self.permanent, &self.way);
        let next = || Call {
            method: method.clone(),
            permanent,
            fields,
            crawl_delay: asked.crawl_delay,
            known: known.clone(),
            ..Call::page(at, self.request, way)
        };
        let mut outcome = call(inner, next(), &mut self.patience).await;
        for _ in 1..attempts {
            let again = match &outcome {
                Ok(called) => called.is_transient(),
                Err(missed) => transient_reason(missed.reason),
            };
            if !again || self.patience.for_answer(inner.bounds.time).is_none() {
                break;
            }
            match call(inner, next(), &mut self.patience).await {
                // There is no time left for another try: what the last one brought is the answer.
                Err(missed) if missed.reason == Reason::Resting => break,
                later => outcome = later,
            }
        }
        outcome
    }

    /// The answer to the same request that came before this request was cut off.
    async fn came_back(&mut self, at: &Url) -> Result<Option<Called>, FetchFailure> {
        let Freshness::Since(since) = self.request.freshness else { return Ok(None) };
        let body = match &self.method {
            Method::Get => Vec::new(),
            Method::Post { body, .. } => body.clone(),
            Method::Head => return Ok(None),
        };
        let (max, dir) = (self.inner.settings.max_unpacked_bytes, self.inner.dir.clone());
        let url = at.to_string();
        let found = self
            .inner
            .read(at, move |ledger| archived::came_back(ledger, &dir, &url, &body, since, max))
            .await?;
        // An API that was busy would have been asked again.
        let tries = matches!(self.request.kind, Kind::Api { .. });
        let found = found.map(Called::archived).filter(|it| !(tries && it.is_transient()));
        self.from_archive = found.is_some();
        if self.from_archive {
            self.inner.counters.archive_answered();
        }
        Ok(found)
    }

    /// What is known of a page that can be asked whether it changed.
    async fn known(&self, at: &Url) -> Result<Option<Known>, FetchFailure> {
        let asks = matches!(self.request.kind, Kind::Page | Kind::Part | Kind::Api { .. });
        if !asks || self.method != Method::Get {
            return Ok(None);
        }
        let Some(cached) = cached(self.inner, at).await? else { return Ok(None) };
        if cached.etag.is_none() && cached.last_modified.is_none() {
            return Ok(None);
        }
        // A page that was not modified is of use only where it can be read back.
        let archived = archived_page(self.inner, at, cached.clone()).await?;
        Ok(archived.map(|archived| Known { cached, archived }))
    }

    /// Goes on to where an answer redirects.
    fn turn_to(&mut self, at: &mut Url, next: Url, status: u16) {
        self.permanent &= matches!(status, 301 | 308);
        // As browsers do: only 307 and 308 carry a form on.
        if matches!(status, 301..=303) && matches!(self.method, Method::Post { .. }) {
            self.method = Method::Get;
        }
        self.way.push(std::mem::replace(at, next));
    }

    fn fetched(self, at: Url, called: Called) -> FetchResponse {
        FetchResponse {
            requested: self.request.url.clone(),
            url: at,
            redirects: self.way.into_iter().skip(1).collect(),
            status: called.status,
            headers: called.headers,
            body: called.body,
            origin: match (self.from_archive, called.not_modified) {
                (true, _) => Origin::Archive,
                (false, true) => Origin::NotModified,
                (false, false) => Origin::Network,
            },
            route: route_of(&self.request.kind),
            record_id: called.record_id,
            fetched_at: called.at,
            elapsed: called.elapsed,
        }
    }
}

/// An answer that needs no request.
async fn from_archive(
    inner: &Arc<Inner>,
    request: &FetchRequest,
    at: &Url,
) -> Result<Option<FetchResponse>, FetchFailure> {
    if request.method != Method::Get || request.freshness == Freshness::Again {
        return Ok(None);
    }
    let whatever_its_age = request.freshness == Freshness::Archived;
    let asks = matches!(request.kind, Kind::Page | Kind::Part | Kind::Api { .. });
    if !asks && !whatever_its_age {
        return Ok(None);
    }
    let cached = cached(inner, at).await?;
    let fresh = cached.filter(|page| {
        whatever_its_age || page.fresh_until.is_some_and(|it| it > inner.time.now())
    });
    let mut found = match fresh {
        Some(cached) => archived_page(inner, at, cached).await?,
        None => None,
    };
    if found.is_none() && whatever_its_age {
        let (max, dir) = (inner.settings.max_unpacked_bytes, inner.dir.clone());
        let url = at.to_string();
        found = inner.read(at, move |ledger| archived::newest(ledger, &dir, &url, max)).await?;
    }
    Ok(found.map(|archived| FetchResponse {
        requested: request.url.clone(),
        url: archived.final_url.parse().unwrap_or_else(|_| at.clone()),
        redirects: Vec::new(),
        status: archived.status,
        headers: archived.headers,
        body: archived.body,
        origin: Origin::Archive,
        route: route_of(&request.kind),
        record_id: Some(archived.record.record_id),
        fetched_at: archived.archived_at,
        elapsed: Duration::ZERO,
    }))
}

async fn cached(inner: &Arc<Inner>, at: &Url) -> Result<Option<CachedFetch>, FetchFailure> {
    let url = at.to_string();
    inner.read(at, move |it| it.cached_fetch(&url)).await
}

async fn archived_page(
    inner: &Arc<Inner>,
    at: &Url,
    cached: CachedFetch,
) -> Result<Option<Archived>, FetchFailure> {
    let (max, dir) = (inner.settings.max_unpacked_bytes, inner.dir.clone());
    inner.read(at, move |ledger| archived::of_cached(ledger, &dir, &cached, max)).await
}

/// The way a request of a kind takes.
pub(crate) const fn route_of(kind: &Kind) -> Route {
    match kind {
        Kind::Part => Route::Browser,
        Kind::Page | Kind::Engine { .. } | Kind::Api { .. } => Route::Http,
    }
}

fn offline(at: &Url) -> FetchFailure {
    let detail = "Lyra runs offline and sends no requests".to_owned();
    FetchFailure { url: at.clone(), reason: Reason::Offline, detail, status: None, again_at: None }
}

fn lost(at: &Url, detail: String) -> FetchFailure {
    let reason = Reason::TooManyRedirects;
    FetchFailure { url: at.clone(), reason, detail, status: None, again_at: None }
}

fn host(url: &Url) -> &str {
    url.host_str().unwrap_or_default()
}
