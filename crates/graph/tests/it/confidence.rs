//! Confidence in SQL and in Rust, and the list of evidence it is made from.

use evidence::{ClaimId, Confidence, DomainCategory, Id, Node, Relation, Stance, TaskId};
use graph::{ClaimEvidence, Graph, NewClaim, NewEdge};
use proptest::prelude::*;

use crate::support::{claim, fragment, graph, judge, options, page, paper, task, write};

/// Claims of one task, each with its edges as (stance, certainty in thousandths).
fn claims() -> impl Strategy<Value = Vec<Vec<(Stance, u32)>>> {
    let edge = (prop::sample::select(Stance::ALL), 0..=1000_u32);
    prop::collection::vec(prop::collection::vec(edge, 0..12), 1..5)
}

/// A task with these claims, in a graph that also holds another task with the same ones.
fn recorded(claims: &[Vec<(Stance, u32)>]) -> (Graph, TaskId, Vec<ClaimId>) {
    let graph = Graph::in_memory(options()).unwrap();
    let (task, ids) = write(&graph, |w| {
        let page = page(w, "a.example", "a", DomainCategory::Low, None);
        let mut tasks = [task(w, "one"), task(w, "two")].map(|task| (task, Vec::new()));
        for (task, ids) in &mut tasks {
            for (c, edges) in claims.iter().enumerate() {
                let claim = claim(w, *task, &format!("claim {c}"));
                for (e, (stance, certainty)) in edges.iter().enumerate() {
                    let fragment = fragment(w, page, &format!("{c} {e}"));
                    judge(w, fragment, claim, *stance, f64::from(*certainty) / 1000.0);
                }
                ids.push(claim);
            }
        }
        let [_, last] = tasks;
        Ok(last)
    });
    (graph, task, ids)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn sql_and_rust_agree_on_confidence(claims in claims()) {
        let (graph, task, ids) = recorded(&claims);
        let rows = graph.read(|r| r.query_view("v_claim_evidence_summary", Some(task), 100)).unwrap();
        prop_assert_eq!(rows.rows.len(), claims.len());
        for ((row, edges), id) in rows.rows.iter().zip(&claims).zip(ids) {
            let in_sql = |column: &str| {
                let index = rows.columns.iter().position(|it| it == column).unwrap();
                row[index].as_f64().unwrap()
            };
            let count = |stance| edges.iter().filter(|it| it.0 == stance).count() as f64;
            let weighed = edges.iter().map(|(s, w)| (Relation::from(*s), f64::from(*w) / 1000.0));
            let expected = Confidence::from_edges(weighed);
            for (column, expected) in [
                ("bayesian_confidence", expected.confidence),
                ("uncertainty", expected.uncertainty),
                ("controversy", expected.controversy),
                ("alpha", expected.alpha),
                ("beta", expected.beta),
                ("evidence_count", f64::from(expected.evidence_count)),
                ("support_count", count(Stance::Supports)),
                ("refute_count", count(Stance::Refutes)),
                ("neutral_count", count(Stance::Neutral)),
            ] {
                let found = in_sql(column);
                prop_assert!((found - expected).abs() < 1e-12, "{column}: {found} and {expected}");
            }
            let listed = graph.read(|r| r.evidence_of(id)).unwrap().confidence;
            prop_assert!((listed.confidence - expected.confidence).abs() < 1e-12);
            prop_assert_eq!(listed.evidence_count, expected.evidence_count);
        }
    }
}

