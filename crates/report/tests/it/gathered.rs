//! What a report says, before it is shown.

use graph::{ArchiveKind, ArchiveRecord, PageDetails};
use report::{Caveat, Document, Finding, Improvement, Report, SetAsideReason, Standing};

use crate::air;
use crate::world::{gathered, write};

fn report() -> Report {
    let (graph, task) = air::investigation();
    gathered(&graph, task)
}

#[test]
fn findings_come_in_the_order_of_what_supports_them() {
    let lines: Vec<String> = report()
        .findings
        .iter()
        .map(|finding| {
            format!(
                "{} {:.2} ±{:.2} controversy {:.2}, {} independent, {:?}, +{:?} -{:?}: {}",
                finding.number,
                finding.confidence.confidence,
                finding.confidence.uncertainty,
                finding.confidence.controversy,
                finding.independent_sources,
                finding.standing,
                finding.supported_by,
                finding.refuted_by,
                finding.text
            )
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    1 0.66 ±0.19 controversy 0.25, 3 independent, Disputed, +[1, 3, 4] -[2]: Schools with portable air cleaners recorded 12.4 % fewer sick days per pupil than schools without.
    2 0.74 ±0.20 controversy 0.00, 2 independent, Supported, +[3, 1] -[]: Teachers switch air cleaners off in about a third of lessons because of noise.
    3 0.66 ±0.24 controversy 0.00, 1 independent, OneSource, +[4] -[]: Classrooms equipped with filters saw sick days cut in half.
    4 0.61 ±0.26 controversy 0.00, 1 independent, OneSource, +[7] -[]: Filters do not prevent illness.
    5 0.33 ±0.24 controversy 0.00, 0 independent, Refuted, +[] -[8]: Ionisers removed 99 % of viruses from classroom air within ten minutes.
    ");
}

#[test]
fn copies_of_one_text_are_one_source_and_listed_once() {
    let report = report();
    let halved = report.findings.iter().find(|it| it.text.contains("in half")).unwrap();
    assert_eq!(halved.independent_sources, 1);
    assert_eq!(halved.supporting.len(), 1);
    let copies: Vec<&str> = halved.supporting[0].copies.iter().map(|it| it.url.as_str()).collect();
    // The surest passage speaks for the source.
    assert_eq!(halved.supporting[0].url, "https://filtermaker.example/press/2022-sick-days");
    assert_eq!(
        copies,
        [
            "https://news-a.example/2022/filters-halve-sick-days",
            "https://www.daily.example/health/filters"
        ]
    );
    assert!(halved.caveats.contains(&Caveat::OneNarrative { pages: 3 }));
    assert_eq!(report.narratives.copied.len(), 1);
    assert_eq!(report.narratives.copied[0].sources.len(), 3);
}

#[test]
fn below_the_threshold_a_finding_says_why_and_what_would_raise_it() {
    let report = report();
    let (alone, others): (Vec<_>, Vec<_>) =
        report.findings.iter().partition(|it| it.standing == Standing::OneSource);
    let says_so = |finding: &Finding| {
        let low = |it: &Caveat| matches!(it, Caveat::LowConfidence { .. } | Caveat::SpeaksAgainst);
        finding.caveats.iter().any(low)
    };
    for finding in others {
        let low = finding.confidence.confidence < 0.7;
        assert_eq!(finding.improvements.is_empty(), !low, "{}", finding.text);
        assert_eq!(says_so(finding), low, "{}", finding.text);
    }
    // Nobody else was heard: there is no confidence to be below anything, and others would have to speak.
    for finding in alone {
        assert_eq!(finding.improvements[0], Improvement::MoreIndependentSources { more: 2 });
        assert!(!says_so(finding), "{}", finding.text);
    }
}

#[test]
fn a_dispute_has_both_sides_with_their_years() {
    let report = report();
    let dispute = report.disputes.iter().find(|it| it.text.contains("12.4 %")).unwrap();
    assert_eq!(dispute.supporting_years, [2019, 2022, 2023]);
    assert_eq!(dispute.refuting_years, [2024]);
    assert_eq!(dispute.year_gap, Some(1));
}

#[test]
fn what_was_retracted_shows_with_the_finding_it_touches() {
    let report = report();
    let ions = report.findings.iter().find(|it| it.text.starts_with("Ionisers")).unwrap();
    // What was retracted is shown and not heard; the notice is.
    assert_eq!(ions.standing, Standing::Refuted);
    assert_eq!(ions.retracted[0].quote, ions.text);
    assert_eq!(ions.caveats[0], Caveat::Withdrawn);
    assert!(matches!(ions.caveats[1], Caveat::RetractedSource { .. }));
    let lines: Vec<String> = report
        .retractions
        .iter()
        .map(|it| format!("{:?} {:?} {} {:?}", it.kind, it.date, it.text, it.findings))
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    Retracted Some("2021-09-30") Ionisers removed 99 % of viruses from classroom air within ten minutes. [5]
    WorkRetracted None Ionisers eliminate classroom viruses within minutes [5]
    "#);
}

#[test]
fn a_page_that_speaks_to_machines_is_flagged_and_had_no_influence() {
    let report = report();
    let [flagged] = report.security.as_slice() else { panic!("{:?}", report.security) };
    assert_eq!(flagged.url, "https://blog.example/why-i-hate-filters");
    assert_eq!(flagged.rules, ["ignore_previous_instructions", "smuggled_text"]);
    assert_eq!((flagged.visible_places, flagged.hidden_places), (1, 1));
    assert_eq!((flagged.influenced_judgements, flagged.other_judgements), (0, 1));
    let dangerous: Vec<_> =
        report.set_aside.iter().filter(|it| it.reason == SetAsideReason::Dangerous).collect();
    assert_eq!(dangerous.len(), 1);
    let document = Document::of(&report);
    let shown = [
        serde_json::to_string(&report).unwrap(),
        document.markdown(),
        document.html(),
        document.text(80),
    ];
    for shown in shown {
        assert!(!shown.contains("Ignore all previous"), "the words of the injection are repeated");
    }
}

#[test]
fn a_sentence_of_a_draft_needs_a_citation_that_bears_it_out() {
    let report = report();
    let draft = report.draft.as_ref().unwrap();
    let sentences: Vec<_> =
        draft.sentences.iter().map(|it| (it.entailed, it.citations.len())).collect();
    assert_eq!(sentences, [(Some(true), 2), (None, 1), (Some(false), 1)]);
    assert_eq!((draft.failed, draft.uncited), (1, 1));
    let document = Document::of(&report);
    for shown in [document.markdown(), document.html(), document.text(200)] {
        assert!(shown.contains("pupils were ill about 12 % less often"));
        assert!(!shown.contains("All schools should buy them"));
        assert!(!shown.contains("Everybody agrees"));
    }
}

#[test]
fn what_was_missed_is_listed_once_with_its_reason() {
    let report = report();
    let missed: Vec<String> =
        report.missed.iter().map(|it| format!("{} {}", it.reason, it.url)).collect();
    insta::assert_snapshot!(missed.join("\n"), @"
    robots https://closed.example/
    paywall https://paywalled.example/study
    bad_address nonsense
    ");
    let unread: Vec<&str> = report.unread.iter().map(|it| it.url.as_str()).collect();
    assert_eq!(unread, ["https://later.example/2025-survey"]);
    let unsatisfied: Vec<&str> = report.unsatisfied.iter().map(|it| it.query.as_str()).collect();
    assert_eq!(unsatisfied, ["air cleaners classrooms no effect"]);
}

#[test]
fn a_secondary_source_leads_back_to_the_primary_one() {
    let report = report();
    let chains: Vec<String> = report
        .chains
        .iter()
        .map(|chain| chain.steps.iter().map(|it| it.url.as_str()).collect::<Vec<_>>().join(" > "))
        .collect();
    insta::assert_snapshot!(chains.join("\n"), @"
    https://filtermaker.example/press/2022-sick-days > https://doi.org/10.5555/air.2019.7
    https://news-a.example/2022/filters-halve-sick-days > https://filtermaker.example/press/2022-sick-days > https://doi.org/10.5555/air.2019.7
    ");
}

#[test]
fn the_same_graph_gives_the_same_report() {
    let (graph, task) = air::investigation();
    assert_eq!(gathered(&graph, task), gathered(&graph, task));
    let page = || Document::of(&gathered(&graph, task)).html();
    assert_eq!(page(), page());
}

#[test]
fn limits_cut_the_lists_and_say_how_much() {
    let (graph, task) = air::investigation();
    let options = report::ReportSettings {
        max_findings: 2,
        max_quotes: 1,
        max_list: 1,
        max_unread: 0,
        answer_lines: 1,
        ..crate::world::options()
    };
    let report = graph.read(|reader| report::gather(reader, task, &options)).unwrap();
    assert_eq!((report.findings.len(), report.left_out.findings), (2, 3));
    assert_eq!(report.summary.findings, 5);
    assert_eq!(report.answer.len(), 1);
    assert_eq!((report.missed.len(), report.left_out.missed), (1, 2));
    assert_eq!((report.unread.len(), report.left_out.unread), (0, 1));
    let disputed = report.findings.iter().find(|it| it.standing == Standing::Disputed).unwrap();
    assert_eq!((disputed.supporting.len(), disputed.supporting_left_out), (1, 2));
}

#[test]
fn the_json_form_has_the_fields_readers_rely_on() {
    let report = serde_json::to_value(report()).unwrap();
    let names = |value: &serde_json::Value| {
        value.as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>().join(" ")
    };
    insta::assert_snapshot!(names(&report), @"format task_id question language state task_status stop_reason started_at stopped_at generated_at summary verdict answer hypothesis documents draft findings disputes timeline retractions security narratives chains set_aside missed unread unsatisfied sources method left_out");
    insta::assert_snapshot!(names(&report["findings"][0]), @"number claim_id text about_question standing confidence uncertainty controversy alpha beta evidence_count independent_sources has_primary_source verification verification_reason supported_by refuted_by supporting refuting retracted neutral_count supporting_left_out refuting_left_out oldest_year newest_year caveats improvements");
    insta::assert_snapshot!(names(&report["findings"][0]["supporting"][0]), @"edge_id source page_id fragment_id source_type quote cut_before cut_after primary own_document category statement_kind title url deep_link headings year published_at archive found_at nli_confidence nli_model human_corrected is_origin flagged retracted_at copies");
    insta::assert_snapshot!(names(&report["sources"][0]), @"number page_id url title author site category primary own_document page_type year published_at modified_at venue doi retracted_at narrative_cluster quality_score archive found_at fetched_at flagged supports refutes");
    assert_eq!(report["format"], 2);
    assert_eq!(report["language"], "en");
    assert!(report["findings"][0]["supporting"][0]["archive"]["record_id"].is_string());
}

#[test]
fn a_page_that_a_browser_rendered_says_so_and_names_its_picture() {
    let (graph, task) = air::investigation();
    let first = gathered(&graph, task).findings[0].supporting[0].page_id;
    let made_of = "urn:uuid:01900000-0000-7000-8000-000000000001";
    let [document, picture] =
        [2, 3].map(|it| format!("urn:uuid:01900000-0000-7000-8000-00000000000{it}"));
    write(&graph, |w| {
        let answer = made_of.to_owned();
        let made = [
            (ArchiveKind::Response, &answer),
            (ArchiveKind::Document, &document),
            (ArchiveKind::Picture, &picture),
        ];
        for (kind, id) in made {
            w.record_archived(&ArchiveRecord {
                record_id: id.clone(),
                kind,
                url: "https://a.example/".to_owned(),
                status: None,
                file: "lyra-1.warc.gz".to_owned(),
                byte_start: 0,
                byte_length: 10,
                payload_digest: None,
                refers_to: (kind != ArchiveKind::Response).then(|| made_of.to_owned()),
                egress_seq: None,
                archived_at: "2026-01-15T12:00:00Z".parse().unwrap(),
            })?;
        }
        let archive_ref = serde_json::json!({ "record_id": document, "made_of": made_of });
        let details = PageDetails { archive_ref: Some(archive_ref), ..PageDetails::default() };
        w.describe_page(first, &details)
    });
    let report = gathered(&graph, task);
    let archive = report.findings[0].supporting[0].archive.clone().unwrap();
    assert_eq!(archive.made_of.as_deref(), Some(made_of));
    assert_eq!(archive.picture.as_deref(), Some(picture.as_str()));
    let shown = Document::of(&report).markdown();
    let line = format!("{document} lyra-1.warc.gz · rendered by a browser, picture {picture}");
    assert!(shown.contains(&line), "{shown}");
    let rendered = shown.matches("rendered by a browser").count();
    let of_the_page = shown.matches(document.as_str()).count();
    assert_eq!(rendered, of_the_page, "and of no other page");
}
