//! One instruction of SQLite is never interrupted. Statements whose single instructions would take seconds or
//! hundreds of megabytes end all the same, and functions that were replaced for it answer as before.

use proptest::prelude::*;
use rusqlite::Connection;

use super::*;

/// How long a query may run over its time: machines have other things to do. Each of these took longer, some of
/// them half a minute.
const SLACK: Duration = Duration::from_secs(5);

/// Rows without end.
const N: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)";
/// A megabyte of zeros, and half of one.
const A: &str = "hex(zeroblob(520000))";
const B: &str = "hex(zeroblob(260000))";

fn filled(sql: &str) -> String {
    sql.replace("{N}", N).replace("{A}", A).replace("{B}", B)
}

/// What a statement was told; it may be answered, too, as long as it ends.
fn told(world: &World, sql: &str) -> String {
    let sql = filled(sql);
    let started = Instant::now();
    let answer = ask(world, &sql);
    let took = started.elapsed();
    assert!(took < Duration::from_millis(300) + SLACK, "took {took:?}: {sql:.200}");
    answer.map_or_else(|error| error.to_string(), |answer| table(&answer))
}

#[test]
fn one_instruction_that_takes_for_ever_does_not_outlive_the_limit() {
    let world = world();
    for (sql, expected) in [
        ("SELECT instr({A}, {B} || '1') AS x", "x\n0"),
        ("SELECT instr(zeroblob(1000000), CAST({B} || '1' AS BLOB)) AS x", "x\n0"),
        ("SELECT length(replace({A}, {B} || '1', 'x')) AS x", "x\n1040000"),
        ("SELECT length(replace({A}, {B}, '')) AS x", "x\n0"),
        ("SELECT length(ltrim({A}, replace({B}, '0', 'é') || '0')) AS x", "x\n0"),
        ("SELECT length(rtrim({A}, printf('%.*c', 500000, 'é') || '0')) AS x", "x\n0"),
        ("SELECT length(trim({A}, printf('%.*c', 1000000, 'x') || '0')) AS x", "x\n0"),
        ("SELECT unhex({A}, {B})", "the query failed: unhex takes one argument here"),
        ("SELECT json_patch('{}', '{}')", "the function json_patch is not allowed here"),
        ("SELECT length(jsonb_patch('{}', '{}'))", "the function jsonb_patch is not allowed here"),
        (
            "{N} SELECT sum(instr({A} || i, {B} || '1')) FROM n",
            "the query was stopped after 300 ms",
        ),
        (
            "{N} SELECT sum(length(replace({A} || i, '0', 'x'))) FROM n",
            "the query was stopped after 300 ms",
        ),
        (
            "{N} SELECT sum(length(trim({A} || i, {A} || i))) FROM n",
            "the query was stopped after 300 ms",
        ),
        (
            "{N} SELECT sum(i || {A} LIKE '%000000000000000000000000000000000000000000000000000000000001') FROM n",
            "the query was stopped after 300 ms",
        ),
        (
            "{N} SELECT sum(i || {A} GLOB '*0*0*0*0*0*0*0*0*0*0*0*0*0*0*0*0*0*0*0*0*0*0*0*0*[1-9]') FROM n",
            "the query was stopped after 300 ms",
        ),
        (
            "{N} SELECT sum({A} || i GLOB '*[abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz]') FROM n",
            "the query was stopped after 300 ms",
        ),
        (
            "{N} SELECT sum(length(hex(unhex({A} || hex(i))))) FROM n",
            "the query was stopped after 300 ms",
        ),
        (
            "{N} SELECT sum(length(printf('%1000000d%s', i, ''))) FROM n",
            "the query was stopped after 300 ms",
        ),
        (
            "{N} SELECT sum(length(format('%.1000000f', i / 3.0))) FROM n",
            "the query was stopped after 300 ms",
        ),
        (
            "{N} SELECT sum(length(quote(randomblob(500000)))) FROM n",
            "the query was stopped after 300 ms",
        ),
        (
            "{N} SELECT sum(length(upper({A} || i) || lower(i))) FROM n",
            "the query was stopped after 300 ms",
        ),
        (
            "{N} SELECT sum(length(substr({A} || i, -i, i))) FROM n",
            "the query was stopped after 300 ms",
        ),
        (
            "{N} SELECT sum(json_valid('[' || replace({B}, '0', '1,') || i || ']')) FROM n",
            "the query was stopped after 300 ms",
        ),
        (
            "{N} SELECT count(*) FROM n, json_tree('[' || replace({B}, '0', '1,') || n.i || ']') AS t WHERE t.fullkey = 'x'",
            "the query was stopped after 500000 steps",
        ),
        (
            "{N} SELECT sum(length(json_set('[' || replace({B}, '0', '1,') || i || ']', '$[0]', 'x', '$[400000]', 'y'))) FROM n",
            "the query was stopped after 300 ms",
        ),
        (
            "WITH RECURSIVE d(t) AS (SELECT 'x' UNION ALL SELECT t || t FROM d) SELECT max(length(t)) FROM d",
            "a value of the query is larger than 1048576 bytes",
        ),
        (
            "{N} SELECT count(*) FROM n WHERE i || {A} = i || {A} || 'x'",
            "the query was stopped after 300 ms",
        ),
    ] {
        assert_eq!(told(&world, sql), expected, "{sql:.200}");
    }
    let longest = format!("SELECT {A} LIKE '%{}1' AS x", "0".repeat(190));
    assert_eq!(told(&world, &longest), "the query was stopped after 300 ms");
}

