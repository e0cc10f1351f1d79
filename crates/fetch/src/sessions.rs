//! Sessions that a person made in a window: kept sealed, shown to their own site, on the way they were made on.
//!
//! A session is its cookies and the name that the browser gave itself: many sites hold the one against the other. It is loaded
//! into the jar of its site when that is first asked, and written back whenever the site changes its cookies. Nothing of it
//! is recorded: the archive says `[left out]`.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use evidence::domain::site_of;
use jiff::{SignedDuration, Timestamp};
use ledger::{LedgerError, SealedSession};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::Fetcher;
use crate::exchange::domain_scope;
use crate::fetcher::Inner;
use crate::host_queue::Wanted;
use crate::key::{Sealed, SessionKey, bytes_of_hex, hex};

/// More than any site sets.
const MAX_COOKIES: usize = 200;
/// Pages in a row that ask for a person, after which a session is over. One page may ask for more than its site does.
const REFUSALS: u32 = 2;
const HOURS_A_DAY: i64 = 24;

/// One cookie, as a browser keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionCookie {
    pub name: String,
    pub value: String,
    /// With a dot in front where hosts below it are shown the cookie too.
    pub domain: String,
    pub path: String,
    pub secure: bool,
    pub http_only: bool,
    /// Seconds since 1970; `None`: as long as the session.
    pub expires: Option<i64>,
}

/// What a person's browser has for a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSession {
    /// Of any site; those of others are left out.
    pub cookies: Vec<SessionCookie>,
    pub user_agent: String,
}

/// Why a session cannot be kept or used.
#[derive(Debug, thiserror::Error)]
pub enum SessionProblem {
    #[error("no place for the key of sessions was named")]
    NoKeyFile,
    #[error("the key of sessions cannot be used ({}): {why}", .path.display())]
    Key { path: PathBuf, why: String },
    #[error("the ledger cannot be written: {0}")]
    Ledger(#[from] LedgerError),
}

/// What is sealed.
#[derive(Debug, Serialize, Deserialize)]
struct Contents {
    cookies: Vec<SessionCookie>,
    user_agent: String,
}

/// The form in which it lies in the database.
#[derive(Debug, Serialize, Deserialize)]
struct Written {
    nonce: String,
    sealed: String,
}

/// The sessions of this process.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    key_file: OnceLock<PathBuf>,
    /// By site; `None`: there is none.
    known: Mutex<HashMap<String, Option<Known>>>,
}

#[derive(Debug, Clone)]
struct Known {
    user_agent: String,
    created_at: Timestamp,
    expires_at: Timestamp,
    /// Tried, not kept.
    on_trial: bool,
    refusals: u32,
}

/// What a request of a session says of itself.
#[derive(Debug, Clone)]
pub(crate) struct InSession {
    pub(crate) user_agent: String,
}

impl Sessions {
    fn known(&self) -> MutexGuard<'_, HashMap<String, Option<Known>>> {
        // Every change is a single insertion or assignment.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Fetcher {
    /// Where the key of sessions lies. Without it there are none.
    pub fn seal_sessions_with(&self, key_file: PathBuf) {
        // A second place would be a mistake, and the first stays.
        drop(self.inner.sessions.key_file.set(key_file));
    }

    /// Shows these cookies to their site from now on, without keeping them: whether they open it is to be seen.
    pub fn try_session(&self, site: &str, session: &NewSession) {
        let site = site_of(site);
        let cookies = of_site(&session.cookies, &site);
        let now = self.now();
        let known = Known {
            user_agent: session.user_agent.clone(),
            created_at: now,
            expires_at: end(&cookies, now, self.inner.settings.session_days),
            on_trial: true,
            refusals: 0,
        };
        self.inner.cookies.replace(&site, &cookies, now);
        self.inner.sessions.known().insert(site, Some(known));
    }

    /// Keeps a session that was tried; says until when.
    pub async fn keep_session(&self, site: &str) -> Result<Option<Timestamp>, SessionProblem> {
        let site = site_of(site);
        let until = {
            let mut known = self.inner.sessions.known();
            let Some(Some(known)) = known.get_mut(&site) else { return Ok(None) };
            known.on_trial = false;
            known.expires_at
        };
        self.inner.write_session(&site).await?;
        Ok(Some(until))
    }

    /// Takes back what was tried; a session that was kept before is loaded again.
    pub fn end_trial(&self, site: &str) {
        let site = site_of(site);
        self.inner.sessions.known().remove(&site);
        self.inner.cookies.forget(&site);
    }

