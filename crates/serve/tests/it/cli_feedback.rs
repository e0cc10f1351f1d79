//! `lyra feedback`.

use evidence::{ClaimId, EdgeId, Stance, TaskId};
use serde_json::json;

use crate::support::{Home, own_help};
use crate::world::{cite, claim, claims_from, judge, look_at, passage, supports, task};

#[test]
fn help_of_feedback() {
    insta::assert_snapshot!(own_help("feedback"), @"
    Set a claim aside, correct a judgement; both can be taken back

    Usage: lyra feedback [OPTIONS] <COMMAND>

    Commands:
      claim-reject   Set a claim aside: it stays visible, marked as not adopted, with the reason
      claim-restore  Let a claim count again that was set aside
      edge-correct   Say what a passage really says about its claim
      help           Print this message or the help of the given subcommand(s)

    Options:
      -h, --help  Print help

    --- exit 0
    ");
}

#[test]
fn help_of_feedback_about_claims() {
    insta::assert_snapshot!(own_help("feedback claim-reject"), @r#"
    Set a claim aside: it stays visible, marked as not adopted, with the reason

    Its confidence does not change, because that comes from the evidence alone. When too many claims of
    a domain were set aside, the domain is blocked (settings domain.high_rejection_*).

    Usage: lyra feedback claim-reject [OPTIONS] --reason <TEXT> <CLAIM>

    Arguments:
      <CLAIM>
              The claim: latest, claim:3 (the third in `lyra claims`), or the beginning or end of its id

    Options:
          --reason <TEXT>
              Why it does not count, or `-` to read it from stdin

      -h, --help
              Print help (see a summary with '-h')

    Example:
      lyra feedback claim-reject 9G5FAV --reason "not what the source says"

    Next: `lyra claims TASK --not-adopted` lists what was set aside; `lyra feedback claim-restore CLAIM`
    takes it back.
    --- exit 0
    "#);
    insta::assert_snapshot!(own_help("feedback claim-restore"), @"
    Let a claim count again that was set aside

    A domain that was blocked for its rejected claims is freed when too few of them are left.

    Usage: lyra feedback claim-restore [OPTIONS] <CLAIM>

    Arguments:
      <CLAIM>
              The claim: latest, claim:3 (the third in `lyra claims`), or the beginning or end of its id

    Options:
      -h, --help
              Print help (see a summary with '-h')

    Example:
      lyra feedback claim-restore 9G5FAV

    Next: `lyra claims TASK` shows it among the others.
    --- exit 0
    ");
}

#[test]
fn help_of_feedback_about_edges() {
    insta::assert_snapshot!(own_help("feedback edge-correct"), @r#"
    Say what a passage really says about its claim

    Takes effect at once, with full certainty, and becomes a sample the judge is measured by, also when
    it confirms the judge. A citation is a fact and cannot be corrected.

    Usage: lyra feedback edge-correct [OPTIONS] <EDGE> <RELATION>

    Arguments:
      <EDGE>
              The judgement: latest, or the beginning or end of its id, as `lyra evidence` shows it

      <RELATION>
              What the passage says: supports, refutes or neutral

    Options:
          --reason <TEXT>
              Why, or `-` to read it from stdin

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra evidence 9G5FAV
      lyra feedback edge-correct 2W7TQA refutes --reason "it says the contrary"

    The first one shows the edges of a claim.
    Next: `lyra calibration stats` shows how many samples there are.
    --- exit 0
    "#);
}

#[test]
fn help_of_feedback_about_domains_is_that_of_lyra_domain() {
    for (feedback, domain) in
        [("domain-block", "block"), ("domain-unblock", "unblock"), ("domain-clear", "clear")]
    {
        let help = own_help(&format!("feedback {feedback}"));
        let renamed = help.replace(&format!("lyra feedback {feedback} [OPTIONS]"), "USAGE");
        let same = own_help(&format!("domain {domain}"));
        assert_eq!(renamed, same.replace(&format!("lyra domain {domain} [OPTIONS]"), "USAGE"));
    }
}

/// A claim taken from a page, with one passage for it, one against it, and a citation.
struct Judged {
    task: TaskId,
    claim: ClaimId,
    supports: EdgeId,
    refutes: EdgeId,
    cites: EdgeId,
}

fn judged(home: &Home) -> Judged {
    home.fill(|w| {
        let task = task(w, "海面は上昇したか")?;
        let origin = passage(w, "www.example.com", "海面は20センチ上昇した")?;
        let claim = claim(w, task, "海面は上昇した", Some(origin), Some(0.9))?;
        let other = passage(w, "example.org", "The sea did not rise")?;
        Ok(Judged {
            task,
            claim,
            supports: judge(w, origin, claim, Stance::Supports, 0.9)?,
            refutes: judge(w, other, claim, Stance::Refutes, 0.8)?,
            cites: cite(w, other, origin)?,
        })
    })
}

#[test]
fn a_claim_is_set_aside_shown_as_such_and_brought_back() {
    let home = Home::new();
    let Judged { task, claim, .. } = judged(&home);
    let line = ["feedback", "claim-reject", &claim.to_string(), "--reason", "出典にない"];
    insta::assert_snapshot!(home.run_arguments(&line), @"
    Claim       FNHH3J
    Text        海面は上昇した
    Status      adopted → not adopted
    Reason      出典にない
    Confidence  0.51 ±0.23, as before
    Domain      example.com: 1 of 1 claims rejected (100 %)
    --- stderr
    It stays in the graph, marked, and so does its evidence.
    Take it back with: lyra feedback claim-restore c_AAAAAAAAAAAAAAAAAAAAAAAAAA
    --- exit 0
    ");
    insta::assert_snapshot!(home.run_arguments(&line), @"
    Claim       FNHH3J
    Text        海面は上昇した
    Status      not adopted, as before
    Reason      出典にない
    Confidence  0.51 ±0.23, as before
    Domain      example.com: 1 of 1 claims rejected (100 %)
    --- stderr
    It was so already; nothing was changed.
    --- exit 0
    ");
    insta::assert_snapshot!(home.run(&format!("claims {task}")), @"
    主張     ID          信頼度  対立度  +  -  本文
    ────     ──          ──────  ──────  ─  ─  ────
    claim:1  FNHH3J  0.51 ±0.23    0.47  1  1  [不採用] 海面は上昇した
    --- exit 0
    ");
    let document = home.run(&format!("claims {task} --not-adopted --json")).json();
    assert_eq!(document["total"], 1);
    assert_eq!(document["claims"][0]["claim_adoption_status"], "not_adopted");
    assert_eq!(document["claims"][0]["claim_rejection_reason"], "出典にない");
    assert_eq!(home.run(&format!("claims {task} --adopted --json")).json()["total"], 0);

    insta::assert_snapshot!(home.run(&format!("feedback claim-restore {claim}")), @r"
    Claim       FNHH3J
    Text        海面は上昇した
    Status      not adopted → adopted
    Confidence  0.51 ±0.23, as before
    Domain      example.com: 0 of 1 claims rejected (0 %)
    --- stderr
    Why it had been set aside stays in the log.
    Set it aside again with: lyra feedback claim-reject c_AAAAAAAAAAAAAAAAAAAAAAAAAA --reason TEXT
    --- exit 0
    ");
    insta::assert_snapshot!(home.run(&format!("feedback claim-restore {claim}")), @r"
    Claim       FNHH3J
    Text        海面は上昇した
    Status      adopted, as before
    Confidence  0.51 ±0.23, as before
    Domain      example.com: 0 of 1 claims rejected (0 %)
    --- stderr
    It was so already; nothing was changed.
    --- exit 0
    ");
    assert_eq!(home.run(&format!("claims {task} --adopted --json")).json()["total"], 1);
}

#[test]
fn a_rejection_as_json_says_what_changed_and_what_did_not() {
    let home = Home::new();
    let Judged { claim, .. } = judged(&home);
    let document = home.run(&format!("feedback claim-reject {claim} --reason wrong --json")).json();
    assert_eq!(document["ok"], true);
    assert_eq!(
        document["feedback"],
        json!({ "action": "claim_reject", "target": claim, "changed": true,
                "before": "adopted", "now": "not_adopted" })
    );
    assert_eq!(document["claim"]["claim_rejection_reason"], "wrong");
    assert_eq!(document["confidence_before"], document["confidence_now"]);
    assert_eq!(document["confidence_now"]["evidence_count"], 2);
    assert_eq!(document["rejection_rates"]["domain"], "example.com");
    assert_eq!(document["rejection_rates"]["domain_claim_manual_rejection_rate"], 1.0);
}

#[test]
fn a_domain_is_blocked_when_too_many_of_its_claims_were_set_aside_and_freed_again() {
    let home = Home::new();
    let claims = home.fill(|w| {
        let claims = claims_from(w, "www.example.com", 5)?;
        w.claim_reject(claims[0], "wrong", &Default::default())?;
        Ok(claims)
    });
    let second = claims[1];
    insta::assert_snapshot!(
        home.run(&format!("feedback claim-reject {second} --reason wrong")), @"
    Claim       FNHH3N
    Text        主張1
    Status      adopted → not adopted
    Reason      wrong
    Confidence  0.50 ±0.29, as before
    Domain      example.com: 2 of 5 claims rejected (40 %); it is blocked now
    --- stderr
    It stays in the graph, marked, and so does its evidence.
    Take it back with: lyra feedback claim-restore c_AAAAAAAAAAAAAAAAAAAAAAAAAA
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("domain check www.example.com"), @r"
    Host                www.example.com
    Site                example.com
    May be read         no
    Category            blocked (weight 0.00)
    Without the block   unverified (weight 0.30)
    Category from       the default: no rule names it
    Blocked by          high_rejection_rate: 2 of 5 claims were rejected (since 0000-00-00 00:00)
    Risk of unblocking  low
    Override            none
    Rejected claims     2 of 5 (40 %)
    --- exit 0
    ");
    insta::assert_snapshot!(home.run(&format!("feedback claim-restore {second}")), @"
    Claim       FNHH3N
    Text        主張1
    Status      not adopted → adopted
    Confidence  0.50 ±0.29, as before
    Domain      example.com: 1 of 5 claims rejected (20 %); it is free again
    --- stderr
    Why it had been set aside stays in the log.
    Set it aside again with: lyra feedback claim-reject c_AAAAAAAAAAAAAAAAAAAAAAAAAA --reason TEXT
    --- exit 0
    ");
    assert_eq!(
        home.run("domain check example.com --json").json()["decision"]["category"],
        "unverified"
    );
}

#[test]
fn a_domain_that_only_people_demote_stays_and_that_is_said() {
    let home = Home::new();
    let claims = home.fill(|w| {
        let claims = claims_from(w, "www.example.go.jp", 5)?;
        w.claim_reject(claims[0], "wrong", &Default::default())?;
        Ok(claims)
    });
    let answer = home.run(&format!("feedback claim-reject {} --reason wrong", claims[1]));
    let domain = answer.stdout.lines().find(|it| it.starts_with("Domain")).unwrap();
    assert_eq!(
        domain,
        "Domain      example.go.jp: 2 of 5 claims rejected (40 %); only people block a domain of \
         its category, so it stays readable"
    );
}

#[test]
fn the_thresholds_of_a_block_are_settings() {
    let home = Home::new();
    let claims = home.fill(|w| claims_from(w, "example.com", 5));
    let line = format!(
        "feedback claim-reject {} --reason wrong --set domain.high_rejection_rate_threshold=0.1 --json",
        claims[0]
    );
    assert_eq!(home.run(&line).json()["feedback"]["domain"]["change"], "blocked");
}

#[test]
fn a_corrected_edge_changes_the_confidence_at_once() {
    let home = Home::new();
    let Judged { task, refutes, .. } = judged(&home);
    let line = format!("feedback edge-correct {refutes} supports --reason misread");
    insta::assert_snapshot!(home.run(&line), @"
    Edge        FNHH3P
    Passage     The sea did not rise
    Claim       FNHH3J 海面は上昇した
    Relation    refutes → supports
    Certainty   0.80 → 1.00
    Confidence  0.51 ±0.23 → 0.74 ±0.20
    --- stderr
    A sample was stored; the passage, the claim and all other edges are as they were.
    Take it back, with full certainty: lyra feedback edge-correct e_AAAAAAAAAAAAAAAAAAAAAAAAAA refutes
    --- exit 0
    ");
    insta::assert_snapshot!(home.run(&format!("claims {task}")), @"
    主張     ID          信頼度  対立度  +  -  本文
    ────     ──          ──────  ──────  ─  ─  ────
    claim:1  FNHH3J  0.74 ±0.20    0.00  2  0  海面は上昇した
    --- exit 0
    ");
    insta::assert_snapshot!(home.run(&line), @r"
    Edge        FNHH3P
    Passage     The sea did not rise
    Claim       FNHH3J 海面は上昇した
    Relation    supports, as before
    Certainty   1.00, as before
    Confidence  0.74 ±0.20, as before
    --- stderr
    It was so already; a sample was stored, and nothing else was changed.
    --- exit 0
    ");
}

#[test]
fn a_correction_that_confirms_the_judge_is_a_sample_and_makes_it_certain() {
    let home = Home::new();
    let Judged { supports, claim, .. } = judged(&home);
    let document = home.run(&format!("feedback edge-correct {supports} supports --json")).json();
    assert_eq!(document["feedback"]["changed"], true);
    assert_eq!(document["feedback"]["before"], "supports");
    assert_eq!(document["feedback"]["now"], "supports");
    assert_eq!(document["edge"]["nli_confidence"], 1.0);
    assert_eq!(document["edge"]["edge_human_corrected"], true);
    assert_eq!(document["claim"]["id"], claim.to_string());
    assert_eq!(document["confidence_before"]["alpha"], 1.9);
    assert_eq!(document["confidence_now"]["alpha"], 2.0);
    let stats = home.run("calibration stats nli_judge --json").json();
    assert_eq!(stats["stats"][0]["sample_count"], 1);
}

#[test]
fn the_fiftieth_sample_fits_a_version_and_the_answer_says_so() {
    let home = Home::new();
    let last = home.fill(|w| {
        let claim = claim(w, task(w, "q")?, "claim", None, None)?;
        let edges = supports(w, claim, "seen", 50, 0.9)?;
        look_at(w, &edges[..49], |n| n % 3 > 0)?;
        Ok(edges[49])
    });
    let answer = home.run(&format!("feedback edge-correct {last} supports"));
    let told = answer.stdout.lines().find(|it| it.starts_with("Calibration")).unwrap();
    assert_eq!(
        told,
        "Calibration  version 1 of nli_judge was fitted, not in force until: \
         lyra calibration activate nli_judge 1"
    );
}

#[test]
fn a_citation_cannot_be_corrected() {
    let home = Home::new();
    let Judged { cites, .. } = judged(&home);
    insta::assert_snapshot!(home.run(&format!("feedback edge-correct {cites} refutes")), @r"
    --- stderr
    error: e_AAAAAAAAAAAAAAAAAAAAAAAAAA is a citation: a fact, which cannot be corrected
    hint: only judgements about claims can be
    --- exit 2
    ");
}

#[test]
fn a_beginning_is_enough_to_name_a_claim_or_an_edge_if_it_is_the_only_one() {
    let home = Home::new();
    let fill = |edges: usize| {
        let home = Home::new();
        let filled = home.fill(|w| {
            let claim = claim(w, task(w, "q")?, "claim", None, None)?;
            Ok((claim, supports(w, claim, "seen", edges, 0.9)?))
        });
        (home, filled)
    };
    let (home_of_one, (claim, edges)) = fill(1);
    let beginning = &claim.to_string().to_lowercase()[2..8];
    let answer = home_of_one.run(&format!("feedback claim-reject {beginning} --reason r --json"));
    assert_eq!(answer.json()["claim"]["id"], claim.to_string());
    let answer = home_of_one.run("feedback edge-correct e_01 neutral --json");
    assert_eq!(answer.json()["edge"]["id"], edges[0].to_string());
    let (home_of_five, _) = fill(5);
    insta::assert_snapshot!(home_of_five.run("feedback edge-correct 01K neutral"), @"
    --- stderr
    error: `01K` may be any of 5 edges
    hint: give more of the id: e_AAAAAAAAAAAAAAAAAAAAAAAAAA (supports); e_BBBBBBBBBBBBBBBBBBBBBBBBBB (supports); e_CCCCCCCCCCCCCCCCCCCCCCCCCC (supports); e_DDDDDDDDDDDDDDDDDDDDDDDDDD (supports); e_EEEEEEEEEEEEEEEEEEEEEEEEEE (supports)
    --- exit 2
    ");
    let (home_of_six, _) = fill(6);
    insta::assert_snapshot!(home_of_six.run("feedback edge-correct 01K neutral"), @"
    --- stderr
    error: `01K` may be any of more than 5 edges
    hint: give more of the id: e_AAAAAAAAAAAAAAAAAAAAAAAAAA (supports); e_BBBBBBBBBBBBBBBBBBBBBBBBBB (supports); e_CCCCCCCCCCCCCCCCCCCCCCCCCC (supports); e_DDDDDDDDDDDDDDDDDDDDDDDDDD (supports); e_EEEEEEEEEEEEEEEEEEEEEEEEEE (supports); …
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("feedback edge-correct 01K neutral"), @r"
    --- stderr
    error: no edge e_01K
    hint: `lyra evidence CLAIM` shows the edges of a claim
    --- exit 3
    ");
}

#[test]
fn ids_that_name_nothing_are_refused_and_no_graph_is_created() {
    let home = Home::new();
    insta::assert_snapshot!(
        home.run("feedback claim-reject c_01ARZ3NDEKTSV4RRFFQ69G5FAV --reason wrong"), @r"
    --- stderr
    error: no claim c_AAAAAAAAAAAAAAAAAAAAAAAAAA
    hint: `lyra claims TASK` shows the claims of a task
    --- exit 3
    ");
    insta::assert_snapshot!(
        home.run("feedback edge-correct e_01ARZ3NDEKTSV4RRFFQ69G5FAV neutral"), @r"
    --- stderr
    error: no edge e_AAAAAAAAAAAAAAAAAAAAAAAAAA
    hint: `lyra evidence CLAIM` shows the edges of a claim
    --- exit 3
    ");
    insta::assert_snapshot!(home.run("feedback claim-restore e_01ARZ3NDEKTSV4RRFFQ69G5FAV"), @r"
    --- stderr
    error: `e_AAAAAAAAAAAAAAAAAAAAAAAAAA` is not a claim id; it should look like c_BBBBBBBBBBBBBBBBBBBBBBBBBB
    hint: `lyra claims TASK` shows the claims of a task
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("feedback edge-correct 01ARZ maybe"), @r"
    --- stderr
    error: invalid value 'maybe' for '<RELATION>': `maybe` is not a stance; expected one of: supports, refutes, neutral

    For more information, try '--help'.
    --- exit 2
    ");
    assert!(!home.data().join("lyra.db").exists());
}

#[test]
fn reasons_are_asked_for_bounded_and_can_come_from_stdin() {
    let home = Home::new();
    let Judged { claim, .. } = judged(&home);
    let claim = claim.to_string();
    insta::assert_snapshot!(home.run(&format!("feedback claim-reject {claim}")), @r"
    --- stderr
    error: the following required arguments were not provided:
      --reason <TEXT>

    Usage: lyra feedback claim-reject --reason <TEXT> <CLAIM>

    For more information, try '--help'.
    --- exit 2
    ");
    let reject = |reason: &str| {
        home.run_arguments(&["feedback", "claim-reject", &claim, "--reason", reason])
    };
    insta::assert_snapshot!(reject("  "), @r"
    --- stderr
    error: the reason is empty
    --- exit 2
    ");
    insta::assert_snapshot!(reject(&"長".repeat(2001)), @r"
    --- stderr
    error: the reason has 2001 characters; the limit is 2000
    hint: shorten it, or raise the setting feedback.max_reason_chars
    --- exit 7
    ");
    assert_eq!(reject(&"長".repeat(2000)).code, Some(0));
    let shorter = home.run(&format!(
        "feedback claim-reject {claim} --reason 1234 --set feedback.max_reason_chars=3"
    ));
    assert_eq!(shorter.code, Some(7));
    let line = format!("feedback claim-reject {claim} --reason - --json");
    let answer = home.run_with_stdin("標準入力から\n".as_bytes(), &line);
    assert_eq!(answer.json()["claim"]["claim_rejection_reason"], "標準入力から");
}

#[test]
fn feedback_decides_about_domains_as_lyra_domain_does() {
    let home = Home::new();
    insta::assert_snapshot!(
        home.run("feedback domain-block *.example.com --reason copies"), @"
    Pattern   *.example.com
    Decision  none → block
    Reason    copies
    Effect    example.com: unverified (weight 0.30) → blocked (manual)
    --- stderr
    warning: `lyra feedback domain-block` is called `lyra domain block` now; the old name goes with the next release
    Pages and claims found there stay, with their confidence.
    Take it back with: lyra domain clear '*.example.com' --reason TEXT
    --- exit 0
    ");
    insta::assert_snapshot!(
        home.run("feedback domain-unblock *.example.com --reason reviewed"), @"
    Pattern   *.example.com
    Decision  block → unblock
    Reason    reviewed
    Effect    example.com: blocked (manual) → unverified (weight 0.30)
    --- stderr
    warning: `lyra feedback domain-unblock` is called `lyra domain unblock` now; the old name goes with the next release
    What spoke against it stays on record, and does not hold.
    Take it back with: lyra domain clear '*.example.com' --reason TEXT
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("feedback domain-clear *.example.com --reason done"), @"
    Pattern   *.example.com
    Decision  unblock → none
    Reason    done
    Effect    example.com: unverified (weight 0.30), as before
    --- stderr
    warning: `lyra feedback domain-clear` is called `lyra domain clear` now; the old name goes with the next release
    Policy and recorded blocks hold again; the log keeps the decision.
    Take it back with: lyra domain unblock '*.example.com' --reason TEXT
    --- exit 0
    ");
}
