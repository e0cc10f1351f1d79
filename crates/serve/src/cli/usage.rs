//! What is said when a command line cannot be understood: which one was meant, in one line where that can be told.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory};
use report::Language;
use serde_json::{Value, json};

use super::guesses::{meant, one_text, quoted};
use super::question::{first_word, is_command_line};
use super::{Cli, Global, Invocation, help};
use crate::config::Environment;
use crate::failure::Failure;
use crate::ui::Ui;
use crate::words::{Words, say};

/// Commands that take one text, which people forget to quote.
const TAKE_A_TEXT: [&str; 6] =
    ["research", "find", "task new", "manual find", "vault find", "sources search"];

/// Answers what clap has to say: help, the version, or what is wrong. The exit code follows.
pub(super) fn answer(error: &clap::Error, arguments: &[OsString], environment: &Environment) -> u8 {
    let flags = || arguments.iter().take_while(|word| *word != "--");
    let json_lines = flags().any(|word| word == "--json-lines");
    let json = !json_lines && flags().any(|word| word == "--json");
    let global = Global { json, json_lines, ..Global::default() };
    let invocation = Invocation { global, environment: environment.clone() };
    let ui = invocation.ui(&invocation.output());
    let json = ui.is_json();
    let language = ui.language();
    match error.kind() {
        ErrorKind::DisplayVersion if json => {
            let (version, schema) = (env!("CARGO_PKG_VERSION"), graph::SCHEMA_VERSION);
            document(&ui, &json!({ "version": version, "schema": schema }))
        }
        ErrorKind::DisplayHelp if json => {
            let help = said_by_help(error, arguments, Language::En).render().to_string();
            document(&ui, &json!({ "help": help }))
        }
        ErrorKind::DisplayVersion => print(error),
        ErrorKind::DisplayHelp => print(&said_by_help(error, arguments, language)),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand if !json => {
            print(&said_by_help(error, arguments, language))
        }
        _ => {
            let typed = Typed::of(arguments);
            let failure = match typed.meant(error, ui.words()) {
                Some(failure) => failure,
                None if json => in_one_line(error),
                None => match help::error_in(language, error) {
                    Some(message) => Failure::bad_input(message).hint({
                        let help = typed.help_command();
                        move |w| say!(w.usage.see, command = help)
                    }),
                    None => return print(error),
                },
            };
            ui.failure(&failure);
            failure.kind.exit_code()
        }
    }
}

/// Prints what clap wrote. It knows its stream and colours; a closed one leaves nobody to tell.
fn print(error: &clap::Error) -> u8 {
    let _ = error.print();
    u8::try_from(error.exit_code()).unwrap_or(2)
}

/// What clap says to a program; a closed stream leaves nobody to tell.
fn document(ui: &Ui, body: &Value) -> u8 {
    ui.document(body).map_or_else(|failure| failure.kind.exit_code(), |()| 0)
}

/// The same help again, as it is for people: grouped, and in their language.
fn said_by_help(error: &clap::Error, arguments: &[OsString], language: Language) -> clap::Error {
    let again = help::command(language).try_get_matches_from(arguments);
    again.err().unwrap_or_else(|| clap::Error::raw(error.kind(), error.render()))
}

/// clap's message without its layout: the first line is the error, the rest tips and usage.
fn in_one_line(error: &clap::Error) -> Failure {
    let text = error.render().to_string();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let message = lines.next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(message).to_owned();
    let failure = Failure::bad_input(message);
    match lines.find_map(|line| line.strip_prefix("tip: ")).map(str::to_owned) {
        Some(tip) => failure.hint(move |_| tip.clone()),
        None => failure.hint(|w| &w.hint.help),
    }
}

/// A command line as it was typed: the command it reached, and what follows.
struct Typed {
    /// As in `task show`; empty where no command was reached.
    command: String,
    rest: Vec<String>,
    /// Whether it is a question for help, as in `lyra help task`.
    help: bool,
}

