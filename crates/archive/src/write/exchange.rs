//! An exchange as the records that are written for it.

use std::net::IpAddr;

use jiff::Timestamp;

use super::member::{Field, header_of, pack, uuid};
use crate::digest;
use crate::record::{BLOCK_DIGEST, PAYLOAD_DIGEST, head_length};
use crate::{Error, Kind, Limits};

/// A request and its response.
#[derive(Debug, Clone, Copy)]
pub struct Exchange<'a> {
    pub url: &'a str,
    pub at: Timestamp,
    /// The IP address that was connected to, without a port.
    pub address: Option<&'a str>,
    /// Request line and headers with the empty line that ends them.
    pub request_head: &'a [u8],
    pub request_body: &'a [u8],
    pub response: Response<'a>,
}

/// What came back.
#[derive(Debug, Clone, Copy)]
pub enum Response<'a> {
    Full {
        /// Status line and headers with the empty line that ends them.
        head: &'a [u8],
        /// The body as it was sent, still packed where the head says so, without the chunks.
        body: &'a [u8],
        /// Why the body ends before its end: `length`, `time`, `disconnect` or `unspecified`.
        truncated: Option<&'a str>,
    },
    /// The server said that an archived response is still the page.
    NotModified { head: &'a [u8], refers_to: &'a Stored },
    /// No answer came.
    None,
}

/// A record that was written, and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// `urn:uuid:...`
    pub record_id: String,
    pub kind: Kind,
    pub url: String,
    /// The name of the file in the archive folder.
    pub file: String,
    pub byte_start: u64,
    pub byte_length: u64,
    /// Of the body as it was sent; a revisit has that of the response it stands for.
    pub payload_digest: Option<String>,
    /// To the millisecond.
    pub date: Timestamp,
}

/// The records of one exchange.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appended {
    pub request: Stored,
    pub response: Option<Stored>,
}

/// The end of a file, where the next record will be.
#[derive(Debug, Clone, Copy)]
pub(super) struct End<'a> {
    pub(super) file: &'a str,
    pub(super) length: u64,
    /// The id of the file's first record.
    pub(super) warcinfo: &'a str,
}

/// An exchange that was looked at and can be written.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    url: &'a str,
    address: Option<&'a str>,
    pub(super) date: Timestamp,
    request: Part<'a>,
    response: Option<Part<'a>>,
}

/// What one record holds.
#[derive(Debug)]
struct Part<'a> {
    kind: Kind,
    head: Vec<u8>,
    body: &'a [u8],
    block_digest: String,
    payload_digest: Option<String>,
    extra: Vec<Field>,
}

const NOT_MODIFIED: &str = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";
/// The reasons that the standard knows for a record that is not whole.
const TRUNCATED: [&str; 4] = ["length", "time", "disconnect", "unspecified"];
/// Room in a record's header for everything but addresses of pages.
pub(super) const OTHER_FIELDS: usize = 4096;

impl<'a> Draft<'a> {
    /// Refuses what could not be read back as it was given.
    pub(super) fn of(exchange: &Exchange<'a>) -> Result<Self, Error> {
        let request = Part::request(exchange)?;
        let response = Part::response(exchange)?;
        let limits = Limits::default();
        let mut room = limits.header_bytes - OTHER_FIELDS;
        let other_url = match exchange.response {
            Response::NotModified { refers_to, .. } => Some(refers_to.url.as_str()),
            Response::Full { .. } | Response::None => None,
        };
        for url in [exchange.url].into_iter().chain(other_url) {
            if url.is_empty() || url.contains(|it: char| it.is_whitespace() || it.is_control()) {
                return Err(unfit("address of the page", "it is empty or has spaces in it"));
            }
            room = room
                .checked_sub(url.len())
                .ok_or_else(|| unfit("address of the page", "it is too long"))?;
        }
        if exchange.address.is_some_and(|it| it.parse::<IpAddr>().is_err()) {
            return Err(unfit("address of the server", "it is not an IP address"));
        }
        for part in [Some(&request), response.as_ref()].into_iter().flatten() {
            if (part.head.len() + part.body.len()) as u64 > limits.block_bytes {
                return Err(unfit(part.kind.as_str(), "it is larger than a record may be"));
            }
        }
        // The graph keeps times to the millisecond, and both are to say the same.
        let date = Timestamp::from_millisecond(exchange.at.as_millisecond())
            .expect("the millisecond of a time is a time");
        Ok(Self { url: exchange.url, address: exchange.address, date, request, response })
    }

    /// The bytes to add at the end of a file, and where the records will be.
    pub(super) fn render(self, end: End<'_>) -> (Vec<u8>, Appended) {
        let request_id = self.id_of(&self.request, end);
        let response_id = self.response.as_ref().map(|it| self.id_of(it, end));
        let mut bytes = Vec::new();
        let request =
            self.record(&self.request, &request_id, response_id.as_deref(), end, &mut bytes);
        let response = self.response.as_ref().zip(response_id).map(|(part, record_id)| {
            self.record(part, &record_id, Some(&request_id), end, &mut bytes)
        });
        (bytes, Appended { request, response })
    }

