//! The layers of the configuration: defaults, then file, environment and flags on top.
//!
//! A value's type and range come from its declaration. What does not fit is refused with the place it
//! came from, so that nobody has to guess which layer is wrong.

use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use settings::{Field, NamedSection, Secret};
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

use super::{ConfigFile, Environment, Error, Settings};

/// A configuration file is written by hand; anything larger is another file by mistake.
const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// Variables that start with `LYRA_` and are not settings.
const NOT_SETTINGS: &[&str] = &["LYRA_CONFIG", "LYRA_DATA_DIR", "LYRA_EVAL_DATA", "LYRA_LOG"];

/// Settings that name files and folders. In a configuration file they are relative to the folder of that file, because
/// what a file says must not depend on where a command was typed; in a variable or a flag they are relative to the
/// current folder, as everything is that is typed.
const PATHS: &[&str] = &["fetch.ca_file", "library.manuals", "library.vault", "mcp.library"];

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    Default,
    File { path: PathBuf, line: usize },
    Environment { name: String },
    Flag,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { path, line } => write!(f, "{}:{line}", path.display()),
            Self::Environment { name } => f.write_str(name),
            Self::Flag => f.write_str("--set"),
        }
    }
}

/// What is laid over the defaults.
#[derive(Debug)]
pub(crate) struct Sources<'a> {
    pub(crate) file: &'a ConfigFile,
    pub(crate) environment: &'a Environment,
    /// `section.key=value`, as given with `--set`.
    pub(crate) set: &'a [String],
}

/// One setting with its value and where that came from.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// `section.name`.
    pub(crate) key: String,
    pub(crate) value: Value,
    pub(crate) origin: Origin,
    pub(crate) field: Field,
}

/// The settings in force.
#[derive(Debug)]
pub(crate) struct Config {
    pub(crate) settings: Settings,
    /// Every setting in the order of the default file.
    pub(crate) entries: Vec<Entry>,
    /// What looks like a mistake and changes nothing.
    pub(crate) warnings: Vec<String>,
}

impl Config {
    pub(crate) fn load(sources: &Sources<'_>) -> Result<Self, Error> {
        let mut layers = Layers::new();
        if let Some(text) = read(sources.file)? {
            layers.apply_file(&sources.file.path, &text)?;
        }
        let home = sources.environment.get("HOME").map(Path::new);
        let warnings = layers.apply_environment(sources.environment)?;
        for assignment in sources.set {
            layers.apply_flag(assignment)?;
        }
        layers.resolve_paths(home);
        Ok(Self { settings: layers.settings(), entries: layers.entries, warnings })
    }
}

impl Default for Config {
    /// The shipped settings alone, for when the user's cannot be used.
    fn default() -> Self {
        let layers = Layers::new();
        Self { settings: layers.settings(), entries: layers.entries, warnings: Vec::new() }
    }
}

struct Layers {
    sections: Vec<NamedSection>,
    entries: Vec<Entry>,
}

impl Layers {
    fn new() -> Self {
        let sections = Settings::sections();
        let entry = |section: &NamedSection, field: &Field| Entry {
            key: format!("{}.{}", section.name, field.name),
            value: field.default.clone(),
            origin: Origin::Default,
            field: field.clone(),
        };
        let entries = sections
            .iter()
            .flat_map(|section| section.fields.iter().map(|field| entry(section, field)))
            .collect();
        Self { sections, entries }
    }

    fn apply_file(&mut self, path: &Path, text: &str) -> Result<(), Error> {
        let line_of = |offset: usize| {
            let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
            1 + before.iter().filter(|byte| **byte == b'\n').count()
        };
        let document = DeTable::parse(text).map_err(|error| Error::Syntax {
            path: path.to_owned(),
            line: line_of(error.span().map_or(0, |it| it.start)),
            message: error.message().lines().collect::<Vec<_>>().join("; "),
        })?;
        let mut leaves = Vec::new();
        flatten("", document.get_ref(), &mut leaves);
        for (start, key, value) in leaves {
            if value.is_table() && self.has_section(&key) {
                // A section without settings, such as one whose lines are all commented out.
                continue;
            }
            let origin = Origin::File { path: path.to_owned(), line: line_of(start) };
            self.replace(&key, value, origin)?;
        }
        Ok(())
    }

