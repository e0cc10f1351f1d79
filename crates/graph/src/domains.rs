//! Domains in the graph: what people decided about them, what was recorded against them, and the
//! share of their claims that was rejected. Whether a host may be read is decided in
//! [`evidence::domain::decide`]; here it gets its facts.

mod policy_file;
mod policy_toml;
mod rejection;

use evidence::domain::{
    BlockReason, DomainDecision, DomainPattern, DomainPolicy, MatchedOverride, OverrideDecision,
    OverrideRule, RecordedBlock, RecordedDomain, UnblockRisk, decide, site_of,
};
use evidence::{DomainCategory, EventId, OverrideEventId, OverrideRuleId};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, params};
use serde::Serialize;
use serde_json::json;

pub use policy_file::{PolicyFile, PolicyNote, SHIPPED_POLICY};
pub use policy_toml::{PolicyError, parse_policy};
pub use rejection::{DomainChange, DomainEffect, RejectionRates};

use crate::row::RowExt;
use crate::{Cause, Reader, Result, Writer};

/// The key of `lyra_meta` for the policy last seen in force.
const POLICY_KEY: &str = "domain_policy";

/// A block signal, whether or not a person lifted it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BlockedDomain {
    /// A domain; a pattern where the block was written as one.
    pub domain: String,
    /// For the denylist, when its line was first noted in the log; absent before.
    pub domain_blocked_at: Option<Timestamp>,
    pub domain_block_reason: BlockReason,
    pub domain_unblock_risk: UnblockRisk,
    pub reason: String,
    pub cause_id: Option<EventId>,
    pub original_domain_category: DomainCategory,
    #[serde(rename = "override")]
    pub overridden: Option<OverrideState>,
    pub restore_via: &'static str,
}

/// The override that speaks about a blocked domain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OverrideState {
    /// The block does not hold.
    pub is_overridden: bool,
    #[serde(flatten)]
    pub by: MatchedOverride,
}

/// What a person did about a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OverrideAction {
    DomainBlock,
    DomainUnblock,
    DomainClearOverride,
}

/// One entry of the log of overrides.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OverrideEvent {
    pub id: OverrideEventId,
    pub rule_id: OverrideRuleId,
    pub action: OverrideAction,
    pub domain_pattern: DomainPattern,
    pub reason: String,
    pub created_by: String,
    pub created_at: Timestamp,
    pub cause_id: EventId,
}

/// The result of a request to block a domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockOutcome {
    Blocked,
    /// A block that weighs at least as much is recorded already.
    AlreadyBlocked,
    /// Only people demote a domain of this category: nothing but the wish was recorded.
    Protected(DomainCategory),
}

