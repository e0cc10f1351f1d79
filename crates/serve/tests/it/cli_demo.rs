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
    // The newest first: the question in Japanese was asked after the one in English.
    let [japanese, english] = [0, 1].map(|it| {
        let task = tasks["tasks"][it]["id"].as_str().unwrap();
        home.run(&format!("--data-dir ./demo report {task} --json")).json()
    });
    assert_eq!(english["question"], "Does working from home raise productivity?");
    assert_eq!(japanese["question"], "在宅勤務は生産性を上げるか");
    answered_from_both_languages_and_disputed_across(&japanese);
    let report = english;
    let list = |name: &str| report[name].as_array().unwrap().clone();

    assert_eq!(report["state"], "found");
    let findings = list("findings");
    assert!(!findings.is_empty());
    for finding in &findings {
        // What only a retracted paper says is shown with its words, and not as support.
        let quotes = ["supporting", "retracted"].map(|it| finding[it].as_array().unwrap().clone());
        let quotes = quotes.concat();
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
    let kinds: Vec<_> = retracted.iter().map(|it| it["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["work_retracted"], "{retracted:?}");

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

/// Of the documents, those in Japanese are called `ja-...`.
fn answered_from_both_languages_and_disputed_across(report: &Value) {
    let judged = &report["hypothesis"]["judged"];
    assert_eq!(judged["text"], "在宅勤務は生産性を上げる。");
    let sources = report["sources"].as_array().unwrap();
    let of = |side: &str, is_japanese: bool| {
        let numbers = judged[side].as_array().unwrap();
        let cited = sources.iter().filter(|it| numbers.contains(&it["number"]));
        cited.filter(|it| it["url"].as_str().unwrap().contains("/ja-") == is_japanese).count()
    };
    assert!(of("supported_by", true) >= 1, "{judged}");
    assert!(of("supported_by", false) >= 1, "{judged}");
    assert!(of("refuted_by", false) >= 1, "an English passage refutes a Japanese claim: {judged}");
    let findings = report["findings"].as_array().unwrap();
    let is_japanese = |it: &&Value| it["text"].as_str().unwrap().contains('の');
    assert!(findings.iter().filter(is_japanese).count() >= 1, "{findings:?}");
}
