//! What `--help` shows: commands by what people want to do, and every text in the reader's language.
//!
//! English stands beside the code, in the doc comments that clap reads. Japanese is laid over it from
//! `words/help.ja.toml`, only where help is shown: a command that runs never pays for it.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::sync::LazyLock;

use clap::builder::{Resettable, StyledStr};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory};
use report::Language;
use serde::Deserialize;
use text::messages::Message;
use text::word_list;

use super::Cli;
use crate::words::{Groups, Words};

static JAPANESE: LazyLock<Texts> =
    LazyLock::new(|| word_list::read(include_str!("../../words/help.ja.toml")));

/// What people want, and the commands for it. A command that is in no group stands in the last one.
type Group = (fn(&Groups) -> &Message, &'static [&'static str]);

const GROUPS: [Group; 5] = [
    (|w| &w.ask, &["research", "crawl", "sources", "answer", "demo"]),
    (|w| &w.read, &["web", "report", "task", "find", "read", "manual", "archive", "versions"]),
    (
        |w| &w.weigh,
        &["claims", "evidence", "refs", "feedback", "domain", "views", "sql", "calibration"],
    ),
    (|w| &w.keep, &["vault", "export", "import", "backup", "restore"]),
    (
        |w| &w.look_after,
        &[
            "doctor",
            "config",
            "models",
            "engines",
            "auth",
            "egress",
            "log",
            "mcp",
            "gc",
            "completions",
            "man",
        ],
    ),
];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Texts {
    frame: Frame,
    /// Texts of arguments, for commands that say nothing else about them.
    shared: BTreeMap<String, String>,
    errors: Errors,
    commands: BTreeMap<String, Described>,
}

/// What stands around the texts on every page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Frame {
    usage: String,
    options_word: String,
    command_word: String,
    commands: String,
    arguments: String,
    options: String,
    common: String,
    example: String,
    default: String,
    values: String,
    help: String,
}

/// What clap says when a command line cannot be read, and why values are refused.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Errors {
    unknown: Message,
    missing: Message,
    conflict: Message,
    value: Message,
    no_value: Message,
    one_of: Message,
    refused: Message,
    outside: Message,
    other: Message,
    /// In the words of the parsers of values.
    reasons: BTreeMap<String, String>,
}

#[derive(Debug, Default, Deserialize)]
struct Described {
    about: String,
    long: Option<String>,
    next: Option<String>,
    /// What only the long help has at its end.
    below: Option<String>,
    #[serde(flatten)]
    arguments: BTreeMap<String, String>,
}

/// The command line as it explains itself to a reader of `language`.
pub(super) fn command(language: Language) -> Command {
    let mut command = Cli::command();
    command.build();
    let command = match language {
        Language::En => command,
        Language::Ja => JAPANESE.laid_over(command, NAME),
    };
    grouped(command, language)
}

const NAME: &str = "lyra";

/// What is wrong with a command line, in a language that clap does not speak.
pub(super) fn error_in(language: Language, error: &clap::Error) -> Option<String> {
    match language {
        Language::En => None,
        Language::Ja => Some(JAPANESE.errors.said(error)),
    }
}

/// Lists the commands by what people want to do.
fn grouped(command: Command, language: Language) -> Command {
    let groups = &Words::of(language).groups;
    let title = command.get_styles().get_header();
    let (name, usage) = (*command.get_styles().get_literal(), *command.get_styles().get_usage());
    let listed = |group: &Group| -> String {
        let rows = of_group(&command, group).into_iter().map(|it| {
            let about = it.get_about().map(StyledStr::to_string).unwrap_or_default();
            format!("  {name}{:<12}{name:#} {about}\n", it.get_name())
        });
        rows.collect()
    };
    let lists: String = GROUPS
        .iter()
        .map(|group| format!("{title}{}{title:#}\n{}\n", group.0(groups).as_str(), listed(group)))
        .collect();
    let template = format!(
        "{{about-with-newline}}\n{usage}{}{usage:#} {}\n\n{lists}{title}{}{title:#}\n{{options}}{{after-help}}",
        groups.usage.as_str(),
        groups.forms.as_str(),
        groups.options.as_str(),
    );
    command.help_template(template)
}

