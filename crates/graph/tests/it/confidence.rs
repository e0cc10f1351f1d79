//! Confidence in SQL and in Rust, and the list of evidence it is made from.

use evidence::voices::{Statement, StatementOrigin, uncounted};
use evidence::{
    ClaimId, Confidence, DomainCategory, Id, Node, Publisher, Relation, Stance, StatementKind,
    TaskId, Uncounted,
};
use graph::{ClaimEvidence, Graph, NewClaim, NewEdge, Writer};
use proptest::prelude::*;

use crate::support::{claim, fragment, graph, judge, options, page, paper, task, write};

/// A judgement and where it was made.
#[derive(Debug, Clone)]
struct Judged {
    stance: Stance,
    certainty: f64,
    publisher: u8,
    /// The story its page tells; 0 is none that others tell.
    story: u8,
    is_retracted: bool,
    kind: Option<StatementKind>,
    is_about: bool,
    is_corrected: bool,
}

fn judged() -> impl Strategy<Value = Judged> {
    let kind = prop::option::of(prop::sample::select(StatementKind::ALL));
    let rarely = || prop::bool::weighted(0.15);
    let page = (0..4_u8, 0..4_u8, rarely());
    (prop::sample::select(Stance::ALL), 0..=1000_u32, page, kind, rarely(), rarely()).prop_map(
        |(stance, thousandths, (publisher, story, is_retracted), kind, elsewhere, is_corrected)| {
            let certainty = f64::from(thousandths) / 1000.0;
            let is_about = !elsewhere;
            Judged {
                stance,
                certainty,
                publisher,
                story,
                is_retracted,
                kind,
                is_about,
                is_corrected,
            }
        },
    )
}

/// What counts of these, as (relation, certainty).
fn counted(edges: &[Judged]) -> Vec<(Relation, f64)> {
    let statement = |it: &Judged| Statement {
        origin: Some(StatementOrigin {
            publisher: Publisher::of_domain(&format!("p{}.example", it.publisher)),
            cluster: (it.story > 0).then(|| it.story.to_string()),
            is_retracted: it.is_retracted,
        }),
        is_corrected: it.is_corrected,
        is_notice: false,
        is_about: it.is_about,
        kind: it.kind,
        certainty: if it.is_corrected { 1.0 } else { it.certainty },
    };
    let (neutral, decided): (Vec<&Judged>, Vec<&Judged>) =
        edges.iter().partition(|it| it.stance == Stance::Neutral);
    let statements: Vec<Statement> = decided.iter().map(|it| statement(it)).collect();
    let reasons = uncounted(&statements);
    let heard = decided.iter().zip(&statements).zip(&reasons).filter(|it| it.1.is_none());
    let heard = heard.map(|((edge, said), _)| (Relation::from(edge.stance), said.certainty));
    let is_evidence = |it: &&&Judged| {
        it.is_corrected || (it.is_about && it.kind.is_none_or(StatementKind::is_evidence))
    };
    heard
        .chain(neutral.iter().filter(is_evidence).map(|it| (Relation::Neutral, it.certainty)))
        .collect()
}

/// Records judgements in the order given; what is known of their pages and what people say comes later.
fn record(w: &Writer<'_>, claims: &[Vec<Judged>], ids: &[ClaimId]) -> graph::Result<()> {
    let mut pages = Vec::new();
    let mut corrected = Vec::new();
    for (c, (edges, target)) in claims.iter().zip(ids).enumerate() {
        for (e, it) in edges.iter().enumerate() {
            let domain = format!("p{}.example", it.publisher);
            let name = format!("{} {}", it.story, it.is_retracted);
            let page = page(w, &domain, &name, DomainCategory::Low, None);
            pages.push((page, it));
            let edge = w.add_edge(&NewEdge::Stance {
                source: Node::Fragment(fragment(w, page, &format!("{c} {e}"))),
                target: *target,
                stance: it.stance,
                confidence: it.certainty,
                model: "m".to_owned(),
                kind: it.kind,
                about: it.is_about,
            })?;
            corrected.extend(it.is_corrected.then_some((edge, it.stance)));
        }
    }
    for (page, it) in pages {
        if it.story > 0 {
            w.cluster_page(page, &it.story.to_string())?;
        }
        if it.is_retracted {
            w.retract_page(page)?;
        }
    }
    for (edge, stance) in corrected {
        w.edge_correct(edge, stance, None)?;
    }
    Ok(())
}

