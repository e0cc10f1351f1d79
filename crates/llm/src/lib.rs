//! A language model behind a server: what it is asked, and what of its answers is believed.
//!
//! [`Llm`] asks in a few fixed words and gets JSON, repaired if it is nearly valid and asked for
//! once more if it is not. Texts pass the guard in both directions. A claim must name the words
//! it rests on, and they must be in the text. How bytes travel is the [`Transport`]'s business.
//! A model never judges stance, and the engine never lets it design a search.

pub mod guard;

mod ask;
mod prompts;

mod data;

mod belief;
mod forms;
mod ground;
mod json;

mod protocol;
mod transport;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use settings::{Secret, settings};

use crate::guard::{GuardSettings, SecurityWarning, Tag};

pub use ask::{DraftEvidence, DraftSentence};
pub use prompts::Prompt;
pub use protocol::Protocol;
pub use transport::{Answering, Transport, TransportError};

use protocol::{Speaks, said};

settings! {
    /// A language model of your own: Ollama, or any server that speaks OpenAI's protocol. Lyra works
    /// without one.
    pub struct LlmSettings {
        /// The address of the server, such as "http://127.0.0.1:11434"; "" is none.
        url: String = String::new();
        /// How the server is spoken to; "auto" asks it.
        protocol: Protocol = Protocol::Auto;
        /// The model; "" takes the first one the server names.
        model: String = String::new();
        /// A key, if the server wants one.
        key: Secret = Secret::default();
        /// Whether the server may be another machine: the texts that are read then leave this one, and the
        /// ledger records it.
        allow_remote: bool = false;
        /// Tokens the model can hold, instructions and answer included.
        context_tokens: usize = 8_192, in 512..=10_000_000;
        /// Seconds an answer may take.
        timeout_s: u64 = 120, in 1..=3_600;
    }
    expert {
        /// Tokens of an answer.
        max_answer_tokens: usize = 1_024, in 16..=1_000_000;
        /// Bytes of an answer.
        max_answer_bytes: usize = 4 << 20, in 1_024..=1_073_741_824;
        /// How often an answer that cannot be read is asked for again.
        retries: u32 = 1, in 0..=10;
        /// How freely the model speaks.
        temperature: f64 = 0.0, in 0.0..=2.0;
        /// The seed of its choices.
        seed: u64 = 7, in 0..=1_000_000_000;
        /// Characters of a question that are passed on.
        max_question_chars: usize = 1_000, in 10..=100_000;
        /// The confidence a claim of a model starts with.
        claim_confidence: f64 = 0.8, in 0.0..=1.0;
        /// The share of a claim's words that must be in the text it rests on.
        min_grounded: f64 = 0.3, in 0.0..=1.0;
    }
    parts {
        guard: GuardSettings;
    }
}

/// What a model answered and what was noticed on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct LlmAnswer<T> {
    pub value: T,
    /// What spoke to a machine, and what the model should not have said.
    pub warnings: Vec<SecurityWarning>,
    pub notes: Vec<Note>,
    pub elapsed: Duration,
    pub attempts: u32,
}

/// Something a reader of the answer should know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Note {
    /// Only the beginning of the text fitted: characters read, and characters in all.
    SourceCut { read: usize, of: usize },
    /// Only the beginning of the question was passed on.
    QuestionCut { read: usize, of: usize },
    /// Only the first pieces of evidence fitted.
    EvidenceCut { read: usize, of: usize },
    /// The answer was no proper JSON and was mended.
    Repaired,
    /// This many claims or sentences rested on nothing in the text, and were dropped.
    Ungrounded { dropped: usize },
    /// The answer could not be read; the value is the middle.
    NeutralAssumed,
}

/// Why a model gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum LlmError {
    #[error("the language model server did not answer")]
    Transport(#[from] TransportError),
    #[error("the server speaks neither the protocol of Ollama nor that of OpenAI")]
    UnknownProtocol,
    #[error("the server names no model")]
    NoModel,
    #[error("the language model answered nothing")]
    Empty,
    #[error(
        "the language model did not answer in the form that was asked for, in {attempts} attempts"
    )]
    Unreadable { attempts: u32 },
    #[error("the question needs about {needed} tokens and the model holds {context}")]
    ContextTooSmall { needed: usize, context: usize },
}

/// A language model for one task.
#[derive(Debug)]
pub struct Llm {
    settings: LlmSettings,
    transport: Arc<dyn Transport>,
    tag: Tag,
    speaks: Mutex<Option<Speaks>>,
}

impl Llm {
    /// Makes a model for one task; `random` makes the tag around its instructions.
    pub fn new(
        settings: LlmSettings,
        transport: Arc<dyn Transport>,
        random: &mut fastrand::Rng,
    ) -> Self {
        Self { settings, transport, tag: Tag::random(random), speaks: Mutex::new(None) }
    }

    pub fn settings(&self) -> &LlmSettings {
        &self.settings
    }

    /// Finds out what the server speaks and which model answers. Asked once; later calls remember.
    pub async fn connect(&self) -> Result<(Protocol, String), LlmError> {
        let known = self.speaks.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let speaks = match known {
            Some(speaks) => speaks,
            None => {
                let found =
                    protocol::find(&*self.transport, &self.settings, self.timeout()).await?;
                *self.speaks.lock().unwrap_or_else(PoisonError::into_inner) = Some(found.clone());
                found
            }
        };
        Ok((speaks.protocol, speaks.model))
    }

    fn timeout(&self) -> Duration {
        Duration::from_secs(self.settings.timeout_s)
    }

    /// Asks, reads, and asks once more if the answer cannot be read. `read` gives nothing for
    /// JSON of another form, and says whether something was mended.
    async fn ask<T>(
        &self,
        prompt: &Prompt,
        read: impl Fn(&str) -> Option<(T, bool)>,
    ) -> Result<Asked<T>, LlmError> {
        let started = Instant::now();
        let (protocol, model) = self.connect().await?;
        let mut attempts = 0;
        let mut empty = true;
        loop {
            attempts += 1;
            let body = protocol::request(protocol, &model, prompt, attempts > 1, &self.settings);
            let path = protocol.chat_path();
            let bytes = self.transport.post(path, body, self.timeout()).await?;
            let answer = said(protocol, &bytes).unwrap_or_default();
            let answer = json::without_thoughts(&answer);
            let most = prompt.expected_chars().saturating_mul(self.settings.guard.max_growth);
            let kept =
                answer.char_indices().nth(most).map_or(answer.as_str(), |it| &answer[..it.0]);
            if let Some((value, mended)) = read(kept) {
                let repaired = mended || kept.len() < answer.len();
                return Ok(Asked { value, repaired, elapsed: started.elapsed(), attempts });
            }
            empty &= answer.trim().is_empty();
            if attempts > self.settings.retries {
                return Err(if empty {
                    LlmError::Empty
                } else {
                    LlmError::Unreadable { attempts }
                });
            }
        }
    }
}

/// An answer that could be read, before it is checked.
struct Asked<T> {
    value: T,
    repaired: bool,
    elapsed: Duration,
    attempts: u32,
}

impl<T> Asked<T> {
    fn into_answer<U>(
        self,
        value: impl FnOnce(T) -> U,
        warnings: Vec<SecurityWarning>,
        mut notes: Vec<Note>,
    ) -> LlmAnswer<U> {
        if self.repaired {
            notes.push(Note::Repaired);
        }
        LlmAnswer {
            value: value(self.value),
            warnings,
            notes,
            elapsed: self.elapsed,
            attempts: self.attempts,
        }
    }
}
