//! The policy: which patterns have which category, what is denied, and what a user set for a host.
//!
//! Plain data. Reading it from a file, and noticing that the file changed, is left to others.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::pattern::{DomainPattern, RulePattern};
use super::{DomainCategory, WikipediaMode};
use crate::text_enum::text_enum;

/// What a rule or a user can set for a host. What is not set comes from a wider rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct PolicyFields {
    pub domain_category: Option<DomainCategory>,
    /// Requests a second; fetching never goes above its own limit because of it.
    pub qps: Option<f64>,
    pub max_pages_per_day: Option<u32>,
    pub wikipedia_mode: Option<WikipediaMode>,
}

impl PolicyFields {
    pub fn of(category: DomainCategory) -> Self {
        Self { domain_category: Some(category), ..Self::default() }
    }

    /// Takes from `wider` what is not set here.
    fn or(self, wider: &Self) -> Self {
        Self {
            domain_category: self.domain_category.or(wider.domain_category),
            qps: self.qps.or(wider.qps),
            max_pages_per_day: self.max_pages_per_day.or(wider.max_pages_per_day),
            wikipedia_mode: self.wikipedia_mode.or(wider.wikipedia_mode),
        }
    }

    fn shown(&self) -> String {
        let fields = [
            self.domain_category.map(|it| it.to_string()),
            self.qps.map(|it| format!("qps {it}")),
            self.max_pages_per_day.map(|it| format!("max_pages_per_day {it}")),
            self.wikipedia_mode.map(|it| format!("wikipedia_mode {it}")),
        ];
        fields.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// What a user set for one host, and why.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct UserOverride {
    #[serde(flatten)]
    pub fields: PolicyFields,
    pub reason: Option<String>,
    pub added_at: Option<String>,
}

text_enum! {
    /// A part of a policy.
    pub enum PolicySection ("policy section") {
        Rules = "rules",
        Denylist = "denylist",
        UserOverrides = "user_overrides",
    }
}

/// One line of the difference between two policies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PolicyChange {
    pub section: PolicySection,
    pub name: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// Rules, denylist and user overrides. If a pattern is given twice, the last one wins.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DomainPolicy {
    pub rules: BTreeMap<RulePattern, PolicyFields>,
    /// Pattern and, where it was given, the reason.
    pub denylist: BTreeMap<DomainPattern, Option<String>>,
    /// By host, in its normal spelling.
    pub user_overrides: BTreeMap<String, UserOverride>,
}

impl DomainPolicy {
    /// Lays another policy over this one: what it says about a pattern or host replaces ours.
    pub fn merged_with(mut self, over: Self) -> Self {
        self.rules.extend(over.rules);
        self.denylist.extend(over.denylist);
        self.user_overrides.extend(over.user_overrides);
        self
    }

    /// What holds for a host in its normal spelling, and the rule that gave the category.
    pub(super) fn fields_of(&self, host: &str) -> (PolicyFields, Option<(PolicySection, String)>) {
        let mut fields = PolicyFields::default();
        let mut category_from = None;
        let mut add = |section, name: String, found: &PolicyFields| {
            if fields.domain_category.is_none() && found.domain_category.is_some() {
                category_from = Some((section, name));
            }
            fields = fields.or(found);
        };
        if let Some(found) = self.user_overrides.get(host) {
            add(PolicySection::UserOverrides, host.to_owned(), &found.fields);
        }
        let exact = std::iter::once(RulePattern::exact(host));
        for pattern in exact.chain(suffixes(host).map(RulePattern::suffix)) {
            if let Some(found) = self.rules.get(&pattern) {
                add(PolicySection::Rules, pattern.to_string(), found);
            }
        }
        (fields, category_from)
    }

    /// The nearest pattern of the denylist that covers a host in its normal spelling.
    pub(super) fn denied_by(&self, host: &str) -> Option<(&DomainPattern, Option<&str>)> {
        let exact = std::iter::once(DomainPattern::exact(host));
        exact
            .chain(suffixes(host).map(DomainPattern::suffix))
            .find_map(|it| self.denylist.get_key_value(&it))
            .map(|(pattern, reason)| (pattern, reason.as_deref()))
    }

