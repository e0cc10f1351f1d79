//! One binary for all tests through the door of the crate.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

mod corpus;
mod errors;
mod manual_find;
mod manual_hits;
mod manual_index;
mod manual_read;
mod recall;
