//! Screen 1: what was asked, what was found, and asking something new.

use evidence::{Adoption, Node, Task, TaskStatus};
use graph::{FindAnswer, Matched, Removal, TaskCounts};
use maud::{Markup, html};
use report::TaskVerdict;

use super::Frame;
use super::pieces::{balance, plain, sign, title};
use super::shell::{Part, screen};
use super::task::state_of;
use crate::house::{Limits, NewQuestion, Trouble};
use crate::words::say;

/// A question in the list.
#[derive(Debug)]
pub(crate) struct Listed {
    pub(crate) task: Task,
    pub(crate) counts: TaskCounts,
    pub(crate) verdict: Option<TaskVerdict>,
    pub(crate) running: bool,
}

pub(crate) fn list(frame: &Frame, listed: &[Listed], total: usize, page: usize) -> Markup {
    let w = frame.w;
    let body = html! {
        div.head {
            h1 { (w.questions.as_str()) }
            a.button.primary href="/new" { (sign("plus")) (w.new_question.as_str()) }
        }
        @if total == 0 {
            section.empty {
                h2 { (w.questions_none.as_str()) }
                p.lead { (w.questions_none_more.as_str()) }
                p { a.button.primary href="/new" { (w.new_question.as_str()) } }
                p.note { (w.questions_none_demo.as_str()) " " code { "lyra demo --web" } }
            }
        } @else {
            (search_form(frame, ""))
            ul.questions { @for it in listed { li { (question(frame, it)) } } }
            @let shown = page * PER_PAGE + listed.len();
            @if page > 0 || shown < total {
                nav.pages aria-label=(w.pages.as_str()) {
                    @if page > 0 { a.button href=(format!("/?page={}", page - 1)) { (w.newer.as_str()) } }
                    span.note { (say!(w.shown_of, shown = shown, total = total)) }
                    @if shown < total { a.button href=(format!("/?page={}", page + 1)) { (w.older.as_str()) } }
                }
            }
        }
    };
    screen(frame, Part::Questions, w.questions.as_str(), &body)
}

/// Questions on one screen.
pub(crate) const PER_PAGE: usize = 40;

fn question(frame: &Frame, it: &Listed) -> Markup {
    let w = frame.w;
    html! {
        a.question href=(format!("/task/{}", it.task.id)) {
            div.row {
                @if let Some(verdict) = &it.verdict { (frame.verdict(verdict.verdict)) }
                (state_of(frame, it.task.status, it.running))
                span.note { (frame.age(it.task.created_at)) }
            }
            h2 { (plain(&it.task.query)) }
            @if let Some(verdict) = &it.verdict {
                p { (plain(&verdict.sentence)) }
                @if verdict.supporting_sources + verdict.refuting_sources > 0 {
                    (balance(verdict.supporting_sources, verdict.refuting_sources))
                }
            }
            p.note {
                (say!(w.n_claims, n = it.counts.claims)) " · " (say!(w.n_pages, n = it.counts.pages))
                @if it.verdict.is_none() && it.task.status == TaskStatus::Completed { " · " (w.open_question.as_str()) }
            }
        }
    }
}

fn search_form(frame: &Frame, words: &str) -> Markup {
    let w = frame.w;
    html! {
        form.search role="search" action="/" method="get" {
            label.hidden for="q" { (w.search_all.as_str()) }
            (sign("search"))
            input id="q" type="search" name="q" value=(plain(words)) placeholder=(w.search_all.as_str()) required;
            button type="submit" { (w.search.as_str()) }
        }
    }
}

pub(crate) fn found(frame: &Frame, words: &str, answer: &FindAnswer) -> Markup {
    let w = frame.w;
    let body = html! {
        div.head { h1 { (w.search_all.as_str()) } a.button href="/" { (w.to_questions.as_str()) } }
        (search_form(frame, words))
        @if answer.found.is_empty() {
            section.empty { h2 { (say!(w.found_nothing, words = plain(words))) } p { (w.found_nothing_more.as_str()) } }
        } @else {
            @if answer.matched == Matched::SomeWords { p.note { (w.found_some_words.as_str()) } }
            ul.hits {
                @for hit in &answer.found {
                    @let kind = if matches!(hit.node, Node::Claim(_)) { &w.claim } else { &w.passage };
                    li {
                        p.note {
                            (kind.as_str())
                            @if hit.adoption == Some(Adoption::NotAdopted) { " · " (w.set_aside.as_str()) }
                            @if let Some(heading) = &hit.heading { " · " (plain(heading)) }
                        }
                        p.text { (snippet(&hit.snippet, &hit.marks)) }
                        @if let (Some(page), Some(url)) = (hit.page_id, &hit.url) {
                            p { a href=(format!("/source/{page}{}", anchor(&hit.node))) { (title(hit.title.as_deref(), url)) } }
                        }
                    }
                }
            }
        }
    };
    screen(frame, Part::Questions, w.search_all.as_str(), &body)
}

fn anchor(node: &Node) -> String {
    match node {
        Node::Fragment(id) => format!("#{id}"),
        _ => String::new(),
    }
}

/// A piece of text with the words that were found marked; `marks` are ranges of characters.
fn snippet(text: &str, marks: &[std::ops::Range<usize>]) -> Markup {
    let letters: Vec<char> = text.chars().collect();
    let part = |from: usize, to: usize| {
        plain(
            &letters
                .get(from..to.min(letters.len()))
                .unwrap_or_default()
                .iter()
                .collect::<String>(),
        )
    };
    let mut at = 0;
    let mut pieces = Vec::new();
    for mark in marks {
        pieces.push((part(at, mark.start), part(mark.start, mark.end)));
        at = mark.end;
    }
    html! {
        @for (before, inside) in &pieces { (before) mark { (inside) } }
        (part(at, letters.len()))
    }
}

