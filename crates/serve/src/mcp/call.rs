//! One call of a tool, from its arguments to its result. A panic in a tool ends the call and nothing else.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use graph::Graph;
use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ElicitRequest, InputRequest,
    InputRequests, InputRequiredResult, InputResponses,
};
use rmcp::service::RequestContext;
use rmcp::task_manager::{TaskContext, TaskExit};
use serde_json::{Value, json};

use super::response::{Answer, Form, leave, refused};
use super::schema::check;
use super::server_state::{DOOR, Lease, ServerState};
use super::tool_error::{Code, ToolError};
use super::tools::wait_for_user::USUAL_TIMEOUT;
use super::tools::{Doing, Tool, find};
use crate::failure::caught_panic;

/// What a call may take beyond the time it waits on purpose.
const OWN_WORK: Duration = Duration::from_secs(60);
/// As much of a client's name as the log keeps.
const MAX_NAME_CHARS: usize = 64;

/// What a tool works with.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) state: Arc<ServerState>,
    /// Who calls, as the log of the graph names them: `mcp:` and what the client calls itself.
    pub(crate) caller: String,
    /// Held against the tool's schema.
    pub(crate) arguments: Value,
    /// How to reach the client while the call runs; none where nobody can be asked or told.
    pub(crate) client: Option<RequestContext<RoleServer>>,
    /// What the user answered to a question this call asked before.
    pub(crate) responses: Option<InputResponses>,
}

impl Call {
    /// The engine, for this caller.
    pub(crate) async fn engine(&self) -> Result<Lease, ToolError> {
        Ok(self.state.engine().await?.called_by(&self.caller))
    }

    /// Changes the graph for this caller, on a thread where that may take a while.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Graph) -> Result<T, ToolError> + Send + 'static,
    ) -> Result<T, ToolError> {
        let engine = self.engine().await?;
        let changed = tokio::task::spawn_blocking(move || change(engine.graph()));
        changed.await?
    }
}

/// Who calls. The name comes from outside: control characters go, and so does what is too long for a name.
fn caller(context: &RequestContext<RoleServer>) -> String {
    let name = context.client_info().map(|it| it.name).unwrap_or_default();
    let name: String = name.chars().filter(|c| !c.is_control()).take(MAX_NAME_CHARS).collect();
    match name.trim() {
        "" => DOOR.to_owned(),
        name => format!("{DOOR}:{name}"),
    }
}

/// Does a call and makes its result. Only a tool that does not exist is an error of the protocol.
pub(crate) async fn answer(
    state: Arc<ServerState>,
    request: CallToolRequestParams,
    context: RequestContext<RoleServer>,
) -> Result<CallToolResponse, rmcp::ErrorData> {
    let tool = find(state.tools, &request.name).map_err(|tool_error| {
        let hint = tool_error.hint.clone().unwrap_or_default();
        rmcp::ErrorData::invalid_params(
            format!("{}; {hint}", tool_error.message),
            Some(tool_error.document()),
        )
    })?;
    let arguments = Value::Object(request.arguments.unwrap_or_default());
    let text_only = context.protocol_version().is_some_and(|it| it.as_str() < "2025-06-18");
    let form = form(&state, &arguments, text_only);
    let heard = state.hear();
    let call = Call {
        state,
        caller: caller(&context),
        arguments,
        client: Some(context),
        responses: request.input_responses,
    };
    let done = perform(tool, call).await;
    drop(heard);
    match done {
        Ok(Answer { asks: Some(asked), .. }) => {
            let question = InputRequest::Elicitation(ElicitRequest::new(asked.params()));
            let questions = InputRequests::from([(super::tools::ANSWER.to_owned(), question)]);
            Ok(InputRequiredResult::from_input_requests(questions).into())
        }
        outcome => Ok(leave(tool, outcome, form).into()),
    }
}

/// Does a call whose client comes back for the result: it waits as long as a call may.
pub(crate) async fn as_task(
    state: Arc<ServerState>,
    mut request: CallToolRequestParams,
    context: RequestContext<RoleServer>,
    running: TaskContext,
) -> Result<CallToolResult, TaskExit> {
    let wait = state.settings().max_wait_seconds;
    let arguments = request.arguments.get_or_insert_default();
    if let Some(options) = arguments.entry("options").or_insert_with(|| json!({})).as_object_mut() {
        options.insert("wait_seconds".to_owned(), wait.into());
    }
    // The request is answered with the task; what happens to it then is no matter of the call.
    let mut own = RequestContext::new(context.id, context.peer);
    own.meta = context.meta;
    let stop = own.ct.clone();
    let mut doing = pin!(answer(state, request, own));
    let done = tokio::select! {
        done = &mut doing => done,
        () = running.cancelled() => {
            stop.cancel();
            doing.await?;
            return Err(TaskExit::Cancelled);
        }
    };
    match done? {
        CallToolResponse::Complete(result) => Ok(result),
        _ => Err(TaskExit::Error(rmcp::ErrorData::internal_error("a search asks nobody", None))),
    }
}

