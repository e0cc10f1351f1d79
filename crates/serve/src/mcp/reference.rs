//! The reference of the tools, made from what clients are told: `docs/tools.md`.

use std::fmt::Write;

use serde_json::Value;

use super::tool_error::Code;
use super::tools::{Tool, Toolset, of};

/// All tools as Markdown.
pub(crate) fn reference() -> String {
    let mut text = "\
# Tools

<!-- Made by `cargo xtask tools` from crates/serve/src/mcp/tools; a test compares them. -->

What `lyra mcp` offers to assistants, in the order of `tools/list`. Every answer has `ok`; a failure has
`error: {code, message, hint?, error_id?}` and sets `isError`. An answer costs at most the tokens of the setting
`mcp.answer_tokens` (`mcp.full_tokens` with `detail: \"full\"`): `omitted` counts the entries of each list that were left
out, `page` says where `offset` goes on. `_lyra_meta` names what is known about the sources of an answer:
`unverified_domains`, `blocked_domains`, `security_warnings`.

| Tool | Does | Changes something | Reaches the network |
| --- | --- | --- | --- |
"
    .to_owned();
    for tool in of(Toolset::All) {
        let hints = tool.annotations();
        let yes = |it: bool| if it { "yes" } else { "no" };
        // Writing to a text cannot fail.
        let _ = writeln!(
            text,
            "| [`{0}`](#{0}) | {1} | {2} | {3} |",
            tool.name(),
            tool.title(),
            yes(hints.read_only_hint != Some(true)),
            yes(hints.open_world_hint != Some(false))
        );
    }
    text += "\n## Error codes\n\n| Code | Meaning |\n| --- | --- |\n";
    for (code, meaning) in Code::ALL {
        let _ = writeln!(text, "| `{}` | {meaning} |", code.as_str());
    }
    for tool in of(Toolset::All) {
        describe(&mut text, tool);
    }
    text
}

fn describe(text: &mut String, tool: &Tool) {
    let _ = writeln!(text, "\n## {}\n", tool.name());
    let mut examples = Vec::new();
    for line in tool.description().lines() {
        match line.strip_prefix("Example: ") {
            Some(example) => examples.push(example),
            None => {
                let _ = writeln!(text, "{line}\n");
            }
        }
    }
    text.push_str("Arguments:\n\n");
    fields(text, tool.input(), 0);
    text.push_str("\nAnswer:\n\n");
    fields(text, tool.output(), 0);
    text.push_str("\nExamples:\n\n```json\n");
    text.push_str(&examples.join("\n"));
    text.push_str("\n```\n");
}

/// The fields of an object, one line each, those of inner objects below.
fn fields(text: &mut String, schema: &Value, depth: usize) {
    let Some(properties) = schema["properties"].as_object() else { return };
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, field) in properties {
        let indent = "  ".repeat(depth);
        let must = if required.contains(&name.as_str()) { ", required" } else { "" };
        let _ = writeln!(text, "{indent}- `{name}`: {}{must}{}", kind(field), limits(field));
        let inner = if field["type"] == "array" { &field["items"] } else { field };
        fields(text, inner, depth + 1);
    }
}

fn kind(field: &Value) -> String {
    if let Some(choices) = field["enum"].as_array() {
        let words: Vec<String> =
            choices.iter().map(|it| format!("`{}`", it.as_str().unwrap_or_default())).collect();
        return words.join(" or ");
    }
    match field["type"].as_str().unwrap_or_default() {
        "array" => format!("list of {}", kind(&field["items"])),
        "string" => "text".to_owned(),
        "integer" => "whole number".to_owned(),
        "boolean" => "true or false".to_owned(),
        other => other.to_owned(),
    }
}

fn limits(field: &Value) -> String {
    let mut said = String::new();
    if let (Some(least), Some(most)) = (field["minimum"].as_i64(), field["maximum"].as_i64()) {
        said += &format!(", {least} to {most}");
    }
    if let Some(most) = field["maxLength"].as_u64() {
        said += &format!(", at most {most} characters");
    }
    if let Some(most) = field["maxItems"].as_u64() {
        said += &format!(", at most {most}");
    }
    if !field["default"].is_null() {
        said += &format!(", default {}", field["default"]);
    }
    if let Some(words) = field["description"].as_str() {
        said += &format!(". {words}");
    }
    said
}
