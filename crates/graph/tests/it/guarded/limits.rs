//! How much of an answer is given.

use super::*;

const COUNT_TO_1000: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT i FROM n";

#[test]
fn rows_beyond_the_limit_are_left_out_and_it_says_so() {
    let world = world();
    let answer = ask(&world, COUNT_TO_1000).unwrap();
    assert_eq!((answer.row_count, answer.table.truncated), (50, true));
    let limits = |rows| QuerySettings { rows, ..QuerySettings::default() };
    let answer = world.query(COUNT_TO_1000, &limits(1000)).unwrap();
    assert_eq!((answer.row_count, answer.table.truncated), (1000, false));
    let answer = world.query(COUNT_TO_1000, &limits(999)).unwrap();
    assert_eq!((answer.row_count, answer.table.truncated), (999, true));
    let answer = world.query(COUNT_TO_1000, &limits(0)).unwrap();
    assert_eq!((answer.row_count, answer.table.truncated), (0, true));
}

#[test]
fn rows_come_as_soon_as_there_are_enough_even_if_the_query_never_ends() {
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
    let answer = ask(&world(), sql).unwrap();
    assert_eq!((answer.row_count, answer.table.truncated), (50, true));
}

#[test]
fn bytes_beyond_the_limit_are_left_out_and_it_says_so() {
    let sql = "SELECT printf('%.*c', 300000, 'x') AS x FROM json_each('[1,2,3,4,5]')";
    let answer = ask(&world(), sql).unwrap();
    assert_eq!((answer.row_count, answer.table.truncated), (3, true));
}

#[test]
fn a_first_row_that_does_not_fit_is_an_error() {
    let limits = QuerySettings { bytes: 1000, ..QuerySettings::default() };
    assert_eq!(
        attack_within("SELECT printf('%.*c', 2000, 'x')", &limits),
        "the first row is larger than 1000 bytes"
    );
}

#[test]
fn the_defaults_and_the_most_a_door_may_grant_are_those_of_the_contract() {
    let limits = QuerySettings::default();
    assert_eq!((limits.rows, limits.timeout_ms, limits.vm_steps), (50, 300, 500_000));
    assert_eq!(QuerySettings::MAX_ROWS, 200);
    assert_eq!(QuerySettings::MAX_TIMEOUT_MS, 2_000);
    assert_eq!(QuerySettings::MAX_VM_STEPS, 5_000_000);
}
