//! The fetcher against sites of all kinds, over TLS and HTTP/2, each with the outcome its owner knows.

use std::collections::BTreeSet;

use fetch::{FetchFailure, FetchRequest, FetchSettings, Fetcher, Freshness, Reason};
use testweb::{Expected, Page, Protocol, SiteKind, TestWeb, World as Internet};

use crate::support::{World, api, lifted, page};

/// The limits lifted, and everything of the small internet reachable.
pub(crate) fn settings(world: &World, web: &TestWeb) -> FetchSettings {
    let ca_file = world.dir.path().join("ca.pem");
    std::fs::write(&ca_file, web.ca_pem()).unwrap();
    FetchSettings {
        hosts: web.hosts_setting(),
        // Only where the small internet listens: what it calls inner addresses stays refused.
        allow_networks: vec!["127.0.0.1/32".to_owned()],
        ca_file,
        max_concurrent: 64,
        timeout_ms: 3_000,
        ..lifted(web.address())
    }
}

/// What a person is told in the end, as far as the fetcher alone can know it.
fn outcome(brought: &Result<fetch::FetchResponse, FetchFailure>) -> String {
    match brought {
        Err(missed) => format!("{:?}", missed.reason),
        Ok(fetched) => fetched.problem().map_or("page".to_owned(), |it| format!("{it:?}")),
    }
}

async fn visit(
    fetcher: &Fetcher,
    pages: Vec<Page>,
) -> Vec<(Page, Result<fetch::FetchResponse, FetchFailure>)> {
    let requests: Vec<_> = pages
        .into_iter()
        .map(|known| {
            let fetcher = fetcher.clone();
            tokio::spawn(async move {
                let brought = fetcher.fetch(page(&known.url)).await;
                (known, brought)
            })
        })
        .collect();
    let mut brought = Vec::new();
    for request in requests {
        brought.push(request.await.unwrap());
    }
    brought
}

