//! The academic indexes and the public APIs.

use serde_json::{Value, json};
use testweb::{Indexed, Paper, TestWeb, World};

use crate::client::{get, get_with, post};

fn web() -> TestWeb {
    TestWeb::start(World::new(1))
}

fn ask(web: &TestWeb, host: &str, path: &str) -> (u16, Value) {
    let reply = get(web, host, path);
    (reply.status, serde_json::from_slice(&reply.body).unwrap_or(Value::Null))
}

fn scholar(web: &TestWeb, path: &str) -> (u16, Value) {
    ask(web, "api.semanticscholar.org", &format!("/graph/v1/paper/{path}"))
}

fn alex(web: &TestWeb, path: &str) -> (u16, Value) {
    ask(web, "api.openalex.org", path)
}

/// The first paper that only this index, or both, know.
fn paper(web: &TestWeb, indexed: Indexed) -> &Paper {
    web.world().papers().iter().find(|it| it.indexed == indexed).unwrap()
}

#[test]
fn semantic_scholar_searches_and_pages() {
    let web = web();
    let (status, answer) =
        scholar(&web, "search?query=velorastatin&fields=title,year,externalIds&limit=2");
    assert_eq!(status, 200);
    assert_eq!(
        (&answer["total"], &answer["offset"], &answer["next"]),
        (&json!(5), &json!(0), &json!(2))
    );
    assert_eq!(answer["data"].as_array().unwrap().len(), 2);
    let (_, last) = scholar(&web, "search?query=velorastatin&offset=4&limit=2");
    assert_eq!(last["next"], Value::Null);
    assert_eq!(last["data"].as_array().unwrap().len(), 1);
    let (_, nothing) = scholar(&web, "search?query=zzqxj");
    assert_eq!(nothing, json!({"total": 0, "offset": 0}));
}

#[test]
fn semantic_scholar_knows_papers_by_all_their_names() {
    let web = web();
    let known = paper(&web, Indexed::Both);
    let medical = web
        .world()
        .papers()
        .iter()
        .find(|it| it.pmid.is_some() && it.in_semantic_scholar())
        .unwrap();
    let technical = web
        .world()
        .papers()
        .iter()
        .find(|it| it.arxiv.is_some() && it.in_semantic_scholar())
        .unwrap();
    for (id, title) in [
        (known.s2_id.clone(), &known.title),
        (format!("DOI:{}", known.doi), &known.title),
        (format!("PMID:{}", medical.pmid.clone().unwrap()), &medical.title),
        (format!("ARXIV:{}", technical.arxiv.clone().unwrap()), &technical.title),
    ] {
        let (status, answer) = scholar(&web, &format!("{id}?fields=title"));
        assert_eq!((status, &answer["title"]), (200, &json!(title)), "{id}");
    }
    let hidden = paper(&web, Indexed::OpenAlex);
    let (status, answer) = scholar(&web, &format!("DOI:{}", hidden.doi));
    assert_eq!(status, 404);
    assert_eq!(answer, json!({"error": format!("Paper with id DOI:{} not found", hidden.doi)}));
    let (status, answer) = scholar(&web, &format!("{}?fields=unknown", known.s2_id));
    assert_eq!(
        (status, answer),
        (400, json!({"error": "Unrecognized or unsupported fields: [unknown]"}))
    );
}

#[test]
fn references_and_citations_are_two_sides_of_one_graph() {
    let web = web();
    let citing = web
        .world()
        .papers()
        .iter()
        .find(|it| it.references.len() > 2 && it.in_semantic_scholar())
        .unwrap();
    let (_, answer) =
        scholar(&web, &format!("{}/references?fields=title,isInfluential", citing.s2_id));
    let cited = answer["data"][0]["citedPaper"]["paperId"].as_str().unwrap().to_owned();
    assert!(answer["data"][0]["isInfluential"].is_boolean());
    let (_, answer) = scholar(&web, &format!("{cited}/citations?limit=1000"));
    let back: Vec<&str> = answer["data"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["citingPaper"]["paperId"].as_str())
        .collect();
    assert!(back.contains(&citing.s2_id.as_str()), "{back:?}");
}

#[test]
fn a_batch_keeps_the_order_and_says_null_for_the_unknown() {
    let web = web();
    let known = paper(&web, Indexed::Both);
    let body = json!({"ids": ["DOI:10.5555/none", format!("DOI:{}", known.doi)]}).to_string();
    let reply = post(
        &web,
        "api.semanticscholar.org",
        "/graph/v1/paper/batch?fields=title",
        "application/json",
        &body,
    );
    let answer: Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!(answer, json!([null, {"paperId": known.s2_id, "title": known.title}]));
}

