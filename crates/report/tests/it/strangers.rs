//! Text from outside never becomes markup in a report, and no claim is left uncited.

use evidence::{DomainCategory, Stance, TaskId};
use graph::Graph;
use proptest::prelude::*;
use report::{Document, Report, Standing};

use crate::world::{Read, claim, gathered, graph, judge, page, passage, task, write};

const HOSTILE: &[&str] = &[
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "'><svg/onload=alert(1)>",
    "</title></style><script>alert(1)</script>",
    "]]><!--",
    "](javascript:alert(1))",
    "# heading\n- item\n| a | b |",
    "&lt;b&gt; &amp; {question} {n}",
    "\u{202e}gnp.exe\u{2066}",
    "\u{1b}[2J\u{1b}]0;title\u{7}\u{9b}31m\r\u{8}\u{7f}\u{2028}x",
];

fn hostile(text: &str, address: &str) -> (Graph, TaskId) {
    let graph = graph();
    let task = write(&graph, |w| {
        let task = task(w, &format!("Q {text}"), Some(&format!("H {text}")));
        let good = page(
            w,
            &Read {
                url: "https://a.example/x",
                category: DomainCategory::Academic,
                title: text,
                ..Read::default()
            },
        );
        let bad =
            page(w, &Read { url: address, title: text, published: Some(text), ..Read::default() });
        let first = passage(w, good, "https://a.example/x", &[text], 0, &format!("P {text}"));
        let second = passage(w, bad, address, &[text], 0, &format!("R {text}"));
        let id = claim(w, task, Some(first), text, &format!("C {text}"));
        judge(w, first, id, Stance::Supports, 0.9);
        judge(w, second, id, Stance::Refutes, 0.8);
        w.note_claim_event(id, "retracted", Some(text), Some(bad), None)?;
        w.record_draft(
            task,
            text,
            &serde_json::json!([{ "text": format!("D {text}"), "fragments": [first.to_string()] }]),
        )?;
        w.set_task_status(task, evidence::TaskStatus::Completed, Some(text))?;
        Ok(task)
    });
    (graph, task)
}

/// The tags of a page, each by its name.
fn tags(html: &str) -> std::collections::BTreeSet<String> {
    let names = html.split('<').skip(1).map(|it| {
        it.trim_start_matches('/').chars().take_while(|c| c.is_ascii_alphanumeric()).collect()
    });
    names.collect()
}

const OURS: &[&str] = &[
    "",
    "a",
    "article",
    "aside",
    "b",
    "blockquote",
    "body",
    "br",
    "circle",
    "code",
    "dd",
    "defs",
    "details",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "head",
    "header",
    "html",
    "li",
    "line",
    "main",
    "marker",
    "meta",
    "nav",
    "ol",
    "p",
    "path",
    "rect",
    "section",
    "small",
    "span",
    "style",
    "summary",
    "sup",
    "svg",
    "table",
    "tbody",
    "td",
    "text",
    "th",
    "thead",
    "title",
    "tr",
    "ul",
];

#[test]
fn hostile_words_are_shown_and_never_read_as_markup() {
    let addresses = [
        "javascript:alert(document.cookie)",
        "https://b.example/\"onmouseover=\"alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "file:///notes/<b>.md",
    ];
    for text in HOSTILE {
        for address in addresses {
            let (graph, task) = hostile(text, address);
            let report = gathered(&graph, task);
            let document = Document::of(&report);
            let html = document.html();
            for tag in tags(&html) {
                assert!(OURS.contains(&tag.as_str()), "{text} {address}: <{tag}");
            }
            assert!(!html.contains("href=\"javascript"), "{text} {address}");
            assert!(!html.contains("href=\"data:"), "{text} {address}");
            assert!(!html.contains("\"onmouseover"), "{text} {address}");
            assert!(!html.contains('\u{202e}'), "{text} {address}");
            // What is escaped is text; what is left of brackets is ours.
            let markdown = document.markdown().replace("\\[", "").replace("\\]", "");
            let opened = markdown.split('<').skip(1);
            let foreign: Vec<&str> = opened
                .filter(|it| !["https://", "file:///"].iter().any(|ours| it.starts_with(ours)))
                .collect();
            assert_eq!(foreign, [] as [&str; 0], "{text} {address}");
            assert!(!markdown.contains("](javascript"), "{text} {address}");
            assert!(!markdown.contains("](data"), "{text} {address}");
            assert!(!markdown.contains("\n# heading"), "{text} {address}");
            assert!(!markdown.contains("\n| a |"), "{text} {address}");
            let plain = document.text(80);
            let drives =
                |c: char| c != '\n' && (c.is_control() || "\u{202e}\u{2066}\u{2028}".contains(c));
            assert!(!plain.contains(drives), "{text} {address}");
        }
    }
}