#[test]
fn memory_has_a_limit_of_its_own() {
    const SPENT: &str = "the memory of the query is larger than 67108864 bytes";
    // However slow the machine is, it is memory that ends these.
    let limits = QuerySettings { timeout_ms: 600_000, ..QuerySettings::default() };
    let deep = format!("{}' || replace({B}, '0', '1,') || '1{}", "[".repeat(900), "]".repeat(900));
    for sql in [
        "{N} SELECT length(json_group_array({A} || i)) FROM n".to_owned(),
        "{N} SELECT length(json_group_object(i, {A} || i)) FROM n".to_owned(),
        "{N} SELECT length(jsonb_group_array({A} || i)) FROM n".to_owned(),
        format!("SELECT length(json_pretty('{deep}'))"),
        format!("SELECT json_array({})", vec![A; 64].join(", ")),
        format!("SELECT {}", vec![A; 400].join(", ")),
    ] {
        let sql = filled(&sql);
        assert_eq!(attack_within(&sql, &limits), SPENT, "{sql:.200}");
    }
}

/// Values of every kind, with letters that mean something in patterns.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[abAB%_*?\\[\\]^é糖-]{0,8}".prop_map(|it| format!("'{it}'")),
        1 => any::<i32>().prop_map(|it| it.to_string()),
        1 => (any::<i32>(), -30..30).prop_map(|(digits, exponent)| format!("{digits}.0e{exponent}")),
        1 => "(6[0-9]|41|5f|c3a9){0,4}".prop_map(|it| format!("x'{it}'")),
        1 => Just("NULL".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn replaced_functions_answer_as_those_of_sqlite(a in value(), b in value(), c in value()) {
        thread_local! {
            static BOTH: (World, Connection) = (world(), Connection::open_in_memory().unwrap());
        }
        let sql = format!(
            "SELECT instr({a}, {b}) AS i, replace({a}, {b}, {c}) AS r, typeof(replace({a}, {b}, {c})) AS y,
                    trim({a}, {b}) AS t, ltrim({a}, {b}) AS l, rtrim({a}, {b}) AS m, {a} LIKE {b} AS k,
                    {a} LIKE {b} ESCAPE '_' AS e, {a} GLOB {b} AS g, {a} || '%' LIKE '%' || {b} || '%' AS s,
                    {a} GLOB '*' || {b} || '*' AS h"
        );
        BOTH.with(|(world, plain)| {
            let expected = plain.query_row(&sql, [], |row| {
                (0..11).map(|it| row.get::<_, rusqlite::types::Value>(it)).collect::<Result<Vec<_>, _>>()
            }).unwrap();
            let answer = ask(world, &sql).unwrap();
            let shown: Vec<String> = answer.table.rows[0].iter().map(ToString::to_string).collect();
            let plain: Vec<String> = expected.into_iter().map(shown_plain).collect();
            prop_assert_eq!(shown, plain, "{}", sql);
            Ok(())
        })?;
    }
}

fn shown_plain(value: rusqlite::types::Value) -> String {
    use rusqlite::types::Value;
    match value {
        Value::Null => json!(null),
        Value::Integer(number) => json!(number),
        Value::Real(number) => json!(number),
        Value::Text(text) => json!(text),
        Value::Blob(bytes) => json!({ "blob_bytes": bytes.len() }),
    }
    .to_string()
}
