//! The language model's part in a search: claims, usefulness, quality, citations. Never queries, stances or decisions.
//!
//! It speaks while its share of the task's time lasts. Where it fails, rules do the work and the user is told.

use std::time::Instant;

use evidence::TaskId;
use graph::Cause;
use judge::{ClaimSource, ExtractedClaim};
use llm::guard::SecurityWarning;
use llm::{Llm, LlmAnswer, LlmError};
use models::MachineTalk;
use serde_json::json;

use crate::calls::Progress;
use crate::engine::Engine;
use crate::error::Result;
use crate::slots::{Slot, priority};

use super::Context;
use super::records::BY_MEANING;

/// What a model call may take into account before others were measured.
const FIRST_GUESS_SECONDS: f64 = 1.0;

impl Engine {
    /// Claims by the model, and the name it goes by; nothing if rules are to find them.
    pub(super) async fn ask_model_for_claims(
        &self,
        context: &Context,
        source: &ClaimSource<'_>,
        llm_seconds: &mut f64,
    ) -> Result<Option<(Vec<ExtractedClaim>, String)>> {
        let question = context.task.query.as_str();
        let asked = self
            .ask_model(context, llm_seconds, priority::LLM_SLOW, "no claims", async |llm| {
                llm.extract_claims(question, source).await
            })
            .await?;
        Ok(asked.filter(|it| !it.0.is_empty()))
    }

    /// How useful an abstract may be, 0 to 1.
    pub(super) async fn ask_model_for_usefulness(
        &self,
        context: &Context,
        abstract_text: &str,
        llm_seconds: &mut f64,
    ) -> Result<Option<f64>> {
        if self.speaks_to_machines(context, abstract_text) {
            return Ok(None);
        }
        let question = context.task.query.as_str();
        let asked = self
            .ask_model(context, llm_seconds, priority::LLM_FAST, "no usefulness", async |llm| {
                llm.usefulness(question, abstract_text).await
            })
            .await?;
        Ok(asked.map(|it| it.0))
    }

    /// How carefully a page is written, 0 to 1; asked where rules cannot tell.
    pub(super) async fn ask_model_for_quality(
        &self,
        context: &Context,
        text: &str,
        llm_seconds: &mut f64,
    ) -> Result<Option<f64>> {
        let asked = self
            .ask_model(context, llm_seconds, priority::LLM_FAST, "no quality", async |llm| {
                llm.quality(text).await
            })
            .await?;
        Ok(asked.map(|it| it.0))
    }

    /// Whether a sentence names a link as its source; asked where rules cannot tell.
    pub(super) async fn ask_model_for_citation(
        &self,
        context: &Context,
        sentence: &str,
        anchor: &str,
        llm_seconds: &mut f64,
    ) -> Result<Option<bool>> {
        if self.speaks_to_machines(context, sentence) {
            return Ok(None);
        }
        let asked = self
            .ask_model(context, llm_seconds, priority::LLM_FAST, "no word on a link", async |llm| {
                llm.is_citation(sentence, anchor).await
            })
            .await?;
        Ok(asked.map(|it| it.0))
    }

    /// Whether a stranger's text gives orders to machines, so that the model must not see it: rules do the work.
    fn speaks_to_machines(&self, context: &Context, text: &str) -> bool {
        if self.inner.parts.llm.is_none() {
            return false;
        }
        let phrases: Vec<String> =
            text::sanitise::flags(text, false).into_iter().map(|it| it.name).collect();
        let patterns = match phrases.is_empty() {
            true if MachineTalk::builtin().hears(text) => BY_MEANING.to_owned(),
            true => return false,
            false => phrases.join(" "),
        };
        tracing::warn!(
            target: "audit",
            source = %context.id(),
            patterns,
            found = 1,
            "a text that addresses machines was not shown to the language model"
        );
        true
    }

