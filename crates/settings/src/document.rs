//! The default file, written from the declarations.

use std::fmt::Write;

use crate::{Field, NamedSection, Rule};

/// How a file of settings is worded. The English stands beside the declarations.
pub trait Wording {
    /// What a section is about, line by line.
    fn about(&self, section: &NamedSection) -> Vec<String>;
    /// What a setting does, with its range, line by line.
    fn comment(&self, section: &NamedSection, field: &Field) -> Vec<String>;
    /// The heading above the settings for experts.
    fn for_experts(&self) -> &str;
}

/// The words of the declarations themselves.
#[derive(Debug, Clone, Copy)]
pub struct English;

impl Wording for English {
    fn about(&self, section: &NamedSection) -> Vec<String> {
        lines(section.about)
    }

    fn comment(&self, _: &NamedSection, field: &Field) -> Vec<String> {
        let mut comment = lines(field.comment);
        if field.rule != Rule::Any
            && let Some(last) = comment.last_mut()
        {
            // The range ends the last sentence of the comment.
            *last = format!("{} ({}).", last.trim_end_matches('.'), field.rule);
        }
        comment
    }

    fn for_experts(&self) -> &str {
        "For experts: bounds and measured values that rarely need a change."
    }
}

/// The lines of a doc comment.
fn lines(doc: &[&str]) -> Vec<String> {
    doc.iter().map(|line| line.trim().to_owned()).collect()
}

/// The sections as a commented TOML file with every default; settings for experts only if asked for.
pub fn document(sections: &[NamedSection], with_expert: bool, wording: &dyn Wording) -> String {
    let mut text = String::new();
    for section in sections {
        let (expert, common): (Vec<&Field>, Vec<&Field>) =
            section.fields.iter().partition(|field| field.expert);
        let expert = if with_expert { expert } else { Vec::new() };
        if common.is_empty() && expert.is_empty() {
            continue;
        }
        text.push('\n');
        text += &commented(&wording.about(section));
        let _ = writeln!(text, "[{}]", section.name);
        let written = |field: &&Field| {
            let comment = commented(&wording.comment(section, field));
            format!("{comment}{} = {}\n", field.name, field.default)
        };
        text.extend(common.iter().map(written));
        if !expert.is_empty() {
            let _ = writeln!(text, "\n# {}", wording.for_experts());
        }
        text.extend(expert.iter().map(written));
    }
    text
}

fn commented(lines: &[String]) -> String {
    lines.iter().map(|line| format!("# {line}\n")).collect()
}
