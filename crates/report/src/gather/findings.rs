//! A claim and its judgements become a finding: sides, quotes, caveats.

use std::collections::{BTreeMap, BTreeSet};

use evidence::{ClaimId, Confidence, Publisher, Relation, Uncounted};
use graph::{ClaimMaterial, EvidenceMaterial, PageMaterial, TaskMaterials};
use judge::is_primary;

use super::pages::{Pages, document_of, document_title, is_own, year_of};
use super::quote::quote;
use super::{countable, is_hypothesis};
use crate::ReportSettings;
use crate::report::{Caveat, Copy, Evidence, Finding, Improvement, Standing};

/// The certainty a further passage is assumed to be judged with.
const NEXT_CERTAINTY: f64 = 0.9;

/// A claim that counts and has evidence one can cite on at least one side.
#[derive(Debug)]
pub(super) struct Judged<'m> {
    pub(super) claim: &'m ClaimMaterial,
    pub(super) about_question: bool,
    /// Whether a document that takes a side on the hypothesis says it.
    pub(super) of_decider: bool,
    pub(super) confidence: Confidence,
    pub(super) standing: Standing,
    /// All of them, those that count for nothing included.
    pub(super) judgements: Vec<&'m EvidenceMaterial>,
    /// One passage for each independent source.
    pub(super) supporting: Vec<Passage<'m>>,
    pub(super) refuting: Vec<Passage<'m>>,
    /// Passages that take a side and speak with the voice of one that counts.
    pub(super) same_voice: Vec<Passage<'m>>,
    /// Passages of retracted works that take a side.
    pub(super) retracted: Vec<Passage<'m>>,
    /// Whether the claim itself was corrected or retracted.
    pub(super) withdrawn: bool,
}

/// A judged passage together with its page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Passage<'m> {
    pub(super) judgement: &'m EvidenceMaterial,
    pub(super) page: &'m PageMaterial,
}

/// Finds the claims that count and can be cited, in the order they were recorded.
pub(super) fn judged_claims<'m>(
    materials: &'m TaskMaterials,
    pages: &Pages<'m>,
) -> Vec<Judged<'m>> {
    let mut judgements: BTreeMap<ClaimId, Vec<&EvidenceMaterial>> = BTreeMap::new();
    for judgement in &materials.evidence {
        judgements.entry(judgement.claim_id).or_default().push(judgement);
    }
    let withdrawn: BTreeSet<ClaimId> = materials
        .claim_events
        .iter()
        .filter(|it| matches!(it.kind.as_str(), "corrected" | "retracted"))
        .map(|it| it.claim_id)
        .collect();
    countable(materials)
        .filter_map(|claim| {
            let judgements = judgements.remove(&claim.id)?;
            let (supporting, refuting) = sides(&judgements, pages);
            let standing = match (supporting.len(), refuting.len()) {
                (0, 0) => return None,
                (0, _) => Standing::Refuted,
                // That the passage it was taken from says so is no confirmation.
                (1, 0) if claim.origin_fragment_id.is_some() => Standing::OneSource,
                (_, 0) => Standing::Supported,
                _ => Standing::Disputed,
            };
            Some(Judged {
                claim,
                about_question: is_hypothesis(claim),
                of_decider: false,
                confidence: counted_confidence(&judgements),
                standing,
                same_voice: takes_side(&judgements, Some(Uncounted::SameVoice), pages),
                retracted: takes_side(&judgements, Some(Uncounted::Retracted), pages),
                withdrawn: withdrawn.contains(&claim.id),
                judgements,
                supporting,
                refuting,
            })
        })
        .collect()
}

/// What the judgements that count add up to.
pub(super) fn counted_confidence(judgements: &[&EvidenceMaterial]) -> Confidence {
    let counted = judgements.iter().filter(|it| it.uncounted.is_none());
    Confidence::from_edges(counted.map(|it| (it.relation, it.nli_confidence)))
}

