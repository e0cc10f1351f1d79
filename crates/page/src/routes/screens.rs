//! What is shown: nothing here changes anything.

use std::sync::Arc;
use std::time::Duration;

use evidence::{AuthStatus, PageId, Publisher, TaskId, TaskStatus};
use graph::{AuthFilter, EgressFilter, FindSettings};
use report::{Report, ReportSettings};
use research::calls::TaskConfig;
use tokio::sync::mpsc;

use super::{Visit, ask, id, missing, shown};
use crate::door::{Answered, DOCUMENT_POLICY, STRANGER_POLICY, file, see_other, stream};
use crate::house::{Export, NewQuestion, Trouble};
use crate::view::graph::{MOST, Only, USUAL};
use crate::view::task::{Tab, Work, within};
use crate::view::{
    answer, documents, graph as drawn, house, live, people, questions, source, task,
};

/// The newest claims that the live screen shows.
const LIVE_CLAIMS: u32 = 12;
/// How often tabs are told what changed.
const TICK: Duration = Duration::from_millis(700);
/// Requests on the ledger's screen.
const MAX_WAITING: usize = 200;

pub(super) async fn show(visit: &Visit, parts: &[&str]) -> Result<Answered, Trouble> {
    match parts {
        [""] if visit.asked.query.given("q").is_some() => found(visit).await,
        [""] => list(visit).await,
        ["new"] => {
            let frame = visit.whole_frame().await?;
            let typed = NewQuestion::default();
            Ok(shown(&questions::new(&frame, &folders(visit), &visit.house.limits(), &typed, None)))
        }
        ["task", task] => the_answer(visit, id(task)?).await,
        ["task", task, "live"] => watch(visit, id(task)?).await,
        ["task", task, "events"] => events(visit, id(task)?).await,
        ["task", task, "graph"] => the_graph(visit, id(task)?).await,
        ["task", task, "documents"] => the_documents(visit, id(task)?).await,
        ["task", task, "report"] => the_report(visit, id(task)?).await,
        ["task", task, "delete"] => delete(visit, id(task)?).await,
        ["task", task, "export", form] => export(visit, id(task)?, form).await,
        ["task", task, "read"] => read(visit, id(task)?).await,
        ["source", page] => the_source(visit, id(page)?).await,
        ["source", page, "original"] => original(visit, id(page)?, true).await,
        ["source", page, "bytes"] => original(visit, id(page)?, false).await,
        ["people"] => the_people(visit).await,
        ["house", rest @ ..] => the_house(visit, rest).await,
        _ => Err(missing()),
    }
}

pub(super) fn folders(visit: &Visit) -> Vec<String> {
    visit.house.folders().iter().map(|it| it.to_string_lossy().into_owned()).collect()
}

async fn list(visit: &Visit) -> Result<Answered, Trouble> {
    let page: usize = visit.asked.query.text("page").parse().unwrap_or(0);
    let frame = visit.whole_frame().await?;
    let running = visit.house.board().running();
    let (listed, total) = visit
        .ask(move |r| {
            let tasks = r.tasks()?;
            let total = tasks.len();
            let wanted = tasks.into_iter().skip(page.saturating_mul(questions::PER_PAGE));
            let mut listed = Vec::new();
            for task in wanted.take(questions::PER_PAGE) {
                listed.push(questions::Listed {
                    counts: r.task_counts(task.id)?,
                    verdict: report::verdict(r, task.id)?,
                    running: running.contains(&task.id),
                    task,
                });
            }
            Ok((listed, total))
        })
        .await?;
    Ok(shown(&questions::list(&frame, &listed, total, page)))
}

async fn found(visit: &Visit) -> Result<Answered, Trouble> {
    let words = visit.asked.query.text("q").to_owned();
    let options = FindSettings { limit: 40, ..visit.house.find() };
    let asked = words.clone();
    let answer = visit.ask(move |r| r.find(&asked, &options)).await?;
    Ok(shown(&questions::found(&visit.whole_frame().await?, &words, &answer)))
}

impl Visit {
    /// What the graph says of a task, in the language of the reader.
    pub(super) async fn gathered(
        &self,
        task: TaskId,
        findings: usize,
    ) -> Result<Arc<Report>, Trouble> {
        let options = ReportSettings {
            language: Some(self.asked.language),
            max_findings: self.house.report().max_findings.max(findings),
            ..self.house.report()
        };
        let key = (task, self.asked.language, options.max_findings);
        let reports = Arc::clone(&self.reports);
        self.ask(move |r| {
            let now = r.newest_event()?;
            if let Some(kept) = reports.find(key, now) {
                return Ok(kept);
            }
            let report = Arc::new(report::gather(r, task, &options)?);
            reports.keep(key, now, &report);
            Ok(report)
        })
        .await
    }

    /// Where a task is at work.
    fn work(&self, task: &evidence::Task) -> Work {
        if self.house.board().is_running(task.id) {
            return Work::Here;
        }
        let elsewhere = task.status == TaskStatus::Exploring && self.house.writer_elsewhere();
        if elsewhere { Work::Elsewhere } else { Work::Nowhere }
    }
}

