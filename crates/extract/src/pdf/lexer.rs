//! How values are written: reads them, and operators, from files and from content streams alike.
//!
//! [`Lexer`] never fails: what cannot be read ends the enclosing value, because damaged files are common
//! and mostly readable.

use super::object::{Dict, Object};

/// How deep arrays and dictionaries may be nested where no option says less; it bounds the stack.
const MAX_NESTING: usize = 64;

/// A value, or a word that is none: an operator, `obj`, `endobj`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Token {
    Object(Object),
    Word(Vec<u8>),
}

/// Reads values from bytes.
#[derive(Debug, Clone)]
pub(crate) struct Lexer<'a> {
    bytes: &'a [u8],
    pub(crate) at: usize,
    max_nesting: usize,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at: at.min(bytes.len()), max_nesting: MAX_NESTING }
    }

    /// What is nested deeper is left out.
    pub(crate) fn with_nesting(self, limit: usize) -> Self {
        Self { max_nesting: limit.min(MAX_NESTING), ..self }
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The next value or word; none at the end. Brackets that close nothing are passed over.
    pub(crate) fn token(&mut self) -> Option<Token> {
        loop {
            self.skip_space();
            match self.peek()? {
                b']' | b'}' | b'{' | b')' => self.at += 1,
                b'>' => self.at += if self.rest().starts_with(b">>") { 2 } else { 1 },
                _ => return self.value_or_word(0),
            }
        }
    }

    /// The next value; `None` at a keyword.
    pub(crate) fn object(&mut self) -> Option<Object> {
        match self.token()? {
            Token::Object(object) => Some(object),
            Token::Word(_) => None,
        }
    }

    /// Passes over a word if it comes next.
    pub(crate) fn take_word(&mut self, word: &[u8]) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    /// The head of an object, `12 0 obj`: its number and generation.
    pub(crate) fn object_head(&mut self) -> Option<(u32, u16)> {
        self.skip_space();
        let id = self.digits()?;
        self.skip_space();
        let generation = self.digits()?;
        self.take_word(b"obj").then_some((u32::try_from(id).ok()?, generation as u16))
    }

    pub(crate) fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b'%' {
                let end = memchr::memchr2(b'\n', b'\r', self.rest());
                self.at = end.map_or(self.bytes.len(), |it| self.at + it);
            } else if is_space(byte) {
                self.at += 1;
            } else {
                break;
            }
        }
    }

    /// Digits that come next, as a number.
    pub(crate) fn digits(&mut self) -> Option<u64> {
        let count = self.rest().iter().take(18).take_while(|it| it.is_ascii_digit()).count();
        let text = std::str::from_utf8(&self.rest()[..count]).ok()?;
        let number = text.parse().ok()?;
        self.at += count;
        Some(number)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn value_or_word(&mut self, depth: usize) -> Option<Token> {
        let object = match self.peek()? {
            b'/' => {
                self.at += 1;
                Object::Name(self.name())
            }
            b'(' => Object::String(self.literal_string()),
            b'<' if self.rest().starts_with(b"<<") => {
                self.at += 2;
                Object::Dict(self.dict(depth + 1))
            }
            b'<' => Object::String(self.hex_string()),
            b'[' => {
                self.at += 1;
                Object::Array(self.array(depth + 1))
            }
            b'0'..=b'9' | b'+' | b'-' | b'.' => match self.number() {
                Some(number) => self.reference(number).unwrap_or(Object::Number(number)),
                None => return Some(Token::Word(self.word())),
            },
            _ => match self.word().as_slice() {
                b"true" => Object::Bool(true),
                b"false" => Object::Bool(false),
                b"null" => Object::Null,
                other => return Some(Token::Word(other.to_vec())),
            },
        };
        Some(Token::Object(object))
    }

    fn array(&mut self, depth: usize) -> Vec<Object> {
        let mut out = Vec::new();
        if depth > self.max_nesting {
            return out;
        }
        loop {
            self.skip_space();
            match self.peek() {
                Some(b']') => {
                    self.at += 1;
                    break;
                }
                None | Some(b'>' | b'}' | b'{' | b')') => break,
                Some(_) => {}
            }
            let before = self.at;
            match self.value_or_word(depth) {
                Some(Token::Object(object)) => out.push(object),
                // A word inside an array: the end of a damaged object, which the next one must not pay for.
                Some(Token::Word(_)) => {
                    self.at = before;
                    break;
                }
                None => break,
            }
        }
        out
    }

    fn dict(&mut self, depth: usize) -> Dict {
        let mut out = Dict::default();
        if depth > self.max_nesting {
            return out;
        }
        loop {
            self.skip_space();
            match self.peek() {
                Some(b'>') => {
                    self.at += if self.rest().starts_with(b">>") { 2 } else { 1 };
                    break;
                }
                Some(b'/') => self.at += 1,
                _ => break,
            }
            let key = self.name();
            self.skip_space();
            if matches!(self.peek(), Some(b'>')) {
                continue;
            }
            let before = self.at;
            match self.value_or_word(depth) {
                Some(Token::Object(value)) => out.insert(key, value),
                Some(Token::Word(_)) => {
                    self.at = before;
                    break;
                }
                None => break,
            }
        }
        out
    }

    /// `12 0 R` after its first number was read.
    fn reference(&mut self, number: f64) -> Option<Object> {
        if number.fract() != 0.0 || !(0.0..=f64::from(u32::MAX)).contains(&number) {
            return None;
        }
        let mut ahead = self.clone();
        ahead.skip_space();
        // A generation has at most five digits; looking no further keeps long arrays of numbers linear.
        let digits = ahead.rest().iter().take(6).take_while(|it| it.is_ascii_digit()).count();
        if digits == 0 || digits > 5 {
            return None;
        }
        ahead.at += digits;
        ahead.skip_space();
        let rest = ahead.rest();
        let ends = rest.get(1).is_none_or(|it| is_space(*it) || is_delimiter(*it));
        (rest.first() == Some(&b'R') && ends).then(|| {
            self.at = ahead.at + 1;
            Object::Reference(number as u32)
        })
    }

    fn number(&mut self) -> Option<f64> {
        let rest = self.rest();
        let length = rest
            .iter()
            .position(|it| !matches!(it, b'0'..=b'9' | b'+' | b'-' | b'.'))
            .unwrap_or(rest.len());
        let text = &rest[..length];
        let mut value = 0.0;
        let mut scale = 0.0;
        let mut digits = 0;
        let mut has_begun = false;
        for byte in text {
            match byte {
                b'0'..=b'9' if scale == 0.0 => value = value * 10.0 + f64::from(byte - b'0'),
                b'0'..=b'9' => {
                    value += f64::from(byte - b'0') * scale;
                    scale /= 10.0;
                }
                b'.' if scale == 0.0 => scale = 0.1,
                // Some writers print `--5` or `12-34`: the sign in the middle ends the number.
                b'-' | b'+' if !has_begun => continue,
                _ => break,
            }
            has_begun = true;
            digits += usize::from(byte.is_ascii_digit());
        }
        if digits == 0 && !text.contains(&b'.') {
            return None;
        }
        self.at += length;
        Some(if text.first() == Some(&b'-') { -value } else { value })
    }

    fn word(&mut self) -> Vec<u8> {
        let rest = self.rest();
        let length = rest.iter().position(|it| is_space(*it) || is_delimiter(*it));
        // At least one byte, so that every call moves on.
        let length = length.unwrap_or(rest.len()).max(1).min(rest.len());
        self.at += length;
        rest[..length].to_vec()
    }

    fn name(&mut self) -> Vec<u8> {
        let rest = self.rest();
        let length =
            rest.iter().position(|it| is_space(*it) || is_delimiter(*it)).unwrap_or(rest.len());
        self.at += length;
        let raw = &rest[..length];
        if !raw.contains(&b'#') {
            return raw.to_vec();
        }
        let mut out = Vec::with_capacity(length);
        let mut i = 0;
        while i < raw.len() {
            let pair =
                raw.get(i + 1).and_then(|it| hex(*it)).zip(raw.get(i + 2).and_then(|it| hex(*it)));
            match pair {
                Some((high, low)) if raw[i] == b'#' => {
                    out.push(high << 4 | low);
                    i += 3;
                }
                _ => {
                    out.push(raw[i]);
                    i += 1;
                }
            }
        }
        out
    }

    fn hex_string(&mut self) -> Vec<u8> {
        self.at += 1;
        let rest = self.rest();
        let length = memchr::memchr(b'>', rest).unwrap_or(rest.len());
        self.at = (self.at + length + 1).min(self.bytes.len());
        from_hex(&rest[..length])
    }

    fn literal_string(&mut self) -> Vec<u8> {
        self.at += 1;
        let mut out = Vec::new();
        let mut open = 1;
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'(' => open += 1,
                b')' => {
                    open -= 1;
                    if open == 0 {
                        break;
                    }
                }
                b'\\' => {
                    self.escape(&mut out);
                    continue;
                }
                _ => {}
            }
            out.push(byte);
        }
        out
    }

    fn escape(&mut self, out: &mut Vec<u8>) {
        let Some(byte) = self.peek() else { return };
        self.at += 1;
        match byte {
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'\r' => self.at += usize::from(self.peek() == Some(b'\n')),
            b'\n' => {}
            b'0'..=b'7' => {
                let mut code = u32::from(byte - b'0');
                for _ in 0..2 {
                    match self.peek() {
                        Some(digit @ b'0'..=b'7') => {
                            code = code * 8 + u32::from(digit - b'0');
                            self.at += 1;
                        }
                        _ => break,
                    }
                }
                out.push(code as u8);
            }
            other => out.push(other),
        }
    }
}

