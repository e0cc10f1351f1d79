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

use evidence::{CitationSource, ClaimId, DomainCategory, FragmentId, Node, PageId, Stance, TaskId};
use graph::{
    Access, Graph, NewClaim, NewEdge, NewPage, NewSearch, NewSerpItem, NewWork, Options, Rows,
    ViewOptions, ViewSettings, WorkIdentifier, Writer,
};
use serde_json::Value;

use crate::support::{World, cite, claim, fragment, judge, options, page, task, write};

fn fixed_year() -> Options {
    let settings = ViewSettings { this_year: Some(2026), ..ViewSettings::default() };
    Options { views: ViewOptions { user_dir: None, settings }, ..options() }
}

struct Investigation {
    graph: World,
    a: TaskId,
    b: TaskId,
    c1: ClaimId,
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
    use DomainCategory::{Government, Low, Primary, Unverified};
    use Stance::{Neutral, Refutes, Supports};

    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("lyra.db");
    let graph = World::new(Graph::open(&path, Access::Write, fixed_year()).unwrap(), dir);
    let mut names = HashMap::new();
    let (a, b, c1) = write(&graph, |w| {
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
                page_id,
            })?;
        }
        Ok((a, b, c1))
    });
    let path = graph.path().unwrap();
    rusqlite::Connection::open(path)
        .unwrap()
        .execute("UPDATE claims SET claim_adoption_status = 'not_adopted' WHERE claim_text = 'espresso cures colds'", [])
        .unwrap();
    Investigation { graph, a, b, c1, names }
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
    task_id | source_fragment_id | source_page_id | first_relation | intermediate_claim_id | intermediate_claim_text | intermediate_claim_adoption_status | second_relation | derived_claim_id | derived_claim_text | claim_adoption_status | chain_confidence
    A | f:trial | trial | supports | c1 | coffee lowers the risk | adopted | supports | c5 | coffee prolongs life | adopted | 0.450
    A | f:who | who | supports | c1 | coffee lowers the risk | adopted | supports | c5 | coffee prolongs life | adopted | 0.400
    A | f:review | review | refutes | c1 | coffee lowers the risk | adopted | supports | c5 | coffee prolongs life | adopted | 0.350
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
