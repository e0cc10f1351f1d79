//! Which engines are asked.

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use graph::CircuitState;
use jiff::{SignedDuration, Timestamp};
use sources::{
    Category, Choice, ChoiceSettings, Engines, HealthSettings, LeftOut, Query, Standing, choose,
};

fn now() -> Timestamp {
    "2026-05-04T00:00:00Z".parse().unwrap()
}

fn chosen(query: &Query, standings: &HashMap<String, Standing>, seed: u64) -> Choice {
    static ENGINES: LazyLock<Engines> = LazyLock::new(|| Engines::load(None));
    let engines = &*ENGINES;
    choose(
        engines.all(),
        standings,
        query,
        now(),
        seed,
        &ChoiceSettings::default(),
        &HealthSettings::default(),
    )
}

fn english() -> Query {
    Query { text: "heat pumps".to_owned(), language: Some("en".to_owned()), ..Query::default() }
}

#[test]
fn the_same_seed_chooses_the_same_engines() {
    for seed in 0..50 {
        assert_eq!(
            chosen(&english(), &HashMap::new(), seed),
            chosen(&english(), &HashMap::new(), seed)
        );
    }
}

#[test]
fn three_engines_are_first_and_the_last_mile_is_last() {
    for seed in 0..200 {
        let choice = chosen(&english(), &HashMap::new(), seed);
        assert_eq!(choice.first.len(), 3);
        let mut last_mile = choice.last_mile.clone();
        last_mile.sort();
        assert_eq!(last_mile, ["brave", "google"]);
        // One of the two pages of DuckDuckGo stands for both.
        let all: Vec<&String> = choice.first.iter().chain(&choice.then).collect();
        assert_eq!(all.len(), 7);
        assert_eq!(all.iter().filter(|it| it.starts_with("duckduckgo")).count(), 1);
    }
}

#[test]
fn heavier_engines_come_first_more_often() {
    let mut firsts: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..2_000 {
        for name in chosen(&english(), &HashMap::new(), seed).first {
            *firsts.entry(name).or_default() += 1;
        }
    }
    assert!(firsts["mojeek"] > firsts["marginalia"], "{firsts:?}");
    assert!(firsts["mojeek"] > firsts["wikipedia"], "{firsts:?}");
    assert!(firsts.values().all(|it| *it > 200), "{firsts:?}");
}

#[test]
fn engines_of_the_category_are_preferred() {
    let firsts = |category| {
        let query = Query { category: Some(category), ..english() };
        (0..1_000)
            .filter(|seed| {
                chosen(&query, &HashMap::new(), *seed).first.contains(&"wikipedia".to_owned())
            })
            .count()
    };
    let (academic, news) = (firsts(Category::Academic), firsts(Category::News));
    assert!(academic > 2 * news, "{academic} {news}");
}

#[test]
fn engines_that_do_not_speak_the_language_are_left_out() {
    let query = Query { language: Some("ja".to_owned()), ..english() };
    let choice = chosen(&query, &HashMap::new(), 1);
    assert!(choice.left_out.contains(&("marginalia".to_owned(), LeftOut::Language)));
    assert!(!choice.first.iter().chain(&choice.then).any(|it| it == "marginalia"));
}

#[test]
fn resting_engines_and_spent_days_are_left_out_with_their_reason() {
    let engines = Engines::load(None);
    let settings = HealthSettings::default();
    let mut resting = settings.new_health(engines.get("mojeek").unwrap(), now());
    resting.circuit_state = CircuitState::Open;
    resting.open_until = Some(now() + SignedDuration::from_mins(10));
    let mut due = settings.new_health(engines.get("bing").unwrap(), now());
    due.circuit_state = CircuitState::Open;
    due.open_until = Some(now());
    let standings = HashMap::from([
        (
            "mojeek".to_owned(),
            Standing { health: Some(resting.clone()), requests_today: 3, ..Standing::default() },
        ),
        (
            "bing".to_owned(),
            Standing { health: Some(due), requests_today: 3, ..Standing::default() },
        ),
        (
            "ecosia".to_owned(),
            Standing {
                resting_until: Some(now() + SignedDuration::from_mins(1)),
                ..Standing::default()
            },
        ),
        ("google".to_owned(), Standing { health: None, requests_today: 10, ..Standing::default() }),
        ("brave".to_owned(), Standing { health: None, requests_today: 29, ..Standing::default() }),
    ]);
    let choice = chosen(&english(), &standings, 7);
    assert!(
        choice
            .left_out
            .contains(&("mojeek".to_owned(), LeftOut::Resting { until: resting.open_until }))
    );
    assert!(choice.left_out.contains(&("google".to_owned(), LeftOut::DailyCap)));
    let until = Some(now() + SignedDuration::from_mins(1));
    assert!(choice.left_out.contains(&("ecosia".to_owned(), LeftOut::Resting { until })));
    assert_eq!(choice.last_mile, ["brave"]);
    assert!(choice.first.iter().chain(&choice.then).any(|it| it == "bing"), "due for a probe");
}

#[test]
fn the_other_page_of_an_engine_steps_in_when_the_first_rests() {
    let engines = Engines::load(None);
    let mut resting =
        HealthSettings::default().new_health(engines.get("duckduckgo").unwrap(), now());
    resting.circuit_state = CircuitState::Open;
    resting.open_until = Some(now() + SignedDuration::from_mins(10));
    let standings = HashMap::from([(
        "duckduckgo".to_owned(),
        Standing { health: Some(resting), requests_today: 0, ..Standing::default() },
    )]);
    let choice = chosen(&english(), &standings, 3);
    assert!(choice.first.iter().chain(&choice.then).any(|it| it == "duckduckgo_lite"));
}

#[test]
fn disabled_engines_are_never_asked() {
    let engines = Engines::load(None);
    let settings =
        ChoiceSettings { disabled: vec!["google".to_owned()], ..ChoiceSettings::default() };
    let (none, health) = (HashMap::new(), HealthSettings::default());
    let choice = choose(engines.all(), &none, &english(), now(), 1, &settings, &health);
    assert_eq!(choice.last_mile, ["brave"]);
    assert!(choice.left_out.contains(&("google".to_owned(), LeftOut::Disabled)));
}