/// The commands of a group, in its order; the last one has what is in no other.
fn of_group<'a>(command: &'a Command, (_, names): &Group) -> Vec<&'a Command> {
    let shown = |it: &&Command| !it.is_hide_set() && it.get_name() != "help";
    let mut found: Vec<&Command> =
        names.iter().filter_map(|name| command.find_subcommand(name)).filter(shown).collect();
    let is_last = GROUPS.last().is_some_and(|(_, last)| last == names);
    let is_in_none = |it: &&Command| !GROUPS.iter().any(|(_, all)| all.contains(&it.get_name()));
    if is_last {
        found.extend(command.get_subcommands().filter(shown).filter(is_in_none));
    }
    found
}

impl Texts {
    /// Replaces what a command and everything below it says.
    fn laid_over(&'static self, mut command: Command, path: &str) -> Command {
        let frame = &self.frame;
        for below in command.get_subcommands_mut() {
            let name = below.get_name().to_owned();
            let taken = std::mem::take(below);
            *below = match (name.as_str(), path) {
                // What clap adds has the whole tree below it again, for completion only.
                ("help", _) => taken.about(&frame.help),
                (_, NAME) => self.laid_over(taken, &name),
                _ => self.laid_over(taken, &format!("{path} {name}")),
            };
        }
        let nothing = Described::default();
        let own = self.commands.get(path).unwrap_or(&nothing);
        let usage = command.render_usage().to_string();
        let usage = usage
            .trim_start_matches("Usage: ")
            .replace("[OPTIONS]", &frame.options_word)
            .replace("<COMMAND>", &format!("<{}>", frame.command_word))
            .replace("[COMMAND]", &format!("[{}]", frame.command_word));
        let examples = examples(&command);
        let examples = match examples.is_empty() {
            true => None,
            false => Some(format!("{}\n{examples}", frame.example)),
        };
        let after = [examples, own.next.clone()].into_iter().flatten().collect::<Vec<_>>();
        let mut long = own.long.iter().map(|it| format!("{}\n\n{}", own.about, it.trim_end()));
        let styles = command.get_styles().clone();
        let heading = styles.get_usage();
        command
            .mut_args(|arg| self.explained(arg, own))
            .about(&own.about)
            .long_about(styled(long.next_back()))
            .after_help(after.join("\n\n"))
            .after_long_help(styled(own.below.clone()))
            .override_usage(usage)
            .subcommand_help_heading(frame.commands.as_str())
            .help_template(format!(
                "{{about-with-newline}}\n{heading}{}{heading:#} {{usage}}\n\n{{all-args}}{{after-help}}",
                frame.usage
            ))
    }

    fn explained(&'static self, arg: Arg, own: &Described) -> Arg {
        let text = |id: &str| own.arguments.get(id).or_else(|| self.shared.get(id));
        let frame = &self.frame;
        let id = arg.get_id().to_string();
        let mut help = text(&id).cloned().unwrap_or_default();
        let defaults: Vec<_> =
            arg.get_default_values().iter().map(|it| it.to_string_lossy()).collect();
        let takes_values = arg.get_action().takes_values();
        let is_shown = takes_values && !arg.is_hide_default_value_set();
        if is_shown && !defaults.is_empty() && defaults != [""] {
            help += &format!(" ［{}: {}］", frame.default, defaults.join(", "));
        }
        let values = match takes_values && !arg.is_hide_possible_values_set() {
            true => arg.get_possible_values(),
            false => Vec::new(),
        };
        let explained: Vec<String> = values
            .iter()
            .filter_map(|it| Some((it.get_name(), text(&format!("{id}.{}", it.get_name()))?)))
            .map(|(name, text)| format!("- {name}: {text}"))
            .collect();
        let names: Vec<&str> = values.iter().map(|it| it.get_name()).collect();
        let long = match explained.is_empty() {
            true => None,
            false => Some(format!("{help}\n\n{}:\n{}", frame.values, explained.join("\n"))),
        };
        if !names.is_empty() {
            help += &format!(" ［{}: {}］", frame.values, names.join(", "));
        }
        let heading = match arg.get_help_heading() {
            Some(_) => &frame.common,
            // Last, where clap puts it first.
            None if id == "help" => &frame.common,
            None if arg.is_positional() => &frame.arguments,
            None => &frame.options,
        };
        arg.help(help)
            .long_help(styled(long))
            .hide_default_value(true)
            .hide_possible_values(true)
            .help_heading(heading.as_str())
    }
}

