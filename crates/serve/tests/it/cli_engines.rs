//! `lyra engines`.

use testweb::{EngineMode, TestWeb, World};

use crate::support::Home;

/// The small internet, and a home whose settings lead there.
fn online() -> (TestWeb, Home) {
    let web = TestWeb::start(World::of_size(1, 40));
    let home = Home::new();
    let ca_file = home.write("ca.pem", web.ca_pem());
    home.write(
        ".config/lyra/config.toml",
        &format!(
            "[fetch]\nhosts = {:?}\nallow_networks = [\"127.0.0.0/8\"]\nca_file = {:?}\n",
            web.hosts_setting(),
            ca_file
        ),
    );
    (web, home)
}

#[test]
fn the_engines_are_listed_with_what_is_known_of_them() {
    insta::assert_snapshot!(Home::new().run("engines list"), @r"
    ENGINE           FOR                                                     WEIGHT  CIRCUIT  1H  24H  CAPTCHA  BROKEN  MS  TODAY  LAST
    ──────           ───                                                     ──────  ───────  ──  ───  ───────  ──────  ──  ─────  ────
    duckduckgo       general news government technical                         1.00  closed    -    -        -       -   -  0/300  -
    duckduckgo_lite  general news government technical                         0.90  closed    -    -        -       -   -  0/300  -
    mojeek           general news academic government technical                1.00  closed    -    -        -       -   -  0/300  -
    marginalia       general technical academic                                0.70  closed    -    -        -       -   -  0/150  -
    wikipedia        general academic technical                                0.60  closed    -    -        -       -   -  0/500  -
    startpage        general news academic government technical                0.80  closed    -    -        -       -   -  0/150  -
    ecosia           general government technical                              0.70  closed    -    -        -       -   -  0/150  -
    bing             general news government technical                         0.80  closed    -    -        -       -   -  0/150  -
    brave            general news academic government technical (last mile)    0.60  closed    -    -        -       -   -   0/30  -
    google           general news academic government technical (last mile)    0.20  closed    -    -        -       -   -   0/10  -

    API           FOR                                      STATE                           TODAY
    ───           ───                                      ─────                           ─────
    arxiv         exact sciences (en)                      ready                          0/1000
    cinii         research, medicine, exact sciences (ja)  ready, without a key           0/1000
    crossref      research, medicine, exact sciences       ready, without a key           0/3000
    dbpedia       what something is (en)                   ready                          0/1000
    diet_minutes  parliament (ja)                          ready                          0/1000
    doi           DOIs of references                       ready                          0/3000
    edinet        companies (ja)                           needs edinet_subscription_key  0/1000
    egov_law      laws (ja)                                ready                          0/2000
    estat         statistics (ja)                          needs estat_app_id             0/2000
    europe_pmc    medicine (en)                            ready                          0/3000
    gbizinfo      companies (ja)                           needs gbizinfo_token           0/1000
    jstage        research, medicine, exact sciences (ja)  ready                          0/1000
    ndl_search    books (ja)                               ready                          0/1000
    unpaywall     free copies of papers                    needs unpaywall_email          0/2000
    wikidata      what something is                        ready                          0/2000
    --- stderr
    APIs are declared after their documentation; none was compared with an answer of the real service
    checked against another form of its page: duckduckgo
    checked against a page from before the layout changed: brave
    never checked against a page of the real engine: duckduckgo_lite, marginalia, wikipedia
    --- exit 0
    ");
}

#[test]
fn an_engine_that_was_asked_shows_its_health() {
    let (web, home) = online();
    let answer = home.run_arguments(&[
        "engines",
        "test",
        "mojeek",
        "bing",
        "--query",
        "velorastatin",
        "--json",
    ]);
    let document = answer.json();
    assert_eq!(document["answers"][0]["engine"], "mojeek");
    assert_eq!(document["answers"][0]["outcome"]["answered"], "results");
    assert_eq!(document["answers"][1]["outcome"]["answered"], "results");
    let urls = |at: usize| -> Vec<String> {
        let results = document["answers"][at]["results"].as_array().unwrap();
        results.iter().map(|it| it["url"].as_str().unwrap().to_owned()).collect()
    };
    assert!(!urls(0).is_empty());
    assert_eq!(urls(0), urls(1));
    assert_eq!((web.requests("mojeek.com"), web.requests("bing.com")), (1, 1));
    let listed = home.run("engines list --json").json();
    let mojeek =
        listed["engines"].as_array().unwrap().iter().find(|it| it["name"] == "mojeek").unwrap();
    assert_eq!(mojeek["circuit"], "closed");
    assert_eq!(mojeek["success_rate_1h"], 1.0);
    assert_eq!(mojeek["last_outcome"], "results");
    assert_eq!((&mojeek["requests_today"], &mojeek["requests_a_day"]), (&1.into(), &300.into()));
}

#[test]
fn an_engine_that_asks_for_a_person_says_where_to_go() {
    let (web, home) = online();
    web.set_engine("mojeek", EngineMode::Captcha);
    let answer = home.run("engines test mojeek --query sea");
    assert!(answer.stdout.contains("it asks for a proof of being human"), "{answer}");
    assert_eq!(
        answer.stderr,
        "mojeek needs a person: open https://www.mojeek.com/search?q=sea in a browser\n\
         error: no engine answered as it should\n\
         hint: `lyra engines list` shows which are resting, and until when\n"
    );
    assert_eq!(answer.code, Some(8));
}

#[test]
fn an_engine_whose_layout_changed_keeps_a_sample() {
    let (web, home) = online();
    web.set_engine("mojeek", EngineMode::ChangedLayout);
    let answer = home.run("engines test mojeek --query velorastatin --json");
    let broken = answer.json()["answers"][0]["outcome"]["answered"]["broken"]["why"].clone();
    assert!(broken.as_str().unwrap().starts_with("no result where it is declared; "), "{broken}");
    let listed = home.run("engines list --json").json();
    let mojeek =
        listed["engines"].as_array().unwrap().iter().find(|it| it["name"] == "mojeek").unwrap();
    assert_eq!((&mojeek["fault"], &mojeek["last_outcome"]), (&"layout".into(), &"changed".into()));
    assert!(mojeek["broken_sample"].as_str().unwrap().starts_with("urn:uuid:"), "{mojeek}");
}

#[test]
fn offline_asks_nobody() {
    let (web, home) = online();
    insta::assert_snapshot!(home.run("engines test mojeek --query sea --offline"), @r"
    ENGINE  ANSWER  RESULTS  MS  FIRST RESULT, OR WHY NOT
    ──────  ──────  ───────  ──  ────────────────────────
    mojeek  missed        0   0  Lyra runs offline and sends no requests
    --- stderr
    error: no engine answered as it should
    hint: run it without --offline, and with fetch.offline = false
    --- exit 8
    ");
    assert_eq!(web.total_requests(), 0);
}

#[test]
fn an_unknown_engine_is_named_before_anybody_is_asked() {
    insta::assert_snapshot!(Home::new().run("engines test altavista"), @r"
    --- stderr
    error: there is no engine `altavista`
    hint: `lyra engines list` names them
    --- exit 2
    ");
}

#[test]
fn a_users_engine_is_listed_and_a_broken_file_is_told() {
    let home = Home::new();
    home.write(".config/lyra/engines/bing.toml", "title = 5\n");
    let answer = home.run("engines list");
    assert!(
        answer
            .stderr
            .contains("engines/bing.toml: line 1: invalid type: integer `5`, expected a string"),
        "{answer}"
    );
    assert!(answer.stdout.contains("bing"), "{answer}");
    assert_eq!(answer.code, Some(0));
}
