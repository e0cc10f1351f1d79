//! One entry for one work.

use proptest::prelude::*;
use sources::canonical::{Canonical, LikenessSettings, merge};
use sources::{Candidate, Paper};

fn record(
    engine: &str,
    rank: u32,
    title: &str,
    names: &[(&str, &str)],
    authors: &[&str],
    year: Option<i32>,
) -> Candidate {
    let identifiers: Vec<(String, String)> =
        names.iter().map(|it| (it.0.to_owned(), it.1.to_owned())).collect();
    let url = match names.first() {
        Some((scheme, value)) => format!("https://{scheme}.example/{value}"),
        None => format!("https://{engine}.example/{rank}"),
    };
    Candidate {
        found_on: None,
        title: title.to_owned(),
        url: url.parse().unwrap(),
        snippet: None,
        date: year.map(|it| it.to_string()),
        engine: engine.to_owned(),
        rank,
        source_tag: "academic".to_owned(),
        paper: Some(Paper {
            authors: authors.iter().map(|it| (*it).to_owned()).collect(),
            year,
            identifiers,
            ..Paper::default()
        }),
        text: None,
    }
}

fn page(url: &str, title: &str) -> Candidate {
    Candidate {
        found_on: None,
        title: title.to_owned(),
        url: url.parse().unwrap(),
        snippet: Some("from a result page".to_owned()),
        date: None,
        engine: "mojeek".to_owned(),
        rank: 1,
        source_tag: "web".to_owned(),
        paper: None,
        text: None,
    }
}

fn merged(records: &[Candidate]) -> Vec<Canonical> {
    merge(records.to_vec(), &LikenessSettings::default())
}

/// One work a line: title, address, names, then who said so.
fn shown(works: &[Canonical]) -> String {
    let line = |work: &Canonical| {
        let names = work.candidate.paper.iter().flat_map(|it| &it.identifiers);
        let names: Vec<String> = names.map(|it| format!("{}:{}", it.0, it.1)).collect();
        let engines: Vec<&str> = work.records.iter().map(|it| it.engine.as_str()).collect();
        format!(
            "{} | {} | {} | {}",
            work.candidate.title,
            work.candidate.url,
            names.join(" "),
            engines.join("+")
        )
    };
    works.iter().map(line).collect::<Vec<_>>().join("\n")
}

const S2: &str = "semantic_scholar";
const OA: &str = "openalex";

