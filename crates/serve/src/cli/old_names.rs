//! Names that go on working for one release after they were changed, with a word about the new one.
//!
//! clap knows them as hidden commands and aliases; what is here tells people.

use std::ffi::OsString;

use super::question::first_word;

/// What a command was called, and what it is called now.
const COMMANDS: [(&str, &str); 3] = [
    ("feedback domain-block", "domain block"),
    ("feedback domain-unblock", "domain unblock"),
    ("feedback domain-clear", "domain clear"),
];

/// The command, what an option of it was called, and what it is called now.
const OPTIONS: [(&str, &str, &str); 2] =
    [("research", "--budget-pages", "--max-pages"), ("task new", "--max-seconds", "--minutes")];

/// The old names in a command line that was understood, each with its new one, as they are typed.
pub(super) fn used(arguments: &[OsString]) -> Vec<(String, String)> {
    let Some(at) = first_word(arguments) else { return Vec::new() };
    let words: Vec<_> = arguments[at..].iter().map(|it| it.to_string_lossy()).collect();
    let line = words.join(" ");
    let is = |command: &str| line == command || line.starts_with(&format!("{command} "));
    let commands = COMMANDS.iter().filter(|(old, _)| is(old));
    let commands = commands.map(|(old, new)| (format!("lyra {old}"), format!("lyra {new}")));
    let has = |option: &str| {
        words.iter().any(|it| *it == option || it.starts_with(&format!("{option}=")))
    };
    let options = OPTIONS.iter().filter(|(command, old, _)| is(command) && has(old));
    let options = options.map(|(_, old, new)| ((*old).to_owned(), (*new).to_owned()));
    commands.chain(options).collect()
}
