//! Full-text search in Japanese and English.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use evidence::{Adoption, DomainCategory, FragmentType, Id, Node, PageId, Stance, TaskId};
use graph::{
    Error, FindSettings, FindTarget, FullTextHit, Graph, Matched, NewClaim, NewFragment, NewSearch,
    NewSerpItem, Words, Writer,
};
use proptest::prelude::*;

use crate::support::{World, claim, fragment, graph, judge, options, page, task, write};

/// A graph whose only page holds these passages.
fn passages(texts: &[&str]) -> World {
    let world = graph();
    write(&world, |w| {
        let page = page(w, "example.org", "a", DomainCategory::Low, None);
        for text in texts {
            fragment(w, page, text);
        }
        Ok(())
    });
    world
}

/// One line per hit, words that were found in brackets; a first line if only some were.
fn find_with(graph: &Graph, text: &str, options: &FindSettings) -> String {
    let answer = graph.read(|r| r.find(text, options)).unwrap();
    let mut lines: Vec<_> = answer.found.iter().map(bracketed).collect();
    if answer.matched == Matched::SomeWords {
        lines.insert(0, "(some words)".to_owned());
    }
    lines.join("\n")
}

fn find(graph: &Graph, text: &str) -> String {
    find_with(graph, text, &FindSettings::default())
}

fn bracketed(found: &FullTextHit) -> String {
    let mut out = String::new();
    for (at, c) in found.snippet.chars().enumerate() {
        if found.marks.iter().any(|it| it.start == at) {
            out.push('[');
        }
        out.push(c);
        if found.marks.iter().any(|it| it.end == at + 1) {
            out.push(']');
        }
    }
    out
}

