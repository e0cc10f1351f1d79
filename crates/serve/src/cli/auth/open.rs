//! `lyra auth open`: a window for the person that a page asks for.

use std::io::BufRead;
use std::sync::Arc;

use clap::Args;
use evidence::{AuthId, AuthStatus};
use graph::{AuthEntry, AuthFilter, Graph};
use serde_json::json;
use tokio::sync::mpsc;

use super::settle::find_entry;
use crate::cli::minute;
use crate::failure::{Failure, Kind};
use crate::session::{Session, ask};
use crate::ui;
use crate::visit::{Context, End, NotThrough, Opened, Visit, Word};
use crate::words::say;

/// Open a page that waits for you, in a window of its own
///
/// The browser that `lyra doctor` names shows the page at its exact address, with a profile of its own. Sign in there, or
/// prove that you are human; Lyra does nothing in the window and reads nothing you type. It notices when the page is open, or you
/// say so: with Enter here, with `lyra auth done ID` elsewhere, or by closing the window. Then it keeps the cookies of
/// this site, sealed, and shows them to it when it asks for its pages, as politely as ever. All pages of the site that wait
/// are free at once.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra auth open
  lyra auth open 4F2K
  lyra auth open auth_01J8ZK3V5N7Q9R2S4T6W8X0YAC --json

Next: ask again: the next search of the task reads the page. `lyra auth forget DOMAIN` signs out.")]
pub(crate) struct Open {
    /// The page: latest, or the beginning or end of its id; without one, the most urgent
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// Open it although you were asked often enough for this task
    #[arg(long)]
    anyway: bool,
}

impl Open {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let entry = self.entry(session.reader()?)?;
        let context = Arc::new(Context::of(session));
        let network = session.network()?;
        let graph = Arc::clone(network.graph());
        if !self.anyway {
            context.asked_enough(&graph, &entry)?;
        }
        let words = session.ui.words();
        let (id, url) = (entry.id, entry.url.clone());
        let minutes = session.settings.auth.minutes;
        let end = network.run(async |fetcher| {
            let visit = Visit::open(context, fetcher.clone(), graph, entry).await?;
            let text = &words.auth;
            session.ui.note(&say!(text.window, url = ui::clean(&url), minutes = minutes));
            session.ui.note(&say!(text.say_done, id = id));
            let (_sender, mut said) = said_here();
            let still = |why: &str| {
                session.ui.note(&say!(text.still_asks, why = session.ui.in_words(why)));
            };
            visit.watch(&mut said, still).await
        })??;
        match end {
            End::Through(opened) => show(session, &opened),
            End::NotThrough(why) => Err(still_waits(why, id)),
        }
    }

    fn entry(&self, graph: &Graph) -> Result<AuthEntry, Failure> {
        match &self.id {
            Some(given) => find_entry(graph, given),
            None => {
                let filter = AuthFilter { task: None, status: Some(AuthStatus::Pending) };
                let first = ask(graph, |r| r.auth_queue(&filter, 1))?.into_iter().next();
                first.ok_or_else(|| Failure::new(Kind::NotFound, "no page waits for a person"))
            }
        }
    }
}

/// A line on stdin is the person's word; its end says nothing.
fn said_here() -> (mpsc::Sender<Word>, mpsc::Receiver<Word>) {
    let (sender, said) = mpsc::channel(1);
    let heard = sender.clone();
    // It ends with the program: nothing can call off reading from a terminal.
    std::thread::spawn(move || {
        let mut lines = ui::stdin().lines();
        while let Some(Ok(_)) = lines.next() {
            if heard.blocking_send(Word::Done).is_err() {
                break;
            }
        }
    });
    (sender, said)
}

fn show(session: &Session, opened: &Opened) -> Result<(), Failure> {
    let ui = &session.ui;
    if ui.is_json() {
        let mut body = json!(opened);
        body["status"] = AuthStatus::Resolved.as_str().into();
        return ui.document(&body);
    }
    let words = &ui.words().auth;
    let page = opened.page.as_ref();
    let title = page.and_then(|it| it.title.clone()).unwrap_or_else(|| opened.url.clone());
    ui.print(&ui::clean(&title))?;
    if let Some(page) = page {
        let record = page.record_id.clone().unwrap_or_default();
        ui.note(&say!(words.read, n = page.passages, record = record));
    }
    ui.note(&say!(words.freed, n = opened.pages, domain = opened.domain));
    if let Some(until) = opened.session_until {
        ui.note(&say!(words.kept, domain = opened.domain, until = minute(until)));
    }
    for engine in &opened.engines {
        ui.note(&say!(words.engine_again, engine = engine));
    }
    Ok(())
}

fn still_waits(why: NotThrough, id: AuthId) -> Failure {
    let message = match why {
        NotThrough::Closed => "the window was closed, and the page still asks for a person",
        NotThrough::TimeOver => {
            "the time for the window is over, and the page still asks for a person"
        }
        NotThrough::GivenUp => "the page still asks for a person",
    };
    Failure::new(Kind::Network, message).hint(move |w| say!(w.hint.visit_again, id = id))
}
