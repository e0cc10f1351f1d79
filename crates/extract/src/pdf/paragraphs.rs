//! Lines to pieces: paragraphs over several lines, headings, items of lists, rows of tables.

use std::collections::{HashMap, HashSet};

use evidence::FragmentType;

use crate::piece::Piece;

use super::columns::{Line, Region};
use super::layout::{is_bullet, is_wide};
use super::running;

/// A heading is larger than the text by this much, at least.
const HEADING_SIZE: f32 = 1.15;
/// Letters of a heading; what is longer is a paragraph in large letters.
const MAX_HEADING_CHARS: usize = 200;
/// A gap that is this much wider than usual ends a paragraph.
const PARAGRAPH_GAP: f32 = 1.3;
/// A line this much shorter than its column ends a paragraph, if it could.
const SHORT_LINE: f32 = 0.25;
/// Letters of a word that may be divided at the end of a line.
const MAX_WORD_CHARS: usize = 64;

/// A page as lines in reading order.
#[derive(Debug, Default)]
pub(crate) struct PageLines {
    pub(crate) number: u32,
    pub(crate) regions: Vec<Region>,
    /// What someone read in the pictures of a page without text, paragraphs parted by empty lines.
    pub(crate) recognised: Option<String>,
}

/// Turns pages into pieces; `outline` holds the depth and title of each heading the file names itself.
pub(crate) fn pieces(mut pages: Vec<PageLines>, outline: &[(u8, String)]) -> Vec<Piece> {
    running::drop_lines(&mut pages, outline);
    let sizes = Sizes::of(&pages, outline);
    let compounds = compounds(&pages);
    let mut out = Vec::new();
    for page in &pages {
        for region in &page.regions {
            for block in blocks(&region.lines) {
                let mut piece = piece(block, &sizes, &compounds);
                if piece.text.is_empty() {
                    continue;
                }
                piece.page = Some(page.number);
                out.push(piece);
            }
        }
        for text in page.recognised.iter().flat_map(|it| it.split("\n\n")) {
            if !text.trim().is_empty() {
                let piece = Piece::new(FragmentType::Paragraph, 0, text.trim());
                out.push(Piece { page: Some(page.number), ..piece });
            }
        }
    }
    out
}

/// The sizes of letters in a file, and what they mean.
#[derive(Debug)]
struct Sizes {
    /// The size most of the text has, in halves of a point.
    body: i32,
    /// Sizes of headings, largest first.
    headings: Vec<i32>,
    body_is_bold: bool,
    named: HashMap<String, u8>,
}

impl Sizes {
    fn of(pages: &[PageLines], outline: &[(u8, String)]) -> Self {
        let (body, body_is_bold) = body(pages);
        let sizes: HashSet<i32> = lines(pages).map(|it| halves(it.size)).collect();
        let mut headings: Vec<i32> =
            sizes.into_iter().filter(|it| is_heading_size(*it, body)).collect();
        headings.sort_unstable_by(|a, b| b.cmp(a));
        let named =
            outline.iter().map(|(depth, title)| (key(title), (*depth).clamp(1, 6))).collect();
        Self { body, headings, body_is_bold, named }
    }

    /// The level of a block if it is a heading.
    fn heading(&self, block: &[Line], text: &str) -> Option<u8> {
        let first = block.first()?;
        if block.len() > 4
            || text.chars().count() > MAX_HEADING_CHARS
            || !text.chars().any(char::is_alphabetic)
        {
            return None;
        }
        if let Some(level) = self.named.get(&key(text)) {
            return Some(*level);
        }
        let ends_sentence =
            text.ends_with(['.', '。', ',', '、', ';', ':', '：']) && !text.ends_with("...");
        if let Some(rank) = self.headings.iter().position(|it| *it == halves(first.size)) {
            return (!ends_sentence || block.len() == 1)
                .then(|| (rank as u8).saturating_add(1).min(6));
        }
        let is_bold = block.iter().all(|it| it.is_bold) && !self.body_is_bold;
        let below = (self.headings.len() as u8).saturating_add(1).min(6);
        (is_bold && block.len() <= 2 && !ends_sentence && halves(first.size) >= self.body)
            .then_some(below)
    }
}

