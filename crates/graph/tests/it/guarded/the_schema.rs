//! The schema that goes with an answer on request.

use super::*;

#[test]
fn the_schema_lists_what_can_be_read_and_nothing_else() {
    let world = world();
    let limits = QuerySettings { include_schema: true, ..QuerySettings::default() };
    let schema = world.query("SELECT 1", &limits).unwrap().schema.unwrap();
    let views = names_of(&world, "type = 'view'");
    let (listed_views, tables): (Vec<_>, Vec<_>) =
        schema.tables.iter().map(|it| it.name.clone()).partition(|it| views.contains(it));
    assert_eq!(listed_views, views);
    assert_eq!(
        tables,
        [
            "archive_records",
            "auth_queue",
            "calibration_evaluations",
            "calibration_versions",
            "claim_events",
            "claims",
            "claims_fts",
            "domain_override_events",
            "domain_override_rules",
            "domain_routes",
            "domains",
            "edges",
            "egress",
            "embeddings",
            "engine_health",
            "entities",
            "entity_links",
            "events",
            "fragments",
            "fragments_fts",
            "jobs",
            "library_stats",
            "nli_corrections",
            "pace",
            "pages",
            "queries",
            "report_drafts",
            "selected_fragments",
            "serp_items",
            "tasks",
            "work_identifiers",
            "works",
        ]
    );
    assert_eq!(world.query_schema().unwrap(), schema, "it can be asked for alone");
    let columns = |name| &schema.tables.iter().find(|it| it.name == name).unwrap().columns;
    assert_eq!(columns("v_claim_texts"), &["id", "claim_text"]);
    assert_eq!(columns("fragments_fts"), &["text_content", "heading_context"]);
    assert!(columns("edges").contains(&"target_claim_id".to_owned()), "generated columns count");
}

#[test]
fn every_table_that_is_listed_can_be_read() {
    let world = world();
    let limits = QuerySettings { include_schema: true, ..QuerySettings::default() };
    let schema = world.query("SELECT 1", &limits).unwrap().schema.unwrap();
    for table in schema.tables.iter().filter(|it| !it.name.starts_with("v_leak")) {
        let answer = world.query(&format!("SELECT * FROM {}", table.name), &patient()).unwrap();
        assert_eq!(answer.table.columns, table.columns, "{}", table.name);
    }
}

/// A table added to the schema has to be put on one of the two lists by a person.
#[test]
fn every_table_is_either_public_or_kept_back_on_purpose() {
    let world = graph();
    let all = names_of(&world, "type NOT IN ('shadow', 'view')");
    let refused: Vec<_> = all
        .into_iter()
        .filter(|name| ask(&world, &format!("SELECT 1 FROM {name}")).is_err())
        .collect();
    assert_eq!(
        refused,
        [
            "cache_fetch",
            "cache_serp",
            "deleted_tasks",
            "leaving",
            "library_traces",
            "lyra_meta",
            "robots",
            "sessions",
            "sqlite_schema",
            "sqlite_sequence",
            "unfinished"
        ]
    );
}

fn names_of(world: &World, kind: &str) -> Vec<String> {
    rusqlite::Connection::open(world.path().unwrap())
        .unwrap()
        .prepare(&format!(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND {kind} ORDER BY name"
        ))
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect()
}
