//! What may be asked, and how the answer looks.

use super::*;

#[test]
fn an_answer_names_its_columns_and_counts_its_rows() {
    let answer = ask(&world(), "SELECT domain, year FROM pages").unwrap();
    assert_eq!(table(&answer), "domain | year\n\"who.int\" | 2020");
    assert_eq!(answer.row_count, 1);
    assert!(!answer.table.truncated);
    assert_eq!(answer.schema, None);
    let mut wire = serde_json::to_value(&answer).unwrap();
    wire["elapsed_ms"] = json!(0);
    assert_eq!(
        wire,
        json!({"columns": ["domain", "year"], "rows": [["who.int", 2020]], "truncated": false,
               "row_count": 1, "elapsed_ms": 0})
    );
}

#[test]
fn words_that_would_write_are_harmless_in_literals_names_and_functions() {
    insta::assert_snapshot!(
        show("SELECT replace('update', 'a', 'b') AS \"delete\", 'attach; pragma -- drop' AS t, [insert] FROM (SELECT 1 AS [insert])"),
        @r#"
    delete | t | insert
    "updbte" | "attach; pragma -- drop" | 1
    "#
    );
    assert_eq!(
        show("SELECT count(*) AS n FROM fragments WHERE text_content LIKE '%delete%'"),
        "n\n1"
    );
}

#[test]
fn full_text_is_matched_in_japanese() {
    insta::assert_snapshot!(
        show("SELECT f.text_content FROM fragments_fts JOIN fragments f ON f.seq = fragments_fts.rowid
              WHERE fragments_fts MATCH '糖尿病' ORDER BY bm25(fragments_fts)"),
        @r#"
    text_content
    "週150分の運動で糖尿病の発症が減った"
    "#
    );
}

#[test]
fn full_text_is_matched_in_english_with_its_auxiliary_functions() {
    insta::assert_snapshot!(
        show("SELECT snippet(fragments_fts, 0, '[', ']', '…', 4) AS s, highlight(fragments_fts, 0, '<', '>') AS h,
                     bm25(fragments_fts) < 0 AS scored, rank < 0 AS ranked
              FROM fragments_fts WHERE fragments_fts MATCH 'RISK AND diabetes'"),
        @r#"
    s | h | scored | ranked
    "…the [risk] of [diabetes]" | "Exercise lowers the <risk> of <diabetes>" | 1 | 1
    "#
    );
    assert_eq!(show("SELECT count(*) AS n FROM claims_fts('運動')"), "n\n1");
}

#[test]
fn common_table_expressions_and_windows_work() {
    insta::assert_snapshot!(
        show("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3)
              SELECT i, sum(i) OVER (ORDER BY i) AS running FROM n"),
        @r"
    i | running
    1 | 1
    2 | 3
    3 | 6
    "
    );
    assert_eq!(show("VALUES (1, 'a')"), "column1 | column2\n1 | \"a\"");
}

#[test]
fn json_tables_work() {
    insta::assert_snapshot!(
        show("SELECT key, value FROM json_each('[10, \"x\"]') UNION ALL SELECT fullkey, atom FROM json_tree('{\"a\":1}') WHERE atom"),
        @r#"
    key | value
    0 | 10
    1 | "x"
    "$.a" | 1
    "#
    );
}

#[test]
fn dates_and_aggregates_work() {
    assert_eq!(
        show("SELECT date('2026-01-31', '+1 month') AS d, strftime('%Y', '2026-01-01') AS y"),
        "d | y\n\"2026-03-03\" | \"2026\""
    );
    assert_eq!(
        show(
            "SELECT relation, count(*) AS n, round(avg(nli_confidence), 2) AS mean FROM edges GROUP BY relation"
        ),
        "relation | n | mean\n\"neutral\" | 1 | 0.9\n\"supports\" | 2 | 0.9"
    );
}

#[test]
fn a_plan_can_be_explained() {
    let answer = ask(&world(), "EXPLAIN QUERY PLAN SELECT * FROM claims WHERE id = 'c'").unwrap();
    assert_eq!(answer.table.columns, ["id", "parent", "notused", "detail"]);
    assert_eq!(
        answer.table.rows[0][3],
        "SEARCH claims USING INDEX sqlite_autoindex_claims_1 (id=?)"
    );
    assert!(ask(&world(), "EXPLAIN SELECT 1").unwrap().row_count > 0);
}

#[test]
fn views_can_be_read_also_those_installed_after_the_first_query() {
    let world = world();
    let texts = "claim_text\n\"運動は糖尿病を予防する\"";
    assert_eq!(table(&ask(&world, "SELECT claim_text FROM v_claim_texts").unwrap()), texts);
    raw(&world, "CREATE VIEW v_late AS SELECT claim_text FROM v_claim_texts");
    assert_eq!(table(&ask(&world, "SELECT * FROM v_late").unwrap()), texts);
}

#[test]
fn comments_and_a_final_semicolon_are_no_second_statement() {
    assert_eq!(show("/* a */ SELECT 1 AS x; -- the end\n ; /* really */"), "x\n1");
    assert_eq!(show(";;SELECT 1 AS x"), "x\n1");
}

#[test]
fn values_that_json_cannot_hold_are_shown_plainly() {
    insta::assert_snapshot!(
        show("SELECT embedding_blob, 9e999 AS inf, -9e999 AS neg, CAST(x'66ff6f' AS TEXT) AS broken, NULL AS none,
                     9223372036854775807 AS big, 0.1 AS real FROM embeddings"),
        @r#"
    embedding_blob | inf | neg | broken | none | big | real
    {"blob_bytes":1536} | null | null | "f�o" | null | 9223372036854775807 | 0.1
    "#
    );
}

#[test]
fn a_name_of_an_internal_table_may_be_used_for_something_else() {
    assert_eq!(show("WITH sessions AS (SELECT 7 AS x) SELECT x FROM sessions"), "x\n7");
}

#[test]
fn rows_can_be_counted_under_any_name_and_spelling() {
    assert_eq!(show("SELECT count(*) AS n FROM CLAIMS"), "n\n1");
    assert_eq!(show("WITH some AS (SELECT * FROM edges) SELECT count(*) AS n FROM some"), "n\n3");
    assert_eq!(show("SELECT count(*) AS n FROM \"V_Claim_Texts\", [Tasks]"), "n\n1");
    assert_eq!(show("SELECT count(*) AS n FROM (SELECT 1) AS sub, json_each('[1,2]')"), "n\n2");
}

#[test]
fn a_query_sees_what_was_committed_a_moment_ago() {
    let world = world();
    assert_eq!(table(&ask(&world, "SELECT count(*) AS n FROM tasks").unwrap()), "n\n1");
    write(&world, |w| Ok(task(w, "another")));
    assert_eq!(table(&ask(&world, "SELECT count(*) AS n FROM tasks").unwrap()), "n\n2");
}

#[test]
fn a_query_does_not_wait_for_a_writer() {
    let world = world();
    write(&world, |w| {
        task(w, "not yet committed");
        let answer = ask(&world, "SELECT count(*) AS n FROM tasks").unwrap();
        assert_eq!(table(&answer), "n\n1");
        Ok(())
    });
}

#[test]
fn queries_of_many_threads_are_all_answered() {
    let world = world();
    let world: &Graph = &world;
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let limits = QuerySettings {
                        timeout_ms: QuerySettings::MAX_TIMEOUT_MS,
                        ..QuerySettings::default()
                    };
                    let answer = world.query("SELECT count(*) AS n FROM claims", &limits);
                    assert_eq!(table(&answer.unwrap()), "n\n1");
                }
            });
        }
    });
}

