//! What clients ask of the engine and what they get: the same for the command line, MCP and the planner.
//!
//! Answers are facts and numbers. None of them says what to do next.

use std::fmt;
use std::path::PathBuf;

use evidence::{ClaimId, SearchId, SearchStatus, StopReason, TaskId, TaskStatus};
use fetch::Reason;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sources::folders::FolderReason;
use sources::{Access, Category};

/// A question to investigate.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CreateTask {
    pub query: String,
    #[serde(default)]
    pub hypothesis: Option<String>,
    #[serde(default)]
    pub config: TaskConfig,
}

/// What a client sets for a task; what it leaves out is as configured.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TaskConfig {
    pub budget: BudgetConfig,
    /// `web`, `academic`, `api`, `library`; empty: all there are.
    pub sources: Vec<SourceKind>,
    /// Folders of documents that are the task's library.
    pub library: Vec<PathBuf>,
    /// Nothing is sent for this task, whoever goes on with it, until a person widens it (`Engine::go_online`).
    pub offline: bool,
    /// Read before others.
    pub priority_domains: Vec<String>,
    /// The language of the task, and of results where a search names none.
    pub language: Option<String>,
    /// What all searches of the task are limited to.
    #[serde(skip_serializing_if = "QueryForm::is_empty")]
    pub only: Box<QueryForm>,
    /// What a person wants an investigation to search as well, such as the question in another language.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<String>,
}

impl TaskConfig {
    /// As it was stored. An import may hold one of another version: what is not understood is at its default, but a task
    /// that says it is offline stays so.
    pub fn of_stored(stored: serde_json::Value) -> Self {
        let offline = stored.get("offline").is_some_and(|it| it == true);
        let config: Self = serde_json::from_value(stored).unwrap_or_default();
        Self { offline: offline || config.offline, ..config }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BudgetConfig {
    pub max_pages: Option<u32>,
    pub max_seconds: Option<u32>,
}

/// Where a search looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    Web,
    /// Papers: the academic indexes, and the APIs that list works.
    Academic,
    /// Official and encyclopedic APIs (laws, minutes, statistics, companies, entities), where the question is about what
    /// they know.
    Api,
    Library,
}

#[derive(Debug, Clone, Serialize)]
pub struct TaskCreated {
    pub task_id: TaskId,
    pub query: String,
    pub created_at: Timestamp,
    pub budget: evidence::Budget,
}

/// A query to be searched for a task.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchCall {
    pub task_id: TaskId,
    pub query: String,
    #[serde(default)]
    pub options: SearchOptions,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchOptions {
    /// Asks exactly these engines; empty: Lyra chooses.
    pub engines: Vec<String>,
    /// Pages this search may read.
    pub max_pages: Option<u32>,
    /// Sources of governments, primary and academic ones go first.
    pub seek_primary: bool,
    /// Looks for what speaks against: fixed suffixes are added to the query.
    pub refute: bool,
    /// How long the call waits; the search itself continues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait_seconds: Option<u32>,
    pub sources: Vec<SourceKind>,
    /// Exact targets.
    pub urls: Vec<String>,
    pub dois: Vec<String>,
    /// What results are limited to. Left out where it is empty: it is how searches of earlier versions are known again.
    #[serde(skip_serializing_if = "QueryForm::is_empty")]
    pub only: QueryForm,
}

/// What a query is limited to beside its words. Sources that have no way to say something are asked without it, and say so.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QueryForm {
    /// Words that must stand in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub phrases: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filetype: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_title: Option<String>,
    /// `2024`, `2024-05` or `2024-05-31`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
}

impl QueryForm {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What is meant to be a date and is none.
    pub fn bad_date(&self) -> Option<&str> {
        let dates = [&self.after, &self.before].into_iter().flatten().map(String::as_str);
        dates.into_iter().find(|it| !sources::is_date(it))
    }

