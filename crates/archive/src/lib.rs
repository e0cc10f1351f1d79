//! The archive: WARC 1.1 files that hold requests and responses, byte for byte.
//!
//! [`Writer`] adds an [`Exchange`] (request and response) at the end of a file, each record a gzip member of
//! its own; [`read_record`] reads one back from where [`Stored`] says it is; [`records`] walks a file and
//! [`verify()`] checks its digests. Which record belongs to which page is the graph's to know. Nothing here uses
//! the network, a database or a clock, and no bytes in a file make it panic.

mod digest;
mod error;
mod limits;
mod record;

mod rewrite;
mod write;

mod read;
mod verify;

pub use digest::payload_digest;
pub use error::Error;
pub use limits::Limits;
pub use read::{Positioned, Records, files, read_record, records, records_with};
pub use record::{Digests, Kind, Record};
pub use rewrite::{Rewritten, Span, is_ours, preamble, remove, rewrite};
pub use verify::{Problem, Verified, verify};
pub use write::{Appended, Conversion, Exchange, Options, Response, Stored, Writer};
