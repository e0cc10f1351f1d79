//! The verdict on a question, findings about it, and what each document says.

use evidence::{Stance, StatementKind, TaskId, Verdict};
use graph::{Graph, NewEdge, NewWork, WorkDetails, WorkIdentifier, Writer};
use report::{Caveat, Document, NotEnough, Says, Standing, TaskVerdict};

use crate::world::{Read, claim, gathered, graph, judge, page, passage, task, write};

const QUESTION: &str = "Does green tea lower blood pressure?";
const HYPOTHESIS: &str = "Green tea lowers blood pressure.";

/// What one source says of the hypothesis: its year, its words, and how they were judged.
struct Said<'a> {
    site: &'a str,
    year: i32,
    words: &'a str,
    stance: Stance,
    sure: f64,
    kind: Option<StatementKind>,
    about: bool,
}

impl<'a> Said<'a> {
    fn new(site: &'a str, year: i32, words: &'a str, stance: Stance, sure: f64) -> Self {
        Self { site, year, words, stance, sure, kind: None, about: true }
    }
}

fn record(w: &Writer<'_>, task: TaskId, hypothesis: &str, said: &[Said<'_>]) {
    let tested = claim(w, task, None, "hypothesis", hypothesis);
    for it in said {
        let url = format!("https://{}/{}", it.site, it.year);
        let read = Read { url: &url, title: it.site, year: Some(it.year), ..Read::default() };
        let page = page(w, &read);
        let from = passage(w, page, &url, &[], 0, it.words);
        w.add_edge(&NewEdge::Stance {
            source: evidence::Node::Fragment(from),
            target: tested,
            stance: it.stance,
            confidence: it.sure,
            model: "lyra-stance 1.2".to_owned(),
            kind: it.kind,
            about: it.about,
        })
        .unwrap();
    }
}

