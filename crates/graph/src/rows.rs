//! A table as it leaves the graph: names of columns and plain values.

use serde::Serialize;
use serde_json::Value;

/// The rows of an answer, in the order they came.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rows {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Value>>,
    /// Whether there was more than the limit let through.
    pub truncated: bool,
}
