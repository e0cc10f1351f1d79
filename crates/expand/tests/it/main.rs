//! Query expansion through its public interface.
#![expect(clippy::unwrap_used, reason = "a test that cannot continue should stop where it is")]

mod coverage;
mod english;
mod japanese;
mod laws;
mod limits;
mod script;
mod support;
mod synonym;
