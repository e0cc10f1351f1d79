//! What its sources make of a claim now: asked after each assessment, and again when a person decides about a domain.
//!
//! Of a page that speaks to machines nothing is believed, unless people vouch for its publisher: then only the
//! passages are left out that do.

use std::collections::BTreeSet;

use evidence::domain::{DomainPolicy, OverrideDecision};
use evidence::{ClaimId, FragmentId, Publisher, Relation, Verification};
use graph::{PageForAssessment, Reader, Writer};
use judge::{ClaimFacts, SourcePage, VerificationSettings, verify};
use serde::Serialize;

use crate::search::{StoredFlag, flags_of, source_of_claim};

/// How many claims a decision moved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ClaimsMoved {
    /// Rejected from now on, because of where they come from.
    pub rejected: usize,
    /// Rejected until now, and judged by their sources again.
    pub brought_back: usize,
}

/// Verifies the claims of all tasks again that were taken from pages of the hosts that `covers` names.
pub fn verify_claims_from(
    w: &Writer<'_>,
    covers: impl Fn(&str) -> bool,
    policy: &DomainPolicy,
    settings: &VerificationSettings,
) -> graph::Result<ClaimsMoved> {
    let mut moved = ClaimsMoved::default();
    for id in w.claims_taken_from(covers)? {
        let before = w.claim(id)?.source_verification_status;
        verify_claim(w, id, policy, settings)?;
        let now = w.claim(id)?.source_verification_status;
        match (before == Verification::Rejected, now == Verification::Rejected) {
            (false, true) => moved.rejected += 1,
            (true, false) => moved.brought_back += 1,
            _ => {}
        }
    }
    Ok(moved)
}

/// What the sources of a claim make of it now.
pub(crate) fn verify_claim(
    w: &Writer<'_>,
    claim: ClaimId,
    policy: &DomainPolicy,
    settings: &VerificationSettings,
) -> graph::Result<()> {
    let pages = w.source_pages_of(claim)?;
    let of = |relation: Relation| -> Vec<SourcePage> {
        pages.iter().filter(|it| it.relation == relation).map(source_of_claim).collect()
    };
    let (supporting, refuting) = (of(Relation::Supports), of(Relation::Refutes));
    let origin = Origin::of(w, claim)?;
    let danger = origin.as_ref().map(|it| it.danger(w, policy)).transpose()?.unwrap_or_default();
    let blocked = match &origin {
        Some(it) => it.is_blocked(w, policy)?,
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
        return w.reject_dangerous_claim(claim, &detail, policy);
    }
    w.lift_danger(claim)?;
    let verified = verify(&facts, settings);
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

/// Whether people stand behind the publisher of a page: by the policy, or because somebody let its domain be read.
pub(crate) fn is_vouched_for(
    r: &Reader<'_>,
    page: &PageForAssessment,
    policy: &DomainPolicy,
) -> graph::Result<bool> {
    if page.domain_category.only_people_demote() {
        return Ok(true);
    }
    if !Publisher::is_host(&page.domain) {
        return Ok(false);
    }
    let by = r.decide(&page.domain, policy)?.overridden;
    Ok(by.is_some_and(|it| it.decision == OverrideDecision::Unblock))
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

    /// The patterns that speak against the claim: those of its page, or of its passage alone.
    fn danger(&self, w: &Writer<'_>, policy: &DomainPolicy) -> graph::Result<BTreeSet<String>> {
        let flags = flags_of(&self.page)?;
        if flags.is_empty() {
            return Ok(BTreeSet::new());
        }
        let spoilt = flags.iter().any(StoredFlag::spoils_page);
        if spoilt && !is_vouched_for(w, &self.page, policy)? {
            return Ok(flags.into_iter().map(|it| it.name).collect());
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
