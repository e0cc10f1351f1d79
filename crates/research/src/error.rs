//! Why the engine could not do what was asked.

use evidence::TaskId;

/// A call that failed. What was committed before stays.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error("{what} {problem}")]
    Invalid { what: String, problem: String },
    #[error("there is no task `{0}`")]
    NoSuchTask(TaskId),
    #[error("the task has ended ({reason})")]
    Ended { task: TaskId, reason: String },
    #[error("there is no network: none of the {asked} engines, indexes and APIs can be reached")]
    NoNetwork { asked: usize },
    #[error("the graph cannot be used")]
    Graph(#[from] graph::Error),
    #[error("the model cannot be used")]
    Model(#[from] models::ModelError),
    /// A bug: a step of the search panicked. The graph is as it was before the step.
    #[error("a step of the search crashed")]
    Broken,
}

impl EngineError {
    pub(crate) fn invalid(what: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Invalid { what: what.into(), problem: problem.into() }
    }
}

pub type Result<T> = std::result::Result<T, EngineError>;
