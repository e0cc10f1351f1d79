//! The DevTools protocol over two pipes: JSON, each message ended by a NUL.
//!
//! A pipe has no port that others on the machine could reach, and the browser ends when it closes. One thread writes,
//! one reads; a call waits for the message with its number. A tab that crashes never answers, so its calls fail when the
//! browser says that it is gone; when the pipe ends, all do.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;
use std::{io, thread};

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

/// The longest message that is read. A screen and a large page fit.
const MAX_MESSAGE: usize = 256 << 20;

/// Something that the browser tells unasked.
#[derive(Debug, PartialEq)]
pub(crate) struct Event {
    /// Whom it is about; `None`: the browser.
    pub(crate) session: Option<String>,
    pub(crate) method: String,
    pub(crate) params: Value,
}

/// Why a call has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoResult {
    /// The pipe is closed.
    Ended,
    /// The tab crashed, or was closed.
    Gone,
    Late,
    Refused(String),
}

/// The way to one browser.
#[derive(Debug)]
pub(crate) struct Connection {
    out: mpsc::Sender<Vec<u8>>,
    next: AtomicU64,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug, Default)]
struct Shared {
    waiting: HashMap<u64, Waiting>,
    listener: Option<UnboundedSender<Event>>,
    ended: bool,
}

#[derive(Debug)]
struct Waiting {
    session: Option<String>,
    reply: oneshot::Sender<Result<Value, NoResult>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    id: Option<u64>,
    method: Option<String>,
    #[serde(default)]
    params: Value,
    #[serde(default)]
    result: Value,
    error: Option<Refusal>,
    session_id: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Refusal {
    message: String,
}

impl Connection {
    pub(crate) fn open(
        input: impl Write + Send + 'static,
        output: impl Read + Send + 'static,
    ) -> io::Result<Self> {
        let (out, messages) = mpsc::channel::<Vec<u8>>();
        let shared = Arc::<Mutex<Shared>>::default();
        thread::Builder::new().name("browser-out".to_owned()).spawn(move || {
            let mut input = input;
            // A pipe that takes no more has a reader that is gone; the other thread says so.
            while let Ok(message) = messages.recv() {
                if input.write_all(&message).and_then(|()| input.flush()).is_err() {
                    break;
                }
            }
        })?;
        let heard = Arc::clone(&shared);
        thread::Builder::new().name("browser-in".to_owned()).spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read_message(&mut output) {
                lock(&heard).hear(message);
            }
            lock(&heard).end();
        })?;
        Ok(Self { out, next: AtomicU64::new(1), shared })
    }

    /// From now on what the browser tells goes here, and to nobody before.
    pub(crate) fn listen(&self) -> UnboundedReceiver<Event> {
        let (sender, receiver) = unbounded_channel();
        lock(&self.shared).listener = Some(sender);
        receiver
    }

    pub(crate) fn has_ended(&self) -> bool {
        lock(&self.shared).ended
    }

    /// Asks for something and waits for the result.
    pub(crate) async fn call(
        &self,
        session: Option<&str>,
        method: &str,
        params: Value,
        within: Duration,
    ) -> Result<Value, NoResult> {
        let answer = self.ask(session, method, params);
        match tokio::time::timeout(within, answer).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => Err(NoResult::Ended),
            Err(_) => Err(NoResult::Late),
        }
    }

    /// Asks for something whose result will come.
    pub(crate) fn ask(
        &self,
        session: Option<&str>,
        method: &str,
        params: Value,
    ) -> oneshot::Receiver<Result<Value, NoResult>> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (reply, answer) = oneshot::channel();
        let mut shared = lock(&self.shared);
        // Nothing would ever answer.
        if shared.ended {
            let _ = reply.send(Err(NoResult::Ended));
            return answer;
        }
        // Those whose caller stopped waiting.
        shared.waiting.retain(|_, it| !it.reply.is_closed());
        shared.waiting.insert(id, Waiting { session: session.map(str::to_owned), reply });
        drop(shared);
        self.send(id, session, method, &params);
        answer
    }

    /// Says something whose result does not matter.
    pub(crate) fn tell(&self, session: Option<&str>, method: &str, params: &Value) {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        self.send(id, session, method, params);
    }

    fn send(&self, id: u64, session: Option<&str>, method: &str, params: &Value) {
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        // The thread is gone only when the pipe is, which ends every call.
        let _ = self.out.send(bytes);
    }
}

