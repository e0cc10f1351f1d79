//! All tests of the public interface, in one binary.
#![expect(clippy::unwrap_used, reason = "a test that cannot continue should stop where it is")]

mod asking;
mod claims;
mod corrections;
mod crawling;
mod following;
mod hypothesis;
mod living;
mod missing;
mod offline;
mod open_access;
mod prefetch;
mod public_apis;
mod publishers;
mod quality;
mod query_forms;
mod read_page;
mod rendering;
mod resuming;
mod searching;
mod sections;
mod support;
mod versions;
