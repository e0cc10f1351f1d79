//! Attacks behind a second statement.

use super::*;

#[test]
fn a_second_statement_is_refused_whatever_it_is() {
    for sql in [
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP TABLE claims",
        "SELECT 1;DELETE FROM claims;",
        "SELECT 1; not even SQL",
        "SELECT 1 /* ; */ ; -- x\n PRAGMA query_only = 0",
        "SELECT 1; COMMIT; DELETE FROM claims",
        "SELECT ';' ; ; ; VALUES (1)",
    ] {
        assert_eq!(attack(sql), "there is more than one statement", "{sql}");
    }
}

#[test]
fn an_attack_in_front_is_refused_for_what_it_is() {
    assert_eq!(attack("DELETE FROM claims; SELECT 1"), "writing to claims is not allowed here");
}