#[test]
fn a_graph_in_memory_answers_too() {
    let graph = Graph::in_memory(options()).unwrap();
    write(&graph, |w| Ok(task(w, "q")));
    assert_eq!(table(&ask(&graph, "SELECT query FROM tasks").unwrap()), "query\n\"q\"");
    write(&graph, |w| Ok(task(w, "r")));
    assert_eq!(table(&ask(&graph, "SELECT count(*) AS n FROM tasks").unwrap()), "n\n2");
    let error = ask(&graph, "DELETE FROM tasks").unwrap_err().to_string();
    assert_eq!(error, "writing to tasks is not allowed here");
    let other = Graph::in_memory(options()).unwrap();
    assert_eq!(table(&ask(&other, "SELECT count(*) AS n FROM tasks").unwrap()), "n\n0");
}

#[test]
fn a_reader_of_a_missing_file_answers_from_an_empty_graph() {
    let dir = tempfile::tempdir().unwrap();
    let graph = Graph::open(&dir.path().join("no.db"), Access::Read, options()).unwrap();
    assert_eq!(table(&ask(&graph, "SELECT count(*) AS n FROM claims").unwrap()), "n\n0");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_reader_beside_a_writer_answers_too() {
    let world = world();
    let reader = Graph::open(world.path().unwrap(), Access::Read, options()).unwrap();
    assert_eq!(table(&ask(&reader, "SELECT count(*) AS n FROM claims").unwrap()), "n\n1");
}
