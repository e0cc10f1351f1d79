//! `lyra versions`: what a page said before, and whether it still says what was quoted.

use std::collections::HashSet;

use ::sources::AskedBy;
use ::sources::versions::versions;
use clap::Args;
use extract::Document;
use fetch::{FetchRequest, Fetcher, Reason};
use graph::{Cause, QuotedPassage};
use research::{Changes, OldPage, Reading, read_page, read_version, still_says};
use serde::Serialize;
use url::Url;

use crate::failure::{Failure, Kind, hint_for_missed};
use crate::network::Network;
use crate::session::Session;
use crate::ui::{Column, Table, clean};
use crate::words::say;

/// Sentences of a change that are shown.
const SHOWN: usize = 5;

/// Show what a page said before, and which quotes it no longer has
///
/// Reads the page and its newest versions at the Internet Archive (web.archive.org), and lists what each says
/// otherwise than the one before: headings, sentences, dates. Passages of the page that speak for or against
/// a claim of yours are looked for on it: what it says no more, or where the page is gone, is noted in the
/// life of the claim, and reports say so. The archive is told the address of the page.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra versions https://example.org/guidance
  lyra versions https://example.org/guidance --most 10 --json

Next: `lyra report TASK` has what disappeared in its timeline.")]
pub(crate) struct Arguments {
    /// The address of the page
    url: Url,
    /// Versions to compare [default: the setting versions.versions_compared]
    #[arg(long, value_name = "N", value_parser = super::row_limit)]
    most: Option<usize>,
}

/// The page as it is now.
#[derive(Debug, Serialize)]
struct Now {
    /// Why it could not be read.
    problem: Option<Reason>,
    detail: Option<String>,
    #[serde(skip)]
    document: Option<Document>,
}

#[derive(Debug, Serialize)]
struct Step {
    /// The version, or nothing for the page as it is now.
    taken_at: Option<String>,
    url: Url,
    /// What it says otherwise than the one before it; nothing for the oldest.
    changes: Option<Changes>,
}

/// A passage that the page has no more.
#[derive(Debug, Serialize)]
struct Gone {
    claim_id: String,
    claim: String,
    relation: String,
    task_id: String,
    quote: String,
    /// The newest version that has it.
    last_seen: Option<String>,
    /// `not_on_page`, or `page_gone`.
    why: &'static str,
}

#[derive(Debug, Serialize)]
struct Answer {
    url: Url,
    now: Now,
    /// Oldest first, the page as it is now last.
    versions: Vec<Step>,
    quotes: usize,
    gone: Vec<Gone>,
    problem: Option<String>,
}

impl Arguments {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        if !matches!(self.url.scheme(), "http" | "https") {
            return Err(Failure::bad_input(format!("`{}` is not on the web", self.url))
                .hint(|w| &w.hint.address_form));
        }
        let network = session.network()?;
        let (now, old, problem) =
            network.run(async |fetcher| self.bring(session, fetcher).await)?;
        if now.document.is_none() && old.is_empty() {
            let detail = now.detail.clone().unwrap_or_default();
            let also = problem.map(|it| format!("; {it}")).unwrap_or_default();
            let message =
                format!("neither the page nor a version of it can be read: {detail}{also}");
            return Err(Failure {
                hint: now.problem.and_then(hint_for_missed),
                ..Failure::new(Kind::Network, message)
            });
        }
        let quoted = network.graph().read(|r| r.quoted_from(self.url.as_str()))?;
        let gone = gone(&quoted, &now, &old);
        note(&network, &quoted, &gone)?;
        let answer = Answer {
            versions: steps(&self.url, &now, &old),
            url: self.url.clone(),
            quotes: quoted.len(),
            gone,
            now,
            problem,
        };
        answer.show(session)
    }

    /// The page, and its versions oldest first.
    async fn bring(
        &self,
        session: &Session,
        fetcher: &Fetcher,
    ) -> (Now, Vec<OldPage>, Option<String>) {
        let settings = &session.settings;
        let browser = session.browser();
        let reading = Reading { options: &settings.read, browser: Some(&browser) };
        let now = match read_page(fetcher, FetchRequest::page(self.url.clone()), reading).await {
            Err(missed) => {
                Now { problem: Some(missed.reason), detail: Some(missed.detail), document: None }
            }
            Ok(page) => match page.problem {
                Some(reason) => {
                    Now { problem: Some(reason), detail: Some(page.detail()), document: None }
                }
                None => Now { problem: None, detail: None, document: Some(page.document) },
            },
        };
        let own = &settings.versions;
        let most = self.most.unwrap_or(own.versions_compared);
        let asked_by = AskedBy::default();
        let listed = match versions(fetcher, &self.url, most, own, asked_by).await {
            Ok(listed) => listed,
            Err(failure) => return (now, Vec::new(), Some(format!("web.archive.org: {failure}"))),
        };
        let (mut old, mut problem) = (Vec::new(), None);
        for version in listed.into_iter().rev() {
            let taken_at = version.taken_at;
            match read_version(fetcher, version, own, &settings.read, asked_by).await {
                Ok(page) if page.is_none() => {}
                Ok(page) => old.push(page),
                Err(failure) => problem = Some(format!("the version of {taken_at}: {failure}")),
            }
        }
        (now, old, problem)
    }
}