/// The size and weight most of the text has, the size in halves of a point.
pub(super) fn body(pages: &[PageLines]) -> (i32, bool) {
    let mut letters: HashMap<(i32, bool), usize> = HashMap::new();
    for line in lines(pages) {
        *letters.entry((halves(line.size), line.is_bold)).or_default() += line.text.len();
    }
    letters.into_iter().max_by_key(|it| (it.1, -it.0.0)).map_or((0, false), |it| it.0)
}

pub(super) fn is_heading_size(size: i32, body: i32) -> bool {
    size as f32 >= body as f32 * HEADING_SIZE
}

pub(super) fn lines(pages: &[PageLines]) -> impl Iterator<Item = &Line> {
    pages.iter().flat_map(|it| &it.regions).flat_map(|it| &it.lines)
}

pub(super) fn halves(size: f32) -> i32 {
    (size * 2.0).round() as i32
}

/// A title without what differs between an outline and a page: spaces and case.
pub(super) fn key(text: &str) -> String {
    text.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Words with a hyphen inside a line: a hyphen at the end of a line is kept if the word is one of them.
fn compounds(pages: &[PageLines]) -> HashSet<String> {
    let mut out = HashSet::new();
    for line in lines(pages) {
        for word in line.text.split_whitespace().filter(|it| it.contains('-')) {
            out.insert(bare(word));
        }
    }
    out
}

fn bare(word: &str) -> String {
    word.trim_matches(|it: char| !it.is_alphanumeric()).to_lowercase()
}

/// Cuts a region into runs of lines that belong together.
fn blocks(lines: &[Line]) -> Vec<&[Line]> {
    let Some(first) = lines.first() else { return Vec::new() };
    let left = lines.iter().map(|it| it.left).fold(first.left, f32::min);
    let right = lines.iter().map(|it| it.right).fold(first.right, f32::max);
    let mut gaps: Vec<f32> = lines
        .windows(2)
        .filter(|it| halves(it[0].size) == halves(it[1].size))
        .map(|it| it[0].y - it[1].y)
        .filter(|it| *it > 0.0)
        .collect();
    let middle = gaps.len() / 2;
    let usual = if gaps.is_empty() {
        first.size * 1.2
    } else {
        *gaps.select_nth_unstable_by(middle, f32::total_cmp).1
    };
    let column = Column { left, right, usual_gap: usual, gaps: gaps.len() };
    let mut out = Vec::new();
    let mut start = 0;
    for i in 1..lines.len() {
        if column.ends_between(&lines[start..i], &lines[i]) {
            out.push(&lines[start..i]);
            start = i;
        }
    }
    out.push(&lines[start..]);
    out
}

struct Column {
    left: f32,
    right: f32,
    usual_gap: f32,
    /// How many gaps that was measured on.
    gaps: usize,
}

impl Column {
    /// A block ends before `next`.
    fn ends_between(&self, block: &[Line], next: &Line) -> bool {
        let Some(last) = block.last() else { return false };
        if last.is_table || next.is_table {
            return true;
        }
        if last.size > 1.1 * next.size
            || next.size > 1.1 * last.size
            || last.is_bold != next.is_bold
        {
            // Bold words at the start of a paragraph do not end it; a change of size does.
            let same_size = (last.size - next.size).abs() < 0.1 * last.size;
            let runs_on = same_size && self.is_full(last) && starts_lower(&next.text);
            return !runs_on;
        }
        let gap = last.y - next.y;
        // The usual gap of a few lines says little; lines are rarely further apart than this.
        let widest = if self.gaps < 4 { 2.0 } else { 3.2 };
        let limit = (self.usual_gap * PARAGRAPH_GAP).min(last.size * widest).max(last.size * 1.05);
        if gap > limit || gap < -0.5 * last.size || marker(&next.text).is_some() {
            return true;
        }
        let em = last.size;
        let in_list = block.first().is_some_and(|it| marker(&it.text).is_some());
        if in_list {
            // The text of an item continues under its first word; what is under the mark is not part of it.
            let item = block.first().map_or(self.left, |it| it.left);
            return next.left < item + 0.3 * em && ends_sentence(&last.text) && !self.is_full(last);
        }
        if next.left > last.left + 0.8 * em && next.left > self.left + 0.8 * em {
            // An indented line starts a paragraph; lines under a hanging first line do not.
            return ends_sentence(&last.text) || !self.is_full(last);
        }
        let width = self.right - self.left;
        let missing = self.right - last.right;
        if missing > SHORT_LINE * width && !starts_lower(&next.text) {
            return ends_sentence(&last.text) || missing > 0.4 * width;
        }
        // Japanese lines fill their column to the last letter.
        last.text.chars().next_back().is_some_and(is_wide)
            && missing > 2.5 * em
            && ends_sentence(&last.text)
    }

    fn is_full(&self, line: &Line) -> bool {
        self.right - line.right <= 0.12 * (self.right - self.left)
    }
}

fn starts_lower(text: &str) -> bool {
    text.chars().next().is_some_and(char::is_lowercase)
}

fn ends_sentence(text: &str) -> bool {
    let text = text.trim_end_matches(['"', '”', '’', ')', '」', '』', '）']);
    text.ends_with(['.', '!', '?', ':', '。', '！', '？'])
}

/// The mark of an item of a list and what follows it.
fn marker(text: &str) -> Option<&str> {
    let first = text.chars().next()?;
    let rest = &text[first.len_utf8()..];
    if is_bullet(&text[..first.len_utf8()])
        && (rest.starts_with(' ') || first == '・' || first == '•')
    {
        return Some(rest.trim_start()).filter(|it| !it.is_empty());
    }
    // (1) 1. 1) a) (a) １． ①
    if ('①'..='⑳').contains(&first) {
        return Some(rest.trim_start()).filter(|it| !it.is_empty());
    }
    let inner = text.strip_prefix(['(', '（']);
    let body = inner.unwrap_or(text);
    let digits =
        body.chars().take_while(|it| it.is_numeric()).take(3).map(char::len_utf8).sum::<usize>();
    let letter = body.starts_with(|it: char| it.is_ascii_lowercase());
    let length = if digits > 0 { digits } else { usize::from(letter) };
    if length == 0 {
        return None;
    }
    let after = &body[length..];
    let close = after.chars().next()?;
    let is_close =
        matches!(close, ')' | '）') || inner.is_none() && digits > 0 && matches!(close, '.' | '．');
    let rest = &after[close.len_utf8()..];
    let is_spaced = rest.starts_with(' ') || close.len_utf8() > 1;
    (is_close && is_spaced).then(|| rest.trim_start()).filter(|it| !it.is_empty())
}

fn piece(block: &[Line], sizes: &Sizes, compounds: &HashSet<String>) -> Piece {
    let mut text = String::new();
    for line in block {
        append_line(&mut text, &line.text, compounds);
    }
    if block.iter().all(|it| it.is_table) {
        return Piece::new(FragmentType::Table, 0, text);
    }
    if let Some(level) = sizes.heading(block, &text) {
        return Piece::new(FragmentType::Heading, level, text);
    }
    match marker(&text) {
        // The number of an item says which it is, its bullet says nothing.
        Some(rest) if text.starts_with(|it: char| is_bullet(&it.to_string())) => {
            Piece::new(FragmentType::List, 1, rest)
        }
        Some(_) => Piece::new(FragmentType::List, 1, text),
        None => Piece::new(FragmentType::Paragraph, 0, text),
    }
}

/// Adds a line to the text before it: a divided word becomes whole, Japanese needs no space.
fn append_line(text: &mut String, line: &str, compounds: &HashSet<String>) {
    let line = line.trim();
    let (Some(last), Some(first)) = (text.chars().next_back(), line.chars().next()) else {
        text.push_str(line);
        return;
    };
    match last {
        '\u{AD}' => {
            text.pop();
        }
        '-' | '\u{2010}' if first.is_alphanumeric() => {
            let before = text.len() - last.len_utf8();
            // No word is longer; looking further back would make text without spaces quadratic.
            let letters = text[..before].char_indices().rev().take(MAX_WORD_CHARS);
            let start =
                letters.take_while(|it| !it.1.is_whitespace()).last().map_or(before, |it| it.0);
            let head = &text[start..before];
            let tail = line.split_whitespace().next().unwrap_or_default();
            let divided = head.chars().next_back().is_some_and(char::is_lowercase)
                && first.is_lowercase()
                && !head.contains(['-', '/', '@'])
                && !compounds.contains(&bare(&format!("{head}-{tail}")));
            if divided {
                text.truncate(before);
            }
        }
        _ if is_wide(last) || is_wide(first) => {}
        _ => text.push(' '),
    }
    text.push_str(line);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, left: f32, right: f32, y: f32) -> Line {
        Line { text: text.into(), left, right, y, size: 10.0, is_bold: false, is_table: false }
    }

    fn read(lines: Vec<Line>) -> String {
        let page = PageLines { number: 1, regions: vec![Region { lines }], ..PageLines::default() };
        let pieces = pieces(vec![page], &[]);
        let shown =
            pieces.into_iter().map(|it| format!("{} {}: {}", it.kind.as_str(), it.level, it.text));
        shown.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn lines_become_paragraphs_and_divided_words_whole() {
        insta::assert_snapshot!(
            read(vec![
                line("The well-known effect was meas-", 50.0, 300.0, 700.0),
                line("ured twice and is well-", 50.0, 300.0, 688.0),
                line("known today.", 50.0, 120.0, 676.0),
                line("A second paragraph starts here and goes", 60.0, 300.0, 664.0),
                line("on to its end.", 50.0, 120.0, 652.0),
            ]),
            @r"
        paragraph 0: The well-known effect was measured twice and is well-known today.
        paragraph 0: A second paragraph starts here and goes on to its end.
        "
        );
    }

    #[test]
    fn japanese_lines_are_joined_without_a_space() {
        insta::assert_snapshot!(
            read(vec![
                line("この論文では、証拠の", 50.0, 150.0, 700.0),
                line("連鎖を調べる。", 50.0, 120.0, 688.0),
            ]),
            @"paragraph 0: この論文では、証拠の連鎖を調べる。"
        );
    }

    #[test]
    fn larger_letters_and_bold_lines_are_headings() {
        let mut title = line("A Study of Things", 50.0, 300.0, 760.0);
        title.size = 18.0;
        let mut section = line("Methods", 50.0, 100.0, 730.0);
        section.is_bold = true;
        let body = "We looked at many things for a long time and wrote down what we saw.";
        insta::assert_snapshot!(
            read(vec![title, section, line(body, 50.0, 400.0, 715.0)]),
            @r"
        heading 1: A Study of Things
        heading 2: Methods
        paragraph 0: We looked at many things for a long time and wrote down what we saw.
        "
        );
    }

    #[test]
    fn marks_start_items_of_lists() {
        let cases = [
            ("• first", Some("first")),
            ("・項目", Some("項目")),
            ("1. one", Some("one")),
            ("(2) two", Some("two")),
            ("①一つ", Some("一つ")),
            ("a) letter", Some("letter")),
            ("1.5 metres", None),
            ("2024 was", None),
            ("e.g. this", None),
            ("-5 degrees", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(marker(text), expected, "{text}");
        }
    }

    #[test]
    fn lines_that_come_back_on_every_page_are_left_out() {
        let page = |number: u32| PageLines {
            number,
            regions: vec![Region {
                lines: vec![
                    line("Journal of Things", 50.0, 200.0, 780.0),
                    line(&format!("Text of page {number} only."), 50.0, 200.0, 600.0),
                    line(&format!("- {number} -"), 150.0, 170.0, 30.0),
                ],
            }],
            ..PageLines::default()
        };
        let texts: Vec<String> =
            pieces((1..=4).map(page).collect(), &[]).into_iter().map(|it| it.text).collect();
        assert_eq!(
            texts,
            [
                "Text of page 1 only.",
                "Text of page 2 only.",
                "Text of page 3 only.",
                "Text of page 4 only."
            ]
        );
        let three = pieces((1..=3).map(page).collect(), &[]);
        assert_eq!(three.len(), 9);
    }
}
