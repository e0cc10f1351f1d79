//! One binary for all tests that go through the crate's public door.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

mod air;
mod gathered;
mod japanese;
mod markdown;
mod nothing;
mod page;
mod strangers;
mod terminal;
mod world;
