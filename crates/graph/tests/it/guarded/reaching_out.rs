//! Attacks that would leave the graph: other files, the engine, code.

use super::*;

#[test]
fn other_files_cannot_be_attached() {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("new.db");
    let sql = format!("ATTACH DATABASE '{}' AS x", target.display());
    assert_eq!(attack(&sql), "ATTACH is not allowed here");
    assert_eq!(attack("attach '/etc/passwd' as x"), "ATTACH is not allowed here");
    assert_eq!(attack("ATTACH 'a' || 'b' AS x"), "ATTACH is not allowed here");
    assert!(!target.exists());
}

#[test]
fn nothing_can_be_detached() {
    assert_eq!(attack("DETACH main"), "DETACH is not allowed here");
}

#[test]
fn pragmas_are_refused_in_every_spelling() {
    for (sql, name) in [
        ("PRAGMA query_only = OFF", "query_only"),
        ("pragma journal_mode=delete", "journal_mode"),
        ("PRAGMA main.writable_schema(1)", "writable_schema"),
        ("/* hi */ PrAgMa\ntable_info(sessions)", "table_info"),
        ("EXPLAIN PRAGMA database_list", "database_list"),
        ("PRAGMA data_version = 5", "data_version"),
        ("PRAGMA \"trusted_schema\" = 1", "trusted_schema"),
    ] {
        assert_eq!(attack(sql), format!("PRAGMA {name} is not allowed here"), "{sql}");
    }
}

#[test]
fn the_pragma_that_full_text_needs_is_for_full_text_alone() {
    let expected = "PRAGMA is not a query: begin with SELECT, WITH, VALUES or EXPLAIN";
    for sql in ["PRAGMA data_version", "EXPLAIN PRAGMA data_version", "pragma main.data_version;"] {
        assert_eq!(attack(sql), expected, "{sql}");
    }
}

#[test]
fn pragmas_are_refused_as_table_functions() {
    for (sql, name) in [
        ("SELECT * FROM pragma_table_info('sessions')", "pragma_table_info"),
        ("SELECT file FROM pragma_database_list", "pragma_database_list"),
        ("SELECT * FROM pragma_data_version", "pragma_data_version"),
        ("SELECT (SELECT count(*) FROM PRAGMA_function_list())", "PRAGMA_function_list"),
        ("SELECT 1 FROM claims, pragma_compile_options", "pragma_compile_options"),
    ] {
        assert_eq!(attack(sql), format!("reading {name} is not allowed here"), "{sql}");
    }
}

#[test]
fn code_cannot_be_loaded() {
    for sql in [
        "SELECT load_extension('evil.so')",
        "SELECT LOAD_EXTENSION('evil.so', 'init')",
        "SELECT \"load_extension\"('evil.so')",
        "SELECT 1 WHERE (SELECT load_extension('x')) = 1",
    ] {
        assert_eq!(attack(sql), "the function load_extension is not allowed here", "{sql}");
    }
}

#[test]
fn functions_that_reach_into_the_engine_are_refused() {
    for (sql, name) in [
        ("SELECT fts3_tokenizer('simple')", "fts3_tokenizer"),
        ("SELECT sqlite_log(1, 'x')", "sqlite_log"),
        ("SELECT fts5(NULL)", "fts5"),
        ("SELECT rtreecheck('main', 'claims')", "rtreecheck"),
    ] {
        assert_eq!(attack(sql), format!("the function {name} is not allowed here"), "{sql}");
    }
}

#[test]
fn the_pages_of_the_file_cannot_be_listed() {
    assert_eq!(attack("SELECT * FROM dbstat"), "reading dbstat is not allowed here");
}
