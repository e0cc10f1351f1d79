//! A person at a page that asks for one: a window is opened for them, they do what it asks, and Lyra goes on with what they
//! have opened.
//!
//! The same for the command line and for assistants. Lyra does nothing in the window. That the way is open it learns from the
//! window moving on, or from the person's word; then it asks for the page itself, with the cookies of the window, and only
//! where that brings the page are the cookies kept and the pages of the site free.

mod context;
mod marker;
mod settle;

use std::sync::Arc;
use std::time::{Duration, Instant};

use browser::{Problem, Seen, Window};
use evidence::domain::site_of;
use evidence::{AuthId, EventId};
use extract::{GateKind, Input};
use fetch::{
    FetchRequest, Fetcher, Freshness, Kind as Asked, NewSession, Reason, Relay, SessionCookie,
};
use graph::{AuthEntry, Cause, Graph, VISIT};
use serde_json::json;
use tokio::sync::mpsc;
use url::Url;

use crate::failure::{Failure, Kind, hint_for_missed};
use crate::words::say;

pub(crate) use context::Context;
pub(crate) use marker::{Marker, Told, tell_done};
pub(crate) use settle::Opened;

/// How often the window is looked at.
const LOOK: Duration = Duration::from_millis(500);
/// A window that did not move for this long has loaded its page.
const QUIET: Duration = Duration::from_secs(1);
/// Times the page is asked for because the window moved on. After that it takes the person's word.
const MAX_TRIES: u32 = 4;
/// Between two of these.
const BETWEEN_TRIES: Duration = Duration::from_secs(5);

/// What a person says about their window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    Done,
    GiveUp,
}

/// How a visit ended.
#[derive(Debug)]
pub(crate) enum End {
    Through(Box<Opened>),
    NotThrough(NotThrough),
}

/// Why a page still waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotThrough {
    Closed,
    TimeOver,
    GivenUp,
}

impl NotThrough {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "window_closed",
            Self::TimeOver => "time_over",
            Self::GivenUp => "given_up",
        }
    }
}

/// A window that is open for a person.
#[derive(Debug)]
pub(crate) struct Visit {
    window: Window,
    /// The window's network.
    _relay: Relay,
    marker: Marker,
    entry: AuthEntry,
    url: Url,
    /// The engines whose page it is.
    engines: Vec<sources::Engine>,
    fetcher: Fetcher,
    graph: Arc<Graph>,
    event: EventId,
    session: Arc<Context>,
    opened: Instant,
    cookies: Vec<SessionCookie>,
}

/// What the window looks like from outside; a change is a sign that the person did something.
#[derive(Debug, Clone, PartialEq, Default)]
struct Sign {
    url: String,
    title: String,
    cookies: Vec<(String, String)>,
}

impl Sign {
    /// Until a page says its title, its address stands in its place.
    fn has_title(&self) -> bool {
        !self.title.is_empty() && !self.url.contains(&self.title)
    }
}

fn cookie(it: browser::Cookie) -> SessionCookie {
    SessionCookie {
        name: it.name,
        value: it.value,
        domain: it.domain,
        path: it.path,
        secure: it.secure,
        http_only: it.http_only,
        expires: it.expires,
    }
}

impl Visit {
    /// Opens a window at the exact address of an entry.
    pub(crate) async fn open(
        session: Arc<Context>,
        fetcher: Fetcher,
        graph: Arc<Graph>,
        entry: AuthEntry,
    ) -> Result<Self, Failure> {
        let url = Url::parse(&entry.url)
            .map_err(|error| Failure::bad_input(format!("`{}`: {error}", entry.url)))?;
        if fetcher.is_offline() {
            let hint = hint_for_missed(Reason::Offline);
            let offline = "Lyra runs offline, and a window would not";
            return Err(Failure { hint, ..Failure::new(Kind::Network, offline) });
        }
        if fetcher.session_route() != "direct" {
            let message =
                "a window does not go through fetch.proxy: it would show your own address";
            return Err(Failure::new(Kind::Config, message).hint(|w| &w.hint.visit_proxy));
        }
        let marker = Marker::make(&session.visits, entry.id)?;
        let mut cause = Cause::new("auth_open").about("auth", entry.id);
        cause = cause.with(json!({ "domain": entry.domain, "asks_for": entry.auth_type }));
        if let Some(task) = entry.task_id {
            cause = cause.in_task(task);
        }
        let event = graph.write(cause, |w| w.cause())?;
        let relay = fetcher
            .relay(entry.task_id, Some(event))
            .await
            .map_err(|error| Failure::new(Kind::Internal, error))?;
        let languages = fetcher.settings().accept_language.clone();
        let window =
            Window::open(&session.browser, &session.folder, relay.address(), &languages, &url);
        let window = window.await.map_err(|problem| not_ready(problem, entry.id))?;
        let engines = session.engines.of_site(url.host_str().unwrap_or_default());
        let engines = engines.into_iter().cloned().collect();
        Ok(Self {
            window,
            _relay: relay,
            marker,
            entry,
            url,
            engines,
            fetcher,
            graph,
            event,
            session,
            opened: Instant::now(),
            cookies: Vec::new(),
        })
    }