    /// Takes the variables that name a setting; says which ones look as if they should.
    fn apply_environment(&mut self, environment: &Environment) -> Result<Vec<String>, Error> {
        let known: Vec<(String, String)> =
            self.entries.iter().map(|it| (variable(&it.key), it.key.clone())).collect();
        let removed: Vec<(String, &str)> = self
            .sections
            .iter()
            .flat_map(|section| section.removed.iter().map(move |gone| (section.name, gone)))
            .map(|(section, gone)| (variable(&format!("{section}.{}", gone.name)), gone.why))
            .collect();
        let mut warnings = Vec::new();
        for (name, value) in environment.iter() {
            let Some(name) = name.to_str().filter(|it| it.starts_with("LYRA_")) else { continue };
            if NOT_SETTINGS.contains(&name) {
                continue;
            }
            let Some((_, key)) = known.iter().find(|(variable, _)| variable == name) else {
                let names = known.iter().map(|(variable, _)| variable.as_str());
                let removed = removed.iter().find(|(variable, _)| variable == name);
                let advice = match removed {
                    Some((_, why)) => format!(" any more: {why}"),
                    None => closest(name, names.chain(NOT_SETTINGS.iter().copied()))
                        .map(|closest| format!("; did you mean {closest}?"))
                        .unwrap_or_default(),
                };
                warnings.push(format!("the variable {name} is not a setting of Lyra{advice}"));
                continue;
            };
            // What is not UTF-8 is shown as far as it can be, and then refused by its type.
            let value = Value::String(value.to_string_lossy().into_owned());
            self.replace(key, value, Origin::Environment { name: name.to_owned() })?;
        }
        Ok(warnings)
    }

    fn apply_flag(&mut self, assignment: &str) -> Result<(), Error> {
        let (key, value) = assignment
            .split_once('=')
            .filter(|(key, _)| !key.trim().is_empty())
            .ok_or_else(|| Error::BadSet { given: assignment.to_owned() })?;
        self.replace(key.trim(), Value::String(value.trim().to_owned()), Origin::Flag)
    }

    fn replace(&mut self, key: &str, value: Value, origin: Origin) -> Result<(), Error> {
        let Some(entry) = self.entries.iter_mut().find(|entry| entry.key == key) else {
            if let Some(why) = self.why_removed(key) {
                return Err(Error::Removed { key: key.to_owned(), origin, why });
            }
            let closest = closest(key, self.entries.iter().map(|entry| entry.key.as_str()));
            return Err(Error::UnknownKey { key: key.to_owned(), origin, closest });
        };
        // Files have types of their own; variables and flags are text.
        let from_text = !matches!(origin, Origin::File { .. });
        match entry.field.admit(&value, from_text) {
            Ok(value) => {
                entry.value = value;
                entry.origin = origin;
                Ok(())
            }
            Err(expected) => {
                let given =
                    if entry.field.secret { Secret::MASK.to_owned() } else { shown(&value) };
                let (key, expert) = (key.to_owned(), entry.field.expert);
                Err(Error::BadValue { key, expected, given, origin, expert })
            }
        }
    }

    fn resolve_paths(&mut self, home: Option<&Path>) {
        for entry in self.entries.iter_mut().filter(|it| PATHS.contains(&it.key.as_str())) {
            let folder = match &entry.origin {
                Origin::File { path, .. } => path.parent(),
                _ => None,
            };
            resolve(&mut entry.value, folder, home);
        }
    }

    fn why_removed(&self, key: &str) -> Option<&'static str> {
        let (section, name) = key.split_once('.')?;
        let section = self.sections.iter().find(|known| known.name == section)?;
        section.removed.iter().find(|removed| removed.name == name).map(|removed| removed.why)
    }

    fn has_section(&self, name: &str) -> bool {
        self.sections.iter().any(|section| section.name == name)
    }

    fn settings(&self) -> Settings {
        let mut document = Table::new();
        for entry in &self.entries {
            let (section, key) = entry.key.split_once('.').expect("every default has a section");
            let section = document.entry(section).or_insert_with(|| Value::Table(Table::new()));
            let section = section.as_table_mut().expect("sections hold nothing but tables");
            section.insert(key.to_owned(), entry.value.clone());
        }
        document.try_into().expect("every value was admitted by its declaration")
    }
}

/// Makes a path, or each of a list, one that is meant from anywhere. Shells do not see `~/` in a file.
fn resolve(value: &mut Value, folder: Option<&Path>, home: Option<&Path>) {
    match value {
        Value::String(text) if !text.is_empty() => {
            let path = match (text.strip_prefix("~/"), home) {
                (Some(below), Some(home)) => home.join(below),
                _ => folder.map_or_else(|| PathBuf::from(&*text), |it| it.join(&*text)),
            };
            // Everything in a configuration is Unicode, and so is this unless the folder itself is not.
            if let Ok(path) = path.into_os_string().into_string() {
                *text = path;
            }
        }
        Value::Array(all) => all.iter_mut().for_each(|it| resolve(it, folder, home)),
        _ => {}
    }
}