    /// What is different in `newer`, in the order of sections and names.
    pub fn changes_to(&self, newer: &Self) -> Vec<PolicyChange> {
        let words = |reason: &Option<String>| reason.clone().unwrap_or_else(|| "denied".to_owned());
        let with_reason = |rule: &UserOverride| match &rule.reason {
            Some(reason) => format!("{} ({reason})", rule.fields.shown()),
            None => rule.fields.shown(),
        };
        let mut changes = Vec::new();
        compare(&mut changes, PolicySection::Rules, &self.rules, &newer.rules, |it| it.shown());
        compare(&mut changes, PolicySection::Denylist, &self.denylist, &newer.denylist, words);
        compare(
            &mut changes,
            PolicySection::UserOverrides,
            &self.user_overrides,
            &newer.user_overrides,
            with_reason,
        );
        changes
    }
}

/// `a.b.c`, `b.c`, `c`: from the longest to the shortest.
fn suffixes(host: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(host), |it| it.split_once('.').map(|(_, rest)| rest))
}

fn compare<K: Ord + ToString, V: PartialEq>(
    changes: &mut Vec<PolicyChange>,
    section: PolicySection,
    before: &BTreeMap<K, V>,
    after: &BTreeMap<K, V>,
    shown: impl Fn(&V) -> String,
) {
    let added = after.keys().filter(|it| !before.contains_key(it));
    let mut names: Vec<&K> = before.keys().chain(added).collect();
    names.sort();
    for name in names {
        let (old, new) = (before.get(name), after.get(name));
        if old != new {
            changes.push(PolicyChange {
                section,
                name: name.to_string(),
                before: old.map(&shown),
                after: new.map(&shown),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DomainCategory::{Government, Low, Primary};

    fn policy(rules: &[(&str, PolicyFields)]) -> DomainPolicy {
        let rules = rules.iter().map(|(pattern, fields)| (pattern.parse().unwrap(), *fields));
        DomainPolicy { rules: rules.collect(), ..DomainPolicy::default() }
    }

    #[test]
    fn each_field_comes_from_the_nearest_rule_that_sets_it() {
        let slow = PolicyFields { max_pages_per_day: Some(5), ..PolicyFields::default() };
        let policy = policy(&[
            ("*.go.jp", PolicyFields { qps: Some(0.1), ..PolicyFields::of(Government) }),
            ("*.mhlw.go.jp", slow),
            ("www.mhlw.go.jp", PolicyFields::of(Primary)),
        ]);
        let (fields, from) = policy.fields_of("www.mhlw.go.jp");
        assert_eq!(fields.shown(), "primary, qps 0.1, max_pages_per_day 5");
        assert_eq!(from, Some((PolicySection::Rules, "www.mhlw.go.jp".to_owned())));
        let (fields, from) = policy.fields_of("a.mhlw.go.jp");
        assert_eq!(fields.shown(), "government, qps 0.1, max_pages_per_day 5");
        assert_eq!(from, Some((PolicySection::Rules, "*.go.jp".to_owned())));
        assert_eq!(policy.fields_of("go.jp.example.com"), (PolicyFields::default(), None));
    }

    #[test]
    fn the_difference_names_what_came_went_and_changed() {
        let before = policy(&[
            ("*.go.jp", PolicyFields::of(Government)),
            ("a.com", PolicyFields::of(Low)),
            ("b.com", PolicyFields::of(Low)),
        ]);
        let mut after = policy(&[
            ("*.go.jp", PolicyFields::of(Government)),
            ("a.com", PolicyFields::of(Primary)),
        ]);
        after.denylist.insert("*.spam.com".parse().unwrap(), Some("copies".to_owned()));
        let shown: Vec<String> = before
            .changes_to(&after)
            .iter()
            .map(|it| format!("{} {} {:?} {:?}", it.section, it.name, it.before, it.after))
            .collect();
        assert_eq!(
            shown,
            [
                r#"rules a.com Some("low") Some("primary")"#,
                r#"rules b.com Some("low") None"#,
                r#"denylist *.spam.com None Some("copies")"#,
            ]
        );
        assert_eq!(after.changes_to(&after), []);
    }

    #[test]
    fn a_policy_laid_over_another_replaces_what_it_speaks_of() {
        let shipped = policy(&[("a.com", PolicyFields::of(Low)), ("b.com", PolicyFields::of(Low))]);
        let merged = shipped.merged_with(policy(&[("b.com", PolicyFields::of(Primary))]));
        assert_eq!(merged.fields_of("a.com").0, PolicyFields::of(Low));
        assert_eq!(merged.fields_of("b.com").0, PolicyFields::of(Primary));
    }
}
