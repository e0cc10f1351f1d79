//! Turning templates into SQL views of the file, and noticing when that must be done again.
//!
//! `lyra_meta` records what was installed, with a fingerprint of everything it was made from, so
//! that opening a graph costs one row and a hash, and no template is rendered while nothing changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, ErrorKind, UndefinedBehavior};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior};
use serde::{Deserialize, Serialize};

use super::shipped::{FOUNDATIONS, PARTS, SHIPPED_VIEWS, ShippedView};
use super::{ViewOptions, create_statement};
use crate::{Result, SCHEMA_VERSION};

/// A template of a user; the largest of ours has some kilobytes.
const MAX_TEMPLATE_BYTES: u64 = 256 * 1024;
/// Instructions of a template. The largest of ours takes some hundred.
const MAX_TEMPLATE_STEPS: u64 = 100_000;
/// What a template may make; SQLite takes a million bytes of SQL.
const MAX_SQL_BYTES: usize = 1_000_000;

const SUFFIX: &str = ".sql.j2";
const META_KEY: &str = "views";

/// A view that is not in force as its author meant it, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewProblem {
    /// The view, or `v_*` when it concerns all of them.
    pub view: String,
    /// The user's file, where it is about one.
    pub path: Option<PathBuf>,
    pub problem: String,
}

impl fmt::Display for ViewProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.view, self.problem)
    }
}

/// What the file holds, as it was noted when it was put there.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Installed {
    fingerprint: String,
    /// Every view we made, and the user's file it was made from.
    pub(super) origins: BTreeMap<String, Option<PathBuf>>,
    pub(crate) problems: Vec<ViewProblem>,
}

/// A file of the user: its text, or why it cannot be read.
struct UserFile {
    name: String,
    path: PathBuf,
    text: io::Result<String>,
}

/// Everything the views are made from, read but not yet understood.
pub(crate) struct Sources<'a> {
    options: &'a ViewOptions,
    user: Vec<UserFile>,
    /// Why the user's folder cannot be read, if it cannot.
    unreadable: Option<ViewProblem>,
    fingerprint: String,
}

impl<'a> Sources<'a> {
    pub(crate) fn read(options: &'a ViewOptions) -> Result<Self> {
        options.settings.refuse_unusable()?;
        let (user, unreadable) = match options.user_dir.as_deref().map(user_files) {
            Some(Ok(files)) => (files, None),
            Some(Err(problem)) => (Vec::new(), Some(problem)),
            None => (Vec::new(), None),
        };
        let mut hasher = blake3::Hasher::new();
        let mut add = |part: &[u8]| {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
        };
        add(&SCHEMA_VERSION.to_le_bytes());
        add(format!("{:?}", options.settings).as_bytes());
        add(PARTS.1.as_bytes());
        for view in FOUNDATIONS.iter().chain(SHIPPED_VIEWS) {
            add(view.name.as_bytes());
            add(view.template.as_bytes());
        }
        for file in &user {
            add(file.path.as_os_str().as_encoded_bytes());
            match &file.text {
                Ok(text) => add(text.as_bytes()),
                Err(error) => add(error.to_string().as_bytes()),
            }
        }
        if let Some(problem) = &unreadable {
            add(problem.problem.as_bytes());
        }
        let fingerprint = hasher.finalize().to_hex().to_string();
        Ok(Self { options, user, unreadable, fingerprint })
    }

    /// Whether `installed` was made from these.
    pub(crate) fn made(&self, installed: &Installed) -> bool {
        installed.fingerprint == self.fingerprint
    }

