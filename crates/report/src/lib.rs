//! From the graph of a task to a report people can check, print and hand on.
//!
//! [`gather()`] reads the graph and says what it holds as a [`Report`], which is also the JSON format;
//! [`markdown()`] and [`html()`] show one. Nothing here judges, writes to the graph, reads a clock or adds a
//! sentence that has no citation. Read [`Report`] first.

mod options;
mod report;

mod gather;

// How it is shown.
mod escape;
mod html;
mod labels;
mod markdown;
mod words;

pub use gather::gather;
pub use html::html;
pub use markdown::{brief, markdown};
pub use options::ReportOptions;
pub use report::{
    AnswerLine, ArchiveReference, Budget, Caveat, Chain, ChainStep, Copy, Dispute, Draft,
    DraftSentence, Engine, Evidence, FORMAT, Finding, FlaggedPage, Hypothesis, Improvement,
    Language, LeftOut, Method, Missed, Model, Narrative, Narratives, Report, Requests, Retraction,
    Search, SetAside, SetAsideReason, Source, Standing, State, Summary, Timeline, TimelineEvent,
    TimelineKind, Unread, UnsatisfiedSearch, YearCount,
};
