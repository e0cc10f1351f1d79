//! Escapes text from outside: titles, addresses and quotes may hold anything.
//!
//! Characters that no reader sees, that drive a terminal or that turn the direction of writing are left out; the rest
//! is written so that HTML and Markdown read it as text. Only web and file addresses become links.

use std::borrow::Cow;

use url::Url;

/// The address as a link may carry it, if it is one of a page or a file.
pub fn link(address: &str) -> Option<String> {
    let url = Url::parse(address.trim()).ok()?;
    matches!(url.scheme(), "http" | "https" | "file").then(|| {
        // Apostrophes and brackets are allowed in addresses, and are what attributes and Markdown end at.
        let mut safe = String::with_capacity(url.as_str().len());
        for c in url.as_str().chars() {
            match c {
                '\'' => safe.push_str("%27"),
                '(' => safe.push_str("%28"),
                ')' => safe.push_str("%29"),
                '<' => safe.push_str("%3C"),
                '>' => safe.push_str("%3E"),
                '"' => safe.push_str("%22"),
                '`' => safe.push_str("%60"),
                '\\' => safe.push_str("%5C"),
                '|' => safe.push_str("%7C"),
                _ => safe.push(c),
            }
        }
        safe
    })
}

/// Text on one line, as HTML.
pub(crate) fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for c in one_line(text).chars() {
        push_html(&mut out, c);
    }
    out
}

/// Text whose line breaks matter, as HTML.
pub(crate) fn html_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for c in text.trim().chars().filter(|c| is_shown(*c) || *c == '\n') {
        push_html(&mut out, c);
    }
    out
}

fn push_html(out: &mut String, c: char) {
    match c {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        '\'' => out.push_str("&#39;"),
        _ => out.push(c),
    }
}

/// How far a line of Markdown has got: some signs mean something at its beginning only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinePosition {
    Start,
    /// After digits, which a point would make a list.
    AfterDigits,
    Inside,
}

/// Text on one line, as Markdown.
pub(crate) fn markdown(text: &str, position: &mut LinePosition) -> String {
    let text = one_line(text);
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            ' ' if *position == LinePosition::Start => continue,
            '\\' | '`' | '*' | '_' | '[' | ']' | '~' | '|' | '$' => out.extend(['\\', c]),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            // What makes a heading, a list or a rule.
            '#' | '+' | '-' | '=' if *position == LinePosition::Start => out.extend(['\\', c]),
            '.' | ')'
                if *position == LinePosition::AfterDigits
                    && matches!(chars.peek(), None | Some(' ')) =>
            {
                out.extend(['\\', c]);
            }
            // An address would become a link of the reader's own.
            ':' if chars.peek() == Some(&'/') => out.push_str("&#58;"),
            _ => out.push(c),
        }
        let is_number = *position != LinePosition::Inside && c.is_ascii_digit();
        *position = if is_number { LinePosition::AfterDigits } else { LinePosition::Inside };
    }
    out
}

/// Text on one line, for a terminal or a template that escapes.
pub fn plain(text: &str) -> String {
    one_line(text)
}

/// At most `limit` characters, marked where something was cut.
pub(crate) fn shortened(text: &str, limit: usize) -> Cow<'_, str> {
    match text.char_indices().nth(limit) {
        None => Cow::Borrowed(text),
        Some((cut, _)) => Cow::Owned(format!("{}…", text[..cut].trim_end())),
    }
}

/// White space as single spaces, without what is not shown.
fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }) {
        if is_shown(c) && !(c == ' ' && out.ends_with(' ')) {
            out.push(c);
        }
    }
    out
}

/// Not a control character, none that turns or hides the text around it, and none that XML forbids.
fn is_shown(c: char) -> bool {
    !c.is_control()
        && !matches!(u32::from(c),
            0xad | 0x61c | 0x180e | 0x200b..=0x200f | 0x202a..=0x202e | 0x2060..=0x206f | 0xfeff
            | 0xfff9..=0xfffb | 0xfffe..=0xffff | 0xe0000..=0xe007f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_and_files_become_links() {
        let refused = [
            "javascript:alert(1)",
            " JaVaScRiPt:alert(1)",
            "java\nscript:alert(1)",
            "data:text/html,<script>alert(1)</script>",
            "vbscript:x",
            "mailto:a@b.example",
            "//example.org",
            "example.org",
            "",
        ];
        for address in refused {
            assert_eq!(link(address), None, "{address}");
        }
        assert_eq!(
            link("https://example.org/a'b\"c<d>e(f)`g#:~:text=two%20words").as_deref(),
            Some("https://example.org/a%27b%22c%3Cd%3Ee%28f%29%60g#:~:text=two%20words")
        );
        assert_eq!(link("file:///notes/a b.md").as_deref(), Some("file:///notes/a%20b.md"));
    }

    #[test]
    fn html_is_read_as_text() {
        assert_eq!(
            html("<img src=x onerror='alert(1)'>\n\"&amp;\""),
            "&lt;img src=x onerror=&#39;alert(1)&#39;&gt; &quot;&amp;amp;&quot;"
        );
        assert_eq!(html_lines(" a\nb\u{7} "), "a\nb");
    }

    #[test]
    fn markdown_is_read_as_text() {
        let cases = [
            ("# no heading", "\\# no heading"),
            ("1. no list", "1\\. no list"),
            ("  12) no list", "12\\) no list"),
            ("2021-09-30.", "2021-09-30."),
            ("0.75", "0.75"),
            ("- no list - here", "\\- no list - here"),
            ("[x](javascript:a) *b* `c` <d>", "\\[x\\](javascript:a) \\*b\\* \\`c\\` &lt;d&gt;"),
            ("a | b_c", "a \\| b\\_c"),
            ("see https://a.example", "see https&#58;//a.example"),
            ("line\nbreak", "line break"),
        ];
        for (text, expected) in cases {
            assert_eq!(markdown(text, &mut LinePosition::Start), expected, "{text}");
        }
    }

    #[test]
    fn characters_that_turn_or_hide_text_are_left_out() {
        assert_eq!(html("a\u{202e}b\u{200b}c\u{feff}d\u{0}e"), "abcde");
        assert_eq!(markdown("\u{2066}x\u{2069}", &mut LinePosition::Start), "x");
    }

    #[test]
    fn a_line_goes_on_where_the_text_before_ended() {
        let mut position = LinePosition::Start;
        let pieces = [" 1", ". no list - ", "# no heading"].map(|it| markdown(it, &mut position));
        assert_eq!(pieces.concat(), "1\\. no list - # no heading");
    }

    #[test]
    fn a_terminal_is_not_driven() {
        let hostile = "a\u{1b}[31mred\u{1b}]0;title\u{7}\u{9b}2J\r\nb\u{2028}c\u{7f}\u{8}";
        assert_eq!(plain(hostile), "a[31mred]0;title2J b c");
    }

    #[test]
    fn a_cut_is_marked() {
        assert_eq!(shortened("あいう", 3), "あいう");
        assert_eq!(shortened("あい うえ", 3), "あい…");
    }
}
