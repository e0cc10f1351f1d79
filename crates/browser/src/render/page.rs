//! One page in a context of its own: opened, given what it asks for, brought to rest, read, thrown away.
//!
//! It has come to rest once it has loaded, nothing it asked for is under way, it was scrolled to its end and its timers of
//! the next seconds have run. Timers pass at once: the browser moves the page's clock on. Every way in which a page could
//! go on forever has its limit, and what it shows then is read and said to be cut short.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};
use url::Url;

use super::context::{Context, call, problem, text};
use super::network::{Brought, Network};
use super::reading;
use super::requests::{Decision, Requests};
use super::{Opening, Rendered};
use crate::connection::{Connection, Event, NoResult};
use crate::{BrowserSettings, Problem};

pub(super) const WIDTH: u32 = 1_280;
/// Two of a usual screen: half as many steps to the end of a page.
pub(super) const HEIGHT: u32 = 2_048;

/// Time to read a page that is no longer waited for.
const READING: Duration = Duration::from_secs(10);
/// How long a page may think about asking for more.
const MOMENT: Duration = Duration::from_millis(100);
/// How often to look at the clock while nothing happens.
const GLANCE: Duration = Duration::from_millis(50);

/// Renders a page and closes it, however that ends.
pub(crate) async fn render(
    connection: &Arc<Connection>,
    settings: &BrowserSettings,
    opening: Opening,
    network: Arc<dyn Network>,
) -> Result<Rendered, Problem> {
    let events = connection.listen();
    let context = Context::make(connection).await?;
    let mut page = Page::open(connection, &context, settings, &opening, network, events).await?;
    let rendered = page.run(opening.url).await;
    drop(page);
    context.close().await;
    rendered
}

/// An open page.
struct Page<'a> {
    connection: &'a Connection,
    settings: &'a BrowserSettings,
    network: Arc<dyn Network>,
    events: UnboundedReceiver<Event>,
    context: String,
    target: String,
    session: String,
    main_frame: String,
    requests: Requests,
    /// What is under way: its address, whether it is the page itself, and what came.
    under_way: JoinSet<(Url, bool, Result<Brought, String>)>,
    loaded: bool,
    /// The time that the page's clock was moved on by is over.
    time_is_up: bool,
    refused: u32,
    deadline: Instant,
    /// How long the page has been at work while nothing was under way.
    worked: Duration,
    glanced: Instant,
    /// The page is no longer waited for: until then it has to be read.
    read_by: Option<Instant>,
}

impl<'a> Page<'a> {
    async fn open(
        connection: &'a Connection,
        context: &Context,
        settings: &'a BrowserSettings,
        opening: &Opening,
        network: Arc<dyn Network>,
        events: UnboundedReceiver<Event>,
    ) -> Result<Self, Problem> {
        let new = json!({
            "url": "about:blank", "browserContextId": context.id, "width": WIDTH, "height": HEIGHT,
        });
        let target = text(&call(connection, None, "Target.createTarget", new).await?["targetId"]);
        let attach = json!({ "targetId": target, "flatten": true });
        let attached = call(connection, None, "Target.attachToTarget", attach).await?;
        let session = text(&attached["sessionId"]);
        let own = Some(session.as_str());
        let pages = json!({ "discover": true, "filter": [{ "type": "page" }] });
        call(connection, None, "Target.setDiscoverTargets", pages).await?;
        for (method, params) in [
            ("Page.enable", json!({})),
            ("Inspector.enable", json!({})),
            ("Fetch.enable", everything()),
            ("Target.setAutoAttach", attach_all()),
        ] {
            call(connection, own, method, params).await?;
        }
        let tree = call(connection, own, "Page.getFrameTree", json!({})).await?;
        let main_frame = text(&tree["frameTree"]["frame"]["id"]);
        let requests = Requests::new(
            main_frame.clone(),
            opening.clone(),
            settings.max_requests,
            settings.max_navigations,
        );
        Ok(Self {
            connection,
            settings,
            network,
            events,
            context: context.id.clone(),
            target,
            session,
            main_frame,
            requests,
            under_way: JoinSet::new(),
            loaded: false,
            time_is_up: false,
            refused: 0,
            deadline: Instant::now() + Duration::from_millis(settings.page_ms),
            worked: Duration::ZERO,
            glanced: Instant::now(),
            read_by: None,
        })
    }

