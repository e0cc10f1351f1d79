//! From the graph of a task to a report people can check, print and hand on.
//!
//! [`gather()`] reads the graph and says what it holds as a [`Report`], which is also the JSON format. A [`Document`]
//! is what a reader is shown of it, printed as HTML, Markdown or plain text. Nothing here judges, writes to the graph,
//! reads a clock or adds a sentence that has no citation. Read [`Report`] first.

mod report;
mod settings;

mod gather;

// What a reader is shown.
mod compose;
mod document;
mod drawing;
mod words;

// How it is printed.
mod escape;
mod print;
mod wrap;

// For spreadsheets and managers of references.
mod references;
mod table;

pub use document::Document;
pub use escape::{link, plain};
pub use gather::{gather, verdict};
pub use print::Part;
pub use report::{
    AnswerLine, ArchiveReference, BestPassage, Budget, Caveat, Chain, ChainStep, Copy, Dispute,
    DocumentRow, Draft, DraftSentence, Engine, Evidence, FORMAT, Finding, FlaggedPage, Hypothesis,
    Improvement, Language, LeftOut, Method, Missed, Model, Narrative, Narratives, NotEnough,
    OldVersion, Report, Requests, Retraction, Says, Search, SetAside, SetAsideReason, Source,
    Standing, State, Summary, TaskVerdict, Timeline, TimelineEvent, TimelineKind, Unread,
    UnsatisfiedSearch, YearCount,
};
pub use settings::ReportSettings;
pub use wrap::lines as wrapped;