async fn the_answer(visit: &Visit, id: TaskId) -> Result<Answered, Trouble> {
    let frame = visit.whole_frame().await?;
    let known = visit.ask(move |r| r.task(id)).await?;
    let report = visit.gathered(id, 0).await?;
    let work = visit.work(&known);
    if work == Work::Here && report.findings.is_empty() {
        return Ok(see_other(&format!("/task/{id}/live")));
    }
    let corrected: Vec<_> =
        report.judged().filter(|it| it.neutral_count > 0).map(|it| it.claim_id).collect();
    let neither = visit
        .ask(move |r| {
            let mut neither = answer::Neither::new();
            for claim in corrected {
                neither.push((claim, answer::set_by_person(r.evidence_of(claim)?.evidence)));
            }
            Ok(neither)
        })
        .await?;
    let body = answer::answer(&frame, &report, &neither, work == Work::Here);
    Ok(shown(&within(&frame, &known, work, Tab::Answer, &body)))
}

async fn seen(visit: &Visit, id: TaskId) -> Result<live::Seen, Trouble> {
    seen_by(&visit.house, id).await
}

async fn seen_by(house: &Arc<dyn crate::house::House>, id: TaskId) -> Result<live::Seen, Trouble> {
    ask(house, move |r| {
        Ok(live::Seen {
            task: r.task(id)?,
            counts: r.task_counts(id)?,
            claims: r.newest_claims_of(id, LIVE_CLAIMS)?,
            sent: r.egress_totals(&EgressFilter { task: Some(id), ..EgressFilter::default() })?,
            offline: TaskConfig::of_stored(r.task_config(id)?).offline,
        })
    })
    .await
}

async fn watch(visit: &Visit, id: TaskId) -> Result<Answered, Trouble> {
    let frame = visit.whole_frame().await?;
    let mut seen = seen(visit, id).await?;
    seen.offline |= visit.house.offline();
    let work = visit.work(&seen.task);
    let doing = visit.house.board().doing(id);
    let body = live::live(&frame, &seen, doing.as_ref(), work);
    Ok(shown(&within(&frame, &seen.task, work, Tab::Live, &body)))
}

/// The part of the live screen that changes, whenever it does, until the task is over.
async fn events(visit: &Visit, id: TaskId) -> Result<Answered, Trouble> {
    let mut frame = visit.frame(0);
    frame.here = format!("/task/{id}/live");
    seen(visit, id).await?;
    let (sender, receiver) = mpsc::channel(4);
    let house = Arc::clone(&visit.house);
    tokio::spawn(async move {
        let mut changes = house.board().changes();
        let mut last = String::new();
        loop {
            let doing = house.board().doing(id);
            let running = house.board().is_running(id);
            let Ok(mut seen) = seen_by(&house, id).await else { return };
            seen.offline |= house.offline();
            let work = if running { Work::Here } else { Work::Nowhere };
            let part = live::part(&frame, &seen, doing.as_ref(), work).0;
            if part != last {
                // One line: what is between line breaks would be lines of the stream.
                let line = part.replace(['\n', '\r'], " ");
                if sender.send(format!("data: {line}\n\n")).await.is_err() {
                    return;
                }
                last = part;
            }
            if !running {
                // The browser may already be gone.
                drop(sender.send("event: over\ndata: over\n\n".to_owned()).await);
                return;
            }
            tokio::time::sleep(TICK).await;
            // Times go on also where nothing happens.
            drop(tokio::time::timeout(TICK, changes.changed()).await);
            frame.now = house.now();
            if sender.is_closed() {
                return;
            }
        }
    });
    Ok(stream(receiver))
}

async fn the_graph(visit: &Visit, id: TaskId) -> Result<Answered, Trouble> {
    let frame = visit.whole_frame().await?;
    let known = visit.ask(move |r| r.task(id)).await?;
    let query = &visit.asked.query;
    let only = Only::ALL.into_iter().find(|it| it.name() == query.text("only"));
    let most = query.text("most").parse().unwrap_or(USUAL).clamp(1, MOST);
    let report = visit.gathered(id, MOST).await?;
    let work = visit.work(&known);
    let body = drawn::graph(&frame, &report, only.unwrap_or(Only::All), most);
    Ok(shown(&within(&frame, &known, work, Tab::Graph, &body)))
}

async fn the_documents(visit: &Visit, id: TaskId) -> Result<Answered, Trouble> {
    let frame = visit.whole_frame().await?;
    let known = visit.ask(move |r| r.task(id)).await?;
    let report = visit.gathered(id, 0).await?;
    let work = visit.work(&known);
    let body = documents::documents(&frame, &report);
    Ok(shown(&within(&frame, &known, work, Tab::Documents, &body)))
}

async fn the_report(visit: &Visit, id: TaskId) -> Result<Answered, Trouble> {
    let frame = visit.whole_frame().await?;
    let known = visit.ask(move |r| r.task(id)).await?;
    let work = visit.work(&known);
    let body = task::report(&frame, &known);
    Ok(shown(&within(&frame, &known, work, Tab::Report, &body)))
}

