//! The text of a field of BibTeX: its accents, without commands and braces.

use unicode_normalization::UnicodeNormalization;

/// Commands that are letters.
const LETTERS: [(&str, &str); 15] = [
    ("ss", "ß"),
    ("o", "ø"),
    ("O", "Ø"),
    ("l", "ł"),
    ("L", "Ł"),
    ("ae", "æ"),
    ("AE", "Æ"),
    ("oe", "œ"),
    ("OE", "Œ"),
    ("aa", "å"),
    ("AA", "Å"),
    ("i", "i"),
    ("j", "j"),
    ("textendash", "–"),
    ("textemdash", "—"),
];

/// Accents as combining marks: commands of one sign, and of one letter.
const ACCENTS: [(char, char); 14] = [
    ('"', '\u{308}'),
    ('\'', '\u{301}'),
    ('`', '\u{300}'),
    ('^', '\u{302}'),
    ('~', '\u{303}'),
    ('=', '\u{304}'),
    ('.', '\u{307}'),
    ('c', '\u{327}'),
    ('v', '\u{30c}'),
    ('u', '\u{306}'),
    ('H', '\u{30b}'),
    ('k', '\u{328}'),
    ('r', '\u{30a}'),
    ('d', '\u{323}'),
];

pub(super) fn plain(text: &str) -> String {
    let mut written = String::new();
    let mut accent: Option<char> = None;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let word =
                    rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
                let name = &rest[..word];
                if word == 0 {
                    let Some(sign) = rest.chars().next() else { break };
                    rest = &rest[sign.len_utf8()..];
                    match ACCENTS.iter().find(|it| it.0 == sign) {
                        Some(found) => accent = Some(found.1),
                        None if sign == '\\' => written.push(' '),
                        None => written.push(sign),
                    }
                    continue;
                }
                rest = &rest[word..];
                let mark = ACCENTS.iter().find(|it| name.len() == 1 && name.starts_with(it.0));
                if let Some(letters) = LETTERS.iter().find(|it| it.0 == name) {
                    written.push_str(letters.1);
                    written.extend(accent.take());
                    rest = rest.strip_prefix(' ').unwrap_or(rest);
                } else if let Some(mark) = mark {
                    accent = Some(mark.1);
                    rest = rest.trim_start();
                }
                // Others (\textit, \emph) dress what follows.
            }
            '{' | '}' | '$' => {}
            '~' => written.push(' '),
            c => {
                written.push(c);
                if !c.is_whitespace() {
                    written.extend(accent.take());
                }
            }
        }
    }
    let composed: String = written.nfc().collect();
    composed.split_whitespace().collect::<Vec<_>>().join(" ").replace("---", "—").replace("--", "–")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_and_commands_become_text() {
        let cases = [
            (r#"G{\"o}del"#, "Gödel"),
            (r#"G\"odel"#, "Gödel"),
            (r"Erd{\H o}s", "Erdős"),
            (r"Fran\c{c}ois", "François"),
            (r"Stra{\ss}e", "Straße"),
            (r"\'{\i}ndice", "índice"),
            (r"S{\o}ren \& Co", "Søren & Co"),
            (r"{A} \emph{new} {DNA} test", "A new DNA test"),
            (r"pages 1--2~of", "pages 1–2 of"),
            (r"\", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(plain(text), expected, "{text}");
        }
    }
}
