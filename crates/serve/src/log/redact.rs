//! What may be written down: no secrets, and of long texts only the beginning.
//!
//! The rules look at the shape of a text, not at a list of known secrets, and rather take too much
//! than too little. A text that was cut keeps its length and a hash, so that two can be compared.

pub(super) const REDACTED: &str = "[redacted]";

/// Characters of a text that are written; prompts and pages are longer.
const PREVIEW_CHARS: usize = 100;

/// Words in a name that say its value is a secret, compared without `_`, `-` and case.
const SECRET_WORDS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "token",
    "cookie",
    "authorization",
    "secret",
    "apikey",
    "accesskey",
    "privatekey",
    "credential",
    "signature",
];

/// A field's text as it may be written.
pub(super) fn field(name: &str, text: &str) -> String {
    if is_secret_name(name) {
        return REDACTED.to_owned();
    }
    preview(&without_secrets(text))
}

pub(super) fn is_secret_name(name: &str) -> bool {
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    let plain = plain.to_lowercase();
    SECRET_WORDS.iter().any(|word| plain.contains(word))
}

/// The beginning of a long text, with its length and hash.
fn preview(text: &str) -> String {
    let length = text.chars().count();
    if length <= PREVIEW_CHARS {
        return text.to_owned();
    }
    let start: String = text.chars().take(PREVIEW_CHARS).collect();
    let hash = blake3::hash(text.as_bytes()).to_hex();
    format!("{start}… ({length} characters, blake3 {})", &hash[..16])
}

/// A text without what looks like a secret.
pub(crate) fn without_secrets(text: &str) -> String {
    // A private key spans lines; nothing after its first one is kept.
    let (text, key) = match text.find("-----BEGIN") {
        Some(at) => (&text[..at], REDACTED),
        None => (text, ""),
    };
    let lines: Vec<String> = text.split('\n').map(line_without_secrets).collect();
    lines.join("\n") + key
}

fn line_without_secrets(line: &str) -> String {
    let words = line.split_inclusive(char::is_whitespace).map(without_userinfo);
    let line: String = words.collect();
    let mut kept = String::new();
    let mut rest = line.as_str();
    while let Some((start, reach)) = next_secret(rest) {
        kept += &rest[..start];
        kept += REDACTED;
        rest = match reach {
            Reach::Line => "",
            Reach::Word => {
                let value = &rest[start..];
                &value[value.find(ends_word).unwrap_or(value.len())..]
            }
        };
    }
    kept + rest
}

/// How far a secret goes: as far as in a URL, or to the end of the line.
enum Reach {
    Word,
    Line,
}

/// Finds the next value behind a secret name: where it begins, and how far it goes.
///
/// `name=value` ends with the word. After `name: value`, quotes or a list nothing tells for sure
/// where the value ends, so the rest of the line goes.
fn next_secret(text: &str) -> Option<(usize, Reach)> {
    let mut from = 0;
    while let Some(start) = text[from..].find(is_name).map(|it| from + it) {
        let end = text[start..].find(|c| !is_name(c)).map_or(text.len(), |it| start + it);
        from = end;
        let (name, after) = text.split_at(end);
        let name = &name[start..];
        if name.eq_ignore_ascii_case("bearer") && after.starts_with(char::is_whitespace) {
            return Some((text.len() - after.trim_start().len(), Reach::Word));
        }
        if !is_secret_name(name) {
            continue;
        }
        let separated = after.trim_start_matches(|c: char| ends_word(c) || c == '\\');
        let is_quoted = after[..after.len() - separated.len()].contains(['"', '\'']);
        let Some(separator) =
            separated.chars().next().filter(|c| matches!(c, ':' | '=') || (is_quoted && *c == ','))
        else {
            continue;
        };
        let value = &separated[1..];
        let start = text.len() - value.trim_start().len();
        let is_word = separator == '=' && value.starts_with(|c: char| !ends_word(c) && c != '\\');
        return Some((start, if is_word { Reach::Word } else { Reach::Line }));
    }
    None
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || matches!(c, '&' | '"' | '\'' | '<' | '>' | '`')
}