fn investigation(question: &str, hypothesis: &str, said: &[Said<'_>]) -> (Graph, TaskId) {
    let graph = graph();
    let task = write(&graph, |w| {
        let task = task(w, question, Some(hypothesis));
        record(w, task, hypothesis, said);
        Ok(task)
    });
    (graph, task)
}

fn verdict(question: &str, hypothesis: &str, said: &[Said<'_>]) -> TaskVerdict {
    let (graph, task) = investigation(question, hypothesis, said);
    gathered(&graph, task).verdict.unwrap()
}

fn tea() -> [Said<'static>; 4] {
    use Stance::{Refutes, Supports};
    [
        Said::new("a.example", 2011, "Tea lowered blood pressure.", Supports, 0.7),
        Said::new("b.example", 2014, "Green tea did not lower it.", Refutes, 0.8),
        Said {
            kind: Some(StatementKind::Conclusion),
            ..Said::new(
                "c.example",
                2021,
                "Green tea has no effect on blood pressure.",
                Refutes,
                0.75,
            )
        },
        Said::new("d.example", 2018, "No difference was seen.", Refutes, 0.9),
    ]
}

#[test]
fn the_verdict_is_a_sentence_one_can_quote_with_the_clearest_passage_of_each_side() {
    let found = verdict(QUESTION, HYPOTHESIS, &tea());
    assert_eq!(found.verdict, Verdict::Refuted);
    assert_eq!(
        found.sentence,
        "Refuted: 1 independent source supports it (2011), 3 refute it (2014–2021)."
    );
    assert_eq!(found.best_supporting.unwrap().quote, "Tea lowered blood pressure.");
    // A conclusion comes before what is surer.
    assert_eq!(found.best_refuting.unwrap().quote, "Green tea has no effect on blood pressure.");
    let in_japanese = verdict("緑茶は血圧を下げるか", "緑茶は血圧を下げる。", &tea());
    assert_eq!(
        in_japanese.sentence,
        "反証される：独立した出典 1 件が支持（2011年）、3 件が反証（2014–2021年）。"
    );
}

#[test]
fn one_side_alone_and_an_even_balance_are_named_as_they_are() {
    let supported = verdict(QUESTION, HYPOTHESIS, &tea()[..1]);
    assert_eq!(
        supported.sentence,
        "Supported: 1 independent source supports it (2011), none refutes it."
    );
    let refuted = verdict(QUESTION, HYPOTHESIS, &tea()[1..]);
    assert_eq!(
        refuted.sentence,
        "Refuted: no independent source supports it, 3 refute it (2014–2021)."
    );
    let mixed = verdict(QUESTION, HYPOTHESIS, &tea()[..2]);
    assert_eq!(
        mixed.sentence,
        "Mixed: 1 independent source supports it (2011), 1 refutes it (2014)."
    );
}

#[test]
fn a_publisher_that_says_it_twice_is_one_source() {
    let [first, ..] = tea();
    let again = Said {
        year: 2012,
        sure: 0.6,
        ..Said::new("a.example", 2012, "It fell.", Stance::Supports, 0.6)
    };
    let (graph, task) = investigation(QUESTION, HYPOTHESIS, &[first, again]);
    let report = gathered(&graph, task);
    let found = report.verdict.unwrap();
    assert_eq!(
        found.sentence,
        "Supported: 1 independent source supports it (2011), none refutes it."
    );
    let hypothesis = report.hypothesis.unwrap().judged.unwrap();
    assert_eq!((hypothesis.supporting.len(), hypothesis.confidence.evidence_count), (1, 1));
    assert_eq!(hypothesis.supporting[0].copies[0].url, "https://a.example/2012");
}

#[test]
fn not_enough_evidence_says_why_and_shows_no_number() {
    use Stance::Neutral;
    let aside = || Said { about: false, ..Said::new("a.example", 2020, "Masks.", Neutral, 0.9) };
    let silent = || Said::new("b.example", 2020, "Green tea and pressure.", Neutral, 0.9);
    let aim = || Said {
        kind: Some(StatementKind::Aim),
        ..Said::new("c.example", 2020, "To see if green tea lowers it.", Stance::Supports, 0.9)
    };
    let cases = [
        (HYPOTHESIS, vec![], NotEnough::NothingRead, "nothing was read"),
        (HYPOTHESIS, vec![aside()], NotEnough::NotAbout, "nothing that was read is about it"),
        (
            HYPOTHESIS,
            vec![aside(), silent()],
            NotEnough::NoSide,
            "what was read takes no side on it",
        ),
        (HYPOTHESIS, vec![aim()], NotEnough::NoSide, "what was read takes no side on it"),
        (
            "Which teas lower blood pressure?",
            tea().into(),
            NotEnough::Question,
            "the hypothesis is a question that could not be turned into a statement",
        ),
        (
            "tea, coffee, cocoa",
            tea().into(),
            NotEnough::List,
            "the hypothesis is a list and not one statement",
        ),
        (
            "Зелёный чай снижает артериальное давление у взрослых.",
            vec![],
            NotEnough::Language,
            "the hypothesis is in a language that no model reads",
        ),
    ];
    for (hypothesis, said, reason, words) in cases {
        let (graph, task) = investigation(QUESTION, hypothesis, &said);
        let report = gathered(&graph, task);
        let found = report.verdict.as_ref().unwrap();
        assert_eq!((found.verdict, found.reason), (Verdict::NotEnough, Some(reason)));
        assert_eq!(found.sentence, format!("Not enough evidence: {words}."));
        assert_eq!((found.supporting_sources, found.refuting_sources), (0, 0));
        assert_eq!(report.hypothesis.as_ref().unwrap().judged, None);
        let shown = Document::short(&report).text(80);
        assert!(!shown.contains("Confidence"), "{shown}");
    }
}

#[test]
fn what_only_a_retracted_work_says_is_no_evidence() {
    let graph = graph();
    let task = write(&graph, |w| {
        let task = task(w, QUESTION, Some(HYPOTHESIS));
        let tested = claim(w, task, None, "hypothesis", HYPOTHESIS);
        let url = "https://doi.org/10.5555/tea.1";
        let doi = Some(("10.5555/tea.1", "Tea"));
        let paper =
            page(w, &Read { url, title: "Tea heals", year: Some(2015), doi, ..Read::default() });
        let from = passage(w, paper, url, &[], 0, "Green tea lowers blood pressure in all.");
        judge(w, from, tested, Stance::Supports, 0.95);
        let identifiers =
            vec![WorkIdentifier { scheme: "doi".to_owned(), value: "10.5555/tea.1".to_owned() }];
        let work = w.record_work(&NewWork { identifiers, ..NewWork::default() })?;
        w.describe_work(work, &WorkDetails { retracted: true, ..WorkDetails::default() })?;
        Ok(task)
    });
    let report = gathered(&graph, task);
    let found = report.verdict.unwrap();
    assert_eq!(found.sentence, "Not enough evidence: all that takes a side was retracted.");
    let [row] = report.documents.as_slice() else { panic!("{:?}", report.documents) };
    assert_eq!((row.says, row.uncounted), (Says::Supports, Some(evidence::Uncounted::Retracted)));
}

#[test]
fn the_verdict_alone_is_the_verdict_of_the_report() {
    let (graph, task) = investigation(QUESTION, HYPOTHESIS, &tea());
    let alone = graph.read(|r| report::verdict(r, task)).unwrap().unwrap();
    let full = gathered(&graph, task).verdict.unwrap();
    assert_eq!(alone.sentence, full.sentence);
    assert_eq!(alone.best_refuting.unwrap().quote, full.best_refuting.unwrap().quote);
    let open = write(&graph, |w| Ok(crate::world::task(w, "Which teas are there?", None)));
    assert_eq!(graph.read(|r| report::verdict(r, open)).unwrap(), None);
}

#[test]
fn a_question_that_cannot_be_turned_into_a_statement_is_told_what_to_do() {
    for (question, sentence) in [
        (
            "Is coffee good or bad?",
            "Not enough evidence: the question could not be turned into a statement; \
             --hypothesis \"...\" says what is to be judged.",
        ),
        (
            "運動はうつ病に効くのではないか",
            "証拠不足：質問を判定できる文に直せません。判定したい文を --hypothesis \"…\" で指定してください。",
        ),
    ] {
        let graph = graph();
        let task = write(&graph, |w| Ok(crate::world::task(w, question, None)));
        let report = gathered(&graph, task);
        let verdict = report.verdict.clone().unwrap();
        assert_eq!(verdict.sentence, sentence);
        assert_eq!(verdict.reason, Some(NotEnough::Unclear));
        assert!(Document::of(&report).markdown().contains(sentence), "{question}");
        assert!(Document::short(&report).markdown().contains(sentence), "{question}");
    }
}

#[test]
fn a_statement_that_was_made_of_the_question_is_shown_as_what_was_asked() {
    let shown = |hypothesis| {
        let (graph, task) = investigation(QUESTION, hypothesis, &tea());
        Document::of(&gathered(&graph, task)).text(80)
    };
    let asked = shown(HYPOTHESIS);
    assert!(asked.contains("\nAsked as: Green tea lowers blood pressure. [1]"), "{asked}");
    let given = shown("Green tea lowers systolic blood pressure.");
    assert!(given.contains("\nHypothesis: Green tea lowers systolic blood"), "{given}");
}

#[test]
fn findings_about_the_question_answer_it_and_the_rest_is_found_by_the_way() {
    let (graph, task) = investigation(QUESTION, HYPOTHESIS, &tea());
    write(&graph, |w| {
        let url = "https://e.example/";
        let page = page(w, &Read { url, title: "A trial of tea", ..Read::default() });
        let from = passage(
            w,
            page,
            url,
            &[],
            0,
            "Nurses were paid weekly. Daily green tea lowered systolic blood pressure by 2 mmHg.",
        );
        for (text, sure) in [
            ("Nurses were paid weekly.", 0.99),
            ("Daily green tea lowered systolic blood pressure by 2 mmHg.", 0.8),
        ] {
            let claim = claim(w, task, Some(from), "extractive", text);
            judge(w, from, claim, Stance::Supports, sure);
        }
        Ok(())
    });
    let report = gathered(&graph, task);
    let order: Vec<(&str, bool)> =
        report.findings.iter().map(|it| (&*it.text, it.about_question)).collect();
    assert_eq!(
        order,
        [
            ("Daily green tea lowered systolic blood pressure by 2 mmHg.", true),
            ("Nurses were paid weekly.", false)
        ]
    );
    let [line] = report.answer.as_slice() else { panic!("{:?}", report.answer) };
    assert_eq!(line.standing, Standing::OneSource);
    let markdown = Document::of(&report).markdown();
    let (before, also_found) = markdown.split_once("## Also found").unwrap();
    assert!(also_found.contains("Nurses were paid weekly."));
    assert!(!before.contains("### 2. Nurses"));
    // One source speaks of it: no number that looks like a confirmation.
    assert!(before.contains("**one source** · Finding 1"), "{before}");
    assert!(!Document::short(&report).text(80).contains("Nurses"));
}

#[test]
fn documents_that_take_a_side_answer_and_those_about_something_else_never_do() {
    let answer = |side: Stance| {
        let graph = graph();
        let task = write(&graph, |w| {
            let task = task(w, QUESTION, Some(HYPOTHESIS));
            let tested = claim(w, task, None, "hypothesis", HYPOTHESIS);
            for (site, words, stance, about) in [
                ("a.example", "Green tea lowered blood pressure in 40 nurses.", side, true),
                ("b.example", "Green tea and blood pressure were measured.", Stance::Neutral, true),
                ("c.example", "Black tea, green tea and blood pressure.", Stance::Neutral, false),
            ] {
                let url = format!("https://{site}/");
                let page = page(w, &Read { url: &url, title: site, ..Read::default() });
                let from = passage(w, page, &url, &[], 0, words);
                let taken = claim(w, task, Some(from), "extractive", words);
                judge(w, from, taken, Stance::Supports, 0.9);
                w.add_edge(&NewEdge::Stance {
                    source: evidence::Node::Fragment(from),
                    target: tested,
                    stance,
                    confidence: 0.8,
                    model: "lyra-stance 1.2".to_owned(),
                    kind: None,
                    about,
                })?;
            }
            Ok(task)
        });
        let report = gathered(&graph, task);
        let lines: Vec<String> = report.answer.iter().map(|it| it.text.clone()).collect();
        let about: Vec<bool> = report.findings.iter().map(|it| it.about_question).collect();
        (lines, about)
    };
    let decided = answer(Stance::Supports);
    assert_eq!(decided.0, ["Green tea lowered blood pressure in 40 nurses."]);
    assert_eq!(decided.1, [true, true, false]);
    let undecided = answer(Stance::Neutral);
    assert_eq!(
        undecided.0,
        [
            "Green tea lowered blood pressure in 40 nurses.",
            "Green tea and blood pressure were measured."
        ]
    );
}

#[test]
fn an_open_question_gets_a_list_of_what_the_sources_name() {
    let graph = graph();
    let task = write(&graph, |w| {
        let task = task(w, "Which factors cause obesity in children?", None);
        for (site, text) in [
            ("a.example", "Sugary drinks cause obesity in children."),
            ("b.example", "Short sleep is a cause of obesity among children."),
            ("c.example", "The library opens at nine."),
        ] {
            let url = format!("https://{site}/");
            let page = page(w, &Read { url: &url, title: site, ..Read::default() });
            let from = passage(w, page, &url, &[], 0, text);
            let claim = claim(w, task, Some(from), "extractive", text);
            judge(w, from, claim, Stance::Supports, 0.9);
        }
        Ok(task)
    });
    let report = gathered(&graph, task);
    assert_eq!(report.verdict, None);
    let mut lines: Vec<&str> = report.answer.iter().map(|it| &*it.text).collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "Short sleep is a cause of obesity among children.",
            "Sugary drinks cause obesity in children."
        ]
    );
    let says: Vec<(&str, Says)> =
        report.documents.iter().map(|it| (it.title.as_deref().unwrap(), it.says)).collect();
    assert_eq!(
        says,
        [
            ("a.example", Says::SpeaksOfIt),
            ("b.example", Says::SpeaksOfIt),
            ("c.example", Says::NotAbout)
        ]
    );
    let markdown = Document::of(&report).markdown();
    assert!(markdown.contains("An open question: what the sources name"), "{markdown}");
    assert!(markdown.contains("Read, and not about this (1): c.example"), "{markdown}");
}

