//! An investigation as a person watches it, or a program reads it: one line for each thing that happens.

use evidence::TaskId;
use planner::{EndReason, Event, Outcome};
use research::calls::Progress;
use serde::Serialize;
use serde_json::{Value, json};

use crate::ui::{Ui, clean};

/// Longer titles are cut.
const TITLE_CHARS: usize = 70;

#[derive(Debug)]
pub(crate) struct Shown {
    ui: Ui,
    task: Option<TaskId>,
    pages: usize,
    claims: usize,
}

impl Shown {
    pub(crate) fn new(ui: &Ui) -> Self {
        Self { ui: ui.clone(), task: None, pages: 0, claims: 0 }
    }

    /// The task, once it has an id.
    pub(crate) fn task(&self) -> Option<TaskId> {
        self.task
    }

    /// What the planner decided.
    pub(crate) fn planned(&mut self, event: &Event) {
        self.stream(event);
        match event {
            Event::TaskStarted { task_id, question } => {
                self.task = Some(*task_id);
                self.ui.note(&format!("{}\ntask {task_id}", clean(question)));
            }
            Event::TaskResumed { task_id, question, unfinished } => {
                self.task = Some(*task_id);
                let left = match unfinished {
                    0 => "all searches are finished".to_owned(),
                    _ => format!("continuing {}", counted(*unfinished, "search", "searches")),
                };
                self.ui.note(&format!("{}\ntask {task_id}: {left}", clean(question)));
            }
            Event::Round { round, query, refute, why } => {
                let against = if *refute { "against: " } else { "" };
                self.ui.note(&format!("\nsearch {round}  {against}{}  ({why})", clean(query)));
            }
            Event::SearchDone { answer, .. } => {
                let left = answer.budget_remaining;
                self.ui.note(&format!(
                    "  {}: {} useful passages on {} pages; {} pages and {} remaining",
                    answer.status,
                    answer.useful_fragments,
                    answer.pages_fetched,
                    left.pages,
                    minutes(left.seconds)
                ));
            }
            Event::ModelSilent { message } => self.ui.warn(&format!("language model: {message}")),
            Event::Drafting { passages } => {
                let passages = counted(*passages, "passage", "passages");
                self.ui.note(&format!("\nthe language model is writing from {passages}"));
            }
            Event::Drafted { sentences, failed, unchecked } => self.ui.note(&format!(
                "  {}; {failed} not supported by their citations, {unchecked} not checked",
                counted(*sentences, "sentence", "sentences")
            )),
            Event::Stopped { .. } => {}
        }
    }

    /// What the engine did.
    pub(crate) fn happened(&mut self, event: &Progress) {
        self.stream(event);
        match event {
            Progress::Planned { candidates, pages, papers, .. } => self.ui.note(&format!(
                "  {candidates} candidates; {pages} pages to read, {papers} known or from an index"
            )),
            Progress::PageRead { url, title, passages, .. } => {
                self.pages += 1;
                let title: String =
                    title.as_deref().unwrap_or(url).chars().take(TITLE_CHARS).collect();
                self.ui.note(&format!(
                    "  read {:>3}  {} ({passages} passages)",
                    self.pages,
                    clean(&title)
                ));
            }
            Progress::PageMissed { url, detail, .. } => {
                self.ui.note(&format!("  missed    {}: {}", clean(url), clean(detail)));
            }
            Progress::Judged { useful, claims, supports, refutes, abstained, novelty, .. } => {
                self.claims += claims;
                let silent = match abstained {
                    0 => String::new(),
                    some => format!(", {some} pairs in a language no model reads"),
                };
                self.ui.note(&format!(
                    "  judged    {useful} useful passages, {claims} new claims ({} so far), {supports} support, \
                     {refutes} refute{silent}; novelty {novelty:.2}",
                    self.claims
                ));
            }
            Progress::Cited { works, kept, .. } => {
                self.ui.note(&format!(
                    "  citations {works} works around the papers found, {kept} kept"
                ));
            }
            Progress::Warning { message, .. } => self.ui.warn(message),
            Progress::SearchStarted { .. }
            | Progress::Reading { .. }
            | Progress::SearchEnded { .. } => {}
        }
    }

    pub(crate) fn ended(&mut self, outcome: &Outcome) {
        self.stream(&json!({ "event": "ended", "outcome": outcome }));
        let counts = outcome.status.metrics.counts;
        self.ui.note(&format!(
            "\n{}: {} searches, {} pages, {} claims, {} judgements in {:.0} s\n",
            reason(outcome.reason),
            counts.searches,
            counts.pages,
            counts.claims,
            counts.edges,
            outcome.status.metrics.elapsed_seconds
        ));
    }

    /// With `--json` every event is one line of JSON.
    fn stream(&self, event: &impl Serialize) {
        if self.ui.is_json() {
            let line = serde_json::to_value(event).unwrap_or(Value::Null);
            // A reader that has gone is noticed where the command ends.
            drop(self.ui.line(&line));
        }
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn minutes(seconds: u32) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        _ => format!("{} min", seconds / 60),
    }
}

const fn reason(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Completed => "done",
        EndReason::PageBudget => "the page budget is used up",
        EndReason::TimeBudget => "the time budget is used up",
        EndReason::AllResting => "paused: all remaining sites are resting after errors",
        EndReason::Stopped => "stopped",
    }
}
