//! Screen 5: which documents speak for and against which claims, drawn in two columns so that it can be read at any size;
//! the same as a table; and the years.
//!
//! A drawing with forces would move and need a library; here a line runs from a document to a claim, and a script of a
//! few lines shows what belongs to what is pointed at.

use std::collections::BTreeMap;

use maud::{Markup, html};
use report::{Finding, Report, Source, Standing, YearCount};

use super::Frame;
use super::pieces::{figure, plain, publisher, title};
use crate::words::say;

/// Claims that are drawn unless more are asked for.
pub(crate) const USUAL: usize = 40;
/// Claims that are drawn at most.
pub(crate) const MOST: usize = 1_000;
/// Above this many rows there is no room for names: they are shown when pointed at.
const NAMED_ROWS: usize = 140;
const WIDTH: usize = 1_120;
const LEFT: usize = 400;
const RIGHT: usize = 720;

/// Which claims are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Only {
    All,
    About,
    Disputed,
    Supported,
    Refuted,
}

impl Only {
    pub(crate) const ALL: [Self; 5] =
        [Self::All, Self::About, Self::Disputed, Self::Supported, Self::Refuted];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::About => "about",
            Self::Disputed => "disputed",
            Self::Supported => "supported",
            Self::Refuted => "refuted",
        }
    }

    fn admits(self, it: &Finding) -> bool {
        match self {
            Self::All => true,
            Self::About => it.about_question,
            Self::Disputed => it.standing == Standing::Disputed,
            Self::Supported => matches!(it.standing, Standing::Supported | Standing::OneSource),
            Self::Refuted => it.standing == Standing::Refuted,
        }
    }
}

pub(crate) fn graph(frame: &Frame, report: &Report, only: Only, most: usize) -> Markup {
    let w = frame.w;
    let wanted: Vec<&Finding> = report.judged().filter(|it| only.admits(it)).collect();
    let shown = &wanted[..wanted.len().min(most)];
    let base = format!("/task/{}/graph", report.task_id);
    let name = |it: Only| match it {
        Only::All => &w.only_all,
        Only::About => &w.only_about,
        Only::Disputed => &w.only_disputed,
        Only::Supported => &w.only_supported,
        Only::Refuted => &w.only_refuted,
    };
    html! {
        nav.filters aria-label=(w.filter.as_str()) {
            @for it in Only::ALL {
                a href=(format!("{base}?only={}&most={most}", it.name())) aria-current=[(it == only).then_some("true")] { (name(it).as_str()) }
            }
        }
        @if shown.is_empty() {
            section.empty { h2 { (w.graph_none.as_str()) } p { (w.graph_none_more.as_str()) } }
        } @else {
            p.note {
                span.key.for { (w.side_for.as_str()) } " " span.key.against { (w.side_against.as_str()) } " " span.key.copy { (w.copies_of.as_str()) } " · " (w.graph_hint.as_str())
                @if shown.len() < wanted.len() { " · " (say!(w.shown_of, shown = shown.len(), total = wanted.len())) " " a href=(format!("{base}?only={}&most={}", only.name(), (most * 5).min(MOST))) { (w.show_more.as_str()) } }
            }
            (drawing(frame, report, shown))
            (timeline(frame, &report.timeline.years))
            details.more { summary { (w.as_table.as_str()) } (table(frame, report, shown)) }
        }
    }
}

/// Where things lie.
struct Plan<'r> {
    sources: Vec<&'r Source>,
    step_sources: f64,
    step_claims: f64,
    height: f64,
    named: bool,
}

