//! What a person types becomes a question FTS5 cannot misread.
//!
//! Plain words must all be there, `"quoted words"` must be adjacent, a final `*` is open at the
//! end, a leading `-` leaves out. Everything else is text: no input is a syntax error, because
//! whatever reaches FTS5 is quoted.

use std::collections::HashSet;

use text::tokenize::{TokenizeFor, tokenize};

use crate::{Error, Result};

/// What to look for and what to leave out.
#[derive(Debug)]
pub(super) struct Wanted {
    pieces: Vec<Piece>,
    unwanted: Vec<Piece>,
}

/// Adjacent terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Phrase {
    pub(super) terms: Vec<String>,
    /// Whether the last term is a prefix.
    pub(super) open: bool,
}

#[derive(Debug)]
struct Piece {
    /// As typed: FTS5 folds and cuts it the same way as the stored text.
    text: String,
    /// The terms it will find there, each with the part of `text` it comes from.
    terms: Vec<(String, String)>,
    open: bool,
}

impl Wanted {
    pub(super) fn parse(text: &str) -> Result<Self> {
        let mut wanted = Self { pieces: Vec::new(), unwanted: Vec::new() };
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let (unwanted, body) = match rest.strip_prefix('-') {
                Some(body) => (true, body),
                None => (false, rest),
            };
            let (piece, tail) = take_piece(body);
            rest = tail.trim_start();
            if !piece.terms.is_empty() {
                let list = if unwanted { &mut wanted.unwanted } else { &mut wanted.pieces };
                list.push(piece);
            }
        }
        match (wanted.pieces.is_empty(), wanted.unwanted.is_empty()) {
            (false, _) => Ok(wanted),
            (true, false) => Err(Error::invalid("the text to find", "only says what to leave out")),
            (true, true) => Err(Error::invalid("the text to find", "has no letters or digits")),
        }
    }

    /// Every piece as written.
    pub(super) fn all(&self) -> (String, Vec<Phrase>) {
        let parts: Vec<_> = self.pieces.iter().map(|it| quoted(&it.text, it.open)).collect();
        let phrases = self
            .pieces
            .iter()
            .map(|piece| Phrase {
                terms: piece.terms.iter().map(|it| it.0.clone()).collect(),
                open: piece.open,
            })
            .collect();
        (self.without_unwanted(&parts.join(" AND ")), phrases)
    }

    /// Every term for itself, whichever is there.
    pub(super) fn any(&self) -> (String, Vec<Phrase>) {
        let mut seen = HashSet::new();
        let (mut parts, mut phrases) = (Vec::new(), Vec::new());
        for piece in &self.pieces {
            for (index, (term, source)) in piece.terms.iter().enumerate() {
                let open = piece.open && index + 1 == piece.terms.len();
                if seen.insert((term.as_str(), open)) {
                    parts.push(quoted(source, open));
                    phrases.push(Phrase { terms: vec![term.clone()], open });
                }
            }
        }
        (self.without_unwanted(&parts.join(" OR ")), phrases)
    }

    fn without_unwanted(&self, expression: &str) -> String {
        if self.unwanted.is_empty() {
            return expression.to_owned();
        }
        let unwanted: Vec<_> = self.unwanted.iter().map(|it| quoted(&it.text, it.open)).collect();
        format!("({expression}) NOT ({})", unwanted.join(" OR "))
    }
}

fn take_piece(body: &str) -> (Piece, &str) {
    if let Some((inside, tail)) = body.strip_prefix('"').and_then(|it| it.split_once('"')) {
        return match tail.strip_prefix('*') {
            Some(tail) => (Piece::new(inside, true), tail),
            None => (Piece::new(inside, false), tail),
        };
    }
    let end = body.find(char::is_whitespace).unwrap_or(body.len());
    let (word, tail) = body.split_at(end);
    (Piece::new(word, word.ends_with('*')), tail)
}

impl Piece {
    fn new(text: &str, open: bool) -> Self {
        let mut terms = Vec::new();
        tokenize(text, TokenizeFor::Query, |term| {
            terms.push((term.text.to_owned(), text[term.bytes.clone()].to_owned()));
            true
        });
        Self { text: text.to_owned(), terms, open }
    }
}

/// A string of FTS5. It reads C strings, so a NUL would end it early.
fn quoted(text: &str, open: bool) -> String {
    let text = text.replace('\0', " ").replace('"', "\"\"");
    format!("\"{text}\"{}", if open { " *" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both forms, the strict one first.
    fn read(text: &str) -> String {
        match Wanted::parse(text) {
            Ok(wanted) => format!("{} | {}", wanted.all().0, wanted.any().0),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn plain_words_are_all_wanted() {
        assert_eq!(read("aspirin dose"), r#""aspirin" AND "dose" | "aspirin" OR "dose""#);
        assert_eq!(read("糖尿病　予防"), r#""糖尿病" AND "予防" | "糖尿" OR "尿病" OR "予防""#);
    }

    #[test]
    fn quoted_words_stay_together() {
        assert_eq!(
            read(r#""heart attack" risk"#),
            r#""heart attack" AND "risk" | "heart" OR "attack" OR "risk""#
        );
    }

    #[test]
    fn a_final_star_leaves_the_end_open() {
        assert_eq!(read("neuro*"), r#""neuro*" * | "neuro" *"#);
        assert_eq!(read(r#""new yo"*"#), r#""new yo" * | "new" OR "yo" *"#);
    }

    #[test]
    fn a_leading_dash_leaves_out() {
        assert_eq!(
            read(r#"cancer -lung -"small cell""#),
            r#"("cancer") NOT ("lung" OR "small cell") | ("cancer") NOT ("lung" OR "small cell")"#
        );
    }

    #[test]
    fn the_language_of_fts5_is_only_text() {
        assert_eq!(read("a OR b"), r#""a" AND "OR" AND "b" | "a" OR "OR" OR "b""#);
        assert_eq!(read("NEAR(a"), r#""NEAR(a" | "NEAR" OR "a""#);
        assert_eq!(
            read("heading_context:x"),
            r#""heading_context:x" | "heading" OR "context" OR "x""#
        );
        assert_eq!(read(r#"5" pipe"#), r#""5""" AND "pipe" | "5" OR "pipe""#);
        assert_eq!(read(r#""never closed"#), r#""""never" AND "closed" | "never" OR "closed""#);
    }

    #[test]
    fn the_same_term_is_asked_once() {
        assert_eq!(read("of of OF"), r#""of" AND "of" AND "OF" | "of""#);
    }

    #[test]
    fn text_without_anything_to_find_says_so() {
        for text in ["", "  ", "!?…", "\"\"", "-", "***", "- -"] {
            assert_eq!(read(text), "the text to find has no letters or digits", "{text}");
        }
        assert_eq!(read("-lung"), "the text to find only says what to leave out");
    }
}
