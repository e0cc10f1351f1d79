//! Asks search engines, academic indexes, public APIs and folders what exists.
//!
//! Every source answers a [`Query`] with [`Candidate`]s in one uniform record. Nothing is read or judged here:
//! candidates are addresses with what the source said about them. The network is reached through
//! `fetch::Fetcher` only.

mod candidate;
mod query;

mod ask;
mod asking;
mod markup;
mod outcome;
mod period;
mod topics;

// Web engines.
mod cache;
mod choose;
mod engines;
mod health;
mod operators;
mod serp;

// Academic indexes, and what all sources know about one work.
pub mod academic;
pub mod canonical;

// Public APIs, folders, and what a person names exactly.
pub mod apis;
pub mod exact;
pub mod folders;

// What pages said before.
pub mod versions;

pub use ask::{Access, FROM_CACHE, Found, SourceReport, Sources, Wanted, WantedApis};
pub use asking::{ApiLimits, AskedBy};
pub use candidate::{Candidate, Paper, SourceText};
pub use choose::{Choice, ChoiceSettings, LeftOut, Standing, choose};
pub use engines::{
    Checked, DeclarationError, Engine, EngineAnswer, EngineOutcome, EngineProblem, EngineRequest,
    EngineSearch, EngineSettings, Engines, Hit, MAX_PER_SECOND, SHIPPED_ENGINES, Searched,
    ShippedEngine, merge,
};
pub use health::{Fault, HealthSettings, Observed, PolicyChange};
pub use operators::{Operator, Operators, Phrased};
pub use outcome::{Failure, SourceOutcome};
pub use period::is_date;
pub use query::{Category, Query};
pub use serp::{Block, HANDLER as SERP_HANDLER, Serp, SerpKind, SerpLimits};
pub use topics::Topic;
