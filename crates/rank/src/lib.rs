//! Which passages deserve attention for this question. Pure: no model, no clock, no disk.
//!
//! Words first ([`RankSettings::bm25_top_k`] survive), then meaning (cosines come in through an
//! argument, so that a caller asks its embedder about the survivors only), then what is known about the
//! publisher and the page, then a cut where the scores stop falling steeply. Read [`rank()`] first, then
//! [`Passage`] and [`knee()`].
//!
//! Same input, same output: equal scores stay in the order of the passages.

mod knee;
mod mix;
mod order;
mod settings;
mod words;

pub use knee::knee;
pub use order::{Passage, Ranked, Ranking, rank};
pub use settings::{KneeSettings, RankSettings};
pub use words::{TermCounts, bm25, query_terms};