    /// Waits until the page is open, the person gives up, or their time is over. `still_asks` is told when they said that it
    /// is open and it is not.
    pub(crate) async fn watch(
        mut self,
        words: &mut mpsc::Receiver<Word>,
        still_asks: impl Fn(&str),
    ) -> Result<End, Failure> {
        let mut now = Sign::default();
        let mut known: Option<Sign> = None;
        let (mut moved, mut tried) = (Instant::now(), Instant::now());
        let (mut tries, mut heard) = (0, true);
        // Logins lead away from the page and back to it.
        let mut was_away = false;
        let mut looks = tokio::time::interval(LOOK);
        loop {
            let word = tokio::select! {
                seen = self.window.seen() => match seen {
                    Seen::At { url, title } => {
                        moved = Instant::now();
                        (now.url, now.title) = (url, title);
                        was_away |= !self.is_at_its_page(&now);
                        // What a page says of itself when it is first there; people can be quick.
                        if known.is_none() && now.has_title() {
                            self.look(&mut now).await;
                            known = Some(now.clone());
                        }
                        continue;
                    }
                    // They may have closed it because they were through.
                    Seen::Closed => return self.last_look(NotThrough::Closed).await,
                },
                word = words.recv(), if heard => match word {
                    Some(word) => Some(word),
                    None => {
                        heard = false;
                        continue;
                    }
                },
                _ = looks.tick() => self.marker.word(),
            };
            match word {
                Some(Word::GiveUp) => return self.not_through(NotThrough::GivenUp).await,
                Some(Word::Done) => {
                    self.look(&mut now).await;
                    match self.asked_for_again().await? {
                        None => {
                            return self.through("word").await.map(|it| End::Through(Box::new(it)));
                        }
                        Some(why) => {
                            self.marker.answer(&why);
                            still_asks(&why);
                        }
                    }
                    continue;
                }
                None => {}
            }
            if self.opened.elapsed() >= self.session.patience {
                return self.last_look(NotThrough::TimeOver).await;
            }
            if moved.elapsed() < QUIET {
                continue;
            }
            self.look(&mut now).await;
            let is_back = was_away && self.is_at_its_page(&now);
            let is_new = is_back || known.as_ref().is_some_and(|it| *it != now);
            if known.is_none() && !is_back {
                known = Some(now.clone());
            } else if is_new
                && self.is_at_its_site(&now)
                && tries < MAX_TRIES
                && (tries == 0 || tried.elapsed() >= BETWEEN_TRIES)
            {
                known = Some(now.clone());
                was_away = false;
                (tries, tried) = (tries + 1, Instant::now());
                if self.asked_for_again().await?.is_none() {
                    return self.through("navigation").await.map(|it| End::Through(Box::new(it)));
                }
            }
        }
    }

    fn is_at_its_page(&self, sign: &Sign) -> bool {
        sign.url.split('#').next() == self.url.as_str().split('#').next()
    }

    /// Logins of other sites lead back when they are done.
    fn is_at_its_site(&self, sign: &Sign) -> bool {
        let host = Url::parse(&sign.url).ok().and_then(|it| it.host_str().map(site_of));
        host == self.url.host_str().map(site_of)
    }

    /// Takes note of the cookies that the window has for the site; of a closed one the last are known.
    async fn look(&mut self, sign: &mut Sign) {
        let site = self.site();
        match self.window.cookies().await {
            Ok(all) => {
                let own = all.into_iter().map(cookie);
                self.cookies =
                    own.filter(|it| site_of(it.domain.trim_start_matches('.')) == site).collect();
            }
            Err(problem) => tracing::debug!(%problem, "the cookies of a window were not told"),
        }
        self.cookies
            .sort_by(|a, b| (&a.domain, &a.path, &a.name).cmp(&(&b.domain, &b.path, &b.name)));
        sign.cookies = self.cookies.iter().map(|it| (it.name.clone(), it.value.clone())).collect();
    }