/// One line for each piece of evidence.
fn shown(evidence: &ClaimEvidence) -> String {
    let line = |item: &graph::EvidenceItem| {
        let or = |text: &Option<String>| text.clone().unwrap_or_else(|| "?".to_owned());
        format!(
            "{} {} | {} | {} | {} | {} | {} | {} | {} | {} | {}",
            item.relation,
            item.nli_confidence,
            item.source_type,
            item.source_domain_category,
            or(&item.year.map(|it| it.to_string())),
            or(&item.title),
            or(&item.url),
            or(&item.doi),
            or(&item.venue),
            item.excerpt,
            item.edge_human_corrected,
        )
    };
    evidence.evidence.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn evidence_comes_with_its_source_year_and_venue() {
    let graph = graph();
    let (target, fragments, edge) = write(&graph, |w| {
        let task = task(w, "q");
        let study = paper(w, "10.1000/ABC", "Study", Some(2015), "Lancet");
        let site = page(w, "mhlw.go.jp", "厚労省", DomainCategory::Government, None);
        let target = claim(w, task, "緑茶は血圧を下げる");
        let from_study = w.record_claim(&NewClaim {
            task_id: task,
            text: "tea lowers pressure".to_owned(),
            language: None,
            origin_fragment_id: Some(fragment(w, study, "Pressure fell.")),
            extraction_method: None,
            extraction_confidence: None,
        })?;
        let from_nowhere = claim(w, task, "tea is water");
        let fragments = [
            fragment(w, study, "No difference was seen."),
            fragment(w, site, "緑茶は有効である。"),
        ];
        let edge = judge(w, fragments[0], target, Stance::Refutes, 0.75);
        judge(w, fragments[1], target, Stance::Supports, 0.5);
        for (source, stance, confidence) in
            [(from_study, Stance::Supports, 0.625), (from_nowhere, Stance::Neutral, 1.0)]
        {
            w.add_edge(&NewEdge::Stance {
                source: Node::Claim(source),
                target,
                stance,
                confidence,
                model: "m".to_owned(),
                kind: None,
                about: true,
            })?;
        }
        Ok((target, fragments, edge))
    });
    let evidence = graph.read(|r| r.evidence_of(target)).unwrap();
    insta::assert_snapshot!(shown(&evidence), @r"
    supports 0.625 | claim | academic | 2015 | Study | https://doi.org/10.1000/ABC | 10.1000/abc | Lancet | tea lowers pressure | false
    supports 0.5 | fragment | government | ? | 厚労省 | https://mhlw.go.jp/厚労省 | ? | ? | 緑茶は有効である。 | false
    refutes 0.75 | fragment | academic | 2015 | Study | https://doi.org/10.1000/ABC | 10.1000/abc | Lancet | No difference was seen. | false
    neutral 1 | claim | unverified | ? | ? | ? | ? | ? | tea is water | false
    ");
    assert_eq!(
        (evidence.evidence_years.oldest, evidence.evidence_years.newest),
        (Some(2015), Some(2015))
    );
    assert_eq!(evidence.confidence, graph.read(|r| r.confidence_of(target)).unwrap());
    assert_eq!(evidence.confidence.alpha, 2.125);
    let refuting = &evidence.evidence[2];
    assert_eq!((refuting.edge_id, &refuting.source_id), (edge, &fragments[0].to_string()));
    let json = serde_json::to_value(&evidence).unwrap();
    assert_eq!(json["evidence"][1]["year"], serde_json::Value::Null, "unknown years stay unknown");
    assert_eq!(json["beta"], 1.75, "confidence is flat");
}

#[test]
fn a_claim_without_evidence_has_an_empty_list_and_no_years() {
    let graph = graph();
    let alone = write(&graph, |w| Ok(claim(w, task(w, "q"), "c")));
    let evidence = graph.read(|r| r.evidence_of(alone)).unwrap();
    assert_eq!(
        serde_json::to_value(&evidence).unwrap(),
        serde_json::json!({
            "confidence": 0.5, "uncertainty": (1.0_f64 / 12.0).sqrt(), "controversy": 0.0,
            "alpha": 1.0, "beta": 1.0, "evidence_count": 0, "extraction": null,
            "evidence": [], "evidence_years": { "oldest": null, "newest": null },
        })
    );
}

#[test]
fn the_evidence_of_a_claim_that_is_not_there_is_an_error() {
    let nothing = ClaimId::from_parts(1, 1);
    let error = graph().read(|r| r.evidence_of(nothing)).unwrap_err();
    assert_eq!(error.to_string(), format!("no claim {nothing}"));
}
