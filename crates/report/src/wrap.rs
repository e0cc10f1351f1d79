//! Text in lines of a given width, counted in cells: a kanji takes two.

use text::script::is_katakana;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Signs that do not begin a line, and signs that do not end one.
const CLOSING: &str =
    "、。，．・：；！？」』）〕］｝〉》】’”ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々…‥";
const OPENING: &str = "「『（〔［｛〈《【‘“";

pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// Breaks a text at spaces, and Japanese between any two characters but those of a word in katakana. A word that is longer
/// than a line, such as an address, stays whole; one in katakana does not.
pub fn lines(text: &str, cells: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for (piece, spaced) in text.split_whitespace().flat_map(|word| pieces(word, cells)) {
        let space = if spaced && !line.is_empty() { " " } else { "" };
        if !line.is_empty() && width(&line) + space.len() + width(piece) > cells {
            lines.push(std::mem::take(&mut line));
        } else {
            line.push_str(space);
        }
        line.push_str(piece);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// At most `limit` lines, none of them wider than `cells`, marked where something is cut.
pub(crate) fn bounded(text: &str, cells: usize, limit: usize) -> Vec<String> {
    let all = lines(text, cells);
    let shown = all.iter().take(limit).enumerate().map(|(index, line)| {
        let is_cut = width(line) > cells || (index + 1 == limit && all.len() > limit);
        if is_cut { cut(line, cells) } else { line.clone() }
    });
    shown.collect()
}

fn cut(line: &str, cells: usize) -> String {
    let mut used = 1;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= cells
    };
    let kept: String = line.chars().take_while(fits).collect();
    format!("{}…", kept.trim_end())
}

/// A word in pieces between which a line of `cells` may break, each with whether a space is before it.
fn pieces(word: &str, cells: usize) -> impl Iterator<Item = (&str, bool)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &word[at..];
        let spaced = at == 0;
        let mut end = 0;
        let mut open = true;
        for (place, c) in rest.char_indices() {
            let before = rest[..place].chars().next_back();
            let is_inside = before.is_some_and(is_katakana)
                && is_katakana(c)
                && width(&rest[..end]) + 2 <= cells;
            let breaks = place > 0 && !open && !CLOSING.contains(c) && !is_inside;
            if breaks && (is_wide(c) || before.is_some_and(is_wide)) {
                break;
            }
            open = OPENING.contains(c);
            end = place + c.len_utf8();
        }
        at += end;
        (end > 0).then(|| (&rest[..end], spaced))
    })
}

fn is_wide(c: char) -> bool {
    c.width() == Some(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_whole_and_japanese_breaks_anywhere() {
        assert_eq!(lines("air filters in schools", 12), ["air filters", "in schools"]);
        assert_eq!(lines("空気清浄機は有効", 8), ["空気清浄", "機は有効"]);
        assert_eq!(lines("HEPA空気清浄機", 8), ["HEPA空気", "清浄機"]);
        assert_eq!(
            lines("see https://example.org/long here", 8),
            ["see", "https://example.org/long", "here"]
        );
        assert_eq!(lines(" ", 8), [] as [&str; 0]);
    }

    #[test]
    fn a_japanese_line_begins_with_no_closing_sign_and_ends_with_no_opening_one() {
        assert_eq!(lines("空気が澄む。「窓」を開ける", 10), ["空気が澄", "む。「窓」", "を開ける"]);
        assert_eq!(lines("空気（窓）", 6), ["空気", "（窓）"]);
    }

    #[test]
    fn a_word_in_katakana_stays_whole_where_it_fits() {
        assert_eq!(lines("件のプログラムへ", 10), ["件の", "プログラム", "へ"]);
        assert_eq!(lines("プログラムコード", 8), ["プログラ", "ムコード"]);
    }

    #[test]
    fn what_does_not_fit_is_marked() {
        assert_eq!(bounded("air filters in schools", 12, 3), ["air filters", "in schools"]);
        assert_eq!(bounded("one two three four", 8, 2), ["one two", "three…"]);
        assert_eq!(bounded("incomprehensibilities", 8, 1), ["incompr…"]);
        assert_eq!(bounded("空気清浄機は有効である", 8, 1), ["空気清…"]);
    }
}
