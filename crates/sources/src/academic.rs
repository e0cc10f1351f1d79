//! Semantic Scholar and OpenAlex, asked at the same time and merged into one list of works.
//!
//! [`Academic`] asks; [`semantic_scholar`] and [`openalex`] know the two APIs; `canonical` merges. An index that fails
//! leaves the other, and the answer says so.

mod answers;
mod fields;
mod one_index;
pub mod openalex;
mod phrasing;
mod record;
pub mod semantic_scholar;
mod settings;
mod work_name;

pub use answers::{Academic, AcademicAnswer};
pub(crate) use fields::date_of;
pub use record::Listed;
pub(crate) use record::{address_of, says_retracted, web_address};
pub use settings::{AcademicSettings, OpenAlexSettings, SemanticScholarSettings};
pub use work_name::{Scheme, WorkName};
