//! Whether the references of a text are true.
//!
//! [`read()`] takes them from a file (BibTeX, RIS, CSL-JSON, Markdown, plain text) with the sentences that cite them,
//! [`Checker`] looks each up in the indexes of `sources`, `compare` says in what they differ from the work that was found,
//! and `says` holds a citing sentence against what is known of the work. Read [`Reference`] and [`Checked`] first.

mod check;
mod compare;
mod known;
mod lookup;
mod read;
mod reference;
pub mod says;

pub use check::{Checked, Checker, Difference, Progress, Status, Unchecked};
pub use known::Known;
pub use read::{NotReferences, read};
pub use reference::{Citation, Format, Kind, Reference, References};
pub use says::{Says, says};
