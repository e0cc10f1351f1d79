//! `lyra engines list`.

mod apis;

use clap::Args;
use graph::{CircuitState, EngineHealth, Graph};
use jiff::Timestamp;
use report::Language;
use serde::Serialize;
use sources::{Category, Checked, Engine, EngineProblem, Fault, HealthSettings, Standing};

use crate::clock::local;
use crate::failure::Failure;
use crate::session::{Session, ask};
use crate::ui::{Column, Table};
use crate::words::{Words, say};

/// List the engines and public APIs: what they are for, how they are doing, what they were asked today
///
/// Rates are moving averages. An engine whose circuit is open is resting until the time shown; after
/// that one probe decides. BROKEN is the share of pages that could not be read as declared: results were
/// on them in another layout, or nothing that says why there are none. The last such page is kept. Engines
/// whose layout was never checked against a page of theirs are named below the list. A search asks a
/// public API when its question is about what the API knows.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra engines list
  lyra engines list --json

Next: `lyra engines test NAME` asks an engine once.")]
pub(crate) struct List {}

#[derive(Debug, Serialize)]
struct Row<'a> {
    name: &'a str,
    title: &'a str,
    checked: Checked,
    categories: &'a [Category],
    languages: &'a [String],
    last_mile: bool,
    disabled: bool,
    declared_weight: f64,
    weight: f64,
    circuit: CircuitState,
    open_until: Option<Timestamp>,
    resting_until: Option<Timestamp>,
    fault: Option<Fault>,
    success_rate_1h: Option<f64>,
    success_rate_24h: Option<f64>,
    captcha_rate: Option<f64>,
    http_error_rate: Option<f64>,
    parse_failure_rate: Option<f64>,
    median_latency_ms: Option<f64>,
    ban_suspected: bool,
    answers: u32,
    requests_today: u32,
    requests_a_day: Option<u32>,
    last_outcome: Option<&'a str>,
    broken_sample: Option<&'a str>,
}

impl List {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let engines = session.engines();
        let graph = session.reader()?;
        let now = graph.now();
        let standings = ask(graph, |reader| engines.standings(reader, now))?;
        let health = session.engine_health();
        let never = Standing::default();
        let disabled = &session.settings.engines.choice.disabled;
        let rows: Vec<Row<'_>> = engines
            .all()
            .iter()
            .map(|engine| {
                let standing = standings.get(&engine.name).unwrap_or(&never);
                row(engine, standing, disabled.contains(&engine.name), &health, now)
            })
            .collect();
        let apis = session.apis();
        let paces = ask(graph, |reader| apis.standings(reader, now))?;
        let known = apis::rows(&apis, &paces);
        if session.ui.is_json() {
            #[derive(Serialize)]
            struct Listed<'a> {
                engines: Vec<Row<'a>>,
                apis: Vec<apis::Row<'a>>,
                problems: &'a [EngineProblem],
            }
            let problems = engines.problems();
            return session.ui.document(&Listed { engines: rows, apis: known, problems });
        }
        let words = session.ui.words();
        session.ui.print(&table(words, &rows).render(session.ui.layout(3)))?;
        for row in &rows {
            if let Some(sample) = row.broken_sample {
                session.ui.note(&say!(words.engines.broken_page, name = row.name, record = sample));
            }
        }
        let known = apis::table(words, &known).render(session.ui.layout(2));
        session.ui.print(&format!("\n{known}"))?;
        let told = &words.engines;
        session.ui.note(told.apis_unchecked.as_str());
        for (checked, message) in [
            (Checked::Relative, &told.checked_relative),
            (Checked::Earlier, &told.checked_earlier),
            (Checked::Never, &told.checked_never),
        ] {
            let names = rows.iter().filter(|it| it.checked == checked).map(|it| it.name);
            let names: Vec<&str> = names.collect();
            if !names.is_empty() {
                session.ui.note(&say!(message, names = names.join(", ")));
            }
        }
        Ok(())
    }
}

/// How each engine is doing, in a line a person reads.
#[derive(Debug)]
pub(crate) struct Doing {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) circuit: String,
    pub(crate) healthy: bool,
    pub(crate) success_rate_24h: Option<f64>,
    pub(crate) requests_today: u32,
}

/// The engines as [`List`] shows them, for a screen.
pub(crate) fn doing(
    session: &Session,
    graph: &Graph,
    language: Language,
) -> Result<Vec<Doing>, Failure> {
    let (engines, now) = (session.engines(), graph.now());
    let standings = graph.read(|r| engines.standings(r, now))?;
    let health = session.engine_health();
    let never = Standing::default();
    let disabled = &session.settings.engines.choice.disabled;
    let told = engines.all().iter().map(|engine| {
        let standing = standings.get(&engine.name).unwrap_or(&never);
        let row = row(engine, standing, disabled.contains(&engine.name), &health, now);
        Doing {
            name: row.name.to_owned(),
            title: row.title.to_owned(),
            circuit: circuit(Words::of(language), &row),
            healthy: row.disabled || row.circuit == CircuitState::Closed,
            success_rate_24h: row.success_rate_24h,
            requests_today: row.requests_today,
        }
    });
    Ok(told.collect())
}

