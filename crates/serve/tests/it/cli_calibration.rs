//! `lyra calibration`.

use evidence::{ClaimId, TaskId};
use serde_json::json;

use crate::support::{Home, own_help};
use crate::world::{claim, claims_from, look_at, supports, task};

#[test]
fn help_of_calibration() {
    insta::assert_snapshot!(own_help("calibration"), @"
    Measure and correct how far stated certainty can be trusted

    A source is nli_judge (who judges passages) or llm_extract (who takes claims from pages). Samples
    are what people said with `lyra feedback`; a correction holds only once it was activated.

    Usage: lyra calibration [OPTIONS] <COMMAND>

    Commands:
      stats        Show how many samples there are, which version is in force, and the latest scores
      evaluate     Measure a source on all its samples, and keep the result
      evaluations  List stored evaluations, newest first, with the diagram of the newest
      versions     List the fitted versions, newest first, and which one is in force
      fit          Fit a correction to all samples of a source; it is not in force until it is activated
      activate     Put a version in force: what its judge said of every edge that no person corrected is
                   computed anew
      rollback     Take the version in force back, to the one before it or to an earlier one
      help         Print this message or the help of the given subcommand(s)

    Options:
      -h, --help
              Print help (see a summary with '-h')

    --- exit 0
    ");
}

#[test]
fn help_of_measuring() {
    insta::assert_snapshot!(own_help("calibration stats"), @r"
    Show how many samples there are, which version is in force, and the latest scores

    The Brier score is the mean squared distance between certainty and outcome: 0 is perfect, 0.25 is a
    shrug. ECE is how far certainty and the share of right answers lie apart.

    Usage: lyra calibration stats [OPTIONS] [SOURCE]

    Arguments:
      [SOURCE]
              Only nli_judge or llm_extract

    Options:
      -h, --help
              Print help (see a summary with '-h')

    Example:
      lyra calibration stats nli_judge

    Next: `lyra calibration evaluate SOURCE` measures anew.
    --- exit 0
    ");
    insta::assert_snapshot!(own_help("calibration evaluate"), @r"
    Measure a source on all its samples, and keep the result

    The diagram shows, for each range of stated certainty, how often it was right (█) and what was
    stated on average (│): the mark right of the bar means overconfident.

    Usage: lyra calibration evaluate [OPTIONS] <SOURCE>

    Arguments:
      <SOURCE>
              nli_judge or llm_extract

    Options:
      -h, --help
              Print help (see a summary with '-h')

    Example:
      lyra calibration evaluate nli_judge

    Next: `lyra calibration fit SOURCE` fits a correction.
    --- exit 0
    ");
    insta::assert_snapshot!(own_help("calibration evaluations"), @"
    List stored evaluations, newest first, with the diagram of the newest

    Usage: lyra calibration evaluations [OPTIONS] [SOURCE]

    Arguments:
      [SOURCE]  Only nli_judge or llm_extract

    Options:
          --since <TIME>  Only since this day (of your time zone) or moment, or in the last hours or
                          days: 2026-01-15, 0000-00-00T00:00:00.000Z, 24h, 7d
          --limit <N>     Show at most N evaluations [default: the setting output.rows]
          --all           Show all evaluations
      -h, --help          Print help

    Examples:
      lyra calibration evaluations nli_judge --limit 5
      lyra calibration evaluations --since 2026-01-15 --json

    With --json every evaluation has its bins.
    Next: `lyra calibration evaluate SOURCE` adds one.
    --- exit 0
    ");
}

#[test]
fn help_of_correcting() {
    insta::assert_snapshot!(own_help("calibration versions"), @r"
    List the fitted versions, newest first, and which one is in force

    Usage: lyra calibration versions [OPTIONS] [SOURCE]

    Arguments:
      [SOURCE]  Only nli_judge or llm_extract

    Options:
      -h, --help  Print help

    Example:
      lyra calibration versions nli_judge

    Next: `lyra calibration activate SOURCE VERSION` puts one in force.
    --- exit 0
    ");
    insta::assert_snapshot!(own_help("calibration fit"), @r"
    Fit a correction to all samples of a source; it is not in force until it is activated

    Where several models judge, it is fitted to the one with the most new samples, and corrects that one
    only.

    Usage: lyra calibration fit [OPTIONS] <SOURCE>

    Arguments:
      <SOURCE>
              nli_judge or llm_extract

    Options:
          --method <METHOD>
              platt or temperature [default: the setting calibration.method]

      -h, --help
              Print help (see a summary with '-h')

    Example:
      lyra calibration fit nli_judge --method temperature

    Next: `lyra calibration activate SOURCE VERSION` puts it in force.
    --- exit 0
    ");
    insta::assert_snapshot!(own_help("calibration activate"), @r"
    Put a version in force: what its judge said of every edge that no person corrected is computed anew

    Other judges, rules and notices are left alone. What the judge said is kept, so that taking the
    version back restores every value exactly.

    Usage: lyra calibration activate [OPTIONS] <SOURCE> <VERSION>

    Arguments:
      <SOURCE>
              nli_judge or llm_extract

      <VERSION>
              The version's number, from `lyra calibration versions`

    Options:
      -h, --help
              Print help (see a summary with '-h')

    Example:
      lyra calibration activate nli_judge 2

    Next: `lyra calibration evaluate SOURCE` measures it; `lyra calibration rollback SOURCE` takes it
    back.
    --- exit 0
    ");
    insta::assert_snapshot!(own_help("calibration rollback"), @r#"
    Take the version in force back, to the one before it or to an earlier one

    Usage: lyra calibration rollback [OPTIONS] --reason <TEXT> <SOURCE>

    Arguments:
      <SOURCE>  nli_judge or llm_extract

    Options:
          --version <N>    The version to go back to; 0 is the judge's own certainty [default: the one
                           before]
          --reason <TEXT>  Why, or `-` to read it from stdin
      -h, --help           Print help

    Examples:
      lyra calibration rollback nli_judge --reason "worse on the new task"
      lyra calibration rollback nli_judge --version 0 --reason "back to the judge's own certainty"

    Next: `lyra calibration versions SOURCE` shows what is in force.
    --- exit 0
    "#);
}

/// A judge who says 0.95 forty times and is right in four of seven; two more passages that nobody
/// looked at support another claim.
fn overconfident(home: &Home) -> TaskId {
    home.fill(|w| {
        let task = task(w, "海面は上昇したか")?;
        let seen: ClaimId = claim(w, task, "seen", None, None)?;
        let edges = supports(w, seen, "seen", 40, 0.95)?;
        look_at(w, &edges, |n| n % 7 < 4)?;
        let open = claim(w, task, "海面は上昇した", None, None)?;
        supports(w, open, "open", 2, 0.95)?;
        Ok(task)
    })
}

#[test]
fn a_fresh_graph_has_nothing_to_measure_and_none_is_created() {
    let home = Home::new();
    insta::assert_snapshot!(home.run("calibration stats"), @r"
    SOURCE       SAMPLES  NEW  IN FORCE  LATEST  BRIER  ECE  WORSE BY  EVALUATED
    ──────       ───────  ───  ────────  ──────  ─────  ───  ────────  ─────────
    nli_judge          0    0         -       -      -    -         -  -
    llm_extract        0    0         -       -      -    -         -  -
    --- stderr
    A fit needs 30 samples; `lyra feedback` brings them.
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("calibration evaluations"), @r"
    --- stderr
    No evaluations. Measure with: lyra calibration evaluate SOURCE
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("calibration versions"), @r"
    --- stderr
    No versions. Fit one with: lyra calibration fit SOURCE
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("calibration evaluate nli_judge"), @r"
    --- stderr
    error: the calibration of nli_judge has no samples yet
    hint: each passage that `lyra feedback edge-correct` confirms or corrects is a sample
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("calibration fit llm_extract"), @r"
    --- stderr
    error: the calibration of llm_extract needs 30 samples; there are 0
    hint: each claim that `lyra feedback claim-reject` or `claim-restore` judges is a sample
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("calibration activate nli_judge 3"), @r"
    --- stderr
    error: no calibration version nli_judge 3
    hint: `lyra calibration versions` shows the versions
    --- exit 3
    ");
    insta::assert_snapshot!(home.run("calibration rollback nli_judge --reason r"), @r"
    --- stderr
    error: the calibration of nli_judge is not in force
    hint: `lyra calibration versions` shows what is in force
    --- exit 2
    ");
    assert!(!home.data().join("lyra.db").exists());
}

#[test]
fn sources_methods_and_times_are_checked_by_name() {
    let home = Home::new();
    insta::assert_snapshot!(home.run("calibration stats judge"), @r"
    --- stderr
    error: invalid value 'judge' for '[SOURCE]': `judge` is not a calibration source; expected one of: nli_judge, llm_extract

    For more information, try '--help'.
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("calibration fit nli_judge --method isotonic"), @r"
    --- stderr
    error: invalid value 'isotonic' for '--method <METHOD>': `isotonic` is not a calibration method; expected one of: platt, temperature

    For more information, try '--help'.
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("calibration evaluations --since yesterday"), @r"
    --- stderr
    error: invalid value 'yesterday' for '--since <TIME>': write a day (2026-01-15), a moment (0000-00-00T00:00:00.000Z) or a while (30m, 24h, 7d)

    For more information, try '--help'.
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("calibration rollback nli_judge"), @r"
    --- stderr
    error: the following required arguments were not provided:
      --reason <TEXT>

    Usage: lyra calibration rollback --reason <TEXT> <SOURCE>

    For more information, try '--help'.
    --- exit 2
    ");
}

#[test]
fn too_few_samples_are_counted() {
    let home = Home::new();
    home.fill(|w| {
        let claim = claim(w, task(w, "q")?, "claim", None, None)?;
        let edges = supports(w, claim, "seen", 29, 0.9)?;
        look_at(w, &edges, |_| true)
    });
    insta::assert_snapshot!(home.run("calibration fit nli_judge --method platt"), @r"
    --- stderr
    error: the calibration of nli_judge needs 30 samples; there are 29
    hint: each passage that `lyra feedback edge-correct` confirms or corrects is a sample
    --- exit 2
    ");
    let fewer = "calibration fit nli_judge --set calibration.min_samples=29 --json";
    assert_eq!(home.run(fewer).json()["version"]["samples"], 29);
}

#[test]
fn an_evaluation_is_shown_with_its_diagram_and_stored() {
    let home = Home::new();
    overconfident(&home);
    insta::assert_snapshot!(home.run("calibration evaluate nli_judge"), @r"
    Evaluation   eval_AAAAAAAAAAAAAAAAAAAAAAAAAA
    Source       nli_judge
    Samples      40
    In force     no version
    Brier score  0.3625 as stated
    ECE          0.3500

    CERTAINTY  SAMPLES  STATED  RIGHT  RIGHT █ STATED │
    ─────────  ───────  ──────  ─────  ────────────────
    0.00-0.10        0       -      -
    0.10-0.20        0       -      -
    0.20-0.30        0       -      -
    0.30-0.40        0       -      -
    0.40-0.50        0       -      -
    0.50-0.60        0       -      -
    0.60-0.70        0       -      -
    0.70-0.80        0       -      -
    0.80-0.90        0       -      -
    0.90-1.00       40    0.95   0.60  ████████████·······│
    --- exit 0
    ");
    assert_eq!(home.run("calibration evaluate nli_judge --quiet").code, Some(0));
    insta::assert_snapshot!(home.run("calibration evaluations --limit 1"), @r"
    EVALUATION                       SOURCE     TIME              SAMPLES   BRIER  CORRECTED     ECE  VERSION
    ──────────                       ──────     ────              ───────   ─────  ─────────     ───  ───────
    eval_AAAAAAAAAAAAAAAAAAAAAAAAAA  nli_judge  0000-00-00 00:00       40  0.3625          -  0.3500        -

    CERTAINTY  SAMPLES  STATED  RIGHT  RIGHT █ STATED │
    ─────────  ───────  ──────  ─────  ────────────────
    0.00-0.10        0       -      -
    0.10-0.20        0       -      -
    0.20-0.30        0       -      -
    0.30-0.40        0       -      -
    0.40-0.50        0       -      -
    0.50-0.60        0       -      -
    0.60-0.70        0       -      -
    0.70-0.80        0       -      -
    0.80-0.90        0       -      -
    0.90-1.00       40    0.95   0.60  ████████████·······│
    --- stderr
    1 of 2 evaluations; --all shows the rest.
    The diagram is that of eval_AAAAAAAAAAAAAAAAAAAAAAAAAA.
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("calibration stats"), @r"
    SOURCE       SAMPLES  NEW  IN FORCE  LATEST   BRIER     ECE  WORSE BY  EVALUATED
    ──────       ───────  ───  ────────  ──────   ─────     ───  ────────  ─────────
    nli_judge         40   40         -       -  0.3625  0.3500         -  0000-00-00 00:00
    llm_extract        0    0         -       -       -       -         -  -
    --- stderr
    A fit needs 30 samples; `lyra feedback` brings them.
    --- exit 0
    ");
    let document = home.run("calibration evaluations nli_judge --json").json();
    assert_eq!(document["total"], 2);
    let last = &document["evaluations"][0];
    assert_eq!(last["samples_evaluated"], 40);
    assert_eq!(last["bins"].as_array().unwrap().len(), 10);
    let bin = &last["bins"][9];
    assert_eq!(
        (&bin["lower"], &bin["upper"], &bin["count"]),
        (&json!(0.9), &json!(1.0), &json!(40))
    );
    assert_eq!(bin["accuracy"], 0.6);
    assert_eq!(last["bins"][0]["accuracy"], json!(null));
    let of = |line: &str| home.run(&format!("calibration evaluations --json {line}")).json();
    assert_eq!(of("llm_extract")["total"], 0);
    assert_eq!(of("--since 2026-01-15")["total"], 2);
    assert_eq!(of("--since 2999-01-01")["total"], 0);
}

#[test]
fn the_number_of_bins_is_a_setting() {
    let home = Home::new();
    overconfident(&home);
    let answer = home.run("calibration evaluate nli_judge --set calibration.bins=2");
    let diagram: Vec<&str> = answer.stdout.lines().skip_while(|it| !it.is_empty()).collect();
    insta::assert_snapshot!(diagram.join("\n"), @r"
    CERTAINTY  SAMPLES  STATED  RIGHT  RIGHT █ STATED │
    ─────────  ───────  ──────  ─────  ────────────────
    0.00-0.50        0       -      -
    0.50-1.00       40    0.95   0.60  ████████████·······│
    ");
}

#[test]
fn a_version_is_fitted_activated_and_taken_back_and_claims_follow() {
    let home = Home::new();
    let task = overconfident(&home);
    let claims = || home.run(&format!("claims {task}")).to_string();
    let before = claims();
    insta::assert_snapshot!(home.run("calibration fit nli_judge --method platt"), @r"
    Source       nli_judge
    Version      1
    Judge        test
    Correction   platt, slope 0.235, intercept -0.260
    Samples      40
    Brier score  0.3625 as stated, 0.2415 on samples not seen
    --- stderr
    Nothing was changed. Put it in force with: lyra calibration activate nli_judge 1
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("calibration fit nli_judge --method temperature"), @r"
    Source       nli_judge
    Version      2
    Judge        test
    Correction   temperature 6.758
    Samples      40
    Brier score  0.3625 as stated, 0.2415 on samples not seen
    --- stderr
    Nothing was changed. Put it in force with: lyra calibration activate nli_judge 2
    --- exit 0
    ");
    assert_eq!(claims(), before, "a fit alone changes nothing");
    insta::assert_snapshot!(home.run("calibration activate nli_judge 1"), @r"
    Source         nli_judge
    In force       no version → version 1
    Edges changed  2
    --- stderr
    What the judge said itself, and what people corrected, is as it was.
    Take it back with: lyra calibration rollback nli_judge --reason TEXT
    --- exit 0
    ");
    insta::assert_snapshot!(claims(), @"
    主張     ID          信頼度  対立度   +   -  本文
    ────     ──          ──────  ──────   ─   ─  ────
    claim:1  FNHH8H  0.69 ±0.23    0.00   2   0  海面は上昇した
    claim:2  FNHH3G  0.60 ±0.07    0.40  24  16  seen
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("calibration activate nli_judge 1"), @r"
    Source         nli_judge
    In force       version 1, as before
    Edges changed  0
    --- stderr
    It was in force already; nothing was changed.
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("calibration versions"), @r"
    SOURCE     VERSION  JUDGE  IN FORCE  SAMPLES  BEFORE   AFTER  CREATED           CORRECTION
    ──────     ───────  ─────  ────────  ───────  ──────   ─────  ───────           ──────────
    nli_judge        2  test   no             40  0.3625  0.2415  0000-00-00 00:00  temperature 6.758
    nli_judge        1  test   yes            40  0.3625  0.2415  0000-00-00 00:00  platt, slope 0.235, intercept -0.260
    --- stderr
    BEFORE and AFTER are Brier scores, AFTER on samples the fit had not seen.
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("calibration evaluate nli_judge"), @r"
    Evaluation   eval_AAAAAAAAAAAAAAAAAAAAAAAAAA
    Source       nli_judge
    Samples      40
    In force     1
    Brier score  0.3625 as stated, 0.2400 as corrected, 34 % better
    ECE          0.0065

    CERTAINTY  SAMPLES  STATED  RIGHT  RIGHT █ STATED │
    ─────────  ───────  ──────  ─────  ────────────────
    0.00-0.10        0       -      -
    0.10-0.20        0       -      -
    0.20-0.30        0       -      -
    0.30-0.40        0       -      -
    0.40-0.50        0       -      -
    0.50-0.60        0       -      -
    0.60-0.70       40    0.61   0.60  ████████████│·······
    0.70-0.80        0       -      -
    0.80-0.90        0       -      -
    0.90-1.00        0       -      -
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("calibration rollback nli_judge --reason worse"), @r"
    Source         nli_judge
    In force       version 1 → no version
    Edges changed  2
    Reason         worse
    --- stderr
    What the judge said itself, and what people corrected, is as it was.
    Put it in force again with: lyra calibration activate nli_judge 1
    --- exit 0
    ");
    assert_eq!(claims(), before, "taking it back restores every number");
}

#[test]
fn going_back_goes_to_a_version_that_was_in_force() {
    let home = Home::new();
    overconfident(&home);
    for line in [
        "calibration fit nli_judge --method platt",
        "calibration fit nli_judge --method temperature",
        "calibration fit nli_judge --method platt",
        "calibration activate nli_judge 1",
        "calibration activate nli_judge 2",
    ] {
        assert_eq!(home.run(line).code, Some(0), "{line}");
    }
    insta::assert_snapshot!(
        home.run("calibration rollback nli_judge --version 3 --reason r"), @r"
    --- stderr
    error: version 3 was not in force before 2
    hint: `lyra calibration versions` shows what is in force
    --- exit 2
    ");
    insta::assert_snapshot!(
        home.run("calibration rollback nli_judge --version 9 --reason r"), @r"
    --- stderr
    error: no calibration version nli_judge 9
    hint: `lyra calibration versions` shows the versions
    --- exit 3
    ");
    let document =
        home.run("calibration rollback nli_judge --version 1 --reason 悪化 --json").json();
    assert_eq!(
        document,
        json!({ "ok": true, "source": "nli_judge", "rolled_back_to": 1, "previous_version": 2,
                "reason": "悪化", "edges_changed": 2 })
    );
    let document = home.run("calibration rollback nli_judge --version 0 --reason r --json").json();
    assert_eq!(document["rolled_back_to"], json!(null));
    let versions = home.run("calibration versions nli_judge --json").json();
    let versions = versions["versions"].as_array().unwrap();
    assert_eq!(versions.len(), 3);
    assert!(versions.iter().all(|it| it["is_active"] == false));
}

/// A version fitted to a judge who was right in nine of ten, in force, after which it was wrong five
/// times in a row.
fn degraded() -> Home {
    let home = Home::new();
    let later = home.fill(|w| {
        let claim = claim(w, task(w, "q")?, "claim", None, None)?;
        let edges = supports(w, claim, "seen", 45, 0.95)?;
        look_at(w, &edges[..40], |n| n % 10 > 0)?;
        Ok(edges[40..].to_vec())
    });
    for line in [
        "calibration fit nli_judge",
        "calibration activate nli_judge 1",
        "calibration evaluate nli_judge",
    ] {
        assert_eq!(home.run(line).code, Some(0), "{line}");
    }
    for edge in later {
        assert_eq!(home.run(&format!("feedback edge-correct {edge} refutes")).code, Some(0));
    }
    home
}

#[test]
fn a_degradation_is_told_and_nothing_is_undone_by_default() {
    let home = degraded();
    let worse = home.run("calibration evaluate nli_judge --json").json();
    assert_eq!(worse["rolled_back"], json!(null));
    assert_eq!(worse["degradation"]["latest_evaluation"], worse["evaluation"]["id"], "{worse}");
    insta::assert_snapshot!(home.run("calibration stats nli_judge"), @r"
    SOURCE     SAMPLES  NEW  IN FORCE  LATEST   BRIER     ECE  WORSE BY  EVALUATED
    ──────     ───────  ───  ────────  ──────   ─────     ───  ────────  ─────────
    nli_judge       45    5         1       1  0.1704  0.1019      89 %  0000-00-00 00:00
    --- exit 0
    ");
}

#[test]
fn a_degradation_is_undone_where_that_is_enabled() {
    let home = degraded();
    let answer =
        home.run("calibration evaluate nli_judge --set calibration.enable_auto_rollback=true");
    let record: Vec<&str> = answer.stdout.lines().skip(1).take_while(|it| !it.is_empty()).collect();
    insta::assert_snapshot!(record.join("\n"), @r"
    Source       nli_judge
    Samples      45
    In force     1
    Brier score  0.1825 as stated, 0.1704 as corrected, 7 % better
    ECE          0.1019
    Degradation  worse by 89 % than the evaluation before (0.0900)
    Rolled back  version 1 was taken back, no version is in force
    ");
    let stats = home.run("calibration stats nli_judge --json").json();
    assert_eq!(stats["stats"][0]["current_version"], json!(null));
}

#[test]
fn the_extraction_of_claims_is_calibrated_by_verdicts_about_them() {
    let home = Home::new();
    let claim = home.fill(|w| {
        let claims = claims_from(w, "example.com", 30)?;
        for (n, claim) in claims.iter().enumerate() {
            w.claim_reject(*claim, "wrong", &Default::default())?;
            if n % 2 == 0 {
                w.claim_restore(*claim, &Default::default())?;
            }
        }
        Ok(claims[0])
    });
    let extraction = || home.run(&format!("evidence {claim} --json")).json()["extraction"].clone();
    assert_eq!(extraction(), json!({ "method": null, "confidence": 0.8, "confidence_raw": 0.8 }));
    insta::assert_snapshot!(home.run("calibration fit llm_extract"), @r"
    Source       llm_extract
    Version      1
    Correction   platt, slope 0.371, intercept -0.454
    Samples      30
    Brier score  0.3400 as stated, 0.2503 on samples not seen
    --- stderr
    Nothing was changed. Put it in force with: lyra calibration activate llm_extract 1
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("calibration activate llm_extract 1"), @r"
    Source         llm_extract
    In force       no version → version 1
    Edges changed  0
    --- stderr
    `lyra evidence CLAIM` shows the corrected certainty of extraction; the stated one stays stored.
    Take it back with: lyra calibration rollback llm_extract --reason TEXT
    --- exit 0
    ");
    // sigmoid(0.371 * logit(0.8) - 0.454)
    let corrected = extraction();
    assert_eq!(corrected["confidence_raw"], 0.8);
    assert!((corrected["confidence"].as_f64().unwrap() - 0.515).abs() < 0.001, "{corrected}");
    let shown = home.run(&format!("evidence {claim}")).stdout;
    let line = shown.lines().find(|it| it.starts_with("Extraction"));
    assert_eq!(line, Some("Extraction  certainty 0.52 (0.80 as stated)"));
    let back =
        home.run_arguments(&["calibration", "rollback", "llm_extract", "--reason", "a test"]);
    assert_eq!(back.code, Some(0), "{back}");
    assert_eq!(extraction(), json!({ "method": null, "confidence": 0.8, "confidence_raw": 0.8 }));
}
