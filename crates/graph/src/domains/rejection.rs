//! How many of a domain's claims were rejected, by whom, and what follows.
//!
//! A claim belongs to the registrable domain of the page it was taken from. What a machine rejected
//! for danger and what a person rejected are counted apart; a claim rejected by both counts once.

use std::collections::BTreeMap;

use evidence::domain::{BlockReason, DomainPolicy, site_of};
use rusqlite::{Row, params};
use serde::Serialize;
use serde_json::json;

use super::BlockOutcome;
use crate::{Cause, Reader, Result, Writer};

/// The rejected share of a domain's claims.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RejectionRates {
    pub domain: String,
    pub claims: u32,
    pub security_rejected_claims: u32,
    pub manual_rejected_claims: u32,
    /// Rejected by one or both.
    pub combined_rejected_claims: u32,
    pub domain_claim_security_rejection_rate: f64,
    pub domain_claim_manual_rejection_rate: f64,
    pub domain_claim_combined_rejection_rate: f64,
}

/// What the rates made of a domain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DomainEffect {
    pub domain: String,
    pub change: DomainChange,
    pub rates: RejectionRates,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DomainChange {
    Blocked,
    /// A block for its rates no longer holds.
    Freed,
    /// The rates are too high, but only people demote a domain of its category.
    Protected,
}

const COUNTS: &str = "SELECT p.domain AS domain, count(*) AS claims,
       sum(c.claim_security_rejected) AS security,
       sum(c.claim_adoption_status = 'not_adopted') AS manual,
       sum(c.claim_security_rejected = 1 OR c.claim_adoption_status = 'not_adopted') AS combined
     FROM pages p
     JOIN fragments f ON f.page_id = p.id
     JOIN claims c ON c.origin_fragment_id = f.id";

impl Reader<'_> {
    /// The rates of every domain that has claims, by domain.
    pub fn rejection_rates(&self) -> Result<Vec<RejectionRates>> {
        let mut statement =
            self.connection.prepare_cached(&format!("{COUNTS} GROUP BY p.domain"))?;
        let hosts = statement.query_map([], from_row)?.collect::<rusqlite::Result<Vec<_>>>()?;
        let mut sites: BTreeMap<String, RejectionRates> = BTreeMap::new();
        for host in hosts {
            sites.entry(site_of(&host.domain)).or_default().add(&host);
        }
        Ok(sites.into_iter().map(|(site, it)| it.named(site)).collect())
    }

    /// The rates of the site a host belongs to.
    pub fn rejection_rates_of(&self, host: &str) -> Result<RejectionRates> {
        let site = site_of(host);
        // An index lists the hosts; which of them are of this site is not a question for SQL.
        let mut hosts = self.connection.prepare_cached("SELECT DISTINCT domain FROM pages")?;
        let mut counts = self
            .connection
            .prepare_cached(&format!("{COUNTS} WHERE p.domain = ?1 GROUP BY p.domain"))?;
        let hosts = hosts
            .query_map([], |row| row.get::<_, String>(0))?
            .filter(|host| !host.as_ref().is_ok_and(|it| cannot_be_of(it, &site)))
            .collect::<rusqlite::Result<Vec<_>>>()?;
        let mut rates = RejectionRates::default();
        for host in hosts.iter().filter(|it| site_of(it) == site) {
            for row in counts.query_map([host], from_row)? {
                rates.add(&row?);
            }
        }
        Ok(rates.named(site))
    }
}

impl Writer<'_> {
    /// Blocks or frees the site of a host by its rates as they are now. Only a block for its rates is
    /// freed again; what else was recorded against it stays.
    pub(crate) fn reassess_domain(
        &self,
        host: &str,
        policy: &DomainPolicy,
    ) -> Result<Option<DomainEffect>> {
        let (rules, rates) = (&self.rules().domain, self.rejection_rates_of(host)?);
        let site = rates.domain.clone();
        let too_many = rates.claims >= rules.high_rejection_min_samples
            && rates.domain_claim_combined_rejection_rate > rules.high_rejection_rate_threshold;
        let held = self.recorded_domain(&site)?.and_then(|it| it.block);
        let held_for_rates = held.is_some_and(|it| it.reason == BlockReason::HighRejectionRate);
        let change = if too_many {
            let detail = format!(
                "{} of {} claims were rejected",
                rates.combined_rejected_claims, rates.claims
            );
            let reason = BlockReason::HighRejectionRate;
            match self.block_domain_recorded(host, reason, &detail, policy)? {
                BlockOutcome::Blocked => DomainChange::Blocked,
                BlockOutcome::AlreadyBlocked => return Ok(None),
                BlockOutcome::Protected(_) => DomainChange::Protected,
            }
        } else if held_for_rates {
            self.free_domain(&site, &rates)?;
            DomainChange::Freed
        } else {
            return Ok(None);
        };
        Ok(Some(DomainEffect { domain: site, change, rates }))
    }

    fn free_domain(&self, site: &str, rates: &RejectionRates) -> Result<()> {
        let freed = Cause::new("domain_free").about("domain", site).with(json!({ "rates": rates }));
        let event = self.record_event(freed.after(self.cause()?))?;
        self.connection.execute(
            "UPDATE domains SET domain_category = coalesce(original_domain_category, 'unverified'),
                    original_domain_category = NULL, domain_block_reason = NULL,
                    domain_block_detail = NULL, domain_blocked_at = NULL, updated_at = ?2, cause_id = ?3
             WHERE domain = ?1",
            params![site, self.now(), event.to_string()],
        )?;
        Ok(())
    }
}

impl RejectionRates {
    fn add(&mut self, other: &Self) {
        self.claims += other.claims;
        self.security_rejected_claims += other.security_rejected_claims;
        self.manual_rejected_claims += other.manual_rejected_claims;
        self.combined_rejected_claims += other.combined_rejected_claims;
    }

    fn named(mut self, domain: String) -> Self {
        let share = |part: u32| {
            if self.claims == 0 { 0.0 } else { f64::from(part) / f64::from(self.claims) }
        };
        self.domain_claim_security_rejection_rate = share(self.security_rejected_claims);
        self.domain_claim_manual_rejection_rate = share(self.manual_rejected_claims);
        self.domain_claim_combined_rejection_rate = share(self.combined_rejected_claims);
        self.domain = domain;
        self
    }
}

/// A quick no for most hosts: names in their normal spelling end in their site.
fn cannot_be_of(host: &str, site: &str) -> bool {
    let tail = host.len().checked_sub(site.len()).map(|start| &host.as_bytes()[start..]);
    host.is_ascii()
        && !host.ends_with('.')
        && !tail.is_some_and(|it| it.eq_ignore_ascii_case(site.as_bytes()))
}

fn from_row(row: &Row<'_>) -> rusqlite::Result<RejectionRates> {
    Ok(RejectionRates {
        domain: row.get("domain")?,
        claims: row.get("claims")?,
        security_rejected_claims: row.get("security")?,
        manual_rejected_claims: row.get("manual")?,
        combined_rejected_claims: row.get("combined")?,
        ..RejectionRates::default()
    })
}
