//! `wait_for_user`: a question to the user, through the client where it can ask, else over the desktop.

use std::time::{Duration, Instant};

use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema};
use serde_json::{Value, json};

use crate::mcp::call::Call;
use crate::mcp::elicitation::{Notice, Question, notify};
use crate::mcp::response::Answer;
use crate::mcp::schema::clipped;
use crate::mcp::tool_error::{Code, ToolError};

/// The name of the one field a user fills in, and of the one question a call asks.
pub(crate) const ANSWER: &str = "answer";

pub(crate) const USUAL_TIMEOUT: u64 = 300;
/// How often is looked whether the user answered.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// A question as the client shows it.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    prompt: String,
    choices: Vec<String>,
}

impl Asked {
    pub(crate) fn params(&self) -> ElicitRequestParams {
        let mut field = json!({ "type": "string", "title": "Answer" });
        if !self.choices.is_empty() {
            field["enum"] = json!(self.choices);
        }
        let schema =
            json!({ "type": "object", "properties": { ANSWER: field }, "required": [ANSWER] });
        let schema = schema.as_object().cloned().unwrap_or_default();
        let requested_schema = ElicitationSchema::from_json_schema(schema)
            .expect("one field, a text or one of some words, is a form");
        ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: self.prompt.clone(),
            requested_schema,
        }
    }
}

pub(super) async fn run(call: &Call) -> Result<Answer, ToolError> {
    let prompt = call.required_text("prompt")?.trim().to_owned();
    let choices: Vec<String> = call
        .option("choices")
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|it| it.as_str().map(str::to_owned))
        .collect();
    let asked = Asked { prompt, choices };
    let timeout =
        Duration::from_secs(call.option("timeout_seconds").as_u64().unwrap_or(USUAL_TIMEOUT));
    if let Some(response) = call.responses.as_ref().and_then(|it| it.get(ANSWER)) {
        let result: ElicitResult = serde_json::from_value(response.clone())
            .map_err(|_| ToolError::invalid("the answer of the user cannot be read"))?;
        return Ok(elicited(&asked, &result));
    }
    match way(call) {
        Way::Inline => Ok(Answer { asks: Some(asked), ..Answer::default() }),
        Way::Client => ask_client(call, &asked, timeout).await,
        Way::Desktop => ask_desktop(call, &asked, timeout).await,
    }
}

/// How the user is reached.
enum Way {
    /// The call ends with a question, and comes again with its answer (protocol 2026-07-28).
    Inline,
    /// The client is asked while the call waits (earlier protocols).
    Client,
    Desktop,
}

fn way(call: &Call) -> Way {
    let Some(client) = &call.client else { return Way::Desktop };
    let can_ask = client.client_capabilities().and_then(|it| it.elicitation);
    let forms = can_ask.is_some_and(|it| it.form.is_some() || it.url.is_none());
    let is_new = client.protocol_version().is_some_and(|it| it.as_str() >= "2026-07-28");
    match (forms, is_new) {
        (false, _) => Way::Desktop,
        (true, true) => Way::Inline,
        (true, false) => Way::Client,
    }
}

async fn ask_client(call: &Call, asked: &Asked, timeout: Duration) -> Result<Answer, ToolError> {
    let Some(client) = &call.client else { return Err(ToolError::bug(None)) };
    let answer = client.peer.create_elicitation_with_timeout(asked.params(), Some(timeout)).await;
    match answer {
        Ok(result) => Ok(elicited(asked, &result)),
        Err(rmcp::ServiceError::Timeout { .. }) => Ok(silent()),
        Err(error) => Err(ToolError::logged(
            Code::PipelineError,
            "the client could not ask the user",
            &error.to_string(),
        )),
    }
}

fn elicited(asked: &Asked, result: &ElicitResult) -> Answer {
    match (&result.action, result.content.as_ref().and_then(|it| it[ANSWER].as_str())) {
        (ElicitationAction::Accept, Some(text)) => answered(&asked.choices, text),
        _ => Answer::new(
            json!({ "declined": true, "timed_out": false }),
            "the user did not want to answer",
        ),
    }
}

fn answered(choices: &[String], text: &str) -> Answer {
    let index = choices.iter().position(|it| it == text);
    let body = json!({ "response": text, "choice_index": index, "timed_out": false });
    Answer::new(body, format!("the user answered: {}", clipped(text, 300)))
}

fn silent() -> Answer {
    Answer::new(json!({ "timed_out": true }), "nobody answered in time")
}

async fn ask_desktop(call: &Call, asked: &Asked, timeout: Duration) -> Result<Answer, ToolError> {
    let settings = call.state.settings();
    let wait = call.option("wait_seconds").as_u64().unwrap_or(settings.wait_seconds.into());
    let wait = Duration::from_secs(wait.min(settings.max_wait_seconds.into()));
    let (question, is_new) =
        Question::ask(call.state.session(), &asked.prompt, &asked.choices, timeout)?;
    if is_new {
        let answer_with = call.state.session().ui.call().of_data().in_text("lyra answer");
        let notice = Notice {
            urgent: true,
            title: "Lyra asks".to_owned(),
            reason: format!("{} (answer with: {answer_with})", asked.prompt),
            url: None,
            timeout_seconds: None,
        };
        notify(call.state.session(), notice).await;
    }
    let deadline = Instant::now() + wait;
    let id = question.id.clone();
    let told = |answer: Answer| {
        let mut answer = answer;
        answer.body.insert("question_id".to_owned(), Value::from(id.clone()));
        Ok(answer)
    };
    loop {
        if let Some(text) = question.answer(call.state.session())? {
            question.forget(call.state.session());
            return told(answered(&asked.choices, &text));
        }
        if question.is_over(call.state.session()) {
            question.forget(call.state.session());
            return told(silent());
        }
        let is_cancelled = call.client.as_ref().is_some_and(|it| it.ct.is_cancelled());
        if Instant::now() >= deadline || is_cancelled {
            let body = json!({ "pending": true, "timed_out": false });
            let text = "not answered yet; the same call goes on waiting";
            return told(Answer::new(body, text));
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}
