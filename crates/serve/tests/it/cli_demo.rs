//! `lyra demo`: the whole product on the bundled library, without a network.

use serde_json::Value;

use crate::demo_labels::Labels;
use crate::support::Home;

const ENGLISH: (&str, &str) = (
    "Do pupils sleep longer when school starts later?",
    "Pupils sleep longer when school starts later.",
);
const JAPANESE: (&str, &str) = (
    "学校の始業を遅らせると生徒の睡眠時間は長くなるか",
    "学校の始業を遅らせると、生徒の睡眠時間は長くなる。",
);

/// The share of judgements that are as a person labelled them: 340 of 349 when this was written.
const RIGHT: f64 = 0.95;

#[test]
fn the_demo_leaves_the_users_own_data_alone() {
    let home = Home::new();
    let answer = home.run("demo --quiet");
    assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""));
    assert!(answer.stdout.starts_with(&format!("{}\n═", ENGLISH.0)), "{answer}");
    assert!(answer.stdout.contains(&format!("\n{}\n═", JAPANESE.0)), "{answer}");
    let left: Vec<_> = std::fs::read_dir(home.path()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_kept_demo_shows_disputes_copies_a_retraction_and_an_attack_without_influence() {
    let home = Home::new();
    let kept = home.run("demo --keep ./demo");
    assert_eq!(kept.code, Some(0), "{kept}");
    let tasks = home.run("--data-dir ./demo task list --json").json();
    // The newest first: the question in Japanese was asked after the one in English.
    let [japanese, english] = [0, 1].map(|it| {
        let task = tasks["tasks"][it]["id"].as_str().unwrap().to_owned();
        let report = home.run(&format!("--data-dir ./demo report {task} --json")).json();
        (task, report)
    });
    assert_eq!(english.1["question"], ENGLISH.0);
    assert_eq!(japanese.1["question"], JAPANESE.0);
    for (_, report) in [&english, &japanese] {
        supported_in_both_languages_and_disputed(report);
        shows_every_trap(report);
    }
    judged_as_labelled(&home);
    handed_on(&home, &english.0);
    printed(&home, &[&english.0, &japanese.0]);

    let again = home.run("demo --keep ./demo");
    assert_eq!(again.code, Some(2));
    assert!(again.stderr.contains("lyra.db exists already"), "{again}");
}

/// The verdict is the same in both languages, and both sides have sources in both. Documents in Japanese are called `ja-...`.
fn supported_in_both_languages_and_disputed(report: &Value) {
    let verdict = &report["verdict"];
    assert_eq!(verdict["verdict"], "supported", "{verdict}");
    let sides = [&verdict["supporting_sources"], &verdict["refuting_sources"]];
    assert_eq!(sides.map(|it| it.as_u64().unwrap()), [11, 6], "{verdict}");
    let judged = &report["hypothesis"]["judged"];
    let sources = report["sources"].as_array().unwrap();
    let of = |side: &str, is_japanese: bool| {
        let numbers = judged[side].as_array().unwrap();
        let cited = sources.iter().filter(|it| numbers.contains(&it["number"]));
        cited.filter(|it| it["url"].as_str().unwrap().contains("/ja-") == is_japanese).count()
    };
    assert_eq!([of("supported_by", true), of("refuted_by", true)], [4, 2], "{judged}");
    assert_eq!([of("supported_by", false), of("refuted_by", false)], [7, 4], "{judged}");
    assert!(!report["disputes"].as_array().unwrap().is_empty());
    // Whoever asks in a language reads it best.
    let is_japanese = |it: &str| !it.is_ascii() && it.chars().any(|c| ('ぁ'..='ん').contains(&c));
    let asked_in_japanese = is_japanese(report["question"].as_str().unwrap());
    for side in ["best_supporting", "best_refuting"] {
        let quote = verdict[side]["quote"].as_str().unwrap();
        assert_eq!(is_japanese(quote), asked_in_japanese, "{quote}");
    }
}

fn shows_every_trap(report: &Value) {
    let list = |name: &str| report[name].as_array().unwrap().clone();
    assert_eq!(report["state"], "found");
    for finding in list("findings") {
        let sides = ["supporting", "refuting", "retracted"];
        let quotes = sides.map(|it| finding[it].as_array().unwrap().clone()).concat();
        assert!(!quotes.is_empty(), "{finding}");
        assert!(quotes.iter().all(|it| !it["quote"].as_str().unwrap().is_empty()), "{finding}");
    }
    let copied = report["narratives"]["copied"].as_array().unwrap();
    let copies: Vec<usize> =
        copied.iter().map(|it| it["sources"].as_array().unwrap().len()).collect();
    assert_eq!(copies, [3], "one press release in three places: {}", report["narratives"]);
    let retracted: Vec<Value> = list("retractions");
    let kinds: Vec<_> = retracted.iter().map(|it| it["kind"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"work_retracted"), "{retracted:?}");

    let flagged = list("security");
    assert_eq!(flagged.len(), 1, "{flagged:?}");
    assert!(flagged[0]["url"].as_str().unwrap().ends_with("sleep-miracle.html"));
    let sources = list("sources");
    assert!(sources.iter().all(|it| !it["url"].as_str().unwrap().contains("sleep-miracle")));
    assert_eq!(report["method"]["requests"]["count"], 0, "{}", report["method"]["requests"]);
}

/// Every pair that was judged, held to what a person says of it.
fn judged_as_labelled(home: &Home) {
    let sql = "SELECT c.claim_text, p.url, f.text_content, e.relation FROM edges e \
        JOIN claims c ON c.id = e.target_id JOIN fragments f ON f.id = e.source_id \
        JOIN pages p ON p.id = f.page_id WHERE e.relation <> 'cites' AND e.nli_model <> 'gate'";
    let arguments = ["--data-dir", "./demo", "sql", sql, "--limit", "2000", "--json"];
    let answer = home.run_arguments(&arguments).json();
    let labels = Labels::read();
    let (mut wrong, mut wrong_on_hypothesis, mut pairs) = (Vec::new(), Vec::new(), 0);
    for row in answer["rows"].as_array().unwrap() {
        let [claim, url, passage, judged] = [0, 1, 2, 3].map(|it| row[it].as_str().unwrap());
        let file = url.rsplit('/').next().unwrap();
        let label = labels.of(claim, file, passage);
        pairs += 1;
        if judged == label {
            continue;
        }
        let line = format!("{judged}, not {label}: {claim} | {file} | {passage}");
        if [ENGLISH.1, JAPANESE.1].contains(&claim) {
            wrong_on_hypothesis.push(line.clone());
        }
        wrong.push(line);
    }
    assert_eq!(wrong_on_hypothesis, [] as [String; 0]);
    assert!(pairs > 300, "{pairs}");
    let right = 1.0 - wrong.len() as f64 / f64::from(pairs);
    assert!(right >= RIGHT, "{right:.3} of {pairs}: {wrong:#?}");
}

/// The formats that other programs read have what the report cites.
fn handed_on(home: &Home, task: &str) {
    let write = |name: &str| {
        let written = home.run(&format!("--data-dir ./demo report {task} --out {name}"));
        assert_eq!(written.code, Some(0), "{written}");
        std::fs::read(home.path().join(name)).unwrap()
    };
    let ris = String::from_utf8(write("r.ris")).unwrap();
    let csl: Value = serde_json::from_slice(&write("r.csl.json")).unwrap();
    let bibtex = String::from_utf8(write("r.bib")).unwrap();
    let cited = csl.as_array().unwrap().len();
    assert!(cited > 15, "{cited}");
    assert_eq!(
        (ris.matches("TY  - ").count(), bibtex.matches("\n  title = ").count()),
        (cited, cited)
    );
    let csv = String::from_utf8(write("r.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 27, "a row for each document: {csv}");
    assert!(csv.contains("Reviews of Imagined Health,supports,"), "{csv}");
    assert!(write("r.docx").starts_with(b"PK\x03\x04"));
}

/// On paper the demo's report has at most twelve pages.
fn printed(home: &Home, tasks: &[&str]) {
    let Some(path) = testkit::browser() else { return };
    let path = path.to_str().unwrap();
    for task in tasks {
        let line = format!("--data-dir ./demo report {task} --out r.pdf");
        let written = home.run_with(("PATH", path), &line);
        assert_eq!(written.code, Some(0), "{written}");
        let pdf = std::fs::read(home.path().join("r.pdf")).unwrap();
        let page: &[u8] = b"/Type /Page\n";
        let pages = pdf.windows(page.len()).filter(|it| *it == page).count();
        assert!((4..=12).contains(&pages), "{pages} pages");
    }
}
