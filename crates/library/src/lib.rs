//! Your own manuals, searched so that nothing is missed, and a vault for what comes of it.
//!
//! `manuals/<id>/**.{md,json}` is read only; everything is written below the vault. No model, no network.

mod error;
mod manuals;
pub mod measure;
mod nodes;
mod text;

pub use error::{LibraryError, Result};
pub use manuals::{
    Breadth, ConflictKind, Cutoff, FindAnswer, FindRequest, Gap, Guide, GuideStep, HitItem,
    HitKind, HitsAnswer, HitsRequest, Intent, LsAnswer, LsItem, LsKind, LsRequest, ManualOptions,
    ManualSettings, Manuals, Moment, NextAction, Note, Place, ReadAnswer, ReadPart, ReadRequest,
    ReadScope, Run, ScanAnswer, ScanRequest, Section, Semantic, Signal, Skipped, Source, Spot,
    Statistics, Summary, Thresholds, TocAnswer, TocItem, TocRequest, Trace, TraceCandidate,
    TraceConflict, TraceRange, est_tokens, get_tooling_guide, tokens,
};