    /// With what a task says where the search itself says nothing.
    pub(crate) fn or(&self, task: &Self) -> Self {
        let list = |own: &Vec<String>, other: &Vec<String>| match own.is_empty() {
            true => other.clone(),
            false => own.clone(),
        };
        let one = |own: &Option<String>, other: &Option<String>| own.clone().or(other.clone());
        Self {
            phrases: list(&self.phrases, &task.phrases),
            required: list(&self.required, &task.required),
            excluded: list(&self.excluded, &task.excluded),
            site: one(&self.site, &task.site),
            filetype: one(&self.filetype, &task.filetype),
            in_title: one(&self.in_title, &task.in_title),
            after: one(&self.after, &task.after),
            before: one(&self.before, &task.before),
            language: one(&self.language, &task.language),
            category: self.category.or(task.category),
        }
    }
}

impl SearchOptions {
    /// The options a search was asked with. An import may hold those of another version: what is not understood is
    /// at its default.
    pub fn of(search: &graph::SearchDetails) -> Self {
        Self::deserialize(&search.options).unwrap_or_default()
    }
}

/// The state of a search.
#[derive(Debug, Clone, Serialize)]
pub struct SearchAnswer {
    pub search_id: SearchId,
    pub query: String,
    pub status: SearchStatus,
    /// Whether it continues after this answer.
    pub running: bool,
    pub stop_reason: Option<StopReason>,
    pub pages_fetched: u32,
    pub useful_fragments: u32,
    pub harvest_rate: Option<f64>,
    pub satisfaction_score: Option<f64>,
    pub novelty_score: Option<f64>,
    pub independent_sources: Option<u32>,
    pub has_primary_source: Option<bool>,
    /// The claims of the task that this search brought, surest first.
    pub claims_found: Vec<ClaimFound>,
    /// What became of each source that was asked or was to be.
    pub sources: Vec<SourceState>,
    pub missed: Vec<MissedPage>,
    /// With `refute`: how many pages this search kept refute a claim of the task. None found is a fact, and changes no
    /// confidence.
    pub refutations_found: Option<u32>,
    pub budget_remaining: BudgetRemaining,
}

/// What became of a source, over all that it was asked: a door that was closed once is said, unless something was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceState {
    pub source: String,
    pub access: Access,
    pub found: usize,
    /// Why it did not let us in, or was not asked.
    pub detail: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
pub struct ClaimFound {
    pub id: ClaimId,
    pub text: String,
    pub confidence: f64,
    pub uncertainty: f64,
    pub controversy: f64,
    pub source_url: Option<String>,
    pub is_primary_source: bool,
    /// Years between the newest year the claim names and the page it was taken from; negative where it speaks of years
    /// after the page. Nothing where one of the two is not known.
    pub years_behind: Option<i32>,
    pub verification_status: evidence::Verification,
}

/// A page that was not read, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissedPage {
    pub url: String,
    pub reason: MissReason,
    pub detail: String,
}

/// Why a page of the web or a document of the library was not read. Written as the word of its reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum MissReason {
    Page(Reason),
    Document(FolderReason),
}

impl MissReason {
    /// Whether the page asks for a person: a login, or a proof of being human.
    pub fn needs_person(self) -> bool {
        matches!(self, Self::Page(Reason::Login | Reason::Challenge))
    }
}

impl fmt::Display for MissReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match serde_json::to_value(self) {
            Ok(serde_json::Value::String(word)) => f.pad(&word),
            _ => Err(fmt::Error),
        }
    }
}

impl From<Reason> for MissReason {
    fn from(reason: Reason) -> Self {
        Self::Page(reason)
    }
}

impl From<FolderReason> for MissReason {
    fn from(reason: FolderReason) -> Self {
        Self::Document(reason)
    }
}

#[derive(Debug, Clone, Copy, Serialize)]
pub struct BudgetRemaining {
    pub pages: u32,
    pub seconds: u32,
    /// Of what is scarcer.
    pub percent: u32,
}

/// The state of a task.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GetStatus {
    pub task_id: TaskId,
    /// Waits up to this long for something to change.
    #[serde(default)]
    pub wait_seconds: Option<u32>,
}

