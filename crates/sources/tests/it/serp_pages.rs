//! Result pages written after the known structure of each engine: redirects, adverts, dates, blocks, changed layouts.

use extract::Input;
use jiff::Timestamp;
use proptest::prelude::*;
use sources::{Block, Engines, Query, Serp, SerpKind, SerpLimits};
use url::Url;

fn now() -> Timestamp {
    "2026-05-04T02:00:00Z".parse().unwrap()
}

fn page_of(engine: &str) -> Url {
    let engines = Engines::load(None);
    let query = Query { text: "q".to_owned(), ..Query::default() };
    engines.get(engine).unwrap().request(&query, 1, jiff::civil::date(2026, 5, 4)).page
}

fn parse_at(engine: &str, html: &[u8], status: u16, url: &str) -> Serp {
    let engines = Engines::load(None);
    let url: Url = url.parse().unwrap();
    let input = Input { bytes: html, url: Some(&url), status: Some(status), headers: &[] };
    Serp::parse(engines.get(engine).unwrap(), input, now())
}

fn parse(engine: &str, html: &str) -> Serp {
    parse_at(engine, html.as_bytes(), 200, page_of(engine).as_str())
}

/// The kind, then one result a line.
fn read(engine: &str, html: &str) -> String {
    let serp = parse(engine, html);
    let mut lines = vec![format!("{:?}", serp.kind)];
    lines.extend(serp.results.iter().map(|result| {
        let snippet = result.snippet.as_deref().unwrap_or("-");
        format!(
            "{} {} | {} | {} | {snippet}",
            result.rank,
            result.title,
            result.url,
            result.date.as_deref().unwrap_or("-")
        )
    }));
    lines.join("\n")
}

const DUCKDUCKGO: &str = r#"<html><body><div id="links" class="results">
<div class="result results_links results_links_deep result--ad"><div class="links_main links_deep result__body">
  <h2 class="result__title"><a class="result__a" href="https://duckduckgo.com/y.js?ad_provider=x&amp;u3=y">Buy now</a></h2>
  <a class="result__snippet" href="https://duckduckgo.com/y.js?ad_provider=x">Cheap.</a></div></div>
<div class="result results_links results_links_deep web-result"><div class="links_main links_deep result__body">
  <h2 class="result__title"><a rel="nofollow" class="result__a"
    href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2Fx%3Futm_source%3Dd%26id%3D7&amp;rut=abc">A <b>first</b> one</a></h2>
  <div class="result__extras"><div class="result__extras__url"><a class="result__url" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2Fx">a.example/x</a>
    <span>2026-04-30T00:00:00.0000000</span></div></div>
  <a class="result__snippet" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2Fx">What it <b>says</b>.</a></div></div>
<div class="result results_links results_links_deep web-result"><div class="links_main links_deep result__body">
  <h2 class="result__title"><a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fwww.b.example%2F%E6%9D%B1%E4%BA%AC&amp;rut=d">東京の二番目</a></h2>
  <a class="result__snippet">3 日前 - 東京の説明。</a></div></div>
<div class="result results_links results_links_deep web-result"><div class="links_main links_deep result__body">
  <h2 class="result__title"><a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2Fx%3Fid%3D7&amp;rut=e">A first one, again</a></h2>
  <a class="result__snippet">Again.</a></div></div>
</div></body></html>"#;

