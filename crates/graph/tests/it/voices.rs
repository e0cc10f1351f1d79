//! Who is heard on a claim, whatever changes it: edges, people, stories, works, retractions, imports, older files.

use evidence::calibration::CalibrationMethod::Platt;
use evidence::calibration::CalibrationSource::NliJudge;
use evidence::{ClaimId, DomainCategory, EdgeId, Node, PageId, Stance, StatementKind, Uncounted};
use graph::{
    Access, CORRECTION, Graph, NewEdge, NewWork, PageDetails, RETRACTION, Stop, WorkIdentifier,
    Writer,
};
use rusqlite::Connection;

use crate::opening::without_voices;
use crate::support::{claim, count, fragment, graph, judge, options, page, paper, task, write};

fn site(w: &Writer<'_>, domain: &str) -> PageId {
    page(w, domain, "a", DomainCategory::Low, None)
}

/// A judgement of a passage by a model of this name.
fn judged_by(
    w: &Writer<'_>,
    model: &str,
    page: PageId,
    text: &str,
    target: ClaimId,
    confidence: f64,
) -> EdgeId {
    w.add_edge(&NewEdge::Stance {
        source: Node::Fragment(fragment(w, page, text)),
        target,
        stance: Stance::Refutes,
        confidence,
        model: model.to_owned(),
        kind: None,
        about: true,
    })
    .unwrap()
}