#[derive(Debug, Clone, Serialize)]
pub struct StatusAnswer {
    pub task_id: TaskId,
    pub status: TaskStatus,
    pub query: String,
    pub hypothesis: Option<String>,
    /// What the sources say of the hypothesis so far.
    pub verdict: Option<report::TaskVerdict>,
    pub searches: Vec<graph::SearchDetails>,
    pub metrics: TaskMetrics,
    pub budget: BudgetUsed,
    /// Searches that are at work in this process.
    pub running: Vec<SearchId>,
    /// Searches that did not reach satisfaction.
    pub unsatisfied: Vec<SearchId>,
    /// What became of each source, over all searches.
    pub sources: Vec<SourceState>,
}

/// What a task has gathered, in numbers.
#[derive(Debug, Clone, Serialize)]
pub struct TaskMetrics {
    #[serde(flatten)]
    pub counts: graph::TaskCounts,
    pub satisfied_count: u32,
    pub elapsed_seconds: f64,
    pub llm_seconds: f64,
    /// Useful passages for each page that was read.
    pub harvest_rate: Option<f64>,
    /// Share of pages that repeat another page.
    pub duplicate_rate: Option<f64>,
    /// Different domains among the pages that were read.
    pub domains: u32,
    pub primary_share: Option<f64>,
    /// Share of the largest group of pages that tell the same story.
    pub largest_cluster_share: Option<f64>,
    pub refuted_claims: u32,
}

#[derive(Debug, Clone, Copy, Serialize)]
pub struct BudgetUsed {
    pub pages_used: u32,
    pub pages_limit: u32,
    pub time_used_seconds: f64,
    pub time_limit_seconds: u32,
    pub remaining_percent: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopTask {
    pub task_id: TaskId,
    /// `completed`, `budget_exhausted`, `user_cancelled` ...
    #[serde(default)]
    pub reason: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
pub struct TaskStopped {
    pub task_id: TaskId,
    pub final_status: TaskStatus,
    pub summary: StopSummary,
}

#[derive(Debug, Clone, Serialize)]
pub struct StopSummary {
    pub total_searches: u32,
    pub satisfied_searches: u32,
    pub total_claims: u32,
    pub primary_source_ratio: Option<f64>,
}

/// Something that happened, for observers.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Progress {
    SearchStarted {
        task_id: TaskId,
        search_id: SearchId,
        query: String,
        refute: bool,
    },
    /// What the search works at, and how far that is; a total of 0 where there is nothing to count.
    AtWork {
        search_id: SearchId,
        stage: Stage,
        done: usize,
        total: usize,
    },
    /// What there is to read.
    Planned {
        search_id: SearchId,
        candidates: usize,
        pages: usize,
        papers: usize,
    },
    Reading {
        search_id: SearchId,
        url: String,
    },
    PageRead {
        search_id: SearchId,
        url: String,
        title: Option<String>,
        passages: usize,
    },
    PageMissed {
        search_id: SearchId,
        url: String,
        reason: MissReason,
        detail: String,
    },
    /// A cycle was ranked and judged.
    Judged {
        search_id: SearchId,
        useful: usize,
        claims: usize,
        supports: usize,
        refutes: usize,
        abstained: usize,
        novelty: f64,
    },
    Cited {
        search_id: SearchId,
        works: usize,
        kept: usize,
    },
    Warning {
        search_id: SearchId,
        message: String,
    },
    SearchEnded {
        search_id: SearchId,
        status: SearchStatus,
        reason: StopReason,
        pages_left: u32,
    },
}

impl Progress {
    /// The search it is told of.
    pub const fn search_id(&self) -> SearchId {
        match self {
            Self::SearchStarted { search_id, .. }
            | Self::AtWork { search_id, .. }
            | Self::Planned { search_id, .. }
            | Self::Reading { search_id, .. }
            | Self::PageRead { search_id, .. }
            | Self::PageMissed { search_id, .. }
            | Self::Judged { search_id, .. }
            | Self::Cited { search_id, .. }
            | Self::Warning { search_id, .. }
            | Self::SearchEnded { search_id, .. } => *search_id,
        }
    }
}

/// What a search works at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Sources are asked what there is.
    Asking,
    /// Documents of a library are read for its index.
    Indexing,
    Reading,
    /// Passages are compared with the question.
    Ranking,
    /// Claims are found.
    Extracting,
    /// Passages are held against claims.
    Judging,
    Recording,
    /// Citations are followed.
    Following,
}
