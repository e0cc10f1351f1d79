//! The one decision about a host, shared by fetching, verification and every interface.
//!
//! Order: what people decided; then the denylist and recorded blocks; then the rules. Among what
//! people decided, the exact pattern wins over the longest suffix, and that over the newest.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::host::normal_host;
use super::pattern::DomainPattern;
use super::policy::{DomainPolicy, PolicyFields, PolicySection};
use super::{BlockReason, DomainCategory, UnblockRisk};
use crate::text_enum::text_enum;
use crate::{EventId, OverrideRuleId};

text_enum! {
    pub enum OverrideDecision ("override decision") {
        Block = "block",
        Unblock = "unblock",
    }
}

/// What a person decided about a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverrideRule {
    #[serde(rename = "rule_id")]
    pub id: OverrideRuleId,
    pub domain_pattern: DomainPattern,
    pub decision: OverrideDecision,
    pub reason: String,
    pub created_by: String,
    pub updated_at: Timestamp,
    pub cause_id: EventId,
}

/// A block the graph recorded for a domain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedBlock {
    pub reason: BlockReason,
    pub detail: Option<String>,
    pub blocked_at: Timestamp,
    pub cause_id: EventId,
}

/// What the graph knows about the site of a host beyond the policy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordedDomain {
    /// The category its sources earned; counts only where no rule names one.
    pub earned: Option<DomainCategory>,
    pub block: Option<RecordedBlock>,
}

/// Why a host may not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Block {
    pub reason: BlockReason,
    pub risk: UnblockRisk,
    pub detail: Option<String>,
    /// The pattern of the denylist or of the override; recorded blocks have none.
    pub pattern: Option<DomainPattern>,
    pub blocked_at: Option<Timestamp>,
    pub cause_id: Option<EventId>,
}

/// The override that decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MatchedOverride {
    pub rule_id: OverrideRuleId,
    pub matched_pattern: DomainPattern,
    pub decision: OverrideDecision,
    pub reason: String,
    pub updated_at: Timestamp,
}

/// What holds for a host.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DomainDecision {
    /// `blocked` while a block holds.
    pub category: DomainCategory,
    pub weight: f64,
    /// The category without any block.
    pub original_category: DomainCategory,
    /// The block that holds.
    pub blocked: Option<Block>,
    /// What the denylist or a recorded block says, whether or not an override lifts it.
    pub signal: Option<Block>,
    #[serde(rename = "override")]
    pub overridden: Option<MatchedOverride>,
    /// Limits and options of the policy for this host.
    pub fields: PolicyFields,
    /// Where the original category comes from; `None` for the default.
    pub matched_rule: Option<(PolicySection, String)>,
}

/// Decides for a host. The order of `overrides` makes no difference.
pub fn decide(
    host: &str,
    policy: &DomainPolicy,
    overrides: &[OverrideRule],
    recorded: Option<&RecordedDomain>,
) -> DomainDecision {
    let host = normal_host(host);
    let (fields, matched_rule) = policy.fields_of(&host);
    let original_category = fields
        .domain_category
        .or_else(|| recorded.and_then(|it| it.earned))
        .unwrap_or(DomainCategory::Unverified);
    let signal = signal(&host, policy, recorded);
    let rule = overrides
        .iter()
        .filter(|it| it.domain_pattern.matches(&host))
        .max_by_key(|it| (it.domain_pattern.closeness(), it.updated_at, it.id));
    let blocked = match rule {
        None => signal.clone(),
        Some(rule) => match rule.decision {
            OverrideDecision::Unblock => None,
            OverrideDecision::Block => Some(Block {
                reason: BlockReason::Manual,
                risk: BlockReason::Manual.unblock_risk(),
                detail: Some(rule.reason.clone()),
                pattern: Some(rule.domain_pattern.clone()),
                blocked_at: Some(rule.updated_at),
                cause_id: Some(rule.cause_id),
            }),
        },
    };
    let category = if blocked.is_some() { DomainCategory::Blocked } else { original_category };
    DomainDecision {
        category,
        weight: category.weight(),
        original_category,
        blocked,
        signal,
        overridden: rule.map(|rule| MatchedOverride {
            rule_id: rule.id,
            matched_pattern: rule.domain_pattern.clone(),
            decision: rule.decision,
            reason: rule.reason.clone(),
            updated_at: rule.updated_at,
        }),
        fields,
        matched_rule,
    }
}

