//! The evidence graph in one SQLite file: the only crate that contains SQL.
//!
//! It stores what the stages found and answers what people ask of it. It fetches nothing, judges
//! nothing and prints nothing. Read [`Graph`] first (open, read, write), then [`Writer`] for what
//! can be recorded and [`Reader`] for what can be asked.
//!
//! Every write happens inside [`Graph::write`], which names its [`Cause`]; recording the same thing
//! twice adds nothing, so a search can be repeated and a crashed run resumed.

mod check;
mod clock;
mod error;
mod header;
mod lock;
mod migrate;
mod row;
mod rows;
mod store;
mod text;

mod claims;
mod edges;
mod embeddings;
mod events;
mod guarded;
mod pages;
mod salvage;
mod searches;
mod tasks;
mod works;

pub use claims::{NewClaim, TaskClaim};
pub use clock::{Clock, FixedClock, SystemClock};
pub use edges::NewEdge;
pub use embeddings::NewEmbedding;
pub use error::{Error, Result};
pub use events::{Cause, Event};
pub use guarded::{Position, QueryAnswer, QueryError, QueryLimits, Schema, SchemaTable};
pub use migrate::SCHEMA_VERSION;
pub use pages::{NewFragment, NewPage};
pub use rows::Rows;
pub use salvage::{SalvageReport, SalvagedTable, salvage};
pub use searches::{NewSearch, NewSerpItem};
pub use store::{Access, Graph, Options, Reader, Writer};
pub use tasks::NewTask;
pub use text::{FindAnswer, FindOptions, FindTarget, Found, Matched, Words};
pub use works::{NewWork, WorkIdentifier};