/// A refused value as it appears in a message: short, on one line.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Table(_) => "a section".to_owned(),
        Value::String(text) if text.chars().count() > 60 => {
            let start: String = text.chars().take(60).collect();
            Value::String(format!("{start}…")).to_string()
        }
        other => other.to_string(),
    }
}

/// Lists the leaves of a document as (offset, dotted key, value), in the order they are written.
fn flatten(prefix: &str, table: &DeTable<'_>, leaves: &mut Vec<(usize, String, Value)>) {
    for (name, value) in table {
        let key = if prefix.is_empty() {
            name.get_ref().to_string()
        } else {
            format!("{prefix}.{}", name.get_ref())
        };
        match value.get_ref() {
            DeValue::Table(table) if !table.is_empty() => flatten(&key, table, leaves),
            leaf => leaves.push((name.span().start, key, owned(leaf))),
        }
    }
    leaves.sort_by_key(|(start, ..)| *start);
}

/// The value of a leaf. What tables hold is left behind: no setting has that type.
fn owned(value: &DeValue<'_>) -> Value {
    let number = |digits: &str| Value::Float(digits.parse().unwrap_or(f64::INFINITY));
    match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Boolean(flag) => Value::Boolean(*flag),
        // A number too large to be whole is refused as the large number it is.
        DeValue::Integer(digits) => i64::from_str_radix(digits.as_str(), digits.radix())
            .map_or_else(|_| number(digits.as_str()), Value::Integer),
        DeValue::Float(digits) => number(digits.as_str()),
        DeValue::Datetime(time) => Value::Datetime(*time),
        DeValue::Array(items) => {
            Value::Array(items.iter().map(|item| owned(item.get_ref())).collect())
        }
        DeValue::Table(_) => Value::Table(Table::new()),
    }
}

fn read(file: &ConfigFile) -> Result<Option<String>, Error> {
    let unreadable = |source| Error::Unreadable { path: file.path.clone(), source };
    // The usual way to say "no file", and the one device that never waits.
    if file.path == Path::new("/dev/null") {
        return Ok(Some(String::new()));
    }
    let opened = match files::open(&file.path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && !file.named => return Ok(None),
        opened => opened.map_err(unreadable)?,
    };
    let mut text = String::new();
    opened.take(MAX_FILE_BYTES + 1).read_to_string(&mut text).map_err(unreadable)?;
    if text.len() as u64 > MAX_FILE_BYTES {
        return Err(Error::TooLarge { path: file.path.clone(), limit: MAX_FILE_BYTES });
    }
    Ok(Some(text))
}

/// The variable that sets a key: `task.max_pages` is `LYRA_TASK_MAX_PAGES`.
fn variable(key: &str) -> String {
    format!("LYRA_{}", key.replace('.', "_").to_uppercase())
}

/// The known name nearest to what was typed, if one is near enough to be meant.
fn closest<'a>(given: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let likeness = |known: &str| {
        // Somebody who forgot the section still typed the name of the key.
        let bare = known.rsplit('.').next().filter(|_| !given.contains('.')).unwrap_or(known);
        strsim::jaro_winkler(given, known).max(strsim::jaro_winkler(given, bare))
    };
    known
        .map(|it| (likeness(it), it))
        .filter(|(likeness, _)| *likeness > 0.85)
        // Of equal ones the first: the file begins with what people change most.
        .reduce(|best, it| if it.0 > best.0 { it } else { best })
        .map(|(_, it)| it.to_owned())
}

#[cfg(test)]
mod tests {
    use report::Language;

    use super::*;
    use crate::config::default_file;