    /// Forgets a session, kept or tried; says whether one was kept.
    pub async fn forget_session(&self, site: &str, why: &str) -> Result<bool, LedgerError> {
        let site = site_of(site);
        self.inner.sessions.known().insert(site.clone(), None);
        self.inner.cookies.forget(&site);
        let (ledger, why) = (Arc::clone(&self.inner.ledger), why.to_owned());
        let forgetting = tokio::task::spawn_blocking(move || ledger.forget_session(&site, &why));
        forgetting.await.expect("writing the ledger does not panic")
    }

    /// Takes note whether a page asked for a person although its site has a session. A session that opens nothing any more
    /// is over.
    pub async fn session_judged(&self, url: &Url, opened: bool) -> Result<(), LedgerError> {
        let site = site_of(url.host_str().unwrap_or_default());
        let over = {
            let mut known = self.inner.sessions.known();
            let Some(Some(known)) = known.get_mut(&site) else { return Ok(()) };
            known.refusals = if opened { 0 } else { known.refusals + 1 };
            !known.on_trial && known.refusals >= REFUSALS
        };
        if over {
            self.forget_session(&site, "the site asked for a person again").await?;
        }
        Ok(())
    }

    /// The rest of a site is over: a person has opened it. So is that of an engine, where one is named.
    pub async fn opened_by_person(
        &self,
        site: &str,
        engine: Option<&str>,
    ) -> Result<(), LedgerError> {
        let rules = &self.inner.rules;
        let scopes = [Some(domain_scope(site)), engine.map(|it| format!("engine:{it}"))];
        for scope in scopes.into_iter().flatten() {
            let wanted =
                Wanted { scope, rules: rules.clone(), at_least: std::time::Duration::ZERO };
            let queue = self.inner.queues.rested(&wanted).await?;
            self.inner.recorder.paces(vec![queue]);
        }
        Ok(())
    }

    /// Failures of a site in a row.
    pub async fn failures_of(&self, url: &Url) -> Result<u32, LedgerError> {
        let scope = domain_scope(url.host_str().unwrap_or_default());
        let wanted =
            Wanted { scope, rules: self.inner.rules.clone(), at_least: std::time::Duration::ZERO };
        self.inner.queues.failures(&wanted).await
    }

    /// The way to the network that sessions are bound to.
    pub fn session_route(&self) -> String {
        self.inner.session_route()
    }
}

impl Inner {
    /// The session that a request to a site is part of; its cookies are in the jar then.
    pub(crate) async fn session_of(&self, url: &Url) -> Option<InSession> {
        let site = site_of(url.host_str()?);
        let known = self.sessions.known().get(&site).cloned();
        let known = match known {
            Some(known) => known,
            None => {
                let loaded = self.load_session(&site).await;
                self.sessions.known().entry(site.clone()).or_insert(loaded).clone()
            }
        };
        let known = known?;
        if known.expires_at > self.ledger.now() {
            return Some(InSession { user_agent: known.user_agent });
        }
        self.sessions.known().insert(site.clone(), None);
        self.cookies.forget(&site);
        let ledger = Arc::clone(&self.ledger);
        let forgetting = tokio::task::spawn_blocking(move || {
            if let Err(error) = ledger.forget_session(&site, "its time was over") {
                tracing::warn!(%error, "a session that is over could not be deleted");
            }
        });
        forgetting.await.expect("writing the ledger does not panic");
        None
    }

    async fn load_session(&self, site: &str) -> Option<Known> {
        let key_file = self.sessions.key_file.get()?.clone();
        let name = site.to_owned();
        let row = self.reads.read(move |it| it.session(&name)).await;
        let row = row
            .inspect_err(|error| tracing::warn!(%error, site, "a session cannot be read"))
            .ok()??;
        if row.route != self.session_route() {
            tracing::info!(site, "a session is left alone: it was made on another way");
            return None;
        }
        let name = site.to_owned();
        let opening = tokio::task::spawn_blocking(move || {
            let key = SessionKey::read(&key_file)
                .inspect_err(|error| tracing::warn!(%error, "the key of sessions cannot be read"))
                .ok()??;
            let written: Written = serde_json::from_str(&row.sealed).ok()?;
            let nonce = bytes_of_hex(&written.nonce)?.try_into().ok()?;
            let sealed = Sealed { nonce, bytes: bytes_of_hex(&written.sealed)? };
            let contents: Contents = serde_json::from_slice(&key.open(&name, sealed)?).ok()?;
            Some((contents, row.created_at, row.expires_at))
        });
        let (contents, created_at, expires_at) =
            opening.await.expect("opening a session does not panic")?;
        self.cookies.replace(site, &contents.cookies, self.ledger.now());
        let user_agent = contents.user_agent;
        Some(Known { user_agent, created_at, expires_at, on_trial: false, refusals: 0 })
    }

