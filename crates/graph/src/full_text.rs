//! How text is cut for full-text search, and the search itself.

mod tokenizer;

mod find;
mod marks;
mod query;

pub(crate) use tokenizer::register;

pub use find::{FindAnswer, FindSettings, FindTarget, FullTextHit, Matched, Words};
