//! Your own manuals, searched so that nothing is missed, and a vault for what comes of it.
//!
//! `manuals/<id>/**.{md,json}` is read only; everything is written below the vault. No model, no network.

mod audit;
mod bridge;
mod error;
mod nodes;
mod paths;
mod sections;
mod source;
mod spans;
mod text;
pub mod vault;

pub use audit::{
    AuditAnswer, AuditLimits, AuditRequest, AuditWarning, CitedFile, LinesByReason, Reason,
    Touched, UntouchedSection,
};
pub use bridge::{CopyAnswer, CopyMode, CopyRequest, Origin};
pub use error::{LibraryError, Result};
pub use paths::{ENDINGS, PathLimits, SafePath};
pub use sections::SectionName;
pub use spans::Span;
pub use vault::{Vault, VaultOptions};
