//! Text with marked places: bold where that can be shown, plain elsewhere.

use std::ops::Range;

use super::table::Layout;
use super::text::{clean, wrap};

/// Text narrower than this cannot be read.
const MIN_TEXT: usize = 16;

/// Renders `text` on lines of their own, `indent` columns in, with `marks` (ranges of characters) in
/// bold. On a terminal it is wrapped; the text is not trusted.
pub(crate) fn marked(text: &str, marks: &[Range<usize>], layout: Layout, indent: usize) -> String {
    let (text, marks) = cleaned(text, marks);
    let lines = match layout.width {
        Some(room) => wrap(&text, room.saturating_sub(indent).max(MIN_TEXT), usize::MAX),
        None => vec![text.trim().to_owned()],
    };
    let mut rendered = String::new();
    let mut end = 0;
    for line in lines {
        // Between two lines there is nothing but white space.
        let start = end + text[end..].find(&line).unwrap_or_default();
        end = start + line.len();
        let marks: &[Range<usize>] = if layout.bold { &marks } else { &[] };
        rendered += &format!("{}{}\n", " ".repeat(indent), in_bold(&text, start..end, marks));
    }
    rendered
}

/// Makes the text safe to show, and the marks ranges of bytes of it.
fn cleaned(text: &str, marks: &[Range<usize>]) -> (String, Vec<Range<usize>>) {
    let mut chars = text.chars();
    let (mut result, mut places) = (String::new(), Vec::new());
    let mut at = 0;
    for mark in marks {
        let before: String = chars.by_ref().take(mark.start.saturating_sub(at)).collect();
        let inside: String = chars.by_ref().take(mark.len()).collect();
        at = mark.end;
        result += &clean(&before);
        let start = result.len();
        result += &clean(&inside);
        places.push(start..result.len());
    }
    result += &clean(chars.as_str());
    (result, places)
}

/// The part `shown` of a text, with what of the marks falls into it in bold.
fn in_bold(text: &str, shown: Range<usize>, marks: &[Range<usize>]) -> String {
    let mut rendered = String::new();
    let mut at = shown.start;
    for mark in marks {
        let (start, end) = (mark.start.max(at), mark.end.min(shown.end));
        if start < end {
            rendered += &format!("{}\x1b[1m{}\x1b[0m", &text[at..start], &text[start..end]);
            at = end;
        }
    }
    rendered + &text[at..shown.end]
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use super::*;

    fn at(width: Option<usize>, bold: bool, text: &str, marks: &[Range<usize>]) -> String {
        marked(text, marks, Layout { width, lines: 1, bold }, 2).replace('\u{1b}', "^")
    }

    #[test]
    fn marks_are_bold_on_a_terminal_and_gone_elsewhere() {
        let text = "海面は約20 cm上昇した";
        assert_eq!(
            at(Some(40), true, text, &[0..2, 9..11]),
            "  ^[1m海面^[0mは約20 cm^[1m上昇^[0mした\n"
        );
        assert_eq!(at(None, false, text, &[0..2, 9..11]), "  海面は約20 cm上昇した\n");
    }

    #[test]
    fn a_mark_across_two_lines_is_bold_on_both() {
        assert_eq!(
            at(Some(18), true, "one two three four five six", from_ref(&(4..18))),
            "  one ^[1mtwo three^[0m\n  ^[1mfour^[0m five six\n"
        );
    }

    #[test]
    fn a_strangers_controls_are_shown_and_marks_stay_where_they_were() {
        assert_eq!(
            at(None, true, "\u{1b}[2J\nsea\r\nlevel", from_ref(&(5..8))),
            "  ␛[2J ^[1msea^[0m level\n".replace('\u{1b}', "^")
        );
    }

    #[test]
    fn marks_beyond_the_text_do_no_harm() {
        assert_eq!(at(None, true, "sea", &[2..9, 12..14]), "  se^[1ma^[0m\n");
        assert_eq!(at(None, true, "", &[]), "  \n");
    }
}
