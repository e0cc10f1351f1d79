//! The reference pages of the book: every command from its help, every setting from its declaration.

use std::fmt::Write;

use clap::{Arg, Command, CommandFactory};
use report::Language;
use settings::NamedSection;
use text::messages::Message;

use super::{Cli, help};
use crate::words::{Reference, Words, about, meaning, range};

/// What clap adds to every command by itself.
const BUILT_IN: [&str; 2] = ["help", "version"];

/// Every command with its arguments, as one page of Markdown.
pub(super) fn commands(language: Language) -> String {
    let root = match language {
        Language::En => {
            let mut root = Cli::command();
            root.build();
            root
        }
        Language::Ja => help::command(language),
    };
    let words = &Words::of(language).reference;
    let mut text = page(
        &words.commands,
        "Made by `cargo xtask docs` from the commands themselves; a test compares them.",
        &words.commands_intro,
    );
    let global = root.get_arguments().filter(|it| it.is_global_set());
    let everywhere: Vec<&str> = global.map(|it| it.get_id().as_str()).chain(BUILT_IN).collect();
    let mut shown = Vec::new();
    list(&root, "lyra", &mut shown);
    for (name, command) in &shown {
        let level = if name.matches(' ').count() > 1 { "###" } else { "##" };
        let _ = writeln!(text, "\n{level} {name}\n");
        write_about(&mut text, command);
        let usage = Command::clone(command).render_usage().to_string();
        let usage =
            usage.strip_prefix("Usage: ").unwrap_or(&usage).trim().replace("\n       ", "\n");
        let _ = writeln!(text, "```text\n{usage}\n```");
        let own = command.get_arguments().filter(|it| !everywhere.contains(&it.get_id().as_str()));
        write_arguments(&mut text, own, words);
        if let Some(more) = command.get_after_help().or(command.get_after_long_help()) {
            let _ = writeln!(text, "\n```text\n{}\n```", more.to_string().trim());
        }
    }
    let _ = writeln!(text, "\n## {}", words.everywhere.as_str());
    let global = root.get_arguments().filter(|it| it.is_global_set());
    write_arguments(&mut text, global, words);
    if let Some(more) = root.get_after_long_help() {
        let _ = writeln!(text, "\n```text\n{}\n```", more.to_string().trim());
    }
    text
}

fn list<'c>(command: &'c Command, name: &str, found: &mut Vec<(String, &'c Command)>) {
    for it in command.get_subcommands().filter(|it| !it.is_hide_set() && it.get_name() != "help") {
        let name = format!("{name} {}", it.get_name());
        found.push((name.clone(), it));
        list(it, &name, found);
    }
}

fn write_about(text: &mut String, command: &Command) {
    let about = command.get_long_about().or(command.get_about());
    if let Some(about) = about {
        let _ = writeln!(text, "{}\n", markdown(&about.to_string()));
    }
}

fn write_arguments<'a>(
    text: &mut String,
    arguments: impl Iterator<Item = &'a Arg>,
    words: &Reference,
) {
    let mut rows = String::new();
    for argument in arguments.filter(|it| !it.is_hide_set()) {
        let help = argument.get_long_help().or(argument.get_help());
        let help = help.map_or_else(String::new, |it| cell(&values_marked(&it.to_string())));
        let default: Vec<String> = argument
            .get_default_values()
            .iter()
            .map(|it| format!("`{}`", it.to_string_lossy()))
            .collect();
        let is_flag = !argument.get_action().takes_values();
        let default = match default.is_empty() || is_flag || argument.is_hide_default_value_set() {
            true => String::new(),
            false => format!(" (default: {})", default.join(", ")),
        };
        let values: Vec<String> = argument
            .get_possible_values()
            .iter()
            .filter(|it| !it.is_hide_set() && !is_flag)
            .map(|it| format!("`{}`", it.get_name()))
            .collect();
        // Japanese help names the values itself.
        let values = match values.is_empty() || help.contains(&values[0]) {
            true => String::new(),
            false => format!(": {}", values.join(", ")),
        };
        let _ = writeln!(rows, "| `{}` | {help}{values}{default} |", signature(argument));
    }
    if !rows.is_empty() {
        let (argument, meaning) = (words.argument.as_str(), words.meaning.as_str());
        let _ = write!(text, "\n| {argument} | {meaning} |\n| --- | --- |\n{rows}");
    }
}

