//! The terminal: data goes to stdout, everything else to stderr.
//!
//! The only module that writes to either. Text from strangers passes [`text::clean`] on its way,
//! so that a page or a file name can never drive the reader's terminal.

mod marked;
mod table;
mod text;

use std::ffi::OsStr;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};

use ::text::messages::Message;
use report::Language;
use serde::Serialize;

use crate::config::{ColorChoice, Environment};
use crate::failure::{Failure, Kind};
use crate::words::Words;

pub(crate) use marked::marked;
pub(crate) use table::{Column, Layout, Table, record};
pub(crate) use text::{clean, width};

/// Width assumed for a terminal that does not tell.
const USUAL_WIDTH: usize = 80;

/// How the user wants to be answered.
#[derive(Debug, Clone)]
pub(crate) struct Ui {
    json: bool,
    quiet: bool,
    bold_stdout: bool,
    bold_stderr: bool,
    /// Columns of the terminal; `None` when the output goes elsewhere and must not be cut.
    width: Option<usize>,
    /// Shared by all clones: who reports a failure may not know which question was asked.
    language: Arc<Mutex<Language>>,
}

/// What flags and the environment say about output.
#[derive(Debug)]
pub(crate) struct Wishes<'a> {
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    pub(crate) color: ColorChoice,
    pub(crate) environment: &'a Environment,
}

impl Ui {
    pub(crate) fn new(wishes: &Wishes<'_>) -> Self {
        let plain = wishes.environment.get("NO_COLOR").is_some()
            || wishes.environment.get("TERM").is_some_and(|it| it == "dumb");
        let bold = |is_terminal: bool| match wishes.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => is_terminal && !plain,
        };
        let is_terminal = io::stdout().is_terminal();
        Self {
            json: wishes.json,
            quiet: wishes.quiet,
            bold_stdout: bold(is_terminal),
            bold_stderr: bold(io::stderr().is_terminal()),
            width: is_terminal.then(|| terminal_width(wishes.environment)),
            language: Arc::new(Mutex::new(locale_language(wishes.environment))),
        }
    }

    /// Answers in this language from now on: that of the question, where there is one.
    pub(crate) fn speak(&self, language: Language) {
        *self.language.lock().unwrap_or_else(PoisonError::into_inner) = language;
    }

    pub(crate) fn language(&self) -> Language {
        *self.language.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What Lyra says. Programs that read JSON get the same words everywhere.
    pub(crate) fn words(&self) -> &'static Words {
        Words::of(if self.json { Language::En } else { self.language() })
    }

    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Whether a person looks at stdout.
    pub(crate) fn is_terminal(&self) -> bool {
        self.width.is_some()
    }

    /// Columns for text that is wrapped wherever it goes.
    pub(crate) fn columns(&self) -> usize {
        self.width.unwrap_or(USUAL_WIDTH)
    }

    /// How tables and records are laid out; a cell may take `lines` lines on a terminal.
    pub(crate) fn layout(&self, lines: usize) -> Layout {
        Layout { width: self.width, lines, bold: self.bold_stdout }
    }

    /// Writes lines of data that are clean already.
    pub(crate) fn print(&self, lines: &str) -> Result<(), Failure> {
        self.write(lines.as_bytes())?;
        if lines.is_empty() || lines.ends_with('\n') { Ok(()) } else { self.write(b"\n") }
    }

    /// Writes bytes of data as they are.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        Ok(out.flush()?)
    }

    /// Writes the one JSON document of a command: `ok` and the fields of `body`.
    pub(crate) fn document(&self, body: &impl Serialize) -> Result<(), Failure> {
        self.verdict(true, body)
    }

    /// Writes the one JSON document of a command that looked whether something is well.
    pub(crate) fn verdict(&self, ok: bool, body: &impl Serialize) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct Document<'a, T> {
            ok: bool,
            #[serde(flatten)]
            body: &'a T,
        }
        self.print(&pretty_json(&Document { ok, body })?)
    }

    /// Writes one line of a stream of JSON.
    pub(crate) fn line(&self, value: &serde_json::Value) -> Result<(), Failure> {
        self.print(&escaped(&value.to_string()))
    }

    /// Tells the person how it went, where no script is listening.
    pub(crate) fn note(&self, message: &str) {
        if !self.quiet && !self.json {
            tell(message);
        }
    }

    /// Points out something that is probably not meant.
    pub(crate) fn warn(&self, message: &str) {
        if self.quiet {
            return;
        }
        if self.json {
            tell(&escaped(&serde_json::json!({ "warning": message }).to_string()));
        } else {
            let label = self.label(self.words().ui.warning.as_str());
            tell(&format!("{label} {}", clean(message)));
        }
    }

    pub(crate) fn failure(&self, failure: &Failure) {
        if failure.kind == Kind::BrokenPipe {
            return;
        }
        if self.json {
            tell(&escaped(&failure.document().to_string()));
            return;
        }
        let words = self.words();
        let line =
            |label: &Message, text: &str| format!("{} {}", self.label(label.as_str()), clean(text));
        let mut lines = vec![line(&words.ui.error, &failure.error.to_string())];
        lines.extend(failure.causes().iter().map(|cause| line(&words.ui.cause, cause)));
        lines.extend(failure.error_id.iter().map(|id| line(&words.ui.error_id, id)));
        lines.extend(failure.hint.iter().map(|hint| line(&words.ui.hint, &hint.text(words))));
        tell(&lines.join("\n"));
    }

    fn label(&self, label: &str) -> String {
        if self.bold_stderr { format!("\x1b[1m{label}\x1b[0m") } else { label.to_owned() }
    }
}