fn refusal(graph: &Graph, text: &str) -> String {
    match graph.read(|r| r.find(text, &FindSettings::default())).unwrap_err() {
        error @ Error::Invalid { .. } => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn two_character_japanese_words_are_found() {
    let graph = passages(&["週150分の運動で糖尿病の発症が減った", "食事だけでは減らない"]);
    assert_eq!(find(&graph, "運動"), "週150分の[運動]で糖尿病の発症が減った");
    assert_eq!(find(&graph, "発症"), "週150分の運動で糖尿病の[発症]が減った");
    assert_eq!(find(&graph, "動運"), "");
}

#[test]
fn a_single_kanji_is_found_inside_and_at_the_end_of_words() {
    let graph = passages(&["肺癌治療の指針", "検診で見つかる癌", "胃炎"]);
    assert_eq!(find(&graph, "癌"), "肺[癌]治療の指針\n検診で見つかる[癌]");
}

#[test]
fn width_and_case_do_not_matter_on_either_side() {
    let graph = passages(&["ｶﾞﾝと ＷＨＯ の報告", "ガンとwhoの別の報告"]);
    for text in ["ガン WHO", "ｶﾞﾝ who", "か\u{3099}ん"] {
        let expected = match text {
            "か\u{3099}ん" => "",
            _ => "[ｶﾞﾝ]と [ＷＨＯ] の報告\n[ガン]と[who]の別の報告",
        };
        assert_eq!(find(&graph, text), expected, "{text}");
    }
}

#[test]
fn scripts_may_be_mixed_in_one_word() {
    let graph = passages(&["GLP-1受容体作動薬は体重を減らす", "受容体のないGLP-1"]);
    assert_eq!(find(&graph, "glp-1受容体"), "[GLP-1受容体]作動薬は体重を減らす");
    assert_eq!(
        find(&graph, "受容体 glp"),
        "[受容体]のない[GLP]-1\n[GLP]-1[受容体]作動薬は体重を減らす"
    );
}

#[test]
fn a_number_between_japanese_words_does_not_tear_them_apart() {
    let graph = passages(&["令和5年の第2相試験", "令和の年5回"]);
    assert_eq!(find(&graph, "令和5年"), "[令和5年]の第2相試験");
    assert_eq!(find(&graph, "第2相試験"), "令和5年の[第2相試験]");
}

#[test]
fn all_words_are_wanted_and_if_nothing_has_all_some_will_do() {
    let graph = passages(&["exercise lowers risk", "exercise is fun", "sleep"]);
    assert_eq!(find(&graph, "exercise risk"), "[exercise] lowers [risk]");
    assert_eq!(
        find(&graph, "exercise insulin"),
        "(some words)\n[exercise] lowers risk\n[exercise] is fun"
    );
    let all = FindSettings { words: Words::All, ..FindSettings::default() };
    assert_eq!(find_with(&graph, "exercise insulin", &all), "");
    let any = FindSettings { words: Words::Any, ..FindSettings::default() };
    assert_eq!(
        find_with(&graph, "sleep risk", &any),
        "(some words)\n[sleep]\nexercise lowers [risk]"
    );
}

#[test]
fn a_japanese_question_without_spaces_finds_what_shares_its_words() {
    let graph = passages(&["梅雨は北海道を除く日本でみられる", "台風は秋に多い"]);
    assert_eq!(
        find(&graph, "北海道には梅雨がないですか"),
        "(some words)\n[梅雨]は[北海道]を除く日本でみられる"
    );
}

#[test]
fn phrases_open_ends_and_exclusions_work() {
    let graph =
        passages(&["heart attack risk", "attack of the heart", "neurology", "neurons attack"]);
    assert_eq!(find(&graph, "\"heart attack\""), "[heart attack] risk");
    assert_eq!(find(&graph, "neuro*"), "[neurology]\n[neurons] attack");
    assert_eq!(find(&graph, "attack -heart"), "neurons [attack]");
    assert_eq!(find(&graph, "attack -\"heart attack\" -neuro*"), "[attack] of the heart");
}

#[test]
fn the_best_match_comes_first() {
    let graph = passages(&[
        "a long passage that mentions aspirin once among many other words about other matters entirely",
        "aspirin and aspirin again",
        "aspirin",
        "nothing of the kind",
        "nor here",
        "nor there",
    ]);
    insta::assert_snapshot!(find(&graph, "aspirin"), @r"
    [aspirin]
    [aspirin] and [aspirin] again
    a long passage that mentions [aspirin] once among many other words about other matters entirely
    ");
    let scores: Vec<f64> = graph
        .read(|r| r.find("aspirin", &FindSettings::default()))
        .unwrap()
        .found
        .iter()
        .map(|it| it.score)
        .collect();
    assert!(scores.is_sorted_by(|a, b| a > b), "{scores:?}");
    assert!(scores[2] > 0.0, "{scores:?}");
}

#[test]
fn a_word_in_the_heading_counts_less_than_one_in_the_text() {
    let world = graph();
    let (in_heading, in_text) = write(&world, |w| {
        let page = page(w, "example.org", "a", DomainCategory::Low, None);
        let record = |text: &str, heading: &str| {
            w.record_fragment(&NewFragment {
                page_id: page,
                fragment_type: FragmentType::Paragraph,
                text: text.to_owned(),
                heading_context: Some(heading.to_owned()),
                element_index: None,
                chars: None,
                language: None,
            })
        };
        record("nothing else", "of no use")?;
        record("nothing more", "of no value")?;
        Ok((record("taken with water", "aspirin")?, record("aspirin with water", "taken")?))
    });
    let answer = world.read(|r| r.find("aspirin", &FindSettings::default())).unwrap();
    let nodes: Vec<_> = answer.found.iter().map(|it| it.node).collect();
    assert_eq!(nodes, [Node::Fragment(in_text), Node::Fragment(in_heading)]);
    assert_eq!(answer.found[1].heading.as_deref(), Some("aspirin"));
    assert!(answer.found[1].marks.is_empty());
}

#[test]
fn a_hit_names_its_page_and_a_claim_says_whether_it_is_adopted() {
    let world = graph();
    let (fragment, claim, page) = write(&world, |w| {
        let task = task(w, "q");
        let page = page(w, "who.int", "title", DomainCategory::Primary, None);
        let fragment = fragment(w, page, "Exercise prevents diabetes in adults");
        let claim = w.record_claim(&NewClaim {
            task_id: task,
            text: "exercise prevents diabetes".to_owned(),
            language: None,
            origin_fragment_id: Some(fragment),
            extraction_method: None,
            extraction_confidence: None,
        })?;
        Ok((fragment, claim, page))
    });
    let answer = world.read(|r| r.find("diabetes exercise", &FindSettings::default())).unwrap();
    assert_eq!(answer.found.len(), 2);
    let find = |node| answer.found.iter().find(|it| it.node == node).unwrap();
    for found in [find(Node::Fragment(fragment)), find(Node::Claim(claim))] {
        assert_eq!(found.page_id, Some(page));
        assert_eq!(found.url.as_deref(), Some("https://who.int/title"));
        assert_eq!(found.title.as_deref(), Some("title"));
    }
    assert_eq!(find(Node::Claim(claim)).adoption, Some(Adoption::Adopted));
    assert_eq!(find(Node::Fragment(fragment)).adoption, None);
    let wire = serde_json::to_value(find(Node::Claim(claim))).unwrap();
    assert_eq!(wire["type"], "claim");
    assert_eq!(wire["id"], claim.to_string());
    assert_eq!(
        wire["marks"],
        serde_json::json!([{"start": 0, "end": 8}, {"start": 18, "end": 26}])
    );
}

#[test]
fn a_claim_without_a_page_is_found_too() {
    let world = graph();
    write(&world, |w| Ok(claim(w, task(w, "q"), "地球は丸い")));
    let answer = world.read(|r| r.find("地球", &FindSettings::default())).unwrap();
    assert_eq!((answer.found.len(), answer.found[0].page_id), (1, None));
}

#[test]
fn the_target_says_where_to_look() {
    let world = graph();
    write(&world, |w| {
        claim(w, task(w, "q"), "a claim about tea");
        fragment(w, page(w, "a.com", "a", DomainCategory::Low, None), "a passage about tea");
        Ok(())
    });
    let find =
        |target| find_with(&world, "tea", &FindSettings { target, ..FindSettings::default() });
    assert_eq!(find(FindTarget::Claims), "a claim about [tea]");
    assert_eq!(find(FindTarget::Fragments), "a passage about [tea]");
    assert_eq!(find(FindTarget::Both), "a passage about [tea]\na claim about [tea]");
}

/// A task with a passage in each way a passage can belong to it, and one that does not.
fn two_tasks(w: &Writer<'_>) -> graph::Result<(TaskId, TaskId)> {
    let (mine, other) = (task(w, "mine"), task(w, "other"));
    let judged = page(w, "a.com", "judged", DomainCategory::Low, None);
    let listed = page(w, "b.com", "listed", DomainCategory::Low, None);
    let foreign = page(w, "c.com", "foreign", DomainCategory::Low, None);
    let basis = fragment(w, judged, "tea as evidence");
    judge(w, basis, claim(w, mine, "my claim on tea"), Stance::Supports, 0.9);
    let origin = fragment(w, judged, "tea as origin");
    w.record_claim(&NewClaim {
        task_id: mine,
        text: "taken from a passage".to_owned(),
        language: None,
        origin_fragment_id: Some(origin),
        extraction_method: None,
        extraction_confidence: None,
    })?;
    fragment(w, listed, "tea on a result page");
    list(w, mine, listed)?;
    fragment(w, judged, "tea beside the evidence");
    let elsewhere = fragment(w, foreign, "tea of the other task");
    judge(w, elsewhere, claim(w, other, "other claim on tea"), Stance::Refutes, 0.9);
    list(w, other, foreign)?;
    Ok((mine, other))
}

fn list(w: &Writer<'_>, task: TaskId, page: PageId) -> graph::Result<()> {
    let new = NewSearch { task_id: task, query: "tea".to_owned(), options: serde_json::json!({}) };
    w.record_serp_item(&NewSerpItem {
        search_id: w.record_search(&new)?,
        engine: "test".to_owned(),
        rank: 1,
        url: "https://example.org".to_owned(),
        title: None,
        snippet: None,
        published_at: None,
        source_tag: None,
        page_id: Some(page),
    })?;
    Ok(())
}

#[test]
fn a_task_sees_its_claims_its_evidence_and_the_pages_of_its_searches() {
    let world = graph();
    let (mine, other) = write(&world, two_tasks);
    let find = |task| {
        let options = FindSettings { task: Some(task), ..FindSettings::default() };
        let mut lines: Vec<_> =
            find_with(&world, "tea", &options).lines().map(str::to_owned).collect();
        lines.sort();
        lines.join("\n")
    };
    insta::assert_snapshot!(find(mine), @r"
    [tea] as evidence
    [tea] as origin
    [tea] on a result page
    my claim on [tea]
    ");
    insta::assert_snapshot!(find(other), @r"
    [tea] of the other task
    other claim on [tea]
    ");
}

#[test]
fn an_unknown_task_is_an_error_and_not_an_empty_answer() {
    let nowhere = TaskId::from_parts(1, 1);
    let options = FindSettings { task: Some(nowhere), ..FindSettings::default() };
    let error = graph().read(|r| r.find("tea", &options)).unwrap_err();
    assert_eq!(error.to_string(), format!("no task {nowhere}"));
}

#[test]
fn no_more_than_the_limit_is_found() {
    let texts: Vec<String> = (0..30).map(|it| format!("tea number {it}")).collect();
    let graph = passages(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let count = |limit| {
        let options = FindSettings { limit, ..FindSettings::default() };
        graph.read(|r| r.find("tea", &options)).unwrap().found.len()
    };
    assert_eq!([count(0), count(1), count(29), count(31)], [0, 1, 29, 30]);
    assert_eq!(FindSettings::default().limit, 20);
}

#[test]
fn a_changed_text_is_found_by_its_new_words_only() {
    let graph = passages(&["old wording"]);
    write(&graph, |w| {
        let page = page(w, "example.org", "a", DomainCategory::Low, None);
        assert_eq!(w.fragments_of(page)?.len(), 1);
        fragment(w, page, "新しい表現");
        Ok(())
    });
    assert_eq!(find(&graph, "新しい"), "[新しい]表現");
}

#[test]
fn text_without_words_is_refused() {
    let graph = passages(&["tea"]);
    for text in ["", "   ", "　", "?!、。「」", "\"\"", "*", "-", "\0"] {
        assert_eq!(refusal(&graph, text), "the text to find has no letters or digits", "{text:?}");
    }
    assert_eq!(refusal(&graph, "-tea"), "the text to find only says what to leave out");
}

#[test]
fn a_very_long_text_is_refused_and_the_longest_allowed_is_answered() {
    let graph = passages(&["あいう tea"]);
    let refused = "the text to find has more than 2000 characters";
    assert_eq!(refusal(&graph, &"あ".repeat(100_000)), refused);
    assert_eq!(refusal(&graph, &"tea ".repeat(25_000)), refused);
    assert_eq!(refusal(&graph, &"a".repeat(2_001)), refused);
    let longest: String = (0..2_000).map(|it| char::from_u32(0x4e00 + it).unwrap()).collect();
    assert_eq!(find(&graph, &longest), "(some words)");
    assert_eq!(find(&graph, &"tea ".repeat(500)), "あいう [tea]");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn no_input_is_a_syntax_error(
        text in prop_oneof![
            any::<String>(),
            "[ \"*^+:(){}<>|&!\\\\\\-\0aあ糖ORANDTNE]{0,40}",
            "(NEAR|AND|OR|NOT|text_content:|\\(|\\)|\"|\\*|\\+|,|-|\\^| |x|病){0,20}",
        ],
        words in prop_oneof![Just(Words::All), Just(Words::Any), Just(Words::AllElseAny)],
    ) {
        thread_local! {
            static GRAPH: Graph = {
                let graph = Graph::in_memory(options()).unwrap();
                write(&graph, |w| {
                    let page = page(w, "a.com", "a", DomainCategory::Low, None);
                    fragment(w, page, "a x 糖尿病 あ OR AND NOT NEAR text_content");
                    Ok(())
                });
                graph
            };
        }
        let options = FindSettings { words, ..FindSettings::default() };
        let answer = GRAPH.with(|graph| graph.read(|r| r.find(&text, &options)));
        prop_assert!(matches!(answer, Ok(_) | Err(Error::Invalid { .. })), "{answer:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn every_word_of_a_passage_finds_it(
        text in "[a-zＡ-Ｚ一-龠][a-zA-Zａ-ｚぁ-ん一-龠ァ-ヺｱ-ﾝﾞ0-9]{0,7}( [a-zぁ-ん一-龠]{1,8}){0,3}"
    ) {
        let graph = Graph::in_memory(options()).unwrap();
        write(&graph, |w| {
            let page = page(w, "a.com", "a", DomainCategory::Low, None);
            Ok(fragment(w, page, &text))
        });
        for word in text.split(' ') {
            let answer = graph.read(|r| r.find(word, &FindSettings::default())).unwrap();
            prop_assert_eq!(answer.matched, Matched::AllWords, "{}", word);
            prop_assert_eq!(answer.found.len(), 1, "{}", word);
            prop_assert!(!answer.found[0].marks.is_empty(), "{}", word);
        }
    }
}

/// Ranking quality on public data, where it is at hand: `LYRA_EVAL_DATA=DIR cargo nextest run
/// --no-capture japanese_questions`.
#[test]
fn japanese_questions_find_their_paragraphs() {
    let Some(data) = testkit::public_data() else { return };
    let data = data.join("retrieval/ja_jsquad_valid");
    let graph = Graph::in_memory(options()).unwrap();
    let mut documents = HashMap::new();
    write(&graph, |w| {
        for line in json_lines(&data.join("corpus.jsonl.gz")) {
            let name = line["_id"].as_str().unwrap();
            let page = page(w, "wikipedia.org", name, DomainCategory::Low, None);
            documents.insert(fragment(w, page, line["text"].as_str().unwrap()), name.to_owned());
        }
        Ok(())
    });
    let mut relevant: HashMap<String, Vec<String>> = HashMap::new();
    for line in std::fs::read_to_string(data.join("qrels.tsv")).unwrap().lines().skip(1) {
        let fields: Vec<_> = line.split('\t').collect();
        relevant.entry(fields[0].to_owned()).or_default().push(fields[1].to_owned());
    }
    let options = FindSettings {
        target: FindTarget::Fragments,
        words: Words::Any,
        limit: 10,
        ..FindSettings::default()
    };
    let (mut sum, mut questions) = (0.0, 0);
    // Every second question, to stay under a minute; all of them together reach 0.925.
    for line in json_lines(&data.join("queries.jsonl.gz")).iter().step_by(2) {
        let right = &relevant[line["_id"].as_str().unwrap()];
        let text = line["text"].as_str().unwrap();
        let found = graph.read(|r| r.find(text, &options)).unwrap().found;
        let gain = |rank: usize| 1.0 / (rank as f64 + 2.0).log2();
        let reached: f64 = found
            .iter()
            .enumerate()
            .filter(|(_, it)| match it.node {
                Node::Fragment(id) => right.contains(&documents[&id]),
                _ => false,
            })
            .map(|(rank, _)| gain(rank))
            .sum();
        sum += reached / (0..right.len().min(10)).map(gain).sum::<f64>();
        questions += 1;
    }
    let ndcg = sum / f64::from(questions);
    println!("nDCG@10 {ndcg:.4} over {questions} questions");
    assert!(ndcg >= 0.90, "nDCG@10 is {ndcg:.4}");
}

fn json_lines(path: &Path) -> Vec<serde_json::Value> {
    let mut text = String::new();
    let file = std::fs::File::open(path).unwrap();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