    async fn ask_model<T>(
        &self,
        context: &Context,
        llm_seconds: &mut f64,
        priority: u32,
        lacking: &str,
        ask: impl AsyncFnOnce(&Llm) -> std::result::Result<LlmAnswer<T>, LlmError>,
    ) -> Result<Option<(T, String)>> {
        let state = self.inner.task_state(context.task.id);
        let Some(llm) = state.llm(self.inner.parts.llm.as_ref()) else { return Ok(None) };
        if !self.model_may_speak(context, *llm_seconds).await? {
            return Ok(None);
        }
        let _permit = self.slot(Slot::Gpu, priority).await;
        let started = Instant::now();
        let answered = ask(&llm).await;
        *llm_seconds += started.elapsed().as_secs_f64();
        state.count_model_call();
        match answered {
            Ok(answer) => {
                self.note_warnings(context, &answer.warnings).await?;
                let name = llm.connect().await.map_or_else(|_| "llm".to_owned(), |it| it.1);
                Ok(Some((answer.value, name)))
            }
            Err(error) => {
                // A server that is not there is not asked again and again.
                if matches!(
                    error,
                    LlmError::Transport(_) | LlmError::UnknownProtocol | LlmError::NoModel
                ) {
                    state.give_up_model();
                }
                let message =
                    format!("the language model gave {lacking} ({}); rules are used", told(&error));
                self.tell(Progress::Warning { search_id: context.id(), message });
                Ok(None)
            }
        }
    }

    /// Whether another call would stay within the model's share of the task's time.
    async fn model_may_speak(&self, context: &Context, now: f64) -> Result<bool> {
        self.model_has_time_beside(context.task.id, now).await
    }

    /// The same, for a client of the engine with a model of its own: what it has spent for the task counts as well.
    pub async fn model_has_time(&self, task: TaskId) -> Result<bool> {
        self.model_has_time_beside(task, 0.0).await
    }

    /// Waits for a call of a client's own model, and counts its time as the task's.
    pub async fn timed_model<T>(&self, task: TaskId, call: impl Future<Output = T>) -> Result<T> {
        let started = Instant::now();
        let answered = call.await;
        let llm_seconds = started.elapsed().as_secs_f64();
        self.inner.task_state(task).count_model_call();
        let cause = Cause::new("model_call").in_task(task).with(json!({ "by": "planner" }));
        self.blocking(move |inner| {
            Ok(inner.graph.write(cause, |w| {
                w.cause()?;
                w.spend(task, graph::Spent { seconds: 0.0, llm_seconds })
            })?)
        })
        .await?;
        Ok(answered)
    }

    async fn model_has_time_beside(&self, task: TaskId, now: f64) -> Result<bool> {
        let (spent, seconds) = self
            .blocking(move |inner| {
                Ok((inner.graph.read(|r| r.spent(task))?, inner.seconds_used(task)?))
            })
            .await?;
        let calls = self.inner.task_state(task).model_calls();
        let used = spent.llm_seconds + now;
        let next = if calls == 0 { FIRST_GUESS_SECONDS } else { used / calls as f64 };
        let share = self.inner.parts.settings.search.llm_share;
        Ok(used + next
            <= share * (seconds + next).max(FIRST_GUESS_SECONDS / share.max(f64::EPSILON)))
    }

    /// What guards found goes to the log: the pattern and its place, never the words.
    async fn note_warnings(&self, context: &Context, warnings: &[SecurityWarning]) -> Result<()> {
        if warnings.is_empty() {
            return Ok(());
        }
        let found: Vec<_> = warnings
            .iter()
            .map(|it| json!({ "layer": it.layer, "pattern": it.pattern, "char_start": it.char_start, "char_end": it.char_end }))
            .collect();
        let place = |it: &SecurityWarning| {
            format!("{}@{}:{}-{}", it.pattern, it.layer.as_str(), it.char_start, it.char_end)
        };
        let places: Vec<String> = warnings.iter().map(place).collect();
        tracing::warn!(
            target: "audit",
            source = %context.id(),
            patterns = places.join(" "),
            found = places.len(),
            "the guard of the language model took effect"
        );
        let cause: Cause = context.cause("llm_guard").with(json!({ "warnings": found }));
        self.blocking(move |inner| {
            inner.graph.write(cause, |w| w.cause())?;
            Ok(())
        })
        .await
    }
}

fn told(error: &LlmError) -> String {
    match error {
        LlmError::Transport(cause) => format!("{error}: {cause}"),
        other => other.to_string(),
    }
}
