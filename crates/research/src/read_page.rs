//! Fetches and reads a page, has it rendered where its text is made by scripts, and tells the fetcher what reading showed.

use browser::Browser;
use extract::{Document, Format, GateKind, Input, NeedsScripts, PageType};
use fetch::{
    FetchFailure, FetchRequest, FetchResponse, Fetcher, LedgerError, Origin, PersonNeeded, Reason,
    Verdict,
};
use serde::Serialize;

use crate::rendering::{Made, NotMade, Renderer};

/// A page that a server sent and Lyra read, whatever it turned out to be.
#[derive(Debug)]
pub struct ReadPage {
    /// The answer without its body, which is read.
    pub fetched: FetchResponse,
    pub document: Document,
    /// The document is what the page's scripts made, and the archive has it here.
    pub rendered: Option<RenderedPage>,
    /// Why its scripts were not run, where that seemed to be needed.
    pub not_rendered: Option<String>,
    /// Why this is not the page that was asked for: its status, a login, a challenge, "not found" in friendly words.
    pub problem: Option<Reason>,
}

/// Where the text of a page that was rendered is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RenderedPage {
    pub record_id: String,
    /// Why the page was read before it came to rest, if it was.
    pub cut_short: Option<String>,
}

/// How pages are read.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    pub options: &'a extract::ReadSettings,
    /// Renders pages that need it; without one they are missed, and say so.
    pub browser: Option<&'a Browser>,
}

impl<'a> From<&'a extract::ReadSettings> for Reading<'a> {
    fn from(options: &'a extract::ReadSettings) -> Self {
        Self { options, browser: None }
    }
}

impl ReadPage {
    /// The record of the archive that holds what was read.
    pub fn record_id(&self) -> Option<&str> {
        let rendered = self.rendered.as_ref().map(|it| it.record_id.as_str());
        rendered.or(self.fetched.record_id.as_deref())
    }

    /// What was wrong with a page that is not the one that was asked for, in words.
    pub fn detail(&self) -> String {
        match (self.problem, &self.not_rendered) {
            (Some(Reason::NeedsScripts), Some(why)) => {
                format!("without its scripts the page shows nothing, and {why}")
            }
            (Some(Reason::NeedsScripts), None) => {
                "the page shows nothing, also when its scripts are run".to_owned()
            }
            _ => format!("it answered {}", self.fetched.status),
        }
    }
}

/// Fetches a page and reads it. The fetcher learns what reading showed: a site that asks for a proof is resting,
/// and a page that asks for a person waits for one in the queue.
///
/// A page that seems to be made by its scripts, or whose site has been of that kind, is rendered if it can be.
pub async fn read_page<'a>(
    fetcher: &Fetcher,
    request: FetchRequest,
    reading: impl Into<Reading<'a>>,
) -> Result<ReadPage, FetchFailure> {
    let Reading { options, browser } = reading.into();
    let (task, cause) = (request.task, request.cause);
    let offline = request.offline || fetcher.is_offline();
    let mut fetched = fetcher.fetch(request).await?;
    let body = std::mem::take(&mut fetched.body);
    let settings = options.clone();
    // Reading a large page takes a second of a core; other requests continue.
    let reading = tokio::task::spawn_blocking(move || {
        let input = Input {
            bytes: &body,
            url: Some(&fetched.url),
            status: Some(fetched.status),
            headers: &fetched.headers,
        };
        let document = extract::read(input, &settings);
        (fetched, document, body)
    });
    let (mut fetched, mut document, body) =
        reading.await.expect("reading does not panic on any bytes");
    let (mut rendered, mut not_rendered) = (None, None);
    let plain = fetched.problem().is_none() && document.format == Format::Html;
    if plain && document.gate.is_none() {
        let sign = document.needs_scripts;
        let renderer = Renderer { fetcher, browser, options, task, cause, offline };
        if sign.is_some() || fetcher.renders_at_once(&fetched.url).await? {
            match renderer.made(&fetched, body, &document).await {
                Ok(made) => {
                    let Made { record_id, cut_short, .. } = made;
                    (document, fetched.url) = (made.document, made.url);
                    rendered = Some(RenderedPage { record_id, cut_short });
                }
                Err(NotMade::NothingMore) => {}
                Err(NotMade::Because(why)) => not_rendered = Some(why),
                Err(NotMade::Failed(failure)) => return Err(failure),
            }
        }
    }
    let verdict = match document.gate.as_ref().map(|it| it.kind) {
        Some(GateKind::Challenge) => Verdict::Challenge,
        Some(GateKind::Login) => Verdict::Login,
        Some(GateKind::Paywall) => Verdict::Paywall,
        None => Verdict::Page,
    };
    // What comes out of the archive was judged when it came.
    if fetched.origin != Origin::Archive {
        fetcher.judged(&fetched, verdict).await;
    }
    let empty = rendered.is_none() && document.needs_scripts.is_some_and(NeedsScripts::is_sure);
    let problem =
        problem(&fetched, &document, verdict).or_else(|| empty.then_some(Reason::NeedsScripts));
    let not_queued = |error: LedgerError| FetchFailure {
        url: fetched.requested.clone(),
        reason: Reason::NotRecorded,
        detail: format!("the page asks for a person and could not be queued: {error}"),
        status: Some(fetched.status),
        again_at: None,
    };
    let mut auth_type = auth_type(problem, &document);
    if fetched.origin != Origin::Archive {
        let opened = match problem {
            None => Some(true),
            Some(Reason::Login | Reason::Challenge) => Some(false),
            Some(_) => None,
        };
        if let Some(opened) = opened {
            fetcher.session_judged(&fetched.requested, opened).await.map_err(not_queued)?;
        }
        // Refused again and again: perhaps a person is let in.
        let most = fetcher.settings().refusals_for_person;
        if problem == Some(Reason::Forbidden)
            && most > 0
            && fetcher.failures_of(&fetched.url).await.map_err(not_queued)? >= most
        {
            auth_type = Some("refused".to_owned());
        }
    }
    if let Some(auth_type) = auth_type {
        let url = fetched.requested.clone();
        let needed = PersonNeeded { url, auth_type, task, cause };
        fetcher.queue_for_person(needed).await.map_err(not_queued)?;
    }
    Ok(ReadPage { fetched, document, rendered, not_rendered, problem })
}

/// What a person is asked for, where the page asks for one.
fn auth_type(problem: Option<Reason>, document: &Document) -> Option<String> {
    match problem? {
        Reason::Login => Some("login".to_owned()),
        Reason::Challenge => {
            let vendor = document.gate.as_ref().and_then(|it| it.vendor.clone());
            Some(vendor.unwrap_or_else(|| "challenge".to_owned()))
        }
        _ => None,
    }
}

/// What reading shows goes before what the status says: a challenge is sent with 403 or 503, and with 200.
fn problem(fetched: &FetchResponse, document: &Document, verdict: Verdict) -> Option<Reason> {
    match verdict {
        Verdict::Challenge => Some(Reason::Challenge),
        Verdict::Login => Some(Reason::Login),
        Verdict::Paywall => Some(Reason::Paywall),
        Verdict::Page => fetched.problem().or_else(|| {
            (document.page_type.page_type == PageType::Soft404).then_some(Reason::NotFound)
        }),
    }
}
