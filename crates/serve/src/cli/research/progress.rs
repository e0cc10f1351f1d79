//! An investigation as a person watches it, or a program reads it: one line for each thing that happens.

use evidence::{SearchStatus, TaskId};
use planner::{EndReason, Event, Outcome, QueryReason};
use report::Language;
use research::calls::Progress;
use serde::Serialize;
use serde_json::{Value, json};
use text::messages::Message;

use crate::ui::{Ui, clean};
use crate::words::{Words, say};

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
        if let Event::TaskStarted { task_id, question }
        | Event::TaskResumed { task_id, question, .. } = event
        {
            self.task = Some(*task_id);
            self.ui.speak(Language::of(question));
        }
        let words = self.ui.words();
        let progress = &words.progress;
        match event {
            Event::TaskStarted { task_id: task, question } => {
                self.ui.note(&say!(progress.started, question = clean(question), task = task));
            }
            Event::TaskResumed { task_id: task, question, unfinished, offline } => {
                let message = match unfinished {
                    0 => &progress.resumed_finished,
                    _ => &progress.resumed,
                };
                let question = clean(question);
                self.ui.note(&say!(message, question = question, task = task, n = unfinished));
                if *offline {
                    self.ui.note(progress.stays_offline.as_str());
                }
            }
            Event::Round { round, query, refute, why } => {
                let message = if *refute { &progress.search_against } else { &progress.search };
                let (query, why) = (clean(query), query_reason(words, *why).as_str());
                self.ui.note(&say!(message, round = round, query = query, why = why));
            }
            Event::SearchDone { answer, .. } => {
                let left = answer.budget_remaining;
                self.detail(&say!(
                    progress.search_done,
                    status = search_status(words, answer.status).as_str(),
                    useful = answer.useful_fragments,
                    pages = answer.pages_fetched,
                    left = left.pages,
                    time = duration(words, left.seconds),
                ));
            }
            Event::ModelSilent { message } => {
                self.ui.warn(&say!(progress.model_silent, message = message));
            }
            Event::Drafting { passages } => self.ui.note(&say!(progress.drafting, n = passages)),
            Event::Drafted { sentences, failed, unchecked } => self.detail(&say!(
                progress.drafted,
                n = sentences,
                failed = failed,
                unchecked = unchecked
            )),
            Event::Stopped { .. } => {}
        }
    }

    /// What the engine did.
    pub(crate) fn happened(&mut self, event: &Progress) {
        self.stream(event);
        let progress = &self.ui.words().progress;
        match event {
            Progress::Planned { candidates, pages, papers, .. } => self.detail(&say!(
                progress.planned,
                candidates = candidates,
                pages = pages,
                papers = papers
            )),
            Progress::PageRead { url, title, passages, .. } => {
                self.pages += 1;
                let title: String =
                    title.as_deref().unwrap_or(url).chars().take(TITLE_CHARS).collect();
                self.detail(&say!(
                    progress.read,
                    number = format!("{:>3}", self.pages),
                    title = clean(&title),
                    passages = passages,
                ));
            }
            Progress::PageMissed { url, detail, .. } => {
                self.detail(&say!(progress.missed, url = clean(url), detail = clean(detail)));
            }
            Progress::Judged { useful, claims, supports, refutes, abstained, novelty, .. } => {
                self.claims += claims;
                let abstained = match abstained {
                    0 => String::new(),
                    some => say!(progress.abstained, n = some),
                };
                self.detail(&say!(
                    progress.judged,
                    useful = useful,
                    claims = claims,
                    total = self.claims,
                    supports = supports,
                    refutes = refutes,
                    abstained = abstained,
                    novelty = format!("{novelty:.2}"),
                ));
            }
            Progress::Cited { works, kept, .. } => {
                self.detail(&say!(progress.cited, works = works, kept = kept));
            }
            Progress::Warning { message, .. } => self.ui.warn(message),
            Progress::SearchStarted { .. }
            | Progress::Reading { .. }
            | Progress::SearchEnded { .. } => {}
        }
    }

    pub(crate) fn ended(&mut self, outcome: &Outcome) {
        self.stream(&json!({ "event": "ended", "outcome": outcome }));
        let words = self.ui.words();
        let counts = outcome.status.metrics.counts;
        self.ui.note(&say!(
            words.progress.ended,
            reason = end_reason(words, outcome.reason).as_str(),
            searches = counts.searches,
            pages = counts.pages,
            claims = counts.claims,
            judgements = counts.edges,
            seconds = format!("{:.0}", outcome.status.metrics.elapsed_seconds),
        ));
        if let Some(verdict) = &outcome.status.verdict {
            self.ui.note(&format!("{}\n", verdict.sentence));
        }
    }

    /// A line below the search it belongs to.
    fn detail(&self, line: &str) {
        self.ui.note(&format!("  {line}"));
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

fn duration(words: &Words, seconds: u32) -> String {
    match seconds {
        0..120 => say!(words.progress.seconds, n = seconds),
        _ => say!(words.progress.minutes, n = seconds / 60),
    }
}

const fn end_reason(words: &Words, reason: EndReason) -> &Message {
    let progress = &words.progress;
    match reason {
        EndReason::Completed => &progress.done,
        EndReason::PageBudget => &progress.page_budget,
        EndReason::TimeBudget => &progress.time_budget,
        EndReason::AllResting => &progress.all_resting,
        EndReason::Stopped => &progress.stopped,
    }
}

const fn search_status(words: &Words, status: SearchStatus) -> &Message {
    match status {
        SearchStatus::Running => &words.status.running,
        SearchStatus::Satisfied => &words.status.satisfied,
        SearchStatus::Partial => &words.status.partial,
        SearchStatus::Exhausted => &words.status.exhausted,
    }
}

const fn query_reason(words: &Words, reason: QueryReason) -> &Message {
    let progress = &words.progress;
    match reason {
        QueryReason::Question => &progress.why_question,
        QueryReason::Keywords => &progress.why_keywords,
        QueryReason::Hypothesis => &progress.why_hypothesis,
        QueryReason::OtherLanguage => &progress.why_other_language,
        QueryReason::OtherSpelling => &progress.why_other_spelling,
        QueryReason::Synonym => &progress.why_synonym,
        QueryReason::Related => &progress.why_related,
        QueryReason::Requested => &progress.why_requested,
        QueryReason::Model => &progress.why_model,
        QueryReason::Doubt => &progress.why_doubt,
        QueryReason::Challenge => &progress.why_challenge,
    }
}
