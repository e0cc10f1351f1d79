//! Marks that look like those between a system and its model: `<|im_start|>`, `[INST]`, `### System:`.
//!
//! Names are compared by the look of their letters. Neutralising changes single characters and moves
//! none. Invariant: it makes no new mark, because the characters it writes are part of none.

use std::ops::Range;

use super::characters::Traced;
use super::lookalikes::looks_like;

/// A mark: the characters of the plain text it takes, and its flag unless people write it as well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) place: Range<usize>,
    pub(super) flag: Option<&'static str>,
}

/// Elements that give text a place in a conversation. No page shows them to readers by itself.
const ELEMENTS: [&str; 36] = [
    "s",
    "bos",
    "eos",
    "sys",
    "inst",
    "system",
    "system_prompt",
    "system-prompt",
    "systemprompt",
    "system_message",
    "system-message",
    "system-reminder",
    "system_instruction",
    "system_instructions",
    "user",
    "human",
    "assistant",
    "developer",
    "instruction",
    "instructions",
    "im_start",
    "im_end",
    "endoftext",
    "start_of_turn",
    "end_of_turn",
    "begin_of_text",
    "end_of_text",
    "tool_call",
    "tool_calls",
    "tool_response",
    "tool_result",
    "function_call",
    "function_calls",
    "function_results",
    "invoke",
    "prompt",
];
/// Elements that also occur in ordinary markup shown as text.
const ORDINARY: [&str; 6] = ["s", "user", "human", "invoke", "prompt", "instruction"];
/// Lyra's own tags around instructions begin so.
const OWN_PREFIX: &str = "lyra";

const BRACKETED: [&str; 8] = [
    "inst",
    "system",
    "sys",
    "system_prompt",
    "system prompt",
    "system message",
    "assistant",
    "user",
];

/// Names at the start of a line with a colon, as in a written conversation.
const ROLES: [&str; 18] = [
    "system",
    "system prompt",
    "system message",
    "user",
    "human",
    "assistant",
    "ai",
    "ai assistant",
    "instruction",
    "instructions",
    "developer",
    "tool",
    "function",
    "new instructions",
    "システム",
    "ユーザー",
    "アシスタント",
    "システムプロンプト",
];

const MAX_NAME: usize = 40;
const MAX_ELEMENT: usize = 200;

pub(super) fn tags(text: &[Traced]) -> Vec<Tag> {
    let mut tags = Vec::new();
    let mut line_start = true;
    for (index, it) in text.iter().enumerate() {
        let found = match it.c {
            c if c.is_ascii() && !matches!(c, '<' | '[') => None,
            c if is_open(c) => element(text, index),
            '[' | '【' | '〔' => bracketed(text, index),
            _ => None,
        };
        tags.extend(found);
        if line_start {
            tags.extend(role(text, index));
        }
        line_start = it.c == '\n';
    }
    tags
}

/// Takes from a mark what makes it one.
pub(super) fn neutralise(text: &mut [Traced], tag: &Tag) {
    for it in &mut text[tag.place.clone()] {
        it.c = match it.c {
            c if is_open(c) => '‹',
            c if is_close(c) => '›',
            '[' | '【' | '〔' => '⟦',
            ']' | '】' | '〕' => '⟧',
            ':' => '∶',
            c => c,
        };
    }
}

fn is_open(c: char) -> bool {
    matches!(c, '<' | '〈' | '⟨' | '❬' | '❮' | '《')
}

fn is_close(c: char) -> bool {
    matches!(c, '>' | '〉' | '⟩' | '❭' | '❯' | '》')
}

fn is_bar(c: char) -> bool {
    matches!(c, '|' | '│' | '¦' | '∣' | 'ǀ')
}

/// `<name ...>`, `</name>`, `<|any name|>`, `<<SYS>>`.
fn element(text: &[Traced], open: usize) -> Option<Tag> {
    let at = |index: usize| text.get(index).map(|it| it.c);
    let mut index = open + 1;
    let mut bar = false;
    for _ in 0..4 {
        match at(index)? {
            c if is_bar(c) => bar = true,
            c if c == ' ' || c == '/' || is_open(c) => {}
            _ => break,
        }
        index += 1;
    }
    let (name, mut index) = name(text, index);
    if name.is_empty() {
        return None;
    }
    if bar {
        let name_end = index;
        while at(index) == Some(' ') && index < name_end + 3 {
            index += 1;
        }
        let closed = is_bar(at(index)?) && is_close(at(index + 1)?);
        return closed.then_some(Tag { place: open..index + 2, flag: Some("system_tag") });
    }
    let own = name.starts_with(OWN_PREFIX);
    if !own && !ELEMENTS.contains(&name.as_str()) {
        return None;
    }
    let reach = text.len().min(index + MAX_ELEMENT);
    let close = index + text[index..reach].iter().position(|it| is_close(it.c))?;
    let doubled = usize::from(at(close + 1).is_some_and(is_close));
    let flag = (!ORDINARY.contains(&name.as_str())).then_some("system_tag");
    Some(Tag { place: open..close + 1 + doubled, flag })
}

/// `[INST]`, `[/INST]`, `[system prompt]`.
fn bracketed(text: &[Traced], open: usize) -> Option<Tag> {
    let slash = usize::from(text.get(open + 1).is_some_and(|it| it.c == '/'));
    let (name, end) = name_with_spaces(text, open + 1 + slash);
    let closed = text.get(end).is_some_and(|it| matches!(it.c, ']' | '】' | '〕'));
    let flag =
        (name == "inst" || name.starts_with("sys") && name.len() > 6).then_some("system_tag");
    let known = BRACKETED.contains(&name.trim());
    (closed && known).then_some(Tag { place: open..end + 1, flag })
}

/// `### System:`, `Human:`, `**Assistant**:` at the start of a line.
fn role(text: &[Traced], start: usize) -> Option<Tag> {
    const MOST_MARKS: usize = 8;
    let marks = text[start..].iter().take(MOST_MARKS);
    let marks = marks.take_while(|it| matches!(it.c, ' ' | '#' | '*' | '\t')).count();
    let heading = text[start..start + marks].iter().filter(|it| it.c == '#').count() >= 2;
    let (name, mut end) = name_with_spaces(text, start + marks);
    while text.get(end).is_some_and(|it| it.c == '*') && end < start + MAX_ELEMENT {
        end += 1;
    }
    let colon = text.get(end).is_some_and(|it| it.c == ':');
    let known = ROLES.contains(&name.trim());
    let flag = heading.then_some("role_marker");
    (colon && known).then_some(Tag { place: start + marks..end + 1, flag })
}

fn name(text: &[Traced], start: usize) -> (String, usize) {
    let letters = text[start..].iter().take(MAX_NAME).map(|it| looks_like(it.c));
    let name: String =
        letters.take_while(|it| it.is_ascii_alphanumeric() || matches!(it, '_' | '-')).collect();
    let end = start + name.len();
    (name, end)
}

fn name_with_spaces(text: &[Traced], start: usize) -> (String, usize) {
    let letters = text[start.min(text.len())..].iter().take(MAX_NAME).map(|it| looks_like(it.c));
    let name: String =
        letters.take_while(|it| it.is_alphanumeric() || matches!(it, '_' | ' ' | 'ー')).collect();
    let end = start + name.chars().count();
    (name, end)
}