/// What a request gets whose parameters are no call of a tool at all.
pub(crate) fn malformed(state: &ServerState) -> CallToolResult {
    let tool_error =
        ToolError::invalid("`arguments` must be an object").hint("e.g. {\"task_id\": \"task_…\"}");
    let mut result = refused(&tool_error, form(state, &Value::Null, false));
    // Nothing on this way out takes it off for clients of earlier protocols; those of later ones do without.
    result.result_type = None;
    result
}

fn form(state: &ServerState, arguments: &Value, text_only: bool) -> Form {
    let settings = state.settings();
    let is_full = arguments["detail"] == "full";
    let max_tokens = if is_full { settings.full_tokens } else { settings.answer_tokens };
    Form { max_tokens, text_only }
}

/// Checks the arguments and runs the tool on a task of its own.
pub(crate) async fn perform(tool: &'static Tool, mut call: Call) -> Result<Answer, ToolError> {
    check(tool.input(), &mut call.arguments)
        .map_err(|it| ToolError { code: tool.bad_arguments, ..it.into() })?;
    let started = Instant::now();
    let limit = limit(&call);
    let outcome = within(limit, async move { guarded((tool.handler)(&call)).await }).await;
    tracing::info!(
        tool = tool.name(),
        milliseconds = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        refused = outcome.as_ref().err().map(|it| it.code.as_str()),
        "tool called"
    );
    outcome
}

/// How long a call may take: what it may wait on purpose, for a search or for a person, and time for its
/// own work.
fn limit(call: &Call) -> Duration {
    let asked = call.option("timeout_seconds").as_u64().unwrap_or(USUAL_TIMEOUT);
    Duration::from_secs(asked.max(call.state.settings().max_wait_seconds.into())) + OWN_WORK
}

/// Runs a tool on a task of its own and stops it at its limit.
async fn within(
    limit: Duration,
    doing: impl Future<Output = Result<Answer, ToolError>> + Send + 'static,
) -> Result<Answer, ToolError> {
    let running = tokio::spawn(doing);
    let stop = running.abort_handle();
    match tokio::time::timeout(limit, running).await {
        Ok(done) => done.unwrap_or_else(|_| Err(ToolError::bug(None))),
        Err(_) => {
            stop.abort();
            let message = format!("the call was stopped after {} s", limit.as_secs());
            Err(ToolError::new(Code::Timeout, message)
                .hint("get_status says what a running search does"))
        }
    }
}

/// Turns a panic into a tool_error that shows none of its detail.
async fn guarded(doing: Doing<'_>) -> Result<Answer, ToolError> {
    let mut doing = pin!(doing);
    std::future::poll_fn(move |context| {
        match catch_unwind(AssertUnwindSafe(|| doing.as_mut().poll(context))) {
            Ok(polled) => polled,
            Err(_) => Poll::Ready(Err(ToolError::bug(caught_panic()))),
        }
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_in_a_tool_answers_as_a_failure_without_its_words() {
        crate::failure::install_panic_hook();
        let doing: Doing<'_> = Box::pin(async { panic!("index 7 of /home/me/secret.rs") });
        let tool_error = guarded(doing).await.unwrap_err();
        let id = tool_error.error_id.clone().unwrap();
        assert_eq!(
            tool_error.document(),
            serde_json::json!({ "ok": false, "error": {
                "code": "INTERNAL_ERROR",
                "message": "Lyra failed because of a bug in itself",
                "hint": "nothing is half done; report it with the error id",
                "error_id": id,
            }})
        );
        let next: Doing<'_> = Box::pin(async { Err(ToolError::invalid("still here")) });
        assert_eq!(guarded(next).await.unwrap_err().message, "still here");
    }

    #[tokio::test]
    async fn a_call_that_never_ends_is_stopped_at_its_limit() {
        let (told, stopped) = tokio::sync::oneshot::channel::<()>();
        let endless = async move {
            let _held = told;
            std::future::pending().await
        };
        let error = within(Duration::from_secs(1), endless).await.unwrap_err();
        assert_eq!(
            error.document()["error"],
            serde_json::json!({
                "code": "TIMEOUT",
                "message": "the call was stopped after 1 s",
                "hint": "get_status says what a running search does",
            })
        );
        // The channel closes when the work is dropped: nothing goes on behind the client's back.
        assert!(stopped.await.is_err());
    }
}