    /// Makes sure the file's views are made from these, and says what is in force.
    pub(crate) fn install(&self, connection: &mut Connection) -> Result<Installed> {
        let known = installed(connection)?;
        if let Some(known) = &known
            && self.made(known)
        {
            return Ok(known.clone());
        }
        let mut transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for name in known.iter().flat_map(|it| it.origins.keys()) {
            drop_view(&transaction, name)?;
        }
        let now = self.install_all(&mut transaction)?;
        let note = serde_json::to_string(&now).expect("names, paths read as text, and messages");
        transaction.execute(
            "INSERT INTO lyra_meta (key, value) VALUES (?1, ?2)
             ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            [META_KEY, &note],
        )?;
        transaction.commit()?;
        Ok(now)
    }

    fn install_all(&self, transaction: &mut Transaction<'_>) -> Result<Installed> {
        let environment = self.environment();
        let mut origins = BTreeMap::new();
        for view in FOUNDATIONS.iter().chain(SHIPPED_VIEWS) {
            put_shipped(transaction, &environment, view)?;
            origins.insert(view.name.to_owned(), None);
        }
        let mut problems = Vec::from_iter(self.unreadable.clone());
        let mut report = |file: &UserFile, problem: String| {
            let (view, path) = (file.name.clone(), Some(file.path.clone()));
            problems.push(ViewProblem { view, path, problem });
        };
        let mut waiting = Vec::new();
        for file in &self.user {
            match rendered(&environment, file) {
                Ok(sql) => waiting.push((file, sql)),
                Err(problem) => report(file, problem),
            }
        }
        // A user's view may depend on another one of theirs: retry while that installs more.
        loop {
            let mut refused = Vec::new();
            let tried = waiting.len();
            for (file, sql) in waiting {
                match put_user(transaction, &origins, &file.name, &sql)? {
                    Ok(()) => {
                        origins.insert(file.name.clone(), Some(file.path.clone()));
                    }
                    Err(problem) => refused.push((file, sql, problem)),
                }
            }
            if refused.len() == tried {
                refused.into_iter().for_each(|(file, _, problem)| report(file, problem));
                break;
            }
            waiting = refused.into_iter().map(|(file, sql, _)| (file, sql)).collect();
        }
        Ok(Installed { fingerprint: self.fingerprint.clone(), origins, problems })
    }

    fn environment(&self) -> Environment<'static> {
        let mut environment = Environment::new();
        environment.set_fuel(Some(MAX_TEMPLATE_STEPS));
        // A misspelt setting must not turn into an empty place in SQL.
        environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
        environment.set_syntax(
            SyntaxConfig::builder()
                .trim_blocks(true)
                .lstrip_blocks(true)
                .build()
                .expect("the default delimiters stay as they are"),
        );
        environment.add_template(PARTS.0, PARTS.1).expect("the shipped pieces are well formed");
        self.options.settings.give_to(&mut environment);
        environment
    }
}

/// What the file says is installed. A note that cannot be read counts as none.
pub(crate) fn installed(connection: &Connection) -> Result<Option<Installed>> {
    let note: Option<String> = connection
        .prepare_cached("SELECT value FROM lyra_meta WHERE key = ?1")?
        .query_row([META_KEY], |row| row.get(0))
        .optional()?;
    Ok(note.and_then(|it| serde_json::from_str(&it).ok()))
}

