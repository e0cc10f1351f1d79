//! All recorded answers of Semantic Scholar and OpenAlex, where the public data is at hand:
//! `LYRA_EVAL_DATA=DIR cargo nextest run -p sources recorded --no-capture`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use sources::academic::{AcademicSettings, Listed, openalex, semantic_scholar};
use sources::{Candidate, Failure};
use url::Url;

use crate::cassette::{Exchange, bytes_of, exchanges, files_under};

fn data() -> Option<PathBuf> {
    testkit::public_data().map(|data| data.join("api"))
}

fn recorded() -> Option<Vec<Exchange>> {
    let files = files_under(&data()?).into_iter();
    let cassettes = files.filter(|path| {
        let name = path.to_string_lossy().into_owned();
        name.ends_with(".yaml") || name.ends_with(".yaml.gz")
    });
    let mut all = Vec::new();
    for path in cassettes {
        match exchanges(&path) {
            Ok(mut exchanges) => all.append(&mut exchanges),
            // A file that was edited by hand: nothing is lost if none of it is ours.
            Err(asked) => {
                assert_ne!(asked.len(), 0, "{}", path.display());
                assert!(asked.iter().all(|it| foreign(it).is_some()), "{}", path.display());
            }
        }
    }
    Some(all)
}

/// Why an exchange is none of ours.
fn foreign(url: &Url) -> Option<&'static str> {
    let path = url.path();
    match url.host_str().unwrap() {
        "api.openalex.org" if path.starts_with("/works") => None,
        "api.semanticscholar.org" if path.starts_with("/datasets/") => {
            Some("data sets, not papers")
        }
        "api.semanticscholar.org" if path.contains("/author/") && !path.ends_with("/papers") => {
            Some("authors, not papers")
        }
        "api.semanticscholar.org" if path.ends_with("/authors") => Some("authors, not papers"),
        "api.semanticscholar.org" => None,
        "api.crossref.org" | "api.unpaywall.org" => Some("an index Lyra does not ask"),
        _ => Some("another host"),
    }
}

fn read(exchange: &Exchange) -> Result<Listed, Failure> {
    let settings = AcademicSettings::default();
    match exchange.url.host_str() {
        Some("api.openalex.org") => openalex::read(&exchange.body, 1, &settings),
        _ => semantic_scholar::read(&exchange.body, 1, &settings),
    }
}

#[test]
fn every_recorded_answer_of_the_two_indexes_is_read_and_its_records_are_kept() {
    let Some(all) = recorded() else { return };
    let mut skipped: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut answers, mut records, mut errors, mut noted) = (0, 0, 0, Vec::new());
    for exchange in &all {
        if let Some(why) = foreign(&exchange.url) {
            *skipped.entry(why).or_default() += 1;
            continue;
        }
        let place = format!("{} {}", exchange.file, exchange.url.path());
        if exchange.status >= 400 {
            // The fetcher returns these with their status; only the words in them are read.
            let failure = read(exchange).expect_err(&place);
            assert!(
                matches!(failure, Failure::Refused { .. } | Failure::Unreadable { .. }),
                "{place}: {failure}"
            );
            errors += 1;
            continue;
        }
        let listed = read(exchange).unwrap_or_else(|failure| panic!("{place}: {failure}"));
        answers += 1;
        records += listed.candidates.len();
        noted.extend(listed.notes.iter().map(|it| format!("{place}: {it}")));
        let nulls = listed.records - listed.candidates.len();
        let unnamed = listed.notes.iter().filter(|it| it.contains("neither")).count();
        assert!(nulls <= unnamed + 2, "{place}: {nulls} records lost: {:?}", listed.notes);
    }
    println!("{answers} answers with {records} records, {errors} errors; skipped {skipped:?}");
    for note in &noted {
        println!("noted: {note}");
    }
    assert!(answers > 0 && records > 0);
}

