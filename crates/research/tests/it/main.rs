//! One binary for all tests that go through the crate's public door.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

mod asking;
mod bringing;
mod crawling;
mod following;
mod missing;
mod open_access;
mod prefetch;
mod publishers;
mod quality;
mod resuming;
mod searching;
mod sections;
mod support;