fn styled(text: Option<String>) -> Resettable<StyledStr> {
    text.map(StyledStr::from).into()
}

/// The lines of a command's help that can be typed: the same in every language.
fn examples(command: &Command) -> String {
    let after = command.get_after_help().map(StyledStr::to_string).unwrap_or_default();
    let lines: Vec<&str> = after.lines().filter(|line| line.starts_with("  ")).collect();
    lines.join("\n")
}

impl Errors {
    fn said(&self, error: &clap::Error) -> String {
        let all = |kind| match error.get(kind) {
            Some(ContextValue::Strings(all)) => all.join(", "),
            Some(ContextValue::String(one)) => one.clone(),
            _ => String::new(),
        };
        let (argument, value) = (all(ContextKind::InvalidArg), all(ContextKind::InvalidValue));
        let filled = |message: &Message, more: &str| {
            message.fill(&[("argument", &argument), ("value", &value), ("more", more)])
        };
        match error.kind() {
            ErrorKind::UnknownArgument => filled(&self.unknown, ""),
            ErrorKind::MissingRequiredArgument => filled(&self.missing, ""),
            ErrorKind::ArgumentConflict => filled(&self.conflict, &all(ContextKind::PriorArg)),
            ErrorKind::InvalidValue if value.is_empty() => filled(&self.no_value, ""),
            ErrorKind::InvalidValue => match all(ContextKind::ValidValue) {
                none if none.is_empty() => filled(&self.value, ""),
                valid => filled(&self.one_of, &valid),
            },
            ErrorKind::ValueValidation => {
                let reason = error.source().map(|it| it.to_string()).unwrap_or_default();
                match (self.reasons.get(&reason), reason.split_once(" is not in ")) {
                    (Some(reason), _) => filled(&self.refused, reason),
                    (None, Some((_, range))) => filled(&self.outside, range),
                    (None, None) => filled(&self.value, ""),
                }
            }
            _ => filled(&self.other, ""),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Every command that is shown, by its path.
    fn all(language: Language) -> Vec<(String, Command)> {
        fn below(command: &Command, path: &str, found: &mut Vec<(String, Command)>) {
            found.push((path.to_owned(), command.clone()));
            for it in command.get_subcommands().filter(|it| !it.is_hide_set()) {
                let name = it.get_name();
                if name != "help" {
                    let path =
                        if path == NAME { name.to_owned() } else { format!("{path} {name}") };
                    below(it, &path, found);
                }
            }
        }
        let mut found = Vec::new();
        below(&command(language), NAME, &mut found);
        found
    }

    fn shown(command: &Command) -> impl Iterator<Item = &Arg> {
        command.get_arguments().filter(|it| !it.is_hide_set())
    }

    /// What stands below the examples of a command's help.
    fn has_next(command: &Command) -> bool {
        let after = command.get_after_help().map(StyledStr::to_string).unwrap_or_default();
        after
            .lines()
            .any(|line| !line.is_empty() && !line.starts_with("  ") && !line.starts_with("Example"))
    }

    #[test]
    fn each_command_and_each_option_has_its_japanese_text() {
        let mut missing = Vec::new();
        for (path, command) in all(Language::En) {
            let Some(own) = JAPANESE.commands.get(&path) else {
                missing.push(format!("[commands.\"{path}\"]"));
                continue;
            };
            let has_long = command.get_long_about().is_some();
            if has_long != own.long.is_some() {
                missing.push(format!("{path}: long"));
            }
            if has_next(&command) != own.next.is_some() {
                missing.push(format!("{path}: next"));
            }
            let text = |id: &str| own.arguments.get(id).or_else(|| JAPANESE.shared.get(id));
            for arg in shown(&command) {
                let id = arg.get_id().as_str();
                if text(id).is_none() {
                    missing.push(format!("{path}: {id}"));
                }
                let explained =
                    arg.get_possible_values().into_iter().filter(|it| it.get_help().is_some());
                let keys = explained.map(|it| format!("{id}.{}", it.get_name()));
                missing.extend(
                    keys.filter(|key| text(key).is_none()).map(|key| format!("{path}: {key}")),
                );
            }
        }
        assert!(missing.is_empty(), "add to words/help.ja.toml:\n{}", missing.join("\n"));
    }

    #[test]
    fn no_japanese_text_is_left_over() {
        let (mut known, mut ids) = (BTreeSet::new(), BTreeSet::new());
        for (path, command) in all(Language::En) {
            for arg in shown(&command) {
                let id = arg.get_id().to_string();
                let values = arg.get_possible_values();
                let keys =
                    values.iter().map(|it| format!("{id}.{}", it.get_name())).chain([id.clone()]);
                for key in keys {
                    known.insert(format!("{path}: {key}"));
                    ids.insert(key);
                }
            }
            known.insert(path);
        }
        let own = JAPANESE.commands.iter().flat_map(|(path, own)| {
            let arguments = own.arguments.keys().map(move |id| format!("{path}: {id}"));
            arguments.chain([path.clone()])
        });
        let left: Vec<String> = own.filter(|it| !known.contains(it)).collect();
        assert_eq!(left, [""; 0]);
        let left: Vec<&String> = JAPANESE.shared.keys().filter(|it| !ids.contains(*it)).collect();
        assert_eq!(left, [""; 0]);
    }

    /// Names that are the same in every language, and values that can be typed.
    const NAMES: [&str; 32] = [
        "latest",
        "task",
        "claim",
        "lyra",
        "web",
        "academic",
        "api",
        "library",
        "created",
        "exploring",
        "paused",
        "completed",
        "failed",
        "section",
        "sections",
        "text",
        "md",
        "ja",
        "always",
        "supports",
        "refutes",
        "neutral",
        "platt",
        "temperature",
        "apis",
        "info",
        "debug",
        "graph",
        "trace",
        "begin",
        "lyra.toml",
        "no",
    ];

    #[test]
    fn help_in_japanese_has_no_english_words() {
        let mut found = Vec::new();
        for (path, mut command) in all(Language::Ja) {
            let help = command.render_long_help().to_string();
            // Code: the usage, examples, values in brackets, what stands in backticks.
            let (_, below) = help.split_once(&JAPANESE.frame.usage).unwrap();
            let (_, below) = below.split_once('\n').unwrap();
            let (options, after) =
                below.split_once(&format!("\n{}\n", JAPANESE.frame.example)).unwrap_or((below, ""));
            let after = after.split_once("\n\n").map_or("", |(_, after)| after);
            let above = command.get_long_about().or(command.get_about()).unwrap();
            let prose = format!("{above} {options} {after}");
            let outside = |text: &str, [open, close]: [char; 2]| -> String {
                text.split(open).map(|it| it.rsplit_once(close).map_or(it, |(_, it)| it)).collect()
            };
            let prose: String = prose.split('`').step_by(2).collect::<Vec<_>>().join(" ");
            let prose = outside(&prose, ['［', '］']);
            let is_value = |line: &&str| line.trim_start().starts_with("- ");
            let prose = prose.lines().filter(|it| !is_value(it)).collect::<Vec<_>>().join("\n");
            let commands: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
            for word in prose.split(|c: char| !c.is_ascii_graphic() || "()[]<>,:;\"'".contains(c)) {
                let is_word = word.len() > 1 && word.bytes().all(|it| it.is_ascii_lowercase());
                if is_word && !NAMES.contains(&word) && !commands.contains(&word) {
                    found.push(format!("{path}: {word}"));
                }
            }
        }
        assert_eq!(found, [""; 0]);
    }

    #[test]
    fn every_command_stands_in_one_group_and_fits_a_terminal() {
        for language in [Language::En, Language::Ja] {
            let command = command(language);
            let mut listed: Vec<&str> = GROUPS
                .iter()
                .flat_map(|group| of_group(&command, group))
                .map(Command::get_name)
                .collect();
            let number = listed.len();
            listed.sort_unstable();
            listed.dedup();
            assert_eq!(listed.len(), number);
            let is_shown = |it: &&Command| !it.is_hide_set() && it.get_name() != "help";
            assert_eq!(command.get_subcommands().filter(is_shown).count(), number);
            let mut help = command.clone();
            let help = help.render_help().to_string();
            let is_row = |it: &&str| it.starts_with("  ") && !it.starts_with("   ");
            let wide: Vec<&str> =
                help.lines().filter(is_row).filter(|it| crate::ui::width(it) > 80).collect();
            assert_eq!(wide, [""; 0]);
        }
    }
}
