//! Text on a terminal: how wide it is, where it may be broken, and what must never reach it.

use unicode_width::UnicodeWidthStr;

/// Whether a character would steer the terminal instead of being shown by it.
///
/// Controls (C0, DEL, C1) start escape sequences; the bidirectional marks make text read other than
/// it is stored; the separators are line breaks that no line counter sees.
pub(crate) fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{061c}' | '\u{feff}')
}

/// Makes a stranger's text safe to show on one line.
///
/// White space becomes one space, a control its picture (`ESC` is `␛`), and what has no picture
/// `�`. `--json` has the exact text.
pub(crate) fn clean(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => {
                if !cleaned.ends_with(' ') {
                    cleaned.push(' ');
                }
            }
            '\u{7f}' => cleaned.push('␡'),
            '\0'..='\u{1f}' => {
                cleaned.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('�'));
            }
            c if is_unsafe(c) => cleaned.push('�'),
            c => cleaned.push(c),
        }
    }
    cleaned
}

/// An address as people read it: a file by its path, which an address writes in signs where it is Japanese or has spaces.
pub(crate) fn address(url: &str) -> String {
    let file = url::Url::parse(url).ok().filter(|it| it.scheme() == "file");
    let path = file.as_ref().and_then(|it| it.to_file_path().ok());
    let (Some(file), Some(path)) = (file, path) else { return clean(url) };
    let place = file.fragment().map(|it| format!("#{it}")).unwrap_or_default();
    clean(&format!("{}{place}", path.display()))
}

/// Columns that a clean text takes.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// Breaks a clean text into lines of at most `columns`; the last of `lines` ends in `…` if the
/// text does not.
///
/// Breaks at spaces where a line has one late enough, and between any two characters otherwise, as
/// Japanese is set. A character is never parted from its accents or an emoji from its modifiers.
pub(crate) fn wrap(text: &str, columns: usize, lines: usize) -> Vec<String> {
    let mut wrapped = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let is_last = wrapped.len() + 1 == lines;
        if width(rest) <= columns {
            wrapped.push(rest.to_owned());
            break;
        }
        if is_last {
            let (start, _) = split_at_width(rest, columns.saturating_sub(1));
            wrapped.push(format!("{}…", start.trim_end()));
            break;
        }
        let (line, remaining) = split_line(rest, columns);
        wrapped.push(line.trim_end().to_owned());
        rest = remaining.trim_start();
    }
    if wrapped.is_empty() {
        wrapped.push(String::new());
    }
    wrapped
}

/// A clean text in one line of at most `columns`.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    wrap(text, columns, 1).concat()
}

/// Takes one line: up to the last space in its second half, or as much as fits.
fn split_line(text: &str, columns: usize) -> (&str, &str) {
    let (line, rest) = split_at_width(text, columns);
    if rest.starts_with(' ') {
        return (line, rest);
    }
    match line.rfind(' ') {
        Some(space) if width(&line[..space]) * 2 >= columns => text.split_at(space),
        _ => (line, rest),
    }
}

/// Splits where the first part still fits `columns`; it holds at least one character, so that a
/// loop over the rest ends.
fn split_at_width(text: &str, columns: usize) -> (&str, &str) {
    let mut end = 0;
    for boundary in boundaries(text) {
        if end > 0 && width(&text[..boundary]) > columns {
            break;
        }
        end = boundary;
    }
    text.split_at(end)
}

/// Ends of what a reader sees as one character.
fn boundaries(text: &str) -> impl Iterator<Item = usize> {
    let mut flags = 0;
    let starts = text.char_indices().scan(None, move |before: &mut Option<char>, (at, c)| {
        let joined = match *before {
            Some('\u{200d}') => true,
            Some(_) if is_flag_half(c) => flags % 2 == 1,
            Some(_) => is_modifier(c),
            None => false,
        };
        flags = if is_flag_half(c) { flags + 1 } else { 0 };
        *before = Some(c);
        Some((at, joined))
    });
    starts
        .filter(|(at, joined)| *at > 0 && !joined)
        .map(|(at, _)| at)
        .chain(std::iter::once(text.len()))
}

fn is_flag_half(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1f1ff}')
}

/// Accents, selectors, joiners and skin tones: they belong to the character before them.
fn is_modifier(c: char) -> bool {
    width(c.encode_utf8(&mut [0; 4])) == 0 || matches!(c, '\u{1f3fb}'..='\u{1f3ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_of_strangers_are_shown_and_not_obeyed() {
        assert_eq!(clean("\u{1b}[2J\u{7}bell"), "␛[2J␇bell");
        assert_eq!(clean("c1 \u{9b}31m \u{85}"), "c1 �31m �");
        assert_eq!(clean("\u{202e}gnp.exe\u{2066}"), "�gnp.exe�");
        assert_eq!(clean("one\r\n\ttwo\u{2028}three"), "one two three");
        assert_eq!(clean("nul\0 del\u{7f} bom\u{feff}"), "nul␀ del␡ bom�");
        assert_eq!(clean("日本語 👩‍🔬 é"), "日本語 👩‍🔬 é");
    }

    #[test]
    fn width_counts_columns_and_not_characters() {
        assert_eq!(width("abc"), 3);
        assert_eq!(width("日本語"), 6);
        assert_eq!(width("ﾊﾝｶｸ"), 4);
        assert_eq!(width("e\u{301}"), 1);
        assert_eq!(width("か\u{3099}"), 2);
        assert_eq!(width("👩‍🔬"), 2);
        assert_eq!(width("🇯🇵"), 2);
    }

    #[test]
    fn english_breaks_at_spaces_and_japanese_anywhere() {
        assert_eq!(wrap("the quick brown fox", 10, 9), ["the quick", "brown fox"]);
        assert_eq!(wrap("再生可能エネルギーの費用", 10, 9), ["再生可能エ", "ネルギーの", "費用"]);
        assert_eq!(
            wrap("antidisestablishmentarianism", 10, 9),
            ["antidisest", "ablishment", "arianism"]
        );
    }

    #[test]
    fn what_does_not_fit_ends_in_an_ellipsis() {
        assert_eq!(wrap("再生可能エネルギー", 9, 1), ["再生可能…"]);
        assert_eq!(wrap("再生可能エネルギー", 10, 1), ["再生可能…"]);
        assert_eq!(wrap("再生可能エネルギー", 18, 1), ["再生可能エネルギー"]);
        assert_eq!(wrap("one two three four", 8, 2), ["one two", "three f…"]);
        assert_eq!(wrap("", 8, 2), [""]);
    }

    #[test]
    fn characters_stay_whole() {
        assert_eq!(wrap("🇯🇵🇩🇪🇫🇷", 3, 9), ["🇯🇵", "🇩🇪", "🇫🇷"]);
        assert_eq!(wrap("👩‍🔬👍🏽x", 2, 9), ["👩‍🔬", "👍🏽", "x"]);
        assert_eq!(wrap("e\u{301}e\u{301}e\u{301}", 2, 9), ["e\u{301}e\u{301}", "e\u{301}"]);
        assert_eq!(wrap("日本", 1, 9), ["日", "本"], "too narrow for one, and still an end");
    }
}