#[test]
fn what_one_index_lacks_the_other_completes_and_who_gave_what_stays() {
    let mut first = record(
        S2,
        1,
        "Augmenting models",
        &[("doi", "10.1000/a"), ("pmid", "7")],
        &["A. Bran"],
        Some(2024),
    );
    let mut second = record(
        OA,
        3,
        "Augmenting Models.",
        &[("doi", "10.1000/a"), ("openalex", "W1")],
        &["Andres Bran"],
        Some(2023),
    );
    {
        let paper = first.paper.as_mut().unwrap();
        paper.citation_count = Some(5);
        let paper = second.paper.as_mut().unwrap();
        paper.abstract_text = Some("Chemistry.".to_owned());
        paper.citation_count = Some(9);
        paper.venue = Some("Nature".to_owned());
        paper.retracted = true;
    }
    let works = merged(&[second, first]);
    assert_eq!(works.len(), 1);
    let paper = works[0].candidate.paper.as_ref().unwrap();
    assert_eq!((paper.year, paper.citation_count), (Some(2024), Some(5)));
    assert_eq!(
        (paper.abstract_text.as_deref(), paper.venue.as_deref()),
        (Some("Chemistry."), Some("Nature"))
    );
    assert!(paper.retracted, "one index that knows of a retraction is enough");
    insta::assert_snapshot!(shown(&works), @"Augmenting models | https://doi.org/10.1000/a | doi:10.1000/a pmid:7 openalex:W1 | semantic_scholar+openalex");
    let given = works[0].given.iter().map(|it| format!("{}: {}", it.0, it.1.join(" ")));
    insta::assert_snapshot!(given.collect::<Vec<_>>().join("\n"), @r"
    abstract: openalex
    authors: semantic_scholar
    citation_count: semantic_scholar
    date: semantic_scholar
    doi: semantic_scholar openalex
    openalex: openalex
    pmid: semantic_scholar
    retracted: openalex
    title: semantic_scholar
    venue: openalex
    year: semantic_scholar
    ");
}

#[test]
fn any_common_identifier_makes_one_work() {
    let works = merged(&[
        record(S2, 1, "One", &[("doi", "10.1000/a"), ("pmid", "7")], &[], None),
        record(OA, 1, "Uno", &[("pmid", "7"), ("pmcid", "PMC3")], &[], None),
        record(OA, 2, "Ein", &[("pmcid", "PMC3")], &[], None),
        // arXiv's DOI is its number in other words.
        record(S2, 2, "Two", &[("doi", "10.1000/b"), ("arxiv", "2304.05376")], &[], None),
        record(OA, 3, "Dos", &[("doi", "10.48550/arxiv.2304.05376")], &[], None),
    ]);
    insta::assert_snapshot!(shown(&works), @r"
    One | https://doi.org/10.1000/a | doi:10.1000/a pmid:7 pmcid:PMC3 | semantic_scholar+openalex+openalex
    Two | https://doi.org/10.1000/b | doi:10.1000/b doi:10.48550/arxiv.2304.05376 arxiv:2304.05376 | semantic_scholar+openalex
    ");
}

#[test]
fn pages_are_recognised_by_the_work_their_address_names() {
    let works = merged(&[
        record(S2, 2, "One", &[("doi", "10.1000/a")], &[], None),
        page("https://publisher.example/doi/full/10.1000/A?utm_source=x", "One | Publisher"),
        page("https://news.example/story/?utm_campaign=x#top", "Story"),
        page("http://www.news.example/story", "Story again"),
        page("https://news.example/story?id=2", "Another"),
        // A title alone is too little for a page.
        page("https://blog.example/one", "One"),
    ]);
    insta::assert_snapshot!(shown(&works), @r"
    One | https://doi.org/10.1000/a | doi:10.1000/a | semantic_scholar+mojeek
    Story again | http://www.news.example/story |  | mojeek+mojeek
    One | https://blog.example/one |  | mojeek
    Another | https://news.example/story?id=2 |  | mojeek
    ");
}

#[test]
fn title_authors_and_year_decide_where_no_identifier_does() {
    let title = "A Study of Long Enough Titles";
    let like = |one: Candidate, other: Candidate| merged(&[one, other]).len() == 1;
    let base =
        || record(S2, 1, title, &[("doi", "10.1000/a")], &["Alan Turing", "B. Lee"], Some(2020));
    let other = |title: &str, authors: &[&str], year| {
        record(OA, 1, title, &[("openalex", "W1")], authors, year)
    };
    assert!(like(
        base(),
        other("study of <i>long</i>, enough titles", &["A. M. Turing"], Some(2020))
    ));
    assert!(
        like(base(), other(title, &["Turing, A."], Some(2019))),
        "a preprint of the year before"
    );
    assert!(like(base(), other(title, &["Alan Turing"], None)));
    assert!(like(base(), other(title, &[], Some(2020))), "no authors, but the same year");
    assert!(!like(base(), other(title, &[], Some(2021))), "no authors and another year");
    assert!(!like(base(), other(title, &[], None)));
    assert!(!like(base(), other(title, &["Alan Turing"], Some(2018))));
    assert!(!like(base(), other(title, &["C. Darwin"], Some(2020))));
    assert!(!like(base(), other("Another Study of Long Titles", &["Alan Turing"], Some(2020))));
    let short = |engine, name| record(engine, 1, "Editorial", &[name], &["A. Turing"], Some(2020));
    assert!(!like(short(S2, ("pmid", "1")), short(OA, ("pmid", "2"))), "a title many works have");
}

#[test]
fn japanese_titles_are_compared_too() {
    let one = record(
        S2,
        1,
        "ＣＯＶＩＤ－１９の後遺症：全国調査",
        &[("pmid", "1")],
        &["山田 太郎"],
        Some(2022),
    );
    let other = record(
        OA,
        1,
        "COVID-19の後遺症 全国調査",
        &[("openalex", "W1")],
        &["山田太郎"],
        Some(2022),
    );
    let third = record(
        OA,
        2,
        "COVID-19の後遺症 地域調査",
        &[("openalex", "W2")],
        &["山田太郎"],
        Some(2022),
    );
    assert_eq!(shown(&merged(&[one, other, third])), "\
ＣＯＶＩＤ－１９の後遺症：全国調査 | https://pubmed.ncbi.nlm.nih.gov/1 | pmid:1 openalex:W1 | semantic_scholar+openalex
COVID-19の後遺症 地域調査 | https://openalex.org/W2 | openalex:W2 | openalex");
}

#[test]
fn a_preprint_joins_its_paper_but_two_papers_stay_two() {
    let title = "High throughput screening of variants";
    let paper = record(S2, 1, title, &[("doi", "10.1016/j.xgen.1")], &["M. Herger"], Some(2025));
    let preprint =
        record(OA, 1, title, &[("doi", "10.1101/2024.04.01")], &["Michael Herger"], Some(2024));
    let erratum =
        record(OA, 2, title, &[("doi", "10.1016/j.other.2")], &["Michael Herger"], Some(2025));
    let works = merged(&[preprint.clone(), paper.clone()]);
    assert_eq!(works.len(), 1);
    assert_eq!(works[0].candidate.url.as_str(), "https://doi.org/10.1016/j.xgen.1");
    assert_eq!(
        works[0].candidate.paper.as_ref().unwrap().identifier("doi"),
        Some("10.1016/j.xgen.1")
    );
    // With the other paper known, the preprint is ambiguous.
    assert_eq!(merged(&[preprint, paper, erratum]).len(), 3);
}

#[test]
fn a_record_joins_what_others_became_together() {
    let title = "A Study of Long Enough Titles";
    let unsigned = record(S2, 1, title, &[("doi", "10.1000/a")], &[], Some(2019));
    let signed = record(OA, 1, title, &[("openalex", "W1")], &["Alan Turing"], Some(2019));
    let early = record(S2, 2, title, &[], &["山田 太郎", "Alan Turing"], Some(2018));
    // No record of the three is like it: no authors, other authors, two years apart.
    let late = record(S2, 3, title, &[], &["山田 太郎"], Some(2020));
    assert_eq!(
        shown(&merged(&[unsigned, signed, early, late])),
        "A Study of Long Enough Titles | https://doi.org/10.1000/a | doi:10.1000/a openalex:W1 | \
         semantic_scholar+semantic_scholar+semantic_scholar+openalex"
    );
}

#[test]
fn nothing_and_one_are_what_they_are() {
    assert_eq!(merged(&[]), []);
    let one = record(S2, 4, "", &[("doi", "10.1000/a")], &[], None);
    assert_eq!(
        shown(&merged(std::slice::from_ref(&one))),
        " | https://doi.org/10.1000/a | doi:10.1000/a | semantic_scholar"
    );
    assert_eq!(merged(&[one.clone(), one.clone()]), merged(&[one]));
}

fn any_record() -> impl Strategy<Value = Candidate> {
    let engine = prop::sample::select(vec![S2, OA, "mojeek"]);
    let title = prop::sample::select(vec![
        "A Study of Long Enough Titles",
        "Study of long enough titles.",
        "RETRACTED: A study of long enough titles",
        "気候変動の影響についての研究",
        "Editorial",
        "",
    ]);
    let name = prop::sample::select(vec![
        ("doi", "10.1000/a"),
        ("doi", "10.1000/b"),
        ("doi", "10.48550/arxiv.2304.05376"),
        ("doi", "10.1101/2024.1"),
        ("arxiv", "2304.05376"),
        ("pmid", "7"),
        ("openalex", "W1"),
        ("openalex", "W2"),
    ]);
    let author = prop::sample::select(vec!["Alan Turing", "A. Turing", "B. Lee", "山田 太郎"]);
    (
        engine,
        1..5u32,
        title,
        prop::collection::btree_set(name, 0..3),
        prop::collection::vec(author, 0..3),
        prop::option::of(2018..2023),
        any::<bool>(),
    )
        .prop_map(|(engine, rank, title, names, authors, year, is_paper)| {
            let names: Vec<_> = names.into_iter().collect();
            let mut it = record(engine, rank, title, &names, &authors, year);
            if engine == "mojeek" && !is_paper {
                it.paper = None;
            }
            it
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn the_order_of_the_records_does_not_matter(
        (records, shuffled) in prop::collection::vec(any_record(), 0..9)
            .prop_flat_map(|it| (Just(it.clone()), Just(it).prop_shuffle()))
    ) {
        prop_assert_eq!(merged(&records), merged(&shuffled));
    }

    #[test]
    fn merging_what_is_merged_changes_nothing(records in prop::collection::vec(any_record(), 0..9)) {
        let once = merged(&records);
        let apart: Vec<Candidate> = once.iter().flat_map(|it| it.records.clone()).collect();
        prop_assert_eq!(&merged(&apart), &once);
        let whole: Vec<Candidate> = once.iter().map(|it| it.candidate.clone()).collect();
        let twice: Vec<Candidate> = merged(&whole).into_iter().map(|it| it.candidate).collect();
        prop_assert_eq!(twice, whole);
    }

    #[test]
    fn no_record_and_no_identifier_is_lost(records in prop::collection::vec(any_record(), 0..9)) {
        let works = merged(&records);
        for record in &records {
            let holders: Vec<&Canonical> = works.iter().filter(|it| it.records.contains(record)).collect();
            prop_assert_eq!(holders.len(), 1);
            let paper = holders[0].candidate.paper.clone().unwrap_or_default();
            for name in record.paper.iter().flat_map(|it| &it.identifiers) {
                prop_assert!(paper.identifiers.contains(name));
            }
        }
    }
}
