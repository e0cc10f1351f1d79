//! `lyra evidence`.

use evidence::Stance;
use serde_json::json;

use crate::support::{Answer, Home, own_help};
use crate::world::{judge, passage, sea_level};

#[test]
fn help_of_evidence() {
    insta::assert_snapshot!(own_help("evidence"), @r#"
    Show the quotes that support and refute a claim

    Supporting passages first, then refuting, then neutral ones, the surest of each on top. An
    independent source counts once, by its most decisive passage; what does not count follows and says
    why. Facts to judge by: neither year nor category enters the confidence.

    Usage: lyra evidence [OPTIONS] <CLAIM>

    Arguments:
      <CLAIM>
              The claim: latest, claim:3 (the third in `lyra claims`), or the beginning or end of its id

    Options:
      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra evidence claim:1
      lyra evidence 9G5FAV
      lyra evidence c_AAAAAAAAAAAAAAAAAAAAAAAAAA --json

    Next: `lyra feedback edge-correct EDGE refutes --reason "..."` corrects a judgement.
    --- exit 0
    "#);
}

/// The question of the world is Japanese; what is said here is not.
fn in_english(home: &Home, line: &str) -> Answer {
    home.run_with(("LYRA_OUTPUT_LANGUAGE", "en"), line)
}

#[test]
fn evidence_is_shown_in_the_language_of_the_question() {
    let home = Home::new();
    let sea = home.fill(sea_level);
    let shown = home.run(&format!("evidence {}", sea.disputed));
    assert!(shown.stdout.starts_with("主張    "), "{shown}");
    assert!(shown.stderr.starts_with("判定が違うときは: lyra feedback "), "{shown}");
}

#[test]
fn both_sides_are_shown_with_source_and_quote() {
    let home = Home::new();
    let sea = home.fill(sea_level);
    insta::assert_snapshot!(in_english(&home, &format!("evidence {}", sea.disputed)), @r#"
    Claim       FNHH3Q
    Task        FNHH3E
    Text        Sea level rose by about 20 cm since 1901.
    Confidence  0.63 ±0.21, controversy 0.26
    Evidence    independent sources for 2, against 1; neutral passages 0
    Years       2019 to 2021

    Edge      FNHH3S
    Relation  supports, certainty 0.95
    Source    2021, academic, Nature, doi 10.1000/sea
    Title     Sea-level rise since 1901
    URL       https://nature.example.com/sea
    Quote     Global mean sea level rose by about 20 cm between 1901 and 2018.

    Edge      FNHH3T
    Relation  supports, certainty 0.80
    Source    2019, government
    Title     海面水位の長期変化
    URL       https://www.example.jp/kaimen
    Quote     世界の平均海面水位は1901年から2018年の間に約20 cm上昇した。

    Edge      FNHH3V
    Relation  refutes, certainty 0.60
    Source    year unknown, unverified
    URL       https://blog.example.org/tides
    Quote     The tides at my pier have not changed at all.␛[31m
    --- stderr
    A judgement is wrong? lyra feedback edge-correct EDGE supports|refutes|neutral --reason "..."
    --- exit 0
    "#);
}

#[test]
fn json_carries_every_fact() {
    let home = Home::new();
    let sea = home.fill(sea_level);
    let document = home.run(&format!("evidence {} --json", sea.disputed)).json();
    assert_eq!(document["claim"]["id"], sea.disputed.to_string());
    assert_eq!(document["evidence_years"], json!({ "oldest": 2019, "newest": 2021 }));
    assert_eq!((&document["alpha"], &document["beta"]), (&json!(2.75), &json!(1.6)));
    let first = &document["evidence"][0];
    assert_eq!(first["edge_id"], sea.edges[0].to_string());
    assert_eq!(first["relation"], "supports");
    assert_eq!(first["nli_confidence"], 0.95);
    assert_eq!(first["year"], 2021);
    assert_eq!(first["source_domain_category"], "academic");
    assert_eq!(first["doi"], "10.1000/sea");
    assert_eq!(first["venue"], "Nature");
    assert_eq!(first["url"], "https://nature.example.com/sea");
    assert_eq!(document["evidence"][2]["year"], json!(null), "an unknown year stays unknown");
    assert_eq!(
        document["evidence"][2]["quote"], "The tides at my pier have not changed at all.\u{1b}[31m",
        "JSON keeps the text as it is stored"
    );
}

#[test]
fn corrections_and_claims_set_aside_are_marked() {
    let home = Home::new();
    let sea = home.fill(|w| {
        let sea = sea_level(w)?;
        w.edge_correct(sea.edges[2], Stance::Neutral, None)?;
        Ok(sea)
    });
    let reject = format!("feedback claim-reject {} --reason 言い換えが不正確", sea.disputed);
    assert_eq!(home.run(&reject).code, Some(0));
    let answer = in_english(&home, &format!("evidence {} --quiet", sea.disputed));
    let line = |label: &str| {
        let lines: Vec<&str> = answer.stdout.lines().filter(|it| it.starts_with(label)).collect();
        lines.join("\n")
    };
    assert_eq!(line("Status"), "Status      not adopted: 言い換えが不正確");
    assert_eq!(
        line("Evidence"),
        "Evidence    independent sources for 2, against 0; neutral passages 1"
    );
    assert_eq!(
        line("Relation").lines().last().unwrap(),
        "Relation  neutral, certainty 1.00, corrected by a person"
    );
}

#[test]
fn a_passage_that_does_not_count_says_why() {
    let home = Home::new();
    let sea = home.fill(|w| {
        let sea = sea_level(w)?;
        let again = passage(w, "blog.example.org", "more")?;
        judge(w, again, sea.disputed, Stance::Refutes, 0.5)?;
        Ok(sea)
    });
    let answer = in_english(&home, &format!("evidence {} --quiet", sea.disputed));
    let marked: Vec<_> = answer.stdout.lines().filter(|it| it.starts_with("Uncounted")).collect();
    assert_eq!(marked, ["Uncounted  the same source is heard by another passage"]);
    assert!(answer.stdout.contains("independent sources for 2, against 1; neutral passages 0"));
    let document = home.run(&format!("evidence {} --json", sea.disputed)).json();
    assert_eq!(
        (&document["supporting_sources"], &document["refuting_sources"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(document["evidence"][3]["uncounted"], "same_voice");
    assert_eq!(document["beta"], 1.6, "the surer passage is heard");
}

#[test]
fn a_claim_nobody_has_judged_says_so() {
    let home = Home::new();
    let sea = home.fill(sea_level);
    insta::assert_snapshot!(in_english(&home, &format!("evidence {}", sea.unjudged)), @"
    Claim       FNHH3R
    Task        FNHH3E
    Text        海面上昇の速さは1990年代以降に増している。
    Confidence  0.50 ±0.29, controversy 0.00
    Evidence    independent sources for 0, against 0; neutral passages 0
    --- stderr
    Nothing has been judged against this claim yet.
    --- exit 0
    ");
}

#[test]
fn claims_are_named_by_the_beginning_of_their_id() {
    let home = Home::new();
    let sea = home.fill(sea_level);
    let id = sea.disputed.to_string();
    let enough =
        (3..=id.len()).find(|it| !sea.unjudged.to_string().starts_with(&id[..*it])).unwrap();
    let document = home.run(&format!("evidence {} --json", &id[2..enough])).json();
    assert_eq!(document["claim"]["id"], id);
    insta::assert_snapshot!(home.run(&format!("evidence {}", &id[..6])), @"
    --- stderr
    error: `c_01KF` may be any of 2 claims
    hint: give more of the id: c_AAAAAAAAAAAAAAAAAAAAAAAAAA (Sea level rose by about 20 cm since 1901.); c_BBBBBBBBBBBBBBBBBBBBBBBBBB (海面上昇の速さは1990年代以降に増している。)
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("evidence c_01ARZ3NDEKTSV4RRFFQ69G5FAV"), @r"
    --- stderr
    error: no claim c_AAAAAAAAAAAAAAAAAAAAAAAAAA
    hint: `lyra claims TASK` shows the claims of a task
    --- exit 3
    ");
    insta::assert_snapshot!(home.run(&format!("evidence {}", sea.task)), @r"
    --- stderr
    error: `task_AAAAAAAAAAAAAAAAAAAAAAAAAA` is not a claim id; it should look like c_BBBBBBBBBBBBBBBBBBBBBBBBBB
    hint: `lyra claims TASK` shows the claims of a task
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("evidence"), @r"
    --- stderr
    error: the following required arguments were not provided:
      <CLAIM>

    Usage: lyra evidence <CLAIM>

    For more information, try '--help'.
    --- exit 2
    ");
}
