//! Ranking through its public door.

mod knee;
mod laws;
mod order;
mod support;
mod words;
