//! How large a record may be, for the writer and for the reader of foreign files.

/// The bounds of one record. What the writer accepts, the reader with the same limits gives back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the WARC headers of one record.
    pub header_bytes: usize,
    /// Bytes of one record's block, unpacked.
    pub block_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        // Three of the largest pages that are fetched; an address can be as long as browsers allow.
        Self { header_bytes: 64 * 1024, block_bytes: 64 * 1024 * 1024 }
    }
}
