//! `lyra domain check`: the one decision about a host, explained.

use clap::Args;
use evidence::domain::{
    Block, DomainDecision, MatchedOverride, OverrideDecision, PatternProblem, PolicyFields,
    PolicySection, RulePattern, normal_host, site_of,
};
use evidence::{DomainCategory, domain};
use graph::RejectionRates;
use serde::Serialize;

use crate::cli::{Field, minute, percent, print_record};
use crate::failure::Failure;
use crate::session::{Session, ask};
use crate::words::{Words, say};

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
    /// How its pages are read, where some were rendered.
    route: Option<Route>,
}

#[derive(Serialize)]
struct Route {
    /// The share of the pages that were rendered whose text needed it, as it counts now.
    needs_scripts: f64,
    pages: u32,
    renders_at_once: bool,
}

impl Check {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let host = host(&self.host)?;
        let policy = session.policy().current();
        let graph = session.reader()?;
        let (decision, rejection_rates) =
            ask(graph, |r| Ok((r.decide(&host, &policy)?, r.rejection_rates_of(&host)?)))?;
        let site = site_of(&host);
        let now = session.now();
        let route = ask(graph, |r| r.domain_route(&site))?.map(|it| Route {
            needs_scripts: it.share_at(now),
            pages: it.pages,
            renders_at_once: it.renders_at_once(now),
        });
        let checked = Checked { site, host, decision, rejection_rates, route };
        if session.ui.is_json() {
            return session.ui.document(&checked);
        }
        print_record(&session.ui, &checked.fields(session.ui.words()))
    }
}

/// A host as people type it: one name or address, without scheme, port or path.
pub(super) fn host(given: &str) -> Result<String, Failure> {
    let refuse = |given: &str, problem: &dyn std::fmt::Display| {
        Failure::bad_input(format!("`{given}` is not a host: {problem}"))
    };
    if given.contains('*') {
        return Err(refuse(given, &"it is a pattern").hint(|w| &w.hint.one_host));
    }
    match given.parse::<RulePattern>() {
        Ok(_) => Ok(normal_host(given)),
        Err(domain::BadPattern { problem: PatternProblem::Address, .. }) => Ok(normal_host(given)),
        Err(error) => Err(refuse(&error.given, &error.problem)),
    }
}

impl Checked {
    fn fields(&self, words: &'static Words) -> Vec<Field> {
        let (label, common) = (&words.label, &words.common);
        let DomainDecision { blocked, signal, overridden, .. } = &self.decision;
        let mut fields = vec![(&label.host, self.host.clone())];
        if self.site != self.host {
            fields.push((&label.site, self.site.clone()));
        }
        let readable = if blocked.is_some() { &common.no } else { &common.yes };
        fields.push((&label.may_be_read, String::from(readable)));
        fields.push((&label.category, weighed(words, self.decision.category)));
        if blocked.is_some() {
            let category = weighed(words, self.decision.original_category);
            fields.push((&label.without_block, category));
        }
        fields.push((&label.category_from, self.category_from(words)));
        fields.extend(blocked.iter().map(|it| (&label.blocked_by, block_words(words, it))));
        let lifted = signal.iter().filter(|_| blocked.is_none());
        fields.extend(lifted.map(|it| (&label.lifted_block, block_words(words, it))));
        let beside = signal.iter().filter(|it| blocked.as_ref().is_some_and(|block| block != *it));
        fields.extend(beside.map(|it| (&label.blocked_also_by, block_words(words, it))));
        // Where a person blocked what is blocked anyway, unblocking lifts both.
        let risk = blocked.iter().chain(signal).map(|block| block.risk).max();
        fields.extend(risk.map(|risk| (&label.unblock_risk, words.code(risk))));
        let none = || String::from(&common.none);
        let decided = overridden.as_ref().map_or_else(none, |it| override_words(words, it));
        fields.push((&label.override_by, decided));
        let limits = limits(words, &self.decision.fields);
        fields.extend(limits.map(|limits| (&label.limits, limits)));
        fields.extend(self.route.iter().map(|it| (&label.scripts, it.words(words))));
        let rates = &self.rejection_rates;
        if rates.claims > 0 {
            let rejected = say!(
                words.domain.rejected,
                rejected = rates.combined_rejected_claims,
                claims = rates.claims,
                share = percent(rates.domain_claim_combined_rejection_rate),
            );
            fields.push((&label.rejected_claims, rejected));
        }
        fields
    }

    fn category_from(&self, words: &Words) -> String {
        let words = &words.domain;
        match &self.decision.matched_rule {
            Some((PolicySection::UserOverrides, name)) => say!(words.from_override, name = name),
            Some((_, name)) => say!(words.from_rule, name = name),
            None if self.decision.original_category == DomainCategory::Unverified => {
                String::from(&words.from_default)
            }
            None => String::from(&words.from_claims),
        }
    }
}

impl Route {
    fn words(&self, words: &Words) -> String {
        let domain = &words.domain;
        let share = percent(self.needs_scripts);
        match self.renders_at_once {
            true => say!(domain.rendered_at_once, share = share, n = self.pages),
            false => say!(domain.rendered_if_empty, share = share, n = self.pages),
        }
    }
}

/// A category with its weight in ranking.
pub(super) fn weighed(words: &Words, category: DomainCategory) -> String {
    let weight = format!("{:.2}", category.weight());
    say!(words.domain.weighed, category = words.code(category), weight = weight)
}

pub(super) fn block_words(words: &Words, block: &Block) -> String {
    let mut text = words.code(block.reason);
    if let Some(pattern) = &block.pattern {
        text += &format!(" {pattern}");
    }
    if let Some(detail) = &block.detail {
        text += &format!(": {}", words.code(detail));
    }
    match block.blocked_at {
        Some(time) => say!(words.domain.since, text = text, time = minute(time)),
        None => text,
    }
}

fn override_words(words: &Words, matched: &MatchedOverride) -> String {
    let verb = match matched.decision {
        OverrideDecision::Block => "block",
        OverrideDecision::Unblock => "unblock",
    };
    let verb = words.code(verb);
    let text = format!("{verb} {}: {}", matched.matched_pattern, matched.reason);
    say!(words.domain.since, text = text, time = minute(matched.updated_at))
}

fn limits(words: &Words, fields: &PolicyFields) -> Option<String> {
    let words = &words.domain;
    let limits = [
        fields.qps.map(|qps| say!(words.requests_per_second, n = qps)),
        fields.max_pages_per_day.map(|pages| say!(words.pages_per_day, n = pages)),
        fields.wikipedia_mode.map(|mode| say!(words.wikipedia_mode, mode = mode)),
    ];
    let limits: Vec<String> = limits.into_iter().flatten().collect();
    (!limits.is_empty()).then(|| limits.join(", "))
}
