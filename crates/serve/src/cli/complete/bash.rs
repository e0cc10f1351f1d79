//! Completion in bash: its own words are cut at colons, and it has no place for descriptions.
//!
//! The line is therefore cut here, and where bash only lists what there is, each is followed by what it is about.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use clap::Command;
use clap_complete::engine::{CompletionCandidate, complete};
use clap_complete::env::EnvCompleter;

/// The line up to the cursor.
const LINE: &str = "_LYRA_LINE";
/// What bash is about to do with the answer: `COMP_TYPE`.
const KIND: &str = "_LYRA_COMP_TYPE";
/// Kinds in which bash lists, and inserts nothing that tells candidates apart: `!`, `?` and `@`.
const LISTS: [&str; 3] = ["33", "63", "64"];
/// Bash takes what follows the last of these for the word.
const BREAKS: [char; 2] = [':', '='];

pub(super) struct Bash;

impl EnvCompleter for Bash {
    fn name(&self) -> &'static str {
        "bash"
    }

    fn is(&self, name: &str) -> bool {
        name == self.name()
    }

    fn write_registration(
        &self,
        var: &str,
        name: &str,
        bin: &str,
        completer: &str,
        buf: &mut dyn Write,
    ) -> io::Result<()> {
        writeln!(
            buf,
            r#"_{name}() {{
    COMPREPLY=()
    local line
    while IFS= read -r line; do
        COMPREPLY+=("$line")
    done < <({var}=bash {LINE}="${{COMP_LINE:0:COMP_POINT}}" {KIND}="$COMP_TYPE" {completer} -- line 2>/dev/null)
}}
complete -o default -o nosort -F _{name} {bin} 2>/dev/null || complete -o default -F _{name} {bin}"#
        )
    }

    fn write_complete(
        &self,
        cmd: &mut Command,
        _: Vec<OsString>,
        current_dir: Option<&Path>,
        buf: &mut dyn Write,
    ) -> io::Result<()> {
        let words = words(&env::var(LINE).unwrap_or_default());
        let typed = words.last().cloned().unwrap_or_default();
        let last = words.len().saturating_sub(1);
        let words = words.into_iter().map(OsString::from).collect();
        let mut candidates = complete(cmd, words, last, current_dir)?;
        // Options are for those who begin one; where words are wanted, they are in the way.
        let is_word = |it: &CompletionCandidate| !it.get_value().to_string_lossy().starts_with('-');
        if candidates.iter().any(is_word) {
            candidates.retain(is_word);
        }
        let lists = env::var(KIND).is_ok_and(|kind| LISTS.contains(&&*kind));
        for candidate in &candidates {
            let value = candidate.get_value().to_string_lossy();
            let value = value.strip_prefix(before_break(&typed)).unwrap_or(&value);
            match about(candidate).filter(|_| lists && candidates.len() > 1) {
                Some(about) => writeln!(buf, "{value}  ({about})")?,
                None => writeln!(buf, "{value}")?,
            }
        }
        Ok(())
    }
}

/// The words of the line that is being completed, if it is bash that asks.
pub(super) fn typed() -> Option<Vec<OsString>> {
    let line = env::var(LINE).ok()?;
    Some(words(&line).into_iter().map(OsString::from).collect())
}

fn about(candidate: &CompletionCandidate) -> Option<String> {
    let help = candidate.get_help()?.to_string();
    help.lines().next().map(str::to_owned)
}

/// What bash leaves alone in front of the word that it completes.
fn before_break(typed: &str) -> &str {
    typed.rfind(BREAKS).map_or("", |at| &typed[..=at])
}

/// The words of a line that is still being typed; the last one may be empty, and quotes need no end.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let (mut quote, mut escaped) = (None, false);
    for c in line.chars() {
        match (quote, c) {
            _ if escaped => {
                escaped = false;
                push(&mut words, c);
            }
            (None | Some('"'), '\\') => escaped = true,
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, c) if c.is_whitespace() => {
                if words.last().is_some_and(|it| !it.is_empty()) {
                    words.push(String::new());
                }
            }
            (_, c) => push(&mut words, c),
        }
    }
    words
}

fn push(words: &mut [String], c: char) {
    if let Some(word) = words.last_mut() {
        word.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_being_typed_is_cut_as_a_shell_would() {
        for (line, expected) in [
            ("lyra ", &["lyra", ""][..]),
            ("lyra report task:", &["lyra", "report", "task:"]),
            ("lyra find 'two words' --task=la", &["lyra", "find", "two words", "--task=la"]),
            ("lyra find \"open quo", &["lyra", "find", "open quo"]),
            ("lyra find a\\ b  ", &["lyra", "find", "a b", ""]),
        ] {
            assert_eq!(words(line), expected, "{line}");
        }
    }

    #[test]
    fn bash_completes_what_follows_a_colon() {
        assert_eq!(before_break("task:1"), "task:");
        assert_eq!(before_break("--task=task:"), "--task=task:");
        assert_eq!(before_break("report"), "");
    }
}
