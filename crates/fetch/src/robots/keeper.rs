//! Asks for robots.txt once a day and remembers what it said.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use ledger::CachedRobots;
use url::Url;

use super::RobotsTxt;
use crate::exchange::{Call, call};
use crate::fetcher::Inner;
use crate::host_queue::Patience;
use crate::pace::later;
use crate::{FetchFailure, FetchRequest, Reason};

/// The name robots.txt knows us by.
const AGENT: &str = "Lyra";
/// RFC 9309 asks to follow at least five.
const MAX_REDIRECTS: usize = 5;
/// A robots.txt that answers with an error is asked for again after this long.
const ERROR_TTL: Duration = Duration::from_secs(3_600);
/// How long the last good copy stands in for one that cannot be had.
const STALE_FOR: Duration = Duration::from_secs(30 * 86_400);
/// Origins whose rules are held in memory.
const MAX_HELD: usize = 1_024;

/// What a site asks of us for one page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) crawl_delay: Duration,
}

/// The rules of the sites that were visited lately.
#[derive(Debug, Default)]
pub(crate) struct RobotsKeeper {
    held: Mutex<HashMap<String, CachedRules>>,
    /// One robots.txt is asked for once, however many requests wait for it.
    asking: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
}

#[derive(Debug, Clone)]
struct CachedRules {
    rules: Rules,
    expires_at: Timestamp,
}

#[derive(Debug, Clone)]
enum Rules {
    Known(Arc<RobotsTxt>),
    /// The server answers with an error: nothing may be read until it does not.
    Unreachable {
        status: u16,
    },
}

impl RobotsKeeper {
    /// Whether a page may be asked for, and how slowly.
    pub(crate) async fn check(
        &self,
        inner: &Arc<Inner>,
        url: &Url,
        request: &FetchRequest,
        patience: &mut Patience,
    ) -> Result<Asked, FetchFailure> {
        let origin = url.origin().ascii_serialization();
        let held = self.rules(inner, &origin, url, request, patience).await?;
        let missed = |detail: String, again_at| FetchFailure {
            url: url.clone(),
            reason: Reason::Robots,
            detail,
            status: None,
            again_at,
        };
        let host = url.host_str().unwrap_or_default();
        match held.rules {
            Rules::Unreachable { status } => Err(missed(
                format!(
                    "robots.txt of {host} answers {status}; until it can be read nothing else is asked for"
                ),
                Some(held.expires_at),
            )),
            Rules::Known(rules) if rules.allows(AGENT, &crate::headers::target(url)) => {
                Ok(Asked { crawl_delay: rules.crawl_delay(AGENT).unwrap_or_default() })
            }
            Rules::Known(_) => Err(missed(
                format!("robots.txt of {host} asks programs not to read this page"),
                None,
            )),
        }
    }

    /// The sitemaps that an origin names.
    pub(crate) async fn sitemaps(
        &self,
        inner: &Arc<Inner>,
        url: &Url,
        request: &FetchRequest,
        patience: &mut Patience,
    ) -> Vec<Url> {
        let origin = url.origin().ascii_serialization();
        let Ok(held) = self.rules(inner, &origin, url, request, patience).await else {
            return Vec::new();
        };
        let Rules::Known(rules) = held.rules else { return Vec::new() };
        let mut found: Vec<Url> = Vec::new();
        for sitemap in rules.sitemaps() {
            let Ok(sitemap) = url.join(sitemap) else { continue };
            if inner.guard.check(&sitemap).is_ok() && !found.contains(&sitemap) {
                found.push(sitemap);
            }
        }
        found
    }

    async fn rules(
        &self,
        inner: &Arc<Inner>,
        origin: &str,
        url: &Url,
        request: &FetchRequest,
        patience: &mut Patience,
    ) -> Result<CachedRules, FetchFailure> {
        let now = inner.time.now();
        if let Some(held) = self.fresh(origin, now) {
            return Ok(held);
        }
        let turn = Arc::clone(self.asking().entry(origin.to_owned()).or_default());
        let found = {
            let Some(_turn) = patience.wait_for(turn.lock()).await else {
                return Err(still_asking(inner, url));
            };
            match self.fresh(origin, inner.time.now()) {
                Some(held) => Ok(held),
                None => self.load(inner, origin, url, request, patience).await,
            }
        };
        drop(turn);
        self.asking().retain(|_, it| Arc::strong_count(it) > 1);
        found
    }

