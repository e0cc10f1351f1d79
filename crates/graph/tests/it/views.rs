//! Each view on one small investigation, row by row.
//!
//! ```text
//! task A                       trial 2015  who 2019  review 2024  ja 2022  blog ?
//! c1 coffee lowers the risk      + .9        + .8      - .7                  0 .6   taken from trial
//! c2 緑茶は血圧を下げる                      + .6                 + .95
//! c3 decaf has no effect
//! c4 espresso cures colds        - .8                                       + .9   not adopted
//! c5 coffee prolongs life                   and c1 + .5
//! c6 caffeine is the cause       - .6                  + .9      + .5
//! c7 two cups are enough         + .85       - .4                            + .3
//! task B
//! d1 コーヒーは安全である                    + .8                 - .8
//! ```
//!
//! review and trial cite each other; review and a passage of who cite old (1998), which nobody read;
//! old and textbook (year unknown) cite each other. A passage of who points at its own page. lone
//! (2025) was found by a search of task A and says nothing.

use std::collections::HashMap;

use evidence::{CitationSource, DomainCategory, FragmentId, Id, Node, PageId, Stance, TaskId};
use graph::{
    Access, Graph, NewClaim, NewEdge, NewPage, NewSearch, NewSerpItem, NewWork, Options, Rows,
    ViewOptions, ViewOrigin, ViewSettings, WorkIdentifier, Writer,
};
use serde_json::Value;

use crate::support::{World, cite, claim, fragment, judge, options, page, task, write};

fn fixed_year() -> Options {
    let settings = ViewSettings { this_year: 2026, ..ViewSettings::default() };
    Options { views: ViewOptions { user_dir: None, settings }, ..options() }
}

struct Investigation {
    graph: World,
    a: TaskId,
    b: TaskId,
    /// What to call an id in a test.
    names: HashMap<String, &'static str>,
}

impl Investigation {
    /// The rows of a view, first of task A, then of task B; ids replaced by the names above.
    fn of_both_tasks(&self, view: &str) -> String {
        let mut rows = self.rows(view, self.a);
        rows.rows.extend(self.rows(view, self.b).rows);
        self.shown(&rows)
    }

    fn rows(&self, view: &str, task: TaskId) -> Rows {
        let rows = self.graph.read(|r| r.query_view(view, Some(task), 100)).unwrap();
        assert!(!rows.truncated);
        rows
    }

    fn shown(&self, rows: &Rows) -> String {
        let lines = rows
            .rows
            .iter()
            .map(|row| row.iter().map(|value| self.value(value)).collect::<Vec<_>>().join(" | "));
        let header = rows.columns.join(" | ");
        std::iter::once(header).chain(lines).collect::<Vec<_>>().join("\n")
    }

    fn value(&self, value: &Value) -> String {
        match value {
            Value::Null => "?".to_owned(),
            Value::Number(it) if it.is_f64() => format!("{:.3}", it.as_f64().unwrap()),
            Value::String(text) => {
                let mut text = text.clone();
                for (id, name) in &self.names {
                    text = text.replace(id, name);
                }
                text.replace('"', "")
            }
            other => other.to_string(),
        }
    }
}

/// The file as another tool sees it: one with `sqrt`, as SQLite's own command line has.
fn raw(it: &Investigation) -> rusqlite::Connection {
    let connection = rusqlite::Connection::open(it.graph.dir.path().join("lyra.db")).unwrap();
    let flags = rusqlite::functions::FunctionFlags::SQLITE_DETERMINISTIC;
    connection
        .create_scalar_function("sqrt", 1, flags, |it| it.get::<f64>(0).map(f64::sqrt))
        .unwrap();
    connection
}

fn select(connection: &rusqlite::Connection, sql: &str) -> Vec<Vec<Value>> {
    use rusqlite::types::ValueRef;

    let mut statement = connection.prepare(sql).unwrap();
    let columns = statement.column_count();
    let value = |value: ValueRef<'_>| match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(text) => String::from_utf8(text.to_vec()).unwrap().into(),
        ValueRef::Blob(_) => panic!("no view shows a blob"),
    };
    let mut rows = statement.query([]).unwrap();
    let mut found = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        found.push((0..columns).map(|index| value(row.get_ref(index).unwrap())).collect());
    }
    found
}

fn work_page(w: &Writer<'_>, name: &str, year: Option<i32>, citation_count: Option<u32>) -> PageId {
    let doi = WorkIdentifier { scheme: "doi".to_owned(), value: format!("10.1/{name}") };
    let work = NewWork {
        title: name.to_owned(),
        year,
        venue: Some("Lancet".to_owned()),
        citation_count,
        source_api: None,
        identifiers: vec![doi],
    };
    let work_id = Some(w.record_work(&work).unwrap());
    w.record_page(&NewPage {
        url: format!("https://doi.org/10.1/{name}"),
        domain: "doi.org".to_owned(),
        domain_category: DomainCategory::Academic,
        title: Some(name.to_owned()),
        language: None,
        // The year of the work wins over the year a site claims.
        year: Some(1900),
        work_id,
    })
    .unwrap()
}

