//! Each kind of site does what its name says.

use std::io::Read;

use testweb::{Expected, SiteKind, TestWeb, World};

use crate::client::{Reply, get, get_with};

/// The first page of the first site of a kind.
fn first(web: &TestWeb, kind: SiteKind) -> Reply {
    let page = web.world().pages_of(&kind.host(1)).next().unwrap();
    get(web, page.host(), page.path())
}

fn web() -> TestWeb {
    TestWeb::start(World::new(5))
}

#[test]
fn every_readable_page_gives_its_text() {
    let web = web();
    let pages: Vec<_> =
        web.world().pages().iter().filter(|it| it.expected == Expected::Readable).collect();
    assert!(pages.len() > 300, "{}", pages.len());
    let plain = [
        SiteKind::News,
        SiteKind::Office,
        SiteKind::Blog,
        SiteKind::Forum,
        SiteKind::Encyclopedia,
        SiteKind::Journal,
    ];
    for page in pages.iter().filter(|it| plain.contains(&it.site)) {
        let reply = get(&web, page.host(), page.path());
        assert_eq!(reply.status, 200, "{}", page.url);
        for (id, stance) in &page.facts {
            let sentence = testweb::fact(id).unwrap().1.sentence(page.language, *stance);
            assert!(reply.text().contains(&sentence), "{} lacks {sentence}", page.url);
        }
    }
}

#[test]
fn sites_with_validators_answer_304_to_a_client_that_has_the_page() {
    let web = web();
    for (kind, mark, condition) in [
        (SiteKind::ETag, "ETag", "If-None-Match"),
        (SiteKind::Modified, "Last-Modified", "If-Modified-Since"),
    ] {
        let page = web.world().pages_of(&kind.host(1)).next().unwrap();
        let whole = get(&web, page.host(), page.path());
        let mark = whole.header(mark).unwrap();
        let again = get_with(&web, page.host(), page.path(), &[(condition, mark)]);
        assert_eq!((again.status, again.body.len()), (304, 0), "{kind:?}");
        let other = get_with(&web, page.host(), page.path(), &[(condition, "\"other\"")]);
        assert_eq!((other.status, other.body), (200, whole.body), "{kind:?}");
    }
}

#[test]
fn packed_pages_unpack_to_the_page() {
    let web = web();
    let page = web.world().pages_of("gzip-1.test").next().unwrap();
    let plain = get(&web, page.host(), page.path());
    assert_eq!(plain.header("Content-Encoding"), None);
    let packed = get_with(&web, page.host(), page.path(), &[("Accept-Encoding", "gzip, br")]);
    assert_eq!(packed.header("Content-Encoding"), Some("gzip"));
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(&packed.body[..]).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, plain.body);

    let page = web.world().pages_of("deflate-1.test").next().unwrap();
    let plain = get(&web, page.host(), page.path());
    let packed = get_with(&web, page.host(), page.path(), &[("Accept-Encoding", "deflate")]);
    let mut unpacked = Vec::new();
    flate2::read::ZlibDecoder::new(&packed.body[..]).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, plain.body);
}

#[test]
fn old_encodings_hold_the_same_text() {
    let web = web();
    for (kind, encoding, header) in [
        (SiteKind::ShiftJis, encoding_rs::SHIFT_JIS, "text/html"),
        (SiteKind::EucJp, encoding_rs::EUC_JP, "text/html; charset=EUC-JP"),
        (SiteKind::Utf16, encoding_rs::UTF_16LE, "text/html"),
    ] {
        let page = web.world().pages_of(&kind.host(1)).next().unwrap();
        let reply = get(&web, page.host(), page.path());
        assert_eq!(reply.header("Content-Type"), Some(header));
        let (text, _, had_errors) = encoding.decode(&reply.body);
        assert!(!had_errors, "{kind:?}");
        assert!(text.contains(&web.world().article(page).lead), "{kind:?}");
    }
}

#[test]
fn robots_files_say_what_is_closed() {
    let web = web();
    let host = "robots-some-1.test";
    let scheme = web.world().site(host).unwrap().scheme;
    let rules = get(&web, host, "/robots.txt").text();
    assert!(rules.contains("Crawl-delay: 2\nDisallow: /members/\n"), "{rules}");
    assert!(rules.ends_with(&format!("Sitemap: {scheme}://{host}/sitemap.xml\n")), "{rules}");
    let closed: Vec<bool> =
        web.world().pages_of(host).map(|it| it.expected == Expected::Robots).collect();
    assert_eq!(closed, [false, true, false, true]);
    let sitemap = get(&web, host, "/sitemap.xml").text();
    assert_eq!(sitemap.matches("<loc>").count(), 2);
    assert_eq!(
        get(&web, "robots-all-1.test", "/robots.txt").text(),
        "User-agent: *\nDisallow: /\n"
    );
    assert_eq!(get(&web, "robots-error-1.test", "/robots.txt").status, 503);
    assert_eq!(get(&web, "etag-1.test", "/robots.txt").status, 404);
}

