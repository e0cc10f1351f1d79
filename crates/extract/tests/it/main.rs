//! One binary for all tests that go through the crate's public door.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

mod injection;
mod languages;
mod pdf_file;
mod pdf_letters;
mod pdf_pictures;
mod pdf_sight;
