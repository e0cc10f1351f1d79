//! The evidence graph in one SQLite file: the only crate that contains SQL.
//!
//! It stores what the stages found and answers what people ask of it. It fetches nothing, judges
//! nothing and prints nothing. Read [`Graph`] first (open, read, write), then [`Writer`] for what
//! can be recorded and [`Reader`] for what can be asked.
//!
//! Every write happens inside [`Graph::write`], which names its [`Cause`]; recording the same thing
//! twice adds nothing, so a search can be repeated and a crashed run resumed.

mod clock;
mod error;
mod lock;
mod migrate;
mod row;
mod rules;
mod store;
mod text;

mod calibration;
mod claims;
mod domains;
mod edges;
mod embeddings;
mod events;
mod feedback;
mod lookup;
mod pages;
mod searches;
mod tasks;
mod works;

mod transfer;

pub use calibration::{
    Activation, CalibrationStats, CalibrationVersion, Degradation, Evaluated, Evaluation, Rollback,
};
pub use claims::{NewClaim, TaskClaim};
pub use clock::{Clock, FixedClock, SystemClock};
pub use domains::{
    BlockOutcome, BlockedDomain, DomainChange, DomainEffect, LOOK_EVERY, OverrideAction,
    OverrideEvent, OverrideState, PolicyError, PolicyFile, PolicyNote, RejectionRates,
    SHIPPED_POLICY, parse_policy,
};
pub use edges::NewEdge;
pub use embeddings::NewEmbedding;
pub use error::{Error, Result};
pub use events::{Cause, Event};
pub use feedback::{FeedbackAction, FeedbackOutcome};
pub use lookup::Lookup;
pub use migrate::SCHEMA_VERSION;
pub use pages::{NewFragment, NewPage};
pub use rules::EvidenceRules;
pub use searches::{NewSearch, NewSerpItem};
pub use store::{Access, Graph, Options, Reader, Writer};
pub use tasks::{NewTask, TaskCounts};
pub use transfer::{ExportError, ImportError, Transferred};
pub use works::{NewWork, WorkIdentifier};
