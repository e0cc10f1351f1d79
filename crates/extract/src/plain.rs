//! Plain text: paragraphs at blank lines, lines that a program wrapped put together again.
//!
//! Headings are only what cannot be taken for anything else: underlined lines, numbered lines that
//! stand alone, and the marks Japanese texts use. A line that may be either stays a paragraph.

use evidence::FragmentType;

use crate::document::{Metadata, Problem};
use crate::piece::Piece;
use crate::settings::ReadSettings;
use text::script::is_cjk;

/// A heading is a line of at most this many characters.
const HEADING_CHARS: usize = 60;
/// A line shorter than this was ended by its author, in columns (a Japanese letter has two).
const WRAPPED_COLUMNS: usize = 45;
/// A line this much shorter than the longest of its paragraph was ended by its author too.
const WRAPPED_SHARE: f32 = 0.7;

/// Reads plain text.
pub(crate) fn read(text: &str, _options: &ReadSettings) -> (Vec<Piece>, Metadata, Vec<Problem>) {
    let text = text.trim_start_matches('\u{feff}');
    let lines: Vec<&str> =
        text.split(['\n', '\u{c}']).flat_map(|it| it.trim_end().split('\r')).collect();
    let blocks: Vec<&[&str]> =
        lines.split(|it| it.trim().is_empty()).filter(|it| !it.is_empty()).collect();
    let mut pieces = Vec::new();
    for (index, block) in blocks.iter().enumerate() {
        let next = blocks.get(index + 1).copied().unwrap_or_default();
        match *block {
            [line] if is_heading_before(line, next) => {
                let level = numbered_level(line).unwrap_or(1);
                pieces.push(Piece::new(FragmentType::Heading, level, heading_text(line)));
            }
            block => read_block(block, &mut pieces),
        }
    }
    (pieces, Metadata::default(), Vec::new())
}

/// A numbered line alone is a heading when something else than the next number follows: a list of
/// items with blank lines between them looks the same otherwise.
fn is_heading_before(line: &str, next: &[&str]) -> bool {
    let Some(level) = numbered_level(line) else { return false };
    match next {
        [] => false,
        [alone] => numbered_level(alone).is_none_or(|it| it > level || is_marked(line)),
        _ => true,
    }
}

/// The level of a line that looks like `1. Introduction`, `2.3 Methods`, `第1章 序論`, `■ 概要`.
fn numbered_level(line: &str) -> Option<u8> {
    let line = line.trim();
    if line.chars().nth(HEADING_CHARS).is_some()
        || line.ends_with(['.', '。', ',', '、', ';', '；', ':'])
    {
        return None;
    }
    if is_marked(line) {
        return Some(if line.starts_with('■') || line.starts_with('【') { 1 } else { 2 });
    }
    if let Some(rest) = line.strip_prefix('第') {
        let number = rest.trim_start_matches(|it: char| {
            it.is_numeric() || "一二三四五六七八九十百".contains(it)
        });
        return match number.chars().next() {
            Some('部' | '編' | '章') if number.len() < rest.len() => Some(1),
            Some('節' | '条') if number.len() < rest.len() => Some(2),
            _ => None,
        };
    }
    let end = line.find(|it: char| !(it.is_ascii_digit() || it == '.'))?;
    let (number, title) = line.split_at(end);
    let parts = number.trim_end_matches('.').split('.');
    let is_number = parts.clone().all(|it| (1..=2).contains(&it.len()));
    let starts = title.trim_start().starts_with(|it: char| it.is_uppercase() || is_cjk(it));
    let level = u8::try_from(parts.count().min(6)).ok()?;
    (is_number && title.starts_with([' ', '\t', '\u{3000}']) && starts).then_some(level)
}

/// The marks that Japanese texts put before or around headings.
fn is_marked(line: &str) -> bool {
    let line = line.trim();
    (line.starts_with(['■', '◆', '●']) && line.chars().nth(1).is_some())
        || (line.starts_with('【') && line.ends_with('】'))
}

