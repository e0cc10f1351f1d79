//! The claims of a cycle: extracted from the passages that were kept, and merged with those the task has.

use evidence::{FragmentId, Stance};
use judge::{
    ClaimSource, Comparable, Content, ExtractedClaim, Sides, compare, extract_claims, unit_cosine,
};

use crate::calls::Stage;
use crate::engine::{Engine, Inner, language_of};
use crate::error::Result;
use crate::search::Context;

use super::memory::KnownClaim;
use super::passages::{Cycle, Useful};
use super::stances::{RULES, Verdict, Verdicts};

/// Claims that share less meaning than this cannot be the same; comparing their words is spared.
const UNLIKE: f64 = 0.5;

/// A claim as it was found in a passage.
#[derive(Debug, Clone)]
pub(super) struct FoundClaim {
    /// Its place in the list of useful passages.
    pub(super) useful: usize,
    pub(super) claim: ExtractedClaim,
    /// Who found it.
    pub(super) method: String,
}

/// A claim of the task, stored or about to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ClaimRef {
    /// The place in [`Claims::known`].
    Known(usize),
    /// The place in [`Claims::new`].
    New(usize),
}

#[derive(Debug, Clone)]
pub(super) struct NewClaimFound {
    pub(super) found: FoundClaim,
    pub(super) language: Option<String>,
    pub(super) vector: Option<Vec<f32>>,
    /// It taken apart, as others are compared with it.
    pub(super) content: Content,
}

/// The claims a digest is about.
#[derive(Debug, Default)]
pub(super) struct Claims {
    pub(super) known: Vec<KnownClaim>,
    pub(super) new: Vec<NewClaimFound>,
    /// Which useful passages say what a claim says, or the opposite, in the order they were found.
    pub(super) said_in: Vec<(ClaimRef, usize)>,
    /// Of these, the ones that say the very opposite.
    denied_in: Vec<(ClaimRef, usize)>,
    /// Claims that were found again, from either side.
    pub(super) merged: usize,
}

impl Claims {
    pub(super) fn text(&self, claim: ClaimRef) -> &str {
        match claim {
            ClaimRef::Known(it) => &self.known[it].text,
            ClaimRef::New(it) => &self.new[it].found.claim.text,
        }
    }

    /// A passage that says the very opposite of a claim refutes it, whatever the judge made of the pair. `fragments`
    /// are the useful passages.
    pub(super) fn hear_opposites(
        &self,
        fragments: &[FragmentId],
        confidence: f64,
        verdicts: &mut Verdicts,
    ) {
        for (claim, useful) in &self.denied_in {
            let fragment = fragments[*useful];
            let is_pair = |it: (ClaimRef, FragmentId)| it == (*claim, fragment);
            let abstained = verdicts.abstained.len();
            verdicts.abstained.retain(|it| !is_pair((it.claim, it.fragment)));
            let given = verdicts.given.iter_mut().find(|it| is_pair((it.claim, it.fragment)));
            match given {
                Some(verdict) if verdict.stance != Stance::Refutes => {
                    verdict.stance = Stance::Refutes;
                    verdict.confidence = confidence;
                    verdict.model = RULES.to_owned();
                }
                None if verdicts.abstained.len() < abstained => verdicts.given.push(Verdict {
                    claim: *claim,
                    fragment,
                    stance: Stance::Refutes,
                    confidence,
                    model: RULES.to_owned(),
                    kind: None,
                    about: true,
                }),
                // The judge says so, too; or the pair was judged in an earlier cycle, or stands on one page.
                Some(_) | None => {}
            }
        }
    }
}

