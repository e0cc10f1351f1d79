//! The form of a policy file: TOML with three kinds of tables. Mistakes are named by line or table,
//! and an unknown key by the one it was probably meant to be.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use evidence::DomainCategory;
use evidence::domain::{
    DomainPattern, DomainPolicy, PolicyFields, RulePattern, UserOverride, WikipediaMode,
    normal_host,
};
use serde::Deserialize;

/// The largest policy file that is read.
pub(super) const MAX_BYTES: u64 = 1 << 20;
/// A key is proposed in place of an unknown one when it is at least this similar.
const SIMILAR: f64 = 0.7;

/// Why a policy file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PolicyError {
    #[error("cannot read the domain policy {}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("the domain policy is larger than {MAX_BYTES} bytes")]
    TooLarge,
    #[error("line {line} of the domain policy: {problem}")]
    Syntax { line: usize, problem: String },
    #[error("unknown key `{key}` in {place} of the domain policy{}", did_you_mean(closest.as_deref()))]
    UnknownKey { place: String, key: String, closest: Option<String> },
    #[error("{place} of the domain policy: {problem}")]
    Value { place: String, problem: String },
}

fn did_you_mean(closest: Option<&str>) -> String {
    closest.map(|it| format!("; did you mean `{it}`?")).unwrap_or_default()
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    rules: Vec<Rule>,
    #[serde(default)]
    denylist: Vec<Denied>,
    #[serde(default)]
    user_overrides: Vec<Override>,
}

// The shared fields are written out: flattened, a wrong value would lose its line.
#[derive(Deserialize)]
struct Rule {
    patterns: Vec<String>,
    domain_category: Option<String>,
    qps: Option<f64>,
    max_pages_per_day: Option<u32>,
    wikipedia_mode: Option<String>,
}

#[derive(Deserialize)]
struct Denied {
    patterns: Vec<String>,
    reason: Option<String>,
}

#[derive(Deserialize)]
struct Override {
    domain: String,
    domain_category: Option<String>,
    qps: Option<f64>,
    max_pages_per_day: Option<u32>,
    wikipedia_mode: Option<String>,
    reason: Option<String>,
    added_at: Option<toml::Value>,
}

const SECTIONS: [(&str, &[&str]); 3] = [
    ("rules", &["patterns", "domain_category", "qps", "max_pages_per_day", "wikipedia_mode"]),
    ("denylist", &["patterns", "reason"]),
    (
        "user_overrides",
        &[
            "domain",
            "domain_category",
            "qps",
            "max_pages_per_day",
            "wikipedia_mode",
            "reason",
            "added_at",
        ],
    ),
];

/// Reads a policy in TOML.
pub fn parse_policy(text: &str) -> Result<DomainPolicy, PolicyError> {
    let syntax = |error: toml::de::Error| {
        let offset = error.span().map_or(0, |it| it.start).min(text.len());
        let line = text.as_bytes()[..offset].iter().filter(|it| **it == b'\n').count() + 1;
        PolicyError::Syntax { line, problem: error.message().replace('\n', " ") }
    };
    check_keys(&toml::from_str(text).map_err(syntax)?)?;
    let file: File = toml::from_str(text).map_err(syntax)?;
    let mut policy = DomainPolicy::default();
    for (index, rule) in file.rules.into_iter().enumerate() {
        let place = format!("rules[{index}]");
        let fields = PolicyFields {
            domain_category: category(&place, rule.domain_category)?,
            qps: qps(&place, rule.qps)?,
            max_pages_per_day: rule.max_pages_per_day,
            wikipedia_mode: wikipedia_mode(&place, rule.wikipedia_mode)?,
        };
        for pattern in rule.patterns {
            let pattern: RulePattern = checked(&place, pattern.parse())?;
            policy.rules.insert(pattern, fields);
        }
    }
    for (index, denied) in file.denylist.into_iter().enumerate() {
        let place = format!("denylist[{index}]");
        for pattern in denied.patterns {
            let pattern: DomainPattern = checked(&place, pattern.parse())?;
            policy.denylist.insert(pattern, denied.reason.clone());
        }
    }
    policy.user_overrides = overrides(file.user_overrides)?;
    Ok(policy)
}

fn overrides(given: Vec<Override>) -> Result<BTreeMap<String, UserOverride>, PolicyError> {
    let mut overrides = BTreeMap::new();
    for (index, it) in given.into_iter().enumerate() {
        let place = format!("user_overrides[{index}]");
        if it.domain.contains('*') {
            let problem = format!("`{}` is a pattern; name one host, or use [[rules]]", it.domain);
            return checked(&place, Err(problem));
        }
        let host: RulePattern = checked(&place, it.domain.parse())?;
        let fields = PolicyFields {
            domain_category: category(&place, it.domain_category)?,
            qps: qps(&place, it.qps)?,
            max_pages_per_day: it.max_pages_per_day,
            wikipedia_mode: wikipedia_mode(&place, it.wikipedia_mode)?,
        };
        let added_at = it.added_at.map(|value| match value {
            toml::Value::String(text) => text,
            other => other.to_string(),
        });
        let host = normal_host(&host.to_string());
        overrides.insert(host, UserOverride { fields, reason: it.reason, added_at });
    }
    Ok(overrides)
}

fn category(place: &str, name: Option<String>) -> Result<Option<DomainCategory>, PolicyError> {
    let category = checked(place, name.map(|it| it.parse()).transpose())?;
    if category == Some(DomainCategory::Blocked) {
        let problem = "a category cannot be `blocked`; use [[denylist]], or block it in the graph";
        return checked(place, Err(problem));
    }
    Ok(category)
}

fn qps(place: &str, qps: Option<f64>) -> Result<Option<f64>, PolicyError> {
    match qps {
        Some(qps) if !(qps.is_finite() && qps > 0.0) => {
            checked(place, Err(format!("qps must be above 0, not {qps}")))
        }
        _ => Ok(qps),
    }
}

fn wikipedia_mode(place: &str, name: Option<String>) -> Result<Option<WikipediaMode>, PolicyError> {
    checked(place, name.map(|it| it.parse()).transpose())
}

fn checked<T, E: std::fmt::Display>(place: &str, value: Result<T, E>) -> Result<T, PolicyError> {
    value
        .map_err(|error| PolicyError::Value { place: place.to_owned(), problem: error.to_string() })
}

fn check_keys(file: &toml::Table) -> Result<(), PolicyError> {
    let sections: Vec<&str> = SECTIONS.iter().map(|(name, _)| *name).collect();
    check_table("the top level", file, &sections)?;
    for (section, keys) in SECTIONS {
        let tables = file.get(section).and_then(toml::Value::as_array).into_iter().flatten();
        for (index, table) in tables.filter_map(toml::Value::as_table).enumerate() {
            check_table(&format!("{section}[{index}]"), table, keys)?;
        }
    }
    Ok(())
}

fn check_table(place: &str, table: &toml::Table, known: &[&str]) -> Result<(), PolicyError> {
    let Some(key) = table.keys().find(|it| !known.contains(&it.as_str())) else { return Ok(()) };
    let similarity = |known: &str| {
        let part = key.len() > 2 && (known.contains(key.as_str()) || key.contains(known));
        if part { 1.0 } else { strsim::jaro_winkler(key, known) }
    };
    let closest = known
        .iter()
        .map(|it| (similarity(it), it))
        .filter(|(similarity, _)| *similarity >= SIMILAR)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, it)| (*it).to_owned());
    Err(PolicyError::UnknownKey { place: place.to_owned(), key: key.clone(), closest })
}
