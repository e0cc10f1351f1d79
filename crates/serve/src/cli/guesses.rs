//! Words that people try, and the commands that do what they mean.

use super::question::{RESEARCH, is_question};
use crate::words::Words;

/// Where somebody stands (a command with commands of its own, or nothing), what they type there, and what does it.
///
/// `{latest}` is what they typed after it, or the newest task; `{question}`, `{asked}` and `{words}` the same as one text, or a place for it;
/// `{rest}` the same as it is, or nothing; other braces are what has to be named, unless something was.
type Guess = (&'static str, &'static [&'static str], &'static str);

const GUESSES: &[Guess] = &[
    (
        "",
        &[
            "ask",
            "question",
            "google",
            "start",
            "begin",
            "new",
            "create",
            "run",
            "go",
            "investigate",
            "chat",
        ],
        "{question}",
    ),
    ("", &["internet", "online"], "{question} --source web"),
    ("", &["search", "grep", "query", "lookup", "passages", "quotes", "fragments"], "find {words}"),
    ("", &["list", "ls", "history", "tasks", "status", "recent", "ps", "jobs"], "task list"),
    ("", &["show", "get", "view", "info", "describe", "details"], "task show {latest}"),
    (
        "",
        &["open", "result", "results", "summary", "print", "html", "pdf", "cat"],
        "report {latest}",
    ),
    ("", &["stop", "cancel", "abort", "kill", "end", "finish"], "task stop {latest}"),
    ("", &["resume", "continue", "retry"], "research --resume {latest}"),
    ("", &["delete", "remove", "rm"], "task delete {latest}"),
    ("", &["clean", "prune", "tidy"], "gc"),
    ("", &["facts", "findings", "statements"], "claims {latest}"),
    ("", &["why", "proof", "edges", "explain"], "evidence {CLAIM}"),
    ("", &["reject", "dislike", "wrong"], "feedback claim-reject {CLAIM} --reason TEXT"),
    ("", &["correct", "fix"], "feedback edge-correct {EDGE} refutes"),
    ("", &["block", "ban", "deny"], "domain block {HOST} --reason TEXT"),
    ("", &["unblock", "allow"], "domain unblock {HOST} --reason TEXT"),
    ("", &["fetch", "page", "load", "url", "file"], "read {URL}"),
    ("", &["download", "pages", "cache", "warc"], "archive list"),
    ("", &["docs", "manuals", "documents"], "manual ls"),
    ("", &["notes", "note"], "vault ls"),
    ("", &["save", "dump"], "export {latest}"),
    (
        "",
        &["settings", "setting", "set", "setup", "configure", "configuration", "preferences"],
        "config show",
    ),
    ("", &["init", "tutorial", "example", "examples", "try", "tour", "intro"], "demo"),
    ("", &["check", "health", "diagnose", "test", "verify"], "doctor"),
    ("", &["serve", "server", "install", "claude", "assistant"], "mcp --help"),
    ("", &["requests", "network", "traffic", "privacy"], "egress"),
    ("", &["database", "db", "tables", "schema", "graph"], "sql --schema"),
    ("", &["contradictions", "disputes"], "views v_contradictions"),
    ("", &["logs", "audit"], "log"),
    ("", &["login", "captcha"], "auth list"),
    ("", &["version"], "--version"),
    ("", &["usage", "commands"], "--help"),
    ("task", &["ls", "all", "history", "status"], "task list"),
    ("task", &["open", "view", "get", "info", "describe"], "task show {latest}"),
    ("task", &["ask", "add", "create"], "task new {asked}"),
    ("task", &["start", "run", "research"], "{question}"),
    ("task", &["cancel", "end", "finish", "kill", "abort"], "task stop {latest}"),
    ("task", &["resume", "continue"], "research --resume {latest}"),
    ("task", &["report"], "report {latest}"),
    ("task", &["export"], "export {latest}"),
    ("domain", &["ban", "deny", "reject"], "domain block {HOST} --reason TEXT"),
    ("domain", &["allow", "trust"], "domain unblock {HOST} --reason TEXT"),
    ("domain", &["remove", "delete", "reset", "undo"], "domain clear {HOST} --reason TEXT"),
    ("domain", &["show", "why", "explain", "status"], "domain check {HOST}"),
    ("domain", &["ls"], "domain list"),
    ("feedback", &["reject"], "feedback claim-reject {CLAIM} --reason TEXT"),
    ("feedback", &["restore", "undo"], "feedback claim-restore {CLAIM}"),
    ("feedback", &["correct", "edge"], "feedback edge-correct {EDGE} refutes"),
    ("manual", &["list"], "manual ls"),
    ("manual", &["search", "ask"], "manual find {words}"),
    ("manual", &["show", "open", "cat"], "manual read {MANUAL/PATH}"),
    ("vault", &["list"], "vault ls"),
    ("vault", &["search"], "vault find {words}"),
    ("vault", &["show", "open", "cat"], "vault read {FILE}"),
    ("vault", &["new", "add"], "vault create {FILE}"),
    ("config", &["list", "ls", "get"], "config show"),
    ("config", &["set", "edit"], "config path"),
    ("models", &["ls"], "models list"),
    ("models", &["install", "download"], "models add {DIR}"),
    ("models", &["delete"], "models remove {NAME}"),
    ("engines", &["ls", "status", "show"], "engines list"),
    ("sources", &["ls", "show"], "sources list"),
    ("sources", &["find", "ask"], "sources search {words}"),
    ("archive", &["ls"], "archive list"),
    ("archive", &["get", "open", "read"], "archive show {URL}"),
    ("archive", &["check"], "archive verify"),
];

/// The command line that was probably meant, as it must be typed.
pub(super) fn meant(group: &str, word: &str, rest: &[String], words: &Words) -> Option<String> {
    let word = word.to_lowercase();
    let (.., pattern) =
        GUESSES.iter().find(|(at, tried, _)| *at == group && tried.contains(&&*word))?;
    Some(format!("lyra {}", filled(pattern, rest, words)))
}

fn filled(pattern: &str, rest: &[String], words: &Words) -> String {
    let Some((before, (name, after))) =
        pattern.split_once('{').and_then(|(before, it)| Some((before, it.split_once('}')?)))
    else {
        return pattern.to_owned();
    };
    let as_typed = || rest.iter().map(|it| quoted(it)).collect::<Vec<_>>().join(" ");
    let value = match (name, rest) {
        // A single word is no question by itself.
        ("question", _) if !rest.is_empty() && !is_question(&texts(rest)) => {
            format!("{RESEARCH} {}", one_text(rest))
        }
        ("question" | "asked", []) => format!("\"{}\"", words.usage.your_question.as_str()),
        ("words", []) => format!("\"{}\"", words.usage.your_words.as_str()),
        ("question" | "asked" | "words", _) => one_text(rest),
        ("latest", []) => "latest".to_owned(),
        (_, []) => name.to_owned(),
        _ => as_typed(),
    };
    format!("{before}{value}{after}")
}

/// Several words as the one text they were meant to be; options follow it.
pub(super) fn one_text(words: &[String]) -> String {
    let options = words.iter().skip_while(|it| !it.starts_with('-'));
    let options = options.map(|it| format!(" {}", quoted(it)));
    format!("{}{}", in_quotes(&texts(words)), options.collect::<String>())
}

/// The words in front of the options.
fn texts(words: &[String]) -> String {
    let texts: Vec<&str> =
        words.iter().map(|it| &**it).take_while(|it| !it.starts_with('-')).collect();
    texts.join(" ")
}

/// A word as a shell takes it.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=,@%+~".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => in_quotes(word),
    }
}