    async fn run(&mut self, url: Url) -> Result<Rendered, Problem> {
        let went = self.call("Page.navigate", json!({ "url": url.as_str() })).await?;
        if let Some(why) = went["errorText"].as_str() {
            let (host, why) = (url.host_str().unwrap_or_default().to_owned(), why.to_owned());
            return Err(Problem::NotOpened { host, why });
        }
        let mut cut_short = self.pause().await?;
        let mut world = self.world().await?;
        for _ in 0..self.settings.max_screens {
            if cut_short.is_some() {
                break;
            }
            let moved = self.evaluate(&mut world, reading::SCROLL).await? == true;
            if moved && !self.requests.any_waiting() {
                continue;
            }
            cut_short = self.pause().await?;
            // At its end a page may only now have grown.
            let at_end = !moved && cut_short.is_none();
            if at_end && self.evaluate(&mut world, reading::SCROLL).await? != true {
                break;
            }
        }
        if cut_short.is_some() {
            self.wait_no_longer();
        }
        self.evaluate(&mut world, reading::TO_THE_TOP).await?;
        if cut_short.is_none() {
            cut_short = self.timers().await?;
            if cut_short.is_some() {
                self.wait_no_longer();
            }
        }
        let read = self.evaluate(&mut world, &reading::read(self.settings.max_page_bytes)).await?;
        let html = text(&read["html"]);
        if html.len() > self.settings.max_page_bytes {
            return Err(Problem::TooLarge(self.settings.max_page_bytes));
        }
        let shown = text(&read["url"]);
        // A document without an address of its own, such as one that was written by script, is of the page's.
        let at = Url::parse(&shown).ok().filter(|it| matches!(it.scheme(), "http" | "https"));
        let height = read["height"].as_f64().unwrap_or_default();
        let screenshot = match self.settings.screenshots {
            true => self.picture(height).await?,
            false => None,
        };
        Ok(Rendered {
            url: at.unwrap_or_else(|| self.requests.page.clone()),
            html,
            screenshot,
            parts: std::mem::take(&mut self.requests.parts),
            cut_short,
            refused: self.refused,
        })
    }

    /// Lets the page's timers run: its clock is moved on, and stands still while something is under way. From then on
    /// nothing is drawn. Says why the page was not waited for, if it was not.
    async fn timers(&mut self) -> Result<Option<String>, Problem> {
        /// Times that a page which still loads or asks for something is given more of its time.
        const MORE: u32 = 50;
        for _ in 0..MORE {
            while !self.loaded || self.requests.any_waiting() {
                if let Some(why) = self.out_of_time() {
                    return Ok(Some(why));
                }
                self.turn().await?;
            }
            self.time_is_up = false;
            let time = json!({ "policy": "pauseIfNetworkFetchesPending", "budget": self.settings.timers_ms });
            self.call("Emulation.setVirtualTimePolicy", time).await?;
            while !self.time_is_up {
                if let Some(why) = self.out_of_time() {
                    return Ok(Some(why));
                }
                self.turn().await?;
            }
            if self.loaded && !self.requests.any_waiting() {
                return Ok(None);
            }
        }
        Ok(Some("it went on asking for more".to_owned()))
    }

    /// Waits until the page has loaded and nothing has been under way for a moment.
    async fn pause(&mut self) -> Result<Option<String>, Problem> {
        let mut quiet_since = Instant::now();
        while !self.loaded || quiet_since.elapsed() < MOMENT {
            if let Some(why) = self.out_of_time() {
                return Ok(Some(why));
            }
            self.turn().await?;
            if !self.loaded || self.requests.any_waiting() {
                quiet_since = Instant::now();
            }
        }
        Ok(None)
    }

    /// What the page still waits for does not come, and it is read as it is: it has a while for that.
    fn wait_no_longer(&mut self) {
        self.under_way.abort_all();
        self.requests.give_up(self.connection);
        self.read_by = Some(Instant::now() + READING);
    }

    fn out_of_time(&mut self) -> Option<String> {
        let now = Instant::now();
        if self.under_way.is_empty() {
            self.worked += now - self.glanced;
        }
        self.glanced = now;
        let most = Duration::from_millis(self.settings.render_ms);
        if self.worked >= most {
            return Some(format!("it did not come to rest within {} s", most.as_secs()));
        }
        let all = Duration::from_millis(self.settings.page_ms).as_secs();
        (now >= self.deadline).then(|| format!("what it asked for was not there within {all} s"))
    }

    /// Takes in the next thing that happens.
    async fn turn(&mut self) -> Result<(), Problem> {
        tokio::select! {
            event = self.events.recv() => match event {
                Some(event) => self.take(event),
                None => Err(Problem::Ended),
            },
            Some(came) = self.under_way.join_next() => {
                // A task that panicked has printed why; its request stays open until the page is closed.
                let Ok((key, is_page, outcome)) = came else { return Ok(()) };
                let decision = self.requests.came(self.connection, &key, is_page, outcome);
                self.follow(decision)
            }
            () = sleep_until(Instant::now() + GLANCE) => Ok(()),
        }
    }