/// The passages that support and those that refute, one for each independent source: primary sources first, then those in
/// the language of the question, then the surest.
pub(super) fn sides<'m>(
    judgements: &[&'m EvidenceMaterial],
    pages: &Pages<'m>,
) -> (Vec<Passage<'m>>, Vec<Passage<'m>>) {
    let counted = takes_side(judgements, None, pages);
    counted.into_iter().partition(|it| it.judgement.relation == Relation::Supports)
}

/// The passages that take a side and count, or do not count for this reason.
pub(super) fn takes_side<'m>(
    judgements: &[&'m EvidenceMaterial],
    uncounted: Option<Uncounted>,
    pages: &Pages<'m>,
) -> Vec<Passage<'m>> {
    let takes_side = |it: &&&EvidenceMaterial| {
        matches!(it.relation, Relation::Supports | Relation::Refutes) && it.uncounted == uncounted
    };
    let mut passages: Vec<Passage<'m>> = judgements
        .iter()
        .filter(takes_side)
        .filter(|it| it.fragment_id.is_some() && it.text.is_some())
        .filter_map(|it| Some(Passage { judgement: it, page: pages.get(it.page_id?)? }))
        .collect();
    passages.sort_by(|a, b| {
        let key = |it: &Passage<'_>| {
            let is_foreign = pages.is_foreign(it.judgement.text.as_deref());
            ((!is_primary(it.judgement.source_category), is_foreign), it.page.category)
        };
        key(a)
            .0
            .cmp(&key(b).0)
            .then_with(|| b.judgement.nli_confidence.total_cmp(&a.judgement.nli_confidence))
            .then_with(|| key(a).1.cmp(&key(b).1))
            .then_with(|| a.judgement.edge_id.cmp(&b.judgement.edge_id))
    });
    passages
}

impl Passage<'_> {
    /// Whether both speak with one voice: copies of one text, or pages of one publisher.
    fn is_one_source_with(&self, other: &Self) -> bool {
        let publisher = |it: &Self| Publisher::of_page(&it.page.domain, it.page.work_id);
        cluster(self.page) == cluster(other.page) || publisher(self) == publisher(other)
    }
}

/// A page that was not compared with others tells a text of its own.
pub(super) fn cluster(page: &PageMaterial) -> String {
    page.narrative_cluster.clone().unwrap_or_else(|| page.id.to_string())
}

/// A confidence as it is shown: what is said of it must be true of the number beside it.
pub(super) fn rounded(confidence: f64) -> f64 {
    (confidence * 100.0).round() / 100.0
}

