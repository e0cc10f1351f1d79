//! How much text fits where a drawing has room: an estimate in cells, because there is no browser to ask.

use unicode_width::UnicodeWidthChar;

use crate::escape;

/// Cuts a text into at most `lines` lines of `cells` cells (a kanji takes two), marked where it is cut.
pub(super) fn wrapped(text: &str, cells: usize, lines: usize) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut rest = text.split_whitespace().flat_map(pieces).peekable();
    while let Some((piece, spaced)) = rest.next() {
        let space = usize::from(spaced && !line.is_empty());
        if !line.is_empty() && width(&line) + space + width(piece) > cells {
            if out.len() + 1 == lines {
                out.push(cut(&line, cells, true));
                return out;
            }
            out.push(cut(&line, cells, false));
            line.clear();
        } else if space > 0 {
            line.push(' ');
        }
        line.push_str(piece);
        if width(&line) > cells {
            // One word longer than the line.
            if out.len() + 1 == lines || rest.peek().is_none() {
                out.push(cut(&line, cells, true));
                return out;
            }
            out.push(cut(&line, cells, true));
            line.clear();
        }
    }
    if !line.is_empty() {
        out.push(line);
    }
    out
}

/// A word in pieces between which a line may break, each with whether a space stands before it.
fn pieces(word: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &word[at..];
        let first = rest.chars().next()?;
        let end = match is_wide(first) {
            true => first.len_utf8(),
            false => rest.find(is_wide).unwrap_or(rest.len()),
        };
        let spaced = at == 0;
        at += end;
        Some((&rest[..end], spaced))
    })
}

fn is_wide(c: char) -> bool {
    c.width() == Some(2)
}

pub(super) fn width(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

fn cut(line: &str, cells: usize, more: bool) -> String {
    if !more {
        return line.to_owned();
    }
    let (mut out, mut used) = (String::new(), 1);
    for c in line.chars() {
        used += c.width().unwrap_or(0);
        if used > cells {
            break;
        }
        out.push(c);
    }
    out.truncate(out.trim_end().len());
    out.push('…');
    out
}

/// Lines of text in a drawing, one below the other.
pub(super) fn text_lines(class: &str, x: f64, y: f64, step: f64, lines: &[String]) -> String {
    let mut out = String::new();
    for (index, line) in lines.iter().enumerate() {
        let y = y + step * index as f64;
        out.push_str(&format!(
            "<text class=\"{class}\" x=\"{x:.0}\" y=\"{y:.1}\">{}</text>",
            escape::html(line)
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_whole_and_japanese_breaks_anywhere() {
        assert_eq!(wrapped("air filters in schools", 12, 3), ["air filters", "in schools"]);
        assert_eq!(wrapped("空気清浄機は有効", 8, 3), ["空気清浄", "機は有効"]);
        assert_eq!(wrapped("HEPA空気清浄機", 8, 2), ["HEPA空気", "清浄機"]);
        assert_eq!(wrapped("", 8, 2), [] as [&str; 0]);
    }

    #[test]
    fn what_does_not_fit_is_marked() {
        assert_eq!(wrapped("one two three four", 8, 2), ["one two", "three…"]);
        assert_eq!(wrapped("incomprehensibilities", 8, 1), ["incompr…"]);
        assert_eq!(wrapped("空気清浄機は有効である", 8, 1), ["空気清…"]);
    }
}
