//! `search`: one query through the whole pipeline, with progress while it runs.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use evidence::{ClaimId, Relation, SearchId, SearchStatus, TaskId};
use research::calls::{Progress, SearchAnswer, SearchCall, SearchOptions, SourceState};
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use serde_json::{Value, json};
use sources::Access;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::get_status::meta_of;
use crate::mcp::call::Call;
use crate::mcp::elicitation::{Notice, notify};
use crate::mcp::response::{Answer, Meta, title};
use crate::mcp::schema::clipped;
use crate::mcp::server_state::Lease;
use crate::mcp::tool_error::{Code, ToolError};

/// A client that waits is told at least this often that work goes on.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// Claims that are told what they rest on: no answer holds more.
const VERIFIED_CLAIMS: usize = 200;
/// Claims that the digest names.
const SHOWN_CLAIMS: usize = 5;

pub(super) async fn run(call: &Call) -> Result<Answer, ToolError> {
    let task: TaskId = call.id("task_id")?;
    let mut options: SearchOptions = Call::as_engine(match &call.arguments["options"] {
        Value::Null => json!({}),
        given => given.clone(),
    })?;
    if let Some(bad) = options.only.bad_date() {
        return Err(ToolError::invalid(format!("`{bad}` in `options.only` is no date"))
            .hint("write 2024, 2024-05 or 2024-05-31"));
    }
    let settings = call.state.settings();
    let wait = options.wait_seconds.unwrap_or(settings.wait_seconds).min(settings.max_wait_seconds);
    options.wait_seconds = Some(wait);
    let query = call.required_text("query")?.to_owned();
    let engine = call.engine().await?;
    call.state.wake(call.engine().await?, task).await?;
    let before = engine.budget_left(task).await?;
    let known = meta_of(call, task).await?;
    let mut teller = Teller {
        call,
        task,
        searches: engine.running().into_iter().filter(|it| it.0 == task).map(|it| it.1).collect(),
        happened: engine.progress(),
        shown: Shown::default(),
    };
    let asked = SearchCall { task_id: task, query: query.clone(), options };
    let found = tokio::select! {
        found = engine.search(asked) => found?,
        never = teller.watch() => match never {},
        () = cancelled(call) => return cancel(&engine, task).await,
    };
    teller.finish().await;
    call.state.touch(task);
    let meta = meta_of(call, task).await?;
    tell_user(call, &known, &meta);
    let had_no_budget = before.pages == 0 || before.seconds == 0;
    if let Some(tool_error) = came_to_nothing(&found, had_no_budget, meta.engines_rest) {
        return Err(tool_error);
    }
    let offset = call.offset();
    let total = found.claims_found.len();
    let text = digest(&found);
    let mut body = json!(found);
    body["claims_total"] = total.into();
    for number in ["harvest_rate", "satisfaction_score", "novelty_score"] {
        body[number] = rounded(&body[number]);
    }
    if let Some(claims) = body["claims_found"].as_array_mut() {
        claims.drain(..offset.min(total));
        for claim in claims {
            for number in ["confidence", "uncertainty", "controversy"] {
                claim[number] = rounded(&claim[number]);
            }
        }
    }
    verification(call, &mut body["claims_found"]).await?;
    let answer =
        Answer::new(body, text).shortening(&["sources", "missed", "claims_found"]).quoting();
    Ok(Answer { meta, ..answer.paged("claims_found", offset, total) })
}

/// Says of each claim what its verification rests on (L5).
async fn verification(call: &Call, claims: &mut Value) -> Result<(), ToolError> {
    let Some(claims) = claims.as_array_mut() else { return Ok(()) };
    let ids: Vec<ClaimId> = claims
        .iter()
        .filter_map(|it| it["id"].as_str()?.parse().ok())
        .take(VERIFIED_CLAIMS)
        .collect();
    let details: Vec<Value> = call
        .state
        .read(move |graph| {
            Ok(graph.read(|r| {
                ids.into_iter()
                    .map(|id| {
                        let pages = r.source_pages_of(id)?;
                        // One page for each independent source that is heard.
                        let of =
                            |relation| pages.iter().filter(|it| it.relation == relation).count();
                        let origin = r.claim(id)?.origin_fragment_id;
                        let origin = origin
                            .map(|it| r.page_for_assessment(r.fragment(it)?.page_id))
                            .transpose()?;
                        Ok(json!({
                            "source_domain_category": origin.map(|it| it.domain_category),
                            "independent_sources": of(Relation::Supports),
                            "supporting_pages": of(Relation::Supports),
                            "refuting_pages": of(Relation::Refutes),
                        }))
                    })
                    .collect::<graph::Result<_>>()
            })?)
        })
        .await?;
    for (claim, detail) in claims.iter_mut().zip(details) {
        if let (Some(claim), Value::Object(detail)) = (claim.as_object_mut(), detail) {
            claim.extend(detail);
        }
    }
    Ok(())
}

