//! Domains: what kind of publisher a host is, and who decides whether it may be read.
//!
//! [`decide`] is the one place that answers for a host: what people decided comes before the
//! denylist and recorded blocks, and those come before the rules of the policy. A category moves a
//! page up or down in ranking; it never touches confidence.

mod decision;
mod host;
mod pattern;
mod policy;
mod verification;

pub use decision::{
    Block, DomainDecision, MatchedOverride, OverrideDecision, OverrideRule, RecordedBlock,
    RecordedDomain, decide,
};
pub use host::{normal_host, registrable_domain, site_of};
pub use pattern::{BadPattern, DomainPattern, PatternProblem, RulePattern};
pub use policy::{DomainPolicy, PolicyChange, PolicyFields, PolicySection, UserOverride};
pub use verification::{SourceFacts, SourceVerdict, VerificationReason, verify_source};

use crate::text_enum::text_enum;

text_enum! {
    /// What kind of publisher a domain is. Moves it up or down in ranking, never touches confidence.
    pub enum DomainCategory ("domain category") {
        Primary = "primary",
        Government = "government",
        Academic = "academic",
        Trusted = "trusted",
        Low = "low",
        Unverified = "unverified",
        Blocked = "blocked",
    }
}

impl DomainCategory {
    /// The factor a page's rank is multiplied by.
    pub const fn weight(self) -> f64 {
        match self {
            Self::Primary => 1.0,
            Self::Government => 0.95,
            Self::Academic => 0.90,
            Self::Trusted => 0.75,
            Self::Low => 0.40,
            Self::Unverified => 0.30,
            Self::Blocked => 0.0,
        }
    }

    /// Whether only a person may lower it: `trusted` and above are never demoted by machine.
    pub const fn only_people_demote(self) -> bool {
        matches!(self, Self::Primary | Self::Government | Self::Academic | Self::Trusted)
    }
}

text_enum! {
    /// Which rule blocked a domain: a fact, not advice.
    pub enum BlockReason ("domain block reason") {
        /// A dangerous pattern was found in what the domain serves.
        DangerousPattern = "dangerous_pattern",
        /// Too many of its claims were rejected.
        HighRejectionRate = "high_rejection_rate",
        /// The policy file lists it.
        Denylist = "denylist",
        /// A person blocked it.
        Manual = "manual",
        Unknown = "unknown",
    }
}

impl BlockReason {
    /// What a person takes on by lifting such a block.
    pub const fn unblock_risk(self) -> UnblockRisk {
        match self {
            Self::DangerousPattern | Self::Unknown => UnblockRisk::High,
            Self::HighRejectionRate | Self::Denylist | Self::Manual => UnblockRisk::Low,
        }
    }
}

text_enum! {
    pub enum UnblockRisk ("unblock risk") {
        Low = "low",
        High = "high",
    }
}

text_enum! {
    /// How an encyclopedia page is used beyond reading it.
    pub enum WikipediaMode ("wikipedia mode") {
        /// It is a source of its category, and nothing more.
        Page = "page",
        /// Its references are queued as candidates as well.
        FollowCitations = "follow_citations",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_follow_the_order_of_the_categories() {
        let weights: Vec<f64> = DomainCategory::ALL.iter().map(|it| it.weight()).collect();
        assert_eq!(weights, [1.0, 0.95, 0.90, 0.75, 0.40, 0.30, 0.0]);
    }

    #[test]
    fn every_block_reason_has_its_risk() {
        let risks: Vec<String> =
            BlockReason::ALL.iter().map(|it| format!("{it} {}", it.unblock_risk())).collect();
        assert_eq!(
            risks,
            [
                "dangerous_pattern high",
                "high_rejection_rate low",
                "denylist low",
                "manual low",
                "unknown high"
            ]
        );
    }

    #[test]
    fn only_low_and_unverified_domains_can_be_demoted_by_machine() {
        let demotable: Vec<_> =
            DomainCategory::ALL.iter().filter(|it| !it.only_people_demote()).collect();
        assert_eq!(
            demotable,
            [&DomainCategory::Low, &DomainCategory::Unverified, &DomainCategory::Blocked]
        );
    }
}
