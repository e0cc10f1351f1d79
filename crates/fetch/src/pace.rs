//! How often a host may be asked: the rules, applied to the stored state.
//!
//! Pure: the time and the random numbers come in as arguments, the memory is [`ledger::Pace`]. Waiting is
//! left to the queues.

mod quiet;

use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use ledger::Pace;

use self::quiet::Quiet;
use crate::{FetchSettings, Limits, OpenError};

/// The rules for one scope.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PaceRules {
    pub(crate) concurrent: usize,
    pub(crate) spacing: (Duration, Duration),
    /// Requests a second over time; 0: no limit.
    pub(crate) per_second: f64,
    pub(crate) burst: u32,
    pub(crate) per_day: Option<u32>,
    pub(crate) quiet: Quiet,
    pub(crate) rest: Rest,
}

/// How long a scope rests after failures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rest {
    pub(crate) base: Duration,
    pub(crate) max: Duration,
    /// The failure in a row that brings the first rest.
    pub(crate) from: u32,
}

/// When the next request may leave.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Turn {
    Now,
    At(Timestamp),
    Resting { until: Timestamp, because: String },
    DayUsedUp { until: Timestamp, requests: u32 },
}

impl PaceRules {
    pub(crate) fn of_domains(settings: &FetchSettings) -> Result<Self, OpenError> {
        let minutes = |it: u64| Duration::from_secs(it.saturating_mul(60));
        Ok(Self {
            concurrent: 1,
            spacing: (
                Duration::from_millis(settings.spacing_min_ms),
                Duration::from_millis(settings.spacing_max_ms),
            ),
            per_second: settings.per_second,
            burst: settings.burst.max(1),
            per_day: Some(settings.per_day).filter(|it| *it > 0),
            quiet: Quiet::new(settings)?,
            rest: Rest {
                base: minutes(settings.rest_min_minutes),
                max: minutes(settings.rest_max_minutes),
                from: 1,
            },
        })
    }

    /// The rules of an engine or an API: its own limits, the common quiet hours.
    pub(crate) fn with(&self, limits: &Limits, rest: Rest) -> Self {
        Self {
            concurrent: limits.concurrent.max(1),
            spacing: limits.spacing,
            per_second: limits.per_second,
            burst: u32::try_from(limits.concurrent).unwrap_or(u32::MAX).max(1),
            per_day: limits.per_day,
            quiet: self.quiet,
            rest,
        }
    }

    /// The rules with the limits a policy sets for a host: never looser than these.
    pub(crate) fn within(&self, qps: Option<f64>, max_pages_per_day: Option<u32>) -> Self {
        let mut rules = self.clone();
        if let Some(qps) = qps.filter(|it| *it > 0.0) {
            let limited = rules.per_second > 0.0;
            rules.per_second = if limited { rules.per_second.min(qps) } else { qps };
        }
        if let Some(most) = max_pages_per_day {
            rules.per_day = Some(rules.per_day.map_or(most, |it| it.min(most)));
        }
        rules
    }

    /// The pause before the next request; `random` lies between 0 and 1.
    pub(crate) fn gap(&self, random: f64) -> Duration {
        let (low, high) = self.spacing;
        low + high.saturating_sub(low).mul_f64(random.clamp(0.0, 1.0))
    }

    /// How long one request after another takes, over time: for guessing how long a queue is.
    pub(crate) fn mean_gap(&self, now: Timestamp) -> Duration {
        let spacing = self.gap(0.5);
        let rate = match self.per_second > 0.0 {
            true => Duration::try_from_secs_f64(1.0 / self.per_second).unwrap_or(Duration::MAX),
            false => Duration::ZERO,
        };
        let each = spacing.max(rate).checked_div(self.concurrent as u32).unwrap_or_default();
        Duration::try_from_secs_f64(each.as_secs_f64() * self.quiet.factor_at(now)).unwrap_or(each)
    }

    /// When the next request may leave, `gap` after the last one.
    pub(crate) fn turn(&self, pace: &Pace, gap: Duration, now: Timestamp) -> Turn {
        // A clock that was wrong for a while must not close a site for years.
        let longest = later(now, self.rest.max);
        if let Some(until) = pace.resting_until.filter(|it| *it > now).map(|it| it.min(longest)) {
            let because = pace.resting_because.clone().unwrap_or_default();
            return Turn::Resting { until, because };
        }
        let factor = self.quiet.factor_at(now);
        let today = self.requests_today(pace, now);
        if let Some(most) = self.per_day {
            let most_now = (f64::from(most) / factor) as u32;
            if today >= most_now {
                let midnight = next_midnight(now);
                let until = match today >= most {
                    true => midnight,
                    // More may be asked once the quiet hours are over.
                    false => self.quiet.end(now).min(midnight),
                };
                return Turn::DayUsedUp { until, requests: today };
            }
        }
        let last = pace.last_request_at.filter(|it| *it <= later(now, gap));
        let Some(last) = last else { return Turn::Now };
        let spaced = later(last, gap.mul_f64(factor));
        let ready = match self.over_rate(pace, now, factor) {
            Some(wait) => spaced.max(later(now, wait)),
            None => spaced,
        };
        if ready > now { Turn::At(ready) } else { Turn::Now }
    }

