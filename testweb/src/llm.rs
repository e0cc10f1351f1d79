//! A language model server on loopback that does as it is told: good answers made by simple rules, and every bad day of a
//! real one.
//!
//! [`LlmServer`] speaks Ollama's protocol, OpenAI's, or both. It keeps what it was sent and how long it took. Like the rest
//! of the small internet it knows no crate of the product: what it is asked for it reads from the prompt.

mod answers;

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::server::listen;

/// Which protocol the server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LlmDialect {
    Ollama,
    OpenAi,
    /// As Ollama does.
    Both,
    /// A web server that is no language model at all.
    Neither,
}

/// How one question is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LlmMode {
    /// The JSON that was asked for, made from the prompt by simple rules.
    Good,
    /// The same in a code fence with words around it.
    Fenced,
    /// The same after a thought.
    Thinks,
    /// The same inside a thought that never ends.
    NeverStopsThinking,
    /// The same without its last third.
    Half,
    /// The same with a comma too many and bare names.
    Sloppy,
    /// Words, and no JSON.
    Prose,
    /// An answer without content.
    NoContent,
    /// A body of no bytes.
    NoBody,
    /// Nothing, until the client leaves.
    Hang,
    /// This status and a message.
    Status(u16),
    /// Its own instructions as the text of the answer, in the form that was asked for.
    Leaks,
    /// Addresses in every text of the answer.
    Addresses,
    /// Claims that rest on invented words, and invented numbers.
    Invents,
    /// The form that was asked for, filled as an injected order in the data would have it.
    Obeys,
    /// The form that was asked for, with this as every text.
    Fills(String),
    /// Exactly this content.
    Says(String),
}

/// One question that reached the server.
#[derive(Debug, Clone)]
pub struct LlmRequest {
    pub path: String,
    pub model: String,
    /// Bytes of the body.
    pub bytes: usize,
    pub system: String,
    pub user: String,
    /// From the arrival to the last byte of the answer; nothing while it is open.
    pub took: Option<Duration>,
}

#[derive(Debug)]
struct State {
    dialect: LlmDialect,
    script: VecDeque<LlmMode>,
    otherwise: LlmMode,
    pause: Duration,
    requests: Vec<LlmRequest>,
}

/// A scripted language model server with a thread of its own. Stops when dropped.
#[derive(Debug)]
pub struct LlmServer {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
    runtime: Option<Runtime>,
}

/// The name under which the only model is listed.
pub const LLM_MODEL: &str = "scripted:1b";

impl LlmServer {
    /// Starts on a free port, with good answers.
    pub fn start(dialect: LlmDialect) -> Self {
        Self::start_on(0, dialect).expect("loopback has a free port")
    }

