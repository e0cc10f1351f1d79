//! Fetches and reads a page, and tells the fetcher what reading showed.

use extract::{Document, GateKind, Input, PageType};
use fetch::{
    FetchFailure, FetchRequest, FetchResponse, Fetcher, Origin, PersonNeeded, Reason, Verdict,
};

/// A page that a server sent and Lyra read, whatever it turned out to be.
#[derive(Debug)]
pub struct ReadPage {
    /// The answer without its body, which is read.
    pub fetched: FetchResponse,
    pub document: Document,
    /// Why this is not the page that was asked for: its status, a login, a challenge, "not found" in friendly words.
    pub problem: Option<Reason>,
}

/// Fetches a page and reads it. The fetcher learns what reading showed: a site that asks for a proof is resting,
/// and a page that asks for a person waits for one in the queue.
pub async fn read_page(
    fetcher: &Fetcher,
    request: FetchRequest,
    options: &extract::ReadSettings,
) -> Result<ReadPage, FetchFailure> {
    let (task, cause) = (request.task, request.cause);
    let mut fetched = fetcher.fetch(request).await?;
    let body = std::mem::take(&mut fetched.body);
    let options = options.clone();
    // Reading a large page takes a second of a core; other requests continue.
    let reading = tokio::task::spawn_blocking(move || {
        let input = Input {
            bytes: &body,
            url: Some(&fetched.url),
            status: Some(fetched.status),
            headers: &fetched.headers,
        };
        let document = extract::read(input, &options);
        (fetched, document)
    });
    let (fetched, document) = reading.await.expect("reading does not panic on any bytes");
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
    let problem = problem(&fetched, &document, verdict);
    if let Some(auth_type) = auth_type(problem, &document) {
        let url = fetched.requested.clone();
        let needed = PersonNeeded { url, auth_type, task, cause };
        fetcher.queue_for_person(needed).await.map_err(|error| FetchFailure {
            url: fetched.requested.clone(),
            reason: Reason::NotRecorded,
            detail: format!("the page asks for a person and could not be queued: {error}"),
            status: Some(fetched.status),
            again_at: None,
        })?;
    }
    Ok(ReadPage { fetched, document, problem })
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
