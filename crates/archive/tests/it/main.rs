//! The archive through its public interface, with real files in a temporary folder.
#![expect(clippy::unwrap_used, reason = "a test that cannot continue should stop where it is")]

mod public_files;
mod reading;
mod rewriting;
mod support;
mod verifying;
mod warcio;
mod writing;
