//! Your own manuals, searched so that nothing is missed, and a vault for what comes of it.
//!
//! `manuals/<id>/**.{md,json}` is read only; everything is written below the vault. No model, no network.

mod error;
mod nodes;
mod text;

pub use error::{LibraryError, Result};
