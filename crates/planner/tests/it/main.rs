//! What an investigation asks, and when it stops, over engines with the models of the product.
#![expect(clippy::unwrap_used, reason = "a test that cannot continue should stop where it is")]

mod drafting;
mod investigating;
mod support;
