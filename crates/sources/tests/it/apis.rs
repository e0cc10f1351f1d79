//! The public APIs on small recordings; see `recordings/README.md`.

use std::fs;
use std::path::Path;

use serde_json::json;
use sources::apis::{Api, ApiPage, ApiSettings, Apis, Position, SHIPPED_APIS};
use sources::{Category, Failure, Query};

fn api(name: &str) -> Api {
    let (_, text) = SHIPPED_APIS.iter().find(|it| it.0 == name).unwrap();
    Api::parse(text).unwrap()
}

fn recording(file: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/recordings").join(file)).unwrap()
}

fn first(api: &Api) -> Position {
    let one = ["diet_minutes", "estat", "gbizinfo", "ndl_search"];
    Position { number: u64::from(one.contains(&api.name.as_str())), ..Position::default() }
}

fn read(name: &str, file: &str, query: &Query) -> Result<ApiPage, Failure> {
    let api = api(name);
    api.read(&recording(file), query, &first(&api), 2, 1, &ApiSettings::default())
}

fn all() -> Query {
    Query::default()
}

/// What a reader would see of a page.
fn shown(page: &ApiPage) -> String {
    let pairs = |pairs: &[(String, String)]| {
        pairs.iter().map(|it| format!("{}={}", it.0, it.1)).collect::<Vec<_>>().join(", ")
    };
    let mut lines: Vec<String> = Vec::new();
    for record in &page.records {
        let it = &record.candidate;
        lines.push(format!(
            "{}. {} <{}> {}",
            it.rank,
            it.title,
            it.url,
            it.date.as_deref().unwrap_or("-")
        ));
        lines.push(format!("   {}", it.snippet.as_deref().unwrap_or("-")));
        let names = pairs(&record.identifiers);
        lines.push(format!("   [{names}] {}", pairs(&record.extra)).trim_end().to_owned());
    }
    lines.extend(page.notes.iter().map(|it| format!("! {it}")));
    let next = page.next.as_ref().map(|it| it.number);
    lines.push(format!("{} of {:?}, next {next:?}", page.seen, page.total));
    lines.join("\n")
}

fn failure(name: &str, file: &str) -> String {
    read(name, file, &all()).unwrap_err().to_string()
}

#[test]
fn every_shipped_declaration_is_read_and_named_like_its_file() {
    for (name, text) in SHIPPED_APIS {
        let api = Api::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(api.name, *name);
        assert_ne!(api.categories, [], "{name}");
    }
    assert_eq!(SHIPPED_APIS.len(), 15);
}

