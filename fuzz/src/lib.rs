//! What is done with bytes made by machine: one function for each reader of strangers' bytes.
//!
//! `fuzz_targets` gives each to libFuzzer, which looks for bytes that break it; the tests here give each a few thousand
//! variants of honest bytes, on any compiler. A function panics where a promise of its reader does not hold.

mod archives;
mod documents;
mod language_models;
mod names;
mod pages;
mod queries;

pub use archives::warc;
pub use documents::{charset, formats, html, office, pdf, url};
pub use language_models::llm;
pub use names::{identifiers, names};
pub use pages::{robots, serp};
pub use queries::sql;

#[cfg(test)]
mod tests;
