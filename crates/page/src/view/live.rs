//! Screen 2: what is done now, since when, how far, and what comes of it. Tabs get the same part again and again.

use evidence::{Task, TaskStatus};
use graph::{EgressTotals, TaskClaim, TaskCounts};
use maud::{Markup, html};
use planner::{EndReason, QueryReason};
use research::calls::Stage;

use super::Frame;
use super::pieces::{figure, gauge, plain, title};
use super::task::Work;
use crate::live::{Doing, Happened, Over, Part};
use crate::words::say;

/// What the screen shows of the graph.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) task: Task,
    pub(crate) counts: TaskCounts,
    /// The newest first.
    pub(crate) claims: Vec<TaskClaim>,
    pub(crate) sent: EgressTotals,
    pub(crate) offline: bool,
}

/// The whole screen: what changes, and what keeps it changing.
pub(crate) fn live(frame: &Frame, seen: &Seen, doing: Option<&Doing>, work: Work) -> Markup {
    let stream = format!("/task/{}/events", seen.task.id);
    let follow = (work == Work::Here).then_some(stream);
    html! {
        div id="live" data-stream=[follow] { (part(frame, seen, doing, work)) }
        noscript { p.note { (frame.w.no_script.as_str()) } }
    }
}

/// What changes.
pub(crate) fn part(frame: &Frame, seen: &Seen, doing: Option<&Doing>, work: Work) -> Markup {
    html! {
        (now(frame, seen, doing, work))
        div.columns.live {
            section {
                h2 { (frame.w.claims.as_str()) " " span.count { (seen.counts.claims) } }
                @if seen.claims.is_empty() { p.note { (frame.w.claims_none_yet.as_str()) } }
                ul.plain {
                    @for it in &seen.claims {
                        li { p { (plain(&it.claim.claim_text)) } div.figures { (gauge(&it.confidence)) span { b { (figure(&it.confidence)) } } } }
                    }
                }
            }
            section {
                h2 { (frame.w.happened.as_str()) }
                @match doing {
                    Some(doing) if !doing.happened.is_empty() => ol.log tabindex="0" aria-label=(frame.w.happened.as_str()) { @for it in &doing.happened { li { (happened(frame, it)) } } },
                    _ => p.note { (frame.w.happened_none.as_str()) },
                }
            }
        }
    }
}

fn now(frame: &Frame, seen: &Seen, doing: Option<&Doing>, work: Work) -> Markup {
    let w = frame.w;
    let task = seen.task.id;
    let sent = match (seen.offline, seen.sent.requests) {
        (true, 0) => String::from(&w.sent_offline),
        (_, n) => say!(w.sent, n = n, hosts = seen.sent.hosts),
    };
    let doing_now = doing.filter(|_| work == Work::Here);
    html! {
        section.card.now {
            @if let Some(doing) = doing_now {
                p.doing { (stage(frame, doing.part)) @if doing.total > 0 { " " b { (doing.done) "/" (doing.total) } } }
                @if doing.total > 0 {
                    progress max=(doing.total) value=(doing.done.min(doing.total)) aria-label=(stage(frame, doing.part)) {}
                } @else {
                    progress aria-label=(stage(frame, doing.part)) {}
                }
                @if let Some(round) = doing.round {
                    p { (say!(w.search_number, n = round)) ": " q { (plain(&doing.query)) } " "
                        @if let Some(why) = doing.why { span.note { (why_asked(frame, why)) } }
                        @if doing.refute { " " span.badge.against { (w.seeks_doubt.as_str()) } } }
                }
                p.note {
                    (say!(w.for_so_long, time = frame.span(doing.in_stage())))
                    @if let Some(left) = doing.about_left() { " · " (say!(w.about_left, time = frame.span(left))) }
                    " · " (say!(w.since_start, time = frame.span(doing.elapsed())))
                    @if let Some(left) = doing.at_most() { " · " (say!(w.gives_up, time = frame.span(left))) }
                }
                @if let Some(still) = doing.still() { p.warn { (say!(w.stands_still, time = frame.span(still))) } }
            } @else {
                p.doing { (rest(frame, seen, doing, work)) }
            }
            @if let Some(Over::Failed(trouble)) = doing.and_then(|it| it.over.as_ref()) {
                @let told = trouble.in_language(frame.language);
                div.alarm role="alert" { p { b { (told.message) } } @if let Some(hint) = &told.hint { p { (hint) } } }
            }
            dl.facts {
                div { dt { (w.fact_pages.as_str()) } dd { (say!(w.of_most, n = doing.map_or(seen.counts.pages as usize, |it| it.read), most = seen.task.budget.max_pages)) } }
                @if let Some(doing) = doing { div { dt { (w.fact_missed.as_str()) } dd { (doing.missed) } } }
                div { dt { (w.claims.as_str()) } dd { (seen.counts.claims) } }
                div { dt { (w.fact_judgements.as_str()) } dd { (seen.counts.edges) } }
                div { dt { (w.fact_sent.as_str()) } dd { a href=(format!("/house/sent?task={task}")) { (sent) } } }
            }
            div.row {
                @if doing_now.is_some_and(|it| it.part != Part::Ending) {
                    (frame.button(&format!("/task/{task}/pause"), "", w.pause.as_str()))
                    (frame.button(&format!("/task/{task}/stop"), "", w.stop.as_str()))
                } @else if work != Work::Here {
                    @if work == Work::Nowhere && matches!(seen.task.status, TaskStatus::Created | TaskStatus::Exploring | TaskStatus::Paused) {
                        (frame.button(&format!("/task/{task}/resume"), "primary", w.resume.as_str()))
                        (frame.button(&format!("/task/{task}/stop"), "", w.stop.as_str()))
                    }
                    a.button href=(format!("/task/{task}")) { (w.to_answer.as_str()) }
                }
            }
        }
    }
}

