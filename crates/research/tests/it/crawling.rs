//! A site, from one page on.

use extract::ReadSettings;
use fetch::Reason;
use research::{Crawl, CrawlSettings, crawl};
use testweb::{Answer, Fault};
use url::Url;

use crate::support::{Online, online};

const HOST: &str = "clinic.test";

/// A page with enough words to be read, and links in a list below a heading.
fn page(title: &str, links: &[&str]) -> String {
    let items: String = links
        .iter()
        .map(|path| {
            format!(
                "<li><a href=\"{path}\">{}</a> and what our doctors say about it</li>",
                path.trim_matches('/')
            )
        })
        .collect();
    format!(
        "<html lang=en><title>{title}</title><main><h1>{title}</h1><p>This page of the clinic explains what {title} means \
         for patients, how often it happens, and what can be done about it before and after the operation.</p>\
         <p>The numbers come from a register of patients that was kept for ten years in four hospitals.</p>\
         <h2>Related</h2><ul>{items}</ul></main>"
    )
}

async fn crawled(online: &Online, looking_for: &str, options: &CrawlSettings) -> Crawl {
    let start = Url::parse("http://clinic.test/").unwrap();
    crawl(&online.fetcher, start, looking_for, None, options, &ReadSettings::default(), |_| {})
        .await
}

fn paths(crawl: &Crawl) -> Vec<(u32, &str)> {
    crawl.pages.iter().map(|(depth, it)| (*depth, it.fetched.url.path())).collect()
}

#[tokio::test]
async fn a_crawl_goes_two_links_far_and_stays_on_the_site() {
    let online = online();
    online.put(HOST, "/", &page("the clinic", &["/a", "http://other.test/x"]));
    online.put(HOST, "/a", &page("bleeding", &["/a/b", "/"]));
    online.put(HOST, "/a/b", &page("bruises", &["/a/b/c"]));
    online.put(HOST, "/a/b/c", &page("too far", &[]));
    let crawl = crawled(&online, "bleeding", &CrawlSettings::default()).await;
    assert_eq!(paths(&crawl), [(0, "/"), (1, "/a"), (2, "/a/b")]);
    assert_eq!(online.asked(HOST), ["/", "/a", "/a/b"]);
    assert_eq!(online.asked("other.test"), Vec::<String>::new());
}

#[tokio::test]
async fn what_is_looked_for_is_read_before_the_budget_is_used_up() {
    let online = online();
    online.put(
        HOST,
        "/",
        &page("the clinic", &["/parking", "/menu", "/aspirin-dose", "/visitors"]),
    );
    for path in ["/parking", "/menu", "/aspirin-dose", "/visitors"] {
        online.put(HOST, path, &page("something", &[]));
    }
    let options = CrawlSettings { max_pages: 2, ..CrawlSettings::default() };
    let crawl = crawled(&online, "the dose of aspirin", &options).await;
    assert_eq!(paths(&crawl), [(0, "/"), (1, "/aspirin-dose")]);
}

#[tokio::test]
async fn robots_txt_is_kept_and_the_sitemap_is_used() {
    let online = online();
    let robots = "User-agent: *\nDisallow: /private\nSitemap: http://clinic.test/map.xml\n";
    online.web.put(HOST, "/robots.txt", Answer::new(200, "text/plain", robots));
    let map = "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
               <url><loc>http://clinic.test/hidden/aspirin</loc></url><url><loc>http://clinic.test/menu</loc></url></urlset>";
    online.web.put(HOST, "/map.xml", Answer::new(200, "application/xml", map));
    online.put(HOST, "/", &page("the clinic", &["/private/a", "/visitors"]));
    online.put(HOST, "/visitors", &page("visitors", &[]));
    online.put(HOST, "/hidden/aspirin", &page("aspirin", &[]));
    let crawl = crawled(&online, "aspirin", &CrawlSettings::default()).await;
    assert_eq!(paths(&crawl), [(0, "/"), (1, "/visitors"), (1, "/hidden/aspirin")]);
    let missed: Vec<_> = crawl.missed.iter().map(|it| (it.url.path(), it.reason)).collect();
    assert_eq!(missed, [("/private/a", Reason::Robots)]);
    assert_eq!(online.asked(HOST), ["/", "/map.xml", "/visitors", "/hidden/aspirin"]);
}

#[tokio::test]
async fn an_index_of_sitemaps_leads_to_the_one_that_has_to_do_with_the_question() {
    let online = online();
    let robots = "User-agent: *\nSitemap: http://clinic.test/index.xml\n";
    online.web.put(HOST, "/robots.txt", Answer::new(200, "text/plain", robots));
    let part = |it: usize| format!("<sitemap><loc>http://clinic.test/map-{it}.xml</loc></sitemap>");
    let parts: String = (1..=5).map(part).collect();
    let index = format!(
        "<?xml version=\"1.0\"?><sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{parts}\
         <sitemap><loc>http://clinic.test/aspirin-map.xml</loc></sitemap></sitemapindex>"
    );
    online.web.put(HOST, "/index.xml", Answer::new(200, "application/xml", index));
    let map = "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
               <url><loc>http://clinic.test/hidden/aspirin</loc></url></urlset>";
    online.web.put(HOST, "/aspirin-map.xml", Answer::new(200, "application/xml", map));
    online.put(HOST, "/", &page("the clinic", &[]));
    online.put(HOST, "/hidden/aspirin", &page("aspirin", &[]));
    let crawl = crawled(&online, "aspirin", &CrawlSettings::default()).await;
    assert_eq!(paths(&crawl), [(0, "/"), (1, "/hidden/aspirin")]);
    assert_eq!(
        online.asked(HOST),
        ["/", "/index.xml", "/aspirin-map.xml", "/map-1.xml", "/map-2.xml", "/hidden/aspirin"]
    );
}

#[tokio::test]
async fn a_site_that_refuses_is_left_alone_and_what_was_read_stays() {
    let online = online();
    online.put(HOST, "/", &page("the clinic", &["/a", "/b", "/c"]));
    online.web.script_path(HOST, "/a", vec![Fault::Status(403)]);
    let crawl = crawled(&online, "", &CrawlSettings::default()).await;
    assert_eq!(paths(&crawl), [(0, "/"), (1, "/a")]);
    assert_eq!(crawl.pages[1].1.problem, Some(Reason::Forbidden));
    assert_eq!(online.asked(HOST), ["/", "/a"]);
}
