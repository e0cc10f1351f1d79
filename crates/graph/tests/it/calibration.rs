//! Calibration: samples from what people said, versions in force and taken back.

use std::sync::Arc;

use evidence::calibration::CalibrationMethod::{Platt, Temperature};
use evidence::calibration::CalibrationSource::{LlmExtract, NliJudge};
use evidence::domain::DomainPolicy;
use evidence::{DomainCategory, EdgeId, Node, Stance};
use graph::{
    Access, CalibrationSettings, Cause, EvidenceSettings, FixedClock, Graph, NewClaim, NewEdge,
    Options, Writer,
};
use jiff::SignedDuration;
use proptest::prelude::*;

use crate::support::{World, claim, count, fragment, graph, judge, options, page, task, write};

/// Records one supporting edge per certainty.
fn judged(w: &Writer<'_>, name: &str, certainties: impl IntoIterator<Item = f64>) -> Vec<EdgeId> {
    let page = page(w, "a.com", name, DomainCategory::Unverified, None);
    let claim = claim(w, task(w, name), name);
    certainties
        .into_iter()
        .enumerate()
        .map(|(n, it)| {
            judge(w, fragment(w, page, &format!("{name} {n}")), claim, Stance::Supports, it)
        })
        .collect()
}

/// Has people look at edges: those for which `right` holds are confirmed, the others refuted.
fn looked_at(graph: &Graph, edges: &[EdgeId], right: impl Fn(usize) -> bool) {
    write(graph, |w| {
        for (n, edge) in edges.iter().enumerate() {
            let truth = if right(n) { Stance::Supports } else { Stance::Refutes };
            w.edge_correct(*edge, truth, None)?;
        }
        Ok(())
    });
}

/// An overconfident judge: says 0.95 forty times and is right in four of seven.
fn overconfident() -> World {
    let graph = graph();
    let edges = write(&graph, |w| Ok(judged(w, "seen", [0.95; 40])));
    looked_at(&graph, &edges, |n| n % 7 < 4);
    graph
}

fn certainty(graph: &Graph, edge: EdgeId) -> f64 {
    graph.read(|r| r.edge(edge)).unwrap().nli_confidence.unwrap()
}