#[test]
fn recorded_single_records_are_read() {
    let Some(data) = data() else { return };
    let settings = AcademicSettings::default();
    let mut read = 0;
    for (name, expected) in [
        ("Paper.json.gz", "Computing Machinery and Intelligence"),
        (
            "Citation.json",
            "Learning to Throw With a Handful of Samples Using Decision Transformers",
        ),
        ("Reference.json", "Neural Variational Inference and Learning in Belief Networks"),
        // Nothing but an identifier and nulls.
        ("PaperWithNullValues.json", ""),
    ] {
        for path in files_under(&data) {
            if path.file_name().unwrap().to_string_lossy() == name {
                let listed = semantic_scholar::read(&bytes_of(&path), 1, &settings).unwrap();
                let titles: Vec<&str> =
                    listed.candidates.iter().map(|it| it.title.as_str()).collect();
                assert_eq!(titles, [expected], "{name}");
                read += 1;
            }
        }
    }
    assert_eq!(read, 4);
}

/// What a reader would see of a paper.
fn shown(candidate: &Candidate) -> String {
    let paper = candidate.paper.as_ref().unwrap();
    let count = |number: Option<u32>| number.map_or("-".to_owned(), |it| it.to_string());
    format!(
        "{} | {} | {} | {} | cited {} cites {} | oa {} | {} authors, {} letters | {}",
        candidate.title,
        candidate.date.as_deref().unwrap_or("-"),
        paper.year.map_or("-".to_owned(), |it| it.to_string()),
        paper.venue.as_deref().unwrap_or("-"),
        count(paper.citation_count),
        count(paper.reference_count),
        paper.open_access_url.as_deref().unwrap_or("-"),
        paper.authors.len(),
        paper.abstract_text.as_deref().unwrap_or_default().chars().count(),
        paper
            .identifiers
            .iter()
            .map(|it| format!("{}:{}", it.0, it.1))
            .collect::<Vec<_>>()
            .join(" "),
    )
}

fn first_of<'a>(all: &'a [Exchange], file: &str, host: &str, at: usize) -> &'a Exchange {
    all.iter()
        .filter(|it| it.file.starts_with(file) && it.url.host_str() == Some(host))
        .nth(at)
        .unwrap()
}

