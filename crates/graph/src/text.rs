//! How text is cut for full-text search, and the search itself.

mod terms;
mod tokenizer;

pub(crate) use tokenizer::register;
