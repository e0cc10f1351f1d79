//! Fetching: 200 sites of all kinds, twice, and the engines that lead to them.

mod engines;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::sync::Arc;
use std::time::Duration;

use ::fetch::{FetchFailure, FetchRequest, FetchSettings, Fetcher, Origin, Reason};
use graph::{Access, Graph, GraphLedger};
use jiff::SignedDuration;
use research::{ReadPage, read_page};
use tempfile::TempDir;
use testweb::{Expected, TestWeb, World};
use tokio::task::JoinSet;
use url::Url;

use crate::Arguments;
use crate::clock::Jumping;
use crate::criteria::{Criteria, Target, say};

/// The pause that stands for the 1.5 s of the product: only its length is scaled.
const SPACING: Duration = Duration::from_millis(50);

/// Long enough for a second visit to ask whether a page changed.
const A_DAY: SignedDuration = SignedDuration::from_hours(25);

/// The first rest after a refusal and some more: what is not recovered within a few of these is lost to a person
/// who waits.
const A_REST: SignedDuration = SignedDuration::from_mins(35);

/// How often the clock is put forward, so that sites which rest after a refusal can be asked for their other pages.
const ROUNDS: usize = 12;

/// How often one page is asked for.
const ATTEMPTS: usize = 3;

pub(crate) fn run(arguments: &Arguments) -> Criteria {
    let runtime = tokio::runtime::Runtime::new().expect("threads can be started");
    let stage = Stage::set(arguments, &runtime);
    let mut criteria = Criteria::default();
    runtime.block_on(async {
        stage.pages(&mut criteria).await;
        stage.second_visit(&mut criteria).await;
        stage.searches(&mut criteria).await;
        stage.engine_faults(&mut criteria).await;
    });
    stage.politeness(&mut criteria);
    stage.archive(&mut criteria);
    criteria
}

/// What everything happens on.
struct Stage {
    web: TestWeb,
    clock: Arc<Jumping>,
    graph: Arc<Graph>,
    fetcher: Fetcher,
    folder: TempDir,
}

/// The outcome of a page.
#[derive(Debug, Clone)]
struct Seen {
    reason: Option<Reason>,
    detail: String,
    origin: Option<Origin>,
    archived: bool,
    /// Whether the answer can be asked about later ("only if it changed").
    has_validator: bool,
    /// How often the site was really asked.
    attempts: usize,
}

impl Stage {
    fn set(arguments: &Arguments, runtime: &tokio::runtime::Runtime) -> Self {
        let web = TestWeb::start(World::of_size(arguments.seed, arguments.sites));
        let folder = tempfile::tempdir().expect("a temporary folder");
        let clock = Arc::new(Jumping::default());
        let options =
            graph::Options { clock: Arc::<Jumping>::clone(&clock), ..graph::Options::default() };
        let graph = Graph::open(&folder.path().join("lyra.db"), Access::Write, options);
        let graph = Arc::new(graph.expect("a new graph"));
        let ca_file = folder.path().join("ca.pem");
        fs::write(&ca_file, web.ca_pem()).expect("a file in the temporary folder");
        let settings = FetchSettings {
            hosts: web.hosts_setting(),
            allow_networks: vec!["127.0.0.1/32".to_owned()],
            ca_file,
            spacing_min_ms: SPACING.as_millis() as u64,
            spacing_max_ms: 2 * SPACING.as_millis() as u64,
            per_second: 10_000.0,
            timeout_ms: 5_000,
            ..FetchSettings::default()
        };
        let _inside = runtime.enter();
        let fetcher = Fetcher::open(
            Arc::new(GraphLedger::new(Arc::clone(&graph))),
            &folder.path().join("archive"),
            settings,
        );
        Self { web, clock, graph, fetcher: fetcher.expect("the settings are good"), folder }
    }

    /// Puts the clock forward instead of waiting a day.
    async fn pass(&self, time: SignedDuration) {
        // The server's clock is not changed, and it counts pauses.
        tokio::time::sleep(2 * SPACING).await;
        self.clock.jump(time);
    }