#[test]
fn a_dozen_recorded_answers_say_exactly_this() {
    let Some(all) = recorded() else { return };
    let s2 = "api.semanticscholar.org";
    let oa = "api.openalex.org";
    let mut lines = Vec::new();
    for (file, host, at) in [
        ("test_doi_search[paper_attributes0]", s2, 0),
        ("test_doi_search[paper_attributes0]", oa, 0),
        ("test_doi_search[paper_attributes1]", s2, 0),
        ("test_doi_search[paper_attributes1]", oa, 0),
        ("test_doi_search[paper_attributes4]", s2, 0),
        ("test_doi_search[paper_attributes4]", oa, 0),
        ("test_does_openalex_work[not-oa-in-openalex]", oa, 0),
        ("test_does_openalex_work[oa-in-openalex2]", oa, 0),
        ("test_title_search[paper_attributes1]", s2, 0),
        ("test_title_search[paper_attributes1]", oa, 0),
        ("test_title_search[paper_attributes2]", oa, 0),
        ("test_get_paper_references", s2, 1),
        ("test_get_paper_citations", s2, 18),
        ("test_search_paper_next_page", s2, 0),
        ("test_get_papers_not_found_warning", s2, 0),
        ("test_empty_paginated_results", s2, 0),
        ("test_search_snippet", s2, 0),
    ] {
        let listed = read(first_of(&all, file, host, at)).unwrap();
        let total = listed.total.map_or("-".to_owned(), |it| it.to_string());
        let next = listed.next.map_or("-".to_owned(), |it| it.to_string());
        lines.push(format!(
            "## {file} {at}: {} of {} of {total}, next {next}",
            listed.candidates.len(),
            listed.records
        ));
        lines.extend(listed.candidates.iter().take(2).map(shown));
    }
    insta::assert_snapshot!(lines.join("\n"), @r"
    ## test_doi_search[paper_attributes0] 0: 1 of 1 of -, next -
    High-throughput screening of human genetic variants by pooled prime editing | 2024-04-01 | 2024 | bioRxiv | cited 5 cites - | oa https://doi.org/10.1016/j.xgen.2025.100814 | 6 authors, 0 letters | doi:10.1016/j.xgen.2025.100814 pmid:40120586 pmcid:PMC12008803 semantic_scholar:7e5d4466c8b85f93775fe183e1a318a3e65ac8e4
    ## test_doi_search[paper_attributes0] 0: 1 of 1 of -, next -
    High-throughput screening of human genetic variants by pooled prime editing | 2025-03-01 | 2025 | Cell Genomics | cited 3 cites 59 | oa https://doi.org/10.1016/j.xgen.2025.100814 | 6 authors, 0 letters | doi:10.1016/j.xgen.2025.100814 pmid:40120586 openalex:W4408732759
    ## test_doi_search[paper_attributes1] 0: 1 of 1 of -, next -
    An essential role of active site arginine residue in iodide binding and histidine residue in electron transfer for iodide oxidation by horseradish peroxidase | 2001-02-01 | 2001 | Molecular and Cellular Biochemistry | cited 7 cites - | oa - | 4 authors, 0 letters | doi:10.1023/a:1007154515475 pmid:11330823 semantic_scholar:19807da5b11f3e641535cb72e465001b49b48ee5
    ## test_doi_search[paper_attributes1] 0: 1 of 1 of -, next -
    An essential role of active site arginine residue in iodide binding and histidine residue in electron transfer for iodide oxidation by horseradish peroxidase. | 2001-01-01 | 2001 | Molecular and Cellular Biochemistry | cited 7 cites 36 | oa - | 4 authors, 0 letters | doi:10.1023/a:1007154515475 pmid:11330823 openalex:W1554322594
    ## test_doi_search[paper_attributes4] 0: 1 of 1 of -, next -
    Developing functional musculoskeletal tissues through hypoxia and lysyl oxidase-induced collagen cross-linking | 2014-10-27 | 2014 | Proceedings of the National Academy of Sciences of the United States of America | cited 136 cites - | oa https://www.pnas.org/content/pnas/111/45/E4832.full.pdf | 5 authors, 0 letters | doi:10.1073/pnas.1414271111 pmid:25349395 semantic_scholar:db3720c812a462ef955d5654b65ca9189d4b8372
    ## test_doi_search[paper_attributes4] 0: 1 of 1 of -, next -
    Developing functional musculoskeletal tissues through hypoxia and lysyl oxidase-induced collagen cross-linking | 2014-10-27 | 2014 | Proceedings of the National Academy of Sciences | cited 138 cites 73 | oa https://doi.org/10.1073/pnas.1414271111 | 5 authors, 973 letters | doi:10.1073/pnas.1414271111 pmid:25349395 pmcid:PMC4234579 openalex:W2109415576
    ## test_does_openalex_work[not-oa-in-openalex] 0: 1 of 1 of -, next -
     | - | - | - | cited - cites - | oa - | 0 authors, 0 letters | doi:10.1002/wrna.1370
    ## test_does_openalex_work[oa-in-openalex2] 0: 1 of 1 of -, next -
     | - | - | - | cited - cites - | oa https://academic.oup.com/nar/article-pdf/45/1/311/9249485/gkw1164.pdf | 0 authors, 0 letters | doi:10.1093/nar/gkw1164
    ## test_title_search[paper_attributes1] 0: 1 of 1 of -, next -
    PaperQA: Retrieval-Augmented Generative Agent for Scientific Research | 2023-12-08 | 2023 | arXiv.org | cited 106 cites - | oa - | 6 authors, 0 letters | doi:10.48550/arxiv.2312.07559 arxiv:2312.07559 semantic_scholar:7e55d8701785818776323b4147cb13354c820469
    ## test_title_search[paper_attributes1] 0: 1 of 1 of 1, next -
    PaperQA: Retrieval-Augmented Generative Agent for Scientific Research | 2023-01-01 | 2023 | arXiv (Cornell University) | cited 27 cites 0 | oa https://arxiv.org/abs/2312.07559 | 6 authors, 1182 letters | doi:10.48550/arxiv.2312.07559 arxiv:2312.07559 openalex:W4389761608
    ## test_title_search[paper_attributes2] 0: 2 of 2 of 2, next -
    Augmenting large language models with chemistry tools | 2024-05-08 | 2024 | Nature Machine Intelligence | cited 236 cites 57 | oa https://www.nature.com/articles/s42256-024-00832-8.pdf | 6 authors, 1024 letters | doi:10.1038/s42256-024-00832-8 pmid:38799228 openalex:W4396723768
    ChemCrow: Augmenting large-language models with chemistry tools | 2023-01-01 | 2023 | arXiv (Cornell University) | cited 106 cites 0 | oa https://arxiv.org/abs/2304.05376 | 4 authors, 1385 letters | doi:10.48550/arxiv.2304.05376 arxiv:2304.05376 openalex:W4365597205
    ## test_get_paper_references 1: 4 of 17 of -, next -
    On the Macroeconomics of Microfinance | - | - | - | cited - cites - | oa - | 0 authors, 0 letters | semantic_scholar:dba9e61c454d9285dab4ce94def0be97bead4455
    Intra-household resource allocation: an inferential approach | - | - | - | cited - cites - | oa - | 0 authors, 0 letters | semantic_scholar:dc26fcfebab98cf6d3b8ad59a69f450a90763558
    ## test_get_paper_citations 18: 77 of 81 of -, next -
    POVERTY LINES, HOUSEHOLD ECONOMIES OF SCALE AND URBAN POVERTY IN MALAYSIA | - | - | - | cited - cites - | oa - | 0 authors, 0 letters | semantic_scholar:57ca0060418e8a4d972905f3cfbae330b111f21e
    Promoting Gender Equality as a Means to Finance Development | - | - | - | cited - cites - | oa - | 0 authors, 0 letters | semantic_scholar:62b80b51705bd598088daac05e3889114294bfea
    ## test_search_paper_next_page 0: 100 of 100 of 70498, next 100
    Using DeepSpeed and Megatron to Train Megatron-Turing NLG 530B, A Large-Scale Generative Language Model | - | - | - | cited - cites - | oa - | 0 authors, 0 letters | semantic_scholar:7cbc2a7843411a1768ab762930707af0a3c33a19
    Quantum theory, the Church–Turing principle and the universal quantum computer | - | - | - | cited - cites - | oa - | 0 authors, 0 letters | semantic_scholar:6b0f06617d9f5256a80ed62d9398acb92a55a6bd
    ## test_get_papers_not_found_warning 0: 3 of 4 of -, next -
    How Much Should We Trust Differences-in-Differences Estimates? | 2001-10-01 | 2001 | Experimental & Empirical Studies eJournal | cited 10670 cites 30 | oa http://papers.nber.org/papers/w8841.pdf | 3 authors, 1410 letters | doi:10.2139/ssrn.288970 semantic_scholar:c31c87c591a25c64fbaa82e8ac6a81831b6ac7ce
    The Miracle of Microfinance? Evidence from a Randomized Evaluation | 2013-04-10 | 2013 | ERN: Credit Risk (Topic) | cited 2185 cites 67 | oa https://dspace.mit.edu/bitstream/1721.1/95941/1/Banerjee_The%20miracle.pdf | 4 authors, 446 letters | doi:10.2139/ssrn.2250500 semantic_scholar:cb1ebd913c3724c599f6b276b14b5c6253da68f3
    ## test_empty_paginated_results 0: 0 of 0 of 0, next -
    ## test_search_snippet 0: 2 of 2 of -, next -
    Computing Machinery and Intelligence | - | - | - | cited - cites - | oa - | 1 authors, 0 letters | semantic_scholar:CorpusId:19170988
    Evaluating Machine Intelligence | - | - | - | cited - cites - | oa - | 2 authors, 0 letters | semantic_scholar:CorpusId:12345678
    ");
}