/// Everything the report says about the matter has a citation that leads to a source.
fn uncited(report: &Report) -> Vec<String> {
    let known = |numbers: &[u32]| {
        !numbers.is_empty()
            && numbers.iter().all(|it| report.source(*it).is_some_and(|s| s.number == *it))
    };
    let sides = |standing: Standing, supported: &[u32], refuted: &[u32]| match standing {
        Standing::Supported | Standing::OneSource => known(supported) && refuted.is_empty(),
        Standing::Disputed => known(supported) && known(refuted),
        Standing::Refuted => supported.is_empty() && known(refuted),
    };
    let mut uncited = Vec::new();
    for it in &report.answer {
        if !sides(it.standing, &it.supported_by, &it.refuted_by) {
            uncited.push(it.text.clone());
        }
    }
    let hypothesis = report.hypothesis.iter().filter_map(|it| it.judged.as_ref());
    for it in report.findings.iter().chain(hypothesis) {
        let quoted = it.supporting.len() + it.refuting.len() > 0;
        if !quoted || !sides(it.standing, &it.supported_by, &it.refuted_by) {
            uncited.push(it.text.clone());
        }
    }
    for it in report.draft.iter().flat_map(|it| &it.sentences) {
        if !known(&it.citations) {
            uncited.push(it.text.clone());
        }
    }
    uncited
}

/// The line of the Markdown that says `text` carries a mark.
fn marked(markdown: &str, text: &str) -> bool {
    markdown.lines().any(|line| {
        line.contains(text)
            && line
                .split('[')
                .skip(1)
                .any(|rest| rest.split(']').next().is_some_and(|it| it.parse::<u32>().is_ok()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any graph: some pages on few sites and stories, some claims, any judgements between them.
    #[test]
    fn every_sentence_about_the_matter_has_a_citation(
        pages in prop::collection::vec((0..4_usize, 0..3_usize, any::<bool>()), 1..6),
        claims in 1..6_usize,
        edges in prop::collection::vec((0..6_usize, 0..6_usize, 0..3_usize, 0.0..=1.0_f64), 0..24),
        hypothesis in any::<bool>(),
    ) {
        let graph = graph();
        let task = write(&graph, |w| {
            let task = task(w, "What holds?", None);
            let passages: Vec<_> = pages
                .iter()
                .enumerate()
                .map(|(index, (site, story, academic))| {
                    let url = format!("https://site{site}.example/{index}");
                    let category =
                        if *academic { DomainCategory::Academic } else { DomainCategory::Low };
                    let id = page(w, &Read { url: &url, category, title: "T", ..Read::default() });
                    w.cluster_page(id, &format!("story{story}")).unwrap();
                    passage(w, id, &url, &[], 0, &format!("Passage number {index}."))
                })
                .collect();
            let claims: Vec<_> = (0..claims)
                .map(|index| {
                    let method = if hypothesis && index == 0 { "hypothesis" } else { "extractive" };
                    claim(w, task, None, method, &format!("Claim number {index} holds"))
                })
                .collect();
            for (from, to, stance, certainty) in &edges {
                let stance = [Stance::Supports, Stance::Refutes, Stance::Neutral][*stance];
                judge(w, passages[from % passages.len()], claims[to % claims.len()], stance, *certainty);
            }
            Ok(task)
        });
        let report = gathered(&graph, task);
        prop_assert_eq!(uncited(&report), Vec::<String>::new());
        let markdown = Document::of(&report).markdown();
        for finding in &report.findings {
            prop_assert!(marked(&markdown, &finding.text), "{}", finding.text);
            // The report adds up the same numbers as the graph.
            let of_graph = graph.read(|r| r.confidence_of(finding.claim_id)).unwrap();
            let (ours, theirs) = (finding.confidence, of_graph);
            prop_assert!((ours.confidence - theirs.confidence).abs() < 1e-12);
            prop_assert!((ours.uncertainty - theirs.uncertainty).abs() < 1e-12);
            prop_assert!((ours.controversy - theirs.controversy).abs() < 1e-12);
            prop_assert_eq!(ours.evidence_count, theirs.evidence_count);
        }
        let html = Document::of(&report).html();
        prop_assert!(tags(&html).iter().all(|it| OURS.contains(&it.as_str())));
    }
}
