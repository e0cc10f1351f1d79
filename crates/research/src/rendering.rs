//! A page whose text is made by scripts: rendered in the browser, or brought back as it was rendered before.
//!
//! The browser asks for nothing itself. What a page wants is asked here, by the fetcher: under the same rules, in the same
//! ledger and archive as any request.

use std::sync::Arc;

use browser::{Bringing, Brought, Browser, Network, Opening, Rendered, Wanted};
use evidence::{EventId, TaskId};
use extract::{Document, Input, NeedsScripts, ReadSettings};
use fetch::{FetchFailure, FetchRequest, FetchResponse, Fetcher, Kind, Method, Origin, Rendering};
use url::Url;

/// A page as its scripts made it.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) document: Document,
    pub(crate) url: Url,
    /// What was read, in the archive.
    pub(crate) record_id: String,
    /// Why it was read before it came to rest, if it was.
    pub(crate) cut_short: Option<String>,
}

/// How a page is rendered, or why it is not.
#[derive(Debug)]
pub(crate) struct Renderer<'a> {
    pub(crate) fetcher: &'a Fetcher,
    pub(crate) browser: Option<&'a Browser>,
    pub(crate) options: &'a ReadSettings,
    pub(crate) task: Option<TaskId>,
    pub(crate) cause: Option<EventId>,
    /// Nothing may be sent for it.
    pub(crate) offline: bool,
}

/// Why a page is not what its scripts make of it.
#[derive(Debug)]
pub(crate) enum NotMade {
    /// It was not rendered, for this reason.
    Because(String),
    /// Its scripts show nothing more.
    NothingMore,
    /// It was rendered and could not be recorded.
    Failed(FetchFailure),
}

impl Renderer<'_> {
    /// Renders a page that was fetched and read, if its scripts make more of it than `plain`.
    pub(crate) async fn made(
        &self,
        fetched: &FetchResponse,
        body: Vec<u8>,
        plain: &Document,
    ) -> Result<Made, NotMade> {
        let of = fetched.record_id.as_deref().ok_or_else(|| because("it is in no archive"))?;
        if let Some(made) = self.made_before(fetched, of).await? {
            return Ok(made);
        }
        if self.offline {
            return Err(because("Lyra runs offline, and its scripts would send requests"));
        }
        let browser = self.browser.ok_or_else(|| because("no browser is used here"))?;
        if !browser.settings().enabled {
            return Err(because("browser.enabled is off"));
        }
        let opening = Opening {
            url: fetched.url.clone(),
            status: fetched.status,
            headers: fetched.headers.clone(),
            body,
            record_id: fetched.record_id.clone(),
        };
        let network = Arc::new(ThroughFetcher {
            fetcher: self.fetcher.clone(),
            task: self.task,
            cause: self.cause,
        });
        let rendered = browser.render(opening, network).await;
        let Rendered { url, html, screenshot, cut_short, .. } =
            rendered.map_err(|problem| NotMade::Because(problem.to_string()))?;
        let (document, html) = self.read(fetched, &url, html).await;
        let needed = shows_more(plain, &document);
        let host = fetched.url.host_str().unwrap_or_default();
        self.fetcher.rendered(host, needed);
        if !needed {
            return Err(NotMade::NothingMore);
        }
        let rendering = Rendering { url: url.clone(), html, picture: screenshot };
        let record_id =
            self.fetcher.keep_rendering(of, rendering).await.map_err(NotMade::Failed)?;
        Ok(Made { document, url, record_id, cut_short })
    }

    /// What was made of the same answer before: nothing is asked again for what came out of the archive.
    async fn made_before(
        &self,
        fetched: &FetchResponse,
        of: &str,
    ) -> Result<Option<Made>, NotMade> {
        if !self.offline && fetched.origin != Origin::Archive {
            return Ok(None);
        }
        let kept = self.fetcher.rendering_of(&fetched.url, of).await.map_err(NotMade::Failed)?;
        let Some(kept) = kept else { return Ok(None) };
        let (document, _) = self.read(fetched, &kept.url, kept.html).await;
        let (url, record_id) = (kept.url, kept.record_id);
        Ok(Some(Made { document, url, record_id, cut_short: None }))
    }

    async fn read(&self, fetched: &FetchResponse, url: &Url, html: String) -> (Document, String) {
        let (options, status, url) = (self.options.clone(), fetched.status, url.clone());
        let reading = tokio::task::spawn_blocking(move || {
            let headers = [("content-type".to_owned(), "text/html; charset=utf-8".to_owned())];
            let input = Input {
                bytes: html.as_bytes(),
                url: Some(&url),
                status: Some(status),
                headers: &headers,
            };
            (extract::read(input, &options), html)
        });
        reading.await.expect("reading does not panic on any bytes")
    }
}

fn because(why: &str) -> NotMade {
    NotMade::Because(why.to_owned())
}

/// Whether a page shows more once its scripts have run. One that showed nothing before shows more with any word; else it
/// has to be half as much again, and a sentence. What turns out to ask for a person is more as well.
fn shows_more(plain: &Document, rendered: &Document) -> bool {
    const SENTENCE: usize = 20;
    let letters = |it: &Document| it.text.chars().count();
    let (before, after) = (letters(plain), letters(rendered));
    let empty = plain.needs_scripts.is_some_and(NeedsScripts::is_sure);
    rendered.gate.is_some()
        || (empty && after > 0 && rendered.text != plain.text)
        || after >= before * 3 / 2 + SENTENCE
}

/// The fetcher as a page in the browser sees it.
#[derive(Debug)]
struct ThroughFetcher {
    fetcher: Fetcher,
    task: Option<TaskId>,
    cause: Option<EventId>,
}

impl Network for ThroughFetcher {
    fn bring(&self, wanted: Wanted) -> Bringing {
        let Wanted { url, page, is_navigation, post, headers } = wanted;
        let mut request = match is_navigation {
            true => FetchRequest::page(url),
            false => FetchRequest { headers, ..FetchRequest::new(url, Kind::Part) },
        };
        if let Some((content_type, body)) = post {
            request.method = Method::Post { content_type, body };
        }
        request.came_from = Some(page);
        request.task = self.task;
        request.cause = self.cause;
        let fetcher = self.fetcher.clone();
        Box::pin(async move {
            match fetcher.fetch(request).await {
                Ok(answer) => Ok(Brought {
                    url: answer.url,
                    status: answer.status,
                    headers: answer.headers,
                    body: answer.body,
                    record_id: answer.record_id,
                }),
                Err(missed) => Err(missed.detail),
            }
        })
    }
}
