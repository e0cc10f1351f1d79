//! A browser for tests, and pages that lie in memory.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use browser::{
    Bringing, Brought, Browser, BrowserSettings, Network, Opening, Problem, Rendered, Wanted,
};
use tempfile::TempDir;
use url::Url;

pub(crate) const PAGE: &str = "http://page.example/";

/// Addresses and what lies there.
#[derive(Debug, Default)]
pub(crate) struct Pages {
    bodies: HashMap<String, (&'static str, String)>,
    moved: HashMap<String, String>,
    pub(crate) asked: Mutex<Vec<String>>,
}

impl Pages {
    pub(crate) fn html(self, url: &str, body: &str) -> Self {
        self.with(url, "text/html; charset=utf-8", body)
    }

    pub(crate) fn script(self, url: &str, body: &str) -> Self {
        self.with(url, "text/javascript", body)
    }

    pub(crate) fn with(mut self, url: &str, kind: &'static str, body: &str) -> Self {
        self.bodies.insert(url.to_owned(), (kind, body.to_owned()));
        self
    }

    pub(crate) fn moved(mut self, from: &str, to: &str) -> Self {
        self.moved.insert(from.to_owned(), to.to_owned());
        self
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        let mut asked = self.asked.lock().expect("no test panics with it").clone();
        asked.sort();
        asked
    }
}

impl Network for Pages {
    fn bring(&self, wanted: Wanted) -> Bringing {
        self.asked.lock().expect("no test panics with it").push(wanted.url.to_string());
        let url = self.moved.get(wanted.url.as_str()).map(String::as_str);
        let url = Url::parse(url.unwrap_or(wanted.url.as_str())).expect("an address");
        let brought = self.bodies.get(url.as_str()).map(|(kind, body)| Brought {
            status: 200,
            headers: vec![("content-type".to_owned(), (*kind).to_owned())],
            body: body.clone().into_bytes(),
            record_id: None,
            url,
        });
        Box::pin(async move { brought.ok_or_else(|| "nothing lies there".to_owned()) })
    }
}

/// A browser with the default limits. Chromium does not confine itself for root, who runs the tests of CI.
pub(crate) fn browser(folder: &Path) -> Browser {
    browser_with(folder, |_| {})
}

pub(crate) fn browser_with(folder: &Path, change: impl FnOnce(&mut BrowserSettings)) -> Browser {
    let sandbox = !rustix::process::geteuid().is_root();
    let mut settings = BrowserSettings { sandbox, ..BrowserSettings::default() };
    change(&mut settings);
    Browser::new(settings, folder)
}

pub(crate) fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

pub(crate) fn opening(body: &str) -> Opening {
    Opening {
        url: Url::parse(PAGE).expect("an address"),
        status: 200,
        headers: vec![("content-type".to_owned(), "text/html; charset=utf-8".to_owned())],
        body: body.to_owned().into_bytes(),
        record_id: None,
    }
}

/// Renders a page in a browser of its own.
pub(crate) async fn render(body: &str, pages: Pages) -> (Result<Rendered, Problem>, Arc<Pages>) {
    render_with(body, pages, |_| {}).await
}

pub(crate) async fn render_with(
    body: &str,
    pages: Pages,
    change: impl FnOnce(&mut BrowserSettings),
) -> (Result<Rendered, Problem>, Arc<Pages>) {
    let folder = folder();
    let pages = Arc::new(pages);
    let browser = browser_with(folder.path(), change);
    let network: Arc<dyn Network> = Arc::<Pages>::clone(&pages);
    let rendered = browser.render(opening(body), network).await;
    (rendered, pages)
}

/// The text that is shown: what lies between tags, but for elements that are marked hidden and the head.
pub(crate) fn shown_text(html: &str) -> String {
    const EMPTY: [&str; 6] = ["br", "hr", "img", "input", "link", "meta"];
    let mut text = String::new();
    // Names of open elements, and whether what they hold is shown.
    let mut open: Vec<(&str, bool)> = Vec::new();
    for part in html.split('<').skip(1) {
        let (tag, behind) = part.split_once('>').expect("every tag ends");
        let name = tag.split([' ', '/']).find(|it| !it.is_empty()).unwrap_or_default();
        if tag.starts_with('/') {
            let (opened, _) = open.pop().expect("what ends began");
            assert_eq!(opened, name);
        } else if !tag.starts_with('!') && !EMPTY.contains(&name) {
            let above = open.last().is_none_or(|it| it.1);
            let unseen = name == "head" || name == "script" || tag.ends_with(" hidden");
            open.push((name, above && !unseen));
        }
        if open.last().is_some_and(|it| it.1) {
            text.push_str(behind);
            text.push(' ');
        }
    }
    assert_eq!(open, [], "everything ends");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text between tags, its spaces made one.
pub(crate) fn text_of(html: &str) -> String {
    let body = html.split_once("<body").map_or(html, |(_, body)| body);
    let shown = body.split('<').filter_map(|it| it.split_once('>')).map(|(_, text)| text);
    shown.collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}
