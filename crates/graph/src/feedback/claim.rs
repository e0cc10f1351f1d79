//! Taking claims out of what counts, and bringing them back.

use evidence::calibration::CalibrationSource;
use evidence::domain::{BlockReason, DomainPolicy, VerificationReason};
use evidence::{Adoption, ClaimId, Publisher};
use rusqlite::{OptionalExtension, params};
use serde_json::json;

use super::{FeedbackAction, FeedbackOutcome};
use crate::{Cause, Reader, Result, Writer};

impl Writer<'_> {
    /// Takes a claim out of what counts. It stays visible with the reason, and its domain is blocked
    /// when too many of its claims were rejected.
    pub fn claim_reject(
        &self,
        id: ClaimId,
        reason: &str,
        policy: &DomainPolicy,
    ) -> Result<FeedbackOutcome> {
        let reason = self.reason(reason)?;
        let claim = self.claim(id)?;
        let outcome = FeedbackOutcome {
            before: Some(claim.claim_adoption_status.as_str()),
            now: Some(Adoption::NotAdopted.as_str()),
            ..FeedbackOutcome::of(FeedbackAction::ClaimReject, id)
        };
        if claim.claim_adoption_status == Adoption::NotAdopted
            && claim.claim_rejection_reason.as_deref() == Some(reason)
        {
            return Ok(outcome);
        }
        self.connection.execute(
            "UPDATE claims SET claim_adoption_status = 'not_adopted', claim_rejection_reason = ?2,
                    claim_rejected_at = ?3 WHERE id = ?1",
            params![id.to_string(), reason, self.now()],
        )?;
        self.add_claim_event(id, "rejected", Some(reason), None, None)?;
        self.after_verdict(id, policy, outcome)
    }

    /// Counts a rejected claim again, and frees its domain where that was blocked for its rates.
    pub fn claim_restore(&self, id: ClaimId, policy: &DomainPolicy) -> Result<FeedbackOutcome> {
        let claim = self.claim(id)?;
        let outcome = FeedbackOutcome {
            before: Some(claim.claim_adoption_status.as_str()),
            now: Some(Adoption::Adopted.as_str()),
            ..FeedbackOutcome::of(FeedbackAction::ClaimRestore, id)
        };
        if claim.claim_adoption_status == Adoption::Adopted {
            return Ok(outcome);
        }
        self.connection.execute(
            "UPDATE claims SET claim_adoption_status = 'adopted', claim_rejection_reason = NULL,
                    claim_rejected_at = NULL WHERE id = ?1",
            [id.to_string()],
        )?;
        // Why it had been rejected stays in the log.
        self.add_claim_event(id, "restored", None, None, None)?;
        self.after_verdict(id, policy, outcome)
    }

    fn after_verdict(
        &self,
        id: ClaimId,
        policy: &DomainPolicy,
        outcome: FeedbackOutcome,
    ) -> Result<FeedbackOutcome> {
        let domain = match self.host_of(id)? {
            Some(host) => self.reassess_domain(&host, policy)?,
            None => None,
        };
        let fitted = self.refit_if_due(CalibrationSource::LlmExtract, "")?;
        let fitted_version = fitted.map(|it| it.version);
        Ok(FeedbackOutcome { changed: true, domain, fitted_version, ..outcome })
    }

    /// Marks a claim in whose text or source a machine found something dangerous, and blocks its
    /// domain. No verdict of a person: restoring the claim does not undo it.
    pub fn reject_dangerous_claim(
        &self,
        id: ClaimId,
        detail: &str,
        policy: &DomainPolicy,
    ) -> Result<()> {
        self.claim(id)?;
        let reason = VerificationReason::DangerousPattern.as_str();
        let changed = self.connection.execute(
            "UPDATE claims SET claim_security_rejected = 1, source_verification_status = 'rejected',
                    source_verification_reason = ?2 WHERE id = ?1 AND claim_security_rejected = 0",
            params![id.to_string(), reason],
        )?;
        if changed == 0 {
            return Ok(());
        }
        let found = Cause::new("claim_security_reject").about("claim", id);
        self.record_event(found.with(json!({ "detail": detail })).after(self.cause()?))?;
        if let Some(host) = self.host_of(id)? {
            self.block_domain_recorded(&host, BlockReason::DangerousPattern, detail, policy)?;
        }
        Ok(())
    }

    /// Takes the mark of [`Writer::reject_dangerous_claim`] from a claim that nothing dangerous speaks against any
    /// more. Its domain stays as it is.
    pub fn lift_danger(&self, id: ClaimId) -> Result<()> {
        let changed = self.connection.execute(
            "UPDATE claims SET claim_security_rejected = 0 WHERE id = ?1 AND claim_security_rejected = 1",
            [id.to_string()],
        )?;
        if changed > 0 {
            let lifted = Cause::new("claim_security_lift").about("claim", id);
            self.record_event(lifted.after(self.cause()?))?;
        }
        Ok(())
    }
}

impl Reader<'_> {
    /// The host of the page a claim was taken from; none for a document of the user.
    fn host_of(&self, claim: ClaimId) -> Result<Option<String>> {
        let domain: Option<String> = self
            .connection
            .prepare_cached(
                "SELECT p.domain FROM claims c JOIN fragments f ON f.id = c.origin_fragment_id
                 JOIN pages p ON p.id = f.page_id WHERE c.id = ?1",
            )?
            .query_row([claim.to_string()], |row| row.get(0))
            .optional()?;
        Ok(domain.filter(|it| Publisher::is_host(it)))
    }
}