#[test]
fn duckduckgo_without_script() {
    insta::assert_snapshot!(read("duckduckgo", DUCKDUCKGO), @r"
    Results
    1 A first one | https://a.example/x?id=7 | 2026-04-30 | What it says.
    2 東京の二番目 | https://www.b.example/%E6%9D%B1%E4%BA%AC | 2026-05-01 | 東京の説明。
    ");
}

const LITE: &str = r#"<html><body><table>
<tr class="result-sponsored"><td>1.&nbsp;</td><td><a rel="nofollow" href="https://duckduckgo.com/y.js?ad=1" class='result-link'>Buy</a></td></tr>
<tr class="result-sponsored"><td></td><td class='result-snippet'>Cheap</td></tr>
<tr><td valign="top">1.&nbsp;</td><td><a rel="nofollow" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2F1&amp;rut=a" class='result-link'>One</a></td></tr>
<tr><td>&nbsp;</td><td class='result-snippet'>The <b>first</b>.</td></tr>
<tr><td></td><td><span class='link-text'>a.example/1</span> <span class='timestamp'>2026-03-02T00:00:00.0000000</span></td></tr>
<tr><td>&nbsp;</td><td>&nbsp;</td></tr>
<tr><td valign="top">2.&nbsp;</td><td><a rel="nofollow" href="https://b.example/2" class='result-link'>Two</a></td></tr>
<tr><td>&nbsp;</td><td class='result-snippet'>The second.</td></tr>
<tr><td></td><td><span class='link-text'>b.example/2</span></td></tr>
</table></body></html>"#;

#[test]
fn duckduckgo_lite_has_three_rows_to_a_result() {
    insta::assert_snapshot!(read("duckduckgo_lite", LITE), @r"
    Results
    1 One | https://a.example/1 | 2026-03-02 | The first.
    2 Two | https://b.example/2 | - | The second.
    ");
}

#[test]
fn marginalia() {
    let html = r#"<html><body><main><section class="card search-result" data-ms-rank="1">
        <div class="url"><a rel="nofollow external" href="http://old.example/~me/">http://old.example/~me/</a></div>
        <h2><a tabindex="-1" rel="nofollow external" href="http://old.example/~me/">My pages</a></h2>
        <p class="description">Notes on looms.</p></section>
      <section class="card search-result"><h2><a rel="nofollow external" href="https://b.example/">B</a></h2>
        <p class="description">May 1, 2026 · Other notes.</p></section></main></body></html>"#;
    insta::assert_snapshot!(read("marginalia", html), @r"
    Results
    1 My pages | http://old.example/~me/ | - | Notes on looms.
    2 B | https://b.example/ | 2026-05-01 | Other notes.
    ");
}

#[test]
fn wikipedia_in_the_language_of_the_query() {
    let html = r#"<html><body><ul class="mw-search-results"><li class="mw-search-result mw-search-result-ns-0">
        <div class="mw-search-result-heading"><a href="/wiki/Heat_pump" title="Heat pump" data-serp-pos="0">Heat pump</a></div>
        <div class="searchresult">A <span class="searchmatch">heat pump</span> moves heat.</div>
        <div class="mw-search-result-data">98 KB (10,432 words) - 10:20, 5 March 2026</div></li></ul></body></html>"#;
    insta::assert_snapshot!(read("wikipedia", html), @r"
    Results
    1 Heat pump | https://en.wikipedia.org/wiki/Heat_pump | 2026-03-05 | A heat pump moves heat.
    ");
    let none = r#"<html><body><p class="mw-search-nonefound">There were no results matching the query.</p></body></html>"#;
    assert_eq!(parse("wikipedia", none).kind, SerpKind::NoResults);
}

/// Brave's results in `container`, as its saved page has them.
fn brave(container: &str, title_class: &str) -> String {
    let result = |number: u32| {
        format!(
            r#"<div class="snippet svelte-j" data-pos="{number}" data-type="web"><div class="result-wrapper"><div class="result-content">
            <a href="https://site{number}.example/page" class="svelte-1 l1"><div class="site-name-wrapper"><div class="site-name-content">
            <div class="desktop-small-semibold t-secondary">The name of site {number} which is a long name</div>
            <div class="url-wrapper"><cite class="snippet-url">site{number}.example <span>› page</span></cite></div></div></div>
            <div class="{title_class}">Title {number}</div></a>
            <div class="generic-snippet"><div class="content t-primary">Words about {number} that say something.</div></div>
            <div class="links"><a href="https://site{number}.example/part">A part of the site</a></div></div></div></div>"#
        )
    };
    let results: String = (1..=4).map(result).collect();
    format!("<html><body><main>{}</main></body></html>", container.replace("RESULTS", &results))
}

const BRAVE_READ: &str = "\
1 Title 1 | https://site1.example/page | - | Words about 1 that say something.
2 Title 2 | https://site2.example/page | - | Words about 2 that say something.
3 Title 3 | https://site3.example/page | - | Words about 3 that say something.
4 Title 4 | https://site4.example/page | - | Words about 4 that say something.";

#[test]
fn brave_is_read_in_its_earlier_container_and_in_the_one_of_today() {
    for container in [
        r#"<div id="results">RESULTS</div>"#,
        r#"<section id="mixed-main">RESULTS</section>"#,
        r#"<section id="mixed-main"><div>RESULTS</div></section>"#,
    ] {
        let html = brave(container, "title search-snippet-title");
        assert_eq!(read("brave", &html), format!("Results\n{BRAVE_READ}"), "{container}");
    }
}

#[test]
fn recovered_results_have_their_own_words_and_not_the_name_of_their_site() {
    let html = brave("<section>RESULTS</section>", "search-title-7")
        .replace("data-type", "data-sort")
        .replace("class=\"snippet", "class=\"row")
        .replace("generic-snippet", "words");
    let why = "no result where it is declared; 4 recovered by their look";
    assert_eq!(read("brave", &html), format!("Broken {{ why: \"{why}\" }}\n{BRAVE_READ}"));
}

#[test]
fn results_beside_the_words_for_nothing_found_are_a_changed_layout() {
    let list: String = (1..=3)
        .map(|it| format!("<div class='z'><h4><a href='https://site{it}.example/'>Title {it}</a></h4><p>Words of {it}</p></div>"))
        .collect();
    let template = "<template></template><p hidden>No pages found matching your words</p>";
    insta::assert_snapshot!(read("mojeek", &format!("<body>{list}{template}</body>")), @r#"
    Broken { why: "no result where it is declared; 3 recovered by their look" }
    1 Title 1 | https://site1.example/ | - | Words of 1
    2 Title 2 | https://site2.example/ | - | Words of 2
    3 Title 3 | https://site3.example/ | - | Words of 3
    "#);
    // Links without words beside them, as below an honest "nothing found".
    let links = "<p>No pages found matching: <b>x</b></p><h4><a href='https://a.example/'>Try A</a></h4>\
                 <h4><a href='https://b.example/'>Try B</a></h4><h4><a href='https://c.example/'>Try C</a></h4>";
    assert_eq!(parse("mojeek", links).kind, SerpKind::NoResults);
}

#[test]
fn bing_hides_addresses_in_base64() {
    let html = r#"<html><body><ol id="b_results">
      <li class="b_ad"><ul><li><h2><a href="https://www.bing.com/aclk?ld=1">Paid</a></h2><p>Buy</p></li></ul></li>
      <li class="b_algo"><h2><a href="https://www.bing.com/ck/a?!&amp;&amp;p=1&amp;u=a1aHR0cHM6Ly9hLmV4YW1wbGUvcGFnZT9pZD0xJnV0bV9zb3VyY2U9Yg&amp;ntb=1">Result</a></h2>
        <div class="b_caption"><p><span class="news_dt">2 days ago</span> · Words of it.</p></div></li>
      <li class="b_algo"><h2><a href="https://www.bing.com/ck/a?!&amp;&amp;u=a1!!!notbase64&amp;ntb=1">Unreadable link</a></h2><p>x</p></li>
      </ol></body></html>"#;
    insta::assert_snapshot!(read("bing", html), @r"
    Results
    1 Result | https://a.example/page?id=1 | 2026-05-02 | Words of it.
    ");
}

#[test]
fn google_in_japanese_with_adverts_and_its_page_without_script() {
    let html = r#"<html lang="ja"><body><div id="tads"><div class="uEierd"><a href="https://www.google.com/aclk?sa=1"><h3>広告の品</h3></a></div></div>
      <div id="search"><div id="rso"><div class="MjjYud"><div data-rpos="1"><div class="tF2Cxc"><div class="yuRUbf"><a href="/url?q=https://www.pref.example.jp/a%3Fx%3D1&amp;sa=U&amp;ved=2"><h3>県の資料</h3></a></div>
      <div class="VwiC3b"><span class="YrbPuc"><span>2026/04/01</span> — </span><span>県の<em>資料</em>です。</span></div></div></div></div></div></div></body></html>"#;
    let basic = r#"<html><body><div id="main"><div><div class="Gx5Zad"><div><a href="/url?q=https://b.example/2&amp;sa=U"><div><h3><div>Second</div></h3></div></a></div>
      <div><div class="BNeawe s3v9rd">May 1, 2026 · Words.</div></div></div></div></div></body></html>"#;
    insta::assert_snapshot!(read("google", html), @r"
    Results
    1 県の資料 | https://www.pref.example.jp/a?x=1 | 2026-04-01 | 県の資料です。
    ");
    insta::assert_snapshot!(read("google", basic), @r"
    Results
    1 Second | https://b.example/2 | 2026-05-01 | Words.
    ");
}

#[test]
fn a_word_that_says_paid_marks_an_advert_unless_it_is_part_of_the_result() {
    let html = |label: &str, title: &str| {
        format!(
            r#"<ul class="results-standard"><li><span>{label}</span><h2><a class="title" href="https://a.example/">{title}</a></h2>
            <p class="s">All about <strong>Ad</strong> blocking</p></li></ul>"#
        )
    };
    for label in ["Ad", "Sponsored", "広告", " スポンサー "] {
        assert_eq!(parse("mojeek", &html(label, "A")).results.len(), 0, "{label}");
    }
    assert_eq!(parse("mojeek", &html("a.example", "広告")).results.len(), 1);
}

#[test]
fn statuses_tell_blocks_from_failures() {
    let url = page_of("mojeek");
    for (status, expected) in [
        (
            200,
            SerpKind::Broken {
                why: "neither results nor a word about there being none".to_owned(),
            },
        ),
        (403, SerpKind::Blocked(Block::Refused)),
        (429, SerpKind::Blocked(Block::TooMany)),
        (503, SerpKind::Blocked(Block::Refused)),
        (500, SerpKind::Failed { status: 500 }),
        (404, SerpKind::Failed { status: 404 }),
    ] {
        assert_eq!(
            parse_at("mojeek", b"<html><body>hello</body></html>", status, url.as_str()).kind,
            expected
        );
    }
    let quiet = b"<html><body><form id='f'></form></body></html>";
    let anomaly = parse_at("duckduckgo", quiet, 202, "https://html.duckduckgo.com/html/");
    assert_eq!(anomaly.kind, SerpKind::Blocked(Block::Challenge));
}

#[test]
fn a_redirect_to_the_page_for_robots_is_a_challenge_and_consent_is_consent() {
    let at = |url| parse_at("google", b"<html></html>", 200, url).kind;
    assert_eq!(
        at("https://www.google.com/sorry/index?continue=x"),
        SerpKind::Blocked(Block::Challenge)
    );
    assert_eq!(at("https://consent.google.com/ml?continue=x"), SerpKind::Blocked(Block::Consent));
    assert!(Block::Consent.needs_person() && Block::Challenge.needs_person());
    assert!(!Block::TooMany.needs_person() && !Block::Script.needs_person());
}

#[test]
fn a_third_party_challenge_is_recognised_without_being_declared() {
    let html = r#"<html><head><title>Just a moment...</title></head><body><div class="main-content">
        <h1>Checking if the site connection is secure</h1><form id="challenge-form" action="/x?__cf_chl_f_tk=1"></form>
        <p>Verify you are human by completing the action below.</p></div>
        <script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script></body></html>"#;
    let serp = parse_at("marginalia", html.as_bytes(), 403, page_of("marginalia").as_str());
    assert_eq!(serp.kind, SerpKind::Blocked(Block::Challenge));
}

#[test]
fn results_that_quote_a_challenge_are_results() {
    let html = r#"<ul class="results-standard"><li><h2><a class="title" href="https://a.example/">Why do I see
        "our systems have detected unusual traffic"?</a></h2><p class="s">Automated queries, captcha, no pages found matching.</p></li></ul>"#;
    assert_eq!(parse("mojeek", html).kind, SerpKind::Results);
}

#[test]
fn nothing_found_is_not_broken() {
    for (engine, html) in [
        (
            "duckduckgo",
            r#"<div class="result results_links result--no-result"><div class="no-results">No results.</div></div>"#,
        ),
        (
            "mojeek",
            "<div class='results'><p>No pages found matching: <b>automated queries</b></p></div>",
        ),
        ("brave", "<div id='results'><p>There are no results for qqq</p></div>"),
        ("startpage", "<p>Sorry, there are no results for this search.</p>"),
        (
            "bing",
            "<ol id='b_results'><li class='b_no'><h1>There are no results for qqq</h1></li></ol>",
        ),
    ] {
        assert_eq!(parse(engine, html).kind, SerpKind::NoResults, "{engine}");
    }
}

#[test]
fn renamed_classes_inside_known_blocks_are_broken_but_read() {
    let html: String = (1..=4)
        .map(|it| format!("<li><h3><a class='zz' href='https://a.example/{it}'>Title {it}</a></h3><div class='q'>Words {it}</div></li>"))
        .collect();
    insta::assert_snapshot!(read("mojeek", &format!("<ul class='results-standard'>{html}</ul>")), @r#"
    Broken { why: "the title is not where it is declared in 4 of 4 results" }
    1 Title 1 | https://a.example/1 | - | Words 1
    2 Title 2 | https://a.example/2 | - | Words 2
    3 Title 3 | https://a.example/3 | - | Words 3
    4 Title 4 | https://a.example/4 | - | Words 4
    "#);
}

#[test]
fn a_page_of_another_design_is_recovered_without_menu_and_adverts() {
    let result = |number: u32| {
        format!(
            "<div class='x{number}'><h3><a href='https://site{number}.example/p'>Found {number}</a></h3><p>2026年5月{number}日 - 説明 {number}</p></div>"
        )
    };
    let html = format!(
        "<body><nav><h3><a href='https://menu.example/'>Menu</a></h3></nav><main>{}<div><h3><a href='https://shop.example/'>Buy</a></h3>\
         <span>Sponsored</span></div>{}</main><footer><h3><a href='https://foot.example/'>Foot</a></h3></footer></body>",
        result(1),
        result(2)
    );
    insta::assert_snapshot!(read("brave", &html), @r#"
    Broken { why: "no result where it is declared; 2 recovered by their look" }
    1 Found 1 | https://site1.example/p | 2026-05-01 | 説明 1
    2 Found 2 | https://site2.example/p | 2026-05-02 | 説明 2
    "#);
}

#[test]
fn links_without_headings_are_recovered_by_their_kind() {
    let rows: String = (1..=3)
        .map(|it| format!("<tr><td class='t'><a href='https://site{it}.example/'>A long title {it}</a></td></tr><tr><td>Words {it}</td></tr>"))
        .collect();
    let html = format!(
        "<body><p><a href='https://one.example/'>A single link here</a></p><table>{rows}</table></body>"
    );
    insta::assert_snapshot!(read("mojeek", &html), @r#"
    Broken { why: "no result where it is declared; 3 recovered by their look" }
    1 A long title 1 | https://site1.example/ | - | -
    2 A long title 2 | https://site2.example/ | - | -
    3 A long title 3 | https://site3.example/ | - | -
    "#);
}

#[test]
fn shift_jis_is_read_as_declared() {
    let html = "<html><head><meta charset=\"Shift_JIS\"></head><ul class=\"results-standard\"><li><h2><a class=\"title\" href=\"https://a.example/\">\u{8}</a></h2></li></ul>";
    let (title, bytes) = ("日本", [0x93, 0xfa, 0x96, 0x7b]);
    let at = html.find('\u{8}').unwrap();
    let page = [&html.as_bytes()[..at], &bytes, &html.as_bytes()[at + 1..]].concat();
    let serp = parse_at("mojeek", &page, 200, page_of("mojeek").as_str());
    assert_eq!(serp.results[0].title, title);
}

#[test]
fn a_page_nested_without_end_is_refused_quickly() {
    let html = "<div>".repeat(300_000);
    let SerpKind::Broken { why } = parse("mojeek", &html).kind else { panic!("not broken") };
    assert_eq!(why, "elements inside each other more than 1000 deep");
}

#[test]
fn bounds_hold() {
    let long = "長".repeat(5_000);
    let rows: String = (0..300)
        .map(|it| format!("<li><h2><a class='title' href='https://a.example/{it}'>{long}</a></h2><p class='s'>{long}</p></li>"))
        .collect();
    let engines = Engines::load(None);
    let html = format!("<ul class='results-standard'>{rows}</ul>");
    let limits = SerpLimits { max_bytes: 64 << 20, ..SerpLimits::default() };
    let url = page_of("mojeek");
    let input = Input { bytes: html.as_bytes(), url: Some(&url), status: Some(200), headers: &[] };
    let serp = Serp::parse_within(engines.get("mojeek").unwrap(), input, now(), &limits);
    assert_eq!(serp.results.len(), 100);
    assert_eq!(serp.results[99].title.chars().count(), 300);
    assert_eq!(serp.results[99].snippet.as_ref().unwrap().chars().count(), 1_000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever is cut out of or put into a page, it is read without a panic, ranks count from 1, and addresses are of the web.
    #[test]
    fn no_bytes_break_the_reader(at in 0usize..2_500, length in 0usize..400, junk in ".{0,40}", pick in 0usize..10) {
        let engines = Engines::load(None);
        let engine = &engines.all()[pick];
        let mut bytes = format!("{DUCKDUCKGO}{LITE}").into_bytes();
        let at = at.min(bytes.len());
        let end = (at + length).min(bytes.len());
        bytes.splice(at..end, junk.into_bytes());
        let url = page_of(&engine.name);
        let serp = Serp::parse(engine, Input { bytes: &bytes, url: Some(&url), status: None, headers: &[] }, now());
        for (at, result) in serp.results.iter().enumerate() {
            prop_assert_eq!(result.rank as usize, at + 1);
            prop_assert!(matches!(result.url.scheme(), "http" | "https"));
            prop_assert!(!result.title.is_empty());
        }
    }
}
