//! Where archived bytes are: one row for each record of the WARC files.

use jiff::Timestamp;
use serde::Serialize;

/// What a record of the archive holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ArchiveKind {
    Request,
    Response,
    /// The server said that nothing changed since another response.
    Revisit,
    /// The document that its scripts made of a page.
    Document,
    /// The picture of a page.
    Picture,
}

impl ArchiveKind {
    /// What its record in the file calls itself.
    pub const fn warc_type(self) -> &'static str {
        match self {
            Self::Document | Self::Picture => "conversion",
            Self::Request | Self::Response | Self::Revisit => self.as_str(),
        }
    }

    /// Whether it was made here of an answer.
    pub const fn is_made(self) -> bool {
        matches!(self, Self::Document | Self::Picture)
    }

    /// Whether it came from a server, and was not made here.
    pub const fn is_answer(self) -> bool {
        matches!(self, Self::Response | Self::Revisit)
    }

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Response => "response",
            Self::Revisit => "revisit",
            Self::Document => "document",
            Self::Picture => "picture",
        }
    }
}

/// One record of the archive, and its position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ArchiveRecord {
    /// The WARC record id, `urn:uuid:...`.
    pub record_id: String,
    pub kind: ArchiveKind,
    pub url: String,
    pub status: Option<u16>,
    /// The name of the file in the archive folder.
    pub file: String,
    pub byte_start: u64,
    pub byte_length: u64,
    pub payload_digest: Option<String>,
    pub refers_to: Option<String>,
    pub egress_seq: Option<i64>,
    pub archived_at: Timestamp,
}
