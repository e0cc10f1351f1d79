//! An investigation as a person watches it, or a program reads it.
//!
//! Where a terminal shows what is at work in a line that comes and goes ([`Doing`]), each search leaves one line behind.
//! Elsewhere there is a line for each thing that happens; with `--json-lines` it is JSON.

mod doing;

use evidence::{SearchStatus, TaskId};
use fetch::Fetcher;
use planner::{EndReason, Event, Outcome, QueryReason};
use report::Language;
use research::calls::{Progress, SearchAnswer};
use serde::Serialize;
use serde_json::{Value, json};
use text::messages::Message;

use crate::ui::{Say, Ui, address, clean, cut, width};
use crate::words::{Words, say};
pub(super) use doing::Doing;

/// Longer titles are cut.
const TITLE_CHARS: usize = 70;
/// Columns of a query in the line a search leaves behind, at least.
const QUERY_COLUMNS: usize = 16;

#[derive(Debug)]
pub(crate) struct Shown {
    ui: Ui,
    doing: Doing,
    task: Option<TaskId>,
    pages: usize,
    claims: usize,
    search: Search,
}

/// The search that runs, for the line it leaves behind.
#[derive(Debug, Default)]
struct Search {
    query: String,
    refute: bool,
    claims: usize,
    missed: usize,
}

impl Shown {
    pub(crate) fn new(ui: &Ui) -> Self {
        Self {
            ui: ui.clone(),
            doing: Doing::default(),
            task: None,
            pages: 0,
            claims: 0,
            search: Search::default(),
        }
    }