#[test]
fn refusals_follow_their_rules() {
    let web = web();
    assert_eq!(first(&web, SiteKind::Refused).status, 403);
    assert_eq!(first(&web, SiteKind::Refused).status, 403);
    assert_eq!(first(&web, SiteKind::RefusedOnce).status, 403);
    assert_eq!(first(&web, SiteKind::RefusedOnce).status, 200);
    let busy = first(&web, SiteKind::Busy);
    assert_eq!((busy.status, busy.header("Retry-After")), (429, Some("1")));
    assert_eq!(first(&web, SiteKind::Busy).status, 200);
    assert_eq!(first(&web, SiteKind::RefusedHasty).status, 200);
    assert_eq!(first(&web, SiteKind::RefusedHasty).status, 403);
    std::thread::sleep(std::time::Duration::from_millis(350));
    assert_eq!(first(&web, SiteKind::RefusedHasty).status, 200);
}

#[test]
fn redirects_lead_where_their_kind_says() {
    let web = web();
    let page = web.world().pages_of("moved-1.test").next().unwrap();
    let reply = get(&web, page.host(), page.path());
    assert_eq!(reply.status, 301);
    let new = reply.header("Location").unwrap().to_owned();
    assert_eq!(new, format!("/now{}", page.path()));
    let lead = web.world().article(page).lead;
    assert!(get(&web, page.host(), &new).text().contains(&lead));

    let page = web.world().pages_of("loop-1.test").next().unwrap();
    let there = get(&web, page.host(), page.path()).header("Location").unwrap().to_owned();
    let back = get(&web, page.host(), &there).header("Location").unwrap().to_owned();
    assert_eq!(back, page.path());

    let page = web.world().pages_of("long-way-1.test").next().unwrap();
    let mut path = page.path().to_owned();
    let mut steps = 0;
    while let Some(next) = get(&web, page.host(), &path).header("Location") {
        path = next.to_owned();
        steps += 1;
    }
    assert_eq!(steps, 31);

    let private = first(&web, SiteKind::ToPrivate);
    assert_eq!((private.status, private.header("Location")), (302, Some("http://10.0.0.5/")));

    let page = web.world().pages_of("upgraded-1.test").next().unwrap();
    let secure = get(&web, page.host(), page.path()).header("Location").unwrap().to_owned();
    assert_eq!(secure, format!("https://{}{}", page.host(), page.path()));
    assert_eq!(get(&web, "www.upgraded-1.test", page.path()).status, 301);

    let crossing = first(&web, SiteKind::Crossing).header("Location").unwrap().to_owned();
    assert!(web.world().pages().iter().any(|it| it.url == crossing), "{crossing}");
}

#[test]
fn guards_send_their_own_signs() {
    let web = web();
    let statuses: Vec<(&str, u16)> = [
        SiteKind::CloudflareManaged,
        SiteKind::Turnstile,
        SiteKind::HCaptcha,
        SiteKind::ReCaptcha,
        SiteKind::Akamai,
        SiteKind::DataDome,
        SiteKind::Kakunin,
    ]
    .map(|it| (it.name(), first(&web, it).status))
    .to_vec();
    insta::assert_snapshot!(
        format!("{statuses:?}"),
        @r#"[("cf-managed", 403), ("turnstile", 200), ("hcaptcha", 403), ("recaptcha", 429), ("akamai", 428), ("datadome", 403), ("kakunin", 403)]"#
    );
    assert_eq!(first(&web, SiteKind::CloudflareManaged).header("CF-Mitigated"), Some("challenge"));
    assert!(first(&web, SiteKind::Turnstile).text().contains("class=\"cf-turnstile\""));
    assert_eq!(first(&web, SiteKind::DataDome).header("X-DataDome"), Some("protected"));
    assert!(first(&web, SiteKind::Kakunin).text().contains("ロボットではない"));
}