/// Three digits: the rest is noise that costs tokens.
pub(super) fn rounded(value: &Value) -> Value {
    value.as_f64().map_or(Value::Null, |it| json!((it * 1000.0).round() / 1000.0))
}

async fn cancelled(call: &Call) {
    match &call.client {
        Some(client) => client.ct.cancelled().await,
        None => std::future::pending().await,
    }
}

/// The client does not want it any more: begun steps end, the rest waits for the same search to be asked again.
async fn cancel(engine: &Lease, task: TaskId) -> Result<Answer, ToolError> {
    engine.pause_task(task, "call_cancelled").await?;
    Err(ToolError::new(
        Code::Timeout,
        "the call was cancelled and the task is paused; nothing is lost",
    )
    .hint("the same search asked again goes on"))
}

/// A search that could do nothing, for a reason an assistant can act on.
fn came_to_nothing(
    found: &SearchAnswer,
    had_no_budget: bool,
    engines_rest: bool,
) -> Option<ToolError> {
    let nothing = found.pages_fetched == 0 && found.useful_fragments == 0 && !found.running;
    if !nothing || !found.claims_found.is_empty() {
        return None;
    }
    let needs_people =
        !found.missed.is_empty() && found.missed.iter().all(|it| it.reason.needs_person());
    if had_no_budget {
        return Some(
            ToolError::new(Code::BudgetExhausted, "the budget of the task is used up")
                .hint("stop_task ends it; a new task has a budget of its own (config.budget)"),
        );
    }
    if needs_people {
        return Some(
            ToolError::new(Code::AuthRequired, "every page that was found asks for a person")
                .hint("get_auth_queue lists them"),
        );
    }
    engines_rest.then(|| {
        ToolError::new(Code::AllEnginesBlocked, "every engine rests after failures")
            .hint("wait, search with options.sources [\"academic\"], or name pages in options.urls")
    })
}

/// Tells the user what happened without anybody asking for it: domains that were blocked, engines that all rest.
fn tell_user(call: &Call, before: &Meta, now: &Meta) {
    let mut notices = Vec::new();
    for domain in now.blocked_domains.iter().filter(|it| !before.blocked_domains.contains(it)) {
        notices.push(Notice {
            urgent: false,
            title: "Lyra blocked a domain".to_owned(),
            reason: "it is not read any more; `lyra domain check` says why".to_owned(),
            url: Some(format!("https://{}/", domain.trim_start_matches("*."))),
            timeout_seconds: None,
        });
    }
    if now.engines_rest && !before.engines_rest {
        notices.push(Notice {
            urgent: true,
            title: "Lyra cannot search the web".to_owned(),
            reason: "every engine rests after failures; `lyra engines list` says until when"
                .to_owned(),
            url: None,
            timeout_seconds: None,
        });
    }
    if notices.is_empty() {
        return;
    }
    let state = Arc::clone(&call.state);
    tokio::spawn(async move {
        for notice in notices {
            notify(state.session(), notice).await;
        }
    });
}

enum Never {}

/// Tells the client how the search goes, if it asked for that.
struct Teller<'a> {
    call: &'a Call,
    task: TaskId,
    searches: BTreeSet<SearchId>,
    happened: Receiver<Progress>,
    shown: Shown,
}