    /// Counts a request that leaves now.
    pub(crate) fn start(&self, pace: &mut Pace, now: Timestamp) {
        pace.requests_today = self.requests_today(pace, now) + 1;
        pace.day = Some(day_of(now));
        pace.level = self.level(pace, now, self.quiet.factor_at(now)) + 1.0;
        pace.last_request_at = Some(now);
    }

    /// Takes a request back that found no connection: the host saw nothing of it.
    pub(crate) fn take_back(&self, pace: &mut Pace) {
        pace.requests_today = pace.requests_today.saturating_sub(1);
    }

    /// The request is over: where one is made at a time, the pause begins here, and the rate drains from here on.
    /// When exactly it reached the server is not known; so no server sees more than the limits allow.
    pub(crate) fn finish(&self, pace: &mut Pace, now: Timestamp) {
        if self.concurrent == 1 && pace.last_request_at.is_some_and(|it| it < now) {
            pace.last_request_at = Some(now);
        }
    }

    pub(crate) fn succeed(&self, pace: &mut Pace, now: Timestamp) {
        pace.failures = 0;
        if pace.resting_until.is_some_and(|it| it <= now) {
            pace.resting_until = None;
            pace.resting_because = None;
        }
    }

    /// Counts a failure; the rest it leads to is kept. `asked` is what the server itself asked for.
    pub(crate) fn fail(
        &self,
        pace: &mut Pace,
        now: Timestamp,
        because: &str,
        asked: Option<Duration>,
    ) {
        pace.failures = pace.failures.saturating_add(1);
        let own = (pace.failures >= self.rest.from).then(|| self.rest.after(pace.failures));
        let rest = match asked {
            // A server that names a time is believed, until it has failed again and again.
            Some(asked) if pace.failures < 3 => Some(asked.min(self.rest.max)),
            Some(asked) => Some(asked.min(self.rest.max).max(own.unwrap_or_default())),
            None => own,
        };
        let Some(rest) = rest else { return };
        let until = later(now, rest);
        if pace.resting_until.is_none_or(|it| it < until) {
            pace.resting_until = Some(until);
            pace.resting_because = Some(because.to_owned());
        }
    }

    fn requests_today(&self, pace: &Pace, now: Timestamp) -> u32 {
        if pace.day.as_deref() == Some(&day_of(now)) { pace.requests_today } else { 0 }
    }

    /// What still counts against the rate.
    fn level(&self, pace: &Pace, now: Timestamp, factor: f64) -> f64 {
        if self.per_second <= 0.0 {
            return 0.0;
        }
        let since = pace.last_request_at.map_or(0.0, |it| (now - it).total_seconds());
        (pace.level - since.max(0.0) * self.per_second / factor).max(0.0)
    }

    fn over_rate(&self, pace: &Pace, now: Timestamp, factor: f64) -> Option<Duration> {
        // Rounding must not make a wait of nothing out of a level that is a hair too high.
        let excess = self.level(pace, now, factor) + 1.0 - f64::from(self.burst);
        (self.per_second > 0.0 && excess > 1e-9)
            .then(|| Duration::from_secs_f64((excess * factor / self.per_second).min(1e9)))
    }
}

trait TotalSeconds {
    fn total_seconds(self) -> f64;
}

impl TotalSeconds for jiff::Span {
    fn total_seconds(self) -> f64 {
        SignedDuration::try_from(self).map_or(0.0, |it| it.as_secs_f64())
    }
}

impl Rest {
    /// `base * 2^(failures / 3)`, at most `max`.
    pub(crate) fn after(&self, failures: u32) -> Duration {
        let factor = 2_u32.saturating_pow(failures / 3);
        self.base.saturating_mul(factor).min(self.max)
    }
}

/// The time after a while, at the end of time at most.
pub(crate) fn later(time: Timestamp, by: Duration) -> Timestamp {
    SignedDuration::try_from(by)
        .ok()
        .and_then(|it| time.checked_add(it).ok())
        .unwrap_or(Timestamp::MAX)
}

fn day_of(now: Timestamp) -> String {
    now.to_zoned(TimeZone::UTC).date().to_string()
}

fn next_midnight(now: Timestamp) -> Timestamp {
    const DAY: i64 = 86_400;
    Timestamp::from_second((now.as_second().div_euclid(DAY) + 1) * DAY).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests;
