//! Pages whose text is made by scripts, in a real Chromium behind the fetcher.

use browser::{Browser, BrowserSettings};
use extract::ReadSettings;
use fetch::{FetchRequest, Freshness, Reason};
use graph::ArchiveKind;
use research::{ReadPage, Reading, read_page};
use testweb::Answer;
use url::Url;

use crate::support::{Online, online, rows};

const ARTICLE: &str = "The yield of rice fell by a tenth in the year of the flood, and farmers who had planted early \
                       lost less than farmers who had planted late, as the ministry reported.";

/// A page that is empty without its scripts, and the data they show.
fn put_shell(online: &Online, host: &str) {
    let shell = "<!doctype html><html lang=en><title>Rice</title><div id=root></div><script src=/app.js></script>";
    online.put(host, "/rice", shell);
    let script = "fetch('/rice.json').then(r => r.json()).then(it => { const main = document.createElement('main'); \
                  for (const text of it) { const p = document.createElement('p'); p.textContent = text; main.append(p); } \
                  document.getElementById('root').append(main); });";
    online.web.put(host, "/app.js", answer("text/javascript", script));
    let data = serde_json::to_string(&[ARTICLE, "Prices rose."]).unwrap();
    online.web.put(host, "/rice.json", answer("application/json", &data));
}

fn answer(kind: &str, body: &str) -> Answer {
    let mut answer = Answer::html(200, body.to_owned());
    answer.headers.retain(|it| !it.0.eq_ignore_ascii_case("content-type"));
    answer.headers.push(("content-type".into(), kind.to_owned()));
    answer
}

/// Chromium does not confine itself for root, who runs the tests of CI.
fn browser(online: &Online) -> Browser {
    let sandbox = !rustix::process::geteuid().is_root();
    let settings = BrowserSettings { sandbox, ..BrowserSettings::default() };
    Browser::new(settings, &online.folder.path().join("browser"))
}

async fn read(online: &Online, browser: Option<&Browser>, url: &str) -> ReadPage {
    read_as(online, browser, FetchRequest::page(Url::parse(url).unwrap())).await
}