impl Typed {
    fn of(arguments: &[OsString]) -> Self {
        let words: Vec<String> =
            arguments.iter().map(|it| it.to_string_lossy().into_owned()).collect();
        let mut at = first_word(arguments).unwrap_or(words.len());
        let help = words.get(at).is_some_and(|it| it == "help");
        at += usize::from(help);
        let root = Cli::command();
        let path = path(&root, &words[at.min(words.len())..]);
        Self {
            rest: words.iter().skip(at + path.len()).cloned().collect(),
            command: path.join(" "),
            help,
        }
    }

    /// What was probably meant, if it can be told.
    fn meant(&self, error: &clap::Error, words: &'static Words) -> Option<Failure> {
        let text = |kind| match error.get(kind) {
            Some(ContextValue::String(text)) => Some(text.as_str()),
            _ => None,
        };
        match error.kind() {
            ErrorKind::InvalidSubcommand => {
                let word = text(ContextKind::InvalidSubcommand)?;
                let typed = self.command_for(word, error, words);
                let given = [&*self.command, word].join(" ");
                let message = say!(words.usage.no_such_command, command = given.trim());
                Some(
                    Failure::bad_input(message)
                        .hint(move |w| say!(w.usage.type_this, command = typed)),
                )
            }
            ErrorKind::UnknownArgument if TAKE_A_TEXT.contains(&&*self.command) => {
                let word = text(ContextKind::InvalidArg).filter(|it| !it.starts_with('-'))?;
                let typed = format!("lyra {} {}", self.command, one_text(&self.rest));
                let message = say!(words.usage.one_text, word = word);
                Some(
                    Failure::bad_input(message)
                        .hint(move |w| say!(w.usage.type_this, command = typed)),
                )
            }
            _ => None,
        }
    }

    /// The command line to type instead of one with the unknown command `word`.
    fn command_for(&self, word: &str, error: &clap::Error, words: &Words) -> String {
        if is_command_line(word) {
            return format!("lyra {word}");
        }
        let at = self.rest.iter().position(|it| it == word);
        let after = at.map_or(&[][..], |at| &self.rest[at + 1..]);
        let found = meant(&self.command, word, after, words);
        let suggested = || match error.get(ContextKind::SuggestedSubcommand)? {
            // The most alike comes last.
            ContextValue::Strings(names) => names.last().map(|name| self.with(name, after)),
            ContextValue::String(name) => Some(self.with(name, after)),
            _ => None,
        };
        let is_sentence = self.command.is_empty() && !self.help && !after.is_empty();
        let asked =
            || is_sentence.then(|| format!("lyra {}", one_text(&self.rest[at.unwrap_or(0)..])));
        let typed = found.or_else(suggested).or_else(asked);
        match typed {
            Some(typed) if self.help => help_for(&typed),
            Some(typed) => typed,
            None => self.help_command(),
        }
    }

    fn with(&self, name: &str, after: &[String]) -> String {
        let mut typed = vec!["lyra".to_owned()];
        typed.extend(Some(&self.command).filter(|it| !it.is_empty()).cloned());
        typed.push(name.to_owned());
        typed.extend(after.iter().map(|it| quoted(it)));
        typed.join(" ")
    }

    /// The command that explains what was typed.
    fn help_command(&self) -> String {
        match self.command.as_str() {
            "" => "lyra --help".to_owned(),
            command => format!("lyra {command} --help"),
        }
    }
}

/// The commands that the first words name.
fn path<'a>(root: &'a Command, words: &[String]) -> Vec<&'a str> {
    let (mut command, mut path) = (root, Vec::new());
    for word in words {
        let Some(found) = command.find_subcommand(word) else { break };
        path.push(found.get_name());
        command = found;
    }
    path
}

/// The help of the command that a command line begins with.
fn help_for(typed: &str) -> String {
    let words: Vec<String> = typed.split_whitespace().skip(1).map(str::to_owned).collect();
    let root = Cli::command();
    match path(&root, &words)[..] {
        [] if words.first().is_some_and(|it| it.starts_with('"')) => {
            "lyra research --help".to_owned()
        }
        [] => "lyra --help".to_owned(),
        ref path => format!("lyra {} --help", path.join(" ")),
    }
}
