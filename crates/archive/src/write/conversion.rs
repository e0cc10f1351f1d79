//! What was made of a record: written as a record of its own that names the other.

use jiff::Timestamp;

use super::exchange::{End, OTHER_FIELDS, Stored, unfit};
use super::member::{header_of, pack, uuid};
use crate::digest;
use crate::record::{BLOCK_DIGEST, PAYLOAD_DIGEST};
use crate::{Error, Kind, Limits};

/// Something made of an archived answer.
#[derive(Debug, Clone, Copy)]
pub struct Conversion<'a> {
    /// The address it shows.
    pub url: &'a str,
    pub at: Timestamp,
    /// Such as `text/html; charset=utf-8`.
    pub media_type: &'a str,
    pub bytes: &'a [u8],
    /// The record it was made of.
    pub made_of: &'a str,
}

impl Conversion<'_> {
    pub(super) fn check(&self) -> Result<(), Error> {
        let limits = Limits::default();
        for text in [self.url, self.made_of, self.media_type] {
            if text.is_empty() || text.contains(char::is_control) {
                return Err(unfit("header of a record", "it is empty or has lines"));
            }
        }
        if self.url.contains(char::is_whitespace)
            || self.url.len() > limits.header_bytes - OTHER_FIELDS
        {
            return Err(unfit("address of the page", "it has spaces in it or is too long"));
        }
        match self.bytes.len() as u64 > limits.block_bytes {
            true => Err(unfit(Kind::Conversion.as_str(), "it is larger than a record may be")),
            false => Ok(()),
        }
    }

    /// To the millisecond, as the graph keeps it.
    pub(super) fn date(&self) -> Timestamp {
        Timestamp::from_millisecond(self.at.as_millisecond())
            .expect("the millisecond of a time is a time")
    }

    pub(super) fn render(&self, end: End<'_>) -> (Vec<u8>, Stored) {
        let digest = digest::sha256(&[self.bytes]);
        let (kind, date) = (Kind::Conversion, self.date());
        let place = format!("{} {}", end.file, end.length);
        let names = [place.as_str(), kind.as_str(), &date.to_string(), self.url, &digest];
        let record_id = uuid(&names.map(str::as_bytes));
        let fields = [
            ("WARC-Type", kind.as_str().to_owned()),
            ("WARC-Record-ID", format!("<{record_id}>")),
            ("WARC-Warcinfo-ID", format!("<{}>", end.warcinfo)),
            ("WARC-Date", date.to_string()),
            ("WARC-Target-URI", self.url.to_owned()),
            ("WARC-Refers-To", format!("<{}>", self.made_of)),
            (BLOCK_DIGEST, digest.clone()),
            (PAYLOAD_DIGEST, digest.clone()),
            ("Content-Type", self.media_type.to_owned()),
            ("Content-Length", self.bytes.len().to_string()),
        ];
        let packed = pack(&[header_of(&fields).as_bytes(), self.bytes, b"\r\n\r\n"]);
        let stored = Stored {
            record_id,
            kind,
            url: self.url.to_owned(),
            file: end.file.to_owned(),
            byte_start: end.length,
            byte_length: packed.len() as u64,
            payload_digest: Some(digest),
            date,
        };
        (packed, stored)
    }
}
