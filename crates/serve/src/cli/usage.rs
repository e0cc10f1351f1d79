//! What is wrong with a command line: in clap's own words in English, in ours in Japanese, as JSON for programs.

use std::error::Error as _;
use std::ffi::OsString;

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use report::Language;

use super::{Global, Invocation};
use crate::config::Environment;
use crate::failure::Failure;
use crate::ui::Ui;
use crate::words::{Words, in_words, say};

/// Answers what clap has to say: help, the version, or what is wrong with the command line.
pub(super) fn answer(error: &Error, arguments: &[OsString]) -> u8 {
    let flags = || arguments.iter().take_while(|word| *word != "--");
    let json_lines = flags().any(|word| word == "--json-lines");
    let json = !json_lines && flags().any(|word| word == "--json");
    let global = Global { json, json_lines, ..Global::default() };
    let invocation = Invocation { global, environment: Environment::of_process() };
    let ui = invocation.ui(&invocation.output());
    let is_answer = matches!(
        error.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    );
    if !is_answer && ui.is_json() {
        let failure = failure(error);
        ui.failure(&failure);
        return failure.kind.exit_code();
    }
    match japanese(error).filter(|_| !is_answer && ui.language() == Language::Ja) {
        Some(message) => tell(&ui, error, &message),
        // clap knows its stream and colours; a closed one leaves nobody to tell.
        None => drop(error.print()),
    }
    u8::try_from(error.exit_code()).unwrap_or(2)
}

/// clap's message without its layout: the first line is the error, the rest tips and usage.
fn failure(error: &Error) -> Failure {
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

/// The message with what is near to what was typed, and how the command is used.
fn tell(ui: &Ui, error: &Error, message: &str) {
    let words = &Words::of(Language::Ja).usage;
    let near = [
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedArg,
        ContextKind::SuggestedValue,
        ContextKind::SuggestedCommand,
    ];
    let near: Vec<String> = near.into_iter().filter_map(|it| value(error, it)).collect();
    let mut lines = vec![message.to_owned()];
    if !near.is_empty() {
        lines.push(say!(words.near, names = near.join(&say!(words.or))));
    }
    if let Some(usage) = error.get(ContextKind::Usage) {
        let usage = usage.to_string();
        let usage = usage.trim().strip_prefix("Usage:").unwrap_or(&usage).trim().to_owned();
        lines.push(String::new());
        lines.push(say!(words.usage, usage = usage));
    }
    lines.push(String::new());
    lines.push(words.help.as_str().to_owned());
    ui.misused(&lines);
}

/// What is wrong, in Japanese; nothing for a kind that clap adds one day.
fn japanese(error: &Error) -> Option<String> {
    let words = &Words::of(Language::Ja).usage;
    let argument = || value(error, ContextKind::InvalidArg).unwrap_or_default();
    let given = || value(error, ContextKind::InvalidValue).unwrap_or_default();
    Some(match error.kind() {
        ErrorKind::InvalidValue if given().is_empty() => {
            say!(words.no_value, argument = argument())
        }
        ErrorKind::InvalidValue => {
            let possible = value(error, ContextKind::ValidValue).unwrap_or_default();
            say!(words.bad_value, argument = argument(), value = given(), possible = possible)
        }
        ErrorKind::ValueValidation => {
            let why = error.source().map(ToString::to_string).unwrap_or_default();
            let why = in_words(&why, Language::Ja);
            say!(words.refused_value, argument = argument(), value = given(), why = why)
        }
        ErrorKind::UnknownArgument => say!(words.no_argument, argument = argument()),
        ErrorKind::InvalidSubcommand => {
            let name = value(error, ContextKind::InvalidSubcommand).unwrap_or_default();
            say!(words.no_command, name = name)
        }
        ErrorKind::MissingRequiredArgument => say!(words.missing, arguments = argument()),
        ErrorKind::MissingSubcommand => {
            let possible = value(error, ContextKind::ValidSubcommand).unwrap_or_default();
            say!(words.missing_command, possible = possible)
        }
        ErrorKind::ArgumentConflict => match value(error, ContextKind::PriorArg) {
            Some(other) if other != argument() => {
                say!(words.conflict, argument = argument(), other = other)
            }
            _ => say!(words.twice, argument = argument()),
        },
        ErrorKind::TooManyValues => {
            say!(words.too_many, argument = argument(), value = given())
        }
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            say!(words.no_value, argument = argument())
        }
        ErrorKind::NoEquals => say!(words.no_value, argument = argument()),
        ErrorKind::InvalidUtf8 => words.not_utf8.as_str().to_owned(),
        _ => return None,
    })
}

/// A value of the error as text: several are separated by commas.
fn value(error: &Error, kind: ContextKind) -> Option<String> {
    Some(match error.get(kind)? {
        ContextValue::Strings(all) => all.join(", "),
        ContextValue::StyledStrs(all) => {
            all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        }
        ContextValue::None => return None,
        one => one.to_string(),
    })
}
