//! The default file, written from the declarations.

use std::fmt::Write;

use crate::{Field, NamedSection, Rule};

/// The comment above the settings for experts.
const EXPERT_HEADING: &str = "# For experts: bounds and measured values that rarely need a change.";

/// The sections as a commented TOML file with every default; settings for experts only if asked for.
pub fn document(sections: &[NamedSection], with_expert: bool) -> String {
    let mut text = String::new();
    for section in sections {
        let (expert, common): (Vec<&Field>, Vec<&Field>) =
            section.fields.iter().partition(|field| field.expert);
        let expert = if with_expert { expert } else { Vec::new() };
        if common.is_empty() && expert.is_empty() {
            continue;
        }
        text.push('\n');
        comment(&mut text, section.about);
        let _ = writeln!(text, "[{}]", section.name);
        for field in common {
            write_field(&mut text, field);
        }
        if !expert.is_empty() {
            let _ = writeln!(text, "\n{EXPERT_HEADING}");
        }
        for field in expert {
            write_field(&mut text, field);
        }
    }
    text
}

fn write_field(text: &mut String, field: &Field) {
    comment(text, field.comment);
    if field.rule != Rule::Any {
        // The range ends the last sentence of the comment.
        let end = text.trim_end().trim_end_matches('.').len();
        text.truncate(end);
        let _ = writeln!(text, " ({}).", field.rule);
    }
    let _ = writeln!(text, "{} = {}", field.name, field.default);
}

fn comment(text: &mut String, lines: &[&str]) {
    for line in lines {
        let _ = writeln!(text, "#{}", line.trim_end());
    }
}
