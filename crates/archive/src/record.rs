//! One record as it was read: headers, block, and the HTTP message in the block.

use jiff::Timestamp;
use serde::Serialize;

use crate::Error;
use crate::digest::{self, Comparison};

/// What a record of ours holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Request,
    Response,
    /// The server said that nothing changed since another response.
    Revisit,
    /// Something made of another record: the text its scripts made of a page, or its picture.
    Conversion,
}

impl Kind {
    /// The name in the header `WARC-Type`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Response => "response",
            Self::Revisit => "revisit",
            Self::Conversion => "conversion",
        }
    }
}

/// A whole record of a WARC file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// In the order of the file.
    pub headers: Vec<(String, String)>,
    pub block: Vec<u8>,
}

/// What checking the digests of a record showed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Digests {
    /// Digests that could be compared.
    pub checked: usize,
    /// The headers whose digest is not that of the bytes.
    pub wrong: Vec<&'static str>,
}

impl Record {
    /// The first header of this name, in any case of letters.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(it, _)| it.eq_ignore_ascii_case(name)).map(|(_, it)| it.as_str())
    }

    /// What the header `WARC-Type` says; files of others have more types than [`Kind`].
    pub fn type_name(&self) -> &str {
        self.header("WARC-Type").unwrap_or_default()
    }

    /// The kind, if it is one that we write.
    pub fn kind(&self) -> Option<Kind> {
        [Kind::Request, Kind::Response, Kind::Revisit, Kind::Conversion]
            .into_iter()
            .find(|it| self.type_name().eq_ignore_ascii_case(it.as_str()))
    }

    /// The id without its angle brackets, `urn:uuid:...`.
    pub fn record_id(&self) -> Option<&str> {
        self.header("WARC-Record-ID").map(without_brackets)
    }

    pub fn url(&self) -> Option<&str> {
        self.header("WARC-Target-URI").map(without_brackets)
    }

    pub fn date(&self) -> Option<Timestamp> {
        self.header("WARC-Date")?.parse().ok()
    }

    /// The HTTP message in the block: its head up to and with the empty line, and the body behind it.
    pub fn http(&self) -> Result<(&[u8], &[u8]), Error> {
        let content_type = self.header("Content-Type").unwrap_or_default();
        if !content_type.trim_start().to_ascii_lowercase().starts_with("application/http") {
            return Err(Error::NotHttp);
        }
        let head = head_length(&self.block).ok_or(Error::NotHttp)?;
        Ok(self.block.split_at(head))
    }

    /// What the record is about: the body of the HTTP message in the block, or the block of a conversion.
    pub fn payload(&self) -> Result<&[u8], Error> {
        match self.kind() {
            Some(Kind::Conversion) => Ok(&self.block),
            _ => self.http().map(|(_, body)| body),
        }
    }

    /// The status of the HTTP response in the block.
    pub fn status(&self) -> Option<u16> {
        let (head, _) = self.http().ok()?;
        let line = head.split(|&it| it == b'\n').next()?;
        let mut words = line.split(|&it| it == b' ').filter(|it| !it.is_empty());
        words.next().filter(|it| it.starts_with(b"HTTP/"))?;
        std::str::from_utf8(words.next()?.trim_ascii()).ok()?.parse().ok()
    }

    /// The headers of the HTTP message in the block, names as they were sent.
    pub fn http_headers(&self) -> Vec<(String, String)> {
        let Ok((head, _)) = self.http() else { return Vec::new() };
        let lines = head.split(|&it| it == b'\n').skip(1);
        let fields = lines.filter_map(|line| {
            let colon = line.iter().position(|&it| it == b':')?;
            // A line that begins with a space continues the one before; obsolete, but allowed.
            (!line.starts_with(b" ") && !line.starts_with(b"\t")).then(|| {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes.trim_ascii()).into_owned();
                (text(&line[..colon]), text(&line[colon + 1..]))
            })
        });
        fields.collect()
    }

    /// Compares the digests that the record carries with its bytes.
    pub fn digests(&self) -> Digests {
        let mut digests = Digests::default();
        let mut check = |header, written: Option<&str>, bytes: &[u8]| match written
            .map(|it| digest::compare(it, &[bytes]))
        {
            Some(Comparison::Same) => digests.checked += 1,
            Some(Comparison::Differs) => {
                digests.checked += 1;
                digests.wrong.push(header);
            }
            Some(Comparison::Unknown) | None => {}
        };
        check(BLOCK_DIGEST, self.header(BLOCK_DIGEST), &self.block);
        // The payload of a revisit is in the record it refers to, a segment's in several records.
        let elsewhere =
            self.kind() == Some(Kind::Revisit) || self.header("WARC-Segment-Number").is_some();
        if !elsewhere {
            let payload = self.http().map_or(self.block.as_slice(), |(_, body)| body);
            check(PAYLOAD_DIGEST, self.header(PAYLOAD_DIGEST), payload);
        }
        digests
    }
}

pub(crate) const BLOCK_DIGEST: &str = "WARC-Block-Digest";
pub(crate) const PAYLOAD_DIGEST: &str = "WARC-Payload-Digest";

/// The length of an HTTP head with the empty line that ends it.
pub(crate) fn head_length(message: &[u8]) -> Option<usize> {
    let mut start = 0;
    while let Some(length) = message[start..].iter().position(|&it| it == b'\n') {
        let line = &message[start..start + length];
        start += length + 1;
        if line.is_empty() || line == b"\r" {
            return Some(start);
        }
    }
    None
}

fn without_brackets(value: &str) -> &str {
    value.strip_prefix('<').and_then(|it| it.strip_suffix('>')).unwrap_or(value)
}
