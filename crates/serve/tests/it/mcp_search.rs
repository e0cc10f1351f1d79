//! What a search leaves behind for whoever checks it: what each claim rests on, what was asked, chosen and kept and why,
//! and what each step was allowed.

use serde_json::{Value, json};

use crate::mcp_client::{Client, DOCUMENTS, home_with};
use crate::support::Home;

const SEARCH: &str = "working from home productivity";

/// Asks the graph; the rows.
fn rows(client: &mut Client, sql: &str) -> Vec<Value> {
    let answer = client.ok("query_graph", json!({ "sql": sql }));
    answer["rows"].as_array().unwrap().clone()
}

/// Five documents: three that speak to the point, a survey with one passage worth keeping, and a page about the weather
/// with a remark on work.
fn documents() -> Vec<(&'static str, String)> {
    let teams = ["A", "B", "C", "D", "E", "F"].map(|team| {
        format!("Working from home raised the productivity of team {team} in the survey of that year.\n\n")
    });
    let buildings = (0..12).map(|n| {
        format!("Building {n} of the company has a kitchen, a bicycle room and a home for lost umbrellas.\n\n")
    });
    let weather = (0..10).map(|n| {
        format!("Paragraph {n} speaks about the weather on the coast and about boats.\n\n")
    });
    let survey = format!("# Survey\n\n{}{}", teams.concat(), buildings.collect::<String>());
    let remark = "Productivity fell when people left the office for their kitchens.";
    let weather = weather.collect::<String>();
    let coast = format!("# Weather\n\n{weather}## Note\n\nOk.\n\n## Work\n\n{remark}\n");
    let mut all: Vec<_> = DOCUMENTS.iter().map(|it| (it.0, it.1.to_owned())).collect();
    all.extend([("d.md", survey), ("e.md", coast)]);
    all
}

/// A search of these documents that has ended.
fn searched() -> (Home, Client, Value) {
    let documents = documents();
    let documents: Vec<(&str, &str)> = documents.iter().map(|it| (it.0, it.1.as_str())).collect();
    let home = home_with(&documents);
    let mut client = Client::start(&home, &["--offline"]);
    let create = json!({ "query": "Does working from home raise productivity?",
                         "config": { "budget": { "max_pages": 20, "max_seconds": 500 } } });
    let task = client.ok("create_task", create)["task_id"].clone();
    let found = client.ok("search", json!({ "task_id": task, "query": SEARCH, "detail": "full" }));
    (home, client, found)
}

#[test]
fn each_claim_says_what_its_verification_rests_on() {
    let (_home, _client, found) = searched();
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
    insta::assert_snapshot!(told.join("\n"), @r"
    Productivity fell when people left the office for their kitchens. | pending unverified | independent 1 | pages for 1 against 0
    Working from home increased the productivity of office workers by 5 percent. | pending unverified | independent 1 | pages for 1 against 1
    Working from home raised the productivity of team A in the survey of that year. | pending unverified | independent 1 | pages for 1 against 0
    Working from home raised the productivity of team B in the survey of that year. | pending unverified | independent 1 | pages for 1 against 0
    Working from home raised the productivity of team C in the survey of that year. | pending unverified | independent 1 | pages for 1 against 0
    Working from home raised the productivity of team D in the survey of that year. | pending unverified | independent 1 | pages for 1 against 0
    Working from home raised the productivity of team E in the survey of that year. | pending unverified | independent 1 | pages for 1 against 0
    Working from home raised the productivity of team F in the survey of that year. | pending unverified | independent 1 | pages for 1 against 0
    Working from home raises the productivity of office workers. | pending unverified | independent 2 | pages for 2 against 2
    Working from home reduced the productivity of office workers by 8 percent. | pending unverified | independent 1 | pages for 1 against 1
    ");
}

#[test]
fn queries_choices_and_kept_passages_can_be_read_back_with_their_reasons() {
    let (_home, mut client, found) = searched();
    let asked = rows(
        &mut client,
        "SELECT q.query_text AS search, s.value ->> 'query' AS query, s.value ->> 'found' AS found
         FROM jobs j JOIN queries q ON q.id = j.search_id, json_each(j.result, '$.sources') s WHERE j.kind = 'serp'",
    );
    let asked_in =
        |query: &str, found: u32| json!({ "search": SEARCH, "query": query, "found": found });
    assert_eq!(
        asked,
        [
            asked_in(SEARCH, 5),
            asked_in("在宅勤務 生産性", 0),
            asked_in("remote work productivity", 5),
            asked_in("telework productivity", 5),
        ]
    );
    let chosen = rows(
        &mut client,
        "SELECT c.value ->> 'why' AS why, count(*) AS n FROM jobs j, json_each(j.result, '$.chosen') c
         WHERE j.kind = 'serp' GROUP BY 1",
    );
    assert_eq!(chosen, [json!({ "why": "place in its source's list", "n": 5 })]);
    let kept = rows(
        &mut client,
        "SELECT s.reason, replace(f.text_content, char(10), ' ') AS text FROM selected_fragments s
         JOIN fragments f ON f.id = s.fragment_id ORDER BY s.score DESC",
    );
    assert_eq!(kept.len() as u64, found["useful_fragments"].as_u64().unwrap());
    let kept: Vec<String> = kept
        .iter()
        .map(|it| {
            let text: String = it["text"].as_str().unwrap().chars().take(40).collect();
            format!("{}: {text}", it["reason"].as_str().unwrap())
        })
        .collect();
    assert_eq!(
        kept,
        [
            "before_knee: Office  Working from home increased the ",
            "before_knee: Review  Working from home raises the pro",
            "before_knee: Doubts  Working from home reduced the pr",
            "best_of_page: Working from home raised the productivit",
            "about_hypothesis: Working from home raised the productivit",
            "about_hypothesis: Working from home raised the productivit",
            "about_hypothesis: Survey  Working from home raised the pro",
            "best_of_page: Work  Productivity fell when people left",
        ]
    );
    // What was ranked and not kept is counted by its reason: 25 passages, 8 kept.
    let counted = rows(
        &mut client,
        "SELECT result ->> '$.counts.passages' AS passages, result ->> '$.counts.useful' AS useful,
                result -> '$.not_kept' AS not_kept FROM jobs WHERE kind = 'digest'",
    );
    assert_eq!((&counted[0]["passages"], &counted[0]["useful"]), (&json!(25), &json!(8)));
    let not_kept: Value = serde_json::from_str(counted[0]["not_kept"].as_str().unwrap()).unwrap();
    assert_eq!(
        not_kept,
        json!({ "says_nothing": 1, "words": 5, "unrelated": 1, "behind_knee": 11 })
    );
}

#[test]
fn every_step_says_what_it_was_allowed_and_when_it_ran() {
    let (_home, mut client, _) = searched();
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
            step("fetch", "network_client", 90, 1),
            step("fetch", "network_client", 90, 1),
            step("digest", "cpu_nlp", 70, 0),
        ]
    );
}
