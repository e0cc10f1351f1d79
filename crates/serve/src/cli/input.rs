//! What people type: texts within bounds.

use std::io::{self, Read};

use crate::failure::{Failure, Kind};
use crate::session::Session;
use crate::ui;
use crate::words::say;

/// How long a text may be, and the setting that says so.
#[derive(Debug, Clone, Copy)]
struct Limit {
    chars: usize,
    setting: &'static str,
}

/// Takes a text as given, or from stdin if it is `-`.
pub(crate) fn text(what: &str, given: &str, max_chars: usize) -> Result<String, Failure> {
    bounded(what, given, Limit { chars: max_chars, setting: "task.max_text_chars" })
}

/// Takes the reason of an act of feedback, or reads it from stdin if it is `-`.
pub(crate) fn reason(session: &Session, given: &str) -> Result<String, Failure> {
    let chars = session.settings.feedback.max_reason_chars;
    bounded("reason", given, Limit { chars, setting: "feedback.max_reason_chars" })
}

/// Takes the text to find.
pub(crate) fn wanted(session: &Session, given: &str) -> Result<String, Failure> {
    let chars = session.settings.find.text_chars;
    bounded("text to find", given, Limit { chars, setting: "find.text_chars" })
}

/// Takes a query as it is, or from stdin if it is `-`. What is in it is the engine's to judge.
pub(crate) fn query(session: &Session, given: &str) -> Result<String, Failure> {
    let bytes = session.settings.query.sql_bytes;
    if given != "-" {
        return Ok(given.to_owned());
    }
    let text = read_stdin(bytes)?.ok_or_else(|| {
        let message = format!("the query on stdin is larger than {bytes} bytes");
        too_long(message, "query.sql_bytes")
    })?;
    utf8("query", text)
}

fn bounded(what: &str, given: &str, limit: Limit) -> Result<String, Failure> {
    let text = if given == "-" { from_stdin(what, limit)? } else { given.to_owned() };
    check(what, text.trim(), limit)?;
    Ok(text.trim().to_owned())
}

impl Limit {
    fn exceeded(self, message: String) -> Failure {
        too_long(message, self.setting)
    }
}

/// A text is longer than a setting allows.
pub(crate) fn too_long(message: String, setting: &'static str) -> Failure {
    Failure::new(Kind::Limit, message).hint(move |w| say!(w.hint.raise_setting, setting = setting))
}

fn check(what: &str, text: &str, limit: Limit) -> Result<(), Failure> {
    if text.is_empty() {
        return Err(Failure::bad_input(format!("the {what} is empty")));
    }
    let (length, max_chars) = (text.chars().count(), limit.chars);
    if length > max_chars {
        let message = format!("the {what} has {length} characters; the limit is {max_chars}");
        return Err(limit.exceeded(message));
    }
    match text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        Some(c) => {
            let code = u32::from(c);
            let message = format!("the {what} contains a control character (U+{code:04X})");
            Err(Failure::bad_input(message))
        }
        None => Ok(()),
    }
}

fn from_stdin(what: &str, limit: Limit) -> Result<String, Failure> {
    // UTF-8 takes up to four bytes a character: anything longer is over the limit.
    match read_stdin(limit.chars.saturating_mul(4))? {
        Some(bytes) => utf8(what, bytes),
        None => {
            let message = format!("the {what} on stdin has more than {} characters", limit.chars);
            Err(limit.exceeded(message))
        }
    }
}

/// All of stdin, unless it is longer than `max_bytes`.
fn read_stdin(max_bytes: usize) -> Result<Option<Vec<u8>>, Failure> {
    let mut bytes = Vec::new();
    ui::stdin()
        .take(max_bytes as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::new(Kind::BadInput, CannotRead(error)))?;
    Ok(Some(bytes).filter(|it| it.len() <= max_bytes))
}

fn utf8(what: &str, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes)
        .map_err(|_| Failure::bad_input(format!("the {what} on stdin is not UTF-8")))
}

#[derive(Debug, thiserror::Error)]
#[error("cannot read stdin")]
struct CannotRead(#[source] io::Error);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_a_length_and_no_controls() {
        let message = |given: &str| text("question", given, 5).unwrap_err().error.to_string();
        assert_eq!(text("question", "  日本語？\n", 5).unwrap(), "日本語？");
        assert_eq!(text("question", "12345", 5).unwrap(), "12345");
        assert_eq!(message("123456"), "the question has 6 characters; the limit is 5");
        assert_eq!(message(" \n "), "the question is empty");
        assert_eq!(message("a\u{1b}b"), "the question contains a control character (U+001B)");
        assert_eq!(message("a\0b"), "the question contains a control character (U+0000)");
    }
}
