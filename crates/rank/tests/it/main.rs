//! Ranking through its public door.

mod choice;
mod knee;
mod laws;
mod order;
mod support;
mod words;
