//! What a mistake is answered with.

use super::*;

#[test]
fn a_slip_of_the_pen_is_shown_with_its_place() {
    assert_eq!(attack("SELEC 1"), "near \"SELEC\": syntax error (line 1, column 1)");
    assert_eq!(
        attack("SELECT id\nFROM claims\n  WHER 1"),
        "near \"1\": syntax error (line 3, column 8)"
    );
    assert_eq!(
        attack("SELECT '糖尿病', reason FROM claims"),
        "no such column: reason (line 1, column 15)"
    );
    assert_eq!(attack("SELECT * FROM clams"), "no such table: clams");
    assert_eq!(attack("SELECT 'open"), "unrecognized token: \"'open\" (line 1, column 8)");
}

#[test]
fn a_question_that_fails_on_the_way_says_why() {
    assert_eq!(attack("SELECT json('{')"), "the query failed: malformed JSON");
    assert_eq!(
        attack("SELECT * FROM claims_fts WHERE claims_fts MATCH '\"'"),
        "the query failed: unterminated string"
    );
    assert_eq!(attack("SELECT abs(-9223372036854775808)"), "the query failed: integer overflow");
}

#[test]
fn nothing_is_not_a_question() {
    for sql in ["", " \n", ";", "-- only a remark", "/* never closed"] {
        assert_eq!(attack(sql), "the query is empty", "{sql}");
    }
}

#[test]
fn a_nul_character_does_not_hide_what_follows() {
    assert_eq!(attack("SELECT 1\0; DROP TABLE claims"), "a NUL character (line 1, column 9)");
    assert_eq!(attack("\0"), "a NUL character (line 1, column 1)");
}

#[test]
fn a_parameter_has_no_value_here() {
    assert_eq!(attack("SELECT :task"), "a parameter has no value here: write the value itself");
}
