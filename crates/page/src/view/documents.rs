//! One row for each document that was read: what it says on the question, and with which words.

use maud::{Markup, html};
use report::{DocumentRow, Report, Says};

use super::Frame;
use super::pieces::{outward, plain, publisher, title};
use crate::words::say;

/// Characters of a quote in a row.
const QUOTE_CHARS: usize = 240;

pub(crate) fn documents(frame: &Frame, report: &Report) -> Markup {
    let w = frame.w;
    let task = report.task_id;
    html! {
        @if report.documents.is_empty() {
            section.empty { h2 { (w.documents_none.as_str()) } p { (w.documents_none_more.as_str()) } }
        } @else {
            div.row {
                label.grow.filter { span.hidden { (w.filter.as_str()) } input type="search" data-filter="documents" placeholder=(w.filter.as_str()); }
                a.button href=(format!("/task/{task}/export/csv")) { "CSV" }
            }
            div.scroll { table id="documents" data-sortable {
                thead { tr {
                    th { (w.document.as_str()) } th.number { (w.year.as_str()) } th { (w.says.as_str()) } th { (w.with_words.as_str()) }
                } }
                tbody { @for it in &report.documents { (row(frame, report, it)) } }
            } }
            @if report.left_out.documents > 0 { p.note { (say!(w.n_more, n = report.left_out.documents)) } }
        }
        @if !report.missed.is_empty() {
            details.more {
                summary { (say!(w.missed, n = report.summary.pages_missed)) }
                ul.plain { @for it in &report.missed { li { (outward(&plain(&it.url), &it.url)) " " span.note { (it.reason.replace('_', " ")) @if let Some(detail) = &it.detail { " · " (plain(detail)) } } } } }
            }
        }
    }
}

fn row(frame: &Frame, report: &Report, it: &DocumentRow) -> Markup {
    let w = frame.w;
    let (order, class, word) = match it.says {
        Says::Supports => (0, "for", &w.says_for),
        Says::Refutes => (1, "against", &w.says_against),
        Says::NoSide => (2, "open", &w.says_no_side),
        Says::SpeaksOfIt => (3, "open", &w.says_speaks),
        Says::NotAbout => (4, "open", &w.says_not_about),
    };
    let source = it.source.and_then(|number| report.source(number));
    let name = title(it.title.as_deref(), &it.url);
    html! {
        tr {
            td {
                @match source {
                    Some(source) => a href=(format!("/source/{}?task={}", source.page_id, report.task_id)) { (name) },
                    None => (outward(&name, &it.url)),
                }
                p.note { (publisher(&it.site)) }
            }
            td.number { @match it.year { Some(year) => (year), None => "–" } }
            td data-value=(order) { span.badge.(class) { (word.as_str()) } @if it.uncounted.is_some() { p.note { (w.uncounted.as_str()) } } }
            td.quote { @if let Some(quote) = &it.quote { q { (text::shortened(&plain(quote), QUOTE_CHARS)) } } }
        }
    }
}