fn plan<'r>(report: &'r Report, claims: &[&Finding]) -> Plan<'r> {
    let mut order: BTreeMap<u32, (f64, u32)> = BTreeMap::new();
    for (row, claim) in claims.iter().enumerate() {
        for number in claim.supported_by.iter().chain(&claim.refuted_by) {
            let entry = order.entry(*number).or_default();
            entry.0 += row as f64;
            entry.1 += 1;
        }
    }
    // A document lies where its claims lie on average: lines cross less.
    let mut numbers: Vec<(f64, u32)> =
        order.into_iter().map(|(number, (sum, n))| (sum / f64::from(n.max(1)), number)).collect();
    numbers.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let sources: Vec<&Source> = numbers.iter().filter_map(|it| report.source(it.1)).collect();
    let rows = sources.len().max(claims.len()).max(1);
    let named = rows <= NAMED_ROWS;
    let step = if named { 24.0 } else { 5.0 };
    let height = rows as f64 * step;
    Plan {
        step_sources: height / sources.len().max(1) as f64,
        step_claims: height / claims.len().max(1) as f64,
        sources,
        height: height + 16.0,
        named,
    }
}

fn drawing(frame: &Frame, report: &Report, claims: &[&Finding]) -> Markup {
    let plan = plan(report, claims);
    let y_of_source = |row: usize| 8.0 + (row as f64 + 0.5) * plan.step_sources;
    let y_of_claim = |row: usize| 8.0 + (row as f64 + 0.5) * plan.step_claims;
    let rows: BTreeMap<u32, usize> =
        plan.sources.iter().enumerate().map(|(row, it)| (it.number, row)).collect();
    let lines = claims.iter().enumerate().flat_map(|(row, claim)| {
        let of = |numbers: &'_ [u32], class: &'static str| {
            let found: Vec<_> = numbers
                .iter()
                .filter_map(|number| rows.get(number).map(|source| (*number, *source, class)))
                .collect();
            found
        };
        let sides = [of(&claim.supported_by, "for"), of(&claim.refuted_by, "against")].concat();
        sides.into_iter().map(move |(number, source, class)| (row, number, source, class))
    });
    let copies = report.narratives.copied.iter().flat_map(|story| {
        let first = rows.get(&story.first).copied();
        let others = story.sources.iter().filter(|it| **it != story.first);
        let others: Vec<usize> = others.filter_map(|it| rows.get(it).copied()).collect();
        others.into_iter().filter_map(move |other| Some((first?, other)))
    });
    let task = report.task_id;
    html! {
        div.scroll.drawn {
            svg.graph viewBox=(format!("0 0 {WIDTH} {:.0}", plan.height)) role="group" aria-label=(frame.w.graph_label.as_str()) data-graph {
                g.lines {
                    @for (row, number, source, class) in lines {
                        @let (from, to) = (y_of_source(source), y_of_claim(row));
                        path class=(class) data-a=(format!("s{number}")) data-b=(format!("c{row}"))
                            d=(format!("M{LEFT} {from:.1}C{:.0} {from:.1} {:.0} {to:.1} {RIGHT} {to:.1}", LEFT + 130, RIGHT - 130)) {}
                    }
                    @for (first, other) in copies {
                        @let (from, to) = (y_of_source(first), y_of_source(other));
                        path.copy d=(format!("M{} {from:.1}C{} {from:.1} {} {to:.1} {} {to:.1}", LEFT + 6, LEFT + 40, LEFT + 40, LEFT + 6)) {}
                    }
                }
                @for (row, source) in plan.sources.iter().enumerate() {
                    @let y = y_of_source(row);
                    @let name = title(source.title.as_deref(), &source.url);
                    a.node href=(format!("/source/{}?task={task}", source.page_id)) data-node=(format!("s{}", source.number)) {
                        title { (name) " · " (publisher(&source.site)) }
                        circle cx=(LEFT) cy=(format!("{y:.1}")) r=(if plan.named { 4.5 } else { 2.2 }) {}
                        @if plan.named { text x=(LEFT - 12) y=(format!("{:.1}", y + 4.0)) text-anchor="end" { (text::shortened(&name, 52)) } }
                    }
                }
                @for (row, claim) in claims.iter().enumerate() {
                    @let y = y_of_claim(row);
                    @let class = standing_class(claim.standing);
                    a.node.claim.(class) href=(format!("/task/{task}#{}", claim.claim_id)) data-node=(format!("c{row}")) {
                        title { (plain(&claim.text)) " · " (figure(&claim.confidence)) }
                        circle cx=(RIGHT) cy=(format!("{y:.1}")) r=(format!("{:.1}", if plan.named { 3.5 + 4.0 * claim.confidence.confidence } else { 2.4 })) {}
                        @if plan.named { text x=(RIGHT + 14) y=(format!("{:.1}", y + 4.0)) { (text::shortened(&plain(&claim.text), 58)) } }
                    }
                }
            }
        }
    }
}

