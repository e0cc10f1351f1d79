//! Attacks that would change the graph.

use super::*;

#[test]
fn rows_cannot_be_inserted() {
    assert_eq!(
        attack("INSERT INTO lyra_meta VALUES ('a', 'b')"),
        "writing to lyra_meta is not allowed here"
    );
    assert_eq!(
        attack("REPLACE INTO domains (domain) VALUES ('x')"),
        "writing to domains is not allowed here"
    );
}

#[test]
fn rows_cannot_be_inserted_behind_a_with() {
    assert_eq!(
        attack("WITH x AS (SELECT 1) INSERT INTO lyra_meta SELECT 'a', 'b' FROM x"),
        "writing to lyra_meta is not allowed here"
    );
}

#[test]
fn rows_cannot_be_inserted_behind_comments() {
    assert_eq!(
        attack(
            "/* SELECT */ -- SELECT\n /**/ InSeRt/**/INTO lyra_meta VALUES ('a', 'b') -- SELECT"
        ),
        "writing to lyra_meta is not allowed here"
    );
}

#[test]
fn rows_cannot_be_changed() {
    assert_eq!(
        attack("UPDATE claims SET claim_text = 'x'"),
        "writing to claims is not allowed here"
    );
}

#[test]
fn rows_cannot_be_deleted_and_returned() {
    assert_eq!(attack("DELETE FROM edges RETURNING *"), "writing to edges is not allowed here");
}

#[test]
fn rows_cannot_be_written_by_explaining_it() {
    assert_eq!(attack("EXPLAIN DELETE FROM edges"), "writing to edges is not allowed here");
}

#[test]
fn tables_cannot_be_made() {
    for sql in [
        "CREATE TABLE x (a)",
        "CREATE TABLE x AS SELECT * FROM claims",
        "CREATE INDEX x ON claims(id)",
        "CREATE VIEW x AS SELECT 1",
        "CREATE TRIGGER x AFTER INSERT ON claims BEGIN SELECT 1; END",
        "CREATE VIRTUAL TABLE x USING fts5(a)",
    ] {
        assert_eq!(attack(sql), "CREATE is not allowed here", "{sql}");
    }
}

#[test]
fn temporary_tables_cannot_be_made() {
    for sql in ["CREATE TEMP TABLE x (a)", "CREATE TEMP VIEW x AS SELECT * FROM sessions"] {
        assert_eq!(attack(sql), "CREATE is not allowed here", "{sql}");
    }
}

#[test]
fn tables_cannot_be_dropped_or_altered() {
    assert_eq!(attack("DROP TABLE claims"), "DROP is not allowed here");
    assert_eq!(attack("DROP VIEW v_leak"), "DROP is not allowed here");
    assert_eq!(attack("ALTER TABLE claims RENAME TO x"), "ALTER is not allowed here");
}

#[test]
fn the_full_text_index_takes_no_commands() {
    for command in ["rebuild", "optimize", "delete-all"] {
        assert_eq!(
            attack(&format!("INSERT INTO fragments_fts(fragments_fts) VALUES ('{command}')")),
            "writing to fragments_fts is not allowed here"
        );
    }
}

#[test]
fn the_file_cannot_be_vacuumed_or_copied() {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("stolen.db");
    let expected = "VACUUM is not a query: begin with SELECT, WITH, VALUES or EXPLAIN";
    assert_eq!(attack(&format!("VACUUM INTO '{}'", target.display())), expected);
    assert_eq!(attack("VACUUM"), expected);
    assert!(!target.exists());
}

#[test]
fn statistics_and_indexes_cannot_be_rebuilt() {
    for sql in ["ANALYZE", "ANALYZE claims"] {
        assert_eq!(attack(sql), "ANALYZE is not allowed here", "{sql}");
    }
    for sql in ["REINDEX", "REINDEX claims"] {
        assert_eq!(attack(sql), "REINDEX is not allowed here", "{sql}");
    }
}

#[test]
fn transactions_cannot_be_opened_or_ended() {
    for sql in [
        "BEGIN IMMEDIATE",
        "COMMIT",
        "ROLLBACK",
        "END",
        "SAVEPOINT x",
        "RELEASE x",
        "ROLLBACK TO x",
    ] {
        let keyword = sql.split(' ').next().unwrap();
        assert_eq!(attack(sql), format!("{keyword} is not allowed here"), "{sql}");
    }
}