impl Reader<'_> {
    /// Decides whether a host may be read, and in which category. The one place that does.
    pub fn decide(&self, host: &str, policy: &DomainPolicy) -> Result<DomainDecision> {
        let recorded = self.recorded_domain(&site_of(host))?;
        Ok(decide(host, policy, &self.domain_overrides()?, recorded.as_ref()))
    }

    /// What people decided and what is in force, by pattern.
    pub fn domain_overrides(&self) -> Result<Vec<OverrideRule>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT * FROM domain_override_rules WHERE is_active = 1 ORDER BY domain_pattern",
        )?;
        Ok(statement.query_map([], rule_from_row)?.collect::<rusqlite::Result<_>>()?)
    }

    /// Everything that blocks a domain, also where a person lifted it, by domain.
    pub fn blocked_domains(&self, policy: &DomainPolicy) -> Result<Vec<BlockedDomain>> {
        let rules = self.domain_overrides()?;
        let mut blocked = Vec::new();
        let mut statement = self.connection.prepare_cached(
            "SELECT domain, original_domain_category FROM domains WHERE domain_block_reason IS NOT NULL",
        )?;
        let recorded = statement
            .query_map([], |row| {
                Ok((row.get("domain")?, row.parse_opt("original_domain_category")?))
            })?
            .collect::<rusqlite::Result<Vec<(String, Option<DomainCategory>)>>>()?;
        for (domain, original) in recorded {
            let recorded = self.recorded_domain(&domain)?.unwrap_or_default();
            let Some(block) = recorded.block.clone() else { continue };
            let decision = decide(&domain, policy, &rules, Some(&recorded));
            blocked.push(BlockedDomain {
                domain_blocked_at: Some(block.blocked_at),
                domain_block_reason: block.reason,
                domain_unblock_risk: block.reason.unblock_risk(),
                reason: block.detail.unwrap_or_else(|| default_words(block.reason).to_owned()),
                cause_id: Some(block.cause_id),
                original_domain_category: original.unwrap_or(decision.original_category),
                overridden: decision.overridden.map(OverrideState::from),
                restore_via: restore_via(block.reason),
                domain,
            });
        }
        for (pattern, reason) in &policy.denylist {
            // An override of one host does not lift a block of the whole domain.
            let covering: Vec<OverrideRule> = rules
                .iter()
                .filter(|it| !pattern.is_wildcard() || it.domain_pattern.is_wildcard())
                .cloned()
                .collect();
            let decision = decide(pattern.domain(), policy, &covering, None);
            let (cause_id, domain_blocked_at) = self.denied_since(pattern)?.unzip();
            let words = reason.as_deref().unwrap_or(default_words(BlockReason::Denylist));
            blocked.push(BlockedDomain {
                domain: pattern.to_string(),
                domain_blocked_at,
                domain_block_reason: BlockReason::Denylist,
                domain_unblock_risk: BlockReason::Denylist.unblock_risk(),
                reason: words.to_owned(),
                cause_id,
                original_domain_category: decision.original_category,
                overridden: decision.overridden.map(OverrideState::from),
                restore_via: restore_via(BlockReason::Denylist),
            });
        }
        for rule in rules.iter().filter(|it| it.decision == OverrideDecision::Block) {
            let only = std::slice::from_ref(rule);
            let decision = decide(rule.domain_pattern.domain(), policy, only, None);
            blocked.push(BlockedDomain {
                domain: rule.domain_pattern.to_string(),
                domain_blocked_at: Some(rule.updated_at),
                domain_block_reason: BlockReason::Manual,
                domain_unblock_risk: BlockReason::Manual.unblock_risk(),
                reason: rule.reason.clone(),
                cause_id: Some(rule.cause_id),
                original_domain_category: decision.original_category,
                overridden: decision.overridden.map(OverrideState::from),
                restore_via: restore_via(BlockReason::Manual),
            });
        }
        blocked.sort_by(|a, b| {
            (&a.domain, a.domain_block_reason).cmp(&(&b.domain, b.domain_block_reason))
        });
        Ok(blocked)
    }

    /// The change of the policy that brought a pattern into the denylist.
    fn denied_since(&self, pattern: &DomainPattern) -> Result<Option<(EventId, Timestamp)>> {
        Ok(self
            .connection
            .prepare_cached(
                "SELECT e.id, e.created_at FROM events e, json_each(e.detail, '$.changes') line
                 WHERE e.subject_id = ?1 AND e.kind = 'policy_reload'
                   AND line.value ->> 'section' = 'denylist' AND line.value ->> 'name' = ?2
                   AND line.value ->> 'before' IS NULL
                 ORDER BY e.id DESC LIMIT 1",
            )?
            .query_row(params![POLICY_KEY, pattern.to_string()], |row| {
                Ok((row.parse("id")?, row.parse("created_at")?))
            })
            .optional()?)
    }

    /// What people did about domains, newest first.
    pub fn domain_log(&self, limit: u32) -> Result<Vec<OverrideEvent>> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT * FROM domain_override_events ORDER BY id DESC LIMIT ?1")?;
        Ok(statement.query_map([limit], event_from_row)?.collect::<rusqlite::Result<_>>()?)
    }

    /// What is recorded about a site, beyond the policy.
    pub(crate) fn recorded_domain(&self, site: &str) -> Result<Option<RecordedDomain>> {
        Ok(self
            .connection
            .prepare_cached("SELECT * FROM domains WHERE domain = ?1")?
            .query_row([site], |row| {
                let block = match row.parse_opt("domain_block_reason")? {
                    None => None,
                    Some(reason) => Some(RecordedBlock {
                        reason,
                        detail: row.get("domain_block_detail")?,
                        blocked_at: row.parse("domain_blocked_at")?,
                        cause_id: row.parse("cause_id")?,
                    }),
                };
                let held: DomainCategory = row.parse("domain_category")?;
                let before: Option<DomainCategory> = row.parse_opt("original_domain_category")?;
                let earned = [Some(held), before]
                    .contains(&Some(DomainCategory::Low))
                    .then_some(DomainCategory::Low);
                Ok(RecordedDomain { earned, block })
            })
            .optional()?)
    }
}

