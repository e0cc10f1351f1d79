//! What fetching and asking engines remember between two runs.
//!
//! Rows here are about requests, not about evidence: the fetcher records them through [`GraphLedger`], the sources by
//! themselves, each in a transaction of its own.

mod archive_index;
mod caches;
mod egress;
mod engine_health;
mod graph_ledger;
mod pace;
mod routes;
mod sessions;

pub use egress::{EgressFilter, EgressRow, EgressTotals};
pub use engine_health::{CircuitState, EngineHealth};
pub use graph_ledger::GraphLedger;
pub use ledger::{
    ArchiveKind, ArchiveRecord, CachedFetch, CachedRobots, EgressAnswer, NewEgress, Pace,
    SealedSession,
};
