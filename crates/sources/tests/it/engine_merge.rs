//! Answers of several engines as one list.

use sources::{Candidate, Hit, Query, merge};

fn candidate(
    engine: &str,
    rank: u32,
    title: &str,
    url: &str,
    snippet: &str,
    date: Option<&str>,
) -> Candidate {
    Candidate {
        found_on: None,
        title: title.to_owned(),
        url: url.parse().unwrap(),
        snippet: (!snippet.is_empty()).then(|| snippet.to_owned()),
        date: date.map(str::to_owned),
        engine: engine.to_owned(),
        rank,
        source_tag: "web".to_owned(),
        paper: None,
        text: None,
    }
}

/// One hit a line: address and date, then those beside it.
fn read(hits: &[Hit]) -> String {
    let name = |it: &Candidate| {
        format!("{} {} ({})", it.url, it.date.as_deref().unwrap_or("-"), it.engine)
    };
    let line = |hit: &Hit| {
        let beside: Vec<String> = hit.auxiliary.iter().map(name).collect();
        format!("{} <- [{}]", name(&hit.candidate), beside.join(", "))
    };
    hits.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn query(text: &str) -> Query {
    Query { text: text.to_owned(), ..Query::default() }
}

#[test]
fn the_same_page_named_by_two_engines_is_one_hit_and_the_newest_leads() {
    let hits = merge(
        &query("heat pump cost"),
        [
            vec![
                candidate(
                    "bing",
                    1,
                    "Heat pump cost",
                    "https://www.a.example/cost/",
                    "heat pump cost",
                    None,
                ),
                candidate("bing", 2, "Other", "https://b.example/x", "nothing of it", None),
            ],
            vec![candidate("mojeek", 1, "Cost", "http://a.example/cost", "", Some("2026-04-01"))],
            vec![candidate("brave", 3, "Cost", "https://a.example/cost", "", Some("2025-04-01"))],
        ],
    );
    insta::assert_snapshot!(read(&hits), @r"
    http://a.example/cost 2026-04-01 (mojeek) <- [https://www.a.example/cost/ - (bing), https://a.example/cost 2025-04-01 (brave)]
    https://b.example/x - (bing) <- []
    ");
    assert_eq!(
        hits[0].candidate.snippet.as_deref(),
        Some("heat pump cost"),
        "nothing known is lost"
    );
}

#[test]
fn an_older_edition_of_a_page_stands_beside_the_newest() {
    let title = "電気料金の改定に関する資料";
    let hits = merge(
        &query("電気料金"),
        [vec![
            candidate(
                "bing",
                1,
                title,
                "https://www.meti.go.jp/2024.html",
                "旧",
                Some("2024-03-01"),
            ),
            candidate("bing", 2, title, "https://www.meti.go.jp/2026.html", "新", Some("2026-03")),
            candidate(
                "bing",
                3,
                title,
                "https://copy.example/2026.html",
                "写し",
                Some("2026-03-02"),
            ),
        ]],
    );
    insta::assert_snapshot!(read(&hits), @r"
    https://www.meti.go.jp/2026.html 2026-03 (bing) <- [https://www.meti.go.jp/2024.html 2024-03-01 (bing)]
    https://copy.example/2026.html 2026-03-02 (bing) <- []
    ");
}

#[test]
fn short_titles_and_undated_results_are_not_taken_for_editions() {
    let hits = merge(
        &query("report"),
        [vec![
            candidate("bing", 1, "Home", "https://a.example/1", "", Some("2024-03-01")),
            candidate("bing", 2, "Home", "https://a.example/2", "", Some("2026-03-01")),
            candidate("bing", 3, "A title that is long enough", "https://a.example/3", "", None),
            candidate("bing", 4, "A title that is long enough", "https://a.example/4", "", None),
        ]],
    );
    assert_eq!(hits.len(), 4);
}

#[test]
fn words_of_the_query_in_title_and_snippet_come_before_the_engines_order() {
    let hits = merge(
        &query("東京都の条例 太陽光"),
        [vec![
            candidate("bing", 1, "観光案内", "https://a.example/1", "東京の名所", None),
            candidate(
                "bing",
                2,
                "東京都環境確保条例",
                "https://a.example/2",
                "太陽光発電の設置義務",
                None,
            ),
        ]],
    );
    assert_eq!(hits[0].candidate.url.as_str(), "https://a.example/2");
    assert!(hits[0].priority > hits[1].priority);
    assert!(hits.iter().all(|it| (0.0..=1.0).contains(&it.priority)));
}

#[test]
fn nothing_merges_to_nothing() {
    assert_eq!(merge(&query("x"), Vec::new()), []);
    assert_eq!(
        merge(&query(""), [vec![candidate("bing", 1, "", "https://a.example/", "", None)]]).len(),
        1
    );
}