#[test]
fn every_document_has_one_row_that_says_what_it_says() {
    let [supports, .., refutes] = tea();
    let aside =
        Said { about: false, ..Said::new("e.example", 2020, "Masks.", Stance::Neutral, 0.9) };
    let silent = Said::new("f.example", 2020, "Green tea and pressure.", Stance::Neutral, 0.9);
    let (graph, task) = investigation(QUESTION, HYPOTHESIS, &[aside, silent, refutes, supports]);
    let report = gathered(&graph, task);
    let rows: Vec<_> = report
        .documents
        .iter()
        .map(|it| (it.title.as_deref().unwrap(), it.year, it.says, it.quote.as_deref()))
        .collect();
    assert_eq!(
        rows,
        [
            ("a.example", Some(2011), Says::Supports, Some("Tea lowered blood pressure.")),
            ("d.example", Some(2018), Says::Refutes, Some("No difference was seen.")),
            ("f.example", Some(2020), Says::NoSide, Some("Green tea and pressure.")),
            ("e.example", Some(2020), Says::NotAbout, None),
        ]
    );
}

#[test]
fn a_caveat_is_true_of_the_number_that_is_shown() {
    let graph = graph();
    let task = write(&graph, |w| {
        let task = task(w, QUESTION, None);
        let url = |site: &str| format!("https://{site}.example/");
        let text = "Green tea lowers blood pressure.";
        let mut origin = None;
        let mut passages = Vec::new();
        // (1 + 1.311) / (2 + 1.311) is 0.698, which is shown as 0.70.
        for (site, sure) in [("a", 0.7), ("b", 0.611)] {
            let page = page(w, &Read { url: &url(site), ..Read::default() });
            let from = passage(w, page, &url(site), &[], 0, text);
            origin = origin.or(Some(from));
            passages.push((from, sure));
        }
        let claim = claim(w, task, origin, "extractive", text);
        for (from, sure) in passages {
            judge(w, from, claim, Stance::Supports, sure);
        }
        Ok(task)
    });
    let report = gathered(&graph, task);
    let finding = &report.findings[0];
    assert_eq!(format!("{:.3}", finding.confidence.confidence), "0.698");
    assert!(!finding.caveats.iter().any(|it| matches!(it, Caveat::LowConfidence { .. })));
    assert_eq!(report.summary.confident_findings, 1);
}
