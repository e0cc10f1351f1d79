//! `lyra domain check`: the one decision about a host, explained.

use clap::Args;
use evidence::domain::{
    Block, DomainDecision, MatchedOverride, OverrideDecision, PatternProblem, PolicyFields,
    PolicySection, RulePattern, normal_host, site_of,
};
use evidence::{DomainCategory, domain};
use graph::RejectionRates;
use serde::Serialize;

use crate::cli::{minute, percent, print_record};
use crate::failure::Failure;
use crate::session::{Session, ask};

/// Say whether a host may be read, in which category, and why
///
/// What people decided comes first (the exact host, then the longest pattern, then the newest), then
/// the denylist and recorded blocks, then the rules of the policy. A category moves pages up or down
/// in ranking; it never touches confidence.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra domain check www.example.com
  lyra domain check 例え.jp --json

Next: `lyra domain block|unblock PATTERN --reason TEXT` decides otherwise.")]
pub(crate) struct Check {
    /// A host, such as www.example.com
    host: String,
}

#[derive(Serialize)]
struct Checked {
    host: String,
    site: String,
    decision: DomainDecision,
    rejection_rates: RejectionRates,
}

impl Check {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let host = host(&self.host)?;
        let policy = session.policy().current();
        let graph = session.reader()?;
        let (decision, rejection_rates) =
            ask(graph, |r| Ok((r.decide(&host, &policy)?, r.rejection_rates_of(&host)?)))?;
        let checked = Checked { site: site_of(&host), host, decision, rejection_rates };
        if session.ui.is_json() {
            return session.ui.document(&checked);
        }
        print_record(&session.ui, &checked.fields())
    }
}

/// A host as people type it: one name or address, without scheme, port or path.
pub(super) fn host(given: &str) -> Result<String, Failure> {
    let refuse = |given: &str, problem: &dyn std::fmt::Display| {
        Failure::bad_input(format!("`{given}` is not a host: {problem}"))
    };
    if given.contains('*') {
        return Err(refuse(given, &"it is a pattern").hint("name one host, as in www.example.com"));
    }
    match given.parse::<RulePattern>() {
        Ok(_) => Ok(normal_host(given)),
        Err(domain::BadPattern { problem: PatternProblem::Address, .. }) => Ok(normal_host(given)),
        Err(error) => Err(refuse(&error.given, &error.problem)),
    }
}

impl Checked {
    fn fields(&self) -> Vec<(&'static str, String)> {
        let DomainDecision { blocked, signal, overridden, .. } = &self.decision;
        let mut fields = vec![("Host", self.host.clone())];
        if self.site != self.host {
            fields.push(("Site", self.site.clone()));
        }
        fields.push(("May be read", if blocked.is_some() { "no" } else { "yes" }.to_owned()));
        fields.push(("Category", weighed(self.decision.category)));
        if blocked.is_some() {
            fields.push(("Without the block", weighed(self.decision.original_category)));
        }
        fields.push(("Category from", self.category_from()));
        fields.extend(blocked.iter().map(|it| ("Blocked by", block_words(it))));
        let lifted = signal.iter().filter(|_| blocked.is_none());
        fields.extend(lifted.map(|it| ("Lifted block", block_words(it))));
        let beside = signal.iter().filter(|it| blocked.as_ref().is_some_and(|held| held != *it));
        fields.extend(beside.map(|it| ("Blocked also by", block_words(it))));
        // Where a person blocked what is blocked anyway, unblocking lifts both.
        let risk = blocked.iter().chain(signal).map(|it| it.risk).max();
        fields.extend(risk.map(|it| ("Risk of unblocking", it.to_string())));
        fields.push(("Override", overridden.as_ref().map_or("none".to_owned(), override_words)));
        fields.extend(limits(&self.decision.fields).map(|it| ("Limits", it)));
        let RejectionRates { claims, combined_rejected_claims: rejected, .. } =
            &self.rejection_rates;
        if *claims > 0 {
            let share = percent(self.rejection_rates.domain_claim_combined_rejection_rate);
            fields.push(("Rejected claims", format!("{rejected} of {claims} ({share})")));
        }
        fields
    }

    fn category_from(&self) -> String {
        match &self.decision.matched_rule {
            Some((PolicySection::UserOverrides, name)) => {
                format!("[[user_overrides]] {name} of domains.toml")
            }
            Some((_, name)) => format!("the rule {name}"),
            None if self.decision.original_category == DomainCategory::Unverified => {
                "the default: no rule names it".to_owned()
            }
            None => "its claims, which were verified".to_owned(),
        }
    }
}

/// A category with its weight in ranking.
pub(super) fn weighed(category: DomainCategory) -> String {
    format!("{category} (weight {:.2})", category.weight())
}

pub(super) fn block_words(block: &Block) -> String {
    let mut words = block.reason.to_string();
    if let Some(pattern) = &block.pattern {
        words += &format!(" {pattern}");
    }
    if let Some(detail) = &block.detail {
        words += &format!(": {detail}");
    }
    if let Some(time) = block.blocked_at {
        words += &format!(" (since {})", minute(time));
    }
    words
}

fn override_words(it: &MatchedOverride) -> String {
    let verb = match it.decision {
        OverrideDecision::Block => "block",
        OverrideDecision::Unblock => "unblock",
    };
    let since = minute(it.updated_at);
    format!("{verb} {}: {} (since {since})", it.matched_pattern, it.reason)
}

fn limits(fields: &PolicyFields) -> Option<String> {
    let limits = [
        fields.qps.map(|it| format!("{it} requests a second")),
        fields.max_pages_per_day.map(|it| format!("{it} pages a day")),
        fields.wikipedia_mode.map(|it| format!("wikipedia_mode {it}")),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    (!limits.is_empty()).then(|| limits.join(", "))
}
