//! The engine: the only crate that knows the order of the stages.
//!
//! [`Engine`] takes calls ([`calls`]) and runs searches: plan, fetch, read, rank, extract, judge, record. Each stage hands
//! plain values to the next, and this crate carries them; it opens no connection, holds no SQL and prints nothing.
//! [`read_page()`] fetches a page and has it read, [`crawl()`] follows its links within the same site.

mod crawl;
mod read_page;
mod rendering;

pub mod calls;
mod checking;
mod engine;
mod error;
mod gate;
mod llm;
mod scheduler;
mod search;
mod settings;
mod slots;
mod task_state;
mod verification;
mod versions;

pub use crate::settings::{SearchSettings, TaskSettings};
pub use crawl::{Crawl, CrawlSettings, crawl};
pub use engine::{Engine, Parts, Settings};
pub use error::{EngineError, Result};
pub use llm::LlmServer;
pub use read_page::{ReadPage, Reading, RenderedPage, read_page};
pub use slots::{Permit, Slot, Slots, priority};
pub use verification::{ClaimsMoved, verify_claims_from};
pub use versions::{Changes, OldPage, may_stand_in, newest_version, read_version, still_says};
