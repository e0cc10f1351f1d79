//! The two academic indexes, asked over the network.

use sources::academic::{Academic, AcademicAnswer, WorkName};
use sources::canonical::Canonical;
use sources::{Candidate, Paper, Query, exact};
use testweb::{Answer, Fault, Indexed};

use crate::small_internet::{SmallInternet, academic, nobody, settings};

const S2: &str = "api.semanticscholar.org";
const OA: &str = "api.openalex.org";

fn query(text: &str) -> Query {
    Query { text: text.to_owned(), limit: 50, ..Query::default() }
}

fn engines(work: &Canonical) -> Vec<&str> {
    work.records.iter().map(|it| it.engine.as_str()).collect()
}

fn doi(work: &Canonical) -> &str {
    work.candidate.paper.as_ref().unwrap().identifier("doi").unwrap()
}

/// `index: found, requests, failure` of each index.
fn outcomes(answer: &AcademicAnswer) -> Vec<String> {
    let line = |outcome: &sources::SourceOutcome| {
        let failure = outcome.failure.as_ref().map_or("fine".to_owned(), ToString::to_string);
        format!(
            "{}: {} found, {} asked, {failure}",
            outcome.source, outcome.found, outcome.requests
        )
    };
    answer.outcomes.iter().map(line).collect()
}

fn world_paper(net: &SmallInternet, pick: impl Fn(&testweb::Paper) -> bool) -> testweb::Paper {
    net.web.world().papers().iter().find(|it| pick(it)).unwrap().clone()
}

