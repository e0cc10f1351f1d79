//! What a request will be: its queues, its words, and what it may show to whom.

use std::time::Duration;

use evidence::domain::{PolicyFields, site_of};
use ledger::CachedFetch;
use url::Url;

use crate::archived::Archived;
use crate::fetcher::Inner;
use crate::headers::{Asking, Line};
use crate::host_queue::Wanted;
use crate::pace::Rest;
use crate::sessions::InSession;
use crate::{FetchFailure, FetchRequest, Kind, Limits, Method, Reason};

/// A request that is to be made for a request.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    pub(crate) url: &'a Url,
    pub(crate) request: &'a FetchRequest,
    pub(crate) method: Method,
    pub(crate) purpose: String,
    /// The addresses that redirected here, the first one first.
    pub(crate) way: &'a [Url],
    /// All redirects on the way hold for good.
    pub(crate) permanent: bool,
    /// What the policy sets for this host.
    pub(crate) fields: PolicyFields,
    pub(crate) crawl_delay: Duration,
    /// What is known of the page: the server is asked whether it changed.
    pub(crate) known: Option<Known>,
    /// It is the site's robots.txt that is asked for.
    pub(crate) robots: bool,
}

/// A page that was fetched before and can be read back.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) cached: CachedFetch,
    pub(crate) archived: Archived,
}

impl<'a> Call<'a> {
    /// A plain request for a request of any kind.
    pub(crate) fn page(url: &'a Url, request: &'a FetchRequest, way: &'a [Url]) -> Self {
        Self {
            url,
            request,
            method: Method::Get,
            purpose: match &request.kind {
                Kind::Page => "page".to_owned(),
                Kind::Part => "part".to_owned(),
                Kind::Engine { name, .. } => format!("engine:{name}"),
                Kind::Api { name, .. } => format!("api:{name}"),
            },
            way,
            permanent: false,
            fields: PolicyFields::default(),
            crawl_delay: Duration::ZERO,
            known: None,
            robots: false,
        }
    }

    pub(super) fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    pub(super) fn missed(&self, reason: Reason, detail: String) -> FetchFailure {
        FetchFailure { url: self.url.clone(), reason, detail, status: None, again_at: None }
    }

    /// Keys are shown to the origin they were given for, and not to where it redirects.
    fn keys_fit(&self) -> bool {
        self.request.url.origin() == self.url.origin()
    }

    pub(super) fn with_cookies(&self) -> bool {
        !self.robots && !matches!(self.request.kind, Kind::Api { .. })
    }

    /// The queues a turn is needed in, always in this order.
    pub(super) fn queues(&self, inner: &Inner) -> Vec<Wanted> {
        let domain = || Wanted {
            scope: domain_scope(self.host()),
            rules: inner.rules.within(self.fields.qps, self.fields.max_pages_per_day),
            at_least: self.crawl_delay,
        };
        let own = |scope: String, limits, rest| Wanted {
            scope,
            rules: inner.rules.with(limits, rest),
            at_least: Duration::ZERO,
        };
        match &self.request.kind {
            Kind::Page => vec![domain()],
            Kind::Part => {
                let scope = format!("parts:{}", site_of(self.host()));
                vec![own(scope, &Limits::of_parts(), inner.rules.rest)]
            }
            // Whether an engine is asked again is decided by its circuit, which opens at the second failure.
            Kind::Engine { name, limits } => {
                let rest = Rest { from: 2, ..inner.rules.rest };
                let mut domain = domain();
                domain.rules.rest = rest;
                vec![own(format!("engine:{name}"), limits, rest), domain]
            }
            // Its pauses are those of the backoff.
            Kind::Api { name, limits } => {
                let rest = Rest { from: u32::MAX, ..inner.rules.rest };
                vec![own(format!("api:{name}"), limits, rest)]
            }
        }
    }

    pub(super) fn lines(
        &self,
        inner: &Inner,
        cookie: Option<&str>,
        session: Option<&InSession>,
    ) -> Vec<Line> {
        let cached = self.known.as_ref().map(|it| &it.cached);
        let keys: &[_] = if self.keys_fit() { &self.request.secret_headers } else { &[] };
        let extra: &[_] = if self.robots { &[] } else { &self.request.headers };
        inner.identity.lines(&Asking {
            url: self.url,
            kind: &self.request.kind,
            method: &self.method,
            // robots.txt is not reached by a link.
            came_from: self.request.came_from.as_ref().filter(|_| !self.robots),
            way: self.way,
            cookie,
            session,
            etag: cached.and_then(|it| it.etag.as_deref()),
            last_modified: cached.and_then(|it| it.last_modified.as_deref()),
            extra,
            secret: if self.robots { &[] } else { keys },
        })
    }

    /// The address as it is sent: with the keys that go into its query.
    pub(super) fn sent_url(&self) -> Url {
        let mut url = self.url.clone();
        if !self.robots && self.keys_fit() && !self.request.secret_query.is_empty() {
            url.query_pairs_mut().extend_pairs(&self.request.secret_query);
        }
        url
    }
}

/// The scope of the domain that a host belongs to.
pub(crate) fn domain_scope(host: &str) -> String {
    format!("domain:{}", site_of(host))
}