#[test]
fn laws_are_read() {
    insta::assert_snapshot!(shown(&read("egov_law", "egov_law.json", &all()).unwrap()), @r"
    1. 行政手続法 <https://laws.e-gov.go.jp/law/405AC0000000088> 1993-11-12
       この法律は、処分、行政指導及び届出に関する手続に関し、共通する事項を定める。 行政指導に携わる者は、その相手方に対して、趣旨を明確に示さなければならない。
       [law_id=405AC0000000088, law_num=平成五年法律第八十八号] category=行政手続, in_force_since=2024-04-01, law_type=Act, revision=405AC0000000088_20240401_505AC0000000063
    2. 行政手続法施行令 <https://laws.e-gov.go.jp/law/406CO0000000265> 1994-08-05
       -
       [law_id=406CO0000000265, law_num=平成六年政令第二百六十五号] category=行政手続, law_type=CabinetOrder, revision=406CO0000000265_20230401_000000000000000
    2 of Some(3), next Some(2)
    ");
    assert_eq!(
        failure("egov_law", "egov_law_error.json"),
        "it says: キーワードの指定に誤りがあります。"
    );
}

#[test]
fn speeches_in_the_diet_are_read() {
    insta::assert_snapshot!(shown(&read("diet_minutes", "diet_minutes.json", &all()).unwrap()), @r"
    1. 衆議院 厚生労働委員会 第1号 山田花子 <https://kokkai.ndl.go.jp/txt/121005254X00120240201/3> 2024-02-01
       ○山田花子君 ワクチンの副反応について伺います。 件数を示してください。
       [issue_id=121005254X00120240201, speech_id=121005254X00120240201_003] group=無所属, meeting_url=https://kokkai.ndl.go.jp/txt/121005254X00120240201, session=210, speaker=山田花子
    2. 参議院 本会議 第2号 <https://kokkai.ndl.go.jp/txt/121015254X00220240305/0> 2024-03-05
       令和六年三月五日
       [issue_id=121015254X00220240305, speech_id=121015254X00220240305_000] meeting_url=https://kokkai.ndl.go.jp/txt/121015254X00220240305, session=210
    2 of Some(3), next Some(3)
    ");
    let none = read("diet_minutes", "diet_minutes_none.json", &all()).unwrap();
    assert_eq!((none.seen, none.total, none.next), (0, Some(0), None));
    assert_eq!(
        failure("diet_minutes", "diet_minutes_error.json"),
        "it says: 検索条件を一つ以上入力してください。(19011)"
    );
}

#[test]
fn statistics_are_read_also_where_one_table_stands_without_its_list() {
    insta::assert_snapshot!(shown(&read("estat", "estat.json", &all()).unwrap()), @r"
    1. 国勢調査 男女別人口－全国 <https://www.e-stat.go.jp/dbview?sid=0003448237> 2021-11-30
       令和2年国勢調査 人口等基本集計
       [stat_code=00200521, stats_data_id=0003448237] cycle=-, ministry=総務省, survey_date=202010
    2. 社会・人口統計体系 Ａ 人口・世帯 <https://www.e-stat.go.jp/dbview?sid=0000010101> 2024-03-22
       都道府県データ 基礎データ
       [stat_code=00200502, stats_data_id=0000010101] cycle=年度次, ministry=総務省, survey_date=0
    2 of Some(40), next Some(3)
    ");
    insta::assert_snapshot!(shown(&read("estat", "estat_one.json", &all()).unwrap()), @r"
    1. 人口動態調査 出生数 <https://www.e-stat.go.jp/dbview?sid=0003000001> 2023-09-15
       -
       [stat_code=00450011, stats_data_id=0003000001]
    1 of Some(1), next None
    ");
    assert_eq!(
        read("estat", "estat_none.json", &all()).unwrap(),
        ApiPage { total: Some(0), ..ApiPage::default() }
    );
    assert_eq!(
        failure("estat", "estat_error.json"),
        "it says: 認証に失敗しました。アプリケーションIDを確認してください。"
    );
}

#[test]
fn legal_persons_are_read() {
    insta::assert_snapshot!(shown(&read("gbizinfo", "gbizinfo.json", &all()).unwrap()), @r"
    1. 例示製作所株式会社 <https://info.gbiz.go.jp/hojin/ichiran?hojinBango=1000012345678> 2024-02-14
       東京都千代田区千代田１番１号 精密機械の製造
       [corporate_number=1000012345678] kana=レイジセイサクショ, postal_code=1000001, status=-
    2. 例示商事株式会社 <https://info.gbiz.go.jp/hojin/ichiran?hojinBango=2000012345677> 2023-11-01
       大阪府大阪市北区梅田１丁目
       [corporate_number=2000012345677]
    2 of None, next Some(2)
    ");
    assert_eq!(failure("gbizinfo", "gbizinfo_error.json"), "it says: 検索条件を指定してください。");
}

#[test]
fn disclosure_documents_of_a_day_are_searched_here_because_the_api_cannot() {
    insta::assert_snapshot!(shown(&read("edinet", "edinet.json", &all()).unwrap()), @r"
    1. 例示製作所株式会社 有価証券報告書－第50期(2023/04/01－2024/03/31) <https://disclosure2dl.edinet-fsa.go.jp/searchdocument/pdf/S100TEST1.pdf> 2024-06-27
       有価証券報告書－第50期(2023/04/01－2024/03/31)
       [corporate_number=1000012345678, doc_id=S100TEST1, edinet_code=E99991, sec_code=99990] document_type=120, period_end=2024-03-31, period_start=2023-04-01, withdrawn=0
    2. 例示商事株式会社 大量保有報告書 <https://disclosure2dl.edinet-fsa.go.jp/searchdocument/pdf/S100TEST2.pdf> 2024-06-27
       大量保有報告書
       [corporate_number=2000012345677, doc_id=S100TEST2, edinet_code=E99992] document_type=350, withdrawn=0
    ! record 3 has no title
    3 of Some(3), next None
    ");
    let titles = |text: &str| -> Vec<String> {
        let query = Query { text: text.to_owned(), ..Query::default() };
        read("edinet", "edinet.json", &query)
            .unwrap()
            .records
            .into_iter()
            .map(|it| it.candidate.title)
            .collect()
    };
    assert_eq!(titles("大量保有"), ["例示商事株式会社 大量保有報告書"]);
    assert_eq!(titles("例示 第５０期").len(), 1, "full-width digits are digits");
    assert_eq!(titles("例示 存在しない"), Vec::<String>::new());
    assert_eq!(
        failure("edinet", "edinet_error.json"),
        "it says: Access denied due to invalid subscription key. Make sure to provide a valid key for an active subscription."
    );
    assert_eq!(failure("edinet", "edinet_not_found.json"), "it says: NOT FOUND");
}

#[test]
fn entities_are_read() {
    insta::assert_snapshot!(shown(&read("wikidata", "wikidata.json", &all()).unwrap()), @r"
    1. 東京都 <https://www.wikidata.org/wiki/Q1490> -
       日本の首都
       [wikidata=Q1490] aliases=東京 Tōkyō-to
    2. 東京 (地名) <https://www.wikidata.org/wiki/Q7473516> -
       -
       [wikidata=Q7473516]
    2 of None, next Some(2)
    ");
    insta::assert_snapshot!(shown(&read("dbpedia", "dbpedia.json", &all()).unwrap()), @r"
    1. Kyoto <http://dbpedia.org/resource/Kyoto> -
       Kyoto is a city in the Kansai region of Japan.
       [dbpedia=http://dbpedia.org/resource/Kyoto] types=Place City
    2. Kyoto Protocol <http://dbpedia.org/resource/Kyoto_Protocol> -
       -
       [dbpedia=http://dbpedia.org/resource/Kyoto_Protocol]
    2 of None, next None
    ");
    assert_eq!(
        failure("wikidata", "wikidata_error.json"),
        "it says: Unrecognized value for parameter \"language\": xx-yy."
    );
}

#[test]
fn xml_is_read_like_json() {
    insta::assert_snapshot!(shown(&read("ndl_search", "ndl_search.xml", &all()).unwrap()), @r"
    1. 気候変動と農業 / 例示, 太郎 <https://ndlsearch.ndl.go.jp/books/R100000002-I000000000001> 2022
       例示出版, 2022.4, 210p
       [] authors=例示, 太郎, kind=図書, publisher=例示出版
    2. 地域の気候 : 観測 & 予測 <https://ndlsearch.ndl.go.jp/books/R000000004-I000000000002> 2019-07
       -
       [] kind=記事
    2 of Some(41), next Some(3)
    ");
}

#[test]
fn records_outside_the_period_and_with_excluded_words_are_left_out() {
    let query = Query { after: Some("2024-02-02".to_owned()), ..Query::default() };
    let page = read("diet_minutes", "diet_minutes.json", &query).unwrap();
    assert_eq!((page.seen, page.records.len()), (2, 1));
    let query = Query { before: Some("2024-02".to_owned()), ..Query::default() };
    assert_eq!(read("diet_minutes", "diet_minutes.json", &query).unwrap().records.len(), 1);
    let query = Query { excluded: vec!["ワクチン".to_owned()], ..Query::default() };
    assert_eq!(read("diet_minutes", "diet_minutes.json", &query).unwrap().records.len(), 1);
    // A year alone is not too old for a day in it.
    let query = Query { after: Some("2022-06-01".to_owned()), ..Query::default() };
    assert_eq!(read("ndl_search", "ndl_search.xml", &query).unwrap().records.len(), 1);
}

#[test]
fn missing_and_wrong_fields_cost_one_record_and_are_said() {
    let api = api("egov_law");
    let read = |answer: serde_json::Value| {
        api.read(
            answer.to_string().as_bytes(),
            &all(),
            &Position::default(),
            10,
            1,
            &ApiSettings::default(),
        )
    };
    let page = read(json!({"total_count": "4", "next_offset": null, "items": [
        7, {"law_info": {"law_id": "1"}}, {"law_info": {"law_num": "x"}},
        {"law_info": {"law_id": ["2"], "law_num": 3, "promulgation_date": "soon"}, "revision_info": "none", "sentences": {"text": null}},
    ]}));
    insta::assert_snapshot!(shown(&page.unwrap()), @r"
    1. 3 <https://laws.e-gov.go.jp/law/2> -
       -
       [law_id=2, law_num=3]
    ! record 1 is no record
    ! record 2 has no title
    ! record 3 has no address
    4 of Some(4), next None
    ");
    let failed = |answer: serde_json::Value| read(answer).unwrap_err().to_string();
    assert_eq!(failed(json!({})), "its answer cannot be read: it has no list of records");
    assert_eq!(
        failed(json!({"items": null})),
        "its answer cannot be read: it has no list of records"
    );
    assert_eq!(failed(json!([])), "its answer cannot be read: it has no list of records");
    assert_eq!(read(json!({"items": []})).unwrap(), ApiPage::default());
    let html =
        api.read(b"<html></html>", &all(), &Position::default(), 10, 1, &ApiSettings::default());
    assert_eq!(
        html.unwrap_err().to_string(),
        "its answer cannot be read: a web page came instead of JSON"
    );
}

#[test]
fn an_address_of_another_kind_is_not_followed() {
    let api = api("diet_minutes");
    let body = json!({"speechRecord": [{"nameOfMeeting": "m", "speechURL": "javascript:alert(1)"}, {"nameOfMeeting": "n", "speechURL": "file:///etc/passwd"}]});
    let page = api
        .read(
            body.to_string().as_bytes(),
            &all(),
            &Position::default(),
            10,
            1,
            &ApiSettings::default(),
        )
        .unwrap();
    assert_eq!(page.records, []);
    assert_eq!(
        page.notes,
        [
            "record 1 has an address that is none: `javascript:alert(1)`",
            "record 2 has an address that is none: `file:///etc/passwd`",
        ]
    );
}

fn url(name: &str, query: &Query, position: &Position) -> String {
    let mut settings = ApiSettings::default();
    for key in ["estat_app_id", "gbizinfo_token", "edinet_subscription_key", "unpaywall_email"] {
        settings.keys.push(format!("{key}=hush").into());
    }
    let fetch_request = api(name).fetch_request(query, position, 30, &settings).unwrap();
    assert!(!fetch_request.url.as_str().contains("hush"));
    fetch_request.url.to_string()
}

#[test]
fn queries_are_sent_in_each_apis_own_words() {
    let query = Query {
        text: "行政 指導".to_owned(),
        phrases: vec!["手続".to_owned()],
        after: Some("2024".to_owned()),
        before: Some("2024-05-31".to_owned()),
        language: Some("en".to_owned()),
        ..Query::default()
    };
    let at = |number| Position { number, day: "2024-06-27".parse().ok(), ..Position::default() };
    let searched = SHIPPED_APIS.iter().filter(|it| it.0 != "unpaywall");
    let lines = searched.map(|(name, _)| url(name, &query, &at(1)));
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
    https://export.arxiv.org/api/query?max_results=30&search_query=all%3A%E8%A1%8C%E6%94%BF+AND+all%3A%E6%8C%87%E5%B0%8E+AND+all%3A%E6%89%8B%E7%B6%9A&sortBy=relevance&start=1
    https://cir.nii.ac.jp/opensearch/articles?count=30&format=json&from=202401&lang=ja&q=%E8%A1%8C%E6%94%BF+%E6%8C%87%E5%B0%8E+%E6%89%8B%E7%B6%9A&start=1&until=202405
    https://api.crossref.org/works?filter=from-pub-date%3A2024-01-01%2Cuntil-pub-date%3A2024-05-31&offset=1&query.bibliographic=%E8%A1%8C%E6%94%BF+%E6%8C%87%E5%B0%8E+%E6%89%8B%E7%B6%9A&rows=30
    https://lookup.dbpedia.org/api/search?format=JSON&maxResults=30&query=%E8%A1%8C%E6%94%BF+%E6%8C%87%E5%B0%8E+%E6%89%8B%E7%B6%9A
    https://kokkai.ndl.go.jp/api/speech?any=%E8%A1%8C%E6%94%BF+%E6%8C%87%E5%B0%8E+%E6%89%8B%E7%B6%9A&from=2024-01-01&maximumRecords=30&recordPacking=json&startRecord=1&until=2024-05-31
    https://doi.org/%7Bdoi%7D
    https://api.edinet-fsa.go.jp/api/v2/documents.json?date=2024-06-27&type=2
    https://laws.e-gov.go.jp/api/2/keyword?keyword=%E8%A1%8C%E6%94%BF+%E6%8C%87%E5%B0%8E+%E6%89%8B%E7%B6%9A&limit=30&offset=1&response_format=json
    https://api.e-stat.go.jp/rest/3.0/app/json/getStatsList?lang=J&limit=30&openYears=202401-202405&searchWord=%E8%A1%8C%E6%94%BF+%E6%8C%87%E5%B0%8E+%E6%89%8B%E7%B6%9A&startPosition=1
    https://www.ebi.ac.uk/europepmc/webservices/rest/search?format=json&pageSize=30&query=%E8%A1%8C%E6%94%BF+AND+%E6%8C%87%E5%B0%8E+AND+%E6%89%8B%E7%B6%9A+AND+FIRST_PDATE%3A%5B2024-01-01+TO+2024-05-31%5D&resultType=core
    https://api.info.gbiz.go.jp/hojin/v2/hojin?limit=30&name=%E8%A1%8C%E6%94%BF+%E6%8C%87%E5%B0%8E+%E6%89%8B%E7%B6%9A&page=1
    https://api.jstage.jst.go.jp/searchapi/do?count=30&pubyearfrom=2024&pubyearto=2024&service=3&start=1&text=%E8%A1%8C%E6%94%BF+%E6%8C%87%E5%B0%8E+%E6%89%8B%E7%B6%9A
    https://ndlsearch.ndl.go.jp/api/opensearch?any=%E8%A1%8C%E6%94%BF+%E6%8C%87%E5%B0%8E+%E6%89%8B%E7%B6%9A&cnt=30&from=2024-01-01&idx=1&until=2024-05-31
    https://www.wikidata.org/w/api.php?action=wbsearchentities&continue=1&format=json&language=en&limit=30&search=%E8%A1%8C%E6%94%BF+%E6%8C%87%E5%B0%8E+%E6%89%8B%E7%B6%9A&uselang=en
    ");
    let open = Query { text: "x".to_owned(), after: Some("2024".to_owned()), ..Query::default() };
    assert_eq!(
        url("diet_minutes", &open, &at(31)),
        "https://kokkai.ndl.go.jp/api/speech?any=x&from=2024-01-01&maximumRecords=30&recordPacking=json&startRecord=31"
    );
}

#[test]
fn a_key_is_sent_apart_and_an_api_without_its_key_says_where_to_get_one() {
    let query = Query { text: "x".to_owned(), ..Query::default() };
    let mut settings = ApiSettings::default();
    let ask = |name: &str, settings: &ApiSettings| {
        api(name).fetch_request(&query, &Position::default(), 9, settings)
    };
    assert_eq!(
        ask("estat", &settings).unwrap_err().to_string(),
        "it needs the key `estat_app_id`: free of charge at https://www.e-stat.go.jp/api/"
    );
    settings.keys.push("estat_app_id= hush ".into());
    settings.keys.push("gbizinfo_token=quiet".into());
    let secret = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
    assert_eq!(ask("estat", &settings).unwrap().secret_query, secret("appId", "hush"));
    assert_eq!(
        ask("gbizinfo", &settings).unwrap().secret_headers,
        secret("X-hojinInfo-api-token", "quiet")
    );
    assert!(!format!("{settings:?}").contains("hush"), "settings are logged");
}

#[test]
fn a_query_without_words_is_not_sent_to_an_api_that_needs_them() {
    let ask = |name: &str| {
        api(name).fetch_request(&all(), &Position::default(), 9, &ApiSettings::default())
    };
    assert_eq!(ask("wikidata").unwrap_err().to_string(), "the query has no words");
}

#[test]
fn paging_is_counted_followed_and_never_for_ever() {
    let declared = |paging: &str| {
        let text = format!(
            "name = \"x\"\ntitle = \"X\"\ndocumentation = \"\"\nrequest.url = \"https://x.example/\"\nrequest.max_limit = 2\n\
             answer = {{ records = \"r\", total = \"n\" }}\nfields = {{ title = \"t\", url = \"https://x.example/{{t}}\" }}\npaging = {paging}"
        );
        Api::parse(&text).unwrap()
    };
    let next = |api: &Api, number: u64, body: serde_json::Value| {
        let asked = Position { number, cursor: Some("c1".to_owned()), ..Position::default() };
        let page = api
            .read(body.to_string().as_bytes(), &all(), &asked, 2, 1, &ApiSettings::default())
            .unwrap();
        page.next.map(|it| it.cursor.unwrap_or_else(|| it.number.to_string()))
    };
    let two = json!([{"t": "a"}, {"t": "b"}]);
    let one = json!([{"t": "a"}]);
    let pages = declared("{ kind = \"page\" }");
    assert_eq!(next(&pages, 1, json!({"r": two})).as_deref(), Some("2"));
    assert_eq!(next(&pages, 1, json!({"r": one})), None, "a page that is not full is the last");
    let counted = declared("{ kind = \"position\", first = 1 }");
    assert_eq!(next(&counted, 1, json!({"r": two, "n": 3})).as_deref(), Some("3"));
    assert_eq!(next(&counted, 1, json!({"r": two, "n": 2})), None);
    let said = declared("{ kind = \"position\", next = \"go\" }");
    assert_eq!(next(&said, 4, json!({"r": one, "go": "6"})).as_deref(), Some("6"));
    assert_eq!(next(&said, 4, json!({"r": two, "go": 4})), None, "the same place again");
    assert_eq!(next(&said, 4, json!({"r": two, "go": null})), None);
    let cursor = declared("{ kind = \"cursor\", first = \"*\", next = \"meta.cursor\" }");
    assert_eq!(
        next(&cursor, 0, json!({"r": two, "meta": {"cursor": "c2"}})).as_deref(),
        Some("c2")
    );
    assert_eq!(
        next(&cursor, 0, json!({"r": two, "meta": {"cursor": "c1"}})),
        None,
        "the same word again"
    );
}

#[test]
fn a_file_that_declares_nothing_says_why() {
    let error = |text: &str| Api::parse(text).unwrap_err().to_string();
    let good = SHIPPED_APIS.iter().find(|it| it.0 == "wikidata").unwrap().1;
    assert_eq!(error(""), "missing field `name`");
    assert_eq!(
        error(&good.replace("name = \"wikidata\"", "name = \"Wiki Data\"")),
        "name: `Wiki Data` is not of small letters, digits and `_`"
    );
    assert_eq!(
        error(&good.replace(
            "https://www.wikidata.org/w/api.php\"\nmax",
            "ftp://www.wikidata.org/\"\nmax"
        )),
        "request.url: `ftp://www.wikidata.org/` is not on the web"
    );
    assert_eq!(
        error(&good.replace("{text}", "{words}")),
        "request.parameters: `{words}` in `search` is none of text, from, until, language, limit, page, position, cursor, day"
    );
    assert_eq!(
        error(&good.replace("records = \"search\"", "records = \"a..b\"")),
        "`a..b` is no path"
    );
    assert_eq!(
        error(&good.replace("per_second = 1.0", "per_second = 100.0")),
        "limits: from just above 0 to 10 requests a second, at least 1 at a time"
    );
    assert_eq!(
        error(&format!("{good}\n[more]\nx = 1")),
        "unknown field `more`, expected one of `name`, `title`, `documentation`, `categories`, `topics`, `languages`, `by_doi`, `registers_dois`, `lookup`, `request`, `words`, `key`, `paging`, `limits`, `answer`, `fields`"
    );
}

#[test]
fn a_users_file_replaces_or_adds_and_a_broken_one_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let text = SHIPPED_APIS.iter().find(|it| it.0 == "wikidata").unwrap().1;
    fs::write(
        folder.path().join("mine.toml"),
        text.replace("title = \"Wikidata\"", "title = \"Our mirror\""),
    )
    .unwrap();
    fs::write(
        folder.path().join("new.toml"),
        text.replace("name = \"wikidata\"", "name = \"house_wiki\""),
    )
    .unwrap();
    fs::write(folder.path().join("bad.toml"), "name = 3").unwrap();
    fs::write(folder.path().join("notes.txt"), "no declaration").unwrap();
    let apis = Apis::load(Some(folder.path()), ApiSettings::default());
    assert_eq!(apis.get("wikidata").unwrap().title, "Our mirror");
    assert_eq!(apis.all().count(), 16);
    let problems: Vec<String> = apis.problems().iter().map(|it| it.problem.clone()).collect();
    assert_eq!(problems, ["invalid type: integer `3`, expected a string"]);
    assert_eq!(
        apis.names_for(Some(Category::Government)),
        ["diet_minutes", "edinet", "egov_law", "estat", "gbizinfo", "ndl_search"]
    );
    // Ours but for Unpaywall, which cannot search, and the user's.
    assert_eq!(apis.names_for(None).len(), 14);
    assert_eq!(
        Apis::load(Some(Path::new("/nowhere/at/all")), ApiSettings::default()).problems().len(),
        0
    );
}
