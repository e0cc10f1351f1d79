//! Export and import: the same graph, whatever was there before.

use evidence::{DomainCategory, Node, Stance, TaskId};
use graph::{
    Cause, Graph, ImportError, NewEmbedding, NewSearch, NewSerpItem, Options, PageDetails, Writer,
};
use proptest::prelude::*;

use crate::support::{
    World, cite, claim, count, fragment, graph, graph_with, judge, options, page, paper, task,
    write,
};

fn export(graph: &Graph, task: TaskId) -> Vec<u8> {
    let mut out = Vec::new();
    graph.export_task(task, &mut out).unwrap();
    out
}

/// A task of a size drawn from `seed`: papers and pages, passages, stances, citations, vectors.
fn investigate(w: &Writer<'_>, seed: u64) -> TaskId {
    let mut random = fastrand::Rng::with_seed(seed);
    let task = task(w, "ワクチンは安全か");
    let search = w
        .record_search(&NewSearch {
            task_id: task,
            query: "vaccine safety".to_owned(),
            options: serde_json::json!({ "refute": true }),
        })
        .unwrap();
    let claims: Vec<_> =
        (0..random.usize(1..6)).map(|n| claim(w, task, &format!("主張 {n}"))).collect();
    let mut pages = Vec::new();
    for n in 0..random.usize(1..8) {
        let page = if random.bool() {
            paper(
                w,
                &format!("10.1000/{n}"),
                "論文",
                random.bool().then_some(2000 + n as i32),
                "Nature",
            )
        } else {
            page(w, "example.com", &n.to_string(), DomainCategory::Unverified, None)
        };
        if random.bool() {
            let sketch = Some((0..64).map(|_| random.u8(..)).collect());
            w.describe_page(page, &PageDetails { sketch, ..PageDetails::default() }).unwrap();
        }
        w.record_serp_item(&NewSerpItem {
            search_id: search,
            engine: "test".to_owned(),
            rank: n as u32,
            url: format!("https://example.com/{n}"),
            title: None,
            snippet: Some("a \"quoted\"\nline".to_owned()),
            page_id: Some(page),
        })
        .unwrap();
        for m in 0..random.usize(0..4) {
            let fragment = fragment(w, page, &format!("passage {m} — 第{m}節"));
            let vector: Vec<f32> = (0..4).map(|_| random.f32() - 0.5).collect();
            w.record_embedding(&NewEmbedding {
                target: Node::Fragment(fragment),
                model_id: "m",
                vector: &vector,
            })
            .unwrap();
            let target = claims[random.usize(..claims.len())];
            let stance = Stance::ALL[random.usize(..3)];
            judge(w, fragment, target, stance, random.f64());
        }
        pages.push(page);
    }
    for pair in pages.windows(2) {
        cite(w, pair[1], pair[0]);
    }
    task
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn an_exported_task_imports_as_the_same_graph(seed in any::<u64>()) {
        let original = graph();
        let task = write(&original, |w| Ok(investigate(w, seed)));
        let bytes = export(&original, task);

        let copy = graph();
        let (imported, first) = copy.import_task(bytes.as_slice()).unwrap();
        prop_assert_eq!(imported, task);
        prop_assert_eq!(first.known, 0);
        prop_assert!(export(&copy, task) == bytes, "the copy exports to other bytes");

        let (_, second) = copy.import_task(bytes.as_slice()).unwrap();
        prop_assert_eq!(second.total(), 0);
        prop_assert_eq!(second.known, first.total());
        prop_assert!(export(&copy, task) == bytes, "importing twice changed the copy");
    }
}

#[test]
fn an_import_recognises_the_pages_papers_and_passages_the_graph_already_has() {
    let original = graph();
    let task = write(&original, |w| {
        let task = task(w, "q");
        let (paper, page) = (
            paper(w, "10.1/x", "t", Some(2020), "v"),
            page(w, "a.com", "a", DomainCategory::Low, None),
        );
        let claim = claim(w, task, "c");
        judge(w, fragment(w, paper, "from the paper"), claim, Stance::Supports, 0.9);
        judge(w, fragment(w, page, "from the page"), claim, Stance::Refutes, 0.8);
        Ok(task)
    });

    // The same things under other ids, as on another machine.
    let other = graph_with(Options { id_seed: Some(2), ..options() });
    let known = other
        .write(Cause::new("test"), |w| {
            let known = paper(w, "10.1/X", "t", None, "v");
            fragment(w, known, "from the paper");
            Ok(known)
        })
        .unwrap();
    let (_, report) = other.import_task(export(&original, task).as_slice()).unwrap();
    assert_eq!(report.rows.get("pages"), Some(&1), "only a.com was new");
    assert_eq!(report.rows.get("works"), None);
    assert_eq!(report.rows.get("fragments"), Some(&1));
    assert_eq!(count(&other, "works"), 1);
    let joined = format!(
        "edges e JOIN fragments f ON f.id = e.source_id WHERE f.page_id = '{known}' AND e.relation = 'supports'"
    );
    assert_eq!(count(&other, &joined), 1, "the stance rests on the page that was already here");
}

