//! Your own manuals, searched so that nothing is missed, and a vault for what comes of it.
//!
//! `manuals/<id>/**.{md,json}` is read only; everything is written below the vault. No model, no network.

mod error;
mod nodes;
mod paths;
mod text;
mod vault;

pub use error::{LibraryError, Result};
pub use paths::{ENDINGS, PathLimits, SafePath};
pub use vault::{
    CreateRequest, ReplaceRequest, Vault, VaultOptions, WriteMode, WriteRequest, Written,
};
