//! `lyra sources list`.

use ::sources::apis::Api;
use clap::Args;
use serde::Serialize;

use crate::failure::Failure;
use crate::session::Session;
use crate::ui::{Column, Table};
use crate::words::say;

/// List the sources and whether they can be asked
#[derive(Debug, Args)]
#[command(after_help = "Next: `lyra sources search QUERY --from NAME` asks one of them.")]
pub(crate) struct List {}

#[derive(Debug, Serialize)]
struct Row {
    name: String,
    title: String,
    kind: &'static str,
    state: String,
}

impl List {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let mut rows = indexes(session);
        rows.extend(apis(session));
        rows.extend(engines(session));
        if session.ui.is_json() {
            #[derive(Serialize)]
            struct Listed {
                sources: Vec<Row>,
            }
            return session.ui.document(&Listed { sources: rows });
        }
        let words = session.ui.words();
        let column = &words.column;
        let columns = [&column.name, &column.kind, &column.state].map(Column::exact);
        let [name, kind, state] = columns;
        let mut table = Table::new([name, kind, state, Column::text(&column.title)]);
        for Row { name, title, kind, state } in rows {
            table.row([name, kind.to_owned(), state, words.code(&title)]);
        }
        session.ui.print(&table.render(session.ui.layout(2)))
    }
}

fn indexes(session: &Session) -> Vec<Row> {
    let (settings, words) = (&session.settings.academic, &session.ui.words().sources);
    let row = |name: &str, title: &str, enabled, key: &str| Row {
        name: name.to_owned(),
        title: title.to_owned(),
        kind: words.academic.as_str(),
        state: String::from(match (enabled, key.is_empty()) {
            (false, _) => &words.off,
            (true, true) => &words.without_key,
            (true, false) => &words.ready,
        }),
    };
    let s2 = &settings.semantic_scholar;
    let openalex = &settings.openalex;
    vec![
        row("semantic_scholar", "Semantic Scholar", s2.enabled, &s2.key),
        row("openalex", "OpenAlex", openalex.enabled, &openalex.key),
    ]
}

fn apis(session: &Session) -> Vec<Row> {
    let (apis, words) = (session.apis(), &session.ui.words().sources);
    let settings = apis.settings();
    let state = |api: &Api| match api.key() {
        _ if settings.disabled.contains(&api.name) => String::from(&words.off),
        Some((key, true)) if settings.key(key).is_none() => say!(words.needs_key, key = key),
        _ => String::from(&words.ready),
    };
    let row = |api: &Api| Row {
        name: api.name.clone(),
        title: api.title.clone(),
        kind: words.api.as_str(),
        state: state(api),
    };
    apis.all().map(row).collect()
}

fn engines(session: &Session) -> Vec<Row> {
    let disabled = &session.settings.engines.choice.disabled;
    let (engines, words) = (session.engines(), &session.ui.words().sources);
    let state = |name: &String| if disabled.contains(name) { &words.off } else { &words.ready };
    let rows = engines.all().iter().map(|engine| Row {
        name: engine.name.clone(),
        title: engine.title.clone(),
        kind: words.web.as_str(),
        state: String::from(state(&engine.name)),
    });
    rows.collect()
}
