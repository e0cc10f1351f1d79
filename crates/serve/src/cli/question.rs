//! `lyra "Does tea lower blood pressure?"`: a question is a command of its own.

use std::ffi::OsString;

use clap::CommandFactory;
use text::script;

use super::Cli;

/// The command that a question stands for.
pub(super) const RESEARCH: &str = "research";

/// The arguments, with the command that was meant in front of a question.
pub(super) fn as_command(arguments: Vec<OsString>) -> Vec<OsString> {
    match first_word(&arguments) {
        Some(at) if arguments[at].to_str().is_some_and(is_question) => {
            let mut arguments = arguments;
            arguments.insert(at, RESEARCH.into());
            arguments
        }
        _ => arguments,
    }
}

/// Where the first argument stands that is no option, and no value of one.
pub(super) fn first_word(arguments: &[OsString]) -> Option<usize> {
    let mut at = 1;
    while let Some(argument) = arguments.get(at) {
        let text = argument.to_string_lossy();
        match text.as_ref() {
            "--data-dir" | "--config" | "--color" | "--set" => at += 2,
            "--" => return None,
            _ if text.starts_with('-') && text.len() > 1 => at += 1,
            _ => return Some(at),
        }
    }
    None
}

/// Whether an argument reads like a question: several words, a question mark, or Japanese.
pub(super) fn is_question(text: &str) -> bool {
    let text = text.trim();
    let reads_like_one = text.contains(char::is_whitespace)
        || text.contains(['?', '？'])
        || text.chars().any(script::is_japanese);
    reads_like_one && !is_command_line(text)
}

/// Whether a text is a command line in one argument: `lyra "task list"` means `lyra task list`.
pub(super) fn is_command_line(text: &str) -> bool {
    let words = std::iter::once("lyra").chain(text.split_whitespace());
    Cli::command().try_get_matches_from(words).is_ok()
}
