//! What is asked of the two indexes, and answers as they should not be.

use fetch::{Kind, Method};
use proptest::prelude::*;
use serde_json::{Value, json};
use sources::Candidate;
use sources::academic::{AcademicSettings, Listed, Scheme, WorkName, openalex, semantic_scholar};

fn s2(answer: &Value) -> Listed {
    semantic_scholar::read(answer.to_string().as_bytes(), 1, &AcademicSettings::default()).unwrap()
}

fn oa(answer: &Value) -> Listed {
    openalex::read(answer.to_string().as_bytes(), 1, &AcademicSettings::default()).unwrap()
}

fn shown(listed: &Listed) -> String {
    let one = |candidate: &Candidate| {
        let paper = candidate.paper.as_ref().unwrap();
        let names: Vec<String> =
            paper.identifiers.iter().map(|it| format!("{}:{}", it.0, it.1)).collect();
        format!(
            "{} {} | {} | {:?} {:?} | {}",
            candidate.rank,
            candidate.title,
            candidate.url,
            candidate.date.as_deref(),
            paper.year,
            names.join(" ")
        )
    };
    let notes = listed.notes.iter().map(|it| format!("! {it}"));
    listed.candidates.iter().map(one).chain(notes).collect::<Vec<_>>().join("\n")
}