impl Writer<'_> {
    /// Records that a domain is blocked for something it did. The site of a host is meant: its
    /// registrable domain. Domains that are `trusted` or better by the policy are left to people.
    pub fn block_domain_recorded(
        &self,
        domain: &str,
        reason: BlockReason,
        detail: &str,
        policy: &DomainPolicy,
    ) -> Result<BlockOutcome> {
        let site = site_of(domain);
        let recorded = self.recorded_domain(&site)?.unwrap_or_default();
        let category = |host: &str| decide(host, policy, &[], Some(&recorded)).original_category;
        let original = category(&site);
        let protected = [original, category(domain)].into_iter().find(|it| it.only_people_demote());
        let about = |kind| {
            Cause::new(kind)
                .about("domain", &site)
                .with(json!({ "domain_block_reason": reason, "detail": detail,
                              "original_domain_category": original }))
        };
        if let Some(category) = protected {
            self.record_event(about("domain_block_withheld").after(self.cause()?))?;
            return Ok(BlockOutcome::Protected(category));
        }
        if recorded.block.is_some_and(|it| it.reason.unblock_risk() >= reason.unblock_risk()) {
            return Ok(BlockOutcome::AlreadyBlocked);
        }
        let event = self.record_event(about("domain_block").after(self.cause()?))?;
        self.connection.execute(
            "INSERT INTO domains (domain, domain_category, original_domain_category, domain_block_reason,
                                  domain_block_detail, domain_blocked_at, updated_at, cause_id)
             VALUES (?1, 'blocked', ?2, ?3, ?4, ?5, ?5, ?6)
             ON CONFLICT (domain) DO UPDATE SET domain_category = 'blocked', original_domain_category = ?2,
                domain_block_reason = ?3, domain_block_detail = ?4, domain_blocked_at = ?5,
                updated_at = ?5, cause_id = ?6",
            params![site, original.as_str(), reason.as_str(), detail, self.now(), event.to_string()],
        )?;
        Ok(BlockOutcome::Blocked)
    }

    /// Records that the sources of an unverified domain were confirmed: it is `low` from now on.
    /// Returns whether that is new. A rule of the policy still comes first.
    pub fn promote_domain(&self, domain: &str) -> Result<bool> {
        let site = site_of(domain);
        let recorded = self.recorded_domain(&site)?.unwrap_or_default();
        if recorded.earned.is_some() || recorded.block.is_some() {
            return Ok(false);
        }
        let promotion = Cause::new("domain_promote").about("domain", &site);
        let event = self.record_event(promotion.after(self.cause()?))?;
        self.connection.execute(
            "INSERT INTO domains (domain, domain_category, updated_at, cause_id) VALUES (?1, 'low', ?2, ?3)
             ON CONFLICT (domain) DO UPDATE SET domain_category = 'low', updated_at = ?2, cause_id = ?3",
            params![site, self.now(), event.to_string()],
        )?;
        Ok(true)
    }

    /// Notes in the log how the policy in force differs from the one last noted, and which files
    /// were refused. Calling it again without a change adds nothing, so every writer may call it
    /// when it starts and after a reload: also edits between two runs are found.
    pub fn record_policy(&self, policy: &DomainPolicy, notes: &[PolicyNote]) -> Result<()> {
        for note in notes {
            if let PolicyNote::Refused { problem } = note {
                self.policy_event("policy_refused", json!({ "problem": problem }))?;
            }
        }
        let known: Option<String> = self
            .connection
            .prepare_cached("SELECT value FROM lyra_meta WHERE key = ?1")?
            .query_row([POLICY_KEY], |row| row.get(0))
            .optional()?;
        // What an older Lyra noted in another form is taken as unknown: the shipped policy.
        let known = known
            .and_then(|it| serde_json::from_str::<DomainPolicy>(&it).ok())
            .unwrap_or_else(policy_file::shipped);
        let changes = known.changes_to(policy);
        if changes.is_empty() {
            return Ok(());
        }
        self.policy_event("policy_reload", json!({ "changes": changes }))?;
        let text = serde_json::to_string(policy).expect("a policy has text for keys");
        self.connection.execute(
            "INSERT INTO lyra_meta (key, value) VALUES (?1, ?2)
             ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            params![POLICY_KEY, text],
        )?;
        Ok(())
    }

    fn policy_event(&self, kind: &'static str, detail: serde_json::Value) -> Result<EventId> {
        self.record_event(
            Cause::new(kind).about("policy", POLICY_KEY).with(detail).after(self.cause()?),
        )
    }
}

