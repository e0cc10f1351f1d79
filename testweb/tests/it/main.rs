//! All tests of the public interface, in one binary.
#![expect(clippy::unwrap_used, reason = "a test that cannot continue should stop where it is")]

mod apis;
mod client;
mod counting;
mod engines;
mod faults;
mod kinds;
mod llm;
mod secure;
mod world;
