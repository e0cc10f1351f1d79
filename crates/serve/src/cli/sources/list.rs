//! `lyra sources list`.

use ::sources::apis::Api;
use clap::Args;
use serde::Serialize;

use crate::failure::Failure;
use crate::session::Session;
use crate::ui::{Column, Table};

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
        let columns = ["NAME", "KIND", "STATE"].map(Column::exact);
        let [name, kind, state] = columns;
        let mut table = Table::new([name, kind, state, Column::text("TITLE")]);
        for Row { name, title, kind, state } in rows {
            table.row([name, kind.to_owned(), state, title]);
        }
        session.ui.print(&table.render(session.ui.layout(2)))
    }
}

fn indexes(session: &Session) -> Vec<Row> {
    let settings = &session.settings.academic;
    let row = |name: &str, title: &str, enabled, key: &str| Row {
        name: name.to_owned(),
        title: title.to_owned(),
        kind: "academic",
        state: match (enabled, key.is_empty()) {
            (false, _) => "off".to_owned(),
            (true, true) => "ready, without a key".to_owned(),
            (true, false) => "ready".to_owned(),
        },
    };
    let s2 = &settings.semantic_scholar;
    let openalex = &settings.openalex;
    vec![
        row("semantic_scholar", "Semantic Scholar", s2.enabled, &s2.key),
        row("openalex", "OpenAlex", openalex.enabled, &openalex.key),
    ]
}

fn apis(session: &Session) -> Vec<Row> {
    let apis = session.apis();
    let settings = apis.settings();
    let state = |api: &Api| match api.key() {
        _ if settings.disabled.contains(&api.name) => "off".to_owned(),
        Some((key, true)) if settings.key(key).is_none() => format!("needs {key}"),
        _ => "ready".to_owned(),
    };
    let row = |it: &Api| Row {
        name: it.name.clone(),
        title: it.title.clone(),
        kind: "api",
        state: state(it),
    };
    apis.all().map(row).collect()
}

fn engines(session: &Session) -> Vec<Row> {
    let disabled = &session.settings.engines.choice.disabled;
    let engines = session.engines();
    let state = |name: &String| if disabled.contains(name) { "off" } else { "ready" }.to_owned();
    let rows = engines.all().iter().map(|it| Row {
        name: it.name.clone(),
        title: it.title.clone(),
        kind: "web",
        state: state(&it.name),
    });
    rows.collect()
}
