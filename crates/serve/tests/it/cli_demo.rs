//! `lyra demo`.

use crate::support::Home;

#[test]
fn the_demo_shows_what_the_graph_can_answer() {
    insta::assert_snapshot!(Home::new().run("demo"), @"");
}

#[test]
fn the_demo_leaves_the_users_own_data_alone() {
    let home = Home::new();
    assert_eq!(home.run("demo").code, Some(0));
    let left: Vec<_> = std::fs::read_dir(home.path()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_kept_demo_can_be_explored_and_is_not_overwritten() {
    let home = Home::new();
    let kept = home.run("demo --keep ./demo");
    assert_eq!(kept.code, Some(0));
    assert!(kept.stderr.contains("lyra --data-dir ./demo find 在宅勤務"), "{}", kept.stderr);
    let tasks = home.run("--data-dir ./demo task list --json").json();
    assert_eq!(tasks["tasks"].as_array().unwrap().len(), 1);
    insta::assert_snapshot!(home.run("demo --keep ./demo"), @"");
}

#[test]
fn the_demo_in_json_holds_both_sides_of_the_dispute() {
    let demo = Home::new().run("demo --json").json();
    assert_eq!(demo["claims"].as_array().unwrap().len(), 6);
    assert_eq!(demo["disputes"].as_array().unwrap().len(), 1);
    let relations: Vec<_> = demo["disputes"][0]["evidence"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["relation"].as_str().unwrap())
        .collect();
    assert_eq!(relations, ["supports", "supports", "refutes", "refutes", "refutes", "neutral"]);
    assert_eq!(demo["disputes"][0]["evidence_years"]["oldest"], 2015);
    assert_eq!(demo["disputes"][0]["evidence_years"]["newest"], 2023);
}
