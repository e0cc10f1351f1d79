//! The archive through its public door: real files in a folder of their own.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

mod public_files;
mod reading;
mod support;
mod verifying;
mod warcio;
mod writing;
