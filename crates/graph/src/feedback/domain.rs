//! Deciding about domains: a pattern is blocked or unblocked by a person, before anything else.

use evidence::domain::{
    BlockReason, DomainPattern, OverrideDecision, OverrideRule, UnblockRisk, site_of,
};
use evidence::{OverrideEventId, OverrideRuleId};
use rusqlite::{OptionalExtension, params};
use serde_json::json;

use super::{FeedbackAction, FeedbackOutcome};
use crate::domains::rule_from_row;
use crate::row::RowExt;
use crate::{Cause, Error, Reader, Result, Writer};

impl Writer<'_> {
    /// Blocks what a pattern covers, whatever the policy says. `by` names who decided.
    pub fn domain_block(
        &self,
        pattern: &DomainPattern,
        reason: &str,
        by: &str,
    ) -> Result<FeedbackOutcome> {
        self.override_domain(
            FeedbackAction::DomainBlock,
            pattern,
            OverrideDecision::Block,
            reason,
            by,
        )
    }

    /// Lets what a pattern covers be read, whatever blocks it: denylist, dangerous pattern or
    /// rejection rate. The risk of doing so is answered and logged.
    pub fn domain_unblock(
        &self,
        pattern: &DomainPattern,
        reason: &str,
        by: &str,
    ) -> Result<FeedbackOutcome> {
        let action = FeedbackAction::DomainUnblock;
        self.override_domain(action, pattern, OverrideDecision::Unblock, reason, by)
    }

    /// Takes back what was decided about a pattern: policy and recorded blocks hold again.
    pub fn domain_clear_override(
        &self,
        pattern: &DomainPattern,
        reason: &str,
        by: &str,
    ) -> Result<FeedbackOutcome> {
        let action = FeedbackAction::DomainClearOverride;
        let reason = self.reason(reason)?;
        let rule = self
            .active_override(pattern)?
            .ok_or_else(|| Error::unknown("active override for", pattern))?;
        self.retire_override(rule.id)?;
        self.log_override(rule.id, action, pattern, "clear", reason, by)?;
        Ok(FeedbackOutcome {
            changed: true,
            before: Some(rule.decision.as_str()),
            rule_id: Some(rule.id),
            ..FeedbackOutcome::of(action, pattern)
        })
    }

    /// A decision replaces the one before on the same pattern; the old rule stays, inactive, so that
    /// every rule has one reason and one cause.
    fn override_domain(
        &self,
        action: FeedbackAction,
        pattern: &DomainPattern,
        decision: OverrideDecision,
        reason: &str,
        by: &str,
    ) -> Result<FeedbackOutcome> {
        let reason = self.reason(reason)?;
        let known = self.active_override(pattern)?;
        let risk = match decision {
            OverrideDecision::Block => None,
            OverrideDecision::Unblock => self.riskiest_block(pattern)?,
        };
        let outcome = FeedbackOutcome {
            before: known.as_ref().map(|it| it.decision.as_str()),
            now: Some(decision.as_str()),
            domain_unblock_risk: risk,
            ..FeedbackOutcome::of(action, pattern)
        };
        match known {
            Some(rule) if rule.decision == decision && rule.reason == reason => {
                return Ok(FeedbackOutcome { rule_id: Some(rule.id), ..outcome });
            }
            Some(rule) => self.retire_override(rule.id)?,
            None => {}
        }
        let id: OverrideRuleId = self.mint();
        let detail = json!({ "decision": decision, "domain_unblock_risk": risk });
        let event = Cause::new(action.as_str()).about("domain", pattern).with(detail);
        let event = self.record_event(event.after(self.cause()?))?;
        self.connection.execute(
            "INSERT INTO domain_override_rules
               (id, domain_pattern, decision, reason, created_by, created_at, updated_at, cause_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7)",
            params![
                id.to_string(),
                pattern.to_string(),
                decision.as_str(),
                reason,
                by,
                self.now(),
                event.to_string(),
            ],
        )?;
        self.log_override(id, action, pattern, decision.as_str(), reason, by)?;
        Ok(FeedbackOutcome { changed: true, rule_id: Some(id), ..outcome })
    }

    fn retire_override(&self, id: OverrideRuleId) -> Result<()> {
        self.connection.execute(
            "UPDATE domain_override_rules SET is_active = 0, updated_at = ?2 WHERE id = ?1",
            params![id.to_string(), self.now()],
        )?;
        Ok(())
    }

    fn log_override(
        &self,
        rule: OverrideRuleId,
        action: FeedbackAction,
        pattern: &DomainPattern,
        decision: &str,
        reason: &str,
        by: &str,
    ) -> Result<()> {
        let id: OverrideEventId = self.mint();
        self.connection.execute(
            "INSERT INTO domain_override_events
               (id, rule_id, action, domain_pattern, decision, reason, created_by, created_at, cause_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            params![
                id.to_string(),
                rule.to_string(),
                action.as_str(),
                pattern.to_string(),
                decision,
                reason,
                by,
                self.now(),
                self.cause()?.to_string(),
            ],
        )?;
        Ok(())
    }
}

impl Reader<'_> {
    fn active_override(&self, pattern: &DomainPattern) -> Result<Option<OverrideRule>> {
        Ok(self
            .connection
            .prepare_cached(
                "SELECT * FROM domain_override_rules WHERE domain_pattern = ?1 AND is_active = 1",
            )?
            .query_row([pattern.to_string()], rule_from_row)
            .optional()?)
    }

    /// The risk of the recorded blocks a pattern covers.
    fn riskiest_block(&self, pattern: &DomainPattern) -> Result<Option<UnblockRisk>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT domain, domain_block_reason FROM domains WHERE domain_block_reason IS NOT NULL",
        )?;
        let blocks = statement
            .query_map([], |row| {
                Ok((row.get::<_, String>("domain")?, row.parse("domain_block_reason")?))
            })?
            .collect::<rusqlite::Result<Vec<(String, BlockReason)>>>()?;
        // A block of a site reaches all its hosts, so unblocking one of them lifts it there.
        let site = site_of(pattern.domain());
        let lifted = blocks.iter().filter(|(domain, _)| pattern.matches(domain) || *domain == site);
        Ok(lifted.map(|(_, reason)| reason.unblock_risk()).max())
    }
}
