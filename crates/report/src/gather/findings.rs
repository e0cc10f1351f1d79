//! A claim and its judgements become a finding: sides, quotes, caveats.

use std::collections::{BTreeMap, BTreeSet};

use evidence::{ClaimId, Confidence, PageId, Publisher, Relation};
use graph::{ClaimMaterial, EvidenceMaterial, PageMaterial, TaskMaterials};
use judge::{SourcePage, independent_sources, is_primary};

use super::countable;
use super::pages::{Pages, year_of};
use super::quote::quote;
use crate::ReportSettings;
use crate::report::{Caveat, Copy, Evidence, Finding, Improvement, Standing};

/// The certainty a further passage is assumed to be judged with.
const NEXT_CERTAINTY: f64 = 0.9;

/// A claim that counts and has evidence one can cite on at least one side.
#[derive(Debug)]
pub(super) struct Judged<'m> {
    pub(super) claim: &'m ClaimMaterial,
    pub(super) confidence: Confidence,
    pub(super) standing: Standing,
    pub(super) independent_sources: u32,
    /// All of them, neutral ones included.
    pub(super) judgements: Vec<&'m EvidenceMaterial>,
    pub(super) supporting: Vec<Passage<'m>>,
    pub(super) refuting: Vec<Passage<'m>>,
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
            let side = |relation| side(&judgements, relation, pages);
            let (supporting, refuting) = (side(Relation::Supports), side(Relation::Refutes));
            let standing = match (supporting.is_empty(), refuting.is_empty()) {
                (true, true) => return None,
                (false, true) => Standing::Supported,
                (false, false) => Standing::Disputed,
                (true, false) => Standing::Refuted,
            };
            let edges = judgements.iter().map(|it| (it.relation, it.nli_confidence));
            Some(Judged {
                claim,
                confidence: Confidence::from_edges(edges),
                standing,
                independent_sources: independent(&supporting),
                withdrawn: withdrawn.contains(&claim.id),
                judgements,
                supporting,
                refuting,
            })
        })
        .collect()
}

/// The passages on one side: primary sources first, then the surest.
fn side<'m>(
    judgements: &[&'m EvidenceMaterial],
    relation: Relation,
    pages: &Pages<'m>,
) -> Vec<Passage<'m>> {
    let mut side: Vec<Passage<'m>> = judgements
        .iter()
        .filter(|it| it.relation == relation && it.fragment_id.is_some() && it.text.is_some())
        .filter_map(|it| Some(Passage { judgement: it, page: pages.get(it.page_id?)? }))
        .collect();
    side.sort_by(|a, b| {
        let key = |it: &Passage<'_>| (!is_primary(it.judgement.source_category), it.page.category);
        key(a)
            .0
            .cmp(&key(b).0)
            .then_with(|| b.judgement.nli_confidence.total_cmp(&a.judgement.nli_confidence))
            .then_with(|| key(a).1.cmp(&key(b).1))
            .then_with(|| a.judgement.edge_id.cmp(&b.judgement.edge_id))
    });
    side
}

fn independent(passages: &[Passage<'_>]) -> u32 {
    let page = |passage: &Passage<'_>| SourcePage {
        publisher: Publisher::of_page(&passage.page.domain, passage.page.work_id),
        cluster: cluster(passage.page),
        category: passage.page.category,
    };
    let pages: Vec<SourcePage> = passages.iter().map(page).collect();
    independent_sources(&pages) as u32
}

/// A page that was not compared with others tells a text of its own.
pub(super) fn cluster(page: &PageMaterial) -> String {
    page.narrative_cluster.clone().unwrap_or_else(|| page.id.to_string())
}

