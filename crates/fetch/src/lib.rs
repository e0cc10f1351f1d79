//! The only door to the network: polite, bounded, recorded.
//!
//! Everything Lyra asks of another machine is an [`Errand`] given to the one [`Door`]. The door asks robots.txt,
//! waits its turn, checks the address it connects to, keeps every limit, writes the ledger before the first byte
//! leaves and the archive before anybody sees the answer. It does not read what it brings (that is `extract`) and
//! does not choose what to bring (that is `research`).
//!
//! Read [`Errand`], [`Fetched`] and [`Missed`] first; [`Settings`] has every limit.

// What is asked for, what became of it, and the limits.
mod errand;
mod outcome;
mod settings;

// The door, and an errand's way through it.
mod call;
mod door;
mod journey;
mod person;

// Who may be asked, how often, and in which words.
mod addresses;
mod guard;
mod headers;
mod lanes;
mod pace;
mod robots;
mod time;

// The wire.
mod client;
mod cookies;
mod failure;
mod http_time;
mod model_server;
mod resolver;
mod unpack;
mod wire;

// What is remembered.
mod archived;
mod freshness;
mod metrics;
mod reads;
mod recorder;

pub use door::{Door, OpenError};
pub use errand::{Errand, Freshness, Kind, Limits, Method};
pub use metrics::Metrics;
pub use model_server::{ModelServer, ModelServerOptions};
pub use outcome::{Fetched, Missed, Origin, Reason, Route, Verdict};
pub use person::PersonNeeded;
pub use settings::Settings;
pub use unpack::{UnpackError, unpack};
