//! `lyra sql`.

use std::fs;

use serde_json::json;

use crate::support::{Home, own_help};
use crate::world::sea_level;

#[test]
fn help_of_sql() {
    insta::assert_snapshot!(own_help("sql"), @r#"
    Ask the graph in SQL, read-only

    One statement, bounded in time and size. Tables, views and full text (MATCH) can be read; nothing
    can be changed, and signed-in sessions cannot be seen. In the table fractions are rounded; --json
    and --csv carry every digit.

    Usage: lyra sql [OPTIONS] [SQL]

    Arguments:
      [SQL]
              One SELECT, WITH or VALUES statement, or `-` to read it from stdin

    Options:
          --limit <N>
              Show at most N rows [default: the setting query.rows]

          --timeout-ms <N>
              Milliseconds it may run [default: the setting query.timeout_ms]

          --max-steps <N>
              Steps of SQLite's virtual machine it may take [default: the setting query.vm_steps]

          --schema
              List the tables and views that can be read, with their columns

          --csv
              Answer in CSV

          --raw
              With --csv: leave texts that begin with = + - or @ as they are; a spreadsheet may run them
              as formulas

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra sql "SELECT domain, count(*) AS pages FROM pages GROUP BY 1 ORDER BY 2 DESC"
      lyra sql "SELECT claim_text FROM v_contradictions" --limit 500 --timeout-ms 5000
      lyra sql "SELECT quote FROM fragments WHERE seq IN (SELECT rowid FROM fragments_fts('海面'))" --csv
      lyra sql - < question.sql

    Next: `lyra sql --schema` lists tables and columns; `lyra views` lists questions already prepared.
    --- exit 0
    "#);
}

#[test]
fn what_a_spreadsheet_would_compute_leaves_as_text_unless_raw() {
    let home = home();
    let query = "SELECT '=1+1' AS a, '@x' AS b, -1 AS c, 'd' AS d";
    assert_eq!(sql(&home, &[query, "--csv"]).stdout, "a,b,c,d\r\n'=1+1,'@x,-1,d\r\n");
    assert_eq!(sql(&home, &[query, "--csv", "--raw"]).stdout, "a,b,c,d\r\n=1+1,@x,-1,d\r\n");
}

fn sql(home: &Home, arguments: &[&str]) -> crate::support::Answer {
    home.run_arguments(&[&["sql"], arguments].concat())
}

fn home() -> Home {
    let home = Home::new();
    home.fill(sea_level);
    home
}

const ENDLESS: &str =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";

#[test]
fn rows_are_a_table_with_rounded_fractions() {
    let home = home();
    let question =
        "SELECT c.id, t.bayesian_confidence AS confidence, t.support_count AS n, c.claim_text
                    FROM claims c JOIN claim_totals t ON t.claim_id = c.id ORDER BY c.seq";
    insta::assert_snapshot!(sql(&home, &[question]), @r"
    id                            confidence  n  claim_text
    ──                            ──────────  ─  ──────────
    c_AAAAAAAAAAAAAAAAAAAAAAAAAA      0.6322  2  Sea level rose by about 20 cm since 1901.
    c_BBBBBBBBBBBBBBBBBBBBBBBBBB         0.5  0  海面上昇の速さは1990年代以降に増している。
    --- exit 0
    ");
}

#[test]
fn full_text_and_views_can_be_asked() {
    let home = home();
    let question =
        "SELECT quote FROM fragments WHERE seq IN (SELECT rowid FROM fragments_fts('上昇'))";
    insta::assert_snapshot!(sql(&home, &[question]), @r"
    quote
    ─────
    世界の平均海面水位は1901年から2018年の間に約20 cm上昇した。
    --- exit 0
    ");
    let question = "SELECT claim_text, support_count, refute_count FROM v_contradictions";
    insta::assert_snapshot!(sql(&home, &[question]), @r"
    claim_text                                 support_count  refute_count
    ──────────                                 ─────────────  ────────────
    Sea level rose by about 20 cm since 1901.              2             1
    --- exit 0
    ");
}

#[test]
fn json_carries_columns_rows_and_every_digit() {
    let home = home();
    let question = "SELECT 1 / 3.0 AS third, NULL AS none, '海' AS text, x'0102' AS bytes";
    let mut document = sql(&home, &[question, "--json"]).json();
    assert!(document.as_object_mut().unwrap().remove("elapsed_ms").unwrap().is_u64());
    assert_eq!(
        document,
        json!({
            "ok": true,
            "columns": ["third", "none", "text", "bytes"],
            "rows": [[1.0 / 3.0, null, "海", { "blob_bytes": 2 }]],
            "truncated": false,
            "row_count": 1,
        })
    );
    let document = sql(&home, &["SELECT 1", "--schema", "--json"]).json();
    assert_eq!(document["rows"], json!([[1]]));
    let tables = document["schema"]["tables"].as_array().unwrap();
    let work_identifiers = json!({
        "name": "work_identifiers",
        "columns": ["scheme", "value", "work_id", "created_at", "cause_id"],
    });
    assert!(tables.contains(&work_identifiers), "{document}");
}

#[test]
fn csv_is_for_other_programs() {
    let home = home();
    let answer = sql(&home, &["SELECT 0.1234567 AS x, 'a, \"b\"' AS y, NULL AS z", "--csv"]);
    assert_eq!(answer.stdout, "x,y,z\r\n0.1234567,\"a, \"\"b\"\"\",\r\n");
    insta::assert_snapshot!(sql(&home, &["SELECT 1", "--csv", "--json"]), @r#"
    --- stderr
    {"ok":false,"error":{"code":"bad_input","message":"the argument '--csv' cannot be used with '--json'","hint":"try `lyra --help`"}}
    --- exit 2
    "#);
}

#[test]
fn a_question_can_come_from_stdin() {
    let home = home();
    let answer = home.run_with_stdin(b"-- how many\nSELECT count(*) AS n\nFROM edges;\n", "sql -");
    assert_eq!(answer.stdout, "n\n─\n3\n");
    insta::assert_snapshot!(home.run_with_stdin(b"SELECT '\xff'", "sql -"), @r"
    --- stderr
    error: the query on stdin is not UTF-8
    --- exit 2
    ");
    insta::assert_snapshot!(home.run_with_stdin(&[b' '; 70_000], "sql -"), @r"
    --- stderr
    error: the query on stdin is larger than 65536 bytes
    hint: shorten it, or raise the setting query.sql_bytes
    --- exit 7
    ");
}

#[test]
fn the_schema_lists_what_can_be_read() {
    let home = Home::new();
    let answer = sql(&home, &["--schema"]);
    assert_eq!(answer.code, Some(0));
    let lines: Vec<&str> = answer.stdout.lines().collect();
    assert_eq!(lines[0], "TABLE                     COLUMNS");
    assert!(
        lines.contains(&"work_identifiers          scheme, value, work_id, created_at, cause_id"),
        "{answer}"
    );
    assert!(!answer.stdout.contains("sessions"), "{answer}");
    let document = sql(&home, &["--schema", "--json"]).json();
    assert_eq!(document["schema"]["tables"].as_array().unwrap().len(), lines.len() - 2);
    assert!(!home.data().join("lyra.db").exists(), "asking creates nothing");
}

#[test]
fn without_rows_there_is_only_a_note() {
    insta::assert_snapshot!(sql(&Home::new(), &["SELECT * FROM claims"]), @r"
    --- stderr
    No rows.
    --- exit 0
    ");
    insta::assert_snapshot!(sql(&Home::new(), &[]), @r"
    --- stderr
    error: the following required arguments were not provided:
      <SQL>

    Usage: lyra sql <SQL>

    For more information, try '--help'.
    --- exit 2
    ");
}

#[test]
fn mistyped_names_are_answered_with_those_that_exist() {
    let home = home();
    insta::assert_snapshot!(sql(&home, &["SELECT claim_txt FROM claims"]), @r"
    --- stderr
    error: no such column: claim_txt (line 1, column 8)
    hint: did you mean claim_text?
    --- exit 2
    ");
    insta::assert_snapshot!(sql(&home, &["SELECT * FROM claim"]), @r"
    --- stderr
    error: no such table: claim
    hint: did you mean claims?
    --- exit 2
    ");
    insta::assert_snapshot!(sql(&home, &["SELECT * FROM contradictions"]), @r"
    --- stderr
    error: no such table: contradictions
    hint: did you mean v_contradictions?
    --- exit 2
    ");
    insta::assert_snapshot!(sql(&home, &["SELECT 主張\nFROM claims"]), @r"
    --- stderr
    error: no such column: 主張 (line 1, column 8)
    hint: `lyra sql --schema` lists tables and columns
    --- exit 2
    ");
    insta::assert_snapshot!(sql(&home, &["SELECT 1 FORM claims x"]), @r#"
    --- stderr
    error: near "claims": syntax error (line 1, column 15)
    hint: `lyra sql --schema` lists tables and columns
    --- exit 2
    "#);
}

#[test]
fn what_is_not_a_question_is_refused_and_nothing_changes() {
    let home = home();
    let before = fs::read(home.data().join("lyra.db")).unwrap();
    insta::assert_snapshot!(sql(&home, &["DELETE FROM claims"]), @r"
    --- stderr
    error: writing to claims is not allowed here
    hint: only the tables and views of `lyra sql --schema` can be read, and nothing can be changed
    --- exit 2
    ");
    insta::assert_snapshot!(sql(&home, &["SELECT cookies FROM sessions"]), @r"
    --- stderr
    error: reading sessions is not allowed here
    hint: only the tables and views of `lyra sql --schema` can be read, and nothing can be changed
    --- exit 2
    ");
    insta::assert_snapshot!(sql(&home, &["ATTACH 'x.db' AS x"]), @r"
    --- stderr
    error: ATTACH is not allowed here
    hint: only the tables and views of `lyra sql --schema` can be read, and nothing can be changed
    --- exit 2
    ");
    insta::assert_snapshot!(sql(&home, &["PRAGMA journal_mode = DELETE"]), @r"
    --- stderr
    error: PRAGMA journal_mode is not allowed here
    hint: only the tables and views of `lyra sql --schema` can be read, and nothing can be changed
    --- exit 2
    ");
    insta::assert_snapshot!(sql(&home, &["VACUUM"]), @r"
    --- stderr
    error: VACUUM is not a query: begin with SELECT, WITH, VALUES or EXPLAIN
    hint: the graph can only be read here
    --- exit 2
    ");
    insta::assert_snapshot!(sql(&home, &["SELECT 1; SELECT 2"]), @r"
    --- stderr
    error: there is more than one statement
    hint: run them one by one
    --- exit 2
    ");
    insta::assert_snapshot!(sql(&home, &[" "]), @r"
    --- stderr
    error: the query is empty
    hint: `lyra sql --help` has examples
    --- exit 2
    ");
    insta::assert_snapshot!(sql(&home, &["SELECT json_extract('{', '$')"]), @r"
    --- stderr
    error: the query failed: malformed JSON
    hint: the query was understood; check the values
    --- exit 2
    ");
    assert_eq!(fs::read(home.data().join("lyra.db")).unwrap(), before);
}

#[test]
fn with_json_a_refusal_is_one_object() {
    let answer = sql(&home(), &["SELECT claim_txt FROM claims", "--json"]);
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(2), ""));
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&answer.stderr).unwrap(),
        json!({ "ok": false, "error": {
            "code": "bad_input",
            "message": "no such column: claim_txt (line 1, column 8)",
            "hint": "did you mean claim_text?",
        }})
    );
}

#[test]
fn rows_beyond_the_limit_are_cut_and_it_says_so() {
    let home = home();
    insta::assert_snapshot!(sql(&home, &["SELECT id FROM edges", "--limit", "2"]), @r"
    id
    ──
    e_AAAAAAAAAAAAAAAAAAAAAAAAAA
    e_BBBBBBBBBBBBBBBBBBBBBBBBBB
    --- stderr
    2 rows shown, there are more; --limit 20 shows more.
    --- exit 0
    ");
    let document = sql(&home, &["SELECT id FROM edges", "--limit", "2", "--json"]).json();
    assert_eq!((&document["truncated"], &document["row_count"]), (&json!(true), &json!(2)));
    let document = sql(&home, &["SELECT id FROM edges", "--limit", "3", "--json"]).json();
    assert_eq!((&document["truncated"], &document["row_count"]), (&json!(false), &json!(3)));
    let long = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
                SELECT printf('%0500d', i) AS x FROM n";
    let answer = sql(&home, &[long, "--set", "query.bytes=1024"]);
    assert_eq!(answer.stdout.lines().count(), 2 + 2);
    assert_eq!(
        answer.stderr,
        "2 rows shown, the answer is too large for more; `--set query.bytes=N` allows more bytes.\n"
    );
}

#[test]
fn a_person_may_ask_for_more_than_an_assistant() {
    let home = home();
    let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
                SELECT i FROM n";
    let answer = sql(&home, &[many, "--limit", "5000", "--quiet"]);
    assert_eq!(answer.stdout.lines().count(), 2 + 5000);
    let answer = sql(&home, &[many, "--set", "query.rows=300", "--quiet"]);
    assert_eq!(answer.stdout.lines().count(), 2 + 300);
    let heavy = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
                 SELECT count(*) AS n FROM n";
    assert_eq!(sql(&home, &[heavy]).code, Some(7));
    let answer = sql(&home, &[heavy, "--max-steps", "100000000", "--timeout-ms", "60000"]);
    assert_eq!(answer.stdout, "     n\n     ─\n100000\n");
}

#[test]
fn a_question_that_costs_too_much_is_stopped_and_says_what_to_raise() {
    let home = home();
    insta::assert_snapshot!(sql(&home, &[ENDLESS, "--timeout-ms", "60000"]), @r"
    --- stderr
    error: the query was stopped after 500000 steps
    hint: ask for less, or allow more steps: --max-steps 5000000
    --- exit 7
    ");
    insta::assert_snapshot!(sql(&home, &[ENDLESS, "--timeout-ms", "20", "--max-steps", "1000000000000"]), @r"
    --- stderr
    error: the query was stopped after 20 ms
    hint: ask for less, or allow more time: --timeout-ms 200
    --- exit 7
    ");
    insta::assert_snapshot!(sql(&home, &["SELECT length(zeroblob(2000000))"]), @r"
    --- stderr
    error: a value of the query is larger than 1048576 bytes
    hint: ask for less, or raise the setting query.value_bytes
    --- exit 7
    ");
    insta::assert_snapshot!(sql(&home, &[&format!("SELECT '{}'", "長".repeat(30_000))]), @r"
    --- stderr
    error: the query is larger than 65536 bytes
    hint: ask for less, or raise the setting query.sql_bytes
    --- exit 7
    ");
    insta::assert_snapshot!(sql(&home, &["SELECT printf('%02000d', 1)", "--set", "query.bytes=1024"]), @r"
    --- stderr
    error: the first row is larger than 1024 bytes
    hint: ask for less, or raise the setting query.bytes
    --- exit 7
    ");
    insta::assert_snapshot!(sql(&home, &["SELECT 1", "--limit", "0"]), @r"
    --- stderr
    error: invalid value '0' for '--limit <N>': it must be a whole number from 1 to 1000000

    For more information, try '--help'.
    --- exit 2
    ");
    insta::assert_snapshot!(sql(&home, &["SELECT 1", "--timeout-ms", "600001"]), @r"
    --- stderr
    error: invalid value '600001' for '--timeout-ms <N>': 600001 is not in 1..=600000

    For more information, try '--help'.
    --- exit 2
    ");
    insta::assert_snapshot!(sql(&home, &["SELECT 1", "--set", "query.rows=0"]), @r#"
    --- stderr
    error: `query.rows` must be a whole number from 1 to 1000000, not "0" (--set)
    hint: `lyra config default` explains it, in section [query]
    --- exit 4
    "#);
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_a_question_that_would_run_for_minutes() {
    use std::process::{Command, Stdio};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    let home = home();
    let limits = ["--timeout-ms", "600000", "--max-steps", "1000000000000"];
    let mut command = home.command(&[&["sql", ENDLESS], &limits[..]].concat());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The first line of the log is written when the command listens for Ctrl-C.
    let started = Instant::now();
    while !home.data().join("logs").exists() {
        assert!(started.elapsed() < Duration::from_secs(20), "the command did not start");
        sleep(Duration::from_millis(10));
    }
    // By now it runs, or will within the two seconds for which it is asked to stop.
    sleep(Duration::from_millis(300));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let answer = home.answer(child.wait_with_output().unwrap());
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    insta::assert_snapshot!(answer, @r"
    --- stderr
    error: interrupted
    hint: nothing was changed
    --- exit 130
    ");
}
