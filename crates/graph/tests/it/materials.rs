//! What a report is written from: the parts that no other question asks for.

use evidence::{DomainCategory, Stance};
use graph::{JobEnd, NewJob, NewSearch};
use serde_json::json;

use crate::support::{cite, claim, fragment, graph, judge, page, task, write};

#[test]
fn a_missed_page_is_listed_once_whichever_row_knows_it() {
    let graph = graph();
    let (a, b) = write(&graph, |w| {
        let (a, b) = (task(w, "a"), task(w, "b"));
        let search = NewSearch { task_id: a, query: "q".to_owned(), options: json!({}) };
        let search_id = w.record_search(&search)?;
        let step = |kind, payload, end: JobEnd| {
            let new = NewJob { task_id: a, search_id, kind, slot: "network", priority: 1, payload };
            w.end_job(w.add_job(&new)?, &end)
        };
        let url = json!({ "url": "https://a.example/1" });
        let told =
            json!({ "url": "https://a.example/1", "reason": "robots", "detail": "stay away" });
        step("fetch", url, JobEnd::Failed(told))?;
        let login = json!({ "url": "https://a.example/login", "reason": "login" });
        step("fetch", json!({}), JobEnd::Failed(login))?;
        step("fetch", json!({ "url": "https://a.example/2" }), JobEnd::Failed(json!("no object")))?;
        step("fetch", json!({ "url": "https://a.example/3" }), JobEnd::Done(json!({})))?;
        let plan = json!({
            "sources": [{ "source": "one", "found": 0, "problem": "blocked" }, "no object"],
            "missed": [{ "url": "nonsense", "reason": "bad_address" }, 7],
        });
        step("serp", json!({}), JobEnd::Done(plan))?;
        Ok((a, b))
    });
    let other = rusqlite::Connection::open(graph.path().unwrap()).unwrap();
    let insert = "INSERT INTO auth_queue (id, task_id, url, domain, auth_type, status, created_at, cause_id)
                  SELECT ?1, ?2, ?3, 'a.example', 'login', ?4, created_at, cause_id FROM tasks LIMIT 1";
    let waiting =
        [("1", "https://a.example/login", "pending"), ("2", "https://a.example/old", "resolved")];
    for (id, url, status) in waiting {
        other.execute(insert, (id, a.to_string(), url, status)).unwrap();
    }
    let missed: Vec<String> = graph
        .read(|r| r.materials_of(a))
        .unwrap()
        .missed
        .iter()
        .map(|it| format!("{} {} {}", it.url, it.reason, it.detail.as_deref().unwrap_or("-")))
        .collect();
    insta::assert_snapshot!(missed.join("\n"), @"
    https://a.example/login login -
    https://a.example/2 unknown no object
    https://a.example/1 robots stay away
    nonsense bad_address -
    ");
    let engines = graph.read(|r| r.materials_of(a)).unwrap().engines;
    let [engine] = engines.as_slice() else { panic!("{engines:?}") };
    assert_eq!((engine.engine.as_str(), engine.problem.as_deref()), ("one", Some("blocked")));
    assert!(graph.read(|r| r.materials_of(b)).unwrap().missed.is_empty());
}

#[test]
fn citations_lead_three_steps_beyond_the_pages_of_a_task_and_in_circles_no_further() {
    let graph = graph();
    let task = write(&graph, |w| {
        let task = task(w, "a");
        let pages: Vec<_> = (0..6)
            .map(|it| page(w, "a.example", &it.to_string(), DomainCategory::Low, None))
            .collect();
        for pair in pages.windows(2) {
            cite(w, pair[0], pair[1]);
        }
        cite(w, pages[2], pages[0]);
        let read = fragment(w, pages[0], "Read.");
        judge(w, read, claim(w, task, "c"), Stance::Supports, 0.5);
        Ok(task)
    });
    let found = graph.read(|r| r.materials_of(task)).unwrap();
    let names: Vec<(&str, bool)> =
        found.pages.iter().map(|it| (it.title.as_deref().unwrap(), it.met)).collect();
    assert_eq!(names, [("0", true), ("1", false), ("2", false), ("3", false)]);
    // The last one's own citation is known; where it leads is not looked at.
    assert_eq!(found.citations.len(), 5);
}

#[test]
fn the_newest_draft_of_a_task_is_what_is_read() {
    let graph = graph();
    let task = write(&graph, |w| {
        let task = task(w, "a");
        w.record_draft(task, "old", &json!([]))?;
        w.record_draft(task, "new", &json!([{ "text": "A.", "fragments": [] }]))?;
        Ok(task)
    });
    let draft = graph.read(|r| r.materials_of(task)).unwrap().draft.unwrap();
    assert_eq!((draft.model.as_str(), draft.sentences[0]["text"].as_str()), ("new", Some("A.")));
}