fn refused<T: std::fmt::Debug>(
    graph: &Graph,
    record: impl FnOnce(&Writer<'_>) -> graph::Result<T>,
) -> String {
    graph.write(Cause::new("test"), record).unwrap_err().to_string()
}

#[test]
fn a_fresh_graph_has_nothing_to_measure_fit_or_undo() {
    let graph = graph();
    assert_eq!(
        refused(&graph, |w| w.evaluate_calibration(NliJudge)),
        "the calibration of nli_judge has no samples yet"
    );
    assert_eq!(
        refused(&graph, |w| w.fit_calibration(LlmExtract, Platt)),
        "the calibration of llm_extract needs 30 samples; there are 0"
    );
    assert_eq!(
        refused(&graph, |w| w.rollback_calibration(NliJudge, None, None)),
        "the calibration of nli_judge is not in force"
    );
    assert_eq!(
        refused(&graph, |w| w.activate_calibration(NliJudge, 3)),
        "no calibration version nli_judge 3"
    );
    let stats = graph.read(|r| r.calibration_stats(NliJudge, &graph.rules().calibration)).unwrap();
    assert_eq!((stats.sample_count, stats.current_version, stats.brier_score), (0, None, None));
    assert!(!stats.degradation_detected);
    assert_eq!(count(&graph, "events"), 0);
}

#[test]
fn one_prediction_is_one_sample_with_the_last_word_said_about_it() {
    let graph = graph();
    let edges = write(&graph, |w| Ok(judged(w, "a", [0.9, 0.6])));
    looked_at(&graph, &edges, |_| true);
    looked_at(&graph, &edges[..1], |_| false);
    let samples = graph.read(|r| r.calibration_samples(NliJudge)).unwrap();
    let mut shown: Vec<String> =
        samples.iter().map(|it| format!("{} {}", it.probability, it.correct)).collect();
    shown.sort();
    assert_eq!(shown, ["0.6 true", "0.9 false"]);
    assert_eq!(count(&graph, "nli_corrections"), 3);
}

#[test]
fn an_evaluation_is_stored_with_its_bins() {
    let graph = graph();
    let edges = write(&graph, |w| Ok(judged(w, "a", [0.9, 0.8, 0.7, 0.4])));
    looked_at(&graph, &edges, |n| n < 2);
    let it = write(&graph, |w| w.evaluate_calibration(NliJudge)).evaluation;
    // Worked out by hand: (0.01 + 0.04 + 0.49 + 0.16) / 4 and (0.1 + 0.2 + 0.7 + 0.4) / 4.
    assert!((it.brier_score - 0.175).abs() < 1e-12);
    assert!((it.expected_calibration_error - 0.35).abs() < 1e-12);
    assert_eq!((it.brier_score_calibrated, it.improvement_ratio), (None, None));
    assert_eq!((it.samples_evaluated, it.calibration_version), (4, None));
    let counts: Vec<u32> = it.bins.iter().map(|it| it.count).collect();
    assert_eq!(counts, [0, 0, 0, 0, 1, 0, 0, 1, 1, 1]);
    let stored = graph.read(|r| r.calibration_evaluations(NliJudge, 10, None)).unwrap();
    assert_eq!(stored, [it]);
    assert_eq!(graph.read(|r| r.calibration_evaluations(LlmExtract, 10, None)).unwrap(), []);
}

#[test]
fn evaluations_are_listed_newest_first_up_to_a_limit_and_from_a_moment() {
    let dir = tempfile::tempdir().unwrap();
    let clock = Arc::new(FixedClock::at("2026-01-15T12:00:00Z".parse().unwrap()));
    let options = Options { clock: Arc::clone(&clock) as _, ..options() };
    let graph = Graph::open(&dir.path().join("lyra.db"), Access::Write, options).unwrap();
    let edges = write(&graph, |w| Ok(judged(w, "a", [0.9])));
    looked_at(&graph, &edges, |_| true);
    let mut made = Vec::new();
    for _ in 0..3 {
        made.push(write(&graph, |w| w.evaluate_calibration(NliJudge)).evaluation.id);
        clock.advance(SignedDuration::from_hours(1));
    }
    let listed = |limit, since: Option<&str>| {
        let since = since.map(|it| it.parse().unwrap());
        let found = graph.read(|r| r.calibration_evaluations(NliJudge, limit, since)).unwrap();
        found.into_iter().map(|it| it.id).collect::<Vec<_>>()
    };
    assert_eq!(listed(10, None), [made[2], made[1], made[0]]);
    assert_eq!(listed(1, None), [made[2]]);
    assert_eq!(listed(0, None), []);
    assert_eq!(listed(10, Some("2026-01-15T13:00:00Z")), [made[2], made[1]]);
}

#[test]
fn a_fitted_version_changes_nothing_until_it_is_activated() {
    let graph = overconfident();
    let open = write(&graph, |w| Ok(judged(w, "open", [0.95, 0.6])));
    let fitted = write(&graph, |w| w.fit_calibration(NliJudge, Platt));
    assert_eq!((fitted.version, fitted.samples, fitted.is_active), (1, 40, false));
    assert!(fitted.brier_after < fitted.brier_before, "{fitted:?}");
    assert_eq!(certainty(&graph, open[0]), 0.95);

    let activation = write(&graph, |w| w.activate_calibration(NliJudge, 1));
    assert_eq!((activation.previous_version, activation.edges_changed), (None, 2));
    let corrected = certainty(&graph, open[0]);
    assert_eq!(corrected, fitted.calibration.apply(0.95));
    // 24 of the 40 were right.
    assert!((corrected - 0.6).abs() < 0.02, "{corrected}");
    assert_eq!(count(&graph, "edges WHERE edge_human_corrected = 1 AND nli_confidence = 1.0"), 40);
    assert_eq!(
        count(&graph, "events WHERE kind IN ('calibration_fit', 'calibration_activate')"),
        2
    );
    let again = write(&graph, |w| w.activate_calibration(NliJudge, 1));
    assert_eq!((again.previous_version, again.edges_changed), (Some(1), 0));
}

#[test]
fn new_edges_are_calibrated_by_the_version_in_force() {
    let graph = overconfident();
    let fitted = write(&graph, |w| w.fit_calibration(NliJudge, Temperature));
    write(&graph, |w| w.activate_calibration(NliJudge, 1));
    let edge = write(&graph, |w| Ok(judged(w, "later", [0.9])))[0];
    assert_eq!(certainty(&graph, edge), fitted.calibration.apply(0.9));
    assert_eq!(count(&graph, "edges WHERE nli_confidence_raw = 0.9"), 1);
    write(&graph, |w| w.rollback_calibration(NliJudge, None, Some("test")));
    assert_eq!(certainty(&graph, edge), 0.9);
    // A sample is what the model said, not what calibration made of it.
    write(&graph, |w| w.activate_calibration(NliJudge, 1));
    looked_at(&graph, &[edge], |_| true);
    assert_eq!(count(&graph, "nli_corrections WHERE predicted_confidence = 0.9"), 1);
}

/// Records one supporting edge of a judge of this name.
fn judged_by(w: &Writer<'_>, model: &str, name: &str, confidence: f64) -> EdgeId {
    let page = page(w, "b.com", name, DomainCategory::Unverified, None);
    w.add_edge(&NewEdge::Stance {
        source: Node::Fragment(fragment(w, page, model)),
        target: claim(w, task(w, name), name),
        stance: Stance::Supports,
        confidence,
        model: model.to_owned(),
        kind: None,
        about: true,
    })
    .unwrap()
}

#[test]
fn a_version_corrects_the_judge_it_was_fitted_to_and_no_other() {
    let graph = overconfident();
    let others = write(&graph, |w| {
        Ok(["verbatim", "rules", "retraction", "other-judge"].map(|it| judged_by(w, it, "x", 0.95)))
    });
    let own = write(&graph, |w| Ok(judged_by(w, "test-judge", "y", 0.95)));
    let fitted = write(&graph, |w| w.fit_calibration(NliJudge, Platt));
    assert_eq!((fitted.model.as_str(), fitted.samples), ("test-judge", 40));
    let activation = write(&graph, |w| w.activate_calibration(NliJudge, 1));
    assert_eq!(activation.edges_changed, 1);
    assert_eq!(certainty(&graph, own), fitted.calibration.apply(0.95));
    assert_eq!(others.map(|it| certainty(&graph, it)), [0.95; 4]);
    let later = write(&graph, |w| Ok(judged_by(w, "other-judge", "z", 0.95)));
    assert_eq!(certainty(&graph, later), 0.95);
}

#[test]
fn each_judge_has_its_own_version_in_force_and_the_last_is_taken_back_first() {
    let graph = overconfident();
    write(&graph, |w| w.fit_calibration(NliJudge, Platt));
    let other: Vec<EdgeId> = write(&graph, |w| {
        Ok((0..60).map(|n| judged_by(w, "other-judge", &format!("o{n}"), 0.9)).collect())
    });
    looked_at(&graph, &other[..50], |n| n % 2 == 0);
    let fitted = write(&graph, |w| w.fit_calibration(NliJudge, Platt));
    assert_eq!((fitted.model.as_str(), fitted.samples), ("other-judge", 50));
    let own = write(&graph, |w| Ok(judged_by(w, "test-judge", "open", 0.95)));
    write(&graph, |w| {
        w.activate_calibration(NliJudge, 1)?;
        w.activate_calibration(NliJudge, fitted.version)
    });
    let in_force = || {
        let versions = graph.read(|r| r.active_calibrations(NliJudge)).unwrap();
        versions.into_iter().map(|it| it.model).collect::<Vec<_>>()
    };
    assert_eq!(in_force(), ["other-judge", "test-judge"]);
    let stats = graph.read(|r| r.calibration_stats(NliJudge, &graph.rules().calibration)).unwrap();
    assert_eq!((stats.sample_count, stats.new_sample_count), (90, 0));
    assert_eq!(stats.current_version, Some(fitted.version));
    let back = write(&graph, |w| w.rollback_calibration(NliJudge, None, None));
    assert_eq!((back.previous_version, back.edges_changed), (fitted.version, 10));
    assert_eq!(in_force(), ["test-judge"]);
    assert_eq!(certainty(&graph, other[59]), 0.9);
    write(&graph, |w| w.activate_calibration(NliJudge, fitted.version));
    let back = write(&graph, |w| w.rollback_calibration(NliJudge, Some(0), None));
    assert_eq!((back.rolled_back_to, back.edges_changed), (None, 11));
    assert_eq!((certainty(&graph, own), certainty(&graph, other[59])), (0.95, 0.9));
    assert_eq!(in_force(), [] as [String; 0]);
}

#[test]
fn rollback_goes_back_one_version_at_a_time_down_to_the_judges_own_certainty() {
    let graph = overconfident();
    let edge = write(&graph, |w| Ok(judged(w, "open", [0.95])))[0];
    let mut in_force = vec![certainty(&graph, edge)];
    for (version, method) in [(1, Platt), (2, Temperature), (3, Platt)] {
        write(&graph, |w| {
            w.fit_calibration(NliJudge, method)?;
            w.activate_calibration(NliJudge, version)
        });
        in_force.push(certainty(&graph, edge));
    }
    let back = |version| {
        write(&graph, |w| w.rollback_calibration(NliJudge, version, Some(" Brier got worse ")))
    };
    let first = back(None);
    assert_eq!((first.rolled_back_to, first.previous_version), (Some(2), 3));
    assert_eq!(first.reason.as_deref(), Some("Brier got worse"));
    assert_eq!(certainty(&graph, edge), in_force[2]);
    assert_eq!(back(None).rolled_back_to, Some(1));
    assert_eq!(certainty(&graph, edge), in_force[1]);
    assert_eq!(back(None).rolled_back_to, None);
    assert_eq!(certainty(&graph, edge), 0.95);
    assert_eq!(
        refused(&graph, |w| w.rollback_calibration(NliJudge, None, None)),
        "the calibration of nli_judge is not in force"
    );
    assert_eq!(
        count(
            &graph,
            "events WHERE kind = 'calibration_rollback' AND detail ->> 'reason' = 'Brier got worse'"
        ),
        3
    );
}

#[test]
fn rollback_to_a_named_version_goes_back_only() {
    let graph = overconfident();
    for version in 1..=3 {
        write(&graph, |w| {
            w.fit_calibration(NliJudge, Platt)?;
            w.activate_calibration(NliJudge, version)
        });
    }
    write(&graph, |w| w.fit_calibration(NliJudge, Platt));
    let message =
        |version| refused(&graph, |w| w.rollback_calibration(NliJudge, Some(version), None));
    assert_eq!(message(4), "version 4 was not in force before 3");
    assert_eq!(message(9), "no calibration version nli_judge 9");
    let back = |version| write(&graph, |w| w.rollback_calibration(NliJudge, version, None));
    assert_eq!(back(Some(1)).rolled_back_to, Some(1));
    write(&graph, |w| w.activate_calibration(NliJudge, 4));
    assert_eq!(back(None).rolled_back_to, Some(1), "what was rolled over is out of the line");
    assert_eq!(back(Some(0)).rolled_back_to, None);
    assert_eq!(graph.read(|r| r.active_calibrations(NliJudge)).unwrap(), []);
}

#[test]
fn a_score_five_per_cent_worse_is_reported_and_nothing_is_undone_by_itself() {
    let graph = overconfident();
    write(&graph, |w| {
        w.fit_calibration(NliJudge, Platt)?;
        w.activate_calibration(NliJudge, 1)?;
        w.evaluate_calibration(NliJudge)
    });
    let edges = write(&graph, |w| Ok(judged(w, "worse", [0.99; 40])));
    looked_at(&graph, &edges, |_| false);
    let it = write(&graph, |w| w.evaluate_calibration(NliJudge));
    let degradation = it.degradation.unwrap();
    assert!(degradation.latest_brier_score > degradation.previous_brier_score * 1.05);
    assert_eq!(it.rolled_back, None);
    let stats = graph.read(|r| r.calibration_stats(NliJudge, &graph.rules().calibration)).unwrap();
    assert!(stats.degradation_detected);
    assert_eq!(stats.degradation, Some(degradation));
    assert_eq!(stats.current_version, Some(1));
    assert_eq!(stats.brier_score, it.evaluation.brier_score_calibrated);
    write(&graph, |w| w.evaluate_calibration(NliJudge));
    let stats = graph.read(|r| r.calibration_stats(NliJudge, &graph.rules().calibration)).unwrap();
    assert!(!stats.degradation_detected, "the same again is not worse");
}

#[test]
fn automatic_rollback_happens_where_it_is_enabled() {
    let dir = tempfile::tempdir().unwrap();
    let calibration =
        CalibrationSettings { enable_auto_rollback: true, ..CalibrationSettings::default() };
    let rules = EvidenceSettings { calibration, ..EvidenceSettings::default() };
    let options = Options { rules, ..options() };
    let graph = Graph::open(&dir.path().join("lyra.db"), Access::Write, options).unwrap();
    let edges = write(&graph, |w| Ok(judged(w, "seen", [0.95; 40])));
    looked_at(&graph, &edges, |n| n % 7 < 4);
    let open = write(&graph, |w| Ok(judged(w, "open", [0.95])))[0];
    write(&graph, |w| {
        w.fit_calibration(NliJudge, Platt)?;
        w.activate_calibration(NliJudge, 1)?;
        w.evaluate_calibration(NliJudge)
    });
    let edges = write(&graph, |w| Ok(judged(w, "worse", [0.99; 40])));
    looked_at(&graph, &edges, |_| false);
    let rolled_back = write(&graph, |w| w.evaluate_calibration(NliJudge)).rolled_back.unwrap();
    assert_eq!((rolled_back.rolled_back_to, rolled_back.previous_version), (None, 1));
    assert_eq!(certainty(&graph, open), 0.95);
}

#[test]
fn fifty_new_samples_fit_a_version_that_is_not_in_force() {
    let graph = graph();
    let edges = write(&graph, |w| Ok(judged(w, "a", [0.9; 101])));
    let version_after =
        |edge| write(&graph, |w| w.edge_correct(edge, Stance::Supports, None)).fitted_version;
    looked_at(&graph, &edges[..49], |n| n % 3 < 2);
    assert_eq!(count(&graph, "calibration_versions"), 0);
    assert_eq!(version_after(edges[49]), Some(1));
    assert_eq!(version_after(edges[49]), None, "the same prediction again is no new sample");
    looked_at(&graph, &edges[50..99], |n| n % 3 < 2);
    assert_eq!(count(&graph, "calibration_versions"), 1);
    assert_eq!(version_after(edges[99]), Some(2));
    assert_eq!(count(&graph, "calibration_versions WHERE is_active = 1"), 0);
    assert_eq!(certainty(&graph, edges[100]), 0.9);
    let stats = graph.read(|r| r.calibration_stats(NliJudge, &graph.rules().calibration)).unwrap();
    assert_eq!((stats.sample_count, stats.new_sample_count), (100, 0));
    assert_eq!((stats.current_version, stats.latest_version), (None, Some(2)));
}

#[test]
fn extraction_is_measured_by_the_claims_people_rejected_and_restored() {
    let graph = graph();
    let policy = DomainPolicy::default();
    write(&graph, |w| {
        let task = task(w, "q");
        for (n, confidence) in [Some(0.9), Some(0.8), Some(0.7), None].into_iter().enumerate() {
            let claim = w.record_claim(&NewClaim {
                task_id: task,
                text: format!("主張 {n}"),
                language: None,
                origin_fragment_id: None,
                extraction_method: Some("extractive".to_owned()),
                extraction_confidence: confidence,
            })?;
            // The third is never looked at.
            if n != 2 {
                w.claim_reject(claim, "r", &policy)?;
            }
            if n == 1 {
                w.claim_restore(claim, &policy)?;
            }
        }
        Ok(())
    });
    let samples = graph.read(|r| r.calibration_samples(LlmExtract)).unwrap();
    let shown: Vec<String> =
        samples.iter().map(|it| format!("{} {}", it.probability, it.correct)).collect();
    assert_eq!(shown, ["0.9 false", "0.8 true"]);
    // (0.81 + 0.04) / 2
    let it = write(&graph, |w| w.evaluate_calibration(LlmExtract)).evaluation;
    assert!((it.brier_score - 0.425).abs() < 1e-12);
}

#[test]
fn a_version_for_extraction_answers_and_leaves_edges_alone() {
    let graph = graph();
    let policy = DomainPolicy::default();
    let edge = write(&graph, |w| Ok(judged(w, "e", [0.9])))[0];
    write(&graph, |w| {
        let task = task(w, "q");
        for n in 0..30 {
            let claim = w.record_claim(&NewClaim {
                task_id: task,
                text: format!("claim {n}"),
                language: None,
                origin_fragment_id: None,
                extraction_method: None,
                extraction_confidence: Some(0.9),
            })?;
            w.claim_reject(claim, "r", &policy)?;
        }
        Ok(())
    });
    let fitted = write(&graph, |w| w.fit_calibration(LlmExtract, Platt));
    let activation = write(&graph, |w| w.activate_calibration(LlmExtract, 1));
    assert_eq!(activation.edges_changed, 0);
    assert_eq!(certainty(&graph, edge), 0.9);
    let corrected = graph.read(|r| r.calibrated(LlmExtract, "", 0.9)).unwrap();
    assert_eq!(corrected, fitted.calibration.apply(0.9));
    assert!(corrected < 0.2, "{corrected}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn activating_and_rolling_back_restores_every_certainty_exactly(
        open in prop::collection::vec(0.0_f64..=1.0, 1..40),
        outcomes in prop::collection::vec((0.0_f64..=1.0, any::<bool>()), 30..45),
        with_one_before in any::<bool>(),
    ) {
        let graph = Graph::in_memory(options()).unwrap();
        let seen = write(&graph, |w| Ok(judged(w, "seen", outcomes.iter().map(|it| it.0))));
        looked_at(&graph, &seen, |n| outcomes[n].1);
        let mut edges = write(&graph, |w| Ok(judged(w, "open", open.iter().copied())));
        edges.extend(seen);
        write(&graph, |w| {
            w.fit_calibration(NliJudge, Temperature)?;
            w.fit_calibration(NliJudge, Platt)?;
            if with_one_before {
                w.activate_calibration(NliJudge, 1)?;
            }
            Ok(())
        });
        let certainties = || edges.iter().map(|it| certainty(&graph, *it).to_bits()).collect::<Vec<_>>();
        let before = certainties();
        write(&graph, |w| w.activate_calibration(NliJudge, 2));
        write(&graph, |w| w.rollback_calibration(NliJudge, None, None));
        prop_assert_eq!(certainties(), before);
    }
}