async fn delete(visit: &Visit, id: TaskId) -> Result<Answered, Trouble> {
    let frame = visit.whole_frame().await?;
    let (known, going) = visit.ask(move |r| Ok((r.task(id)?, r.deletion_of(id)?))).await?;
    Ok(shown(&questions::delete(&frame, &known, &going)))
}

async fn export(visit: &Visit, id: TaskId, form: &str) -> Result<Answered, Trouble> {
    let form = Export::of(form).ok_or_else(missing)?;
    visit.ask(move |r| r.task(id)).await?;
    let bytes = visit.house.export(id, form).await?;
    let name = format!("{id}.{}", form.ending());
    Ok(file(form.content_type(), bytes, None, Some(&name)))
}

/// The report to read and print: a document of its own, with a policy of its own.
async fn read(visit: &Visit, id: TaskId) -> Result<Answered, Trouble> {
    visit.ask(move |r| r.task(id)).await?;
    let bytes = visit.house.export(id, Export::Html).await?;
    Ok(file(Export::Html.content_type(), bytes, Some(DOCUMENT_POLICY), None))
}

async fn the_source(visit: &Visit, id: PageId) -> Result<Answered, Trouble> {
    let frame = visit.whole_frame().await?;
    let (page, passages, judgements) = visit
        .ask(move |r| Ok((r.page_for_assessment(id)?, r.passages_of(id)?, r.judged_on(id)?)))
        .await?;
    let decision = match Publisher::is_host(&page.domain) {
        true => visit.house.decision(page.domain.clone()).await?,
        false => None,
    };
    let category = decision.as_ref().map_or(page.domain_category, |it| it.category);
    let why = decision.as_ref().and_then(|it| it.blocked.as_ref()).map(|it| it.reason.to_string());
    let has_original = visit.house.original(id).await.is_ok();
    let task = visit.asked.query.text("task").parse::<TaskId>().ok().map(|it| it.to_string());
    let category = visit.house.word(category.as_str(), visit.asked.language);
    let is_own = page.url.starts_with("file:");
    let mut judgements = judgements;
    // Claims of the question the reader comes from go first.
    judgements.sort_by_key(|it| task.as_ref() != Some(&it.task_id.to_string()));
    let source = source::Source {
        page,
        passages,
        judgements,
        decision,
        task,
        category,
        why,
        has_original,
        is_own,
    };
    Ok(shown(&source::source(&frame, &source)))
}

async fn original(visit: &Visit, id: PageId, in_frame: bool) -> Result<Answered, Trouble> {
    let original = visit.house.original(id).await?;
    let kind = original.content_type.split(';').next().unwrap_or_default().trim().to_lowercase();
    if !in_frame {
        let ending = match &*kind {
            "text/html" | "application/xhtml+xml" => "html",
            "application/pdf" => "pdf",
            _ => "bin",
        };
        let name = format!("{id}.{ending}");
        return Ok(file("application/octet-stream", original.bytes, None, Some(&name)));
    }
    // What is no page is shown as its letters; a browser must not guess.
    let shown_as = match &*kind {
        "text/html" | "application/xhtml+xml" => original.content_type.clone(),
        _ => "text/plain; charset=utf-8".to_owned(),
    };
    let bytes = match &*kind {
        "application/pdf" => format!("PDF, {} bytes", original.bytes.len()).into_bytes(),
        _ => original.bytes,
    };
    Ok(file(&shown_as, bytes, Some(STRANGER_POLICY), None))
}

async fn the_people(visit: &Visit) -> Result<Answered, Trouble> {
    let frame = visit.whole_frame().await?;
    let filter = AuthFilter { task: None, status: Some(AuthStatus::Pending) };
    let waiting = visit.ask(move |r| r.auth_queue(&filter, MAX_WAITING)).await?;
    let language = visit.asked.language;
    let waiting: Vec<_> = waiting
        .into_iter()
        .map(|it| {
            let asks = visit.house.word(&it.auth_type, language);
            (it, asks)
        })
        .collect();
    Ok(shown(&people::people(&frame, &waiting, &visit.house.questions())))
}

async fn the_house(visit: &Visit, rest: &[&str]) -> Result<Answered, Trouble> {
    let frame = visit.whole_frame().await?;
    let language = visit.asked.language;
    let page = match rest {
        [] => house::models(&frame, &visit.house.models(language).await?),
        ["engines"] => house::engines(&frame, &visit.house.engines(language).await?),
        ["settings"] => house::settings(&frame, &visit.house.settings(language)),
        ["check"] => house::check_up(&frame, None),
        ["sent"] => {
            let task = visit.asked.query.text("task").parse::<TaskId>().ok();
            let filter = EgressFilter { task, ..EgressFilter::default() };
            let (rows, totals) = visit
                .ask(move |r| {
                    Ok((r.egress(&filter, house::LEDGER_ROWS)?, r.egress_totals(&filter)?))
                })
                .await?;
            house::sent(&frame, &rows, &totals, task.map(|it| it.to_string()).as_deref())
        }
        _ => return Err(missing()),
    };
    Ok(shown(&page))
}
