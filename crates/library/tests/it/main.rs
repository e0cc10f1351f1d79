//! One binary for all tests that go through the crate's public door.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

mod audit;
mod bridge;
mod corpus;
mod errors;
mod folder;
mod manual_find;
mod manual_hits;
mod manual_index;
mod manual_read;
mod measure;
mod recall;
mod vault_find;
#[cfg(unix)]
mod vault_kills;
mod vault_paths;
mod vault_writes;
