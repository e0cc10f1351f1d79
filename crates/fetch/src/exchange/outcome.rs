//! What an outcome means for politeness: which ones mean that a site wants fewer requests.

use std::time::Duration;

use crate::failure::Failure;
use crate::fetcher::Inner;
use crate::freshness::header;
use crate::host_queue::Ended;
use crate::http_time::retry_after;
use crate::transport::Answer;
use crate::{FetchSettings, Kind, Reason};

use super::Call;

/// The most an API's pause differs from the computed one.
const JITTER: f64 = 0.1;

pub(super) fn of_answer(inner: &Inner, call: &Call<'_>, answer: &Answer, failures: u32) -> Ended {
    let status = answer.status;
    let now = inner.time.now();
    let asked = header(&answer.headers, "retry-after").and_then(|it| retry_after(it, now));
    let because = || match asked {
        Some(asked) => format!("it answered {status} and asked for {} s of rest", asked.as_secs()),
        None => format!("it answered {status}"),
    };
    if let Kind::Api { .. } = call.request.kind {
        return match status {
            _ if transient_status(status) => {
                let backoff = backoff(&inner.settings, failures, fastrand::f64());
                let asked = Some(asked.unwrap_or_default().max(backoff));
                Ended::Badly { because: because(), asked }
            }
            200..=399 | 404 | 410 => Ended::Well,
            _ => Ended::Oddly,
        };
    }
    match status {
        429 | 503 => Ended::Badly { because: because(), asked },
        // Many stores of files answer 403 for a robots.txt that is not there.
        403 if !call.robots => Ended::Badly { because: because(), asked },
        500..=599 => Ended::Oddly,
        _ => Ended::Well,
    }
}

pub(super) fn of_failure(
    inner: &Inner,
    call: &Call<'_>,
    failure: &Failure,
    failures: u32,
) -> Ended {
    let reason = failure.reason;
    if failure.here {
        return Ended::Oddly;
    }
    let because = match reason {
        Reason::TimedOut => "it did not answer in time",
        Reason::CannotConnect => "it could not be reached",
        _ => "its answer was broken",
    };
    let because = because.to_owned();
    match (&call.request.kind, reason) {
        (Kind::Api { .. }, _) if transient_reason(reason) => {
            let asked = Some(backoff(&inner.settings, failures, fastrand::f64()));
            Ended::Badly { because, asked }
        }
        (
            Kind::Page | Kind::Part | Kind::Engine { .. },
            Reason::TimedOut | Reason::CannotConnect,
        ) => Ended::Badly { because, asked: None },
        _ => Ended::Oddly,
    }
}

/// An API is asked again after these statuses.
pub(super) const fn transient_status(status: u16) -> bool {
    matches!(status, 429 | 500 | 502 | 503 | 504)
}

/// An API is asked again after these failures.
pub(crate) const fn transient_reason(reason: Reason) -> bool {
    matches!(reason, Reason::TimedOut | Reason::CannotConnect | Reason::BrokenAnswer)
}

/// `min(base * 2^n, max)`, give or take a tenth.
fn backoff(settings: &FetchSettings, failures: u32, random: f64) -> Duration {
    let base = Duration::from_millis(settings.api_backoff_ms);
    let most = Duration::from_millis(settings.api_backoff_max_ms);
    let plain = base.saturating_mul(2_u32.saturating_pow(failures)).min(most);
    plain.mul_f64(1.0 - JITTER + 2.0 * JITTER * random)
}

/// The reason as the ledger writes it.
pub(super) fn word(reason: Reason) -> String {
    match serde_json::to_value(reason) {
        Ok(serde_json::Value::String(word)) => word,
        // A reason without fields is always written as text.
        _ => "failed".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pauses_of_an_api_double_up_to_the_longest() {
        let settings = FetchSettings::default();
        let seconds = |failures, random| backoff(&settings, failures, random).as_secs_f64();
        let middle: Vec<f64> = (0..8).map(|it| seconds(it, 0.5)).collect();
        assert_eq!(middle, [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]);
        assert!((seconds(3, 0.0) - 7.2).abs() < 1e-9);
        assert!((seconds(3, 1.0) - 8.8).abs() < 1e-9);
        assert!((seconds(u32::MAX, 1.0) - 66.0).abs() < 1e-9);
    }

    #[test]
    fn reasons_are_written_as_words() {
        assert_eq!(word(Reason::TimedOut), "timed_out");
        assert_eq!(word(Reason::UnknownHost), "unknown_host");
    }
}