impl Engine {
    /// Finds claims in the passages that were kept: by the language model as long as its share of time lasts, by
    /// rules otherwise.
    pub(super) async fn find_claims(
        &self,
        context: &Context,
        cycle: &Cycle,
        useful: &[Useful],
        llm_seconds: &mut f64,
    ) -> Result<Vec<FoundClaim>> {
        let settings = &self.inner.parts.settings;
        let mut found = Vec::new();
        for (nth, it) in useful.iter().enumerate() {
            if found.len() >= settings.search.claims_per_cycle {
                break;
            }
            let passage = &cycle.passages[it.passage];
            let source = ClaimSource {
                title: cycle.page_of(it.passage).title.as_deref(),
                headings: &passage.headings,
                text: &passage.text,
                language: passage.language.as_deref(),
            };
            self.inner.at_work(context.id(), Stage::Extracting, nth, useful.len());
            let by_model = match nth < settings.search.llm_passages_per_cycle {
                true => self.ask_model_for_claims(context, &source, llm_seconds).await?,
                false => None,
            };
            let (mut claims, method) = by_model.unwrap_or_else(|| {
                (extract_claims(&source, &settings.claims), "extractive".to_owned())
            });
            claims.sort_by(|a, b| {
                b.confidence.total_cmp(&a.confidence).then(a.chars.start.cmp(&b.chars.start))
            });
            claims.truncate(settings.search.claims_per_passage);
            found.extend(claims.into_iter().map(|claim| FoundClaim {
                useful: nth,
                claim,
                method: method.clone(),
            }));
        }
        found.truncate(settings.search.claims_per_cycle);
        Ok(found)
    }
}

impl Inner {
    /// Tells claims that are new from those the task has in other words, or from the other side.
    pub(super) fn merge_claims(
        &self,
        cycle: &Cycle,
        useful: &[Useful],
        found: Vec<FoundClaim>,
        known: Vec<KnownClaim>,
    ) -> Result<Claims> {
        let mut claims = Claims { known, ..Claims::default() };
        let texts: Vec<&str> = found.iter().map(|it| it.claim.text.as_str()).collect();
        let embedded = self.embed_texts(&texts)?;
        let settings = &self.parts.settings.same;
        for (found, vector) in found.into_iter().zip(embedded) {
            let content = Content::of(&found.claim.text);
            let own = Comparable { content: &content, vector: vector.as_deref() };
            let sides = |other: &Content, vector: Option<&[f32]>| {
                let is_near = || match (own.vector, vector) {
                    (Some(a), Some(b)) => unit_cosine(a, b).is_some_and(|it| it >= UNLIKE),
                    _ => true,
                };
                let comparable = content.same_numbers(other) && is_near();
                comparable.then(|| compare(own, Comparable { content: other, vector }, settings))?
            };
            let known = claims.known.iter().enumerate().filter(|(_, it)| !it.is_hypothesis);
            let known = known.map(|(nth, it)| (ClaimRef::Known(nth), &it.content, &it.vector));
            let new = claims.new.iter().enumerate();
            let new = new.map(|(nth, it)| (ClaimRef::New(nth), &it.content, &it.vector));
            let mut opposite = None;
            let same = known.chain(new).find_map(|(claim, other, vector)| {
                match sides(other, vector.as_deref())? {
                    Sides::Same => Some(claim),
                    Sides::Opposite => {
                        opposite = opposite.or(Some(claim));
                        None
                    }
                }
            });
            let useful_place = found.useful;
            let claim = match (same, opposite) {
                (Some(claim), _) => {
                    claims.merged += 1;
                    claim
                }
                (None, Some(claim)) => {
                    claims.merged += 1;
                    claims.denied_in.push((claim, useful_place));
                    claim
                }
                (None, None) => {
                    let passage = &cycle.passages[useful[found.useful].passage];
                    let language =
                        language_of(&found.claim.text).or_else(|| passage.language.clone());
                    claims.new.push(NewClaimFound { found, language, vector, content });
                    ClaimRef::New(claims.new.len() - 1)
                }
            };
            if !claims.said_in.contains(&(claim, useful_place)) {
                claims.said_in.push((claim, useful_place));
            }
        }
        Ok(claims)
    }
}