#[test]
fn one_bad_record_costs_only_itself() {
    let answer = json!({"total": "3", "offset": 0, "next": 100, "data": [
        {"paperId": "2d5673caa9e6af3a7b82a43f19ee920992db07ad", "title": "Good", "year": 2020},
        "a text", 7, null, [], {},
        {"title": "No name at all"},
        {"externalIds": {"DOI": "10.1000/182", "PubMed": 25349395, "ArXiv": "junk", "PubMedCentral": ["x"]},
         "title": ["wrong"], "year": "2019", "citationCount": -4, "referenceCount": 12.0,
         "authors": {"name": "not a list"}, "openAccessPdf": "no record", "publicationDate": "2019-02-30",
         "journal": 3, "abstract": {"text": "no"}, "isOpenAccess": "yes"}
    ]});
    let listed = s2(&answer);
    assert_eq!((listed.records, listed.total, listed.next), (8, Some(3), Some(100)));
    let last = listed.candidates[1].paper.as_ref().unwrap();
    assert_eq!((last.citation_count, last.reference_count), (None, Some(12)));
    insta::assert_snapshot!(shown(&listed), @r#"
    1 Good | https://www.semanticscholar.org/paper/2d5673caa9e6af3a7b82a43f19ee920992db07ad | Some("2020") Some(2020) | semantic_scholar:2d5673caa9e6af3a7b82a43f19ee920992db07ad
    8  | https://doi.org/10.1000/182 | Some("2019") Some(2019) | doi:10.1000/182 pmid:25349395
    ! record 2 is a text, not a record
    ! record 3 is a number, not a record
    ! record 5 is a list, not a record
    ! record 6: `` has neither an identifier nor an address
    ! record 7: `No name at all` has neither an identifier nor an address
    ! record 8: authors is a record, not a list
    ! record 8: journal is 3, not a record
    ! record 8: abstract is a record, not a text
    ! record 8: citationCount is -4, not a count
    ! record 8: openAccessPdf is a text, not a record
    ! record 8: externalIds: PubMedCentral is a list, not a text
    ! record 8: externalIds: `junk` is no arxiv
    ! record 8: title is a list, not a text
    ! record 8: publicationDate is a text, not a date
    "#);
}

#[test]
fn records_of_openalex_may_be_wrong_in_every_field() {
    let answer = json!({"meta": [], "results": [
        {"id": "https://openalex.org/W7", "doi": "https://doi.org/10.1000/XYZ", "title": null,
         "display_name": "Named twice", "publication_year": 99999, "publication_date": 20240101,
         "ids": "none", "authorships": [{"author": null, "raw_author_name": "山田 太郎"}, 4, {"author": {"display_name": "B. Lee"}}],
         "cited_by_count": 1e99, "is_retracted": "true", "abstract_inverted_index": ["no"],
         "primary_location": {"source": {"display_name": 5}}, "open_access": {"oa_url": "javascript:alert(1)"},
         "locations": [{"landing_page_url": "http://arxiv.org/abs/2304.05376v2"}, {"landing_page_url": 8}]},
        {"id": "https://openalex.org/W8", "title": "Withdrawn", "is_retracted": true,
         "ids": {"openalex": "https://openalex.org/W8", "pmid": "https://pubmed.ncbi.nlm.nih.gov/123", "pmcid": "https://www.ncbi.nlm.nih.gov/pmc/articles/4234579", "mag": "1"},
         "abstract_inverted_index": {"b": [1], "a": [0]}}
    ]});
    let listed = oa(&answer);
    assert_eq!(listed.total, None);
    let papers: Vec<_> = listed.candidates.iter().map(|it| it.paper.clone().unwrap()).collect();
    assert_eq!(papers[0].authors, ["山田 太郎", "B. Lee"]);
    assert_eq!((papers[0].open_access_url.as_deref(), papers[0].retracted), (None, false));
    assert_eq!((papers[1].abstract_text.as_deref(), papers[1].retracted), (Some("a b"), true));
    insta::assert_snapshot!(shown(&listed), @r"
    1 Named twice | https://doi.org/10.1000/xyz | None None | doi:10.1000/xyz arxiv:2304.05376 openalex:W7
    2 Withdrawn | https://pubmed.ncbi.nlm.nih.gov/123 | None None | pmid:123 pmcid:PMC4234579 openalex:W8
    ! the answer: meta is a list, not a record
    ! record 1: authorships 2 is a number, not a record
    ! record 1: publication_year is 99999, not a year
    ! record 1: abstract_inverted_index is a list, not a record
    ! record 1: cited_by_count is 1e+99, not a count
    ! record 1: is_retracted is a text, not true or false
    ! record 1: ids is a text, not a record
    ! record 1: publication_date is 20240101, not a date
    ");
}

#[test]
fn answers_that_are_no_answers_are_failures_with_a_reason() {
    let settings = AcademicSettings::default();
    let first =
        |body: &str| semantic_scholar::read(body.as_bytes(), 1, &settings).unwrap_err().to_string();
    assert_eq!(
        first(""),
        "its answer cannot be read: EOF while parsing a value at line 1 column 0"
    );
    assert_eq!(
        first("<html>Blocked</html>"),
        "its answer cannot be read: a web page came instead of JSON"
    );
    assert_eq!(first("3"), "its answer cannot be read: it is neither a record nor a list");
    assert_eq!(first(r#"{"message":"Too Many Requests"}"#), "it says: Too Many Requests");
    assert_eq!(first(r#"{"x":1}"#), "its answer cannot be read: it has no papers and no error");
    assert_eq!(
        first(&"[".repeat(100_000)),
        "its answer cannot be read: recursion limit exceeded at line 1 column 128"
    );
    let second =
        |body: &str| openalex::read(body.as_bytes(), 1, &settings).unwrap_err().to_string();
    assert_eq!(second("[]"), "its answer cannot be read: it is no record");
    assert_eq!(
        second(r#"{"error":"Invalid query parameters","message":"x is not a filter"}"#),
        "it says: x is not a filter"
    );
    assert_eq!(second("{}"), "its answer cannot be read: it has no works and no error");
}

#[test]
fn nothing_found_is_an_empty_list() {
    assert_eq!(
        s2(&json!({"total": 0, "offset": 0})),
        Listed { total: Some(0), ..Listed::default() }
    );
    assert_eq!(s2(&json!({"data": null})).notes, Vec::<String>::new());
    assert_eq!(s2(&json!([null, null])).candidates, []);
    assert_eq!(oa(&json!({"meta": {"count": 0}, "results": []})).total, Some(0));
}

#[test]
fn remarks_on_an_answer_are_bounded() {
    let answer = json!({"data": vec![json!("x"); 500]});
    let listed = s2(&answer);
    assert_eq!(listed.notes.len(), 21);
    assert_eq!(listed.notes[0], "record 1 is a text, not a record");
    assert_eq!(listed.notes[20], "480 more of the kind");
}

#[test]
fn semantic_scholar_is_asked_in_its_own_form() {
    use semantic_scholar::Request;
    let settings = AcademicSettings::default();
    let url = |request: &Request| request.fetch_request(&settings).url.to_string();
    let doi = WorkName::parse("10.1002/(SICI)1097<693::AID>3.0").unwrap();
    let search = Request::Search {
        text: "covid-19 ワクチン".to_owned(),
        dates: Some("2020-01-01:".to_owned()),
        offset: 0,
        limit: 500,
    };
    let fields = "title%2Cabstract%2Cyear%2Cvenue%2Cjournal%2CpublicationDate%2CpublicationTypes%2Cauthors%2CexternalIds%2Curl%2CcitationCount%2CreferenceCount%2CisOpenAccess%2CopenAccessPdf";
    let base = "https://api.semanticscholar.org/graph/v1/paper";
    assert_eq!(
        url(&search),
        format!(
            "{base}/search?query=covid+19+%E3%83%AF%E3%82%AF%E3%83%81%E3%83%B3&publicationDateOrYear=2020-01-01%3A&fields={fields}&offset=0&limit=100"
        )
    );
    assert_eq!(
        url(&Request::Work(doi.clone())),
        format!("{base}/DOI:10.1002/(sici)1097%3C693::aid%3E3.0?fields={fields}")
    );
    assert_eq!(
        url(&Request::References { of: doi.clone(), offset: 100, limit: 50 }),
        format!(
            "{base}/DOI:10.1002/(sici)1097%3C693::aid%3E3.0/references?fields={fields}&offset=100&limit=50"
        )
    );
    for (name, expected) in [
        ("PMC4234579", "PMCID:4234579"),
        ("PMID:12", "PMID:12"),
        ("arXiv:2304.05376", "ARXIV:2304.05376"),
        ("CorpusID:7", "CorpusId:7"),
    ] {
        let request =
            Request::Citations { of: WorkName::parse(name).unwrap(), offset: 0, limit: 9 };
        assert!(
            url(&request).starts_with(&format!("{base}/{expected}/citations?")),
            "{}",
            url(&request)
        );
    }
    let batch =
        Request::Batch(vec![WorkName::parse("PMID:12").unwrap(), doi]).fetch_request(&settings);
    let body = br#"{"ids":["PMID:12","DOI:10.1002/(sici)1097<693::aid>3.0"]}"#.to_vec();
    assert_eq!(batch.method, Method::Post { content_type: "application/json".to_owned(), body });
}

#[test]
fn keys_travel_apart_from_the_address() {
    let mut settings = AcademicSettings::default();
    settings.semantic_scholar.key = "hush".into();
    settings.openalex.key = "quiet".into();
    settings.openalex.mailto = "me@example.org".to_owned();
    let name = WorkName::parse("PMID:12").unwrap();
    let first = semantic_scholar::Request::Work(name.clone()).fetch_request(&settings);
    assert_eq!(first.secret_headers, [("x-api-key".to_owned(), "hush".to_owned())]);
    assert!(!first.url.as_str().contains("hush"));
    let Kind::Api { name: api, limits } = first.kind else { panic!("no API: {:?}", first.kind) };
    assert_eq!((api.as_str(), limits.per_second, limits.concurrent), ("semantic_scholar", 1.0, 1));
    let second = openalex::Request::Work(name).fetch_request(&settings);
    assert_eq!(second.secret_query, [("api_key".to_owned(), "quiet".to_owned())]);
    assert!(second.url.as_str().ends_with("&mailto=me%40example.org"), "{}", second.url);
    assert!(!second.url.as_str().contains("quiet"));
    let logged = format!("{settings:?}");
    assert!(!logged.contains("hush") && !logged.contains("quiet"), "settings are logged: {logged}");
}

#[test]
fn openalex_is_asked_in_its_own_form() {
    use openalex::Request;
    let settings = AcademicSettings::default();
    let url = |request: &Request| {
        let url = request.fetch_request(&settings).url.to_string();
        let select = url.find("&select=").or_else(|| url.find("?select=")).unwrap();
        url[..select].to_owned()
    };
    let base = "https://api.openalex.org/works";
    let filters =
        vec!["from_publication_date:2020-01-01".to_owned(), "title.search:cat".to_owned()];
    let search =
        Request::Search { text: "猫 \"long cat\"".to_owned(), filters, page: 2, limit: 25 };
    assert_eq!(
        url(&search),
        format!(
            "{base}?search=%E7%8C%AB+%22long+cat%22&filter=from_publication_date%3A2020-01-01%2Ctitle.search%3Acat&per-page=25&page=2"
        )
    );
    for (name, expected) in [
        ("10.1000/A:b;c", "doi:10.1000/a:b;c"),
        ("arXiv:2304.05376", "doi:10.48550/arxiv.2304.05376"),
        ("PMC4234579", "pmcid:4234579"),
        ("W7", "W7"),
    ] {
        let name = WorkName::parse(name).unwrap();
        assert_eq!(url(&Request::Work(name)), format!("{base}/{expected}"));
    }
    let of = WorkName::parse("W7").unwrap();
    assert_eq!(
        url(&Request::Citations { of, page: 1, limit: 5_000 }),
        format!("{base}?filter=cites%3AW7&per-page=200&page=1")
    );
    // A comma or a bar in a DOI would be read as the next filter.
    let values = vec![
        "10.1000/a".to_owned(),
        "10.1000/b,c".to_owned(),
        "10.1000/d|e".to_owned(),
        "10.1000/f".to_owned(),
    ];
    assert_eq!(
        url(&Request::Batch { scheme: Scheme::Doi, values }),
        format!("{base}?filter=doi%3A10.1000%2Fa%7C10.1000%2Ff&per-page=2")
    );
}

#[test]
fn paging_goes_on_only_while_there_is_more_and_never_for_ever() {
    use semantic_scholar::Request;
    let search = |offset| Request::Search { text: "x".to_owned(), dates: None, offset, limit: 100 };
    let said = |next| Listed { records: 100, next, ..Listed::default() };
    assert_eq!(
        search(0).next(&said(Some(100)), 60),
        Some(Request::Search { text: "x".to_owned(), dates: None, offset: 100, limit: 60 })
    );
    assert_eq!(search(0).next(&said(None), 60), None);
    assert_eq!(search(100).next(&said(Some(100)), 60), None, "the same place again");
    assert_eq!(
        search(900).next(&said(Some(1_000)), 60),
        None,
        "a search shows no more than its first thousand"
    );

    let page = |page| openalex::Request::Search {
        text: "x".to_owned(),
        filters: Vec::new(),
        page,
        limit: 100,
    };
    let listed = |records, total| Listed { records, total, ..Listed::default() };
    assert_eq!(page(1).next(&listed(100, Some(101))), Some(page(2)));
    assert_eq!(page(1).next(&listed(100, Some(100))), None);
    assert_eq!(page(1).next(&listed(99, Some(500))), None);
    assert_eq!(page(1).next(&listed(100, None)), Some(page(2)));
    assert_eq!(page(100).next(&listed(100, None)), None, "paging by number ends at ten thousand");
}

#[test]
fn references_of_openalex_are_ids_each_once_and_bounded() {
    let ids: Vec<String> = (0..50).map(|it| format!("https://openalex.org/W{}", it % 30)).collect();
    let mut list = json!(ids);
    list.as_array_mut().unwrap().insert(0, json!(null));
    let body = json!({"id": "https://openalex.org/W99", "referenced_works": list}).to_string();
    let (names, all) = openalex::references(body.as_bytes(), 20).unwrap();
    assert_eq!((names.len(), all), (20, 51));
    assert_eq!((names[0].value.as_str(), names[19].value.as_str()), ("W0", "W19"));
    assert_eq!(openalex::references(b"{}", 20).unwrap(), (Vec::new(), 0));
    assert_eq!(
        openalex::references(br#"{"referenced_works": "W1"}"#, 20).unwrap(),
        (Vec::new(), 0)
    );
}

/// Any JSON, of the fields the two indexes use and with values of all types under all of them.
fn any_answer() -> impl Strategy<Value = Value> {
    let field = prop::sample::select(vec![
        "data",
        "results",
        "meta",
        "count",
        "next",
        "total",
        "paperId",
        "corpusId",
        "externalIds",
        "DOI",
        "PubMed",
        "ArXiv",
        "title",
        "year",
        "publicationDate",
        "authors",
        "name",
        "openAccessPdf",
        "url",
        "citedPaper",
        "venue",
        "journal",
        "id",
        "doi",
        "ids",
        "pmid",
        "publication_date",
        "authorships",
        "author",
        "display_name",
        "abstract_inverted_index",
        "word",
        "primary_location",
        "locations",
        "landing_page_url",
        "referenced_works",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        Just(json!("10.1000/182")),
        Just(json!("https://openalex.org/W7")),
        Just(json!("2020-02-30")),
        Just(json!("東")),
    ];
    leaf.prop_recursive(6, 80, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(field.clone(), inner, 0..8).prop_map(|fields| fields
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn no_answer_makes_the_readers_fail(answer in any_answer(), cut in 0..200usize) {
        let settings = AcademicSettings::default();
        let text = answer.to_string();
        let cut = text.char_indices().nth(cut).map_or(text.len(), |it| it.0);
        for body in [text.as_bytes(), &text.as_bytes()[..cut]] {
            for listed in [semantic_scholar::read(body, 1, &settings), openalex::read(body, 1, &settings)].into_iter().flatten() {
                prop_assert!(listed.candidates.len() <= listed.records);
                prop_assert!(listed.candidates.iter().all(|it| it.url.has_host()));
                prop_assert!(listed.notes.len() <= settings.max_notes + 1);
            }
            prop_assert!(openalex::references(body, 20).map_or(0, |it| it.0.len()) <= 20);
        }
    }
}