    /// Fetches pages concurrently; the fetcher keeps the order within a site.
    async fn fetch_all(&self, urls: impl Iterator<Item = String>) -> HashMap<String, Seen> {
        let mut bringing = JoinSet::new();
        for url in urls {
            let fetcher = self.fetcher.clone();
            bringing.spawn(async move {
                let request =
                    FetchRequest::page(Url::parse(&url).expect("the world has good addresses"));
                let seen =
                    match read_page(&fetcher, request, &extract::ReadSettings::default()).await {
                        Ok(brought) => Seen::brought(&brought),
                        Err(missed) => Seen::missed(&missed),
                    };
                (url, seen)
            });
        }
        let mut seen = HashMap::new();
        while let Some(done) = bringing.join_next().await {
            let (url, outcome) = done.expect("no request panics");
            seen.insert(url, outcome);
        }
        seen
    }

    async fn pages(&self, criteria: &mut Criteria) {
        let world = self.web.world();
        let pages = world.pages();
        say(&format!("{} sites, {} addresses", world.sites().len(), pages.len()));
        let mut seen = self.fetch_all(pages.iter().map(|it| it.url.clone())).await;
        for _ in 0..ROUNDS {
            let again: Vec<String> = pages
                .iter()
                .map(|it| &it.url)
                .filter(|it| seen[*it].is_worth_another_try())
                .cloned()
                .collect();
            self.pass(A_REST).await;
            for (url, mut now) in self.fetch_all(again.into_iter()).await {
                now.attempts += seen[&url].attempts;
                seen.insert(url, now);
            }
        }
        let of = |expected: &[Expected]| {
            pages.iter().filter(|it| expected.contains(&it.expected)).collect::<Vec<_>>()
        };
        let mut share = |name, expected: &[Expected], target| {
            let pages = of(expected);
            let right = pages.iter().filter(|it| seen[&it.url].is(it.expected)).count();
            criteria.share(name, right, pages.len(), target);
        };
        share("fetchable pages that were read", &[Expected::Readable], Target::AtLeast(0.95));
        share(
            "pages recovered after 403 and 429",
            &[Expected::ReadableLater],
            Target::AtLeast(0.70),
        );
        share("challenges recognised", &[Expected::Challenge], Target::Exactly(1.0));
        share("logins recognised", &[Expected::Login], Target::Exactly(1.0));
        let right = pages.iter().filter(|it| seen[&it.url].is(it.expected)).count();
        criteria.share(
            "outcomes as the site meant them",
            right,
            pages.len(),
            Target::AtLeast(0.95),
        );
        let answered: Vec<_> = seen.values().filter(|it| it.origin.is_some()).collect();
        let archived = answered.iter().filter(|it| it.archived).count();
        criteria.share("answers in the archive", archived, answered.len(), Target::AtLeast(0.95));
        let mut odd: BTreeMap<String, (usize, &str)> = BTreeMap::new();
        for page in pages.iter().filter(|it| !seen[&it.url].is(it.expected)) {
            let outcome = &seen[&page.url];
            let what = format!(
                "{:?}, expected {:?}: {:?} {}",
                page.site, page.expected, outcome.reason, outcome.detail
            );
            odd.entry(what).or_insert((0, &page.url)).0 += 1;
        }
        for (what, (count, example)) in odd {
            criteria.note(format!("{count} x {what} (such as {example})"));
        }
    }

    /// A day later: pages that can say "not modified" do.
    async fn second_visit(&self, criteria: &mut Criteria) {
        let pages = self.web.world().pages();
        let readable = pages.iter().filter(|it| it.expected == Expected::Readable);
        self.pass(A_DAY).await;
        let seen = self.fetch_all(readable.map(|it| it.url.clone())).await;
        let can_tell = || seen.values().filter(|it| it.has_validator);
        let unchanged = can_tell().filter(|it| it.origin == Some(Origin::NotModified)).count();
        let name = "304 among the second answers of pages that have an ETag or a date";
        criteria.share(name, unchanged, can_tell().count(), Target::AtLeast(0.70));
    }

