//! The terminal: data goes to stdout, everything else to stderr.
//!
//! The only module that writes to either. Text from strangers passes [`text::clean`] on its way,
//! so that a page or a file name can never drive the reader's terminal.

mod call;
mod live;
mod marked;
mod table;
mod text;

use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ::text::messages::Message;
use report::Language;
use serde::Serialize;

use crate::config::{ColorChoice, Environment, LanguageChoice};
use crate::failure::{Failure, Kind};
use crate::words::{Words, in_words};

pub(crate) use call::{Call, quoted};
pub(crate) use live::{AtWork, Doing, Say, stdin};
use live::{Shows, Stack};
pub(crate) use marked::marked;
pub(crate) use table::{Column, Layout, Table, record};
pub(crate) use text::{address, clean, cut, width};

/// Width assumed for a terminal that does not tell.
pub(crate) const USUAL_WIDTH: usize = 80;

/// How the user wants to be answered.
#[derive(Clone)]
pub(crate) struct Ui {
    json: Json,
    quiet: bool,
    shows: Shows,
    /// What is at work, the latest last.
    doing: Stack,
    bold_stdout: bool,
    bold_stderr: bool,
    /// Columns of the terminal; `None` when the output goes elsewhere and must not be cut.
    width: Option<usize>,
    /// The language that was set: nothing else decides then.
    chosen: Option<Language>,
    /// Shared by all clones: who reports a failure may not know which question was asked.
    language: Arc<Mutex<Language>>,
    /// How this program was called. Shared by all clones.
    call: Arc<Mutex<Call>>,
}

impl std::fmt::Debug for Ui {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ui").field("json", &self.json).field("shows", &self.shows).finish()
    }
}

/// Whether a program reads the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Json {
    No,
    /// One document.
    Document,
    /// One object on each line: what happens, and at the end the answer.
    Lines,
}

/// What flags and the environment say about output.
#[derive(Debug)]
pub(crate) struct Wishes<'a> {
    pub(crate) json: Json,
    pub(crate) quiet: bool,
    pub(crate) color: ColorChoice,
    pub(crate) language: LanguageChoice,
    pub(crate) environment: &'a Environment,
}

