//! The circuit, the averages and the weight of an engine, step by step.

use fetch::{FetchFailure, Reason};
use graph::{CircuitState, EngineHealth};
use jiff::{SignedDuration, Timestamp};
use sources::{Block, Engine, Engines, Fault, HealthSettings, Observed, PolicyChange};

struct Watched {
    engine: Engine,
    health: EngineHealth,
    settings: HealthSettings,
    now: Timestamp,
}

impl Watched {
    fn new() -> Self {
        let engine = Engines::load(None).get("mojeek").unwrap().clone();
        let settings = HealthSettings::default();
        let now: Timestamp = "2026-05-04T00:00:00Z".parse().unwrap();
        let health = settings.new_health(&engine, now);
        Self { engine, health, settings, now }
    }

    fn wait(&mut self, minutes: i64) -> &mut Self {
        self.now += SignedDuration::from_mins(minutes);
        self
    }

    /// Asks and observes; the changes as the log keeps them.
    fn see(&mut self, observed: Observed) -> Vec<String> {
        let mut changes = self.settings.asked(&mut self.health, self.now);
        changes.extend(self.settings.observe(
            &self.engine,
            &mut self.health,
            observed,
            Some(800.0),
            Some("urn:uuid:1"),
            self.now,
        ));
        changes.iter().map(|it| it.detail().to_string()).collect()
    }

    fn circuit(&self) -> CircuitState {
        self.settings.circuit(&self.health, self.now)
    }
}

const CHALLENGE: Observed = Observed::Blocked(Block::Challenge);

#[test]
fn two_failures_in_a_row_open_the_circuit_for_half_an_hour() {
    let mut it = Watched::new();
    it.see(Observed::Results);
    it.wait(1).see(Observed::Unreachable);
    assert_eq!(it.circuit(), CircuitState::Closed);
    it.wait(1).see(Observed::Results);
    it.wait(1).see(Observed::Failed);
    assert_eq!(it.circuit(), CircuitState::Closed, "a success in between starts the count again");
    let changes = it.wait(1).see(CHALLENGE);
    assert_eq!(
        changes[0],
        r#"{"change":"circuit","from":"closed","to":"open","until":"2026-05-04T00:34:00Z","because":"challenge"}"#
    );
    assert_eq!(it.circuit(), CircuitState::Open);
    assert_eq!(it.wait(29).circuit(), CircuitState::Open);
    assert_eq!(it.wait(1).circuit(), CircuitState::HalfOpen);
}

#[test]
fn one_successful_probe_closes_the_circuit() {
    let mut it = Watched::new();
    it.see(CHALLENGE);
    it.see(CHALLENGE);
    let changes = it.wait(30).see(Observed::Results);
    assert_eq!(
        changes[..2],
        [
            r#"{"change":"circuit","from":"open","to":"half_open","until":null,"because":"time to probe"}"#,
            r#"{"change":"circuit","from":"half_open","to":"closed","until":null,"because":"results"}"#,
        ]
    );
    assert_eq!(
        (it.circuit(), it.health.consecutive_failures, it.health.open_until),
        (CircuitState::Closed, 0, None)
    );
}

#[test]
fn failed_probes_double_the_pause_up_to_two_hours() {
    let mut it = Watched::new();
    it.see(CHALLENGE);
    let mut pauses = Vec::new();
    for _ in 0..5 {
        it.see(CHALLENGE);
        let until = it.health.open_until.unwrap();
        pauses.push(until.duration_since(it.now).as_mins());
        it.now = until;
    }
    assert_eq!(pauses, [30, 60, 120, 120, 120]);
}

#[test]
fn an_engine_asked_although_it_rests_does_not_rest_longer() {
    let mut it = Watched::new();
    it.see(CHALLENGE);
    it.see(CHALLENGE);
    let until = it.health.open_until;
    it.wait(5).see(CHALLENGE);
    assert_eq!((it.circuit(), it.health.open_until), (CircuitState::Open, until));
}

#[test]
fn averages_follow_time_as_well_as_answers() {
    let mut it = Watched::new();
    it.see(Observed::Results);
    it.see(Observed::Failed);
    let rounded = |it: Option<f64>| (it.unwrap() * 1000.0).round() / 1000.0;
    assert_eq!(rounded(it.health.success_rate_1h), 0.7);
    assert_eq!(rounded(it.health.success_rate_24h), 0.9);
    // Two hours later the answer of today outweighs those before: 1 - e^-2 of the short average.
    it.wait(120).see(Observed::Results);
    assert_eq!(rounded(it.health.success_rate_1h), 0.959);
    assert_eq!(rounded(it.health.success_rate_24h), 0.91);
    assert_eq!(it.health.samples, 3);
}

#[test]
fn the_weight_falls_with_failures_and_comes_back() {
    let mut it = Watched::new();
    let full = it.engine.weight;
    for _ in 0..4 {
        it.wait(130).see(CHALLENGE);
    }
    let low = it.health.weight;
    assert!(low < 0.4 * full, "{low}");
    assert!(low >= 0.05 * full, "{low}");
    for _ in 0..60 {
        it.wait(30).see(Observed::Results);
    }
    assert!(it.health.weight > 0.9 * full, "{}", it.health.weight);
}

