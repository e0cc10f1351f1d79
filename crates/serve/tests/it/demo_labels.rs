//! What each judged pair of the demo says, as a person labelled it before the judgements were looked at.

use serde::Deserialize;

/// A passage is named by its file and its beginning, white space as single spaces.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Labels {
    /// Passages that say that pupils sleep longer, that they do not, and what says neither.
    longer: Vec<String>,
    not_longer: Vec<String>,
    neither: Vec<String>,
    /// Claims of the same.
    claims_longer: Vec<String>,
    claims_not_longer: Vec<String>,
    /// Every other claim, with the passages that take a side on it.
    claim: Vec<OtherClaim>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OtherClaim {
    text: String,
    supports: Vec<String>,
    #[serde(default)]
    refutes: Vec<String>,
}

impl Labels {
    pub(crate) fn read() -> Self {
        toml::from_str(include_str!("demo_labels.toml")).unwrap()
    }

    /// What a passage says of a claim; fails where a person was not asked.
    pub(crate) fn of(&self, claim: &str, file: &str, passage: &str) -> &'static str {
        let words: Vec<&str> = passage.split_whitespace().collect();
        let passage = format!("{file}: {}", words.join(" "));
        let among = |named: &[String]| named.iter().any(|it| passage.starts_with(it.as_str()));
        let (longer, not) = (among(&self.longer), among(&self.not_longer));
        let labels = [longer, not, among(&self.neither)];
        assert_eq!(labels.iter().filter(|it| **it).count(), 1, "labels of {passage}");
        let side = |supports: bool, refutes: bool| match (supports, refutes) {
            (true, _) => "supports",
            (_, true) => "refutes",
            _ => "neutral",
        };
        let is = |claims: &[String]| claims.iter().any(|it| it == claim);
        if is(&self.claims_longer) {
            return side(longer, not);
        }
        if is(&self.claims_not_longer) {
            return side(not, longer);
        }
        let other = self.claim.iter().find(|it| it.text == claim);
        let other = other.unwrap_or_else(|| panic!("nobody labelled the claim {claim}"));
        side(among(&other.supports), among(&other.refutes))
    }
}