    /// What to show of it while it works. `fetcher` knows what is waited for.
    pub(crate) fn say(&self, fetcher: Option<Fetcher>) -> Say {
        let (doing, ui) = (self.doing.clone(), self.ui.clone());
        Box::new(move || doing.line(ui.words(), fetcher.as_ref().and_then(Fetcher::waits_for)))
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
                let question = clean(question);
                self.ui.happened(&say!(progress.started, question = question, task = task));
            }
            Event::TaskResumed { task_id: task, question, unfinished, offline } => {
                self.doing.resume();
                let message = match unfinished {
                    0 => &progress.resumed_finished,
                    _ => &progress.resumed,
                };
                let question = clean(question);
                self.ui.happened(&say!(message, question = question, task = task, n = unfinished));
                if *offline {
                    self.ui.note(progress.stays_offline.as_str());
                }
            }
            Event::Round { round, query, refute, why } => {
                self.doing.search(*round);
                self.search = Search { query: clean(query), refute: *refute, ..Search::default() };
                let message = if *refute { &progress.search_against } else { &progress.search };
                let (query, why) = (clean(query), query_reason(words, *why).as_str());
                self.detail(&say!(message, round = round, query = query, why = why), "");
            }
            Event::SearchDone { round, answer } => self.search_done(*round, answer),
            Event::ModelSilent { message } => {
                self.ui.warn(&say!(progress.model_silent, message = message));
            }
            Event::Drafting { passages } => {
                self.doing.draft();
                self.detail(&say!(progress.drafting, n = passages), "");
            }
            Event::Drafted { sentences, failed, unchecked } => {
                let drafted = &progress.drafted;
                self.detail(
                    &say!(drafted, n = sentences, failed = failed, unchecked = unchecked),
                    "  ",
                );
            }
            Event::Stopped { .. } => {}
        }
    }

    fn search_done(&mut self, round: usize, answer: &SearchAnswer) {
        let words = self.ui.words();
        let progress = &words.progress;
        let left = answer.budget_remaining;
        self.doing.budget(left.seconds);
        if self.ui.has_live_line() {
            let query = match self.search.refute {
                true => say!(progress.against, query = self.search.query),
                false => self.search.query.clone(),
            };
            let missed = match self.search.missed {
                0 => String::new(),
                some => say!(progress.search_missed, n = some),
            };
            let line = |query: &str| {
                say!(
                    progress.search_line,
                    round = round,
                    query = query,
                    pages = answer.pages_fetched,
                    useful = answer.useful_fragments,
                    claims = self.search.claims,
                    missed = missed,
                )
            };
            // The query gives way, so that a search leaves one line.
            let room = self.ui.stderr_columns().saturating_sub(width(&line("")));
            self.ui.happened(&line(&cut(&query, room.max(QUERY_COLUMNS))));
            return;
        }
        let done = say!(
            progress.search_done,
            status = search_status(words, answer.status).as_str(),
            useful = answer.useful_fragments,
            pages = answer.pages_fetched,
            left = left.pages,
            time = duration(words, left.seconds.into()),
        );
        self.detail(&done, "  ");
    }

    /// What the engine did.
    pub(crate) fn happened(&mut self, event: &Progress) {
        self.stream(event);
        let progress = &self.ui.words().progress;
        match event {
            Progress::AtWork { stage, done, total, .. } => self.doing.at(*stage, *done, *total),
            Progress::Planned { candidates, pages, papers, .. } => self.detail(
                &say!(progress.planned, candidates = candidates, pages = pages, papers = papers),
                "  ",
            ),
            Progress::PageRead { url, title, passages, .. } => {
                self.pages += 1;
                let title = title.clone().unwrap_or_else(|| address(url));
                let title: String = title.chars().take(TITLE_CHARS).collect();
                let read = say!(
                    progress.read,
                    number = format!("{:>3}", self.pages),
                    title = clean(&title),
                    passages = passages,
                );
                self.detail(&read, "  ");
            }
            Progress::PageMissed { url, detail, .. } => {
                self.search.missed += 1;
                let detail = self.ui.in_words(detail);
                let missed = say!(progress.missed, url = address(url), detail = clean(&detail));
                self.detail(&missed, "  ");
            }
            Progress::Judged { useful, claims, supports, refutes, abstained, novelty, .. } => {
                self.claims += claims;
                self.search.claims += claims;
                let abstained = match abstained {
                    0 => String::new(),
                    some => say!(progress.abstained, n = some),
                };
                let judged = say!(
                    progress.judged,
                    useful = useful,
                    claims = claims,
                    total = self.claims,
                    supports = supports,
                    refutes = refutes,
                    abstained = abstained,
                    novelty = format!("{novelty:.2}"),
                );
                self.detail(&judged, "  ");
            }
            Progress::Cited { works, kept, .. } => {
                self.detail(&say!(progress.cited, works = works, kept = kept), "  ");
            }
            Progress::Warning { message, .. } => self.ui.warn(message),
            Progress::SearchStarted { .. }
            | Progress::Reading { .. }
            | Progress::SearchEnded { .. } => {}
        }
    }

    pub(crate) fn ended(&mut self, outcome: &Outcome) {
        self.doing.write_up();
        self.stream(&json!({ "event": "ended", "outcome": outcome }));
        let words = self.ui.words();
        let counts = outcome.status.metrics.counts;
        self.ui.happened(&say!(
            words.progress.ended,
            reason = end_reason(words, outcome.reason).as_str(),
            searches = counts.searches,
            pages = counts.pages,
            claims = counts.claims,
            judgements = counts.edges,
            seconds = format!("{:.0}", outcome.status.metrics.elapsed_seconds),
        ));
    }

    /// A line for each thing that happens, where no line on a terminal shows it.
    fn detail(&self, line: &str, indent: &str) {
        if !self.ui.has_live_line() {
            self.ui.happened(&format!("{indent}{line}"));
        }
    }

    /// With `--json-lines` every event is one line of JSON.
    fn stream(&self, event: &impl Serialize) {
        if self.ui.is_stream() {
            let line = serde_json::to_value(event).unwrap_or(Value::Null);
            // A reader that has gone is noticed where the command ends.
            drop(self.ui.line(&line));
        }
    }
}

/// A number of seconds as people say it.
fn duration(words: &Words, seconds: u64) -> String {
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