fn heading_text(line: &str) -> &str {
    let line = line.trim();
    line.strip_prefix(['■', '◆', '●'])
        .or_else(|| line.strip_prefix('【').and_then(|it| it.strip_suffix('】')))
        .unwrap_or(line)
        .trim()
}

/// The level of a line drawn under a heading.
fn underline_level(line: &str) -> Option<u8> {
    let line = line.trim();
    let mark = line.chars().next().filter(|it| matches!(it, '=' | '-' | '~' | '＝' | '━'))?;
    let is_line = line.chars().all(|it| it == mark) && line.chars().nth(2).is_some();
    is_line.then_some(if matches!(mark, '=' | '＝' | '━') { 1 } else { 2 })
}

/// Lines without a blank one between them: an underlined heading, quotes, items, paragraphs.
fn read_block(block: &[&str], pieces: &mut Vec<Piece>) {
    let mut run =
        Run { longest: block.iter().map(|it| columns(it)).max().unwrap_or(0), ..Run::default() };
    let mut at = 0;
    while let Some(line) = block.get(at) {
        let level = block.get(at + 1).and_then(|it| underline_level(it));
        let is_title = run.text.is_empty() && line.chars().nth(HEADING_CHARS).is_none();
        if let Some(level) = level.filter(|_| is_title && underline_level(line).is_none()) {
            run.flush(pieces);
            pieces.push(Piece::new(FragmentType::Heading, level, line.trim()));
            at += 2;
            continue;
        }
        at += 1;
        if underline_level(line).is_some() {
            run.flush(pieces);
        } else if let Some(quoted) = line.trim_start().strip_prefix('>') {
            run.begin(FragmentType::Quote, pieces);
            run.add(quoted.trim_start_matches('>').trim());
        } else if let Some(item) = item(line) {
            run.flush(pieces);
            run.begin(FragmentType::List, pieces);
            run.add(item);
        } else {
            // An item continues in lines indented under it.
            let goes_on =
                run.kind == Some(FragmentType::List) && line.starts_with([' ', '\t', '\u{3000}']);
            if !goes_on {
                run.begin(FragmentType::Paragraph, pieces);
            }
            run.add(line.trim());
        }
    }
    run.flush(pieces);
}

/// The text of an item of a list: bullets go, numbers stay.
fn item(line: &str) -> Option<&str> {
    let line = line.trim();
    for bullet in ["- ", "* ", "+ ", "• ", "◦ ", "– ", "・", "•", "○", "※"] {
        if let Some(item) = line.strip_prefix(bullet) {
            return Some(item.trim_start()).filter(|it| !it.is_empty());
        }
    }
    let is_circled = line.starts_with(|it| matches!(it, '①'..='⑳'));
    let inner = line.strip_prefix(['(', '（']).unwrap_or(line);
    let rest = inner.trim_start_matches(|it: char| it.is_ascii_digit());
    let digits = inner.len() - rest.len();
    let is_numbered = (1..=3).contains(&digits)
        && [". ", ") ", "）"].iter().any(|it| rest.len() > it.len() && rest.starts_with(it));
    (is_circled || is_numbered).then_some(line)
}

/// A piece on the way.
#[derive(Debug, Default)]
struct Run {
    kind: Option<FragmentType>,
    text: String,
    /// Columns of the line before, and of the longest line around.
    before: usize,
    longest: usize,
}

impl Run {
    fn begin(&mut self, kind: FragmentType, pieces: &mut Vec<Piece>) {
        if self.kind != Some(kind) {
            self.flush(pieces);
        }
        self.kind = Some(kind);
    }

    fn add(&mut self, line: &str) {
        if let Some(last) = self.text.chars().next_back() {
            let was_wrapped = self.before >= WRAPPED_COLUMNS
                && self.before as f32 >= WRAPPED_SHARE * self.longest as f32;
            let first = line.chars().next().unwrap_or(' ');
            if !was_wrapped {
                self.text.push('\n');
            } else if !(is_cjk(last) && is_cjk(first)) && last != '-' {
                self.text.push(' ');
            }
        }
        self.text += line;
        self.before = columns(line);
    }

