//! Ranking through its public interface.

mod knee;
mod laws;
mod order;
mod support;
mod words;
