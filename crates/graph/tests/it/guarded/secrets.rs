//! Attacks on private tables.

use super::*;

const REFUSED: &str = "reading sessions is not allowed here";

#[test]
fn sessions_cannot_be_read() {
    for sql in [
        "SELECT * FROM sessions",
        "SELECT cookies FROM sessions",
        "SELECT count(*) FROM sessions",
        "SELECT 1 FROM sessions",
        "SELECT rowid FROM main.claims UNION ALL SELECT cookies FROM main.sessions",
    ] {
        assert_eq!(attack(sql), REFUSED, "{sql}");
    }
}

#[test]
fn sessions_cannot_be_read_under_another_spelling() {
    for sql in [
        "SELECT * FROM SESSIONS",
        "SELECT * FROM \"sessions\"",
        "SELECT * FROM [Sessions]",
        "SELECT * FROM `sessions` AS claims",
        "SELECT s.cookies FROM main . 'sessions' s",
    ] {
        assert_eq!(attack(sql), REFUSED, "{sql}");
    }
}

#[test]
fn sessions_cannot_be_read_in_a_subquery() {
    for sql in [
        "SELECT (SELECT cookies FROM sessions)",
        "SELECT * FROM claims WHERE EXISTS (SELECT 1 FROM sessions)",
        "SELECT * FROM claims ORDER BY (SELECT cookies FROM sessions)",
        "SELECT * FROM claims JOIN sessions ON 1",
        "SELECT * FROM claims WHERE id IN sessions",
        "SELECT * FROM (SELECT * FROM (SELECT cookies FROM sessions))",
        "SELECT value FROM json_each((SELECT cookies FROM sessions))",
    ] {
        assert_eq!(attack(sql), REFUSED, "{sql}");
    }
}

#[test]
fn sessions_cannot_be_read_under_the_name_of_a_public_table() {
    for sql in [
        "WITH claims AS (SELECT * FROM sessions) SELECT * FROM claims",
        "WITH RECURSIVE claims(x) AS (SELECT cookies FROM sessions UNION SELECT x FROM claims) SELECT * FROM claims",
        "WITH sessions AS (SELECT * FROM main.sessions) SELECT * FROM sessions",
    ] {
        assert_eq!(attack(sql), REFUSED, "{sql}");
    }
}

#[test]
fn sessions_cannot_be_read_through_a_view() {
    assert_eq!(attack("SELECT cookies FROM v_leak"), REFUSED);
    assert_eq!(attack("SELECT n FROM v_leak_count"), REFUSED);
    assert_eq!(attack("SELECT 1 FROM v_leak"), REFUSED);
}

#[test]
fn the_other_internal_tables_cannot_be_read() {
    for name in
        ["lyra_meta", "cache_serp", "cache_fetch", "library_traces", "robots", "sqlite_sequence"]
    {
        assert_eq!(
            attack(&format!("SELECT * FROM {name}")),
            format!("reading {name} is not allowed here")
        );
    }
}

#[test]
fn the_schema_tables_of_the_engine_cannot_be_read() {
    for name in ["sqlite_master", "sqlite_schema", "main.sqlite_master", "\"SQLITE_MASTER\""] {
        assert_eq!(
            attack(&format!("SELECT sql FROM {name}")),
            "reading sqlite_master is not allowed here"
        );
    }
    for name in ["sqlite_temp_master", "sqlite_temp_schema", "temp.sqlite_schema"] {
        assert_eq!(
            attack(&format!("SELECT sql FROM {name}")),
            "reading sqlite_temp_master is not allowed here"
        );
    }
}
