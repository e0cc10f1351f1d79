//! One binary for all tests that go through the crate's public door.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

mod any_text;
mod bad_models;
mod builtin;
mod device;
mod languages;
mod long_texts;
mod parity;
mod settings;
mod support;