/// A help with the values it explains marked as what can be typed.
fn values_marked(help: &str) -> String {
    let marked = help.lines().map(|line| {
        let explained = line.strip_prefix("- ").and_then(|it| it.split_once(": "));
        explained.map_or_else(|| line.to_owned(), |(value, told)| format!("`{value}` {told}; "))
    });
    let text = marked.collect::<Vec<_>>().join("\n");
    let text = text.trim_end().trim_end_matches(';').to_owned();
    let Some((before, (values, after))) =
        text.split_once("［値: ").and_then(|(before, it)| Some((before, it.split_once('］')?)))
    else {
        return text;
    };
    let values: Vec<String> = values.split(", ").map(|it| format!("`{it}`")).collect();
    format!("{before}［値: {}］{after}", values.join(", "))
}

/// `-o, --out FILE`, or the name of an argument without dashes.
fn signature(argument: &Arg) -> String {
    let value = || {
        let names = argument.get_value_names().unwrap_or_default();
        let names: Vec<&str> = names.iter().map(|it| it.as_str()).collect();
        if names.is_empty() { argument.get_id().as_str().to_uppercase() } else { names.join(" ") }
    };
    if argument.is_positional() {
        return format!("<{}>", value());
    }
    let short = argument.get_short().map(|it| format!("-{it}"));
    let long = argument.get_long().map(|it| format!("--{it}"));
    let name: Vec<String> = short.into_iter().chain(long).collect();
    let name = name.join(", ");
    if argument.get_action().takes_values() { format!("{name} {}", value()) } else { name }
}

/// Every setting with its default and range, as one page of Markdown.
pub(super) fn settings(sections: &[NamedSection], language: Language) -> String {
    let words = &Words::of(language).reference;
    let mut text = page(
        &words.settings,
        "Made by `cargo xtask docs` from the declarations; a test compares them.",
        &words.settings_intro,
    );
    for section in sections {
        let _ = writeln!(text, "\n## [{}]\n\n{}", section.name, about(section, language));
        for (heading, is_expert) in [(&words.setting, false), (&words.for_experts, true)] {
            let fields = section.fields.iter().filter(|it| it.expert == is_expert);
            let rows: String = fields
                .map(|field| {
                    let default = cell(&field.default.to_string());
                    let range = cell(&range(&field.rule, language));
                    let meaning = cell(&meaning(section, field, language));
                    format!("| `{}` | `{default}` | {range} | {meaning} |\n", field.name)
                })
                .collect();
            if !rows.is_empty() {
                let columns = [heading, &words.default, &words.range, &words.meaning];
                let [setting, default, range, meaning] = columns.map(Message::as_str);
                let _ = write!(
                    text,
                    "\n| {setting} | {default} | {range} | {meaning} |\n| --- | --- | --- | --- |\n{rows}"
                );
            }
        }
    }
    text
}

/// The head of a page; where it is from is for those who open the file.
fn page(title: &Message, made: &str, intro: &Message) -> String {
    format!("# {}\n\n<!-- {made} -->\n\n{}\n", title.as_str(), intro.as_str())
}

/// Text of a help as a cell of a table.
fn cell(text: &str) -> String {
    markdown(&text.split_whitespace().collect::<Vec<_>>().join(" ")).replace('|', "\\|")
}

/// Help texts are plain: what Markdown would read as a tag is none.
fn markdown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut is_code = false;
    for c in text.chars() {
        is_code ^= c == '`';
        match c {
            '<' if !is_code => shown.push_str("&lt;"),
            '*' if !is_code => shown.push_str("\\*"),
            c => shown.push(c),
        }
    }
    shown
}