    fn flush(&mut self, pieces: &mut Vec<Piece>) {
        let text = std::mem::take(&mut self.text);
        let kind = self.kind.take();
        if let Some(kind) = kind
            && !text.trim().is_empty()
        {
            pieces.push(Piece::new(kind, 0, text));
        }
    }
}

fn columns(line: &str) -> usize {
    line.trim().chars().map(|it| if is_cjk(it) { 2 } else { 1 }).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::piece::tests::render;

    fn shown(text: &str) -> String {
        render(&read(text, &ReadSettings::default()).0)
    }

    #[test]
    fn wrapped_lines_are_joined_and_lines_ended_on_purpose_are_not() {
        let text = "This paragraph was wrapped by a program at about seventy\r\n\
                    columns, and is one paragraph to its reader, although it\r\n\
                    has three lines.\r\n\r\n\r\nRoses are red,\nviolets are blue.\n";
        insta::assert_snapshot!(shown(text), @r"
        paragraph 0: This paragraph was wrapped by a program at about seventy columns, and is one paragraph to its reader, although it has three lines.
        paragraph 0: Roses are red,⏎violets are blue.
        ");
    }

    #[test]
    fn japanese_lines_are_joined_without_a_space() {
        let text = "　この段落はプログラムによって折り返されており、読む人に\n\
                    とってはひとつの段落であり、二行あります。\n\n短い。\n";
        insta::assert_snapshot!(shown(text), @r"
        paragraph 0: この段落はプログラムによって折り返されており、読む人にとってはひとつの段落であり、二行あります。
        paragraph 0: 短い。
        ");
    }

    #[test]
    fn underlined_numbered_and_marked_lines_are_headings() {
        let text = "Report\n======\nFirst words.\n\n1. Introduction\n\nSome text here.\n\n1.1 Scope\n\n\
                    More text.\n\nDetails\n-------\n\n第2章 方法\n\n本文です。\n\n■ 概要\n\n本文。\n\n【背景】\n\n以上。";
        insta::assert_snapshot!(shown(text), @r"
        heading 1: Report
        paragraph 0: First words.
        heading 1: 1. Introduction
        paragraph 0: Some text here.
        heading 2: 1.1 Scope
        paragraph 0: More text.
        heading 2: Details
        heading 1: 第2章 方法
        paragraph 0: 本文です。
        heading 1: 概要
        paragraph 0: 本文。
        heading 1: 背景
        paragraph 0: 以上。
        ");
    }

    #[test]
    fn what_only_looks_like_a_heading_is_none() {
        let text = "1. Apples\n\n2. Pears\n\n3. Plums\n\n3.14 is a number.\n\n2024 Report of the year\n\n1. Last";
        insta::assert_snapshot!(shown(text), @r"
        list 0: 1. Apples
        list 0: 2. Pears
        heading 1: 3. Plums
        paragraph 0: 3.14 is a number.
        paragraph 0: 2024 Report of the year
        list 0: 1. Last
        ");
    }

    #[test]
    fn items_and_quotes_are_told_apart() {
        let text = "Shopping:\n- milk\n- bread,\n  fresh\n* eggs\n・牛乳\n(1) first\n2) second\n\n> she said\n>> he said\n\n---\n";
        insta::assert_snapshot!(shown(text), @r"
        paragraph 0: Shopping:
        list 0: milk
        list 0: bread,⏎fresh
        list 0: eggs
        list 0: 牛乳
        list 0: (1) first
        list 0: 2) second
        quote 0: she said⏎he said
        ");
    }

    #[test]
    fn an_empty_text_has_no_pieces() {
        assert_eq!(shown(""), "");
        assert_eq!(shown(" \n\u{c}\n\r\n"), "");
    }

    proptest! {
        #[test]
        fn no_word_is_lost(text in "[-=>*.0-2a-cA 第章■【】日、。\n\r\t\u{3000}]{0,160}") {
            let letters = |text: &str| text.chars().filter(|it| it.is_alphabetic()).collect::<String>();
            let pieces = read(&text, &ReadSettings::default()).0;
            let read: String = pieces.iter().map(|it| it.text.as_str()).collect();
            prop_assert_eq!(letters(&read), letters(&text));
        }
    }
}
