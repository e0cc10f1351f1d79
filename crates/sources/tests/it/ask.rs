//! Asking sources: which of them a question is for, and what becomes of each.

use sources::apis::{ApiSettings, Apis};
use sources::{
    Access, EngineSearch, EngineSettings, Engines, Found, Query, Sources, Wanted, WantedApis,
};
use testweb::{Answer, EngineMode, Fault, Indexed, Paper};

use crate::small_internet::{SmallInternet, academic, nobody, settings};

fn apis(keys: &[&str]) -> Apis {
    let keys = keys.iter().map(|it| (*it).to_owned().into()).collect();
    Apis::load(None, ApiSettings { keys, ..ApiSettings::default() })
}

fn question(text: &str, language: &str) -> Query {
    Query {
        text: text.to_owned(),
        language: Some(language.to_owned()),
        limit: 5,
        ..Query::default()
    }
}

async fn ask(net: &SmallInternet, apis: &Apis, query: &Query, wanted: Wanted) -> Found {
    let (engines, academic) = (Engines::load(None), academic(settings()));
    let sources = Sources {
        graph: &net.graph,
        fetcher: &net.fetcher,
        engines: &engines,
        engine_settings: &EngineSettings::default(),
        academic: &academic,
        apis,
    };
    sources.ask(query, &wanted).await.unwrap()
}

fn shown(found: &Found) -> String {
    let line = |it: &sources::SourceReport| {
        let problem = it.problem.as_deref().unwrap_or("-");
        format!("{}: {} for `{}`, {:?}, {problem}", it.source, it.found, it.query, it.access())
    };
    found.reports.iter().map(line).collect::<Vec<_>>().join("\n")
}

const ABOUT: WantedApis = WantedApis::About { works: true, records: true };