#[test]
fn openalex_turns_abstracts_around() {
    let web = web();
    let known = paper(&web, Indexed::Both);
    let (status, work) = alex(&web, &format!("/works/doi:{}", known.doi));
    assert_eq!(status, 200);
    let index = work["abstract_inverted_index"].as_object().unwrap();
    let mut words: Vec<(u64, &str)> = index
        .iter()
        .flat_map(|(word, places)| {
            places.as_array().unwrap().iter().map(move |it| (it.as_u64().unwrap(), word.as_str()))
        })
        .collect();
    words.sort_unstable();
    let text: Vec<&str> = words.into_iter().map(|it| it.1).collect();
    assert_eq!(text.join(" "), known.abstract_text);
}

#[test]
fn openalex_knows_works_by_all_their_names() {
    let web = web();
    let known = paper(&web, Indexed::Both);
    for id in [
        known.openalex_id.clone(),
        format!("https://openalex.org/{}", known.openalex_id),
        format!("doi:{}", known.doi),
        format!("https://doi.org/{}", known.doi.replace('/', "%2F")),
        format!("pmid:{}", known.pmid.clone().unwrap()),
    ] {
        let (status, work) = alex(&web, &format!("/works/{id}?select=id,title"));
        assert_eq!(
            (status, work),
            (
                200,
                json!({"id": format!("https://openalex.org/{}", known.openalex_id), "title": known.title})
            ),
            "{id}"
        );
    }
    let hidden = paper(&web, Indexed::SemanticScholar);
    assert_eq!(alex(&web, &format!("/works/doi:{}", hidden.doi)).0, 404);
}

#[test]
fn openalex_filters_and_pages() {
    let web = web();
    let (_, retracted) = alex(&web, "/works?filter=is_retracted:true");
    assert_eq!(retracted["meta"]["count"], 3);
    let (_, first) = alex(&web, "/works?search=velorastatin&per-page=2");
    assert_eq!((&first["meta"]["count"], &first["meta"]["page"]), (&json!(5), &json!(1)));
    let (_, walk) = alex(&web, "/works?search=velorastatin&per-page=4&cursor=*");
    let mark = walk["meta"]["next_cursor"].as_str().unwrap();
    let (_, rest) = alex(&web, &format!("/works?search=velorastatin&per-page=4&cursor={mark}"));
    assert_eq!(
        (rest["results"].as_array().unwrap().len(), &rest["meta"]["next_cursor"]),
        (1, &Value::Null)
    );
    // The first and the third paper of a topic are in both indexes, and the third cites the first.
    let [cited, citing] = [0, 2].map(|it| web.world().papers()[it].openalex_id.clone());
    let (_, found) = alex(&web, &format!("/works?filter=cites:{cited}&select=id"));
    let found = found["results"].as_array().unwrap().clone();
    assert!(found.contains(&json!({"id": format!("https://openalex.org/{citing}")})), "{found:?}");
    assert_eq!(alex(&web, "/works?filter=nonsense:1").0, 403);
}

#[test]
fn a_doi_leads_to_the_page_of_its_paper() {
    let web = web();
    let paper = &web.world().papers()[0];
    let reply = get(&web, "doi.org", &format!("/{}", paper.doi));
    assert_eq!((reply.status, reply.header("Location")), (302, Some(paper.page_url.as_str())));
    assert_eq!(get(&web, "doi.org", "/10.5555/none").status, 404);
    let path = paper.page_url.strip_prefix("https://").unwrap().split_once('/').unwrap();
    let page = get(&web, path.0, &format!("/{}", path.1)).text();
    assert!(
        page.contains(&format!("<meta name=\"citation_doi\" content=\"{}\">", paper.doi)),
        "{page}"
    );
}

#[test]
fn a_retracted_paper_says_so_on_its_page() {
    let web = web();
    let paper = web.world().papers().iter().find(|it| it.retracted).unwrap();
    let path = paper.page_url.strip_prefix("https://").unwrap().split_once('/').unwrap();
    assert!(get(&web, path.0, &format!("/{}", path.1)).text().contains("RETRACTED ARTICLE"));
}