fn row<'a>(
    engine: &'a Engine,
    standing: &'a Standing,
    disabled: bool,
    settings: &HealthSettings,
    now: Timestamp,
) -> Row<'a> {
    let health = standing.health.as_ref();
    let rate = |of: fn(&EngineHealth) -> Option<f64>| health.and_then(of);
    Row {
        name: &engine.name,
        title: &engine.title,
        checked: engine.checked,
        categories: &engine.categories,
        languages: &engine.languages,
        last_mile: engine.last_mile,
        disabled,
        declared_weight: engine.weight,
        weight: health.map_or(engine.weight, |it| it.weight),
        circuit: health.map_or(CircuitState::Closed, |it| settings.circuit(it, now)),
        open_until: health.and_then(|it| it.open_until),
        resting_until: standing.resting_until,
        fault: health.and_then(|it| settings.fault(it)),
        success_rate_1h: rate(|it| it.success_rate_1h),
        success_rate_24h: rate(|it| it.success_rate_24h),
        captcha_rate: rate(|it| it.captcha_rate),
        http_error_rate: rate(|it| it.http_error_rate),
        parse_failure_rate: rate(|it| it.parse_failure_rate),
        median_latency_ms: rate(|it| it.median_latency_ms),
        ban_suspected: health.is_some_and(|it| it.ban_suspected),
        answers: health.map_or(0, |it| it.samples),
        requests_today: standing.requests_today,
        requests_a_day: engine.limits.per_day,
        last_outcome: health.and_then(|it| it.last_outcome.as_deref()),
        broken_sample: health.and_then(|it| it.broken_sample.as_deref()),
    }
}

fn table(words: &Words, rows: &[Row<'_>]) -> Table {
    let column = &words.column;
    let mut table = Table::new([
        Column::exact(&column.engine),
        Column::text(&column.purpose),
        Column::number(&column.weight),
        Column::exact(&column.circuit),
        Column::number(&column.hour),
        Column::number(&column.day),
        Column::number(&column.captcha),
        Column::number(&column.broken),
        Column::number(&column.milliseconds),
        Column::number(&column.today),
        Column::exact(&column.last),
    ]);
    for row in rows {
        let percent = |share: Option<f64>| {
            share.map_or_else(|| "-".to_owned(), |share| format!("{:.0}%", share * 100.0))
        };
        let today = match row.requests_a_day {
            Some(most) => format!("{}/{most}", row.requests_today),
            None => row.requests_today.to_string(),
        };
        table.row([
            row.name.to_owned(),
            purpose(words, row),
            format!("{:.2}", row.weight),
            circuit(words, row),
            percent(row.success_rate_1h),
            percent(row.success_rate_24h),
            percent(row.captcha_rate),
            percent(row.parse_failure_rate),
            row.median_latency_ms.map_or_else(|| "-".to_owned(), |it| format!("{it:.0}")),
            today,
            row.last_outcome.unwrap_or("-").to_owned(),
        ]);
    }
    table
}

fn purpose(words: &Words, row: &Row<'_>) -> String {
    let words = &words.engines;
    let name = |category: &Category| match category {
        Category::General => words.general.as_str(),
        Category::News => words.news.as_str(),
        Category::Academic => words.academic.as_str(),
        Category::Government => words.government.as_str(),
        Category::Technical => words.technical.as_str(),
    };
    let mut purpose: Vec<&str> = row.categories.iter().map(name).collect();
    if row.last_mile {
        purpose.push(words.last_mile.as_str());
    }
    purpose.join(" ")
}

fn circuit(words: &Words, row: &Row<'_>) -> String {
    let words = &words.engines;
    let until = row.open_until.max(row.resting_until);
    let until = until.map(|time| local(time).strftime("%H:%M").to_string());
    match (row.disabled, row.circuit, until) {
        (true, ..) => String::from(&words.disabled),
        (_, CircuitState::Open, Some(time)) => say!(words.open_until, time = time),
        (_, CircuitState::Closed, Some(time)) if row.resting_until.is_some() => {
            say!(words.resting_until, time = time)
        }
        (_, CircuitState::Open, _) => String::from(&words.open),
        (_, CircuitState::Closed, _) => String::from(&words.closed),
        (_, CircuitState::HalfOpen, _) => String::from(&words.half_open),
    }
}