fn standing_class(standing: Standing) -> &'static str {
    match standing {
        Standing::Supported => "for",
        Standing::OneSource => "open",
        Standing::Disputed => "mixed",
        Standing::Refuted => "against",
    }
}

/// Evidence by year: for above the line, against below.
fn timeline(frame: &Frame, years: &[YearCount]) -> Markup {
    let (Some(first), Some(last)) = (years.first(), years.last()) else { return html! {} };
    let span = usize::try_from(last.year - first.year).unwrap_or(0) + 1;
    let most = years.iter().map(|it| it.supports.max(it.refutes)).max().unwrap_or(1).max(1);
    let step = (1_000.0 / span as f64).min(80.0);
    let height = |n: u32| f64::from(n) / f64::from(most) * 56.0;
    // A year is named where the one before it leaves room.
    let mut named: Vec<i32> = Vec::new();
    for it in years {
        let room = |last: &i32| f64::from(it.year - last) * step >= 44.0;
        if named.last().is_none_or(room) {
            named.push(it.year);
        }
    }
    html! {
        section.timeline {
            h2 { (frame.w.years.as_str()) }
            div.scroll.drawn { svg.years viewBox=(format!("0 0 {:.0} 150", step * span as f64 + 20.0)) role="img" aria-label=(frame.w.years.as_str()) {
                line.axis x1="0" y1="70" x2=(format!("{:.0}", step * span as f64 + 20.0)) y2="70" {}
                @for it in years {
                    @let x = 10.0 + f64::from(it.year - first.year) * step;
                    @let width = format!("{:.1}", step * 0.7);
                    g {
                        title { (it.year) ": +" (it.supports) " −" (it.refutes) }
                        rect.for x=(format!("{x:.1}")) y=(format!("{:.1}", 69.0 - height(it.supports))) width=(width) height=(format!("{:.1}", height(it.supports))) {}
                        rect.against x=(format!("{x:.1}")) y="71" width=(width) height=(format!("{:.1}", height(it.refutes))) {}
                    }
                    @if named.contains(&it.year) {
                        text x=(format!("{:.1}", x + step * 0.35)) y="146" text-anchor="middle" { (it.year) }
                    }
                }
            } }
        }
    }
}

fn table(frame: &Frame, report: &Report, claims: &[&Finding]) -> Markup {
    let w = frame.w;
    let names = |numbers: &[u32]| {
        html! {
            @for source in numbers.iter().filter_map(|it| report.source(*it)) {
                div { a href=(format!("/source/{}?task={}", source.page_id, report.task_id)) { (text::shortened(&title(source.title.as_deref(), &source.url), 60)) } @if let Some(year) = source.year { " " span.note { (year) } } }
            }
        }
    };
    html! {
        div.scroll { table id="graph-table" data-sortable {
            thead { tr { th { (w.claim.as_str()) } th.number { (w.confidence.as_str()) } th { (w.column_for.as_str()) } th { (w.column_against.as_str()) } } }
            tbody { @for it in claims { tr {
                td { a href=(format!("/task/{}#{}", report.task_id, it.claim_id)) { (plain(&it.text)) } }
                td.number { (format!("{:.2}", it.confidence.confidence)) }
                td data-value=(it.supported_by.len()) { (names(&it.supported_by)) }
                td data-value=(it.refuted_by.len()) { (names(&it.refuted_by)) }
            } } }
        } }
    }
}
