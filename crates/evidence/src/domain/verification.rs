//! What the facts about a claim's sources make of it: a status, a fact code, and whether its domain
//! earned a better category. Refutation is recorded and never blocks.

use crate::Verification;
use crate::text_enum::text_enum;

text_enum! {
    /// The fact behind a verification status.
    pub enum VerificationReason ("verification reason") {
        ConflictingEvidence = "conflicting_evidence",
        WellSupported = "well_supported",
        InsufficientEvidence = "insufficient_evidence",
        DangerousPattern = "dangerous_pattern",
        AlreadyBlocked = "already_blocked",
    }
}

/// What is known about the sources of a claim.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SourceFacts {
    /// Supporting sources of different sites and different narrative clusters.
    pub independent_sources: u32,
    pub refuting_sources: u32,
    pub dangerous_pattern: bool,
    pub domain_blocked: bool,
}

/// What follows from the facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceVerdict {
    pub status: Verification,
    pub reason: VerificationReason,
    /// An unverified domain may become `low`.
    pub promotes: bool,
}

/// Says what the facts make of a claim; `enough` is how many independent sources verify it.
pub fn verify_source(facts: SourceFacts, enough: u32) -> SourceVerdict {
    use VerificationReason as Reason;
    let (status, reason) = if facts.dangerous_pattern {
        (Verification::Rejected, Reason::DangerousPattern)
    } else if facts.domain_blocked {
        (Verification::Rejected, Reason::AlreadyBlocked)
    } else if facts.refuting_sources > 0 {
        (Verification::Pending, Reason::ConflictingEvidence)
    } else if facts.independent_sources >= enough {
        (Verification::Verified, Reason::WellSupported)
    } else {
        (Verification::Pending, Reason::InsufficientEvidence)
    };
    SourceVerdict { status, reason, promotes: status == Verification::Verified }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_lead_to_one_status_each() {
        let shown = |independent_sources, refuting_sources, dangerous_pattern, domain_blocked| {
            let facts = SourceFacts {
                independent_sources,
                refuting_sources,
                dangerous_pattern,
                domain_blocked,
            };
            let it = verify_source(facts, 2);
            format!("{} {} {}", it.status, it.reason, it.promotes)
        };
        assert_eq!(shown(0, 0, false, false), "pending insufficient_evidence false");
        assert_eq!(shown(1, 0, false, false), "pending insufficient_evidence false");
        assert_eq!(shown(2, 0, false, false), "verified well_supported true");
        assert_eq!(shown(9, 1, false, false), "pending conflicting_evidence false");
        assert_eq!(shown(9, 0, true, false), "rejected dangerous_pattern false");
        assert_eq!(shown(9, 0, false, true), "rejected already_blocked false");
    }
}