    /// The site changed its cookies: a session that is kept is written again.
    pub(crate) async fn session_changed(&self, url: &Url) {
        let Some(site) = url.host_str().map(site_of) else { return };
        let kept = matches!(self.sessions.known().get(&site), Some(Some(it)) if !it.on_trial);
        if kept && let Err(error) = self.write_session(&site).await {
            tracing::warn!(%error, site, "a session that changed could not be kept");
        }
    }

    async fn write_session(&self, site: &str) -> Result<(), SessionProblem> {
        let key_file = self.sessions.key_file.get().ok_or(SessionProblem::NoKeyFile)?.clone();
        let known = self.sessions.known().get(site).cloned().flatten();
        let Some(known) = known else { return Ok(()) };
        let contents =
            Contents { cookies: self.cookies.of_site(site), user_agent: known.user_agent };
        let (ledger, site, route) =
            (Arc::clone(&self.ledger), site.to_owned(), self.session_route());
        let writing = tokio::task::spawn_blocking(move || {
            let bad_key = |error: std::io::Error| SessionProblem::Key {
                path: key_file.clone(),
                why: error.to_string(),
            };
            let key = SessionKey::read_or_make(&key_file).map_err(bad_key)?;
            let plain = serde_json::to_vec(&contents).expect("plain data has a JSON form");
            let Sealed { nonce, bytes } = key.seal(&site, plain).map_err(bad_key)?;
            let written = Written { nonce: hex(&nonce), sealed: hex(&bytes) };
            let session = SealedSession {
                domain: site,
                sealed: serde_json::to_string(&written).expect("plain data has a JSON form"),
                route,
                created_at: known.created_at,
                expires_at: known.expires_at,
            };
            Ok(ledger.keep_session(&session)?)
        });
        writing.await.expect("sealing a session does not panic")
    }

    fn session_route(&self) -> String {
        match self.settings.proxy.trim() {
            "" => "direct".to_owned(),
            // Its user and password are nobody's business.
            proxy => Url::parse(proxy).map_or_else(
                |_| "proxy".to_owned(),
                |it| {
                    let port = it.port().map(|it| format!(":{it}")).unwrap_or_default();
                    format!("{}://{}{port}", it.scheme(), it.host_str().unwrap_or_default())
                },
            ),
        }
    }
}

/// The cookies that are the site's own.
fn of_site(cookies: &[SessionCookie], site: &str) -> Vec<SessionCookie> {
    let own = cookies.iter().filter(|it| site_of(it.domain.trim_start_matches('.')) == site);
    own.take(MAX_COOKIES).cloned().collect()
}

/// When a session ends at the latest: with the last of its cookies, and never after the days of the setting.
fn end(cookies: &[SessionCookie], now: Timestamp, days: u32) -> Timestamp {
    let longest = now + SignedDuration::from_hours(i64::from(days) * HOURS_A_DAY);
    let ends = cookies.iter().map(|it| it.expires);
    match ends.collect::<Option<Vec<i64>>>() {
        Some(all) if !all.is_empty() => {
            let last = all.into_iter().max().and_then(|it| Timestamp::from_second(it).ok());
            last.map_or(longest, |it| it.min(longest))
        }
        _ => longest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cookie(domain: &str, expires: Option<i64>) -> SessionCookie {
        SessionCookie {
            name: "sid".to_owned(),
            value: "1".to_owned(),
            domain: domain.to_owned(),
            path: "/".to_owned(),
            secure: true,
            http_only: true,
            expires,
        }
    }

    #[test]
    fn a_session_has_the_cookies_of_its_own_site() {
        let all = [".news.co.jp", "www.news.co.jp", "login.example", "evilnews.co.jp"];
        let all = all.map(|it| cookie(it, None));
        let own = of_site(&all, "news.co.jp");
        assert_eq!(
            own.iter().map(|it| it.domain.as_str()).collect::<Vec<_>>(),
            [".news.co.jp", "www.news.co.jp"]
        );
    }

    #[test]
    fn a_session_ends_with_its_last_cookie_and_after_the_days_of_the_setting() {
        let now: Timestamp = "2026-01-15T12:00:00Z".parse().expect("a time");
        let in_days = |days: i64| now.as_second() + days * 86_400;
        let end_of = |ends: &[Option<i64>]| {
            let cookies: Vec<_> = ends.iter().map(|it| cookie("a.example", *it)).collect();
            (end(&cookies, now, 14).as_second() - now.as_second()) / 86_400
        };
        assert_eq!(end_of(&[Some(in_days(1)), Some(in_days(3))]), 3);
        assert_eq!(end_of(&[Some(in_days(1)), None]), 14);
        assert_eq!(end_of(&[Some(in_days(400))]), 14);
        assert_eq!(end_of(&[]), 14);
    }
}