#[test]
fn the_weight_moves_in_steps_each_of_which_is_logged() {
    let mut it = Watched::new();
    let mut weight = it.health.weight;
    for observed in
        [Observed::Results, Observed::Failed, Observed::Results, CHALLENGE, Observed::NoResults]
    {
        let changes = it.wait(10).see(observed);
        let logged = changes.iter().filter(|it| it.contains(r#""change":"weight""#)).count();
        assert_eq!(logged, usize::from(it.health.weight != weight), "{observed:?}");
        let moved = (it.health.weight - weight).abs();
        assert_eq!(moved >= 0.05 * it.engine.weight, moved > 0.0, "{observed:?}: {moved}");
        weight = it.health.weight;
    }
}

#[test]
fn pages_nobody_can_read_demote_the_engine_and_keep_a_sample() {
    let mut it = Watched::new();
    for _ in 0..5 {
        it.wait(5).see(Observed::Results);
    }
    let before = it.health.weight;
    // A changed layout that still gives results opens no circuit.
    it.wait(5).see(Observed::Broken { recovered: 8 });
    let changes = it.wait(5).see(Observed::Broken { recovered: 8 });
    assert_eq!(
        changes[0],
        r#"{"change":"demoted","parse_failure_rate":0.51,"sample":"urn:uuid:1"}"#
    );
    assert_eq!(it.circuit(), CircuitState::Closed);
    assert_eq!(it.health.broken_sample.as_deref(), Some("urn:uuid:1"));
    assert!(it.health.weight < 0.35 * before, "{}", it.health.weight);
    assert_eq!(it.settings.fault(&it.health), Some(Fault::Layout));
    // Mended: the sample goes, the weight returns.
    it.wait(5).see(Observed::Results);
    let changes = it.wait(5).see(Observed::NoResults);
    assert_eq!(changes[0], r#"{"change":"restored","parse_failure_rate":0.2499}"#);
    assert_eq!((it.health.broken_sample.as_deref(), it.settings.fault(&it.health)), (None, None));
}

#[test]
fn a_page_without_any_result_to_recover_counts_against_the_circuit() {
    let mut it = Watched::new();
    it.see(Observed::Broken { recovered: 0 });
    it.see(Observed::Broken { recovered: 0 });
    assert_eq!(it.circuit(), CircuitState::Open);
    assert_eq!(it.settings.fault(&it.health), Some(Fault::Layout));
}

#[test]
fn a_ban_is_suspected_after_refusals_and_the_engine_is_asked_half_as_often() {
    let mut it = Watched::new();
    it.see(Observed::Blocked(Block::TooMany));
    assert!(!it.health.ban_suspected);
    it.see(Observed::Blocked(Block::Refused));
    assert!(it.health.ban_suspected);
    assert_eq!(it.settings.fault(&it.health), Some(Fault::Blocking));
    let limits = it.settings.paced(&it.engine, Some(&it.health));
    assert_eq!(limits.per_second, it.engine.limits.per_second / 2.0);
    assert_eq!(limits.spacing.0, it.engine.limits.spacing.0 * 2);
    it.wait(30).see(Observed::Results);
    assert!(!it.health.ban_suspected);
    assert_eq!(it.settings.paced(&it.engine, Some(&it.health)), it.engine.limits);
}

#[test]
fn servers_that_fail_are_failing_and_not_blocking() {
    let mut it = Watched::new();
    it.see(Observed::Failed);
    it.see(Observed::Unreachable);
    assert_eq!(it.settings.fault(&it.health), Some(Fault::Failing));
    assert!(!it.health.ban_suspected);
    assert_eq!(it.health.http_error_rate, Some(1.0));
    assert_eq!(it.health.parse_failure_rate, None);
}

#[test]
fn the_median_latency_is_not_moved_by_one_slow_answer() {
    let mut it = Watched::new();
    for latency in [500.0, 520.0, 480.0, 510.0, 30_000.0, 490.0, 505.0] {
        let (engine, now) = (it.engine.clone(), it.now);
        it.settings.observe(&engine, &mut it.health, Observed::Results, Some(latency), None, now);
    }
    let median = it.health.median_latency_ms.unwrap();
    assert!((450.0..=560.0).contains(&median), "{median}");
}

#[test]
fn what_is_not_the_engines_fault_says_nothing_about_it() {
    let missed = |reason| FetchFailure {
        url: "https://www.mojeek.com/search".parse().unwrap(),
        reason,
        detail: String::new(),
        status: None,
        again_at: None,
    };
    for reason in [
        Reason::Offline,
        Reason::Resting,
        Reason::DailyBudget,
        Reason::UnknownHost,
        Reason::NotRecorded,
    ] {
        assert_eq!(Observed::of_missed(&missed(reason)), None, "{reason:?}");
    }
    assert_eq!(Observed::of_missed(&missed(Reason::TimedOut)), Some(Observed::Unreachable));
    assert_eq!(
        Observed::of_missed(&missed(Reason::TooManyRequests)),
        Some(Observed::Blocked(Block::TooMany))
    );
}

#[test]
fn a_change_knows_its_kind() {
    let mut it = Watched::new();
    it.see(CHALLENGE);
    let (engine, now) = (it.engine.clone(), it.now);
    let changes = it.settings.observe(&engine, &mut it.health, CHALLENGE, None, None, now);
    assert!(matches!(changes[0], PolicyChange::Circuit { to: CircuitState::Open, .. }));
}
