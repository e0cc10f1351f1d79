//! What a text points at, as it says it: articles, appendices, neighbours, titles, links.
//!
//! Found once for each file; which nodes are meant is another question, see [`super::titles`].

use super::dictionary::References;
use super::file::ManualFile;
use super::query::{Label, dotted, label_at};
use crate::nodes::Node;

/// One reference and its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pointer {
    pub(crate) line: u32,
    pub(crate) target: Target,
}

/// What a reference calls its target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// 第3条, section 4.2; with the text before it, which may name another file.
    Label { label: Label, before: String },
    /// 3.3: a heading with this number, in the same file.
    Number(String),
    /// 前条, 次章, 前2条: steps of this unit back (negative) or on.
    Neighbour { unit: String, steps: i32 },
    /// 前各条: everything of this unit before.
    AllBefore { unit: String },
    /// A title in quotes.
    Quoted(String),
    /// The text before 準ずる and the like, which may end with a title of the same file.
    Ends(String),
    /// The text after `see` and the like, which may begin with a title.
    Begins(String),
    /// `[text](path#anchor)`.
    Link { path: String, anchor: String },
}

impl Target {
    /// Whether the text names its target, rather than perhaps mentioning it.
    pub(crate) const fn is_certain(&self) -> bool {
        !matches!(self, Self::Ends(_) | Self::Begins(_))
    }
}

/// How much text around a cue may hold a title.
const REACH: usize = 40;

/// Every reference of a file, in the order of the text.
pub(crate) fn pointers(file: &ManualFile, words: &References) -> Vec<Pointer> {
    let mut found = Vec::new();
    let mut headings =
        file.nodes.iter().filter(|it| it.level > 0).map(|it: &Node| it.lines.start).peekable();
    for line in 1..=file.text.line_count() {
        let is_heading = headings.next_if(|it| *it == line).is_some();
        if !is_heading {
            let text = file.text.lines(line..line + 1);
            let mut push = |target| found.push(Pointer { line, target });
            read_labels(text, words, &mut push);
            read_numbers(text, &mut push);
            read_neighbours(text, words, &mut push);
            read_titles(text, words, &mut push);
            read_links(text, &mut push);
        }
    }
    found
}

fn read_labels(text: &str, words: &References, push: &mut impl FnMut(Target)) {
    let mut last: Option<(usize, Label)> = None;
    for start in words.label_starts.find_iter(text) {
        let at = start.start();
        let inside = last.as_ref().is_some_and(|(end, _)| at < *end);
        let found = label_at(text, at).or_else(|| plain_label(text, at, words));
        let Some((length, label)) = found.filter(|_| !inside) else { continue };
        if let Some((end, first)) = &last {
            for between in range(first, &label, text[*end..at].trim()) {
                push(Target::Label { label: between, before: String::new() });
            }
        }
        let before = tail(&text[..at], REACH).to_owned();
        push(Target::Label { label: label.clone(), before });
        last = Some((at + length, label));
    }
}

/// 3.3 alone may be the number of a heading, where it is not an amount.
fn read_numbers(text: &str, push: &mut impl FnMut(Target)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(start) = bytes[at..].iter().position(u8::is_ascii_digit).map(|it| at + it) {
        let number = dotted(&text[start..]).unwrap_or_default();
        at = start + number.len().max(1);
        let before = text[..start].chars().next_back();
        let after = text[at..].trim_start_matches(' ').chars().next();
        let adjoins = |c: Option<char>| {
            c.is_some_and(|c| c.is_ascii_alphanumeric() || "円%.,:/-~条".contains(c))
        };
        let amount = adjoins(before)
            || text[at..].starts_with(|it| adjoins(Some(it)) && it != '.' && it != ',');
        if number.contains('.') && !amount && !after.is_some_and(|it| "円%倍年月日度℃".contains(it))
        {
            push(Target::Number(number.to_owned()));
        }
    }
}