fn user_files(dir: &Path) -> Result<Vec<UserFile>, ViewProblem> {
    let cannot = |error: io::Error| ViewProblem {
        view: "v_*".to_owned(),
        path: Some(dir.to_owned()),
        problem: format!("the folder cannot be read: {error}"),
    };
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(cannot(error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(cannot)?.path();
        let file_name = path.file_name().map(|it| it.to_string_lossy().into_owned());
        let name = file_name.as_deref().and_then(|it| it.strip_suffix(SUFFIX)).map(str::to_owned);
        if let Some(name) = name {
            files.push(UserFile { name, text: files::read_text(&path, MAX_TEMPLATE_BYTES), path });
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// Takes what a template writes until it is too much.
#[derive(Debug, Default)]
struct Short {
    bytes: Vec<u8>,
    is_full: bool,
}

impl io::Write for Short {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + more.len() > MAX_SQL_BYTES {
            self.is_full = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(more);
        Ok(more.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The SQL of a user's view, or what is wrong with it before SQLite has seen it.
fn rendered(environment: &Environment<'_>, file: &UserFile) -> Result<String, String> {
    let well_named = file.name.strip_prefix("v_").is_some_and(|rest| {
        !rest.is_empty()
            && rest.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    });
    if !well_named {
        return Err("is not named v_ followed by lower-case letters, digits or _".to_owned());
    }
    let text = file.text.as_ref().map_err(|error| format!("cannot be read: {error}"))?;
    let file_name = format!("{}{SUFFIX}", file.name);
    let mut sql = Short::default();
    let outcome = environment
        .template_from_named_str(&file_name, text)
        .and_then(|template| template.render_captured_to((), &mut sql).map(drop));
    if sql.is_full {
        return Err(format!("the template makes more than {MAX_SQL_BYTES} bytes of SQL"));
    }
    outcome.map_err(|error| match error.kind() {
        ErrorKind::OutOfFuel => format!("the template takes more than {MAX_TEMPLATE_STEPS} steps"),
        _ => format!("the template fails: {error}"),
    })?;
    let sql = String::from_utf8(sql.bytes).map_err(|error| error.to_string())?;
    let sql = sql.trim().trim_end_matches(';').trim_end();
    if sql.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with("--")) {
        return Err("is empty".to_owned());
    }
    Ok(sql.to_owned())
}

fn put_shipped(
    transaction: &Transaction<'_>,
    environment: &Environment<'_>,
    view: &ShippedView,
) -> Result<()> {
    let sql = environment
        .template_from_named_str(view.name, view.template)
        .and_then(|template| template.render(()))
        .expect("shipped templates render with settings that passed their check");
    drop_view(transaction, view.name)?;
    transaction.execute(&create_statement(view.name, sql.trim()), [])?;
    Ok(())
}

/// Puts a user's view in place; one that does not work, or would break another of theirs, is taken
/// back and its problem returned.
fn put_user(
    transaction: &mut Transaction<'_>,
    origins: &BTreeMap<String, Option<PathBuf>>,
    name: &str,
    sql: &str,
) -> Result<Result<(), String>> {
    let savepoint = transaction.savepoint()?;
    match try_user(&savepoint, origins, name, sql) {
        Ok(()) => {
            savepoint.commit()?;
            Ok(Ok(()))
        }
        Err(problem) => Ok(Err(problem)), // the savepoint rolls back as it is dropped
    }
}

fn try_user(
    connection: &Connection,
    origins: &BTreeMap<String, Option<PathBuf>>,
    name: &str,
    sql: &str,
) -> Result<(), String> {
    // In brackets only one SELECT parses: nothing else is compiled, which for a PRAGMA would be to run it.
    connection.prepare(&format!("SELECT * FROM (\n{sql}\n)")).map_err(|error| complaint(&error))?;
    drop_view(connection, name).map_err(|error| error.to_string())?;
    connection.execute(&create_statement(name, sql), []).map_err(|error| complaint(&error))?;
    let columns = super::columns_of(connection, name).map_err(|error| complaint(&error))?;
    if !columns.iter().any(|column| column == "task_id") {
        return Err("has no column task_id".to_owned());
    }
    for (other, origin) in origins {
        if origin.is_some() && super::columns_of(connection, other).is_err() {
            return Err(format!("lacks what {other} takes from it"));
        }
    }
    Ok(())
}

fn drop_view(connection: &Connection, name: &str) -> Result<()> {
    connection.execute(&format!("DROP VIEW IF EXISTS \"{name}\""), [])?;
    Ok(())
}

/// SQLite's own words, without the statement around them.
fn complaint(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::MultipleStatement => "holds more than one statement".to_owned(),
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        rusqlite::Error::SqliteFailure(_, Some(message)) => message.clone(),
        other => other.to_string(),
    }
}
