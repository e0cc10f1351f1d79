//! Taking a task out of a graph and into another: JSON Lines for a faithful copy, CSV for notebooks.
//!
//! The first line says what the file is; every other line is one row, in an order in which each row
//! finds what it refers to. Importing is recording: what the graph already has is recognised by the
//! same keys as everywhere, and nothing is added twice.

mod csv;
mod read;
mod scope;
mod write;

pub use write::ExportError;

use std::collections::BTreeMap;

use evidence::ids::BadId;
use evidence::{
    ClaimEventId, ClaimId, CorrectionId, EdgeId, EmbeddingId, EntityId, EventId, FragmentId,
    PageId, SearchId, SerpItemId, TaskId, WorkId,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The format of the file, raised when old readers would misunderstand it.
const FORMAT: u32 = 1;

/// The first line of an export.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    lyra_export: u32,
    schema: i64,
    task_id: TaskId,
}

/// Every further line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    table: String,
    row: Map<String, Value>,
}

/// How many rows of each table were written or added.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Transferred {
    pub rows: BTreeMap<&'static str, u64>,
    /// Rows the graph already had.
    pub known: u64,
}

impl Transferred {
    fn count(&mut self, table: &'static str) {
        *self.rows.entry(table).or_default() += 1;
    }

    pub fn total(&self) -> u64 {
        self.rows.values().sum()
    }
}

/// Why a file could not be imported. Nothing of it was kept.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("this is not a Lyra export: {problem}")]
    NotAnExport { problem: String },
    #[error("the export was written by a newer Lyra (format {format}, schema {schema})")]
    Newer { format: u32, schema: i64 },
    #[error("line {line}: {problem}")]
    Line { line: usize, problem: String },
    #[error("the export is cut off or incomplete: a row refers to one that is not there")]
    Incomplete,
    #[error("cannot read the export")]
    Unreadable(#[from] std::io::Error),
    #[error(transparent)]
    Graph(#[from] crate::Error),
}

impl From<rusqlite::Error> for ImportError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Graph(error.into())
    }
}

/// A column of numbers, stored as a blob.
const VECTOR: &str = "embedding_blob";
/// A column of bytes.
const BYTES: &str = "sketch";

type CheckId = fn(&str) -> Result<(), BadId>;

/// How rows of a table travel.
struct Table {
    name: &'static str,
    /// Refuses ids that the rest of the product could not read back.
    check_id: Option<CheckId>,
    /// What makes two rows the same thing when their ids differ: each key is enough.
    natural_keys: &'static [&'static [&'static str]],
    /// Columns that hold ids of other rows.
    references: &'static [&'static str],
    /// A text and the hash it is recognised by.
    hashed: Option<(&'static str, &'static str)>,
}

macro_rules! id {
    ($kind:ty) => {
        Some(|given: &str| given.parse::<$kind>().map(drop))
    };
}

/// In an order in which each row finds what it refers to; identifiers come before their works,
/// because they tell whether the work is known.
const TABLES: &[Table] = &[
    Table {
        name: "events",
        check_id: id!(EventId),
        natural_keys: &[],
        references: &[],
        hashed: None,
    },
    Table {
        name: "tasks",
        check_id: id!(TaskId),
        natural_keys: &[],
        references: &[],
        hashed: None,
    },
    Table {
        name: "work_identifiers",
        check_id: None,
        natural_keys: &[&["scheme", "value"]],
        references: &["work_id"],
        hashed: None,
    },
    Table {
        name: "works",
        check_id: id!(WorkId),
        natural_keys: &[],
        references: &[],
        hashed: None,
    },
    Table {
        name: "pages",
        check_id: id!(PageId),
        natural_keys: &[&["url"], &["work_id"]],
        references: &["work_id"],
        hashed: None,
    },
    Table {
        name: "queries",
        check_id: id!(SearchId),
        natural_keys: &[&["task_id", "query_text", "options"]],
        references: &[],
        hashed: None,
    },
    Table {
        name: "serp_items",
        check_id: id!(SerpItemId),
        natural_keys: &[&["query_id", "engine", "url"]],
        references: &["query_id", "page_id"],
        hashed: None,
    },
    Table {
        name: "fragments",
        check_id: id!(FragmentId),
        natural_keys: &[&["page_id", "text_hash"]],
        references: &["page_id"],
        hashed: Some(("text_content", "text_hash")),
    },
    Table {
        name: "claims",
        check_id: id!(ClaimId),
        natural_keys: &[&["task_id", "claim_text_hash"]],
        references: &["origin_fragment_id"],
        hashed: Some(("claim_text", "claim_text_hash")),
    },
    Table {
        name: "edges",
        check_id: id!(EdgeId),
        natural_keys: &[&["source_id", "target_id", "relation"]],
        references: &["source_id", "target_id"],
        hashed: None,
    },
    Table {
        name: "embeddings",
        check_id: id!(EmbeddingId),
        natural_keys: &[&["target_type", "target_id", "model_id"]],
        references: &["target_id"],
        hashed: None,
    },
    Table {
        name: "claim_events",
        check_id: id!(ClaimEventId),
        natural_keys: &[],
        references: &["claim_id", "page_id", "edge_id"],
        hashed: None,
    },
    Table {
        name: "nli_corrections",
        check_id: id!(CorrectionId),
        natural_keys: &[],
        references: &["edge_id"],
        hashed: None,
    },
    Table {
        name: "entities",
        check_id: id!(EntityId),
        natural_keys: &[&["kind", "normalized_name"]],
        references: &[],
        hashed: None,
    },
    Table {
        name: "entity_links",
        check_id: None,
        natural_keys: &[&["entity_id", "target_id", "role"]],
        references: &["entity_id", "target_id"],
        hashed: None,
    },
];
