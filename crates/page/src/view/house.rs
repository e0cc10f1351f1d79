//! Screen 9: what the program is made of and what it did: models, engines, the ledger, settings, a check-up.

use graph::{EgressRow, EgressTotals};
use maud::{Markup, html};

use super::Frame;
use super::pieces::plain;
use super::shell::{Part, screen};
use crate::house::{Check, CheckState, Engine, ModelRow, Setting};
use crate::words::say;

/// The screens of the house.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Room {
    Models,
    Engines,
    Sent,
    Settings,
    CheckUp,
}

fn within(frame: &Frame, room: Room, body: &Markup) -> Markup {
    let w = frame.w;
    let entry = |it: Room, to: &str, name: &str| {
        let current = (it == room).then_some("page");
        html! { a href=(to) aria-current=[current] { (name) } }
    };
    let whole = html! {
        div.head { h1 { (w.house.as_str()) } }
        nav.tabs aria-label=(w.house.as_str()) {
            (entry(Room::Sent, "/house/sent", w.room_sent.as_str()))
            (entry(Room::Models, "/house", w.room_models.as_str()))
            (entry(Room::Engines, "/house/engines", w.room_engines.as_str()))
            (entry(Room::Settings, "/house/settings", w.room_settings.as_str()))
            (entry(Room::CheckUp, "/house/check", w.room_check.as_str()))
        }
        (body)
        p.note.numbers { (w.not_here.as_str()) " " code { "lyra manual" } " " code { "lyra vault" } }
    };
    screen(frame, Part::House, w.house.as_str(), &whole)
}

pub(crate) fn models(frame: &Frame, models: &[ModelRow]) -> Markup {
    let w = frame.w;
    let body = html! {
        p.note { (w.models_note.as_str()) }
        div.scroll { table {
            thead { tr { th { (w.model.as_str()) } th { (w.purpose.as_str()) } th { (w.languages.as_str()) } th.number { (w.size.as_str()) } th { (w.active.as_str()) } } }
            tbody { @for it in models { tr {
                td { b { (it.id) } @if let Some(problem) = &it.problem { p.warn { (problem) } } }
                td { (it.kind) } td { (it.languages) } td.number { (size(it.bytes)) }
                td { @if it.active { span.badge.for { (w.yes.as_str()) } } @else { "–" } }
            } } }
        } }
    };
    within(frame, Room::Models, &body)
}

pub(crate) fn engines(frame: &Frame, engines: &[Engine]) -> Markup {
    let w = frame.w;
    let body = html! {
        p.note { (w.engines_note.as_str()) }
        div.scroll { table {
            thead { tr { th { (w.engine.as_str()) } th { (w.state.as_str()) } th.number { (w.success.as_str()) } th.number { (w.today.as_str()) } } }
            tbody { @for it in engines { tr {
                td { b { (it.title) } " " span.note { (it.name) } }
                td { @if it.healthy { (it.state) } @else { span.warn { (it.state) } } }
                td.number { @match it.success { Some(share) => (format!("{:.0} %", share * 100.0)), None => "–" } }
                td.number { (it.requests_today) }
            } } }
        } }
    };
    within(frame, Room::Engines, &body)
}

/// Rows of the ledger on one screen.
pub(crate) const LEDGER_ROWS: usize = 200;

pub(crate) fn sent(
    frame: &Frame,
    rows: &[EgressRow],
    totals: &EgressTotals,
    task: Option<&str>,
) -> Markup {
    let w = frame.w;
    let body = html! {
        @if let Some(task) = task { p { a href=(format!("/task/{task}/live")) { "← " (w.to_question.as_str()) } " · " a href="/house/sent" { (w.sent_all.as_str()) } } }
        @if totals.requests == 0 {
            section.empty { h2 { (w.sent_nothing.as_str()) } p { (w.sent_nothing_more.as_str()) } }
        } @else {
            p.lead { (say!(w.sent_summary, n = totals.requests, hosts = totals.hosts, sent = size(totals.sent_bytes), received = size(totals.response_bytes))) }
            div.scroll { table.ledger {
                thead { tr { th { (w.time.as_str()) } th { (w.host.as_str()) } th { (w.path.as_str()) } th.number { (w.bytes_sent.as_str()) } th.number { (w.bytes_received.as_str()) } th { (w.outcome.as_str()) } th { (w.purpose.as_str()) } } }
                tbody { @for it in rows { tr {
                    td.nowrap { (frame.minute(it.requested_at)) } td { (plain(&it.host)) } td.path { (plain(&it.path)) }
                    td.number { (size(it.left())) } td.number { @match it.response_bytes { Some(bytes) => (size(bytes)), None => "–" } }
                    td { @match it.status { Some(status) => (status), None => (it.outcome.as_deref().unwrap_or("–").replace('_', " ")) } }
                    td { (it.purpose.replace('_', " ")) }
                } } }
            } }
            @if (rows.len() as u64) < totals.requests { p.note { (say!(w.shown_of, shown = rows.len(), total = totals.requests)) " " code { "lyra egress --all" } } }
        }
    };
    within(frame, Room::Sent, &body)
}

pub(crate) fn settings(frame: &Frame, settings: &[Setting]) -> Markup {
    let w = frame.w;
    let row = |it: &Setting| {
        html! { tr { td { code { (it.key) } } td.path { (it.value) } td.note { (it.origin) } } }
    };
    let table = |rows: &Markup| {
        html! { div.scroll { table { thead { tr { th { (w.setting.as_str()) } th { (w.value.as_str()) } th { (w.origin.as_str()) } } } tbody { (rows) } } } }
    };
    let changed: Vec<&Setting> = settings.iter().filter(|it| !it.is_default).collect();
    let body = html! {
        p.note { (w.settings_note.as_str()) " " code { "lyra config path" } }
        h2 { (w.settings_changed.as_str()) }
        @if changed.is_empty() { p.note { (w.settings_none.as_str()) } } @else { (table(&html! { @for it in &changed { (row(it)) } })) }
        details.more { summary { (say!(w.settings_all, n = settings.len())) } (table(&html! { @for it in settings { (row(it)) } })) }
    };
    within(frame, Room::Settings, &body)
}

pub(crate) fn check_up(frame: &Frame, checks: Option<&[Check]>) -> Markup {
    let w = frame.w;
    let body = html! {
        p { (w.check_note.as_str()) }
        (frame.button("/house/check", "primary", w.check_do.as_str()))
        @if let Some(checks) = checks {
            ul.checks {
                @for it in checks {
                    @let (class, word) = match it.state {
                        CheckState::Ok => ("for", &w.check_ok),
                        CheckState::Note => ("open", &w.check_noted),
                        CheckState::Problem => ("against", &w.check_problem),
                    };
                    li { span.badge.(class) { (word.as_str()) } div { b { (it.name) } " " (plain(&it.found)) @if let Some(hint) = &it.hint { p.note { (plain(hint)) } } } }
                }
            }
        }
    };
    within(frame, Room::CheckUp, &body)
}

/// A size as people say it.
fn size(bytes: u64) -> String {
    let units = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    match units.into_iter().find(|(_, unit)| bytes as f64 >= *unit) {
        Some((name, unit)) => format!("{:.1} {name}", bytes as f64 / unit),
        None => format!("{bytes} B"),
    }
}
