//! `lyra demo`: the whole product on the bundled library, without a network.

use serde_json::Value;

use crate::support::Home;

#[test]
fn the_demo_leaves_the_users_own_data_alone() {
    let home = Home::new();
    let answer = home.run("demo --quiet");
    assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""));
    assert!(answer.stdout.starts_with("# Does working from home raise productivity?"), "{answer}");
    let left: Vec<_> = std::fs::read_dir(home.path()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_kept_demo_shows_disputes_copies_a_retraction_and_an_attack_without_influence() {
    let home = Home::new();
    let kept = home.run("demo --keep ./demo");
    assert_eq!(kept.code, Some(0), "{kept}");
    assert!(kept.stderr.contains("search 1  Does working from home raise productivity?"), "{kept}");
    assert!(kept.stderr.contains("Three commands to try next:"), "{kept}");
    let tasks = home.run("--data-dir ./demo task list --json").json();
    let task = tasks["tasks"][0]["id"].as_str().unwrap();
    let report = home.run(&format!("--data-dir ./demo report {task} --json")).json();
    let list = |name: &str| report[name].as_array().unwrap().clone();

    assert_eq!(report["state"], "found");
    let findings = list("findings");
    assert!(!findings.is_empty());
    for finding in &findings {
        let quotes = finding["supporting"].as_array().unwrap();
        assert!(!quotes.is_empty(), "{finding}");
        assert!(quotes.iter().all(|it| !it["quote"].as_str().unwrap().is_empty()), "{finding}");
    }
    let two_sided = |it: &&Value| {
        let side = |name: &str| !it[name].as_array().unwrap().is_empty();
        side("supporting") && side("refuting")
    };
    assert!(findings.iter().filter(two_sided).count() >= 1);
    assert!(!list("disputes").is_empty());

    let repeated = report["narratives"]["repeated"].as_array().unwrap();
    let copied = report["narratives"]["copied"].as_array().unwrap();
    assert!(repeated.len() + copied.len() >= 1, "{}", report["narratives"]);
    let retracted = list("retractions");
    assert_eq!(retracted.len(), 1, "{retracted:?}");
    assert_eq!(retracted[0]["kind"], "retracted");

    let flagged = list("security");
    assert_eq!(flagged.len(), 1, "{flagged:?}");
    assert!(flagged[0]["url"].as_str().unwrap().ends_with("home-miracle.html"));
    let sources = list("sources");
    assert!(sources.iter().all(|it| !it["url"].as_str().unwrap().contains("home-miracle")));
    assert_eq!(report["method"]["requests"]["count"], 0, "{}", report["method"]["requests"]);

    let again = home.run("demo --keep ./demo");
    assert_eq!(again.code, Some(2));
    assert!(again.stderr.contains("lyra.db exists already"), "{again}");
}