impl Ui {
    pub(crate) fn new(wishes: &Wishes<'_>) -> Self {
        let is_dumb = wishes.environment.get("TERM").is_some_and(|it| it == "dumb");
        let plain = wishes.environment.get("NO_COLOR").is_some() || is_dumb;
        let bold = |is_terminal: bool| match wishes.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => is_terminal && !plain,
        };
        let is_terminal = io::stdout().is_terminal();
        let chosen = wishes.language.fixed();
        let language = chosen.unwrap_or_else(|| locale_language(wishes.environment));
        Self {
            json: wishes.json,
            quiet: wishes.quiet,
            shows: match (wishes.quiet || wishes.json != Json::No, io::stderr().is_terminal()) {
                (true, _) => Shows::Nothing,
                (false, true) if !is_dumb => Shows::Line,
                (false, _) => Shows::Lines,
            },
            doing: Stack::default(),
            bold_stdout: bold(is_terminal),
            bold_stderr: bold(io::stderr().is_terminal()),
            width: is_terminal.then(|| terminal_width(wishes.environment)),
            chosen,
            language: Arc::new(Mutex::new(language)),
            call: Arc::default(),
        }
    }

    /// Answers in this language from now on, unless one was set: that of the question, where there is one.
    pub(crate) fn speak(&self, language: Language) {
        *self.language.lock().unwrap_or_else(PoisonError::into_inner) =
            self.chosen.unwrap_or(language);
    }

    /// The language that was set, if one was.
    pub(crate) fn chosen_language(&self) -> Option<Language> {
        self.chosen
    }

    pub(crate) fn language(&self) -> Language {
        *self.language.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What Lyra says. Programs that read JSON get the same words everywhere.
    pub(crate) fn words(&self) -> &'static Words {
        Words::of(self.language_of_words())
    }

    /// The language of [`Self::words`].
    pub(crate) fn language_of_words(&self) -> Language {
        if self.is_json() { Language::En } else { self.language() }
    }

    /// What a lower crate says, in the words of the person.
    pub(crate) fn in_words(&self, english: &str) -> String {
        in_words(english, self.language_of_words())
    }

    pub(crate) fn is_json(&self) -> bool {
        self.json != Json::No
    }

    /// Whether a program reads one document.
    pub(crate) fn is_document(&self) -> bool {
        self.json == Json::Document
    }

    /// Whether a program wants to hear of what happens, a line for each.
    pub(crate) fn is_stream(&self) -> bool {
        self.json == Json::Lines
    }

    /// Whether a person sees what is at work in a line that comes and goes.
    pub(crate) fn has_live_line(&self) -> bool {
        self.shows == Shows::Line
    }

    /// Columns of the terminal that stderr is.
    pub(crate) fn stderr_columns(&self) -> usize {
        live::columns()
    }

    /// Shows that something is at work, until what it gives is dropped. Of what this is, [`Self::doing`] tells.
    pub(crate) fn at_work(&self) -> AtWork {
        AtWork::begin(self.shows, Arc::clone(&self.doing))
    }

    /// Says what is at work, until what it gives is dropped.
    pub(crate) fn doing(&self, say: Say) -> Doing {
        Doing::begin(&self.doing, say)
    }

    /// How this program was called: commands that are printed from now on are to find the same data.
    pub(crate) fn call(&self) -> MutexGuard<'_, Call> {
        self.call.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a person looks at stdout.
    pub(crate) fn is_terminal(&self) -> bool {
        self.width.is_some()
    }

    /// Whether what is printed may be bold and in colours.
    pub(crate) fn is_styled(&self) -> bool {
        self.bold_stdout
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
        Ok(live::write(bytes)?)
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
        self.whole_document(&Document { ok, body })
    }

    /// Writes a document that is whole as it is, such as a report.
    pub(crate) fn whole_document(&self, document: &impl Serialize) -> Result<(), Failure> {
        match self.json {
            Json::Lines => self.line(&json_of(document)?),
            Json::No | Json::Document => self.print(&pretty_json(document)?),
        }
    }

    /// Writes one line of a stream of JSON.
    pub(crate) fn line(&self, value: &serde_json::Value) -> Result<(), Failure> {
        self.print(&escaped(&value.to_string()))
    }

    /// Tells the person how it went, where no script is listening. Commands in it work as they are printed.
    pub(crate) fn note(&self, message: &str) {
        self.happened(&self.call().in_text(message));
    }

    /// Tells the person what happened, in a line that holds words of strangers and no commands.
    pub(crate) fn happened(&self, message: &str) {
        if !self.quiet && !self.is_json() {
            live::tell(message);
        }
    }

    /// Points out something that is probably not meant.
    pub(crate) fn warn(&self, message: &str) {
        if self.quiet {
            return;
        }
        if self.is_json() {
            live::tell(&escaped(&serde_json::json!({ "warning": message }).to_string()));
        } else {
            let label = self.label(self.words().ui.warning.as_str());
            live::tell(&format!("{label} {}", clean(&self.in_words(message))));
        }
    }

    pub(crate) fn failure(&self, failure: &Failure) {
        if failure.kind == Kind::BrokenPipe {
            return;
        }
        if self.is_json() {
            live::tell_last(&escaped(&failure.document().to_string()));
            return;
        }
        let words = self.words();
        let line =
            |label: &Message, text: &str| format!("{} {}", self.label(label.as_str()), clean(text));
        let mut lines = vec![line(&words.ui.error, &self.in_words(&failure.error.to_string()))];
        let causes = failure.causes();
        lines.extend(causes.iter().map(|cause| line(&words.ui.cause, &self.in_words(cause))));
        lines.extend(failure.error_id.iter().map(|id| line(&words.ui.error_id, id)));
        // Options that cannot be used are no help in the command that is to help.
        let call = match failure.kind {
            Kind::Config => Call::default(),
            _ => self.call().clone(),
        };
        let hint = failure.hint.iter().map(|hint| call.in_text(&hint.text(words)));
        lines.extend(hint.map(|hint| line(&words.ui.hint, &hint)));
        live::tell_last(&lines.join("\n"));
    }

    fn label(&self, label: &str) -> String {
        if self.bold_stderr { format!("\x1b[1m{label}\x1b[0m") } else { label.to_owned() }
    }
}

fn json_of(value: &impl Serialize) -> Result<serde_json::Value, Failure> {
    serde_json::to_value(value).map_err(|error| Failure::new(Kind::Internal, error))
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