impl From<MatchedOverride> for OverrideState {
    fn from(by: MatchedOverride) -> Self {
        Self { is_overridden: by.decision == OverrideDecision::Unblock, by }
    }
}

fn default_words(reason: BlockReason) -> &'static str {
    match reason {
        BlockReason::DangerousPattern => "a dangerous pattern was found",
        BlockReason::HighRejectionRate => "too many of its claims were rejected",
        BlockReason::Denylist => "listed in the denylist of the domain policy",
        BlockReason::Manual => "blocked by a person",
        BlockReason::Unknown => "the reason was not recorded",
    }
}

fn restore_via(reason: BlockReason) -> &'static str {
    match reason {
        BlockReason::Denylist => "feedback(domain_unblock), or the denylist in domains.toml",
        BlockReason::HighRejectionRate => "feedback(domain_unblock) or feedback(claim_restore)",
        BlockReason::Manual => "feedback(domain_clear_override) or feedback(domain_unblock)",
        BlockReason::DangerousPattern | BlockReason::Unknown => "feedback(domain_unblock)",
    }
}

pub(crate) fn rule_from_row(row: &Row<'_>) -> rusqlite::Result<OverrideRule> {
    Ok(OverrideRule {
        id: row.parse("id")?,
        domain_pattern: row.parse("domain_pattern")?,
        decision: row.parse("decision")?,
        reason: row.get("reason")?,
        created_by: row.get("created_by")?,
        updated_at: row.parse("updated_at")?,
        cause_id: row.parse("cause_id")?,
    })
}

fn event_from_row(row: &Row<'_>) -> rusqlite::Result<OverrideEvent> {
    let decision: String = row.get("decision")?;
    Ok(OverrideEvent {
        id: row.parse("id")?,
        rule_id: row.parse("rule_id")?,
        action: match decision.as_str() {
            "block" => OverrideAction::DomainBlock,
            "unblock" => OverrideAction::DomainUnblock,
            _ => OverrideAction::DomainClearOverride,
        },
        domain_pattern: row.parse("domain_pattern")?,
        reason: row.get("reason")?,
        created_by: row.get("created_by")?,
        created_at: row.parse("created_at")?,
        cause_id: row.parse("cause_id")?,
    })
}