/// Why nothing is at work here.
fn rest(frame: &Frame, seen: &Seen, doing: Option<&Doing>, work: Work) -> String {
    let w = frame.w;
    let message = match (work, seen.task.status, doing.and_then(|it| it.over.as_ref())) {
        (Work::Elsewhere, ..) => &w.rest_elsewhere,
        (_, TaskStatus::Paused, Some(Over::Ended(EndReason::AllResting))) => &w.rest_resting,
        (_, TaskStatus::Paused, _) => &w.rest_paused,
        (_, TaskStatus::Exploring, _) => &w.rest_stalled,
        (_, TaskStatus::Created, _) => &w.rest_created,
        (_, _, Some(Over::Ended(EndReason::PageBudget))) => &w.rest_page_budget,
        (_, _, Some(Over::Ended(EndReason::TimeBudget))) => &w.rest_time_budget,
        _ => &w.rest_completed,
    };
    String::from(message)
}

fn stage(frame: &Frame, part: Part) -> String {
    let w = frame.w;
    String::from(match part {
        Part::Loading => &w.stage_loading,
        Part::Searching(stage) => match stage {
            Stage::Asking => &w.stage_asking,
            Stage::Indexing => &w.stage_indexing,
            Stage::Reading => &w.stage_reading,
            Stage::Ranking => &w.stage_ranking,
            Stage::Extracting => &w.stage_extracting,
            Stage::Judging => &w.stage_judging,
            Stage::Recording => &w.stage_recording,
            Stage::Following => &w.stage_following,
        },
        Part::Drafting => &w.stage_drafting,
        Part::WritingUp => &w.stage_writing_up,
        Part::Ending => &w.stage_ending,
    })
}

fn why_asked(frame: &Frame, why: QueryReason) -> &'static str {
    let w = frame.w;
    match why {
        QueryReason::Question => &w.why_question,
        QueryReason::Keywords => &w.why_keywords,
        QueryReason::Hypothesis => &w.why_hypothesis,
        QueryReason::OtherLanguage => &w.why_other_language,
        QueryReason::OtherSpelling => &w.why_other_spelling,
        QueryReason::Synonym => &w.why_synonym,
        QueryReason::Related => &w.why_related,
        QueryReason::Requested => &w.why_requested,
        QueryReason::Model => &w.why_model,
        QueryReason::Doubt => &w.why_doubt,
        QueryReason::Challenge => &w.why_challenge,
    }
    .as_str()
}

fn happened(frame: &Frame, it: &Happened) -> Markup {
    let w = frame.w;
    html! {
        @match it {
            Happened::Query { text, why } => {
                b { (w.log_search.as_str()) } " " q { (plain(text)) } " " span.note { (why_asked(frame, *why)) }
            },
            Happened::Read { title: name, url, passages } => { span.for { (w.log_read.as_str()) } " " (title(Some(name), url)) " " span.note { (say!(w.n_passages, n = passages)) } },
            Happened::Missed { url, reason } => { span.against { (w.log_missed.as_str()) } " " (title(None, url)) " " span.note { (reason.replace('_', " ")) } },
            Happened::Judged { claims, supports, refutes } => { b { (w.log_judged.as_str()) } " " (say!(w.log_judged_counts, claims = claims, supports = supports, refutes = refutes)) },
            Happened::Warned(message) => span.warn { (plain(message)) },
        }
    }
}