#[test]
fn a_question_is_for_those_who_know_what_it_is_about() {
    let apis = apis(&[]);
    for (text, language, works, records) in [
        ("敷金の返還は法律で定められているか", "ja", vec![], vec!["egov_law"]),
        ("国会で電子投票は審議されたか", "ja", vec![], vec!["diet_minutes"]),
        ("日本の出生率は上がったか", "ja", vec![], vec!["estat"]),
        ("例示製作所株式会社の売上高は増えたか", "ja", vec![], vec!["edinet", "gbizinfo"]),
        ("夜勤は血糖に影響するか", "ja", vec!["cinii", "crossref", "jstage"], vec![]),
        ("Does aspirin lower the risk of stroke?", "en", vec!["crossref", "europe_pmc"], vec![]),
        ("Is the Kestrel quantum handshake safe?", "en", vec!["arxiv", "crossref"], vec![]),
        ("Who is the founder of the Heron format?", "en", vec![], vec!["dbpedia", "wikidata"]),
        ("Is the sky blue?", "en", vec![], vec![]),
    ] {
        let query = question(text, language);
        assert_eq!(apis.about(&query, true), works, "{text}");
        assert_eq!(apis.about(&query, false), records, "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_law_comes_with_its_sentences_and_where_they_are_archived() {
    let net = SmallInternet::new();
    let query = question("敷金の返還は法律で定められているか", "ja");
    let found = ask(&net, &apis(&[]), &query, Wanted { apis: ABOUT, ..Wanted::default() }).await;
    assert_eq!(shown(&found), "egov_law: 1 for `敷金`, Found, -");
    let law = &found.records[0];
    assert_eq!(law.title, "敷金の返還に関する法律");
    let text = law.text.as_ref().unwrap();
    assert!(text.text.contains("敷金"), "{text:?}");
    assert!(text.record_id.as_deref().unwrap().starts_with("urn:uuid:"), "{text:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_records_of_one_work_become_one_entry() {
    let net = SmallInternet::new();
    let query = question("Does velorastatin lower the risk of stroke?", "en");
    let wanted = Wanted { academic: true, apis: ABOUT, ..Wanted::default() };
    let found = ask(&net, &apis(&[]), &query, wanted).await;
    insta::assert_snapshot!(shown(&found), @r"
    semantic_scholar: 2 for `Does velorastatin lower the risk of stroke?`, Found, -
    openalex: 2 for `Does velorastatin lower the risk of stroke?`, Found, -
    crossref: 5 for `velorastatin stroke`, Found, -
    europe_pmc: 0 for `velorastatin stroke`, NothingThere, -
    ");
    let mut dois: Vec<&str> = found
        .works
        .iter()
        .filter_map(|it| it.paper.as_ref().and_then(|it| it.identifier("doi")))
        .collect();
    let all = dois.len();
    dois.sort_unstable();
    dois.dedup();
    assert_eq!((all, found.works.len()), (dois.len(), dois.len()));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_new_source_of_works_answers_in_the_same_form() {
    let net = SmallInternet::new();
    let mut lines = Vec::new();
    for (name, text) in [
        ("crossref", "velorastatin"),
        ("europe_pmc", "velorastatin"),
        ("arxiv", "handshake"),
        ("jstage", "敷金"),
        ("cinii", "敷金"),
        ("ndl_search", "敷金"),
        ("dbpedia", "velorastatin"),
    ] {
        let query = Query { text: text.to_owned(), limit: 1, ..Query::default() };
        let apis_wanted = WantedApis::Named(vec![name.to_owned()]);
        let wanted = Wanted { apis: apis_wanted, ..Wanted::default() };
        let found = ask(&net, &apis(&[]), &query, wanted).await;
        let first = found.works.iter().chain(&found.records).next();
        let first = first.unwrap_or_else(|| panic!("{}", shown(&found)));
        let paper = first.paper.as_ref().map(|it| {
            let names: Vec<String> =
                it.identifiers.iter().map(|it| format!("{}={}", it.0, it.1)).collect();
            format!(
                "{} | {} | {} | abstract {}",
                it.authors.join(", "),
                it.venue.as_deref().unwrap_or("-"),
                names.join(" "),
                it.abstract_text.is_some()
            )
        });
        lines.push(format!(
            "{name}: {} <{}> {} [{}] {}",
            first.title,
            first.url,
            first.date.as_deref().unwrap_or("-"),
            first.source_tag,
            paper.unwrap_or_default()
        ));
    }
    insta::assert_snapshot!(lines.join("\n"), @r"
    crossref: Velorastatin: a first observational study <https://doi.org/10.5555/tw.2016.velorastatin0> 2016-05-02 [academic] Leila Sandoval, Emi Tachibana, Daisuke Hirano | Journal of Careful Measurement | doi=10.5555/tw.2016.velorastatin0 | abstract true
    europe_pmc: Velorastatin: a first observational study <https://doi.org/10.5555/tw.2016.velorastatin0> 2016-05-02 [academic] Leila Sandoval, Emi Tachibana, Daisuke Hirano | Journal of Careful Measurement | doi=10.5555/tw.2016.velorastatin0 pmid=39667466 pmcid=PMC39667466 | abstract true
    arxiv: Kestrel post-quantum handshake: a first observational study <https://doi.org/10.5555/tw.2016.kestrel-handshake0> 2016-04-17 [academic] Oskar Brandt, Noah Castellan | - | doi=10.5555/tw.2016.kestrel-handshake0 arxiv=1604.13392 | abstract true
    jstage: 敷金の返還に関する調査研究 <https://doi.org/10.5555/jstage.006> 2024 [academic] 早瀬 ゆかり | 架空学会誌 | doi=10.5555/jstage.006 | abstract false
    cinii: 敷金の返還の検討 <https://cir.nii.ac.jp/crid/1390000000000039595> 2023-03 [academic] 森下 達也, 早瀬 ゆかり | 架空大学紀要 |  | abstract true
    ndl_search: 敷金の返還の歴史 / 早瀬, ゆかり <https://ndlsearch.ndl.go.jp/books/R100000002-I000000000036> 2015 [api] 
    dbpedia: velorastatin <http://dbpedia.org/resource/velorastatin> - [api]
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_source_that_fails_or_turns_us_away_never_looks_like_one_that_knows_nothing() {
    let net = SmallInternet::new();
    net.web.script(
        "laws.e-gov.go.jp",
        vec![Fault::Status(500), Fault::Status(500), Fault::Status(500)],
    );
    net.web.set_engine("mojeek", EngineMode::Captcha);
    net.web.set_engine("bing", EngineMode::NoResults);
    net.web.set_engine("ecosia", EngineMode::Http(500));
    net.web.put("api.jstage.jst.go.jp", "/searchapi/do", Answer::html(403, "no"));
    let names = ["egov_law", "estat", "jstage", "gbizinfo", "cinii"].map(str::to_owned).to_vec();
    let engines = ["mojeek", "bing", "ecosia"].map(str::to_owned).to_vec();
    let wanted = Wanted {
        web: Some(EngineSearch { engines, asked_by: nobody(), ..EngineSearch::default() }),
        apis: WantedApis::Named(names),
        ..Wanted::default()
    };
    let query = Query { text: "無関係".to_owned(), limit: 2, ..Query::default() };
    let found = ask(&net, &apis(&["gbizinfo_token=hush"]), &query, wanted).await;
    let became: Vec<String> =
        found.reports.iter().map(|it| format!("{} {:?}", it.source, it.access())).collect();
    assert_eq!(
        became,
        [
            "mojeek NotLetIn",
            "bing NothingThere",
            "ecosia NotLetIn",
            "jstage NotLetIn",
            "cinii NothingThere",
            "egov_law NotLetIn",
            "estat NotAsked",
            "gbizinfo NothingThere",
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_work_without_abstract_gets_the_free_copy_that_unpaywall_knows() {
    let net = SmallInternet::new();
    let is_wanted = |it: &&Paper| it.open_access && it.indexed == Indexed::SemanticScholar;
    let paper = net.web.world().papers().iter().find(is_wanted).unwrap().clone();
    let record = serde_json::json!({
        "paperId": paper.s2_id, "title": paper.title, "abstract": null, "externalIds": { "DOI": paper.doi },
    });
    let listed = serde_json::json!({ "total": 1, "offset": 0, "data": [record] });
    let nothing = serde_json::json!({ "meta": { "count": 0 }, "results": [] });
    net.web.put("api.semanticscholar.org", "/graph/v1/paper/search", Answer::json(200, &listed));
    net.web.put("api.openalex.org", "/works", Answer::json(200, &nothing));
    let query = question(&paper.title, "en");
    let wanted = || Wanted { academic: true, complete: true, ..Wanted::default() };
    let without = ask(&net, &apis(&[]), &query, wanted()).await;
    let copy = |found: &Found| found.works[0].paper.as_ref().unwrap().open_access_url.clone();
    assert_eq!(copy(&without), None);
    let report = without.reports.iter().find(|it| it.source == "unpaywall").unwrap();
    assert_eq!(report.access(), Access::NotAsked);
    let with = ask(&net, &apis(&["unpaywall_email=a@b.test"]), &query, wanted()).await;
    assert_eq!(copy(&with), Some(paper.pdf_url));
    assert!(!net.ledger().join("\n").contains("a@b.test"));
}