impl Teller<'_> {
    /// Never ends by itself.
    async fn watch(&mut self) -> Never {
        loop {
            let line = tokio::select! {
                event = self.happened.recv() => match event {
                    Ok(event) => self.line(&event),
                    Err(RecvError::Lagged(_)) => None,
                    Err(RecvError::Closed) => std::future::pending().await,
                },
                () = tokio::time::sleep(HEARTBEAT) => Some("still at work".to_owned()),
            };
            self.tell(line).await;
        }
    }

    /// Tells what happened last: a search may end before anybody looked.
    async fn finish(&mut self) {
        while let Ok(event) = self.happened.try_recv() {
            let line = self.line(&event);
            self.tell(line).await;
        }
    }

    fn line(&mut self, event: &Progress) -> Option<String> {
        if !is_ours(event, self.task, &mut self.searches) {
            return None;
        }
        self.call.state.touch(self.task);
        self.shown.line(event)
    }

    async fn tell(&mut self, line: Option<String>) {
        let token = self.call.client.as_ref().and_then(|it| it.meta.get_progress_token());
        if let (Some(client), Some(token), Some(line)) = (&self.call.client, token, line) {
            // A client that does not listen any more will cancel or leave.
            drop(client.peer.notify_progress(self.shown.param(token, line)).await);
        }
    }
}

fn is_ours(event: &Progress, task: TaskId, searches: &mut BTreeSet<SearchId>) -> bool {
    if let Progress::SearchStarted { task_id, search_id, .. } = event
        && *task_id == task
    {
        searches.insert(*search_id);
    }
    searches.contains(&event.search_id())
}

/// What the client was told: a number that only grows, and how far it may go.
#[derive(Debug, Default)]
struct Shown {
    steps: u32,
    done: usize,
    of: usize,
}

impl Shown {
    fn line(&mut self, event: &Progress) -> Option<String> {
        Some(match event {
            Progress::SearchStarted { .. } => "asking the sources".to_owned(),
            Progress::Planned { candidates, pages, papers, .. } => {
                self.of += pages;
                format!("{candidates} candidates: {pages} pages to read, {papers} papers")
            }
            Progress::PageRead { url, title, passages, .. } => {
                self.done += 1;
                let name = title.as_deref().filter(|it| !it.is_empty()).unwrap_or(url);
                format!("read {}: {passages} passages", clipped(name, 80))
            }
            Progress::PageMissed { url, reason, .. } => {
                self.done += 1;
                format!("missed {}: {reason}", clipped(url, 80))
            }
            Progress::Judged { claims, supports, refutes, .. } => {
                format!("judged: {claims} claims, {supports} supports, {refutes} refutes")
            }
            Progress::Cited { works, kept, .. } => format!("{kept} of {works} cited works kept"),
            Progress::SearchEnded { status, .. } => format!("ended: {status}"),
            Progress::AtWork { .. } | Progress::Reading { .. } | Progress::Warning { .. } => {
                return None;
            }
        })
    }

    fn param(&mut self, token: ProgressToken, line: String) -> ProgressNotificationParam {
        self.steps += 1;
        let mut param = ProgressNotificationParam::new(token, f64::from(self.steps));
        // Each page is told once, and so are a few stages around them.
        param.total = (self.of > 0).then(|| (self.of + 6).max(self.steps as usize) as f64);
        param.message = Some(format!("{} ({} of {} pages)", title(&line, 300), self.done, self.of));
        param
    }
}

/// Sources that did not let us in, on a line of their own: what they have is not known.
pub(super) fn closed_doors(sources: &[SourceState]) -> String {
    let closed = sources.iter().filter(|it| it.access == Access::NotLetIn);
    let closed: Vec<String> = closed
        .map(|it| match &it.detail {
            Some(detail) => format!("{} ({})", it.source, clipped(detail, 80)),
            None => it.source.clone(),
        })
        .collect();
    match closed.is_empty() {
        true => String::new(),
        false => format!("\nnot let in by: {}", closed.join(", ")),
    }
}

fn digest(found: &SearchAnswer) -> String {
    let mut text = format!("search_id: {}\nstatus: {}", found.search_id, found.status);
    if found.status == SearchStatus::Running {
        text += " (goes on; get_status waits for it)";
    }
    text += &format!(
        "\npages {}, useful passages {}, claims {}, missed {}, budget left {} %",
        found.pages_fetched,
        found.useful_fragments,
        found.claims_found.len(),
        found.missed.len(),
        found.budget_remaining.percent
    );
    if let Some(number) = found.refutations_found {
        text += &format!("\nrefuting edges in the task: {number}");
    }
    text += &closed_doors(&found.sources);
    for claim in found.claims_found.iter().take(SHOWN_CLAIMS) {
        let words = clipped(&claim.text, 140);
        text +=
            &format!("\n{} {:.2} ±{:.2} {words}", claim.id, claim.confidence, claim.uncertainty);
    }
    text
}
