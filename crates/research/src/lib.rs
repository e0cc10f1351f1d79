//! The engine: the only crate that knows the order of the stages.
//!
//! Each stage hands plain values to the next, and this crate carries them: [`bring()`] fetches a page and has it
//! read, [`crawl()`] goes on from it within the same site. It opens no connection, holds no SQL and prints nothing.

mod bring;
mod crawl;

pub use bring::{Brought, bring};
pub use crawl::{Crawl, CrawlOptions, crawl};