impl Shared {
    fn hear(&mut self, message: Message) {
        if let Some(id) = message.id {
            if let Some(waiting) = self.waiting.remove(&id) {
                let outcome = match message.error {
                    Some(refusal) => Err(NoResult::Refused(refusal.message)),
                    None => Ok(message.result),
                };
                let _ = waiting.reply.send(outcome);
            }
            return;
        }
        let Some(method) = message.method else { return };
        let gone = match method.as_str() {
            "Inspector.targetCrashed" => message.session_id.clone(),
            "Target.detachedFromTarget" => message.params["sessionId"].as_str().map(str::to_owned),
            _ => None,
        };
        if let Some(gone) = gone {
            self.fail(NoResult::Gone, |it| it.session.as_deref() == Some(&gone));
        }
        if let Some(listener) = &self.listener {
            let event = Event { session: message.session_id, method, params: message.params };
            // Nobody listens between two pages.
            let _ = listener.send(event);
        }
    }

    fn end(&mut self) {
        self.ended = true;
        self.fail(NoResult::Ended, |_| true);
        self.listener = None;
    }

    fn fail(&mut self, why: NoResult, which: impl Fn(&Waiting) -> bool) {
        let ids: Vec<u64> =
            self.waiting.iter().filter(|(_, it)| which(it)).map(|(id, _)| *id).collect();
        for waiting in ids.iter().filter_map(|id| self.waiting.remove(id)).collect::<Vec<_>>() {
            let _ = waiting.reply.send(Err(why.clone()));
        }
    }
}

/// The next message; `None` where there is none, or what came is no message.
fn read_message(output: &mut impl BufRead) -> Option<Message> {
    let mut bytes = Vec::new();
    let read = output.take(MAX_MESSAGE as u64 + 1).read_until(0, &mut bytes).ok()?;
    if read == 0 || bytes.pop() != Some(0) {
        return None;
    }
    match serde_json::from_slice(&bytes) {
        Ok(message) => Some(message),
        Err(error) => {
            tracing::error!(%error, "the browser sent something that is no message");
            None
        }
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_secs(5);

    /// A browser that reads one call and then says this.
    fn saying(text: &'static [u8]) -> Connection {
        let (from_us, to_it) = io::pipe().expect("a pipe");
        let (from_it, mut to_us) = io::pipe().expect("a pipe");
        thread::spawn(move || {
            let mut call = Vec::new();
            let _ = BufReader::new(from_us).read_until(0, &mut call);
            to_us.write_all(text).expect("the reader is there");
        });
        Connection::open(to_it, from_it).expect("two threads")
    }

    async fn call(connection: &Connection) -> Result<Value, NoResult> {
        connection.call(Some("tab"), "Page.reload", json!({}), SOON).await
    }

    #[tokio::test]
    async fn a_call_gets_the_message_with_its_number() {
        let connection = saying(b"{\"id\":7}\0{\"method\":\"A.b\",\"params\":{\"c\":1}}\0{\"id\":1,\"result\":{\"d\":2}}\0");
        let mut events = connection.listen();
        assert_eq!(call(&connection).await, Ok(json!({ "d": 2 })));
        let event = events.recv().await.expect("an event");
        assert_eq!((event.method.as_str(), &event.params["c"]), ("A.b", &json!(1)));
        assert_eq!(events.recv().await, None, "the pipe ended");
    }

    #[tokio::test]
    async fn a_refusal_is_told_in_the_words_of_the_browser() {
        let connection =
            saying(b"{\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no such thing\"}}\0");
        assert_eq!(call(&connection).await, Err(NoResult::Refused("no such thing".to_owned())));
    }

    #[tokio::test]
    async fn the_calls_of_a_crashed_tab_fail_at_once() {
        let connection =
            saying(b"{\"method\":\"Inspector.targetCrashed\",\"sessionId\":\"tab\"}\0");
        assert_eq!(call(&connection).await, Err(NoResult::Gone));
    }

    #[tokio::test]
    async fn calls_fail_when_the_pipe_ends_and_later_ones_at_once() {
        for text in [&b""[..], b"{\"id\":1,\"res", b"no message\0"] {
            let connection = saying(text);
            assert_eq!(call(&connection).await, Err(NoResult::Ended));
            assert!(connection.has_ended());
            assert_eq!(call(&connection).await, Err(NoResult::Ended));
        }
    }
}