impl Judged<'_> {
    pub(super) fn independent_sources(&self) -> u32 {
        self.supporting.len() as u32
    }

    /// Whether it rests on more than one source and reaches the confidence a report asks for.
    pub(super) fn is_confident(&self, options: &ReportSettings) -> bool {
        self.standing != Standing::OneSource
            && rounded(self.confidence.confidence) >= options.min_confidence
    }

    /// Writes the claim out. Its sources get their numbers here, in the order they are met.
    pub(super) fn finding(
        &self,
        number: u32,
        pages: &mut Pages<'_>,
        options: &ReportSettings,
    ) -> Finding {
        let (supporting, supporting_left_out) = self.written(&self.supporting, pages, options);
        let (refuting, refuting_left_out) = self.written(&self.refuting, pages, options);
        let (retracted, _) = self.written(&self.retracted, pages, options);
        let years =
            || self.supporting.iter().chain(&self.refuting).filter_map(|it| year_of(it.page));
        let neutral = self
            .judgements
            .iter()
            .filter(|it| it.relation == Relation::Neutral && it.uncounted.is_none());
        Finding {
            number,
            claim_id: self.claim.id,
            text: self.claim.text.clone(),
            about_question: self.about_question,
            standing: self.standing,
            confidence: self.confidence,
            independent_sources: self.independent_sources(),
            has_primary_source: self.has_primary_source(),
            verification: self.claim.verification,
            verification_reason: self.claim.verification_reason.clone(),
            supported_by: cited(&self.supporting, pages),
            refuted_by: cited(&self.refuting, pages),
            supporting,
            refuting,
            retracted,
            neutral_count: neutral.count() as u32,
            supporting_left_out,
            refuting_left_out,
            oldest_year: years().min(),
            newest_year: years().max(),
            caveats: self.caveats(pages, options),
            improvements: self.improvements(options),
        }
    }

    /// Whether it has the sources a report asks for: enough independent ones, or a primary one and another.
    pub(super) fn is_corroborated(&self, options: &ReportSettings) -> bool {
        let found = self.independent_sources();
        found >= options.wanted_sources || (self.has_primary_source() && found >= 2)
    }

    fn has_primary_source(&self) -> bool {
        self.supporting.iter().any(|it| is_primary(it.judgement.source_category))
    }

    /// Whether a primary source is wanted and missing. Who hands in documents has chosen the sources.
    fn lacks_primary_source(&self) -> bool {
        !self.has_primary_source()
            && !(self.supporting.iter().chain(&self.refuting)).all(|it| is_own(it.page))
    }

    /// The quotes of one side, with other pages of each source that say so, too.
    fn written(
        &self,
        side: &[Passage<'_>],
        pages: &mut Pages<'_>,
        options: &ReportSettings,
    ) -> (Vec<Evidence>, u32) {
        let shown = side.len().min(options.max_quotes);
        let mut quotes: Vec<Evidence> = Vec::new();
        for passage in &side[..shown] {
            let source = pages.number(passage.page);
            quotes.push(self.evidence(passage, source, options));
        }
        for passage in &side[shown..] {
            pages.number(passage.page);
        }
        for (passage, quote) in side.iter().zip(&mut quotes) {
            let says_so = self.same_voice.iter().filter(|it| {
                it.judgement.relation == passage.judgement.relation
                    && document_of(&it.page.url) != document_of(&passage.page.url)
                    && it.is_one_source_with(passage)
            });
            for Passage { page, .. } in says_so {
                let source = pages.number(page);
                if quote.copies.iter().all(|it| it.source != source) {
                    quote.copies.push(Copy {
                        source,
                        page_id: page.id,
                        title: document_title(page),
                        url: page.url.clone(),
                        category: page.category,
                    });
                }
            }
        }
        (quotes, (side.len() - shown) as u32)
    }

    fn evidence(&self, passage: &Passage<'_>, source: u32, options: &ReportSettings) -> Evidence {
        let (judgement, page) = (passage.judgement, passage.page);
        let text = judgement.text.as_deref().unwrap_or_default();
        let is_origin = judgement.fragment_id == self.claim.origin_fragment_id;
        let rests_on = if is_origin { self.claim.origin_chars } else { None };
        let quote = quote(text, rests_on, &self.claim.text, options.max_quote_chars);
        Evidence {
            edge_id: judgement.edge_id,
            source,
            page_id: page.id,
            fragment_id: judgement.fragment_id.expect("a side holds passages only"),
            source_type: judgement.source_type,
            quote: quote.text.to_owned(),
            cut_before: quote.cut_before,
            cut_after: quote.cut_after,
            primary: is_primary(judgement.source_category),
            own_document: is_own(page),
            category: judgement.source_category,
            statement_kind: judgement.statement_kind,
            title: document_title(page),
            url: page.url.clone(),
            deep_link: judgement.deep_link.clone(),
            headings: judgement.headings.clone(),
            year: year_of(page),
            published_at: page.published_at.clone(),
            archive: super::pages::archive(page),
            found_at: judgement.found_at.unwrap_or(page.created_at),
            nli_confidence: judgement.nli_confidence,
            nli_model: judgement.nli_model.clone(),
            human_corrected: judgement.human_corrected,
            is_origin,
            flagged: !super::security::flags(page).is_empty(),
            retracted_at: page.retracted_at,
            copies: Vec::new(),
        }
    }

    fn caveats(&self, pages: &mut Pages<'_>, options: &ReportSettings) -> Vec<Caveat> {
        let mut caveats = Vec::new();
        if self.withdrawn {
            caveats.push(Caveat::Withdrawn);
        }
        if !self.retracted.is_empty() {
            caveats.push(Caveat::RetractedSource { sources: cited(&self.retracted, pages) });
        }
        let confidence = rounded(self.confidence.confidence);
        if confidence < 0.5 {
            caveats.push(Caveat::SpeaksAgainst);
        } else if self.standing != Standing::OneSource && confidence < options.min_confidence {
            caveats.push(Caveat::LowConfidence { threshold: options.min_confidence });
        }
        if self.standing == Standing::Disputed {
            caveats.push(Caveat::EvidenceOnBothSides);
        }
        if let [only] = self.supporting.as_slice() {
            let same_text = self.same_voice.iter().filter(|it| {
                it.judgement.relation == Relation::Supports
                    && it.page.id != only.page.id
                    && cluster(it.page) == cluster(only.page)
            });
            let copies: BTreeSet<_> = same_text.map(|it| it.page.id).collect();
            if !copies.is_empty() {
                caveats.push(Caveat::OneNarrative { pages: copies.len() as u32 + 1 });
            }
        }
        if matches!(self.standing, Standing::Supported | Standing::Disputed)
            && !self.is_corroborated(options)
        {
            let (found, wanted) = (self.independent_sources(), options.wanted_sources);
            caveats.push(Caveat::FewIndependentSources { found, wanted });
        }
        if self.standing != Standing::Refuted && self.lacks_primary_source() {
            caveats.push(Caveat::NoPrimarySource);
        }
        caveats
    }

    fn improvements(&self, options: &ReportSettings) -> Vec<Improvement> {
        let threshold = options.min_confidence;
        let is_alone = self.standing == Standing::OneSource;
        if !is_alone && rounded(self.confidence.confidence) >= threshold {
            return Vec::new();
        }
        let mut improvements = Vec::new();
        if matches!(self.standing, Standing::Disputed | Standing::Refuted) {
            improvements.push(Improvement::SettleDispute);
        }
        if !is_alone {
            improvements.push(Improvement::MoreSupport {
                passages: passages_to(threshold, &self.confidence),
                certainty: NEXT_CERTAINTY,
                threshold,
            });
        }
        let more = options.wanted_sources.saturating_sub(self.independent_sources());
        if more > 0 {
            improvements.push(Improvement::MoreIndependentSources { more });
        }
        if self.lacks_primary_source() {
            improvements.push(Improvement::PrimarySource);
        }
        improvements
    }
}

