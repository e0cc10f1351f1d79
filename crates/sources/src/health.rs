//! How an engine is doing, and what follows from it.
//!
//! A pure machine over the row the graph keeps: what was observed and when goes in, the new row and the changes
//! worth a line in the log come out. Two failures in a row open the circuit; it stays open for 30 minutes, then 60,
//! then 120; then one probe decides. Averages are weighted by time, so an engine that was last asked yesterday is
//! judged by today's answer.

mod average;
mod change;
mod observed;

use fetch::Limits;
use graph::{CircuitState, EngineHealth};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use settings::settings;

use crate::engines::Engine;
use crate::serp::Block;

use self::average::{Average, nearer_median};
pub use self::change::PolicyChange;
pub use self::observed::Observed;

settings! {
    /// Which engines are relied on.
    pub struct HealthSettings {}
    expert {
        /// Failures in a row after which an engine is not asked for a while.
        failures_to_open: u32 = 2, in 1..=100;
        /// Minutes it is not asked at first; doubled by each failed probe.
        open_min_minutes: u32 = 30, in 1..=10_080;
        /// The most minutes it is not asked.
        open_max_minutes: u32 = 120, in 1..=10_080;
        /// The least share of an answer in the average over an hour.
        short_share: f64 = 0.3, in 0.01..=1.0;
        /// The least share of an answer in the average over a day.
        long_share: f64 = 0.1, in 0.01..=1.0;
        /// The share of unreadable pages above which an engine is demoted.
        max_parse_failure_rate: f64 = 0.3, in 0.0..=1.0;
        /// What is left of the weight of a demoted engine.
        demoted_factor: f64 = 0.3, in 0.001..=1.0;
        /// The part of its declared weight that an engine always keeps: one that is never asked cannot recover.
        min_weight_factor: f64 = 0.05, in 0.001..=1.0;
        /// Good answers' worth of trust an engine starts with.
        prior_answers: f64 = 3.0, in 0.0..=1000.0;
        /// A weight changes in steps of at least this part of the declared one.
        weight_step: f64 = 0.05, in 0.0..=1.0;
        /// The share of challenges from which a ban is suspected.
        ban_from: f64 = 0.5, in 0.0..=1.0;
        /// The share of challenges below which it no longer is.
        ban_until: f64 = 0.2, in 0.0..=1.0;
    }
}

/// Why an engine should not be relied on now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// It turns us away.
    Blocking,
    /// Its pages are no longer what is declared.
    Layout,
    /// It does not answer.
    Failing,
}

impl HealthSettings {
    /// The row of an engine that was never asked.
    pub fn new_health(&self, engine: &Engine, now: Timestamp) -> EngineHealth {
        EngineHealth {
            engine: engine.name.clone(),
            circuit_state: CircuitState::Closed,
            consecutive_failures: 0,
            open_until: None,
            success_rate_1h: None,
            success_rate_24h: None,
            captcha_rate: None,
            http_error_rate: None,
            parse_failure_rate: None,
            median_latency_ms: None,
            ban_suspected: false,
            weight: engine.weight,
            samples: 0,
            broken_sample: None,
            last_outcome: None,
            updated_at: now,
        }
    }

    /// The circuit as it is now: an open one whose time is over waits for a probe.
    pub fn circuit(&self, health: &EngineHealth, now: Timestamp) -> CircuitState {
        match (health.circuit_state, health.open_until) {
            (CircuitState::Open, Some(until)) if until <= now => CircuitState::HalfOpen,
            (state, _) => state,
        }
    }

    /// Takes note that an engine is about to be asked: what was open and is due becomes half open.
    pub fn asked(&self, health: &mut EngineHealth, now: Timestamp) -> Vec<PolicyChange> {
        if health.circuit_state != CircuitState::Open
            || self.circuit(health, now) != CircuitState::HalfOpen
        {
            return Vec::new();
        }
        health.updated_at = now;
        vec![self.turn(health, CircuitState::HalfOpen, None, "time to probe")]
    }

    /// A person has opened an engine that turned us away: it is asked again.
    pub fn opened_by_person(&self, health: &mut EngineHealth, now: Timestamp) -> Vec<PolicyChange> {
        health.consecutive_failures = 0;
        health.ban_suspected = false;
        health.updated_at = now;
        if health.circuit_state == CircuitState::Closed {
            return Vec::new();
        }
        vec![self.turn(health, CircuitState::Closed, None, "opened by a person")]
    }

    /// Takes in what was observed; `sample` is the archived page. Returns what changed materially.
    pub fn observe(
        &self,
        engine: &Engine,
        health: &mut EngineHealth,
        observed: Observed,
        latency_ms: Option<f64>,
        sample: Option<&str>,
        now: Timestamp,
    ) -> Vec<PolicyChange> {
        let elapsed = now.duration_since(health.updated_at).max(SignedDuration::ZERO).as_secs_f64();
        let short = Average { share: self.short_share, window: 3_600.0, elapsed };
        let long = Average { share: self.long_share, window: 86_400.0, elapsed };
        let failed = observed.is_failure();
        let demoted_before = self.is_demoted(health);
        short.take(&mut health.success_rate_1h, !failed);
        long.take(&mut health.success_rate_24h, !failed);
        let challenge = matches!(observed, Observed::Blocked(Block::Challenge | Block::Consent));
        short.take(&mut health.captcha_rate, challenge);
        let http_error = matches!(
            observed,
            Observed::Failed
                | Observed::Unreachable
                | Observed::Blocked(Block::Refused | Block::TooMany)
        );
        short.take(&mut health.http_error_rate, http_error);
        // Only pages that came say something about the parser.
        let readable =
            !matches!(observed, Observed::Failed | Observed::Unreachable | Observed::Blocked(_));
        if readable {
            let broken = matches!(observed, Observed::Broken { .. });
            short.take(&mut health.parse_failure_rate, broken);
        }
        if let Some(latency) = latency_ms {
            health.median_latency_ms = Some(nearer_median(health.median_latency_ms, latency));
        }
        health.samples = health.samples.saturating_add(1);
        health.last_outcome = Some(observed.as_str().to_owned());
        health.updated_at = now;

        let mut changes = self.circuit_after(health, observed, now);
        self.suspect_ban(health, observed);
        changes.extend(self.demotion(health, observed, demoted_before, sample));
        let target = engine.weight * self.factor(health);
        if (target - health.weight).abs() >= self.weight_step * engine.weight {
            changes.push(PolicyChange::Weight { from: health.weight, to: target });
            health.weight = target;
        }
        changes
    }