    /// From the ledger, else from the site.
    async fn load(
        &self,
        inner: &Arc<Inner>,
        origin: &str,
        url: &Url,
        request: &FetchRequest,
        patience: &mut Patience,
    ) -> Result<CachedRules, FetchFailure> {
        let name = origin.to_owned();
        let cached = inner.read(url, move |it| it.cached_robots(&name)).await?;
        let now = inner.time.now();
        let robots = match cached {
            Some(cached) if cached.expires_at > now => cached,
            cached => {
                let robots = ask(inner, origin, url, request, patience, cached).await?;
                inner.recorder.robots(robots.clone());
                robots
            }
        };
        let held = CachedRules { rules: Rules::of(&robots), expires_at: robots.expires_at };
        self.hold(origin, held.clone());
        Ok(held)
    }

    fn fresh(&self, origin: &str, now: Timestamp) -> Option<CachedRules> {
        self.held().get(origin).filter(|it| it.expires_at > now).cloned()
    }

    fn hold(&self, origin: &str, held: CachedRules) {
        let mut all = self.held();
        if all.len() >= MAX_HELD
            && let Some(soonest) = all.iter().min_by_key(|(_, it)| it.expires_at)
        {
            let soonest = soonest.0.clone();
            all.remove(&soonest);
        }
        all.insert(origin.to_owned(), held);
    }

    fn held(&self) -> MutexGuard<'_, HashMap<String, CachedRules>> {
        // Every change is a single insertion or removal.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn asking(&self) -> MutexGuard<'_, HashMap<String, Arc<tokio::sync::Mutex<()>>>> {
        // As above.
        self.asking.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Rules {
    fn of(robots: &CachedRobots) -> Self {
        match robots.status {
            Some(status @ 500..=599) => Self::Unreachable { status },
            Some(200..=299) => Self::Known(Arc::new(RobotsTxt::parse(&robots.body))),
            // Not there, or not for us to see: the site asks for nothing.
            _ => Self::Known(Arc::default()),
        }
    }
}

fn still_asking(inner: &Inner, url: &Url) -> FetchFailure {
    FetchFailure {
        url: url.clone(),
        reason: Reason::Resting,
        detail: format!(
            "robots.txt of {} is still being waited for",
            url.host_str().unwrap_or_default()
        ),
        status: None,
        again_at: Some(later(inner.time.now(), Duration::from_secs(60))),
    }
}

/// Asks the site, following redirects; what it answers decides how long the answer is kept.
async fn ask(
    inner: &Arc<Inner>,
    origin: &str,
    url: &Url,
    request: &FetchRequest,
    patience: &mut Patience,
    before: Option<CachedRobots>,
) -> Result<CachedRobots, FetchFailure> {
    let mut at = url.clone();
    at.set_path("/robots.txt");
    at.set_query(None);
    at.set_fragment(None);
    let mut way = Vec::new();
    let (status, body) = loop {
        if let Some(refused) = inner.refuses(&at) {
            return Err(refused);
        }
        let called = call(
            inner,
            Call { purpose: "robots".to_owned(), robots: true, ..Call::page(&at, request, &way) },
            patience,
        )
        .await?;
        if called.status == 429 {
            return Err(FetchFailure {
                url: url.clone(),
                reason: Reason::Resting,
                detail: format!("{} asks for a pause", url.host_str().unwrap_or_default()),
                status: Some(429),
                again_at: called.resting_until,
            });
        }
        match called.redirect(&at) {
            Some(next) if way.len() < MAX_REDIRECTS => {
                way.push(std::mem::replace(&mut at, next));
            }
            // After too many the file counts as not there.
            Some(_) => break (404, Vec::new()),
            None => break (called.status, called.body),
        }
    };
    let now = inner.time.now();
    if (500..600).contains(&status) {
        let good = |robots: &CachedRobots| robots.status.is_some_and(|it| (200..300).contains(&it));
        let still_good = before.filter(good).filter(|it| later(it.fetched_at, STALE_FOR) > now);
        if let Some(before) = still_good {
            return Ok(CachedRobots { expires_at: later(now, ERROR_TTL), ..before });
        }
    }
    let ttl = match status {
        500..=599 => ERROR_TTL,
        _ => Duration::from_secs(inner.settings.robots_ttl_hours.saturating_mul(3_600)),
    };
    let mut body = body;
    body.truncate(inner.settings.robots_max_bytes);
    Ok(CachedRobots {
        origin: origin.to_owned(),
        status: Some(status),
        // What is no robots.txt is not kept.
        body: if (200..300).contains(&status) { body } else { Vec::new() },
        fetched_at: now,
        expires_at: later(now, ttl),
    })
}