impl Judged<'_> {
    /// Whether all sources that support it were retracted.
    pub(super) fn rests_on_retracted(&self) -> bool {
        !self.supporting.is_empty()
            && self.supporting.iter().all(|it| it.page.retracted_at.is_some())
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
        let years =
            || self.supporting.iter().chain(&self.refuting).filter_map(|it| year_of(it.page));
        let supported_by = cited(&self.supporting, pages);
        let caveats = self.caveats(pages, options);
        Finding {
            number,
            claim_id: self.claim.id,
            text: self.claim.text.clone(),
            standing: self.standing,
            confidence: self.confidence,
            independent_sources: self.independent_sources,
            has_primary_source: self.has_primary_source(),
            verification: self.claim.verification,
            verification_reason: self.claim.verification_reason.clone(),
            supported_by,
            refuted_by: cited(&self.refuting, pages),
            supporting,
            refuting,
            neutral_count: self
                .judgements
                .iter()
                .filter(|it| it.relation == Relation::Neutral)
                .count() as u32,
            supporting_left_out,
            refuting_left_out,
            oldest_year: years().min(),
            newest_year: years().max(),
            caveats,
            improvements: self.improvements(options),
        }
    }

    /// Whether it has the sources a report asks for: enough independent ones, or a primary one and another.
    pub(super) fn is_corroborated(&self, options: &ReportSettings) -> bool {
        let found = self.independent_sources;
        found >= options.wanted_sources || (self.has_primary_source() && found >= 2)
    }

    fn has_primary_source(&self) -> bool {
        self.supporting.iter().any(|it| is_primary(it.judgement.source_category))
    }

    /// The quotes of one side. Pages that tell the same text are listed with the first of them.
    fn written(
        &self,
        side: &[Passage<'_>],
        pages: &mut Pages<'_>,
        options: &ReportSettings,
    ) -> (Vec<Evidence>, u32) {
        let first = first_of_clusters(side);
        let (mut quotes, mut left_out) = (Vec::<Evidence>::new(), 0);
        for passage in side.iter().filter(|it| first.get(&cluster(it.page)) == Some(&it.page.id)) {
            let source = pages.number(passage.page.id);
            if quotes.len() < options.max_quotes {
                quotes.push(self.evidence(passage, source, options));
            } else {
                left_out += 1;
            }
        }
        for passage in side.iter().filter(|it| first.get(&cluster(it.page)) != Some(&it.page.id)) {
            let source = pages.number(passage.page.id);
            let told_by = first.get(&cluster(passage.page));
            let quote = quotes.iter_mut().find(|it| Some(&it.page_id) == told_by);
            if let Some(quote) = quote
                && quote.copies.iter().all(|it| it.source != source)
            {
                quote.copies.push(Copy {
                    source,
                    page_id: passage.page.id,
                    title: passage.page.title.clone(),
                    url: passage.page.url.clone(),
                    category: passage.page.category,
                });
            }
        }
        (quotes, left_out)
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
            category: judgement.source_category,
            title: page.title.clone(),
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
        let confidence = self.confidence.confidence;
        if self.withdrawn {
            caveats.push(Caveat::Withdrawn);
        }
        let retracted: BTreeSet<u32> = self
            .supporting
            .iter()
            .filter(|it| it.page.retracted_at.is_some())
            .map(|it| pages.number(it.page.id))
            .collect();
        if !retracted.is_empty() {
            caveats.push(Caveat::RetractedSource { sources: retracted.into_iter().collect() });
        }
        if confidence < 0.5 {
            caveats.push(Caveat::SpeaksAgainst);
        } else if confidence < options.min_confidence {
            caveats.push(Caveat::LowConfidence { threshold: options.min_confidence });
        }
        if self.standing == Standing::Disputed {
            caveats.push(Caveat::EvidenceOnBothSides);
        }
        let (found, wanted) = (self.independent_sources, options.wanted_sources);
        let distinct = distinct(self.supporting.iter().map(|it| it.page.id));
        let clusters = distinct_texts(&self.supporting);
        if distinct > 1 && clusters == 1 {
            caveats.push(Caveat::OneNarrative { pages: distinct as u32 });
        }
        if self.standing != Standing::Refuted && !self.is_corroborated(options) {
            caveats.push(Caveat::FewIndependentSources { found, wanted });
        }
        if self.standing != Standing::Refuted && !self.has_primary_source() {
            caveats.push(Caveat::NoPrimarySource);
        }
        caveats
    }

    fn improvements(&self, options: &ReportSettings) -> Vec<Improvement> {
        let threshold = options.min_confidence;
        if self.confidence.confidence >= threshold {
            return Vec::new();
        }
        let mut improvements = Vec::new();
        if self.standing != Standing::Supported {
            improvements.push(Improvement::SettleDispute);
        }
        improvements.push(Improvement::MoreSupport {
            passages: passages_to(threshold, &self.confidence),
            certainty: NEXT_CERTAINTY,
            threshold,
        });
        let more = options.wanted_sources.saturating_sub(self.independent_sources);
        if more > 0 {
            improvements.push(Improvement::MoreIndependentSources { more });
        }
        if !self.has_primary_source() {
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

/// The page that represents its cluster: the best category, then the earliest.
fn first_of_clusters(side: &[Passage<'_>]) -> BTreeMap<String, PageId> {
    let mut first: BTreeMap<String, &PageMaterial> = BTreeMap::new();
    let key = |page: &PageMaterial| {
        let date = page.published_at.clone().or_else(|| page.year.map(|it| it.to_string()));
        (page.category, date.is_none(), date, page.id)
    };
    for Passage { page, .. } in side {
        let known = first.entry(cluster(page)).or_insert(page);
        if key(page) < key(known) {
            *known = page;
        }
    }
    first.into_iter().map(|(cluster, page)| (cluster, page.id)).collect()
}

/// The sources of a side, one for each text, in the order of its passages.
fn cited(side: &[Passage<'_>], pages: &mut Pages<'_>) -> Vec<u32> {
    let first = first_of_clusters(side);
    let mut cited = Vec::new();
    for passage in side.iter().filter(|it| first.get(&cluster(it.page)) == Some(&it.page.id)) {
        let number = pages.number(passage.page.id);
        if !cited.contains(&number) {
            cited.push(number);
        }
    }
    cited
}

fn distinct<T: Ord>(values: impl Iterator<Item = T>) -> usize {
    values.collect::<BTreeSet<_>>().len()
}

fn distinct_texts(side: &[Passage<'_>]) -> usize {
    distinct(side.iter().map(|it| cluster(it.page)))
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
