//! A digest as rows, in one transaction.

use std::collections::BTreeSet;

use evidence::domain::BlockReason;
use evidence::{ClaimId, JobId, Node, Publisher, Stance, TaskId};
use graph::{ClaimDetails, NewClaim, NewEdge, NewEmbedding, NewEntity, Selected, Writer};
use judge::{TimelineKind, novelty};
use serde_json::json;

use crate::engine::Inner;
use crate::error::Result;
use crate::search::Context;
use crate::search::records::flags_of;
use crate::search::steps::{AssessResult, Marks, StepResult};
use crate::verification::verify_claim;

use super::claims::{ClaimRef, NewClaimFound};
use super::machine_talk::record_machine_talk;
use super::memory::TaskMemory;
use super::stances::Abstained;
use super::{Counts, Digest, Novelty};

/// What a passage that says something word for word is stored under.
const VERBATIM: &str = "verbatim";

impl Inner {
    pub(super) fn record_digest(
        &self,
        context: &Context,
        row: JobId,
        digest: &Digest,
        memory: &mut TaskMemory,
        llm_seconds: f64,
    ) -> Result<(Counts, Novelty)> {
        let settings = &self.parts.settings;
        let marks = &digest.new_and_useful;
        let novelty = Novelty {
            share: novelty::novelty(marks, &settings.novelty).unwrap_or(0.0),
            is_dry: novelty::is_dry(marks, &settings.novelty),
        };
        let mut counts = self.counts(digest, memory);
        let counts = self.finish_step(context, row, "digest", llm_seconds, |w| {
            let blocked = self.record_danger(w, context.task.id, digest)?;
            record_machine_talk(w, context.task.id, &digest.cycle)?;
            for page in digest.cycle.pages.values() {
                if let Some(score) = page.quality_score {
                    w.set_page_quality(page.id, score)?;
                }
            }
            self.record_useful(w, context, digest)?;
            let new = self.record_claims(w, context, digest)?;
            let id_of = |claim: ClaimRef| match claim {
                ClaimRef::Known(it) => digest.claims.known[it].id,
                ClaimRef::New(it) => new[it],
            };
            let mut touched: BTreeSet<ClaimId> = new.iter().copied().collect();
            for verdict in &digest.verdicts.given {
                let claim = id_of(verdict.claim);
                let edge = w.add_edge(&NewEdge::Stance {
                    source: Node::Fragment(verdict.fragment),
                    target: claim,
                    stance: verdict.stance,
                    confidence: verdict.confidence,
                    model: verdict.model.clone(),
                    kind: verdict.kind,
                    about: verdict.about,
                })?;
                if verdict.stance != Stance::Neutral {
                    touched.insert(claim);
                    let page = w.fragment(verdict.fragment)?.page_id;
                    let how = verdict.stance.as_str();
                    w.note_claim_event(claim, "updated", Some(how), Some(page), Some(edge))?;
                }
            }
            record_abstained(w, context.task.id, digest, id_of)?;
            touched.extend(self.record_retractions(w, context, digest)?);
            let of_blocked = |host: &str| blocked.contains(&Publisher::of_domain(host));
            if !blocked.is_empty() {
                touched.extend(w.claims_taken_from(of_blocked)?);
            }
            memory.keep_and_merge(w, digest.fresh.clone(), &settings.search)?;
            let policy = self.parts.policy.current();
            for claim in touched {
                verify_claim(w, claim, &policy, &settings.verification)?;
            }
            counts.refutes = digest.count(Stance::Refutes);
            let fresh = digest.cycle.order.len().min(marks.len());
            let own = Marks(marks[marks.len() - fresh..].to_vec());
            let not_kept = Some(digest.not_kept);
            let about = digest.about.clone();
            let result =
                AssessResult { counts, marks: own, novelty: novelty.share, not_kept, about };
            Ok((counts, StepResult::Assessed(result)))
        })?;
        Ok((counts, novelty))
    }

    fn counts(&self, digest: &Digest, memory: &mut TaskMemory) -> Counts {
        let useful = digest.useful.iter().map(|it| &digest.cycle.passages[it.passage]);
        let texts: Vec<&str> = useful.map(|passage| passage.text.as_str()).collect();
        Counts {
            pages: digest.cycle.pages.len(),
            passages: digest.cycle.passages.len(),
            useful: digest.useful.len(),
            new_useful: digest.fresh.len(),
            claims: digest.claims.new.len(),
            merged: digest.claims.merged,
            supports: digest.count(Stance::Supports),
            refutes: digest.count(Stance::Refutes),
            neutral: digest.count(Stance::Neutral),
            abstained: digest.verdicts.abstained.len(),
            left_out_passages: digest.cycle.left_out,
            dangerous_pages: digest.cycle.dangerous.len(),
            unique_ngrams: memory.unique_ngrams(&texts, &self.parts.settings.novelty),
        }
    }