/// Bytes written as hexadecimal digits; anything else between them is passed over.
pub(crate) fn from_hex(text: &[u8]) -> Vec<u8> {
    let digits: Vec<u8> = text.iter().filter_map(|it| hex(*it)).collect();
    digits.chunks(2).map(|it| it[0] << 4 | it.get(1).copied().unwrap_or(0)).collect()
}

pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | 12 | 0)
}

fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|it| it as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(bytes: &[u8]) -> String {
        let mut lexer = Lexer::new(bytes, 0);
        let mut out = Vec::new();
        while let Some(token) = lexer.token() {
            out.push(match token {
                Token::Object(Object::String(it)) => {
                    format!("string {}", String::from_utf8_lossy(&it))
                }
                Token::Object(Object::Name(it)) => format!("name {}", String::from_utf8_lossy(&it)),
                Token::Object(Object::Array(it)) => format!("array of {}", it.len()),
                Token::Object(it) => format!("{it:?}"),
                Token::Word(it) => format!("word {}", String::from_utf8_lossy(&it)),
            });
        }
        out.join("\n")
    }

    #[test]
    fn values_and_words_are_told_apart() {
        insta::assert_snapshot!(
            show(b"/A#42 (a\\(b\\051\\n) <48 65 6C> -1.5 .5 12 0 R [1 2 [3]] true Tj % note\nT* 7 0 Rx"),
            @r"
        name AB
        string a(b)

        string Hel
        Number(-1.5)
        Number(0.5)
        Reference(12)
        array of 3
        Bool(true)
        word Tj
        word T*
        Number(7.0)
        Number(0.0)
        word Rx
        "
        );
    }

    #[test]
    fn what_is_never_closed_ends_with_the_bytes() {
        assert_eq!(show(b"[1 2"), "array of 2");
        assert_eq!(show(b"(abc"), "string abc");
        assert_eq!(show(b"<4"), "string @");
        assert_eq!(show(b""), "");
    }

    #[test]
    fn nesting_stops_at_its_limit() {
        let deep = vec![b'['; 1_000_000];
        assert!(show(&deep).starts_with("array of 1"));
    }
}