    /// No two records of a folder have file, place and kind in common, so no two have an id in common.
    fn id_of(&self, part: &Part<'_>, end: End<'_>) -> String {
        let place = format!("{} {}", end.file, end.length);
        let date = self.date.to_string();
        let names = [&place, part.kind.as_str(), &date, self.url, &part.block_digest];
        uuid(&names.map(str::as_bytes))
    }

    fn record(
        &self,
        part: &Part<'_>,
        record_id: &str,
        concurrent_to: Option<&str>,
        end: End<'_>,
        bytes: &mut Vec<u8>,
    ) -> Stored {
        let message = if part.kind == Kind::Request { "request" } else { "response" };
        let mut fields = vec![
            ("WARC-Type", part.kind.as_str().to_owned()),
            ("WARC-Record-ID", format!("<{record_id}>")),
            ("WARC-Warcinfo-ID", format!("<{}>", end.warcinfo)),
            ("WARC-Date", self.date.to_string()),
            ("WARC-Target-URI", self.url.to_owned()),
        ];
        fields.extend(self.address.map(|it| ("WARC-IP-Address", it.to_owned())));
        fields.extend(concurrent_to.map(|it| ("WARC-Concurrent-To", format!("<{it}>"))));
        fields.extend(part.extra.iter().cloned());
        fields.push((BLOCK_DIGEST, part.block_digest.clone()));
        fields.extend(part.payload_digest.clone().map(|it| (PAYLOAD_DIGEST, it)));
        fields.push(("Content-Type", format!("application/http;msgtype={message}")));
        fields.push(("Content-Length", (part.head.len() + part.body.len()).to_string()));
        let packed = pack(&[header_of(&fields).as_bytes(), &part.head, part.body, b"\r\n\r\n"]);
        let byte_start = end.length + bytes.len() as u64;
        bytes.extend_from_slice(&packed);
        Stored {
            record_id: record_id.to_owned(),
            kind: part.kind,
            url: self.url.to_owned(),
            file: end.file.to_owned(),
            byte_start,
            byte_length: packed.len() as u64,
            payload_digest: part.payload_digest.clone(),
            date: self.date,
        }
    }
}

impl<'a> Part<'a> {
    fn request(exchange: &Exchange<'a>) -> Result<Self, Error> {
        let head = whole_head(exchange.request_head, "head of the request")?.to_owned();
        let body = exchange.request_body;
        let payload_digest = (!body.is_empty()).then(|| digest::sha256(&[body]));
        Ok(Self::new(Kind::Request, head, body, payload_digest, Vec::new()))
    }

    fn response(exchange: &Exchange<'a>) -> Result<Option<Self>, Error> {
        let head_of = |head| Ok(unchunked(whole_head(head, "head of the response")?));
        Ok(Some(match exchange.response {
            Response::Full { head, body, truncated } => {
                if truncated.is_some_and(|it| !TRUNCATED.contains(&it)) {
                    return Err(unfit("reason of a cut", "it is none of those the standard names"));
                }
                let extra = truncated.map(|it| ("WARC-Truncated", it.to_owned()));
                let payload_digest = Some(digest::sha256(&[body]));
                let extra = extra.into_iter().collect();
                Self::new(Kind::Response, head_of(head)?, body, payload_digest, extra)
            }
            Response::NotModified { head, refers_to } => {
                let extra = vec![
                    ("WARC-Profile", NOT_MODIFIED.to_owned()),
                    ("WARC-Refers-To", format!("<{}>", refers_to.record_id)),
                    ("WARC-Refers-To-Target-URI", refers_to.url.clone()),
                    ("WARC-Refers-To-Date", refers_to.date.to_string()),
                ];
                let payload_digest = refers_to.payload_digest.clone();
                Self::new(Kind::Revisit, head_of(head)?, b"", payload_digest, extra)
            }
            Response::None => return Ok(None),
        }))
    }

    fn new(
        kind: Kind,
        head: Vec<u8>,
        body: &'a [u8],
        payload_digest: Option<String>,
        extra: Vec<Field>,
    ) -> Self {
        let block_digest = digest::sha256(&[&head, body]);
        Self { kind, head, body, block_digest, payload_digest, extra }
    }
}

/// A head whose end a reader finds where the writer put it.
fn whole_head<'a>(head: &'a [u8], field: &'static str) -> Result<&'a [u8], Error> {
    if head.ends_with(b"\r\n\r\n") && head_length(head) == Some(head.len()) {
        Ok(head)
    } else {
        Err(unfit(field, "it does not end with its first empty line"))
    }
}

/// Renames the transfer encoding header: the chunks are gone, and a reader must not look for them.
fn unchunked(head: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(head.len());
    for line in head.split_inclusive(|&it| it == b'\n') {
        let name = line.split(|&it| it == b':').next().unwrap_or_default();
        if name.trim_ascii_end().eq_ignore_ascii_case(b"transfer-encoding") {
            kept.extend_from_slice(b"X-Archive-Orig-");
        }
        kept.extend_from_slice(line);
    }
    kept
}

pub(super) fn unfit(field: &'static str, problem: &'static str) -> Error {
    Error::Unfit { field, problem }
}
