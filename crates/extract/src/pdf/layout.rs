//! Characters on a page to lines in reading order.
//!
//! Neighbours become spans, spans on one height a row, and rows are cut at wide gaps into segments. What
//! the segments are (columns, cells of a table, words far apart) is decided in `columns`.

use unicode_normalization::UnicodeNormalization;

use super::content::{Direction, Glyph, PageContent};

/// Everything below is in parts of the size of the letters.
const WORD_GAP: f32 = 0.13;
/// Gaps between Japanese and Chinese letters in justified lines are not spaces.
const WIDE_WORD_GAP: f32 = 0.6;
/// A gap that may separate columns or cells.
const SEGMENT_GAP: f32 = 1.0;
/// The same where spaces are drawn: justified lines stretch them.
const SPACED_SEGMENT_GAP: f32 = 1.6;
/// How much of the smaller height two spans of one row share.
const ROW_OVERLAP: f32 = 0.5;
/// The part of the size that letters fill above their line.
const LETTER_HEIGHT: f32 = 0.7;

/// A run of text on one height without a wide gap.
#[derive(Debug, Clone)]
pub(crate) struct Segment {
    pub(crate) text: String,
    pub(crate) left: f32,
    pub(crate) right: f32,
    pub(crate) y: f32,
    pub(crate) size: f32,
    pub(crate) is_bold: bool,
    /// The row it stands in, from the top; segments of one row share it.
    pub(crate) row: usize,
}

/// Segments of a page by the direction of their lines, the most common direction first.
pub(crate) fn segments(shown: &PageContent) -> Vec<Vec<Segment>> {
    let mut groups: Vec<(Direction, Vec<&Glyph>)> = Vec::new();
    for glyph in &shown.glyphs {
        match groups.iter_mut().find(|it| it.0 == glyph.direction) {
            Some(group) => group.1.push(glyph),
            None => groups.push((glyph.direction, vec![glyph])),
        }
    }
    groups.sort_by_key(|it| std::cmp::Reverse(it.1.len()));
    groups.iter().map(|it| rows(spans(&it.1, &shown.text))).collect()
}

/// Characters drawn one after the other, without a jump.
#[derive(Debug)]
struct Span {
    units: Vec<Unit>,
    left: f32,
    right: f32,
    y: f32,
    size: f32,
    bold_units: usize,
}

/// The text of one glyph, and whether a space precedes it.
#[derive(Debug, Clone, PartialEq)]
struct Unit {
    text: String,
    has_space: bool,
}

fn spans(glyphs: &[&Glyph], text: &str) -> Vec<Span> {
    let mut out: Vec<Span> = Vec::new();
    let mut open: Option<Span> = None;
    let mut had_space = false;
    let mut previous: Option<(&Glyph, &str)> = None;
    for glyph in glyphs {
        let shown = text.get(glyph.start as usize..glyph.end as usize).unwrap_or_default();
        if !shown.is_empty() && shown.chars().all(|it| it.is_whitespace() || it.is_control()) {
            had_space = true;
            continue;
        }
        // Letters drawn twice with a small shift look bold; they are one letter.
        if let Some((last, last_shown)) = previous
            && last_shown == shown
            && !shown.is_empty()
            && (last.x - glyph.x).abs() < 0.1 * glyph.size.min(last.width * 5.0)
            && (last.y - glyph.y).abs() < 0.1 * glyph.size
        {
            continue;
        }
        previous = Some((glyph, shown));
        let joins = open.as_ref().is_some_and(|segment| {
            let gap = glyph.x - segment.right;
            let limit = if had_space { SPACED_SEGMENT_GAP } else { SEGMENT_GAP };
            (glyph.y - segment.y).abs() < 0.1 * glyph.size.max(segment.size)
                && glyph.size < 1.3 * segment.size
                && segment.size < 1.3 * glyph.size
                && gap > -0.4 * glyph.size
                && gap < limit * glyph.size
        });
        if !joins && let Some(done) = open.take() {
            out.push(done);
        }
        let span = open.get_or_insert_with(|| Span {
            units: Vec::new(),
            left: glyph.x,
            right: glyph.x,
            y: glyph.y,
            size: glyph.size,
            bold_units: 0,
        });
        let gap = glyph.x - span.right;
        let has_space =
            had_space || !span.units.is_empty() && is_word_gap(span, shown, gap, glyph.size);
        if !shown.is_empty() {
            let text = readable(shown);
            span.units.push(Unit { text, has_space });
            span.bold_units += usize::from(glyph.is_bold);
            had_space = false;
        }
        span.right = span.right.max(glyph.x + glyph.width);
    }
    out.extend(open);
    out.retain(|it| !it.units.is_empty());
    out
}