fn cite_from_passage(w: &Writer<'_>, source: FragmentId, target: PageId) {
    w.add_edge(&NewEdge::Citation {
        source: Node::Fragment(source),
        target: Node::Page(target),
        seen_by: CitationSource::Extraction,
        context: None,
    })
    .unwrap();
}

fn investigation() -> Investigation {
    investigation_with(fixed_year().views.settings)
}

fn investigation_with(settings: ViewSettings) -> Investigation {
    use DomainCategory::{Government, Low, Primary, Unverified};
    use Stance::{Neutral, Refutes, Supports};

    let options = Options { views: ViewOptions { user_dir: None, settings }, ..options() };
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("lyra.db");
    let graph = World::new(Graph::open(&path, Access::Write, options).unwrap(), dir);
    let mut names = HashMap::new();
    let (a, b) = write(&graph, |w| {
        let mut name = |id: String, name| {
            names.insert(id, name);
        };
        let (a, b) = (task(w, "Is coffee healthy?"), task(w, "コーヒーは安全か"));
        name(a.to_string(), "A");
        name(b.to_string(), "B");

        let trial = work_page(w, "trial", Some(2015), Some(300));
        let review = work_page(w, "review", Some(2024), None);
        let who = page(w, "who.int", "who", Primary, Some(2019));
        let ja = page(w, "mhlw.go.jp", "ja", Government, Some(2022));
        let blog = page(w, "blog.example", "blog", Unverified, None);
        let old = work_page(w, "old", Some(1998), Some(40));
        let textbook = page(w, "books.example", "textbook", Low, None);
        let lone = page(w, "news.example", "lone", Low, Some(2025));
        for (id, label) in [
            (trial, "trial"),
            (review, "review"),
            (who, "who"),
            (ja, "ja"),
            (blog, "blog"),
            (old, "old"),
            (textbook, "textbook"),
            (lone, "lone"),
        ] {
            name(id.to_string(), label);
        }
        let f_trial = fragment(w, trial, "Risk fell by 12% in the coffee group.");
        let f_review = fragment(w, review, "Pooled data show no effect.");
        let f_who = fragment(w, who, "Moderate consumption is acceptable.");
        let f_who2 = fragment(w, who, "See an earlier study.");
        let f_ja = fragment(w, ja, "緑茶の摂取は血圧を下げると報告されている。");
        let f_blog = fragment(w, blog, "My uncle drinks ten cups.");
        for (id, label) in [
            (f_trial, "f:trial"),
            (f_review, "f:review"),
            (f_who, "f:who"),
            (f_who2, "f:who2"),
            (f_ja, "f:ja"),
            (f_blog, "f:blog"),
        ] {
            name(id.to_string(), label);
        }

        let c1 = w.record_claim(&NewClaim {
            task_id: a,
            text: "coffee lowers the risk".to_owned(),
            language: None,
            origin_fragment_id: Some(f_trial),
            extraction_method: None,
            extraction_confidence: None,
        })?;
        let c2 = claim(w, a, "緑茶は血圧を下げる");
        let c3 = claim(w, a, "decaf has no effect");
        let c4 = claim(w, a, "espresso cures colds");
        let c5 = claim(w, a, "coffee prolongs life");
        let c6 = claim(w, a, "caffeine is the cause");
        let c7 = claim(w, a, "two cups are enough");
        let d1 = claim(w, b, "コーヒーは安全である");
        for (id, label) in [
            (c1, "c1"),
            (c2, "c2"),
            (c3, "c3"),
            (c4, "c4"),
            (c5, "c5"),
            (c6, "c6"),
            (c7, "c7"),
            (d1, "d1"),
        ] {
            name(id.to_string(), label);
        }

        judge(w, f_trial, c1, Supports, 0.9);
        judge(w, f_who, c1, Supports, 0.8);
        judge(w, f_review, c1, Refutes, 0.7);
        judge(w, f_blog, c1, Neutral, 0.6);
        judge(w, f_who, c2, Supports, 0.6);
        judge(w, f_ja, c2, Supports, 0.95);
        judge(w, f_blog, c4, Supports, 0.9);
        judge(w, f_trial, c4, Refutes, 0.8);
        w.add_edge(&NewEdge::Stance {
            source: Node::Claim(c1),
            target: c5,
            stance: Supports,
            confidence: 0.5,
            model: "test-judge".to_owned(),
            kind: None,
            about: true,
        })?;
        judge(w, f_trial, c6, Refutes, 0.6);
        judge(w, f_review, c6, Supports, 0.9);
        judge(w, f_ja, c6, Supports, 0.5);
        judge(w, f_trial, c7, Supports, 0.85);
        judge(w, f_blog, c7, Supports, 0.3);
        judge(w, f_who2, c7, Refutes, 0.4);
        judge(w, f_who, d1, Supports, 0.8);
        judge(w, f_ja, d1, Refutes, 0.8);

        cite(w, review, trial);
        cite(w, trial, review);
        cite(w, review, old);
        cite_from_passage(w, f_who2, old);
        cite_from_passage(w, f_who2, who);
        cite(w, old, textbook);
        cite(w, textbook, old);

        let search_id = w.record_search(&NewSearch {
            task_id: a,
            query: "coffee".to_owned(),
            options: serde_json::json!({}),
        })?;
        for (rank, (url, page_id)) in
            [("https://news.example/lone", Some(lone)), ("https://never.example/", None)]
                .into_iter()
                .enumerate()
        {
            w.record_serp_item(&NewSerpItem {
                search_id,
                engine: "e".to_owned(),
                rank: rank as u32 + 1,
                url: url.to_owned(),
                title: None,
                snippet: None,
                published_at: None,
                source_tag: None,
                page_id,
            })?;
        }
        Ok((a, b))
    });
    let path = graph.path().unwrap();
    rusqlite::Connection::open(path)
        .unwrap()
        .execute("UPDATE claims SET claim_adoption_status = 'not_adopted' WHERE claim_text = 'espresso cures colds'", [])
        .unwrap();
    Investigation { graph, a, b, names }
}