async fn read_as(online: &Online, browser: Option<&Browser>, request: FetchRequest) -> ReadPage {
    let options = ReadSettings::default();
    read_page(&online.fetcher, request, Reading { options: &options, browser }).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn text_made_by_scripts_is_read_archived_and_read_again_offline() {
    if testkit::browser().is_none() {
        return;
    }
    let online = online();
    put_shell(&online, "rice.test");
    let browser = browser(&online);
    let url = "http://rice.test/rice";
    let page = read(&online, Some(&browser), url).await;
    assert_eq!((page.problem, page.not_rendered.as_deref()), (None, None));
    assert!(page.document.text.contains(ARTICLE), "{}", page.document.text);
    // Each address is asked for once, the page itself not again by the browser.
    assert_eq!(online.asked("rice.test"), ["/rice", "/app.js", "/rice.json"]);
    let sent = rows(&online.graph, "SELECT purpose, route, path FROM egress ORDER BY seq");
    let sent: Vec<String> = sent.iter().map(|it| serde_json::to_string(it).unwrap()).collect();
    assert_eq!(
        sent,
        [
            r#"["robots","http","/robots.txt"]"#,
            r#"["page","http","/rice"]"#,
            r#"["part","browser","/app.js"]"#,
            r#"["part","browser","/rice.json"]"#,
        ]
    );

    let record = page.rendered.as_ref().unwrap().record_id.clone();
    let made =
        online.graph.read(|r| r.made_of(page.fetched.record_id.as_deref().unwrap())).unwrap();
    let kinds: Vec<ArchiveKind> = made.iter().map(|it| it.kind).collect();
    assert_eq!(kinds.len(), 2);
    assert!(kinds.contains(&ArchiveKind::Picture));
    let document = made.iter().find(|it| it.record_id == record).unwrap();
    assert_eq!(document.kind, ArchiveKind::Document);
    let archive = online.folder.path().join("archive");
    let stored =
        archive::read_record(&archive, &document.file, document.byte_start, document.byte_length);
    let stored = stored.unwrap();
    assert_eq!(stored.type_name(), "conversion");
    assert_eq!(stored.header("Content-Type"), Some("text/html; charset=utf-8"));
    assert_eq!(stored.digests().checked, 2);
    assert_eq!(stored.digests().wrong, [""; 0]);
    assert!(String::from_utf8(stored.payload().unwrap().to_vec()).unwrap().contains(ARTICLE));

    let request = FetchRequest {
        freshness: Freshness::Archived,
        offline: true,
        ..FetchRequest::page(Url::parse(url).unwrap())
    };
    let again = read_as(&online, None, request).await;
    assert_eq!(again.document.text, page.document.text);
    assert_eq!(again.rendered.unwrap().record_id, record);
    assert_eq!(online.asked("rice.test").len(), 3, "nothing was sent");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_few_words_in_place_of_a_notice_are_the_page() {
    if testkit::browser().is_none() {
        return;
    }
    let online = online();
    let browser = browser(&online);
    let page = "<!doctype html><meta charset=utf-8><div id=root></div>\
                <noscript>このページを見るには JavaScript を有効にしてください。</noscript>\
                <script>root.innerHTML = '<main><p>TEXT</p></main>'</script>";
    let text = "洪水の年に米の収量は一割減り、価格は上がったと省は報告した。";
    online.put("price.test", "/", &page.replace("TEXT", text));
    let page = read(&online, Some(&browser), "http://price.test/").await;
    assert_eq!((page.document.text.trim(), page.problem), (text, None));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_browser_the_page_is_missed_and_says_why() {
    let online = online();
    put_shell(&online, "rice.test");
    let page = read(&online, None, "http://rice.test/rice").await;
    assert_eq!(page.problem, Some(Reason::NeedsScripts));
    let why = "without its scripts the page shows nothing, and no browser is used here";
    assert_eq!(page.detail(), why);

    let program = online.folder.path().join("none");
    let settings = BrowserSettings { program: program.clone(), ..BrowserSettings::default() };
    let missing = Browser::new(settings, online.folder.path());
    let page = read(&online, Some(&missing), "http://rice.test/rice").await;
    assert_eq!(page.problem, Some(Reason::NeedsScripts));
    let why = format!(
        "without its scripts the page shows nothing, and there is no browser at {}",
        program.display()
    );
    assert_eq!(page.detail(), why);

    let off = Browser::new(
        BrowserSettings { enabled: false, ..BrowserSettings::default() },
        online.folder.path(),
    );
    let page = read(&online, Some(&off), "http://rice.test/rice").await;
    assert_eq!(page.not_rendered.as_deref(), Some("browser.enabled is off"));
    assert_eq!(online.asked("rice.test"), ["/rice"; 3]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_that_always_needs_its_scripts_is_rendered_at_once() {
    if testkit::browser().is_none() {
        return;
    }
    let online = online();
    let browser = browser(&online);
    for n in 1..=3 {
        // Sites, not hosts: the pages of all its hosts count.
        let host = format!("part-{n}.rice.test");
        put_shell(&online, &host);
        let page = read(&online, Some(&browser), &format!("http://{host}/rice")).await;
        assert!(page.rendered.is_some());
    }
    let route = online.graph.read(|r| r.domain_route("rice.test")).unwrap().unwrap();
    assert_eq!((route.needs_scripts, route.pages), (1.0, 3));

    // It says enough to look whole.
    let teaser =
        "<p>Rice is grown in many countries, and its yield depends on water and warmth. </p>"
            .repeat(6);
    let more = format!(
        "{teaser}<div id=more></div><script>more.innerHTML = '<p>' + '{ARTICLE} '.repeat(6) + '</p>'</script>"
    );
    online.put("rice.test", "/long", &more);
    let page = read(&online, Some(&browser), "http://rice.test/long").await;
    assert!(page.document.text.contains(ARTICLE), "{}", page.document.text);

    // Another site is not: the same page is read as it came.
    online.put("other.test", "/long", &more);
    let page = read(&online, Some(&browser), "http://other.test/long").await;
    assert_eq!(page.rendered, None);
    assert!(!page.document.text.contains(ARTICLE));
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_say_it_all_are_not_rendered_and_those_that_say_no_more_are_kept_as_they_came() {
    if testkit::browser().is_none() {
        return;
    }
    let online = online();
    let browser = browser(&online);
    online.put(
        "news.test",
        "/a",
        &format!("<main><p>{}</p></main><script>1</script>", ARTICLE.repeat(4)),
    );
    let page = read(&online, Some(&browser), "http://news.test/a").await;
    assert_eq!((page.rendered, page.problem), (None, None));
    assert_eq!(online.graph.read(|r| r.domain_route("news.test")).unwrap(), None);

    online.put("note.test", "/a", "<main><p>Closed on Mondays.</p></main><script>1</script>");
    let page = read(&online, Some(&browser), "http://note.test/a").await;
    assert_eq!((page.rendered, page.problem), (None, None));

    online.put("empty.test", "/a", "<div id=root></div><script>1</script>");
    let page = read(&online, Some(&browser), "http://empty.test/a").await;
    assert_eq!(page.problem, Some(Reason::NeedsScripts));
    assert_eq!(page.detail(), "the page shows nothing, also when its scripts are run");
    // The ledger writes in order, so what the page before it showed is there.
    let route = online.graph.read(|r| r.domain_route("note.test")).unwrap().unwrap();
    assert_eq!((route.needs_scripts, route.pages), (0.0, 1));
}

/// What a page asks for is asked for by the fetcher, so its rules hold: addresses, robots.txt, blocked names.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_reaches_nothing_that_the_fetcher_does_not_allow() {
    if testkit::browser().is_none() {
        return;
    }
    let listener = std::net::TcpListener::bind("127.0.0.2:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let hits = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counter = std::sync::Arc::clone(&hits);
    std::thread::spawn(move || {
        for _ in listener.incoming() {
            counter.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        }
    });
    let online = online();
    let browser = browser(&online);
    online.web.put(
        "rice.test",
        "/robots.txt",
        answer("text/plain", "User-agent: *\nDisallow: /secret"),
    );
    online.put(
        "rice.test",
        "/",
        &format!(
            "<div id=root></div><script>
             const show = (text) => {{ root.innerHTML += '<p>' + text + '</p>'; }};
             const tries = ['http://127.0.0.2:{port}/', 'http://169.254.169.254/latest/meta-data/', 'http://10.0.0.1/',
               'http://[::1]:{port}/', 'http://localhost:{port}/', 'http://0x7f000002:{port}/', 'http://2130706434:{port}/',
               '/secret'];
             Promise.allSettled(tries.map((it) => fetch(it, {{ mode: it[0] === '/' ? 'cors' : 'no-cors' }})))
               .then((all) => show('{ARTICLE} ' + all.map((it) => it.status).join(' ')));
             </script>"
        ),
    );
    let page = read(&online, Some(&browser), "http://rice.test/").await;
    let expected = format!("{ARTICLE} {}", ["rejected"; 8].join(" "));
    assert_eq!(page.document.text.trim(), expected);
    assert_eq!(hits.load(std::sync::atomic::Ordering::SeqCst), 0);
    assert_eq!(online.asked("rice.test"), ["/"]);
    // A page that leads itself there is missed.
    online.put(
        "led.test",
        "/",
        &format!("<div id=root></div><script>location = 'http://127.0.0.2:{port}/'</script>"),
    );
    let page = read(&online, Some(&browser), "http://led.test/").await;
    assert_eq!(page.problem, Some(Reason::NeedsScripts));
    assert!(page.detail().contains("127.0.0.2"), "{}", page.detail());
    assert_eq!(hits.load(std::sync::atomic::Ordering::SeqCst), 0);
}