#[test]
fn an_export_tells_nothing_of_what_another_task_was_about() {
    let graph = graph();
    let shared = |w: &Writer<'_>| page(w, "a.com", "shared", DomainCategory::Low, None);
    let secret = write(&graph, |w| Ok(task(w, "the secret merger")));
    let cause = Cause::new("search")
        .in_task(secret)
        .with(serde_json::json!({ "query": "secret merger price" }));
    graph.write(cause, |w| Ok(shared(w))).unwrap();
    let open = write(&graph, |w| {
        let open = task(w, "weather");
        let claim = claim(w, open, "it rains");
        judge(w, fragment(w, shared(w), "rain"), claim, Stance::Supports, 0.9);
        Ok(open)
    });
    let text = String::from_utf8(export(&graph, open)).unwrap();
    assert!(text.contains("it rains"));
    assert!(!text.contains("merger"), "{text}");
    assert!(!text.contains(&secret.to_string()));
}

/// An export with one claim, and what it becomes when `change` rewrites its lines.
fn refusal(change: impl Fn(&str) -> String) -> (World, ImportError) {
    let original = graph();
    let task = write(&original, |w| {
        let task = task(w, "q");
        let page = page(w, "a.com", "a", DomainCategory::Low, None);
        judge(w, fragment(w, page, "text"), claim(w, task, "claim"), Stance::Supports, 0.5);
        Ok(task)
    });
    let text = change(&String::from_utf8(export(&original, task)).unwrap());
    let target = graph();
    let error = target.import_task(text.as_bytes()).unwrap_err();
    (target, error)
}

#[test]
fn a_bad_line_is_named_and_nothing_of_the_file_is_kept() {
    type Change = fn(&str) -> String;
    let newer = format!(
        "the export was written by a newer Lyra (format 9, schema {})",
        graph::SCHEMA_VERSION
    );
    let cases: [(Change, &str); 10] = [
        (|_| String::new(), "this is not a Lyra export: the file is empty"),
        (|_| r#"{"a":1}"#.to_owned(), "this is not a Lyra export: the first line has no format"),
        (|t| t.replace(r#""lyra_export":1"#, r#""lyra_export":9"#), &newer),
        (
            |t| t.replace(r#""table":"claims""#, r#""table":"sessions""#),
            "line 6: `sessions` is not a table of an export",
        ),
        (
            |t| t.replace(r#""claim_text":"#, r#""claim_txt":"#),
            "line 6: claims has no column `claim_txt`",
        ),
        (
            |t| t.replace(r#""claim_text":"claim""#, r#""claim_text":"other""#),
            "line 6: `claim_text_hash` is not the hash of `claim_text`",
        ),
        (
            |t| t.replace(r#""nli_confidence":0.5"#, r#""nli_confidence":5"#),
            "line 7: the row is not allowed: CHECK constraint failed: nli_confidence BETWEEN 0 AND 1",
        ),
        (
            |t| t.replace(r#""created_at":"2026"#, r#""created_at":"soon 2026"#),
            "line 2: `created_at` is not a time",
        ),
        (
            |t| t.replace(r#"{"table":"pages""#, "pages"),
            "line 4: expected value at line 1 column 1",
        ),
        (
            |t| {
                t.lines().filter(|it| !it.contains(r#""fragments""#)).collect::<Vec<_>>().join("\n")
            },
            "the export is cut off or incomplete: a row refers to one that is not there",
        ),
    ];
    for (change, message) in cases {
        let (target, error) = refusal(change);
        assert_eq!(error.to_string(), message);
        assert_eq!(count(&target, "events") + count(&target, "pages"), 0, "{message}");
    }
}

#[test]
fn an_id_that_could_not_be_read_back_is_refused() {
    let (_, error) = refusal(|text| text.replace("\"id\":\"c_", "\"id\":\"c_\\u001b"));
    let message = error.to_string();
    assert!(message.starts_with("line 6: `c_"), "{message}");
    assert!(message.contains("is not a claim id"), "{message}");
}

#[test]
fn csv_has_one_file_a_table_with_a_header() {
    let graph = graph();
    let task = write(&graph, |w| {
        let task = task(w, "q");
        claim(w, task, "first, with a comma");
        claim(w, task, "二つ目");
        Ok(task)
    });
    let folder = graph.dir.path().join("csv");
    let report = graph.export_csv(task, &folder, false).unwrap();
    assert_eq!(report.rows.get("claims"), Some(&2));
    let text = std::fs::read_to_string(folder.join("claims.csv")).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("id,task_id,claim_text,claim_text_hash,"), "{}", lines[0]);
    assert!(lines[1].contains(",\"first, with a comma\","), "{}", lines[1]);
    assert!(lines[2].contains(",二つ目,"), "{}", lines[2]);
}