#[test]
fn laws_are_found_by_title_and_by_keyword() {
    let web = web();
    let (_, laws) = ask(&web, "laws.e-gov.go.jp", "/api/2/laws?law_title=%E6%95%B7%E9%87%91");
    assert_eq!(laws["total_count"], 1);
    assert_eq!(laws["laws"][0]["revision_info"]["law_title"], "敷金の返還に関する法律");
    let (_, items) = ask(&web, "laws.e-gov.go.jp", "/api/2/keyword?keyword=%E5%80%9F%E4%B8%BB");
    assert_eq!(items["items"][0]["law_info"]["law_num_year"], 4);
    let (_, page) = ask(&web, "laws.e-gov.go.jp", "/api/2/laws?limit=3");
    assert_eq!((&page["count"], &page["next_offset"]), (&json!(3), &json!(3)));
}

#[test]
fn speeches_come_as_json_and_as_xml() {
    let web = web();
    let path = "/api/speech?any=%E5%8C%97%E9%87%8E%E7%86%B1&maximumRecords=1";
    let (_, answer) = ask(&web, "kokkai.ndl.go.jp", &format!("{path}&recordPacking=json"));
    assert_eq!(
        (&answer["numberOfRecords"], &answer["nextRecordPosition"]),
        (&json!(1), &Value::Null)
    );
    let speech = answer["speechRecord"][0]["speech"].as_str().unwrap().to_owned();
    assert!(speech.contains("北野熱ワクチン"), "{speech}");
    let xml = get(&web, "kokkai.ndl.go.jp", path).text();
    assert!(xml.contains(&format!("<speech>{speech}</speech>")), "{xml}");
    assert_eq!(ask(&web, "kokkai.ndl.go.jp", "/api/speech?recordPacking=json").0, 400);
}

#[test]
fn keys_are_asked_for_where_the_real_services_ask() {
    let web = web();
    let (_, refused) =
        ask(&web, "api.e-stat.go.jp", "/rest/3.0/app/json/getStatsList?searchWord=x");
    assert_eq!(refused["GET_STATS_LIST"]["RESULT"]["STATUS"], 100);
    let (_, one) = ask(
        &web,
        "api.e-stat.go.jp",
        "/rest/3.0/app/json/getStatsList?appId=k&searchWord=%E6%95%B7%E9%87%91",
    );
    assert_eq!(
        one["GET_STATS_LIST"]["DATALIST_INF"]["TABLE_INF"]["STAT_NAME"]["$"],
        "敷金の返還に関する調査"
    );
    let (_, all) = ask(&web, "api.e-stat.go.jp", "/rest/3.0/app/json/getStatsList?appId=k&limit=5");
    assert_eq!(all["GET_STATS_LIST"]["DATALIST_INF"]["RESULT_INF"]["NEXT_KEY"], 6);

    assert_eq!(ask(&web, "info.gbiz.go.jp", "/hojin/v1/hojin?name=x").0, 401);
    let reply = get_with(
        &web,
        "info.gbiz.go.jp",
        "/hojin/v1/hojin?name=%E6%95%B7%E9%87%91",
        &[("X-hojinInfo-api-token", "k")],
    );
    let found: Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!(found["hojin-infos"][0]["name"], "株式会社敷金の返還研究所");

    assert_eq!(
        ask(&web, "api.edinet-fsa.go.jp", "/api/v2/documents.json?date=2025-06-30&type=2").0,
        401
    );
    let (_, filed) = ask(
        &web,
        "api.edinet-fsa.go.jp",
        "/api/v2/documents.json?date=2025-06-30&type=2&Subscription-Key=k",
    );
    assert_eq!(filed["metadata"]["resultset"]["count"], 12);
    assert_eq!(filed["results"].as_array().unwrap().len(), 12);
}

#[test]
fn wikidata_finds_entities_in_both_languages() {
    let web = web();
    let (_, english) = ask(
        &web,
        "www.wikidata.org",
        "/w/api.php?action=wbsearchentities&search=heron&language=en&format=json",
    );
    assert_eq!(
        (&english["success"], &english["search"][0]["label"]),
        (&json!(1), &json!("Heron compression format"))
    );
    let (_, japanese) = ask(
        &web,
        "www.wikidata.org",
        "/w/api.php?action=wbsearchentities&search=%E3%83%98%E3%83%AD%E3%83%B3&language=ja",
    );
    assert_eq!(japanese["search"][0]["label"], "ヘロン圧縮形式");
    assert_eq!(english["search"][0]["id"], japanese["search"][0]["id"]);
}

#[test]
fn faults_can_be_scripted_for_apis() {
    let web = web();
    web.script("api.openalex.org", vec![testweb::Fault::RetryAfter(1)]);
    assert_eq!(alex(&web, "/works?search=velorastatin").0, 429);
    assert_eq!(alex(&web, "/works?search=velorastatin").0, 200);
}
