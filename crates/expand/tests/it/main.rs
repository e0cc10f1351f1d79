//! Query expansion through its public door.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

mod coverage;
mod english;
mod japanese;
mod laws;
mod limits;
mod script;
mod support;
mod synonym;