fn in_quotes(text: &str) -> String {
    let escaped: String = text
        .chars()
        .flat_map(|c| match c {
            '"' | '$' | '`' | '\\' => vec!['\\', c],
            c => vec![c],
        })
        .collect();
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use report::Language;

    use super::*;
    use crate::cli::Cli;

    /// The words of a command line, as a shell would cut it.
    fn cut(line: &str) -> Vec<String> {
        line.split('"')
            .enumerate()
            .flat_map(|(index, part)| match index % 2 {
                0 => part.split_whitespace().map(str::to_owned).collect(),
                _ => vec![part.to_owned()],
            })
            .collect()
    }

    #[test]
    fn every_guess_leads_to_a_command_line_that_is_understood() {
        let words = Words::of(Language::En);
        for (group, tried, pattern) in GUESSES {
            let given = if pattern.starts_with("manual read") {
                "leave/rules.md#L9"
            } else {
                "example.com"
            };
            let command = group.split_whitespace().fold(Cli::command(), |command, name| {
                command.find_subcommand(name).unwrap().clone()
            });
            for word in *tried {
                assert!(command.find_subcommand(word).is_none(), "{group} {word} is a command");
                for rest in [&[][..], &[given.to_owned()]] {
                    let typed = meant(group, word, rest, words).unwrap();
                    let line = cut(&typed).into_iter().map(Into::into).collect();
                    let line = crate::cli::question::as_command(line);
                    let error = Cli::command().try_get_matches_from(line).err();
                    let kind = error.map(|it| it.kind()).filter(|kind| {
                        use clap::error::ErrorKind::{DisplayHelp, DisplayVersion};
                        !matches!(kind, DisplayHelp | DisplayVersion)
                    });
                    assert_eq!(kind, None, "{typed}");
                }
            }
        }
    }

    #[test]
    fn a_word_is_quoted_where_a_shell_needs_it() {
        for (word, expected) in [
            ("task:3", "task:3"),
            ("在宅勤務", "在宅勤務"),
            ("two words", "\"two words\""),
            ("why?", "\"why?\""),
            ("a$b\"c", "\"a\\$b\\\"c\""),
            ("", "\"\""),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }
}
