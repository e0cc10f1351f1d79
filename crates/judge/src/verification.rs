//! What the sources of a claim make of it: a status and the fact behind it.
//!
//! The rule itself is [`evidence::domain::verify_source`]; here it gets its facts from the pages that
//! support and refute a claim. Refutation is recorded and never blocks; a person's word, the denylist
//! and the share of rejected claims are decided elsewhere.

use evidence::domain::{SourceFacts, SourceVerdict, verify_source};
use evidence::{DomainCategory, Verification};
use serde::{Deserialize, Serialize};

use crate::independence::{SourcePage, independent_sources};

/// When the sources of a claim are enough.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VerificationSettings {
    /// So many independent sources verify a claim that nothing refutes.
    pub enough_sources: u32,
}

impl Default for VerificationSettings {
    fn default() -> Self {
        Self { enough_sources: 2 }
    }
}

/// What is known about one claim.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClaimFacts<'a> {
    /// Pages with a passage that supports it, the page it was taken from included.
    pub supporting: &'a [SourcePage],
    pub refuting: &'a [SourcePage],
    /// Something that speaks to a machine was found in the passage it rests on.
    pub dangerous: bool,
    /// The domain it was taken from is blocked.
    pub blocked: bool,
}

/// A status and the fact it follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verified {
    pub status: Verification,
    /// `conflicting_evidence`, `well_supported`, `insufficient_evidence`, `dangerous_pattern`,
    /// `already_blocked`: never an interpretation.
    pub reason: &'static str,
    pub independent_sources: usize,
    /// Unverified domains of supporting pages may become `low`.
    pub promotes: bool,
}

/// Says what the facts make of a claim.
pub fn verify(facts: &ClaimFacts<'_>, settings: &VerificationSettings) -> Verified {
    let independent = independent_sources(facts.supporting);
    let count = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    let SourceVerdict { status, reason, promotes } = verify_source(
        SourceFacts {
            independent_sources: count(independent),
            refuting_sources: count(facts.refuting.len()),
            dangerous_pattern: facts.dangerous,
            domain_blocked: facts.blocked,
        },
        settings.enough_sources,
    );
    Verified { status, reason: reason.as_str(), independent_sources: independent, promotes }
}

/// The category a domain gets when one of its claims is verified; `None` where it stays as it is.
pub fn promoted(category: DomainCategory, verified: &Verified) -> Option<DomainCategory> {
    (category == DomainCategory::Unverified && verified.promotes).then_some(DomainCategory::Low)
}

#[cfg(test)]
mod tests {
    use evidence::Publisher;

    use super::*;

    fn pages() -> [SourcePage; 3] {
        let page = |domain, cluster: &str, category| SourcePage {
            publisher: Publisher::of_domain(domain),
            cluster: cluster.to_owned(),
            category,
        };
        [
            page("a.example", "x", DomainCategory::Unverified),
            page("b.example", "x", DomainCategory::Low),
            page("c.example", "y", DomainCategory::Academic),
        ]
    }

    fn shown(facts: &ClaimFacts<'_>) -> String {
        let it = verify(facts, &VerificationSettings::default());
        format!("{} {} {} {}", it.status, it.reason, it.independent_sources, it.promotes)
    }

    #[test]
    fn facts_lead_to_one_status_each() {
        let pages = pages();
        let facts = ClaimFacts::default();
        assert_eq!(shown(&facts), "pending insufficient_evidence 0 false");
        let copies = ClaimFacts { supporting: &pages[..2], ..facts };
        assert_eq!(shown(&copies), "pending insufficient_evidence 1 false");
        let supported = ClaimFacts { supporting: &pages, ..facts };
        assert_eq!(shown(&supported), "verified well_supported 2 true");
        let disputed = ClaimFacts { refuting: &pages[2..], ..supported };
        assert_eq!(shown(&disputed), "pending conflicting_evidence 2 false");
        let dangerous = ClaimFacts { dangerous: true, ..supported };
        assert_eq!(shown(&dangerous), "rejected dangerous_pattern 2 false");
        let blocked = ClaimFacts { blocked: true, ..supported };
        assert_eq!(shown(&blocked), "rejected already_blocked 2 false");
    }

    #[test]
    fn only_unverified_domains_are_promoted_and_only_by_verified_claims() {
        let settings = VerificationSettings::default();
        let verified =
            verify(&ClaimFacts { supporting: &pages(), ..Default::default() }, &settings);
        let promoted: Vec<_> =
            DomainCategory::ALL.iter().map(|it| promoted(*it, &verified)).collect();
        assert_eq!(promoted, [None, None, None, None, None, Some(DomainCategory::Low), None]);
        let pending = verify(&ClaimFacts::default(), &settings);
        assert_eq!(super::promoted(DomainCategory::Unverified, &pending), None);
    }
}
