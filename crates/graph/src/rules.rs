//! The numbers behind what the graph does on its own. Each is a setting; the defaults are the
//! product's.

use evidence::calibration::CalibrationMethod;

/// When domains are blocked, and when calibration is fitted, warned about or undone.
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceRules {
    /// A domain is blocked when more than this share of its claims was rejected ...
    pub high_rejection_rate_threshold: f64,
    /// ... and it has at least this many claims.
    pub high_rejection_min_samples: u32,
    /// Independent sources that make a claim verified, and its domain more than unverified.
    pub min_independent_sources: u32,
    /// The longest reason a person may give, in characters.
    pub max_reason_chars: usize,
    /// Samples a fit needs.
    pub calibration_min_samples: u32,
    /// New samples since the last fit after which a new one is made, not yet in force.
    pub calibration_refit_after: u32,
    /// What the first automatic fit uses; later ones follow the version before.
    pub calibration_method: CalibrationMethod,
    /// Parts the samples are cut into to score a fit on what it has not seen.
    pub calibration_folds: usize,
    pub calibration_bins: usize,
    /// An evaluation is a degradation when its Brier score is worse than the one before by at least
    /// this share.
    pub degradation_threshold: f64,
    /// Undo the active calibration when an evaluation shows a degradation.
    pub enable_auto_rollback: bool,
}

impl Default for EvidenceRules {
    fn default() -> Self {
        Self {
            high_rejection_rate_threshold: 0.3,
            high_rejection_min_samples: 5,
            min_independent_sources: 2,
            max_reason_chars: 2000,
            calibration_min_samples: 30,
            calibration_refit_after: 50,
            calibration_method: CalibrationMethod::Platt,
            calibration_folds: 5,
            calibration_bins: 10,
            degradation_threshold: 0.05,
            enable_auto_rollback: false,
        }
    }
}