/// The form of a new question; what was typed comes back with what was wrong about it.
pub(crate) fn new(
    frame: &Frame,
    folders: &[String],
    limits: &Limits,
    typed: &NewQuestion,
    wrong: Option<&Trouble>,
) -> Markup {
    let w = frame.w;
    let locked = frame.offline;
    let chosen = |kind| typed.sources.is_empty() || typed.sources.contains(&kind);
    use research::calls::SourceKind as Kind;
    let sources = [
        (Kind::Web, "web", &w.source_web),
        (Kind::Academic, "academic", &w.source_academic),
        (Kind::Api, "api", &w.source_api),
    ];
    let body = html! {
        div.head { h1 { (w.new_question.as_str()) } }
        form.ask method="post" action="/new" {
            (frame.proof())
            @if let Some(wrong) = wrong {
                @let told = wrong.in_language(frame.language);
                div.alarm role="alert" { p { b { (told.message) } } @if let Some(hint) = &told.hint { p { (hint) } } }
            }
            div.field {
                label for="question" { (w.question.as_str()) }
                textarea id="question" name="question" rows="2" required autofocus maxlength=(limits.most_chars) placeholder=(w.question_example.as_str()) { (typed.question) }
            }
            div.field {
                label for="hypothesis" { (w.hypothesis.as_str()) " " span.note { (w.optional.as_str()) } }
                textarea id="hypothesis" name="hypothesis" rows="2" maxlength=(limits.most_chars) placeholder=(w.hypothesis_example.as_str()) { (typed.hypothesis.clone().unwrap_or_default()) }
                p.note { (w.hypothesis_note.as_str()) }
            }
            fieldset {
                legend { (w.where_to_look.as_str()) }
                div.choices {
                    @for (kind, name, word) in sources {
                        label.choice { input type="checkbox" name="source" value=(name) checked[chosen(kind) && !locked] disabled[locked] data-online; span { (word.as_str()) } }
                    }
                }
                @if folders.is_empty() {
                    p.note { (w.folders_none.as_str()) " " code { "lyra web --library DIR" } }
                } @else {
                    div.folders {
                        @for (index, folder) in folders.iter().enumerate() {
                            label.choice { input type="checkbox" name="folder" value=(index) checked[typed.question.is_empty() || typed.folders.contains(&index)]; (sign("folder")) span.path { (folder) } }
                        }
                    }
                }
                label.switch.choice {
                    input type="checkbox" name="offline" value="yes" checked[typed.offline || locked] disabled[locked] data-lock;
                    span.knob aria-hidden="true" {}
                    (sign("lock"))
                    span { b { (w.offline_lock.as_str()) } br; span.note { @if locked { (w.offline_all.as_str()) } @else { (w.offline_note.as_str()) } } }
                }
                @if locked { input type="hidden" name="offline" value="yes"; }
            }
            details.more {
                summary { (w.limits.as_str()) }
                div.grid {
                    div.field { label for="after" { (w.after.as_str()) } input id="after" type="date" name="after" value=(typed.after.clone().unwrap_or_default()); }
                    div.field { label for="before" { (w.before.as_str()) } input id="before" type="date" name="before" value=(typed.before.clone().unwrap_or_default()); }
                    div.field { label for="pages" { (w.most_pages.as_str()) } input id="pages" type="number" name="pages" min="1" max=(limits.most_pages) value=(typed.max_pages.unwrap_or(limits.pages)); }
                    div.field { label for="minutes" { (w.most_minutes.as_str()) } input id="minutes" type="number" name="minutes" min="1" max=(limits.most_minutes) value=(typed.minutes.unwrap_or(limits.minutes)); }
                }
                p.note { (w.period_note.as_str()) }
            }
            div.row { button.primary type="submit" { (w.begin.as_str()) } a.button href="/" { (w.cancel.as_str()) } }
        }
    };
    screen(frame, Part::Questions, w.new_question.as_str(), &body)
}

/// What goes with a question, before it goes.
pub(crate) fn delete(frame: &Frame, task: &Task, going: &Removal) -> Markup {
    let w = frame.w;
    let rows: u64 = going.rows.values().sum();
    let counted = [
        (&w.delete_claims, going.rows_of("claims")),
        (&w.delete_pages, going.rows_of("pages")),
        (&w.delete_passages, going.rows_of("fragments")),
        (&w.delete_archive, going.archive_records),
        (&w.delete_ledger, going.ledger_rows),
        (&w.delete_rows, rows),
        (&w.delete_shared, going.shared_pages),
    ];
    let body = html! {
        div.head { h1 { (w.delete_title.as_str()) } }
        section.card {
            p.lead { (plain(&task.query)) }
            dl.facts { @for (word, n) in counted { div { dt { (word.as_str()) } dd { (n) } } } }
            p { (w.delete_note.as_str()) }
            div.row {
                (frame.button(&format!("/task/{}/delete", task.id), "danger", w.delete_yes.as_str()))
                a.button href=(format!("/task/{}", task.id)) { (w.cancel.as_str()) }
            }
        }
    };
    screen(frame, Part::Questions, w.delete_title.as_str(), &body)
}
