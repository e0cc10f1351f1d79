//! The public APIs, asked over the network.

use std::time::Duration;

use sources::Query;
use sources::academic::Scheme;
use sources::apis::{ApiAnswer, ApiSettings, Apis};
use testweb::{Answer, Fault};

use crate::small_internet::{SmallInternet, nobody};

fn apis() -> Apis {
    let mut settings = ApiSettings::default();
    for key in ["estat_app_id", "gbizinfo_token", "edinet_subscription_key"] {
        settings.keys.push(format!("{key}=hush-hush").into());
    }
    Apis::load(None, settings)
}

async fn ask(net: &SmallInternet, apis: &Apis, names: &[&str], query: &Query) -> Vec<ApiAnswer> {
    let names: Vec<String> = names.iter().map(|it| (*it).to_owned()).collect();
    apis.search(&net.fetcher, &names, query, nobody()).await
}

fn shown(answers: &[ApiAnswer]) -> String {
    let line = |answer: &ApiAnswer| {
        let titles: Vec<&str> =
            answer.records.iter().map(|it| it.candidate.title.as_str()).collect();
        let outcome = &answer.outcome;
        let failure = outcome.failure.as_ref().map_or("fine".to_owned(), ToString::to_string);
        format!(
            "{}: {} of {:?}, {} asked, {failure} | {}",
            outcome.source,
            outcome.found,
            outcome.total,
            outcome.requests,
            titles.join(" / ")
        )
        .trim_end()
        .to_owned()
    };
    answers.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn every_api_of_the_small_internet_answers() {
    let net = SmallInternet::new();
    let query = Query {
        text: "敷金".to_owned(),
        after: Some("2025-06-30".to_owned()),
        before: Some("2025-06-30".to_owned()),
        ..Query::default()
    };
    let dated = ask(&net, &apis(), &["edinet"], &query).await;
    insta::assert_snapshot!(shown(&dated), @"edinet: 1 of Some(12), 1 asked, fine | 株式会社敷金の返還研究所 有価証券報告書－第10期(2024/04/01－2025/03/31)");
    let query = Query { text: "敷金".to_owned(), ..Query::default() };
    let answers =
        ask(&net, &apis(), &["egov_law", "diet_minutes", "estat", "gbizinfo", "wikidata"], &query)
            .await;
    insta::assert_snapshot!(shown(&answers), @r"
    egov_law: 1 of Some(1), 1 asked, fine | 敷金の返還に関する法律
    diet_minutes: 1 of Some(1), 1 asked, fine | 参議院 厚生労働委員会 第6号 大河内亮
    estat: 1 of Some(1), 1 asked, fine | 敷金の返還に関する調査 敷金の返還の推移（全国）
    gbizinfo: 1 of None, 1 asked, fine | 株式会社敷金の返還研究所
    wikidata: 1 of None, 1 asked, fine | 敷金の返還
    ");
    // Keys went to those who want them, and into no record.
    assert!(net.web.hits("api.e-stat.go.jp")[0].path.contains("appId=hush-hush"));
    assert!(net.web.hits("api.edinet-fsa.go.jp")[0].path.contains("Subscription-Key=hush-hush"));
    assert_eq!(
        net.web.hits("api.info.gbiz.go.jp")[0].header("x-hojininfo-api-token"),
        Some("hush-hush")
    );
    assert!(!net.ledger().join("\n").contains("hush"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_api_that_cannot_be_asked_says_why_and_the_others_go_on() {
    let net = SmallInternet::new();
    let settings = ApiSettings { disabled: vec!["wikidata".to_owned()], ..ApiSettings::default() };
    let apis = Apis::load(None, settings);
    net.web.script(
        "laws.e-gov.go.jp",
        vec![Fault::Answer(Answer::json(
            200,
            &serde_json::json!({"code": "500001", "message": "お待ちください"}),
        ))],
    );
    let query = Query { text: "敷金".to_owned(), ..Query::default() };
    let answers =
        ask(&net, &apis, &["estat", "wikidata", "nobody", "egov_law", "diet_minutes"], &query)
            .await;
    insta::assert_snapshot!(shown(&answers), @r"
    estat: 0 of None, 0 asked, it needs the key `estat_app_id`: free of charge at https://www.e-stat.go.jp/api/ |
    wikidata: 0 of None, 0 asked, it is switched off |
    nobody: 0 of None, 0 asked, there is no API named `nobody` |
    egov_law: 0 of None, 1 asked, it says: お待ちください |
    diet_minutes: 1 of Some(1), 1 asked, fine | 参議院 厚生労働委員会 第6号 大河内亮
    ");
    assert_eq!(net.web.requests("e-stat.go.jp"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_api_is_asked_page_after_page_at_its_own_pace() {
    let net = SmallInternet::new();
    let page = |first: usize, next: Option<usize>| {
        let entities: Vec<_> = (first..first + 3)
            .map(|it| serde_json::json!({"id": format!("Q{it}"), "label": format!("entity {it}")}))
            .collect();
        Fault::Answer(Answer::json(
            200,
            &serde_json::json!({"search": entities, "search-continue": next, "success": 1}),
        ))
    };
    net.web.script("www.wikidata.org", vec![page(0, Some(3)), page(3, Some(6)), page(6, None)]);
    let query = Query { text: "x".to_owned(), limit: 50, ..Query::default() };
    let answers = ask(&net, &apis(), &["wikidata"], &query).await;
    assert_eq!((answers[0].records.len(), answers[0].outcome.requests), (9, 3));
    let ranks: Vec<u32> = answers[0].records.iter().map(|it| it.candidate.rank).collect();
    assert_eq!(ranks, (1..=9).collect::<Vec<u32>>());
    let continued: Vec<bool> =
        net.web.hits("www.wikidata.org").iter().map(|it| it.path.contains("continue=6")).collect();
    assert_eq!(continued, [false, false, true]);
    assert!(net.web.closest_gap("wikidata.org").unwrap() >= Duration::from_millis(450));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_on_a_later_page_keeps_what_came_before() {
    let net = SmallInternet::new();
    let first = serde_json::json!({"search": [{"id": "Q1", "label": "one"}], "search-continue": 1, "success": 1});
    net.web.script(
        "www.wikidata.org",
        vec![Fault::Answer(Answer::json(200, &first)), Fault::Status(404)],
    );
    let query = Query { text: "x".to_owned(), ..Query::default() };
    let answers = ask(&net, &apis(), &["wikidata"], &query).await;
    assert_eq!(shown(&answers), "wikidata: 1 of None, 2 asked, it answered 404 | one");
}

#[tokio::test(flavor = "multi_thread")]
async fn works_are_asked_for_by_their_names_many_at_once() {
    let net = SmallInternet::new();
    let papers = net.web.world().papers();
    let names = [&papers[0].doi, &papers[1].doi].map(Clone::clone);
    let asked =
        [&names[..], &["10.5555/none".to_owned(), "10.5555/with,comma".to_owned()]].concat();
    let apis = apis();
    let found = apis.works_by_name(&net.fetcher, "crossref", Scheme::Doi, &asked, nobody()).await;
    let mut titles: Vec<&str> = found.works.iter().map(|it| it.title.as_str()).collect();
    titles.sort_unstable();
    let mut expected = [papers[0].title.as_str(), papers[1].title.as_str()];
    expected.sort_unstable();
    assert_eq!(titles, expected);
    assert!(found.failure.is_none(), "{:?}", found.failure);
    // A comma parts names there and cannot be escaped.
    assert_eq!(found.unanswered, ["10.5555/with,comma"]);
    assert_eq!(net.web.hits("api.crossref.org").len(), 1);

    let register = |doi: String| {
        let (apis, fetcher) = (apis.clone(), net.fetcher.clone());
        async move { apis.work_by_doi(&fetcher, "doi", &doi, nobody()).await.unwrap() }
    };
    assert_eq!(register(papers[0].doi.clone()).await.unwrap().title, papers[0].title);
    assert!(register("10.5555/none".to_owned()).await.is_none());
}
