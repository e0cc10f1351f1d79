//! All tests of the public interface, in one binary.
#![expect(clippy::unwrap_used, reason = "a test that cannot continue should stop where it is")]

mod injection;
mod languages;
mod office;
mod pdf_file;
mod pdf_letters;
mod pdf_pictures;
mod pdf_sight;
