//! `lyra views`.

use std::fs;

use serde_json::json;

use crate::support::{Home, own_help};
use crate::world::{sea_level, task};

#[test]
fn help_of_views() {
    insta::assert_snapshot!(own_help("views"), @r#"
    Answer prepared questions about what was found

    Without a name, all views are listed. Each view answers one question about all tasks, or with --task
    about one, in texts, quotes and sources; --ids shows ids instead, as --json and --csv do. A file
    v_name.sql.j2 in the folder `views` beside the configuration file adds a view or replaces the
    shipped one.

    Usage: lyra views [OPTIONS] [NAME]

    Arguments:
      [NAME]
              The view, with or without `v_`; without one, all are listed

    Options:
          --task <TASK>
              Only rows of this task: latest, task:3, or the beginning or end of its id

          --limit <N>
              Show at most N rows [default: the setting output.rows]

          --ids
              Show the columns as they are, with ids in place of texts and quotes

          --csv
              Print the rows as CSV, with ids

          --raw
              With --csv: leave texts that begin with = + - or @ as they are; a spreadsheet may run them
              as formulas

          --sql
              Print the SELECT behind the view, usable in `WITH x AS (...)`

          --columns
              Explain the columns

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra views
      lyra views v_contradictions --task latest
      lyra views hub_pages --columns
      lyra views hub_pages --sql > question.sql

    Next: `lyra sql "SELECT ... FROM v_contradictions"` asks a view for more.
    --- exit 0
    "#);
}

#[test]
fn views_are_listed_with_what_they_answer() {
    let home = Home::new();
    insta::assert_snapshot!(home.run("views"), @r"
    VIEW                      ORIGIN   ANSWERS
    ────                      ──────   ───────
    v_citation_age_gap        shipped  How much older than the citing page is what the pages of the task cite?
    v_citation_clusters       shipped  Which pages of the task hang together by citing each other?
    v_citation_flow           shipped  From the pages of the task, where do citations lead, and how far away?
    v_claim_evidence_summary  shipped  How does the evidence for each claim stand?
    v_claim_temporal_support  shipped  From which years does the support of each claim come?
    v_contradictions          shipped  Which claims have evidence on both sides, and what stands on each side?
    v_controversy_by_era      shipped  In which decades was the evidence of the task divided, and where did it turn?
    v_emerging_consensus      shipped  Which claims have gained support over the years?
    v_evidence_chain          shipped  Which claims rest on a passage through another claim?
    v_evidence_freshness      shipped  How recent is the evidence for each claim?
    v_evidence_timeline       shipped  How is the evidence of the task spread over the years?
    v_hub_pages               shipped  Which pages carry several claims?
    v_orphan_sources          shipped  Which pages of the task does no other page cite?
    v_outdated_evidence       shipped  Which claims rest on old evidence only?
    v_reference_candidates    shipped  Which pages do the pages of the task cite that the task has not read yet?
    v_source_authority        shipped  Which pages of the task are looked up to, and how recent are they?
    v_unsupported_claims      shipped  Which claims lack supporting evidence?
    --- exit 0
    ");
    let document = home.run("views --json").json();
    assert_eq!(document["problems"], json!([]));
    let views = document["views"].as_array().unwrap();
    assert_eq!(views.len(), graph::SHIPPED_VIEWS.len());
    assert_eq!(views[5]["name"], "v_contradictions");
    assert_eq!(views[5]["origin"], "shipped");
    assert_eq!(
        views[5]["columns"][0],
        json!({ "name": "task_id", "meaning": "task the claim belongs to" })
    );
    assert!(!home.data().join("lyra.db").exists(), "listing creates nothing");
}

#[test]
fn a_view_is_answered_for_all_tasks_or_for_one() {
    let home = Home::new();
    let (sea, other) = home.fill(|w| Ok((sea_level(w)?, task(w, "another")?)));
    insta::assert_snapshot!(home.run("views v_unsupported_claims --ids"), @r"
    task_id                          claim_id                      claim_text                                  claim_adoption_status  evidence_count  support_count  refute_count  neutral_count  bayesian_confidence  uncertainty
    ───────                          ────────                      ──────────                                  ─────────────────────  ──────────────  ─────────────  ────────────  ─────────────  ───────────────────  ───────────
    task_AAAAAAAAAAAAAAAAAAAAAAAAAA  c_BBBBBBBBBBBBBBBBBBBBBBBBBB  海面上昇の速さは1990年代以降に増している。  adopted                             0              0             0              0                  0.5       0.2887
    --- exit 0
    ");
    let answer = home.run(&format!("views unsupported_claims --task {} --json", sea.task));
    let document = answer.json();
    assert_eq!(document["view"], "v_unsupported_claims");
    assert_eq!(document["task_id"], sea.task.to_string());
    assert_eq!(document["truncated"], false);
    assert_eq!(document["columns"][1], "claim_id");
    assert_eq!(document["rows"][0][1], sea.unjudged.to_string());
    insta::assert_snapshot!(home.run(&format!("views unsupported_claims --task {other}")), @r"
    --- stderr
    No rows.
    --- exit 0
    ");
}

#[test]
fn a_person_reads_claims_quotes_and_sources_and_ids_where_they_are_asked_for() {
    let home = Home::new();
    let sea = home.fill(sea_level);
    let shown = home.run("views contradictions").stdout;
    for said in [
        "Sea level rose by about 20 cm since 1901.",
        "“Global mean sea level rose by about 20 cm between 1901 and 2018.” (https://nature.example.com/sea)",
        "“世界の平均海面水位は1901年から2018年の間に約20 cm上昇した。” (海面水位の長期変化, 2019)",
    ] {
        assert!(shown.contains(said), "{shown}");
    }
    let id = sea.disputed.to_string();
    assert!(!shown.contains(&id) && !shown.contains("f_"), "{shown}");
    assert!(home.run("views contradictions --ids").stdout.contains(&id));
    let csv = home.run("views contradictions --csv").stdout;
    assert!(csv.starts_with("task_id,claim_id,claim_text,"), "{csv}");
    assert!(csv.contains(&id), "{csv}");
    let summary = home.run("views claim_evidence_summary").stdout;
    assert!(summary.starts_with("claim text "), "{summary}");
    assert!(!summary.contains("c_"), "{summary}");
}

#[test]
fn rows_beyond_the_limit_are_cut_and_it_says_so() {
    let home = Home::new();
    home.fill(sea_level);
    let answer = home.run("views v_evidence_timeline --limit 1");
    assert_eq!(answer.stdout.lines().count(), 2 + 1);
    assert_eq!(answer.stderr, "1 row shown, there are more; --limit 10 shows more.\n");
    let document = home.run("views v_evidence_timeline --limit 1 --json").json();
    assert_eq!(document["truncated"], true);
}

#[test]
fn the_numbers_inside_the_views_are_settings() {
    let home = Home::new();
    let sea = home.fill(sea_level);
    let unsupported = |line: &str| {
        let document = home.run(&format!("views unsupported_claims --json {line}")).json();
        document["rows"].as_array().unwrap().iter().map(|it| it[1].clone()).collect::<Vec<_>>()
    };
    assert_eq!(unsupported(""), [json!(sea.unjudged)]);
    assert_eq!(unsupported("--set views.min_supports=3").len(), 2);
    insta::assert_snapshot!(home.run("views --set views.controversy_threshold=0.6"), @r#"
    --- stderr
    error: `views.controversy_threshold` must be a number from 0.001 to 0.5, not "0.6" (--set)
    hint: `lyra config default --expert` explains it, in section [views]
    --- exit 4
    "#);
}

#[test]
fn the_sql_of_a_view_can_stand_in_another_question() {
    let home = Home::new();
    let sea = home.fill(sea_level);
    let printed = home.run(&format!("views contradictions --sql --task {}", sea.task));
    assert_eq!(printed.code, Some(0));
    let question = format!("WITH x AS ({}) SELECT claim_id, refute_count FROM x", printed.stdout);
    let document = home.run_arguments(&["sql", &question, "--json"]).json();
    assert_eq!(document["rows"], json!([[sea.disputed, 1]]));
    let document = home.run("views contradictions --sql --json").json();
    assert_eq!(document["view"], "v_contradictions");
    assert!(document["sql"].as_str().unwrap().starts_with("SELECT\n"), "{document}");
}

#[test]
fn the_columns_of_a_view_are_explained() {
    insta::assert_snapshot!(Home::new().run("views hub_pages --columns"), @r"
    COLUMN                 MEANING
    ──────                 ───────
    task_id                task the claims belong to
    page_id                the page
    url                    its address
    title                  its title
    domain                 its domain
    domain_category        category of the domain
    year                   year of the work, else of the page; null when unknown
    claims_supported       adopted claims its passages support
    claims_refuted         adopted claims its passages refute
    not_adopted_supported  claims they support that are not adopted
    citation_count         citations of the work as an academic index gives them; null when unknown
    cited_by_count         pages of this graph that cite it
    --- stderr
    v_hub_pages: Which pages carry several claims?
    --- exit 0
    ");
}

#[test]
fn unknown_views_are_answered_with_the_nearest() {
    let home = Home::new();
    insta::assert_snapshot!(home.run("views v_contradiction"), @r"
    --- stderr
    error: no view `v_contradiction`; did you mean v_contradictions?
    hint: `lyra views` lists the views
    --- exit 3
    ");
    insta::assert_snapshot!(home.run("views hub_page --columns"), @r"
    --- stderr
    error: no view `hub_page`; did you mean v_hub_pages?
    hint: `lyra views` lists the views
    --- exit 3
    ");
    insta::assert_snapshot!(home.run("views zzz --sql"), @r"
    --- stderr
    error: no view `zzz`
    hint: `lyra views` lists the views
    --- exit 3
    ");
    insta::assert_snapshot!(home.run("views contradictions --task task_01ARZ3NDEKTSV4RRFFQ69G5FAV"), @r"
    --- stderr
    error: no task task_AAAAAAAAAAAAAAAAAAAAAAAAAA
    hint: `lyra task list` shows the tasks
    --- exit 3
    ");
    insta::assert_snapshot!(home.run("views --limit 3"), @r"
    --- stderr
    error: the following required arguments were not provided:
      <NAME>

    Usage: lyra views --limit <N> <NAME>

    For more information, try '--help'.
    --- exit 2
    ");
    assert!(!home.data().join("lyra.db").exists());
}

const OWN: &str = "-- どのページがあるか\n--   task_id  nothing\n--   url      where it is\n\
                   SELECT NULL AS task_id, url FROM pages ORDER BY url";

#[test]
fn a_users_view_replaces_the_shipped_one_or_adds_one() {
    let home = Home::new();
    home.fill(sea_level);
    home.write(".config/lyra/views/v_hub_pages.sql.j2", OWN);
    home.write(
        ".config/lyra/views/v_recent.sql.j2",
        "-- Recent?\nSELECT NULL AS task_id, {{ recent_years }} AS years",
    );
    insta::assert_snapshot!(home.run("views hub_pages --ids"), @r"
    task_id  url
    ───────  ───
             https://blog.example.org/tides
             https://nature.example.com/sea
             https://www.example.jp/kaimen
    --- exit 0
    ");
    assert_eq!(
        home.run("views recent --json --set views.recent_years=7").json()["rows"],
        json!([[null, 7]])
    );
    let listed = home.run("views");
    let line = |name: &str| listed.stdout.lines().find(|it| it.starts_with(name)).unwrap();
    assert_eq!(line("v_hub_pages"), "v_hub_pages               yours    どのページがあるか");
    assert_eq!(line("v_recent"), "v_recent                  yours    Recent?");
    assert_eq!(listed.stderr, "");
    fs::remove_dir_all(home.path().join(".config/lyra/views")).unwrap();
    let listed = home.run("views");
    let line = listed.stdout.lines().find(|it| it.starts_with("v_hub_pages")).unwrap();
    assert_eq!(line, "v_hub_pages               shipped  Which pages carry several claims?");
}

#[test]
fn a_broken_view_is_told_by_name_and_the_shipped_one_answers() {
    let home = Home::new();
    home.fill(sea_level);
    home.write(".config/lyra/views/v_hub_pages.sql.j2", "SELECT task_id, nope FROM pages");
    home.write(".config/lyra/views/v_mine.sql.j2", "SELECT {{ nope }} AS task_id");
    let listed = home.run("views");
    assert_eq!(listed.code, Some(0));
    assert_eq!(
        listed.stderr.replace(home.path().to_str().unwrap(), "[home]"),
        "warning: v_mine: the template fails: undefined value: `nope` is undefined (in v_mine.sql.j2:1) \
         ([home]/.config/lyra/views/v_mine.sql.j2)\n\
         warning: v_hub_pages: no such column: task_id ([home]/.config/lyra/views/v_hub_pages.sql.j2)\n"
    );
    let line = listed.stdout.lines().find(|it| it.starts_with("v_hub_pages")).unwrap();
    assert_eq!(line, "v_hub_pages               shipped  Which pages carry several claims?");
    let document = home.run("views --json").json();
    assert_eq!(document["problems"].as_array().unwrap().len(), 2);
    assert_eq!(document["problems"][1]["view"], "v_hub_pages");
    assert_eq!(home.run("views --json").stderr, "");
    assert_eq!(home.run("views hub_pages --columns --quiet").code, Some(0));
}