fn first_pages(web: &TestWeb) -> Vec<Page> {
    let firsts = web.world().sites().iter().filter_map(|it| web.world().pages_of(&it.host).next());
    firsts.cloned().collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_kind_of_site_ends_as_its_owner_knows() {
    let world = World::new();
    let web = TestWeb::start(Internet::new(7));
    let fetcher = world.fetcher(settings(&world, &web));
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for (page, brought) in visit(&fetcher, first_pages(&web)).await {
        match page.expected {
            Expected::Readable => assert_eq!(outcome(&brought), "page", "{}", page.url),
            expected => {
                let line = format!("{expected:?} {:?}: {}", page.site, outcome(&brought));
                seen.insert(line);
            }
        }
        if let Err(missed) = &brought {
            assert!(!missed.detail.is_empty(), "{}", page.url);
        }
    }
    // Challenges, logins and the like on a page that comes with status 200 are found by reading it.
    let lines: Vec<String> = seen.into_iter().collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    BadCertificate ExpiredCertificate: BadCertificate
    BadCertificate SelfSigned: BadCertificate
    BadCertificate WrongName: BadCertificate
    BrokenAnswer CutShort: BrokenAnswer
    BrokenAnswer Garbage: BrokenAnswer
    BrokenAnswer HeaderFlood: BrokenAnswer
    BrokenAnswer Reset: BrokenAnswer
    BrokenAnswer Silent: BrokenAnswer
    CannotConnect Closed: CannotConnect
    Challenge Akamai: OtherStatus
    Challenge CloudflareManaged: Forbidden
    Challenge DataDome: Forbidden
    Challenge HCaptcha: Forbidden
    Challenge Kakunin: Forbidden
    Challenge ReCaptcha: TooManyRequests
    Challenge Turnstile: page
    Forbidden Refused: Forbidden
    Login Login401: Login
    Login LoginPage: page
    Login LoginRedirect: page
    NotFound Missing: NotFound
    Paywall Paywall: page
    PrivateAddress ToPrivate: PrivateAddress
    ReadableLater Busy: TooManyRequests
    ReadableLater RefusedOnce: Forbidden
    ReadableLater Unavailable: ServerError
    Robots RobotsAll: Robots
    Robots RobotsError: Robots
    ServerError ServerError: ServerError
    SoftNotFound SoftMissing: page
    TimedOut Stalled: TimedOut
    TooLarge Endless: TooLarge
    TooLarge TooLarge: TooLarge
    TooLarge ZipBomb: TooLarge
    TooManyRedirects LongWay: TooManyRedirects
    TooManyRedirects Loop: TooManyRedirects
    UnknownHost Dead: UnknownHost
    ");
    assert!(world.ledger().iter().all(|it| it.outcome.is_some()), "every row has its answer");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn safe_sites_are_asked_over_http_2_and_each_request_has_its_records() {
    let world = World::new();
    let web = TestWeb::start(Internet::of_size(7, 60));
    let fetcher = world.fetcher(settings(&world, &web));
    let readable = first_pages(&web).into_iter().filter(|it| it.expected == Expected::Readable);
    let brought = visit(&fetcher, readable.collect()).await;
    let whole = brought.iter().filter(|(_, it)| it.is_ok()).count();
    assert_eq!(whole, brought.len());
    let hits = web.log();
    let safe: Vec<_> =
        hits.iter().filter(|it| it.secure && it.protocol == Protocol::Http2).collect();
    assert!(safe.len() > 20, "{}", safe.len());
    for hit in &safe {
        assert_eq!(hit.header("sec-fetch-site"), Some("none"), "{}{}", hit.host, hit.path);
    }
    for domain in web.domains_asked() {
        assert_eq!(web.most_open_at_once(&domain), 1, "{domain}");
    }
    for (page, fetched) in &brought {
        let id = fetched.as_ref().unwrap().record_id.as_ref().unwrap();
        let row = world.graph.read(|it| it.archive_record(id)).unwrap().unwrap();
        let record =
            archive::read_record(&world.archive(), &row.file, row.byte_start, row.byte_length);
        assert_eq!(record.unwrap().digests().wrong, Vec::<&str>::new(), "{}", page.url);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_round_is_mostly_answered_without_a_body() {
    let world = World::new();
    let web = TestWeb::start(Internet::of_size(7, 60));
    let fetcher = world.fetcher(settings(&world, &web));
    let pages: Vec<Page> = first_pages(&web)
        .into_iter()
        .filter(|it| matches!(it.site, SiteKind::ETag | SiteKind::Modified))
        .collect();
    assert!(pages.len() >= 2, "{}", pages.len());
    let first = visit(&fetcher, pages.clone()).await;
    let second = visit(&fetcher, pages).await;
    for ((page, before), (_, after)) in first.iter().zip(&second) {
        let (before, after) = (before.as_ref().unwrap(), after.as_ref().unwrap());
        assert_eq!(after.origin, fetch::Origin::NotModified, "{}", page.url);
        assert_eq!(before.body, after.body, "{}", page.url);
        assert_eq!(before.record_id, after.record_id, "{}", page.url);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_connection_nothing_left_and_nothing_is_archived() {
    let world = World::new();
    let web = TestWeb::start(Internet::new(7));
    let fetcher = world.fetcher(FetchSettings { api_attempts: 1, ..settings(&world, &web) });
    for kind in [
        SiteKind::Dead,
        SiteKind::Closed,
        SiteKind::SelfSigned,
        SiteKind::Silent,
        SiteKind::Reset,
        SiteKind::News,
    ] {
        let address = &web.world().pages_of(&kind.host(1)).next().unwrap().url;
        // An API is asked without its robots.txt.
        let request = FetchRequest { freshness: Freshness::Again, ..api(address) };
        let brought = fetcher.fetch(request).await;
        assert_eq!(brought.is_ok(), kind == SiteKind::News, "{kind:?}");
    }
    drop(fetcher);
    let mut lines = Vec::new();
    for row in world.ledger() {
        let left = match row.sent_bytes.unwrap() {
            0 => "nothing",
            whole if whole == row.request_bytes => "all of it",
            _ => "a part",
        };
        let url = format!("{}://{}{}", row.scheme, row.host, row.path);
        let records = world.graph.read(|it| it.archive_of(&url)).unwrap().len();
        lines.push(format!(
            "{} {}: {left} left, {records} records",
            row.host,
            row.outcome.unwrap()
        ));
    }
    insta::assert_snapshot!(lines.join("\n"), @"
    dead-1.invalid unknown_host: nothing left, 0 records
    closed-1.invalid cannot_connect: nothing left, 0 records
    self-signed-1.test bad_certificate: nothing left, 0 records
    silent-1.test broken_answer: all of it left, 1 records
    reset-1.test broken_answer: all of it left, 1 records
    news-1.test answered: all of it left, 2 records
    ");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn certificates_are_told_apart_in_words() {
    let world = World::new();
    let web = TestWeb::start(Internet::new(7));
    let trusting = settings(&world, &web);
    let fetcher = world.fetcher(trusting.clone());
    let mut details = Vec::new();
    for kind in [SiteKind::ExpiredCertificate, SiteKind::WrongName, SiteKind::SelfSigned] {
        let missed = fetcher.fetch(page(&format!("https://{}/", kind.host(1)))).await.unwrap_err();
        assert_eq!(missed.reason, Reason::BadCertificate, "{}", missed.detail);
        details.push(missed.detail);
    }
    insta::assert_snapshot!(details.join("\n"), @r"
    the certificate of expired-cert-1.test has expired
    the certificate of wrong-name-1.test belongs to another host
    the certificate of self-signed-1.test comes from an issuer that is not trusted here
    ");
    // Without the authority's certificate nothing there is trusted.
    let fetcher = world.fetcher(FetchSettings { ca_file: std::path::PathBuf::new(), ..trusting });
    let request = FetchRequest::page("https://news-1.test/".parse().unwrap());
    assert_eq!(fetcher.fetch(request).await.unwrap_err().reason, Reason::BadCertificate);
}
