//! `vector_search`: claims and passages by meaning.

use evidence::TaskId;
use graph::{VectorQuery, VectorTarget};
use serde_json::json;

use super::search::rounded;
use crate::mcp::call::Call;
use crate::mcp::response::Answer;
use crate::mcp::schema::clipped;
use crate::mcp::tool_error::{Code, ToolError, chain};

const USUAL_TOP_K: u64 = 10;
const USUAL_SIMILARITY: f64 = 0.5;
/// Results that the digest names.
const SHOWN: usize = 5;

pub(super) async fn run(call: &Call) -> Result<Answer, ToolError> {
    let task: Option<TaskId> = call.optional_id("task_id")?;
    let target = match call.text("target") {
        Some("fragments") => VectorTarget::Fragments,
        _ => VectorTarget::Claims,
    };
    let top_k = call.number("top_k").unwrap_or(USUAL_TOP_K) as usize;
    let min_similarity = call.arguments["min_similarity"].as_f64().unwrap_or(USUAL_SIMILARITY);
    let query = call.required_text("query")?.to_owned();
    let embedder = call.state.embedder()?;
    let model = embedder.id().to_owned();
    let language = text::language::detect(&query);
    if !embedder.languages().admit(&language) {
        let reads = embedder.languages().tags().join(", ");
        return Err(ToolError::invalid(format!(
            "the query is in {language}, the model reads {reads}"
        ))
        .hint("write it in one of them; query_graph reads every language"));
    }
    let found = call
        .state
        .read(move |graph| {
            if let Some(task) = task {
                graph.read(|r| r.task(task))?;
            }
            let vectors = embedder.embed(&[&query]).map_err(|error| {
                ToolError::logged(Code::PipelineError, "the model cannot be used", &chain(&error))
            })?;
            let vector = vectors.first().ok_or_else(|| ToolError::bug(None))?;
            let model_id = embedder.id();
            let query = VectorQuery { target, model_id, vector, task, top_k, min_similarity };
            Ok(graph.vector_search(&query)?)
        })
        .await?;
    let mut text = format!("{} of {} are near enough", found.results.len(), found.total_searched);
    for hit in found.results.iter().take(SHOWN) {
        let words = clipped(&hit.text_preview, 100);
        text += &format!("\n{} {:.2} {words}", hit.id.id(), hit.similarity);
    }
    let results: Vec<_> = found
        .results
        .iter()
        .map(|hit| {
            json!({
                "id": hit.id.id(),
                "text_preview": hit.text_preview,
                "similarity": rounded(&json!(hit.similarity)),
            })
        })
        .collect();
    let body =
        json!({ "results": results, "total_searched": found.total_searched, "model": model });
    Ok(Answer::new(body, text).shortening(&["results"]).quoting())
}
