//! All tests of the public interface, in one binary.
#![expect(clippy::unwrap_used, reason = "a test that cannot continue should stop where it is")]

mod any_text;
mod bad_models;
mod builtin;
mod device;
mod languages;
mod long_texts;
mod parity;
mod settings;
mod support;
