//! The evidence graph in one SQLite file: the only crate that contains SQL.
//!
//! It stores what the stages found and answers what people ask of it. It fetches nothing, judges
//! nothing and prints nothing. Read [`Graph`] first (open, read, write), then [`Writer`] for what
//! can be recorded and [`Reader`] for what can be asked.
//!
//! Every write happens inside [`Graph::write`], which names its [`Cause`]; recording the same thing
//! twice adds nothing, so a search can be repeated and a crashed run resumed.

// The file.
mod clock;
mod doctor;
mod error;
mod header;
mod integrity;
mod lock;
mod migrate;
mod private;
mod salvage;
mod snapshot;
mod stop;
mod store;

// What is recorded.
mod claim_details;
mod claims;
mod edges;
mod embeddings;
mod entities;
mod events;
mod jobs;
mod page_details;
mod page_evidence;
mod pages;
mod searches;
mod selected;
mod tasks;
mod voices;
mod works;

// What fetching remembers.
mod auth_queue;
mod fetching;

// What can be asked.
mod citing;
mod evidence_list;
mod fingerprint;
mod full_text;
mod guarded;
mod lookup;
mod materials;
mod quoted;
mod row;
mod rows;
mod vectors;
mod views;

// What people decide, and what follows from it.
mod calibration;
mod domains;
mod feedback;
mod rules;

mod deletion;
mod transfer;

pub use auth_queue::{AuthEntry, AuthFilter, AuthTarget, AuthWaiting, NewAuth, VISIT, Visits};
pub use calibration::{
    Activation, CalibrationStats, CalibrationVersion, Degradation, Evaluated, Evaluation, Rollback,
};
pub use citing::PageCitation;
pub use claim_details::{ClaimDetails, ClaimOrigin, ClaimSourcePage};
pub use claims::{ClaimToCompare, NewClaim, TaskClaim};
pub use clock::{Clock, FixedClock, SystemClock};
pub use deletion::{ArchiveFile, Compacted, Place, Removal, Tombstone, Unfinished, Unneeded};
pub use doctor::{Checkup, CheckupOptions, CheckupStep, SqliteInfo, check_up, sqlite_info};
pub use domains::{
    BlockOutcome, BlockedDomain, DomainChange, DomainEffect, OverrideAction, OverrideEvent,
    OverrideState, PolicyError, PolicyFile, PolicyNote, RejectionRates, SHIPPED_POLICY, WayBack,
    parse_policy,
};
pub use edges::NewEdge;
pub use embeddings::NewEmbedding;
pub use entities::NewEntity;
pub use error::{Error, Result};
pub use events::{Cause, Event};
pub use evidence_list::{ClaimEvidence, EvidenceItem, EvidenceYears, Extraction};
pub use feedback::{FeedbackAction, FeedbackOutcome};
pub use fetching::{
    ArchiveKind, ArchiveRecord, CachedFetch, CachedRobots, CircuitState, EgressAnswer,
    EgressFilter, EgressRow, EgressTotals, EngineHealth, GraphLedger, NewEgress, Pace,
    SealedSession,
};
pub use full_text::{FindAnswer, FindSettings, FindTarget, FullTextHit, Matched, Words};
pub use guarded::{Position, QueryAnswer, QueryError, QuerySettings, Schema, SchemaTable};
pub use jobs::{Job, JobBudget, JobEnd, JobState, NewJob};
pub use lock::writer_of;
pub use lookup::{Lookup, Named};
pub use materials::{
    CitationMaterial, ClaimEventMaterial, ClaimMaterial, ClaimMaterials, DraftMaterial,
    EngineMaterial, EvidenceMaterial, MissedMaterial, ModelMaterial, PageMaterial, SearchMaterial,
    TaskMaterials, UnreadMaterial,
};
pub use migrate::SCHEMA_VERSION;
pub use page_details::{
    FragmentPlace, PageDetails, PageForAssessment, PageSketch, PassageForAssessment,
};
pub use page_evidence::PageJudgement;
pub use pages::{NewFragment, NewPage};
pub use quoted::QuotedPassage;
pub use rows::Rows;
pub use rules::{
    CalibrationSettings, DomainSettings, EvidenceSettings, FeedbackSettings, StorageSettings,
};
pub use salvage::{SalvageReport, SalvagedTable, salvage};
pub use searches::{NewSearch, NewSerpItem};
pub use selected::{SearchDetails, SearchEnd, Selected, Spent};
pub use snapshot::{Held, hold};
pub use stop::{InterruptHandle, Stop};
pub use store::{Access, Graph, Options, Reader, Writer};
pub use tasks::{NewTask, TaskCounts};
pub use transfer::{ExportError, ImportError, Transferred};
pub use vectors::{VectorAnswer, VectorHit, VectorQuery, VectorSettings, VectorTarget};
pub use views::{
    SHIPPED_VIEWS, ShippedView, ViewColumn, ViewInfo, ViewOptions, ViewOrigin, ViewProblem,
    ViewSettings,
};
pub use voices::{CORRECTION, RETRACTION};
pub use works::{KnownWork, NewWork, WorkDetails, WorkIdentifier};