    fn take(&mut self, event: Event) -> Result<(), Problem> {
        let ours = event.session.as_deref() == Some(self.session.as_str());
        let params = event.params;
        match event.method.as_str() {
            "Fetch.requestPaused" => {
                let decision = self.requests.held(self.connection, event.session, &params);
                return self.follow(decision);
            }
            "Page.frameNavigated" if ours && params["frame"]["id"] == self.main_frame.as_str() => {
                self.loaded = false;
            }
            "Page.loadEventFired" if ours => self.loaded = true,
            "Emulation.virtualTimeBudgetExpired" if ours => self.time_is_up = true,
            "Page.javascriptDialogOpening" => {
                self.refused += 1;
                // A page may be left whatever it asks.
                let leave = params["type"] == "beforeunload";
                let answer = json!({ "accept": leave });
                let session = event.session.as_deref();
                self.connection.tell(session, "Page.handleJavaScriptDialog", &answer);
            }
            "Page.downloadWillBegin" | "Page.windowOpen" => self.refused += 1,
            "Target.attachedToTarget" if ours => {
                let session = text(&params["sessionId"]);
                for (method, params) in [
                    ("Fetch.enable", everything()),
                    ("Target.setAutoAttach", attach_all()),
                    ("Runtime.runIfWaitingForDebugger", json!({})),
                ] {
                    self.connection.tell(Some(&session), method, &params);
                }
            }
            "Target.targetCreated" => {
                let target = &params["targetInfo"];
                let of_the_page = target["browserContextId"] == self.context.as_str()
                    && target["targetId"] != self.target.as_str();
                if of_the_page {
                    let close = json!({ "targetId": target["targetId"] });
                    self.connection.tell(None, "Target.closeTarget", &close);
                }
            }
            "Inspector.targetCrashed" if ours => return Err(Problem::Crashed),
            "Target.detachedFromTarget" if params["sessionId"] == self.session.as_str() => {
                return Err(Problem::Crashed);
            }
            _ => {}
        }
        Ok(())
    }

    fn follow(&mut self, decision: Decision) -> Result<(), Problem> {
        match decision {
            Decision::Done => Ok(()),
            Decision::GiveUp(problem) => Err(problem),
            Decision::Bring(mut wanted) => {
                let (key, is_page) = (wanted.url.clone(), wanted.is_navigation);
                wanted.url.set_fragment(None);
                let bringing = self.network.bring(wanted);
                self.under_way.spawn(async move { (key, is_page, bringing.await) });
                Ok(())
            }
        }
    }

    /// A world beside that of the page's scripts.
    async fn world(&mut self) -> Result<Value, Problem> {
        let frame = json!({ "frameId": self.main_frame, "worldName": "lyra" });
        Ok(self.call("Page.createIsolatedWorld", frame).await?["executionContextId"].clone())
    }

    async fn evaluate(&mut self, world: &mut Value, expression: &str) -> Result<Value, Problem> {
        let mut outcome = self.call("Runtime.evaluate", reading::in_world(world, expression)).await;
        // The page went elsewhere, and its worlds with it.
        if matches!(outcome, Err(Problem::Refused { .. })) {
            *world = self.world().await?;
            outcome = self.call("Runtime.evaluate", reading::in_world(world, expression)).await;
        }
        let outcome = outcome?;
        if let Some(thrown) = outcome["exceptionDetails"]["exception"]["description"].as_str() {
            let why = thrown.lines().next().unwrap_or_default().to_owned();
            return Err(match why.contains("too large") {
                true => Problem::TooLarge(self.settings.max_page_bytes),
                false => Problem::Refused { method: "Runtime.evaluate".to_owned(), why },
            });
        }
        Ok(outcome["result"]["value"].clone())
    }

    async fn picture(&mut self, height: f64) -> Result<Option<Vec<u8>>, Problem> {
        let taken = self.call("Page.captureScreenshot", reading::picture(height)).await;
        match taken {
            Ok(taken) => Ok(STANDARD.decode(text(&taken["data"])).ok()),
            // The text is what counts.
            Err(Problem::Refused { why, .. }) => {
                tracing::warn!(why, "a page could not be pictured");
                Ok(None)
            }
            Err(problem) => Err(problem),
        }
    }

    /// Asks the page for something, and goes on giving it what it asks for meanwhile.
    async fn call(&mut self, method: &str, params: Value) -> Result<Value, Problem> {
        self.ask(Some(self.session.clone()), method, params).await
    }

    async fn ask(
        &mut self,
        session: Option<String>,
        method: &str,
        params: Value,
    ) -> Result<Value, Problem> {
        let mut answer = self.connection.ask(session.as_deref(), method, params);
        let patience = Duration::from_millis(self.settings.render_ms);
        loop {
            tokio::select! {
                biased;
                outcome = &mut answer => {
                    let outcome = outcome.unwrap_or(Err(NoResult::Ended));
                    return outcome.map_err(|it| problem(method, it));
                }
                turned = self.turn() => turned?,
            }
            // A page whose script never ends answers nothing.
            let over = match self.read_by {
                Some(time) => Instant::now() >= time,
                None => self.out_of_time().is_some(),
            };
            if over {
                return Err(Problem::Busy(patience.as_secs()));
            }
        }
    }
}

/// All requests are held.
fn everything() -> Value {
    json!({ "patterns": [{ "urlPattern": "*", "requestStage": "Request" }] })
}

/// What a page starts, such as workers, waits until its requests are held as well.
fn attach_all() -> Value {
    json!({ "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true })
}
