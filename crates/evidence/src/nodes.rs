//! The nodes of the evidence graph and the edges between them.
//!
//! `claim <- fragment <- page <- archived bytes`: a fragment cannot exist without its page, an
//! edge not without both ends, and everything names the event that caused it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::text_enum::text_enum;
use crate::{ClaimId, DomainCategory, EdgeId, EventId, FragmentId, PageId, TaskId, WorkId};

text_enum! {
    pub enum NodeType ("node type") {
        Claim = "claim",
        Fragment = "fragment",
        Page = "page",
    }
}

text_enum! {
    /// What a passage says about a claim.
    pub enum Stance ("stance") {
        Supports = "supports",
        Refutes = "refutes",
        Neutral = "neutral",
    }
}

text_enum! {
    /// What an edge says: a stance, or the plain fact of a citation.
    pub enum Relation ("relation") {
        Supports = "supports",
        Refutes = "refutes",
        Neutral = "neutral",
        Cites = "cites",
    }
}

impl From<Stance> for Relation {
    fn from(stance: Stance) -> Self {
        match stance {
            Stance::Supports => Self::Supports,
            Stance::Refutes => Self::Refutes,
            Stance::Neutral => Self::Neutral,
        }
    }
}

text_enum! {
    /// What a passage is in its document when it speaks of a claim. Only conclusions and statements are evidence of
    /// what they mention.
    pub enum StatementKind ("kind of statement") {
        Conclusion = "conclusion",
        /// A result, or a plain statement of its own.
        Statement = "statement",
        Aim = "aim",
        Method = "method",
        /// What others are said to have found or to be known before.
        Background = "background",
        Question = "question",
        Title = "title",
        Reference = "reference",
        /// A view of somebody that the text reports, or reports in order to deny it.
        Reported = "reported",
    }
}

impl StatementKind {
    /// Whether a passage of this kind can speak for or against what it mentions.
    pub fn is_evidence(self) -> bool {
        matches!(self, Self::Conclusion | Self::Statement)
    }
}

text_enum! {
    /// Why an edge counts for nothing, although it stays in the graph.
    pub enum Uncounted ("reason not to count") {
        /// Another edge of the same independent source is more decisive.
        SameVoice = "same_voice",
        /// The passage was read and is not about the claim.
        NotAbout = "not_about",
        /// It is an aim, a method, a question: see [`StatementKind::is_evidence`].
        NoStatement = "no_statement",
        /// Its source was retracted.
        Retracted = "retracted",
    }
}

text_enum! {
    /// Where a citation was seen. Recorded, never used to weigh it.
    pub enum CitationSource ("citation source") {
        SemanticScholar = "semantic_scholar",
        OpenAlex = "openalex",
        Extraction = "extraction",
    }
}

text_enum! {
    pub enum FragmentType ("fragment type") {
        Paragraph = "paragraph",
        Heading = "heading",
        List = "list",
        Table = "table",
        Quote = "quote",
        Figure = "figure",
        Code = "code",
    }
}

text_enum! {
    /// Whether people count a claim. One that is not adopted stays visible, and marked.
    pub enum Adoption ("claim adoption status") {
        Adopted = "adopted",
        NotAdopted = "not_adopted",
    }
}

text_enum! {
    /// How far the sources of a claim have been checked against each other.
    pub enum Verification ("source verification status") {
        Pending = "pending",
        Verified = "verified",
        Rejected = "rejected",
    }
}

/// One end of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "type", content = "id", rename_all = "snake_case")]
pub enum Node {
    Claim(ClaimId),
    Fragment(FragmentId),
    Page(PageId),
}

impl Node {
    pub fn kind(self) -> NodeType {
        match self {
            Self::Claim(_) => NodeType::Claim,
            Self::Fragment(_) => NodeType::Fragment,
            Self::Page(_) => NodeType::Page,
        }
    }

    /// The id as it is written.
    pub fn id(self) -> String {
        match self {
            Self::Claim(id) => id.to_string(),
            Self::Fragment(id) => id.to_string(),
            Self::Page(id) => id.to_string(),
        }
    }
}

/// Something published under a URL, or the record of a paper that stands for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Page {
    pub id: PageId,
    pub url: String,
    pub domain: String,
    pub domain_category: DomainCategory,
    pub title: Option<String>,
    pub language: Option<String>,
    /// Year of publication; unknown stays unknown.
    pub year: Option<i32>,
    pub work_id: Option<WorkId>,
    pub fetched_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub cause_id: EventId,
}

/// A scholarly work, whatever pages it appears on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Work {
    pub id: WorkId,
    pub title: String,
    pub year: Option<i32>,
    pub venue: Option<String>,
    pub citation_count: Option<u32>,
    pub created_at: Timestamp,
    pub cause_id: EventId,
}

/// A passage of a page that can be quoted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fragment {
    pub id: FragmentId,
    pub page_id: PageId,
    pub fragment_type: FragmentType,
    pub text_content: String,
    pub heading_context: Option<String>,
    pub language: Option<String>,
    pub created_at: Timestamp,
    pub cause_id: EventId,
}

/// A statement that can be supported or refuted, as seen by one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    pub id: ClaimId,
    pub task_id: TaskId,
    pub claim_text: String,
    pub language: Option<String>,
    /// The passage the claim was taken from, if there is one.
    pub origin_fragment_id: Option<FragmentId>,
    pub claim_adoption_status: Adoption,
    pub claim_rejection_reason: Option<String>,
    pub claim_rejected_at: Option<Timestamp>,
    pub source_verification_status: Verification,
    pub created_at: Timestamp,
    pub cause_id: EventId,
}

/// A recorded relation between two nodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Edge {
    pub id: EdgeId,
    pub source: Node,
    pub target: Node,
    pub relation: Relation,
    /// The judge's certainty, after calibration where one is active. Absent on citations.
    pub nli_confidence: Option<f64>,
    pub source_domain_category: DomainCategory,
    pub target_domain_category: Option<DomainCategory>,
    pub citation_source: Option<CitationSource>,
    /// What the passage is in its document, where that was told.
    pub statement_kind: Option<StatementKind>,
    /// Why it counts for nothing; absent where it counts.
    pub uncounted: Option<Uncounted>,
    pub edge_human_corrected: bool,
    pub created_at: Timestamp,
    pub cause_id: EventId,
}
