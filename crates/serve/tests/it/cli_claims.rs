//! `lyra claims`.

use evidence::{Budget, DomainCategory, FragmentType, Node, Stance, TaskId};
use graph::{NewClaim, NewEdge, NewFragment, NewPage, NewTask, Writer};
use serde_json::json;

use crate::support::Home;

#[test]
fn help_of_claims() {
    insta::assert_snapshot!(Home::new().run("claims --help"), @"
    Show what is claimed in a task, and how sure that is

    Confidence is what the independent sources for (+) and against (-) a claim add up to, from 0 to 1,
    with its uncertainty (±); what nobody but its own source speaks of has one source and no number.
    Controversy is the share of the weaker side: 0 when one-sided, 0.5 when even. Claims that people set
    aside are listed too, and marked.

    Usage: lyra claims [OPTIONS] [TASK]

    Arguments:
      [TASK]
              The task: latest, task:3 (the third in `lyra task list`), or the beginning or end of its
              id
              
              [default: latest]

    Options:
          --sort <SORT>
              What to put first: the largest of these
              
              [default: confidence]
              [possible values: confidence, controversy, uncertainty]

          --adopted
              Only claims that count

          --not-adopted
              Only claims that people set aside

          --limit <N>
              Show at most N claims [default: the setting output.rows]

          --all
              Show all claims

      -h, --help
              Print help (see a summary with '-h')

    Options of every command:
          --json
              Answer with one JSON document; failures too, on stderr

          --json-lines
              Answer in lines of JSON: what happens, and the answer last

      -q, --quiet
              Print answers and errors only

          --color <WHEN>
              When to use colour [default: the setting output.color]
              
              [possible values: auto, always, never]

          --data-dir <DIR>
              Folder of the database and the logs

          --config <FILE>
              Configuration file

          --offline
              Send nothing over the network

          --set <KEY=VALUE>
              Change a setting for this run, e.g. task.max_pages=40; may be repeated

    Examples:
      lyra claims
      lyra claims task:2 --sort controversy --limit 10
      lyra claims latest --all --json

    Next: `lyra evidence claim:1` shows what supports and refutes one of them. Places are those of the
    newest task.
    --- exit 0
    ");
}

/// Two claims: one supported and refuted, one nobody has judged.
fn disputed(w: &Writer<'_>) -> graph::Result<TaskId> {
    let task_id = w.create_task(&NewTask {
        query: "海面は上昇したか".to_owned(),
        hypothesis: None,
        language: None,
        budget: Budget { max_pages: 120, max_seconds: 3600 },
        config: json!({}),
    })?;
    let claim = |text: &str| {
        w.record_claim(&NewClaim {
            task_id,
            text: text.to_owned(),
            language: None,
            origin_fragment_id: None,
            extraction_method: None,
            extraction_confidence: None,
        })
    };
    let judged = claim("Global mean sea level rose by about 20 cm between 1901 and 2018.")?;
    claim("海面上昇の速さは1990年代以降に増している。\u{1b}[31m")?;
    let stances = [
        (Stance::Supports, 0.9),
        (Stance::Supports, 0.9),
        (Stance::Refutes, 0.9),
        (Stance::Neutral, 0.9),
    ];
    for (number, (stance, confidence)) in stances.into_iter().enumerate() {
        let page_id = w.record_page(&NewPage {
            url: format!("https://example{number}.com/"),
            domain: format!("example{number}.com"),
            domain_category: DomainCategory::Academic,
            title: None,
            language: None,
            year: Some(2021),
            work_id: None,
        })?;
        let fragment = w.record_fragment(&NewFragment {
            page_id,
            fragment_type: FragmentType::Paragraph,
            text: format!("passage {number}"),
            heading_context: None,
            element_index: None,
            chars: None,
            language: None,
        })?;
        w.add_edge(&NewEdge::Stance {
            source: Node::Fragment(fragment),
            target: judged,
            stance,
            confidence,
            model: "test".to_owned(),
            kind: None,
            about: true,
        })?;
    }
    Ok(task_id)
}

#[test]
fn claims_are_listed_with_what_the_evidence_says() {
    let home = Home::new();
    let task = home.fill(disputed);
    insta::assert_snapshot!(home.run(&format!("claims {task}")), @"
    主張     ID          信頼度  対立度  +  -  本文
    ────     ──          ──────  ──────  ─  ─  ────
    claim:1  FNHH3G  0.60 ±0.21    0.33  2  1  Global mean sea level rose by about 20 cm between 1901 and 2018.
    claim:2  FNHH3H  0.50 ±0.29    0.00  0  0  海面上昇の速さは1990年代以降に増している。␛[31m
    --- exit 0
    ");
    insta::assert_snapshot!(home.run(&format!("claims {task} --sort uncertainty --limit 1")), @"
    主張     ID          信頼度  対立度  +  -  本文
    ────     ──          ──────  ──────  ─  ─  ────
    claim:2  FNHH3H  0.50 ±0.29    0.00  0  0  海面上昇の速さは1990年代以降に増している。␛[31m
    --- stderr
    主張 2 件のうち 1 件を表示しています。--all で残りも表示します。
    --- exit 0
    ");
}

#[test]
fn claims_as_json_carry_every_number() {
    let home = Home::new();
    let task = home.fill(disputed);
    let document = home.run(&format!("claims {task} --json")).json();
    assert_eq!(document["ok"], true);
    assert_eq!(document["task_id"], task.to_string());
    assert_eq!(document["total"], 2);
    let first = &document["claims"][0];
    assert_eq!(first["support_count"], 2);
    assert_eq!(first["refute_count"], 1);
    assert_eq!(first["evidence_count"], 4);
    assert_eq!(first["alpha"], 2.8);
    assert_eq!(first["beta"], 1.9);
    assert_eq!(first["claim_adoption_status"], "adopted");
    assert_eq!(
        document["claims"][1]["claim_text"], "海面上昇の速さは1990年代以降に増している。\u{1b}[31m",
        "JSON keeps the text as it is stored"
    );
}

#[test]
fn a_task_without_claims_says_so() {
    let home = Home::new();
    let task = home.fill(disputed);
    let answer = home.run(&format!("claims {task} --not-adopted"));
    assert_eq!((answer.stdout.as_str(), answer.stderr.as_str()), ("", "主張はありません。\n"));
    assert_eq!(answer.code, Some(0));
}

#[test]
fn claims_of_an_unknown_task_are_not_found() {
    let home = Home::new();
    insta::assert_snapshot!(home.run("claims task_01ARZ3NDEKTSV4RRFFQ69G5FAV"), @r"
    --- stderr
    error: no task task_AAAAAAAAAAAAAAAAAAAAAAAAAA
    hint: `lyra task list` shows the tasks
    --- exit 3
    ");
    insta::assert_snapshot!(home.run("claims task_01 --adopted --not-adopted"), @r"
    --- stderr
    error: the argument '--adopted' cannot be used with '--not-adopted'

    Usage: lyra claims --adopted <TASK>

    For more information, try '--help'.
    --- exit 2
    ");
}