#[test]
fn the_summary_counts_every_claim_and_weighs_no_neutral_edge() {
    insta::assert_snapshot!(investigation().of_both_tasks("v_claim_evidence_summary"), @r"
    task_id | claim_id | claim_text | claim_adoption_status | support_count | refute_count | neutral_count | evidence_count | alpha | beta | bayesian_confidence | uncertainty | controversy | is_controversial
    A | c1 | coffee lowers the risk | adopted | 2 | 1 | 1 | 4 | 2.700 | 1.700 | 0.614 | 0.210 | 0.292 | 1
    A | c2 | 緑茶は血圧を下げる | adopted | 2 | 0 | 0 | 2 | 2.550 | 1.000 | 0.718 | 0.211 | 0.000 | 0
    A | c3 | decaf has no effect | adopted | 0 | 0 | 0 | 0 | 1.000 | 1.000 | 0.500 | 0.289 | 0.000 | 0
    A | c4 | espresso cures colds | not_adopted | 1 | 1 | 0 | 2 | 1.900 | 1.800 | 0.514 | 0.231 | 0.471 | 1
    A | c5 | coffee prolongs life | adopted | 1 | 0 | 0 | 1 | 1.500 | 1.000 | 0.600 | 0.262 | 0.000 | 0
    A | c6 | caffeine is the cause | adopted | 2 | 1 | 0 | 3 | 2.400 | 1.600 | 0.600 | 0.219 | 0.300 | 1
    A | c7 | two cups are enough | adopted | 2 | 1 | 0 | 3 | 2.150 | 1.400 | 0.606 | 0.229 | 0.258 | 1
    B | d1 | コーヒーは安全である | adopted | 1 | 1 | 0 | 2 | 1.800 | 1.800 | 0.500 | 0.233 | 0.500 | 1
    ");
}

#[test]
fn contradictions_show_both_sides_with_categories_and_years() {
    insta::assert_snapshot!(investigation().of_both_tasks("v_contradictions"), @r"
    task_id | claim_id | claim_text | claim_adoption_status | support_count | refute_count | neutral_count | bayesian_confidence | uncertainty | controversy_score | supporting_fragments | refuting_fragments | supporting_claims | refuting_claims | supporting_categories | refuting_categories | supporting_years | refuting_years | newest_support_year | newest_refute_year | year_gap
    A | c4 | espresso cures colds | not_adopted | 1 | 1 | 0 | 0.514 | 0.231 | 0.471 | [f:blog] | [f:trial] | [] | [] | [unverified] | [academic] | [null] | [2015] | ? | 2015 | ?
    A | c6 | caffeine is the cause | adopted | 2 | 1 | 0 | 0.600 | 0.219 | 0.300 | [f:ja,f:review] | [f:trial] | [] | [] | [government,academic] | [academic] | [2022,2024] | [2015] | 2024 | 2015 | -9
    A | c1 | coffee lowers the risk | adopted | 2 | 1 | 1 | 0.614 | 0.210 | 0.292 | [f:trial,f:who] | [f:review] | [] | [] | [academic,primary] | [academic] | [2015,2019] | [2024] | 2019 | 2024 | 5
    A | c7 | two cups are enough | adopted | 2 | 1 | 0 | 0.606 | 0.229 | 0.258 | [f:blog,f:trial] | [f:who2] | [] | [] | [unverified,academic] | [primary] | [null,2015] | [2019] | 2015 | 2019 | 4
    B | d1 | コーヒーは安全である | adopted | 1 | 1 | 0 | 0.500 | 0.233 | 0.500 | [f:who] | [f:ja] | [] | [] | [primary] | [government] | [2019] | [2022] | 2019 | 2022 | 3
    ");
}

#[test]
fn unsupported_claims_are_those_nothing_speaks_for() {
    insta::assert_snapshot!(investigation().of_both_tasks("v_unsupported_claims"), @r"
    task_id | claim_id | claim_text | claim_adoption_status | evidence_count | support_count | refute_count | neutral_count | bayesian_confidence | uncertainty
    A | c3 | decaf has no effect | adopted | 0 | 0 | 0 | 0 | 0.500 | 0.289
    ");
}

#[test]
fn chains_lead_from_a_passage_over_one_claim_to_another() {
    insta::assert_snapshot!(investigation().of_both_tasks("v_evidence_chain"), @r"
    task_id | source_fragment_id | source_page_id | first_relation | intermediate_claim_id | intermediate_claim_text | intermediate_claim_adoption_status | second_relation | derived_claim_id | derived_claim_text | claim_adoption_status | chain_confidence | first_uncounted | second_uncounted
    A | f:trial | trial | supports | c1 | coffee lowers the risk | adopted | supports | c5 | coffee prolongs life | adopted | 0.450 | ? | ?
    A | f:who | who | supports | c1 | coffee lowers the risk | adopted | supports | c5 | coffee prolongs life | adopted | 0.400 | ? | ?
    A | f:review | review | refutes | c1 | coffee lowers the risk | adopted | supports | c5 | coffee prolongs life | adopted | 0.350 | ? | ?
    ");
}

#[test]
fn hubs_support_several_adopted_claims() {
    insta::assert_snapshot!(investigation().of_both_tasks("v_hub_pages"), @r"
    task_id | page_id | url | title | domain | domain_category | year | claims_supported | claims_refuted | not_adopted_supported | citation_count | cited_by_count
    A | trial | https://doi.org/10.1/trial | trial | doi.org | academic | 2015 | 2 | 1 | 0 | 300 | 1
    A | who | https://who.int/who | who | who.int | primary | 2019 | 2 | 1 | 0 | ? | 0
    A | ja | https://mhlw.go.jp/ja | ja | mhlw.go.jp | government | 2022 | 2 | 0 | 0 | ? | 0
    ");
}

#[test]
fn citations_are_followed_three_hops_and_loops_end() {
    insta::assert_snapshot!(investigation().of_both_tasks("v_citation_flow"), @r"
    task_id | citing_page_id | citing_title | citing_year | cited_page_id | cited_title | cited_year | citation_source | hop_distance
    A | trial | trial | 2015 | review | review | 2024 | semantic_scholar | 1
    A | review | review | 2024 | trial | trial | 2015 | semantic_scholar | 1
    A | review | review | 2024 | old | old | 1998 | semantic_scholar | 1
    A | who | who | 2019 | old | old | 1998 | extraction | 1
    A | old | old | 1998 | textbook | textbook | ? | semantic_scholar | 2
    A | textbook | textbook | ? | old | old | 1998 | semantic_scholar | 3
    B | who | who | 2019 | old | old | 1998 | extraction | 1
    B | old | old | 1998 | textbook | textbook | ? | semantic_scholar | 2
    B | textbook | textbook | ? | old | old | 1998 | semantic_scholar | 3
    ");
}

#[test]
fn clusters_are_pages_of_the_task_that_cite_each_other() {
    insta::assert_snapshot!(investigation().of_both_tasks("v_citation_clusters"), @r"
    task_id | cluster_id | page_ids | cluster_size | internal_citations | mutual_pairs
    A | trial | [trial,review] | 2 | 2 | 1
    ");
}

#[test]
fn orphans_are_pages_nobody_else_cites() {
    insta::assert_snapshot!(investigation().of_both_tasks("v_orphan_sources"), @r"
    task_id | page_id | url | title | domain | domain_category | year | claims_supported | not_adopted_supported | cites_count
    A | who | https://who.int/who | who | who.int | primary | 2019 | 2 | 0 | 1
    A | ja | https://mhlw.go.jp/ja | ja | mhlw.go.jp | government | 2022 | 2 | 0 | 0
    A | blog | https://blog.example/blog | blog | blog.example | unverified | ? | 1 | 1 | 0
    A | lone | https://news.example/lone | lone | news.example | low | 2025 | 0 | 0 | 0
    B | who | https://who.int/who | who | who.int | primary | 2019 | 1 | 0 | 1
    B | ja | https://mhlw.go.jp/ja | ja | mhlw.go.jp | government | 2022 | 0 | 0 | 0
    ");
}

#[test]
fn the_timeline_keeps_evidence_of_unknown_year_apart() {
    insta::assert_snapshot!(investigation().of_both_tasks("v_evidence_timeline"), @r"
    task_id | year | fragment_count | claim_count | support_count | refute_count | neutral_count | avg_confidence | not_adopted_claim_count
    A | ? | 1 | 2 | 1 | 0 | 1 | 0.300 | 1
    A | 2015 | 1 | 4 | 3 | 1 | 0 | 0.713 | 1
    A | 2019 | 2 | 3 | 2 | 1 | 0 | 0.600 | 0
    A | 2022 | 1 | 2 | 2 | 0 | 0 | 0.725 | 0
    A | 2024 | 1 | 2 | 1 | 1 | 0 | 0.800 | 0
    B | 2019 | 1 | 1 | 1 | 0 | 0 | 0.800 | 0
    B | 2022 | 1 | 1 | 0 | 1 | 0 | 0.800 | 0
    ");
}

#[test]
fn support_is_spread_over_the_years_that_are_known() {
    insta::assert_snapshot!(investigation().of_both_tasks("v_claim_temporal_support"), @r"
    task_id | claim_id | claim_text | claim_adoption_status | support_count | unknown_year_count | earliest_year | latest_year | year_span | supporting_years | temporal_consistency
    A | c1 | coffee lowers the risk | adopted | 2 | 0 | 2015 | 2019 | 4 | 2 | 0.667
    A | c2 | 緑茶は血圧を下げる | adopted | 2 | 0 | 2019 | 2022 | 3 | 2 | 1.000
    A | c4 | espresso cures colds | not_adopted | 1 | 1 | ? | ? | ? | 0 | 0.000
    A | c5 | coffee prolongs life | adopted | 1 | 0 | 2015 | 2015 | 0 | 1 | 1.000
    A | c6 | caffeine is the cause | adopted | 2 | 0 | 2022 | 2024 | 2 | 2 | 0.667
    A | c7 | two cups are enough | adopted | 2 | 1 | 2015 | 2015 | 0 | 1 | 0.500
    B | d1 | コーヒーは安全である | adopted | 1 | 0 | 2019 | 2019 | 0 | 1 | 0.500
    ");
}

#[test]
fn a_claim_emerges_when_its_balance_rises_over_the_years() {
    insta::assert_snapshot!(investigation().of_both_tasks("v_emerging_consensus"), @r"
    task_id | claim_id | claim_text | claim_adoption_status | support_trend | years_observed | first_year | last_year | support_count | refute_count | unknown_year_count
    A | c6 | caffeine is the cause | adopted | 0.239 | 3 | 2015 | 2024 | 2 | 1 | 0
    ");
}

#[test]
fn evidence_is_outdated_when_its_newest_known_year_is_more_than_five_years_ago() {
    insta::assert_snapshot!(investigation().of_both_tasks("v_outdated_evidence"), @r"
    task_id | claim_id | claim_text | claim_adoption_status | newest_evidence_year | years_since_update | dated_count | unknown_year_count
    A | c4 | espresso cures colds | not_adopted | 2015 | 11 | 1 | 1
    A | c5 | coffee prolongs life | adopted | 2015 | 11 | 1 | 0
    A | c7 | two cups are enough | adopted | 2019 | 7 | 2 | 1
    ");
}

#[test]
fn authority_is_the_mean_of_three_parts_and_unknown_ones_add_nothing() {
    insta::assert_snapshot!(investigation().of_both_tasks("v_source_authority"), @r"
    task_id | page_id | url | title | domain | domain_category | year | authority_score | citation_count | cited_by_count | cites_count | cited_by_part | citation_part | recency_part
    A | trial | https://doi.org/10.1/trial | trial | doi.org | academic | 2015 | 0.492 | 300 | 1 | 1 | 0.250 | 0.750 | 0.476
    A | review | https://doi.org/10.1/review | review | doi.org | academic | 2024 | 0.361 | ? | 1 | 2 | 0.250 | ? | 0.833
    A | lone | https://news.example/lone | lone | news.example | low | 2025 | 0.303 | ? | 0 | 0 | 0.000 | ? | 0.909
    A | ja | https://mhlw.go.jp/ja | ja | mhlw.go.jp | government | 2022 | 0.238 | ? | 0 | 0 | 0.000 | ? | 0.714
    A | who | https://who.int/who | who | who.int | primary | 2019 | 0.196 | ? | 0 | 1 | 0.000 | ? | 0.588
    A | blog | https://blog.example/blog | blog | blog.example | unverified | ? | 0.000 | ? | 0 | 0 | 0.000 | ? | ?
    B | ja | https://mhlw.go.jp/ja | ja | mhlw.go.jp | government | 2022 | 0.238 | ? | 0 | 0 | 0.000 | ? | 0.714
    B | who | https://who.int/who | who | who.int | primary | 2019 | 0.196 | ? | 0 | 1 | 0.000 | ? | 0.588
    ");
}

#[test]
fn decades_tell_where_evidence_was_divided_and_where_it_turned() {
    insta::assert_snapshot!(investigation().of_both_tasks("v_controversy_by_era"), @r"
    task_id | decade | controversial_claims | consensus_claims | shifted_claims | shift_detected | not_adopted_claims
    A | ? | 0 | 1 | ? | ? | 1
    A | 2010 | 1 | 4 | 0 | 0 | 1
    A | 2020 | 0 | 3 | 2 | 1 | 0
    B | 2010 | 0 | 1 | 0 | 0 | 0
    B | 2020 | 0 | 1 | 1 | 1 | 0
    ");
}

#[test]
fn age_gaps_count_pairs_of_pages_by_their_years() {
    insta::assert_snapshot!(investigation().of_both_tasks("v_citation_age_gap"), @r"
    task_id | citing_year | cited_year | age_gap | frequency
    A | 2015 | 2024 | -9 | 1
    A | 2019 | 1998 | 21 | 1
    A | 2024 | 1998 | 26 | 1
    A | 2024 | 2015 | 9 | 1
    B | 2019 | 1998 | 21 | 1
    ");
}

#[test]
fn freshness_is_the_age_of_what_is_dated() {
    insta::assert_snapshot!(investigation().of_both_tasks("v_evidence_freshness"), @r"
    task_id | claim_id | claim_text | claim_adoption_status | avg_evidence_age | newest_evidence_year | has_recent_support | has_recent_refutation | dated_count | unknown_year_count
    A | c1 | coffee lowers the risk | adopted | 6.667 | 2024 | 0 | 1 | 3 | 0
    A | c2 | 緑茶は血圧を下げる | adopted | 5.500 | 2022 | 1 | 0 | 2 | 0
    A | c3 | decaf has no effect | adopted | ? | ? | 0 | 0 | 0 | 0
    A | c4 | espresso cures colds | not_adopted | 11.000 | 2015 | 0 | 0 | 1 | 1
    A | c5 | coffee prolongs life | adopted | 11.000 | 2015 | 0 | 0 | 1 | 0
    A | c6 | caffeine is the cause | adopted | 5.667 | 2024 | 1 | 0 | 3 | 0
    A | c7 | two cups are enough | adopted | 9.000 | 2019 | 0 | 0 | 2 | 1
    B | d1 | コーヒーは安全である | adopted | 5.500 | 2022 | 0 | 1 | 2 | 0
    ");
}

#[test]
fn candidates_are_cited_by_the_task_and_not_read_yet() {
    insta::assert_snapshot!(investigation().of_both_tasks("v_reference_candidates"), @r"
    task_id | citing_page_id | citing_title | candidate_page_id | candidate_url | candidate_domain | candidate_title | candidate_year | citation_source | citing_pages_count
    A | review | review | old | https://doi.org/10.1/old | doi.org | old | 1998 | semantic_scholar | 2
    A | who | who | old | https://doi.org/10.1/old | doi.org | old | 1998 | extraction | 2
    B | who | who | old | https://doi.org/10.1/old | doi.org | old | 1998 | extraction | 1
    ");
}

#[test]
fn every_view_says_what_it_answers_and_what_each_column_means() {
    let views = investigation().graph.read(|r| r.views()).unwrap();
    let names: Vec<_> = views.iter().map(|it| it.name.as_str()).collect();
    let mut shipped: Vec<_> = graph::SHIPPED_VIEWS.iter().map(|it| it.name).collect();
    shipped.sort_unstable();
    assert_eq!(names, shipped);
    for view in &views {
        assert!(view.answers.ends_with('?'), "{}: {}", view.name, view.answers);
        assert_eq!(view.columns[0].name, "task_id", "{}", view.name);
        assert_eq!(view.origin, ViewOrigin::Shipped);
        for column in &view.columns {
            assert!(column.meaning.is_some(), "{} does not explain {}", view.name, column.name);
        }
    }
    let gap =
        views.iter().find(|it| it.name == "v_contradictions").unwrap().columns.last().unwrap();
    assert_eq!(
        gap.meaning.as_deref(),
        Some(
            "newest_refute_year - newest_support_year: above 0 when the refutation is newer; \
             null when either is unknown"
        )
    );
}

#[test]
fn a_view_that_shows_a_claim_shows_whether_it_is_adopted() {
    let views = investigation().graph.read(|r| r.views()).unwrap();
    let has = |view: &graph::ViewInfo, name: &str| view.columns.iter().any(|it| it.name == name);
    let (with_claims, without): (Vec<_>, Vec<_>) =
        views.iter().partition(|it| has(it, "claim_text") || has(it, "derived_claim_text"));
    assert_eq!(with_claims.len(), 8);
    assert!(with_claims.iter().all(|it| has(it, "claim_adoption_status")));
    assert!(!without.iter().any(|it| has(it, "claim_id")));
}

#[test]
fn no_view_judges_what_a_conflict_is() {
    for view in graph::SHIPPED_VIEWS {
        let text = view.template.to_lowercase();
        for word in ["misinformation", "debate", "superseded", "is_influential", "trust_level"] {
            assert!(!text.contains(word), "{} says {word}", view.name);
        }
    }
}

#[test]
fn rows_beyond_the_limit_are_left_out_and_that_is_said() {
    let it = investigation();
    let ask = |limit| it.graph.read(|r| r.query_view("v_hub_pages", Some(it.a), limit)).unwrap();
    let counts = [0, 2, 3, 4].map(|limit| (ask(limit).rows.len(), ask(limit).truncated));
    assert_eq!(counts, [(0, true), (2, true), (3, false), (3, false)]);
}

#[test]
fn without_a_task_a_view_answers_for_all() {
    let it = investigation();
    let all = it.graph.read(|r| r.query_view("contradictions", None, 100)).unwrap();
    let both = [it.a, it.b].map(|task| it.rows("v_contradictions", task).rows).concat();
    assert_eq!(all.rows, both);
}

#[test]
fn a_view_or_task_that_is_not_there_is_named() {
    let it = investigation();
    let error =
        |view: &str, task| it.graph.read(|r| r.query_view(view, task, 10)).unwrap_err().to_string();
    assert_eq!(
        error("v_contradiction", None),
        "no view `v_contradiction`; did you mean v_contradictions?"
    );
    assert_eq!(error("hub_page", None), "no view `hub_page`; did you mean v_hub_pages?");
    assert_eq!(error("x'; DROP TABLE claims; --", None), "no view `x'; DROP TABLE claims; --`");
    assert_eq!(error("", None), "no view ``");
    let nobody = TaskId::from_parts(1, 1);
    assert_eq!(error("v_hub_pages", Some(nobody)), format!("no task {nobody}"));
}

#[test]
fn a_rendered_view_stands_in_a_with_clause() {
    let it = investigation();
    let hubs = it.graph.read(|r| r.render_view("v_hub_pages", Some(it.a))).unwrap();
    let sql = format!("WITH hub AS ({hubs}) SELECT title FROM hub WHERE claims_refuted > 0");
    let connection = raw(&it);
    let mut statement = connection.prepare(&sql).unwrap();
    let titles: Vec<String> =
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert_eq!(titles, ["trial", "who"]);
}

#[test]
fn rendered_views_give_the_rows_of_the_installed_ones() {
    let it = investigation();
    let connection = raw(&it);
    for view in graph::SHIPPED_VIEWS {
        for task in [Some(it.a), None] {
            let sql = it.graph.read(|r| r.render_view(view.name, task)).unwrap();
            assert!(sql.starts_with("SELECT"), "{sql}");
            let expected = it.graph.read(|r| r.query_view(view.name, task, 100)).unwrap();
            let with = format!("WITH x AS ({sql}) SELECT * FROM x");
            assert_eq!(select(&connection, &with), expected.rows, "{}", view.name);
        }
    }
}

#[test]
fn the_year_is_asked_of_the_clock_unless_it_is_set() {
    let this_year = |settings| {
        let views = ViewOptions { user_dir: None, settings };
        let graph = Graph::in_memory(Options { views, ..options() }).unwrap();
        graph.read(|r| r.render_view("v_outdated_evidence", None)).unwrap()
    };
    let asked = "HAVING CAST(strftime('%Y', 'now') AS INTEGER) - max(year) > 5";
    assert!(this_year(ViewSettings::default()).contains(asked));
    let fixed = ViewSettings { this_year: 2026, ..ViewSettings::default() };
    assert!(this_year(fixed).contains("HAVING 2026 - max(year) > 5"));
}

/// A ring of pages that cite the next, and a chain beside it. All were found by one search.
fn ring_and_chain(settings: ViewSettings) -> (Graph, TaskId, Vec<PageId>) {
    let views = ViewOptions { user_dir: None, settings };
    let graph = Graph::in_memory(Options { views, ..options() }).unwrap();
    let (task, pages) = write(&graph, |w| {
        let task = task(w, "q");
        let search_id = w.record_search(&NewSearch {
            task_id: task,
            query: "q".to_owned(),
            options: serde_json::json!({}),
        })?;
        let pages: Vec<_> = (0..9)
            .map(|i| page(w, "a.example", &format!("p{i}"), DomainCategory::Low, None))
            .collect();
        for (rank, page) in pages.iter().enumerate() {
            w.record_serp_item(&NewSerpItem {
                search_id,
                engine: "e".to_owned(),
                rank: rank as u32,
                url: format!("https://a.example/p{rank}"),
                title: None,
                snippet: None,
                published_at: None,
                source_tag: None,
                page_id: Some(*page),
            })?;
        }
        for (from, to) in [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (8, 7), (7, 6), (6, 5)] {
            cite(w, pages[from], pages[to]);
        }
        Ok((task, pages))
    });
    (graph, task, pages)
}

fn clusters(graph: &Graph, task: TaskId) -> Vec<(String, i64, i64)> {
    let rows = graph.read(|r| r.query_view("v_citation_clusters", Some(task), 100)).unwrap().rows;
    let count = |value: &Value| value.as_i64().unwrap();
    rows.iter()
        .map(|row| (row[1].as_str().unwrap().to_owned(), count(&row[3]), count(&row[4])))
        .collect()
}

#[test]
fn a_ring_of_citations_is_one_cluster_and_does_not_turn_for_ever() {
    let (graph, task, pages) = ring_and_chain(ViewSettings::default());
    let expected = [(pages[0].to_string(), 5, 5), (pages[5].to_string(), 4, 3)];
    assert_eq!(clusters(&graph, task), expected);
}

#[test]
fn the_rounds_of_a_cluster_are_bounded() {
    // After one round p1 and p4 know p0, p2 knows p1, p3 knows p2; p6, p7, p8 know the page before.
    let settings = ViewSettings { cluster_rounds: 1, ..ViewSettings::default() };
    let (graph, task, pages) = ring_and_chain(settings);
    let expected = [(pages[0].to_string(), 3, 2), (pages[5].to_string(), 2, 1)];
    assert_eq!(clusters(&graph, task), expected);
}

#[test]
fn the_hops_of_the_flow_are_bounded() {
    for (max_hops, citations) in [(1, 4), (2, 5), (3, 6)] {
        let settings = ViewSettings { max_hops, ..fixed_year().views.settings };
        let it = investigation_with(settings);
        assert_eq!(it.rows("v_citation_flow", it.a).rows.len(), citations, "{max_hops} hops");
    }
}

#[test]
fn an_empty_graph_has_empty_views() {
    let graph = Graph::in_memory(options()).unwrap();
    let task = write(&graph, |w| Ok(task(w, "q")));
    for view in graph::SHIPPED_VIEWS {
        let rows = graph.read(|r| r.query_view(view.name, Some(task), 10)).unwrap();
        assert_eq!(rows.rows, [] as [Vec<Value>; 0], "{}", view.name);
    }
}

/// What one task costs in steps of SQLite's machine must not depend on the others in the file.
#[test]
fn asking_about_one_task_costs_the_same_however_many_others_there_are() {
    let it = investigation();
    let steps = || -> Vec<(&str, i32)> {
        let connection = raw(&it);
        let steps = |name| {
            let mut statement =
                connection.prepare(&format!("SELECT * FROM {name} WHERE task_id = ?1")).unwrap();
            let mut rows = statement.query([it.a.to_string()]).unwrap();
            while rows.next().unwrap().is_some() {}
            drop(rows);
            statement.get_status(rusqlite::StatementStatus::VmStep)
        };
        graph::SHIPPED_VIEWS.iter().map(|view| (view.name, steps(view.name))).collect()
    };
    let alone = steps();
    write(&it.graph, |w| {
        for number in 0..50 {
            let task = task(w, "another");
            let name = |what: &str| format!("{what} {number}");
            let source = page(w, "a.example", &name("source"), DomainCategory::Low, Some(2000));
            let cited = page(w, "a.example", &name("cited"), DomainCategory::Low, None);
            cite(w, source, cited);
            for text in ["one", "two"] {
                let claim = claim(w, task, text);
                judge(w, fragment(w, source, &name("yes")), claim, Stance::Supports, 0.5);
                judge(w, fragment(w, source, &name("no")), claim, Stance::Refutes, 0.5);
            }
        }
        Ok(())
    });
    for ((view, before), (_, after)) in alone.into_iter().zip(steps()) {
        // A range of an index may now end at a row of somebody else, where it ended with the index.
        assert!((before..before + 10).contains(&after), "{view}: {before} steps, now {after}");
    }
}