/// Writes a line to stderr; if that is closed too, nobody can be told.
fn tell(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// The language of messages, as POSIX finds it.
pub(crate) fn locale_language(environment: &Environment) -> Language {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(|name| environment.get(name));
    let is_japanese = locale.and_then(OsStr::to_str).is_some_and(|name| name.starts_with("ja"));
    if is_japanese { Language::Ja } else { Language::En }
}

fn terminal_width(environment: &Environment) -> usize {
    let asked = environment.get("COLUMNS").and_then(|it| it.to_str()?.parse().ok());
    asked
        .or_else(|| terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)))
        .filter(|columns| *columns > 0)
        .unwrap_or(USUAL_WIDTH)
}

/// A value as JSON for people and programs, wherever it is written to.
pub(crate) fn pretty_json(value: &impl Serialize) -> Result<String, Failure> {
    let json =
        serde_json::to_string_pretty(value).map_err(|error| Failure::new(Kind::Internal, error))?;
    Ok(escaped(&json))
}

/// Escapes what JSON allows and a terminal obeys: DEL, the C1 controls, marks that reorder text.
///
/// Outside of strings JSON is plain ASCII, so each of them is inside one; nothing is lost,
/// `\\u009b` is the same character.
fn escaped(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        if c != '\n' && text::is_unsafe(c) {
            safe += &format!("\\u{:04x}", u32::from(c));
        } else {
            safe.push(c);
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_that_of_the_locale() {
        let of = |environment: Environment| locale_language(&environment);
        assert_eq!(of(Environment::default()), Language::En);
        assert_eq!(of([("LANG", "ja_JP.UTF-8")].into()), Language::Ja);
        assert_eq!(of([("LANG", "ja_JP.UTF-8"), ("LC_ALL", "C")].into()), Language::En);
        assert_eq!(of([("LANG", "de_DE.UTF-8"), ("LC_MESSAGES", "ja")].into()), Language::Ja);
        assert_eq!(of([("LC_ALL", ""), ("LANG", "ja")].into()), Language::Ja);
    }

    #[test]
    fn json_never_carries_a_control_character_and_loses_none() {
        let value = serde_json::json!({ "text": "a\u{9b}31m\u{7f}\u{202e}\u{1b}b\n日本" });
        let written = escaped(&serde_json::to_string_pretty(&value).unwrap());
        assert_eq!(written, "{\n  \"text\": \"a\\u009b31m\\u007f\\u202e\\u001bb\\n日本\"\n}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&written).unwrap(), value);
    }
}
