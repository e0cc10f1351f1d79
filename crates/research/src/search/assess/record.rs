//! A digest as rows, in one transaction.

use std::collections::BTreeSet;

use evidence::domain::{BlockReason, DomainPolicy};
use evidence::{ClaimId, FragmentId, JobId, Node, Publisher, Relation, Stance, TaskId};
use graph::{
    ClaimDetails, NewClaim, NewEdge, NewEmbedding, NewEntity, PageForAssessment, Selected, Writer,
};
use judge::{ClaimFacts, SourcePage, TimelineKind, novelty, verify};
use serde_json::json;

use crate::engine::Inner;
use crate::error::Result;
use crate::search::Context;
use crate::search::narratives::source_of_claim;
use crate::search::records::{StoredFlag, flags_of};
use crate::search::steps::{AssessResult, Marks, StepResult};

use super::claims::{ClaimRef, NewClaimFound};
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
            let blocked = self.record_danger(w, digest)?;
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
            touched.extend(claims_of_sites(w, context.task.id, &blocked)?);
            memory.keep_and_merge(w, digest.fresh.clone(), &settings.search)?;
            for claim in touched {
                self.verify_claim(w, claim)?;
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
    fn record_danger(&self, w: &Writer<'_>, digest: &Digest) -> graph::Result<BTreeSet<Publisher>> {
        let policy = self.parts.policy.current();
        let mut sites = BTreeSet::new();
        for id in &digest.cycle.dangerous {
            let page = &digest.cycle.pages[id];
            let names: BTreeSet<String> = flags_of(page)?.into_iter().map(|it| it.name).collect();
            tracing::warn!(
                target: "audit",
                page = %id,
                domain = page.domain,
                patterns = names.iter().cloned().collect::<Vec<_>>().join(" "),
                "a page addresses machines"
            );
            let found = graph::Cause::new("page_dangerous")
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

    /// What the sources of a claim make of it now.
    fn verify_claim(&self, w: &Writer<'_>, claim: ClaimId) -> graph::Result<()> {
        let pages = w.source_pages_of(claim)?;
        let of = |relation: Relation| -> Vec<SourcePage> {
            pages.iter().filter(|it| it.relation == relation).map(source_of_claim).collect()
        };
        let (supporting, refuting) = (of(Relation::Supports), of(Relation::Refutes));
        let policy = self.parts.policy.current();
        let origin = Origin::of(w, claim)?;
        let danger = origin.as_ref().map(|it| it.danger(w)).transpose()?.unwrap_or_default();
        let blocked = match &origin {
            Some(it) => it.is_blocked(w, &policy)?,
            None => false,
        };
        let facts = ClaimFacts {
            supporting: &supporting,
            refuting: &refuting,
            dangerous: !danger.is_empty(),
            blocked,
        };
        if facts.dangerous {
            let detail = danger.into_iter().collect::<Vec<_>>().join(", ");
            return w.reject_dangerous_claim(claim, &detail, &policy);
        }
        let verified = verify(&facts, &self.parts.settings.verification);
        w.verify_claim(claim, verified.status, Some(verified.reason))?;
        if verified.promotes {
            for page in pages.iter().filter(|it| it.relation == Relation::Supports) {
                if Publisher::is_host(&page.domain)
                    && judge::promoted(page.category, &verified).is_some()
                {
                    w.promote_domain(&page.domain)?;
                }
            }
        }
        Ok(())
    }
}

/// Where a claim was taken from.
struct Origin {
    fragment: FragmentId,
    page: PageForAssessment,
}

impl Origin {
    /// Nothing for a hypothesis.
    fn of(w: &Writer<'_>, claim: ClaimId) -> graph::Result<Option<Self>> {
        let Some(fragment) = w.claim(claim)?.origin_fragment_id else { return Ok(None) };
        let page = w.page_for_assessment(w.fragment(fragment)?.page_id)?;
        Ok(Some(Self { fragment, page }))
    }

    /// The patterns in the passage that speak to a machine.
    fn danger(&self, w: &Writer<'_>) -> graph::Result<BTreeSet<String>> {
        let flags = flags_of(&self.page)?;
        if flags.is_empty() {
            return Ok(BTreeSet::new());
        }
        let passages = w.passages_of(self.page.id)?;
        let own = passages.into_iter().find(|it| it.id == self.fragment).and_then(|it| it.chars);
        let inside = |it: &StoredFlag| {
            own.is_some_and(|(start, end)| it.char_start < end && start < it.char_end)
        };
        Ok(flags.into_iter().filter(inside).map(|it| it.name).collect())
    }

    fn is_blocked(&self, w: &Writer<'_>, policy: &DomainPolicy) -> graph::Result<bool> {
        let domain = &self.page.domain;
        Ok(Publisher::is_host(domain) && w.decide(domain, policy)?.blocked.is_some())
    }
}

/// The claims of a task that were taken from pages of these sites.
fn claims_of_sites(
    w: &Writer<'_>,
    task: TaskId,
    sites: &BTreeSet<Publisher>,
) -> graph::Result<Vec<ClaimId>> {
    let mut claims = Vec::new();
    if sites.is_empty() {
        return Ok(claims);
    }
    for page in w.read_pages_of(task)? {
        if sites.contains(&Publisher::of_domain(&page.domain)) {
            claims.extend(w.claims_from(task, page.id)?);
        }
    }
    Ok(claims)
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
