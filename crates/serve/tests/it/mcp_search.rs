//! What a search leaves behind for whoever checks it: what each claim rests on, what was asked, chosen and kept and why,
//! and what each step was allowed.

use serde_json::{Value, json};

use crate::mcp_client::{Client, DOCUMENTS, home_with};

const SEARCH: &str = "working from home productivity";

/// Asks the graph; the rows.
fn rows(client: &mut Client, sql: &str) -> Vec<Value> {
    let answer = client.ok("query_graph", json!({ "sql": sql }));
    answer["rows"].as_array().unwrap().clone()
}

fn searched(
    documents: &[(&str, &str)],
    arguments: &[&str],
) -> (crate::support::Home, Client, Value) {
    let home = home_with(documents);
    let mut client = Client::start(&home, &[&["--offline"], arguments].concat());
    let create = json!({ "query": "Does working from home raise productivity?",
                         "config": { "budget": { "max_pages": 20, "max_seconds": 500 } } });
    let task = client.ok("create_task", create)["task_id"].clone();
    let found = client.ok("search", json!({ "task_id": task, "query": SEARCH, "detail": "full" }));
    (home, client, found)
}

#[test]
fn each_claim_says_what_its_verification_rests_on() {
    let (_home, _client, found) = searched(DOCUMENTS, &[]);
    let mut told: Vec<String> = found["claims_found"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            format!(
                "{} | {} {} | independent {} | pages for {} against {}",
                it["text"].as_str().unwrap(),
                it["verification_status"].as_str().unwrap(),
                it["source_domain_category"].as_str().unwrap(),
                it["independent_sources"],
                it["supporting_pages"],
                it["refuting_pages"],
            )
        })
        .collect();
    told.sort();
    assert_eq!(told, [""]);
}

#[test]
fn queries_choices_and_kept_passages_can_be_read_back_with_their_reasons() {
    let filler = (0..40)
        .map(|n| format!("Paragraph {n} of this page speaks about the weather on the coast and about boats.\n\n"))
        .collect::<String>();
    let long = format!("# Log\n\n{filler}Productivity at home was not measured here.\n\nOk.\n");
    let documents = [DOCUMENTS, &[("d.md", long.as_str())]].concat();
    let (_home, mut client, found) = searched(&documents, &[]);
    let plan = rows(
        &mut client,
        "SELECT q.query_text AS asked, s.value ->> 'source' AS source, s.value ->> 'query' AS query,
                s.value ->> 'found' AS found
         FROM jobs j JOIN queries q ON q.id = j.search_id, json_each(j.result, '$.sources') s WHERE j.kind = 'serp'",
    );
    assert_eq!(
        plan,
        [json!({ "asked": SEARCH, "source": "library", "query": SEARCH, "found": 4 })]
    );
    let chosen = rows(
        &mut client,
        "SELECT c.value ->> 'why' AS why, count(*) AS n FROM jobs j, json_each(j.result, '$.chosen') c
         WHERE j.kind = 'serp' GROUP BY 1",
    );
    assert_eq!(chosen, [json!({ "why": "place in its source's list", "n": 4 })]);
    let kept = rows(
        &mut client,
        "SELECT s.reason, s.score > 0 AS scored, f.text_content AS text FROM selected_fragments s
         JOIN fragments f ON f.id = s.fragment_id ORDER BY s.score DESC",
    );
    assert_eq!(kept.len() as u64, found["useful_fragments"].as_u64().unwrap());
    assert_eq!(kept, [Value::Null]);
    // What was ranked and not kept is counted by its reason, and nothing is lost in between.
    let counted = rows(
        &mut client,
        "SELECT result ->> '$.counts.passages' AS passages, result ->> '$.counts.useful' AS useful,
                result ->> '$.not_kept.words' AS words, result ->> '$.not_kept.unrelated' AS unrelated,
                result ->> '$.not_kept.behind_knee' AS behind_knee,
                result ->> '$.not_kept.says_nothing' AS says_nothing
         FROM jobs WHERE kind = 'digest'",
    );
    assert_eq!(counted, [Value::Null]);
}

#[test]
fn every_step_says_what_it_was_allowed_and_when_it_ran() {
    let (_home, mut client, _) = searched(DOCUMENTS, &[]);
    let steps = rows(
        &mut client,
        "SELECT kind, slot, priority, state, budget ->> 'pages' AS pages,
                budget ->> 'seconds' BETWEEN 1 AND 500 AS has_seconds,
                created_at <= started_at AND started_at <= finished_at AS in_order,
                cause_id IN (SELECT id FROM events) AS caused
         FROM jobs ORDER BY position",
    );
    let step = |kind: &str, slot: &str, priority: u32, pages: u32| {
        json!({ "kind": kind, "slot": slot, "priority": priority, "state": "done", "pages": pages,
                "has_seconds": 1, "in_order": 1, "caused": 1 })
    };
    assert_eq!(
        steps,
        [
            step("serp", "network_client", 100, 0),
            step("fetch", "network_client", 90, 1),
            step("fetch", "network_client", 90, 1),
            step("fetch", "network_client", 90, 1),
            step("digest", "cpu_nlp", 70, 0),
        ]
    );
}
