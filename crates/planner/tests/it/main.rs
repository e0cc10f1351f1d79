//! What an investigation asks, and when it stops, over engines with the models of the product.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

mod drafting;
mod investigating;
mod support;