fn is_word_gap(span: &Span, next: &str, gap: f32, size: f32) -> bool {
    let before = span.units.last().and_then(|it| it.text.chars().next_back());
    is_gap_between(before, next.chars().next(), gap, size)
}

fn is_gap_between(before: Option<char>, after: Option<char>, gap: f32, size: f32) -> bool {
    let wide = before.is_some_and(is_wide) && after.is_some_and(is_wide);
    gap > size * if wide { WIDE_WORD_GAP } else { WORD_GAP }
}

/// Ligatures and presentation forms as the letters they stand for; the rest as it is.
fn readable(shown: &str) -> String {
    let is_form = |it: char| matches!(it, '\u{FB00}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}');
    let text = shown.chars().filter(|it| !it.is_control());
    if shown.chars().any(is_form) { text.nfkc().collect() } else { text.collect() }
}

fn rows(mut spans: Vec<Span>) -> Vec<Segment> {
    spans.sort_by(|a, b| b.y.total_cmp(&a.y).then(a.left.total_cmp(&b.left)));
    let mut out = Vec::new();
    let mut row: Vec<Span> = Vec::new();
    let mut number = 0;
    // The height of a row is that of its largest letters: notes and exponents go with them.
    let mut reference = (0.0, 0.0);
    for span in spans {
        if !row.is_empty() && !shares_row(reference, (span.y, span.size)) {
            cut_row(std::mem::take(&mut row), number, &mut out);
            number += 1;
        }
        if row.is_empty() || span.size > reference.1 {
            reference = (span.y, span.size);
        }
        row.push(span);
    }
    cut_row(row, number, &mut out);
    out
}

fn shares_row(a: (f32, f32), b: (f32, f32)) -> bool {
    let top = |it: (f32, f32)| it.0 + it.1 * LETTER_HEIGHT;
    let shared = top(a).min(top(b)) - a.0.max(b.0);
    shared >= ROW_OVERLAP * LETTER_HEIGHT * a.1.min(b.1)
}

fn cut_row(mut row: Vec<Span>, number: usize, out: &mut Vec<Segment>) {
    row.sort_by(|a, b| a.left.total_cmp(&b.left));
    let mut parts: Vec<Span> = Vec::new();
    for span in row {
        let Some(last) = parts.last_mut() else {
            parts.push(span);
            continue;
        };
        let gap = span.left - last.right;
        let size = last.size.max(span.size);
        let is_copy = last.units.len() == span.units.len()
            && (last.left - span.left).abs() < 0.2 * size
            && last.units.iter().zip(&span.units).all(|(a, b)| a.text == b.text);
        if is_copy {
            continue;
        }
        let spaced = span.units.first().is_some_and(|it| it.has_space);
        let limit = if spaced { SPACED_SEGMENT_GAP } else { SEGMENT_GAP };
        // A list mark is far from its text but belongs to it.
        let is_mark = last.units.len() == 1 && gap < 3.0 * size && is_bullet(&last.units[0].text);
        if gap < limit * size || is_mark {
            join(last, span, gap, size);
        } else {
            parts.push(span);
        }
    }
    for part in parts {
        let text = line_text(&part.units);
        if text.is_empty() {
            continue;
        }
        out.push(Segment {
            text,
            left: part.left,
            right: part.right,
            y: part.y,
            size: part.size,
            is_bold: part.bold_units * 2 > part.units.len(),
            row: number,
        });
    }
}