#[test]
fn logins_paywalls_and_missing_pages_look_as_on_the_web() {
    let web = web();
    let login = first(&web, SiteKind::LoginPage);
    assert_eq!(login.status, 200);
    assert!(login.text().contains("type=\"password\""));
    let login = first(&web, SiteKind::LoginRedirect);
    assert_eq!(login.status, 302);
    let form = get(&web, "login-redirect-1.test", login.header("Location").unwrap());
    assert!(form.text().contains("type=\"password\""));
    let login = first(&web, SiteKind::Login401);
    assert_eq!(
        (login.status, login.header("WWW-Authenticate")),
        (401, Some("Basic realm=\"login-401-1.test\""))
    );
    assert!(first(&web, SiteKind::Paywall).text().contains("\"isAccessibleForFree\":false"));
    let soft = first(&web, SiteKind::SoftMissing);
    assert_eq!(soft.status, 200);
    assert!(soft.text().contains("<h1>Page not found</h1>"));
    assert_eq!(first(&web, SiteKind::Missing).status, 404);
}

#[test]
fn damaged_answers_are_damaged_as_their_kind_says() {
    let web = web();
    let short = first(&web, SiteKind::CutShort);
    let said: usize = short.header("Content-Length").unwrap().parse().unwrap();
    assert_eq!(short.body.len(), said / 2);
    let over = first(&web, SiteKind::RunsOver);
    let said: usize = over.header("Content-Length").unwrap().parse().unwrap();
    assert_eq!(said, over.body.len() * 4 / 5);
    assert!(first(&web, SiteKind::TooLarge).body.len() > 25 * 1024 * 1024);
    assert_eq!(first(&web, SiteKind::Endless).body.len() / (1024 * 1024), 29);
    assert_eq!(first(&web, SiteKind::HeaderFlood).head.len() / (1024 * 1024), 30);
    let bomb = first(&web, SiteKind::ZipBomb);
    assert!(bomb.body.len() < 1024 * 1024, "{}", bomb.body.len());
    let size =
        std::io::copy(&mut flate2::read::GzDecoder::new(&bomb.body[..]), &mut std::io::sink());
    assert_eq!(size.unwrap(), 200 * 1024 * 1024);
    for kind in [SiteKind::Reset, SiteKind::Silent, SiteKind::Garbage] {
        assert_eq!(first(&web, kind).status, 0, "{kind:?}");
    }
    assert_eq!(first(&web, SiteKind::Stalled).body.len(), 500);
    let huge = first(&web, SiteKind::Huge);
    assert_eq!(huge.body.len() / (1024 * 1024), 3);
}

#[test]
fn pdfs_hold_the_text_in_the_open() {
    let web = web();
    let page = web.world().pages_of("pdf-1.test").next().unwrap();
    let reply = get(&web, page.host(), page.path());
    assert_eq!(reply.header("Content-Type"), Some("application/pdf"));
    assert!(reply.body.starts_with(b"%PDF-1.4\n"));
    assert!(reply.body.ends_with(b"%%EOF\n"));
    let first_words: String = web.world().article(page).lead.chars().take(40).collect();
    assert!(reply.text().contains(&first_words), "{first_words}");
    let paper = &web.world().papers()[0];
    let (host, path) = paper.pdf_url.strip_prefix("https://").unwrap().split_once('/').unwrap();
    assert!(get(&web, host, &format!("/{path}")).body.starts_with(b"%PDF"));
}

#[test]
fn the_index_page_links_to_every_host_without_names() {
    let web = web();
    let index = get(&web, "127.0.0.1", "/").text();
    for site in web.world().sites() {
        assert!(index.contains(&format!("href=\"/_host/{}/\"", site.host)), "{}", site.host);
    }
    let page = web.world().pages_of("news-1.test").next().unwrap();
    let direct = get(&web, "news-1.test", page.path());
    let by_path = get(&web, "127.0.0.1", &format!("/_host/news-1.test{}", page.path()));
    assert_eq!(direct.body, by_path.body);
    assert_eq!(get(&web, "nobody.test", "/").status, 404);
}

#[test]
fn a_browser_without_names_can_follow_links_and_redirects() {
    let web = web();
    let here = [("Referer", "http://127.0.0.1:1/_host/news-1.test/2025/x")];
    let link = get_with(&web, "127.0.0.1", "/section/1", &here);
    assert_eq!((link.status, link.header("Location")), (302, Some("/_host/news-1.test/section/1")));
    let page = web.world().pages_of("moved-1.test").next().unwrap();
    let moved = get(&web, "127.0.0.1", &format!("/_host/moved-1.test{}", page.path()));
    let new = format!("/_host/moved-1.test/now{}", page.path());
    assert_eq!((moved.status, moved.header("Location")), (301, Some(new.as_str())));
    let doi = &web.world().papers()[0].doi;
    let paper = get(&web, "127.0.0.1", &format!("/_host/doi.org/{doi}"));
    assert!(paper.header("Location").unwrap().starts_with("/_host/journal-"));
    assert_eq!(get(&web, "127.0.0.1", "/section/1").status, 404);
}