    /// The server's count is the proof.
    fn politeness(&self, criteria: &mut Criteria) {
        let domains = self.web.domains_asked();
        let alone = domains.iter().filter(|it| self.web.most_open_at_once(it) <= 1).count();
        criteria.share(
            "sites never asked twice at once",
            alone,
            domains.len(),
            Target::Exactly(1.0),
        );
        let gaps: Vec<_> =
            domains.iter().filter_map(|it| Some((it, self.web.closest_gap(it)?))).collect();
        let kept = gaps.iter().filter(|it| it.1 >= SPACING).count();
        criteria.share("sites whose pauses were kept", kept, gaps.len(), Target::Exactly(1.0));
        for (domain, gap) in gaps.iter().filter(|it| it.1 < SPACING) {
            criteria.note(format!("{domain} was asked twice within {gap:?}"));
        }
    }

    /// Every row of the index leads to a whole record.
    fn archive(&self, criteria: &mut Criteria) {
        let folder = self.folder.path().join("archive");
        let mut records = Vec::new();
        let all = self.graph.read(|r| {
            r.each_archived(|record| {
                records.push(record);
                Ok(())
            })
        });
        all.expect("the index can be read");
        let whole = records
            .iter()
            .filter(|row| {
                let read =
                    archive::read_record(&folder, &row.file, row.byte_start, row.byte_length);
                read.is_ok_and(|record| record.http().is_ok())
            })
            .count();
        criteria.share(
            "archive records that can be read",
            whole,
            records.len(),
            Target::Exactly(1.0),
        );
    }
}

impl Seen {
    fn brought(brought: &ReadPage) -> Self {
        Self {
            reason: brought.problem,
            detail: format!("status {}", brought.fetched.status),
            origin: Some(brought.fetched.origin),
            archived: brought.fetched.record_id.is_some(),
            has_validator: ["etag", "last-modified"]
                .iter()
                .any(|name| brought.fetched.headers.iter().any(|it| it.0 == *name)),
            attempts: 1,
        }
    }

    fn missed(missed: &FetchFailure) -> Self {
        Self {
            reason: Some(missed.reason),
            detail: missed.detail.clone(),
            origin: None,
            archived: false,
            has_validator: false,
            attempts: usize::from(missed.reason != Reason::Resting),
        }
    }

    /// A site that rests was not asked yet; one that was busy or refused may answer after its rest.
    fn is_worth_another_try(&self) -> bool {
        match self.reason {
            Some(Reason::Resting) => true,
            Some(Reason::Forbidden | Reason::TooManyRequests | Reason::ServerError) => {
                self.attempts < ATTEMPTS
            }
            _ => false,
        }
    }

    /// Whether this is what a good client makes of such a page.
    fn is(&self, expected: Expected) -> bool {
        let reason = match expected {
            Expected::Readable | Expected::ReadableLater => return self.reason.is_none(),
            Expected::Login => Reason::Login,
            Expected::Challenge => Reason::Challenge,
            Expected::Paywall => Reason::Paywall,
            Expected::Forbidden => Reason::Forbidden,
            Expected::NotFound | Expected::SoftNotFound => Reason::NotFound,
            Expected::Robots => Reason::Robots,
            Expected::PrivateAddress => Reason::PrivateAddress,
            Expected::TooManyRedirects => Reason::TooManyRedirects,
            Expected::TooLarge => Reason::TooLarge,
            Expected::TimedOut => Reason::TimedOut,
            Expected::UnknownHost => Reason::UnknownHost,
            Expected::CannotConnect => Reason::CannotConnect,
            Expected::BadCertificate => Reason::BadCertificate,
            Expected::BrokenAnswer => Reason::BrokenAnswer,
            Expected::ServerError => Reason::ServerError,
        };
        self.reason == Some(reason)
    }
}
