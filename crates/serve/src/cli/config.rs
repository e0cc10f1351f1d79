//! `lyra config`: what the settings are, where they come from, where files live.

use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};
use settings::{Secret, without_password};

use super::Invocation;
use crate::config::{Entry, Origin, Settings, default_file};
use crate::failure::Failure;
use crate::ui::{Column, Table, Ui};

/// Show the settings, and where files live
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Show(Show),
    Path(Path),
    Default(Default),
}

/// Show the settings with the values in force
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra config show --origin

Next: `lyra config default` explains each setting.")]
struct Show {
    /// Show the settings for experts too; without it only those that were changed
    #[arg(long)]
    expert: bool,
    /// Say where each value came from
    #[arg(long)]
    origin: bool,
}

/// Show which files and folders are used, and whether they exist
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra config path --data-dir ./here")]
struct Path {}

/// Print a commented file with the defaults
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra config default > my.toml && lyra --config my.toml config show --origin")]
struct Default {
    /// Print the settings for experts too
    #[arg(long)]
    expert: bool,
    /// Print all of them as one page of Markdown
    #[arg(long)]
    markdown: bool,
}

impl Arguments {
    pub(crate) fn run(&self, invocation: &Invocation, ui: &Ui) -> Result<(), Failure> {
        match &self.command {
            Command::Show(arguments) => arguments.run(invocation, ui),
            Command::Path(_) => show_places(invocation, ui),
            Command::Default(arguments) => arguments.run(ui),
        }
    }
}

impl Default {
    fn run(&self, ui: &Ui) -> Result<(), Failure> {
        if self.markdown {
            let page = super::reference::settings(&Settings::sections(), ui.language_of_words());
            return if ui.is_json() {
                ui.document(&json!({ "page": page }))
            } else {
                ui.print(&page)
            };
        }
        let text = default_file(self.expert, ui.language_of_words());
        if ui.is_json() { ui.document(&json!({ "toml": text })) } else { ui.print(&text) }
    }
}

impl Show {
    fn run(&self, invocation: &Invocation, ui: &Ui) -> Result<(), Failure> {
        let config = invocation.load(&invocation.places()?)?;
        for warning in &config.warnings {
            ui.warn(warning);
        }
        let is_listed =
            |entry: &&Entry| self.expert || !entry.field.expert || entry.origin != Origin::Default;
        let entries: Vec<&Entry> = config.entries.iter().filter(is_listed).collect();
        if ui.is_json() {
            let settings: Vec<Value> = entries.iter().map(|entry| self.document(entry)).collect();
            return ui.document(&json!({ "settings": settings }));
        }
        let column = &ui.words().column;
        let mut columns = vec![Column::exact(&column.setting), Column::exact(&column.value)];
        columns.extend(self.origin.then(|| Column::exact(&column.origin)));
        let mut table = Table::new(columns);
        for entry in entries {
            let mut cells = vec![entry.key.clone(), shown(entry).to_string()];
            cells.extend(self.origin.then(|| ui.words().code(&entry.origin)));
            table.row(cells);
        }
        ui.print(&table.render(ui.layout(1)))
    }

    fn document(&self, entry: &Entry) -> Value {
        let mut fields = Map::new();
        fields.insert("key".to_owned(), entry.key.clone().into());
        fields.insert("value".to_owned(), json!(shown(entry)));
        if self.origin {
            fields.insert("origin".to_owned(), entry.origin.to_string().into());
        }
        fields.into()
    }
}

/// The value; of a secret only that there is one.
pub(crate) fn shown(entry: &Entry) -> toml::Value {
    if entry.field.secret && entry.value != entry.field.default {
        return toml::Value::String(Secret::MASK.to_owned());
    }
    match &entry.value {
        toml::Value::String(text) => toml::Value::String(without_password(text).into_owned()),
        value => value.clone(),
    }
}

fn show_places(invocation: &Invocation, ui: &Ui) -> Result<(), Failure> {
    let places = invocation.places()?;
    let words = ui.words();
    let (name, column) = (&words.config, &words.column);
    let listed = [
        (&name.config_file, places.config_file.path.clone()),
        (&name.config_folder, places.config_dir().to_owned()),
        (&name.domain_policy, places.policy()),
        (&name.data_directory, places.data_dir.clone()),
        (&name.database, places.database()),
        (&name.log_folder, places.logs()),
    ]
    .map(|(name, path)| (name.as_str(), path));
    if ui.is_json() {
        let documents = listed.iter().map(|(name, path)| {
            json!({ "name": name, "path": path.to_string_lossy(), "exists": path.exists() })
        });
        return ui.document(&json!({ "places": documents.collect::<Vec<_>>() }));
    }
    let mut table = Table::new([&column.place, &column.exists, &column.path].map(Column::exact));
    for (name, path) in &listed {
        let exists = if path.exists() { &words.common.yes } else { &words.common.no };
        table.row([*name, exists.as_str(), &*path.to_string_lossy()]);
    }
    ui.print(&table.render(ui.layout(1)))
}