fn named(names: &[(&str, &str)]) -> Paper {
    let identifiers = names.iter().map(|it| (it.0.to_owned(), it.1.to_owned())).collect();
    Paper { identifiers, ..Paper::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_asks_both_indexes_once_and_merges_what_they_know() {
    let net = SmallInternet::new();
    let answer = academic(settings()).search(&net.fetcher, &query("velorastatin"), nobody()).await;
    assert_eq!(
        outcomes(&answer),
        ["semantic_scholar: 5 found, 1 asked, fine", "openalex: 5 found, 1 asked, fine",]
    );
    assert_eq!(net.asked(S2), ["/graph/v1/paper/search"]);
    assert_eq!(net.asked(OA), ["/works"]);
    for work in &answer.works {
        let paper = world_paper(&net, |it| it.doi == doi(work));
        let expected: &[&str] = match paper.indexed {
            Indexed::Both => &["semantic_scholar", "openalex"],
            Indexed::SemanticScholar => &["semantic_scholar"],
            Indexed::OpenAlex => &["openalex"],
        };
        assert_eq!(engines(work), expected, "{}", paper.title);
        let known = work.candidate.paper.as_ref().unwrap();
        assert_eq!((&work.candidate.title, known.year), (&paper.title, Some(paper.year)));
        assert_eq!(known.abstract_text.as_deref(), Some(paper.abstract_text.as_str()));
        assert_eq!(known.authors, paper.authors);
        assert_eq!(known.retracted, paper.retracted && paper.indexed != Indexed::SemanticScholar);
        assert_eq!(work.candidate.url.as_str(), format!("https://doi.org/{}", paper.doi));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_found_is_an_empty_answer_and_not_a_failure() {
    let net = SmallInternet::new();
    let answer = academic(settings()).search(&net.fetcher, &query("zzqxj"), nobody()).await;
    assert_eq!(answer.works, []);
    assert_eq!(
        outcomes(&answer),
        ["semantic_scholar: 0 found, 1 asked, fine", "openalex: 0 found, 1 asked, fine",]
    );
    let answer = academic(settings()).search(&net.fetcher, &query(" \"?\" "), nobody()).await;
    assert_eq!(
        outcomes(&answer),
        [
            "semantic_scholar: 0 found, 0 asked, the query has no words",
            "openalex: 0 found, 0 asked, the query has no words",
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_that_fails_leaves_the_other() {
    let net = SmallInternet::new();
    net.web.script(
        S2,
        vec![Fault::Answer(Answer::json(403, &serde_json::json!({"message": "Forbidden"})))],
    );
    let answer = academic(settings()).search(&net.fetcher, &query("velorastatin"), nobody()).await;
    assert_eq!(
        outcomes(&answer),
        [
            "semantic_scholar: 0 found, 1 asked, it answered 403: Forbidden",
            "openalex: 5 found, 1 asked, fine",
        ]
    );
    assert_eq!(answer.works.len(), 5);

    net.web.script(OA, vec![Fault::Answer(Answer::html(200, "<html>Sorry</html>"))]);
    let again = Query { limit: 49, ..query("velorastatin") };
    let answer = academic(settings()).search(&net.fetcher, &again, nobody()).await;
    assert_eq!(
        outcomes(&answer),
        [
            "semantic_scholar: 5 found, 1 asked, fine",
            "openalex: 0 found, 1 asked, its answer cannot be read: a web page came instead of JSON",
        ]
    );

    let mut off = settings();
    off.openalex.enabled = false;
    let answer = academic(off).search(&net.fetcher, &query("velorastatin"), nobody()).await;
    assert_eq!(outcomes(&answer)[1], "openalex: 0 found, 0 asked, it is switched off");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_that_asks_for_patience_is_asked_again() {
    let net = SmallInternet::new();
    net.web.script(S2, vec![Fault::RetryAfter(1)]);
    net.web.script(OA, vec![Fault::Status(503)]);
    let answer = academic(settings()).search(&net.fetcher, &query("velorastatin"), nobody()).await;
    assert_eq!(
        outcomes(&answer),
        ["semantic_scholar: 5 found, 1 asked, fine", "openalex: 5 found, 1 asked, fine",]
    );
    assert_eq!((net.asked(S2).len(), net.asked(OA).len()), (2, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_followed_until_there_is_enough() {
    let net = SmallInternet::new();
    let some = Query { limit: 3, ..query("velorastatin") };
    let answer = academic(settings()).search(&net.fetcher, &some, nobody()).await;
    assert_eq!((answer.outcomes[0].found, answer.outcomes[0].total), (3, Some(5)));
    assert_eq!((answer.outcomes[1].found, answer.outcomes[1].requests), (3, 1));
    // An index that gives less than it was asked for is asked for the rest, but not for ever.
    let page = |ids: &[&str], next: u64| {
        let data: Vec<_> = ids
            .iter()
            .map(|it| serde_json::json!({"paperId": format!("{it:0>40}"), "title": it}))
            .collect();
        Fault::Answer(Answer::json(
            200,
            &serde_json::json!({"total": 900, "offset": 0, "next": next, "data": data}),
        ))
    };
    net.web.script(
        S2,
        vec![page(&["1"], 1), page(&["2"], 2), page(&["3"], 3), page(&["4"], 4), page(&["5"], 5)],
    );
    let answer = academic(settings()).search(&net.fetcher, &query("other words"), nobody()).await;
    assert_eq!((answer.outcomes[0].found, answer.outcomes[0].requests), (4, 4));
}

#[tokio::test(flavor = "multi_thread")]
async fn excluded_words_and_titles_are_looked_at_here() {
    let net = SmallInternet::new();
    let all = academic(settings()).search(&net.fetcher, &query("velorastatin"), nobody()).await;
    let word = "randomised";
    let title = |it: &Canonical| it.candidate.title.to_lowercase();
    let text = |work: &Canonical| {
        let paper = work.candidate.paper.as_ref().unwrap();
        format!(
            "{} {}",
            title(work),
            paper.abstract_text.clone().unwrap_or_default().to_lowercase()
        )
    };
    let with = all.works.iter().filter(|it| text(it).contains(word)).count();
    assert!((1..all.works.len()).contains(&with), "{with} of {}", all.works.len());
    let excluding = Query { excluded: vec![word.to_owned()], ..query("velorastatin") };
    let answer = academic(settings()).search(&net.fetcher, &excluding, nobody()).await;
    assert_eq!(answer.works.len(), all.works.len() - with);
}

#[tokio::test(flavor = "multi_thread")]
async fn references_come_whole_from_one_index_and_bounded_from_the_other() {
    let net = SmallInternet::new();
    let papers = net.web.world().papers();
    let in_openalex = |paper: &testweb::Paper| {
        paper.references.iter().filter(|it| papers[**it].in_openalex()).count()
    };
    let citing = world_paper(&net, |it| it.indexed == Indexed::Both && in_openalex(it) > 2);
    let cited = citing.references.iter().map(|it| &papers[*it]);
    let (mut first, mut second): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for paper in cited {
        if paper.in_semantic_scholar() {
            first.push(&paper.doi);
        }
        if paper.in_openalex() {
            second.push(&paper.doi);
        }
    }
    second.truncate(2);
    let mut few = settings();
    few.max_by_identifier = 2;
    let paper = named(&[("doi", &citing.doi)]);
    let answer = academic(few).references(&net.fetcher, &paper, nobody()).await;
    let from = |engine: &str| {
        let works = answer.works.iter().filter(|it| engines(it).contains(&engine));
        let mut dois: Vec<&str> = works.map(doi).collect();
        dois.sort_unstable();
        dois
    };
    first.sort_unstable();
    second.sort_unstable();
    assert_eq!(from("semantic_scholar"), first);
    assert_eq!(from("openalex"), second);
    // The work itself, then all wanted references in one request: never one request for each.
    assert_eq!(net.asked(OA), [format!("/works/doi:{}", citing.doi), "/works".to_owned()]);
    let batch = &net.web.hits(OA)[1].path;
    assert_eq!(batch.matches("%7C").count(), 1, "{batch}");
    assert!(answer.outcomes[1].notes[0].starts_with("2 of its "), "{:?}", answer.outcomes[1].notes);
}

#[tokio::test(flavor = "multi_thread")]
async fn citations_come_from_both_indexes() {
    let net = SmallInternet::new();
    let papers = net.web.world().papers();
    let place = (0..papers.len())
        .find(|index| {
            papers[*index].indexed == Indexed::Both
                && papers.iter().filter(|paper| paper.references.contains(index)).count() > 1
        })
        .unwrap();
    let citing = papers.iter().filter(|it| it.references.contains(&place));
    let mut expected: Vec<&str> = citing.map(|it| it.doi.as_str()).collect();
    expected.sort_unstable();
    for paper in [
        named(&[("doi", &papers[place].doi)]),
        named(&[
            ("openalex", &papers[place].openalex_id),
            ("semantic_scholar", &papers[place].s2_id),
        ]),
    ] {
        let answer = academic(settings()).citations(&net.fetcher, &paper, nobody()).await;
        let mut found: Vec<&str> = answer.works.iter().map(doi).collect();
        found.sort_unstable();
        assert_eq!(found, expected);
    }
    // By DOI the OpenAlex id has to be found first.
    assert_eq!(net.asked(OA).len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pmid_becomes_a_doi() {
    let net = SmallInternet::new();
    let paper = world_paper(&net, |it| it.pmid.is_some() && it.indexed == Indexed::SemanticScholar);
    let name = WorkName::parse(&format!("PMID:{}", paper.pmid.clone().unwrap())).unwrap();
    let answer = academic(settings()).resolve(&net.fetcher, &name, nobody()).await;
    assert_eq!(answer.works.len(), 1);
    assert_eq!(doi(&answer.works[0]), paper.doi);
    // OpenAlex did not find it by PMID and was asked once more, by the DOI that the other index gave.
    let pmid = paper.pmid.unwrap();
    assert_eq!(net.asked(OA), [format!("/works/pmid:{pmid}"), format!("/works/doi:{}", paper.doi)]);
    assert_eq!(
        outcomes(&answer),
        ["semantic_scholar: 1 found, 1 asked, fine", "openalex: 0 found, 2 asked, it answered 404",]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_only_one_index_knows_reaches_the_other_by_its_doi() {
    let net = SmallInternet::new();
    let paper = world_paper(&net, |it| it.indexed == Indexed::Both);
    for name in [&paper.s2_id, &paper.openalex_id] {
        let name = WorkName::parse(name).unwrap();
        let answer = academic(settings()).resolve(&net.fetcher, &name, nobody()).await;
        assert_eq!(answer.works.len(), 1);
        assert_eq!(engines(&answer.works[0]), ["semantic_scholar", "openalex"]);
    }
    let unknown = WorkName::parse("10.5555/none").unwrap();
    let answer = academic(settings()).resolve(&net.fetcher, &unknown, nobody()).await;
    assert_eq!(
        outcomes(&answer),
        [
            "semantic_scholar: 0 found, 1 asked, it answered 404: Paper with id DOI:10.5555/none not found",
            "openalex: 0 found, 1 asked, it answered 404",
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn works_are_completed_in_batches_of_bounded_number() {
    let net = SmallInternet::new();
    let papers: Vec<&testweb::Paper> = net
        .web
        .world()
        .papers()
        .iter()
        .filter(|it| it.indexed == Indexed::Both && it.pmid.is_some())
        .take(3)
        .collect();
    let candidate = |rank: usize, engine: &str, names: &[(&str, &str)]| Candidate {
        found_on: None,
        title: String::new(),
        url: format!("https://x.example/{rank}").parse().unwrap(),
        snippet: None,
        date: None,
        engine: engine.to_owned(),
        rank: u32::try_from(rank).unwrap(),
        source_tag: "academic".to_owned(),
        paper: Some(named(names)),
        text: None,
    };
    let records = vec![
        // Without an abstract, from the first index; and twice only a PMID, from a page.
        candidate(1, "semantic_scholar", &[("doi", &papers[0].doi)]),
        candidate(2, "web", &[("pmid", papers[1].pmid.as_deref().unwrap())]),
        candidate(3, "web", &[("pmid", papers[2].pmid.as_deref().unwrap())]),
    ];
    let works =
        sources::canonical::merge(records, &sources::canonical::LikenessSettings::default());
    let mut one = settings();
    one.max_by_identifier = 1;
    let answer = academic(one).complete(&net.fetcher, works.clone(), nobody()).await;
    let ranks: Vec<u32> = answer.works.iter().map(|it| it.candidate.rank).collect();
    assert_eq!(ranks, [1, 2, 3], "completing moves nothing");
    let known = |at: usize| answer.works[at].candidate.paper.clone().unwrap();
    assert_eq!(known(0).abstract_text.as_deref(), Some(papers[0].abstract_text.as_str()));
    assert_eq!(known(1).identifier("doi"), Some(papers[1].doi.as_str()));
    assert_eq!(known(2).identifier("doi"), None, "beyond the bound");
    assert_eq!(
        (net.asked(S2), net.asked(OA)),
        (vec!["/graph/v1/paper/batch".to_owned()], vec!["/works".to_owned()])
    );
    let answer = academic(settings()).complete(&net.fetcher, answer.works, nobody()).await;
    assert_eq!(
        answer.works[2].candidate.paper.as_ref().unwrap().identifier("doi"),
        Some(papers[2].doi.as_str())
    );
    let nothing = academic(settings()).complete(&net.fetcher, Vec::new(), nobody()).await;
    assert_eq!((nothing.outcomes[0].requests, nothing.outcomes[1].requests), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_reach_the_indexes_and_nothing_else() {
    let net = SmallInternet::new();
    let mut keyed = settings();
    keyed.semantic_scholar.key = "hush-hush".into();
    keyed.openalex.key = "quiet-quiet".into();
    academic(keyed).search(&net.fetcher, &query("velorastatin"), nobody()).await;
    assert_eq!(net.web.hits(S2)[0].header("x-api-key"), Some("hush-hush"));
    assert!(net.web.hits(OA)[0].path.contains("api_key=quiet-quiet"));
    let ledger = net.ledger().join("\n");
    assert!(ledger.contains("api.openalex.org/works?search=velorastatin"), "{ledger}");
    assert!(!ledger.contains("quiet-quiet"), "{ledger}");
    drop(net.fetcher);
    let mut read = 0;
    for entry in std::fs::read_dir(net.dir.path().join("archive")).unwrap() {
        let packed = std::fs::read(entry.unwrap().path()).unwrap();
        let mut text = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::MultiGzDecoder::new(&packed[..]), &mut text)
            .unwrap();
        let text = String::from_utf8_lossy(&text).into_owned();
        assert!(text.contains("api.openalex.org/works"));
        assert!(!text.contains("hush-hush") && !text.contains("quiet-quiet"));
        read += 1;
    }
    assert_eq!(read, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn offline_both_say_so() {
    let net = SmallInternet::with(|it| it.offline = true);
    let answer = academic(settings()).search(&net.fetcher, &query("velorastatin"), nobody()).await;
    let reasons: Vec<_> = answer.outcomes.iter().map(|it| format!("{:?}", it.failure)).collect();
    assert!(reasons.iter().all(|it| it.contains("reason: Offline")), "{reasons:?}");
    assert_eq!(net.web.total_requests(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exact_doi_is_resolved_and_one_that_nobody_knows_stays_a_target() {
    let net = SmallInternet::new();
    let paper = world_paper(&net, |it| it.indexed == Indexed::Both);
    let dois = [paper.doi.clone(), "10.5555/none".to_owned()];
    let exact = exact::targets(&["https://news-1.test/".to_owned()], &dois);
    let mut lines = Vec::new();
    for target in exact.targets {
        let resolved = exact::resolve(&academic(settings()), &net.fetcher, target, nobody()).await;
        let title = resolved.work.map_or("-".to_owned(), |it| it.candidate.title);
        lines.push(format!(
            "{} {title} {}",
            resolved.target.candidate.url,
            resolved.outcomes.len()
        ));
    }
    assert_eq!(
        lines,
        [
            "https://news-1.test/ - 0".to_owned(),
            format!("https://doi.org/{} {} 2", paper.doi, paper.title),
            "https://doi.org/10.5555/none - 2".to_owned(),
        ]
    );
}

#[test]
fn searches_can_run_on_any_thread() {
    fn on_any_thread<T: Send>(_: impl Fn(&'static Academic, &'static fetch::Fetcher) -> T) {}
    static QUERY: std::sync::LazyLock<Query> = std::sync::LazyLock::new(Query::default);
    static PAPER: std::sync::LazyLock<Paper> = std::sync::LazyLock::new(Paper::default);
    on_any_thread(|it, fetcher| it.search(fetcher, &QUERY, nobody()));
    on_any_thread(|it, fetcher| it.references(fetcher, &PAPER, nobody()));
    on_any_thread(|it, fetcher| it.citations(fetcher, &PAPER, nobody()));
    on_any_thread(|it, fetcher| it.complete(fetcher, Vec::new(), nobody()));
}
