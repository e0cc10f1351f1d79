//! The one object that owns every request.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{fmt, io};

use evidence::domain::PolicyFields;
use jiff::Timestamp;
use ledger::{Ledger, LedgerError};
use url::Url;

use crate::cookies::Cookies;
use crate::exchange::domain_scope;
use crate::guard::Guard;
use crate::headers::Identity;
use crate::host_queue::{HostPause, HostQueues, Patience, Wanted};
use crate::metrics::Counters;
use crate::pace::PaceRules;
use crate::reads::Reads;
use crate::recorder::Recorder;
use crate::resolver::{CheckedResolver, Lookup, SystemLookup};
use crate::robots::RobotsKeeper;
use crate::sessions::Sessions;
use crate::time::Time;
use crate::transport::Bounds;
use crate::{
    FetchFailure, FetchRequest, FetchResponse, FetchSettings, Freshness, Kind, Method, Metrics,
    Reason, Verdict, client, redirects,
};

/// The fetcher to the network. Clones share it.
#[derive(Debug, Clone)]
pub struct Fetcher {
    pub(crate) inner: Arc<Inner>,
    /// This clone sends nothing, whatever the settings allow.
    silent: bool,
}

/// Why the fetcher cannot be opened: a setting that means nothing, or no room for the archive.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("{setting} = \"{value}\" {problem}")]
    Setting { setting: &'static str, value: String, problem: String },
    #[error("the archive cannot be written")]
    Archive(#[source] archive::Error),
    #[error("the HTTP client cannot be created")]
    Client(#[source] reqwest::Error),
    #[error("the thread that records cannot be started")]
    Thread(#[source] io::Error),
}

/// Everything behind the fetcher.
pub(crate) struct Inner {
    pub(crate) ledger: Arc<dyn Ledger>,
    pub(crate) settings: FetchSettings,
    /// The folder of the WARC files.
    pub(crate) dir: PathBuf,
    pub(crate) guard: Arc<Guard>,
    pub(crate) client: reqwest::Client,
    pub(crate) resolver: CheckedResolver,
    pub(crate) identity: Identity,
    pub(crate) bounds: Bounds,
    /// The pace of a domain.
    pub(crate) rules: PaceRules,
    pub(crate) time: Arc<Time>,
    pub(crate) reads: Arc<Reads>,
    pub(crate) queues: HostQueues,
    pub(crate) robots: RobotsKeeper,
    pub(crate) cookies: Cookies,
    pub(crate) sessions: Sessions,
    pub(crate) recorder: Recorder,
    pub(crate) counters: Counters,
    under_way: Mutex<HashMap<Asked, Arc<Shared>>>,
}

/// What makes two requests the same: the address, how fresh, and whether it may be sent.
type Asked = (Url, Freshness, bool);

/// The outcome of a request that several wait for.
type Shared = tokio::sync::Mutex<Option<Result<FetchResponse, FetchFailure>>>;

impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inner").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Fetcher {
    /// Opens the fetcher. `archive` is the folder of the WARC files.
    pub fn open(
        ledger: Arc<dyn Ledger>,
        archive: &Path,
        settings: FetchSettings,
    ) -> Result<Self, OpenError> {
        Self::open_asking(ledger, archive, settings, Arc::new(SystemLookup))
    }

    pub(crate) fn open_asking(
        ledger: Arc<dyn Ledger>,
        archive: &Path,
        settings: FetchSettings,
        lookup: Arc<dyn Lookup>,
    ) -> Result<Self, OpenError> {
        let guard = Arc::new(Guard::new(&settings)?);
        let rules = PaceRules::of_domains(&settings)?;
        let resolver = CheckedResolver::new(Arc::clone(&guard), lookup);
        let client = client::client(&settings, resolver.clone())?;
        let time = Arc::new(Time::new(Arc::clone(&ledger)));
        let reads = Arc::new(Reads::new(Arc::clone(&ledger)));
        let recorder = Recorder::open(Arc::clone(&ledger), archive, settings.archive_file_bytes)?;
        let inner = Inner {
            queues: HostQueues::new(Arc::clone(&reads), Arc::clone(&time), settings.max_concurrent),
            identity: Identity::new(&settings),
            bounds: Bounds::new(&settings),
            dir: archive.to_owned(),
            robots: RobotsKeeper::default(),
            cookies: Cookies::default(),
            sessions: Sessions::default(),
            counters: Counters::default(),
            under_way: Mutex::default(),
            ledger,
            settings,
            guard,
            resolver,
            client,
            rules,
            time,
            reads,
            recorder,
        };
        Ok(Self { inner: Arc::new(inner), silent: false })
    }

    /// The time by the ledger's clock.
    pub fn now(&self) -> Timestamp {
        self.inner.ledger.now()
    }

    pub fn settings(&self) -> &FetchSettings {
        &self.inner.settings
    }

    /// The same fetcher for what must not leave the machine: it answers from the archive and sends nothing.
    #[must_use]
    pub fn offline(&self) -> Self {
        Self { inner: Arc::clone(&self.inner), silent: true }
    }

    /// Whether it sends nothing.
    pub fn is_offline(&self) -> bool {
        self.silent || self.inner.settings.offline
    }

    /// The pause that requests wait for now and that ends first, if they wait for one.
    pub fn waits_for(&self) -> Option<HostPause> {
        self.inner.queues.pauses.first()
    }

    /// Brings what the request asks for. Dropping the future calls it off.
    ///
    /// The same page asked for by several at the same time is fetched once.
    pub async fn fetch(&self, mut request: FetchRequest) -> Result<FetchResponse, FetchFailure> {
        let inner = &self.inner;
        request.offline |= self.is_offline();
        let plain = request.kind == Kind::Page
            && request.method == Method::Get
            && request.headers.is_empty()
            && request.secret_headers.is_empty()
            && request.secret_query.is_empty();
        if !plain {
            return inner.run(&request).await;
        }
        let key = (request.url.clone(), request.freshness, request.offline);
        let shared = Arc::clone(inner.under_way().entry(key.clone()).or_default());
        let mut outcome = shared.lock().await;
        if let Some(outcome) = outcome.as_ref() {
            return outcome.clone();
        }
        // The holder of the lock sends the request; if it is cancelled, the next in line does.
        let _leave = LeaveTogether { inner, key };
        let brought = inner.run(&request).await;
        // Two owners are the map and this request: no other request needs a copy.
        if Arc::strong_count(&shared) > 2 {
            *outcome = Some(brought.clone());
        }
        brought
    }

    /// Tells the fetcher what reading showed, so that a domain which asks for a person is resting.
    pub async fn judged(&self, fetched: &FetchResponse, verdict: Verdict) {
        if verdict != Verdict::Challenge {
            return;
        }
        let inner = &self.inner;
        inner.counters.challenge();
        let Some(host) = fetched.url.host_str() else { return };
        let wanted = Wanted {
            scope: domain_scope(host),
            rules: inner.rules.clone(),
            at_least: Duration::ZERO,
        };
        match inner.queues.failed_after_all(&wanted, "it asked for a proof of being human").await {
            Ok(queue) => inner.recorder.paces(vec![queue]),
            Err(error) => tracing::error!(%error, host, "a challenge could not be counted"),
        }
    }

    /// The sitemaps that the robots.txt of an origin names.
    pub async fn sitemaps_of(&self, origin: &Url) -> Vec<Url> {
        let inner = &self.inner;
        if self.is_offline() || inner.guard.check(origin).is_err() {
            return Vec::new();
        }
        let request = FetchRequest::page(origin.clone());
        let mut patience = Patience::new(Duration::from_millis(inner.settings.max_wait_ms), None);
        inner.robots.sitemaps(inner, origin, &request, &mut patience).await
    }

    /// What sites saw of us since the fetcher was opened.
    pub fn metrics(&self) -> Metrics {
        self.inner.counters.snapshot()
    }
}

/// Takes a request off the list when it is over, also when it was called off.
struct LeaveTogether<'a> {
    inner: &'a Inner,
    key: Asked,
}

impl Drop for LeaveTogether<'_> {
    fn drop(&mut self) {
        self.inner.under_way().remove(&self.key);
    }
}

