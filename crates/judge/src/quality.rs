//! The second look at a page's quality: a model's word where the rules are unsure.

use serde::{Deserialize, Serialize};

/// When a model is asked, and how much it counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct QualitySettings {
    /// Scores of the rules from here to `unsure_to` are for a model to judge.
    pub unsure_from: f64,
    pub unsure_to: f64,
    /// The share of the model in the final score; the rest is the rules'.
    pub model_weight: f64,
}

impl Default for QualitySettings {
    fn default() -> Self {
        Self { unsure_from: 0.4, unsure_to: 0.6, model_weight: 0.6 }
    }
}

/// Whether the rules leave a page to a model.
pub fn is_unsure(by_rules: f64, settings: &QualitySettings) -> bool {
    (settings.unsure_from..=settings.unsure_to).contains(&by_rules)
}

/// The final score of a page, 0 to 1. A model counts only where the rules were unsure.
pub fn combined(by_rules: f64, by_model: Option<f64>, settings: &QualitySettings) -> f64 {
    let score = match by_model.filter(|_| is_unsure(by_rules, settings)) {
        Some(model) => settings.model_weight * model + (1.0 - settings.model_weight) * by_rules,
        None => by_rules,
    };
    score.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_counts_only_where_the_rules_are_unsure() {
        let settings = QualitySettings::default();
        let score = |rules, model| format!("{:.2}", combined(rules, model, &settings));
        assert_eq!(score(0.5, Some(1.0)), "0.80");
        assert_eq!(score(0.4, Some(0.0)), "0.16");
        assert_eq!(score(0.6, Some(0.5)), "0.54");
        assert_eq!(score(0.5, None), "0.50");
        assert_eq!(score(0.39, Some(1.0)), "0.39");
        assert_eq!(score(0.61, Some(0.0)), "0.61");
    }
}
