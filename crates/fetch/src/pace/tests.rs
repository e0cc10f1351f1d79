use super::*;

fn rules() -> PaceRules {
    PaceRules::of_domains(&FetchSettings::default()).unwrap()
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn noon() -> Timestamp {
    at("2026-03-04T12:00:00Z")
}

fn plus(time: Timestamp, seconds: f64) -> Timestamp {
    later(time, Duration::from_secs_f64(seconds))
}

/// Asks as fast as the rules let it, each request taking `lasts`, and gives back when requests began.
fn simulate(rules: &PaceRules, requests: usize, lasts: Duration) -> Vec<Timestamp> {
    let mut random = fastrand::Rng::with_seed(11);
    let mut pace = Pace::new("domain:example.com");
    let mut now = noon();
    let mut starts = Vec::new();
    let mut gap = rules.gap(random.f64());
    while starts.len() < requests {
        match rules.turn(&pace, gap, now) {
            Turn::Now => {
                rules.start(&mut pace, now);
                starts.push(now);
                now = later(now, lasts);
                rules.finish(&mut pace, now);
                gap = rules.gap(random.f64());
            }
            Turn::At(time) => {
                assert!(time > now, "waiting must get somewhere");
                now = time;
            }
            Turn::DayUsedUp { until, .. } => {
                assert!(until > now, "the next day comes");
                now = until;
            }
            Turn::Resting { .. } => panic!("nothing failed"),
        }
    }
    starts
}

#[test]
fn a_thousand_requests_over_days_keep_every_limit_of_the_product() {
    let rules = rules();
    for lasts in [Duration::ZERO, Duration::from_millis(800)] {
        let starts = simulate(&rules, 1_200, lasts);
        let spacing = starts.windows(2).map(|it| (it[1] - it[0]).total_seconds());
        let shortest = spacing.fold(f64::INFINITY, f64::min);
        assert!(shortest >= 1.5 + lasts.as_secs_f64(), "{shortest}");
        for (at, from) in starts.iter().enumerate() {
            for (upto, to) in starts.iter().enumerate().skip(at).take(600) {
                let most = 3.0 + 0.2 * (*to - *from).total_seconds();
                assert!((upto - at + 1) as f64 <= most + 1e-6, "{from} {to}");
            }
        }
        let mut days = std::collections::BTreeMap::new();
        for start in &starts {
            *days.entry(day_of(*start)).or_insert(0) += 1;
        }
        assert_eq!(days.into_values().collect::<Vec<i32>>(), [500, 500, 200]);
    }
}

#[test]
fn a_burst_goes_at_the_spacing_and_then_at_the_rate() {
    let mut rules = rules();
    rules.spacing = (Duration::from_secs(2), Duration::from_secs(2));
    let starts = simulate(&rules, 6, Duration::ZERO);
    let gaps: Vec<f64> = starts.windows(2).map(|it| (it[1] - it[0]).total_seconds()).collect();
    // Three at the spacing drain a little while they go, so a fourth fits; then one each five seconds.
    assert_eq!(gaps, [2.0, 2.0, 2.0, 4.0, 5.0]);
}

#[test]
fn rests_double_with_every_third_failure() {
    let rules = rules();
    let mut pace = Pace::new("domain:example.com");
    let mut minutes = Vec::new();
    for _ in 0..21 {
        let now = pace.resting_until.unwrap_or(noon());
        rules.fail(&mut pace, now, "it answered 403", None);
        minutes.push((pace.resting_until.unwrap() - now).total_seconds() / 60.0);
    }
    assert_eq!(
        minutes,
        [
            30.0, 30.0, 60.0, 60.0, 60.0, 120.0, 120.0, 120.0, 240.0, 240.0, 240.0, 480.0, 480.0,
            480.0, 960.0, 960.0, 960.0, 1440.0, 1440.0, 1440.0, 1440.0
        ]
    );
    let until = pace.resting_until.unwrap();
    let before = until - SignedDuration::from_mins(1);
    let because = "it answered 403".to_owned();
    assert_eq!(rules.turn(&pace, Duration::ZERO, before), Turn::Resting { until, because });
    assert_eq!(rules.turn(&pace, Duration::ZERO, until), Turn::Now);
}

#[test]
fn a_success_ends_the_count_of_failures() {
    let rules = rules();
    let mut pace = Pace::new("domain:example.com");
    for _ in 0..5 {
        rules.fail(&mut pace, noon(), "it answered 503", None);
    }
    let after = plus(pace.resting_until.unwrap(), 1.0);
    assert_eq!(rules.turn(&pace, Duration::ZERO, after), Turn::Now);
    rules.succeed(&mut pace, after);
    assert_eq!((pace.failures, pace.resting_until), (0, None));
    rules.fail(&mut pace, after, "it answered 503", None);
    assert_eq!(pace.resting_until, Some(plus(after, 1_800.0)));
}

#[test]
fn what_a_server_asks_for_is_kept_within_bounds() {
    let rules = rules();
    let rest = |failures: u32, asked: u64| {
        let mut pace = Pace { failures, ..Pace::new("domain:example.com") };
        rules.fail(&mut pace, noon(), "it asked", Some(Duration::from_secs(asked)));
        (pace.resting_until.unwrap() - noon()).total_seconds()
    };
    assert_eq!(rest(0, 5), 5.0);
    assert_eq!(rest(0, 3_600), 3_600.0);
    assert_eq!(rest(0, 1_000_000), 86_400.0);
    assert_eq!(rest(2, 5), 3_600.0);
}

#[test]
fn a_clock_that_was_ahead_does_not_close_a_site() {
    let rules = rules();
    let ahead = at("2031-01-01T00:00:00Z");
    let mut pace =
        Pace { last_request_at: Some(ahead), level: 1.0, ..Pace::new("domain:example.com") };
    let gap = Duration::from_secs(2);
    assert_eq!(rules.turn(&pace, gap, noon()), Turn::Now);
    pace.last_request_at = Some(plus(noon(), 1.0));
    assert_eq!(rules.turn(&pace, gap, noon()), Turn::At(plus(noon(), 3.0)));
    pace.resting_until = Some(ahead);
    let Turn::Resting { until, .. } = rules.turn(&pace, gap, noon()) else { panic!("it rests") };
    assert_eq!(until, plus(noon(), 86_400.0));
}

#[test]
fn an_engine_rests_from_the_second_failure_in_a_row() {
    let mut rules = rules();
    rules.rest.from = 2;
    let mut pace = Pace::new("engine:mojeek");
    rules.fail(&mut pace, noon(), "it answered 403", None);
    assert_eq!(pace.resting_until, None);
    rules.fail(&mut pace, noon(), "it answered 403", None);
    assert_eq!(pace.resting_until, Some(plus(noon(), 1_800.0)));
}

#[test]
fn quiet_hours_lengthen_pauses_and_shorten_budgets() {
    let settings =
        FetchSettings { quiet_hours: "22-7".to_owned(), per_day: 10, ..FetchSettings::default() };
    let rules = PaceRules::of_domains(&settings).unwrap();
    // 23:30 in Tokyo.
    let night = at("2026-03-04T14:30:00Z");
    let mut pace = Pace { last_request_at: Some(night), ..Pace::new("domain:example.com") };
    let gap = Duration::from_secs(4);
    assert_eq!(rules.turn(&pace, gap, night), Turn::At(plus(night, 8.0)));
    let day = at("2026-03-04T03:00:00Z");
    pace.last_request_at = Some(day);
    assert_eq!(rules.turn(&pace, gap, day), Turn::At(plus(day, 4.0)));
    pace.day = Some("2026-03-04".to_owned());
    pace.requests_today = 5;
    let later_at_night = plus(night, 60.0);
    assert_eq!(
        rules.turn(&pace, gap, later_at_night),
        Turn::DayUsedUp { until: at("2026-03-04T22:00:00Z"), requests: 5 }
    );
    assert_eq!(rules.turn(&pace, gap, plus(day, 60.0)), Turn::Now);
}

#[test]
fn weekends_are_quiet_where_they_are_set_so() {
    let settings = FetchSettings { quiet_weekends: true, ..FetchSettings::default() };
    let rules = PaceRules::of_domains(&settings).unwrap();
    assert_eq!(rules.quiet.factor_at(at("2026-03-07T03:00:00Z")), 2.0);
    assert_eq!(rules.quiet.factor_at(at("2026-03-08T14:59:59Z")), 2.0);
    assert_eq!(rules.quiet.factor_at(at("2026-03-08T15:00:00Z")), 1.0);
    assert_eq!(rules.quiet.end(at("2026-03-07T03:10:00Z")), at("2026-03-08T15:00:00Z"));
}

#[test]
fn a_policy_only_tightens() {
    let rules = rules();
    let tight = rules.within(Some(0.1), Some(20));
    assert_eq!((tight.per_second, tight.per_day), (0.1, Some(20)));
    let loose = rules.within(Some(50.0), Some(100_000));
    assert_eq!((loose.per_second, loose.per_day), (0.2, Some(500)));
}

#[test]
fn settings_that_mean_nothing_are_refused() {
    let problem =
        |settings: FetchSettings| PaceRules::of_domains(&settings).unwrap_err().to_string();
    assert_eq!(
        problem(FetchSettings { quiet_hours: "night".to_owned(), ..FetchSettings::default() }),
        "quiet_hours = \"night\" is no range of hours such as 22-7"
    );
    assert_eq!(
        problem(FetchSettings { quiet_factor: f64::NAN, ..FetchSettings::default() }),
        "quiet_factor = \"NaN\" does not lie between 1 and 1000"
    );
}
