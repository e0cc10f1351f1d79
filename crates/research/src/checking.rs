//! Calls a client makes when it writes: what was found, which claims have most support, whether a sentence follows from
//! what it cites, and the draft itself.

use std::collections::HashMap;
use std::sync::Arc;

use evidence::{ClaimId, FragmentId, Stance, TaskId};
use graph::Cause;
use judge::{Topic, Words, unit_cosine};
use models::Pair;
use report::{Report, ReportSettings};
use serde_json::Value;

use crate::engine::{Engine, Inner};
use crate::error::Result;

impl Engine {
    /// What the graph holds on a task, as a report says it.
    pub async fn report(&self, task: TaskId, options: ReportSettings) -> Result<Report> {
        self.blocking(move |inner| Ok(inner.graph.read(|r| report::gather(r, task, &options))?))
            .await
    }

    /// The best supported claims about the question, without the hypothesis: most support, least doubt.
    pub async fn best_claims(&self, task: TaskId, most: usize) -> Result<Vec<(ClaimId, String)>> {
        self.blocking(move |inner| {
            let mut claims = inner.graph.read(|r| {
                let hypothesis = r.hypothesis_of(task)?;
                let mut claims = r.claims_of(task)?;
                claims.retain(|it| {
                    Some(it.claim.id) != hypothesis && it.support_count > it.refute_count
                });
                Ok(claims)
            })?;
            let asked = inner.asked(task)?;
            claims.retain(|it| asked.is_met_by(it.claim.id, &it.claim.claim_text, inner));
            claims.sort_by(|a, b| {
                b.support_count
                    .cmp(&a.support_count)
                    .then(b.confidence.confidence.total_cmp(&a.confidence.confidence))
                    .then(a.claim.id.cmp(&b.claim.id))
            });
            claims.truncate(most);
            Ok(claims.into_iter().map(|it| (it.claim.id, it.claim.claim_text)).collect())
        })
        .await
    }

    /// Whether each sentence follows from the passages it cites; nothing if the model cannot read them.
    pub async fn check_sentences(
        &self,
        sentences: Vec<(String, Vec<FragmentId>)>,
    ) -> Result<Vec<Option<bool>>> {
        self.blocking(move |inner| {
            let mut checked = Vec::new();
            for (sentence, fragments) in &sentences {
                let mut texts = Vec::new();
                for id in fragments {
                    texts.push(inner.graph.read(|r| r.fragment(*id))?.text_content);
                }
                // One passage may bear the sentence out alone, or all of them together.
                let together = texts.join(" ");
                let mut premises: Vec<&str> = texts.iter().map(String::as_str).collect();
                premises.push(&together);
                let pairs: Vec<Pair<'_>> =
                    premises.iter().map(|passage| Pair { passage, claim: sentence }).collect();
                let parts = &inner.parts;
                let judged = judge::judge(parts.stance.as_ref(), &pairs, &parts.thresholds)?;
                let heard: Vec<Stance> = judged.iter().filter_map(|it| it.stance).collect();
                checked.push((!heard.is_empty()).then(|| heard.contains(&Stance::Supports)));
            }
            Ok(checked)
        })
        .await
    }

    /// Keeps a drafted text: sentences, what each cites, and whether that bears it out.
    pub async fn record_draft(&self, task: TaskId, model: String, sentences: Value) -> Result<()> {
        let graph = Arc::clone(self.graph());
        self.blocking(move |_| {
            let cause = Cause::new("report_draft").in_task(task);
            graph.write(cause, |w| w.record_draft(task, &model, &sentences))?;
            Ok(())
        })
        .await
    }
}

/// What a task asks, and what its claims mean.
struct AskedTopics {
    /// Of the question and the hypothesis.
    topics: Vec<(Topic, Option<Vec<f32>>)>,
    vectors: HashMap<ClaimId, Vec<f32>>,
}

impl AskedTopics {
    /// Whether a claim is about the question or the hypothesis.
    fn is_met_by(&self, id: ClaimId, claim: &str, inner: &Inner) -> bool {
        let words = Words::of(claim);
        self.topics.iter().any(|(topic, vector)| {
            let likeness = vector
                .as_deref()
                .zip(self.vectors.get(&id))
                .and_then(|(asked, claim)| unit_cosine(asked, claim));
            topic.aboutness(&words, &words, likeness, &inner.parts.settings.stance).is_about
        })
    }
}

impl Inner {
    fn asked(&self, task: TaskId) -> Result<AskedTopics> {
        let model = self.parts.embedder.id();
        let (asked, claims) =
            self.graph.read(|r| Ok((r.task(task)?, r.claims_after(task, i64::MIN, model)?)))?;
        let texts: Vec<&str> =
            std::iter::once(asked.query.as_str()).chain(asked.hypothesis.as_deref()).collect();
        let vectors = self.embed_texts(&texts)?;
        Ok(AskedTopics {
            topics: texts.iter().map(|it| Topic::of(it)).zip(vectors).collect(),
            vectors: claims.into_iter().filter_map(|it| Some((it.id, it.vector?))).collect(),
        })
    }
}