    /// Starts on this port; 0: a free one.
    pub fn start_on(port: u16, dialect: LlmDialect) -> io::Result<Self> {
        let listener = listen(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
        let address = listener.local_addr()?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("testllm")
            .enable_all()
            .build()?;
        let state = Arc::new(Mutex::new(State {
            dialect,
            script: VecDeque::new(),
            otherwise: LlmMode::Good,
            pause: Duration::ZERO,
            requests: Vec::new(),
        }));
        let entered = runtime.enter();
        let listener = TcpListener::from_std(listener)?;
        drop(entered);
        runtime.spawn(accept(listener, Arc::clone(&state)));
        Ok(Self { address, state, runtime: Some(runtime) })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of the server as a setting names it.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// How the next questions are answered, in order; then as before.
    pub fn script(&self, modes: impl IntoIterator<Item = LlmMode>) {
        self.state().script.extend(modes);
    }

    /// How questions are answered that no script speaks of.
    pub fn answer_with(&self, mode: LlmMode) {
        self.state().otherwise = mode;
    }

    /// Makes every answer take this long.
    pub fn pause_before_answers(&self, pause: Duration) {
        self.state().pause = pause;
    }

    /// The questions that reached the server, in order. Asking for the list of models is none.
    pub fn requests(&self) -> Vec<LlmRequest> {
        self.state().requests.clone()
    }

    /// The time the server spent on answers that are finished.
    pub fn busy(&self) -> Duration {
        self.state().requests.iter().filter_map(|it| it.took).sum()
    }

    pub fn clear(&self) {
        self.state().requests.clear();
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for LlmServer {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

async fn accept(listener: TcpListener, state: Arc<Mutex<State>>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        let state = Arc::clone(&state);
        tokio::spawn(async move {
            let service = service_fn(move |request| answer(request, Arc::clone(&state)));
            // A client that leaves is the purpose of some tests.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

type Reply = Response<Full<Bytes>>;

async fn answer(request: Request<Incoming>, state: Arc<Mutex<State>>) -> Result<Reply, Infallible> {
    let arrived = Instant::now();
    let path = request.uri().path().to_owned();
    // A body that does not arrive is an empty one; the client sees to the rest.
    let body = request.into_body().collect().await.map(|it| it.to_bytes()).unwrap_or_default();
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    let dialect = lock().dialect;
    let ollama = matches!(dialect, LlmDialect::Ollama | LlmDialect::Both);
    let openai = matches!(dialect, LlmDialect::OpenAi | LlmDialect::Both);
    match path.as_str() {
        "/api/tags" if ollama => {
            return Ok(reply(200, json!({"models": [{"name": LLM_MODEL}]}).to_string()));
        }
        "/v1/models" if openai => {
            return Ok(reply(
                200,
                json!({"object": "list", "data": [{"id": LLM_MODEL}]}).to_string(),
            ));
        }
        "/api/chat" if ollama => {}
        "/v1/chat/completions" if openai => {}
        _ => return Ok(reply(404, json!({"error": "not found"}).to_string())),
    }
    let asked = Asked::read(&body);
    let (mode, pause, index) = {
        let mut state = lock();
        let mode = state.script.pop_front().unwrap_or_else(|| state.otherwise.clone());
        state.requests.push(LlmRequest {
            path: path.clone(),
            model: asked.model.clone(),
            bytes: body.len(),
            system: asked.system.clone(),
            user: asked.user.clone(),
            took: None,
        });
        (mode, state.pause, state.requests.len() - 1)
    };
    tokio::time::sleep(pause).await;
    let sent = match &mode {
        LlmMode::Hang => {
            std::future::pending::<()>().await;
            reply(200, String::new())
        }
        LlmMode::Status(status) => reply(*status, json!({"error": "as scripted"}).to_string()),
        LlmMode::NoBody => reply(200, String::new()),
        mode => {
            let content = answers::content(mode, &asked.system, &asked.user);
            let message = json!({"role": "assistant", "content": content});
            let body = if path == "/api/chat" {
                json!({"model": asked.model, "message": message, "done": true})
            } else {
                json!({"model": asked.model, "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
            };
            reply(200, body.to_string())
        }
    };
    if let Some(request) = lock().requests.get_mut(index) {
        request.took = Some(arrived.elapsed());
    }
    Ok(sent)
}

fn reply(status: u16, body: String) -> Reply {
    let mut reply = Response::new(Full::from(body));
    *reply.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    reply.headers_mut().insert(
        hyper::header::CONTENT_TYPE,
        hyper::header::HeaderValue::from_static("application/json"),
    );
    reply
}

/// A question as both protocols put it.
struct Asked {
    model: String,
    system: String,
    user: String,
}

impl Asked {
    fn read(body: &[u8]) -> Self {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let said = |role: &str| {
            let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
            let parts: Vec<&str> = messages
                .iter()
                .filter(|it| it["role"] == role)
                .filter_map(|it| it["content"].as_str())
                .collect();
            parts.join("\n")
        };
        Self {
            model: body["model"].as_str().unwrap_or_default().to_owned(),
            system: said("system"),
            user: said("user"),
        }
    }
}