/// One word for each edge: `heard`, or why it is not.
fn shown(graph: &Graph, edges: &[EdgeId]) -> String {
    let word = |edge: &EdgeId| {
        let edge = graph.read(|r| r.edge(*edge)).unwrap();
        edge.uncounted.map_or("heard", Uncounted::as_str)
    };
    edges.iter().map(word).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_surer_passage_of_the_same_source_takes_the_word_in_the_same_transaction() {
    let graph = graph();
    let (first, second) = write(&graph, |w| {
        let (page, claim) = (site(w, "a.example"), claim(w, task(w, "q"), "c"));
        let first = judge(w, fragment(w, page, "1"), claim, Stance::Supports, 0.6);
        assert_eq!(w.confidence_of(claim)?.alpha, 1.6);
        let second = judge(w, fragment(w, page, "2"), claim, Stance::Supports, 0.9);
        assert_eq!(w.confidence_of(claim)?.alpha, 1.9);
        assert_eq!(w.source_pages_of(claim)?.len(), 1);
        Ok((first, second))
    });
    assert_eq!(shown(&graph, &[first, second]), "same_voice heard");
}

#[test]
fn a_person_decides_who_is_heard_and_the_last_word_of_a_pair_stays() {
    let graph = graph();
    let (claim, edges) = write(&graph, |w| {
        let (page, claim) = (site(w, "a.example"), claim(w, task(w, "q"), "c"));
        let aim = w.add_edge(&NewEdge::Stance {
            source: Node::Fragment(fragment(w, page, "aim")),
            target: claim,
            stance: Stance::Supports,
            confidence: 0.9,
            model: "m".to_owned(),
            kind: Some(StatementKind::Aim),
            about: true,
        })?;
        let elsewhere = w.add_edge(&NewEdge::Stance {
            source: Node::Fragment(fragment(w, page, "elsewhere")),
            target: claim,
            stance: Stance::Neutral,
            confidence: 0.9,
            model: "m".to_owned(),
            kind: None,
            about: false,
        })?;
        Ok((
            claim,
            [aim, elsewhere, judge(w, fragment(w, page, "3"), claim, Stance::Supports, 0.7)],
        ))
    });
    assert_eq!(shown(&graph, &edges), "no_statement not_about heard");
    assert_eq!(graph.read(|r| r.confidence_of(claim)).unwrap().evidence_count, 1);
    write(&graph, |w| w.edge_correct(edges[1], Stance::Refutes, None));
    assert_eq!(shown(&graph, &edges), "no_statement heard same_voice");
    write(&graph, |w| w.edge_correct(edges[0], Stance::Supports, None));
    assert_eq!(shown(&graph, &edges), "heard same_voice same_voice");
    write(&graph, |w| w.edge_correct(edges[0], Stance::Neutral, None));
    assert_eq!(
        shown(&graph, &edges),
        "heard heard same_voice",
        "what takes no side silences nobody"
    );
}

#[test]
fn pages_become_one_source_when_their_story_or_their_work_turns_out_to_be_one() {
    let graph = graph();
    let (pages, edges) = write(&graph, |w| {
        let claim = claim(w, task(w, "q"), "c");
        let pages = ["a.example", "b.example", "c.example"].map(|it| site(w, it));
        for (page, story) in pages.iter().zip(["x", "y", "z"]) {
            w.cluster_page(*page, story)?;
        }
        let edges = pages.map(|it| judge(w, fragment(w, it, "t"), claim, Stance::Supports, 0.8));
        Ok((pages, edges))
    });
    assert_eq!(shown(&graph, &edges), "heard heard heard");
    write(&graph, |w| w.join_clusters(pages[1], pages[0]));
    assert_eq!(shown(&graph, &edges), "heard same_voice heard");
    write(&graph, |w| {
        let doi = WorkIdentifier { scheme: "doi".to_owned(), value: "10.1/x".to_owned() };
        let title = "t".to_owned();
        let work =
            w.record_work(&NewWork { title, identifiers: vec![doi], ..NewWork::default() })?;
        for page in [pages[0], pages[2]] {
            w.describe_page(page, &PageDetails { work_id: Some(work), ..PageDetails::default() })?;
        }
        Ok(())
    });
    assert_eq!(shown(&graph, &edges), "heard same_voice same_voice");
}

#[test]
fn nothing_of_a_retracted_work_is_heard_but_the_notice_that_takes_it_back() {
    let graph = graph();
    let (page, edges) = write(&graph, |w| {
        let claim = claim(w, task(w, "q"), "c");
        let (study, other) = (paper(w, "10.1/x", "t", None, "v"), site(w, "b.example"));
        let edges = [
            judge(w, fragment(w, study, "1"), claim, Stance::Supports, 0.9),
            judge(w, fragment(w, other, "2"), claim, Stance::Supports, 0.6),
            judged_by(w, RETRACTION, study, "This article has been retracted.", claim, 0.95),
        ];
        Ok((study, edges))
    });
    write(&graph, |w| w.retract_page(page));
    assert_eq!(shown(&graph, &edges), "retracted heard heard");
    let later = write(&graph, |w| {
        let claim = claim(w, task(w, "another"), "c");
        Ok(judge(w, fragment(w, page, "3"), claim, Stance::Supports, 0.9))
    });
    assert_eq!(shown(&graph, &[later]), "retracted", "also in a task that comes later");
}

#[test]
fn a_page_without_a_known_work_can_be_retracted() {
    let graph = graph();
    let (page, edge) = write(&graph, |w| {
        let page = site(w, "library:study.md");
        let claim = claim(w, task(w, "q"), "c");
        Ok((page, judge(w, fragment(w, page, "1"), claim, Stance::Supports, 0.9)))
    });
    write(&graph, |w| w.retract_page(page));
    assert_eq!(shown(&graph, &[edge]), "retracted");
    assert_eq!(count(&graph, "pages WHERE retracted_at IS NOT NULL"), 1);
}

#[test]
fn a_correction_is_the_last_word_of_the_source_it_corrects() {
    let graph = graph();
    let edges = write(&graph, |w| {
        let claim = claim(w, task(w, "q"), "c");
        let (study, notice) = (site(w, "a.example"), site(w, "b.example"));
        w.cluster_page(study, "x")?;
        w.cluster_page(notice, "y")?;
        w.join_clusters(notice, study)?;
        Ok([
            judge(w, fragment(w, study, "1"), claim, Stance::Supports, 0.95),
            judged_by(w, CORRECTION, notice, "The figure was wrong.", claim, 0.9),
        ])
    });
    assert_eq!(shown(&graph, &edges), "same_voice heard");
}

#[test]
fn a_calibration_in_force_can_change_by_which_passage_a_source_is_heard() {
    let graph = graph();
    let edges = write(&graph, |w| {
        let (page, claim) = (site(w, "a.example"), claim(w, task(w, "q"), "c"));
        Ok([
            judged_by(w, "sure", page, "1", claim, 0.95),
            judged_by(w, "modest", page, "2", claim, 0.8),
        ])
    });
    let seen = write(&graph, |w| {
        let (page, claim) = (site(w, "b.example"), claim(w, task(w, "seen"), "c"));
        Ok((0..40)
            .map(|n| judged_by(w, "sure", page, &n.to_string(), claim, 0.95))
            .collect::<Vec<_>>())
    });
    write(&graph, |w| {
        for (n, edge) in seen.iter().enumerate() {
            let truth = if n % 2 == 0 { Stance::Refutes } else { Stance::Supports };
            w.edge_correct(*edge, truth, None)?;
        }
        w.fit_calibration(NliJudge, Platt)
    });
    assert_eq!(shown(&graph, &edges), "heard same_voice");
    write(&graph, |w| w.activate_calibration(NliJudge, 1));
    assert_eq!(shown(&graph, &edges), "same_voice heard");
    write(&graph, |w| w.rollback_calibration(NliJudge, None, None));
    assert_eq!(shown(&graph, &edges), "heard same_voice");
}

#[test]
fn an_import_believes_no_mark_about_voices_and_reads_exports_without_any() {
    let original = graph();
    let (task, edges) = write(&original, |w| {
        let task = task(w, "q");
        let (page, claim) = (site(w, "a.example"), claim(w, task, "c"));
        let first = judge(w, fragment(w, page, "1"), claim, Stance::Supports, 0.6);
        Ok((task, [first, judge(w, fragment(w, page, "2"), claim, Stance::Refutes, 0.9)]))
    });
    let mut export = Vec::new();
    original.export_task(task, &mut export).unwrap();
    let export = String::from_utf8(export).unwrap();
    let marked = r#""uncounted":"same_voice""#;
    assert_eq!(export.matches(marked).count(), 1);
    for changed in [
        export.clone(),
        export.replace(marked, r#""uncounted":null"#),
        export.replace(r#""uncounted":null"#, marked),
        export
            .replace(&format!(",{marked}"), "")
            .replace(r#","uncounted":null"#, "")
            .replace(r#","statement_kind":null"#, ""),
    ] {
        let target = graph();
        target.import_task(changed.as_bytes()).unwrap();
        assert_eq!(shown(&target, &edges), "same_voice heard", "{changed}");
    }
}

#[test]
fn a_file_from_before_voices_keeps_its_edges_and_learns_who_is_heard() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("lyra.db");
    let graph = Graph::open(&path, Access::Write, options()).unwrap();
    let (claim, edges) = write(&graph, |w| {
        let claim = claim(w, task(w, "q"), "c");
        let (page, study) = (site(w, "a.example"), paper(w, "10.1/x", "t", None, "v"));
        w.retract_page(study)?;
        let edges = [
            judge(w, fragment(w, page, "1"), claim, Stance::Supports, 0.6),
            judge(w, fragment(w, page, "2"), claim, Stance::Supports, 0.8),
            judge(w, fragment(w, study, "3"), claim, Stance::Supports, 0.9),
            judged_by(w, "verbatim", site(w, "b.example"), "4", claim, 0.9),
        ];
        Ok((claim, edges))
    });
    drop(graph);
    let old = Connection::open(&path).unwrap();
    without_voices(&old);
    old.execute_batch(
        "INSERT INTO calibration_versions (id, source, version, method, parameters, samples, brier_before, brier_after,
                                           is_active, activated_at, created_at, cause_id)
         SELECT 'cal_1', 'nli_judge', 1, 'temperature', '{}', 30, 0.3, 0.2, 1, created_at, created_at, id
         FROM events LIMIT 1;
         UPDATE edges SET nli_confidence = nli_confidence / 2;",
    )
    .unwrap();
    drop(old);
    let graph = Graph::open(&path, Access::Write, options()).unwrap();
    assert_eq!(shown(&graph, &edges), "same_voice heard retracted heard");
    let listed = graph.read(|r| r.evidence_of(claim)).unwrap();
    assert_eq!((listed.supporting_sources, listed.refuting_sources), (1, 1));
    assert_eq!(listed.evidence.len(), 4);
    // The version in force was fitted to no judge that is known: what the judges said holds.
    assert_eq!((listed.confidence.alpha, listed.confidence.beta), (1.8, 1.9));
}

#[test]
fn a_salvaged_file_counts_again_because_who_was_heard_may_be_lost() {
    let graph = graph();
    let edges = write(&graph, |w| {
        let (page, claim) = (site(w, "a.example"), claim(w, task(w, "q"), "c"));
        let first = judge(w, fragment(w, page, "1"), claim, Stance::Supports, 0.6);
        Ok([first, judge(w, fragment(w, page, "2"), claim, Stance::Supports, 0.9)])
    });
    let (old, new) = (graph.path().unwrap().to_owned(), graph.dir.path().join("new.db"));
    Connection::open(&old)
        .unwrap()
        .execute("UPDATE edges SET uncounted = 'same_voice'", [])
        .unwrap();
    graph::salvage(&old, &new, options(), &Stop::default()).unwrap();
    let saved = Graph::open(&new, Access::Write, options()).unwrap();
    assert_eq!(shown(&saved, &edges), "same_voice heard");
}
