//! The settings behind what the graph does on its own.

use evidence::calibration::CalibrationMethod;
use settings::settings;

/// When domains are blocked, and when calibration is fitted, warned about or undone.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EvidenceSettings {
    pub feedback: FeedbackSettings,
    pub domain: DomainSettings,
    pub calibration: CalibrationSettings,
}

settings! {
    /// The database.
    #[derive(Eq)]
    pub struct StorageSettings {}
    expert {
        /// Milliseconds to wait for another lyra process that writes.
        lock_wait_ms: u64 = 2_000, in 0..=600_000;
    }
}

settings! {
    /// What people say about claims and sources.
    #[derive(Eq)]
    pub struct FeedbackSettings {}
    expert {
        /// Characters of the reason a person gives.
        max_reason_chars: usize = 2_000, in 1..=100_000;
    }
}

settings! {
    /// Which domains are trusted.
    pub struct DomainSettings {
        /// Independent sources that verify a claim, and make its domain more than unverified.
        min_independent_sources: u32 = 2, in 1..=100;
    }
    expert {
        /// A domain is blocked when more than this share of its claims was rejected ...
        high_rejection_rate_threshold: f64 = 0.3, in 0.0..=1.0;
        /// ... and it has at least this many claims.
        high_rejection_min_samples: u32 = 5, in 1..=100_000;
        /// Milliseconds between two looks at domains.toml, which is read again when it changed.
        policy_reload_ms: u64 = 1_000, in 0..=3_600_000;
    }
}

settings! {
    /// Correction of confidences by what people corrected.
    pub struct CalibrationSettings {}
    expert {
        /// Samples a fit needs.
        min_samples: u32 = 30, in 2..=1_000_000;
        /// New samples after which a new version is fitted; it has no effect until it is activated.
        refit_after: u32 = 50, in 1..=1_000_000;
        /// What `lyra calibration fit` and the first automatic fit use; later ones follow the version before.
        method: CalibrationMethod = CalibrationMethod::Platt;
        /// Parts the samples are cut into, to score a fit on what it has not seen.
        folds: usize = 5, in 2..=100;
        /// Bars of the reliability diagram.
        bins: usize = 10, in 1..=100;
        /// An evaluation is a degradation when its Brier score is worse by at least this share.
        degradation_threshold: f64 = 0.05, in 0.0..=1.0;
        /// Take the active version back when an evaluation shows a degradation.
        enable_auto_rollback: bool = false;
    }
}
