//! What need not be asked again: pages and robots.txt.

use jiff::Timestamp;

/// What is known of a page that was fetched before; its body is in the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedFetch {
    pub url: String,
    pub final_url: Option<String>,
    pub status: Option<u16>,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
    pub content_hash: Option<String>,
    /// Until then the page need not even be asked whether it changed.
    pub fresh_until: Option<Timestamp>,
    /// The archived response.
    pub record_id: Option<String>,
    pub checked_at: Timestamp,
}

/// A robots.txt as it was fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CachedRobots {
    /// Scheme, host and port.
    pub origin: String,
    /// `None`: the host did not answer.
    pub status: Option<u16>,
    pub body: Vec<u8>,
    pub fetched_at: Timestamp,
    pub expires_at: Timestamp,
}
