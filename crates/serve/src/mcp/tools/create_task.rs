//! `create_task`: a question to investigate.

use std::path::{Path, PathBuf};

use research::calls::{CreateTask, SourceKind, TaskConfig};
use serde_json::json;

use crate::mcp::call::Call;
use crate::mcp::response::Answer;
use crate::mcp::schema::clipped;
use crate::mcp::tool_error::ToolError;

pub(super) async fn run(call: &Call) -> Result<Answer, ToolError> {
    let asked: CreateTask = Call::as_engine(call.arguments.clone())?;
    let config = TaskConfig { library: library(call, &asked.config)?, ..asked.config };
    let engine = call.engine().await?;
    let created = engine.create_task(CreateTask { config, ..asked }).await?;
    call.state.touch(created.task_id);
    let text = format!(
        "task_id: {}\nquestion: {}\nbudget: {} pages, {} seconds",
        created.task_id,
        clipped(&created.query, 200),
        created.budget.max_pages,
        created.budget.max_seconds
    );
    Ok(Answer::new(json!(created), text))
}

/// The folders a task may read: those that were named, if the user allows them, or all that are allowed.
fn library(call: &Call, config: &TaskConfig) -> Result<Vec<PathBuf>, ToolError> {
    let allowed: Vec<PathBuf> = call
        .state
        .settings()
        .library
        .iter()
        .filter_map(|it| Path::new(it).canonicalize().ok())
        .collect();
    if config.library.is_empty() {
        let wanted = config.sources.is_empty() || config.sources.contains(&SourceKind::Library);
        return Ok(if wanted { allowed } else { Vec::new() });
    }
    let mut folders = Vec::new();
    for (at, folder) in config.library.iter().enumerate() {
        let whole = folder.canonicalize().ok().filter(|it| it.is_dir());
        let whole = whole.filter(|it| allowed.iter().any(|root| it.starts_with(root)));
        folders.push(whole.ok_or_else(|| {
            // Whether there is such a folder is nobody's business who may not read it.
            ToolError::invalid(format!("`config.library[{at}]` is not a folder the user allows"))
                .hint("the setting mcp.library names the folders that may be read")
        })?);
    }
    Ok(folders)
}