/// Units and appendices that only the user's dictionary knows.
fn plain_label(text: &str, at: usize, words: &References) -> Option<(usize, Label)> {
    let rest = &text[at..];
    let number = |it: &str| it.len() - it.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if let Some(after) = rest.strip_prefix('第') {
        let length = number(after);
        let unit =
            words.units.iter().find(|it| length > 0 && after[length..].starts_with(it.as_str()))?;
        let label = Label { unit: unit.clone(), number: after[..length].to_owned() };
        return Some(('第'.len_utf8() + length + unit.len(), label));
    }
    let known = words.appendices.iter().chain(&words.parts);
    let unit = known.into_iter().find(|it| rest.starts_with(it.as_str()))?;
    if unit.is_ascii() && text[..at].ends_with(|it: char| it.is_ascii_alphanumeric()) {
        return None;
    }
    let after = rest[unit.len()..].trim_start_matches([' ', '第']);
    let length = number(after);
    let start = rest.len() - after.len();
    (length > 0)
        .then(|| (start + length, Label { unit: unit.clone(), number: after[..length].to_owned() }))
}

/// 第3条から第5条まで means the ones between, too.
fn range(first: &Label, last: &Label, between: &str) -> Vec<Label> {
    let joins = matches!(between, "から" | "~" | "-" | "ないし" | "乃至" | "to" | "through");
    let (Ok(from), Ok(to)) = (first.number.parse::<u32>(), last.number.parse::<u32>()) else {
        return Vec::new();
    };
    if !joins || first.unit != last.unit || to.saturating_sub(from) > 50 {
        return Vec::new();
    }
    (from + 1..to).map(|it| Label { unit: first.unit.clone(), number: it.to_string() }).collect()
}

fn read_neighbours(text: &str, words: &References, push: &mut impl FnMut(Target)) {
    for (at, side) in text.match_indices(['前', '次']) {
        let mut rest = &text[at + side.len()..];
        let back = side == "前";
        let all = back && rest.starts_with('各');
        rest = rest.strip_prefix('各').unwrap_or(rest);
        let digits = rest.len() - rest.trim_start_matches(|it: char| it.is_ascii_digit()).len();
        let count: i32 = rest[..digits].parse().unwrap_or(1);
        rest = &rest[digits..];
        let Some(unit) = words.units.iter().find(|it| rest.starts_with(it.as_str())) else {
            continue;
        };
        if all {
            push(Target::AllBefore { unit: unit.clone() });
            continue;
        }
        for step in 1..=count.min(10) {
            push(Target::Neighbour { unit: unit.clone(), steps: if back { -step } else { step } });
        }
    }
}

fn read_titles(text: &str, words: &References, push: &mut impl FnMut(Target)) {
    for (at, _) in text.match_indices('「') {
        let inside = at + '「'.len_utf8();
        let Some(length) = text[inside..].find('」') else { continue };
        let after = head(&text[inside + length + '」'.len_utf8()..], REACH);
        if words.after.is_match(after) || before_is_cue(&text[..at], words) {
            push(Target::Quoted(text[inside..inside + length].to_owned()));
        }
    }
    for cue in
        words.after.find_iter(text).filter(|it| text[it.range()].starts_with(['に', 'を', 'の']))
    {
        push(Target::Ends(tail(&text[..cue.start()], REACH).to_owned()));
    }
    for cue in words.before.find_iter(text) {
        let whole = !text[..cue.start()].ends_with(|it: char| it.is_ascii_alphabetic());
        let rest = &text[cue.end()..];
        if whole && rest.starts_with([' ', ':']) {
            let rest = rest.trim_start_matches([' ', ':', '"', '\'', '*', '[']);
            let rest = rest.strip_prefix("the ").unwrap_or(rest);
            let rest = rest.trim_start_matches(['"', '\'', '*', '[']);
            push(Target::Begins(head(rest, 2 * REACH).to_owned()));
        }
    }
}

fn before_is_cue(before: &str, words: &References) -> bool {
    let before = before.trim_end_matches([' ', '"', '*']);
    words.cues_before.iter().any(|it| before.ends_with(it.as_str()))
}

/// Links to other files of the manual and to headings of this one.
fn read_links(text: &str, push: &mut impl FnMut(Target)) {
    for (at, _) in text.match_indices("](") {
        let rest = &text[at + 2..];
        let Some(end) = rest.find([')', ' ']) else { continue };
        let link = rest[..end].trim_matches(['<', '>']);
        if link.contains("://") || link.starts_with("mailto:") {
            continue;
        }
        let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
        push(Target::Link { path: path.to_owned(), anchor: anchor.to_owned() });
    }
}

/// The last characters of a text.
fn tail(text: &str, characters: usize) -> &str {
    let start = text.char_indices().rev().nth(characters.saturating_sub(1)).map_or(0, |(at, _)| at);
    &text[start..]
}

/// The first characters of a text.
fn head(text: &str, characters: usize) -> &str {
    &text[..text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at)]
}
