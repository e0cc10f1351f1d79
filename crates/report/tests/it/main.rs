//! All tests of the public interface, in one binary.
#![expect(clippy::unwrap_used, reason = "a test that cannot continue should stop where it is")]

mod air;
mod gathered;
mod handed_on;
mod japanese;
mod markdown;
mod nothing;
mod page;
mod strangers;
mod terminal;
mod true_lists;
mod verdict;
mod world;
