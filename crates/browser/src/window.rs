//! A window in which a person is at work: signs in, proves to be human, accepts terms.
//!
//! Lyra opens it at an address and does nothing in it. It asks the browser, never the page: there is no way here to attach to a
//! page, to run a script in one or to press a key ([`Ask`] is all there is). It learns which address the window is at, what
//! its title is and that it was closed; and, when the person is through, the cookies.

use std::net::SocketAddr;
use std::path::Path;

use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;
use url::Url;

use crate::connection::Event;
use crate::process::{Process, Purpose, may_run};
use crate::render::context::{call, text};
use crate::{BrowserSettings, Problem};

/// All that is asked of a browser while a person is at work in it.
#[derive(Debug, Clone, Copy)]
enum Ask {
    /// What it calls itself.
    Version,
    /// To tell of windows that open, move on and close.
    Watch,
    /// A place of its own, without memory.
    Place,
    /// To keep files from being saved.
    NoDownloads,
    /// The window.
    Open,
    /// The window in front of the others.
    ToFront,
    /// What sites have set.
    Cookies,
}

impl Ask {
    const fn method(self) -> &'static str {
        match self {
            Self::Version => "Browser.getVersion",
            Self::Watch => "Target.setDiscoverTargets",
            Self::Place => "Target.createBrowserContext",
            Self::NoDownloads => "Browser.setDownloadBehavior",
            Self::Open => "Target.createTarget",
            Self::ToFront => "Target.activateTarget",
            Self::Cookies => "Storage.getCookies",
        }
    }
}

/// A cookie, as the browser tells of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Cookie {
    pub name: String,
    pub value: String,
    /// With a dot in front where hosts below it are shown the cookie too.
    pub domain: String,
    pub path: String,
    pub secure: bool,
    pub http_only: bool,
    /// Seconds since 1970; `None`: until the browser is closed.
    pub expires: Option<i64>,
}

/// What became of a window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    /// It is at this address now, with this title.
    At { url: String, title: String },
    /// The person closed it, or the browser ended.
    Closed,
}

/// An open window. Dropping it closes the browser, and its profile goes with it.
#[derive(Debug)]
pub struct Window {
    process: Process,
    events: UnboundedReceiver<Event>,
    context: String,
    target: String,
    user_agent: String,
    /// The windows of the person: theirs, and those that pages opened for them.
    pages: Vec<String>,
}

/// Whether there is a screen here to show a window on.
pub fn screen() -> Result<(), Problem> {
    let is_set = |name| std::env::var_os(name).is_some_and(|it| !it.is_empty());
    let elsewhere = cfg!(any(target_os = "macos", windows));
    match elsewhere || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") {
        true => Ok(()),
        false => Err(Problem::NoScreen),
    }
}

impl Window {
    /// Opens a window at an address, with a profile of its own below `folder`. Its network is the proxy at `proxy`.
    pub async fn open(
        settings: &BrowserSettings,
        folder: &Path,
        proxy: SocketAddr,
        languages: &str,
        url: &Url,
    ) -> Result<Self, Problem> {
        let installed = crate::installed::chosen(&settings.program)?;
        may_run(&installed, settings)?;
        screen()?;
        let purpose = Purpose::Person { proxy, languages };
        let process = Process::start(&installed, folder, settings, purpose).await?;
        let events = process.connection.listen();
        let mut window = Self {
            process,
            events,
            context: String::new(),
            target: String::new(),
            user_agent: String::new(),
            pages: Vec::new(),
        };
        window.user_agent = text(&window.ask(Ask::Version, json!({})).await?["userAgent"]);
        let place = window.ask(Ask::Place, json!({ "disposeOnDetach": true })).await?;
        window.context = text(&place["browserContextId"]);
        let own = json!({ "behavior": "deny", "browserContextId": window.context });
        window.ask(Ask::NoDownloads, own).await?;
        window.ask(Ask::Watch, json!({ "discover": true })).await?;
        let at = json!({
            "url": url.as_str(), "browserContextId": window.context, "newWindow": true,
        });
        window.target = text(&window.ask(Ask::Open, at).await?["targetId"]);
        window.to_front().await?;
        Ok(window)
    }

    /// What the browser calls itself.
    pub fn user_agent(&self) -> &str {
        &self.user_agent
    }

    pub async fn to_front(&self) -> Result<(), Problem> {
        self.ask(Ask::ToFront, json!({ "targetId": self.target })).await.map(drop)
    }

    /// The next thing that becomes of the window. Can be dropped and called again.
    pub async fn seen(&mut self) -> Seen {
        loop {
            let Some(event) = self.events.recv().await else { return Seen::Closed };
            let about = &event.params["targetInfo"];
            let id = match event.method.as_str() {
                "Target.targetDestroyed" => text(&event.params["targetId"]),
                _ => text(&about["targetId"]),
            };
            match event.method.as_str() {
                "Target.targetCreated" | "Target.targetInfoChanged" => {
                    // The browser's own parts are targets too.
                    let is_page = about["type"] == "page";
                    if !is_page || about["browserContextId"] != self.context.as_str() {
                        continue;
                    }
                    if !self.pages.contains(&id) {
                        self.pages.push(id);
                    }
                    return Seen::At { url: text(&about["url"]), title: text(&about["title"]) };
                }
                "Target.targetDestroyed" | "Target.targetCrashed" => {
                    self.pages.retain(|it| *it != id);
                    if self.pages.is_empty() {
                        return Seen::Closed;
                    }
                }
                _ => {}
            }
        }
    }

    /// What sites have set in it.
    pub async fn cookies(&self) -> Result<Vec<Cookie>, Problem> {
        let told = self.ask(Ask::Cookies, json!({ "browserContextId": self.context })).await?;
        let cookies = told["cookies"].as_array().into_iter().flatten();
        Ok(cookies
            .map(|it| Cookie {
                name: text(&it["name"]),
                value: text(&it["value"]),
                domain: text(&it["domain"]),
                path: text(&it["path"]),
                secure: it["secure"].as_bool().unwrap_or(false),
                http_only: it["httpOnly"].as_bool().unwrap_or(false),
                // One that lasts as long as the browser has -1.
                expires: it["expires"].as_f64().filter(|it| *it > 0.0).map(|it| it as i64),
            })
            .collect())
    }

    async fn ask(&self, ask: Ask, params: Value) -> Result<Value, Problem> {
        call(&self.process.connection, None, ask.method(), params).await
    }
}