    /// Loads a file of this text; what went wrong, with its hint, is the answer otherwise.
    fn load(text: &str, environment: &Environment, set: &[&str]) -> Result<Config, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        std::fs::write(&path, text).unwrap();
        let set: Vec<String> = set.iter().map(|it| (*it).to_owned()).collect();
        let file = ConfigFile { path, named: true };
        Config::load(&Sources { file: &file, environment, set: &set }).map_err(|error| {
            let text = format!("{error}\n{}", error.hint().english());
            text.replace(&format!("{}/", folder.path().display()), "")
        })
    }

    fn refused(text: &str) -> String {
        load(text, &Environment::default(), &[]).unwrap_err()
    }

    /// `key = value (origin)` of everything that is not a default.
    fn changed(config: &Config) -> Vec<String> {
        let changed = config.entries.iter().filter(|it| it.origin != Origin::Default);
        let file_name = |origin: &Origin| match origin {
            Origin::File { line, .. } => format!("file:{line}"),
            other => other.to_string(),
        };
        changed.map(|it| format!("{} = {} ({})", it.key, it.value, file_name(&it.origin))).collect()
    }

    #[test]
    fn the_default_file_and_the_settings_name_the_same_things() {
        for language in [Language::En, Language::Ja] {
            let text = default_file(true, language);
            let settings: Settings = toml::from_str(&text).unwrap();
            assert_eq!(settings, Settings::default());
            let written: Table = toml::from_str(&text).unwrap();
            assert_eq!(Table::try_from(&settings).unwrap(), written);
        }
        let loaded = load("", &Environment::default(), &[]).unwrap();
        assert_eq!(loaded.settings, Settings::default());
        assert_eq!(changed(&loaded), Vec::<String>::new());
    }

    #[test]
    fn each_layer_covers_the_one_below() {
        let file = "[task]\nmax_pages = 1\nmax_seconds = 1\nmax_text_chars = 1\n";
        let environment = [("LYRA_TASK_MAX_PAGES", "2"), ("LYRA_TASK_MAX_SECONDS", "2")].into();
        let config = load(file, &environment, &["task.max_pages=3"]).unwrap();
        assert_eq!(
            changed(&config),
            [
                "task.max_pages = 3 (--set)",
                "task.max_seconds = 2 (LYRA_TASK_MAX_SECONDS)",
                "task.max_text_chars = 1 (file:4)",
            ]
        );
        assert_eq!(config.settings.task.max_pages, 3);
        assert_eq!(config.settings.task.max_seconds, 2);
        assert_eq!(config.settings.task.max_text_chars, 1);
    }

    #[test]
    fn paths_in_a_file_are_relative_to_its_folder() {
        let file = "[library]\nmanuals = \"manuals\"\nvault = \"~/vault\"\n[mcp]\nlibrary = [\"a/b\", \"/c\"]\n";
        let environment = [("HOME", "/home/ada"), ("LYRA_FETCH_CA_FILE", "ca.pem")].into();
        let config = load(file, &environment, &[]).unwrap();
        let path = |key: &str| {
            let entry = config.entries.iter().find(|it| it.key == key).unwrap();
            let Origin::File { path, .. } = &entry.origin else { return entry.value.to_string() };
            let folder = format!("{}/", path.parent().unwrap().display());
            entry.value.to_string().replace(&folder, "FOLDER/")
        };
        assert_eq!(path("library.manuals"), "\"FOLDER/manuals\"");
        assert_eq!(path("library.vault"), "\"/home/ada/vault\"");
        assert_eq!(path("mcp.library"), "[\"FOLDER/a/b\", \"/c\"]");
        assert_eq!(path("fetch.ca_file"), "\"ca.pem\"");
        assert_eq!(
            config.settings.library.manuals,
            config
                .entries
                .iter()
                .find(|it| it.key == "library.manuals")
                .unwrap()
                .value
                .as_str()
                .unwrap()
        );
        let config = load(file, &environment, &["library.manuals=typed"]).unwrap();
        assert_eq!(config.settings.library.manuals, "typed");
    }

    #[test]
    fn unknown_keys_are_refused_with_their_line_and_the_nearest_name() {
        assert_eq!(
            refused("[task]\nmax_pages = 1\nmax_page = 2\n"),
            "unknown setting `task.max_page` (config.toml:3)\ndid you mean `task.max_pages`?"
        );
        assert_eq!(
            refused("max_pages = 2"),
            "unknown setting `max_pages` (config.toml:1)\ndid you mean `task.max_pages`?"
        );
        assert_eq!(
            refused("[rank]\nbm25_wait = 0.5\n"),
            "unknown setting `rank.bm25_wait` (config.toml:2)\ndid you mean `rank.bm25_weight`?"
        );
        assert_eq!(
            refused("[zzz]\n"),
            "unknown setting `zzz` (config.toml:1)\n\
             `lyra config default --expert` lists every setting"
        );
    }

    #[test]
    fn wrong_values_are_refused_with_what_was_expected_and_where_they_stand() {
        let expected = "a whole number from 1 to 100000";
        for (value, given) in [
            ("\"many\"", "\"many\""),
            ("0", "0"),
            ("100001", "100001"),
            ("1.5", "1.5"),
            ("99999999999999999999", "100000000000000000000.0"),
            ("[1]", "a list"),
            ("{}", "a section"),
        ] {
            let answer = refused(&format!("[task]\nmax_pages = {value}\n"));
            let message = format!("`task.max_pages` must be {expected}, not {given}");
            assert_eq!(answer.lines().next().unwrap(), format!("{message} (config.toml:2)"));
        }
        assert_eq!(
            refused("output.color = \"pink\""),
            "`output.color` must be one of auto, always, never, not \"pink\" (config.toml:1)\n\
             `lyra config default` explains it, in section [output]"
        );
    }

    #[test]
    fn the_bounds_themselves_are_admitted() {
        for pages in [1, 100_000] {
            let text = format!("[task]\nmax_pages = {pages}");
            let config = load(&text, &Environment::default(), &[]).unwrap();
            assert_eq!(config.settings.task.max_pages, pages);
        }
    }

    #[test]
    fn broken_toml_is_refused_with_its_line() {
        assert_eq!(
            refused("[task]\nmax_pages = = 3\n"),
            "config.toml:2: extra `=`, expected nothing\n\
             the file is TOML; compare it with `lyra config default`"
        );
    }

    #[test]
    fn a_section_without_settings_changes_nothing() {
        let config = load("[task]\n# max_pages = 3\n", &Environment::default(), &[]).unwrap();
        assert_eq!(changed(&config), Vec::<String>::new());
    }

    #[test]
    fn variables_are_read_by_the_type_of_the_default() {
        let environment = [("LYRA_TASK_MAX_PAGES", "many")].into();
        assert_eq!(
            load("", &environment, &[]).unwrap_err().lines().next().unwrap(),
            "`task.max_pages` must be a whole number from 1 to 100000, not \"many\" (LYRA_TASK_MAX_PAGES)"
        );
    }

    #[test]
    fn variables_that_name_no_setting_are_pointed_out() {
        let environment = [
            ("LYRA_TASK_MAX_PAGE", "2"),
            ("LYRA_DATADIR", "x"),
            ("LYRA_CONFIG", "x"),
            ("LYRA_LOG", "debug"),
            ("OTHER", "x"),
        ];
        assert_eq!(
            load("", &environment.into(), &[]).unwrap().warnings,
            [
                "the variable LYRA_DATADIR is not a setting of Lyra; did you mean LYRA_DATA_DIR?",
                "the variable LYRA_TASK_MAX_PAGE is not a setting of Lyra; did you mean LYRA_TASK_MAX_PAGES?",
            ]
        );
    }

    #[test]
    fn assignments_on_the_command_line_need_a_key_and_a_value() {
        for given in ["task.max_pages", "=3", ""] {
            let answer = load("", &Environment::default(), &[given]).unwrap_err();
            let message = format!("`--set {given}` is not of the form section.key=value");
            assert_eq!(answer.lines().next().unwrap(), message);
        }
        let answer = load("", &Environment::default(), &["task.max_pagse=3"]).unwrap_err();
        assert_eq!(
            answer,
            "unknown setting `task.max_pagse` (--set)\ndid you mean `task.max_pages`?"
        );
    }

    #[test]
    fn a_named_file_must_exist_and_the_usual_one_may_be_missing() {
        let load = |named| {
            let file = ConfigFile { path: "/nowhere/config.toml".into(), named };
            Config::load(&Sources { file: &file, environment: &Environment::default(), set: &[] })
        };
        assert!(load(false).is_ok());
        let error = load(true).unwrap_err();
        assert_eq!(error.to_string(), "cannot read the configuration file /nowhere/config.toml");
        assert_eq!(error.hint().english(), "`lyra config default` prints a file to start from");
    }

    #[test]
    fn keys_and_tokens_are_secrets() {
        let config = load("", &Environment::default(), &[]).unwrap();
        let secrets = config.entries.iter().filter(|entry| entry.field.secret);
        assert_eq!(
            secrets.map(|entry| entry.key.as_str()).collect::<Vec<_>>(),
            [
                "academic.semantic_scholar_key",
                "academic.openalex_key",
                "apis.keys",
                "llm.key",
                "mcp.http_token",
            ]
        );
        let refused = refused("[llm]\nkey = 7\n");
        assert_eq!(
            refused.lines().next().unwrap(),
            "`llm.key` must be a string, not [set] (config.toml:2)"
        );
    }

    #[test]
    fn a_removed_setting_is_refused_with_the_reason() {
        assert_eq!(
            refused("[novelty]\nfalling_cycles = 3\n"),
            "`novelty.falling_cycles` is no longer a setting (config.toml:2)\n\
             remove the line: nothing used it"
        );
        let environment = [("LYRA_NOVELTY_FALLING_CYCLES", "3")].into();
        assert_eq!(
            load("", &environment, &[]).unwrap().warnings,
            [
                "the variable LYRA_NOVELTY_FALLING_CYCLES is not a setting of Lyra any more: nothing used it"
            ]
        );
    }
}