fn steps(url: &Url, now: &Now, old: &[OldPage]) -> Vec<Step> {
    let mut before: Option<&Document> = None;
    let mut steps = Vec::new();
    for page in old {
        let changes = before.map(|it| Changes::between(it, &page.document));
        let version = &page.version;
        let taken_at = Some(version.taken_at.to_string());
        steps.push(Step { taken_at, url: version.address.clone(), changes });
        before = Some(&page.document);
    }
    if let Some(document) = &now.document {
        let changes = before.map(|it| Changes::between(it, document));
        steps.push(Step { taken_at: None, url: url.clone(), changes });
    }
    steps
}

/// Passages that the page has no more. Of a page that could not be read, but may be there, nothing is said.
fn gone(quoted: &[QuotedPassage], now: &Now, old: &[OldPage]) -> Vec<Gone> {
    let why = match (&now.document, now.problem) {
        (Some(_), _) => "not_on_page",
        (None, Some(Reason::NotFound)) => "page_gone",
        (None, _) => return Vec::new(),
    };
    let is_gone = |it: &&QuotedPassage| {
        now.document.as_ref().is_none_or(|document| !still_says(document, &it.quote))
    };
    let row = |it: &QuotedPassage| {
        let last = old.iter().rev().find(|page| still_says(&page.document, &it.quote));
        Gone {
            claim_id: it.claim_id.to_string(),
            claim: it.claim.clone(),
            relation: it.relation.as_str().to_owned(),
            task_id: it.task_id.to_string(),
            quote: it.quote.clone(),
            last_seen: last.map(|page| page.version.taken_at.to_string()),
            why,
        }
    };
    quoted.iter().filter(is_gone).map(row).collect()
}

/// Notes in the life of each claim that its page says it no more.
fn note(network: &Network, quoted: &[QuotedPassage], gone: &[Gone]) -> Result<(), Failure> {
    if gone.is_empty() {
        return Ok(());
    }
    let lost: HashSet<(&str, &str)> =
        gone.iter().map(|it| (it.claim_id.as_str(), it.quote.as_str())).collect();
    for passage in quoted {
        let claim = passage.claim_id.to_string();
        if !lost.contains(&(claim.as_str(), passage.quote.as_str())) {
            continue;
        }
        let cause =
            Cause::new("page_compared").in_task(passage.task_id).about("page", passage.page_id);
        network.graph().write(cause, |w| {
            let (why, page) = (Some(gone[0].why), Some(passage.page_id));
            w.note_claim_event(passage.claim_id, "disappeared", why, page, None)
        })?;
    }
    Ok(())
}

impl Answer {
    fn show(&self, session: &Session) -> Result<(), Failure> {
        let (ui, words) = (&session.ui, session.ui.words());
        if ui.is_json() {
            return ui.document(self);
        }
        let (column, own) = (&words.column, &words.versions);
        let mut table = Table::new([
            Column::exact(&column.date),
            Column::text(&column.what),
            Column::text(&column.address),
        ]);
        for step in &self.versions {
            let day =
                step.taken_at.as_deref().map_or(own.now.as_str(), |it| it.get(..10).unwrap_or(it));
            let changes = step.changes.as_ref();
            let what = match changes {
                None => String::from(&own.first),
                Some(it) if it.is_empty() => String::from(&own.unchanged),
                Some(it) => say!(
                    own.changed,
                    gone = it.sentences_gone.len(),
                    new = it.sentences_new.len(),
                    headings = it.headings_gone.len() + it.headings_new.len()
                ),
            };
            table.row([day, &*what, step.url.as_str()]);
        }
        ui.print(&table.render(ui.layout(3)))?;
        for step in &self.versions {
            let Some(changes) = step.changes.as_ref().filter(|it| !it.is_empty()) else { continue };
            let day =
                step.taken_at.as_deref().map_or(own.now.as_str(), |it| it.get(..10).unwrap_or(it));
            ui.print(&format!("\n{day}\n"))?;
            for (sign, lines) in [
                (
                    "- ",
                    changes.headings_gone.iter().chain(&changes.sentences_gone).collect::<Vec<_>>(),
                ),
                ("+ ", changes.headings_new.iter().chain(&changes.sentences_new).collect()),
            ] {
                for line in lines.iter().take(SHOWN) {
                    ui.print(&format!("  {sign}{}\n", clean(line)))?;
                }
                if lines.len() > SHOWN {
                    ui.print(&format!("  {sign}{}\n", say!(own.more, n = lines.len() - SHOWN)))?;
                }
            }
        }
        for gone in &self.gone {
            let quote = clean(&gone.quote);
            let line = match (gone.why, &gone.last_seen) {
                (_, Some(seen)) => {
                    say!(own.gone_since, quote = quote, day = seen.get(..10).unwrap_or(seen))
                }
                ("page_gone", None) => say!(own.gone_with_page, quote = quote),
                (_, None) => say!(own.gone, quote = quote),
            };
            ui.print(&format!("\n{line}\n"))?;
        }
        if let (Some(detail), None) = (&self.now.detail, &self.now.document) {
            ui.warn(&format!("{}: {detail}", self.url));
        }
        if let Some(problem) = &self.problem {
            ui.warn(problem);
        }
        if self.quotes > 0 {
            ui.note(&say!(own.summary, n = self.quotes, gone = self.gone.len()));
        }
        if self.versions.len() < 2 && self.problem.is_none() {
            ui.note(own.none.as_str());
        }
        Ok(())
    }
}