/// How many supporting passages of [`NEXT_CERTAINTY`] bring a confidence to the threshold:
/// `(alpha + n c) / (alpha + beta + n c) >= t` solved for `n`.
fn passages_to(threshold: f64, now: &Confidence) -> u32 {
    let missing = threshold * (now.alpha + now.beta) - now.alpha;
    let each = NEXT_CERTAINTY * (1.0 - threshold);
    // Just under, so that a sum that is exact on paper does not ask for one more.
    (missing / each - 1e-9).ceil().max(1.0) as u32
}

/// The sources of a side in the order of its passages, each once.
fn cited(side: &[Passage<'_>], pages: &mut Pages<'_>) -> Vec<u32> {
    let mut cited = Vec::new();
    for passage in side {
        let number = pages.number(passage.page);
        if !cited.contains(&number) {
            cited.push(number);
        }
    }
    cited
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_support_that_is_missing_is_what_the_formula_needs() {
        let after = |edges: &[(Relation, f64)]| Confidence::from_edges(edges.iter().copied());
        let one = after(&[(Relation::Supports, 0.9)]);
        assert_eq!(passages_to(0.7, &one), 1);
        assert!(after(&[(Relation::Supports, 0.9); 2]).confidence >= 0.7);
        let against = after(&[(Relation::Supports, 0.9), (Relation::Refutes, 0.9)]);
        assert_eq!(passages_to(0.7, &against), 3);
        let met = after(&[
            (Relation::Supports, 0.9),
            (Relation::Supports, 0.9),
            (Relation::Supports, 0.9),
            (Relation::Supports, 0.9),
            (Relation::Refutes, 0.9),
        ]);
        assert!(met.confidence >= 0.7, "{}", met.confidence);
    }
}
