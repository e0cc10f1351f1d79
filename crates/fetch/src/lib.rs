//! The only access to the network: polite, bounded, recorded.
//!
//! Everything Lyra asks of another machine is a [`FetchRequest`] given to the one [`Fetcher`]. It checks robots.txt,
//! waits its turn, checks the address it connects to, keeps every limit, writes the ledger before the first byte
//! leaves and the archive before the caller sees the answer. It does not parse what it fetches (that is `extract`) and
//! does not choose what to fetch (that is `research`).
//!
//! Read [`FetchRequest`], [`FetchResponse`] and [`FetchFailure`] first; [`FetchSettings`] has every limit.

// Requests, responses and limits.
mod outcome;
mod request;
mod settings;

// The fetcher, and a request's way through it.
mod auth_queue;
mod exchange;
mod fetcher;
mod redirects;

// Who may be asked, how often, and in which words.
mod addresses;
mod guard;
mod headers;
mod host_queue;
mod pace;
mod robots;
mod time;

// The wire.
mod client;
mod cookies;
mod failure;
mod http_time;
mod key;
mod model_server;
mod reach;
mod relay;
mod resolver;
mod transport;
mod unpack;

// What is remembered.
mod archived;
mod freshness;
mod metrics;
mod reads;
mod recorder;
mod rendering;
mod sessions;

pub use auth_queue::PersonNeeded;
pub use fetcher::{Fetcher, OpenError};
pub use headers::lets_itself_be_named;
pub use host_queue::HostPause;
pub use ledger::LedgerError;
pub use metrics::Metrics;
pub use model_server::{ModelServer, ModelServerOptions};
pub use outcome::{FetchFailure, FetchResponse, Origin, Reason, Route, Verdict};
pub use reach::reaches_any;
pub use relay::Relay;
pub use rendering::{KeptRendering, Rendering};
pub use request::{FetchRequest, Freshness, Kind, Limits, Method};
pub use robots::RobotsTxt;
pub use sessions::{NewSession, SessionCookie, SessionProblem};
pub use settings::FetchSettings;
pub use unpack::{UnpackError, unpack};
