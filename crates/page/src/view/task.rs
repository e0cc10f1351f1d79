//! What all screens of one question have at their head.

use evidence::{Task, TaskStatus};
use maud::{Markup, html};
use text::messages::Message;

use super::Frame;
use super::pieces::plain;
use super::shell::{Part, screen};
use crate::house::Export;

/// The screens of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tab {
    Answer,
    Live,
    Graph,
    Documents,
    Report,
}

/// Whether a task is at work, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// In this process.
    Here,
    /// In another process.
    Elsewhere,
    Nowhere,
}

pub(crate) fn state_of(frame: &Frame, status: TaskStatus, running: bool) -> Markup {
    let w = frame.w;
    let (class, word) = match (status, running) {
        (_, true) => ("running", &w.state_running),
        (TaskStatus::Created, _) => ("over", &w.state_created),
        (TaskStatus::Exploring, _) => ("stalled", &w.state_stalled),
        (TaskStatus::Paused, _) => ("paused", &w.state_paused),
        (TaskStatus::Completed, _) => ("over", &w.state_completed),
        (TaskStatus::Failed, _) => ("stalled", &w.state_failed),
    };
    html! { span.state.(class) { (word.as_str()) } }
}

/// A screen of a question.
pub(crate) fn within(frame: &Frame, task: &Task, work: Work, tab: Tab, body: &Markup) -> Markup {
    let w = frame.w;
    let base = format!("/task/{}", task.id);
    let entry = |it: Tab, to: &str, name: &str| {
        let current = (it == tab).then_some("page");
        html! { a href=(format!("{base}{to}")) aria-current=[current] { (name) } }
    };
    let running = work == Work::Here;
    let whole = html! {
        div.subject {
            div.row {
                (state_of(frame, task.status, work != Work::Nowhere))
                span.note { (frame.age(task.created_at)) }
                span.grow {}
                @if !running { a.button.quiet href=(format!("{base}/delete")) { (w.delete.as_str()) } }
            }
            h1 { (plain(&task.query)) }
        }
        nav.tabs aria-label=(w.screens.as_str()) {
            (entry(Tab::Answer, "", w.answer.as_str()))
            (entry(Tab::Live, "/live", w.live.as_str()))
            (entry(Tab::Graph, "/graph", w.graph.as_str()))
            (entry(Tab::Documents, "/documents", w.documents.as_str()))
            (entry(Tab::Report, "/report", w.report.as_str()))
        }
        (body)
    };
    screen(frame, Part::Questions, &plain(&task.query), &whole)
}

/// Screen 8: the report, and every form it can be taken along in.
pub(crate) fn report(frame: &Frame, task: &Task) -> Markup {
    let w = frame.w;
    let base = format!("/task/{}", task.id);
    let groups: [(&Message, &[(Export, &Message)]); 4] = [
        (
            &w.export_read,
            &[
                (Export::Html, &w.export_html),
                (Export::Pdf, &w.export_pdf),
                (Export::Docx, &w.export_docx),
                (Export::Md, &w.export_md),
                (Export::Text, &w.export_text),
            ],
        ),
        (
            &w.export_sources,
            &[
                (Export::Ris, &w.export_ris),
                (Export::Bibtex, &w.export_bibtex),
                (Export::CslJson, &w.export_csl),
            ],
        ),
        (&w.export_tables, &[(Export::Csv, &w.export_csv), (Export::Json, &w.export_json)]),
        (&w.export_whole, &[(Export::Graph, &w.export_graph)]),
    ];
    html! {
        section.card {
            h2 { (w.report_read.as_str()) }
            p { (w.report_read_note.as_str()) }
            p { a.button.primary href=(format!("{base}/read")) target="_blank" rel="noopener" { (w.report_open.as_str()) } }
        }
        @for (name, forms) in groups {
            section.exports {
                h3 { (name.as_str()) }
                ul { @for (form, about) in forms { li { a.button href=(format!("{base}/export/{}", form.name())) download { b { (form.name().to_uppercase()) } span.note { (about.as_str()) } } } } }
            }
        }
    }
}
