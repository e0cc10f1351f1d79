//! What fetching and asking engines remember between two runs.
//!
//! Rows here are about requests, not about evidence: they are recorded by the door to the network and
//! by the sources, each in its own transaction.

mod archive_index;
mod caches;
mod egress;
mod engine_health;
mod pace;

pub use archive_index::{ArchiveKind, ArchiveRecord};
pub use caches::{CachedFetch, CachedRobots};
pub use egress::{EgressAnswer, EgressFilter, EgressRow, EgressTotals, NewEgress};
pub use engine_health::{CircuitState, EngineHealth};
pub use pace::Pace;
