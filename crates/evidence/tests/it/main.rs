//! One binary for all tests that go through the crate's public door.

mod public_suffixes;
