//! What a client asked and what goes back, before either is bytes on a connection.
//!
//! An [`Answer`] says how it is sent as well as what is sent: most faults of the real web are not in the page but in
//! the way it arrives. The server carries it out; sites, engines and APIs only describe it.

use std::borrow::Cow;
use std::time::Duration;

use hyper::body::Bytes;

/// One request as a site sees it.
#[derive(Debug, Clone)]
pub struct Request {
    /// In lower case, without a port.
    pub host: String,
    pub method: String,
    /// With the query, as it was sent.
    pub target: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    pub secure: bool,
    /// Requests this host answered before; robots.txt does not count.
    pub visit: u64,
    /// Time since the last of them.
    pub since_last: Option<Duration>,
}

impl Request {
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|it| it.0 == name).map(|it| it.1.as_str())
    }

    /// A parameter of the query, or of a posted form, decoded.
    pub fn parameter(&self, name: &str) -> Option<String> {
        let query = self.target.split_once('?').map(|it| it.1).unwrap_or_default();
        let form = match self.header("content-type") {
            Some(kind) if kind.starts_with("application/x-www-form-urlencoded") => {
                String::from_utf8_lossy(&self.body)
            }
            _ => Cow::Borrowed(""),
        };
        let pairs = query.split('&').chain(form.split('&'));
        let mut named = pairs.filter_map(|it| it.split_once('=')).filter(|it| it.0 == name);
        named.next().map(|it| unescape(it.1))
    }

    pub fn number(&self, name: &str) -> Option<usize> {
        self.parameter(name)?.parse().ok()
    }
}

/// What a client gets, and how.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(Cow<'static, str>, String)>,
    pub body: Bytes,
    pub wire: Wire,
    /// Time before the first byte.
    pub delay: Duration,
}

/// How the bytes of an answer travel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wire {
    /// At once, with the right length.
    Whole,
    /// In pieces of this size whose lengths are said one by one.
    Chunked(usize),
    /// In pieces with a pause before each.
    Drip { piece: usize, pause: Duration },
    /// This many bytes of the body, then nothing until the client leaves.
    Stall(usize),
    /// Says this length, sends the body it has, closes.
    Declared(u64),
    /// The body again and again.
    Endless,
    /// Headers without end.
    HeaderFlood,
    /// The body without status line and headers, then closes.
    Raw,
    /// Closes without a byte.
    Close,
    /// Breaks the connection off.
    Reset,
}

impl Answer {
    pub fn new(status: u16, kind: &'static str, body: impl Into<Bytes>) -> Self {
        Self {
            status,
            headers: vec![("Content-Type".into(), kind.to_owned())],
            body: body.into(),
            wire: Wire::Whole,
            delay: Duration::ZERO,
        }
    }

    pub fn html(status: u16, body: impl Into<Bytes>) -> Self {
        Self::new(status, "text/html; charset=utf-8", body)
    }

    pub fn json(status: u16, body: &serde_json::Value) -> Self {
        Self::new(status, "application/json", body.to_string())
    }

    pub fn redirect(status: u16, to: impl Into<String>) -> Self {
        Self::html(status, "<html><head><title>Moved</title></head><body>Moved.</body></html>")
            .with("Location", to)
    }

    pub fn wired(wire: Wire) -> Self {
        Self { wire, ..Self::html(200, "") }
    }

    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    #[must_use]
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    #[must_use]
    pub fn sent(mut self, wire: Wire) -> Self {
        self.wire = wire;
        self
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|it| it.0.eq_ignore_ascii_case(name)).map(|it| it.1.as_str())
    }
}

/// Decodes `%41` and `+`. What is not valid stays as it is.
pub(crate) fn unescape(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = (bytes[at] == b'%')
            .then(|| bytes.get(at + 1..at + 3))
            .flatten()
            .and_then(|it| u8::from_str_radix(std::str::from_utf8(it).ok()?, 16).ok());
        match (escaped, bytes[at]) {
            (Some(byte), _) => {
                plain.push(byte);
                at += 2;
            }
            (None, b'+') => plain.push(b' '),
            (None, byte) => plain.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&plain).into_owned()
}

/// Encodes everything but letters, digits and `-._~`, as a browser does in a query.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() * 2);
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            escaped.push(byte as char);
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_come_from_the_query_and_from_a_form() {
        let mut request = Request {
            host: "a.test".to_owned(),
            method: "POST".to_owned(),
            target: "/search?q=caf%C3%A9+au%20lait&s=10&bad=%zz".to_owned(),
            headers: vec![(
                "content-type".to_owned(),
                "application/x-www-form-urlencoded".to_owned(),
            )],
            body: b"kl=jp-jp&q=second".to_vec(),
            secure: false,
            visit: 0,
            since_last: None,
        };
        assert_eq!(request.path(), "/search");
        assert_eq!(request.parameter("q").as_deref(), Some("café au lait"));
        assert_eq!(request.number("s"), Some(10));
        assert_eq!(request.parameter("bad").as_deref(), Some("%zz"));
        assert_eq!(request.parameter("kl").as_deref(), Some("jp-jp"));
        request.headers.clear();
        assert_eq!(request.parameter("kl"), None);
    }

    #[test]
    fn escaping_is_undone_by_unescaping() {
        assert_eq!(escape("薬 & 10%"), "%E8%96%AC%20%26%2010%25");
        assert_eq!(unescape(&escape("薬 & 10%")), "薬 & 10%");
    }
}