    fn site(&self) -> String {
        site_of(self.url.host_str().unwrap_or_default())
    }

    /// Asks for the page with the cookies of the window; says why it is not there, if it is not.
    async fn asked_for_again(&self) -> Result<Option<String>, Failure> {
        let site = self.site();
        let engine = self.engines.first();
        let unreadable = |error: fetch::LedgerError| Failure::new(Kind::Data, error);
        self.fetcher
            .opened_by_person(&site, engine.map(|it| it.name.as_str()))
            .await
            .map_err(unreadable)?;
        let session = NewSession {
            cookies: self.cookies.clone(),
            user_agent: self.window.user_agent().to_owned(),
        };
        self.fetcher.try_session(&site, &session);
        let kind = match engine {
            None => Asked::Page,
            Some(it) => Asked::Engine { name: it.name.clone(), limits: it.limits.clone() },
        };
        let request = FetchRequest {
            freshness: Freshness::Again,
            task: self.entry.task_id,
            cause: Some(self.event),
            ..FetchRequest::new(self.url.clone(), kind)
        };
        let why = match self.fetcher.fetch(request).await {
            Err(missed) => Some(missed.detail),
            Ok(answer) => {
                let read = self.session.read.clone();
                let reading = tokio::task::spawn_blocking(move || {
                    let input = Input {
                        bytes: &answer.body,
                        url: Some(&answer.url),
                        status: Some(answer.status),
                        headers: &answer.headers,
                    };
                    let gate = extract::read(input, &read).gate.map(|it| it.kind);
                    (answer.problem(), answer.status, gate)
                });
                let read = reading.await.map_err(|error| Failure::new(Kind::Internal, error))?;
                match read {
                    (_, _, Some(GateKind::Login)) => Some("the page asks for a login".to_owned()),
                    (_, _, Some(GateKind::Challenge)) => {
                        Some("the page asks for a proof of being human".to_owned())
                    }
                    (Some(Reason::Login), ..) => Some("the page asks for a login".to_owned()),
                    (Some(_), status, _) => Some(format!("the site answered with status {status}")),
                    (None, ..) => None,
                }
            }
        };
        if why.is_some() {
            self.fetcher.end_trial(&site);
        }
        Ok(why)
    }

    async fn last_look(mut self, end: NotThrough) -> Result<End, Failure> {
        if end != NotThrough::Closed {
            self.look(&mut Sign::default()).await;
        }
        // Without a cookie nothing has changed since the page was missed.
        if !self.cookies.is_empty() && self.asked_for_again().await?.is_none() {
            let how = if end == NotThrough::Closed { "closed" } else { "time" };
            return self.through(how).await.map(|it| End::Through(Box::new(it)));
        }
        self.not_through(end).await
    }

    async fn not_through(self, why: NotThrough) -> Result<End, Failure> {
        let (entry, seconds) = (self.entry.clone(), self.opened.elapsed().as_secs());
        let cause = visit(&entry, self.event, seconds, why.as_str(), "");
        let graph = Arc::clone(&self.graph);
        blocking(move || graph.write(cause, |w| w.cause())).await??;
        Ok(End::NotThrough(why))
    }
}

/// What stays of a visit in the log (AUT-12): how long, and how it ended.
fn visit(entry: &AuthEntry, after: EventId, seconds: u64, result: &str, how: &str) -> Cause {
    let mut cause = Cause::new(VISIT).about("auth", entry.id).after(after);
    if let Some(task) = entry.task_id {
        cause = cause.in_task(task);
    }
    cause.with(json!({
        "seconds": seconds,
        "result": result,
        "how": how,
        "domain": entry.domain,
        "asks_for": entry.auth_type,
    }))
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Failure> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Failure::new(Kind::Internal, error))
}

/// Why no window can be shown, and what to do about it.
fn not_ready(problem: Problem, id: AuthId) -> Failure {
    let no_screen = problem == Problem::NoScreen;
    let failure = Failure::new(Kind::Config, NotReady(problem));
    match no_screen {
        true => failure.hint(move |w| say!(w.hint.visit_screen, id = id)),
        false => failure.hint(|w| &w.hint.visit_browser),
    }
}

/// A browser that cannot show a window.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub(crate) struct NotReady(Problem);
