//! SQL that would change something, read what it may not, or never end.

use super::Attack;
use super::program::{Home, Program};

const AREA: &str = "queries (SQL)";

const CHANGES: &str = "changes the graph";
const READS: &str = "reads what is not the graph's";
const HANGS: &str = "takes the machine's time or memory";

const QUERIES: &[(&str, &str)] = &[
    ("DELETE FROM claims", CHANGES),
    ("UPDATE tasks SET query = 'x'", CHANGES),
    ("INSERT INTO tasks(id) VALUES ('x')", CHANGES),
    ("REPLACE INTO tasks(id) VALUES ('x')", CHANGES),
    ("DROP TABLE claims", CHANGES),
    ("ALTER TABLE claims ADD COLUMN x", CHANGES),
    ("CREATE TABLE x(y)", CHANGES),
    ("CREATE TEMP TABLE x(y)", CHANGES),
    ("CREATE VIEW x AS SELECT 1", CHANGES),
    ("CREATE TRIGGER x AFTER INSERT ON claims BEGIN SELECT 1; END", CHANGES),
    ("CREATE INDEX x ON claims(text)", CHANGES),
    ("REINDEX", CHANGES),
    ("VACUUM", CHANGES),
    ("VACUUM INTO '/tmp/x.db'", CHANGES),
    ("ANALYZE", CHANGES),
    ("BEGIN EXCLUSIVE", CHANGES),
    ("COMMIT", CHANGES),
    ("ROLLBACK", CHANGES),
    ("SAVEPOINT x", CHANGES),
    ("SELECT 1; DROP TABLE claims", CHANGES),
    ("SELECT 1; SELECT 2", CHANGES),
    ("SELECT 1 -- \n; DELETE FROM claims", CHANGES),
    ("WITH x AS (SELECT 1) DELETE FROM claims", CHANGES),
    ("WITH x AS (SELECT 1) INSERT INTO tasks SELECT * FROM x", CHANGES),
    ("EXPLAIN DELETE FROM claims", CHANGES),
    ("INSERT INTO fragments_fts(fragments_fts) VALUES ('rebuild')", CHANGES),
    ("INSERT INTO fragments_fts(fragments_fts) VALUES ('delete-all')", CHANGES),
    ("PRAGMA journal_mode = DELETE", CHANGES),
    ("PRAGMA writable_schema = 1", CHANGES),
    ("PRAGMA user_version = 99", CHANGES),
    ("PRAGMA query_only = 0", CHANGES),
    ("PRAGMA wal_checkpoint(TRUNCATE)", CHANGES),
    ("ATTACH DATABASE 'other.db' AS o", READS),
    ("ATTACH DATABASE ':memory:' AS o", READS),
    ("DETACH DATABASE main", READS),
    ("SELECT load_extension('x.so')", READS),
    ("SELECT readfile('secret.md')", READS),
    ("SELECT writefile('x', 'y')", READS),
    ("SELECT edit('x')", READS),
    ("SELECT * FROM fsdir('.')", READS),
    ("SELECT fts3_tokenizer('x')", READS),
    ("SELECT * FROM sessions", READS),
    ("SELECT * FROM main.sessions", READS),
    ("SELECT (SELECT cookies FROM sessions)", READS),
    ("SELECT * FROM sqlite_dbpage", READS),
    ("SELECT * FROM sqlite_stmt", READS),
    ("SELECT * FROM dbstat", READS),
    ("PRAGMA database_list", READS),
    ("PRAGMA function_list", READS),
    ("PRAGMA compile_options", READS),
    ("SELECT * FROM pragma_database_list", READS),
    ("SELECT * FROM pragma_function_list", READS),
    ("SELECT sqlite_compileoption_get(1)", READS),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c",
        HANGS,
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT 'a' UNION ALL SELECT x || x FROM c) SELECT length(x) FROM c",
        HANGS,
    ),
    ("SELECT zeroblob(2000000000)", HANGS),
    ("SELECT hex(zeroblob(1000000000))", HANGS),
    ("SELECT randomblob(1000000000)", HANGS),
    ("SELECT printf('%2000000000d', 1)", HANGS),
    ("SELECT printf('%.*c', 1000000000, 'x')", HANGS),
    ("SELECT replace(hex(zeroblob(500000)), '0', hex(zeroblob(5000)))", HANGS),
    ("SELECT instr(hex(zeroblob(4000000)), hex(zeroblob(400000)) || '1')", HANGS),
    ("SELECT length(ltrim(hex(zeroblob(4000000)), hex(zeroblob(4000000))))", HANGS),
    ("SELECT length(trim(hex(zeroblob(4000000)), hex(zeroblob(4000000))))", HANGS),
    ("SELECT length(rtrim(hex(zeroblob(4000000)), hex(zeroblob(4000000))))", HANGS),
    ("SELECT hex(zeroblob(500000)) LIKE '%0%0%0%0%0%0%0%0%0%1'", HANGS),
    ("SELECT hex(zeroblob(500000)) GLOB '*0*0*0*0*0*0*0*0*0*1'", HANGS),
    ("SELECT group_concat(hex(zeroblob(1000000))) FROM pages, pages, pages", HANGS),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 700) SELECT json_group_array(hex(zeroblob(500000))) FROM c",
        HANGS,
    ),
    (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 100000) SELECT group_concat(x || hex(zeroblob(10000))) FROM c",
        HANGS,
    ),
    ("SELECT json_extract(replace(hex(zeroblob(50000)), '0', '['), '$')", HANGS),
    (
        "SELECT * FROM json_tree('[' || replace(hex(zeroblob(500000)), '0', '1,') || '1]') AS a, json_tree('[1,2,3,4,5,6,7,8,9]') AS b, json_tree('[1,2,3]') AS c",
        HANGS,
    ),
    ("SELECT abs(-9223372036854775808)", HANGS),
    ("SELECT * FROM claims AS a, claims AS b, claims AS c, claims AS d ORDER BY random()", HANGS),
    ("SELECT text FROM fragments WHERE fragments MATCH 'a* b* c*'", READS),
    (
        "SELECT 1 WHERE 1 IN (SELECT x FROM (WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x+1 FROM c) SELECT x FROM c ORDER BY x DESC))",
        HANGS,
    ),
    ("VALUES (1), (2) UNION ALL SELECT * FROM sessions", READS),
    ("", CHANGES),
    (";", CHANGES),
    ("SELECT", CHANGES),
    ("\u{0}SELECT 1", CHANGES),
    ("SELECT '", CHANGES),
    ("/* SELECT 1", CHANGES),
];

pub(super) fn attacks(program: &Program) -> Vec<Attack> {
    let home = Home::new();
    // A graph to attack.
    program.run(&home, &["task", "new", "Is it held?"], b"");
    let content = || program.output(&home, &["task", "list", "--json"]).stdout;
    let before = content();
    let control = program.run(&home, &["sql", "-"], b"SELECT query FROM tasks");
    assert!(control.stdout.contains("Is it held?"), "an honest question is answered: {control:?}");
    let mut attacks = Vec::new();
    for (sql, would) in QUERIES {
        let ended = program.run(&home, &["sql", "--timeout-ms", "1000", "-"], sql.as_bytes());
        let held = match *would {
            // What is only slow may be answered, if that is in time.
            HANGS => ended.decent(),
            _ => ended.refused(),
        };
        let held = held.and_then(|()| match content() == before {
            true => Ok(()),
            false => Err("the graph changed".to_owned()),
        });
        let name: String = sql.chars().take(80).collect();
        attacks.push(Attack::new(AREA, name.escape_debug().to_string(), would, held));
    }
    attacks
}