impl Inner {
    /// Runs a request; a miss names the address that was asked for, wherever on the way it happened.
    async fn run(self: &Arc<Self>, request: &FetchRequest) -> Result<FetchResponse, FetchFailure> {
        let brought = redirects::run(self, request).await;
        brought.map_err(|missed| FetchFailure { url: request.url.clone(), ..missed })
    }

    /// Says why an address may not be asked for, if it may not.
    pub(crate) fn refuses(&self, url: &Url) -> Option<FetchFailure> {
        let refused = self.guard.check(url).err()?;
        Some(missed(url, refused.reason, refused.detail))
    }

    /// Refuses a host that the policy or a person blocks; gives what the policy sets for others.
    pub(crate) async fn check_policy(
        self: &Arc<Self>,
        url: &Url,
    ) -> Result<PolicyFields, FetchFailure> {
        let host = url.host_str().unwrap_or_default().to_owned();
        let name = host.clone();
        let decision = self.read(url, move |ledger| ledger.decide(&name)).await?;
        match decision.blocked {
            None => Ok(decision.fields),
            Some(block) => {
                let why = block.detail.unwrap_or_else(|| block.reason.to_string());
                Err(missed(url, Reason::BlockedDomain, format!("{host} is blocked: {why}")))
            }
        }
    }

    /// Asks the ledger and the files beside it; what they cannot answer is a miss.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        url: &Url,
        ask: impl FnOnce(&dyn Ledger) -> Result<T, LedgerError> + Send + 'static,
    ) -> Result<T, FetchFailure> {
        self.reads.read(ask).await.map_err(|error| {
            missed(url, Reason::NotRecorded, format!("the ledger cannot be read: {error}"))
        })
    }

    fn under_way(&self) -> MutexGuard<'_, HashMap<Asked, Arc<Shared>>> {
        // Every change is a single insertion or removal.
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn missed(url: &Url, reason: Reason, detail: String) -> FetchFailure {
    FetchFailure { url: url.clone(), reason, detail, status: None, again_at: None }
}
