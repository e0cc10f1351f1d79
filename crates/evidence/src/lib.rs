//! The nouns of Lyra, shared by every crate: ids, the nodes and edges of the evidence graph, and
//! the arithmetic that turns edges into confidence.
//!
//! Nothing here performs I/O, reads a clock, knows SQL or a wire format. Read [`Claim`], [`Edge`]
//! and [`Confidence`] first: the rest of the project exists to fill them honestly.

mod text_enum;

pub mod auth;
pub mod calibration;
pub mod confidence;
pub mod domain;
pub mod ids;
pub mod nodes;
pub mod publisher;
pub mod task;
pub mod verdict;
pub mod voices;

mod text_hash;

pub use auth::{AuthPriority, AuthStatus};
pub use confidence::Confidence;
pub use domain::DomainCategory;
pub use ids::*;
pub use nodes::{
    Adoption, CitationSource, Claim, Edge, Fragment, FragmentType, Node, NodeType, Page, Relation,
    Stance, StatementKind, Uncounted, Verification, Work,
};
pub use publisher::{Publisher, RegistrableDomain};
pub use task::{Budget, Search, SearchStatus, StopReason, Task, TaskStatus};
pub use text_enum::UnknownName;
pub use text_hash::text_hash;
pub use verdict::Verdict;
