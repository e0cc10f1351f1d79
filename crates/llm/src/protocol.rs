//! The two ways servers are spoken to: Ollama's and OpenAI's.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{LlmError, LlmSettings, Prompt, Transport, TransportError};

/// How a server is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// Asks the server which one it speaks.
    Auto,
    OpenAi,
    Ollama,
}

impl Protocol {
    pub(super) fn chat_path(self) -> &'static str {
        match self {
            Self::Ollama => "/api/chat",
            Self::OpenAi | Self::Auto => "/v1/chat/completions",
        }
    }

    fn list_path(self) -> &'static str {
        match self {
            Self::Ollama => "/api/tags",
            Self::OpenAi | Self::Auto => "/v1/models",
        }
    }
}

/// What was found out about a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Speaks {
    pub(super) protocol: Protocol,
    pub(super) model: String,
}

/// Asks a server for its models, which tells both its protocol and a model. Ollama is asked first: it
/// speaks OpenAI's protocol as well, but only its own lets the size of the context be set.
pub(super) async fn find(
    transport: &dyn Transport,
    settings: &LlmSettings,
    timeout: Duration,
) -> Result<Speaks, LlmError> {
    let tried: &[Protocol] = match settings.protocol {
        Protocol::Auto => &[Protocol::Ollama, Protocol::OpenAi],
        Protocol::Ollama => &[Protocol::Ollama],
        Protocol::OpenAi => &[Protocol::OpenAi],
    };
    // With both given there is nothing to ask.
    if settings.protocol != Protocol::Auto && !settings.model.is_empty() {
        return Ok(Speaks { protocol: settings.protocol, model: settings.model.clone() });
    }
    for protocol in tried {
        let answer = match transport.get(protocol.list_path(), timeout).await {
            Ok(answer) => answer,
            // A server that is there and does not know the path speaks the other protocol.
            Err(TransportError::Status(_)) => continue,
            Err(error) => return Err(error.into()),
        };
        let Some(models) = models(*protocol, &answer) else { continue };
        let model = if settings.model.is_empty() {
            models.into_iter().next().ok_or(LlmError::NoModel)?
        } else {
            settings.model.clone()
        };
        return Ok(Speaks { protocol: *protocol, model });
    }
    Err(LlmError::UnknownProtocol)
}

fn models(protocol: Protocol, answer: &[u8]) -> Option<Vec<String>> {
    let answer: Value = serde_json::from_slice(answer).ok()?;
    let (list, name) = match protocol {
        Protocol::Ollama => ("models", "name"),
        Protocol::OpenAi | Protocol::Auto => ("data", "id"),
    };
    let models = answer.get(list)?.as_array()?;
    Some(models.iter().filter_map(|it| it.get(name)?.as_str().map(str::to_owned)).collect())
}

/// The body of a request. A second attempt ends with a short reminder of the form.
pub(super) fn request(
    protocol: Protocol,
    model: &str,
    prompt: &Prompt,
    again: bool,
    settings: &LlmSettings,
) -> Value {
    let user = if again { prompt.user_again() } else { prompt.user().to_owned() };
    let messages = json!([
        {"role": "system", "content": prompt.system()},
        {"role": "user", "content": user},
    ]);
    match protocol {
        Protocol::Ollama => json!({
            "model": model,
            "messages": messages,
            "stream": false,
            "format": "json",
            "options": {
                "temperature": settings.temperature,
                "seed": settings.seed,
                "num_ctx": settings.context_tokens,
                "num_predict": settings.max_answer_tokens,
            },
        }),
        // No `response_format`: servers that do not know a form of it refuse the whole request.
        Protocol::OpenAi | Protocol::Auto => json!({
            "model": model,
            "messages": messages,
            "stream": false,
            "temperature": settings.temperature,
            "seed": settings.seed,
            "max_tokens": settings.max_answer_tokens,
        }),
    }
}

/// What the model said, out of the server's answer.
pub(super) fn said(protocol: Protocol, answer: &[u8]) -> Option<String> {
    let answer: Value = serde_json::from_slice(answer).ok()?;
    let message = match protocol {
        Protocol::Ollama => answer.get("message")?,
        Protocol::OpenAi | Protocol::Auto => answer.get("choices")?.get(0)?.get("message")?,
    };
    match message.get("content")? {
        Value::String(text) => Some(text.clone()),
        // Some servers answer in parts.
        Value::Array(parts) => {
            Some(parts.iter().filter_map(|it| it.get("text")?.as_str()).collect::<String>())
        }
        _ => None,
    }
}
