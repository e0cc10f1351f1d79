//! Sites that a person opened.

use jiff::Timestamp;

/// A person's session at a site. Its cookies are sealed: without the key, which is not kept here, nobody reads them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedSession {
    /// The registrable domain.
    pub domain: String,
    /// JSON: a number that was used once, and what was sealed with it.
    pub sealed: String,
    /// The way to the network it was made on; it goes no other way.
    pub route: String,
    pub created_at: Timestamp,
    /// From then on it is of no use.
    pub expires_at: Timestamp,
}
