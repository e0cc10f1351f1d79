//! Attacks on time and memory.

use super::*;

const FOREVER: &str =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";

#[test]
fn a_recursion_without_end_stops_after_its_steps() {
    assert_eq!(attack(FOREVER), "the query was stopped after 500000 steps");
    assert_eq!(
        attack_within(FOREVER, &QuerySettings { vm_steps: 1, ..QuerySettings::default() }),
        "the query was stopped after 1 steps"
    );
}

#[test]
fn a_recursion_without_end_stops_in_time() {
    let limits = QuerySettings { vm_steps: u64::MAX, ..QuerySettings::default() };
    assert_eq!(attack_within(FOREVER, &limits), "the query was stopped after 300 ms");
    let limits = QuerySettings { timeout_ms: 0, ..QuerySettings::default() };
    assert_eq!(attack_within(FOREVER, &limits), "the query was stopped after 0 ms");
}

#[test]
fn a_cross_join_of_everything_with_everything_is_stopped() {
    let sql = "SELECT count(*) FROM edges a, edges b, edges c, edges d, edges e, edges f, edges g, edges h,
               edges i, edges j, edges k, edges l, edges m, edges n WHERE a.id || n.id <> ''";
    assert_eq!(attack(sql), "the query was stopped after 500000 steps");
}

#[test]
fn huge_values_cannot_be_made() {
    for sql in [
        "SELECT zeroblob(1000000000)",
        "SELECT length(randomblob(1000000000))",
        "SELECT printf('%.*c', 1000000000, 'x')",
        "SELECT printf('%1000000000d', 1)",
        "SELECT replace(hex(zeroblob(500000)), '0', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx')",
        "SELECT group_concat(hex(zeroblob(100000))) FROM json_each('[1,2,3,4,5,6,7,8,9]')",
        "SELECT json_group_array(hex(zeroblob(100000))) FROM json_each('[1,2,3,4,5,6,7,8,9]')",
    ] {
        assert_eq!(attack(sql), "a value of the query is larger than 1048576 bytes", "{sql}");
    }
}

#[test]
fn sorting_large_values_without_end_is_stopped() {
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
               SELECT randomblob(1000000) AS b FROM n ORDER BY b";
    assert_eq!(attack(sql), "the query was stopped after 300 ms");
}

#[test]
fn expressions_nested_too_deep_are_refused() {
    let long = vec!["1"; 500].join("+");
    assert_eq!(
        attack(&format!("SELECT {long}")),
        "Expression tree is too large (maximum depth 200)"
    );
    let deep = |depth: usize| format!("SELECT {}1{}", "(1+".repeat(depth), ")".repeat(depth));
    assert_eq!(attack(&deep(10_000)), "Recursion limit");
    assert_eq!(show(&format!("{} AS x", deep(50))), "x\n51");
}

#[test]
fn subqueries_nested_too_deep_are_refused() {
    let sql = format!("SELECT {}1{}", "(SELECT ".repeat(5000), ")".repeat(5000));
    assert_eq!(attack(&sql), "Recursion limit");
}

#[test]
fn compounds_of_too_many_parts_are_refused() {
    let sql = vec!["SELECT 1"; 1000].join(" UNION ALL ");
    assert_eq!(attack(&sql), "too many terms in compound SELECT");
}

/// `levels` tables that each join `width` copies of the one before.
fn bomb(levels: usize, width: usize) -> String {
    let mut sql = "WITH t0 AS (SELECT 1 AS x)".to_owned();
    for level in 1..=levels {
        let copies: Vec<_> = (0..width).map(|it| format!("t{} AS a{it}", level - 1)).collect();
        sql += &format!(", t{level} AS (SELECT a0.x FROM {})", copies.join(", "));
    }
    format!("{sql} SELECT count(*) FROM t{levels}")
}

#[test]
fn tables_that_multiply_at_every_level_are_stopped_while_they_are_read() {
    for (levels, width) in [(25, 2), (6, 10), (4, 60)] {
        assert_eq!(
            attack_within(&bomb(levels, width), &patient()),
            "VIEWs and/or subqueries nested too deep"
        );
    }
}

#[test]
fn patterns_that_take_for_ever_are_refused() {
    let sql = format!("SELECT hex(zeroblob(400000)) LIKE '{}'", "%0".repeat(200));
    assert_eq!(attack(&sql), "the query failed: LIKE or GLOB pattern too complex");
    let sql = format!("SELECT hex(zeroblob(400000)) GLOB '{}1'", "*0".repeat(99));
    assert_eq!(show(&format!("{sql} AS x")), "x\n0");
}

#[test]
fn a_full_text_query_of_a_thousand_parts_is_answered_in_time() {
    let words = vec!["運動"; 1000].join(" OR ");
    assert_eq!(show(&format!("SELECT count(*) AS n FROM claims_fts('{words}')")), "n\n1");
    let nested = format!("{}運動{}", "(".repeat(1000), ")".repeat(1000));
    assert_eq!(
        attack(&format!("SELECT * FROM claims_fts('{nested}')")),
        "the query failed: fts5: parser stack overflow"
    );
}

#[test]
fn a_megabyte_of_sql_is_refused() {
    let sql = format!("SELECT '{}'", "x".repeat(1_000_000));
    assert_eq!(attack(&sql), "the query is larger than 65536 bytes");
    assert_eq!(attack(&";".repeat(1_000_000)), "the query is larger than 65536 bytes");
    assert_eq!(attack(&";".repeat(60_000)), "the query is empty");
}

#[test]
fn a_query_can_be_stopped_from_another_thread_and_the_next_one_runs() {
    use std::sync::atomic::{AtomicBool, Ordering};

    let world = world();
    let handle = world.interrupt_handle();
    let limits =
        QuerySettings { timeout_ms: 600_000, vm_steps: u64::MAX, ..QuerySettings::default() };
    let done = AtomicBool::new(false);
    let answer = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(10));
                handle.interrupt();
            }
        });
        let endless =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n";
        let answer = world.query(endless, &limits);
        done.store(true, Ordering::SeqCst);
        answer
    });
    assert!(matches!(answer, Err(QueryError::Graph(graph::Error::Interrupted))), "{answer:?}");
    assert_eq!(world.query("SELECT 1", &limits).unwrap().row_count, 1);
}
