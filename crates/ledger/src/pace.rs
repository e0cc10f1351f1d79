//! How a site, an engine or an API was asked lately.

use jiff::Timestamp;
use serde::Serialize;

/// What politeness towards one scope (`domain:example.com`, `engine:mojeek`, `api:openalex`) rests on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pace {
    pub scope: String,
    pub last_request_at: Option<Timestamp>,
    /// Requests counted against the rate as of `last_request_at`; it drains with time.
    pub level: f64,
    /// Failures since the last success.
    pub failures: u32,
    pub resting_until: Option<Timestamp>,
    pub resting_because: Option<String>,
    /// The day (UTC, `2026-05-01`) that `requests_today` counts.
    pub day: Option<String>,
    pub requests_today: u32,
}

impl Pace {
    /// A scope that was never asked.
    pub fn new(scope: impl Into<String>) -> Self {
        Self {
            scope: scope.into(),
            last_request_at: None,
            level: 0.0,
            failures: 0,
            resting_until: None,
            resting_because: None,
            day: None,
            requests_today: 0,
        }
    }
}
