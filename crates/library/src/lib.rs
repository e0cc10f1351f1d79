//! Your own documents: manuals searched so that nothing is missed, a vault for what comes of it, and any other folder.
//!
//! `manuals/<id>/**.{md,json}` is read only; everything is written below the vault. Manuals and folders are read through
//! one index, which reads only what changed. No model, no network, no clock.

mod answer;
mod audit;
mod bridge;
mod error;
mod folder;
mod index;
mod manuals;
mod nodes;
mod normal_form;
mod paths;
mod reading;
mod search_text;
mod sections;
mod settings;
mod spans;
mod sufficiency;
pub mod vault;

pub use crate::settings::LibrarySettings;
pub use audit::{
    AuditAnswer, AuditRequest, AuditWarning, CitedFile, LinesByReason, Reason, Touched,
    UntouchedSection,
};
pub use bridge::{CopyAnswer, CopyMode, CopyRequest, Origin};
pub use error::{LibraryError, Refusal, Result};
pub use folder::{
    DocumentFolder, Extent, FolderFindings, FolderSettings, FoundSection, SectionQuery, WordCounts,
    read_document,
};
pub use index::{FolderReason, MissedFile, Told};
pub use manuals::{
    Breadth, ConflictKind, Cutoff, FindAnswer, FindRequest, Gap, Guide, GuideStep, HitItem,
    HitKind, HitsAnswer, HitsRequest, Intent, LsAnswer, LsItem, LsKind, LsRequest, ManualOptions,
    Manuals, Moment, NextAction, Note, ReadAnswer, ReadPart, ReadRequest, ReadScope, Run,
    ScanAnswer, ScanRequest, Section, SectionRef, Semantic, Signal, Source, Spot, Statistics,
    Summary, Thresholds, TocAnswer, TocItem, TocRequest, Trace, TraceCandidate, TraceConflict,
    TraceRange, TraceSide, est_tokens, get_tooling_guide, query_words,
};
pub use paths::SafePath;
pub use sections::SectionName;
pub use spans::Span;
pub use vault::Vault;