/// Takes `user:password@` (and any userinfo of a URL) out of a word.
fn without_userinfo(word: &str) -> String {
    let host = word.find("://").map_or(0, |it| it + 3);
    let (start, rest) = word.split_at(host);
    let authority = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
    let end = match rest.rfind('@') {
        Some(at) if rest[..at].contains(':') => at,
        _ if host > 0 => match authority.rfind('@') {
            Some(at) => at,
            None => return word.to_owned(),
        },
        _ => return word.to_owned(),
    };
    format!("{start}{REDACTED}{}", &rest[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_behind_secret_names_are_taken_out() {
        for (given, kept) in [
            ("Authorization: Bearer abc", "Authorization: [redacted]"),
            ("sent authorization: Basic abc==", "sent authorization: [redacted]"),
            ("Cookie: sid=1; other=2", "Cookie: [redacted]"),
            ("with Bearer abc.def done", "with Bearer [redacted] done"),
            ("https://a.com/?token=abc&page=2 ok", "https://a.com/?token=[redacted]&page=2 ok"),
            ("?page=2&api_key=abc", "?page=2&api_key=[redacted]"),
            ("X-Api-Key=abc", "X-Api-Key=[redacted]"),
            ("password = my dog", "password = [redacted]"),
            ("password=\"my dog\" x", "password=[redacted]"),
            (r#"{"token":"abc","page":2}"#, r#"{"token":[redacted]"#),
            (r#"{\"token\":\"abc\"}"#, r#"{\"token\":[redacted]"#),
            ("Config { token: \"abc\" }", "Config { token: [redacted]"),
            ("[(\"Cookie\", \"sid=abc\")]", "[(\"Cookie\", [redacted]"),
            ("password: a\nnext line", "password: [redacted]\nnext line"),
            ("PRIVATE\n-----BEGIN KEY-----\nabc", "PRIVATE\n[redacted]"),
        ] {
            assert_eq!(without_secrets(given), kept, "{given}");
        }
    }

    #[test]
    fn users_and_passwords_are_taken_out_of_urls() {
        for (given, kept) in [
            ("https://aki:pw@a.com/x", "https://[redacted]@a.com/x"),
            ("https://aki@a.com/x", "https://[redacted]@a.com/x"),
            ("https://aki:p/w@a.com/x", "https://[redacted]@a.com/x"),
            ("see aki:pw@a.com now", "see [redacted]@a.com now"),
            ("https://a.com/@aki", "https://a.com/@aki"),
            ("mail aki@a.com", "mail aki@a.com"),
        ] {
            assert_eq!(without_secrets(given), kept, "{given}");
        }
    }

    #[test]
    fn harmless_text_is_left_alone() {
        for text in [
            "",
            "page read",
            "token, cookie and secret",
            "tokens of a text",
            "12:30:05 took 3 ms",
            "https://a.com/?q=蜂 の 減少",
            "a = b",
        ] {
            assert_eq!(without_secrets(text), text);
        }
    }

    #[test]
    fn long_text_keeps_its_beginning_length_and_hash() {
        let text = "あ".repeat(100);
        assert_eq!(field("prompt", &text), text);
        let long = "あ".repeat(101);
        assert_eq!(
            field("prompt", &long),
            format!(
                "{text}… (101 characters, blake3 {})",
                &blake3::hash(long.as_bytes()).to_hex()[..16]
            )
        );
    }

    #[test]
    fn secret_names_are_known_in_any_spelling() {
        for name in ["password", "API_KEY", "api-key", "apiKey", "set-cookie", "client_secret"] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in ["message", "pages", "url", "key"] {
            assert!(!is_secret_name(name), "{name}");
        }
    }
}
