//! A task is one question under investigation; a search is one query asked for it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::text_enum::text_enum;
use crate::{EventId, SearchId, TaskId};

text_enum! {
    pub enum TaskStatus ("task status") {
        Created = "created",
        Exploring = "exploring",
        Paused = "paused",
        Completed = "completed",
        Failed = "failed",
    }
}

text_enum! {
    pub enum SearchStatus ("search status") {
        Running = "running",
        Satisfied = "satisfied",
        Partial = "partial",
        Exhausted = "exhausted",
    }
}

text_enum! {
    /// Why a search ended.
    pub enum StopReason ("stop reason") {
        NoMoreCandidates = "no_more_candidates",
        NothingNew = "nothing_new",
        /// Each cycle brought less than the one before: the budget is better spent on other queries.
        FallingReturns = "falling_returns",
        PageBudget = "page_budget",
        TimeBudget = "time_budget",
        /// Every page of a cycle was refused because its site cools down or its daily requests are used up.
        AllResting = "all_domains_resting",
        Stopped = "stopped",
    }
}

/// How much of other people's servers and of the user's time a task may spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    pub max_pages: u32,
    pub max_seconds: u32,
}

/// One question under investigation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task {
    pub id: TaskId,
    pub query: String,
    pub hypothesis: Option<String>,
    pub language: Option<String>,
    pub status: TaskStatus,
    pub budget: Budget,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub stopped_at: Option<Timestamp>,
    pub stop_reason: Option<String>,
    pub cause_id: EventId,
}

/// One query asked for a task, and how far it got.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Search {
    pub id: SearchId,
    pub task_id: TaskId,
    pub query: String,
    pub status: SearchStatus,
    pub pages_fetched: u32,
    pub useful_fragments: u32,
    pub created_at: Timestamp,
    pub cause_id: EventId,
}