/// The denylist or the recorded block. Where both speak, the riskier one is named, because that is
/// what a person who lifts the block should know.
fn signal(host: &str, policy: &DomainPolicy, recorded: Option<&RecordedDomain>) -> Option<Block> {
    let denied = policy.denied_by(host).map(|(pattern, reason)| Block {
        reason: BlockReason::Denylist,
        risk: BlockReason::Denylist.unblock_risk(),
        detail: reason.map(str::to_owned),
        pattern: Some(pattern.clone()),
        blocked_at: None,
        cause_id: None,
    });
    let recorded = recorded.and_then(|it| it.block.as_ref()).map(|block| Block {
        reason: block.reason,
        risk: block.reason.unblock_risk(),
        detail: block.detail.clone(),
        pattern: None,
        blocked_at: Some(block.blocked_at),
        cause_id: Some(block.cause_id),
    });
    match (denied, recorded) {
        (Some(denied), Some(recorded)) => {
            Some(if recorded.risk > denied.risk { recorded } else { denied })
        }
        (denied, recorded) => denied.or(recorded),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Id;
    use proptest::prelude::*;

    fn rule(number: u64, pattern: &str, decision: OverrideDecision) -> OverrideRule {
        OverrideRule {
            id: OverrideRuleId::from_parts(number, 0),
            domain_pattern: pattern.parse().unwrap(),
            decision,
            reason: format!("reason {number}"),
            created_by: "test".to_owned(),
            updated_at: Timestamp::from_second(number as i64).unwrap(),
            cause_id: EventId::from_parts(number, 0),
        }
    }

    fn recorded(reason: BlockReason) -> RecordedDomain {
        let block = RecordedBlock {
            reason,
            detail: Some("seen".to_owned()),
            blocked_at: Timestamp::from_second(5).unwrap(),
            cause_id: EventId::from_parts(5, 5),
        };
        RecordedDomain { earned: None, block: Some(block) }
    }

    fn policy() -> DomainPolicy {
        let mut policy = DomainPolicy::default();
        policy
            .rules
            .insert("*.go.jp".parse().unwrap(), PolicyFields::of(DomainCategory::Government));
        policy.denylist.insert("*.spam.com".parse().unwrap(), None);
        policy
    }

    fn shown(host: &str, overrides: &[OverrideRule], recorded: Option<&RecordedDomain>) -> String {
        let it = decide(host, &policy(), overrides, recorded);
        let block = |block: &Option<Block>| {
            block.as_ref().map_or("-".to_owned(), |it| format!("{}/{}", it.reason, it.risk))
        };
        let by = it.overridden.as_ref().map_or("-".to_owned(), |it| it.matched_pattern.to_string());
        format!(
            "{} {} blocked={} signal={} by={by}",
            it.category,
            it.weight,
            block(&it.blocked),
            block(&it.signal)
        )
    }

    #[test]
    fn rules_give_the_category_and_unknown_hosts_are_unverified() {
        assert_eq!(shown("WWW.mhlw.go.jp.", &[], None), "government 0.95 blocked=- signal=- by=-");
        assert_eq!(shown("example.com", &[], None), "unverified 0.3 blocked=- signal=- by=-");
        let earned =
            RecordedDomain { earned: Some(DomainCategory::Low), ..RecordedDomain::default() };
        assert_eq!(shown("example.com", &[], Some(&earned)), "low 0.4 blocked=- signal=- by=-");
        assert_eq!(
            shown("www.mhlw.go.jp", &[], Some(&earned)),
            "government 0.95 blocked=- signal=- by=-",
            "what a domain earned never lowers what a rule says"
        );
    }

    #[test]
    fn an_unblock_lifts_every_signal_and_keeps_its_risk() {
        use BlockReason::{DangerousPattern, HighRejectionRate};
        let free = [rule(1, "*.spam.com", OverrideDecision::Unblock)];
        for (signal, blocked, lifted) in [
            (
                None,
                "blocked 0 blocked=denylist/low signal=denylist/low by=-",
                "unverified 0.3 blocked=- signal=denylist/low by=*.spam.com",
            ),
            (
                Some(recorded(DangerousPattern)),
                "blocked 0 blocked=dangerous_pattern/high signal=dangerous_pattern/high by=-",
                "unverified 0.3 blocked=- signal=dangerous_pattern/high by=*.spam.com",
            ),
            (
                Some(recorded(HighRejectionRate)),
                "blocked 0 blocked=denylist/low signal=denylist/low by=-",
                "unverified 0.3 blocked=- signal=denylist/low by=*.spam.com",
            ),
        ] {
            assert_eq!(shown("www.spam.com", &[], signal.as_ref()), blocked);
            assert_eq!(shown("www.spam.com", &free, signal.as_ref()), lifted);
        }
        let free = [rule(1, "example.com", OverrideDecision::Unblock)];
        assert_eq!(
            shown("example.com", &free, Some(&recorded(HighRejectionRate))),
            "unverified 0.3 blocked=- signal=high_rejection_rate/low by=example.com"
        );
    }

    #[test]
    fn a_persons_block_comes_before_the_rules() {
        let block = [rule(1, "www.mhlw.go.jp", OverrideDecision::Block)];
        let decision = decide("www.mhlw.go.jp", &policy(), &block, None);
        assert_eq!(decision.category, DomainCategory::Blocked);
        assert_eq!(decision.original_category, DomainCategory::Government);
        let held = decision.blocked.unwrap();
        assert_eq!((held.reason, held.risk), (BlockReason::Manual, UnblockRisk::Low));
        assert_eq!(held.detail.as_deref(), Some("reason 1"));
        assert_eq!(held.cause_id, Some(block[0].cause_id));
    }

    #[test]
    fn exact_beats_the_longest_suffix_which_beats_the_newest() {
        use OverrideDecision::{Block, Unblock};
        let rules = [
            rule(1, "a.b.example.com", Unblock),
            rule(2, "*.b.example.com", Block),
            rule(3, "*.example.com", Unblock),
            rule(4, "*.example.com", Block),
        ];
        let by = |host: &str| {
            let it = decide(host, &policy(), &rules, None).overridden.unwrap();
            format!("{} {} {}", it.matched_pattern, it.decision, it.reason)
        };
        assert_eq!(by("a.b.example.com"), "a.b.example.com unblock reason 1");
        assert_eq!(by("c.b.example.com"), "*.b.example.com block reason 2");
        assert_eq!(by("example.com"), "*.example.com block reason 4");
        assert_eq!(decide("example.net", &policy(), &rules, None).overridden, None);
    }

    proptest! {
        #[test]
        fn the_order_of_overrides_makes_no_difference(
            mut rules in prop::collection::vec(
                (0_u64..4, prop::sample::select(vec![
                    "example.com", "*.example.com", "a.example.com", "*.a.example.com", "b.a.example.com",
                ]), any::<bool>()),
                0..8,
            ).prop_map(|rules| rules.into_iter().enumerate().map(|(n, (time, pattern, block))| {
                let decision = if block { OverrideDecision::Block } else { OverrideDecision::Unblock };
                let mut rule = rule(time, pattern, decision);
                rule.id = OverrideRuleId::from_parts(time, n as u128);
                rule
            }).collect::<Vec<_>>()),
            host in prop::sample::select(vec!["example.com", "a.example.com", "b.a.example.com", "c.b.a.example.com"]),
            turn in 0_usize..8,
        ) {
            let first = decide(host, &policy(), &rules, None);
            let turn = turn.min(rules.len());
            rules.rotate_left(turn);
            prop_assert_eq!(&decide(host, &policy(), &rules, None), &first);
            rules.reverse();
            prop_assert_eq!(&decide(host, &policy(), &rules, None), &first);
        }
    }
}