    /// Pages that speak to machines: their domain is blocked, unless people vouch for it, and the fact is logged. Gives
    /// the sites of these pages.
    fn record_danger(
        &self,
        w: &Writer<'_>,
        task: TaskId,
        digest: &Digest,
    ) -> graph::Result<BTreeSet<Publisher>> {
        let policy = self.parts.policy.current();
        let mut sites = BTreeSet::new();
        for id in &digest.cycle.dangerous {
            let page = &digest.cycle.pages[id];
            let flags = flags_of(page)?;
            let places: Vec<String> = flags
                .iter()
                .map(|it| format!("{}@page:{}-{}", it.name, it.char_start, it.char_end))
                .collect();
            let names: BTreeSet<String> = flags.into_iter().map(|it| it.name).collect();
            tracing::warn!(
                target: "audit",
                source = %id,
                domain = page.domain,
                patterns = places.join(" "),
                found = places.len(),
                "a page addresses machines"
            );
            let found = graph::Cause::new("page_dangerous")
                .in_task(task)
                .about("page", id)
                .with(json!({ "url": page.url, "patterns": names }))
                .after(w.cause()?);
            w.record_event(found)?;
            // Earlier versions recorded a file under the host it named; that host did not serve it.
            let was_served = page.url.starts_with("http") && Publisher::is_host(&page.domain);
            if was_served && !names.is_empty() {
                let detail = names.into_iter().collect::<Vec<_>>().join(", ");
                w.block_domain_recorded(
                    &page.domain,
                    BlockReason::DangerousPattern,
                    &detail,
                    &policy,
                )?;
                sites.insert(Publisher::of_domain(&page.domain));
            }
        }
        Ok(sites)
    }

    fn record_useful(
        &self,
        w: &Writer<'_>,
        context: &Context,
        digest: &Digest,
    ) -> graph::Result<()> {
        for it in &digest.useful {
            w.select_fragment(
                context.id(),
                &Selected {
                    fragment_id: digest.cycle.passages[it.passage].id,
                    score: it.ranked.score,
                    bm25: it.ranked.bm25,
                    similarity: it.ranked.similarity,
                    reason: it.reason.as_str(),
                },
            )?;
        }
        let model_id = self.parts.embedder.id();
        for id in &digest.vectors.fresh {
            let (target, vector) = (Node::Fragment(*id), &digest.vectors.fragments[id]);
            w.record_embedding(&NewEmbedding { target, model_id, vector })?;
        }
        for (id, vector) in &digest.vectors.claims {
            w.record_embedding(&NewEmbedding { target: Node::Claim(*id), model_id, vector })?;
        }
        Ok(())
    }

    fn record_claims(
        &self,
        w: &Writer<'_>,
        context: &Context,
        digest: &Digest,
    ) -> graph::Result<Vec<ClaimId>> {
        let mut ids = Vec::new();
        for NewClaimFound { found, language, vector, .. } in &digest.claims.new {
            let passage = &digest.cycle.passages[digest.useful[found.useful].passage];
            let claim = &found.claim;
            let id = w.record_claim(&NewClaim {
                task_id: context.task.id,
                text: claim.text.clone(),
                language: language.clone(),
                origin_fragment_id: Some(passage.id),
                extraction_method: Some(found.method.clone()),
                extraction_confidence: Some(claim.confidence.clamp(0.0, 1.0)),
            })?;
            let place = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
            w.describe_claim(
                id,
                &ClaimDetails {
                    granularity: Some(claim.granularity.as_str()),
                    polarity: Some(claim.polarity.as_str()),
                    chars: Some(place(claim.chars.start)..place(claim.chars.end)),
                },
            )?;
            if let Some(vector) = vector {
                let (target, model_id) = (Node::Claim(id), self.parts.embedder.id());
                w.record_embedding(&NewEmbedding { target, model_id, vector })?;
            }
            for named in judge::entities(&claim.text) {
                let (kind, normalized) = (named.kind.as_str(), named.normalized());
                w.mention(id, &NewEntity { kind, name: named.name, normalized })?;
            }
            w.note_claim_event(
                id,
                TimelineKind::FirstSeen.as_str(),
                None,
                Some(passage.page_id),
                None,
            )?;
            // What a passage says, it supports.
            w.add_edge(&NewEdge::Stance {
                source: Node::Fragment(passage.id),
                target: id,
                stance: Stance::Supports,
                confidence: self.parts.settings.search.verbatim_confidence,
                model: VERBATIM.to_owned(),
                kind: None,
                about: true,
            })?;
            ids.push(id);
        }
        Ok(ids)
    }
}

/// Pairs that no model judged leave no edge: silence is not neutrality. That none did, and for which language, is
/// logged.
fn record_abstained(
    w: &Writer<'_>,
    task: TaskId,
    digest: &Digest,
    id_of: impl Fn(ClaimRef) -> ClaimId,
) -> graph::Result<()> {
    if digest.verdicts.abstained.is_empty() {
        return Ok(());
    }
    let pair = |pair: &Abstained| {
        let (claim, fragment) = (id_of(pair.claim), pair.fragment);
        json!({ "claim": claim, "fragment": fragment, "language": pair.language })
    };
    let pairs: Vec<_> = digest.verdicts.abstained.iter().map(pair).collect();
    let event = graph::Cause::new("stance_abstained")
        .in_task(task)
        .with(json!({ "pairs": pairs }))
        .after(w.cause()?);
    w.record_event(event)?;
    Ok(())
}

impl Digest {
    fn count(&self, stance: Stance) -> usize {
        let given = self.verdicts.given.iter();
        given.filter(|it| it.stance == stance && it.counts()).count()
    }
}

/// The words enums of `judge` go by, so that this file says what is stored.
trait AsWord {
    fn as_str(&self) -> &'static str;
}

impl AsWord for judge::Granularity {
    fn as_str(&self) -> &'static str {
        match self {
            Self::Atomic => "atomic",
            Self::Compound => "compound",
        }
    }
}

impl AsWord for judge::Polarity {
    fn as_str(&self) -> &'static str {
        match self {
            Self::Affirms => "affirms",
            Self::Denies => "denies",
        }
    }
}
