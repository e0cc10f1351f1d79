//! `lyra models list`: every model there is, without loading any.

use clap::Args;
use serde::Serialize;

use crate::cli::size;
use crate::failure::Failure;
use crate::installed::{Entry, Installed, Origin, Role};
use crate::session::Session;
use crate::ui::{Column, Table};
use crate::words::{Words, say};

/// List the models: those that are built in, and those you added
///
/// Active are the built-in ones, or one you chose instead. A model declares its languages; a pair of
/// texts goes to the first active stance model that reads both, and where none does, nobody judges. A
/// decider judges again what the active stance model gives a side any chance.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra models list --json

Next: `lyra models test` shows what the active ones can do; `lyra models add DIR` adds one.")]
pub(crate) struct List {}

/// A model as scripts see it.
#[derive(Debug, Serialize)]
pub(crate) struct Listed {
    pub(crate) id: String,
    pub(crate) origin: Origin,
    pub(crate) active: bool,
    /// Its word stands where the active stance model gives a side any chance.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) decides: bool,
    #[serde(flatten)]
    pub(crate) about: Option<Described>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Described {
    pub(crate) kind: &'static str,
    pub(crate) languages: Vec<String>,
    pub(crate) dimension: usize,
    pub(crate) max_tokens: usize,
    pub(crate) bytes: u64,
}

impl List {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct Document {
            models: Vec<Listed>,
        }
        let models = found(session)?;
        if session.ui.is_json() {
            return session.ui.document(&Document { models });
        }
        let words = session.ui.words();
        session.ui.print(&table(words, &models).render(session.ui.layout(3)))
    }
}

/// The models there are, and what each is active for.
pub(crate) fn found(session: &Session) -> Result<Vec<Listed>, Failure> {
    let installed = Installed::of(session);
    let (mut active, mut deciders) = (Vec::new(), Vec::new());
    let words = session.ui.words();
    for role in Role::ALL {
        // The list is what the hints point to: a wrong setting must not stop it.
        match installed.active(role) {
            Err(failure) => {
                let hint = failure.hint.map(|hint| hint.text(words)).unwrap_or_default();
                session.ui.warn(&format!("{}; {hint}", failure.error));
            }
            Ok(found) => {
                if let Some(failure) = &found.instead_of {
                    let instead = &words.common.built_in_instead;
                    session.ui.warn(&say!(instead, problem = failure.error));
                }
                let list = if role == Role::Decider { &mut deciders } else { &mut active };
                list.extend(found.ids);
            }
        }
    }
    let entries = installed.entries()?;
    Ok(entries.into_iter().map(|it| listed(it, &active, &deciders)).collect())
}

fn listed(entry: Entry, active: &[String], deciders: &[String]) -> Listed {
    let Entry { id, origin, about } = entry;
    let decides = deciders.contains(&id);
    let active = decides || active.contains(&id);
    let (about, problem) = match about {
        Ok(it) => {
            let described = Described {
                kind: it.kind.name(),
                languages: it.languages.tags().to_vec(),
                dimension: it.dimension,
                max_tokens: it.max_tokens,
                bytes: it.bytes,
            };
            (Some(described), None)
        }
        Err(error) => {
            let failure = Failure::from(error);
            let chain = [vec![failure.error.to_string()], failure.causes()].concat();
            (None, Some(chain.join(": ")))
        }
    };
    Listed { id, origin, active, decides, about, problem }
}

fn table(words: &Words, models: &[Listed]) -> Table {
    let (column, common) = (&words.column, &words.common);
    let mut columns = vec![
        Column::exact(&column.model),
        Column::exact(&column.purpose),
        Column::exact(&column.active),
        Column::exact(&column.origin),
        Column::exact(&column.languages),
        Column::number(&column.dimension),
        Column::number(&column.tokens),
        Column::number(&column.size),
    ];
    let any_problem = models.iter().any(|it| it.problem.is_some());
    if any_problem {
        columns.push(Column::text(&column.problem));
    }
    let mut table = Table::new(columns);
    for model in models {
        let active = match model {
            Listed { decides: true, .. } => &words.models.decides,
            Listed { active: true, .. } => &common.yes,
            Listed { .. } => &common.no,
        };
        let origin = match model.origin {
            Origin::BuiltIn => &common.built_in,
            Origin::Added => &common.added,
        };
        let (active, origin) = (String::from(active), String::from(origin));
        let mut cells = match &model.about {
            Some(about) => vec![
                model.id.clone(),
                words.code(about.kind),
                active,
                origin,
                about.languages.join(" "),
                about.dimension.to_string(),
                about.max_tokens.to_string(),
                size(about.bytes),
            ],
            None => {
                let nothing = String::new;
                let unknown = [nothing(), nothing(), nothing(), nothing()];
                [vec![model.id.clone(), nothing(), active, origin], unknown.to_vec()].concat()
            }
        };
        if any_problem {
            cells.push(model.problem.clone().unwrap_or_default());
        }
        table.row(cells);
    }
    table
}