    fn circuit_after(
        &self,
        health: &mut EngineHealth,
        observed: Observed,
        now: Timestamp,
    ) -> Vec<PolicyChange> {
        let state = self.circuit(health, now);
        if !observed.is_failure() {
            health.consecutive_failures = 0;
            health.open_until = None;
            if health.circuit_state == CircuitState::Closed {
                return Vec::new();
            }
            return vec![self.turn(health, CircuitState::Closed, None, observed.as_str())];
        }
        health.consecutive_failures = health.consecutive_failures.saturating_add(1);
        let opens = match state {
            CircuitState::Closed => health.consecutive_failures >= self.failures_to_open,
            CircuitState::HalfOpen => true,
            // Asked although it was open: a person wanted it so.
            CircuitState::Open => return Vec::new(),
        };
        if !opens {
            return Vec::new();
        }
        let until = now + self.open_for(health.consecutive_failures);
        vec![self.turn(health, CircuitState::Open, Some(until), observed.as_str())]
    }

    fn turn(
        &self,
        health: &mut EngineHealth,
        to: CircuitState,
        until: Option<Timestamp>,
        because: &str,
    ) -> PolicyChange {
        let from = std::mem::replace(&mut health.circuit_state, to);
        health.open_until = until;
        PolicyChange::Circuit { from, to, until, because: because.to_owned() }
    }

    /// How long the circuit stays open after this many failures in a row.
    pub fn open_for(&self, failures: u32) -> SignedDuration {
        let doublings = failures.saturating_sub(self.failures_to_open).min(16);
        let minutes = u64::from(self.open_min_minutes) << doublings;
        SignedDuration::from_mins(minutes.min(u64::from(self.open_max_minutes)) as i64)
    }

    fn suspect_ban(&self, health: &mut EngineHealth, observed: Observed) {
        let turned_away = matches!(
            observed,
            Observed::Blocked(Block::Challenge | Block::Refused | Block::TooMany | Block::Consent)
        );
        let challenges = health.captcha_rate.unwrap_or(0.0);
        if turned_away
            && (health.consecutive_failures >= self.failures_to_open || challenges >= self.ban_from)
        {
            health.ban_suspected = health.samples >= self.failures_to_open;
        } else if !turned_away && !observed.is_failure() && challenges < self.ban_until {
            health.ban_suspected = false;
        }
    }

    fn is_demoted(&self, health: &EngineHealth) -> bool {
        health.parse_failure_rate.is_some_and(|it| it > self.max_parse_failure_rate)
    }

    fn demotion(
        &self,
        health: &mut EngineHealth,
        observed: Observed,
        before: bool,
        sample: Option<&str>,
    ) -> Option<PolicyChange> {
        if matches!(observed, Observed::Broken { .. }) {
            health.broken_sample = sample.map(str::to_owned).or(health.broken_sample.take());
        }
        let parse_failure_rate = health.parse_failure_rate.unwrap_or(0.0);
        match (before, self.is_demoted(health)) {
            (false, true) => Some(PolicyChange::Demoted {
                parse_failure_rate,
                sample: health.broken_sample.clone(),
            }),
            (true, false) => {
                health.broken_sample = None;
                Some(PolicyChange::Restored { parse_failure_rate })
            }
            _ => None,
        }
    }

    /// What experience leaves of the declared weight.
    fn factor(&self, health: &EngineHealth) -> f64 {
        let answers = f64::from(health.samples.min(50));
        let success = health.success_rate_24h.unwrap_or(1.0);
        let success = (self.prior_answers + answers * success) / (self.prior_answers + answers);
        let challenges = 1.0 - 0.5 * health.captcha_rate.unwrap_or(0.0);
        let layout = if self.is_demoted(health) { self.demoted_factor } else { 1.0 };
        (success * challenges * layout).clamp(self.min_weight_factor, 1.0)
    }

    /// The limits of an engine as its health allows: one that turns us away is asked half as often.
    pub fn paced(&self, engine: &Engine, health: Option<&EngineHealth>) -> Limits {
        let mut limits = engine.limits.clone();
        let wary = health
            .is_some_and(|it| it.ban_suspected || it.captcha_rate.unwrap_or(0.0) >= self.ban_until);
        if wary {
            limits.per_second /= 2.0;
            limits.spacing = (limits.spacing.0 * 2, limits.spacing.1 * 2);
        }
        limits
    }

    /// What is wrong with an engine, if anything is.
    pub fn fault(&self, health: &EngineHealth) -> Option<Fault> {
        if self.is_demoted(health) {
            return Some(Fault::Layout);
        }
        if health.circuit_state == CircuitState::Closed {
            return None;
        }
        let blocking = health.ban_suspected || health.captcha_rate.unwrap_or(0.0) >= self.ban_from;
        Some(if blocking { Fault::Blocking } else { Fault::Failing })
    }
}