/// A task with these claims, in a graph that also holds another task with the same ones.
fn recorded(claims: &[Vec<Judged>]) -> (Graph, TaskId, Vec<ClaimId>) {
    let graph = Graph::in_memory(options()).unwrap();
    let (task, ids) = write(&graph, |w| {
        let mut last = None;
        for query in ["one", "two"] {
            let task = task(w, query);
            let ids: Vec<ClaimId> =
                (0..claims.len()).map(|c| claim(w, task, &format!("claim {c}"))).collect();
            record(w, claims, &ids)?;
            last = Some((task, ids));
        }
        Ok(last.unwrap())
    });
    (graph, task, ids)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn sql_and_rust_agree_on_who_is_heard_and_on_confidence(
        claims in prop::collection::vec(prop::collection::vec(judged(), 0..12), 1..5),
    ) {
        let (graph, task, ids) = recorded(&claims);
        let rows = graph.read(|r| r.query_view("v_claim_evidence_summary", Some(task), 100)).unwrap();
        prop_assert_eq!(rows.rows.len(), claims.len());
        for ((row, edges), id) in rows.rows.iter().zip(&claims).zip(ids) {
            let in_sql = |column: &str| {
                let index = rows.columns.iter().position(|it| it == column).unwrap();
                row[index].as_f64().unwrap()
            };
            let heard = counted(edges);
            let count = |relation| heard.iter().filter(|it| it.0 == relation).count() as f64;
            let expected = Confidence::from_edges(heard.iter().copied());
            for (column, expected) in [
                ("bayesian_confidence", expected.confidence),
                ("uncertainty", expected.uncertainty),
                ("controversy", expected.controversy),
                ("alpha", expected.alpha),
                ("beta", expected.beta),
                ("evidence_count", f64::from(expected.evidence_count)),
                ("support_count", count(Relation::Supports)),
                ("refute_count", count(Relation::Refutes)),
                ("neutral_count", count(Relation::Neutral)),
            ] {
                let found = in_sql(column);
                prop_assert!((found - expected).abs() < 1e-12, "{column}: {found} and {expected}");
            }
            let (listed, claim) =
                graph.read(|r| Ok((r.evidence_of(id)?, r.task_claim(id)?))).unwrap();
            prop_assert_eq!(listed.evidence.len(), edges.len(), "what does not count is listed");
            prop_assert_eq!(listed.confidence.evidence_count, expected.evidence_count);
            prop_assert!((listed.confidence.confidence - expected.confidence).abs() < 1e-12);
            prop_assert!((claim.confidence.confidence - expected.confidence).abs() < 1e-12);
            let sources = (listed.supporting_sources, listed.refuting_sources);
            prop_assert_eq!(sources, (claim.support_count, claim.refute_count));
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
            item.quote,
            item.uncounted.map_or("counts", Uncounted::as_str),
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
    supports 0.5 | fragment | government | ? | 厚労省 | https://mhlw.go.jp/厚労省 | ? | ? | 緑茶は有効である。 | counts
    supports 0.625 | claim | academic | 2015 | Study | https://doi.org/10.1000/ABC | 10.1000/abc | Lancet | tea lowers pressure | same_voice
    refutes 0.75 | fragment | academic | 2015 | Study | https://doi.org/10.1000/ABC | 10.1000/abc | Lancet | No difference was seen. | counts
    neutral 1 | claim | unverified | ? | ? | ? | ? | ? | tea is water | counts
    ");
    assert_eq!(
        (evidence.evidence_years.oldest, evidence.evidence_years.newest),
        (Some(2015), Some(2015))
    );
    assert_eq!(evidence.confidence, graph.read(|r| r.confidence_of(target)).unwrap());
    assert_eq!(evidence.confidence.alpha, 1.5, "the study is heard against it");
    let refuting = &evidence.evidence[2];
    assert_eq!((refuting.edge_id, &refuting.source_id), (edge, &fragments[0].to_string()));
    let json = serde_json::to_value(&evidence).unwrap();
    assert_eq!(json["evidence"][0]["year"], serde_json::Value::Null, "unknown years stay unknown");
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
            "supporting_sources": 0, "refuting_sources": 0,
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