fn join(last: &mut Span, mut span: Span, gap: f32, size: f32) {
    let before = last.units.last().and_then(|it| it.text.chars().next_back());
    if let Some(first) = span.units.first_mut() {
        let after = first.text.chars().next();
        first.has_space |= is_gap_between(before, after, gap, size);
    }
    // The longer part says how large the letters of the line are.
    if span.units.len() > last.units.len() {
        last.size = span.size;
        last.y = span.y;
    }
    last.right = last.right.max(span.right);
    last.bold_units += span.bold_units;
    last.units.extend(span.units);
}

/// Text in the order it is read; letters that run from right to left are drawn in the opposite order.
fn line_text(units: &[Unit]) -> String {
    let mut words: Vec<&Unit> = units.iter().collect();
    let is_right_to_left = |it: &Unit| it.text.chars().any(is_rtl);
    let rtl = units.iter().filter(|it| is_right_to_left(it)).count();
    if rtl == 0 {
        return with_spaces(words.iter().map(|it| (it.text.as_str(), it.has_space)));
    }
    let letters = units.iter().filter(|it| it.text.chars().any(char::is_alphabetic)).count();
    // Pieces with the space before them made explicit, so that they can be turned.
    let mut pieces: Vec<&str> = Vec::new();
    for word in words.drain(..) {
        if word.has_space && !pieces.is_empty() {
            pieces.push(" ");
        }
        pieces.push(&word.text);
    }
    let is_rtl_piece = |it: &str| it.chars().any(is_rtl);
    let is_neutral = |it: &str| !it.chars().any(char::is_alphanumeric);
    let mostly_rtl = rtl * 2 > letters;
    if mostly_rtl {
        pieces.reverse();
    }
    // Runs of the other direction are turned back (or over).
    let mut at = 0;
    while at < pieces.len() {
        let turned = |it: &str| {
            if mostly_rtl { !is_rtl_piece(it) && !is_neutral(it) } else { is_rtl_piece(it) }
        };
        if !turned(pieces[at]) {
            at += 1;
            continue;
        }
        let mut end = at + 1;
        let mut last = at;
        while end < pieces.len() && (turned(pieces[end]) || is_neutral(pieces[end])) {
            if turned(pieces[end]) {
                last = end;
            }
            end += 1;
        }
        pieces[at..=last].reverse();
        at = end;
    }
    let joined = pieces.concat();
    joined.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn with_spaces<'a>(units: impl Iterator<Item = (&'a str, bool)>) -> String {
    let mut out = String::new();
    for (text, has_space) in units {
        if has_space && !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
        out.push_str(text);
    }
    out.trim().to_owned()
}

pub(crate) fn is_bullet(text: &str) -> bool {
    matches!(
        text.trim(),
        "•" | "‣"
            | "◦"
            | "▪"
            | "▫"
            | "●"
            | "○"
            | "■"
            | "□"
            | "◆"
            | "◇"
            | "–"
            | "·"
            | "・"
            | "➢"
            | "✓"
            | "*"
            | "-"
            | "\u{F0B7}"
    )
}

/// Letters written without spaces between words: Chinese characters and kana. Korean has spaces.
pub(crate) fn is_wide(letter: char) -> bool {
    matches!(letter,
        '\u{3000}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{FF01}'..='\u{FF9F}' | '\u{20000}'..='\u{3FFFF}')
}

fn is_rtl(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str) -> Vec<Unit> {
        text.chars().map(|it| Unit { text: it.to_string(), has_space: false }).collect()
    }

    #[test]
    fn arabic_and_hebrew_are_read_from_right_to_left() {
        assert_eq!(line_text(&units("Hello دمحم World")), "Hello محمد World");
        assert_eq!(line_text(&units("12 םולש")), "שלום 12");
    }

    #[test]
    fn notes_share_the_row_of_the_word_they_stand_at() {
        assert!(shares_row((100.0, 10.0), (104.0, 6.0)));
        assert!(!shares_row((100.0, 10.0), (88.0, 10.0)));
    }
}
